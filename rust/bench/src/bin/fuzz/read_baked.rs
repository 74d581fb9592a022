//! Opening baked tiles, and walking over what was accepted.

use std::sync::Arc;

use flow_swarm::Error;
use flow_swarm::world::{FlowWorld, TileVariant};
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::peak_memory::peak_of;
use flow_swarm_bench::saved_bytes::{BakedFile, CHECKSUM, signed};

use super::mutate::mutate;
use super::read_tiles::{MOST, go_on};
use super::sample::{Input, Sample};
use super::verdict::{Fate, Verdict, ensure, expect};

/// Alters mostly sectors, sometimes what comes before them, with a right checksum, or any bytes.
pub fn altered(file: &BakedFile, other: &BakedFile, random: &mut SplitMix64) -> Input {
    let mut file = file.clone();
    let kind = random.below(10);
    if kind < 5 {
        let at = random.below(file.sectors.len());
        let piece = &other.sectors[at % other.sectors.len()];
        mutate(&mut file.sectors[at], piece, random);
    }
    let mut bytes = file.to_bytes();
    let head = file.head_length() - CHECKSUM;
    if (5..9).contains(&kind) {
        let mut begin = bytes[..head].to_vec();
        mutate(&mut begin, &other.graphs, random);
        begin = signed(begin);
        begin.extend(&bytes[head + CHECKSUM..]);
        bytes = begin;
    } else if kind == 9 {
        mutate(&mut bytes, &other.graphs, random);
    }
    Input {
        unpacked: bytes.len(),
        bytes,
    }
}

pub fn read(sample: &Sample, input: &Input) -> Verdict {
    let mut world = expect(sample.game.without_links(&sample.terrain), "a new world")?;
    world.set_tile_variant(TileVariant::Plain);
    let (opened, peak) = peak_of(|| open(&mut world, &input.bytes));
    let most = MOST + 4 * input.bytes.len();
    ensure(peak <= most, &format!("{peak} bytes of memory"))?;
    if let Err(error) = opened {
        let name = "baked tiles";
        let is_it = matches!(error, Error::BadBytes { name: of, .. } if of == name);
        ensure(is_it, &format!("an unusual refusal: {error}"))?;
        let is_same = world.tile_memory().baked == 0;
        ensure(is_same, "refused tiles are kept")?;
        return Ok(Fate::Refused);
    }
    let mut swarm = expect(sample.game.swarm(), "a new swarm")?;
    go_on(&mut world, &mut swarm)?;
    Ok(Fate::Accepted)
}

fn open(world: &mut FlowWorld, bytes: &[u8]) -> Result<u64, Error> {
    let (bytes, length): (Arc<[u8]>, u64) = (bytes.into(), bytes.len() as u64);
    let read = move |from: u64, length: usize| {
        let from = usize::try_from(from).ok()?;
        let end = from.checked_add(length)?;
        bytes.get(from..end).map(<[u8]>::to_vec)
    };
    world.open_tiles(Box::new(read), length)
}
