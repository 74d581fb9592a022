//! Queries find agents exactly where they are, and an id never names another agent.

use crate::common::world_on;
use flow_swarm::error::Error;
use flow_swarm::grid::Grid;
use flow_swarm::swarm::{AgentId, AgentQuery, AgentState, AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, open};
use flow_swarm_bench::oracle::neighbours_within;

fn world(width: usize, height: usize, cell_size: f32) -> FlowWorld {
    let map = open(width, height);
    let size = IVec2::new(width as i32, height as i32);
    let grid = Grid::new(size, cell_size, Vec2::new(-3.0, 9.0) * cell_size).expect("valid");
    world_on(grid, &map, Workers::new(2).expect("threads"))
}

fn point(grid: &Grid, random: &mut SplitMix64) -> Vec2 {
    let (low, high) = grid.bounds();
    let unit = Vec2::new(random.unit() as f32, random.unit() as f32);
    low + (high - low) * unit * 0.9999
}

fn small_types(cell_size: f32) -> [AgentType; 1] {
    [AgentType {
        radius: 0.2 * cell_size,
        ..AgentType::default()
    }]
}

fn as_set(mut ids: Vec<AgentId>) -> Vec<AgentId> {
    ids.sort_unstable();
    ids
}

#[test]
fn queries_find_what_brute_force_finds() {
    for (width, height, cell_size) in [(1, 1, 1.0), (1, 60, 4.0), (60, 1, 0.1), (37, 91, 16.0)] {
        let world = world(width, height, cell_size);
        let grid = *world.grid();
        let mut random = SplitMix64::new(5);
        let mut swarm = Swarm::new(1);
        swarm.set_types(&small_types(cell_size)).expect("valid");
        let (low, high) = grid.bounds();
        let extent = (high - low).max_element();
        for round in 0..40 {
            let positions: Vec<Vec2> = (0..25).map(|_| point(&grid, &mut random)).collect();
            swarm.spawn(&world, &positions, 0, 0).expect("inside");
            // Some agents have equal positions, and some are removed.
            swarm
                .spawn(&world, &[positions[0]; 2], 0, 0)
                .expect("inside");
            let gone: Vec<AgentId> = (0..9)
                .map(|_| swarm.ids()[random.below(swarm.len())])
                .collect();
            swarm.despawn(&gone);
            if round % 3 == 2 {
                swarm.step(&world, 0.02).expect("valid");
            }
            let (ids, at) = (swarm.ids().to_vec(), swarm.positions().to_vec());
            let center =
                point(&grid, &mut random) + Vec2::splat(random.below(3) as f32 - 1.0) * cell_size;
            let radius = (random.unit() * random.unit()) as f32 * extent;
            let expected = neighbours_within(&at, center, radius);
            let found = swarm
                .query_circle(&world, center, radius, &AgentQuery::default())
                .expect("valid");
            assert_eq!(
                found,
                as_set(expected.iter().map(|&index| ids[index]).collect())
            );

            let other = point(&grid, &mut random);
            let (low, high) = (center.min(other), center.max(other));
            let expected = ids
                .iter()
                .zip(&at)
                .filter(|(_, at)| at.cmpge(low).all() && at.cmple(high).all())
                .map(|(&id, _)| id);
            let found = swarm
                .query_rect(&world, (low, high), &AgentQuery::default())
                .expect("valid");
            assert_eq!(found, as_set(expected.collect()));

            for most in [radius, f32::INFINITY] {
                let expected = ids
                    .iter()
                    .zip(&at)
                    .map(|(&id, at)| (at.distance_squared(center), id))
                    .filter(|&(squared, _)| squared <= most * most)
                    .min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
                let found = swarm
                    .nearest(&world, center, most, &AgentQuery::default())
                    .expect("valid");
                assert_eq!(
                    found,
                    expected.map(|(_, id)| id),
                    "nearest to {center} within {most}"
                );
            }
        }
    }
}

