//! Flow tiles, sections 7 and 16: plain tiles of all sectors that are made beforehand, read sector by sector, and lead
//! as those that would be built.

use crate::common::crowds::{DT, arrive, random_starts, swarm_of, tick, tiled};
use crate::common::tiles::speckled_rooms;
use crate::common::{center_of, central_goal, world_of};
use flow_swarm::error::Error;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::integrate::Solver;
use flow_swarm::movement::MovementType;
use flow_swarm::random::mix;
use flow_swarm::route::tiles::ReadBytes;
use flow_swarm::swarm::Swarm;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, TileVariant};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, open, rooms};
use flow_swarm_bench::oracle::{StepRule, exact_costs};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Magic number, version, what the tiles were made for, the length of the graphs, the number of tiles.
const HEAD: usize = 8 + 4 + 7 * 8 + 8 + 8;
/// A place of a sector.
const PLACE: usize = 20;

fn plain_world(map: &CostMap, sector: u32) -> FlowWorld {
    let mut world = world_of(map, Workers::serial());
    world.set_tile_variant(TileVariant::Plain);
    world.set_sector_size(sector).expect("in range");
    world
}

fn reader(bytes: &[u8]) -> ReadBytes {
    let bytes: Arc<[u8]> = bytes.into();
    Box::new(move |from, length| {
        let from = usize::try_from(from).ok()?;
        bytes
            .get(from..from.checked_add(length)?)
            .map(<[u8]>::to_vec)
    })
}

fn opened(world: &mut FlowWorld, bytes: &[u8]) -> Result<u64, Error> {
    world.open_tiles(reader(bytes), bytes.len() as u64)
}

fn refusal(world: &mut FlowWorld, bytes: &[u8]) -> String {
    match opened(world, bytes) {
        Err(Error::BadBytes {
            name: "baked tiles",
            reason,
        }) => reason,
        other => panic!("not refused: {other:?}"),
    }
}

fn bits(swarm: &Swarm) -> Vec<(u32, u32)> {
    let bits = |at: &Vec2| (at.x.to_bits(), at.y.to_bits());
    swarm.positions().iter().map(bits).collect()
}

fn starts(map: &CostMap, target: usize, count: usize) -> Vec<Vec2> {
    let costs = exact_costs(map, &[target], &StepRule::default());
    random_starts(map, &costs, count, 3)
}

#[test]
fn baked_tiles_lead_as_built_ones_and_need_no_solve() {
    for (name, map) in every_kind(58, 47, 6) {
        let Some(target) = central_goal(&map) else {
            continue;
        };
        for (sector, solver) in [
            (4, Solver::Eikonal),
            (10, Solver::Octile),
            (16, Solver::Eikonal),
        ] {
            let name = format!("{name}, sectors of {sector}, {solver:?}");
            let world = || {
                let mut world = plain_world(&map, sector);
                world.set_solver(solver);
                world.set_tile_limit(usize::MAX);
                world
            };
            let baked = world().bake_tiles().expect("no links");
            let run = |mut world: FlowWorld| {
                let goal = tiled(&mut world, center_of(&map, target));
                let mut swarm = swarm_of(&world, &starts(&map, target, 40), goal);
                let mut places = Vec::new();
                for _ in 0..150 {
                    tick(&mut world, &mut swarm);
                    places.push(bits(&swarm));
                }
                (places, world.tile_stats())
            };
            let (expected, built) = run(world());
            let mut with = world();
            assert!(opened(&mut with, &baked).expect("the same world") > 0);
            let (found, loaded) = run(with);
            assert!(found == expected, "{name}");
            assert_eq!(built.loaded, 0, "{name}");
            // Only the tile of the goal's own sector is built, anew whenever the search has found more.
            assert_eq!(loaded.built + loaded.loaded, built.built, "{name}");
            assert!(loaded.loaded > 0 || built.built < 9, "{name}: {loaded:?}");
            assert!(loaded.cache.tiles <= 1, "{name}: {loaded:?}");
        }
    }
}

