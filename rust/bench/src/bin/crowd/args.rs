//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use flow_swarm::swarm::Avoidance;

/// Time crowds: without a scene, the steps of a marching crowd with radius 4 px and one agent per 10 by 10 px of open
/// ground; with one, how agents behave in it.
#[derive(Debug, Parser)]
pub(crate) struct Arguments {
    /// The scene to play instead of the march
    #[arg(long)]
    pub(crate) scene: Option<SceneName>,
    /// Number of agents [default: 100,000 for the march; in a scene the number for which its figures are given]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=2_000_000))]
    pub(crate) agents: Option<u32>,
    /// Numbers of threads to compare; their crowds take turns
    #[arg(long, value_delimiter = ',', default_values_t = [2, 1])]
    pub(crate) threads: Vec<usize>,
    /// Length of a step of a scene in seconds, 0.001 to 0.5 [default: 1/60 in scenes in pixels, 1/20 in others]
    #[arg(long, value_parser = step_length)]
    pub(crate) dt: Option<f32>,
    /// Timed steps [default: 100; in the open 200; in other scenes for their time, or until all agents have arrived or
    /// the limit of steps is reached]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: Option<u32>,
    /// How agents keep apart
    #[arg(long, value_enum, default_value_t = HowToAvoid::Separation)]
    pub(crate) avoidance: HowToAvoid,
    /// Added cost of full cells in a scene: how strongly agents avoid crowds
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=253))]
    pub(crate) crowd_penalty: u8,
    /// Untimed steps of the march at the start, in which the crowd picks up speed and overlaps are pushed apart
    #[arg(long, default_value_t = 20)]
    pub(crate) warm_up: u32,
    /// Milliseconds of sleep before each step of the march, as between the frames of a game
    #[arg(long, default_value_t = 0)]
    pub(crate) idle: u64,
    /// Steer the crowd of the march only every so many steps, as if it were out of view
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(crate) far_every: u32,
    /// Number of agents of ten times the radius among the crowd of the march
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=4096))]
    pub(crate) giants: u16,
    /// Number of solid discs that wander among the crowd of the march
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=4096))]
    pub(crate) bodies: u16,
    /// Number of areas in the crowd of the march
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=2048))]
    pub(crate) areas: u16,
    /// Number of force fields in the crowd of the march
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=2048))]
    pub(crate) force_fields: u16,
    /// Seed of the map and the positions
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Width of the bottleneck, or of the door of rimea4, in metres
    #[arg(long, default_value_t = 1.2, value_parser = metres)]
    pub(crate) width: f32,
    /// Agents per square metre, for rimea4
    #[arg(long, default_value_t = 1.0, value_parser = density)]
    pub(crate) density: f32,
    /// Write the scene to this file as JSON, for other programs to play, instead of playing it
    #[arg(long)]
    pub(crate) export: Option<PathBuf>,
    /// Measure the answer of another program to the scene, from this file, instead of playing it
    #[arg(long, conflicts_with = "export")]
    pub(crate) replay: Option<PathBuf>,
    /// End a scene early once its steps have taken this many seconds of computing
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// End a scene early once no agent has arrived for this many simulated seconds
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) jam: Option<u32>,
    /// Draw the agents after some seconds into this PNG file, instead of measuring them
    #[arg(long, requires = "scene", conflicts_with_all = ["export", "replay"])]
    pub(crate) picture: Option<PathBuf>,
    /// Simulated seconds after which the picture is drawn, 0 to 3600
    #[arg(long, default_value_t = 60.0, value_parser = seconds)]
    pub(crate) at: f32,
    /// Width of the area that the picture shows, in units of the scene, 1 to 10,000 [default: the whole map]
    #[arg(long, value_parser = across)]
    pub(crate) across: Option<f32>,
    /// Print a line of JSON at the end
    #[arg(long)]
    pub(crate) json: bool,
}

