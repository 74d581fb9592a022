//! Forces: the effect of a force field on an agent.

use crate::error::{Result, in_range};
use crate::swarm::limits::MAX_SPEED;
use glam::Vec2;

/// The direction of a force.
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

/// The force of a force field.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Force {
    /// The direction of the force.
    pub kind: ForceKind,
    /// The acceleration of an agent of mass 1 at the centre, in world units a second squared, -1e6..=1e6. It fades
    /// linearly to 0 at the edge. Negative values reverse the direction.
    pub strength: f32,
}

impl Force {
    pub(super) fn check(&self) -> Result<()> {
        in_range("strength", self.strength, -MAX_SPEED, MAX_SPEED).map(drop)
    }

    /// The force on an agent at the offset `away` from the centre of a field, where the share `fade` of the strength is
    /// left.
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
