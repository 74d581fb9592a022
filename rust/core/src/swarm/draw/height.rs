//! The heights at which agents are drawn in 3D, above that of the lowest layer.

use crate::error::{Result, in_range};
use crate::swarm::AgentId;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::link_travel::LinkTravel;
use crate::swarm::state::swarm::Swarm;
use glam::Vec2;

impl Swarm {
    /// The height above the lowest layer, in world units, at which an agent is drawn at `fraction`, 0..=1, of the time from
    /// the step before to the last one: that of its layer, or on the way between those of both ends of a link.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId), or a fraction out of its range.
    pub fn drawn_height(&self, id: AgentId, fraction: f32) -> Result<f32> {
        in_range("fraction", fraction, 0.0, 1.0)?;
        Ok(self.height_between(self.agents.find(id)?, fraction))
    }

    /// The height of a place.
    #[inline]
    fn height_of(&self, place: Vec2) -> f32 {
        self.layers.at(place) as f32 * self.layer_view.height
    }

    /// The height of an agent at `fraction` of the time from the step before to the last one.
    #[inline]
    pub(super) fn height_between(&self, index: usize, fraction: f32) -> f32 {
        match self.agents.travel.get(index) {
            Some(travel) if self.is_drawn_on_link(index, travel) => {
                let ends = [travel.from, travel.to].map(|end| self.height_of(end));
                travel.height(fraction, ends)
            }
            _ => self.height_of(self.agents.position[index]),
        }
    }

    /// Whether an agent was on a link at any time in the last step.
    #[inline]
    fn is_drawn_on_link(&self, index: usize, travel: &LinkTravel) -> bool {
        let has_landed = travel.whole > 0.0 && travel.tick == self.tick as u32;
        has_landed || self.agents.state[index] == AgentState::Travelling
    }
}
