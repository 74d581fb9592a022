//! Storeys that agents walk between are the same after a load.

use flow_swarm::grid::Grid;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::movement::{Clearance, MovementType};
use flow_swarm::terrain::WALL;
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};

const SIZE: IVec2 = IVec2::new(24, 15);
/// The first column of the upper floor. The lower one ends before it.
const MIDDLE: i32 = 12;

/// A floor that is on layer 0 in the west and on layer 1 in the east.
fn split_floor() -> FlowWorld {
    let grid = Grid::layered(SIZE, 1.0, Vec2::ZERO, 2).expect("small");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let wide = MovementType::default().with_clearance(Clearance::new(1.7).expect("in range"));
    let kinds = [MovementType::default(), wide];
    world.set_movement_types(&kinds).expect("two");
    for (x, y) in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| (x, y))) {
        let empty = i64::from(x < MIDDLE);
        let place = world.grid().place_of(IVec2::new(x, y), empty);
        world
            .set_terrain(place.expect("inside"), WALL)
            .expect("inside");
    }
    world
}

fn join(world: &mut FlowWorld, rows: impl Iterator<Item = i32>) {
    let place = |x, y, layer| {
        let place = world.grid().place_of(IVec2::new(x, y), layer);
        place.expect("inside")
    };
    let links: Vec<Link> = rows
        .map(|y| Link {
            from: place(MIDDLE - 1, y, 0),
            to: place(MIDDLE, y, 1),
            cost: 1.0,
            both_ways: true,
            travel: Travel::Walk,
        })
        .collect();
    world.add_links(&links).expect("valid");
}

/// For each movement type and cell its cost, and whether discs must not touch it.
fn ground_of(world: &FlowWorld) -> Vec<(u8, bool)> {
    let mut ground = Vec::new();
    for movement in 0..2 {
        let costs = world.costs(movement);
        for index in 0..world.grid().cell_count() {
            let cell = world.grid().cell(index);
            ground.push((costs.cost_at(cell), costs.is_obstacle(cell)));
        }
    }
    ground
}

fn reloaded(world: &FlowWorld) -> FlowWorld {
    let mut loaded = split_floor();
    let saved = world.save_state().expect("nothing is in its way");
    loaded.load_state(&saved).expect("its own save");
    loaded
}

#[test]
fn discs_reach_over_the_same_walls_after_a_load() {
    let mut world = split_floor();
    world.update();
    let parted = ground_of(&world);
    join(&mut world, 3..12);
    world.update();
    let joined = ground_of(&world);
    assert_ne!(parted, joined);
    assert_eq!(ground_of(&reloaded(&world)), joined);
}

#[test]
fn seams_that_no_update_has_seen_are_applied_after_a_load() {
    let mut world = split_floor();
    world.update();
    join(&mut world, 3..9);
    world.update();
    join(&mut world, 9..12);
    let mut loaded = reloaded(&world);
    assert_eq!(ground_of(&loaded), ground_of(&world), "before the update");
    loaded.update();
    world.update();
    assert_eq!(ground_of(&loaded), ground_of(&world));
    let (first, second) = (world.save_state(), loaded.save_state());
    assert!(first == second, "the same state");
}

/// A target on an upper layer has other coordinates in a grid with other rows.
#[test]
fn a_goal_has_the_same_signature_after_a_load_in_another_grid() {
    let mut world = split_floor();
    let cell = world.grid().place_of(IVec2::new(20, 4), 1).expect("inside");
    let target = cell.as_vec2() + 0.5;
    let goal = world.create_goal(&[target]).expect("inside");
    let before = world.goal_signature(goal);
    let grid = Grid::layered(SIZE + IVec2::new(0, 3), 1.0, Vec2::ZERO, 2).expect("small");
    world.set_grid(grid);
    let signature = world.goal_signature(goal);
    assert_ne!(signature, before, "the target is elsewhere");
    let saved = world.save_state().expect("nothing hinders");
    world.load_state(&saved).expect("its own state");
    assert_eq!(world.goal_signature(goal), signature);
}
