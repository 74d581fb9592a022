//! Settling: where a goal is taken, agents that touch the crowd around it have arrived.
//!
//! Only so many agents fit into a goal's cell. The others would push them about
//! for ever. So an agent also arrives where it touches one of its own group that
//! has, provided that it is no farther from the goal than a crowd as large as the
//! one that has arrived would reach. The crowd grows from the inside, and those
//! inside keep their places.
//!
//! Crowds are not round: they grow where most come from, and around walls. So
//! an agent that has touched the crowd and made no progress for a while has arrived,
//! however far from the goal.

use crate::swarm::AgentType;
use crate::swarm::limits::MAX_GROUPS;
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::agents::Agents;
use glam::Vec2;

/// How much of the ground a settled crowd covers: loosely packed discs.
const PACKED: f32 = 0.6;
/// How far apart, as a multiple of their radii's sum, two agents count as touching.
const TOUCHING: f32 = 1.15;
/// Pushes weaker than this fraction of the strongest do not move who has settled.
const FRICTION: f32 = 0.2;

/// Seconds without progress after which an agent is taken in wherever it meets the crowd.
const PATIENCE: f32 = 1.0;

/// An agent that may have met its crowd.
pub(in crate::swarm) struct Newcomer<'a> {
    pub(in crate::swarm) agent: &'a SortedAgent,
    /// How far it is from the goal, in world units.
    pub(in crate::swarm) way: f32,
    /// Seconds since it last got anywhere.
    pub(in crate::swarm) stalled: f32,
}

/// How far crowds reach around their goals, by group, in world units.
#[derive(Debug, Clone, Default)]
pub(in crate::swarm) struct Crowds {
    /// Empty if agents do not settle.
    reach: Vec<f32>,
}

impl Crowds {
    /// Says that agents do not settle.
    pub(in crate::swarm) fn clear(&mut self) {
        self.reach.clear();
    }

    /// Whether agents settle.
    pub(in crate::swarm) fn is_measured(&self) -> bool {
        !self.reach.is_empty()
    }

    /// Measures the crowds that have arrived. O(agents).
    pub(in crate::swarm) fn measure(&mut self, agents: &Agents, types: &[AgentType]) {
        self.reach.clear();
        self.reach.resize(MAX_GROUPS, 0.0);
        for ((&flags, &group), &kind) in agents.flags.iter().zip(&agents.group).zip(&agents.kind) {
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
    pub(in crate::swarm) fn is_around_goal(&self, group: u8) -> bool {
        self.reach
            .get(usize::from(group))
            .is_some_and(|&reach| reach > 0.0)
    }

    /// Whether an agent has met the crowd around its goal.
    pub(in crate::swarm) fn takes_in(
        &self,
        newcomer: &Newcomer<'_>,
        types: &[AgentType],
        buckets: &Buckets,
    ) -> bool {
        let agent = newcomer.agent;
        let Some(&reach) = self.reach.get(usize::from(agent.group)) else {
            return false;
        };
        let radius = types[usize::from(agent.kind)].radius;
        let is_near = newcomer.way <= reach + 4.0 * radius || newcomer.stalled >= PATIENCE;
        if reach <= 0.0 || !is_near {
            return false;
        }
        let corner = Vec2::splat(TOUCHING * (radius + buckets.largest_radius()));
        let mut rows = buckets.rows_between(agent.position - corner, agent.position + corner);
        rows.any(|row| {
            buckets.sorted()[row].iter().any(|other| {
                let touching = TOUCHING * (radius + types[usize::from(other.kind)].radius);
                other.group == agent.group
                    && other.flags & (flag::ARRIVED | flag::OWN_TARGET) == flag::ARRIVED
                    && other.position.distance_squared(agent.position) < touching * touching
            })
        })
    }

    /// What is left of a push for an agent that has arrived, whose type goes at most at `max_speed` there.
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
