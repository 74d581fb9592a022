//! The errors of this crate: one variant for each reason to refuse a call, and checks of arguments.
//!
//! - A call that returns an error has changed nothing.
//! - The message of an error names the argument, its value and what is allowed.

use glam::{IVec2, Vec2, Vec3};
use std::fmt::Display;
use thiserror::Error;

/// The result of every fallible call of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason why a call was refused. A refused call has changed nothing.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Error {
    /// A grid has no cells, or more than the maximum.
    #[error("grid size {at} must be at least (1, 1) and at most {most} cells", at = pair(.size))]
    GridSize {
        /// The given size in cells.
        size: IVec2,
        /// The maximum number of cells of a grid.
        most: u64,
    },
    /// A stamp has no cells, or more than the maximum for a grid.
    #[error("stamp size {at} must be at least (1, 1) and at most {most} cells", at = pair(.size))]
    StampSize {
        /// The given size in cells.
        size: IVec2,
        /// The maximum number of cells of a grid.
        most: u64,
    },
    /// A part of a stamp would be outside the grid.
    #[error(
        "a stamp of {extent} at cell {at} does not lie inside the {width}x{height} grid",
        extent = pair(.size), at = pair(.cell)
    )]
    StampOutside {
        /// The cell given for the stamp's lower corner.
        cell: IVec2,
        /// The stamp's size in cells.
        size: IVec2,
        /// The grid's width in cells.
        width: u32,
        /// The grid's height in cells.
        height: u32,
    },
    /// A block of costs has no cells, or more than the maximum for a grid.
    #[error("cost overlay size {at} must be at least (1, 1) and at most {most} cells", at = pair(.size))]
    OverlaySize {
        /// The given size in cells.
        size: IVec2,
        /// The maximum number of cells of a grid.
        most: u64,
    },
    /// A cost overlay would cover no cell of the grid or its layer.
    #[error(
        "a cost overlay at {at} covers no cell of {what}, which spans {low} to {high}",
        at = pair(.position), what = ground(*layer), low = pair(.min), high = pair(.max)
    )]
    OverlayOutside {
        /// The given position in world units.
        position: Vec2,
        /// The layer of the position; `None` if the grid has only one.
        layer: Option<u32>,
        /// The lower corner of the grid, which all its layers share, in world units.
        min: Vec2,
        /// The upper corner, in world units.
        max: Vec2,
    },
    /// The state of a world cannot be saved at the moment.
    #[error("the state cannot be saved: {what}")]
    NotSaved {
        /// The reason.
        what: &'static str,
    },
    /// A tick is not kept, or no longer.
    #[error("tick {tick} is not kept; {}", ticks(*.kept))]
    TickNotKept {
        /// The given tick.
        tick: u64,
        /// The first and the last tick that are kept; `None` if there are none.
        kept: Option<(u64, u64)>,
    },
    /// A snapshot cannot be restored.
    #[error("the snapshot cannot be restored: {what}")]
    NotRestored {
        /// The reason.
        what: &'static str,
    },
    /// A number is not finite, or not above zero.
    #[error("{name} must be a finite number above 0, not {value}", value = Number::from(*.value))]
    NotPositive {
        /// The argument's name.
        name: &'static str,
        /// The given value.
        value: f32,
    },
    /// A number is outside the allowed range.
    #[error("{name} must be {range}, not {value}", range = range(*min, *max))]
    OutOfRange {
        /// The argument's name.
        name: &'static str,
        /// The given value.
        value: Number,
        /// The least allowed value. `f32::MIN` and `f64::MIN` mean that there is none.
        min: Number,
        /// The greatest allowed value. `usize::MAX`, `f32::MAX`, `f64::MAX` and anything greater mean that there is
        /// none.
        max: Number,
    },
    /// A point or vector has a NaN or infinite component.
    #[error("{name} must be finite, not {at}", at = pair(.value))]
    NotFinite {
        /// The argument's name.
        name: &'static str,
        /// The given value.
        value: Vec2,
    },
    /// A point in 3D has a NaN or infinite component.
    #[error("{name} must be finite, not ({x}, {y}, {z})", x = value.x, y = value.y, z = value.z)]
    NotFinite3d {
        /// The argument's name.
        name: &'static str,
        /// The given value.
        value: Vec3,
    },
    /// A cell is outside the grid.
    #[error("cell {at} is outside the {width}x{height} grid", at = pair(.cell))]
    CellOutside {
        /// The given cell.
        cell: IVec2,
        /// The grid's width in cells.
        width: u32,
        /// The grid's height in cells.
        height: u32,
    },
    /// A corner of cells is outside the grid.
    #[error(
        "corner {at} is outside the corners of the {width}x{height} grid, (0, 0) to ({width}, {height})",
        at = pair(.corner)
    )]
    CornerOutside {
        /// The given corner.
        corner: IVec2,
        /// The grid's width in cells.
        width: u32,
        /// The height of a layer of the grid in cells.
        height: u32,
    },
    /// A world position is outside the grid or its layer.
    #[error(
        "{name} {at} is outside {what}, which spans {low} to {high}",
        at = pair(.position), what = ground(*layer), low = pair(.min), high = pair(.max)
    )]
    PositionOutside {
        /// The argument's name.
        name: &'static str,
        /// The given position in world units.
        position: Vec2,
        /// The layer of the position; `None` if the grid has only one.
        layer: Option<u32>,
        /// The lower corner of the grid, which all its layers share, in world units.
        min: Vec2,
        /// The upper corner, in world units.
        max: Vec2,
    },
    /// An array does not have the required length.
    #[error("{name} must have {}, not {actual}", entries(*expected))]
    Length {
        /// The argument's name.
        name: &'static str,
        /// The required number of entries.
        expected: usize,
        /// The given number of entries.
        actual: usize,
    },
    /// An array has fewer entries than required.
    #[error("{name} must have at least {}, not {actual}", entries(*least))]
    TooShort {
        /// The argument's name.
        name: &'static str,
        /// The least number of entries.
        least: usize,
        /// The given number of entries.
        actual: usize,
    },
    /// A cost table has an entry of 0, which is not a cost.
    #[error("cost_table[{index}] must be from 1 to 255, not 0")]
    CostTable {
        /// The terrain id of the entry.
        index: usize,
    },
    /// An id names an object that does not exist, or no longer exists.
    #[error("{name} {id} does not exist")]
    UnknownId {
        /// The kind of object.
        name: &'static str,
        /// The given id.
        id: i64,
    },
    /// A link begins and ends in the same cell.
    #[error("a link must join two cells, not {at} with itself", at = pair(.cell))]
    LinkLoop {
        /// The cell.
        cell: IVec2,
    },
    /// A goal that groups or agents followed has been released.
    #[error("goal {goal} has been released: what followed it has no goal now")]
    GoalReleased {
        /// The goal's id.
        goal: i64,
    },
    /// A call needs a field of the whole map, but its goal is tiled.
    #[error("goal {goal} is tiled: it has no field over the whole map")]
    NotWhole {
        /// The goal's id.
        goal: i64,
    },
    /// Initial costs were given for a goal of a kind that has none.
    #[error("goal {goal} is of the kind {kind}: only goals of the kind SEEK have initial costs")]
    NoInitialCosts {
        /// The goal's id.
        goal: i64,
        /// The name of the goal's kind.
        kind: &'static str,
    },
    /// The id of a new object is in use.
    #[error("{name} {id} exists already")]
    DuplicateId {
        /// The kind of object.
        name: &'static str,
        /// The given id.
        id: i64,
    },
    /// The total cost of a path exceeds the number range of a field.
    #[error("path costs exceed {limit} units: lower the terrain costs or the wall penalty")]
    CostOverflow {
        /// The greatest cost that a field can store, in units of cost.
        limit: f64,
    },
    /// Loaded bytes are not in the format of the corresponding save.
    #[error("{name} cannot be read: {reason}")]
    BadBytes {
        /// The kind of data.
        name: &'static str,
        /// The fault that was found.
        reason: String,
    },
    /// Worker threads could not be started.
    #[error("worker threads could not be started: {0}")]
    Workers(String),
}

