//! Settling: agents that touch the crowd around an occupied goal have arrived.
//!
//! Few agents fit into a goal's cell, and the others would push them about for ever. So an agent also arrives where it
//! touches an arrived agent of its group, if it is no farther from the goal than a round crowd of all arrived agents
//! reaches. The crowd grows outwards, and agents inside keep their places.
//!
//! Real crowds are not round: they grow towards the side from which most agents come, and around walls. So an agent
//! that touches the crowd and has made no progress for a while has arrived at any distance from the goal.

use crate::swarm::AgentType;
use crate::swarm::limits::MAX_GROUPS;
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::agents::Agents;
use glam::Vec2;

/// The share of the ground that a settled crowd of loosely packed discs covers.
const PACKED: f32 = 0.6;
/// The distance at which two agents count as touching, as a multiple of the sum of their radii.
const TOUCHING: f32 = 1.15;
/// Pushes weaker than this fraction of the strongest push do not move settled agents.
const FRICTION: f32 = 0.2;

/// The time without progress, in seconds, after which an agent that touches the crowd has arrived at any distance.
const STALLED_SECONDS: f32 = 1.0;

/// An agent that may touch the crowd around its goal.
pub(in crate::swarm) struct Newcomer<'a> {
    pub(in crate::swarm) agent: &'a SortedAgent,
    /// The remaining distance to the goal, in world units.
    pub(in crate::swarm) remaining: f32,
    /// The time without progress, in seconds.
    pub(in crate::swarm) stalled: f32,
}

/// The radii of the crowds around the goals of groups and orders, in world units.
#[derive(Debug, Clone, Default)]
pub(in crate::swarm) struct Crowds {
    /// Empty if agents do not settle.
    reach: Vec<f32>,
}

impl Crowds {
    /// Makes agents not settle in this step.
    pub(in crate::swarm) fn clear(&mut self) {
        self.reach.clear();
    }

    /// Whether agents settle.
    pub(in crate::swarm) fn is_measured(&self) -> bool {
        !self.reach.is_empty()
    }

    /// Measures the crowds that have arrived. O(agents).
    pub(in crate::swarm) fn measure(
        &mut self,
        agents: &Agents,
        types: &[AgentType],
        groups: usize,
    ) {
        self.reach.clear();
        self.reach.resize(groups.max(MAX_GROUPS), 0.0);
        let agents = agents
            .flags
            .iter()
            .zip(&agents.goal_group)
            .zip(&agents.kind);
        for ((&flags, &group), &kind) in agents {
            if flags & (flag::ARRIVED | flag::OWN_TARGET) == flag::ARRIVED {
                let radius = types[usize::from(kind)].radius;
                self.reach[usize::from(group)] += radius * radius / PACKED;
            }
        }
        for reach in &mut self.reach {
            *reach = reach.sqrt();
        }
    }

    /// Whether a crowd has settled around a group's goal.
    pub(in crate::swarm) fn is_around_goal(&self, group: u16) -> bool {
        self.reach
            .get(usize::from(group))
            .is_some_and(|&reach| reach > 0.0)
    }

    /// Whether an agent arrives by touching the crowd around its goal.
    pub(in crate::swarm) fn takes_in(
        &self,
        newcomer: &Newcomer<'_>,
        types: &[AgentType],
        buckets: &Buckets,
    ) -> bool {
        let agent = newcomer.agent;
        let Some(&reach) = self.reach.get(usize::from(agent.goal_group)) else {
            return false;
        };
        let radius = types[usize::from(agent.kind)].radius;
        let is_near =
            newcomer.remaining <= reach + 4.0 * radius || newcomer.stalled >= STALLED_SECONDS;
        if reach <= 0.0 || !is_near {
            return false;
        }
        let corner = Vec2::splat(TOUCHING * (radius + buckets.largest_radius()));
        let mut rows = buckets.rows_between(agent.position - corner, agent.position + corner);
        rows.any(|row| {
            buckets.sorted()[row].iter().any(|other| {
                let touching = TOUCHING * (radius + types[usize::from(other.kind)].radius);
                other.goal_group == agent.goal_group
                    && other.flags & (flag::ARRIVED | flag::OWN_TARGET) == flag::ARRIVED
                    && other.position.distance_squared(agent.position) < touching * touching
            })
        })
    }

    /// The part of a push that moves an arrived agent. `max_speed` is its type's maximum speed on its terrain.
    pub(in crate::swarm) fn push_after_friction(
        &self,
        kind: &AgentType,
        max_speed: f32,
        push: Vec2,
    ) -> Vec2 {
        let least = FRICTION * kind.separation_weight * max_speed;
        if !self.is_measured() || push.length_squared() > least * least {
            push
        } else {
            Vec2::ZERO
        }
    }
}
