//! The heights of places, which tell layers apart, and of agents on links.

use crate::error::{Result, finite, in_range};
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::link_travel::LinkTravel;
use crate::swarm::state::swarm::Swarm;
use glam::Vec2;

/// How far a thing may be below the ground that it stands on, in world units.
const SUNK: f32 = 0.1;

impl Swarm {
    /// The layer on which a thing stands that is at a position, without its layer, and at a height in world units: the
    /// one whose ground there is nearest at or below it, or else the lowest one. The ground may be
    /// 0.1 above it, as physics lets bodies sink in a little. `None` if heights do not tell layers apart: there is only one, or all have the same height.
    ///
    /// O(layers).
    ///
    /// # Errors
    /// A position or a height that is not finite.
    pub fn layer_under(&self, position: Vec2, height: f32) -> Result<Option<u32>> {
        finite("position", position)?;
        in_range("height", height, f32::MIN, f32::MAX)?;
        if self.layers.count() == 1 || self.layer_view.height == 0.0 && self.ground.is_flat() {
            return Ok(None);
        }
        let layers = (0..self.layers.count()).map(|layer| {
            let ground = self.height_of(self.layers.place(position, layer));
            (ground, layer)
        });
        let is_below = |&(ground, _): &(f32, u32)| ground <= height + SUNK;
        let by_height = |one: &(f32, u32), other: &(f32, u32)| one.0.total_cmp(&other.0);
        let below = layers.clone().filter(is_below).max_by(by_height);
        Ok(below.or(layers.min_by(by_height)).map(|(_, layer)| layer))
    }

    /// The height of a layer whose ground has no heights.
    #[inline]
    pub(super) fn flat_height(&self, layer: u32) -> f32 {
        layer as f32 * self.layer_view.height
    }

    /// The height of a place.
    #[inline]
    fn height_of(&self, place: Vec2) -> f32 {
        self.height_on_layer(self.layers.at(place), self.layers.flat(place))
    }

    /// The height of a world position on a layer: that of the ground, or else of the layer.
    #[inline]
    pub(super) fn height_on_layer(&self, layer: u32, position: Vec2) -> f32 {
        let ground = self.ground.standing_height(layer, position);
        ground.unwrap_or_else(|| self.flat_height(layer))
    }

    /// The height of an agent on a link, between those of its ends, at `fraction` of the time from the step before to the
    /// last one; `None` if it was on no link.
    #[inline]
    pub(super) fn height_on_link(&self, index: usize, fraction: f32) -> Option<f32> {
        let travel = self.agents.travel.get(index)?;
        if !self.is_drawn_on_link(index, travel) {
            return None;
        }
        let ends = [travel.from, travel.to].map(|end| self.height_of(end));
        Some(travel.height(fraction, ends))
    }

    /// Whether [`Self::height_on_link`] is the height of an agent.
    #[inline]
    pub(super) fn is_on_link(&self, index: usize) -> bool {
        let travel = self.agents.travel.get(index);
        travel.is_some_and(|travel| self.is_drawn_on_link(index, travel))
    }

    /// Whether an agent was on a link at any time in the last step.
    #[inline]
    fn is_drawn_on_link(&self, index: usize, travel: &LinkTravel) -> bool {
        let has_landed = travel.whole > 0.0 && travel.tick == self.tick as u32;
        has_landed || self.agents.state[index] == AgentState::Travelling
    }
}
