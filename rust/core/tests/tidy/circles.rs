//! No files import each other in a circle.

use crate::sources::{code, core_sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The path of a module from the root of the crate; that of the root is empty.
type Module = Vec<String>;

/// Imported paths, as absolute paths.
#[derive(Default)]
struct Imports {
    /// Imports of the file's own code.
    own: Vec<Module>,
    /// Re-exports by name. A file that imports such a name from here imports the file that defines it.
    handed_on: BTreeMap<String, Module>,
}

fn module_of(path: &Path) -> Module {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let inside = path.strip_prefix(&root).expect("in src").with_extension("");
    let names = inside
        .iter()
        .map(|name| name.to_string_lossy().into_owned());
    let mut module: Module = names.collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
        module.pop();
    }
    module
}

/// Adds the paths of a tree of imports, such as `a::{b, c::d}`.
fn branches(tree: &str, before: &str, found: &mut Vec<String>) {
    let Some((stem, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        found.push(format!("{before}{}", path.trim()));
        return;
    };
    let inner = rest.rsplit_once('}').expect("closed").0;
    let (mut depth, mut from) = (0, 0);
    for (at, letter) in inner.char_indices().chain([(inner.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner[from..at].trim();
                if !part.is_empty() {
                    branches(part, &format!("{before}{}", stem.trim()), found);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// The absolute path of a path in the file of `module`; `None` if it leaves the crate.
fn absolute(path: &str, module: &Module, modules: &BTreeSet<Module>) -> Option<Module> {
    let mut names: Vec<&str> = path.split("::").collect();
    let mut base = module.clone();
    match names[0] {
        "crate" => base.clear(),
        "self" => {}
        "super" => {
            while names.first() == Some(&"super") {
                base.pop();
                names.remove(0);
            }
            names.insert(0, "super");
        }
        child => {
            base.push(child.to_owned());
            if !modules.contains(&base) {
                return None;
            }
            base.pop();
            names.insert(0, "self");
        }
    }
    base.extend(names[1..].iter().map(|&name| name.to_owned()));
    Some(base)
}

/// The imports of a file, and the paths in its code that start at `crate`, `super` or a submodule.
fn imports_of(text: &str, module: &Module, modules: &BTreeSet<Module>) -> Imports {
    let mut imports = Imports::default();
    let mut rest = String::new();
    for statement in text.split_inclusive(';') {
        let start = statement.rfind("use ").filter(|&at| {
            let before = statement[..at].rsplit('\n').next().unwrap_or_default();
            before.trim().is_empty() || before.trim_start().starts_with("pub")
        });
        let Some(at) = start else {
            let words: Vec<&str> = statement.split_whitespace().collect();
            let declares = matches!(words[..], [.., "mod", _]);
            rest.push_str(if declares { "" } else { statement });
            continue;
        };
        rest.push_str(&statement[..at]);
        let is_handed_on = statement[..at].trim_end().ends_with("pub")
            || statement[..at].trim_end().ends_with(')');
        let mut paths = Vec::new();
        branches(statement[at + 4..].trim_end_matches(';'), "", &mut paths);
        for path in paths
            .iter()
            .filter_map(|path| absolute(path, module, modules))
        {
            if is_handed_on {
                let name = path.last().cloned().unwrap_or_default();
                imports.handed_on.insert(name, path);
            } else {
                imports.own.push(path);
            }
        }
    }
    // A re-export that the file also uses.
    let names: BTreeSet<&str> = rest
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .collect();
    let used = imports.handed_on.iter();
    let used = used.filter(|(name, _)| names.contains(name.as_str()));
    imports.own.extend(used.map(|(_, path)| path.clone()));
    // A visibility such as `pub(in path)` is not an import.
    let rest = rest.replace("in crate::", "").replace("in super::", "");
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let words = rest.split(|letter: char| !is_part(letter));
    let paths = words.filter(|word| word.contains("::"));
    let paths = paths.map(|path| path.trim_end_matches(':'));
    imports
        .own
        .extend(paths.filter_map(|path| absolute(path, module, modules)));
    imports
}

/// The file that defines the item of a path.
fn home(path: &Module, all: &BTreeMap<Module, Imports>, depth: usize) -> Module {
    let is_file = |length: &usize| all.contains_key(&path[..*length]);
    let length = (0..=path.len()).rev().find(is_file).unwrap_or(0);
    let file = path[..length].to_vec();
    let next = path
        .get(length)
        .and_then(|name| all[&file].handed_on.get(name));
    match next {
        Some(next) if depth < 8 && next != path => {
            let mut next = next.clone();
            next.extend_from_slice(&path[length + 1..]);
            home(&next, all, depth + 1)
        }
        _ => file,
    }
}

/// The files that a file imports, directly or indirectly.
fn reached<'a>(
    from: &'a Module,
    arrows: &'a BTreeMap<Module, BTreeSet<Module>>,
) -> BTreeSet<&'a Module> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(file) = open.pop() {
        for next in &arrows[file] {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let files: BTreeMap<Module, String> = core_sources()
        .iter()
        .map(|path| {
            let lines = code(path).into_iter().map(|(_, line)| line + "\n");
            (module_of(path), lines.collect())
        })
        .collect();
    let modules: BTreeSet<Module> = files.keys().cloned().collect();
    let all: BTreeMap<Module, Imports> = files
        .iter()
        .map(|(module, text)| (module.clone(), imports_of(text, module, &modules)))
        .collect();
    let arrows: BTreeMap<Module, BTreeSet<Module>> = all
        .iter()
        .map(|(module, imports)| {
            let homes = imports.own.iter().map(|path| home(path, &all, 0));
            (
                module.clone(),
                homes.filter(|home| home != module).collect(),
            )
        })
        .collect();
    let count: usize = arrows.values().map(BTreeSet::len).sum();
    assert!(count > 500, "only {count} imports found");
    let circles: Vec<&Module> = arrows
        .keys()
        .filter(|file| reached(file, &arrows).contains(file))
        .collect();
    assert!(circles.is_empty(), "in circles: {circles:?}");
}

#[test]
fn circles_are_found() {
    let text = |text: &str| text.to_owned();
    let module = |path: &str| path.split("::").map(text).collect::<Module>();
    let modules: BTreeSet<Module> = [Vec::new(), module("a"), module("a::b"), module("c")].into();
    let imports = imports_of(
        "use super::x::{self, Y};\npub use b::Z;\nfn f() -> crate::c::D { b::g() }\n",
        &module("a"),
        &modules,
    );
    assert_eq!(
        imports.own,
        [
            module("x::self"),
            module("x::Y"),
            module("c::D"),
            module("a::b::g")
        ]
    );
    assert_eq!(imports.handed_on["Z"], module("a::b::Z"));
    let mut all = BTreeMap::from([(module("a"), imports)]);
    all.insert(module("a::b"), Imports::default());
    assert_eq!(home(&module("a::Z"), &all, 0), module("a::b"));
    let arrows = BTreeMap::from([
        (module("a"), [module("a::b")].into()),
        (module("a::b"), [module("c")].into()),
        (module("c"), [module("a")].into()),
    ]);
    assert!(reached(&module("a"), &arrows).contains(&module("a")));
}
