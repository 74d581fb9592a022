//! The export template for the web: the engine, compiled from Debian's sources. It is compiled once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::emscripten::Emscripten;
use super::sources::Sources;
use crate::process::{self, Echo};
use crate::python::{self, Packages};
use crate::repo::Repo;
use crate::{files, godot::Godot};

const SCONS: Packages = Packages {
    environment: "scons",
    complete: &["scons==4.11.1"],
    bare: &[],
};

/// The modules are those that the demos need. A template with all of them takes much longer to compile.
const SETTINGS: &[&str] = &[
    "platform=web",
    "target=template_release",
    "threads=no",
    "dlink_enabled=yes",
    "optimize=size",
    "lto=none",
    "scu_build=yes",
    "modules_enabled_by_default=no",
    "module_gdscript_enabled=yes",
    "module_freetype_enabled=yes",
    "module_text_server_fb_enabled=yes",
    "module_webp_enabled=yes",
    "module_mbedtls_enabled=no",
    "builtin_certs=no",
    "vulkan=no",
];
const LIMIT: Duration = Duration::from_secs(4 * 3600);

/// A library that Debian's source of the engine leaves out, because Debian packages it.
struct Library {
    /// Debian's source package.
    package: &'static str,
    /// The folder of the source that the engine has.
    part: &'static str,
    /// Its name in the engine's `thirdparty`.
    folder: &'static str,
}

const fn whole(package: &'static str, folder: &'static str) -> Library {
    Library {
        package,
        part: "",
        folder,
    }
}

const LIBRARIES: &[Library] = &[
    whole("zlib", "zlib"),
    whole("freetype", "freetype"),
    whole("mbedtls", "mbedtls"),
    whole("libpng1.6", "libpng"),
    whole("libwebp", "libwebp"),
    Library {
        package: "libzstd",
        part: "lib",
        folder: "zstd",
    },
    Library {
        package: "brotli",
        part: "c",
        folder: "brotli",
    },
];

/// Files that the engine adds to libraries, and that Debian's source leaves out with them. An engine without
/// certificates of its own still wants their file.
const ADDED: &[(&str, &str)] = &[
    (
        "mbedtls/include/godot_core_mbedtls_config.h",
        include_str!("mbedtls_config.h"),
    ),
    (
        "mbedtls/library/godot_core_mbedtls_platform.c",
        include_str!("mbedtls_platform.c"),
    ),
    ("certs/ca-bundle.crt", ""),
];

/// Returns the template of the editor's version, and compiles it if it is not there.
pub(super) fn find_or_build(
    repo: &Repo,
    emscripten: &Emscripten,
    godot: &Godot,
) -> Result<PathBuf> {
    let folder = repo.cache().join("web/template");
    let template = folder.join("template.zip");
    let version = godot.numbers();
    let key = key(&version, emscripten.version());
    // Written last.
    let mark = folder.join("key");
    if template.is_file() && fs::read_to_string(&mark).is_ok_and(|text| text == key) {
        println!("the template is there: {}", template.display());
        return Ok(template);
    }
    let sources = folder.join("source");
    find_or_fetch_sources(&folder, &sources, &version)?;
    let built = compile(repo, emscripten, &sources)?;
    files::replace(&built, &template)?;
    fs::write(&mark, key).with_context(|| format!("cannot write {}", mark.display()))?;
    Ok(template)
}

/// All on which the template depends.
fn key(engine: &str, emscripten: &str) -> String {
    format!(
        "{}emscripten {emscripten}\n{}\n",
        sources_key(engine),
        SETTINGS.join(" ")
    )
}

/// All on which the sources depend.
fn sources_key(engine: &str) -> String {
    let mut key = format!("engine {engine}\n");
    for Library {
        package,
        part,
        folder,
    } in LIBRARIES
    {
        key += &format!("{package} {part} {folder}\n");
    }
    for (path, text) in ADDED {
        key += &format!("{path}\n{text}");
    }
    key
}

