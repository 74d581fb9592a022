//! Builds whole fields in slices: the first ones of goals, and those for costs that have changed too much for a repair,
//! while the old ones stay in use. One field is built after the other, in the order in which they were required.

use crate::world::FlowWorld;
use crate::world::field::Field;
use crate::world::field_slot::FieldSlot;
use crate::world::goal_id::GoalId;
use crate::world::goal_kind::GoalKind;
use crate::world::movement_layer::MovementLayer;
use crate::world::slices::FirstField;
use crate::world::tiled::tiling::Graph;
use crate::world::version::Version;
use crate::world::walking::far_build::Far;
use std::sync::Arc;

impl FieldSlot {
    /// Gives the turn up: the field is there, or is built like others.
    pub(super) fn stop_waiting(&mut self) {
        self.turn = None;
    }
}

impl FlowWorld {
    /// Whether the first fields of goals are built in slices.
    pub(super) fn slices_fields(&self) -> bool {
        self.is_sliced() && !self.builder.background
    }

    /// Gives a slot that is required for the first time its turn. A field that a query has solved before is dropped:
    /// when agents have a field must not depend on queries.
    pub(super) fn take_turn(&mut self, goal: GoalId, movement: usize) {
        let is_sliced = self.slices_fields();
        let Some(entry) = self.goals.by_id.get_mut(&goal) else {
            return;
        };
        let is_flee = matches!(entry.kind, GoalKind::Flee { .. });
        let slot = entry.fields.get_mut(movement).and_then(Option::as_mut);
        if let Some(slot) = slot.filter(|_| is_sliced && !is_flee) {
            self.slices.last_turn += 1;
            *slot = FieldSlot {
                is_followed: true,
                turn: Some(self.slices.last_turn),
                ..FieldSlot::default()
            };
        }
    }

    /// Has all fields that are required wait for their turns, as there are none on a new grid.
    pub(super) fn take_turns_again(&mut self) {
        let slots = self.goals.by_id.iter().flat_map(|(&id, goal)| {
            let slots = goal.fields.iter().enumerate();
            let followed = slots.filter(|(_, slot)| slot.as_ref().is_some_and(|it| it.is_followed));
            followed.map(move |(movement, _)| (id, movement))
        });
        let slots: Vec<(GoalId, usize)> = slots.collect();
        for (goal, movement) in slots {
            self.take_turn(goal, movement);
        }
    }

    /// Brings fields and graphs up to date before movement types change, so that what their costs were is known.
    pub(super) fn settle_fields(&mut self) {
        let slots = self.goals.by_id.values().flat_map(|goal| &goal.fields);
        let mut slots = slots.flatten();
        let is_used = !self.tiling.is_unused() || slots.any(|slot| slot.is_followed);
        if self.is_sliced() && is_used {
            self.refresh_costs();
            self.sync_tiles();
            self.take_ahead_back();
            self.refresh_fields(false);
        }
    }

    /// Begins the field again that is being built, because all costs of a movement type have changed that are copied
    /// for it. Once it has its costs it is completed for them: changes may follow each other faster than fields are
    /// built.
    pub(super) fn begin_first_field_again(&mut self, movement: usize) {
        let first = self.slices.first_field.as_ref();
        let is_copying = |first: &FirstField| first.build.revision().is_none();
        if first.is_some_and(|first| first.movement == movement && is_copying(first)) {
            self.forget_first_field();
        }
    }

    /// Ends the build of the field that is being built.
    fn forget_first_field(&mut self) {
        if let Some(first) = self.slices.first_field.take() {
            first.build.retire(&self.builder.scratch);
        }
    }

    /// Whether the first field of a goal waits to be built, or is being built in slices.
    pub(super) fn waits_for_field(&self, goal: GoalId, movement: usize) -> bool {
        let slots = self.goals.by_id.get(&goal).map(|goal| &goal.fields);
        let slot = slots.and_then(|slots| slots.get(movement)?.as_ref());
        slot.is_some_and(|slot| slot.turn.is_some())
    }

    /// The slot whose turn is next. Those of movement types that have no costs of their own yet wait.
    pub(super) fn next_first_field(&self) -> Option<(u64, GoalId, usize)> {
        let slots = self.goals.by_id.iter().flat_map(|(&id, goal)| {
            let slots = goal.fields.iter().enumerate();
            slots.filter_map(move |(movement, slot)| Some((slot.as_ref()?.turn?, id, movement)))
        });
        let can_begin = |&(_, _, movement): &(u64, GoalId, usize)| {
            !(self.layers.get(movement)).is_some_and(MovementLayer::awaits_first_costs)
        };
        slots.filter(can_begin).min()
    }

