//! The documentation site: every link leads somewhere, and the search knows the pages.

use std::fs;

use anyhow::{Context, Result};

use super::outcome::Outcome;
use super::workbench::Workbench;
use crate::docs;
use crate::tally::Tally;

/// Words that a search must find, each on another page.
const WORDS: &[&str] = &[
    "query_nearest_many",
    "bake_terrain_3d",
    "eikonal",
    "first on the path",
];

pub(super) fn check(bench: &Workbench) -> Result<Outcome> {
    let site = docs::build_with_stills(bench.repo)?;
    let index = site.join("search/search_index.json");
    let index =
        fs::read_to_string(&index).with_context(|| format!("cannot read {}", index.display()))?;
    let missing: Vec<&&str> = WORDS
        .iter()
        .filter(|word| !index.contains(**word))
        .collect();
    let mut outcome = Outcome::from(Tally::one(true) + Tally::one(missing.is_empty()));
    if !missing.is_empty() {
        outcome.details = format!("a search does not find {missing:?}\n");
    }
    Ok(outcome)
}
