//! Values of saves and their ranges.

use crate::bytes::{Reader, Source};
use crate::error::Result;
use crate::grid::{MAX_CELL_SIZE, MAX_DISTANCE};
use glam::Vec2;

/// The largest coordinate of an agent. A change to a smaller grid leaves agents outside, where a larger grid was. Twice
/// the largest grid leaves room for pushes.
const FARTHEST: f32 = 2.0 * MAX_DISTANCE * MAX_CELL_SIZE;
/// The greatest length of a heading, which rounding may increase.
pub(super) const LONGEST_HEADING: f32 = 1.001;

/// A valid position of an agent.
pub(super) fn read_place(input: &mut Reader<'_>) -> Result<Vec2> {
    let place = input.vector()?;
    if place.abs().max_element() > FARTHEST {
        return Err(input.bad("it has agents that are too far away"));
    }
    Ok(place)
}

/// A vector that is no longer than `most`.
pub(super) fn read_within(input: &mut Reader<'_>, most: f32, reason: &str) -> Result<Vec2> {
    let vector = input.vector()?;
    if vector.length() > most {
        return Err(input.bad(reason));
    }
    Ok(vector)
}
