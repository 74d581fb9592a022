//! Saved swarms.

use crate::common::{center_of, world_on};
use crate::fields::{Field, Walk, ends, forged};
use flow_swarm::error::Error;
use flow_swarm::grid::Grid;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::movement::{CrowdPenalty, MovementType};
use flow_swarm::swarm::{
    AgentQuery, AgentState, AgentType, Avoidance, Clip, Formation, Pose, Shape, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;
use flow_swarm_bench::peak_memory::peak_of;
use flow_swarm_bench::saved_bytes::signed;

/// The width of a block of crowded ground, in cells.
const BLOCK: usize = 32;

/// The first cell of a link on which agents are for a long time.
const SLOW_LINK: IVec2 = IVec2::new(20, 20);

/// Two layers of 40 by 30 cells with crowd penalties.
fn world() -> FlowWorld {
    let origin = Vec2::new(-50.0, 20.0);
    let grid = Grid::layered(IVec2::new(40, 30), 1.0, origin, 2).expect("valid");
    let map = open(40, grid.height() as usize);
    let mut world = world_on(grid, &map, Workers::serial());
    let penalty = CrowdPenalty::new(20).expect("in range");
    let kind = MovementType::default().with_crowd_penalty(penalty);
    world.set_movement_types(&[kind]).expect("one");
    let link = Link {
        from: SLOW_LINK,
        to: IVec2::new(34, 12),
        cost: 1.0,
        both_ways: false,
        travel: Travel::Timed {
            seconds: 1000.0,
            arc: 2.0,
        },
    };
    world.add_link(link).expect("valid");
    world
}

fn empty(world: &mut FlowWorld) -> Swarm {
    let goal = world
        .create_goal(&[world.grid().center_of(IVec2::new(35, 12))])
        .expect("inside");
    let mut swarm = Swarm::new(3);
    let kind = AgentType {
        radius: 0.4,
        max_speed: 3.0,
        acceleration: 20.0,
        speed_variation: 0.3,
        cohesion: 0.4,
        lateral_bias: 0.5,
        neighbour_radius: 3.0,
        ..AgentType::default()
    };
    let avoider = AgentType {
        avoidance: Avoidance::Orca,
        ..kind
    };
    swarm.set_types(&[kind, avoider]).expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    let pose = Pose::at(Vec2::new(-30.0, 30.0)).expect("valid");
    swarm.add_body(Shape::Disc(2.0), pose, true).expect("valid");
    swarm
        .add_area(Shape::Box(Vec2::splat(8.0)), pose)
        .expect("valid");
    swarm
}

fn tick(world: &mut FlowWorld, swarm: &mut Swarm, dt: f32) {
    swarm.report_crowding(world);
    // A forged order may be to a goal that there is not.
    let requested = swarm.request_routes(world);
    assert!(matches!(
        requested,
        Ok(()) | Err(Error::GoalReleased { .. })
    ));
    world.update();
    swarm.step(world, dt).expect("valid");
}

/// The save of a swarm with everything that a save can contain.
fn saved() -> Vec<u8> {
    let mut world = world();
    let mut swarm = empty(&mut world);
    let before = swarm.save();
    let map = open(40, 30);
    let places: Vec<Vec2> = (0..9)
        .map(|agent| Vec2::new(-50.0, 20.0) + center_of(&map, 45 + 2 * agent))
        .collect();
    swarm.spawn(&world, &places[..3], 0, 0).expect("inside");
    swarm.load(&before).expect("just saved");
    let ids = swarm.spawn(&world, &places, 1, 0).expect("inside");
    swarm.despawn(&[ids[2], ids[5]]);
    let foot = world.grid().center_of(SLOW_LINK);
    swarm.spawn(&world, &[foot], 0, 0).expect("inside");
    // At the far corner, so that crowded ground reaches the edge of the grid.
    let corner = world.grid().center_of(IVec2::new(39, 91));
    swarm
        .set_positions(&world, &ids[..1], &[corner])
        .expect("inside");
    swarm.set_state(&ids[..1], AgentState::Idle).expect("alive");
    swarm
        .set_state(&ids[1..2], AgentState::Scripted)
        .expect("alive");
    swarm
        .set_scripted_velocities(&ids[1..2], &[Vec2::X])
        .expect("alive");
    swarm
        .set_targets(&world, &ids[3..4], &[places[8]])
        .expect("inside");
    swarm.set_user_ints(1, &ids[3..4], &[-7]).expect("alive");
    swarm.set_user_floats(3, &ids[3..4], &[0.5]).expect("alive");
    swarm
        .set_state(&ids[4..5], AgentState::Corpse)
        .expect("alive");
    swarm.set_speed_factors(&ids[6..7], &[0.5]).expect("alive");
    swarm.set_size_factors(&ids[6..7], &[2.0]).expect("alive");
    let clip = Clip {
        number: 3,
        seconds: 30.0,
        once: true,
        blend: 5.0,
    };
    swarm.play_clips(&ids[6..8], &[clip]).expect("alive");
    swarm.stop_clips(&ids[7..8]).expect("alive");
    let target = [places[1]];
    swarm
        .send(&mut world, &ids[6..7], &target, GoalMode::Full)
        .expect("inside");
    swarm.set_type(&ids[6..7], 0).expect("alive");
    swarm
        .send_in_formation(
            &mut world,
            &ids[7..9],
            places[2],
            GoalMode::Full,
            &Formation::default(),
        )
        .expect("inside");
    swarm
        .set_colors(&ids[7..8], &[[1.0, 0.0, 0.5, 1.0]])
        .expect("alive");
    for _ in 0..20 {
        tick(&mut world, &mut swarm, 0.05);
    }
    swarm.save()
}

/// All fields of a saved swarm, in order.
fn fields(bytes: &[u8]) -> Vec<Field> {
    let mut walk = Walk::new(&bytes[..bytes.len() - 8]);
    walk.field("magic", 8);
    walk.field("version", 4);
    walk.field("tick", 8);
    walk.field("arrived", 8);
    for _ in 0..walk.field("groups", 4) {
        walk.field("informed", 4);
        walk.field("signature", 8);
    }
    let slots = walk.field("slots", 4) as usize;
    let free = walk.field("free", 4) as usize;
    let agents = walk.field("agents", 4) as usize;
    walk.array("lives", 4, slots);
    walk.array("free slot", 4, free);
    walk.array("id", 8, agents);
    for column in ["position", "velocity", "heading", "scripted", "anchor"] {
        walk.array(column, 4, 2 * agents);
    }
    walk.array("stalled", 4, agents);
    walk.array("kind", 1, agents);
    walk.array("group", 1, agents);
    let states = walk.array("state", 1, agents);
    let travelling = states.iter().filter(|&&state| state == 8).count();
    let flags = walk.array("flags", 1, agents);
    let targets = flags.iter().filter(|&flags| flags & 16 != 0).count();
    walk.array("target", 4, 2 * targets);
    let (mut parts, mut orders) = (Vec::new(), 0);
    while !walk.is_at_end() {
        let part = walk.field("part", 4) as u32;
        parts.push(part.to_le_bytes());
        match &part.to_le_bytes() {
            b"USER" => {
                let columns = walk.field("columns", 4).count_ones() as usize;
                walk.array("number", 4, columns * agents);
            }
            b"FACT" => {
                walk.field("factors", 4);
                walk.array("speed factor", 4, agents);
                walk.array("size factor", 4, agents);
                walk.array("color", 4, 4 * agents);
            }
            b"TRVL" => {
                walk.array("ends, seconds and arc of a travel", 4, 9 * travelling);
            }
            b"CLIP" => {
                for _ in 0..agents {
                    walk.field("clip", 1);
                    walk.field("marks of a clip", 1);
                    walk.array("seconds, blend, elapsed, weight", 4, 4);
                }
            }
            b"ORDR" => {
                let count = walk.field("orders", 4);
                for _ in 0..count {
                    walk.field("order", 4);
                    walk.field("goal", 8);
                    walk.field("marks", 4);
                    walk.field("seen", 8);
                }
                walk.array("followed", 2, agents);
                orders = count as usize;
            }
            b"FLWR" => {
                walk.array("types that have followed an order", 8, orders);
            }
            b"MRCH" => {
                for _ in 0..walk.field("marches", 4) {
                    walk.field("order of a march", 4);
                    walk.array("leader, ahead, center, heading", 4, 8);
                    walk.field("spacing", 4);
                    walk.field("shape", 4);
                    let points = walk.field("points", 4) as usize;
                    walk.array("point", 4, 2 * points);
                    for _ in 0..walk.field("members", 4) {
                        walk.field("member", 8);
                        walk.field("file", 4);
                        walk.field("rank", 4);
                        walk.array("place, target", 4, 4);
                    }
                }
            }
            b"LAYR" => {
                walk.field("layers", 4);
                walk.field("rows", 4);
                walk.field("low", 4);
                walk.field("row size", 4);
            }
            b"DENS" => {
                let width = walk.field("width", 4) as usize;
                let height = walk.field("height", 4) as usize;
                walk.field("since", 4);
                for _ in 0..walk.field("blocks", 4) {
                    let columns = width.div_ceil(BLOCK);
                    let key = walk.field("block", 4) as usize;
                    let first = (key % columns * BLOCK, key / columns * BLOCK);
                    // The cells in the corners of the block and of the grid, on both sides of its edge.
                    let keep = |cell: usize| {
                        let (x, y) = (cell % BLOCK, cell / BLOCK);
                        let is_edge = |at: usize, first: usize, size: usize| {
                            at == 0 || at == BLOCK - 1 || (first + at).abs_diff(size) < 2
                        };
                        is_edge(x, first.0, width) && is_edge(y, first.1, height)
                    };
                    walk.some("covered", 2, BLOCK * BLOCK, keep);
                    walk.some("level", 1, BLOCK * BLOCK, keep);
                }
            }
            b"REST" => {
                walk.field("seed", 8);
                walk.field("arrival", 1);
                walk.array("marks of settings", 1, 4);
                walk.array("radius, fading, stuck", 4, 3);
                walk.field("far agents every", 4);
                walk.array("focus", 4, 4);
                for _ in 0..walk.field("group goals", 4) {
                    walk.field("goal of a group", 8);
                    walk.field("marks of a group", 4);
                    walk.field("leader", 8);
                }
                for name in ["bodies", "areas"] {
                    walk.field("last id", 8);
                    for _ in 0..walk.field(name, 4) {
                        walk.field("id of a site", 8);
                        let numbers = [1, 2][walk.field("shape of a site", 1) as usize];
                        walk.array("size of a site", 4, numbers);
                        walk.array("poses of a site", 4, 8);
                        if walk.field("role", 1) > 0 && name == "areas" {
                            walk.field("strength", 4);
                        }
                    }
                    for _ in 0..walk.field("overlaps", 4) {
                        walk.array("overlap", 8, 2);
                    }
                }
                walk.field("reporter", 8);
            }
            b"IDS " => {
                let issued = walk.field("issued", 4) as usize;
                walk.array("last generation", 4, issued);
            }
            other => panic!("an unknown part {other:?}"),
        }
    }
    assert_eq!(
        parts,
        [
            *b"USER", *b"FACT", *b"TRVL", *b"CLIP", *b"ORDR", *b"FLWR", *b"MRCH", *b"LAYR",
            *b"DENS", *b"REST", *b"IDS "
        ],
        "all parts are there"
    );
    walk.fields
}

/// Loads bytes that may be invalid. If they are accepted, continues the game and makes queries.
fn live_with(bytes: &[u8], what: &str, world: &mut FlowWorld, swarm: &mut Swarm) -> bool {
    let before = (swarm.state_hash(), swarm.save());
    if let Err(error) = swarm.load(bytes) {
        assert!(
            matches!(error, Error::BadBytes { name: "state", .. }),
            "{what}: {error}"
        );
        assert_eq!(
            (swarm.state_hash(), swarm.save()),
            before,
            "{what}: refused, and changed"
        );
        return false;
    }
    let saved = swarm.save();
    swarm
        .load(&saved)
        .unwrap_or_else(|error| panic!("{what}: its own save: {error}"));
    let stale = swarm.ids().to_vec();
    let spawned = swarm
        .spawn(world, &[Vec2::new(-20.0, 30.0); 3], 0, 0)
        .expect("inside");
    assert!(spawned.iter().all(|id| !stale.contains(id)), "{what}");
    for dt in [0.1, 0.3, 1.0, 0.02] {
        tick(world, swarm, dt);
        let numbers = swarm.positions().iter().chain(swarm.velocities());
        assert!(
            numbers.into_iter().all(|vector| vector.is_finite()),
            "{what}"
        );
        assert!(swarm.events().quarantined.is_empty(), "{what}");
    }
    let middle = Vec2::new(-30.0, 30.0);
    swarm
        .query_circle(world, middle, 1.0e6, &AgentQuery::default())
        .expect("valid");
    swarm
        .nearest(world, middle, f32::INFINITY, &AgentQuery::default())
        .expect("valid");
    swarm
        .query_segment(world, (middle, Vec2::ZERO), 2.0, &AgentQuery::default())
        .expect("valid");
    assert!(
        (0.0..=1.0).contains(&world.crowding_at(middle).expect("inside")),
        "{what}"
    );
    let ids = swarm.ids().to_vec();
    assert_eq!(swarm.stats().agents, ids.len());
    assert_eq!(swarm.despawn(&ids), (ids.len(), None), "{what}");
    true
}

#[test]
fn every_field_may_be_anything() {
    let bytes = saved();
    let (mut world, content) = (world(), &bytes[..bytes.len() - 8]);
    let mut swarm = empty(&mut world);
    assert!(live_with(&bytes, "the save itself", &mut world, &mut swarm));
    let (mut accepted, mut refused) = (0, 0);
    for field in fields(&bytes) {
        for (number, altered) in forged(content, &field).into_iter().enumerate() {
            let what = format!("{} at {}, value {number}", field.name, field.at);
            let is_taken = live_with(&signed(altered), &what, &mut world, &mut swarm);
            *(if is_taken {
                &mut accepted
            } else {
                &mut refused
            }) += 1;
        }
    }
    assert!(
        accepted > 500 && refused > 2000,
        "{accepted} taken, {refused} refused"
    );
}

/// A count may exceed the data, or be followed by any number of zeros.
#[test]
fn loading_takes_memory_for_what_is_there() {
    let bytes = saved();
    let content = &bytes[..bytes.len() - 8];
    let mut world = world();
    let mut swarm = empty(&mut world);
    // One number for each block that a grid can have, and a small multiple of the bytes.
    let most = |bytes: &[u8]| (1 << 19) + 8 * bytes.len();
    let counts = [
        "groups", "slots", "free", "agents", "columns", "layers", "rows", "width", "height",
        "blocks", "issued",
    ];
    for field in fields(&bytes)
        .iter()
        .filter(|field| counts.contains(&field.name))
    {
        for altered in forged(content, field) {
            for zeros in [0, 1 << 16] {
                let mut altered = altered.clone();
                altered.resize(altered.len() + zeros, 0);
                let altered = signed(altered);
                let (_, peak) = peak_of(|| swarm.load(&altered).is_ok());
                assert!(
                    peak <= most(&altered),
                    "{}: {peak} bytes for {}",
                    field.name,
                    altered.len()
                );
            }
        }
    }
    let (_, peak) = peak_of(|| swarm.load(&bytes).expect("as saved"));
    assert!(peak > 1000, "nothing was counted");
}

#[test]
fn ends_are_kept() {
    let kept: Vec<usize> = (0..9).filter(|&at| ends(9)(at)).collect();
    assert_eq!(kept, [0, 1, 4, 8]);
}
