//! Agents on their way over a link: where they are and are drawn, what they touch, and saves of them.

use super::{
    BRINK, DT, LANES, RISE, SIZE, drawn, join, ladder, on_the_way, place, position, stairs, status,
    step, swarm_in, two_floors,
};
use flow_swarm::grid::Grid;
use flow_swarm::grid::travel::Travel;
use flow_swarm::swarm::{
    AgentState, AgentStatus, ArrivalAction, Avoidance, Force, ForceKind, Pose, Settings, Shape,
    Swarm,
};
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};

#[test]
fn agents_climb_stairs_without_a_hop_or_a_stop() {
    let mut world = stairs(1);
    let mut swarm = swarm_in(&mut world, Avoidance::Contact, GoalMode::Full);
    let starts: Vec<Vec2> = (0..9)
        .map(|n| place(&world, BRINK - 10 + 3 * (n / 3), 5 + n % 3, 0))
        .collect();
    let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
    let mut last: Option<Vec<([f32; 3], [f32; 2])>> = None;
    let mut lane = vec![None; ids.len()];
    let mut climbed = 0;
    for tick in 0..900 {
        step(&mut world, &mut swarm);
        assert_eq!(swarm.ids(), ids, "the order that is drawn");
        for fraction in [0.5, 1.0] {
            let frame = drawn(&swarm, fraction);
            for (agent, (at, ahead)) in frame.iter().enumerate() {
                let Some(before) = last.as_ref().map(|frame| frame[agent].0) else {
                    continue;
                };
                let [x, y, z] = [0, 1, 2].map(|axis: usize| at[axis] - before[axis]);
                let (flat, moved) = (x.hypot(z), x.hypot(z).hypot(y));
                assert!(
                    moved < 0.05,
                    "tick {tick}, agent {agent}: {moved} m at {at:?}"
                );
                // From when all are at speed to behind the stairs; none is in another's way.
                let near = (BRINK as f32 - 6.0..BRINK as f32 + 6.0).contains(&(at[0] + 3.0));
                if tick > 30 && near {
                    let whole = 1.4 / 60.0;
                    assert!(
                        (0.9 * whole..1.02 * whole).contains(&flat),
                        "tick {tick}, agent {agent}: {flat} m at {at:?}"
                    );
                    assert!(ahead[0] > 0.9 * ahead[0].hypot(ahead[1]), "{ahead:?}");
                }
                assert!((-1.0e-6..=RISE + 1.0e-6).contains(&at[1]));
            }
            last = Some(frame);
        }
        for (agent, &id) in ids.iter().enumerate() {
            let across = position(&swarm, id).y - world.grid().layers().pitch() as f32;
            if status(&swarm, id) == AgentStatus::Travelling {
                lane[agent].get_or_insert(world.grid().layers().flat(position(&swarm, id)).y);
            } else if let Some(from) = lane[agent].take() {
                climbed += 1;
                assert!((across - from).abs() < 0.05, "from {from} to {across}");
            }
        }
    }
    assert_eq!(climbed, ids.len());
}

#[test]
fn a_timed_travel_takes_its_time_and_follows_its_arc() {
    for (seconds, arc) in [(1.25, 0.0), (0.4, 3.0), (7.0, 1.5), (0.001, 0.0)] {
        let mut world = ladder(seconds, arc);
        let mut swarm = swarm_in(&mut world, Avoidance::Contact, GoalMode::Full);
        let start = place(&world, BRINK - 2, 6, 0);
        let id = swarm.spawn(&world, &[start], 0, 0).expect("inside")[0];
        let layers = *world.grid().layers();
        let (mut steps, mut highest, mut flats) = (0_usize, 0.0_f32, Vec::new());
        while layers.at(position(&swarm, id)) == 0 || status(&swarm, id) == AgentStatus::Travelling
        {
            let before = position(&swarm, id);
            step(&mut world, &mut swarm);
            let now = position(&swarm, id);
            if world.grid().cell_at(before)
                == world
                    .grid()
                    .place_of(IVec2::new(BRINK, 6), 0)
                    .expect("inside")
                || steps > 0
            {
                steps += 1;
                flats.push((layers.flat(now), layers.at(now)));
            }
            for fraction in [0.25, 0.5, 0.75, 1.0] {
                highest = highest.max(swarm.drawn_height(id, fraction, 0.0).expect("there"));
            }
            assert_eq!(swarm.events().stuck, []);
            assert_eq!(swarm.events().lost, []);
        }
        let expected = (seconds / DT).ceil() as usize;
        assert!(steps.abs_diff(expected) <= 1, "{seconds}: {steps}");
        // Even steps on a straight line, on the lower layer for the first half.
        for (number, pair) in flats.windows(2).enumerate().take(steps.saturating_sub(2)) {
            let first = flats[1].0 - flats[0].0;
            assert!((pair[1].0 - pair[0].0).distance(first) < 1.0e-4);
            let share = (number + 1) as f32 / expected as f32;
            if (share - 0.5).abs() > 0.1 {
                assert_eq!(pair[0].1, u32::from(share > 0.5), "{share}");
            }
        }
        if steps > 10 {
            // The greatest height of the sum of line and parabola.
            let top = if 4.0 * arc > RISE {
                arc + 0.5 * RISE + RISE * RISE / (16.0 * arc)
            } else {
                RISE
            };
            assert!((highest - top).abs() < 0.05, "{highest} and not {top}");
        }
        step(&mut world, &mut swarm);
        let speed = swarm.velocities()[0].length();
        assert!(speed <= 1.4001, "landed at {speed}");
        assert_eq!(swarm.drawn_height(id, 0.5, 0.0), Ok(RISE));
    }
}

