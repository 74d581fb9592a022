//! The stages of a step that belong to contacts, and the number of the solver's passes.

use crate::swarm::AgentType;
use crate::swarm::avoidance::contact::outline::Others;
use crate::swarm::avoidance::contact::state::ContactState;
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;

/// The number of passes: `PASSES` in steps of 1/60 s or shorter, `PASSES_OF_LONG_STEPS` more for each further 1/60 s,
/// at most `MOST_PASSES`. Where the largest radius is more than `MIXED` times the smallest one, passes are added,
/// because small agents between large ones cannot part before those do: `PASSES_BY_FACTOR` times the factor between the
/// two radii, within the bounds `PASSES_OF_MIXED_RADII`.
const PASSES: usize = 6;

const PASSES_OF_LONG_STEPS: usize = 2;

const MOST_PASSES: usize = 16;

const PASSES_BY_FACTOR: f32 = 1.5;

const PASSES_OF_MIXED_RADII: (f32, f32) = (8.0, 20.0);

const MIXED: f32 = 1.5;

/// The number of passes in a step of `dt` seconds.
fn passes(types: &[AgentType], dt: f32) -> usize {
    let longer = (dt * 60.0).round().max(1.0) as usize - 1;
    let passes = (PASSES + PASSES_OF_LONG_STEPS * longer).min(MOST_PASSES);
    let radii = types.iter().map(|kind| kind.radius);
    let (least, most) = (
        radii.clone().fold(f32::INFINITY, f32::min),
        radii.fold(0.0, f32::max),
    );
    if most <= MIXED * least {
        return passes;
    }
    let (fewest, greatest) = PASSES_OF_MIXED_RADII;
    passes + (PASSES_BY_FACTOR * most / least).clamp(fewest, greatest) as usize
}

impl Swarm {
    /// Fills the map of streams if any agents are in contact; clears it otherwise.
    pub(in crate::swarm) fn find_streams(&mut self, world: &FlowWorld) {
        let streams = &mut self.scratch.streams;
        let busy = |state: &ContactState| state.cap() < 1.0 || state.conflict() > 0.0;
        if self.types.iter().any(AgentType::uses_contacts) && self.agents.contact.iter().any(busy) {
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

    /// Parts discs that overlap after steering, and moves them out of the discs of other swarms.
    pub(in crate::swarm) fn resolve_contacts(
        &mut self,
        world: &FlowWorld,
        dt: f32,
        others: Others<'_>,
    ) {
        if !self.types.iter().any(AgentType::uses_contacts) {
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
        contacts.leave_heaps(&context);
        contacts.find_others(&context, others);
        let passes = passes(context.types, dt);
        // Special agents and other swarms are solved between passes, so passes cannot be run together then.
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
