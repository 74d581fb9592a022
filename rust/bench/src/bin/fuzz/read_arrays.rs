//! Arrays without a format of their own: terrain, stamps, cost tables, cost overlays and heights.

use flow_swarm::grid::CellRect;
use flow_swarm::import::Slope;
use flow_swarm::movement::{CostOverlay, MovementType, WallPenalty};
use flow_swarm::terrain::Stamp;
use flow_swarm::world::FlowWorld;
use flow_swarm::{Error, IVec2};
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::peak_memory::peak_of;

use super::game::{DEPTH, WIDTH, place};
use super::read_world;
use super::sample::{Input, Sample};
use super::verdict::{Fate, Verdict, ensure, expect};

/// The most memory for the map, its fields and graphs.
const MOST: usize = 1 << 20;

pub fn read(sample: &Sample, input: &Input, random: &mut SplitMix64) -> Verdict {
    let mut world = expect(sample.game.world(), "a new world")?;
    if random.percent(25) {
        expect(world.load_state(&sample.world), "a world")?;
    }
    let before = world.world_hash();
    let (given, peak) = peak_of(|| give(&mut world, &input.bytes, random));
    ensure(
        peak <= MOST + 8 * input.bytes.len(),
        &format!("{peak} bytes of memory"),
    )?;
    if given.is_err() {
        let is_same = world.world_hash() == before;
        ensure(is_same, "refused bytes changed the world")?;
        return Ok(Fate::Refused);
    }
    // Worlds with tiled goals cannot be saved until an update after their movement types have changed.
    world.update();
    // The twin has the movement types of the game.
    if world.movement_type_count() == 2 {
        read_world::go_on(sample.game, world, false)?;
    } else {
        expect(world.save_state(), "saving")?;
    }
    Ok(Fate::Accepted)
}

fn give(world: &mut FlowWorld, bytes: &[u8], random: &mut SplitMix64) -> Result<(), Error> {
    let (size, cells) = (world.grid().size(), world.grid().cell_count());
    match random.below(8) {
        0 => world.set_terrain_bytes(&fitting(bytes, cells, random)),
        1 => {
            let layer = random.below(3) as i64;
            world.set_layer_bytes(layer, &fitting(bytes, (WIDTH * DEPTH) as usize, random))
        }
        2 => {
            let rect = rect(random);
            let bytes = fitting(bytes, area(rect), random);
            world.set_terrain_block(rect, &bytes)
        }
        3 => {
            let size = rect(random).high;
            let see_through = [None, bytes.first().copied()][random.below(2)];
            let ids = fitting(
                bytes,
                area(CellRect {
                    low: IVec2::ZERO,
                    high: size,
                }),
                random,
            );
            let stamp = Stamp::new(size, &ids, see_through)?;
            let at = rect_low(random);
            world.place_stamp(at, &stamp).map(drop)
        }
        4 => {
            let size = rect(random).high;
            let costs = fitting(
                bytes,
                area(CellRect {
                    low: IVec2::ZERO,
                    high: size,
                }),
                random,
            );
            let overlay = CostOverlay::block(size, &costs)?;
            let at = place(world, random);
            world.add_cost_overlay(at, &overlay).map(drop)
        }
        5 => {
            let table = fitting(bytes, 256, random);
            let kind = MovementType::new(&table, WallPenalty::new(3, 1, false)?)?;
            world.set_movement_types(&[kind])
        }
        6 => {
            let corners = 4 * ((WIDTH + 1) * (DEPTH + 1)) as usize;
            let heights = numbers(&fitting(bytes, corners, random));
            let slope = Slope::new(0.7, 9)?;
            let keeps = random.percent(50);
            world.load_heights(random.below(3) as i64, &heights, &slope, keeps)
        }
        _ => {
            let mut rect = rect(random);
            rect.high = rect.high.min(size + 1);
            let heights = numbers(&fitting(bytes, 4 * area(rect), random));
            world.set_heights_rect(random.below(3) as i64, rect, &heights)
        }
    }
}

/// Bytes of this length, or now and then of their own.
fn fitting(bytes: &[u8], length: usize, random: &mut SplitMix64) -> Vec<u8> {
    if random.percent(20) {
        return bytes.to_vec();
    }
    bytes.iter().copied().cycle().take(length).collect()
}

/// Half of all arrays have heights of a landscape, with a few of the bytes among them.
fn numbers(bytes: &[u8]) -> Vec<f32> {
    let chunks = bytes.chunks_exact(4);
    let any = chunks.map(|chunk| f32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]));
    let any: Vec<f32> = any.collect();
    if bytes.iter().fold(0, |sum, &byte| sum ^ byte) & 1 == 0 {
        return any;
    }
    let is_whole = |(at, height): (usize, f32)| match at % 37 {
        3 => height,
        _ => f32::from(bytes[at]) / 64.0,
    };
    any.into_iter().enumerate().map(is_whole).collect()
}

fn rect_low(random: &mut SplitMix64) -> IVec2 {
    IVec2::new(
        random.below(WIDTH as usize + 2) as i32 - 1,
        random.below(DEPTH as usize + 2) as i32 - 1,
    )
}

fn rect(random: &mut SplitMix64) -> CellRect {
    let low = rect_low(random);
    let size = IVec2::new(random.below(8) as i32, random.below(8) as i32);
    CellRect {
        low,
        high: low + size,
    }
}

fn area(rect: CellRect) -> usize {
    let size = (rect.high - rect.low).max(IVec2::ZERO);
    size.x as usize * size.y as usize
}
