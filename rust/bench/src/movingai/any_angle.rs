//! Queries with known exact shortest lengths in the plane.

use super::{ParseError, number, unexpected};

/// The columns that a file must have, in any order. It may have others.
const COLUMNS: [&str; 6] = [
    "start_x",
    "start_y",
    "goal_x",
    "goal_y",
    "octile_optimal",
    "any_angle_optimal",
];

/// A query between two cell centres with its exact optima, in cells.
#[derive(Clone, Debug, PartialEq)]
pub struct AnyAngleQuery {
    /// Column and row of the start.
    pub start: (usize, usize),
    /// Column and row of the goal.
    pub goal: (usize, usize),
    /// The shortest octile length that cuts no corner.
    pub octile: f64,
    /// The shortest length for a point that moves freely between walls.
    pub any_angle: f64,
}

/// Parses a table with a header and one query per line, separated by commas. Empty lines are skipped.
///
/// # Errors
/// If a column is missing, or if a line lacks a field or has one that is not a number. Cells are not checked against
/// any map.
pub fn parse_any_angle(text: &str) -> Result<Vec<AnyAngleQuery>, ParseError> {
    const HEADER: &str = "a header with the columns start_x, start_y, goal_x, goal_y, octile_optimal, any_angle_optimal";
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.trim().is_empty());
    let (line, header) = lines
        .next()
        .ok_or(ParseError::EndOfFile { expected: HEADER })?;
    let names: Vec<&str> = header.split(',').map(str::trim).collect();
    let mut places = [0; COLUMNS.len()];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        *place = names
            .iter()
            .position(|&name| name == column)
            .ok_or_else(|| unexpected(line, HEADER, header))?;
    }
    lines
        .map(|(line, text)| {
            let fields: Vec<&str> = text.split(',').map(str::trim).collect();
            if fields.len() != names.len() {
                return Err(unexpected(line, "one field for each column", text));
            }
            let field = |column: usize| fields[places[column]];
            let cell = |column| number(line, "a cell's column or row", field(column));
            let length = |column| {
                number(line, "a length", field(column)).and_then(|length: f64| {
                    if length.is_finite() && length >= 0.0 {
                        Ok(length)
                    } else {
                        Err(unexpected(line, "a length", field(column)))
                    }
                })
            };
            Ok(AnyAngleQuery {
                start: (cell(0)?, cell(1)?),
                goal: (cell(2)?, cell(3)?),
                octile: length(4)?,
                any_angle: length(5)?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "start_x,start_y,goal_x,goal_y,octile_optimal,any_angle_optimal\n\
        52,462,38,456,16.4853,15.231546\n\
        0,1,0,1,0,0\n";

    #[test]
    fn reads_a_table_with_either_line_end_and_its_columns_in_any_order() {
        let queries = parse_any_angle(TABLE).expect("a sound table");
        assert_eq!(queries.len(), 2);
        assert_eq!(
            queries[0],
            AnyAngleQuery {
                start: (52, 462),
                goal: (38, 456),
                octile: 16.4853,
                any_angle: 15.231546,
            }
        );
        assert_eq!(
            parse_any_angle(&TABLE.replace('\n', "\r\n")),
            Ok(queries.clone())
        );
        assert_eq!(
            parse_any_angle(&TABLE.replace(',', " , ")),
            Ok(queries.clone())
        );
        let turned = "any_angle_optimal,name,goal_y,goal_x,start_y,start_x,octile_optimal\n\
            15.231546,a,456,38,462,52,16.4853\n";
        assert_eq!(parse_any_angle(turned), Ok(queries[..1].to_vec()));
    }

    #[test]
    fn says_what_is_wrong_with_a_table() {
        let error = |text: &str| {
            parse_any_angle(text)
                .expect_err("a broken table was accepted")
                .to_string()
        };
        assert!(error("").starts_with("the file ends before a header"));
        assert!(error("start_x,start_y\n").starts_with("line 1: expected a header"));
        assert_eq!(
            error(&TABLE.replace("0,1,0,1,0,0", "0,1,0,1,0")),
            "line 3: expected one field for each column, found \"0,1,0,1,0\""
        );
        assert_eq!(
            error(&TABLE.replace("0,1,0,1,0,0", "0,1,0,-1,0,0")),
            "line 3: expected a cell's column or row, found \"-1\""
        );
        assert_eq!(
            error(&TABLE.replace("15.231546", "nan")),
            "line 2: expected a length, found \"nan\""
        );
    }
}
