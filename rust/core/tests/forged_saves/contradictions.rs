//! Saved worlds with single values that contradict others: what the next update would not make good, or would do
//! otherwise after another save, is refused.

use crate::worlds::{HEAD, PART, tick, world};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::world::{FlowWorld, GoalMode, TileVariant};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::saved_bytes::{Unpacked, signed};

/// Goals do not walk in it.
fn still_world() -> FlowWorld {
    let mut world = world(TileVariant::Seamless);
    world.set_walking_cells(0);
    world
}

/// The place of the last occurrence of some bytes.
fn place_of(body: &[u8], bytes: &[u8]) -> usize {
    let found = body.windows(bytes.len()).rposition(|found| found == bytes);
    found.expect("it is saved")
}

/// Why a new world refuses a save with these bytes instead of others.
fn refusal(world: &FlowWorld, new: impl Fn() -> FlowWorld, (at, bytes): (usize, &[u8])) -> String {
    let saved = world.save_state().expect("nothing hinders");
    new().load_state(&saved).expect("as saved");
    let save = Unpacked::from_saved(&saved, HEAD);
    let mut body = save.body.clone();
    body[at..at + bytes.len()].copy_from_slice(bytes);
    let loaded = new().load_state(&signed(save.packed(&body)));
    loaded.expect_err("forged").to_string()
}

fn body_of(world: &FlowWorld) -> Vec<u8> {
    let saved = world.save_state().expect("nothing hinders");
    Unpacked::from_saved(&saved, HEAD).body
}

fn bytes_of(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|it| it.to_le_bytes()).collect()
}

/// What the next update would not make good, or would do otherwise after another save, is refused.
#[test]
fn what_would_not_outlive_another_save_is_refused() {
    let mut world = still_world();
    let tiled = world.create_goal_with_mode(&[Vec2::new(60.5, 45.5)], &[0.0], GoalMode::Tiled);
    let full = world.create_goal(&[Vec2::new(37.5, 41.5)]).expect("inside");
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[AgentType::default()]).expect("valid");
    for (group, goal) in (0..).zip([tiled.expect("inside"), full]) {
        let place = [Vec2::new(5.5, 5.5)];
        swarm.spawn(&world, &place, 0, group).expect("inside");
        swarm.set_group_goal(group, Some(goal)).expect("a group");
    }
    tick(&mut world, &mut swarm);
    // An edit that waits, at another place than the costs that it has not changed yet.
    world.set_terrain(IVec2::new(31, 22), 9).expect("inside");
    let body = body_of(&world);
    let at = place_of(&body, &bytes_of(&[1, 31, 22, 32, 23]));
    let elsewhere = bytes_of(&[1, 3, 44, 4, 45]);
    let reason = refusal(&world, still_world, (at, &elsewhere));
    assert!(
        reason.contains("costs that no update would make"),
        "{reason}"
    );
    tick(&mut world, &mut swarm);
    // A field that leads to another cell than its goal.
    let body = body_of(&world);
    let at = place_of(&body, &bytes_of(&[1, 37, 41]));
    let reason = refusal(&world, still_world, (at, &bytes_of(&[1, 37, 40])));
    assert!(
        reason.contains("a field that the next update solves again"),
        "{reason}"
    );
    // Routes whose estimates are too high for the ground: cheapest and dearest cost, and the weight of estimates.
    let at = place_of(&body, &[1, 9, 100, 0, 0, 0, 0, 0, 0, 0]);
    let reason = refusal(&world, still_world, (at, &[5]));
    assert!(
        reason.contains("routes and tiles that make no sense"),
        "{reason}"
    );
}

/// A world in whose updates portal graphs are renewed in slices. All ground but walls has this cost.
fn sliced_world(cost: u8) -> FlowWorld {
    let mut world = still_world();
    world.set_update_cells(400);
    world.set_movement_types(&[even(cost)]).expect("one");
    world
}

fn even(cost: u8) -> MovementType {
    let mut table = [cost; 256];
    table[255] = 255;
    MovementType::new(&table, WallPenalty::default()).expect("in range")
}

/// A sliced world of cost 1 with the portal graph that agents of a tiled goal need.
fn world_with_graph() -> (FlowWorld, Swarm) {
    let mut world = sliced_world(1);
    let goal = world.create_goal_with_mode(&[Vec2::new(60.5, 45.5)], &[0.0], GoalMode::Tiled);
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[AgentType::default()]).expect("valid");
    let place = [Vec2::new(5.5, 5.5)];
    swarm.spawn(&world, &place, 0, 0).expect("inside");
    let goal = goal.expect("inside");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    for _ in 0..90 {
        tick(&mut world, &mut swarm);
    }
    (world, swarm)
}

