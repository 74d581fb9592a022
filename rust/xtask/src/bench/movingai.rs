//! Fields on every Moving AI map at hand, as a table.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use super::{core_command, measure};
use crate::repo::Repo;

/// The harness's solvers.
const SOLVERS: [&str; 1] = ["octile"];

/// Title and key of each column, and how many decimals it has.
const COLUMNS: [(&str, &str, usize); 10] = [
    ("mismatches", "cost_mismatches", 0),
    ("mean", "any_angle_mean", 4),
    ("95 %", "any_angle_p95", 4),
    ("worst", "any_angle_max", 4),
    ("arrived", "arrived", 0),
    ("in walls", "wall_hits", 0),
    ("cut", "corner_cuts", 0),
    ("ms", "build_ms", 2),
    ("Mcells/s", "mcells_per_s", 1),
    ("x heap", "heap_ratio", 2),
];

/// Runs the harness on every map; the table is printed and kept.
pub(super) fn run(repo: &Repo) -> Result<()> {
    let Some(folder) = repo.movingai() else {
        println!("\n=== bench movingai\nskipped: the Moving AI maps are not here");
        return Ok(());
    };
    let mut maps: Vec<PathBuf> = std::fs::read_dir(&folder)
        .with_context(|| format!("cannot list {}", folder.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "map"))
        .collect();
    maps.sort();
    let mut reports = Vec::new();
    for map in &maps {
        for solver in SOLVERS {
            reports.push(report(repo, map, solver)?);
        }
    }
    let table = table(&reports);
    println!("\n{table}");
    crate::process::write_log(&repo.artifacts().join("bench_movingai.txt"), &table)
}

fn report(repo: &Repo, map: &Path, solver: &str) -> Result<Value> {
    let mut command = core_command(repo, "movingai");
    command
        .args(["--", "--solver", solver])
        .arg(map)
        .arg(map.with_extension("map.scen"));
    let stem = map.file_stem().unwrap_or_default().to_string_lossy();
    let text = measure(repo, &format!("movingai_{stem}_{solver}"), command)?;
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last).with_context(|| format!("movingai on {stem} ended with {last:?}"))
}

fn table(reports: &[Value]) -> String {
    let mut table = format!("{:<16} {:<8}", "map", "solver");
    for (title, ..) in COLUMNS {
        // Writing to a string cannot fail.
        let _ = write!(table, " {title:>10}");
    }
    let _ = writeln!(table, " {:>15}", "from all cells");
    for report in reports {
        let text = |key: &str| report[key].as_str().unwrap_or_default();
        let _ = write!(table, "{:<16} {:<8}", text("map"), text("solver"));
        for (_, key, decimals) in COLUMNS {
            let _ = match report[key].as_f64() {
                Some(figure) => write!(table, " {figure:>10.decimals$}"),
                None => write!(table, " {:>10}", "-"),
            };
        }
        let starts = &report["all_starts"];
        let arrived = format!("{}/{}", starts["starts_arrived"], starts["starts"]);
        let _ = writeln!(table, " {arrived:>15}");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::table;
    use serde_json::json;

    #[test]
    fn a_map_without_known_optima_has_dashes() {
        let report = json!({
            "map": "small", "solver": "octile", "cost_mismatches": 0, "any_angle_mean": null,
            "build_ms": 1.234, "all_starts": { "starts": 18, "starts_arrived": 17 },
        });
        let table = table(&[report]);
        let row: Vec<&str> = table
            .lines()
            .nth(1)
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        assert_eq!(
            row,
            [
                "small", "octile", "0", "-", "-", "-", "-", "-", "-", "1.23", "-", "-", "17/18"
            ]
        );
    }
}
