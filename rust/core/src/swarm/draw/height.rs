//! The heights of places, which tell layers apart, and of agents.

use crate::error::{Result, finite, in_range};
use crate::swarm::draw::levels::Levels;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::swarm::Swarm;
use glam::{Vec2, Vec3};

impl Swarm {
    /// The layer on which a thing stands that is at a position, without its layer, and at a height in world units: the
    /// one whose ground there is nearest at or below it, or else the lowest one, as for
    /// [`FlowWorld::place_under`](crate::world::FlowWorld::place_under). `None` if heights do not tell layers apart:
    /// there is only one, or all have the same height.
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
        let flat = |layer| self.flat_height(layer);
        let layers = self.layers.count();
        Ok(Some(
            self.ground.layer_under(layers, position, height, flat),
        ))
    }

    /// Where things stand.
    #[inline]
    pub(in crate::swarm) fn levels(&self) -> Levels<'_> {
        Levels {
            ground: &self.ground,
            layers: &self.layers,
            layer_height: self.layer_view.height,
        }
    }

    /// The height of a layer whose ground has no heights.
    #[inline]
    pub(super) fn flat_height(&self, layer: u32) -> f32 {
        self.levels().flat(layer)
    }

    /// The height of a world position on a layer: that of the ground, or else of the layer.
    #[inline]
    pub(super) fn height_on_layer(&self, layer: u32, position: Vec2) -> f32 {
        self.levels().on_layer(layer, position)
    }

    /// See [`Levels::on_link`].
    #[inline]
    pub(super) fn height_on_link(&self, index: usize, fraction: f32) -> Option<f32> {
        self.levels()
            .on_link(&self.agents, index, self.tick, fraction)
    }

    /// Where an agent stands in 3D after the last step, `above` the ground, with y up: [`Self::drawn_height`] at the
    /// end of the step.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn standing_position(&self, id: AgentId, above: f32) -> Result<Vec3> {
        let index = self.agents.find(id)?;
        Ok(self.levels().foot(&self.agents, index, self.tick, above))
    }

    /// [`Self::standing_position`] of all agents, in the order of [`Self::ids`].
    #[must_use]
    pub fn standing_positions(&self, above: f32) -> Vec<Vec3> {
        let (levels, agents) = (self.levels(), &self.agents);
        let foot = |index| levels.foot(agents, index, self.tick, above);
        (0..agents.len()).map(foot).collect()
    }
}
