//! Parsers of the Moving AI grid benchmarks: maps, and scenarios with known shortest lengths.
//!
//! The format is described by Sturtevant, "Benchmarks for Grid-Based Pathfinding" (IEEE TCIAIG 2012). The functions
//! take the text of a file; they do no I/O. Lines may end in LF or CRLF.

mod any_angle;

pub use any_angle::{AnyAngleQuery, parse_any_angle};

use std::str::FromStr;

use thiserror::Error;

use crate::maps::{CostMap, WALL};

/// A fault in a file. Line numbers begin at 1.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParseError {
    /// The file ends too early.
    #[error("the file ends before {expected}")]
    EndOfFile {
        /// What was expected at the end.
        expected: &'static str,
    },
    /// A line differs from what the format requires.
    #[error("line {line}: expected {expected}, found {found:?}")]
    Unexpected {
        /// The line's number.
        line: usize,
        /// What was expected.
        expected: &'static str,
        /// The text that was found.
        found: String,
    },
    /// A map row has the wrong number of cells.
    #[error("line {line}: expected a row of {expected} cells, found {found}")]
    RowLength {
        /// The line's number.
        line: usize,
        /// The width that the header states.
        expected: usize,
        /// The number of cells in the row.
        found: usize,
    },
    /// A query's start or goal is outside the size that the query states.
    #[error("line {line}: cell ({x}, {y}) lies outside of {width} by {height} cells")]
    Outside {
        /// The line's number.
        line: usize,
        /// The cell's column.
        x: usize,
        /// The cell's row.
        y: usize,
        /// The map's width.
        width: usize,
        /// The map's height.
        height: usize,
    },
}

/// One shortest-path query of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The difficulty class given in the file.
    pub bucket: u32,
    /// The map's path as written in the file.
    pub map: String,
    /// The map's width in cells.
    pub width: usize,
    /// The map's height in cells.
    pub height: usize,
    /// Column and row of the start.
    pub start: (usize, usize),
    /// Column and row of the goal.
    pub goal: (usize, usize),
    /// The length of a shortest octile path in cells, as printed. Diagonal steps have length sqrt(2) and cut no corner.
    pub optimal: f64,
}

/// The queries of one `.scen` file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The queries in the order of the file.
    pub queries: Vec<Query>,
    /// The greatest number of decimals of any length in the file.
    pub decimals: usize,
}

impl Scenario {
    /// The greatest difference between the printed length of a query and the exact one, in cells.
    ///
    /// Files print six significant digits without trailing zeros, or two decimals throughout.
    #[must_use]
    pub fn tolerance(&self, query: &Query) -> f64 {
        if self.decimals <= 2 {
            return 0.005;
        }
        let mut half_unit = 0.5e-5;
        while query.optimal >= half_unit * 2.0e6 {
            half_unit *= 10.0;
        }
        half_unit
    }
}

/// Parses a `.map` file. Passable cells (`.`, `G`, `S`) get cost 1; all others become walls.
///
/// # Errors
/// If the header is not that of an octile map, or if rows are missing, surplus or of the wrong length.
pub fn parse_map(text: &str) -> Result<CostMap, ParseError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line));
    let (line, header) = next_line(&mut lines, "`type octile`")?;
    if header.split_whitespace().ne(["type", "octile"]) {
        return Err(unexpected(line, "`type octile`", header));
    }
    let height = size(next_line(&mut lines, "`height N`")?, "height", "`height N`")?;
    let width = size(next_line(&mut lines, "`width N`")?, "width", "`width N`")?;
    let (line, header) = next_line(&mut lines, "`map`")?;
    if header.trim() != "map" {
        return Err(unexpected(line, "`map`", header));
    }
    let mut cost = Vec::new();
    for _ in 0..height {
        let (line, row) = next_line(&mut lines, "the last row")?;
        let row = row.trim_end().as_bytes();
        if row.len() != width {
            return Err(ParseError::RowLength {
                line,
                expected: width,
                found: row.len(),
            });
        }
        cost.extend(row.iter().map(|symbol| match symbol {
            b'.' | b'G' | b'S' => 1,
            _ => WALL,
        }));
    }
    match lines.find(|(_, rest)| !rest.trim().is_empty()) {
        Some((line, rest)) => Err(unexpected(line, "the end of the file", rest)),
        None => Ok(CostMap {
            width,
            height,
            cost,
        }),
    }
}