#[test]
fn loaded_tiles_do_not_wait_for_the_budget() {
    let map = rooms(120, 90, 14, 4);
    let target = central_goal(&map).expect("open");
    let run = |baked: Option<&[u8]>| {
        let mut world = plain_world(&map, 10);
        world.set_tile_limit(2);
        if let Some(baked) = baked {
            opened(&mut world, baked).expect("the same world");
        }
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &starts(&map, target, 100), goal);
        swarm.request_routes(&mut world).expect("known");
        swarm.step(&world, DT).expect("valid");
        let wanted = world.tile_stats().waiting;
        world.update();
        (wanted, world.tile_stats())
    };
    let baked = plain_world(&map, 10).bake_tiles().expect("no links");
    let (wanted, cold) = run(None);
    assert!(wanted > 30, "{wanted}");
    assert_eq!((cold.built, cold.waiting), (2, wanted - 2));
    let (_, warm) = run(Some(&baked));
    assert_eq!(warm.waiting, 0);
    assert!(
        warm.built <= 1 && warm.loaded as usize >= wanted - 1,
        "{warm:?}"
    );
}

/// What is read, and how often, must not change what agents do.
#[test]
fn only_the_sectors_that_are_needed_are_read() {
    let map = rooms(160, 160, 14, 4);
    let target = central_goal(&map).expect("open");
    let baked = plain_world(&map, 10).bake_tiles().expect("no links");
    let run = |cache_bytes: u64| {
        let mut world = plain_world(&map, 10);
        world.set_tile_cache_bytes(cache_bytes).expect("in range");
        let (calls, read) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (counted, added, bytes) = (Arc::clone(&calls), Arc::clone(&read), reader(&baked));
        let counting: ReadBytes = Box::new(move |from, length| {
            counted.fetch_add(1, Ordering::Relaxed);
            added.fetch_add(length, Ordering::Relaxed);
            bytes(from, length)
        });
        let length = baked.len() as u64;
        world.open_tiles(counting, length).expect("the same world");
        let head = read.load(Ordering::Relaxed);
        calls.store(0, Ordering::Relaxed);
        let goal = tiled(&mut world, center_of(&map, target));
        let (from, near) = (center_of(&map, target), Vec2::new(40.0, 0.0));
        let near = world.nearest_reachable_cell(from, from + near, 0);
        let near = near.expect("inside").expect("open").as_vec2();
        let start = [near + 0.5];
        let mut swarm = swarm_of(&world, &start, goal);
        let mut places = Vec::new();
        for _ in 0..60 {
            tick(&mut world, &mut swarm);
            places.push(bits(&swarm));
        }
        let memory = world.tile_memory().baked;
        (
            places,
            calls.load(Ordering::Relaxed),
            head,
            read.load(Ordering::Relaxed),
            memory,
        )
    };
    let (places, calls, head, read, memory) = run(1 << 24);
    assert!(head < baked.len() / 2, "{head} of {}", baked.len());
    assert!((2..30).contains(&calls), "{calls} sectors");
    assert!(
        read - head < baked.len() / 10,
        "{read} less {head} of {}",
        baked.len()
    );
    let (again, more, _, _, least) = run(1);
    assert!(memory > least + 5_000, "{memory} and {least} bytes");
    assert!(
        again == places && more >= calls,
        "{more} and {calls} sectors"
    );
}

#[test]
fn tiles_of_edited_sectors_are_built() {
    let map = rooms(120, 90, 14, 4);
    let target = central_goal(&map).expect("open");
    let baked = plain_world(&map, 10).bake_tiles().expect("no links");
    let run = |is_baked: bool| {
        let mut world = plain_world(&map, 10);
        world.set_tile_limit(usize::MAX);
        if is_baked {
            opened(&mut world, &baked).expect("the same world");
        }
        let goal = tiled(&mut world, center_of(&map, target));
        let mut swarm = swarm_of(&world, &starts(&map, target, 120), goal);
        let mut random = SplitMix64::new(8);
        let (mut places, mut before, mut built) = (Vec::new(), Vec::new(), 0);
        for number in 0..200 {
            if number % 10 == 0 && number < 100 {
                let cell = IVec2::new(random.below(120) as i32, random.below(90) as i32);
                before.push((cell, world.terrain().get(cell).expect("inside")));
                world.set_terrain(cell, WALL).expect("inside");
            }
            if number == 100 {
                built = world.tile_stats().built;
                for (cell, id) in before.drain(..).rev() {
                    world.set_terrain(cell, id).expect("inside");
                }
            }
            tick(&mut world, &mut swarm);
            places.push(bits(&swarm));
        }
        (places, built, world.tile_stats())
    };
    let (expected, _, all) = run(false);
    let (found, built, stats) = run(true);
    assert!(found == expected);
    assert!(
        built > 5 && stats.loaded > stats.built,
        "{built}, {stats:?}"
    );
    assert_eq!(stats.built + stats.loaded, all.built);
    // Once the edits are undone the tiles are found again, but for the goal's own.
    assert!(stats.built - built < 10, "{built}, {stats:?}");
}

