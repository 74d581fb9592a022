//! Formations: their shapes, slots beside walls, and a separate slot for each agent.

use crate::common::{central_goal, world_of};
use flow_swarm::Vec2;
use flow_swarm::error::Error;
use flow_swarm::swarm::{
    AgentId, AgentType, Avoidance, Formation, FormationShape, MAX_GROUPS, Settings, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm_bench::maps::{CostMap, SplitMix64, every_kind, open};
use flow_swarm_bench::oracle::{StepRule, exact_costs, wall_depth};
use proptest::prelude::*;

const RADIUS: f32 = 0.2;
/// Two and a half radii.
const APART: f32 = 0.5;
const SHAPES: [FormationShape; 3] = [
    FormationShape::Block,
    FormationShape::Wedge,
    FormationShape::Disc,
];

fn formation(shape: FormationShape, heading: Vec2) -> Formation {
    Formation {
        shape,
        heading,
        spacing: 0.0,
    }
}

fn swarm_at(world: &FlowWorld, starts: &[Vec2]) -> (Swarm, Vec<AgentId>) {
    let mut swarm = Swarm::new(3);
    let kind = AgentType {
        radius: RADIUS,
        max_speed: 4.0,
        acceleration: 24.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm.set_settings(Settings::default()).expect("valid");
    let ids = swarm.spawn(world, starts, 0, 0).expect("inside");
    (swarm, ids)
}

fn slots_of(swarm: &Swarm, ids: &[AgentId]) -> Vec<Vec2> {
    let slot = |&id: &AgentId| swarm.target_of(id).expect("alive");
    ids.iter().filter_map(slot).collect()
}

/// The number of slots in each rank, from the front.
fn ranks(slots: &[Vec2], ahead: Vec2) -> Vec<usize> {
    let mut depths: Vec<f32> = slots.iter().map(|slot| slot.dot(ahead)).collect();
    depths.sort_by(|one, other| other.total_cmp(one));
    let same = depths.chunk_by(|one, other| (one - other).abs() < 0.1 * APART);
    same.map(<[f32]>::len).collect()
}

fn least_distance(places: &[Vec2]) -> f32 {
    let mut least = f32::INFINITY;
    for (number, one) in places.iter().enumerate() {
        for other in &places[..number] {
            least = least.min(one.distance(*other));
        }
    }
    least
}

#[test]
fn shapes_are_what_they_are_called() {
    let map = open(40, 40);
    let mut world = world_of(&map, Workers::serial());
    let mut random = SplitMix64::new(1);
    let starts: Vec<Vec2> = (0..36)
        .map(|_| {
            Vec2::new(
                random.unit() as f32 * 30.0 + 2.0,
                random.unit() as f32 * 8.0 + 1.0,
            )
        })
        .collect();
    let center = Vec2::new(20.0, 25.0);
    for ahead in [Vec2::Y, Vec2::new(-0.6, 0.8)] {
        let (mut swarm, ids) = swarm_at(&world, &starts);
        let mut form = |shape| {
            let placed = swarm
                .form_up(&mut world, &ids, center, &formation(shape, ahead * 7.0))
                .expect("valid");
            assert_eq!(placed, ids.len());
            let slots = slots_of(&swarm, &ids);
            assert!((least_distance(&slots) - APART).abs() < 1e-4);
            slots
        };
        let block = form(FormationShape::Block);
        assert_eq!(ranks(&block, ahead), [7, 7, 7, 7, 7, 1]);
        let wedge = form(FormationShape::Wedge);
        assert_eq!(ranks(&wedge, ahead), [1, 3, 5, 7, 9, 11]);
        let middle = wedge.iter().sum::<Vec2>() / 36.0;
        assert!(middle.distance(center) < APART, "{middle}");
        let disc = form(FormationShape::Disc);
        // The same area, and no slot farther out than a diagonal of the lattice.
        let reach = APART * ((36.0 / std::f32::consts::PI).sqrt() + 0.75);
        assert!(disc.iter().all(|slot| slot.distance(center) < reach));
    }
}

/// Agents that already stand as in the formation walk straight ahead, side by side.
#[test]
fn no_agent_crosses_another_if_the_formation_stands_already() {
    let map = open(60, 60);
    let mut world = world_of(&map, Workers::serial());
    for (count, shape) in [(40, SHAPES[0]), (49, SHAPES[1]), (37, SHAPES[2])] {
        let starts = vec![Vec2::splat(20.0); count];
        let (mut swarm, ids) = swarm_at(&world, &starts);
        let heading = Vec2::new(2.0, 1.0);
        let march = Vec2::new(24.0, 12.0);
        let form = formation(shape, heading);
        let first = Vec2::splat(15.0);
        swarm
            .form_up(&mut world, &ids, first, &form)
            .expect("valid");
        let from = slots_of(&swarm, &ids);
        swarm.set_positions(&world, &ids, &from).expect("inside");
        let placed = swarm.form_up(&mut world, &ids, first + march, &form);
        assert_eq!(placed, Ok(count));
        for (from, to) in from.iter().zip(slots_of(&swarm, &ids)) {
            assert!((to - *from).distance(march) < 1e-3, "{shape:?}");
        }
    }
}

/// With a heading of zero the formation faces the direction in which its agents walk.
#[test]
fn formations_face_away_from_where_their_agents_come_from() {
    let mut world = world_of(&open(40, 40), Workers::serial());
    let starts: Vec<Vec2> = (0..9).map(|n| Vec2::new(20.0, 4.0 + n as f32)).collect();
    let (mut swarm, ids) = swarm_at(&world, &starts);
    let wedge = formation(FormationShape::Wedge, Vec2::ZERO);
    let center = Vec2::new(20.0, 30.0);
    swarm
        .form_up(&mut world, &ids, center, &wedge)
        .expect("valid");
    let slots = slots_of(&swarm, &ids);
    assert_eq!(ranks(&slots, Vec2::Y), [1, 3, 5]);
    // The agent that was in front stays in front.
    let front = swarm.target_of(ids[8]).expect("alive").expect("placed");
    assert!(slots.iter().all(|slot| slot.y <= front.y));
}

/// A crowd on any map forms up around a place and reaches its slots.
fn all_agents_get_to_their_slots(name: &str, map: &CostMap, mode: GoalMode, shape: FormationShape) {
    let goal_cell = central_goal(map).expect("an open cell");
    let center = crate::common::center_of(map, goal_cell);
    let costs = exact_costs(map, &[goal_cell], &StepRule::default());
    let starts = crate::common::crowds::random_starts(map, &costs, 30, 4);
    let mut world = world_of(map, Workers::serial());
    let goal = world
        .create_goal_with_mode(&[center], &[0.0], mode)
        .expect("inside");
    let (mut swarm, ids) = swarm_at(&world, &starts);
    // A corridor of one cell has room for one agent. With contacts, an agent that stands there blocks those behind it.
    let passes = AgentType {
        avoidance: Avoidance::Separation,
        ..swarm.types()[0]
    };
    swarm.set_types(&[passes]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let placed = swarm
        .form_up(&mut world, &ids, center, &formation(shape, Vec2::ZERO))
        .expect("valid");
    assert!(placed > 0, "{name}: the middle is a place");
    let slots = slots_of(&swarm, &ids);
    assert_eq!(slots.len(), placed, "{name}");
    assert!(
        placed < 2 || least_distance(&slots) > 0.99 * APART,
        "{name}"
    );
    for &slot in &slots {
        let depth = wall_depth(map, slot, RADIUS);
        assert!(depth <= 0.003, "{name}: a slot {depth} deep in a wall");
    }
    let everybody_stands = |swarm: &Swarm| {
        swarm.stats().arrived_now == ids.len()
            // Agents without a slot may block those of others.
            && (placed < ids.len() || ids.iter().all(|&id| is_in_its_slot(swarm, id)))
    };
    let mut standing = 0;
    for _ in 0..4_000 {
        crate::common::crowds::tick(&mut world, &mut swarm);
        standing = if everybody_stands(&swarm) {
            standing + 1
        } else {
            0
        };
        if standing == 100 {
            return;
        }
    }
    panic!("{name}: they do not come to stand in their slots");
}

fn is_in_its_slot(swarm: &Swarm, id: AgentId) -> bool {
    let at = swarm.positions()[swarm.index_of(id).expect("alive")];
    let slot = swarm.target_of(id).expect("alive").expect("placed");
    at.distance(slot) < RADIUS
}

#[test]
fn agents_with_a_slot_get_there_on_any_map() {
    for (name, map) in every_kind(41, 37, 6) {
        for mode in [GoalMode::Full, GoalMode::Tiled] {
            for shape in SHAPES {
                all_agents_get_to_their_slots(
                    &format!("{name} {mode:?} {shape:?}"),
                    &map,
                    mode,
                    shape,
                );
            }
        }
    }
}

proptest! {
    /// Reports the number of agents with a slot. No slot is used twice, and the other agents follow their group's goal.
    #[test]
    fn slots_are_counted_and_distinct(
        kind in 0_usize..8,
        seed in 0_u64..50,
        count in 1_usize..120,
        at in (0.0_f32..33.0, 0.0_f32..29.0),
        shape in 0_usize..3,
        angle in (-1.0_f32..1.0, -1.0_f32..1.0),
        spacing in prop_oneof![Just(0.0_f32), 0.5_f32..40.0],
    ) {
        let maps = every_kind(33, 29, seed);
        let (_, map) = &maps[kind % maps.len()];
        let mut world = world_of(map, Workers::serial());
        let starts = vec![Vec2::splat(14.5); count];
        let (mut swarm, ids) = swarm_at(&world, &starts);
        let before = vec![Vec2::splat(1.5); count];
        swarm.set_targets(&world, &ids, &before).expect("inside");
        let form = Formation { shape: SHAPES[shape], heading: angle.into(), spacing };
        let mut twice = ids.clone();
        twice.extend(&ids);
        let placed = swarm.form_up(&mut world, &twice, at.into(), &form).expect("valid");
        let slots = slots_of(&swarm, &ids);
        prop_assert_eq!(slots.len(), placed);
        let least = if spacing > 0.0 { spacing } else { APART };
        prop_assert!(least_distance(&slots) > 0.99 * least);
    }
}

#[test]
fn there_is_no_slot_in_a_wall() {
    let mut map = open(12, 12);
    map.cost[5 * 12 + 5] = flow_swarm_bench::maps::WALL;
    let mut world = world_of(&map, Workers::serial());
    let (mut swarm, ids) = swarm_at(&world, &[Vec2::splat(2.0); 4]);
    swarm
        .set_targets(&world, &ids, &[Vec2::splat(9.0); 4])
        .expect("inside");
    let form = Formation::default();
    assert_eq!(
        swarm.form_up(&mut world, &ids, Vec2::splat(5.5), &form),
        Ok(0)
    );
    assert!(slots_of(&swarm, &ids).is_empty());
}

#[test]
fn bad_formations_change_nothing() {
    let mut world = world_of(&open(12, 12), Workers::serial());
    let (mut swarm, mut ids) = swarm_at(&world, &[Vec2::splat(2.0); 4]);
    let good = Formation::default();
    let center = Vec2::splat(6.0);
    let hash = swarm.state_hash();
    for bad in [
        Vec2::NAN,
        Vec2::INFINITY,
        Vec2::splat(-1.0),
        Vec2::splat(12.5),
    ] {
        assert!(swarm.form_up(&mut world, &ids, bad, &good).is_err());
    }
    for spacing in [-1.0, f32::NAN, f32::INFINITY, 2.0e6] {
        let bad = Formation { spacing, ..good };
        let refused = swarm.form_up(&mut world, &ids, center, &bad);
        assert!(matches!(
            refused,
            Err(Error::OutOfRange {
                name: "spacing",
                ..
            })
        ));
    }
    let heading = Vec2::new(f32::NAN, 1.0);
    let bad = Formation { heading, ..good };
    assert!(swarm.form_up(&mut world, &ids, center, &bad).is_err());
    ids.push(AgentId::from_bits(MAX_GROUPS as u64));
    let refused = swarm.form_up(&mut world, &ids, center, &good);
    assert!(matches!(refused, Err(Error::UnknownId { .. })));
    assert_eq!(swarm.state_hash(), hash);
    assert_eq!(swarm.form_up(&mut world, &[], center, &good), Ok(0));
    assert_eq!(FormationShape::from_number(2), Ok(FormationShape::Disc));
    assert!(FormationShape::from_number(3).is_err());
    assert!(FormationShape::from_number(-1).is_err());
}
