//! What a game that shows or leads a single agent reads of it.

use crate::error::{Result, in_range};
use crate::swarm::AgentId;
use crate::swarm::state::swarm::Swarm;
use glam::Vec2;

impl Swarm {
    /// The position, without its layer, and the heading, a unit vector, with which an agent is drawn at `fraction`,
    /// 0..=1, of the time from the step before to the last one. Fractions below 1 need
    /// [`Tracking::between_steps`](crate::swarm::Tracking::between_steps).
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId), or a fraction out of its range.
    pub fn drawn_pose(&self, id: AgentId, fraction: f32) -> Result<(Vec2, Vec2)> {
        in_range("fraction", fraction, 0.0, 1.0)?;
        let agents = &self.agents;
        let index = agents.find(id)?;
        let (mut place, mut heading) = (agents.position[index], agents.heading[index]);
        if fraction < 1.0 {
            if let Some(before) = agents.trail.position.get(index) {
                place = before.lerp(place, fraction);
            }
            if let Some(before) = agents.trail.heading.get(index) {
                heading = before.lerp(heading, fraction).normalize_or(heading);
            }
        }
        Ok((self.layers.flat(place), heading))
    }

    /// The velocity that [`Self::set_scripted_velocities`] gave an agent, zero if none. It does not depend on the
    /// agent's state.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn scripted_velocity(&self, id: AgentId) -> Result<Vec2> {
        Ok(self.agents.scripted[self.agents.find(id)?])
    }
}
