//! Invalid numbers are refused with an error, and nothing changes.

use crate::common::refusals::{NOT_FINITE, refused, scene};
use flow_swarm::movement::MovementType;
use flow_swarm::swarm::{
    AgentQuery, AgentState, AgentType, MAX_NEIGHBOURS, MAX_SPEED, MAX_STEP_SECONDS, Settings,
    USER_COLUMNS,
};
use flow_swarm::{IVec2, Vec2};

#[test]
fn spawning_is_all_or_nothing() {
    let (world, mut swarm) = scene();
    let bad = [-0.1, 12.0, 1.0e30, -1.0e30].into_iter().chain(NOT_FINITE);
    for x in bad {
        let positions = [Vec2::ONE, Vec2::new(x, 1.0), Vec2::ONE];
        let what = format!("spawning at {x}");
        refused(&what, &mut swarm, |swarm| {
            swarm.spawn(&world, &positions, 0, 0)
        });
        let id = swarm.ids()[0];
        refused(&what, &mut swarm, |swarm| {
            swarm.set_positions(&world, &[id, id], &[Vec2::ONE, Vec2::new(1.0, x)])
        });
    }
    for number in [-1, 1, 255, 256, i64::MAX, i64::MIN] {
        refused("a type", &mut swarm, |swarm| {
            swarm.spawn(&world, &[Vec2::ONE], number, 0)
        });
    }
    for number in [-1, 256, i64::MAX, i64::MIN] {
        refused("a group", &mut swarm, |swarm| {
            swarm.spawn(&world, &[Vec2::ONE], 0, number)
        });
        refused("a group", &mut swarm, |swarm| {
            swarm.set_group_goal(number, None)
        });
        refused("a group", &mut swarm, |swarm| swarm.group_goal(number));
        let id = swarm.ids()[0];
        refused("a group", &mut swarm, |swarm| {
            swarm.set_group(&[id], number)
        });
    }
    let many = vec![Vec2::ONE; flow_swarm::swarm::MAX_AGENTS];
    refused("too many", &mut swarm, |swarm| {
        swarm.spawn(&world, &many, 0, 0)
    });
}

#[test]
fn step_lengths() {
    let (world, mut swarm) = scene();
    for dt in [-0.1, -f32::MIN_POSITIVE, MAX_STEP_SECONDS * 1.001, 1.0e30]
        .into_iter()
        .chain(NOT_FINITE)
    {
        let error = refused("a step", &mut swarm, |swarm| swarm.step(&world, dt));
        assert!(error.to_string().contains("delta"), "{error}");
    }
    let before = swarm.state_hash();
    swarm.step(&world, 0.0).expect("valid");
    swarm.step(&world, -0.0).expect("valid");
    assert_eq!(swarm.state_hash(), before, "no time, no change");
    swarm.step(&world, MAX_STEP_SECONDS).expect("valid");
}

#[test]
fn the_shortest_steps_are_steps_too() {
    for dt in [f32::MIN_POSITIVE, 1.0e-45, 1.0e-30, 1.0e-12] {
        let (mut world, mut swarm) = scene();
        // One agent has arrived, one is in a wall, one is pressed against a wall.
        world.set_terrain(IVec2::new(4, 4), 255).expect("inside");
        world.update();
        let goal = swarm.group_goal(0).expect("a group").expect("set above");
        world
            .move_goal(goal, &[Vec2::new(1.2, 1.3)])
            .expect("inside");
        world.update();
        for _ in 0..3 {
            swarm.step(&world, dt).expect("valid");
        }
        assert_eq!(swarm.stats().quarantined, 0, "dt {dt}");
        let fastest = swarm.velocities().iter().map(|velocity| velocity.length());
        assert!(
            fastest.fold(0.0, f32::max) <= 2.1,
            "dt {dt}: {:?}",
            swarm.velocities()
        );
        swarm.step(&world, 0.1).expect("valid");
        assert_eq!(swarm.stats().quarantined, 0, "dt {dt}");
    }
}

