//! Bodies and areas: obstacles that the game moves among the agents, such as the player, doors and carts, and shapes
//! that report agents or apply forces.
//!
//! Only the game moves a body. To agents a solid body is a moving wall without mass. Flow fields do not see bodies;
//! obstacles that stay are better painted as terrain or added as a stamp.
//!
//! Read `shape` (outlines and poses), `colliders` (what bodies and areas share), then `body` and `push_out`, and
//! `area`, `areas`, `force` and `forces`. ORCA reads bodies in `avoidance/orca/solids.rs`.
//!
//! - Ids ascend and are never reused. Lists of overlaps ascend by collider, then agent.
//! - A body or an area acts on the layer of its position alone, however far it reaches.
//! - Walls take precedence over bodies: an agent without room stays in a body, never in a wall.

pub(in crate::swarm) mod area;
mod areas;
pub(in crate::swarm) mod body;
mod colliders;
mod force;
mod forces;
mod push_out;
mod saved;
mod shape;

pub(in crate::swarm) use area::Area;
pub use area::AreaId;
pub(in crate::swarm) use body::Body;
pub use body::BodyId;
pub use colliders::MAX_SITES;
pub(in crate::swarm) use colliders::{Collider, Colliders};
pub use force::{Force, ForceKind};
pub(in crate::swarm) use shape::Nearest;
pub use shape::{Pose, Shape};

use crate::error::Result;
use crate::swarm::AgentId;
use crate::swarm::state::swarm::Swarm;
use crate::workers::Workers;

impl Swarm {
    /// Adds a body. A solid body keeps agents out like a moving wall, except where walls leave them no room; agents
    /// that avoid others go around it. A body that is not solid only reports the agents that touch it.
    ///
    /// A step costs more for each agent near a body, and nothing more for other agents.
    ///
    /// # Errors
    /// A shape with a size outside 0..=1e6 or of 0, or more than [`MAX_SITES`] bodies.
    pub fn add_body(&mut self, shape: Shape, pose: Pose, is_solid: bool) -> Result<BodyId> {
        self.bodies.add(shape, pose, Body { is_solid }).map(BodyId)
    }

    /// Moves a body. Agents that avoid others see it move there at a constant velocity within the next step; all other
    /// agents meet it at its new pose.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn move_body(&mut self, body: BodyId, pose: Pose) -> Result<()> {
        self.bodies.get_mut(body.0)?.pose = pose;
        Ok(())
    }

    /// Removes a body.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn remove_body(&mut self, body: BodyId) -> Result<()> {
        self.bodies.remove(body.0)
    }

    /// The pose of a body.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn body_pose(&self, body: BodyId) -> Result<Pose> {
        Ok(self.bodies.get(body.0)?.pose)
    }

    /// The agents that touched a body after the last step, by ascending id. An agent touches a body if the gap between
    /// them is at most a twentieth of the agent's radius. Empty before a body's first step.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn body_contacts(&self, body: BodyId) -> Result<Vec<AgentId>> {
        self.bodies.agents_at(body.0, &self.agents)
    }

    /// Whether there are any bodies or areas.
    pub(in crate::swarm) fn is_watched(&self) -> bool {
        !self.bodies.is_empty() || !self.areas.is_empty()
    }

    /// Finds the overlaps of all colliders after a step in which no agent moved farther than `farthest`. The buckets
    /// are those from the start of the step.
    pub(in crate::swarm) fn update_contacts(&mut self, farthest: f32, workers: &Workers) {
        let (agents, buckets) = (&self.agents, &self.buckets);
        let visit_near = |(low, high), visit: &mut dyn FnMut(usize)| {
            for row in buckets.rows_between(low - farthest, high + farthest) {
                for agent in &buckets.sorted()[row] {
                    visit(agent.index as usize);
                }
            }
        };
        let kinds = (&*self.types, &self.layers);
        self.bodies.look(agents, kinds, workers, visit_near);
        self.areas.look(agents, kinds, workers, visit_near);
    }

    /// Adds the contacts that [`Self::update_contacts`] has found to the events, after a step has removed agents.
    pub(in crate::swarm) fn collect_contacts(&mut self) {
        let agents = &self.agents;
        self.bodies.forget_the_dead(agents);
        self.areas.forget_the_dead(agents);
        let events = &mut self.events;
        events.contacted.reserve(agents.len());
        events.entered.reserve(agents.len());
        events.exited.reserve(agents.len());
        let body = |(body, agent)| (BodyId(body), agent);
        let area = |(area, agent)| (AreaId(area), agent);
        events
            .contacted
            .extend(self.bodies.entered_since().map(body));
        events.entered.extend(self.areas.entered_since().map(area));
        events
            .exited
            .extend(self.areas.left_since(agents).map(area));
    }
}
