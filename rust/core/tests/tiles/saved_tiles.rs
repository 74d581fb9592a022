//! Flow tiles, section 7: saved tiles equal those that would be built, and other data is not accepted as tiles.

use crate::common::crowds::tiled;
use crate::common::tiles::speckled_rooms;
use crate::common::{center_of, central_goal, every_map, system_a_penalty, world_of};
use flow_swarm::IVec2;
use flow_swarm::error::Error;
use flow_swarm::integrate::Solver;
use flow_swarm::movement::{Clearance, MovementType};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, TileVariant};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, rooms};
use proptest::prelude::*;

/// A goal in the middle with routes from some places, whose tiles are built.
fn order(world: &mut FlowWorld, map: &CostMap, movement: usize, seed: u64) -> Option<GoalId> {
    let goal = tiled(world, center_of(map, central_goal(map)?));
    let mut random = SplitMix64::new(seed);
    for _ in 0..12 {
        let start = center_of(map, random.below(map.len()));
        world
            .request_route(goal, movement, start)
            .expect("inside the map");
    }
    finish(world);
    Some(goal)
}

fn finish(world: &mut FlowWorld) {
    while world.tile_stats().waiting > 0 {
        world.update();
    }
}

fn types() -> [MovementType; 2] {
    let wide = Clearance::new(0.9).expect("in range");
    [
        MovementType::with_wall_penalty(system_a_penalty()),
        MovementType::default().with_clearance(wide),
    ]
}

fn world_with(map: &CostMap, sector: u32, solver: Solver) -> FlowWorld {
    let mut world = world_of(map, Workers::serial());
    world.set_movement_types(&types()).expect("two");
    world.set_sector_size(sector).expect("in range");
    world.set_solver(solver);
    world
}

fn refusal(world: &mut FlowWorld, bytes: &[u8]) -> String {
    match world.load_tiles(bytes) {
        Err(Error::BadBytes {
            name: "tiles",
            reason,
        }) => reason,
        other => panic!("not refused: {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn loaded_tiles_are_those_that_would_be_built(
        seed in 0_u64..1000,
        width in 5_usize..70,
        height in 5_usize..50,
        sector in prop::sample::select(vec![4_u32, 7, 10, 16, 33, 64]),
        is_octile in any::<bool>(),
    ) {
        let solver = if is_octile { Solver::Octile } else { Solver::Eikonal };
        for (name, map) in every_map(width, height, seed) {
            let mut built = world_with(&map, sector, solver);
            let movement = (seed % 2) as usize;
            let Some(goal) = order(&mut built, &map, movement, seed) else {
                continue;
            };
            let saved = built.save_tiles();
            let mut loaded = world_with(&map, sector, solver);
            let count = loaded.load_tiles(&saved).expect("of the same world");
            prop_assert_eq!(count, built.tile_stats().cache.tiles, "{}", &name);
            // Saving again gives the same bytes in the same order.
            prop_assert!(loaded.save_tiles() == saved, "{}", &name);
            let (one, other) = (built.portal_graph(movement), loaded.portal_graph(movement));
            prop_assert!(one.expect("known") == other.expect("known"), "{}", &name);
            // The tiles are complete: the same order builds nothing new, and leads the same.
            let again = order(&mut loaded, &map, movement, seed).expect("as before");
            prop_assert_eq!(loaded.tile_stats().cache.misses, 0, "{}", &name);
            let expected = built.direction_map(goal, movement).expect("known");
            let found = loaded.direction_map(again, movement).expect("known");
            let bits = |map: Vec<flow_swarm::Vec2>| -> Vec<(u32, u32)> {
                map.iter().map(|at| (at.x.to_bits(), at.y.to_bits())).collect()
            };
            prop_assert!(bits(found) == bits(expected), "{}", &name);
        }
    }
}

/// Version and content hash of the save of one world, before compression. If the content changes, the version must
/// change too, because older files contain other tiles than those that would be built.
const CONTENT: (u32, u64) = (6, 17_247_972_463_032_913_923);

/// The offset of the version, and that of the packed pieces: the length of each, its packed length, and its packed
/// bytes.
const HEAD: (usize, usize) = (8, 68);

fn unpacked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four")) as usize;
    while !rest.is_empty() {
        let (length, packed) = (word(&rest[..4]), word(&rest[4..8]));
        let piece = lz4_flex::block::decompress(&rest[8..8 + packed], length);
        body.extend(piece.expect("just made"));
        rest = &rest[8 + packed..];
    }
    body
}

