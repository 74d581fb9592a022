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
    #[error("{name} must be a finite number above 0, not {value}", value = Number::from(*.value))]
    NotPositive {
        /// The argument's name.
        name: &'static str,
        /// What was given.
        value: f32,
    },
    /// A number lies outside the range that its meaning allows.
    #[error("{name} must be {range}, not {value}", range = range(*min, *max))]
    OutOfRange {
        /// The argument's name.
        name: &'static str,
        /// What was given.
        value: Number,
        /// The least allowed value.
        min: Number,
        /// The greatest allowed value; infinity or the end of a number type for none.
        max: Number,
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
        "{name} {at} is outside {what}, which spans {low} to {high}",
        at = pair(.position), what = ground(*layer), low = pair(.min), high = pair(.max)
    )]
    PositionOutside {
        /// The argument's name.
        name: &'static str,
        /// The position that was given.
        position: Vec2,
        /// The layer that was meant; `None` if there is only one.
        layer: Option<u32>,
        /// The lower corner of the grid, or of each of its layers, in world units.
        min: Vec2,
        /// The upper corner.
        max: Vec2,
    },
    /// An array does not have the length that its meaning demands.
    #[error("{name} must have {}, not {actual}", entries(*expected))]
    Length {
        /// The argument's name.
        name: &'static str,
        /// How many entries are needed.
        expected: usize,
        /// How many were given.
        actual: usize,
    },
    /// An array has fewer entries than it must have.
    #[error("{name} must have at least {}, not {actual}", entries(*least))]
    TooShort {
        /// The argument's name.
        name: &'static str,
        /// How many entries are needed.
        least: usize,
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

/// What a position is outside of.
fn ground(layer: Option<u32>) -> String {
    layer.map_or_else(|| "the grid".to_owned(), |layer| format!("layer {layer}"))
}

/// So many entries.
fn entries(count: usize) -> String {
    match count {
        1 => "1 entry".to_owned(),
        _ => format!("{count} entries"),
    }
}

/// What a number must be that lies between two others.
fn range(min: Number, max: Number) -> String {
    match (min.is_least(), max.is_greatest()) {
        (true, true) => "finite".to_owned(),
        (true, false) => format!("at most {max}"),
        (false, true) => format!("at least {min}"),
        (false, false) if min == max => min.to_string(),
        (false, false) => format!("in {min}..={max}"),
    }
}

/// A number of a message, told as it was written: integers to the last digit, floats with the digits of their own
/// width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer of any width.
    Integer(i128),
    /// An `f32`.
    Single(f32),
    /// An `f64`.
    Double(f64),
}

impl Number {
    /// Whether nothing is less.
    fn is_least(self) -> bool {
        match self {
            Self::Integer(_) => false,
            Self::Single(number) => number <= f32::MIN,
            Self::Double(number) => number <= f64::MIN,
        }
    }

    /// Whether nothing, or nothing that there can be, is greater.
    fn is_greatest(self) -> bool {
        match self {
            Self::Integer(number) => number >= usize::MAX as i128,
            Self::Single(number) => number >= f32::MAX,
            Self::Double(number) => number >= f64::MAX,
        }
    }
}

impl Display for Number {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Numbers with more digits than they know, and rows of zeros, are told by their exponent.
        let is_plain = |size: f64, digits: f64| size == 0.0 || (9.9e-5..digits).contains(&size);
        match self {
            Self::Integer(number) => write!(out, "{number}"),
            Self::Single(number) if !number.is_finite() => write!(out, "{number}"),
            Self::Single(number) if is_plain(f64::from(number.abs()), 1.6e7) => {
                write!(out, "{number}")
            }
            Self::Single(number) => write!(out, "{number:e}"),
            Self::Double(number) if !number.is_finite() => write!(out, "{number}"),
            Self::Double(number) if is_plain(number.abs(), 1.0e15) => write!(out, "{number}"),
            Self::Double(number) => write!(out, "{number:e}"),
        }
    }
}

macro_rules! numbers {
    ($($integer:ty),*) => {
        $(impl From<$integer> for Number {
            fn from(number: $integer) -> Self {
                Self::Integer(number as i128)
            }
        })*
    };
}

numbers!(i32, i64, u8, u32, u64, usize);

impl From<f32> for Number {
    fn from(number: f32) -> Self {
        Self::Single(number)
    }
}

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        Self::Double(number)
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

impl Pair<Number> for Vec2 {
    fn components(&self) -> (Number, Number) {
        (self.x.into(), self.y.into())
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
pub fn in_range<T: PartialOrd + Copy + Into<Number>>(
    name: &'static str,
    value: T,
    min: T,
    max: T,
) -> Result<T> {
    if value >= min && value <= max {
        Ok(value)
    } else {
        Err(Error::OutOfRange {
            name,
            value: value.into(),
            min: min.into(),
            max: max.into(),
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
            value: 0.1.into(),
            min: 1.into(),
            max: (1_u64 << 40).into(),
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
