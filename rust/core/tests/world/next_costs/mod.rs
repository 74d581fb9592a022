//! Costs that are written in slices: the old ones stay in use as a whole, and then all are those that a world without a
//! limit writes at once.

mod any_edits;
mod chains;
mod local;
mod saves;
mod terrains;
mod types;

use flow_swarm::movement::CostField;
use flow_swarm::world::FlowWorld;

/// All that a cost field tells of its cells.
pub fn told(costs: &CostField) -> (Vec<[u8; 4]>, [usize; 2], [u8; 2]) {
    let cells = costs.costs().iter().zip(costs.steps()).enumerate();
    let cells = cells.map(|(index, (&cost, &steps))| {
        let cell = costs.cell(index);
        let walls = u8::from(costs.is_wall_at(index)) | u8::from(costs.is_obstacle(cell)) << 1;
        [cost, steps, walls, costs.plain_cost_at(cell)]
    });
    let counts = [costs.open_cell_count(), costs.wall_count()];
    let extremes = [costs.cheapest(), costs.dearest()];
    (cells.collect(), counts, extremes)
}

/// Updates until nothing waits. Returns how many updates that took.
pub fn settle(world: &mut FlowWorld) -> usize {
    let mut updates = 0;
    while world.has_slices_left() {
        assert!(updates < 2_000, "it is never finished");
        world.update();
        updates += 1;
    }
    updates
}

/// Another terrain of the same size as in [`pair`].
pub fn paint(world: &mut FlowWorld) {
    let ids = world.terrain().to_bytes();
    let ids: Vec<u8> = ids.iter().rev().copied().collect();
    world.set_terrain_bytes(&ids).expect("as large");
}
