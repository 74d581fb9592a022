//! The memory that a world takes.

use crate::terrain::Terrain;
use crate::world::FlowWorld;
use crate::world::next_costs::NextCosts;

impl FlowWorld {
    /// The bytes of the largest parts: terrain, costs, and the fields, tiles, routes and graphs of goals. Goals that
    /// share data count it once for each.
    ///
    /// Linear in the sectors of the map, tiles, goals and movement types.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let costs = self.layers.iter().map(|layer| {
            let next = layer.next.as_ref().map_or(0, NextCosts::bytes);
            layer.costs.bytes() + next
        });
        let slots = self.goals.by_id.values().flat_map(|goal| &goal.fields);
        let fields = slots.flatten().filter_map(|slot| slot.field.as_deref());
        let fields = fields.map(|field| field.integration.bytes() + field.flow.bytes());
        let tiles = self.tile_memory();
        let former = self.former.terrains().map(Terrain::bytes);
        self.terrain.bytes()
            + former.sum::<usize>()
            + costs.sum::<usize>()
            + fields.sum::<usize>()
            + tiles.cache
            + tiles.graphs
            + tiles.fields
            + tiles.first_tiles
            + tiles.baked
            + tiles.routes
    }
}
