//! Cost overlays: their cells cost more for as long as they are there, and nothing else changes.
//!
//! Order of reading: `model` (what a cell should cost), `game` (random edits, and what is compared), this file.

#[path = "../common/mod.rs"]
mod common;

mod game;
mod model;

use common::world_of;
use flow_swarm::IVec2;
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::grid::Grid;
use flow_swarm::movement::{CostOverlay, MAX_FADING, MovementType, OverlayId};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm_bench::maps::{WALL, open};
use game::Game;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Costs are those of the ground, the crowd and all overlays, each computed by itself; fields and tiles are those
    /// of ground that costs as much; islands are those without overlays.
    #[test]
    fn costs_and_fields_are_those_of_all_overlays_together(seed in any::<u64>()) {
        let mut game = Game::new(seed);
        for turn in 0..30 {
            game.play();
            if turn % 2 == 0 {
                game.check_costs();
            }
            if turn % 10 == 9 {
                game.check_fields();
            }
        }
        game.remove_all();
    }
}

fn circle(radius: f32, cost: i64) -> CostOverlay {
    CostOverlay::circle(radius, cost).expect("in range")
}

/// A room with a wall that has a near door and a far one, and positions on both sides.
fn two_doors() -> (FlowWorld, Vec2, Vec2) {
    let mut map = open(40, 30);
    for y in (0..30).filter(|y| !(5..9).contains(y) && !(20..24).contains(y)) {
        let cell = map.index(20, y);
        map.cost[cell] = WALL;
    }
    let world = world_of(&map, Workers::serial());
    (world, Vec2::new(3.5, 7.5), Vec2::new(36.5, 7.5))
}

#[test]
fn paths_take_the_longer_safe_way_until_the_danger_has_faded() {
    for mode in [GoalMode::Full, GoalMode::Tiled] {
        let (mut world, start, target) = two_doors();
        let goal = world.create_goal_with_mode(&[target], &[0.0], mode);
        let goal = goal.expect("inside");
        let door = |world: &mut FlowWorld| {
            let path = world.path_from(goal, start, 0).expect("known");
            let crossing = path.windows(2).find(|pair| pair[1].x > 20.5);
            crossing.expect("it leads through the wall")[1].y
        };
        assert!(door(&mut world) < 12.0);
        let fire = circle(6.0, 20).with_fading(4.0).expect("in range");
        let fire = world.add_cost_overlay(Vec2::new(20.5, 7.0), &fire);
        let fire = fire.expect("inside");
        assert!(door(&mut world) > 18.0, "{mode:?}");
        world.update();
        assert!(door(&mut world) > 18.0, "{mode:?}, after an update");
        // It moves to the other door, with the rest of its time.
        world.fade_cost_overlays(1.5).expect("in range");
        let moved = world.move_cost_overlay(fire, Vec2::new(20.5, 22.0));
        moved.expect("inside");
        assert!(door(&mut world) < 12.0, "{mode:?}");
        world
            .move_cost_overlay(fire, Vec2::new(20.5, 7.0))
            .expect("inside");
        assert!(door(&mut world) > 18.0, "{mode:?}");
        world.fade_cost_overlays(2.5).expect("in range");
        assert!(door(&mut world) < 12.0, "{mode:?}: it has faded");
        assert!(!world.has_cost_overlay(fire));
        assert_eq!(world.cost_overlay_ids().count(), 0);
    }
}

#[test]
fn costs_fall_in_four_equal_steps() {
    let mut world = world_of(&open(9, 9), Workers::serial());
    let at = Vec2::splat(4.5);
    let fading = circle(0.0, 100).with_fading(2.0).expect("in range");
    let id = world.add_cost_overlay(at, &fading).expect("inside");
    let mut costs = Vec::new();
    for _ in 0..9 {
        world.update();
        costs.push(world.costs(0).cost_at(IVec2::splat(4)));
        world.fade_cost_overlays(0.25).expect("in range");
    }
    assert_eq!(costs, [101, 101, 76, 76, 51, 51, 26, 26, 1]);
    assert!(matches!(
        world.remove_cost_overlay(id),
        Err(Error::UnknownId { .. })
    ));
    // An overlay that fades in no time at all, and a time in which any overlay fades.
    let short = circle(0.0, 100)
        .with_fading(f64::MIN_POSITIVE)
        .expect("in range");
    let long = circle(0.0, 9).with_fading(MAX_FADING).expect("in range");
    let still = circle(0.0, 2);
    for overlay in [short, long, still] {
        world.add_cost_overlay(at, &overlay).expect("inside");
    }
    world.fade_cost_overlays(0.25).expect("in range");
    world.update();
    assert_eq!(world.costs(0).cost_at(IVec2::splat(4)), 12);
    world.fade_cost_overlays(MAX_FADING).expect("in range");
    world.update();
    assert_eq!(world.costs(0).cost_at(IVec2::splat(4)), 3);
}

