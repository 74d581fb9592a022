//! Fields on every available Moving AI map, as a table.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use super::{SOLVERS, core_command, measure};
use crate::repo::Repo;

/// Title and key of a column, and how many decimals it has.
type Column = (&'static str, &'static str, usize);

/// The columns for whole fields.
const COLUMNS: [Column; 10] = [
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

/// The columns for tiled goals; the ratios are to the figures of another library of flow tiles.
const TILED: [Column; 15] = [
    ("sector", "sector", 0),
    ("mean", "any_angle_mean", 4),
    ("95 %", "any_angle_p95", 4),
    ("worst", "any_angle_max", 4),
    ("arrived", "arrived", 0),
    ("in walls", "wall_hits", 0),
    ("cut", "corner_cuts", 0),
    ("init ms", "init_ms", 2),
    ("route ms", "route_ms", 3),
    ("tile us", "tile_us", 2),
    ("edit ms", "edit_ms", 3),
    ("x init", "peer_init_ratio", 0),
    ("x route", "peer_route_ratio", 0),
    ("x tile", "peer_tile_ratio", 1),
    ("x edit", "peer_edit_ratio", 1),
];

/// The sector sizes of the measurements: that of the other library, and the default.
const SECTORS: [&str; 2] = ["10", "16"];

/// Runs the harness on every map. The tables are printed and written to the artifacts.
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
            reports.push(report(repo, map, solver, &["--solver", solver])?);
        }
    }
    keep(repo, "bench_movingai.txt", &table(&COLUMNS, &reports))?;

    maps.push(open_map(repo)?);
    let mut reports = Vec::new();
    for map in &maps {
        for sector in SECTORS {
            let mut arguments = vec!["--mode", "tiled", "--solver", "eikonal"];
            arguments.extend(["--sector", sector, "--every", "7"]);
            let name = format!("tiled_{sector}");
            reports.push(report(repo, map, &name, &arguments)?);
        }
    }
    keep(repo, "bench_movingai_tiled.txt", &table(&TILED, &reports))
}

fn keep(repo: &Repo, name: &str, table: &str) -> Result<()> {
    println!("\n{table}");
    crate::process::write_log(&repo.artifacts().join(name), table)
}

/// A map of 1000 by 1000 open cells with queries across it, for which the other library has published figures.
fn open_map(repo: &Repo) -> Result<PathBuf> {
    const SIDE: usize = 1000;
    let row = ".".repeat(SIDE) + "\n";
    let map = format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n") + &row.repeat(SIDE);
    let far = SIDE - 1;
    let length = std::f64::consts::SQRT_2 * far as f64;
    let queries = [[0, 0, far, far], [far, 0, 0, far], [0, far, far, 0]];
    let mut scenario = "version 1\n".to_owned();
    let mut table = "start_x,start_y,goal_x,goal_y,octile_optimal,any_angle_optimal\n".to_owned();
    for [x, y, goal_x, goal_y] in queries {
        // Writing to a string cannot fail.
        let ends = format!("{x}\t{y}\t{goal_x}\t{goal_y}");
        let _ = writeln!(scenario, "0\topen.map\t{SIDE}\t{SIDE}\t{ends}\t{length:.8}");
        let _ = writeln!(table, "{},{length},{length}", ends.replace('\t', ","));
    }
    let path = repo.artifacts().join("open1000.map");
    crate::process::write_log(&path, &map)?;
    crate::process::write_log(&path.with_extension("map.scen"), &scenario)?;
    crate::process::write_log(&path.with_extension("anyangle.csv"), &table)?;
    Ok(path)
}

fn report(repo: &Repo, map: &Path, name: &str, arguments: &[&str]) -> Result<Value> {
    let mut command = core_command(repo, "movingai");
    command
        .arg("--")
        .args(arguments)
        .arg(map)
        .arg(map.with_extension("map.scen"));
    let stem = map.file_stem().unwrap_or_default().to_string_lossy();
    let text = measure(repo, &format!("movingai_{stem}_{name}"), command)?;
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last).with_context(|| format!("movingai on {stem} ended with {last:?}"))
}

fn table(columns: &[Column], reports: &[Value]) -> String {
    let mut table = format!("{:<16} {:<8}", "map", "solver");
    for (title, ..) in columns {
        // Writing to a string cannot fail.
        let _ = write!(table, " {title:>10}");
    }
    let _ = writeln!(table, " {:>15}", "from all cells");
    for report in reports {
        let text = |key: &str| report[key].as_str().unwrap_or_default();
        let _ = write!(table, "{:<16} {:<8}", text("map"), text("solver"));
        for &(_, key, decimals) in columns {
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
    use super::{COLUMNS, table};
    use serde_json::json;

    #[test]
    fn a_map_without_known_optima_has_dashes() {
        let report = json!({
            "map": "small", "solver": "octile", "cost_mismatches": 0, "any_angle_mean": null,
            "build_ms": 1.234, "all_starts": { "starts": 18, "starts_arrived": 17 },
        });
        let table = table(&COLUMNS, &[report]);
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
