//! The list of all columns of agents, and the operations on every column.
//!
//! The pattern names every field, so a new column does not compile until it is in the list. Removing and reordering
//! agents then include it. Inserting, saving, loading and committing agents name all fields in the same way.

use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::draw::palette::Rgba;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::agents::Agents;
use crate::swarm::state::factors::Factors;
use crate::swarm::state::link_travel::LinkTravel;
use crate::swarm::state::trail::Trail;
use crate::swarm::state::user_columns::UserColumns;
use glam::Vec2;

/// The entry of an agent in a column.
pub(in crate::swarm) trait Entry: Copy + Send + Sync + 'static {
    /// The spare column of this type.
    fn spare(spares: &mut Spares) -> &mut Vec<Self>;
}

/// A spare column of each type. Reordering writes it while it reads a column, and then swaps the two.
#[derive(Debug, Default)]
pub(in crate::swarm) struct Spares {
    id: Vec<AgentId>,
    key: Vec<u64>,
    vector: Vec<Vec2>,
    number: Vec<f32>,
    integer: Vec<i32>,
    byte: Vec<u8>,
    short: Vec<u16>,
    state: Vec<AgentState>,
    contact: Vec<ContactState>,
    color: Vec<Rgba>,
    travel: Vec<LinkTravel>,
}

macro_rules! entries {
    ($($entry:ty => $spare:ident),*) => {
        $(impl Entry for $entry {
            fn spare(spares: &mut Spares) -> &mut Vec<Self> {
                &mut spares.$spare
            }
        })*
    };
}

entries!(AgentId => id, u64 => key, Vec2 => vector, f32 => number, i32 => integer, u8 => byte, u16 => short, AgentState => state, ContactState => contact, Rgba => color, LinkTravel => travel);

/// An operation on every column.
pub(in crate::swarm) trait Visitor {
    /// Visits a column. It is as long as all others, or empty if it is not in use.
    fn visit<T: Entry>(&mut self, column: &mut Vec<T>);
}

impl Agents {
    pub(in crate::swarm) fn visit_columns(&mut self, visitor: &mut impl Visitor) {
        let Self {
            slots: _,
            free: _,
            issued: _,
            id,
            key,
            position,
            velocity,
            heading,
            scripted,
            target,
            anchor,
            stalled,
            contact,
            kind,
            group,
            goal_group,
            state,
            flags,
            user: UserColumns { ints, floats },
            factors: Factors { speed, size, color },
            travel,
            trail:
                Trail {
                    position: old_position,
                    heading: old_heading,
                    phase,
                },
        } = self;
        visitor.visit(id);
        visitor.visit(key);
        for column in [position, velocity, heading, scripted, target, anchor] {
            visitor.visit(column);
        }
        visitor.visit(stalled);
        visitor.visit(contact);
        for column in [kind, group, flags] {
            visitor.visit(column);
        }
        visitor.visit(state);
        visitor.visit(goal_group);
        ints.iter_mut().for_each(|column| visitor.visit(column));
        floats.iter_mut().for_each(|column| visitor.visit(column));
        for column in [speed, size] {
            visitor.visit(column);
        }
        visitor.visit(color);
        visitor.visit(travel);
        for column in [old_position, old_heading] {
            visitor.visit(column);
        }
        visitor.visit(phase);
    }
}

/// Removes the entries of an agent. The last agent takes its index.
pub(in crate::swarm) struct Remove(pub(in crate::swarm) usize);

impl Visitor for Remove {
    fn visit<T: Entry>(&mut self, column: &mut Vec<T>) {
        if !column.is_empty() {
            column.swap_remove(self.0);
        }
    }
}
