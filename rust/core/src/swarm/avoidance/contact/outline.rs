//! Outlines: the positions of a swarm's agents, as other swarms see them.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::discs::{Disc, Discs};
use crate::world::GoalId;

/// The positions of a swarm's agents, for the agents of other swarms to keep out of
/// ([`Swarm::step_among`](crate::swarm::Swarm::step_among)).
///
/// [`Swarm::outline`](crate::swarm::Swarm::outline) fills it. It does not change with the swarm. Filling it again
/// reuses its memory.
#[derive(Debug, Default)]
pub struct Outline {
    pub(super) types: Vec<AgentType>,
    /// Whether the swarm's agents keep apart ([`Settings::separation`](crate::swarm::Settings::separation)).
    pub(super) keeps_apart: bool,
    /// The goal of each group and order.
    pub(super) goals: Vec<Option<GoalId>>,
    /// A disc for each agent, in the order of the agents' columns.
    pub(super) found: Vec<Disc>,
    pub(super) regular: Discs,
    /// Agents that are much larger than the others. They are kept apart so that the search distance for regular agents
    /// stays short.
    pub(super) oversized: Discs,
}

impl Outline {
    pub(super) fn types(&self) -> &[AgentType] {
        &self.types
    }

    pub(super) fn keeps_apart(&self) -> bool {
        self.keeps_apart
    }

    /// The goal that an agent follows; `None` if it has a target of its own or no goal.
    #[inline]
    pub(super) fn goal_of(&self, disc: &Disc) -> Option<GoalId> {
        if disc.has_own_target {
            return None;
        }
        self.goals
            .get(usize::from(disc.goal_group))
            .copied()
            .flatten()
    }

    /// The agents by size class: regular, then oversized.
    pub(super) fn sizes(&self) -> [&Discs; 2] {
        [&self.regular, &self.oversized]
    }

    /// Whether it holds no agents, such as the outline of a swarm whose agents no other swarm keeps out of.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.regular.sorted().is_empty() && self.oversized.sorted().is_empty()
    }

    /// Removes all agents.
    pub fn clear(&mut self) {
        self.regular.clear();
        self.oversized.clear();
    }
}

/// The outlines of other swarms, for [`Swarm::step_among`](crate::swarm::Swarm::step_among). The caller orders all
/// swarms once, the same for each of them; the outlines are split at the swarm that steps.
#[derive(Debug, Clone, Copy, Default)]
pub struct Others<'a> {
    /// The outlines of the swarms before this one.
    pub before: &'a [&'a Outline],
    /// The outlines of the swarms after it.
    pub after: &'a [&'a Outline],
}

impl<'a> Others<'a> {
    /// The number of outlines.
    pub(super) fn len(self) -> usize {
        self.before.len() + self.after.len()
    }

    pub(super) fn get(self, number: usize) -> &'a Outline {
        match number.checked_sub(self.before.len()) {
            None => self.before[number],
            Some(number) => self.after[number],
        }
    }
}
