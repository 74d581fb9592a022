//! Areas: report the agents that enter and leave, and the agents inside. With a force they also accelerate these.

use crate::error::Result;
use crate::swarm::AgentId;
use crate::swarm::bodies::area::{Area, AreaId};
use crate::swarm::bodies::{Force, Pose, Shape};
use crate::swarm::state::swarm::Swarm;
use glam::Vec2;

impl Swarm {
    /// Adds an area, which reports the agents that enter and leave it, by their centres.
    ///
    /// # Errors
    /// A shape with a size outside 0..=1e6 or of 0, or more than [`crate::swarm::bodies::MAX_SITES`] areas.
    pub fn add_area(&mut self, shape: Shape, pose: Pose) -> Result<AreaId> {
        self.areas
            .add(shape, pose, Area { force: None })
            .map(AreaId)
    }

    /// Adds a force field: a disc-shaped area that accelerates the agents inside in each step while it exists.
    ///
    /// Agents resist with their own acceleration, by which they change their velocity back. A force weaker than that
    /// does not move an agent that wants to be elsewhere. Scripted agents ignore forces.
    ///
    /// # Errors
    /// A centre that is not finite, a radius outside 0..=1e6 or of 0, a strength beyond 1e6, or more than
    /// [`crate::swarm::bodies::MAX_SITES`] areas.
    pub fn add_force_field(&mut self, center: Vec2, radius: f32, force: Force) -> Result<AreaId> {
        force.check()?;
        let area = Area { force: Some(force) };
        let pose = Pose::at(center)?;
        self.areas.add(Shape::Disc(radius), pose, area).map(AreaId)
    }

    /// Moves an area or a force field.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn move_area(&mut self, area: AreaId, pose: Pose) -> Result<()> {
        self.areas.get_mut(area.0)?.pose = pose;
        Ok(())
    }

    /// Removes an area or a force field.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn remove_area(&mut self, area: AreaId) -> Result<()> {
        self.areas.remove(area.0)
    }

    /// Where an area is.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn area_pose(&self, area: AreaId) -> Result<Pose> {
        Ok(self.areas.get(area.0)?.pose)
    }

    /// The agents whose centres were in an area after the last step, by ascending id. Empty before an
    /// area's first step.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn area_agents(&self, area: AreaId) -> Result<Vec<AgentId>> {
        self.areas.agents_at(area.0, &self.agents)
    }
}