/// Parses a `.scen` file. Fields may be separated by tabs or spaces. Empty lines are skipped.
///
/// # Errors
/// If the first line states no version, or if a query lacks a field, has one that is not a number, or is outside its
/// map.
pub fn parse_scenario(text: &str) -> Result<Scenario, ParseError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line));
    let (line, header) = next_line(&mut lines, "`version 1`")?;
    let mut words = header.split_whitespace();
    let version = words.next() == Some("version") && matches!(words.next(), Some("1" | "1.0"));
    if !version || words.next().is_some() {
        return Err(unexpected(line, "`version 1`", header));
    }
    let mut scenario = Scenario {
        queries: Vec::new(),
        decimals: 0,
    };
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        scenario.queries.push(query(line, text)?);
        let printed = text
            .trim_end()
            .rsplit_once('.')
            .map_or("", |(_, decimals)| decimals);
        // If a length has no point, the text after the last point belongs to the map's name and the fields after it.
        if printed.bytes().all(|digit| digit.is_ascii_digit()) {
            scenario.decimals = scenario.decimals.max(printed.len());
        }
    }
    Ok(scenario)
}

fn query(line: usize, text: &str) -> Result<Query, ParseError> {
    let fields: Vec<_> = text.split_whitespace().collect();
    // The map's name may contain spaces, so the fields after it are counted from the end of the line.
    let [
        bucket,
        map @ ..,
        width,
        height,
        start_x,
        start_y,
        goal_x,
        goal_y,
        optimal,
    ] = &fields[..]
    else {
        return Err(unexpected(line, "nine fields", text));
    };
    if map.is_empty() {
        return Err(unexpected(line, "nine fields", text));
    }
    let query = Query {
        bucket: number(line, "a bucket number", bucket)?,
        map: map.join(" "),
        width: number(line, "the map's width", width)?,
        height: number(line, "the map's height", height)?,
        start: (
            number(line, "the start's column", start_x)?,
            number(line, "the start's row", start_y)?,
        ),
        goal: (
            number(line, "the goal's column", goal_x)?,
            number(line, "the goal's row", goal_y)?,
        ),
        optimal: number(line, "the optimal length", optimal)?,
    };
    if !query.optimal.is_finite() || query.optimal < 0.0 {
        return Err(unexpected(line, "the optimal length", optimal));
    }
    for (x, y) in [query.start, query.goal] {
        if x >= query.width || y >= query.height {
            return Err(ParseError::Outside {
                line,
                x,
                y,
                width: query.width,
                height: query.height,
            });
        }
    }
    Ok(query)
}

fn next_line<'text>(
    lines: &mut impl Iterator<Item = (usize, &'text str)>,
    expected: &'static str,
) -> Result<(usize, &'text str), ParseError> {
    lines.next().ok_or(ParseError::EndOfFile { expected })
}

fn size(
    (line, text): (usize, &str),
    keyword: &str,
    expected: &'static str,
) -> Result<usize, ParseError> {
    let mut words = text.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(word), Some(value), None) if word == keyword => number(line, expected, value),
        _ => Err(unexpected(line, expected, text)),
    }
}

fn number<T: FromStr>(line: usize, expected: &'static str, text: &str) -> Result<T, ParseError> {
    text.parse().map_err(|_| unexpected(line, expected, text))
}

