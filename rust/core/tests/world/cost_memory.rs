//! The memory of costs: blocks that share theirs, and arrays only where whole maps are solved.

use crate::common::crowds::tiled;
use crate::common::unit_grid;
use crate::slices::{goal_in, other_costs, updates_until_there};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::{CostField, CostOverlay, MovementType};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;

const SIZE: i32 = 768;

fn world_of_open_ground() -> FlowWorld {
    let mut world = FlowWorld::new(
        unit_grid(&open(SIZE as usize, SIZE as usize)),
        Workers::serial(),
    );
    world.set_walking_cells(2_000);
    world
}

/// Whether a movement type's costs take less than half of what arrays take.
fn are_shared(world: &FlowWorld) -> bool {
    let costs = world.costs(0);
    costs.bytes() < costs.cell_count()
}

fn wall(world: &mut FlowWorld, low: IVec2) {
    let high = low + IVec2::new(3, 20);
    world
        .set_terrain_rect(CellRect { low, high }, 255)
        .expect("inside");
}

/// Everything that a game does with goals in tiles, and with maps that no whole field is built on.
#[test]
fn nothing_but_whole_fields_needs_arrays() {
    let mut world = world_of_open_ground();
    let goal = tiled(&mut world, Vec2::splat(300.5));
    let from = Vec2::splat(20.5);
    for tick in 0..60 {
        world.request_route(goal, 0, from).expect("known");
        world.update();
        let what = ["walk", "wall", "overlay", "kind", "none"][tick % 5];
        match what {
            "walk" => world.move_goal(goal, &[Vec2::splat(300.5 + tick as f32 * 0.3)]),
            "wall" => {
                wall(&mut world, IVec2::splat(30 + 4 * tick as i32));
                Ok(())
            }
            "overlay" => {
                let overlay = CostOverlay::circle(8.0, 40).expect("in range");
                world
                    .add_cost_overlay(Vec2::splat(100.5), &overlay)
                    .map(drop)
            }
            "kind" => world.set_movement_types(&[match tick % 2 {
                0 => other_costs(),
                _ => MovementType::default(),
            }]),
            _ => Ok(()),
        }
        .expect("valid");
        assert!(are_shared(&world), "{what} in update {tick}");
    }
    let to = Vec2::splat(250.5);
    let cost = world.cost_to_goal(goal, from, 0).expect("known");
    assert!(cost.is_some_and(|cost| cost > 390.0), "{cost:?}");
    assert_eq!(world.is_reachable(from, to, 0), Ok(true));
    assert!(!world.path_from(goal, from, 0).expect("known").is_empty());
    assert!(world.island_map(0).expect("known").contains(&Some(0)));
    assert!(!world.closed_map(0).expect("known").is_empty());
    assert!(!world.reach(from, 10.0, 0).expect("known").is_empty());
    assert_eq!(world.cost(IVec2::splat(200), 0), Ok(1));
    assert!(are_shared(&world), "queries");
    let snapshot = world.snapshot();
    wall(&mut world, IVec2::new(200, 100));
    world.update();
    world.restore(&snapshot).expect("its own");
    let saved = world.save_state().expect("nothing runs in the background");
    assert!(world.world_hash().is_ok());
    world.load_state(&saved).expect("its own");
    assert!(are_shared(&world), "saves");
    let tiles = world.save_tiles();
    world.load_tiles(&tiles).expect("its own");
    assert!(are_shared(&world), "saved tiles");
}

#[test]
fn whole_fields_get_arrays_and_keep_them_over_edits() {
    let mut world = world_of_open_ground();
    world.set_update_cells(20_000);
    let goal = goal_in(&mut world, GoalMode::Full);
    world.require(goal, 0).expect("known");
    world.update();
    assert!(
        are_shared(&world),
        "rows are copied with those that are cleared"
    );
    for edit in 0..60 {
        wall(&mut world, IVec2::splat(30 + 4 * edit));
        world.update();
    }
    assert!(world.field(goal, 0).is_some());
    let costs = world.costs(0);
    assert!(costs.bytes() >= 2 * costs.cell_count());
    let anew = world.terrain().clone();
    let anew = CostField::new(world.grid(), &anew, &MovementType::default());
    assert!(costs.costs() == anew.costs() && costs.steps() == anew.steps());
}

#[test]
fn arrays_are_beside_the_blocks_which_snapshots_share() {
    let mut world = world_of_open_ground();
    world.set_update_cells(20_000);
    let goal = goal_in(&mut world, GoalMode::Full);
    world.require(goal, 0).expect("known");
    updates_until_there(&mut world, goal);
    let costs = world.costs(0);
    let blocks = CostField::new(world.grid(), world.terrain(), &MovementType::default());
    let arrays = 2 * costs.cell_count();
    assert_eq!(costs.bytes(), arrays + blocks.bytes());
    let place = costs.costs().as_ptr();
    // Far from the goal, so that the field is repaired.
    let snapshot = world.snapshot();
    let far = IVec2::splat(SIZE - 5);
    world.set_terrain(far, 255).expect("inside");
    world.update();
    assert_eq!(world.costs(0).costs().as_ptr(), place, "no array is copied");
    let bytes = world.snapshot_bytes(std::iter::once(&snapshot));
    assert!(bytes < arrays / 20, "{bytes} bytes");
    world.restore(&snapshot).expect("the same settings");
    assert_eq!(world.costs(0).costs().as_ptr(), place, "nor is one made");
    assert_eq!(world.costs(0).costs(), blocks.costs());
}

#[test]
fn a_snapshot_counts_the_blocks_alone_that_an_edit_has_changed() {
    let mut world = world_of_open_ground();
    // Its blocks are not those of all clear ground.
    world.set_terrain(IVec2::splat(202), 255).expect("inside");
    world.update();
    let snapshot = world.snapshot();
    assert_eq!(world.snapshot_bytes(std::iter::once(&snapshot)), 0);
    world.set_terrain(IVec2::splat(200), 255).expect("inside");
    world.update();
    // One block of terrain, one of costs and one of legal steps.
    let bytes = world.snapshot_bytes(std::iter::once(&snapshot));
    assert!((3 * 1024..=8 * 1024).contains(&bytes), "{bytes}");
}
