//! The tutorials show code of the recipes that they link, as it is.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The tutorials with their texts, sorted.
fn tutorials() -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(root().join("docs/tutorials")).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.clone(), read(&path)))
        .collect()
}

/// The scripts that a page links.
fn linked_scripts(page: &str) -> Vec<&str> {
    let links = page
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    links.filter(|link| link.ends_with(".gd")).collect()
}

/// The first lines of the blocks that are in none of the scripts.
fn strange_blocks<'a>(page: &'a str, scripts: &[String]) -> Vec<&'a str> {
    let blocks = page.split("```gdscript\n").skip(1);
    blocks
        .filter_map(|rest| rest.split("```").next())
        .filter(|block| !scripts.iter().any(|script| script.contains(block)))
        .filter_map(|block| block.lines().next())
        .collect()
}

#[test]
fn tutorials_show_code_as_it_is() {
    let tutorials = tutorials();
    assert_eq!(tutorials.len(), 4, "one for each kind of game");
    for (path, page) in tutorials {
        let folder = path.parent().expect("a folder");
        let links = linked_scripts(&page);
        assert!(!links.is_empty(), "{} links no script", path.display());
        let scripts: Vec<String> = links.iter().map(|link| read(&folder.join(link))).collect();
        let strange = strange_blocks(&page, &scripts);
        assert!(
            strange.is_empty(),
            "{}: not in the scripts: {strange:#?}",
            path.display()
        );
    }
}

#[test]
fn every_tutorial_is_in_the_site() {
    let settings = read(&root().join("docs/site/mkdocs.yml"));
    for (path, _) in tutorials() {
        let name = path.file_name().expect("a name").to_string_lossy();
        assert!(
            settings.contains(&format!("docs/tutorials/{name}")),
            "{name}"
        );
    }
}

#[test]
fn code_that_differs_is_found() {
    let page = "[a](b/a.gd)\n```gdscript\n\tb()\n```\n```gdscript\n\tc()\n```\n";
    assert_eq!(linked_scripts(page), ["b/a.gd"]);
    assert_eq!(
        strange_blocks(page, &["func a():\n\tb()\n".to_owned()]),
        ["\tc()"]
    );
}
