//! The memory of the solver.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::band::Band;
use crate::swarm::avoidance::contact::body::Bodies;
use crate::swarm::avoidance::contact::body::BodyRows;
use crate::swarm::avoidance::contact::matrix::{CollisionMatrix, Moves};
use crate::swarm::avoidance::contact::pair::Pair;

/// Memory of the solver, which holds nothing between steps but capacity.
#[derive(Debug, Default)]
pub(in crate::swarm) struct Contacts {
    pub(super) agents: Bodies,
    pub(super) bands: Vec<Band>,
    /// How many of the bands there are in this step.
    pub(super) band_count: usize,
    /// Agents that bands have no place for, and their pairs.
    pub(super) special: Vec<u32>,
    pub(super) special_pairs: Vec<Pair>,
    pub(super) matrix: CollisionMatrix,
    /// For each outline of another swarm and each own type, in this order.
    pub(super) other_moves: Vec<Moves>,
    /// Whether there is anything in outlines that agents keep out of.
    pub(super) has_others: bool,
}

impl Contacts {
    /// Room for what steering finds out about so many agents; none if no type uses contacts.
    pub(in crate::swarm) fn make_room(
        &mut self,
        types: &[AgentType],
        count: usize,
    ) -> BodyRows<'_> {
        let uses = types.iter().any(AgentType::uses_contacts);
        self.agents.resize(if uses { count } else { 0 });
        self.agents.rows()
    }
}
