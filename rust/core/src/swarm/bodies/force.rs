//! What a force field does to an agent.

use crate::error::{Result, in_range};
use crate::swarm::limits::MAX_SPEED;
use glam::Vec2;

/// Where a force field drives agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForceKind {
    /// To its centre.
    #[default]
    Pull,
    /// Away from its centre.
    Push,
    /// Around its centre, from +x towards +y: clockwise where y points down.
    Vortex,
}

/// What a force field does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Force {
    /// Where it drives agents.
    pub kind: ForceKind,
    /// The acceleration of an agent of mass 1 at the centre, in world units a second squared, -1e6..=1e6; it
    /// fades evenly to nothing at the edge. Below 0 it drives the other way.
    pub strength: f32,
}

impl Force {
    pub(super) fn check(&self) -> Result<()> {
        in_range("strength", self.strength, -MAX_SPEED, MAX_SPEED).map(drop)
    }

    /// The force on an agent that is `away` from the centre of a field; `fade` of its strength are left.
    pub(super) fn at(&self, away: Vec2, fade: f32) -> Vec2 {
        let outwards = away.normalize_or_zero();
        let direction = match self.kind {
            ForceKind::Pull => -outwards,
            ForceKind::Push => outwards,
            ForceKind::Vortex => outwards.perp(),
        };
        direction * (self.strength * fade)
    }
}