/// Fields are not repaired in every tick in which overlays fade, but at most four times a second.
#[test]
fn fields_change_only_with_the_steps() {
    let (mut world, _, target) = two_doors();
    let goal = world.create_goal(&[target]).expect("inside");
    world.require(goal, 0).expect("known");
    let built = |world: &FlowWorld| {
        let stats = world.build_stats();
        stats.full_solves + stats.repairs
    };
    let before = built(&world);
    let fire = circle(3.0, 8).with_fading(1.0).expect("in range");
    world
        .add_cost_overlay(Vec2::splat(9.5), &fire)
        .expect("inside");
    let mut reports = 0;
    for _ in 0..90 {
        reports += usize::from(world.update().surcharges);
        world.fade_cost_overlays(1.0 / 60.0).expect("in range");
    }
    assert_eq!(built(&world), before + 5, "added, and four steps");
    assert_eq!(reports, 5);
    // One is added in each tick of three seconds.
    let fire = circle(3.0, 4).with_fading(1.0).expect("in range");
    let mut fields = 0;
    for tick in 0..420 {
        if tick < 180 {
            world
                .add_cost_overlay(Vec2::splat(9.5), &fire)
                .expect("inside");
            world.update();
        }
        let before = built(&world);
        world.fade_cost_overlays(1.0 / 60.0).expect("in range");
        world.update();
        fields += built(&world) - before;
    }
    assert!((12..=17).contains(&fields), "{fields} in four seconds");
    assert_eq!(world.cost_overlay_ids().count(), 0);
}

#[test]
fn only_the_movement_types_it_names_mind_it() {
    let mut world = world_of(&open(9, 9), Workers::serial());
    let kinds = vec![MovementType::default(); 3];
    world.set_movement_types(&kinds).expect("few");
    let at = Vec2::splat(4.5);
    let (first, all) = (circle(0.0, 5).with_movement_types(0b101), circle(0.0, 30));
    world.add_cost_overlay(at, &first).expect("inside");
    world.add_cost_overlay(at, &all).expect("inside");
    // A movement type that is added later minds those that concern all.
    world
        .set_movement_types(&vec![MovementType::default(); 4])
        .expect("few");
    world.update();
    let costs = |world: &FlowWorld| {
        let cell = IVec2::splat(4);
        (0..4)
            .map(|movement| world.costs(movement).cost_at(cell))
            .collect::<Vec<_>>()
    };
    assert_eq!(costs(&world), [36, 31, 36, 31]);
    for (bits, is_known) in [
        (0, false),
        (16, false),
        (15, true),
        (8, true),
        (u64::MAX, true),
    ] {
        let added = world.add_cost_overlay(at, &circle(0.0, 1).with_movement_types(bits));
        assert_eq!(added.is_ok(), is_known, "{bits}");
    }
    let refused = world.add_cost_overlay(at, &circle(0.0, 1).with_movement_types(16));
    let text = refused.expect_err("unknown").to_string();
    assert_eq!(
        text,
        "movement_types, unless -1, must be from 1 to 15, not 16"
    );
    // With 64 movement types there are no unknown ones.
    world
        .set_movement_types(&vec![MovementType::default(); 64])
        .expect("few");
    for bits in [1 << 63, u64::MAX - 1] {
        let added = world.add_cost_overlay(at, &circle(0.0, 1).with_movement_types(bits));
        assert!(added.is_ok(), "{bits}");
    }
    assert!(
        world
            .add_cost_overlay(at, &circle(0.0, 1).with_movement_types(0))
            .is_err()
    );
}