#[test]
fn agent_types() {
    let (_, mut swarm) = scene();
    let good = swarm.types()[0];
    let with = |set: fn(&mut AgentType, f32), value| {
        let mut kind = good;
        set(&mut kind, value);
        kind
    };
    let positive: [fn(&mut AgentType, f32); 5] = [
        |kind, value| kind.radius = value,
        |kind, value| kind.max_speed = value,
        |kind, value| kind.acceleration = value,
        |kind, value| kind.position_smoothing = value,
        |kind, value| kind.mass = value,
    ];
    for (index, set) in positive.into_iter().enumerate() {
        for value in [0.0, -0.0, -1.0, 1.0e30].into_iter().chain(NOT_FINITE) {
            let kind = with(set, value);
            refused(
                &format!("property {index} of {value}"),
                &mut swarm,
                |swarm| swarm.set_types(&[good, kind]),
            );
        }
    }
    for value in [-1.0, 1.0e30].into_iter().chain(NOT_FINITE) {
        let kind = with(|kind, value| kind.separation_weight = value, value);
        refused("a weight", &mut swarm, |swarm| swarm.set_types(&[kind]));
        let kind = with(|kind, value| kind.color[2] = value, value * 1.0e8);
        refused("a colour", &mut swarm, |swarm| swarm.set_types(&[kind]));
    }
    for value in [-1.0, 1.0e30].into_iter().chain(NOT_FINITE) {
        type Change = fn(&mut AgentType, f32);
        let changes: [(&str, Change); 5] = [
            ("neighbour_radius", |kind, value| {
                kind.neighbour_radius = value;
            }),
            ("time_horizon", |kind, value| kind.time_horizon = value),
            ("time_horizon_walls", |kind, value| {
                kind.time_horizon_walls = value;
            }),
            ("priority", |kind, value| kind.priority = value),
            ("speed_variation", |kind, value| {
                kind.speed_variation = value;
            }),
        ];
        for (name, change) in changes {
            let kind = with(change, value);
            let error = refused(name, &mut swarm, |swarm| swarm.set_types(&[kind]));
            assert!(error.to_string().contains(name), "{error}");
        }
    }
    for max_neighbours in [MAX_NEIGHBOURS + 1, usize::MAX] {
        let kind = AgentType {
            max_neighbours,
            ..good
        };
        refused("too many neighbours", &mut swarm, |swarm| {
            swarm.set_types(&[kind])
        });
    }
    for movement in [64, usize::MAX] {
        let kind = AgentType { movement, ..good };
        refused("a movement type", &mut swarm, |swarm| {
            swarm.set_types(&[kind])
        });
    }
    refused("65 types", &mut swarm, |swarm| swarm.set_types(&[good; 65]));
    swarm.set_types(&[good; 3]).expect("valid");
}

#[test]
fn own_targets_are_all_or_nothing() {
    let (world, mut swarm) = scene();
    let ids = swarm.ids().to_vec();
    let good = Vec2::splat(3.0);
    for bad in [Vec2::splat(-1.0), Vec2::NAN, Vec2::splat(12.5)] {
        refused("a target", &mut swarm, |swarm| {
            swarm.set_targets(&world, &ids[..2], &[good, bad])
        });
    }
    refused("one target for two", &mut swarm, |swarm| {
        swarm.set_targets(&world, &ids[..2], &[good])
    });
    swarm.despawn(&ids[2..]);
    refused("a dead agent's target", &mut swarm, |swarm| {
        swarm.set_targets(&world, &ids[1..], &[good; 2])
    });
    refused("clearing a dead agent's target", &mut swarm, |swarm| {
        swarm.clear_targets(&ids[1..])
    });
}

#[test]
fn types_in_use_cannot_be_dropped() {
    let (world, mut swarm) = scene();
    let good = swarm.types()[0];
    swarm.set_types(&[good; 3]).expect("valid");
    swarm.spawn(&world, &[Vec2::ONE], 2, 0).expect("inside");
    refused("dropping a type", &mut swarm, |swarm| {
        swarm.set_types(&[good; 2])
    });
    refused("dropping all types", &mut swarm, |swarm| {
        swarm.set_types(&[])
    });
}

