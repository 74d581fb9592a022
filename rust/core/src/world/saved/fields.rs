//! Whole fields as bytes: where they lead, and how far work on them has come. The fields themselves are solved again.

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::integrate::Solvers;
use crate::movement::CostField;
use crate::world::FlowWorld;
use crate::world::builder::Job;
use crate::world::field::Field;
use crate::world::field_slot::FieldSlot;
use crate::world::goal::{Goal, Goals};
use crate::world::goal_id::{Destination, GoalId};
use crate::world::goal_kind::GoalKind;
use crate::world::movement_layer::MovementLayer;
use crate::world::version::Version;
use crate::world::walking::saved::{FieldList, FieldNumbers, Present};
use crate::world::walking::walk::Walk;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Costs that exist no more, by movement type and revision.
pub(super) type PastCostsByRevision = BTreeMap<(usize, u64), Arc<CostField>>;

/// A field that is to be solved again.
pub(super) struct LoadedField {
    goal: GoalId,
    movement: usize,
    destination: Arc<Destination>,
    /// The costs, solver and rule with which it was made, and the number of moves of its goal before.
    version: Version,
    /// Whether it led anywhere.
    led: bool,
}

impl LoadedField {
    fn is_of(&self, goal: GoalId, movement: usize) -> bool {
        (self.goal, self.movement) == (goal, movement)
    }
}

impl FlowWorld {
    /// Writes the fields that agents follow. Those that only queries have asked for are built when they are next
    /// needed.
    pub(super) fn write_fields(&self, out: &mut Writer) {
        for (movement, layer) in self.layers.iter().enumerate() {
            let costs = layer.simulated_costs();
            let present = Present {
                costs: &costs,
                past: &layer.past,
                revision: layer.simulated,
                tick: self.walking.tick(),
            };
            let mut fields = FieldNumbers::default();
            let mut slots = Writer::default();
            for goal in self.goals.by_id.values() {
                let slot = goal.fields.get(movement).and_then(Option::as_ref);
                let slot = slot.filter(|slot| slot.is_followed);
                slot.is_some().write(&mut slots);
                if let Some(slot) = slot {
                    let is_kept = self.is_kept(goal, slot);
                    slot.write(is_kept, (present, &mut fields), &mut slots);
                }
            }
            fields.write(out);
            out.bytes.extend(slots.bytes);
        }
    }

    /// Whether a field is in use until the goal moves on. Others are solved again for the goal's present position, by
    /// an update or earlier by a query.
    fn is_kept(&self, goal: &Goal, slot: &FieldSlot) -> bool {
        let map_cells = self.grid.cell_count();
        let is_there = slot.destination.as_ref() == Some(&goal.destination);
        let stays = || slot.stays(goal.destination.cells.len(), &self.walking, map_cells);
        // Where fields are built in slices, it stays in use until the next one is there.
        slot.turn.is_some() || self.slices_fields() || !slot.is_ahead && (is_there || stays())
    }

    /// Reads what [`Self::write_fields`] has written, into goals.
    pub(super) fn read_fields(
        &self,
        input: &mut Unpacker<'_>,
        layers: &[MovementLayer],
        (goals, tick): (&mut Goals, u64),
    ) -> Result<Vec<LoadedField>> {
        let mut loaded = Vec::new();
        for (movement, layer) in layers.iter().enumerate() {
            let present = Present {
                costs: &layer.costs,
                past: &layer.past,
                revision: layer.simulated,
                tick,
            };
            let fields = FieldList::read(input, present, &mut Solvers::default())?;
            for (&id, goal) in &mut goals.by_id {
                if !bool::read(input)? {
                    continue;
                }
                if bool::read(input)? {
                    loaded.push(LoadedField {
                        goal: id,
                        movement,
                        version: present.read_version(input)?,
                        led: bool::read(input)?,
                        destination: Destination::read_checked(input)?,
                    });
                }
                let turn = Option::<u64>::read(input)?;
                let walk = Walk::read(input, (present, &fields), &self.builder.scratch)?;
                let field = loaded.last().filter(|field| field.is_of(id, movement));
                let slot = FieldSlot {
                    walk,
                    turn,
                    destination: field.map(|field| Arc::clone(&field.destination)),
                    led: field.map(|field| field.led),
                    is_followed: true,
                    ..FieldSlot::default()
                };
                if field.is_some() && !self.is_kept(goal, &slot) {
                    return Err(input.bad("it has a field that the next update solves again"));
                }
                goal.fields.resize_with(layers.len(), || None);
                goal.fields[movement] = Some(FieldSlot {
                    destination: None,
                    led: None,
                    ..slot
                });
            }
        }
        Ok(loaded)
    }