/// Formats a vector as `(x, y)`.
fn pair<T: Display>(vector: &impl Pair<T>) -> String {
    let (x, y) = vector.components();
    format!("({x}, {y})")
}

/// Which ticks are kept.
fn ticks(kept: Option<(u64, u64)>) -> String {
    kept.map_or_else(
        || "none is".to_owned(),
        |(first, last)| format!("{first} to {last} are"),
    )
}

/// Names the grid or one of its layers.
fn ground(layer: Option<u32>) -> String {
    layer.map_or_else(|| "the grid".to_owned(), |layer| format!("layer {layer}"))
}

/// Formats a number of entries.
fn entries(count: usize) -> String {
    match count {
        1 => "1 entry".to_owned(),
        _ => format!("{count} entries"),
    }
}

/// Describes the numbers from `min` to `max`.
fn range(min: Number, max: Number) -> String {
    match (min.is_least(), max.is_greatest()) {
        (true, true) => "finite".to_owned(),
        (true, false) => format!("at most {max}"),
        (false, true) => format!("at least {min}"),
        (false, false) if min == max => min.to_string(),
        (false, false) => format!("from {min} to {max}"),
    }
}

/// A number in an error message: integers with all digits, floats with the digits of their own precision, so that a
/// number is shown as it was written.
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
    /// Whether this is the least finite number of a float type, or less. Used as a bound, it allows any number.
    fn is_least(self) -> bool {
        match self {
            Self::Integer(_) => false,
            Self::Single(number) => number <= f32::MIN,
            Self::Double(number) => number <= f64::MIN,
        }
    }

    /// Whether this is at least the greatest finite number of a float type, or `usize::MAX`. Used as a bound, it allows
    /// any number.
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
        // Numbers with more digits than their precision, and those with many zeros, get an exponent.
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

