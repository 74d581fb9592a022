//! Where agents stand in 3D: on the ground, on layers without heights, and on links.

use crate::grid::layers::Layers;
use crate::ground::Ground;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::agents::Agents;
use crate::swarm::state::link_travel::LinkTravel;
use glam::{Vec2, Vec3};

/// Where things stand.
#[derive(Debug, Clone, Copy)]
pub(in crate::swarm) struct Levels<'a> {
    pub(in crate::swarm) ground: &'a Ground,
    pub(in crate::swarm) layers: &'a Layers,
    /// The height of a layer above the layer below, where the ground has no heights.
    pub(in crate::swarm) layer_height: f32,
}

impl Levels<'_> {
    /// The height of a layer whose ground has no heights.
    #[inline]
    pub(in crate::swarm) fn flat(&self, layer: u32) -> f32 {
        layer as f32 * self.layer_height
    }

    /// The height of a world position on a layer: that of the ground, or else of the layer.
    #[inline]
    pub(in crate::swarm) fn on_layer(&self, layer: u32, position: Vec2) -> f32 {
        let ground = self.ground.standing_height(layer, position);
        ground.unwrap_or_else(|| self.flat(layer))
    }

    /// The height of a place.
    #[inline]
    pub(in crate::swarm) fn at(&self, place: Vec2) -> f32 {
        self.on_layer(self.layers.at(place), self.layers.flat(place))
    }

    /// The least and the greatest height at which things stand on a layer.
    pub(in crate::swarm) fn range(&self, layer: u32) -> (f32, f32) {
        let flat = self.flat(layer);
        self.ground.layer_range(layer).unwrap_or((flat, flat))
    }

    /// The height of an agent on a link, between those of its ends, at `fraction` of the time from the step before to
    /// the last one, the `tick`th; `None` if it was on no link.
    #[inline]
    pub(in crate::swarm) fn on_link(
        &self,
        agents: &Agents,
        index: usize,
        tick: u64,
        fraction: f32,
    ) -> Option<f32> {
        let travel = agents.travel.get(index)?;
        if !is_drawn_on_link(agents.state[index], travel, tick) {
            return None;
        }
        let ends = [travel.from, travel.to].map(|end| self.at(end));
        Some(travel.height(fraction, ends))
    }

    /// Where an agent stands after the last step, the `tick`th, `above` the ground, with y up.
    #[inline]
    pub(in crate::swarm) fn foot(
        &self,
        agents: &Agents,
        index: usize,
        tick: u64,
        above: f32,
    ) -> Vec3 {
        let place = agents.position[index];
        let on_link = self.on_link(agents, index, tick, 1.0);
        let height = above + on_link.unwrap_or_else(|| self.at(place));
        let position = self.layers.flat(place);
        Vec3::new(position.x, height, position.y)
    }
}

/// Whether an agent was on a link at any time in the last step.
#[inline]
pub(in crate::swarm) fn is_drawn_on_link(
    state: AgentState,
    travel: &LinkTravel,
    tick: u64,
) -> bool {
    let has_landed = travel.whole > 0.0 && travel.tick == tick as u32;
    has_landed || state == AgentState::Travelling
}
