//! Contacts: agents are discs that do not sink into each other, position-based dynamics after Müller, Heidelberger,
//! Hennix and Ratcliff (Position based dynamics, 2007) and Weiss, Litteneker, Jiang and Terzopoulos (Position-based
//! multi-agent dynamics, 2017).
//!
//! Steering moves each agent as if it were alone. A few Gauss-Seidel passes then push overlapping discs apart, and out
//! of walls. Three rules keep dense crowds calm ([`solve`], [`leaders`]):
//!
//! - Front priority: an agent behind another one yields more, so that no pressure builds up in a queue.
//! - Agents follow leaders: an agent wants no more speed than the one ahead of it leaves room for.
//! - Where streams meet, agents push on: contact with an agent that goes elsewhere raises a flag, which lifts that
//!   limit, and those behind inherit it.
//!
//! Other swarms are seen as they were before the step ([`outline`]), and each agent leaves its share ([`others`]).
//!
//! Agents that take part are sorted as all others are ([`Buckets`](crate::swarm::neighbours::buckets::Buckets)).
//! Bands of rows of buckets are solved at once: first the even ones, then the odd ones, each with the first row of the
//! next, so that no two that run at once touch the same agents, and the result does not depend on threads ([`sweep`]).

mod bands;
mod body;
mod discs;
mod leaders;
mod matrix;
mod near_walls;
mod others;
mod outline;
mod pair;
mod solve;
mod special;
mod state;
mod steer;
mod streams;
mod sweep;
mod write_back;

pub(in crate::swarm) use body::BodyRows;
pub use others::Others;
pub use outline::Outline;
pub(in crate::swarm) use state::ContactState;
pub(in crate::swarm) use streams::Streams;

use crate::swarm::{AgentType, Avoidance, Swarm};
use crate::world::FlowWorld;
use bands::Band;
use body::Bodies;
use matrix::CollisionMatrix;
use others::Moves;
use pair::Pair;

/// How far beyond touching pairs are looked for, in radii: they may come to touch while others are pushed apart.
const SKIN: f32 = 0.3;
/// How often all pairs are solved in steps of 1/60 s or shorter, how much more often for each 1/60 s more, and at most; and
/// how much more often where radii differ by more than a factor, as small agents between large ones wait for those to part.
const PASSES: usize = 6;
const PASSES_OF_LONG_STEPS: usize = 2;
const MOST_PASSES: usize = 16;
const PASSES_OF_MIXED_RADII: usize = 8;
const MIXED: f32 = 1.5;

/// Memory of the solver, which holds nothing between steps but capacity.
#[derive(Debug, Default)]
pub(in crate::swarm) struct Contacts {
    agents: Bodies,
    bands: Vec<Band>,
    /// How many of the bands there are in this step.
    band_count: usize,
    /// Agents that bands have no place for, and their pairs.
    special: Vec<u32>,
    special_pairs: Vec<Pair>,
    matrix: CollisionMatrix,
    /// For each outline of another swarm and each own type, in this order.
    other_moves: Vec<Moves>,
    /// Whether there is anything in outlines that agents keep out of.
    has_others: bool,
}

impl Contacts {
    /// Room for what steering finds out about so many agents; none if no type uses contacts.
    pub(in crate::swarm) fn make_room(
        &mut self,
        types: &[AgentType],
        count: usize,
    ) -> BodyRows<'_> {
        let uses = types.iter().any(uses_contacts);
        self.agents.resize(if uses { count } else { 0 });
        self.agents.rows()
    }
}

/// Whether agents of a type are kept apart by contacts.
pub(in crate::swarm) fn uses_contacts(kind: &AgentType) -> bool {
    kind.avoidance == Avoidance::Contact
}

/// How wide buckets have to be for agents of some types and steps of `dt` seconds, so that all that may touch an
/// agent after steering are in the buckets beside it; 0 where no type uses contacts.
pub(in crate::swarm) fn bucket_width<'a>(
    types: impl Iterator<Item = &'a AgentType> + Clone,
    dt: f32,
) -> f32 {
    if !types.clone().any(uses_contacts) {
        return 0.0;
    }
    let largest = types.clone().map(|kind| kind.radius).fold(0.0, f32::max);
    // A little more for rounding.
    1.001 * ((2.0 + SKIN) * largest + 2.0 * longest_stride(types, largest, dt))
}

/// How often all pairs are solved in a step of `dt` seconds.
fn passes(types: &[AgentType], dt: f32) -> usize {
    let longer = (dt * 60.0).round().max(1.0) as usize - 1;
    let passes = (PASSES + PASSES_OF_LONG_STEPS * longer).min(MOST_PASSES);
    let radii = types.iter().map(|kind| kind.radius);
    let (least, most) = (
        radii.clone().fold(f32::INFINITY, f32::min),
        radii.fold(0.0, f32::max),
    );
    let more = if most > MIXED * least {
        PASSES_OF_MIXED_RADII
    } else {
        0
    };
    passes + more
}

/// How far agents of some types, none larger than a radius, go in a step under their own power; at most two radii.
pub(in crate::swarm) fn longest_stride<'a>(
    types: impl Iterator<Item = &'a AgentType>,
    largest: f32,
    dt: f32,
) -> f32 {
    let regular = types.filter(|kind| kind.radius <= largest);
    let fastest = regular.map(|kind| kind.max_speed).fold(0.0, f32::max);
    (fastest * dt).min(2.0 * largest)
}

impl Swarm {
    /// Finds streams of agents with one heading, where agents of different headings touch.
    pub(in crate::swarm) fn find_streams(&mut self, world: &FlowWorld) {
        let streams = &mut self.scratch.streams;
        let busy = |state: &ContactState| state.cap() < 1.0 || state.conflict() > 0.0;
        if self.types.iter().any(uses_contacts) && self.agents.contact.iter().any(busy) {
            streams.fill(
                world.grid(),
                &self.agents,
                &self.types,
                &self.buckets,
                world.workers(),
            );
        } else {
            streams.clear();
        }
    }

    /// Pushes apart the discs that steering has let overlap, and out of those of other swarms.
    pub(in crate::swarm) fn resolve_contacts(
        &mut self,
        world: &FlowWorld,
        dt: f32,
        others: Others<'_>,
    ) {
        if !self.types.iter().any(uses_contacts) {
            return;
        }
        let mut contacts = std::mem::take(&mut self.scratch.contacts);
        let mut moved = std::mem::take(&mut self.scratch.moved);
        let context = self.context(world, dt);
        contacts
            .matrix
            .fill(context.types, context.settings.separation);
        contacts.find_special(&context);
        contacts.cut_bands(context.buckets);
        contacts.find_others(&context, others);
        let passes = passes(context.types, dt);
        // What knows no bands comes between two passes.
        let is_banded = contacts.special.is_empty() && !contacts.has_others;
        let together = if is_banded { passes } else { 1 };
        for first in (0..passes).step_by(together) {
            contacts.solve(&context, &moved, first..first + together, passes);
            if first == 0 {
                contacts.keep_out_of_others(&context);
            }
        }
        contacts.write_back(&context, &mut moved);
        contacts.follow_leaders(&context, &mut moved, others);
        self.scratch.moved = moved;
        self.scratch.contacts = contacts;
    }
}
