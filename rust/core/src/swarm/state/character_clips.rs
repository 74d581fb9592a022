//! The clips of a character as far as its movement selects them: idle, walk, run and death.

use crate::error::{Result, in_range};

/// The most clips of a character. A shader reads the clip and its weight from one number of 11 bits.
pub const MAX_CLIPS: usize = 63;
/// The range of lengths of clips, in seconds.
pub const CLIP_SECONDS: (f32, f32) = (1.0e-3, 1.0e4);
/// The range of strides, in diameters.
const STRIDES: (f32, f32) = (1.0e-3, 1.0e6);

/// A clip of walking or running.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stride {
    /// The distance that an agent covers while the clip plays once, in diameters of its instance.
    pub distance: f32,
    /// The length of the clip in seconds.
    pub seconds: f32,
}

impl Stride {
    /// The speed at which the clip plays as it was made, in diameters a second.
    pub(in crate::swarm) fn speed(&self) -> f32 {
        self.distance / self.seconds
    }
}

/// The clips that follow from what agents of a type do. Only drawing reads them
/// ([`CustomData::Character`](crate::swarm::CustomData::Character)).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CharacterClips {
    /// The length of the clip of agents that stand, in seconds; 0 if there is none.
    pub idle_seconds: f32,
    /// The clip of agents that walk. Without it agents stand at any speed.
    pub walk: Option<Stride>,
    /// The clip of agents that are faster than the walk. Without it agents walk at any speed.
    pub run: Option<Stride>,
    /// The number and the length in seconds of the clip of agents that become corpses.
    pub death: Option<(u8, f32)>,
}

impl CharacterClips {
    /// Whether there are any.
    pub(in crate::swarm) fn is_some(&self) -> bool {
        *self != Self::default()
    }

    pub(in crate::swarm) fn check(&self) -> Result<()> {
        in_range("idle_seconds", self.idle_seconds, 0.0, CLIP_SECONDS.1)?;
        for stride in [self.walk, self.run].into_iter().flatten() {
            in_range("stride", stride.distance, STRIDES.0, STRIDES.1)?;
            check_seconds(stride.seconds)?;
        }
        if let Some((clip, seconds)) = self.death {
            check_clip(clip)?;
            check_seconds(seconds)?;
        }
        Ok(())
    }
}

/// Refuses lengths out of [`CLIP_SECONDS`].
pub(in crate::swarm) fn check_seconds(seconds: f32) -> Result<()> {
    in_range("length of clip", seconds, CLIP_SECONDS.0, CLIP_SECONDS.1).map(drop)
}

/// Refuses numbers of clips that shaders cannot read.
pub(in crate::swarm) fn check_clip(clip: u8) -> Result<()> {
    in_range("clip", usize::from(clip), 0, MAX_CLIPS - 1).map(drop)
}