    /// The costs from which fields were made that were read, by movement type and revision.
    pub(super) fn past_costs_of(
        fields: &[LoadedField],
        layers: &[MovementLayer],
        input: &Unpacker<'_>,
    ) -> Result<PastCostsByRevision> {
        let mut all = BTreeMap::new();
        for field in fields {
            let layer = &layers[field.movement];
            let revision = field.version.costs;
            if layer.past.age(revision).is_some_and(|age| age > 0) {
                let known = layer.past.costs_at(revision, &layer.costs);
                let known = known.ok_or_else(|| input.bad("it has costs that make no sense"))?;
                all.insert((field.movement, revision), known);
            }
        }
        Ok(all)
    }

    /// Solves fields that were read.
    pub(super) fn solve_fields(
        &mut self,
        fields: Vec<LoadedField>,
        past_costs: &PastCostsByRevision,
    ) {
        let tick = self.walking.tick();
        let mut jobs = Vec::with_capacity(fields.len());
        for field in fields {
            let kind = self.goals.by_id.get(&field.goal).map(|goal| goal.kind);
            // They are zones alone: see [`super::super::zones`].
            if matches!(kind, Some(GoalKind::Flee { .. })) {
                continue;
            }
            let goal = self.goals.by_id.get_mut(&field.goal);
            let slot = goal.and_then(|goal| goal.fields.get_mut(field.movement)?.as_mut());
            if let Some(slot) = slot {
                slot.led = Some(field.led);
            }
            let layer = &self.layers[field.movement];
            let old = past_costs.get(&(field.movement, field.version.costs));
            jobs.push(Job {
                number: 0,
                goal: field.goal,
                movement: field.movement,
                version: Version {
                    costs: old.map_or(layer.newest.revision, |_| field.version.costs),
                    ..field.version
                },
                costs: Arc::clone(old.unwrap_or(&layer.costs)),
                destination: field.destination,
                integration: None,
                solves: true,
                field: None,
                clock: None,
                asked_at: None,
                tick,
                seconds: 0.0,
            });
        }
        let (workers, scratch) = (&self.workers, &self.builder.scratch);
        workers.for_each_chunk(&mut jobs, 1, |_, jobs| {
            for job in jobs {
                job.run(scratch, workers);
            }
        });
        for job in jobs {
            let goal = self.goals.by_id.get_mut(&job.goal);
            let slot = goal.and_then(|goal| goal.fields.get_mut(job.movement)?.as_mut());
            if let Some(slot) = slot {
                slot.version = Some(job.version);
                slot.destination = Some(job.destination);
                slot.field = job.field.and_then(Result::ok).map(Arc::new);
            }
        }
    }

    /// Finds near fields and zones again, of which no update reports anything.
    pub(super) fn follow_loaded_goals(&mut self) {
        let news = std::mem::take(&mut self.builder.news);
        let stats = self.builder.stats;
        self.follow_goals(true, false);
        self.solve_zones();
        self.builder.news = news;
        self.builder.stats = stats;
    }
}

impl FieldSlot {
    fn write(
        &self,
        is_kept: bool,
        (present, fields): (Present<'_>, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        // Every field is named, so that none is forgotten.
        let Self {
            field,
            timeline: _,
            past: _,
            version,
            destination,
            walk,
            zone: _,
            awaited: _,
            is_followed: _,
            led,
            turn,
            previewed: _,
            is_ahead: _,
            is_preview: _,
        } = self;
        let known = version.zip(destination.as_ref()).filter(|_| is_kept);
        known.is_some().write(out);
        if let Some((version, destination)) = known {
            // A load solves a field on the present costs unless it can tell which edits the field lacks.
            let is_past = present.past.age(version.costs).is_some_and(|age| age > 0);
            let costs = if is_past {
                version.costs
            } else {
                present.revision
            };
            present.write_version(Version { costs, ..version }, out);
            let leads = |field: &Arc<Field>| !field.integration.goals().is_empty();
            let leads = || field.as_ref().is_some_and(leads);
            led.unwrap_or_else(leads).write(out);
            destination.write(out);
        }
        turn.write(out);
        walk.write(is_kept, (present, fields), out);
    }
}
