//! How agents get over a link.

use crate::bytes::{Saved, Source, Unpacker, Writer};
use crate::error::{Result, in_range};

/// The range of the seconds that agents are on a link for.
pub const LINK_SECONDS: (f32, f32) = (1.0e-3, 3600.0);
/// The greatest height of a link's arc, in world units.
pub const MAX_LINK_ARC: f32 = 1.0e6;

/// How agents get over a link.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Travel {
    /// An agent in the first cell is in the last cell after its next step, at a random point: teleporters.
    #[default]
    AtOnce,
    /// An agent in the first cell goes straight to the nearest point of the last cell, at its own speed: stairs and
    /// ramps between layers, whose two cells are beside each other or one above the other.
    Walk,
    /// An agent in the first cell goes straight to a random point of the last cell in a given time: jump pads, ladders
    /// and drops.
    Timed {
        /// The time that it takes, in [`LINK_SECONDS`].
        seconds: f32,
        /// The greatest height above the straight line between both ends, in world units, 0..=[`MAX_LINK_ARC`]. Agents
        /// are drawn on a parabola.
        arc: f32,
    },
}

impl Travel {
    /// Checks the ranges of all numbers.
    ///
    /// # Errors
    /// Seconds or an arc out of their ranges.
    pub fn check(&self) -> Result<()> {
        if let Self::Timed { seconds, arc } = *self {
            in_range("seconds", seconds, LINK_SECONDS.0, LINK_SECONDS.1)?;
            in_range("arc", arc, 0.0, MAX_LINK_ARC)?;
        }
        Ok(())
    }
}

impl Saved for Travel {
    fn write(&self, out: &mut Writer) {
        match *self {
            Self::AtOnce => out.u8(0),
            Self::Walk => out.u8(1),
            Self::Timed { seconds, arc } => {
                out.u8(2);
                (seconds, arc).write(out);
            }
        }
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        match input.u8()? {
            0 => Ok(Self::AtOnce),
            1 => Ok(Self::Walk),
            2 => Ok(Self::Timed {
                seconds: f32::read(input)?,
                arc: f32::read(input)?,
            }),
            _ => Err(input.bad("it has a link of an unknown kind")),
        }
    }
}