/// The agents that a disc as wide as the beam touches on its path, in the order of contact, found by small strides. The
/// flag is `true` if rounding may decide.
fn touched_along(swarm: &Swarm, from: Vec2, to: Vec2, width: f32) -> Vec<(f64, AgentId, bool)> {
    let (from, to) = (from.as_dvec2(), to.as_dvec2());
    let way = to - from;
    let mut found = Vec::new();
    for ((&id, &at), &kind) in swarm.ids().iter().zip(swarm.positions()).zip(swarm.kinds()) {
        let radius = f64::from(swarm.types()[usize::from(kind)].radius) + 0.5 * f64::from(width);
        let distance = |share: f64| (from + way * share).distance(at.as_dvec2());
        // The distance has one minimum, found by ternary search; bisection then finds the first contact before it.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if distance(one) <= distance(other) {
                high = other;
            } else {
                low = one;
            }
        }
        let nearest = distance(low);
        let is_close_call = (nearest - radius).abs() < 1.0e-5 * radius;
        if nearest > radius && !is_close_call {
            continue;
        }
        let (mut before, mut after) = (0.0, low);
        if distance(0.0) <= radius {
            after = 0.0;
        }
        for _ in 0..80 {
            let middle = 0.5 * (before + after);
            if distance(middle) <= radius {
                after = middle;
            } else {
                before = middle;
            }
        }
        found.push((after * way.length(), id, is_close_call));
    }
    found.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    found
}

#[test]
fn a_segment_hits_what_a_disc_on_its_way_touches() {
    for (width, height, cell_size) in [(1, 1, 1.0), (1, 60, 4.0), (60, 1, 0.1), (37, 41, 16.0)] {
        let world = world(width, height, cell_size);
        let mut random = SplitMix64::new(11);
        let mut swarm = Swarm::new(1);
        let kinds = [0.2, 0.7, 2.5].map(|radius| AgentType {
            radius: radius * cell_size,
            ..AgentType::default()
        });
        swarm.set_types(&kinds).expect("valid");
        for kind in 0..3 {
            let places: Vec<Vec2> = (0..60).map(|_| point(world.grid(), &mut random)).collect();
            swarm.spawn(&world, &places, kind, 0).expect("inside");
        }
        for round in 0..60 {
            let mut ends = [0; 2].map(|_| {
                let aside = Vec2::splat(random.below(3) as f32 - 1.0);
                point(world.grid(), &mut random) + aside * cell_size * random.below(9) as f32
            });
            match round % 6 {
                0 => ends[1] = ends[0],
                1 => ends[1].y = ends[0].y,
                2 => ends[1].x = ends[0].x,
                _ => {}
            }
            let beam = [0.0, 0.5, 6.0][random.below(3)] * cell_size;
            let found = swarm
                .query_segment(&world, (ends[0], ends[1]), beam, &AgentQuery::default())
                .expect("valid");
            let expected = touched_along(&swarm, ends[0], ends[1], beam);
            let sure: Vec<AgentId> = expected
                .iter()
                .filter(|entry| !entry.2)
                .map(|entry| entry.1)
                .collect();
            let doubtful: Vec<AgentId> = expected
                .iter()
                .filter(|entry| entry.2)
                .map(|entry| entry.1)
                .collect();
            let found: Vec<AgentId> = found
                .into_iter()
                .filter(|id| !doubtful.contains(id))
                .collect();
            assert_eq!(as_set(found.clone()), as_set(sure), "{ends:?} of {beam}");
            let when = |id: &AgentId| {
                let entry = expected.iter().find(|entry| entry.1 == *id);
                entry.map_or(0.0, |entry| entry.0)
            };
            for pair in found.windows(2) {
                let slack = 1.0e-3 * f64::from(cell_size);
                assert!(when(&pair[0]) <= when(&pair[1]) + slack, "in order");
            }
        }
    }
}

#[test]
fn a_segment_meets_a_row_of_agents_one_after_the_other() {
    let world = world(40, 40, 1.0);
    let mut swarm = Swarm::new(1);
    swarm.set_types(&small_types(1.0)).expect("valid");
    let (low, _) = world.grid().bounds();
    let row: Vec<Vec2> = [9.0, 3.0, 6.0, 3.0]
        .map(|x| low + Vec2::new(x, 5.0))
        .to_vec();
    let ids = swarm.spawn(&world, &row, 0, 0).expect("inside");
    let [start, end] = [0.0, 20.0].map(|x| low + Vec2::new(x, 5.1));
    let there = [ids[1], ids[3], ids[2], ids[0]];
    assert_eq!(
        swarm.query_segment(&world, (start, end), 0.0, &AgentQuery::default()),
        Ok(there.to_vec())
    );
    let back = [ids[0], ids[2], ids[1], ids[3]];
    assert_eq!(
        swarm.query_segment(&world, (end, start), 0.0, &AgentQuery::default()),
        Ok(back.to_vec())
    );
    let beside = [start, end].map(|at| at + Vec2::new(0.0, 0.4));
    let none = swarm.query_segment(&world, (beside[0], beside[1]), 0.0, &AgentQuery::default());
    assert_eq!(none, Ok(Vec::new()));
    let wide = swarm.query_segment(&world, (beside[0], beside[1]), 0.7, &AgentQuery::default());
    assert_eq!(wide, Ok(there.to_vec()));
}