fn find_or_fetch_sources(folder: &Path, target: &Path, version: &str) -> Result<()> {
    let key = sources_key(version);
    // Written last. Sources that were compiled stay, so that another setting compiles only what it changes.
    let mark = target.join("sources_key");
    if fs::read_to_string(&mark).is_ok_and(|text| text == key) {
        return Ok(());
    }
    println!("taking the engine's sources from the system's package archive (70 MB, once)");
    let work = folder.join("apt");
    let sources = Sources::new(&work)?;
    sources.unpack("godot", target)?;
    let found = version_of(&fs::read_to_string(target.join("version.py"))?);
    ensure!(
        found.as_deref() == Some(version),
        "Debian's source is of Godot {}, and the editor is {version}: a template of another version does not fit",
        found.unwrap_or_default()
    );
    let libraries = target.join("thirdparty");
    for library in LIBRARIES {
        let unpacked = work.join(library.package);
        sources.unpack(library.package, &unpacked)?;
        let place = libraries.join(library.folder);
        fs::rename(unpacked.join(library.part), &place)
            .with_context(|| format!("cannot put {} in its place", library.package))?;
    }
    files::copy(
        &libraries.join("libpng/scripts/pnglibconf.h.prebuilt"),
        &libraries.join("libpng/pnglibconf.h"),
    )?;
    for (path, text) in ADDED {
        process::write_log(&libraries.join(path), text)?;
    }
    fs::remove_dir_all(&work).context("cannot remove apt's files")?;
    fs::write(&mark, key).with_context(|| format!("cannot write {}", mark.display()))
}

/// The version in the engine's `version.py`, such as `4.6.3`.
fn version_of(text: &str) -> Option<String> {
    let part = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().strip_prefix('=')?.trim().to_owned())
    };
    let mut numbers = vec![part("major")?, part("minor")?, part("patch")?];
    numbers.pop_if(|patch| patch == "0");
    Some(numbers.join("."))
}

fn compile(repo: &Repo, emscripten: &Emscripten, sources: &Path) -> Result<PathBuf> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    println!("compiling the engine for the web (half an hour to an hour on two cores, once)");
    let programs = python::programs(&repo.cache(), &SCONS)?;
    let mut command = Command::new(python::program(&programs, "scons"));
    emscripten.apply_to(&mut command)?;
    command
        .current_dir(sources)
        .args(SETTINGS)
        .arg("progress=no")
        .arg(format!("-j{jobs}"));
    let output = process::capture(command, Echo::Lines, LIMIT)?;
    let log = repo.artifacts().join("web_template.log");
    process::write_log(&log, &output.text)?;
    ensure!(
        output.is_success(),
        "the engine did not build; the whole log: {}\n{}",
        log.display(),
        output.tail()
    );
    let built = sources.join("bin/godot.web.template_release.wasm32.nothreads.dlink.zip");
    ensure!(
        built.is_file(),
        "the engine was built without {}",
        built.display()
    );
    Ok(built)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_built_anew_for_another_engine_or_emscripten() {
        let known = key("4.6.3", "6.0.5");
        assert_eq!(key("4.6.3", "6.0.5"), known);
        assert_ne!(key("4.6.4", "6.0.5"), known);
        assert_ne!(key("4.6.3", "6.0.6"), known);
    }

    #[test]
    fn the_key_has_all_settings_and_added_files() {
        let key = key("4.6.3", "6.0.5");
        for setting in SETTINGS {
            assert!(key.contains(setting), "{setting}");
        }
        for (path, text) in ADDED {
            assert!(key.contains(path) && key.contains(text), "{path}");
        }
    }

    #[test]
    fn the_engines_version_is_read_from_its_source() {
        let text = "short_name = \"godot\"\nname = \"Godot Engine\"\nmajor = 4\nminor = 6\npatch = 3\nstatus = \"stable\"\n";
        assert_eq!(version_of(text).as_deref(), Some("4.6.3"));
        let first = text.replace("patch = 3", "patch = 0");
        assert_eq!(version_of(&first).as_deref(), Some("4.6"));
        assert_eq!(version_of("major = 4\n"), None);
    }
}
