//! Following the field of a group's goal.

use crate::swarm::goal::brakes::NEAR;
use crate::swarm::goal::settling::Newcomer;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use crate::swarm::{AgentType, ArrivalAction};
use crate::world::{FlowSource, FlowWorld, Route};
use glam::Vec2;

impl Swarm {
    /// Restarts the agents of each group whose goal has new targets since the last step, so that arrived agents follow
    /// it again.
    pub(in crate::swarm) fn detect_goal_changes(&mut self, world: &FlowWorld) {
        for group in 0..self.groups.len() {
            let entry = self.groups.entry(group);
            let signature = entry.goal.and_then(|goal| world.goal_signature(goal));
            let seen = std::mem::replace(&mut entry.seen, signature);
            if seen.is_some() && seen != signature {
                // Agents without a route do not become lost once more whenever a goal walks on.
                self.agents.restart_group(group as u16, flag::LOST);
            }
        }
    }
}

impl Context<'_> {
    /// The route of an agent to the goal that it follows.
    #[inline]
    pub(in crate::swarm) fn route_of(&self, agent: &SortedAgent) -> Option<&Route> {
        let route = usize::from(agent.goal_group) * self.types.len() + usize::from(agent.kind);
        self.routes.get(route)?.as_ref()
    }

    /// The velocity that the flow field gives an agent whose own speed is `speed`. Updates the agent's flags in
    /// `moved`.
    pub(in crate::swarm) fn follow(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        speed: f32,
        moved: &mut StepResult,
    ) -> Vec2 {
        let route = self.route_of(agent);
        if agent.flags & flag::OWN_TARGET != 0
            && let Some(wanted) = self.follow_own_target(agent, kind, speed, route.is_some(), moved)
        {
            return wanted;
        }
        match route {
            Some(route @ Route::Whole { field, .. }) => {
                self.follow_by((route, &**field), agent, kind, speed, moved)
            }
            Some(route @ Route::Tiled(tiled)) => {
                self.follow_by((route, tiled), agent, kind, speed, moved)
            }
            Some(route @ Route::Straight(line)) => {
                self.follow_by((route, line), agent, kind, speed, moved)
            }
            // No goal, or its first field is still being built.
            None => Vec2::ZERO,
        }
    }

    #[inline]
    fn follow_by(
        &self,
        (route, flow): (&Route, &impl FlowSource),
        agent: &SortedAgent,
        kind: &AgentType,
        speed: f32,
        moved: &mut StepResult,
    ) -> Vec2 {
        let grid = self.world.grid();
        let cell = grid.clamped_cell_at(agent.position);
        let point = grid.to_cell_space(agent.position);
        let at_goal = flow.is_goal(cell);
        let radius = self.settings.arrival_radius / grid.cell_size();
        if flow.is_region() {
            moved.flags &= !flag::ARRIVED;
        }
        if at_goal || radius > 0.0 && flow.distance_to_target(point) <= radius {
            moved.flags |= flag::ARRIVED;
        }
        let settles = self.crowds.is_measured() && !flow.is_region();
        if moved.flags & flag::ARRIVED == 0 && settles {
            // Crowd penalties may have raised the cost of the ground under the crowd itself, so the straight distance
            // counts.
            let remaining = if self.world.minds_crowds() {
                flow.distance_to_target(point)
            } else {
                flow.remaining_cost(cell)
            };
            let newcomer = Newcomer {
                agent,
                remaining: remaining * grid.cell_size(),
                stalled: self.agents.stalled[agent.index as usize],
            };
            if self.crowds.takes_in(&newcomer, self.types, self.buckets) {
                moved.flags |= flag::ARRIVED;
            }
        }
        if moved.flags & flag::ARRIVED != 0 && self.settings.arrival != ArrivalAction::KeepGoing {
            return Vec2::ZERO;
        }
        if at_goal && let Some(target) = flow.target_in(cell) {
            let left = grid.to_world(target) - agent.position;
            return self.towards(left, agent, kind, speed);
        }
        let ahead = self.target_ahead(flow, agent, point);
        if let Some(left) = ahead
            && self.is_before(left, (agent, kind), point, speed)
        {
            moved.under_way = true;
            moved.is_near_target = true;
            return self.towards(left, agent, kind, speed);
        }
        let speed = ahead.map_or(speed, |left| {
            moved.is_near_target = left.length_squared() <= (NEAR * kind.radius).powi(2);
            // An agent that is about to meet the crowd around its goal stops at the crowd, not on the target.
            if self.crowds.is_around_goal(agent.goal_group) {
                speed
            } else {
                speed.min(self.speed_before(left, agent, kind))
            }
        });
        // An agent without a route waits for the next search where it is. Otherwise it would set out, and become lost
        // once more, after each edit.
        let is_lost = agent.flags & flag::LOST != 0;
        if is_lost && route.is_guess(cell) {
            moved.flags |= flag::LOST;
            return Vec2::ZERO;
        }
        let direction = flow.sample_in(cell, point, kind.radius / grid.cell_size());
        let direction = self.round_corners(flow, agent, kind, (cell, speed), direction);
        if direction != Vec2::ZERO {
            moved.under_way = true;
        } else if flow.link_from(cell).is_some() {
            // An agent that may not take its link yet waits in the middle of the link's first cell.
            moved.under_way = true;
            let left = grid.center_of(cell) - agent.position;
            return self.towards(left, agent, kind, speed);
        } else if !at_goal && (is_lost || !route.is_waiting(cell)) {
            moved.flags |= flag::LOST;
        }
        if kind.lateral_bias > 0.0 || kind.cohesion > 0.0 {
            let (direction, pace) = self.lean(flow, agent, kind, point, direction);
            return direction * (speed * pace);
        }
        direction * speed
    }
}
