//! Queries of a loaded world answer as those of the saved one.

use crate::common::world_of;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{WALL, open};

const START: Vec2 = Vec2::new(2.5, 20.5);

/// A map in two halves, and a tiled goal in the right one with routes from there.
fn halved() -> (FlowWorld, GoalId) {
    let mut map = open(60, 40);
    for row in map.cost.chunks_mut(60) {
        row[30] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    let target = Vec2::new(55.5, 20.5);
    let goal = world.create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled);
    let goal = goal.expect("inside");
    let start = Vec2::new(40.5, 5.5);
    assert_eq!(world.request_route(goal, 0, start), Ok(true));
    world.update();
    (world, goal)
}

#[test]
fn links_that_no_update_has_seen_are_taken_after_a_load() {
    let (mut world, goal) = halved();
    assert_eq!(world.cost_to_goal(goal, START, 0), Ok(None));
    let link = Link {
        from: IVec2::new(5, 20),
        to: IVec2::new(35, 20),
        cost: 4.0,
        both_ways: false,
        travel: Travel::AtOnce,
    };
    world.add_links(&[link]).expect("inside");
    let saved = world.save_state().expect("nothing is in its way");
    let (mut loaded, _) = halved();
    loaded.load_state(&saved).expect("its own save");
    let by_link = 3.0 + 4.0 + 20.0;
    let cost = loaded.cost_to_goal(goal, START, 0);
    assert_eq!(cost, world.cost_to_goal(goal, START, 0));
    let cost = cost.expect("a goal").expect("a path over the link");
    // Routes lead over the middles of portals.
    assert!((by_link..1.25 * by_link).contains(&cost), "{cost}");
    let other = IVec2::new(20, 5);
    for world in [&mut world, &mut loaded] {
        world.set_terrain(other, 3).expect("inside");
    }
    assert_eq!(
        loaded.cost_to_goal(goal, START, 0),
        world.cost_to_goal(goal, START, 0)
    );
}
