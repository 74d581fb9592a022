//! Reads the enums of classes, and the types of arguments, results and properties that they are.

use std::collections::BTreeMap;

use super::parse::{Class, Classes, Kind, Member, word_after};

/// The line with which a block of enums begins.
pub(super) const BEGINNING: &str = "class_enums! {";

/// Reads a block of enums to its end.
pub(super) fn read<'a>(
    lines: &mut impl Iterator<Item = &'a str>,
    classes: &mut BTreeMap<String, Class>,
) {
    let mut class = &mut Class::default();
    let mut docs: Vec<&str> = Vec::new();
    let mut of_enum = None;
    for line in lines {
        if let Some(text) = line.strip_prefix("///") {
            docs.push(text.trim());
        } else if let Some(name) = line.strip_suffix(';') {
            class = classes.entry(name.to_owned()).or_default();
        } else if line.starts_with("enum ") {
            let name = word_after(line, "enum ");
            class.enums.push((name.clone(), docs.join("\n")));
            of_enum = Some(name);
            docs.clear();
        } else if line == "}" && of_enum.take().is_none() {
            return;
        } else if let Some((name, value)) = line.split_once(" = ") {
            let value = constant(name, value, of_enum.as_deref(), &docs.join("\n"));
            class.members.extend(value);
            docs.clear();
        }
    }
}

/// A value of an enum, and its old name if it has one.
fn constant(name: &str, rest: &str, of_enum: Option<&str>, docs: &str) -> Vec<Member> {
    let mut value = Member::new(Kind::Constant);
    value.name = name.to_owned();
    value.value = Some(word_after(rest, ""));
    value.of_enum = of_enum.map(str::to_owned);
    value.docs = docs.to_owned();
    let mut both = vec![value];
    if rest.contains("(was ") {
        let mut old = both[0].clone();
        old.name = word_after(rest, "(was ");
        old.of_enum = None;
        old.docs = format!("The old name of {name}.");
        old.replaced_by = Some(name.to_owned());
        both.push(old);
    }
    both
}

/// Gives arguments, results and properties the full names of the enums that are their types, and their defaults the
/// names of the values.
pub(super) fn resolve(classes: &mut Classes) {
    let known = Known::of(classes);
    for member in classes.by_name.values_mut().flat_map(|it| &mut it.members) {
        for parameter in &mut member.parameters {
            known.resolve(&mut parameter.value_type, &mut parameter.default);
        }
        known.resolve(&mut member.value_type, &mut member.value);
    }
}

/// The full names of enums, and the names of their values 0.
struct Known(BTreeMap<String, (String, String)>);

impl Known {
    fn of(classes: &Classes) -> Self {
        let mut known = BTreeMap::new();
        for (class, entry) in &classes.by_name {
            for (name, _) in &entry.enums {
                let of_it = |member: &&Member| member.of_enum.as_ref() == Some(name);
                let is_zero = |member: &&Member| member.value.as_deref() == Some("0");
                let zero = entry.members.iter().filter(of_it).find(is_zero);
                let zero = zero.map_or("0", |member| &member.name).to_owned();
                known.insert(name.clone(), (format!("{class}.{name}"), zero));
            }
        }
        Self(known)
    }

    fn resolve(&self, value_type: &mut String, value: &mut Option<String>) {
        let Some((full_name, zero)) = self.0.get(value_type) else {
            return;
        };
        *value_type = full_name.clone();
        if let Some(value) = value {
            *value = match value.rsplit_once('.') {
                Some((_, name)) => name.to_owned(),
                None => zero.clone(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r##"
        /// A thing.
        #[derive(GodotClass)]
        #[class(tool, init, base=Node)]
        pub struct Thing {
            /// Which way.
            #[export]
            way: Way,
            /// Another way.
            #[export]
            #[init(val = Way::WAY_DOWN)]
            other: Way,
        }

        class_enums! {
        Thing;

        /// A way.
        enum Way {
            /// Up.
            WAY_UP = 0 (was UP),
            /// Down.
            WAY_DOWN = 1,
        }
        }

        #[godot_api]
        impl Thing {
            /// Goes.
            #[func]
            fn go(&mut self, #[opt(default = enums::Way::WAY_DOWN)] way: enums::Way) -> Way {
            }
        }
    "##;

    #[test]
    fn enums_are_read_with_old_names_and_are_types() {
        let mut classes = Classes::default();
        classes.read(SOURCE);
        resolve(&mut classes);
        let thing = &classes.by_name["Thing"];
        assert_eq!(thing.enums, [("Way".to_owned(), "A way.".to_owned())]);
        let constants = thing.members.iter().filter(|it| it.kind == Kind::Constant);
        let constants: Vec<_> = constants
            .map(|it| {
                let (of_enum, replaced_by) = (it.of_enum.as_deref(), it.replaced_by.as_deref());
                (it.name.as_str(), it.value.as_deref(), of_enum, replaced_by)
            })
            .collect();
        assert_eq!(
            constants,
            [
                ("WAY_UP", Some("0"), Some("Way"), None),
                ("UP", Some("0"), None, Some("WAY_UP")),
                ("WAY_DOWN", Some("1"), Some("Way"), None),
            ]
        );
        let typed = |index: usize| {
            let member: &Member = &thing.members[index];
            (member.value_type.as_str(), member.value.as_deref())
        };
        assert_eq!(typed(0), ("Thing.Way", Some("WAY_UP")));
        assert_eq!(typed(1), ("Thing.Way", Some("WAY_DOWN")));
        let go = thing.members.last().expect("a method");
        assert_eq!(go.value_type, "Thing.Way");
        assert_eq!(go.parameters[0].value_type, "Thing.Way");
        assert_eq!(go.parameters[0].default.as_deref(), Some("WAY_DOWN"));
    }
}