#[test]
fn a_movement_type_that_the_world_has_not() {
    let (mut world, mut swarm) = scene();
    let sailor = AgentType {
        movement: 2,
        ..swarm.types()[0]
    };
    swarm
        .set_types(&[sailor])
        .expect("valid: the world may come later");
    let error = refused("a step", &mut swarm, |swarm| swarm.step(&world, 0.1));
    assert!(error.to_string().contains("movement_type"), "{error}");
    let kinds = [
        MovementType::default(),
        MovementType::default(),
        MovementType::default(),
    ];
    world.set_movement_types(&kinds).expect("three");
    swarm.step(&world, 0.1).expect("now it has");
    world.set_movement_types(&kinds[..1]).expect("one");
    refused("a step", &mut swarm, |swarm| swarm.step(&world, 0.1));
}

#[test]
fn settings() {
    let (_, mut swarm) = scene();
    let good = *swarm.settings();
    for value in [-1.0, 1.0e30].into_iter().chain(NOT_FINITE) {
        let bad = Settings {
            arrival_radius: value,
            ..good
        };
        refused("an arrival radius", &mut swarm, |swarm| {
            swarm.set_settings(bad)
        });
        let bad = Settings {
            stuck_seconds: value,
            ..good
        };
        refused("a stuck time", &mut swarm, |swarm| swarm.set_settings(bad));
    }
    let bad = Settings {
        stuck_seconds: 0.0,
        ..good
    };
    refused("no stuck time", &mut swarm, |swarm| swarm.set_settings(bad));
}

#[test]
fn velocities_and_impulses() {
    let (world, mut swarm) = scene();
    let ids = swarm.ids().to_vec();
    for value in [MAX_SPEED * 1.01, 1.0e30, f32::MAX]
        .into_iter()
        .chain(NOT_FINITE)
    {
        let vector = Vec2::new(1.0, value);
        refused("an impulse", &mut swarm, |swarm| {
            swarm.apply_impulse(&ids, vector)
        });
        let velocities = [Vec2::X, vector, Vec2::X];
        refused(&format!("a velocity of {value}"), &mut swarm, |swarm| {
            swarm.set_scripted_velocities(&ids, &velocities)
        });
        refused("a strength", &mut swarm, |swarm| {
            swarm.apply_radial_impulse(&world, Vec2::ONE, 3.0, value)
        });
        refused("a radius", &mut swarm, |swarm| {
            swarm.apply_radial_impulse(&world, Vec2::ONE, value, 3.0)
        });
    }
    refused("a radius", &mut swarm, |swarm| {
        swarm.apply_radial_impulse(&world, Vec2::ONE, -1.0, 3.0)
    });
    for value in NOT_FINITE {
        let center = Vec2::new(value, 0.0);
        refused("a centre", &mut swarm, |swarm| {
            swarm.apply_radial_impulse(&world, center, 3.0, 3.0)
        });
    }
    refused("too few velocities", &mut swarm, |swarm| {
        swarm.set_scripted_velocities(&ids, &[Vec2::X])
    });
    refused("too few positions", &mut swarm, |swarm| {
        swarm.set_positions(&world, &ids, &[Vec2::ONE])
    });
    assert!(AgentState::from_number(-1).is_err() && AgentState::from_number(4).is_err());
    // Any number of impulses of the greatest strength stays within the greatest speed.
    for _ in 0..5 {
        swarm
            .apply_impulse(&ids, Vec2::new(MAX_SPEED, 0.0))
            .expect("the greatest");
    }
    assert!(
        swarm
            .velocities()
            .iter()
            .all(|velocity| velocity.length() <= MAX_SPEED * 1.001)
    );
    swarm.step(&world, 1.0).expect("valid");
    assert_eq!(swarm.stats().quarantined, 0);
}

