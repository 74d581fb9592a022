//! The speed of agents on the terrain and slopes of the world.

use crate::movement::SPEED_FACTORS;
use crate::world::FlowWorld;
use glam::Vec2;

impl FlowWorld {
    /// The factor of the speed of agents of a movement type at a world position, by the terrain there. A position
    /// outside the grid counts as in its nearest cell. Edits of the terrain take effect at once.
    ///
    /// # Panics
    /// On an index that [`Self::check_movement`] refuses.
    #[must_use]
    pub fn speed_factor(&self, movement: usize, position: Vec2) -> f32 {
        let id = self.terrain.id_at(self.grid.clamped_cell_at(position));
        self.layers[movement].kind.speed_on(id)
    }

    /// [`Self::speed_factor`] for an agent that is heading in the direction of the unit vector `ahead`, which the slope
    /// of the ground changes: see [`SlopeSpeed`](crate::movement::SlopeSpeed). Within
    /// [`SPEED_FACTORS`].
    ///
    /// # Panics
    /// On an index that [`Self::check_movement`] refuses.
    #[must_use]
    pub fn speed_factor_ahead(&self, movement: usize, position: Vec2, ahead: Vec2) -> f32 {
        let terrain = self.speed_factor(movement, position);
        let layers = self.grid.layers();
        let (layer, flat) = (layers.at(position), layers.flat(position));
        let Some((_, rise)) = self.ground.standing(layer, flat) else {
            return terrain;
        };
        let slope = self.layers[movement].kind.slope_speed();
        (terrain * slope.factor(rise.dot(ahead))).clamp(SPEED_FACTORS.0, SPEED_FACTORS.1)
    }

    /// A bit set of the movement types whose speed slopes change; none if the ground has no heights.
    pub(crate) fn sloped_movements(&self) -> u64 {
        if self.ground.is_flat() {
            return 0;
        }
        let kinds = self.layers.iter().enumerate();
        kinds.fold(0, |bits, (index, layer)| {
            bits | u64::from(!layer.kind.slope_speed().is_even()) << index
        })
    }

    /// A bit set of the movement types whose speed some terrain on the map changes.
    pub(crate) fn uneven_movements(&self) -> u64 {
        let ids = self.terrain.ids();
        let bits = self.layers.iter().enumerate();
        bits.fold(0, |bits, (index, layer)| {
            bits | u64::from(layer.kind.is_slowed_by_any(&ids)) << index
        })
    }
}