fn unexpected(line: usize, expected: &'static str, found: &str) -> ParseError {
    ParseError::Unexpected {
        line,
        expected,
        found: found.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "type octile\nheight 2\nwidth 4\nmap\n.G@T\nSWO.\n";

    fn drawn() -> CostMap {
        CostMap::from_rows(&["..##", ".##."])
    }

    #[test]
    fn reads_a_map_with_either_line_end() {
        assert_eq!(parse_map(MAP), Ok(drawn()));
        assert_eq!(parse_map(&MAP.replace('\n', "\r\n")), Ok(drawn()));
        assert_eq!(parse_map(MAP.trim_end()), Ok(drawn()));
        assert_eq!(parse_map(&format!("{MAP}\n \n")), Ok(drawn()));
    }

    #[test]
    fn says_what_is_wrong_with_a_map() {
        let error = |from: &str, to: &str| {
            let text = MAP.replacen(from, to, 1);
            parse_map(&text)
                .expect_err("a broken map was accepted")
                .to_string()
        };
        assert_eq!(
            error("octile", "tile"),
            "line 1: expected `type octile`, found \"type tile\""
        );
        assert_eq!(
            error("height 2", "height -2"),
            "line 2: expected `height N`, found \"-2\""
        );
        assert_eq!(
            error("width 4", "height 4"),
            "line 3: expected `width N`, found \"height 4\""
        );
        assert_eq!(error("map\n", "\n"), "line 4: expected `map`, found \"\"");
        assert_eq!(
            error(".G@T", ".G@"),
            "line 5: expected a row of 4 cells, found 3"
        );
        assert_eq!(error("SWO.\n", ""), "the file ends before the last row");
        assert_eq!(
            error("SWO.\n", "SWO.\n....\n"),
            "line 7: expected the end of the file, found \"....\""
        );
        assert_eq!(
            parse_map(""),
            Err(ParseError::EndOfFile {
                expected: "`type octile`"
            })
        );
        // A size stated in a file must not determine how much memory is allocated.
        assert_eq!(
            error("height 2", "height 99999999999999"),
            "the file ends before the last row"
        );
    }

    #[test]
    fn reads_queries_parted_by_tabs_or_spaces() {
        let tabs =
            "version 1\n3\tmaps/a b.map\t9\t8\t1\t2\t3\t4\t2.82843\n\n0\tm\t9\t8\t0\t0\t0\t7\t7\n";
        let expected = Query {
            bucket: 3,
            map: "maps/a b.map".to_owned(),
            width: 9,
            height: 8,
            start: (1, 2),
            goal: (3, 4),
            optimal: 2.82843,
        };
        for text in [
            tabs.to_owned(),
            tabs.replace('\t', " ").replace("1\n3", "1.0\n3"),
            tabs.replace('\n', "\r\n"),
        ] {
            let scenario = parse_scenario(&text).expect("a sound scenario");
            assert_eq!(scenario.queries.len(), 2);
            assert_eq!(scenario.queries[0], expected);
            assert_eq!(scenario.decimals, 5);
        }
    }

    #[test]
    fn says_what_is_wrong_with_a_scenario() {
        let error = |text: &str| {
            parse_scenario(text)
                .expect_err("a broken scenario was accepted")
                .to_string()
        };
        assert_eq!(error(""), "the file ends before `version 1`");
        assert_eq!(
            error("version 2\n"),
            "line 1: expected `version 1`, found \"version 2\""
        );
        assert_eq!(
            error("version 1\n1 9 8 1 2 3 4 2.8\n"),
            "line 2: expected nine fields, found \"1 9 8 1 2 3 4 2.8\""
        );
        assert_eq!(
            error("version 1\n1 m 9 8 1 2 3 x 2.8\n"),
            "line 2: expected the goal's row, found \"x\""
        );
        assert_eq!(
            error("version 1\n\n1 m 9 8 1 2 9 4 2.8\n"),
            "line 3: cell (9, 4) lies outside of 9 by 8 cells"
        );
        assert_eq!(
            error("version 1\n1 m 9 8 1 2 3 4 nan\n"),
            "line 2: expected the optimal length, found \"nan\""
        );
    }

    #[test]
    fn tolerance_follows_the_printed_digits() {
        let tolerance = |text: &str| {
            let scenario =
                parse_scenario(&format!("version 1\n1 m.map 9 8 0 0 0 0 {text}\n")).expect("sound");
            scenario.tolerance(&scenario.queries[0])
        };
        let close = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-9;
        assert!(close(tolerance("2.82843"), 0.5e-5));
        assert!(close(tolerance("42.82843"), 0.5e-4));
        assert!(close(tolerance("142.828"), 0.5e-3));
        assert!(close(tolerance("124.04"), 0.005));
    }
}
