//! The speed of agents on each terrain.
//!
//! Paths minimise cost; agents move at a speed. By default the speed is inverse to the cost: ground of cost 5 takes
//! five times as long. A game can set the factor of a terrain id to another value.

use super::BLOCKED;
use crate::error::{Result, in_range};
use crate::terrain::IdSet;
use std::collections::BTreeMap;

/// The least and the greatest speed factor of a terrain.
pub const SPEED_FACTORS: (f32, f32) = (0.1, 4.0);

/// The factors of agents' speeds on each terrain.
#[derive(Debug, Clone, PartialEq)]
pub struct TerrainSpeed {
    factors: BTreeMap<u8, f32>,
    cost_slows: bool,
}

impl Default for TerrainSpeed {
    /// The speed factor is the inverse of the terrain's cost.
    fn default() -> Self {
        Self {
            factors: BTreeMap::new(),
            cost_slows: true,
        }
    }
}

impl TerrainSpeed {
    /// The same speed on all terrain, except for factors set by [`Self::with_factor`].
    #[must_use]
    pub fn even() -> Self {
        Self {
            cost_slows: false,
            ..Self::default()
        }
    }

    /// These speeds with a factor for terrain `id` that does not depend on its cost.
    ///
    /// # Errors
    /// An id outside 0..=255, or a factor outside [`SPEED_FACTORS`].
    pub fn with_factor(mut self, id: i64, factor: f32) -> Result<Self> {
        in_range("terrain id", id, 0, i64::from(u8::MAX))?;
        in_range("speed factor", factor, SPEED_FACTORS.0, SPEED_FACTORS.1)?;
        self.factors.insert(id as u8, factor);
        Ok(self)
    }

    /// The factor of terrain `id` that costs `cost`.
    fn factor(&self, id: u8, cost: u8) -> f32 {
        match self.factors.get(&id) {
            Some(&factor) => factor,
            // An agent that is over a wall is not slowed by it.
            None if !self.cost_slows || cost == BLOCKED => 1.0,
            None => (1.0 / f32::from(cost)).max(SPEED_FACTORS.0),
        }
    }
}

/// The factor of every terrain id.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SpeedTable {
    pub(super) factors: [f32; 256],
    /// The ids whose factor is not 1.
    pub(super) uneven: IdSet,
}

impl SpeedTable {
    /// The table for terrain of some costs.
    pub(super) fn new(speed: &TerrainSpeed, costs: &[u8; 256]) -> Self {
        let (mut factors, mut uneven) = ([1.0; 256], IdSet::default());
        for ((id, factor), &cost) in (0..=u8::MAX).zip(&mut factors).zip(costs) {
            *factor = speed.factor(id, cost);
            if *factor != 1.0 {
                uneven.insert(id);
            }
        }
        Self { factors, uneven }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MovementType;
    use super::*;

    #[test]
    fn cost_slows_down_to_a_tenth() {
        let plain = MovementType::default();
        let expected = [(0, 1.0), (1, 1.0), (2, 0.5), (5, 0.2), (10, 0.1), (11, 0.1)];
        for (id, factor) in expected.into_iter().chain([(254, 0.1), (255, 1.0)]) {
            assert_eq!(plain.speed_on(id), factor, "terrain {id}");
        }
    }

    #[test]
    fn a_factor_of_its_own_goes_before_the_cost() {
        let speed = |speed: TerrainSpeed| speed.with_factor(5, 0.75)?.with_factor(9, 2.0);
        let slowed = speed(TerrainSpeed::default()).expect("in range");
        let slowed = MovementType::default().with_terrain_speed(&slowed);
        assert_eq!([4, 5, 9].map(|id| slowed.speed_on(id)), [0.25, 0.75, 2.0]);
        let even = speed(TerrainSpeed::even()).expect("in range");
        let even = MovementType::default().with_terrain_speed(&even);
        assert_eq!([4, 5, 9].map(|id| even.speed_on(id)), [1.0, 0.75, 2.0]);
        assert!(even.has_costs_of(&slowed) && even != slowed);
    }

    #[test]
    fn bad_factors_and_ids_are_refused() {
        for (id, factor) in [(-1, 1.0), (256, 1.0), (3, 0.09), (3, 4.1), (3, f32::NAN)] {
            let refused = TerrainSpeed::default().with_factor(id, factor);
            assert!(refused.is_err(), "terrain {id}: {factor}");
        }
    }
}
