//! Channels: agents of different looks, or at different distances, are written to different buffers.

use crate::error::{Error, Result, finite, in_range};
use crate::swarm::limits::MAX_AGENT_TYPES;
use glam::Vec2;

/// The greatest number of bands of a type.
pub const MAX_BANDS: usize = 8;
/// The greatest number of channels.
pub const MAX_CHANNELS: usize = 4096;
/// The greatest distance at which a band begins.
const MOST_DISTANCE: f32 = 1.0e9;

/// The agents of a type from a distance on, up to the next band.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// The least distance to the eye, in world units, 0..=1e9.
    pub from: f32,
    /// The channel of the agents; `None` if they are not drawn.
    pub channel: Option<u16>,
}

/// The point from which distances are measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Eye {
    /// A camera at a position in the plane and a height above it.
    At {
        /// The position in the plane, in world units.
        position: Vec2,
        /// The height, as that of [`InstanceLayout`](crate::swarm::InstanceLayout).
        height: f32,
    },
    /// A parallel projection, which shows all agents as large as at this distance.
    Parallel {
        /// The distance of all agents, in world units, 0 or more.
        distance: f32,
    },
}

impl Eye {
    pub(super) fn check(&self) -> Result<()> {
        match *self {
            Self::At { position, height } => {
                finite("position of eye", position)?;
                in_range("height of eye", height, f32::MIN, f32::MAX)?;
            }
            Self::Parallel { distance } => {
                in_range("distance of eye", distance, 0.0, f32::MAX)?;
            }
        }
        Ok(())
    }
}

/// The channels among which agents are divided, by their types and their distances.
#[derive(Debug, Clone, PartialEq)]
pub struct Channels {
    /// By type.
    types: Vec<TypeBands>,
    count: u16,
}

impl Default for Channels {
    /// One channel for all agents.
    fn default() -> Self {
        Self {
            types: Vec::new(),
            count: 1,
        }
    }
}

impl Channels {
    /// The channels from the bands of each type, from near to far. The first band of a type begins at 0. Types without
    /// bands and missing types have channel 0.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for more than [`MAX_AGENT_TYPES`] types or [`MAX_BANDS`] bands, for a first band that does
    /// not begin at 0, for distances that do not ascend or exceed 1e9, and for channels from [`MAX_CHANNELS`] on.
    pub fn new<B: AsRef<[Band]>>(types: &[B]) -> Result<Self> {
        let most = |name, value: usize, most: usize| {
            let error = Error::OutOfRange {
                name,
                value: value.into(),
                min: 0.into(),
                max: most.into(),
            };
            if value > most { Err(error) } else { Ok(()) }
        };
        most("number of types", types.len(), MAX_AGENT_TYPES)?;
        let mut channels = Self::default();
        for bands in types {
            let bands = bands.as_ref();
            most("number of bands", bands.len(), MAX_BANDS)?;
            let mut least = 0.0;
            for (number, band) in bands.iter().enumerate() {
                let end = if number == 0 { 0.0 } else { MOST_DISTANCE };
                in_range("distance of band", band.from, least, end)?;
                least = band.from;
            }
            for channel in bands.iter().filter_map(|band| band.channel) {
                most("channel", channel.into(), MAX_CHANNELS - 1)?;
                channels.count = channels.count.max(channel + 1);
            }
        }
        let hidden = channels.count;
        let types = types.iter();
        channels.types = types
            .map(|bands| TypeBands::new(bands.as_ref(), hidden))
            .collect();
        Ok(channels)
    }

    /// The number of channels, at least 1: the greatest channel of any band, and one more.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count.into()
    }

    /// Whether all agents have channel 0.
    pub(super) fn is_single(&self) -> bool {
        self.types
            .iter()
            .all(|bands| *bands == TypeBands::default())
    }

    /// The channel of an agent of a type by the square of its distance; [`Self::count`] if it is not drawn.
    #[inline]
    pub(super) fn channel_of(&self, kind: u8, squared_distance: f32) -> u16 {
        self.types
            .get(usize::from(kind))
            .map_or(0, |bands| bands.channel_at(squared_distance))
    }
}

/// The bands of one type, in a form without branches.
#[derive(Debug, Clone, PartialEq)]
struct TypeBands {
    /// The squares of the distances at which bands after the first begin; infinite beyond the last one.
    begins: [f32; MAX_BANDS],
    channels: [u16; MAX_BANDS],
}

impl Default for TypeBands {
    /// All agents have channel 0.
    fn default() -> Self {
        Self {
            begins: [f32::INFINITY; MAX_BANDS],
            channels: [0; MAX_BANDS],
        }
    }
}

impl TypeBands {
    fn new(bands: &[Band], hidden: u16) -> Self {
        let mut own = Self::default();
        for (begin, band) in own.begins.iter_mut().zip(bands.iter().skip(1)) {
            *begin = band.from * band.from;
        }
        for (channel, band) in own.channels.iter_mut().zip(bands) {
            *channel = band.channel.unwrap_or(hidden);
        }
        own
    }

    #[inline]
    fn channel_at(&self, squared_distance: f32) -> u16 {
        // An infinite distance lies beyond all bands.
        let distance = squared_distance.min(f32::MAX);
        let passed = self.begins.iter().filter(|&&begin| begin <= distance);
        self.channels[passed.count() % MAX_BANDS]
    }
}
