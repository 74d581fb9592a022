//! Whole fields and costs that are changed in place while snapshots share them.

use crate::common::unit_grid;
use flow_swarm::grid::CellRect;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::integrate::Solver;
use flow_swarm::workers::Workers;
use flow_swarm::world::{Field, FlowWorld, GoalId, WorldSnapshot};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;
use proptest::prelude::*;
use std::sync::Arc;

const SIZE: i32 = 90;

fn world() -> FlowWorld {
    let grid = unit_grid(&open(SIZE as usize, SIZE as usize));
    FlowWorld::new(grid, Workers::serial())
}

fn goal_at(world: &mut FlowWorld, at: f32) -> GoalId {
    let goal = world.create_goal(&[Vec2::splat(at)]).expect("inside");
    world.require(goal, 0).expect("known");
    goal
}

fn fill(world: &mut FlowWorld, low: IVec2, size: i32, id: u8) {
    let high = (low + size).min(IVec2::splat(SIZE));
    world
        .set_terrain_rect(CellRect { low, high }, id)
        .expect("inside");
}

/// All that a field says, whatever its parts.
fn all_of(field: &Field) -> (Vec<f32>, Vec<Vec2>, Vec<Special>, Vec<usize>) {
    let cells = (0..SIZE * SIZE).map(|index| IVec2::new(index % SIZE, index / SIZE));
    let special = cells.filter_map(|cell| {
        let special = (
            field.is_goal(cell),
            field.target_in(cell),
            field.link_from(cell),
        );
        (special != (false, None, None)).then_some((cell, special))
    });
    let goals = field.integration.goals().to_vec();
    let (costs, vectors) = (field.to_costs(), field.to_vectors());
    (costs, vectors, special.collect(), goals)
}

/// A cell that is a goal, has a target or begins a link.
type Special = (IVec2, (bool, Option<Vec2>, Option<IVec2>));

fn field(world: &FlowWorld, goal: GoalId) -> &Arc<Field> {
    world.field(goal, 0).expect("built")
}

/// The address of the costs of a field, which stays if they are changed in place.
fn place(world: &FlowWorld, goal: GoalId) -> *const u32 {
    field(world, goal).integration.stored().as_ptr()
}

