//! The heights at which agents are drawn, one at a time, and the range of these heights.

use crate::error::{Result, in_range};
use crate::ground::{BATCH, Ground, GroundBatch};
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::Vec2;

impl Swarm {
    /// Places instances on heights from now on. Each step takes those of its world; a game that edits heights between
    /// steps and draws calls this.
    pub fn set_ground(&mut self, ground: &Ground) {
        self.ground = ground.clone();
    }

    /// The height at which an agent is drawn in 3D, `above` the ground, at `fraction` of the time from the step before
    /// to the last one: see [`Self::drawn_pose`]. Finite, even in holes of the ground.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId), or a fraction out of its range.
    pub fn drawn_height(&self, id: AgentId, fraction: f32, above: f32) -> Result<f32> {
        in_range("fraction", fraction, 0.0, 1.0)?;
        let index = self.agents.find(id)?;
        let layer = self.layers.at(self.agents.position[index]);
        let position = self.position_between(index, fraction);
        Ok(match self.height_on_link(index, fraction) {
            Some(height) => above + height,
            None => above + self.height_on_layer(layer, position),
        })
    }

    /// Finds where agents of one layer are drawn at `fraction`, and their heights, on the ground or on a link. There
    /// are at most [`BATCH`].
    pub(super) fn find_places(&self, agents: &[usize], fraction: f32, batch: &mut GroundBatch) {
        for (at, &index) in agents.iter().take(BATCH).enumerate() {
            (batch.x[at], batch.y[at]) = self.position_between(index, fraction).into();
        }
        let layer = self.layer_of(agents[0]);
        if !self.ground.find_heights(layer, batch, agents.len()) {
            batch.height = [self.flat_height(layer); BATCH];
        }
        for (height, &index) in batch.height.iter_mut().zip(agents) {
            if let Some(on_link) = self.height_on_link(index, fraction) {
                *height = on_link;
            }
        }
    }

    /// Agents in runs that are on one layer each.
    #[inline]
    pub(super) fn by_layer<'a>(&self, agents: &'a [usize]) -> impl Iterator<Item = &'a [usize]> {
        agents.chunk_by(|&one, &other| self.layer_of(one) == self.layer_of(other))
    }

    #[inline]
    pub(super) fn layer_of(&self, index: usize) -> u32 {
        self.layers.at(self.agents.position[index])
    }

    /// The least and the greatest height at which agents may be drawn in 3D, `above` the ground, on the links of
    /// `world`, too.
    #[must_use]
    pub fn drawn_heights(&self, world: &FlowWorld, above: f32) -> (f32, f32) {
        let count = self.layers.count();
        let top = self.flat_height(count - 1);
        let flat = (top.min(0.0), top.max(0.0));
        let (low, high) = match self.ground.range() {
            None => flat,
            Some(range) if self.ground.is_on_all(count) => range,
            Some((low, high)) => (flat.0.min(low), flat.1.max(high)),
        };
        (above + low, above + high + world.greatest_arc())
    }

    /// The greatest width of an instance, with [`InstanceLayout::size`](crate::swarm::InstanceLayout::size). O(agents)
    /// if factors on sizes were set.
    #[must_use]
    pub fn greatest_width(&self, size: f32) -> f32 {
        let widths = self.types.iter().map(|kind| kind.instance_width(size));
        widths.fold(0.0, f32::max) * self.agents.factors.greatest_size()
    }

    /// How far an agent at a world position on a layer is moved along y in 2D by the height of the ground.
    #[inline]
    pub(super) fn height_offset(&self, per_height: f32, layer: u32, position: Vec2) -> f32 {
        let height = self.ground.standing_height(layer, position);
        -per_height * height.unwrap_or(0.0)
    }

    /// How far an agent is moved along y in 2D by the height of the ground where it is drawn at `fraction`, with
    /// `per_height` as [`InstanceLayout::height_offset_2d`](crate::swarm::InstanceLayout::height_offset_2d): see
    /// [`Self::drawn_pose`].
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId), or a fraction out of its range.
    pub fn drawn_offset(&self, id: AgentId, fraction: f32, per_height: f32) -> Result<f32> {
        in_range("fraction", fraction, 0.0, 1.0)?;
        let index = self.agents.find(id)?;
        let layer = self.layers.at(self.agents.position[index]);
        Ok(self.height_offset(per_height, layer, self.position_between(index, fraction)))
    }

    /// The least and the greatest of these offsets.
    #[must_use]
    pub fn drawn_offsets(&self, per_height: f32) -> (f32, f32) {
        let (low, high) = self.ground.range().unwrap_or_default();
        let ends = [low, high].map(|height| -per_height * height);
        (ends[0].min(ends[1]).min(0.0), ends[0].max(ends[1]).max(0.0))
    }
}