#[test]
fn queries() {
    let (world, mut swarm) = scene();
    for value in NOT_FINITE {
        let at = Vec2::new(1.0, value);
        refused("a centre", &mut swarm, |swarm| {
            swarm.query_circle(&world, at, 1.0, &AgentQuery::default())
        });
        refused("a corner", &mut swarm, |swarm| {
            swarm.query_rect(&world, (at, Vec2::ONE), &AgentQuery::default())
        });
        refused("a corner", &mut swarm, |swarm| {
            swarm.query_rect(&world, (Vec2::ONE, at), &AgentQuery::default())
        });
        refused("a position", &mut swarm, |swarm| {
            swarm.nearest(&world, at, 1.0, &AgentQuery::default())
        });
        refused("a radius", &mut swarm, |swarm| {
            swarm.query_circle(&world, Vec2::ONE, value, &AgentQuery::default())
        });
        refused("a start", &mut swarm, |swarm| {
            swarm.query_segment(&world, (at, Vec2::ONE), 1.0, &AgentQuery::default())
        });
        refused("an end", &mut swarm, |swarm| {
            swarm.query_segment(&world, (Vec2::ONE, at), 1.0, &AgentQuery::default())
        });
        refused("a width", &mut swarm, |swarm| {
            swarm.query_segment(
                &world,
                (Vec2::ONE, Vec2::ZERO),
                value,
                &AgentQuery::default(),
            )
        });
    }
    refused("a width", &mut swarm, |swarm| {
        swarm.query_segment(
            &world,
            (Vec2::ONE, Vec2::ZERO),
            -0.1,
            &AgentQuery::default(),
        )
    });
    for value in [-1.0, f32::NAN, f32::NEG_INFINITY] {
        refused("a distance", &mut swarm, |swarm| {
            swarm.nearest(&world, Vec2::ONE, value, &AgentQuery::default())
        });
    }
    refused("a radius", &mut swarm, |swarm| {
        swarm.query_circle(&world, Vec2::ONE, -0.1, &AgentQuery::default())
    });
    refused("a rectangle", &mut swarm, |swarm| {
        swarm.query_rect(&world, (Vec2::ONE, Vec2::ZERO), &AgentQuery::default())
    });
    // Valid queries at the limits of numbers, where there are no agents.
    let far = Vec2::splat(f32::MAX);
    assert_eq!(
        swarm.query_circle(&world, far, 1.0, &AgentQuery::default()),
        Ok(Vec::new())
    );
    assert_eq!(
        swarm
            .query_rect(&world, (-far, far), &AgentQuery::default())
            .map(|ids| ids.len()),
        Ok(3)
    );
    assert_eq!(
        swarm.nearest(&world, far, 1.0, &AgentQuery::default()),
        Ok(None)
    );
    let distant = Vec2::splat(1.0e6);
    let across = swarm.query_segment(&world, (-distant, distant), 1.0, &AgentQuery::default());
    assert_eq!(across.map(|ids| ids.len()), Ok(3));
    let most = Vec2::splat(1.0e9);
    let beyond = swarm.query_segment(&world, (most, most * 0.5), 1.0e6, &AgentQuery::default());
    assert_eq!(beyond, Ok(Vec::new()));
    for (ends, error) in [
        ((far, most), "from must be from -1e9 to 1e9"),
        ((most, -most * 1.1), "to must be from -1e9 to 1e9"),
    ] {
        let refused = swarm.query_segment(&world, ends, 1.0, &AgentQuery::default());
        let refused = refused.expect_err("too far away").to_string();
        assert!(refused.starts_with(error), "{refused}");
    }
}

#[test]
fn user_columns() {
    let (_, mut swarm) = scene();
    let ids = swarm.ids().to_vec();
    for column in [-1, USER_COLUMNS as i64, i64::MAX] {
        refused("a column", &mut swarm, |swarm| {
            swarm.set_user_ints(column, &ids, &[1; 3])
        });
        refused("a column", &mut swarm, |swarm| {
            swarm.set_user_floats(column, &ids, &[1.0; 3])
        });
        refused("a column", &mut swarm, |swarm| {
            swarm.user_ints(column).map(drop)
        });
        refused("a column", &mut swarm, |swarm| {
            swarm.user_float(column, ids[0])
        });
    }
    for value in NOT_FINITE {
        refused("a float", &mut swarm, |swarm| {
            swarm.set_user_floats(0, &ids, &[1.0, 2.0, value])
        });
    }
    refused("too few values", &mut swarm, |swarm| {
        swarm.set_user_ints(0, &ids, &[1; 2])
    });
    swarm.despawn(&ids[2..]);
    refused("a dead agent's", &mut swarm, |swarm| {
        swarm.set_user_ints(0, &ids, &[1; 3])
    });
    refused("a dead agent's", &mut swarm, |swarm| {
        swarm.set_user_floats(0, &ids, &[1.0; 3])
    });
    refused("a dead agent's", &mut swarm, |swarm| {
        swarm.user_int(0, ids[2])
    });
}
