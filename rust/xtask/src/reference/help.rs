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
    let (name, value_type) = (&member.name, escaped(&member.value_type));
    let docs = text(&member.docs);
    format!("<member name=\"{name}\" type=\"{value_type}\">{docs}</member>\n")
}

fn constant(member: &Member) -> String {
    let value = escaped(member.value.as_deref().unwrap_or_default());
    let (name, docs) = (&member.name, text(&member.docs));
    format!("<constant name=\"{name}\" value=\"{value}\">{docs}</constant>\n")
}

fn callable(member: &Member) -> String {
    let (tag, result) = match member.kind {
        Kind::Signal => ("signal", String::new()),
        _ => (
            "method",
            format!("<return type=\"{}\" />\n", escaped(&member.value_type)),
        ),
    };
    let mut parameters = String::new();
    for (index, parameter) in member.parameters.iter().enumerate() {
        let (name, value_type) = (&parameter.name, escaped(&parameter.value_type));
        parameters.push_str(&format!(
            "<param index=\"{index}\" name=\"{name}\" type=\"{value_type}\" />\n"
        ));
    }
    let (name, docs) = (&member.name, text(&member.docs));
    format!(
        "<{tag} name=\"{name}\">\n{result}{parameters}<description>{docs}</description>\n</{tag}>\n"
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
            kind,
            name: "it".into(),
            docs: "At `most` 1 < 2.\n\nSee\nthere.".into(),
            parameters: vec![Parameter {
                name: "ids".into(),
                value_type: "Array[Node]".into(),
                default: None,
            }],
            value_type: "int".into(),
            value: Some("7".into()),
        }
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
