//! The command line.

use clap::{Parser, ValueEnum};
use flow_swarm::swarm::Avoidance;

/// Time crowds: without a scene the march of a crowd of radius 4 px, one agent per 10 by 10 px of open ground; with
/// one, how agents of radius 0.5 m behave in it.
#[derive(Debug, Parser)]
pub(crate) struct Arguments {
    /// What the crowd is to do, instead of marching
    #[arg(long)]
    pub(crate) scene: Option<SceneName>,
    /// Number of agents
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=2_000_000))]
    pub(crate) agents: u32,
    /// Numbers of threads to compare; their crowds take turns
    #[arg(long, value_delimiter = ',', default_values_t = [2, 1])]
    pub(crate) threads: Vec<usize>,
    /// Timed steps [default: 100; in the open 200; in other scenes until everybody has arrived or long should have]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: Option<u32>,
    /// How agents of a scene keep apart
    #[arg(long, value_enum, default_value_t = HowToAvoid::Separation)]
    pub(crate) avoidance: HowToAvoid,
    /// What full cells cost more in a scene: how much agents shun crowds
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=253))]
    pub(crate) crowd_penalty: u8,
    /// Steps of the march before the clock starts, in which the crowd picks up speed and overlaps are pushed apart
    #[arg(long, default_value_t = 20)]
    pub(crate) warm_up: u32,
    /// Milliseconds of sleep before each step of the march, as between the frames of a game
    #[arg(long, default_value_t = 0)]
    pub(crate) idle: u64,
    /// Let the crowd of the march steer only every so many steps, as if nobody saw it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(crate) far_every: u32,
    /// Agents ten times as large as the others among the crowd of the march
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=4096))]
    pub(crate) giants: u16,
    /// Solid discs that wander among the crowd of the march
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=4096))]
    pub(crate) bodies: u16,
    /// Areas in the crowd of the march that tell who is in them
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=2048))]
    pub(crate) areas: u16,
    /// Force fields in the crowd of the march
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=2048))]
    pub(crate) force_fields: u16,
    /// Seed of the map and the positions
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print a line of JSON at the end
    #[arg(long)]
    pub(crate) json: bool,
}

/// The scenes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum SceneName {
    /// Agents at random on an open field, 0.25 to the square metre, on their way to random places.
    Open,
    /// Agents on a circle, each on its way to the opposite place.
    Circle,
    /// Four groups that change places across a field of blocks.
    Blocks,
    /// A room that everybody leaves by a door of three radii.
    Doorway,
    /// Two streams that cross at a right angle.
    Crossing,
    /// A crowd that stands across the nearer of two doors, an eighth of all, and late comers.
    Twodoors,
    /// A large crowd in a room with four doors, all on their way to one place behind them.
    Fourdoors,
    /// Two groups that change places, everybody exactly opposite somebody else.
    Headon,
}

/// The ways to keep apart that are compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum HowToAvoid {
    None,
    Separation,
    Orca,
}

impl From<HowToAvoid> for Avoidance {
    fn from(way: HowToAvoid) -> Self {
        match way {
            HowToAvoid::None => Self::None,
            HowToAvoid::Separation => Self::Separation,
            HowToAvoid::Orca => Self::Orca,
        }
    }
}