#[test]
fn nearest_finds_across_maps_of_any_size() {
    // A map 8,000 km wide, in millimetres, which is wider than the largest circle query.
    let world = world(8000, 10, 1000.0);
    let (low, high) = world.grid().bounds();
    let mut swarm = Swarm::new(1);
    swarm.set_types(&small_types(1000.0)).expect("valid");
    assert_eq!(
        swarm.nearest(&world, low, f32::INFINITY, &AgentQuery::default()),
        Ok(None)
    );
    let far = high - 100.0;
    let ids = swarm.spawn(&world, &[far], 0, 0).expect("inside");
    assert_eq!(
        swarm.nearest(&world, low, f32::INFINITY, &AgentQuery::default()),
        Ok(Some(ids[0]))
    );
    assert_eq!(
        swarm.nearest(&world, low, 6.0e6, &AgentQuery::default()),
        Ok(None)
    );
    assert_eq!(
        swarm.nearest(&world, far, 0.0, &AgentQuery::default()),
        Ok(Some(ids[0]))
    );
}

#[test]
fn nearest_finds_agents_outside_a_smaller_grid() {
    let mut world = world(50, 50, 1.0);
    let mut swarm = Swarm::new(1);
    swarm.set_types(&small_types(1.0)).expect("valid");
    let (low, high) = world.grid().bounds();
    let ids = swarm.spawn(&world, &[high - 0.5], 0, 0).expect("inside");
    let small = Grid::new(IVec2::new(3, 3), 1.0, low).expect("valid");
    world.set_grid(small);
    assert_eq!(
        swarm.nearest(&world, low, f32::INFINITY, &AgentQuery::default()),
        Ok(Some(ids[0]))
    );
    assert_eq!(
        swarm.nearest(&world, low, 60.0, &AgentQuery::default()),
        Ok(None)
    );
    assert_eq!(
        swarm.query_circle(&world, low, 80.0, &AgentQuery::default()),
        Ok(ids)
    );
}

#[test]
fn stale_ids_are_refused_and_never_name_another() {
    let world = world(10, 10, 1.0);
    let mut swarm = Swarm::new(1);
    let at = world.grid().center_of(IVec2::new(4, 4));
    let first = swarm.spawn(&world, &[at, at], 0, 0).expect("inside");
    assert_eq!(swarm.despawn(&[first[0]]), (1, None));
    assert_eq!(swarm.despawn(&[first[0]]), (0, Some(first[0])));
    let second = swarm.spawn(&world, &[at], 0, 0).expect("inside");
    assert_ne!(first[0], second[0]);
    assert!(!swarm.contains(first[0]) && swarm.contains(second[0]));
    swarm.clear();
    let third = swarm.spawn(&world, &[at; 3], 0, 0).expect("inside");
    for &stale in first.iter().chain(&second) {
        assert!(!third.contains(&stale) && !swarm.contains(stale));
        let before = swarm.state_hash();
        let mixed = [third[0], stale];
        let unknown = |result: flow_swarm::Result<()>| {
            assert!(
                matches!(result, Err(Error::UnknownId { name: "agent", id }) if id == stale.bits() as i64)
            );
        };
        unknown(swarm.index_of(stale).map(drop));
        unknown(swarm.set_state(&mixed, AgentState::Idle));
        unknown(swarm.set_positions(&world, &mixed, &[at; 2]));
        unknown(swarm.set_scripted_velocities(&mixed, &[at; 2]));
        unknown(swarm.apply_impulse(&mixed, Vec2::X));
        assert_eq!(swarm.state_hash(), before, "all or nothing");
    }
    for bits in [0, 1, u64::MAX, 1 << 63] {
        assert!(!swarm.contains(AgentId::from_bits(bits)));
    }
}

