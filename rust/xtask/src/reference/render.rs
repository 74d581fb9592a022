//! Writes classes as a page of Markdown.

use super::parse::{Class, Classes, Kind, Member, Parameter};

const HEAD: &str = "\
# Reference

Every class, property, method, signal and constant. Written by `cargo xtask reference` from the same comments that the
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
        constants(&mut page, class);
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
    let members = of_kind(class, kind);
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

fn constants(page: &mut String, class: &Class) {
    let members = of_kind(class, Kind::Constant);
    if members.is_empty() {
        return;
    }
    page.push_str("\n### Constants\n\n| constant | value | meaning |\n|---|---|---|\n");
    for member in members {
        let value = member.value.as_deref().unwrap_or_default();
        page.push_str(&format!(
            "| `{}` | {value} | {} |\n",
            member.name,
            cell(&member.docs)
        ));
    }
}
