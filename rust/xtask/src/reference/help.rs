//! Writes classes as XML for the editor's help.

use super::parse::{Class, Classes, Kind, Member};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <!-- Written by `cargo xtask reference`; do not edit it by hand. -->\n";

/// Returns all classes in one document, which the engine's parser accepts.
pub(super) fn document(classes: &Classes) -> String {
    let mut document = HEAD.to_owned();
    for (name, class) in &classes.by_name {
        let (brief, description) = split(&class.docs);
        document.push_str(&format!(
            "<class name=\"{name}\" inherits=\"{}\">\n\
             <brief_description>{brief}</brief_description>\n\
             <description>{description}</description>\n",
            class.base
        ));
        section(&mut document, class, "members", Kind::Property, property);
        section(&mut document, class, "methods", Kind::Method, callable);
        section(&mut document, class, "signals", Kind::Signal, callable);
        section(&mut document, class, "constants", Kind::Constant, constant);
        document.push_str("</class>\n");
    }
    document
}

fn section(
    document: &mut String,
    class: &Class,
    name: &str,
    kind: Kind,
    element: impl Fn(&Member) -> String,
) {
    let mut members = class.members.iter().filter(|it| it.kind == kind).peekable();
    if members.peek().is_none() {
        return;
    }
    document.push_str(&format!("<{name}>\n"));
    for member in members {
        document.push_str(&element(member));
    }
    document.push_str(&format!("</{name}>\n"));
}

fn property(member: &Member) -> String {
    let (name, value_type) = (&member.name, typed(&member.value_type));
    let docs = text(&member.docs);
    format!("<member name=\"{name}\" {value_type}>{docs}</member>\n")
}

fn constant(member: &Member) -> String {
    let value = escaped(member.value.as_deref().unwrap_or_default());
    let (name, docs) = (&member.name, text(&member.docs));
    let of_enum = attribute("enum", member.of_enum.as_deref());
    let deprecated = deprecated(member, "constant");
    format!("<constant name=\"{name}\" value=\"{value}\"{of_enum}{deprecated}>{docs}</constant>\n")
}

/// Returns the attribute of an old name, whose new name is a member of the kind that the engine calls `kind`.
fn deprecated(member: &Member, kind: &str) -> String {
    let instead = member.replaced_by.as_ref();
    let instead = instead.map(|name| format!("Use [{kind} {name}] instead."));
    attribute("deprecated", instead.as_deref())
}

fn attribute(name: &str, value: Option<&str>) -> String {
    value.map_or_else(String::new, |value| {
        format!(" {name}=\"{}\"", escaped(value))
    })
}

/// Returns the attributes of a type. The types whose names have a point are enums of classes.
fn typed(value_type: &str) -> String {
    if value_type.contains('.') || value_type == "Error" {
        return format!("type=\"int\" enum=\"{value_type}\"");
    }
    format!("type=\"{}\"", escaped(value_type))
}

fn callable(member: &Member) -> String {
    let (tag, result) = match member.kind {
        Kind::Signal => ("signal", String::new()),
        _ => (
            "method",
            format!("<return {} />\n", typed(&member.value_type)),
        ),
    };
    let mut parameters = String::new();
    for (index, parameter) in member.parameters.iter().enumerate() {
        let (name, value_type) = (&parameter.name, typed(&parameter.value_type));
        parameters.push_str(&format!(
            "<param index=\"{index}\" name=\"{name}\" {value_type} />\n"
        ));
    }
    let (name, docs) = (&member.name, text(&member.docs));
    let deprecated = deprecated(member, tag);
    format!(
        "<{tag} name=\"{name}\"{deprecated}>\n{result}{parameters}<description>{docs}</description>\n</{tag}>\n"
    )
}

/// Splits a class's documentation into its first paragraph and the rest.
fn split(docs: &str) -> (String, String) {
    let (brief, rest) = docs.split_once("\n\n").unwrap_or((docs, ""));
    (text(brief), text(rest))
}

/// Converts comments to the help's markup: paragraphs and code, the only elements that occur in them.
fn text(docs: &str) -> String {
    let mut marked = String::new();
    let mut inside_code = false;
    for character in docs.replace("\n\n", "[br][br]").replace('\n', " ").chars() {
        if character == '`' {
            marked.push_str(if inside_code { "[/code]" } else { "[code]" });
            inside_code = !inside_code;
        } else {
            marked.push(character);
        }
    }
    escaped(&marked)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::parse::Parameter;
    use super::*;

    fn member(kind: Kind) -> Member {
        Member {
            name: "it".into(),
            docs: "At `most` 1 < 2.\n\nSee\nthere.".into(),
            parameters: vec![Parameter {
                name: "ids".into(),
                value_type: "Array[Node]".into(),
                default: None,
            }],
            value_type: "int".into(),
            value: Some("7".into()),
            ..Member::new(kind)
        }
    }

    #[test]
    fn enums_are_types_and_old_names_are_deprecated() {
        assert_eq!(typed("Thing.Way"), "type=\"int\" enum=\"Thing.Way\"");
        assert_eq!(typed("Error"), "type=\"int\" enum=\"Error\"");
        let value = Member {
            of_enum: Some("Way".into()),
            ..member(Kind::Constant)
        };
        assert!(constant(&value).starts_with("<constant name=\"it\" value=\"7\" enum=\"Way\">"));
        let old = Member {
            replaced_by: Some("WAY_UP".into()),
            ..member(Kind::Constant)
        };
        let deprecated = "deprecated=\"Use [constant WAY_UP] instead.\">";
        assert!(
            constant(&old).starts_with(&format!("<constant name=\"it\" value=\"7\" {deprecated}"))
        );
        let old = Member {
            replaced_by: Some("now".into()),
            ..member(Kind::Method)
        };
        let deprecated = "<method name=\"it\" deprecated=\"Use [method now] instead.\">";
        assert!(callable(&old).starts_with(deprecated));
    }

    #[test]
    fn a_class_is_written_with_all_its_members() {
        let mut classes = Classes::default();
        let kinds = [Kind::Property, Kind::Method, Kind::Signal, Kind::Constant];
        classes.by_name.insert(
            "Thing".into(),
            Class {
                base: "Node".into(),
                docs: "Brief.\n\nLong & more.".into(),
                members: kinds.map(member).to_vec(),
                enums: Vec::new(),
            },
        );
        let docs = "At [code]most[/code] 1 &lt; 2.[br][br]See there.";
        let parameter = "<param index=\"0\" name=\"ids\" type=\"Array[Node]\" />\n";
        assert_eq!(
            document(&classes),
            format!(
                "{HEAD}<class name=\"Thing\" inherits=\"Node\">\n\
                 <brief_description>Brief.</brief_description>\n\
                 <description>Long &amp; more.</description>\n\
                 <members>\n<member name=\"it\" type=\"int\">{docs}</member>\n</members>\n\
                 <methods>\n<method name=\"it\">\n<return type=\"int\" />\n{parameter}\
                 <description>{docs}</description>\n</method>\n</methods>\n\
                 <signals>\n<signal name=\"it\">\n{parameter}\
                 <description>{docs}</description>\n</signal>\n</signals>\n\
                 <constants>\n<constant name=\"it\" value=\"7\">{docs}</constant>\n</constants>\n\
                 </class>\n"
            )
        );
    }
}