#[test]
fn nothing_but_the_link_moves_an_agent_on_it() {
    for avoidance in Avoidance::ALL {
        let run = |is_crowded: bool| {
            let mut world = ladder(2.0, 1.0);
            let mut swarm = swarm_in(&mut world, avoidance, GoalMode::Full);
            let start = place(&world, BRINK, 6, 0);
            let id = swarm.spawn(&world, &[start], 0, 0).expect("inside")[0];
            step(&mut world, &mut swarm);
            assert_eq!(status(&swarm, id), AgentStatus::Travelling);
            if is_crowded {
                // On its line, at both ends and in the middle, standing and under force.
                let spots = [(BRINK, 0), (BRINK + 4, 1), (BRINK + 5, 1), (BRINK + 6, 1)];
                let spots = spots.map(|(x, layer)| place(&world, x, 6, layer));
                let idle = swarm.spawn(&world, &spots, 0, 1).expect("inside");
                swarm.set_state(&idle, AgentState::Idle).expect("alive");
                let middle = world.grid().layers().flat(spots[1]);
                for layer in 0..2 {
                    let at = world.grid().layers().place(middle, layer);
                    let pose = Pose::at(at).expect("valid");
                    swarm.add_body(Shape::Disc(0.4), pose, true).expect("valid");
                }
                let wind = Force {
                    kind: ForceKind::Push,
                    strength: 50.0,
                };
                swarm.add_force_field(start, 30.0, wind).expect("valid");
                swarm
                    .apply_impulse(&[id], Vec2::splat(-20.0))
                    .expect("alive");
            }
            let mut way = Vec::new();
            for _ in 0..50 {
                step(&mut world, &mut swarm);
                way.push(position(&swarm, id));
                assert_eq!(status(&swarm, id), AgentStatus::Travelling);
            }
            way
        };
        assert_eq!(run(true), run(false), "{avoidance:?}");
    }
}

#[test]
fn agents_on_a_link_push_nobody() {
    for avoidance in Avoidance::ALL {
        let mut world = ladder(2.0, 1.0);
        let mut swarm = swarm_in(&mut world, avoidance, GoalMode::Full);
        let starts: Vec<Vec2> = LANES.map(|y| place(&world, BRINK, y, 0)).collect();
        let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
        step(&mut world, &mut swarm);
        let spots = [(BRINK, 0), (BRINK + 4, 1), (BRINK + 5, 1)];
        let spots = spots.map(|(x, layer)| place(&world, x, 6, layer));
        let idle = swarm.spawn(&world, &spots, 0, 1).expect("inside");
        swarm.set_state(&idle, AgentState::Idle).expect("alive");
        for _ in 0..55 {
            step(&mut world, &mut swarm);
            for (&id, spot) in idle.iter().zip(spots) {
                assert_eq!(position(&swarm, id), spot, "{avoidance:?}");
            }
            assert!(
                ids.iter()
                    .all(|&id| status(&swarm, id) == AgentStatus::Travelling)
            );
        }
    }
}

#[test]
fn areas_notice_agents_on_links() {
    let mut world = ladder(2.0, 0.0);
    let (mut swarm, id) = on_the_way(&mut world);
    let pose = Pose::at(place(&world, BRINK + 2, 6, 0)).expect("valid");
    let area = swarm.add_area(Shape::Disc(0.8), pose).expect("valid");
    let (mut entered, mut exited) = (0, 0);
    while status(&swarm, id) == AgentStatus::Travelling {
        step(&mut world, &mut swarm);
        entered += swarm
            .events()
            .entered
            .iter()
            .filter(|&&pair| pair == (area, id))
            .count();
        exited += swarm
            .events()
            .exited
            .iter()
            .filter(|&&pair| pair == (area, id))
            .count();
    }
    assert_eq!((entered, exited), (1, 1));
}

/// A crowd in the west of three lanes.
fn crowd(world: &FlowWorld, count: i32) -> Vec<Vec2> {
    let spot = |n: i32| place(world, n % 18, 1 + (n / 18) % 11, 0);
    let apart = |n: i32| Vec2::new(0.0, if n >= 198 { 0.5 } else { 0.0 });
    (0..count).map(|n| spot(n) + apart(n)).collect()
}