#[test]
fn columns_stay_in_the_order_of_ids() {
    let world = world(40, 40, 1.0);
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[small_types(1.0)[0]; 3]).expect("valid");
    let mut random = SplitMix64::new(2);
    let mut expected: Vec<(AgentId, Vec2, u8)> = Vec::new();
    for round in 0..200 {
        let kind = round % 3;
        let positions: Vec<Vec2> = (0..4).map(|_| point(world.grid(), &mut random)).collect();
        let ids = swarm.spawn(&world, &positions, kind, 0).expect("inside");
        expected.extend(
            ids.iter()
                .zip(&positions)
                .map(|(&id, &at)| (id, at, kind as u8)),
        );
        let gone: Vec<AgentId> = (0..3)
            .map(|_| expected[random.below(expected.len())].0)
            .collect();
        swarm.despawn(&gone);
        expected.retain(|entry| !gone.contains(&entry.0));
        assert_eq!(swarm.len(), expected.len());
        for &(id, at, kind) in &expected {
            let index = swarm.index_of(id).expect("alive");
            assert_eq!(swarm.ids()[index], id);
            assert_eq!(swarm.positions()[index], at);
            assert_eq!(swarm.kinds()[index], kind);
        }
    }
}

/// The deepest overlap of each agent, in the smaller one's radii, by testing all pairs.
fn overlaps_by_brute_force(swarm: &Swarm, world: &FlowWorld) -> Vec<f32> {
    let layers = world.grid().layers();
    let kind = |index: usize| &swarm.types()[usize::from(swarm.kinds()[index])];
    let at = swarm.positions();
    let depth = |one: usize, other: usize| {
        let masks = [(one, other), (other, one)];
        let collide = masks.map(|(a, b)| kind(a).collision_mask & kind(b).collision_layer != 0);
        if layers.at(at[one]) != layers.at(at[other]) || collide == [false; 2] {
            return 0.0;
        }
        let sum = kind(one).radius + kind(other).radius;
        let smaller = kind(one).radius.min(kind(other).radius);
        ((sum - at[one].distance(at[other])) / smaller).clamp(0.0, 2.0)
    };
    let deepest = |one: usize| {
        let others = (0..swarm.len()).filter(|&other| other != one);
        others.map(|other| depth(one, other)).fold(0.0, f32::max)
    };
    (0..swarm.len()).map(deepest).collect()
}

#[test]
fn overlaps_are_what_brute_force_finds() {
    let grid = Grid::layered(IVec2::new(300, 30), 2.0, Vec2::ZERO, 2).expect("small");
    let mut world = FlowWorld::new(grid, Workers::new(2).expect("threads"));
    world.update();
    let with_radius = |radius| AgentType {
        radius,
        ..AgentType::default()
    };
    let ghost = AgentType {
        collision_layer: 2,
        collision_mask: 2,
        ..with_radius(0.5)
    };
    let mut swarm = Swarm::new(1);
    let types = [with_radius(0.5), with_radius(35.0), ghost];
    swarm.set_types(&types).expect("valid");
    let mut random = SplitMix64::new(9);
    for (kind, count) in [(0, 1500), (2, 300)] {
        let mut places: Vec<Vec2> = (0..count)
            .map(|_| Vec2::new(random.unit() as f32 * 599.0, random.unit() as f32 * 59.0))
            .collect();
        // Some agents have the places of others.
        places.extend_from_within(..3);
        swarm.spawn(&world, &places, kind, 0).expect("inside");
    }
    // The discs of these agents overlap in the plane, but are on two layers.
    let giants = [(29, 0), (0, 1)].map(|(row, layer)| {
        let cell = world.grid().place_of(IVec2::new(150, row), layer);
        world.grid().center_of(cell.expect("inside"))
    });
    assert!(giants[0].distance(giants[1]) < 70.0);
    swarm.spawn(&world, &giants, 1, 0).expect("inside");
    let expected = overlaps_by_brute_force(&swarm, &world);
    let found = swarm.overlaps(&world);
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let off = (found - expected).abs();
        assert!(off < 1.0e-3, "{index}: {found}, not {expected}");
    }
    let partly = found.iter().filter(|&&depth| depth > 0.0 && depth < 2.0);
    assert!(partly.count() > 50);
    assert!(found.contains(&0.0) && found.contains(&2.0));
    assert_eq!(
        found.last(),
        Some(&0.0),
        "the giant of the upper layer is alone"
    );
}
