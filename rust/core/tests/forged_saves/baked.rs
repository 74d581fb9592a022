//! Baked tiles whose checksums are right, and whose contents are not.

use crate::common::{center_of, world_of};
use crate::fields::{Field, Walk, ends, forged};
use flow_swarm::integrate::Solver;
use flow_swarm::route::tiles::ReadBytes;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode, TileVariant};
use flow_swarm::{Error, IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, WALL, rooms};
use flow_swarm_bench::peak_memory::peak_of;
use flow_swarm_bench::saved_bytes::{BakedFile, PIECE};
use std::sync::Arc;

/// Sectors of 8 cells on a map of 28 by 20.
const SECTORS: usize = 4 * 3;

fn map() -> CostMap {
    rooms(28, 20, 9, 3)
}

fn world(solver: Solver) -> FlowWorld {
    let mut world = world_of(&map(), Workers::serial());
    world.set_tile_variant(TileVariant::Plain);
    world.set_sector_size(8).expect("in range");
    world.set_solver(solver);
    world.set_tile_cache_bytes(1 << 18).expect("in range");
    world
}

fn reader(bytes: &[u8]) -> ReadBytes {
    let bytes: Arc<[u8]> = bytes.into();
    Box::new(move |from, length| {
        let from = usize::try_from(from).ok()?;
        let end = from.checked_add(length)?;
        bytes.get(from..end).map(<[u8]>::to_vec)
    })
}

/// All fields of a sector; of long arrays only some.
fn fields(body: &[u8]) -> Vec<Field> {
    let mut walk = Walk::new(body);
    for _ in 0..walk.field("tiles", 4) {
        walk.field("key", 16);
        let (width, height) = (walk.field("width", 1), walk.field("height", 1));
        assert_eq!(walk.field("is to exit", 1), 1, "a tile to a part");
        let cells = (width as usize + 2) * (height as usize + 2);
        let keep = |at: usize| ends(cells)(at) || at.is_multiple_of(17);
        walk.some("direction", 1, cells, keep);
        let listed = walk.field("listed roots", 1) as usize;
        let own = walk.field("own roots", 1) as usize * cells;
        walk.some("listed root", 4, listed, ends(listed));
        walk.some("own root", 4, own, ends(own));
        walk.some("cost", 1, 4 * cells, keep);
    }
    assert!(walk.is_at_end());
    walk.fields
}

/// Opens bytes whose head is right, and walks over all sectors. Returns `true` if all of them were accepted.
fn live_with(bytes: &[u8], what: &str, solver: Solver) -> bool {
    let mut world = world(solver);
    let opened = world.open_tiles(reader(bytes), bytes.len() as u64);
    opened.unwrap_or_else(|error| panic!("{what}: {error}"));
    let map = map();
    let open: Vec<Vec2> = (0..map.len())
        .filter(|&cell| map.is_passable(cell))
        .map(|cell| center_of(&map, cell))
        .collect();
    let goal = world.create_goal_with_mode(&open[9..10], &[0.0], GoalMode::Tiled);
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 8.0,
        acceleration: 80.0,
        lateral_bias: 0.5,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm
        .set_group_goal(0, Some(goal.expect("inside")))
        .expect("a group");
    for start in open.iter().step_by(5) {
        swarm.spawn(&world, &[*start], 0, 0).expect("inside");
    }
    let mut failures = Vec::new();
    for number in 0..5 {
        if number == 3 {
            world.set_terrain(IVec2::new(9, 9), WALL).expect("inside");
        }
        swarm.request_routes(&mut world).expect("known");
        failures.extend(world.update().failed);
        swarm.step(&world, 0.1).expect("valid");
        let numbers = swarm.positions().iter().chain(swarm.velocities());
        assert!(
            numbers.into_iter().all(|vector| vector.is_finite()),
            "{what}"
        );
        let is_inside = |at: &Vec2| world.grid().contains(world.grid().cell_at(*at));
        assert!(swarm.positions().iter().all(is_inside), "{what}");
    }
    for (_, _, error) in &failures {
        let is_it = matches!(
            error,
            Error::BadBytes {
                name: "baked tiles",
                ..
            }
        );
        assert!(is_it, "{what}: {error}");
    }
    // What was made of them can be saved and loaded.
    let saved = world.save_state().expect("nothing hinders");
    world.load_state(&saved).expect("its own state");
    failures.is_empty()
}

fn every_field_may_be_anything(solver: Solver) {
    let baked = world(solver).bake_tiles().expect("no links");
    let file = BakedFile::from_bytes(&baked, SECTORS);
    assert!(live_with(&file.to_bytes(), "as it was", solver));
    let (mut accepted, mut refused) = (0, 0);
    for (sector, body) in file.sectors.iter().enumerate() {
        for (number, field) in fields(body).iter().enumerate() {
            let every = if number < 60 { 3 } else { 41 };
            let values = forged(body, field).into_iter().enumerate();
            for (value, altered) in values.skip(number % every).step_by(every) {
                let mut file = file.clone();
                file.sectors[sector] = altered;
                let what = format!("sector {sector}, {} {value}", field.name);
                let is_taken = live_with(&file.to_bytes(), &what, solver);
                *(if is_taken {
                    &mut accepted
                } else {
                    &mut refused
                }) += 1;
            }
        }
    }
    assert!(
        accepted > 50 && refused > 50,
        "{accepted} taken, {refused} refused"
    );
}

#[test]
fn every_field_of_baked_straight_paths_may_be_anything() {
    every_field_may_be_anything(Solver::Eikonal);
}

#[test]
fn every_field_of_baked_steps_may_be_anything() {
    every_field_may_be_anything(Solver::Octile);
}

/// A sector may decompress to hundreds of times its length, and promise any number of tiles.
#[test]
fn reading_a_sector_takes_memory_for_what_it_can_hold() {
    let baked = world(Solver::Eikonal).bake_tiles().expect("no links");
    let file = BakedFile::from_bytes(&baked, SECTORS);
    for count in [u32::MAX, 1 << 30, 257, 256] {
        let mut forged = file.clone();
        for sector in forged
            .sectors
            .iter_mut()
            .filter(|sector| !sector.is_empty())
        {
            let tile = sector[4..].to_vec();
            sector.truncate(4);
            sector.copy_from_slice(&count.to_le_bytes());
            (0..400).for_each(|_| sector.extend(&tile));
        }
        let bytes = forged.to_bytes();
        let (_, peak) = peak_of(|| live_with(&bytes, "many tiles", Solver::Eikonal));
        let most = 2 * bytes.len() + 8 * PIECE + (4 << 18);
        assert!(
            peak <= most,
            "{count}: {peak} bytes for a file of {}",
            bytes.len()
        );
    }
}
