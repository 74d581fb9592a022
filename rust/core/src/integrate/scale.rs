//! The units in which costs are stored, and the costs of steps and links in them.

use crate::error::Error;
use crate::grid::links::{LinkEdge, Links};
use glam::IVec2;

/// The stored costs of a straight and a diagonal step over clear ground.
///
/// For octile costs `diagonal / straight` is a convergent of √2's continued
/// fraction (Pell numbers), whose error falls with the square of `straight`. In
/// system C's metric it is 4 / 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepScale {
    /// Units of a straight step.
    pub straight: u32,
    /// Units of a diagonal step.
    pub diagonal: u32,
}

impl StepScale {
    /// Whether this is the first scale that a solver tries.
    pub(super) fn is_finest(self) -> bool {
        self == SCALES[0] || self == SYSTEM_C
    }

    /// What the shortest path of grid steps over so many columns and rows of clear ground costs.
    #[inline]
    pub(crate) fn octile(self, away: IVec2) -> u64 {
        let away = away.abs().as_uvec2();
        let (diagonal, longer) = (away.min_element(), away.max_element());
        let straight = u64::from(longer - diagonal) * u64::from(self.straight);
        straight + u64::from(diagonal) * u64::from(self.diagonal)
    }
}

/// Scales from the finest on; a solver takes the first in which no path cost overflows.
///
/// Largest cost, and error of one diagonal step: 1.8e6 and 6e-8; 1.0e7 and 2e-6; 6.1e7 and
/// 7e-5; 3.6e8 and 2.5e-3.
pub(crate) const SCALES: [StepScale; 4] = [
    StepScale {
        straight: 2378,
        diagonal: 3363,
    },
    StepScale {
        straight: 408,
        diagonal: 577,
    },
    StepScale {
        straight: 70,
        diagonal: 99,
    },
    StepScale {
        straight: 12,
        diagonal: 17,
    },
];

/// System C's, where a penalty is half a cost unit for each axis: clear ground costs 2 half units, and a step one for
/// each axis along which it moves.
pub(super) const SYSTEM_C: StepScale = StepScale {
    straight: 3,
    diagonal: 4,
};

/// The finest scale, for paths that are short or counted in 64 bits.
pub(crate) const FINEST: StepScale = SCALES[0];

pub(crate) fn cost_overflow() -> Error {
    let coarsest = SCALES[SCALES.len() - 1].straight;
    Error::CostOverflow {
        limit: f64::from(u32::MAX / coarsest),
    }
}

impl LinkEdge {
    /// Its cost in stored units.
    #[inline]
    pub(crate) fn units(&self, scale: StepScale) -> u32 {
        units(self.cost, scale)
    }

    /// The candidate for its first cell, if its end costs `end`, in stored units.
    #[inline]
    pub(crate) fn candidate(&self, scale: StepScale, end: u32) -> u32 {
        end.saturating_add(self.units(scale))
    }
}

impl Links {
    /// `step`, or the cost of the shortest link in stored units if that is less.
    pub(crate) fn least_of(&self, step: u32, scale: StepScale) -> u32 {
        // Without links the cost is infinite, which becomes the greatest number of units.
        step.min(units(self.least_cost(), scale))
    }
}

#[inline]
fn units(cost: f32, scale: StepScale) -> u32 {
    (f64::from(cost) * f64::from(scale.straight)).round() as u32
}
