//! Parses what gdext registers from Rust sources. It supports as much of the language as this project's classes use.

use super::enums;
use std::collections::BTreeMap;

/// How the documentation of a method begins that is an old name of another.
const OLD_NAME: &str = "The old name of ";

/// A documented member of a class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) docs: String,
    /// The type of a property, the parameters of a method or signal, or empty.
    pub(super) parameters: Vec<Parameter>,
    /// The return type of a method, or the type of a property.
    pub(super) value_type: String,
    /// The value of a property or constant.
    pub(super) value: Option<String>,
    /// The enum of a constant.
    pub(super) of_enum: Option<String>,
    /// The constant that replaces this one.
    pub(super) replaced_by: Option<String>,
}

impl Member {
    /// A member of a kind, about which nothing else is known yet.
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            name: String::new(),
            docs: String::new(),
            parameters: Vec::new(),
            value_type: String::new(),
            value: None,
            of_enum: None,
            replaced_by: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) value_type: String,
    pub(super) default: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Property,
    Method,
    Signal,
    Constant,
}

#[derive(Debug, Default)]
pub(super) struct Class {
    pub(super) base: String,
    pub(super) docs: String,
    pub(super) members: Vec<Member>,
    /// The names of the enums, with what they are about.
    pub(super) enums: Vec<(String, String)>,
}

/// All classes by name.
#[derive(Debug, Default)]
pub(super) struct Classes {
    pub(super) by_name: BTreeMap<String, Class>,
}

impl Classes {
    /// Adds the declarations of one source file.
    pub(super) fn read(&mut self, source: &str) {
        let mut docs: Vec<&str> = Vec::new();
        let mut attributes = String::new();
        let mut class = String::new();
        let mut lines = source.lines().map(str::trim);
        while let Some(line) = lines.next() {
            if let Some(text) = line.strip_prefix("///") {
                docs.push(text.trim());
                continue;
            }
            if line.starts_with("#[") {
                attributes.push_str(&until_balanced(line, &mut lines, '[', ']'));
                continue;
            }
            let text = docs.join("\n");
            if line == enums::BEGINNING {
                enums::read(&mut lines, &mut self.by_name);
            } else if attributes.contains("derive(GodotClass)") {
                class = word_after(line, "struct ");
                let entry = self.by_name.entry(class.clone()).or_default();
                entry.base = word_after(&attributes, "base=");
                entry.docs = text;
            } else if let Some(name) = line.strip_prefix("impl ")
                && !line.contains(" for ")
            {
                class = word_after(name, "");
            } else if !text.is_empty()
                && let Some(mut member) = member(line, &mut lines, &attributes)
                && let Some(entry) = self.by_name.get_mut(&class)
            {
                if let Some(now) = text.strip_prefix(OLD_NAME) {
                    member.replaced_by = now.strip_suffix("().").map(str::to_owned);
                }
                member.docs = text;
                entry.members.push(member);
            }
            docs.clear();
            attributes.clear();
        }
    }
}

fn member<'a>(
    line: &str,
    lines: &mut impl Iterator<Item = &'a str>,
    attributes: &str,
) -> Option<Member> {
    let mut member = Member::new(Kind::Property);
    if attributes.contains("#[export]") || attributes.contains("#[export(") {
        let (name, value_type) = line.trim_end_matches(',').split_once(": ")?;
        member.name = name.to_owned();
        member.value_type = godot_type(value_type);
        member.value = Some(match attributes.split_once("#[init(val = ") {
            Some((_, rest)) => godot_value(rest.rsplit_once(")]").map_or(rest, |(value, _)| value)),
            None => default_of(&member.value_type),
        });
    } else if attributes.contains("#[constant]") {
        member.kind = Kind::Constant;
        member.name = word_after(line, "const ");
        member.value = line
            .split_once("= ")
            .map(|(_, value)| value.trim_end_matches(';').to_owned());
    } else if attributes.contains("#[func") || attributes.contains("#[signal]") {
        member.kind = if attributes.contains("#[signal]") {
            Kind::Signal
        } else {
            Kind::Method
        };
        let signature = until_balanced(line, lines, '(', ')');
        member.name = word_after(&signature, "fn ");
        let (_, rest) = signature.split_once('(')?;
        let (parameters, result) = rest.rsplit_once(')')?;
        member.parameters = split_top_level(parameters)
            .iter()
            .filter_map(|text| parameter(text))
            .collect();
        member.value_type = match result.split_once("-> ") {
            Some((_, value_type)) => godot_type(value_type.trim_end_matches([' ', '{'])),
            None => "void".to_owned(),
        };
    } else {
        return None;
    }
    Some(member)
}

fn parameter(text: &str) -> Option<Parameter> {
    let (default, text) = match text.strip_prefix("#[opt(default = ") {
        Some(rest) => {
            let (value, rest) = rest.split_once(")]")?;
            (Some(godot_value(value)), rest.trim())
        }
        None => (None, text),
    };
    let (name, value_type) = text.split_once(": ")?;
    if value_type == "Gd<Self>" {
        return None;
    }
    Some(Parameter {
        name: name
            .trim_start_matches("r#")
            .trim_start_matches('_')
            .to_owned(),
        value_type: godot_type(value_type),
        default,
    })
}

