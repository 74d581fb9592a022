//! The recipes of `godot_project/examples` are small and complete, and docs/recipes.md shows their code as it is.

use std::fs;
use std::path::{Path, PathBuf};

/// The longest script, in lines.
const MOST_LINES: usize = 120;
/// Recipes of the addon's nodes alone.
const WITHOUT_SCRIPT: [&str; 2] = ["without_script_2d", "without_script_3d"];
/// The suites that open recipes.
const SUITES: [&str; 2] = ["examples_suite.gd", "without_script_suite.gd"];
/// The largest picture, in bytes.
const MOST_BYTES: u64 = 60_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|entry| {
            let name = entry.expect("readable").file_name();
            name.to_string_lossy().into_owned()
        })
        .collect();
    names.sort();
    names
}

fn recipes() -> Vec<String> {
    let recipes = names(&root().join("godot_project/examples"));
    assert!(recipes.len() > 10, "only {} recipes", recipes.len());
    recipes
}

/// The recipes that have a script.
fn scripted() -> Vec<String> {
    let mut recipes = recipes();
    recipes.retain(|name| !WITHOUT_SCRIPT.contains(&name.as_str()));
    recipes
}

fn script(name: &str) -> String {
    read(&root().join(format!("godot_project/examples/{name}/{name}.gd")))
}

#[test]
fn every_recipe_is_a_scene_and_a_short_script() {
    for name in scripted() {
        let folder = root().join("godot_project/examples").join(&name);
        let expected = [".gd", ".gd.uid", ".tscn"].map(|ending| format!("{name}{ending}"));
        let mut files = names(&folder);
        // Models and how they are imported.
        files.retain(|file| !file.contains(".glb"));
        assert_eq!(files, expected, "{name}");
        // A copy in any folder of a game finds its script.
        let scene = read(&folder.join(format!("{name}.tscn")));
        assert!(!scene.contains("res://"), "{name}.tscn has res://");
        let script = script(&name);
        let lines = script.lines().count();
        assert!(lines <= MOST_LINES, "{name}.gd has {lines} lines");
        for word in ["class_name ", "preload(", "res://"] {
            assert!(!script.contains(word), "{name}.gd has {word}");
        }
    }
}

#[test]
fn a_recipe_without_a_script_is_a_scene_of_the_addons_nodes() {
    for name in WITHOUT_SCRIPT {
        let folder = root().join("godot_project/examples").join(name);
        assert_eq!(names(&folder), [format!("{name}.tscn")]);
        let scene = read(&folder.join(format!("{name}.tscn")));
        assert!(
            !scene.contains("GDScript"),
            "{name}.tscn has a script of its own"
        );
        let scripts = scene
            .lines()
            .filter(|line| line.starts_with("[ext_resource"));
        for script in scripts {
            // By its uid it is found in any folder.
            let is_node = script.contains("path=\"res://addons/flow_swarm/nodes/");
            assert!(is_node && script.contains("uid=\"uid://"), "{script}");
        }
    }
}

#[test]
fn every_recipe_has_a_test_and_a_picture() {
    let folder = root().join("godot_project/tests/suites");
    let suites = SUITES.map(|suite| read(&folder.join(suite))).concat();
    for name in recipes() {
        let opens = format!("_open(\"{name}\")");
        assert!(suites.contains(&opens), "no test opens {name}");
    }
    let pictures = root().join("docs/images/recipes");
    let expected: Vec<String> = recipes().iter().map(|name| format!("{name}.png")).collect();
    assert_eq!(names(&pictures), expected);
    for picture in expected {
        let size = fs::metadata(pictures.join(&picture)).expect("there").len();
        assert!(size < MOST_BYTES, "{picture} has {size} bytes");
    }
}

/// The sections of a page; in its code, `## ` begins a comment.
fn sections(page: &str) -> Vec<String> {
    let mut sections = Vec::new();
    let mut is_code = false;
    for line in page.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if line.starts_with("## ") && !is_code {
            sections.push(String::new());
        }
        if let Some(section) = sections.last_mut() {
            section.push_str(line);
        }
    }
    sections
}

/// What is wrong with the section of a page that shows a recipe.
fn faults(section: &str, name: &str, script: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let blocks: Vec<&str> = section.split("```gdscript\n").skip(1).collect();
    if blocks.is_empty() {
        faults.push(format!("{name}: the page shows no code"));
    }
    for block in blocks {
        let block = block.split("```").next().unwrap_or_default();
        if !script.contains(block) {
            let first = block.lines().next().unwrap_or_default();
            faults.push(format!("{name}: not in the script: the block at {first}"));
        }
    }
    let link = format!("(../godot_project/examples/{name}/{name}.gd)");
    if !section.contains(&link) {
        faults.push(format!("{name}: the page does not link the script"));
    }
    faults
}

#[test]
fn the_page_shows_every_recipe_as_it_is() {
    let page = read(&root().join("docs/recipes.md"));
    let sections = sections(&page);
    assert_eq!(sections.len(), recipes().len(), "sections and recipes");
    for name in recipes() {
        let picture = format!("(images/recipes/{name}.png)");
        let section = sections.iter().find(|section| section.contains(&picture));
        let section = section.unwrap_or_else(|| panic!("{name} is not in docs/recipes.md"));
        if WITHOUT_SCRIPT.contains(&name.as_str()) {
            let link = format!("(../godot_project/examples/{name}/{name}.tscn)");
            assert!(section.contains(&link), "the page does not link {name}");
            continue;
        }
        let faults = faults(section, &name, &script(&name));
        assert!(faults.is_empty(), "{faults:#?}");
    }
}

#[test]
fn comments_in_code_begin_no_section() {
    let page = "# A\n## B\n```gdscript\n## c\n```\n## D\n";
    assert_eq!(sections(page), ["## B\n```gdscript\n## c\n```\n", "## D\n"]);
}

#[test]
fn code_that_differs_is_found() {
    let link = "(../godot_project/examples/a/a.gd)";
    let page = |code: &str| format!("A\n```gdscript\n{code}\n```\n{link}");
    assert!(faults(&page("\tb()"), "a", "func a():\n\tb()\n").is_empty());
    assert_eq!(faults(&page("\tc()"), "a", "func a():\n\tb()\n").len(), 1);
    assert_eq!(faults(link, "a", "").len(), 1);
    assert_eq!(faults("", "a", "").len(), 2);
}
