//! What links cost in the units in which solvers store costs.

use super::StepScale;
use crate::links::{LinkEdge, Links};

impl LinkEdge {
    /// What it costs in stored units.
    #[inline]
    pub(crate) fn units(&self, scale: StepScale) -> u32 {
        units(self.cost, scale)
    }

    /// What its first cell costs by it, if its end costs `end`, in stored units.
    #[inline]
    pub(crate) fn offer(&self, scale: StepScale, end: u32) -> u32 {
        end.saturating_add(self.units(scale))
    }
}

impl Links {
    /// `step`, or the cost of the shortest link in stored units if that is less.
    pub(crate) fn least_of(&self, step: u32, scale: StepScale) -> u32 {
        // Without links it is infinite, which becomes the greatest number of units.
        step.min(units(self.least_cost(), scale))
    }
}

#[inline]
fn units(cost: f32, scale: StepScale) -> u32 {
    (f64::from(cost) * f64::from(scale.straight)).round() as u32
}
