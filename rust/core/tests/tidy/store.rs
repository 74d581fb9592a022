//! What the asset library shows of the addon: version, icon, texts and pictures.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The value of a line `key="value"`, or `key = "value"`.
fn value(text: &str, key: &str) -> String {
    let line = text.lines().find_map(|line| {
        let rest = line.strip_prefix(key)?.trim_start();
        rest.strip_prefix('=')
            .map(|value| value.trim().trim_matches('"').to_owned())
    });
    line.unwrap_or_else(|| panic!("there is no {key}"))
}

#[test]
fn the_editor_shows_the_version_of_the_library() {
    assert_eq!(
        value(&read("addons/flow_swarm/plugin.cfg"), "version"),
        env!("CARGO_PKG_VERSION")
    );
    let listing = read("docs/store/listing.md");
    let line = format!("| version | {} |", env!("CARGO_PKG_VERSION"));
    assert!(
        listing.contains(&line),
        "docs/store/listing.md has no line {line}"
    );
}

#[test]
fn the_icon_has_the_size_that_the_store_wants() {
    let icon = fs::read(root().join("docs/store/icon.png")).expect("there is an icon");
    // Width and height follow the signature and the head of the first chunk.
    let number = |at: usize| {
        icon.get(at..at + 4).map(|bytes| {
            bytes
                .iter()
                .fold(0, |sum, byte| sum * 256 + u32::from(*byte))
        })
    };
    assert_eq!((number(16), number(20)), (Some(256), Some(256)));
}

#[test]
fn the_store_has_three_to_five_small_pictures() {
    let entries = fs::read_dir(root().join("docs/store")).expect("the folder is there");
    let files = entries.map(|entry| entry.expect("readable"));
    let pictures: Vec<_> = files
        .filter(|file| {
            file.path()
                .extension()
                .is_some_and(|ending| ending == "jpg")
        })
        .collect();
    assert!(
        (3..=5).contains(&pictures.len()),
        "{} pictures",
        pictures.len()
    );
    let listing = read("docs/store/listing.md");
    for picture in pictures {
        let name = picture.file_name().to_string_lossy().into_owned();
        let size = picture.metadata().expect("readable").len();
        assert!(size < 200_000, "{name} has {size} bytes");
        assert!(
            listing.contains(&format!("({name})")),
            "the listing does not show {name}"
        );
    }
}