/// Joins `first` and the lines after it until all brackets are closed.
fn until_balanced<'a>(
    first: &str,
    lines: &mut impl Iterator<Item = &'a str>,
    open: char,
    close: char,
) -> String {
    let mut text = first.to_owned();
    while text.matches(open).count() > text.matches(close).count() {
        let Some(next) = lines.next() else {
            break;
        };
        text.push(' ');
        text.push_str(next);
    }
    text
}

/// Splits text at the commas that are not inside brackets.
fn split_top_level(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for character in text.chars() {
        match character {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(character);
        }
    }
    parts
        .iter()
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// Returns the identifier after the first `before`.
pub(super) fn word_after(text: &str, before: &str) -> String {
    let rest = text.split_once(before).map_or(text, |(_, rest)| rest);
    rest.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// Returns a Rust type in GDScript's notation.
fn godot_type(rust: &str) -> String {
    let inner = |prefix: &str, suffix: &str| {
        rust.strip_prefix(prefix)
            .and_then(|rest| rest.strip_suffix(suffix))
    };
    if let Some(element) = inner("Array<", ">").or_else(|| inner("ObjectArray<", ">")) {
        return format!("Array[{}]", godot_type(element));
    }
    if let Some(elements) = inner("Dictionary<", ">") {
        let elements = split_top_level(elements);
        let elements: Vec<_> = elements.iter().map(|part| godot_type(part)).collect();
        return format!("Dictionary[{}]", elements.join(", "));
    }
    if let Some(class) = inner("Option<Gd<", ">>") {
        return class.to_owned();
    }
    match rust {
        "i64" | "u32" => "int",
        "f64" => "float",
        "GString" => "String",
        "VarDictionary" => "Dictionary",
        "IntDictionary" => "Dictionary[int, int]",
        "OptionalQuery" => "SwarmQuery",
        other => other.rsplit("::").next().unwrap_or(other),
    }
    .to_owned()
}

/// Returns a Rust value in GDScript's notation.
fn godot_value(rust: &str) -> String {
    if rust.starts_with("painted::filled(") {
        let name = if rust.ends_with("WALL)") {
            "walls"
        } else {
            "clear ground"
        };
        return name.to_owned();
    }
    if rust == "u32::MAX" {
        return u32::MAX.to_string();
    }
    if rust == "OptionalQuery::NONE" {
        return "null".to_owned();
    }
    rust.trim_start_matches('&')
        .replace("::default(", "(")
        .replace("::new(", "(")
        .replace("::from(", "(")
        .replace("::", ".")
}

fn default_of(value_type: &str) -> String {
    match value_type {
        "int" => "0",
        "float" => "0.0",
        "bool" => "false",
        "Vector2" => "Vector2(0, 0)",
        other
            if other.starts_with("Array")
                || other.starts_with("Dictionary")
                || other.starts_with("Packed") =>
        {
            "empty"
        }
        _ => "null",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r##"
        /// A thing.
        #[derive(GodotClass)]
        #[class(tool, init, base=Node)]
        pub struct Thing {
            /// How big.
            #[export(range = (0.0, 1.0))]
            #[var(set)]
            #[init(val = Vector2i::new(6, 4))]
            size: Vector2i,
            /// Not seen.
            hidden: i64,
        }

        #[godot_api]
        impl Thing {
            /// Does it.
            #[func]
            fn act(
                &mut self,
                to: Array<Option<Gd<Node>>>,
                #[opt(default = true)] r#type: bool,
                #[opt(default = Rect2i::default())] cells: Rect2i,
                #[opt(default = OptionalQuery::NONE)] query: OptionalQuery,
                #[opt(default = &PackedByteArray::new())] ids: PackedByteArray,
            ) -> i64 {
            }
            #[func]
            fn set_size(&mut self, size: Vector2i) {}
            /// Done.
            #[signal]
            fn done(ids: PackedInt64Array);
            /// One.
            #[constant]
            const ONE: i64 = 1;
        }
    "##;

    #[test]
    fn members_are_read_as_gdscript_sees_them() {
        let mut classes = Classes::default();
        classes.read(SOURCE);
        let thing = &classes.by_name["Thing"];
        assert_eq!(
            (thing.base.as_str(), thing.docs.as_str()),
            ("Node", "A thing.")
        );
        let names: Vec<_> = thing
            .members
            .iter()
            .map(|member| member.name.as_str())
            .collect();
        assert_eq!(names, ["size", "act", "done", "ONE"]);
        assert_eq!(thing.members[0].value.as_deref(), Some("Vector2i(6, 4)"));
        let act = &thing.members[1];
        assert_eq!(act.value_type, "int");
        assert_eq!(act.parameters[0].value_type, "Array[Node]");
        assert_eq!(act.parameters[1].name, "type");
        let defaults = act.parameters[1..].iter();
        let defaults: Vec<_> = defaults.filter_map(|it| it.default.as_deref()).collect();
        assert_eq!(defaults, ["true", "Rect2i()", "null", "PackedByteArray()"]);
        assert_eq!(act.parameters[3].value_type, "SwarmQuery");
        assert_eq!(thing.members[2].parameters.len(), 1);
        assert_eq!(thing.members[3].value.as_deref(), Some("1"));
    }
}