#[test]
fn ten_thousand_overlays_add_up_and_leave_nothing() {
    let map = open(128, 128);
    let mut world = world_of(&map, Workers::serial());
    let goal = world.create_goal(&[Vec2::splat(99.5)]).expect("inside");
    world.require(goal, 0).expect("known");
    let plain = world.costs(0).to_bytes();
    let mut ids = Vec::new();
    for number in 0..10_000_u16 {
        let at = Vec2::new(f32::from(number % 100), f32::from(number / 100));
        let overlay = circle(3.0, i64::from(number % 5) + 1);
        ids.push(world.add_cost_overlay(at, &overlay).expect("inside"));
    }
    world.update();
    // 32 circles, each with 3 on average.
    let cost = world.costs(0).cost_at(IVec2::splat(50));
    assert!((94..102).contains(&cost), "{cost}");
    for id in ids {
        world.remove_cost_overlay(id).expect("there");
    }
    world.update();
    assert!(world.costs(0).to_bytes() == plain);
    // All over one cell.
    for _ in 0..10_000 {
        world
            .add_cost_overlay(Vec2::splat(20.5), &circle(5.0, 253))
            .expect("inside");
    }
    world.update();
    assert_eq!(world.costs(0).cost_at(IVec2::splat(20)), 254);
    world.clear_cost_overlays();
    world.update();
    assert!(world.costs(0).to_bytes() == plain);
    let field = world.field(goal, 0).expect("built");
    let mut anew = world_of(&map, Workers::serial());
    let same = anew.create_goal(&[Vec2::splat(99.5)]).expect("inside");
    let expected = anew.whole_field(same, 0).expect("known").expect("built");
    assert_eq!(field.integration.stored(), expected.integration.stored());
}

#[test]
fn walls_stay_walls_and_lines_of_sight_end_at_danger_in_between() {
    let (mut world, start, target) = two_doors();
    let goal = world.create_goal(&[target]).expect("inside");
    let sees = |world: &mut FlowWorld, from: Vec2| world.has_line_of_sight(goal, from, 0);
    assert_eq!(sees(&mut world, start), Ok(true));
    let size = Vec2::new(4.0, 30.0);
    let strip = CostOverlay::rect(size, 9).expect("in range");
    let id = world
        .add_cost_overlay(Vec2::new(18.0, 0.0), &strip)
        .expect("inside");
    assert_eq!(sees(&mut world, start), Ok(false), "it lies between");
    assert_eq!(
        sees(&mut world, Vec2::new(19.5, 7.5)),
        Ok(true),
        "out of it"
    );
    assert_eq!(world.costs(0).cost_at(IVec2::new(20, 0)), WALL);
    assert_eq!(world.costs(0).cost_at(IVec2::new(20, 7)), 10);
    world
        .move_cost_overlay(id, Vec2::new(35.0, 0.0))
        .expect("inside");
    assert_eq!(sees(&mut world, start), Ok(true), "the target is in it");
}