/// The two kinds of vector in error messages.
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

/// Returns `value` if it is finite and above zero.
///
/// # Errors
/// [`Error::NotPositive`] with the argument's `name`.
pub fn positive(name: &'static str, value: f32) -> Result<f32> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(Error::NotPositive { name, value })
    }
}

/// Returns `value` if it is in `min..=max`; a NaN is not.
///
/// # Errors
/// [`Error::OutOfRange`] with the argument's `name`.
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

/// Returns `value` if both components are finite.
///
/// # Errors
/// [`Error::NotFinite`] with the argument's `name`.
pub fn finite(name: &'static str, value: Vec2) -> Result<Vec2> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::NotFinite { name, value })
    }
}

/// Returns `value` if all of its components are finite.
///
/// # Errors
/// [`Error::NotFinite3d`] with the argument's `name`.
pub fn finite_3d(name: &'static str, value: Vec3) -> Result<Vec3> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::NotFinite3d { name, value })
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
            "arrival_radius must be from 0.001 to 1000000, not -0.1"
        );
        let double = Error::OutOfRange {
            name: "tile_cache_bytes",
            value: 0.1.into(),
            min: 1.into(),
            max: (1_u64 << 40).into(),
        };
        assert_eq!(
            double.to_string(),
            "tile_cache_bytes must be from 1 to 1099511627776, not 0.1"
        );
    }

    #[test]
    fn numbers_that_are_none_are_named() {
        let text = |value| {
            let refused = in_range("height", value, 0.0, 1.0);
            refused.expect_err("none in the range").to_string()
        };
        assert_eq!(text(f32::NAN), "height must be from 0 to 1, not NaN");
        assert_eq!(text(f32::INFINITY), "height must be from 0 to 1, not inf");
    }
}