fn step_length(text: &str) -> Result<f32, String> {
    let seconds = match text.split_once('/') {
        Some((above, below)) => above
            .parse::<f32>()
            .and_then(|above| Ok(above / below.parse::<f32>()?)),
        None => text.parse(),
    };
    match seconds {
        Ok(seconds) if (0.001..=0.5).contains(&seconds) => Ok(seconds),
        _ => {
            Err("not a number of seconds from 0.001 to 0.5, or a fraction such as 1/60".to_owned())
        }
    }
}

fn metres(text: &str) -> Result<f32, String> {
    within(text, 0.7, 10.0)
}

fn seconds(text: &str) -> Result<f32, String> {
    within(text, 0.0, 3600.0)
}

fn across(text: &str) -> Result<f32, String> {
    within(text, 1.0, 10_000.0)
}

fn density(text: &str) -> Result<f32, String> {
    within(text, 0.1, 2.5)
}

fn within(text: &str, least: f32, most: f32) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("not a number from {least} to {most}")),
    }
}

/// The scenes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum SceneName {
    /// Agents at random places on an open field, 0.25 per square metre, each with a random target.
    Open,
    /// Agents on a circle, each with the opposite place as its target.
    Circle,
    /// Four groups that change places across a field of blocks.
    Blocks,
    /// A room that all agents leave by a door three radii wide.
    Doorway,
    /// Two streams that cross at a right angle.
    Crossing,
    /// A crowd that stands in front of the nearer of two doors, an eighth of all agents, and agents that come later.
    Twodoors,
    /// A large crowd in a room with four doors and one target behind them.
    Fourdoors,
    /// Two groups that change places, each agent exactly opposite another one.
    Headon,
    /// A horde with one target on open ground.
    Mob,
    /// A horde that follows a goal that walks in a circle at half its speed.
    Chase,
    /// The same with radii of 3 to 40 px and masses in proportion to area.
    Mixed,
    /// Ranks of eight in a straight corridor 20 radii wide.
    Corridor,
    /// The same around a right-angled bend.
    Corner,
    /// Two corridors that merge into one.
    Merge,
    /// Two opposite streams in one corridor.
    Twoway,
    /// The same with less room between agents.
    Twowaypacked,
    /// Crowds on both sides of one door three radii wide, each with targets on the other side.
    Twowaydoor,
    /// RiMEA case 1: a corridor of 40 m.
    Rimea1,
    /// RiMEA case 4: a crowd of a given density in a corridor of 10 m, with a door of a given width.
    Rimea4,
    /// RiMEA case 6: a group around a corner.
    Rimea6,
    /// RiMEA case 9: a large room with four doors.
    Rimea9,
    /// The same with two doors.
    Rimea9two,
    /// RiMEA case 12: two rooms, joined by a corridor, with a door of 1 m.
    Rimea12,
    /// A room with a bottleneck of a given width.
    Bottleneck,
    /// Four streams that cross.
    Fourway,
}

impl SceneName {
    /// The number of agents for which the scene's figures are given.
    pub(crate) fn agents(self) -> u32 {
        match self {
            Self::Open => 100_000,
            Self::Mob => 50_000,
            Self::Chase => 20_000,
            Self::Doorway | Self::Mixed => 2_000,
            Self::Circle
            | Self::Blocks
            | Self::Crossing
            | Self::Headon
            | Self::Twodoors
            | Self::Fourdoors
            | Self::Rimea9
            | Self::Rimea9two => 1_000,
            Self::Twowaypacked => 800,
            Self::Rimea4 | Self::Fourway => 400,
            Self::Rimea12 | Self::Bottleneck => 150,
            Self::Corridor | Self::Corner => 320,
            Self::Merge | Self::Twoway => 300,
            Self::Twowaydoor => 200,
            Self::Rimea6 => 20,
            Self::Rimea1 => 1,
        }
    }
}

/// The methods of avoidance that are compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum HowToAvoid {
    None,
    Separation,
    Contact,
    Orca,
}

impl From<HowToAvoid> for Avoidance {
    fn from(way: HowToAvoid) -> Self {
        match way {
            HowToAvoid::None => Self::None,
            HowToAvoid::Separation => Self::Separation,
            HowToAvoid::Contact => Self::Contact,
            HowToAvoid::Orca => Self::Orca,
        }
    }
}
