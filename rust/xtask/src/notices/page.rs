//! Renders the file as Markdown: a table of the crates, then each licence text once.

use super::linked::Crate;

const HEAD: &str = "\
# Third-party software

The libraries in `bin` contain, besides Flow Swarm itself (see LICENSE), the crates below, unchanged, and Rust's standard
library. The sources of each crate in exactly this version can be had from the address in its row, at no charge; that is
also where the source code form of those under the Mozilla Public License 2.0 is available. Of crates under several
licences, the one named here was chosen. Written by `cargo xtask notices`; do not edit it by hand.

| crate | version | licence | sources |
|---|---|---|---|
";

/// The standard library is not in the registry, so its licence is kept here.
const STANDARD_LIBRARY: &str = include_str!("rust-std.txt");

/// A crate with the chosen licence and its text.
pub(super) struct Entry<'a> {
    pub(super) linked: &'a Crate,
    pub(super) licence: String,
    pub(super) text: String,
}

/// Returns the whole file.
pub(super) fn render(entries: &[Entry]) -> String {
    let mut page = HEAD.to_owned();
    for Entry {
        linked: Crate { name, version, .. },
        licence,
        ..
    } in entries
    {
        page.push_str(&format!(
            "| {name} | {version} | {licence} | <https://crates.io/crates/{name}/{version}> |\n"
        ));
    }
    page.push_str("| Rust's standard library | | MIT | <https://github.com/rust-lang/rust> |\n");
    let standard_library = ("MIT", vec!["Rust's standard library"], STANDARD_LIBRARY);
    for (licence, names, text) in texts(entries).into_iter().chain([standard_library]) {
        page.push_str(&format!(
            "\n## {licence}: {}\n\n```text\n{}\n```\n",
            names.join(", "),
            text.trim_matches('\n')
        ));
    }
    page
}

/// Returns each text once, with the crates that use it, in the order of the first of them.
fn texts<'a>(entries: &'a [Entry]) -> Vec<(&'a str, Vec<&'a str>, &'a str)> {
    let mut texts: Vec<(&str, Vec<&str>, &str)> = Vec::new();
    for entry in entries {
        let same = texts
            .iter_mut()
            .find(|(licence, _, text)| *licence == entry.licence && *text == entry.text);
        match same {
            Some((_, names, _)) => names.push(&entry.linked.name),
            None => texts.push((&entry.licence, vec![&entry.linked.name], &entry.text)),
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crate_has_a_row_and_every_text_is_there_once() {
        let crates = ["a", "b", "c"].map(|name| Crate {
            name: name.into(),
            version: "1.2.3".into(),
            licence: String::new(),
            folder: Default::default(),
        });
        let entries: Vec<_> = crates
            .iter()
            .zip([("MIT", "one"), ("MPL-2.0", "two"), ("MIT", "one")])
            .map(|(linked, (licence, text))| Entry {
                linked,
                licence: licence.into(),
                text: format!("\n{text}\n"),
            })
            .collect();
        let page = render(&entries);
        assert!(
            page.contains("| b | 1.2.3 | MPL-2.0 | <https://crates.io/crates/b/1.2.3> |\n"),
            "{page}"
        );
        assert!(
            page.contains("## MIT: a, c\n\n```text\none\n```\n"),
            "{page}"
        );
        assert_eq!(page.matches("one\n").count(), 1);
        assert!(
            page.contains("## MPL-2.0: b\n\n```text\ntwo\n```\n"),
            "{page}"
        );
        assert!(page.contains("## MIT: Rust's standard library\n"), "{page}");
    }
}
