//! The speed of agents on the terrain of the world.

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

    /// A bit set of the movement types whose speed some terrain on the map changes.
    pub(crate) fn uneven_movements(&self) -> u64 {
        let ids = self.terrain.ids();
        let bits = self.layers.iter().enumerate();
        bits.fold(0, |bits, (index, layer)| {
            bits | u64::from(layer.kind.is_slowed_by_any(&ids)) << index
        })
    }
}
