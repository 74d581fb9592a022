//! Saved worlds. Their format has hundreds of fields that depend on each other, so any place in the decompressed part
//! gets extreme values of any width, instead of every field.

use flow_swarm::error::Error;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{CostOverlay, CrowdPenalty, MovementType};
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::terrain::Stamp;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalKind, GoalMode, TileVariant};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, rooms};
use flow_swarm_bench::peak_memory::peak_of;
use flow_swarm_bench::saved_bytes::{Unpacked, signed};

/// Magic number and version.
pub const HEAD: usize = 8 + 4;
const SIZE: IVec2 = IVec2::new(64, 50);

pub fn world(variant: TileVariant) -> FlowWorld {
    let grid = Grid::new(SIZE, 1.0, Vec2::ZERO).expect("valid");
    let mut world = FlowWorld::new(grid, Workers::serial());
    let crowds = CrowdPenalty::new(20).expect("in range");
    let kind = MovementType::default().with_crowd_penalty(crowds);
    world.set_movement_types(&[kind]).expect("one");
    world.set_sector_size(8).expect("in range");
    world.set_tile_variant(variant);
    world.set_walking_cells(500);
    world
}

pub fn tick(world: &mut FlowWorld, swarm: &mut Swarm) {
    swarm.report_crowding(world);
    let requested = swarm.request_routes(world);
    assert!(matches!(
        requested,
        Ok(()) | Err(Error::GoalReleased { .. })
    ));
    world.update();
    swarm.step(world, 0.1).expect("valid");
}

/// A world with everything that a save can contain, in the middle of its work.
fn saved(variant: TileVariant) -> Vec<u8> {
    busy(world(variant)).save_state().expect("nothing hinders")
}

fn busy(mut world: FlowWorld) -> FlowWorld {
    let map = rooms(SIZE.x as usize, SIZE.y as usize, 12, 3);
    world.set_terrain_bytes(&map.cost).expect("the same size");
    let clear = |low: IVec2, high: IVec2| CellRect { low, high };
    let all = clear(IVec2::new(1, 1), IVec2::new(63, 6));
    world.set_terrain_rect(all, 1).expect("inside");
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 4.0,
        acceleration: 40.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    let at = |x: i32, y: i32| Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
    let tiled = world.create_goal_with_mode(&[at(60, 45)], &[0.0], GoalMode::Tiled);
    let full = world.create_goal(&[at(40, 3)]);
    let goals = [tiled, full].map(|goal| goal.expect("inside"));
    let flee = GoalKind::Flee { reach: 6.0 };
    let range = GoalKind::Range {
        least: 2.0,
        most: 5.0,
    };
    let kinds = [flee, range].map(|kind| world.create_goal_of_kind(&[at(20, 3)], kind));
    let kinds = kinds.map(|goal| goal.expect("inside"));
    for (group, goal) in goals.into_iter().chain(kinds).enumerate() {
        let places: Vec<Vec2> = (0..8)
            .map(|x| at(3 + 2 * x, 2 + group as i32 % 3))
            .collect();
        let group = group as i64;
        swarm.spawn(&world, &places, 0, group).expect("inside");
        swarm.set_group_goal(group, Some(goal)).expect("a group");
    }
    if world.tile_variant() == TileVariant::Seamless {
        let link = Link {
            from: IVec2::new(4, 4),
            to: IVec2::new(50, 4),
            cost: 2.0,
            both_ways: true,
            travel: Travel::Walk,
        };
        world.add_link(link).expect("two cells");
    }
    let corners = clear(IVec2::ZERO, IVec2::splat(4));
    world
        .set_heights_rect(0, corners, &[1.5; 16])
        .expect("inside");
    world
        .entities
        .register(&world.grid().clone(), 7, at(5, 5))
        .expect("inside");
    for step in 0..12_i32 {
        let walked = 0.6 * step as f32;
        for goal in [goals[0], goals[1], kinds[1]] {
            let target = world.goal_targets(goal).expect("known")[0];
            let moved = [target - Vec2::new(walked.min(0.6), 0.0)];
            world.move_goal(goal, &moved).expect("inside");
        }
        tick(&mut world, &mut swarm);
    }
    let sent = swarm.ids()[..3].to_vec();
    let target = [at(30, 3)];
    swarm
        .send(&mut world, &sent, &target, GoalMode::Tiled)
        .expect("inside");
    tick(&mut world, &mut swarm);
    let stamp = Stamp::new(IVec2::splat(2), &[255; 4], None).expect("valid");
    world
        .place_stamp(IVec2::new(12, 3), &stamp)
        .expect("inside");
    let overlay = CostOverlay::circle(3.0, 9).expect("in range");
    let overlay = overlay.with_fading(5.0).expect("in range");
    world.add_cost_overlay(at(30, 3), &overlay).expect("inside");
    world
}