#[derive(Debug, Clone, Copy)]
enum Deed {
    Fill(i32, i32, i32, u8),
    Move(f32),
    Link(i32, i32),
    Keep,
    /// Goes back to one of the snapshots, and drops later ones or not.
    Back(usize, bool),
    /// Goes on with another world, and drops the present one or not.
    Other(usize, bool),
    Drop(usize),
    Release,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        2 => (41..47_i32, 41..47_i32, 1..4_i32, prop::sample::select(vec![1_u8, 9, 255]))
            .prop_map(|(x, y, size, id)| Deed::Fill(x, y, size, id)),
        6 => (0..SIZE, 0..SIZE, 1..5_i32, prop::sample::select(vec![1_u8, 3, 255]))
            .prop_map(|(x, y, size, id)| Deed::Fill(x, y, size, id)),
        1 => (0.0..0.9_f32).prop_map(Deed::Move),
        1 => (3.0..80.0_f32).prop_map(Deed::Move),
        2 => (75..SIZE, 75..SIZE).prop_map(|(x, y)| Deed::Link(x, y)),
        4 => Just(Deed::Keep),
        3 => (any::<prop::sample::Index>(), any::<bool>())
            .prop_map(|(at, drops)| Deed::Back(at.index(100), drops)),
        1 => (any::<prop::sample::Index>(), any::<bool>())
            .prop_map(|(at, drops)| Deed::Other(at.index(100), drops)),
        1 => any::<prop::sample::Index>().prop_map(|at| Deed::Drop(at.index(100))),
        1 => Just(Deed::Release),
    ];
    prop::collection::vec(deed, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Snapshots hold what was there, in whatever order the world changes, goes back and drops them.
    #[test]
    fn snapshots_hold_fields_as_they_were(
        deeds in deeds(),
        (solver, walking) in (
            prop::sample::select(vec![Solver::Eikonal, Solver::Octile]),
            prop::sample::select(vec![0_usize, 300]),
        ),
        (cells, kinds) in (prop::sample::select(vec![0_usize, 500]), 1..4_u32),
    ) {
        let new = || {
            let mut world = world();
            world.set_solver(solver);
            world.set_walking_cells(walking);
            world.set_update_cells(cells);
            world
        };
        let mut world = new();
        let mut left: Vec<FlowWorld> = Vec::new();
        // Another target, which is a goal only while the way from it to the first one is longer.
        let targets = [Vec2::splat(44.5), Vec2::new(44.5, 47.5)];
        let goal = world.create_goal_with_costs(&targets, &[0.0, 3.5]).expect("inside");
        world.require(goal, 0).expect("known");
        let mut kept: Vec<(WorldSnapshot, _, _)> = Vec::new();
        for deed in deeds {
            let place = |at: usize| (!kept.is_empty()).then(|| at % kept.len().max(1));
            match deed {
                Deed::Fill(x, y, size, id) => fill(&mut world, IVec2::new(x, y), size, id),
                Deed::Move(by) => {
                    let at = if by < 1.0 { 44.05 + by } else { by };
                    // It may be released.
                    drop(world.move_goal_with_costs(goal, &[Vec2::splat(at), targets[1]], &[0.0, 3.5]));
                }
                Deed::Link(x, y) => {
                    // It shortens few paths, by little.
                    let from = IVec2::new(x, y);
                    let link = Link {
                        from,
                        to: from - 4,
                        cost: 5.0,
                        both_ways: true,
                        travel: Travel::Walk,
                    };
                    // Links into walls lead nowhere.
                    drop(world.add_links(&[link]));
                }
                Deed::Keep => {
                    let field = world.field(goal, 0).map(|field| all_of(field));
                    kept.push((world.snapshot(), field, world.world_hash()));
                }
                Deed::Back(at, drops) => {
                    if let Some(at) = place(at) {
                        if drops {
                            kept.truncate(at + 1);
                        }
                        let (snapshot, field, hash) = &kept[at];
                        world.restore(snapshot).expect("the same settings");
                        let restored = world.field(goal, 0).map(|field| all_of(field));
                        prop_assert!(&restored == field, "{} of {}", at, kept.len());
                        prop_assert_eq!(&world.world_hash(), hash);
                    }
                }
                Deed::Other(at, drops) => {
                    if let Some(at) = place(at) {
                        let before = std::mem::replace(&mut world, new());
                        if !drops {
                            left.push(before);
                        }
                        let (snapshot, field, hash) = &kept[at];
                        world.restore(snapshot).expect("the same settings");
                        let restored = world.field(goal, 0).map(|field| all_of(field));
                        prop_assert!(&restored == field, "{} of {}", at, kept.len());
                        prop_assert_eq!(&world.world_hash(), hash);
                    }
                }
                Deed::Drop(at) => {
                    if let Some(at) = place(at) {
                        drop(kept.remove(at));
                    }
                }
                Deed::Release => drop(world.release_goal(goal)),
            }
            for _ in 0..kinds {
                world.update();
            }
        }
        for (snapshot, field, hash) in &kept {
            world.restore(snapshot).expect("the same settings");
            prop_assert!(&world.field(goal, 0).map(|field| all_of(field)) == field);
            prop_assert_eq!(&world.world_hash(), hash);
        }
    }
}

/// A copy would take 20 ms on a map of four million cells, after each snapshot.
#[test]
fn repairs_and_rollbacks_copy_no_field() {
    for is_sliced in [false, true] {
        let mut world = world();
        world.set_walking_cells(0);
        let goal = goal_at(&mut world, 44.5);
        world.set_update_cells(if is_sliced { 2_000 } else { 0 });
        world.update();
        let first = place(&world, goal);
        let mut kept = Vec::new();
        for number in 0..20 {
            kept.push((world.snapshot(), all_of(field(&world, goal))));
            fill(&mut world, IVec2::new(86, 4 * number), 2, 255);
            world.update();
            // A move within the cell of the target.
            let at = Vec2::splat(44.2 + 0.02 * number as f32);
            world.move_goal(goal, &[at]).expect("known");
            world.update();
            let stats = world.build_stats();
            assert_eq!(place(&world, goal), first, "{number}: {stats:?}");
        }
        let repairs = world.build_stats().repairs;
        assert!(repairs >= 20, "{repairs} repairs");
        while let Some((snapshot, expected)) = kept.pop() {
            // A preview for queries shares the arrays.
            let cost = world.cost_to_goal(goal, Vec2::splat(60.5), 0);
            assert!(cost.is_ok_and(|cost| cost.is_some()));
            world.restore(&snapshot).expect("the same settings");
            assert!(all_of(field(&world, goal)) == expected, "{}", kept.len());
            assert_eq!(place(&world, goal), first, "{}", kept.len());
        }
        // What snapshots needed is given back.
        world.update();
        assert_eq!(world.snapshot_bytes(std::iter::empty()), 0);
        assert_eq!(Arc::strong_count(&field(&world, goal).integration), 1);
    }
}

