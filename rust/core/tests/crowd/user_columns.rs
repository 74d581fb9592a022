//! User columns stay with their agents, whatever the order of the columns.

use crate::common::{center_of, world_of};
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentQuery, AgentType, Swarm, USER_COLUMNS};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm_bench::maps::{SplitMix64, open};
use std::collections::BTreeMap;

/// The values given to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Given {
    ints: [i32; USER_COLUMNS],
    floats: [f32; USER_COLUMNS],
}

fn small_crowd() -> (FlowWorld, Swarm) {
    let map = open(90, 70);
    let world = world_of(&map, Workers::new(2).expect("threads"));
    let mut swarm = Swarm::new(3);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 4.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    (world, swarm)
}

fn check(swarm: &Swarm, expected: &BTreeMap<AgentId, Given>) {
    assert_eq!(swarm.len(), expected.len());
    for (index, id) in swarm.ids().iter().enumerate() {
        for column in 0..USER_COLUMNS {
            let number = column as i64;
            let int = swarm.user_int(number, *id).expect("alive");
            let float = swarm.user_float(number, *id).expect("alive");
            assert_eq!(
                (int, float),
                (expected[id].ints[column], expected[id].floats[column])
            );
            let ints = swarm.user_ints(number).expect("a column");
            assert_eq!(ints.get(index).copied().unwrap_or(0), int);
            let floats = swarm.user_floats(number).expect("a column");
            assert_eq!(floats.get(index).copied().unwrap_or(0.0), float);
        }
    }
}

#[test]
fn numbers_follow_their_agents() {
    let (mut world, mut swarm) = small_crowd();
    let goal = world.create_goal(&[Vec2::new(85.0, 35.0)]).expect("inside");
    world.require(goal, 0).expect("known");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let mut random = SplitMix64::new(5);
    let mut expected = BTreeMap::new();
    let mut reordered = false;
    for round in 0..25 {
        // Only crowds of thousands of agents are reordered.
        let places: Vec<Vec2> = (0..if round == 0 { 6000 } else { 150 })
            .map(|_| center_of(&open(90, 70), random.below(90 * 70)))
            .collect();
        for id in swarm.spawn(&world, &places, 0, 0).expect("inside") {
            expected.insert(id, Given::default());
        }
        let ids = swarm.ids().to_vec();
        for (column, share) in [(0, 3), (2, 40)] {
            let some: Vec<AgentId> = ids.iter().copied().step_by(share).collect();
            let ints: Vec<i32> = some.iter().map(|_| random.below(99) as i32 - 50).collect();
            let floats: Vec<f32> = some.iter().map(|_| random.unit() as f32).collect();
            let number = column as i64;
            swarm.set_user_ints(number, &some, &ints).expect("alive");
            swarm
                .set_user_floats(number + 1, &some, &floats)
                .expect("alive");
            for ((id, int), float) in some.iter().zip(ints).zip(floats) {
                let given = expected.get_mut(id).expect("alive");
                given.ints[column] = int;
                given.floats[column + 1] = float;
            }
        }
        let dead: Vec<AgentId> = ids.iter().copied().skip(round).step_by(9).collect();
        swarm.despawn(&dead);
        for id in &dead {
            expected.remove(id);
        }
        let before = swarm.ids().to_vec();
        swarm.step(&world, 0.05).expect("valid");
        reordered |= before != swarm.ids();
        if round % 6 == 0 {
            check(&swarm, &expected);
        }
    }
    check(&swarm, &expected);
    assert!(reordered, "nothing has been put to the test");
    let mut loaded = small_crowd().1;
    loaded.load(&swarm.save()).expect("just saved");
    check(&loaded, &expected);
    assert_eq!(loaded.state_hash(), swarm.state_hash());
    loaded.clear();
    let id = loaded.spawn(&world, &[Vec2::ONE], 0, 0).expect("inside")[0];
    assert_eq!(loaded.user_int(0, id), Ok(0), "a new agent begins with 0");
}

#[test]
fn zeros_are_no_part_of_the_state() {
    let (world, mut swarm) = small_crowd();
    let ids = swarm
        .spawn(&world, &[Vec2::splat(9.0); 3], 0, 0)
        .expect("inside");
    let (hash, save) = (swarm.state_hash(), swarm.save());
    swarm.set_user_ints(1, &ids, &[0, 7, 0]).expect("alive");
    let other = swarm.state_hash();
    assert_ne!(other, hash);
    swarm.set_user_ints(1, &ids, &[7, 0, 0]).expect("alive");
    assert_ne!(swarm.state_hash(), other, "whose number it is counts");
    swarm.set_user_ints(1, &ids[..1], &[0]).expect("alive");
    assert_eq!((swarm.state_hash(), swarm.save()), (hash, save));
    swarm
        .set_user_floats(1, &ids, &[0.0, 0.0, -2.5])
        .expect("alive");
    assert_ne!(swarm.state_hash(), hash);
    let save = swarm.save();
    swarm.clear();
    swarm.load(&save).expect("just saved");
    assert_eq!(swarm.user_floats(1), Ok(&[0.0, 0.0, -2.5][..]));
    assert_eq!(swarm.save(), save);
}