#[test]
fn threads_bake_the_same_bytes() {
    let map = rooms(120, 90, 14, 4);
    let bake = |threads: usize| {
        let mut world = world_of(&map, Workers::new(threads).expect("threads"));
        world.bake_tiles().expect("no links")
    };
    assert!(bake(1) == bake(3));
}

/// The ground is that of the begin, the parts may be made by any thread in any order, and one call alone is the last.
#[test]
fn a_bake_in_parts_gives_the_same_bytes() {
    let map = rooms(200, 190, 14, 4);
    let mut world = plain_world(&map, 10);
    world
        .set_movement_types(&[MovementType::default(), MovementType::default()])
        .expect("two");
    let expected = world.bake_tiles().expect("no links");
    let bake = Arc::new(world.begin_tile_bake().expect("no links"));
    let parts = bake.part_count();
    assert!(parts > 9, "{parts}");
    assert_eq!(bake.progress(), 0.0);
    world.set_terrain(IVec2::new(40, 40), 255).expect("inside");
    world.update();
    let last = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for first in 0..2 {
            let (bake, last) = (&bake, &last);
            scope.spawn(move || {
                for part in (first..parts).step_by(2) {
                    last.fetch_add(usize::from(bake.make(part)), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!((last.into_inner(), bake.progress()), (1, 1.0));
    assert!(!bake.make(parts), "there is no such part");
    assert!(bake.finish(&Workers::serial()) == Some(expected));
}

#[test]
fn a_cancelled_bake_ends_without_a_file() {
    let mut world = plain_world(&rooms(200, 190, 14, 4), 10);
    let bake = world.begin_tile_bake().expect("no links");
    assert!(!bake.make(0));
    let progress = bake.progress();
    assert!(progress > 0.0 && progress < 1.0, "{progress}");
    bake.cancel();
    assert!((1..bake.part_count()).all(|part| !bake.make(part)));
    assert_eq!(bake.progress(), progress);
    assert_eq!(bake.finish(world.workers()), None);
}

#[test]
fn every_movement_type_is_baked_and_equal_sectors_are_written_once() {
    let map = open(400, 400);
    let mut world = plain_world(&map, 10);
    let one = world.bake_tiles().expect("no links");
    let slow = MovementType::with_wall_penalty(crate::common::system_a_penalty());
    world
        .set_movement_types(&[MovementType::default(), slow])
        .expect("two");
    let two = world.bake_tiles().expect("no links");
    assert_eq!(opened(&mut world, &two), Ok(2 * (4 * 40 * 39) * 3));
    // Nine kinds of sectors, and a place for each.
    let sectors = 40 * 40;
    assert!(one.len() < sectors * PLACE + 60_000, "{}", one.len());
    assert!(two.len() < 2 * sectors * PLACE + 120_000, "{}", two.len());
}

#[test]
fn maps_with_links_are_not_baked() {
    let mut world = plain_world(&open(40, 40), 10);
    let link = Link {
        from: IVec2::new(3, 3),
        to: IVec2::new(30, 30),
        cost: 4.0,
        both_ways: true,
        travel: Travel::AtOnce,
    };
    world.add_link(link).expect("valid");
    assert!(matches!(world.bake_tiles(), Err(Error::NotSaved { .. })));
}

#[test]
fn what_was_baked_for_another_world_is_refused() {
    let map = rooms(60, 50, 11, 3);
    let baked = plain_world(&map, 10).bake_tiles().expect("no links");
    type Change = fn(&mut FlowWorld);
    let changes: [(&str, Change); 4] = [
        ("sector size", |world| {
            world.set_sector_size(11).expect("in range");
        }),
        ("solver", |world| world.set_solver(Solver::Octile)),
        ("terrain", |world| {
            let cell = IVec2::new(9, 9);
            let id = world.terrain().get(cell).expect("inside");
            let other = if id == 3 { 4 } else { 3 };
            world.set_terrain(cell, other).expect("inside");
        }),
        ("movement types", |world| {
            let one = MovementType::default();
            world.set_movement_types(&[one.clone(), one]).expect("two");
        }),
    ];
    for (what, change) in changes {
        let mut world = plain_world(&map, 10);
        world.set_solver(Solver::Eikonal);
        change(&mut world);
        let reason = refusal(&mut world, &baked);
        assert!(reason.contains(what), "{what}: {reason}");
    }
    let mut world = plain_world(&map, 10);
    let tiles = world.save_tiles();
    assert!(refusal(&mut world, &tiles).contains("no baked tiles"));
    assert!(world.load_tiles(&baked).is_err());
}

#[test]
fn a_head_that_is_cut_short_or_altered_is_refused_and_changes_nothing() {
    let map = rooms(60, 50, 11, 3);
    let baked = plain_world(&map, 10).bake_tiles().expect("no links");
    let mut world = plain_world(&map, 10);
    let word = |at: usize| u64::from_le_bytes(baked[at..at + 8].try_into().expect("eight"));
    let graphs = word(HEAD - 16) as usize;
    let end = HEAD + 6 * 5 * PLACE + graphs + 8;
    let mut random = SplitMix64::new(4);
    for length in (0..40).chain((0..60).map(|_| random.below(end))) {
        refusal(&mut world, &baked[..length]);
    }
    // A last sector that is not there.
    assert!(refusal(&mut world, &baked[..baked.len() - 1]).contains("after their end"));
    for _ in 0..300 {
        let mut altered = baked.clone();
        let place = random.below(end);
        altered[place] ^= 1 << random.below(8);
        refusal(&mut world, &altered);
    }
    // Lengths that no file has.
    for length in [u64::MAX, u64::MAX / 2, 1 << 40, baked.len() as u64] {
        let mut altered = baked.clone();
        altered[HEAD - 16..HEAD - 8].copy_from_slice(&length.to_le_bytes());
        refusal(&mut world, &altered);
    }
    assert_eq!(world.tile_memory().graphs, 0);
    let goal = tiled(
        &mut world,
        center_of(&map, central_goal(&map).expect("open")),
    );
    world
        .request_route(goal, 0, Vec2::new(50.5, 40.5))
        .expect("inside");
    world.update();
    assert_eq!(world.tile_stats().loaded, 0);
}

#[test]
fn sectors_that_are_damaged_are_reported_once_and_built() {
    let map = rooms(120, 90, 14, 4);
    let target = central_goal(&map).expect("open");
    let baked = plain_world(&map, 10).bake_tiles().expect("no links");
    let mut altered = baked.clone();
    let graphs = u64::from_le_bytes(baked[HEAD - 16..HEAD - 8].try_into().expect("eight"));
    let first = HEAD + 12 * 9 * PLACE + graphs as usize + 8;
    for byte in altered[first..].iter_mut().step_by(50) {
        *byte ^= 4;
    }
    let mut world = plain_world(&map, 10);
    opened(&mut world, &altered).expect("its head is whole");
    let goal = tiled(&mut world, center_of(&map, target));
    let mut swarm = swarm_of(&world, &starts(&map, target, 60), goal);
    let mut failures = Vec::new();
    for _ in 0..100 {
        failures.extend(world.update().failed);
        swarm.request_routes(&mut world).expect("known");
        swarm.step(&world, DT).expect("valid");
    }
    assert!(
        !failures.is_empty() && failures.len() < 109,
        "{}",
        failures.len()
    );
    let text = failures[0].2.to_string();
    assert!(
        text.contains("baked tiles") && text.contains("altered"),
        "{text}"
    );
    assert_eq!(world.tile_stats().loaded, 0);
    arrive("built instead", &mut world, &mut swarm, 200.0);
}

/// Version and content hash of the file of one world. If the content changes, the version must change too, because
/// older files contain other tiles than those that would be built.
const CONTENT: (u32, u64) = (3, 18_154_843_407_752_602_886);

#[test]
fn the_version_tells_what_is_baked() {
    let map = speckled_rooms(3);
    let mut content = 0;
    for solver in [Solver::Octile, Solver::Eikonal] {
        let mut world = plain_world(&map, 16);
        world.set_solver(solver);
        let baked = world.bake_tiles().expect("no links");
        assert_eq!(baked[8..12], CONTENT.0.to_le_bytes());
        let hash = |hash, &byte: &u8| mix(hash ^ u64::from(byte));
        content = baked.iter().fold(content, hash);
    }
    assert_eq!(
        (CONTENT.0, content),
        CONTENT,
        "raise VERSION in tile_bake.rs"
    );
}