#[test]
fn the_version_tells_what_is_saved() {
    let map = speckled_rooms(3);
    let mut content = 0;
    for solver in [Solver::Octile, Solver::Eikonal] {
        let mut world = world_with(&map, 16, solver);
        order(&mut world, &map, 0, 1).expect("open");
        let saved = world.save_tiles();
        let version = &saved[HEAD.0..HEAD.0 + 4];
        assert_eq!(version, CONTENT.0.to_le_bytes());
        let body = unpacked(&saved[HEAD.1..saved.len() - 8]);
        content = body.iter().fold(content, |hash, &byte| {
            flow_swarm::random::mix(hash ^ u64::from(byte))
        });
    }
    assert_eq!((CONTENT.0, content), CONTENT, "raise VERSION in saving.rs");
}

#[test]
fn loaded_tiles_do_not_count_as_built() {
    let map = rooms(150, 130, 14, 3);
    for variant in [TileVariant::Seamless, TileVariant::Plain] {
        let world = || {
            let mut world = world_with(&map, 10, Solver::Eikonal);
            world.set_tile_variant(variant);
            world
        };
        let mut built = world();
        order(&mut built, &map, 0, 1).expect("open");
        let before = built.tile_stats();
        assert!(before.built > 5 && before.loaded == 0, "{before:?}");
        let saved = built.save_tiles();
        // A cache that is too small for more than some of them must not change what counts.
        for cache in [1 << 24, 30_000] {
            let mut loaded = world();
            loaded.set_tile_cache_bytes(1 << 24).expect("in range");
            loaded.load_tiles(&saved).expect("of the same world");
            loaded.set_tile_cache_bytes(cache).expect("in range");
            loaded.set_tile_limit(1);
            let goal = tiled(
                &mut loaded,
                center_of(&map, central_goal(&map).expect("open")),
            );
            let mut random = SplitMix64::new(1);
            for _ in 0..12 {
                let start = center_of(&map, random.below(map.len()));
                loaded.request_route(goal, 0, start).expect("inside");
            }
            loaded.update();
            let stats = loaded.tile_stats();
            assert_eq!((stats.built, stats.waiting), (0, 0), "{variant:?}, {cache}");
            assert_eq!(stats.loaded, before.built - before.first, "{variant:?}");
        }
        // An edit makes other tiles, which count.
        let mut edited = world();
        edited.load_tiles(&saved).expect("of the same world");
        let goal = order(&mut edited, &map, 0, 1).expect("open");
        for cell in [IVec2::new(70, 60), IVec2::new(75, 66)] {
            let id = edited.terrain().get(cell).expect("inside");
            let other = if id == WALL { 1 } else { WALL };
            edited.set_terrain(cell, other).expect("inside");
        }
        edited.update();
        let mut random = SplitMix64::new(1);
        for _ in 0..12 {
            let start = center_of(&map, random.below(map.len()));
            edited.request_route(goal, 0, start).expect("inside");
        }
        finish(&mut edited);
        assert!(edited.tile_stats().built > 0, "{variant:?}");
    }
}

fn saved_rooms() -> (CostMap, Vec<u8>) {
    let map = rooms(60, 50, 11, 3);
    let mut world = world_with(&map, 16, Solver::Eikonal);
    order(&mut world, &map, 0, 1).expect("open");
    let saved = world.save_tiles();
    (map, saved)
}

