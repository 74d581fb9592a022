//! The example in the README, which the package test runs unchanged.

use anyhow::{Context, Result};

const MARK: &str = "<!-- readme-example -->";

/// Returns the fenced block after the mark.
pub(crate) fn example(readme: &str) -> Result<String> {
    let (_, after) = readme
        .split_once(MARK)
        .with_context(|| format!("README.md has no {MARK} before its example"))?;
    let mut lines = after.lines().skip_while(|line| line.trim().is_empty());
    lines
        .next()
        .filter(|line| line.trim() == "```gdscript")
        .with_context(|| format!("no ```gdscript block follows {MARK} in README.md"))?;
    let mut code = String::new();
    for line in lines {
        if line.trim() == "```" {
            return Ok(code);
        }
        code.push_str(line);
        code.push('\n');
    }
    anyhow::bail!("the ```gdscript block after {MARK} in README.md has no end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_after_the_mark_is_taken_as_it_stands() {
        let readme = "```gdscript\nno\n```\ntext <!-- readme-example -->\n\n```gdscript\nextends Node\n\tvar a\n```\n";
        assert_eq!(
            example(readme).expect("it is there"),
            "extends Node\n\tvar a\n"
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        for (readme, missing) in [
            ("", "has no <!-- readme-example -->"),
            (
                "<!-- readme-example -->\ntext\n```gdscript\n```",
                "no ```gdscript block follows",
            ),
            (
                "<!-- readme-example -->\n```gdscript\nextends Node\n",
                "has no end",
            ),
        ] {
            let error = example(readme)
                .expect_err("something is missing")
                .to_string();
            assert!(error.contains(missing), "{error}");
        }
    }
}