/// A portal graph of the costs before, and no edit that would have an update renew it.
#[test]
fn graphs_that_no_update_would_renew_are_refused() {
    // Before the first update movement types have their costs at once.
    let mut world = still_world();
    world.set_movement_types(&[even(1)]).expect("one");
    let goal = world.create_goal_with_mode(&[Vec2::new(60.5, 45.5)], &[0.0], GoalMode::Tiled);
    let goal = goal.expect("inside");
    let from = Vec2::new(5.5, 5.5);
    world.request_route(goal, 0, from).expect("inside");
    world.set_update_cells(400);
    world.set_movement_types(&[even(3)]).expect("one");
    // Two revisions, no edits between them, and a graph of the first one, whose costs are one change old.
    let graph = [2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0];
    let at = place_of(&body_of(&world), &graph);
    let reason = refusal(&world, || sliced_world(3), (at + 9, &[1]));
    assert!(reason.contains("no update would renew"), "{reason}");
}

/// The movement type by which costs in use are made, and the rows that are written of the next ones.
#[test]
fn costs_in_slices_that_make_no_sense_are_refused() {
    let mut world = sliced_world(1);
    world.update();
    world.set_movement_types(&[even(3)]).expect("one");
    world.update();
    // All rows are written, and taken over by the next update.
    assert!(world.has_slices_left() && world.costs(0).cheapest() == 1);
    let body = body_of(&world);
    // The end of the cost table, the penalties and the clearance.
    let table = [1, 1, 255, 0, 0, 0, 0, 0, 0, 0, 0];
    let at = place_of(&body, &table);
    // There are next costs, of the type that was set last, and then the rows.
    let rows = at + table.len() + 2;
    assert_eq!(body[rows - 2..rows], [1, 0]);
    let written = body[rows];
    assert!(written > 2 && body[rows + 1..rows + 8] == [0; 7]);
    let forged: [(usize, &[u8], &str); 7] = [
        (at, &[0], "a movement type that makes no sense"),
        (at + 4, &[99], "a wall penalty that makes no sense"),
        (at + 5, &[2], "a wall penalty that makes no sense"),
        (at + 6, &[254], "a movement type that makes no sense"),
        (at + 10, &[0x7f], "a movement type that makes no sense"),
        (rows, &[255], "costs in slices that make no sense"),
        (at - 253, &[3; 255], "costs in slices that make no sense"),
    ];
    for (at, bytes, expected) in forged {
        let reason = refusal(&world, || sliced_world(3), (at, bytes));
        assert!(reason.contains(expected), "{expected}: {reason}");
    }
}

/// An edit that a graph lacks, and of which neither the edits since nor its renewal tell.
#[test]
fn renewals_that_forget_an_edit_are_refused() {
    let (mut world, mut swarm) = world_with_graph();
    let wall = CellRect {
        low: IVec2::new(10, 20),
        high: IVec2::new(62, 21),
    };
    world.set_terrain_rect(wall, 255).expect("inside");
    tick(&mut world, &mut swarm);
    // The states of sectors, in which 4 says that cells inside have changed.
    let body = body_of(&world);
    let is_list = |bytes: &[u8]| {
        let (count, states) = bytes.split_at(4);
        count == [56, 0, 0, 0] && states.iter().all(|&state| state < 8) && states.contains(&7)
    };
    let at = 4 + body.windows(60).rposition(is_list).expect("it is saved");
    let inside = (at..at + 56).filter(|&at| body[at] & 4 != 0);
    let inside: Vec<usize> = inside.collect();
    assert_eq!(inside.len(), 7, "the wall is in so many sectors");
    for at in inside {
        let reason = refusal(&world, || sliced_world(1), (at, &[0]));
        assert!(reason.contains("graph of unknown sectors"), "{reason}");
    }
}

/// Costs and graphs would stay those of the former terrain where that differs and no edit is known.
#[test]
fn all_edits_of_a_former_terrain_are_known() {
    let new = || {
        let mut world = still_world();
        world.set_update_cells(60);
        world
    };
    let mut world = new();
    world.update();
    world.set_terrain_rect(PART, 9).expect("inside");
    world.update();
    assert!(world.has_next_costs());
    let body = body_of(&world);
    let (low, high) = (PART.low, PART.high);
    let known = bytes_of(&[1, low.x, low.y, high.x, high.y]);
    let at = place_of(&body, &known);
    let less = bytes_of(&[1, low.x, low.y, high.x, high.y - 1]);
    let more = bytes_of(&[1, low.x, low.y, high.x, high.y + 1]);
    let reason = refusal(&world, new, (at, &less));
    assert!(reason.contains("former terrains"), "{reason}");
    let saved = world.save_state().expect("nothing hinders");
    let save = Unpacked::from_saved(&saved, HEAD);
    let mut body = save.body.clone();
    body[at..at + more.len()].copy_from_slice(&more);
    let loaded = new().load_state(&signed(save.packed(&body)));
    loaded.expect("more is only more work");
}
