//! Outlines: where the agents of a swarm are, for the agents of other swarms to keep out of.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::discs::{Disc, Discs};
use crate::world::GoalId;

/// Where the agents of a swarm are, for the agents of other swarms to keep out of ([`Swarm::step_among`]).
///
/// It holds what [`Swarm::outline`] has found and does not change with the swarm. Memory is kept when it is filled again.
#[derive(Debug, Default)]
pub struct Outline {
    pub(super) types: Vec<AgentType>,
    /// Whether its agents keep apart from any others.
    pub(super) keeps_apart: bool,
    /// By group.
    pub(super) goals: Vec<Option<GoalId>>,
    /// In the order of the agents.
    pub(super) found: Vec<Disc>,
    pub(super) regular: Discs,
    /// The few that are much larger than the rest, so that others need not be looked for as far away as those reach.
    pub(super) oversized: Discs,
}

impl Outline {
    pub(super) fn types(&self) -> &[AgentType] {
        &self.types
    }

    pub(super) fn keeps_apart(&self) -> bool {
        self.keeps_apart
    }

    /// The goal that an agent goes to with others; `None` if it has a target of its own or nowhere to go.
    #[inline]
    pub(super) fn goal_of(&self, disc: &Disc) -> Option<GoalId> {
        if disc.has_own_target {
            return None;
        }
        self.goals.get(usize::from(disc.group)).copied().flatten()
    }

    /// Its agents by size: the regular ones, and those much larger.
    pub(super) fn sizes(&self) -> [&Discs; 2] {
        [&self.regular, &self.oversized]
    }

    /// Whether there is no agent in it, as in the outline of a swarm without agents that the others keep out of.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.regular.sorted().is_empty() && self.oversized.sorted().is_empty()
    }

    /// Forgets all agents.
    pub fn clear(&mut self) {
        self.regular.clear();
        self.oversized.clear();
    }
}

/// The outlines of other swarms, for [`Swarm::step_among`](crate::swarm::Swarm::step_among): those before and after
/// the swarm that steps, in an order of all swarms that is the same for each of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Others<'a> {
    /// The outlines of the swarms before this one.
    pub before: &'a [&'a Outline],
    /// The outlines of the swarms after it.
    pub after: &'a [&'a Outline],
}

impl<'a> Others<'a> {
    /// How many there are.
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
