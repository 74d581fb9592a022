//! The fields of goals, and their updates.

use crate::error::Result;
use crate::retired::sort_freed_memory;
use crate::workers::Workers;
use crate::world::FlowWorld;
use crate::world::builder::{Job, seconds_since};
use crate::world::field::Field;
use crate::world::field_slot::FieldSlot;
use crate::world::goal_id::GoalId;
use crate::world::goal_mode::GoalMode;
use crate::world::tiled::scheduler::RequestPriority;
use crate::world::update::Update;
use crate::world::version::Version;
use std::sync::Arc;

impl FlowWorld {
    /// Applies pending edits, swaps in finished fields, and repairs, builds or begins to build fields that are out of
    /// date, and routes and tiles within their limits. Call it once a tick.
    pub fn update(&mut self) -> Update {
        let (begin, clock) = (self.builder.now(), self.builder.clock);
        self.builder.scratch.retired.lock().free_part();
        self.tiling.free_memory();
        sort_freed_memory();
        self.take_over_next_costs(false);
        self.release_unheld_goals();
        self.take_standing();
        self.tiling.scheduler.begin_tick();
        self.refresh_costs();
        self.sync_tiles();
        self.take_ahead_back();
        self.walk_on();
        let left = self.build_slices(begin);
        self.label_islands(begin);
        self.refresh_fields(false);
        let taken = seconds_since(begin, clock);
        self.tiling.scheduler.spend_seconds(taken);
        self.search_queued();
        self.build_tiles();
        self.build_more_slices(begin, left);
        let mut news = std::mem::take(&mut self.builder.news);
        news.ready.sort_unstable();
        news.ready.dedup();
        news
    }

    /// Updates whole fields after changes of costs and goals, or begins to, for a query or for the simulation.
    pub(super) fn refresh_fields(&mut self, is_query: bool) {
        let finished = std::mem::take(&mut *self.builder.finished.lock());
        for job in finished {
            self.swap_in(job);
        }
        if !is_query {
            self.forget_previews();
        }
        self.repair_fields(is_query);
        let jobs = self.stale_jobs(is_query);
        if self.builder.background {
            self.start(jobs);
        } else if !jobs.is_empty() {
            self.run(jobs);
        }
        self.follow_goals(is_query, is_query && self.slices_fields());
        self.solve_zones();
        if !is_query {
            self.forget_past();
        }
    }

    /// Drops what only queries have read, and what only snapshots needed that are gone.
    fn forget_previews(&mut self) {
        for goal in self.goals.by_id.values_mut() {
            for slot in goal.fields.iter_mut().flatten() {
                slot.previewed = None;
                slot.timeline.trim(&self.builder.scratch.retired);
            }
        }
    }

    /// The field of a goal that agents follow as queries read it, where fields are built in slices: while one waits it
    /// is the present one, and otherwise one with all edits.
    fn preview(&mut self, id: GoalId, movement: usize) -> Option<Arc<Field>> {
        let goal = self.goals.by_id.get_mut(&id)?;
        let slot = goal.fields.get_mut(movement)?.as_mut()?;
        let version = Version {
            costs: self.layers.get(movement)?.newest.revision,
            goal: goal.revision,
            solver: self.solver,
            rule: self.rule,
        };
        if slot.turn.is_some() {
            return slot.field.clone();
        }
        if let Some((known, field)) = &slot.previewed
            && *known == version
        {
            return Some(Arc::clone(field));
        }
        let copy = FieldSlot {
            is_preview: true,
            previewed: None,
            ..slot.clone()
        };
        let kept = std::mem::replace(slot, copy);
        let news = std::mem::take(&mut self.builder.news);
        let stats = self.builder.stats;
        self.refresh_fields(true);
        (self.builder.news, self.builder.stats) = (news, stats);
        let goal = self.goals.by_id.get_mut(&id)?;
        let slot = goal.fields.get_mut(movement)?.as_mut()?;
        let found = std::mem::replace(slot, kept).field;
        slot.previewed = found.clone().map(|field| (version, field));
        found
    }

    /// Runs `jobs` on the workers in the background.
    fn start(&mut self, jobs: Vec<Job>) {
        for mut job in jobs {
            let finished = Arc::clone(&self.builder.finished);
            let scratch = Arc::clone(&self.builder.scratch);
            self.workers.spawn(move || {
                job.run(&scratch, &Workers::serial());
                finished.lock().push(job);
            });
        }
    }

    /// Runs `jobs` now.
    fn run(&mut self, mut jobs: Vec<Job>) {
        let (workers, scratch) = (&self.workers, &self.builder.scratch);
        workers.for_each_chunk(&mut jobs, 1, |_, jobs| {
            for job in jobs {
                job.run(scratch, workers);
            }
        });
        for job in jobs {
            self.swap_in(job);
        }
    }