#[test]
fn what_was_saved_for_another_world_is_refused_and_changes_nothing() {
    let (map, saved) = saved_rooms();
    type Change = fn(&mut FlowWorld);
    let changes: [(&str, Change); 5] = [
        ("sector size", |world| {
            world.set_sector_size(10).expect("in range");
        }),
        ("solver", |world| world.set_solver(Solver::Octile)),
        ("terrain", |world| {
            let cell = IVec2::new(9, 9);
            let id = world.terrain().get(cell).expect("inside");
            world
                .set_terrain(cell, if id == 3 { 4 } else { 3 })
                .expect("inside");
        }),
        ("movement types", |world| {
            world.set_movement_types(&types()[..1]).expect("one");
        }),
        ("movement types", |world| {
            let [one, _] = types();
            world.set_movement_types(&[one.clone(), one]).expect("two");
        }),
    ];
    for (what, change) in changes {
        let mut world = world_with(&map, 16, Solver::Eikonal);
        change(&mut world);
        let reason = refusal(&mut world, &saved);
        assert!(reason.contains(what), "{what}: {reason}");
        assert_eq!(world.tile_stats().cache.tiles, 0, "{what}");
        // A change that is reverted leaves the world as it was.
    }
    for (width, height, what) in [(61, 50, "width"), (60, 51, "height")] {
        let map = rooms(width, height, 11, 3);
        let mut world = world_with(&map, 16, Solver::Eikonal);
        let reason = refusal(&mut world, &saved);
        assert!(reason.contains(what), "{reason}");
    }
    let mut world = world_with(&map, 16, Solver::Eikonal);
    world.set_terrain(IVec2::new(9, 9), 77).expect("inside");
    let id = map.cost[map.index(9, 9)];
    world.set_terrain(IVec2::new(9, 9), id).expect("inside");
    assert!(world.load_tiles(&saved).is_ok());
}

#[test]
fn truncated_or_altered_files_are_refused() {
    let (map, saved) = saved_rooms();
    let mut world = world_with(&map, 16, Solver::Eikonal);
    let mut random = SplitMix64::new(4);
    let few = (0..40).chain(saved.len() - 12..saved.len());
    let cuts = few.chain((0..60).map(|_| random.below(saved.len())));
    for length in cuts.collect::<Vec<_>>() {
        refusal(&mut world, &saved[..length]);
    }
    for _ in 0..300 {
        let mut altered = saved.clone();
        let place = random.below(altered.len());
        altered[place] ^= 1 << random.below(8);
        refusal(&mut world, &altered);
    }
    let mut longer = saved.clone();
    longer.push(0);
    refusal(&mut world, &longer);
    assert!(refusal(&mut world, b"a picture of a cat").contains("no saved tiles"));
    let mut newer = saved.clone();
    newer[8] += 1;
    assert!(refusal(&mut world, &newer).contains("version"));
    assert_eq!(world.tile_stats().cache.tiles, 0);
    assert!(world.load_tiles(&saved).expect("whole") > 0);
}

#[test]
fn a_small_cache_keeps_what_fits_and_tiles_in_use_stay() {
    let (map, saved) = saved_rooms();
    let mut world = world_with(&map, 16, Solver::Eikonal);
    let goal = order(&mut world, &map, 0, 1).expect("open");
    let before = world.direction_map(goal, 0).expect("known");
    let tiles = world.tile_stats().cache.tiles;
    world.load_tiles(&saved).expect("of the same world");
    assert_eq!(world.tile_stats().cache.tiles, tiles, "all are there");
    assert_eq!(world.direction_map(goal, 0).expect("known"), before);
    let mut small = world_with(&map, 16, Solver::Eikonal);
    small.set_tile_cache_bytes(20_000).expect("in range");
    assert!(small.load_tiles(&saved).expect("of the same world") > 0);
    let stats = small.tile_stats().cache;
    assert!(stats.tiles > 0 && stats.bytes <= 20_000, "{stats:?}");
}

#[test]
fn edits_after_loading_are_followed() {
    let (map, saved) = saved_rooms();
    let mut world = world_with(&map, 16, Solver::Eikonal);
    world.load_tiles(&saved).expect("of the same world");
    let mut fresh = world_with(&map, 16, Solver::Eikonal);
    for edited in [&mut world, &mut fresh] {
        order(edited, &map, 0, 1).expect("open");
        for x in 20..40 {
            edited.set_terrain(IVec2::new(x, 31), WALL).expect("inside");
        }
        edited.update();
        finish(edited);
    }
    assert_eq!(
        world.portal_graph(0).expect("known"),
        fresh.portal_graph(0).expect("known")
    );
    let goal = order(&mut world, &map, 0, 2).expect("open");
    let other = order(&mut fresh, &map, 0, 2).expect("open");
    assert_eq!(
        world.direction_map(goal, 0).expect("known"),
        fresh.direction_map(other, 0).expect("known")
    );
}
