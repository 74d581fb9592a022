//! A surcharge on cells near walls, so that paths keep to the middle of corridors.
//!
//! System A adds 20 to each cell with a wall among its 8 neighbours: that is
//! `weight 20, radius 1, falloff Constant`. Emerson (Game AI Pro, 23.10) blurs a
//! gradient out from the walls: that is `falloff Linear` with a larger radius.
//! Whatever the setting, a cell that could be entered still can be: the sum
//! stops at [`super::MAX_COST`].

use super::{BLOCKED, MAX_COST};
use crate::error::{Result, in_range};

/// The farthest that a wall's penalty reaches, in cells.
pub const MAX_PENALTY_RADIUS: u8 = 32;

/// How the surcharge changes with distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Falloff {
    /// The whole weight up to the radius (system A).
    #[default]
    Constant,
    /// The whole weight beside the wall, fading evenly to nothing just beyond the radius.
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
        let weight = in_range("wall_penalty", weight as f32, 0.0, f32::from(MAX_COST - 1))?;
        let radius = in_range(
            "wall_penalty_radius",
            radius as f32,
            0.0,
            f32::from(MAX_PENALTY_RADIUS),
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

    /// How far a wall's penalty reaches, in cells; 0 when there is none.
    #[must_use]
    pub fn reach(&self) -> usize {
        if self.weight == 0 {
            0
        } else {
            usize::from(self.radius)
        }
    }

    /// `cost` plus the surcharge at `distance` (at least 1) cells from a wall.
    fn apply(self, cost: u8, distance: usize) -> u8 {
        let (weight, radius) = (usize::from(self.weight), usize::from(self.radius));
        let surcharge = match self.falloff {
            Falloff::Constant => weight,
            Falloff::Linear => (weight * (radius + 1 - distance)).div_ceil(radius),
        };
        (usize::from(cost) + surcharge).min(usize::from(MAX_COST)) as u8
    }

    /// Adds the surcharge to the middle of `rows`, a window of `2 * reach + 1` rows of plain costs
    /// that begins `reach` columns before `out` and ends as many after it.
    ///
    /// Costs outside the map must be given as open ground: system A counts no wall there, and a
    /// border that repels would bend every path along it.
    pub(super) fn apply_to_row(self, rows: &[&[u8]], out: &mut [u8]) {
        let reach = self.reach();
        for (x, cost) in out.iter_mut().enumerate() {
            let plain = rows[reach][x + reach];
            *cost = if plain == BLOCKED {
                BLOCKED
            } else {
                match nearest_wall(rows, x + reach, reach) {
                    Some(distance) => self.apply(plain, distance),
                    None => plain,
                }
            };
        }
    }
}

/// King's-move distance from column `x` of the middle row to the nearest wall within `reach`.
fn nearest_wall(rows: &[&[u8]], x: usize, reach: usize) -> Option<usize> {
    (1..=reach).find(|&ring| {
        let columns = x - ring..=x + ring;
        rows[reach - ring][columns.clone()].contains(&BLOCKED)
            || rows[reach + ring][columns].contains(&BLOCKED)
            || rows[reach + 1 - ring..reach + ring]
                .iter()
                .any(|row| row[x - ring] == BLOCKED || row[x + ring] == BLOCKED)
    })
}
