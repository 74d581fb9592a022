//! Agents on layers: which links agents want to take, and layers that move.

use crate::error::{Result, in_range};
use crate::grid::layers::{LAYER_GAP, Layers};
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::Agents;
use crate::swarm::state::layer_view::LayerView;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use crate::swarm::{ArrivalAction, Avoidance};
use crate::world::FlowWorld;

impl Swarm {
    /// The layout of the layers that positions belong to: that of the world in the swarm's last step.
    #[must_use]
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Changes how layers are shown.
    ///
    /// # Errors
    /// As [`LayerView::check`].
    pub fn set_layer_view(&mut self, view: LayerView) -> Result<()> {
        view.check()?;
        self.layer_view = view;
        Ok(())
    }

    /// How layers are shown.
    #[must_use]
    pub fn layer_view(&self) -> LayerView {
        self.layer_view
    }

    /// Moves all agents with their layers if the world's layers have moved since the last step. Agents of a removed
    /// layer move to the last one. Takes the world's heights for drawing.
    pub(in crate::swarm) fn sync_layers(&mut self, world: &FlowWorld) {
        if self.is_elsewhere(world) {
            self.agents.move_layers(&self.layers, world.grid().layers());
            self.buckets.invalidate();
        }
        self.layers = *world.grid().layers();
        self.set_ground(world.ground());
    }

    /// Whether the layers of `world` differ from those that positions belong to.
    pub(in crate::swarm) fn is_elsewhere(&self, world: &FlowWorld) -> bool {
        let (old, layers) = (&self.layers, world.grid().layers());
        old != layers && (old.count() > 1 || layers.count() > 1)
    }

    /// Checks that no agent can perceive an agent of another layer.
    ///
    /// # Errors
    /// The parameter that reaches too far, on a grid of several layers.
    pub(in crate::swarm) fn check_reach(&self, world: &FlowWorld) -> Result<()> {
        let grid = world.grid();
        if grid.layers().count() == 1 {
            return Ok(());
        }
        let most = LAYER_GAP as f32 * grid.cell_size();
        let radii = self.types.iter().map(|kind| kind.radius);
        let largest = radii.fold(0.0, f32::max);
        for kind in &self.types {
            in_range("radius on a grid of layers", kind.radius, 0.0, 0.5 * most)?;
            if kind.avoidance == Avoidance::Orca {
                // Larger agents are seen from farther away.
                let reach = kind.neighbour_radius;
                let most = most - (largest - kind.radius);
                in_range("neighbour_radius on a grid of layers", reach, 0.0, most)?;
            }
        }
        Ok(())
    }
}

impl Agents {
    pub(in crate::swarm) fn move_layers(&mut self, old: &Layers, layers: &Layers) {
        let columns = [
            &mut self.position,
            &mut self.anchor,
            &mut self.target,
            &mut self.trail.position,
        ];
        for column in columns {
            for place in column.iter_mut() {
                *place = layers.moved(old, *place);
            }
        }
        for travel in &mut self.travel {
            for place in [&mut travel.from, &mut travel.to, &mut travel.end] {
                *place = layers.moved(old, *place);
            }
        }
    }
}

impl Context<'_> {
    /// Whether an agent wants to take a link in this step. `moved` holds its flags after steering.
    #[inline]
    pub(in crate::swarm) fn wants_link(&self, agent: &SortedAgent, moved: &StepResult) -> bool {
        if !self.world.has_links() || agent.state != AgentState::Following {
            return false;
        }
        let has_ended = self.settings.arrival != ArrivalAction::KeepGoing;
        if moved.flags & flag::ARRIVED != 0 && has_ended {
            return false;
        }
        let grid = self.world.grid();
        let cell = grid.clamped_cell_at(agent.position);
        let route = self.route_of(agent);
        if route.and_then(|route| route.link_from(cell)).is_none() {
            return false;
        }
        if agent.flags & flag::OWN_TARGET == 0 {
            return true;
        }
        let target = self.agents.target[agent.index as usize];
        let [from, to] = [agent.position, target].map(|at| grid.to_cell_space(at));
        let movement = self.types[usize::from(agent.kind)].movement;
        !self.world.costs(movement).has_line_of_sight(from, to)
    }
}
