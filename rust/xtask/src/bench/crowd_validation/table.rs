//! The results of all runs, as a Markdown table whose columns are aligned in plain text.

use serde_json::Value;

use super::players::{JAM, SIMULATED};

/// Title and key of a column of figures, and how many decimals it has.
type Column = (&'static str, &'static str, usize);

const COLUMNS: [Column; 9] = [
    ("left", "left", 0),
    ("seconds", "seconds", 1),
    ("agents/s", "agents_per_second", 2),
    ("J [1/(m s)]", "specific_flow", 2),
    ("J d²/v", "flow_in_diameters", 2),
    ("p99", "overlap_p99", 3),
    ("max", "max_overlap", 3),
    ("ms a step", "ms_per_step", 3),
    ("ms a second", "ms_per_simulated_second", 2),
];

/// Returns the table of all runs.
pub(super) fn table(runs: &[Value]) -> String {
    let mut rows = vec![titles()];
    rows.extend(runs.iter().map(row));
    let widths = widths(&rows);
    let mut lines: Vec<String> = rows.iter().map(|row| line(row, &widths)).collect();
    let dashes = widths.iter().enumerate().map(|(column, &width)| {
        let end = if is_text(column) { "-" } else { ":" };
        format!("{}{end}", "-".repeat(width - 1))
    });
    let rule: Vec<String> = dashes.collect();
    lines.insert(1, line(&rule, &widths));
    lines.join("\n") + "\n"
}

fn titles() -> Vec<String> {
    let figures = COLUMNS.iter().map(|(title, ..)| *title);
    let titles = ["case", "method", "agents"].into_iter();
    let titles = titles.chain(figures).chain(["ended by", "guideline"]);
    titles.map(str::to_owned).collect()
}

fn row(run: &Value) -> Vec<String> {
    let text = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
    let mut row = vec![text("case"), text("avoidance"), figure(&run["agents"], 0)];
    let figures = COLUMNS
        .iter()
        .map(|&(_, key, decimals)| figure(&run[key], decimals));
    row.extend(figures);
    row.push(end(run).to_owned());
    row.push(verdict(run));
    row
}

fn figure(value: &Value, decimals: usize) -> String {
    value
        .as_f64()
        .map_or_else(|| "-".to_owned(), |figure| format!("{figure:.decimals$}"))
}

/// The reason why a run ended with agents left.
fn end(run: &Value) -> &'static str {
    let seconds = |key: &str| run[key].as_f64().unwrap_or(0.0).round();
    if run["left"] == 0 {
        ""
    } else if seconds("quiet_seconds") >= f64::from(JAM) {
        "jam"
    } else if seconds("simulated_seconds") >= f64::from(SIMULATED) {
        "time"
    } else {
        "computing"
    }
}

/// Whether a run took the time that the guideline expects.
fn verdict(run: &Value) -> String {
    let bounds = &run["expected_seconds"];
    let (Some(least), Some(most)) = (bounds[0].as_f64(), bounds[1].as_f64()) else {
        return String::new();
    };
    let seconds = run["seconds"].as_f64();
    let holds = seconds.is_some_and(|seconds| (least..=most).contains(&seconds));
    let word = if holds { "yes" } else { "no" };
    format!("{least} to {most} s: {word}")
}

/// Returns `true` if a column contains text, which is aligned to the left.
fn is_text(column: usize) -> bool {
    column < 2 || column > 2 + COLUMNS.len()
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    (0..columns)
        .map(|column| widest(column).unwrap_or(0).max(3))
        .collect()
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).enumerate();
    let cells = cells.map(|(column, (cell, &width))| {
        if is_text(column) {
            format!("{cell:<width$}")
        } else {
            format!("{cell:>width$}")
        }
    });
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::table;
    use serde_json::{Value, json};

    fn rows(runs: &[Value]) -> Vec<Vec<String>> {
        let cells = |line: &str| {
            let inside = line.trim_matches('|').split('|');
            inside.map(|cell| cell.trim().to_owned()).collect()
        };
        table(runs).lines().skip(2).map(cells).collect()
    }

    #[test]
    fn a_jam_has_no_time_and_does_not_hold() {
        let run = json!({
            "case": "room", "avoidance": "orca", "agents": 1000, "left": 10, "seconds": null,
            "quiet_seconds": 100.0, "overlap_p99": 0.0304, "expected_seconds": [108.0, 132.0],
        });
        let row = &rows(&[run])[0];
        assert_eq!(row[..5], ["room", "orca", "1000", "10", "-"]);
        assert_eq!(row[8], "0.030");
        assert_eq!(row[12..], ["jam", "108 to 132 s: no"]);
    }

    #[test]
    fn a_run_with_agents_left_says_what_ended_it() {
        let run = |left: u32, quiet: f64, seconds: f64| json!({ "left": left, "quiet_seconds": quiet, "simulated_seconds": seconds });
        let runs = [
            run(10, 59.9999, 99.0),
            run(10, 1.0, 299.9999),
            run(10, 1.0, 99.0),
            run(0, 100.0, 300.0),
        ];
        let ends: Vec<String> = rows(&runs).into_iter().map(|row| row[12].clone()).collect();
        assert_eq!(ends, ["jam", "time", "computing", ""]);
    }

    #[test]
    fn a_time_within_the_bounds_holds_and_others_are_not_judged() {
        let run = json!({ "case": "corridor", "seconds": 30.2, "expected_seconds": [26.0, 34.0] });
        let free = json!({ "case": "corner", "seconds": 30.2, "expected_seconds": null });
        let found = rows(&[run, free]);
        assert_eq!(found[0][13], "26 to 34 s: yes");
        assert_eq!(found[1][13], "");
    }

    #[test]
    fn all_lines_are_as_long_as_the_first() {
        let table = table(&[json!({ "case": "corner of a corridor", "agents": 12345 })]);
        let lengths: Vec<usize> = table.lines().map(|line| line.chars().count()).collect();
        assert_eq!(lengths.len(), 3);
        assert!(
            lengths.iter().all(|&length| length == lengths[0]),
            "{table}"
        );
    }
}
