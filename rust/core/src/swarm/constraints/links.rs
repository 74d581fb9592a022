//! Agents on layers: which links agents take and where they land, and layers that move.

use crate::error::{Result, in_range};
use crate::grid::layers::{LAYER_GAP, Layers};
use crate::grid::travel::Travel;
use crate::random;
use crate::swarm::constraints::walls;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::Agents;
use crate::swarm::state::layer_view::LayerView;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::{OnLink, StepResult};
use crate::swarm::{AgentType, ArrivalAction, Avoidance};
use crate::world::FlowWorld;
use glam::{IVec2, Vec2};

/// The purpose of the numbers that say where in a link's last cell an agent lands.
const LANDING: u64 = 0x4C41_4E44;

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
    /// layer move to the last one.
    pub(in crate::swarm) fn sync_layers(&mut self, world: &FlowWorld) {
        if self.is_elsewhere(world) {
            self.agents.move_layers(&self.layers, world.grid().layers());
            self.buckets.invalidate();
        }
        self.layers = *world.grid().layers();
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
    /// The end of the link that an agent takes in this step, if any. `moved` holds its flags after steering.
    #[inline]
    pub(in crate::swarm) fn link_taken(
        &self,
        agent: &SortedAgent,
        moved: &StepResult,
    ) -> Option<IVec2> {
        if !self.world.has_links() || agent.state != AgentState::Following {
            return None;
        }
        let has_ended = self.settings.arrival != ArrivalAction::KeepGoing;
        if moved.flags & flag::ARRIVED != 0 && has_ended {
            return None;
        }
        let grid = self.world.grid();
        let route = self.route_of(agent)?;
        let end = route.link_from(grid.clamped_cell_at(agent.position))?;
        if agent.flags & flag::OWN_TARGET != 0 {
            let target = self.agents.target[agent.index as usize];
            let [from, to] = [agent.position, target].map(|at| grid.to_cell_space(at));
            let movement = self.types[usize::from(agent.kind)].movement;
            if self.world.costs(movement).has_line_of_sight(from, to) {
                return None;
            }
        }
        Some(end)
    }

    /// Has an agent take the link to the cell `end`: its result is at the place where it lands, and says whether it is
    /// there at once. Returns false and leaves the agent where it is if walls leave no room for it there, as with any gap
    /// that is too narrow for it.
    pub(in crate::swarm) fn land(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        end: IVec2,
        moved: &mut StepResult,
    ) -> bool {
        let grid = self.world.grid();
        let point = grid.to_cell_space(agent.position);
        let first = grid.clamped_cell_at(agent.position);
        let travel = self.world.travel_between(first, end);
        let inset = (kind.radius / grid.cell_size()).min(0.5);
        let mut landing = match travel {
            Travel::Walk => self.nearest_in(end, inset, agent.position),
            Travel::AtOnce | Travel::Timed { .. } => self.random_in(end, inset, agent),
        };
        if self.settings.wall_correction {
            let costs = self.world.costs(kind.movement);
            let radius = kind.radius / grid.cell_size();
            landing = walls::slide(costs, landing, Vec2::ZERO, radius).unwrap_or(landing);
            if !walls::fits(costs, point, landing, radius) {
                return false;
            }
        }
        moved.position = grid.to_world(landing);
        moved.velocity = agent.velocity;
        moved.flags &= !flag::LOST;
        // An agent on a link is not stuck, however long it is there.
        moved.under_way = travel == Travel::AtOnce;
        moved.link = match travel {
            Travel::AtOnce => OnLink::Jumps,
            Travel::Walk | Travel::Timed { .. } => OnLink::Travels,
        };
        true
    }

    /// A random point of a cell, in cells, clear of the cell's edges. Agents that all land on one line would no longer get
    /// past each other.
    fn random_in(&self, cell: IVec2, inset: f32, agent: &SortedAgent) -> Vec2 {
        let key = random::keyed(self.seed, self.agents.key[agent.index as usize], self.tick);
        let drawn = |axis: u64| random::unit(random::keyed(key, LANDING, axis));
        let offset = inset + Vec2::new(drawn(0), drawn(1)) * (1.0 - 2.0 * inset);
        cell.as_vec2() + offset
    }

    /// The point of a cell, in cells and clear of the cell's edges, that is nearest to a place if both were on one layer.
    /// Agents that walk side by side then land side by side.
    fn nearest_in(&self, cell: IVec2, inset: f32, place: Vec2) -> Vec2 {
        let grid = self.world.grid();
        let layers = grid.layers();
        let layer = layers.at(grid.center_of(cell));
        let point = grid.to_cell_space(layers.place(layers.flat(place), layer));
        let corner = cell.as_vec2();
        point.clamp(corner + inset, corner + (1.0 - inset))
    }
}