/// Writes an extreme value of a random width at a random place behind the terrain, or changes a value a little.
fn forged(body: &[u8], random: &mut SplitMix64) -> (Vec<u8>, String) {
    let mut altered = body.to_vec();
    let terrain = 13 * 8 + (SIZE.x * SIZE.y) as usize;
    let at = match random.percent(10) {
        true => random.below(body.len() - 8),
        false => terrain + random.below(body.len() - terrain - 8),
    };
    let width = [1, 2, 4, 8][random.below(4)];
    let mut old = [0; 8];
    old[..width].copy_from_slice(&body[at..at + width]);
    let old = u64::from_le_bytes(old);
    let float = |value: f32| u64::from(value.to_bits());
    let values = [
        0,
        1,
        2,
        u64::MAX,
        old.wrapping_add(1),
        old.wrapping_sub(1),
        old ^ 1 << random.below(8 * width),
        0x7FFF_FFFF,
        0xFFFF_FFFE,
        1 << 20,
        float(f32::NAN),
        float(f32::INFINITY),
        float(-1.0),
        float(1.0e30),
        random.next_u64(),
    ];
    let value = values[random.below(values.len())];
    altered[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
    (altered, format!("{value:#x} in {width} bytes at {at}"))
}

/// Loads bytes that may be invalid. If they are accepted, continues the game and makes queries.
fn live_with(bytes: &[u8], what: &str, mut world: FlowWorld) -> bool {
    let before = world.world_hash();
    if let Err(error) = world.load_state(bytes) {
        let is_it = matches!(
            error,
            Error::BadBytes {
                name: "world state",
                ..
            }
        );
        assert!(is_it, "{what}: {error}");
        assert_eq!(world.world_hash(), before, "{what}: refused, and changed");
        return false;
    }
    let again = world.save_state().expect("as loaded");
    let loaded = world.load_state(&again);
    loaded.unwrap_or_else(|error| panic!("{what}: its own save: {error}"));
    let mut swarm = Swarm::new(1);
    let goals: Vec<GoalId> = world.goal_ids().collect();
    let places = [Vec2::new(3.5, 3.5), Vec2::new(40.5, 4.5)];
    for (group, &goal) in (0..8).zip(&goals) {
        swarm.spawn(&world, &places, 0, group).expect("inside");
        swarm.set_group_goal(group, Some(goal)).expect("a group");
    }
    for _ in 0..4 {
        tick(&mut world, &mut swarm);
    }
    // Temporary goals that no swarm holds are gone.
    for goal in goals
        .into_iter()
        .filter(|&goal| world.has_goal(goal))
        .collect::<Vec<_>>()
    {
        for at in places {
            let cost = world.cost_to_goal(goal, at, 0).expect("inside");
            assert!(cost.is_none_or(|cost| !cost.is_nan()), "{what}");
            world.query_status(goal, at, 0).expect("inside");
            world.path_from(goal, at, 0).expect("inside");
        }
    }
    let rect = CellRect {
        low: IVec2::new(20, 2),
        high: IVec2::new(24, 4),
    };
    world.set_terrain_rect(rect, 255).expect("inside");
    tick(&mut world, &mut swarm);
    let again = world.save_state().expect("nothing hinders");
    let loaded = world.load_state(&again);
    loaded.unwrap_or_else(|error| panic!("{what}: a later save: {error}"));
    true
}

fn busy_in_slices(variant: TileVariant) -> FlowWorld {
    let mut world = world(variant);
    world.set_update_cells(60);
    world
}

/// A part of the map whose costs are written in slices.
pub const PART: CellRect = CellRect {
    low: IVec2::new(30, 20),
    high: IVec2::new(45, 31),
};

/// A world whose costs are written in slices, with those of the terrain before in use.
fn saved_in_slices(world: FlowWorld) -> Vec<u8> {
    let mut world = busy(world);
    let ids: Vec<u8> = world.terrain().to_bytes().into_iter().rev().collect();
    world.set_terrain_bytes(&ids).expect("as large");
    world.update();
    world.set_terrain(IVec2::new(30, 3), 255).expect("inside");
    assert!(world.has_next_costs());
    world.save_state().expect("nothing hinders")
}

/// A world that has just taken new costs of a part of the map into use: its graph and slots lack them.
fn saved_after_slices(world: FlowWorld) -> Vec<u8> {
    let mut world = busy(world);
    world.update();
    world.set_terrain_rect(PART, 9).expect("inside");
    for _ in 0..1_000 {
        if !world.has_next_costs() {
            return world.save_state().expect("nothing hinders");
        }
        world.update();
    }
    panic!("they are never complete");
}

#[test]
fn any_place_may_be_anything_after_a_large_edit() {
    for variant in TileVariant::ALL {
        let new = || busy_in_slices(variant);
        any_place_of(&saved_after_slices(new()), new, 1000);
    }
}

#[test]
fn any_place_may_be_anything() {
    for variant in TileVariant::ALL {
        let new = || world(variant);
        any_place_of(&saved(variant), new, 4000);
    }
}

#[test]
fn any_place_may_be_anything_while_the_costs_of_a_terrain_are_written() {
    for variant in TileVariant::ALL {
        let new = || busy_in_slices(variant);
        any_place_of(&saved_in_slices(new()), new, 1000);
    }
}

fn any_place_of(bytes: &[u8], new: impl Fn() -> FlowWorld, count: usize) {
    assert!(live_with(bytes, "the save itself", new()));
    let save = Unpacked::from_saved(bytes, HEAD);
    let body = &save.body;
    assert!(signed(save.packed(body)) == bytes, "packed as before");
    let seed: u64 = std::env::var("FORGE").map_or(9, |seed| seed.parse().expect("a number"));
    let mut random = SplitMix64::new(seed);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..count {
        let (altered, what) = forged(body, &mut random);
        let is_taken = live_with(&signed(save.packed(&altered)), &what, new());
        *(if is_taken {
            &mut accepted
        } else {
            &mut refused
        }) += 1;
    }
    assert!(
        12 * accepted > count && 12 * refused > count,
        "{accepted} taken, {refused} refused"
    );
}

#[test]
fn what_is_cut_short_or_altered_is_refused() {
    let bytes = saved(TileVariant::Seamless);
    for length in (0..bytes.len()).step_by(97) {
        assert!(!live_with(
            &bytes[..length],
            "cut short",
            world(TileVariant::Seamless)
        ));
    }
    for at in (0..bytes.len()).step_by(53) {
        let mut altered = bytes.clone();
        altered[at] ^= 4;
        assert!(!live_with(
            &altered,
            "altered",
            world(TileVariant::Seamless)
        ));
    }
    let other = live_with(&bytes, "another variant", world(TileVariant::Plain));
    assert!(!other, "of another variant");
}

/// A count may exceed the data, or be followed by any number of zeros.
#[test]
fn loading_takes_memory_for_what_is_there() {
    let bytes = saved(TileVariant::Seamless);
    let save = Unpacked::from_saved(&bytes, HEAD);
    let body = &save.body;
    // The grid, its fields and graphs, and a small multiple of the decompressed bytes.
    let most = |body: &[u8]| (12 << 20) + 16 * body.len();
    let mut random = SplitMix64::new(4);
    let mut world = world(TileVariant::Seamless);
    for _ in 0..600 {
        let (mut altered, what) = forged(body, &mut random);
        let zeros = [0, 1 << 16][random.below(2)];
        altered.resize(altered.len() + zeros, 0);
        let forged = signed(save.packed(&altered));
        let (_, peak) = peak_of(|| world.load_state(&forged).is_ok());
        assert!(peak <= most(&altered), "{what}: {peak} bytes");
    }
    let (_, peak) = peak_of(|| world.load_state(&bytes).expect("as saved"));
    assert!(peak > 10_000, "nothing was counted");
}
