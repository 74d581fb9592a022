//! Licence expressions of crates.

use anyhow::{Result, bail};

/// The licences that deny.toml allows: one list for cargo deny and for this program.
pub(super) fn allowed(policy: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in policy.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[licenses]";
        } else if inside && line.starts_with('"') {
            let name = line.trim_start_matches('"').split('"').next();
            found.extend(name.map(str::to_owned));
        }
    }
    found
}

/// Returns the first of the allowed licences under which the crate may be used.
///
/// An expression other than a choice is refused, so that a person reads it.
pub(super) fn choose(expression: &str, allowed: &[String]) -> Result<String> {
    let expression = expression.replace('/', " OR ");
    let choices: Vec<&str> = expression.split(" OR ").map(str::trim).collect();
    match allowed.iter().find(|name| choices.contains(&name.as_str())) {
        Some(name) => Ok(name.clone()),
        None => bail!(
            "its licence {expression} is not one of {}, which deny.toml allows",
            allowed.join(", ")
        ),
    }
}

/// The usual names of the file with a licence's text, the most reliable first.
pub(super) fn files(licence: &str) -> &'static [&'static str] {
    match licence {
        "MIT" => &[
            "LICENSE-MIT",
            "LICENSE-MIT.md",
            "LICENSE",
            "LICENSE.md",
            "LICENSE.txt",
        ],
        "Apache-2.0" => &["LICENSE-APACHE", "LICENSE-APACHE-2.0"],
        _ => &["LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "[licenses]\nallow = [\n    \"MIT\",\n    \"MPL-2.0\", # godot\n]\n\n[bans]\nskip = [\n    \"other\",\n]\n";

    #[test]
    fn the_policy_names_the_licences() {
        assert_eq!(allowed(POLICY), ["MIT", "MPL-2.0"]);
        let own = include_str!("../../../../deny.toml");
        assert!(allowed(own).contains(&"MPL-2.0".to_owned()));
    }

    #[test]
    fn the_first_allowed_choice_is_taken() {
        let allowed = allowed(POLICY);
        for (expression, chosen) in [
            ("MIT", "MIT"),
            ("Apache-2.0 OR MIT", "MIT"),
            ("Unlicense/MIT", "MIT"),
            ("MPL-2.0", "MPL-2.0"),
        ] {
            assert_eq!(choose(expression, &allowed).expect("allowed"), chosen);
        }
    }

    #[test]
    fn what_is_not_allowed_is_named() {
        let allowed = allowed(POLICY);
        for expression in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR Apache-2.0) AND BSL-1.0",
            "",
        ] {
            let error = choose(expression, &allowed).expect_err("not allowed");
            assert!(error.to_string().contains(expression), "{error}");
        }
    }
}
