//! Force fields: pull, push and vortex (Emerson, Game AI Pro, 23.13, has a structure that pulls and pushes units, and a
//! unit that draws others into a vortex).

use crate::swarm::bodies::{Area, Shape};
use crate::swarm::limits::MAX_SPEED;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::swarm::Swarm;
use crate::workers::Workers;

impl Swarm {
    /// Applies force fields to the agents' velocities at the start of a step of `dt` seconds. O(agents in them).
    pub(in crate::swarm) fn apply_forces(&mut self, workers: &Workers, dt: f32) {
        let Self {
            areas,
            buckets,
            types,
            layers,
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
                    let layer = layers.at(collider.pose.position());
                    piece.for_each_between(low, high, |agent| {
                        let away = agent.position - collider.pose.position();
                        let distance = away.length();
                        let takes_part = agent.flags & flag::QUARANTINED == 0
                            && layers.at(agent.position) == layer;
                        if distance < radius && takes_part {
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
