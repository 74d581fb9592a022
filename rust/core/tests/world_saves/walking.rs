//! Saves while a goal walks on a large map, where near, middle, former middle and far fields lead one to the next.

use crate::common::walking::{age, followed, on_the_way_to_the_road, world_with_a_road};
use flow_swarm::world::FlowWorld;

/// At each of these ticks another number of former middle fields is in use.
const SAVED_AT: [u32; 3] = [140, 155, 170];

#[test]
fn a_world_whose_goal_walks_on_a_large_map_goes_on_as_it_was() {
    let mut world = world_with_a_road();
    let goal = followed(&mut world, &[on_the_way_to_the_road(0)]);
    let mut loaded: Vec<FlowWorld> = Vec::new();
    for tick in 1..240 {
        for world in loaded.iter_mut().chain([&mut world]) {
            world
                .move_goal(goal, &[on_the_way_to_the_road(tick)])
                .expect("inside");
            world.update();
        }
        let hash = world.world_hash().expect("not in the background");
        for copy in &mut loaded {
            assert_eq!(copy.world_hash(), Ok(hash), "tick {tick}");
            assert_eq!(age(copy, goal), Some(0), "tick {tick}");
        }
        if SAVED_AT.contains(&tick) {
            let mut copy = world_with_a_road();
            let bytes = world.save_state().expect("not in the background");
            copy.load_state(&bytes).expect("just saved");
            loaded.push(copy);
        }
    }
}