    /// Requires a goal's field for a movement type, now and after every later change. Without a background it is up to
    /// date when this returns, but for a first field that is built in slices ([`Self::set_update_cells`]). For a tiled
    /// goal it requests no route yet.
    ///
    /// # Errors
    /// [`crate::Error::UnknownId`] or a movement type out of range.
    pub fn require(&mut self, goal: GoalId, movement: usize) -> Result<()> {
        self.check_movement(movement as i64)?;
        if self.goal_mode(goal)? == GoalMode::Tiled {
            self.keep_up(goal, movement, RequestPriority::GameAtOnce)?;
            return match self.has_graph(movement)? {
                true => self.ensure_slot(goal, movement),
                false => Ok(()),
            };
        }
        let slot = self.slot_of(goal, movement)?;
        if !std::mem::replace(&mut slot.is_followed, true) {
            slot.is_ahead = true;
            self.take_turn(goal, movement);
        }
        self.refresh_costs();
        self.sync_tiles();
        self.take_ahead_back();
        self.refresh_fields(false);
        Ok(())
    }

    /// The field that queries read, built first if needed. `None` while the first one is being built in the background,
    /// if it cannot be built, and for a tiled goal.
    ///
    /// It may be built earlier than by the simulation. That changes no result, because a field depends only on its
    /// inputs, and agents follow only required fields.
    pub(super) fn queried(&mut self, goal: GoalId, movement: usize) -> Result<Option<Arc<Field>>> {
        self.check_movement(movement as i64)?;
        if self.goal_mode(goal)? == GoalMode::Tiled {
            self.refresh_for_query();
            return Ok(None);
        }
        self.slot_of(goal, movement)?;
        self.refresh_for_query();
        if self.slices_fields() && self.is_followed(goal, movement) {
            return Ok(self.preview(goal, movement));
        }
        self.refresh_fields(true);
        Ok(self.field(goal, movement).map(Arc::clone))
    }

    /// Drops the fields that queries solved for earlier positions of goals. The simulation would have solved them for
    /// the present positions.
    pub(super) fn take_ahead_back(&mut self) {
        for goal in self.goals.by_id.values_mut() {
            for slot in goal.fields.iter_mut().flatten() {
                let is_ahead = std::mem::take(&mut slot.is_ahead);
                if is_ahead
                    && slot
                        .destination
                        .as_ref()
                        .is_some_and(|destination| *destination != goal.destination)
                {
                    slot.version = None;
                    slot.field = None;
                }
            }
        }
    }

    /// The slot of a goal's field. It is created if needed.
    fn slot_of(&mut self, goal: GoalId, movement: usize) -> Result<&mut FieldSlot> {
        let layers = self.layers.len();
        let goal = self.goals.get_mut(goal)?;
        goal.fields.resize_with(layers, || None);
        Ok(goal.fields[movement].get_or_insert_default())
    }

    /// The slot of a goal's field, if there is one.
    fn known_slot(&self, goal: GoalId, movement: usize) -> Option<&FieldSlot> {
        self.goals.by_id.get(&goal)?.fields.get(movement)?.as_ref()
    }

    /// Whether agents may follow a goal's field, which means that it was required.
    pub(super) fn is_followed(&self, goal: GoalId, movement: usize) -> bool {
        let slot = self.known_slot(goal, movement);
        slot.is_some_and(|slot| slot.is_followed)
    }

    /// Whether a goal's field lacks edits or moves of the goal that may join what it does not, and another one that has
    /// them is being built.
    pub(super) fn has_outdated_field(&self, goal: GoalId, movement: usize) -> bool {
        let slot = self.known_slot(goal, movement);
        let (Some(slot), Ok(entry), Some(layer)) =
            (slot, self.goals.get(goal), self.layers.get(movement))
        else {
            return false;
        };
        let lacks_edits = || {
            slot.version
                .is_some_and(|it| it.costs != layer.newest.revision)
        };
        let is_in_background = self.builder.background && slot.awaited.is_some();
        slot.turn.is_some()
            || is_in_background && lacks_edits()
            || slot.is_cut_off_from(&entry.destination, &layer.costs)
    }

    /// The last finished field of a goal for a movement type; `None` before the first is finished
    /// and where nothing has asked for one; a tiled goal has none.
    ///
    /// An update that repairs a field while the `Arc` is cloned elsewhere copies the field first:
    /// an `Arc` that is kept stays as it was.
    #[must_use]
    pub fn field(&self, goal: GoalId, movement: usize) -> Option<&Arc<Field>> {
        self.known_slot(goal, movement)?.field.as_ref()
    }
}
