//! The memory that snapshots take beside their world.

use crate::movement::CostField;
use crate::route::PortalGraph;
use crate::terrain::Terrain;
use crate::world::FlowWorld;
use crate::world::former_terrain::FormerTerrains;
use crate::world::goal::Goals;
use crate::world::movement_layer::MovementLayer;
use crate::world::snapshot::WorldSnapshot;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The sum of the bytes of parts, of each once however many share it.
#[derive(Default)]
struct Parts {
    /// By their addresses, of which nothing but equality is read.
    seen: BTreeSet<usize>,
    bytes: usize,
}

impl Parts {
    fn add<T: ?Sized>(&mut self, part: &Arc<T>, bytes: impl FnOnce(&T) -> usize) {
        if self.seen.insert(Arc::as_ptr(part).cast::<u8>() as usize) {
            self.bytes += bytes(part);
        }
    }

    fn add_at(&mut self, address: usize, bytes: usize) {
        if self.seen.insert(address) {
            self.bytes += bytes;
        }
    }

    fn add_costs(&mut self, costs: &Arc<CostField>) {
        if self.seen.insert(Arc::as_ptr(costs) as usize) {
            costs.each_part(|address, bytes| {
                if self.seen.insert(address) {
                    self.bytes += bytes;
                }
            });
        }
    }

    fn add_state<'a>(
        &mut self,
        (terrain, former): (&Terrain, &FormerTerrains),
        layers: &[MovementLayer],
        goals: &Goals,
        graphs: impl Iterator<Item = &'a Arc<PortalGraph>>,
    ) {
        for terrain in [terrain].into_iter().chain(former.terrains()) {
            for block in terrain.blocks() {
                self.add(block, size_of_val);
            }
        }
        for layer in layers {
            self.add_costs(&layer.costs);
            layer.islands.each_part(|address, bytes| {
                if self.seen.insert(address) {
                    self.bytes += bytes;
                }
            });
        }
        for goal in goals.by_id.values() {
            let slots = goal.fields.iter().flatten();
            for slot in slots {
                if let Some(field) = &slot.field {
                    self.add(&field.integration, |costs| costs.bytes());
                    self.add(&field.flow, |flow| flow.bytes());
                }
                if let Some(past) = &slot.past {
                    past.arrays
                        .each_part(|address, bytes| self.add_at(address, bytes));
                }
            }
            for slot in goal.tiled.iter().flatten() {
                slot.each_state(|state| self.add(state, |state| state.bytes()));
            }
        }
        for graph in graphs {
            self.add(graph, |graph| graph.bytes());
        }
    }
}

impl FlowWorld {
    /// The bytes of the largest parts that snapshots hold and the world does not, each once: terrain, costs, islands,
    /// and the fields, routes and graphs of goals. Tiles are in the cache ([`Self::memory_bytes`]).
    ///
    /// Linear in the sectors of the map, goals and movement types, for each snapshot.
    #[must_use]
    pub fn snapshot_bytes<'a>(&self, snapshots: impl Iterator<Item = &'a WorldSnapshot>) -> usize {
        let mut parts = Parts::default();
        let graphs = self.tiling.graphs();
        let terrain = (&self.terrain, &self.former);
        parts.add_state(terrain, &self.layers, &self.goals, graphs);
        let own = parts.bytes;
        for snapshot in snapshots {
            let WorldSnapshot {
                terrain,
                former,
                layers,
                goals,
                tiling,
                ..
            } = snapshot;
            parts.add_state((terrain, former), layers, goals, tiling.graphs());
        }
        parts.bytes - own
    }
}