#[test]
fn saved_tiles_are_those_of_the_same_overlays() {
    let (mut world, start, target) = two_doors();
    let goal = world.create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled);
    world
        .request_route(goal.expect("inside"), 0, start)
        .expect("inside");
    let fire = circle(4.0, 9);
    let id = world.add_cost_overlay(start, &fire).expect("inside");
    world.update();
    let bytes = world.save_tiles();
    assert!(world.load_tiles(&bytes).is_ok_and(|tiles| tiles > 0));
    world.remove_cost_overlay(id).expect("there");
    let refused = world
        .load_tiles(&bytes)
        .expect_err("other costs")
        .to_string();
    assert!(refused.contains("cost overlays"), "{refused}");
    world.add_cost_overlay(start, &fire).expect("inside");
    assert!(world.load_tiles(&bytes).is_ok());
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let bad = [-0.1, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    for number in bad {
        assert!(CostOverlay::circle(number, 5).is_err(), "{number}");
        let sizes = [Vec2::new(number, 1.0), Vec2::new(1.0, number)];
        assert!(
            sizes
                .iter()
                .all(|&size| CostOverlay::rect(size, 5).is_err()),
            "{number}"
        );
        let seconds = f64::from(number);
        assert!(circle(1.0, 5).with_fading(seconds).is_err(), "{number}");
    }
    assert!(circle(1.0, 5).with_fading(2.0 * MAX_FADING).is_err());
    for cost in [0, -1, 254, i64::MAX, i64::MIN] {
        assert!(CostOverlay::circle(1.0, cost).is_err(), "{cost}");
        assert!(CostOverlay::rect(Vec2::ONE, cost).is_err(), "{cost}");
    }
    for (size, length) in [
        ((0, 1), 0),
        ((1, -1), 1),
        ((2, 2), 3),
        ((i32::MAX, i32::MAX), 4),
    ] {
        let costs = vec![1; length];
        assert!(CostOverlay::block(size.into(), &costs).is_err(), "{size:?}");
    }
    assert!(CostOverlay::block(IVec2::ONE, &[254]).is_err());

    let mut world = world_of(&open(8, 6), Workers::serial());
    let id = world
        .add_cost_overlay(Vec2::splat(2.5), &circle(1.0, 5))
        .expect("inside");
    world.update();
    let before = world.costs(0).to_bytes();
    let outside = [
        Vec2::new(-3.0, 2.0),
        Vec2::new(2.0, 9.0),
        Vec2::splat(f32::MAX),
        Vec2::splat(f32::MIN),
        Vec2::new(f32::NAN, 1.0),
        Vec2::new(1.0, f32::INFINITY),
    ];
    let block = CostOverlay::block(IVec2::new(2, 2), &[7; 4]).expect("valid");
    let rect = CostOverlay::rect(Vec2::new(2.0, 2.0), 7).expect("in range");
    for at in outside {
        for overlay in [&circle(1.0, 5), &block, &rect] {
            assert!(
                world.add_cost_overlay(at, overlay).is_err(),
                "{overlay:?} at {at}"
            );
        }
        assert!(world.move_cost_overlay(id, at).is_err(), "{at}");
    }
    for seconds in [-1.0e-9, f64::NAN, f64::INFINITY, 2.0 * MAX_FADING] {
        assert!(world.fade_cost_overlays(seconds).is_err(), "{seconds}");
    }
    for unknown in [0, -1, 2, i64::MAX].map(OverlayId) {
        assert!(world.remove_cost_overlay(unknown).is_err());
        assert!(world.move_cost_overlay(unknown, Vec2::ONE).is_err());
        assert!(!world.has_cost_overlay(unknown));
    }
    world.update();
    assert_eq!(world.costs(0).to_bytes(), before);
    assert!(world.cost_overlay_ids().eq([id]));
    let text = world.add_cost_overlay(Vec2::new(-3.0, 2.0), &rect);
    let text = text.expect_err("outside").to_string();
    assert_eq!(
        text,
        "a cost overlay at (-3, 2) covers no cell of the grid, which spans (0, 0) to (8, 6)"
    );
    let next = world.add_cost_overlay(Vec2::ONE, &rect);
    assert_eq!(next, Ok(OverlayId(id.0 + 1)), "what was refused used no id");
}

/// Sizes and positions at the ends of what numbers can be.
#[test]
fn overlays_larger_than_the_map_cover_all_of_it() {
    let grid = Grid::layered(IVec2::new(7, 5), 1.0, Vec2::ZERO, 2).expect("valid");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let at = |layer| grid.layers().place(Vec2::splat(2.0), layer);
    world
        .add_cost_overlay(at(1), &circle(f32::MAX, 6))
        .expect("inside");
    let all = CostOverlay::rect(Vec2::splat(f32::MAX), 20).expect("in range");
    let corner = grid.layers().place(Vec2::splat(-1.0), 0);
    world.add_cost_overlay(corner, &all).expect("inside");
    world.update();
    for index in 0..grid.cell_count() {
        let cell = grid.cell(index);
        let expected = match grid.layers().of_row(cell.y as u32) {
            Some(0) => 21,
            Some(_) => 7,
            None => WALL,
        };
        assert_eq!(world.costs(0).cost_at(cell), expected, "{cell}");
    }
}