/// Compares with sums of wide integers.
#[test]
fn additions_match_an_independent_sum_and_report_the_fallen() {
    let (world, mut swarm) = small_crowd();
    let mut random = SplitMix64::new(9);
    let places: Vec<Vec2> = (0..40)
        .map(|number| Vec2::splat(5.0 + number as f32))
        .collect();
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    let mut expected: BTreeMap<AgentId, i64> = ids.iter().map(|&id| (id, 0)).collect();
    for _ in 0..400 {
        let count = random.below(12);
        let some: Vec<AgentId> = (0..count).map(|_| ids[random.below(ids.len())]).collect();
        let delta = match random.below(10) {
            0 => i64::from(i32::MAX),
            1 => i64::from(i32::MIN),
            _ => random.below(21) as i64 - 10,
        };
        let mut fallen = Vec::new();
        for id in &some {
            let number = expected.get_mut(id).expect("known");
            let after = (*number + delta).clamp(i32::MIN.into(), i32::MAX.into());
            if *number > 0 && after <= 0 {
                fallen.push(*id);
            }
            *number = after;
        }
        assert_eq!(swarm.add_user_ints(2, &some, delta), Ok(fallen));
        for (&id, &number) in &expected {
            assert_eq!(i64::from(swarm.user_int(2, id).expect("alive")), number);
        }
    }
    assert!(swarm.user_ints(1).expect("a column").is_empty());
}

#[test]
fn damage_hits_those_that_queries_find() {
    let (world, mut swarm) = small_crowd();
    let places: Vec<Vec2> = (0..20)
        .map(|number| Vec2::new(5.0 + 2.0 * number as f32, 30.0))
        .collect();
    let ids = swarm.spawn(&world, &places, 0, 0).expect("inside");
    swarm.set_user_ints(0, &ids, &[10; 20]).expect("known");
    let circle = (places[3], 2.5);
    let near = swarm
        .query_circle(&world, circle.0, circle.1, &AgentQuery::default())
        .expect("valid");
    assert_eq!(near, ids[2..5]);
    assert_eq!(
        swarm.damage_circle(&world, circle, (0, 6), &AgentQuery::default()),
        Ok(vec![])
    );
    assert_eq!(
        swarm.damage_circle(&world, circle, (0, 6), &AgentQuery::default()),
        Ok(near)
    );
    // They have fallen already.
    assert_eq!(
        swarm.damage_circle(&world, circle, (0, 6), &AgentQuery::default()),
        Ok(vec![])
    );
    assert_eq!(swarm.user_int(0, ids[3]), Ok(-8));
    let beam = (Vec2::new(60.0, 30.0), Vec2::new(30.0, 30.0), 0.0);
    let hit = swarm
        .query_segment(&world, (beam.0, beam.1), beam.2, &AgentQuery::default())
        .expect("valid");
    assert!(
        hit.len() > 3 && hit[0] == ids[19],
        "nearest to its beginning first"
    );
    assert_eq!(
        swarm.damage_segment(&world, beam, (0, 10), &AgentQuery::default()),
        Ok(hit)
    );
    assert_eq!(swarm.user_int(0, ids[8]), Ok(10));
}

#[test]
fn bad_damage_changes_nothing() {
    let (world, mut swarm) = small_crowd();
    let ids = swarm
        .spawn(&world, &[Vec2::splat(9.0); 3], 0, 0)
        .expect("inside");
    swarm.set_user_ints(0, &ids, &[5; 3]).expect("known");
    swarm.despawn(&ids[1..2]);
    let hash = swarm.state_hash();
    let (at, far) = (Vec2::splat(9.0), i64::from(i32::MAX) + 1);
    assert!(swarm.add_user_ints(0, &ids, -1).is_err(), "one is gone");
    assert!(swarm.add_user_ints(4, &ids[..1], -1).is_err());
    assert!(swarm.add_user_ints(0, &ids[..1], far).is_err());
    for (column, amount) in [(-1, 1), (4, 1), (0, -1), (0, far), (0, i64::MIN)] {
        assert!(
            swarm
                .damage_circle(&world, (at, 3.0), (column, amount), &AgentQuery::default())
                .is_err()
        );
        assert!(
            swarm
                .damage_segment(
                    &world,
                    (at, at, 1.0),
                    (column, amount),
                    &AgentQuery::default()
                )
                .is_err()
        );
    }
    assert!(
        swarm
            .damage_circle(&world, (at, f32::NAN), (0, 1), &AgentQuery::default())
            .is_err()
    );
    assert!(
        swarm
            .damage_segment(&world, (at, at, -1.0), (0, 1), &AgentQuery::default())
            .is_err()
    );
    assert_eq!(swarm.state_hash(), hash);
}