/// The memory of a snapshot that is kept for long is that of one copy.
#[test]
fn a_snapshot_that_is_kept_for_long_gets_a_copy() {
    let mut world = world();
    let goal = goal_at(&mut world, 44.5);
    let expected = all_of(field(&world, goal));
    let copy = field(&world, goal).integration.bytes() + field(&world, goal).flow.bytes();
    let kept = world.snapshot();
    let (mut most, mut last) = (0, 0);
    for number in 0..600 {
        let low = IVec2::new(80 + number / 2 % 9, 80 + number / 18 % 9);
        fill(&mut world, low, 1, [255, 1][number as usize % 2]);
        world.update();
        last = world.snapshot_bytes([&kept].into_iter());
        most = most.max(last);
    }
    let stats = world.build_stats();
    assert_eq!((stats.full_solves, stats.repairs), (1, 600));
    // Of terrain and costs it has some blocks.
    assert!(most > copy && most < 2 * copy, "{most} of {copy} bytes");
    assert!(last < 3 * copy / 2, "{last} of {copy} bytes");
    let first = place(&world, goal);
    world.restore(&kept).expect("the same settings");
    assert!(all_of(field(&world, goal)) == expected);
    assert_ne!(place(&world, goal), first);
}

/// Between an old snapshot and the last ones only what these need is kept.
#[test]
fn old_snapshots_need_no_fields_between_them_and_the_last_ones() {
    let mut world = world();
    let goal = goal_at(&mut world, 44.5);
    let copy = field(&world, goal).integration.bytes() + field(&world, goal).flow.bytes();
    let expected = all_of(field(&world, goal));
    let old = world.snapshot();
    let mut last = std::collections::VecDeque::new();
    for number in 0..40_u8 {
        let stats = world.build_stats();
        // All paths change: the field is solved anew.
        fill(&mut world, IVec2::splat(30), 30, 2 + number % 2);
        world.update();
        assert!(world.build_stats().full_solves > stats.full_solves);
        last.push_back(world.snapshot());
        if last.len() > 2 {
            last.pop_front();
        }
    }
    world.update();
    let bytes = world.snapshot_bytes(last.iter().chain([&old]));
    assert!(bytes > copy && bytes < 5 * copy, "{bytes} of {copy} bytes");
    world.restore(&old).expect("the same settings");
    assert!(all_of(field(&world, goal)) == expected);
}

/// Two worlds may go back to one snapshot, and to later ones after that.
#[test]
fn a_snapshot_of_a_later_moment_stays() {
    let mut world = world();
    let goal = goal_at(&mut world, 44.5);
    let mut kept = Vec::new();
    for number in 0..4 {
        fill(&mut world, IVec2::new(30 + 4 * number, 30), 3, 255);
        world.update();
        kept.push((world.snapshot(), all_of(field(&world, goal))));
    }
    for at in [1, 3, 0, 2, 1] {
        world.restore(&kept[at].0).expect("the same settings");
        assert!(all_of(field(&world, goal)) == kept[at].1, "{at}");
        fill(&mut world, IVec2::new(60, 60), 3, 255);
        world.update();
        assert!(all_of(field(&world, goal)) != kept[at].1, "{at}");
    }
}

/// Another world has given the revisions of the snapshot to other costs.
#[test]
fn a_snapshot_goes_on_in_another_world() {
    let mut first = world();
    first.set_walking_cells(0);
    first.set_update_cells(500);
    let goal = goal_at(&mut first, 3.0);
    fill(&mut first, IVec2::splat(41), 1, 255);
    first.update();
    let kept = first.snapshot();
    let mut other = world();
    other.set_walking_cells(0);
    other.set_update_cells(500);
    other.restore(&kept).expect("the same settings");
    drop(kept);
    for world in [&mut first, &mut other] {
        // The costs of the field have been copied for a solve.
        (0..40).for_each(|_| drop(world.update()));
        world.move_goal(goal, &[Vec2::splat(44.5)]).expect("known");
        (0..3).for_each(|_| drop(world.update()));
        fill(world, IVec2::ZERO, 1, 3);
        (0..40).for_each(|_| drop(world.update()));
        assert!(field(world, goal).integration.goals().len() == 1);
    }
    assert!(all_of(field(&first, goal)) == all_of(field(&other, goal)));
    assert_eq!(first.world_hash(), other.world_hash());
}
