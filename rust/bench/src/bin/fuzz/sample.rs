//! The saves of a game, and inputs that are made from them.

use std::error::Error;

use clap::ValueEnum;
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::saved_bytes::{BakedFile, CHECKSUM, Unpacked, signed};

use super::game::{Game, place};
use super::mutate::mutate;
use super::read_baked::altered;

/// Magic number and version of a world.
const WORLD_HEAD: usize = 8 + 4;
/// Magic number, version, and what tiles depend on.
const TILES_HEAD: usize = 8 + 4 + 7 * 8;
/// The greatest ratio of LZ4 between the unpacked and the packed length.
const MOST_PACKED: usize = 255;

/// What is read from bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The state of a world.
    World,
    /// The state of a swarm.
    Swarm,
    /// Tiles and portal graphs.
    Tiles,
    /// Baked tiles.
    Baked,
    /// Terrain, stamps, cost tables, cost overlays and heights.
    Arrays,
}

impl Format {
    pub const ALL: [Self; 5] = [
        Self::World,
        Self::Swarm,
        Self::Tiles,
        Self::Baked,
        Self::Arrays,
    ];

    /// Of 100 inputs, how many have this format.
    fn share(self) -> usize {
        match self {
            Self::World => 30,
            Self::Swarm => 35,
            Self::Tiles => 15,
            Self::Baked => 10,
            Self::Arrays => 10,
        }
    }

    pub fn any(random: &mut SplitMix64) -> Self {
        let mut drawn = random.below(100);
        let is_it = |format: &Self| {
            let is_it = drawn < format.share();
            drawn = drawn.wrapping_sub(format.share());
            is_it
        };
        Self::ALL.into_iter().find(is_it).unwrap_or(Self::World)
    }
}

/// Altered bytes, and the most bytes that reading may unpack from them.
pub struct Input {
    pub bytes: Vec<u8>,
    pub unpacked: usize,
}

/// The saves of a game at two moments, and what loading into an empty world or swarm is compared with.
pub struct Sample {
    pub game: Game,
    pub empty_world: u64,
    pub empty_swarm: Vec<u8>,
    pub world: Vec<u8>,
    pub terrain: Vec<u8>,
    worlds: [Unpacked; 2],
    swarms: [Vec<u8>; 2],
    tiles: [Unpacked; 2],
    baked: BakedFile,
}

impl Sample {
    pub fn of(game: Game) -> Result<Self, Box<dyn Error>> {
        let (mut world, mut swarm) = game.played()?;
        let early = (world.save_state()?, swarm.save());
        for _ in 0..4 {
            super::game::tick(&mut world, &mut swarm, 0.1)?;
        }
        let late = (world.save_state()?, swarm.save());
        Ok(Self {
            game,
            empty_world: game.world()?.world_hash()?,
            empty_swarm: game.swarm()?.save(),
            worlds: [&early.0, &late.0].map(|bytes| Unpacked::from_saved(bytes, WORLD_HEAD)),
            world: late.0,
            terrain: game.terrain()?,
            swarms: [early.1, late.1].map(|mut bytes| {
                bytes.truncate(bytes.len() - CHECKSUM);
                bytes
            }),
            tiles: [tiles(game, 3)?, tiles(game, 40)?],
            baked: baked(game)?,
        })
    }

    /// An input of a format, with pieces of `other`.
    pub fn input(&self, format: Format, other: &Self, random: &mut SplitMix64) -> Input {
        let (own, others) = (random.below(2), random.below(2));
        let other = [self, other][random.below(2)];
        match format {
            Format::World => packed(&self.worlds[own], &other.worlds[others].body, random),
            Format::Tiles => packed(&self.tiles[own], &other.tiles[others].body, random),
            Format::Baked => altered(&self.baked, &other.baked, random),
            Format::Swarm => {
                let mut bytes = self.swarms[own].clone();
                mutate(&mut bytes, &other.swarms[others], random);
                let bytes = signed_or_not(bytes, random);
                Input {
                    unpacked: bytes.len(),
                    bytes,
                }
            }
            Format::Arrays => {
                let mut bytes = self.worlds[own].body[..300].to_vec();
                mutate(&mut bytes, &other.swarms[others], random);
                Input {
                    unpacked: bytes.len(),
                    bytes,
                }
            }
        }
    }
}

/// The tiles of routes from some places.
fn tiles(game: Game, routes: usize) -> Result<Unpacked, Box<dyn Error>> {
    let mut world = game.ground(&game.terrain()?)?;
    let mut random = SplitMix64::new(routes as u64);
    let targets = [place(&world, &mut random), place(&world, &mut random)];
    let mode = flow_swarm::world::GoalMode::Tiled;
    let goal = world.create_goal_with_mode(&targets, &[0.0, 5.0], mode)?;
    for number in 0..routes {
        let from = place(&world, &mut random);
        world.request_route(goal, number % 2, from)?;
    }
    for _ in 0..30 {
        world.update();
    }
    Ok(Unpacked::from_saved(&world.save_tiles(), TILES_HEAD))
}

/// The baked tiles of the ground without links.
fn baked(game: Game) -> Result<BakedFile, Box<dyn Error>> {
    let mut world = game.without_links(&game.terrain()?)?;
    let sectors = 2 * world.portal_graph(0)?.sectors().count();
    Ok(BakedFile::from_bytes(&world.bake_tiles()?, sectors))
}

/// Alters mostly what is compressed, sometimes the compressed bytes or the head.
fn packed(saved: &Unpacked, other: &[u8], random: &mut SplitMix64) -> Input {
    let mut body = saved.body.clone();
    if !random.percent(12) {
        mutate(&mut body, other, random);
        return Input {
            bytes: signed_or_not(saved.packed(&body), random),
            unpacked: body.len(),
        };
    }
    let mut bytes = saved.packed(&body);
    mutate(&mut bytes, other, random);
    Input {
        unpacked: MOST_PACKED * bytes.len(),
        bytes: signed_or_not(bytes, random),
    }
}

/// Adds the checksum, which a few inputs do not have.
fn signed_or_not(bytes: Vec<u8>, random: &mut SplitMix64) -> Vec<u8> {
    if random.percent(3) {
        bytes
    } else {
        signed(bytes)
    }
}
