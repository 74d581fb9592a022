//! How fast agents are where they stand.

use crate::world::FlowWorld;
use glam::Vec2;

impl FlowWorld {
    /// By what the speed of an agent of a movement type is multiplied at a world position, by the terrain there: that of
    /// the nearest cell if the position is outside the grid. An edit of the terrain shows at once.
    ///
    /// # Panics
    /// On an index that [`Self::check_movement`] refuses.
    #[must_use]
    pub fn speed_factor(&self, movement: usize, position: Vec2) -> f32 {
        let id = self.terrain.id_at(self.grid.clamped_cell_at(position));
        self.layers[movement].kind.speed_on(id)
    }

    /// The movement types, a bit for each, that any terrain on the map makes slower or faster.
    pub(crate) fn uneven_movements(&self) -> u64 {
        let ids = self.terrain.ids();
        let bits = self.layers.iter().enumerate();
        bits.fold(0, |bits, (index, layer)| {
            bits | u64::from(layer.kind.is_slowed_by_any(&ids)) << index
        })
    }
}
