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
use std::sync::Arc;

/// The revision of costs that are not the present ones. Costs never have it.
const OLD: u64 = 0;

/// A field that is to be solved again: where it leads, and the number of moves of its goal before.
pub(super) struct LoadedField {
    goal: GoalId,
    movement: usize,
    destination: Arc<Destination>,
    moves: u64,
    /// Whether it led anywhere.
    led: bool,
}

impl LoadedField {
    fn is_of(&self, goal: GoalId, movement: usize) -> bool {
        (self.goal, self.movement) == (goal, movement)
    }
}

impl FlowWorld {
    /// Writes the fields that agents follow. Those that only queries have asked for are built when they are next needed.
    pub(super) fn write_fields(&self, out: &mut Writer) {
        for (movement, layer) in self.layers.iter().enumerate() {
            let costs = layer.simulated_costs();
            let present = Present {
                costs: &costs,
                revision: layer.simulated,
                tick: self.walking.tick(),
            };
            let mut fields = FieldNumbers::default();
            let mut old_costs = Vec::new();
            let mut slots = Writer::default();
            for goal in self.goals.by_id.values() {
                let slot = goal.fields.get(movement).and_then(Option::as_ref);
                let slot = slot.filter(|slot| slot.is_followed);
                slot.is_some().write(&mut slots);
                if let Some(slot) = slot {
                    let is_kept = self.is_kept(goal, slot);
                    let known = (&mut fields, &mut old_costs);
                    slot.write(is_kept, (present, known), &mut slots);
                }
            }
            fields.write(out);
            out.u32(old_costs.len() as u32);
            for old in old_costs {
                old.write_from(&costs, out);
            }
            out.bytes.extend(slots.bytes);
        }
    }

    /// Whether a field is in use until the goal moves on. Others are solved again for the goal's present position, by an
    /// update or earlier by a query.
    fn is_kept(&self, goal: &Goal, slot: &FieldSlot) -> bool {
        let map_cells = self.grid.cell_count();
        let is_there = slot.destination.as_ref() == Some(&goal.destination);
        let stays = || slot.stays(goal.destination.cells.len(), &self.walking, map_cells);
        slot.turn.is_some() || !slot.is_ahead && (is_there || stays())
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
                revision: layer.simulated,
                tick,
            };
            let fields = FieldList::read(input, present, &mut Solvers::default())?;
            let count = input.u32()? as usize;
            if count > goals.by_id.len() {
                return Err(input.bad("it has costs of no field"));
            }
            let mut old_costs = Vec::new();
            for _ in 0..count {
                let old = CostField::clone(&layer.costs).read_into(input)?;
                old_costs.push(Arc::new(old));
            }
            for (&id, goal) in &mut goals.by_id {
                if !bool::read(input)? {
                    continue;
                }
                let mut own_costs = None;
                if bool::read(input)? {
                    let number = input.u32()? as usize;
                    if let Some(place) = number.checked_sub(1) {
                        own_costs = old_costs.get(place).map(Arc::clone);
                        if own_costs.is_none() {
                            return Err(input.bad("it has a field on unknown costs"));
                        }
                    }
                    loaded.push(LoadedField {
                        goal: id,
                        movement,
                        moves: u64::read(input)?,
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
                    old_costs: own_costs.filter(|_| turn.is_some()),
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

    /// Solves fields that were read.
    pub(super) fn solve_fields(&mut self, fields: Vec<LoadedField>) {
        let (solver, rule, tick) = (self.solver, self.rule, self.walking.tick());
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
            let slot = self.goals.by_id.get(&field.goal);
            let slot = slot.and_then(|goal| goal.fields.get(field.movement)?.as_ref());
            let old = slot.and_then(|slot| slot.old_costs.as_ref());
            jobs.push(Job {
                number: 0,
                goal: field.goal,
                movement: field.movement,
                version: Version {
                    costs: old.map_or(layer.newest.revision, |_| OLD),
                    goal: field.moves,
                    solver,
                    rule,
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
        self.follow_goals(true);
        self.solve_zones();
        self.builder.news = news;
        self.builder.stats = stats;
    }
}

/// The number of costs in a list, from 1 on. They are added if they are not there.
fn number_of(costs: &Arc<CostField>, all: &mut Vec<Arc<CostField>>) -> u32 {
    let place = all.iter().position(|known| Arc::ptr_eq(known, costs));
    let place = place.unwrap_or_else(|| {
        all.push(Arc::clone(costs));
        all.len() - 1
    });
    place as u32 + 1
}

impl FieldSlot {
    fn write(
        &self,
        is_kept: bool,
        (present, known): (Present<'_>, (&mut FieldNumbers, &mut Vec<Arc<CostField>>)),
        out: &mut Writer,
    ) {
        let (fields, all_old_costs) = known;
        // Every field is named, so that none is forgotten.
        let Self {
            field,
            version,
            destination,
            walk,
            zone: _,
            awaited: _,
            is_followed: _,
            led,
            turn,
            old_costs,
            is_ahead: _,
        } = self;
        let known = version.zip(destination.as_ref()).filter(|_| is_kept);
        known.is_some().write(out);
        if let Some((version, destination)) = known {
            let number = old_costs.as_ref().map(|old| number_of(old, all_old_costs));
            out.u32(number.unwrap_or(0));
            version.goal.write(out);
            let leads = |field: &Arc<Field>| !field.integration.goals().is_empty();
            let leads = || field.as_ref().is_some_and(leads);
            led.unwrap_or_else(leads).write(out);
            destination.write(out);
        }
        turn.write(out);
        walk.write(is_kept, (present, fields), out);
    }
}
