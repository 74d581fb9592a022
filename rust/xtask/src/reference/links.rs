//! Links in the editor's help from descriptions to constants.

use std::collections::BTreeSet;

use super::parse::{Class, Classes, Kind};

/// Marks the names of constants in all descriptions as links.
pub(super) fn mark(mut classes: Classes) -> Classes {
    let known = known(&classes);
    for (name, class) in &mut classes.by_name {
        let Class { docs, members, .. } = class;
        let members = members.iter_mut().map(|member| &mut member.docs);
        for docs in members.chain([docs]) {
            *docs = linked(docs, name, &known);
        }
    }
    classes
}

/// The constants with their classes, without deprecated names.
fn known(classes: &Classes) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for (class, entry) in &classes.by_name {
        for member in &entry.members {
            if member.kind == Kind::Constant && member.replaced_by.is_none() {
                known.insert(format!("{class}.{}", member.name));
            }
        }
    }
    known
}

fn linked(docs: &str, class: &str, known: &BTreeSet<String>) -> String {
    let is_part = |character: char| character.is_alphanumeric() || "_.".contains(character);
    let mut text = String::new();
    let mut rest = docs;
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|it| !is_part(it)).unwrap_or(from.len());
        // A point at the end is that of the sentence.
        let name = from[..end].trim_end_matches('.');
        let is_known = known.contains(name) || known.contains(&format!("{class}.{name}"));
        text.push_str(before);
        if is_known && !before.ends_with('`') {
            text.push_str(&format!("[constant {name}]{}", &from[name.len()..end]));
        } else {
            text.push_str(&from[..end]);
        }
        rest = &from[end..];
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_links_outside_of_code() {
        let known = ["Thing.WAY_UP", "Other.GO"].map(str::to_owned).into();
        let text = "With WAY_UP, Other.GO or GO: `WAY_UP` is not Thing.WAY_UP.";
        let links = "With [constant WAY_UP], [constant Other.GO] or GO: `WAY_UP` is not [constant Thing.WAY_UP].";
        assert_eq!(linked(text, "Thing", &known), links);
    }
}
