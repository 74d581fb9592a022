//! How a jammed agent steps back, so that others can pass or it can try again.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::avoidance::contact::steer::{AT_ONCE, HURRY};
use crate::swarm::constraints::walls;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::step::context::Context;
use glam::Vec2;

/// The share of its speed at which an agent steps back, except beside a wall.
const SPEED: f32 = 0.5;
/// The greatest distance from an agent's rim to a wall beside it, in radii.
const BESIDE: f32 = 0.1;
/// A wall is in the way if an agent gets less far in that direction than this, in radii.
const ROOM: f32 = 0.5;

impl Context<'_> {
    /// The velocity of an agent that steps back from the direction and speed that it wants, and the factor of its
    /// acceleration.
    ///
    /// Beside a wall it does so at its full speed, reached in one step. In narrow ways, where another way branches off,
    /// two columns that come from both sides wedge each other between the ends of a straight piece, and neither head
    /// fits into the branch: it is too far to one side by less than a radius.
    pub(super) fn step_back(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        (ahead, speed): (Vec2, f32),
    ) -> (Vec2, f32) {
        if self.is_beside_wall(agent, kind) {
            (self.way_back(agent, kind, ahead) * speed, AT_ONCE)
        } else {
            (ahead * (-SPEED * speed), HURRY)
        }
    }

    /// Whether walls and the agents behind it hold a jammed agent, as no agent is before it. Before a door that is too
    /// small for it an agent is not wedged, and stands. Agents with targets of their own go straight, and stay where a
    /// wall stops them.
    #[inline(never)]
    pub(super) fn is_wedged(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        state: ContactState,
    ) -> bool {
        !state.is_blocked()
            && agent.flags & flag::OWN_TARGET == 0
            && self.is_beside_wall(agent, kind)
            && self.fits_ahead(agent, kind)
    }

    /// Whether an agent fits through the walls where its way goes on.
    fn fits_ahead(&self, agent: &SortedAgent, kind: &AgentType) -> bool {
        let grid = self.world.grid();
        let cell = grid.clamped_cell_at(agent.position);
        let next = self.route_of(agent).and_then(|route| route.next_cell(cell));
        let costs = self.world.costs(kind.movement);
        let radius = kind.radius / grid.cell_size();
        next.is_some_and(|next| walls::is_clear(costs, next.as_vec2() + 0.5, radius))
    }

    /// Whether a wall touches an agent, or hardly misses it.
    fn is_beside_wall(&self, agent: &SortedAgent, kind: &AgentType) -> bool {
        self.room_around(agent.position, kind) < BESIDE * kind.radius
    }

    /// The direction back: straight, or to the side from which the agent's way comes if a wall is behind it.
    fn way_back(&self, agent: &SortedAgent, kind: &AgentType, ahead: Vec2) -> Vec2 {
        if !self.meets_wall(agent, kind, -ahead) {
            return -ahead;
        }
        let here = self.remaining(agent, agent.position);
        let leads_back = |side: &Vec2| {
            let place = agent.position + *side * (2.0 * kind.radius);
            !self.meets_wall(agent, kind, *side) && self.remaining(agent, place) > here
        };
        let sides = [ahead.perp(), -ahead.perp()];
        sides.into_iter().find(leads_back).unwrap_or(-ahead)
    }

    fn meets_wall(&self, agent: &SortedAgent, kind: &AgentType, direction: Vec2) -> bool {
        let wanted = direction * kind.radius;
        let end = self.end_of(agent.position, wanted, kind);
        (end - agent.position).dot(direction) < ROOM * kind.radius
    }
}