#[test]
fn a_crowd_gets_over_links_of_three_lanes() {
    for avoidance in Avoidance::ALL {
        for mode in [GoalMode::Full, GoalMode::Tiled] {
            for travel in [
                Travel::Walk,
                Travel::Timed {
                    seconds: 2.5,
                    arc: 0.0,
                },
            ] {
                let mut hashes = Vec::new();
                let threads: &[usize] = match mode {
                    GoalMode::Full => &[1, 3],
                    GoalMode::Tiled => &[2],
                };
                for &threads in threads {
                    let mut world = two_floors(threads);
                    // Long enough for several agents on each link that takes a given time.
                    let columns = if travel == Travel::Walk { 1 } else { 5 };
                    join(&mut world, columns, travel);
                    let mut swarm = swarm_in(&mut world, avoidance, mode);
                    let settings = Settings {
                        arrival: ArrivalAction::Despawn,
                        ..Settings::default()
                    };
                    swarm.set_settings(settings).expect("valid");
                    let starts = crowd(&world, 300);
                    swarm.spawn(&world, &starts, 0, 0).expect("inside");
                    let (mut ticks, mut most, mut all) = (0, 0, 0_u64);
                    // The longest time in which no agent of those below takes a link.
                    let (mut idle, mut longest, mut below) = (0, 0, 300);
                    while !swarm.is_empty() {
                        step(&mut world, &mut swarm);
                        ticks += 1;
                        let what = format!("{avoidance:?}, {mode:?}, {travel:?}, tick {ticks}");
                        assert!(ticks < 6000, "{what}: {:?}", swarm.stats());
                        assert_eq!(swarm.events().lost, [], "{what}");
                        let layers = swarm.layers();
                        let is_below = |at: &&Vec2| layers.at(**at) == 0;
                        let left = swarm.positions().iter().filter(is_below).count();
                        let waits = left > 0 && left < 300 && left == below;
                        below = left;
                        idle = if waits { idle + 1 } else { 0 };
                        longest = longest.max(idle);
                        most = most.max(swarm.stats().travelling);
                        all = all.rotate_left(7) ^ swarm.state_hash();
                    }
                    assert!(most >= 8, "{most}");
                    assert!(
                        longest < 60,
                        "{avoidance:?}, {mode:?}, {travel:?}: {longest}"
                    );
                    hashes.push(all);
                }
                hashes.dedup();
                assert_eq!(hashes.len(), 1, "threads");
            }
        }
    }
}

#[test]
fn saves_keep_agents_on_links() {
    let mut world = two_floors(1);
    let timed = Travel::Timed {
        seconds: 1.5,
        arc: 2.0,
    };
    join(&mut world, 6, timed);
    let mut swarm = swarm_in(&mut world, Avoidance::Contact, GoalMode::Full);
    let starts = crowd(&world, 120);
    swarm.spawn(&world, &starts, 0, 0).expect("inside");
    for _ in 0..350 {
        step(&mut world, &mut swarm);
    }
    assert!(swarm.stats().travelling > 2);
    let saved = swarm.save();
    let mut loaded = swarm_in(&mut world, Avoidance::Contact, GoalMode::Full);
    let goal = swarm.group_goal(0).expect("a group");
    loaded.set_group_goal(0, goal).expect("a group");
    loaded.load(&saved).expect("just saved");
    assert_eq!(loaded.state_hash(), swarm.state_hash());
    assert_eq!(loaded.save(), saved);
    let mut other = loaded.state_hash();
    for tick in 0..200 {
        step(&mut world, &mut swarm);
        step(&mut world, &mut loaded);
        assert_eq!(loaded.state_hash(), swarm.state_hash(), "tick {tick}");
        assert_ne!(other, loaded.state_hash());
        other = loaded.state_hash();
    }
    // How far an agent is on its link is part of the state.
    let mut world = ladder(3.0, 1.0);
    let (one, _) = on_the_way(&mut world);
    let mut world = ladder(3.5, 1.0);
    let (other, _) = on_the_way(&mut world);
    assert_ne!(one.state_hash(), other.state_hash());
}

#[test]
fn layers_that_move_take_agents_on_links_with_them() {
    let mut world = ladder(2.0, 0.0);
    let (mut swarm, id) = on_the_way(&mut world);
    for _ in 0..10 {
        step(&mut world, &mut swarm);
    }
    let flat = |swarm: &Swarm| swarm.layers().flat(position(swarm, id));
    let (before, speed) = (flat(&swarm), swarm.velocities()[0]);
    let larger = Grid::layered(SIZE + 10, 1.0, Vec2::new(-3.0, 4.0), 3).expect("small");
    world.set_grid(larger);
    step(&mut world, &mut swarm);
    assert_eq!(status(&swarm, id), AgentStatus::Travelling);
    assert!((before + speed * DT).distance(flat(&swarm)) < 1.0e-3);
    for _ in 0..60 {
        step(&mut world, &mut swarm);
    }
    assert_eq!(swarm.layers().at(position(&swarm, id)), 1);
    assert_ne!(status(&swarm, id), AgentStatus::Travelling);
}
