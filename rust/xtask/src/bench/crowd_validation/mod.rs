//! Crowds by published measures: the same cases by CONTACT, ORCA, JuPedSim and RVO2, in one table.
//!
//! Order of reading: `cases`, `players`, `table`.

mod cases;
mod players;
mod table;

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;

use crate::process::write_log;
use crate::repo::Repo;

use cases::CASES;
use players::Players;

/// The lines of docs/crowds.md that enclose the table.
const BEGIN: &str = "<!-- the table of crowd-validation begins -->\n";
const END: &str = "<!-- the table of crowd-validation ends -->\n";

/// Runs all cases, one after the other. Figures are written to the artifacts, the table and the plots to the
/// documentation.
pub(super) fn run(repo: &Repo) -> Result<()> {
    println!("\n=== bench crowd-validation");
    let players = Players::prepare(repo)?;
    let runs: Vec<_> = CASES.iter().flat_map(|case| players.play(case)).collect();
    let table = table::table(&runs);
    println!("\n{table}");
    write_log(&repo.artifacts().join("bench_crowd_validation.txt"), &table)?;
    let report = repo.artifacts().join("bench_crowd_validation.json");
    write_log(&report, &format!("{:#}\n", json!({ "runs": runs })))?;
    println!("figures: {}", report.display());
    let docs = repo.root().join("docs");
    players.plot(&report, &docs.join("images"))?;
    write_table(&docs.join("crowds.md"), &table)
}

/// Writes the table into the page.
fn write_table(page: &Path, table: &str) -> Result<()> {
    let text =
        std::fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let with_table = replaced(&text, table)
        .with_context(|| format!("{} has no place for the table", page.display()))?;
    write_log(page, &with_table)
}

/// Returns the text with a new table between the two marks.
fn replaced(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{table}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, replaced};

    #[test]
    fn a_new_table_replaces_the_old_one() {
        let page = format!("before\n{BEGIN}\n| old |\n\n{END}after\n");
        let once = replaced(&page, "| new |\n").expect("a place for it");
        assert_eq!(once, format!("before\n{BEGIN}\n| new |\n\n{END}after\n"));
        assert_eq!(replaced(&once, "| new |\n"), Some(once.clone()));
        assert_eq!(replaced("no place", ""), None);
    }
}
