//! Links that take time: agents on them go straight from where they took the link to where they land.
//!
//! An agent that takes such a link is in [`AgentState::Travelling`] until it lands, and then follows again. In flat
//! coordinates its place is on the straight line between both ends, on the first layer for the first half of the time
//! and on the last layer from then on, so that queries by place find it. The travel is called off where the link is
//! removed or its last cell becomes a wall: the agent is then back where it took the link, if that is on the map.

use crate::grid::layers::Layers;
use crate::grid::travel::LINK_SECONDS;
use crate::swarm::AgentType;
use crate::swarm::goal::pace::pace;
use crate::swarm::limits::MAX_SPEED;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::agents::Agents;
use crate::swarm::state::link_travel::LinkTravel;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::{OnLink, StepResult};
use crate::world::FlowWorld;
use glam::Vec2;

/// The rate at which agents turn to the direction of a link, per second. They turn however slow they are.
const TURN_RATE: f32 = 12.0;

impl Swarm {
    /// Whether agents may be on links in a step.
    pub(in crate::swarm) fn uses_links(&self, world: &FlowWorld) -> bool {
        world.has_links() || !self.agents.travel.is_empty()
    }

    /// Makes room for travels if links take time. Later steps then need not allocate.
    pub(in crate::swarm) fn make_room_for_travels(&mut self, world: &FlowWorld) {
        let agents = &mut self.agents;
        if world.has_travels() && agents.travel.len() < agents.id.len() {
            agents.travel.resize(agents.id.len(), LinkTravel::default());
        }
    }

    /// Advances the travels of the agents that were on links in this step, and ends those of agents that have landed or
    /// whose link is gone. Agents that were put at another place at once are drawn there.
    pub(in crate::swarm) fn advance_travels(&mut self, world: &FlowWorld, dt: f32) {
        let layers = world.grid().layers();
        let steps = (self.tick + 1) as u32;
        for place in self.scratch.link_users.places() {
            let (agent, moved) = (&self.buckets.sorted()[place], &self.scratch.moved[place]);
            let index = agent.index as usize;
            match moved.link {
                OnLink::No | OnLink::Wants => {}
                OnLink::Jumps => {
                    self.agents.end_travel(index);
                    self.agents.trail.jump(index, moved.position);
                }
                OnLink::Travels => {
                    let kind = &self.types[usize::from(agent.kind)];
                    self.agents.advance_travel(index, kind, layers, (dt, steps));
                }
            }
        }
    }
}

impl Context<'_> {
    /// Moves an agent that is on a link, or puts it back where it took the link if that does not lead to its end any
    /// more.
    pub(in crate::swarm) fn go_on(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        moved: &mut StepResult,
    ) {
        let travel = &self.agents.travel[agent.index as usize];
        let grid = self.world.grid();
        let [first, last] = [travel.from, travel.end].map(|place| grid.clamped_cell_at(place));
        if self.world.leads(first, last, kind.movement) {
            moved.link = OnLink::Travels;
            self.put_on_link(travel, moved);
        } else {
            moved.link = OnLink::Jumps;
            // On a changed grid, the place where it took the link may be out of the map. It then stays where it is.
            let is_on_map = grid.contains(grid.cell_at(travel.from));
            moved.position = if is_on_map {
                travel.from
            } else {
                agent.position
            };
        }
    }

    /// Moves an agent's result to where the agent is on a link after this step.
    pub(in crate::swarm) fn put_on_link(&self, travel: &LinkTravel, moved: &mut StepResult) {
        let layers = self.world.grid().layers();
        moved.position = travel.place(layers, travel.after(self.dt));
        moved.velocity = (travel.displacement(layers) / travel.whole).clamp_length_max(MAX_SPEED);
    }

    /// The time that an agent needs to walk from one end to the other, in whole steps, so that it does not stand at the
    /// end for the rest of a step.
    pub(in crate::swarm) fn walking_seconds(
        &self,
        agent: &SortedAgent,
        travel: &LinkTravel,
    ) -> f32 {
        let kind = &self.types[usize::from(agent.kind)];
        let own = pace(kind, self.seed, self.agents.key[agent.index as usize]);
        let speed = self.max_speed(agent, kind) * own;
        let distance = travel.displacement(self.world.grid().layers()).length();
        let steps = (distance / (speed * self.dt)).ceil().max(1.0);
        // Infinite without speed.
        (steps * self.dt).clamp(LINK_SECONDS.0, LINK_SECONDS.1)
    }
}

impl Agents {
    /// Ends the travel of an agent, if there is one, and returns where it started.
    pub(in crate::swarm) fn end_travel(&mut self, index: usize) -> Option<Vec2> {
        let travel = std::mem::take(self.travel.get_mut(index)?);
        if self.state[index] != AgentState::Travelling {
            return None;
        }
        self.state[index] = AgentState::Following;
        Some(travel.from)
    }

    /// Notes that an agent went on on a link for a step of `dt` seconds, after which there have been `steps` steps.
    fn advance_travel(
        &mut self,
        index: usize,
        kind: &AgentType,
        layers: &Layers,
        (dt, steps): (f32, u32),
    ) {
        let travel = &mut self.travel[index];
        travel.before = travel.done;
        travel.done = travel.after(dt);
        travel.tick = steps;
        let direction = travel.displacement(layers).normalize_or_zero();
        if travel.done < travel.whole {
            self.state[index] = AgentState::Travelling;
        } else {
            self.state[index] = AgentState::Following;
            let most = kind.max_speed * self.factors.speed_of(index);
            self.velocity[index] = self.velocity[index].clamp_length_max(most);
        }
        if direction != Vec2::ZERO {
            let share = (TURN_RATE * dt).min(1.0);
            let heading = &mut self.heading[index];
            *heading = heading.lerp(direction, share).normalize_or(direction);
        }
        self.trail.follow_to(index, layers, self.position[index]);
    }
}
