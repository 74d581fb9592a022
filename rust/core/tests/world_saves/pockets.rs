//! Walls that cut a pocket off far from all routes change the level above the portal graph, whose estimates routes
//! keep.

use crate::common::{crowds::tiled, world_of};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::BLOCKED;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, QueryStatus};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;

/// With sectors of the least size the map has a level above.
const SIZE: i32 = 512;
const START: Vec2 = Vec2::splat(SIZE as f32 - 15.0);
/// In the corner of the map, in the cluster of the start.
const IN_POCKET: Vec2 = Vec2::splat(SIZE as f32 - 0.5);

/// A world with a route across the map.
fn with_a_route() -> (FlowWorld, GoalId) {
    let mut world = world_of(&open(SIZE as usize, SIZE as usize), Workers::serial());
    world.set_sector_size(4).expect("in range");
    let goal = tiled(&mut world, Vec2::ONE);
    world.request_route(goal, 0, START).expect("known");
    settle(&mut world, goal, START);
    (world, goal)
}

fn settle(world: &mut FlowWorld, goal: GoalId, at: Vec2) {
    for _ in 0..2000 {
        world.update();
        if !world.has_slices_left() && world.query_status(goal, at, 0) == Ok(QueryStatus::Ok) {
            return;
        }
    }
    panic!("it is never ready");
}

/// Builds walls around two sectors in the corner of the map.
fn wall_up(world: &mut FlowWorld) {
    let around = CellRect {
        low: IVec2::new(SIZE - 8, SIZE - 3),
        high: IVec2::splat(SIZE),
    };
    let pocket = CellRect {
        low: around.low + 1,
        high: around.high,
    };
    world.set_terrain_rect(around, BLOCKED).expect("inside");
    world.set_terrain_rect(pocket, 1).expect("inside");
}

#[test]
fn a_world_can_be_loaded_after_walls_made_a_pocket() {
    // With a limit the graph of the walls is made in slices.
    for cells in [0, 40] {
        let (mut world, goal) = with_a_route();
        world.set_update_cells(cells);
        wall_up(&mut world);
        settle(&mut world, goal, START);
        let saved = world.save_state().expect("not in the background");
        let (mut loaded, _) = with_a_route();
        loaded.set_update_cells(cells);
        loaded.load_state(&saved).expect("its own save");
        for world in [&mut world, &mut loaded] {
            assert_eq!(world.request_route(goal, 0, IN_POCKET), Ok(false));
            world.update();
        }
        assert_eq!(world.world_hash(), loaded.world_hash());
    }
}
