//! Force fields: pull, push and vortex (Emerson, Game AI Pro, 23.13: a structure that pulls and pushes
//! units about, a unit that draws others into a whirl).

use crate::error::{Result, in_range};
use crate::swarm::bodies::{Area, Shape};
use crate::swarm::state::agents::flag;
use crate::swarm::{MAX_SPEED, Swarm};
use crate::workers::Workers;
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
    fn at(&self, away: Vec2, fade: f32) -> Vec2 {
        let outwards = away.normalize_or_zero();
        let direction = match self.kind {
            ForceKind::Pull => -outwards,
            ForceKind::Push => outwards,
            ForceKind::Vortex => outwards.perp(),
        };
        direction * (self.strength * fade)
    }
}

impl Swarm {
    /// Lets force fields change the velocities with which agents go into a step of `dt` seconds. O(agents
    /// in them).
    pub(in crate::swarm) fn apply_forces(&mut self, workers: &Workers, dt: f32) {
        let Self {
            areas,
            buckets,
            types,
            ..
        } = self;
        if areas.iter().all(|collider| collider.role.force.is_none()) {
            return;
        }
        buckets.change(workers, |mut piece| {
            for collider in areas.iter() {
                if let Area { force: Some(force) } = collider.role
                    && let Shape::Disc(radius) = collider.shape
                {
                    let (low, high) = collider.shape.bounds(&collider.pose);
                    piece.for_each_between(low, high, |agent| {
                        let away = agent.position - collider.pose.position();
                        let distance = away.length();
                        if distance < radius && agent.flags & flag::QUARANTINED == 0 {
                            let mass = types[usize::from(agent.kind)].mass;
                            let change = force.at(away, 1.0 - distance / radius) * (dt / mass);
                            agent.velocity = (agent.velocity + change).clamp_length_max(MAX_SPEED);
                        }
                    });
                }
            }
        });
    }
}