    /// Continues first fields for a `budget` of cells, which it reduces.
    pub(super) fn build_first_fields(&mut self, budget: &mut usize) {
        if !self.slices_fields() {
            self.build_all_at_once();
            return;
        }
        while *budget > 0 {
            let Some(next) = self.next_first_field() else {
                self.forget_first_field();
                return;
            };
            let Some(mut first) = self.begun_first_field(next) else {
                return;
            };
            let Some(layer) = self.layers.get(first.movement) else {
                return;
            };
            if self.has_limit_of_time() {
                first.build.keep_later_work(layer);
            }
            let scratch = &self.builder.scratch;
            match first.build.continue_with(budget, layer, scratch) {
                Ok(None) => self.slices.first_field = Some(first),
                Ok(Some((integration, flow))) => {
                    let field = Field::whole(Arc::new(integration), flow);
                    self.builder.stats.full_solves += 1;
                    self.builder.news.ready.push(first.goal);
                    self.finish_first_field(first, Some(field));
                }
                Err(error) => {
                    let failed = (first.goal, first.movement, error);
                    self.builder.news.failed.push(failed);
                    self.finish_first_field(first, None);
                }
            }
        }
    }

    /// Forgets the edits that every field and graph in use has.
    pub(super) fn forget_past(&mut self) {
        let next = self.next_first_field();
        for (movement, layer) in self.layers.iter_mut().enumerate() {
            let slots = self.goals.by_id.values();
            let slots = slots.filter_map(|goal| goal.fields.get(movement)?.as_ref());
            let slots = slots.filter(|slot| slot.is_followed).flat_map(|slot| {
                let own = slot.version.map(|version| version.costs);
                own.into_iter().chain(slot.walk.costs_of_far())
            });
            let first = self.slices.first_field.as_ref();
            // A build that will not go on needs nothing.
            let goes_on = |first: &&FirstField| {
                let own = (first.turn, first.goal, first.movement);
                first.movement == movement && next == Some(own)
            };
            let first = first.filter(goes_on);
            let first = first.and_then(|first| first.build.revision());
            let graph = self.tiling.graph(movement).map(Graph::made_for);
            let oldest = slots.chain(first).chain(graph).min();
            let present = layer.simulated;
            let needed = oldest.map_or(present, |oldest| oldest.min(present));
            for costs in layer.past.forget_before(needed) {
                self.builder.scratch.retire_costs(costs);
            }
        }
    }

    /// Gives up all turns, so that the fields are built like others.
    fn build_all_at_once(&mut self) {
        self.forget_first_field();
        for goal in self.goals.by_id.values_mut() {
            for slot in goal.fields.iter_mut().flatten() {
                slot.stop_waiting();
            }
        }
    }

    /// The build of the slot whose turn it is, which begins if it has not.
    fn begun_first_field(
        &mut self,
        (turn, id, movement): (u64, GoalId, usize),
    ) -> Option<FirstField> {
        let goal = self.goals.by_id.get(&id)?;
        let destination = Arc::clone(&goal.destination);
        let layer = self.layers.get(movement)?;
        let version = Version {
            costs: layer.newest.revision,
            goal: goal.revision,
            solver: self.solver,
            rule: self.rule,
        };
        let is_for = |first: &mut FirstField| {
            first.turn == turn && first.build.version.is_of_one_kind(version)
        };
        if let Some(begun) = self.slices.first_field.take_if(is_for) {
            return Some(begun);
        }
        self.forget_first_field();
        Some(FirstField {
            goal: id,
            movement,
            turn,
            build: Far::begin(&destination, version, self.walking.tick()),
        })
    }

    /// Has the goal's slot use the field. Edits and moves since the build began are applied to it as to others.
    fn finish_first_field(&mut self, first: FirstField, field: Option<Field>) {
        let goal = self.goals.by_id.get_mut(&first.goal);
        let slot = goal.and_then(|goal| goal.fields.get_mut(first.movement)?.as_mut());
        if let Some(slot) = slot {
            slot.stop_waiting();
            slot.version = Some(first.build.version);
            slot.destination = Some(Arc::clone(&first.build.destination));
            let old = std::mem::replace(&mut slot.field, field.map(Arc::new));
            if let Some(old) = old {
                self.builder.scratch.keep(old);
            }
            slot.walk.leave_from_here(first.build.begun_at);
        }
        let revision = first.build.version.costs;
        let costs = first.build.into_costs();
        if let (Some(costs), Some(layer)) = (costs, self.layers.get(first.movement)) {
            layer.inherit_arrays(costs, revision, &self.builder.scratch);
        }
    }
}
