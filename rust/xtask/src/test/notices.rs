//! Checks the third-party notices.

use anyhow::Result;

use super::outcome::Outcome;
use super::workbench::Workbench;
use crate::notices;
use crate::tally::Tally;

pub(super) fn check(bench: &Workbench) -> Result<Outcome> {
    notices::check(bench.repo)?;
    Ok(Tally::one(true).into())
}
