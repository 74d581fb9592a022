//! Wall penalties: a surcharge on cells near walls, so that paths keep to the middle of corridors.
//!
//! System A adds 20 to each cell with a wall among its 8 neighbours: that is `weight 20, radius 1, falloff Constant`.
//! Emerson (Game AI Pro, 23.10) blurs a gradient out from the walls: that is `falloff Linear` with a larger radius. A
//! penalty never closes a cell: the sum is limited to [`super::MAX_COST`].

use super::{BLOCKED, MAX_COST};
use crate::bytes::{Source as _, Unpacker, Writer};
use crate::error::{Result, in_range};

/// The largest reach of a wall's penalty, in cells.
pub const MAX_PENALTY_RADIUS: u8 = 32;

/// How the surcharge changes with distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Falloff {
    /// The whole weight up to the radius (system A).
    #[default]
    Constant,
    /// The whole weight beside the wall, falling linearly to 0 just beyond the radius.
    Linear,
}

/// A surcharge on cells near walls. The default is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WallPenalty {
    weight: u8,
    radius: u8,
    falloff: Falloff,
}

impl WallPenalty {
    /// Adds up to `weight` to cells within `radius` cells of a wall, counted as the king moves
    /// (the 8 neighbours are at 1).
    ///
    /// # Errors
    /// Weight outside 0..=253 or radius outside 0..=[`MAX_PENALTY_RADIUS`].
    pub fn new(weight: i64, radius: i64, linear: bool) -> Result<Self> {
        let weight = in_range("wall_penalty", weight, 0, i64::from(MAX_COST - 1))?;
        let radius = in_range(
            "wall_penalty_radius",
            radius,
            0,
            i64::from(MAX_PENALTY_RADIUS),
        )?;
        Ok(Self {
            weight: weight as u8,
            radius: radius as u8,
            falloff: if linear {
                Falloff::Linear
            } else {
                Falloff::Constant
            },
        })
    }

    /// Writes the numbers that tell it from others.
    pub(super) fn write(self, out: &mut Writer) {
        out.bytes
            .extend([self.weight, self.radius, self.falloff as u8]);
    }

    /// Reads what [`Self::write`] has written.
    pub(super) fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let (weight, radius, falloff) = (input.u8()?, input.u8()?, input.u8()?);
        let is_linear = falloff == Falloff::Linear as u8;
        Self::new(weight.into(), radius.into(), is_linear)
            .ok()
            .filter(|penalty| penalty.falloff as u8 == falloff)
            .ok_or_else(|| input.bad("it has a wall penalty that makes no sense"))
    }

    /// The reach of a wall's penalty, in cells; 0 if there is none.
    #[must_use]
    pub fn reach(&self) -> usize {
        if self.weight == 0 {
            0
        } else {
            usize::from(self.radius)
        }
    }

    /// The surcharge at each distance from a wall, counted as the king moves; none beyond the reach.
    fn surcharges(self) -> [u8; MAX_PENALTY_RADIUS as usize + 2] {
        let (weight, radius) = (usize::from(self.weight), usize::from(self.radius));
        let mut surcharges = [0; MAX_PENALTY_RADIUS as usize + 2];
        for (distance, surcharge) in surcharges.iter_mut().enumerate().take(self.reach() + 1) {
            *surcharge = match self.falloff {
                Falloff::Constant => weight,
                Falloff::Linear => (weight * (radius + 1 - distance)).div_ceil(radius),
            }
            .min(usize::from(MAX_COST)) as u8;
        }
        surcharges
    }

    /// Adds the surcharge to the middle of `rows`, a window of `2 * reach + 1` rows of plain costs
    /// that begins `reach` columns before `out` and ends as many after it.
    ///
    /// Cells outside the map must be given as open ground: system A has no walls there, and a penalty along the border
    /// would bend every path near it.
    ///
    /// O(cells · reach): first along the columns, then along the row, both as loops over whole rows, which the compiler
    /// turns into vector code.
    pub(super) fn apply_to_row(self, rows: &[&[u8]], scratch: &mut RowDistances, out: &mut [u8]) {
        let reach = self.reach();
        let plain = &rows[reach][reach..][..out.len()];
        if reach == 0 {
            out.copy_from_slice(plain);
            return;
        }
        let none = reach as u8 + 1;
        let RowDistances { column, nearest } = scratch;
        column.clear();
        column.resize(rows[reach].len(), none);
        for away in (0..=reach).rev() {
            for row in [rows[reach - away], rows[reach + away]] {
                for (distance, &cost) in column.iter_mut().zip(row) {
                    *distance = if cost == BLOCKED {
                        away as u8
                    } else {
                        *distance
                    };
                }
            }
        }
        nearest.clear();
        nearest.resize(out.len(), none);
        for shift in 0..=2 * reach {
            let aside = shift.abs_diff(reach) as u8;
            for (nearest, &column) in nearest.iter_mut().zip(&column[shift..]) {
                *nearest = (*nearest).min(column.max(aside));
            }
        }
        let surcharges = self.surcharges();
        for ((out, &plain), &distance) in out.iter_mut().zip(plain).zip(&*nearest) {
            let sum = plain.saturating_add(surcharges[usize::from(distance)]);
            *out = if plain == BLOCKED {
                BLOCKED
            } else {
                sum.min(MAX_COST)
            };
        }
    }
}

/// Scratch memory for the distances to the nearest wall along a row of cells.
#[derive(Debug, Default)]
pub(super) struct RowDistances {
    /// The distances to the nearest wall in the same column.
    column: Vec<u8>,
    /// The distances to the nearest wall in any column.
    nearest: Vec<u8>,
}
