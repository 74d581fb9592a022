//! Writes classes as a page of Markdown.

use super::parse::{Class, Classes, Kind, Member, Parameter};

const HEAD: &str = "\
# Reference

Every class, property, method, signal, enum and constant. Written by `cargo xtask reference` from the same comments that the
editor shows; do not edit it by hand.
";

/// Returns the whole page.
pub(super) fn page(classes: &Classes) -> String {
    let mut page = HEAD.to_owned();
    for (name, class) in &classes.by_name {
        page.push_str(&format!(
            "\n## {name}\n\nInherits {}.\n\n{}\n",
            class.base, class.docs
        ));
        properties(&mut page, class);
        callables(&mut page, class, Kind::Method, "Methods");
        callables(&mut page, class, Kind::Signal, "Signals");
        enums(&mut page, class);
        constants(&mut page, class);
        old_names(&mut page, class);
    }
    page
}

fn of_kind(class: &Class, kind: Kind) -> Vec<&Member> {
    class
        .members
        .iter()
        .filter(|member| member.kind == kind)
        .collect()
}

/// Returns text for a table cell.
fn cell(text: &str) -> String {
    text.replace("\n\n", " ")
        .replace('\n', " ")
        .replace('|', "\\|")
}

fn properties(page: &mut String, class: &Class) {
    let members = of_kind(class, Kind::Property);
    if members.is_empty() {
        return;
    }
    page.push_str(
        "\n### Properties\n\n| property | type | default | meaning |\n|---|---|---|---|\n",
    );
    for member in members {
        let value = member.value.as_deref().unwrap_or_default();
        let (name, value_type, docs) = (&member.name, &member.value_type, cell(&member.docs));
        page.push_str(&format!(
            "| `{name}` | `{value_type}` | `{value}` | {docs} |\n"
        ));
    }
}

fn callables(page: &mut String, class: &Class, kind: Kind, title: &str) {
    let mut members = of_kind(class, kind);
    members.retain(|member| member.replaced_by.is_none());
    if members.is_empty() {
        return;
    }
    page.push_str(&format!("\n### {title}\n"));
    for member in members {
        let parameters: Vec<String> = member.parameters.iter().map(parameter).collect();
        let parameters = parameters.join(", ");
        let result = match kind {
            Kind::Method => format!(" -> {}", member.value_type),
            _ => String::new(),
        };
        let (name, docs) = (&member.name, &member.docs);
        page.push_str(&format!(
            "\n- `{name}({parameters}){result}`  \n  {}\n",
            docs.replace('\n', "\n  ")
        ));
    }
}

fn parameter(parameter: &Parameter) -> String {
    let Parameter {
        name,
        value_type,
        default,
    } = parameter;
    match default {
        Some(value) => format!("{name}: {value_type} = {value}"),
        None => format!("{name}: {value_type}"),
    }
}

fn enums(page: &mut String, class: &Class) {
    for (name, about) in &class.enums {
        let values = |member: &Member| member.of_enum.as_ref() == Some(name);
        page.push_str(&format!("\n### Enum {name}\n\n{}\n", about.trim()));
        constant_table(page, class, values);
    }
}

fn constants(page: &mut String, class: &Class) {
    let is_plain = |member: &Member| {
        member.kind == Kind::Constant && member.of_enum.is_none() && member.replaced_by.is_none()
    };
    if class.members.iter().any(is_plain) {
        page.push_str("\n### Constants\n");
        constant_table(page, class, is_plain);
    }
}

fn constant_table(page: &mut String, class: &Class, is_in: impl Fn(&Member) -> bool) {
    page.push_str("\n| constant | value | meaning |\n|---|---|---|\n");
    for member in class.members.iter().filter(|member| is_in(member)) {
        let value = member.value.as_deref().unwrap_or_default();
        let (name, docs) = (&member.name, cell(&member.docs));
        page.push_str(&format!("| `{name}` | {value} | {docs} |\n"));
    }
}

fn old_names(page: &mut String, class: &Class) {
    let old = |member: &&Member| member.replaced_by.is_some();
    let mut members = class.members.iter().filter(old).peekable();
    if members.peek().is_none() {
        return;
    }
    page.push_str("\n### Deprecated names\n\n| name | use instead |\n|---|---|\n");
    for member in members {
        let now = member.replaced_by.as_deref().unwrap_or_default();
        page.push_str(&format!("| `{}` | `{now}` |\n", member.name));
    }
}
