//! What can be wrong with a caller's request, one variant per reason.

use glam::{IVec2, Vec2};
use std::fmt::Display;
use thiserror::Error;

/// The result of every fallible call of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a request was refused. A refused request has changed nothing.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Error {
    /// A grid has no cells, or too many.
    #[error("grid size {at} must be at least (1, 1) and at most {most} cells", at = pair(.size))]
    GridSize {
        /// The size that was asked for.
        size: IVec2,
        /// The most cells that a grid may have.
        most: u64,
    },
    /// A stamp has no cells, or more than any grid.
    #[error("stamp size {at} must be at least (1, 1) and at most {most} cells", at = pair(.size))]
    StampSize {
        /// The size that was asked for.
        size: IVec2,
        /// The most cells that a grid may have.
        most: u64,
    },
    /// A stamp would lie partly or wholly outside the grid.
    #[error(
        "a stamp of {extent} at cell {at} does not lie inside the {width}x{height} grid",
        extent = pair(.size), at = pair(.cell)
    )]
    StampOutside {
        /// Where the stamp's lower corner was to be.
        cell: IVec2,
        /// The stamp's size in cells.
        size: IVec2,
        /// The grid's width in cells.
        width: u32,
        /// The grid's height in cells.
        height: u32,
    },
    /// A number that must be finite and above zero is not.
    #[error("{name} must be a finite number above 0, not {value}")]
    NotPositive {
        /// The argument's name.
        name: &'static str,
        /// What was given.
        value: f32,
    },
    /// A number lies outside the range that its meaning allows.
    #[error(
        "{name} must be in {min}..={max}, not {value}",
        min = shortest(*min), max = shortest(*max), value = shortest(*value)
    )]
    OutOfRange {
        /// The argument's name.
        name: &'static str,
        /// What was given.
        value: f64,
        /// The least allowed value.
        min: f64,
        /// The greatest allowed value.
        max: f64,
    },
    /// A point or vector has a NaN or infinite component.
    #[error("{name} must be finite, not {at}", at = pair(.value))]
    NotFinite {
        /// The argument's name.
        name: &'static str,
        /// What was given.
        value: Vec2,
    },
    /// A cell lies outside the grid.
    #[error("cell {at} is outside the {width}x{height} grid", at = pair(.cell))]
    CellOutside {
        /// The cell that was asked for.
        cell: IVec2,
        /// The grid's width in cells.
        width: u32,
        /// The grid's height in cells.
        height: u32,
    },
    /// A world position lies outside the grid.
    #[error(
        "{name} {at} is outside the grid, which spans {low} to {high}",
        at = pair(.position), low = pair(.min), high = pair(.max)
    )]
    PositionOutside {
        /// The argument's name.
        name: &'static str,
        /// The position that was given.
        position: Vec2,
        /// The grid's lower corner in world units.
        min: Vec2,
        /// The grid's upper corner in world units.
        max: Vec2,
    },
    /// An array does not have the length that its meaning demands.
    #[error("{name} must have {expected} entries, not {actual}")]
    Length {
        /// The argument's name.
        name: &'static str,
        /// How many entries are needed.
        expected: usize,
        /// How many were given.
        actual: usize,
    },
    /// A cost table has an entry that is no cost.
    #[error("cost_table[{index}] must be in 1..=255, not 0")]
    CostTable {
        /// The terrain id that has it.
        index: usize,
    },
    /// An id names nothing that exists (any more).
    #[error("{name} {id} does not exist")]
    UnknownId {
        /// What kind of id it is.
        name: &'static str,
        /// The id that was given.
        id: i64,
    },
    /// A link begins and ends in the same cell.
    #[error("a link must join two cells, not {at} with itself", at = pair(.cell))]
    LinkLoop {
        /// The cell.
        cell: IVec2,
    },
    /// A goal has no field over the whole map.
    #[error("goal {goal} is tiled: it has no field over the whole map")]
    NotWhole {
        /// The goal's id.
        goal: i64,
    },
    /// An id that must be new is in use.
    #[error("{name} {id} exists already")]
    DuplicateId {
        /// What kind of id it is.
        name: &'static str,
        /// The id that was given.
        id: i64,
    },
    /// The total cost of a path exceeds what a field can hold.
    #[error("path costs exceed {limit} units: lower the terrain costs or the wall penalty")]
    CostOverflow {
        /// The greatest cost that a field can hold.
        limit: f64,
    },
    /// Bytes handed to a loader are not what its saver writes.
    #[error("{name} cannot be read: {reason}")]
    BadBytes {
        /// What was being loaded.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Worker threads could not be started.
    #[error("worker threads could not be started: {0}")]
    Workers(String),
}

/// A vector as script authors write it.
fn pair<T: Display>(vector: &impl Pair<T>) -> String {
    let (x, y) = vector.components();
    format!("({x}, {y})")
}

/// A number as it was written: one that began as an `f32` is not given the digits that it has as an `f64`.
fn shortest(number: f64) -> String {
    let short = number as f32;
    // Whole numbers have no digits too many, and a large `f32` is told rounded.
    if f64::from(short) == number && number.fract() != 0.0 {
        short.to_string()
    } else {
        number.to_string()
    }
}

/// The two kinds of vector that errors speak of.
trait Pair<T> {
    fn components(&self) -> (T, T);
}

impl Pair<i32> for IVec2 {
    fn components(&self) -> (i32, i32) {
        (self.x, self.y)
    }
}

impl Pair<f32> for Vec2 {
    fn components(&self) -> (f32, f32) {
        (self.x, self.y)
    }
}

/// Checks that `value` is finite and above zero.
pub fn positive(name: &'static str, value: f32) -> Result<f32> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(Error::NotPositive { name, value })
    }
}

/// Checks that `value` lies in `min..=max` (a NaN does not).
pub fn in_range(name: &'static str, value: f32, min: f32, max: f32) -> Result<f32> {
    if value >= min && value <= max {
        Ok(value)
    } else {
        Err(Error::OutOfRange {
            name,
            value: f64::from(value),
            min: f64::from(min),
            max: f64::from(max),
        })
    }
}

/// Checks that both components of `value` are finite.
pub fn finite(name: &'static str, value: Vec2) -> Result<Vec2> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::NotFinite { name, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_they_were_written() {
        let single = in_range("arrival_radius", -0.1, 0.001, 1.0e6).expect_err("too small");
        assert_eq!(
            single.to_string(),
            "arrival_radius must be in 0.001..=1000000, not -0.1"
        );
        let double = Error::OutOfRange {
            name: "tile_cache_bytes",
            value: 0.1,
            min: 1.0,
            max: (1_u64 << 40) as f64,
        };
        assert_eq!(
            double.to_string(),
            "tile_cache_bytes must be in 1..=1099511627776, not 0.1"
        );
    }

    #[test]
    fn numbers_that_are_none_are_named() {
        let text = |value| {
            let refused = in_range("height", value, 0.0, 1.0);
            refused.expect_err("none in the range").to_string()
        };
        assert_eq!(text(f32::NAN), "height must be in 0..=1, not NaN");
        assert_eq!(text(f32::INFINITY), "height must be in 0..=1, not inf");
    }
}
