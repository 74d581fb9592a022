//! The memory of the solver.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::band::Band;
use crate::swarm::avoidance::contact::body::Bodies;
use crate::swarm::avoidance::contact::body::BodyRows;
use crate::swarm::avoidance::contact::matrix::{CollisionMatrix, Moves};
use crate::swarm::avoidance::contact::pair::Pair;
use glam::Vec2;

/// Scratch memory of the solver. Between steps only its capacity is kept.
#[derive(Debug, Default)]
pub(in crate::swarm) struct Contacts {
    pub(super) agents: Bodies,
    pub(super) bands: Vec<Band>,
    /// How many of the `bands` are in use in this step.
    pub(super) band_count: usize,
    /// Special agents, which are solved apart from the bands ([`special`](super::special)), and their pairs.
    pub(super) special: Vec<u32>,
    pub(super) special_pairs: Vec<Pair>,
    pub(super) matrix: CollisionMatrix,
    /// For each outline of another swarm, an entry for each of this swarm's types.
    pub(super) other_moves: Vec<Moves>,
    /// Whether any agent of this swarm keeps out of any agent of the outlines.
    pub(super) has_others: bool,
}

impl Contacts {
    /// Makes room for the bodies of `count` agents, which steering fills in; none if no type uses contacts.
    pub(in crate::swarm) fn make_room(
        &mut self,
        types: &[AgentType],
        count: usize,
    ) -> BodyRows<'_> {
        let uses = types.iter().any(AgentType::uses_contacts);
        self.agents.resize(if uses { count } else { 0 });
        self.agents.rows()
    }

    /// Takes an agent out that steering has filled in.
    pub(in crate::swarm) fn take_out(&mut self, place: usize) {
        if let Some(body) = self.agents.bodies.get_mut(place) {
            body.is_special = false;
            self.agents.positions[place] = Vec2::NAN;
        }
    }
}
