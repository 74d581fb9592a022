//! Builds fields anew when their inputs have changed, at once or in the background.

use crate::world::FlowWorld;
use crate::world::builder::{BuildStats, Builder, Clock, Job, seconds_since};
use crate::world::goal_kind::GoalKind;
use crate::world::version::Version;
use std::sync::Arc;

impl FlowWorld {
    /// Makes a job for every required field that is out of date and not being built, for a query or for the simulation,
    /// and marks these fields as being built. Where the work of an update is limited, fields that agents follow wait
    /// for their turns instead.
    pub(super) fn stale_jobs(&mut self, is_query: bool) -> Vec<Job> {
        let mut jobs = Vec::new();
        let is_sliced = self.slices_fields();
        let cells = self.grid.cell_count();
        for (&id, goal) in &mut self.goals.by_id {
            // They are zones alone: see [`super::zones`].
            if matches!(goal.kind, GoalKind::Flee { .. }) {
                continue;
            }
            for (movement, slot) in goal.fields.iter_mut().enumerate() {
                let (Some(slot), Some(layer)) = (slot, self.layers.get(movement)) else {
                    continue;
                };
                let is_sliced = slot.is_left_alone(is_sliced);
                if slot.turn.is_some() || is_sliced && is_query {
                    continue;
                }
                // A goal that has walked is followed by near fields: see [`super::walking`].
                let may_stay = !self.builder.background || slot.walk.may_wait(self.walking.tick());
                let keeps_destination =
                    may_stay && slot.stays(goal.destination.cells.len(), &self.walking, cells);
                let old_destination = slot.destination.as_ref().filter(|_| keeps_destination);
                let known = slot.version.filter(|_| keeps_destination);
                let version = Version {
                    costs: layer.newest.revision,
                    goal: known.map_or(goal.revision, |version| version.goal),
                    solver: self.solver,
                    rule: self.rule,
                };
                let destination = Arc::clone(old_destination.unwrap_or(&goal.destination));
                let is_ahead = is_query && old_destination.is_none();
                // Without a background a request is answered at once; an earlier build in the background comes too
                // late.
                let awaited = slot.awaited.is_some() && self.builder.background;
                if awaited || slot.version == Some(version) {
                    continue;
                }
                let tick = self.walking.tick();
                let scratch = &self.builder.scratch;
                if slot.move_targets(&layer.costs, (version, tick), &destination, scratch) {
                    slot.is_ahead |= is_ahead;
                    continue;
                }
                let old = slot.version;
                if is_sliced && old.is_some() {
                    // The present field stays in use, even if it is by another solver or rule.
                    self.slices.last_turn += 1;
                    slot.turn = Some(self.slices.last_turn);
                    continue;
                }
                let only_the_rule = old.is_some_and(|old| {
                    (old.costs, old.goal) == (version.costs, version.goal)
                        && old.method() == version.method()
                });
                let moved = old.is_some_and(|old| old.goal != version.goal);
                let field = slot.field.as_ref().filter(|_| only_the_rule);
                let integration = field.map(|field| Arc::clone(&field.integration));
                self.builder.last_job += 1;
                slot.awaited = Some(self.builder.last_job);
                slot.is_ahead |= is_ahead;
                jobs.push(Job {
                    number: self.builder.last_job,
                    goal: id,
                    movement,
                    version,
                    costs: Arc::clone(&layer.costs),
                    destination,
                    solves: integration.is_none(),
                    integration,
                    field: None,
                    clock: self.builder.clock,
                    asked_at: goal
                        .moved_at
                        .filter(|_| moved)
                        .or_else(|| self.builder.now()),
                    tick,
                    seconds: 0.0,
                });
            }
        }
        jobs
    }

    /// Swaps in a finished job's field, unless the goal or movement type is gone, the grid has changed, or a newer
    /// field is there or awaited.
    pub(super) fn swap_in(&mut self, job: Job) {
        let Some(goal) = self.goals.by_id.get_mut(&job.goal) else {
            return;
        };
        let Some(Some(slot)) = goal.fields.get_mut(job.movement) else {
            return;
        };
        if slot.awaited != Some(job.number) {
            return;
        }
        slot.awaited = None;
        slot.version = Some(job.version);
        if slot.destination.as_ref() != Some(&job.destination) {
            slot.walk.leave_from_here(job.tick);
        }
        slot.destination = Some(job.destination);
        let Builder {
            stats,
            news,
            clock,
            scratch,
            ..
        } = &mut self.builder;
        stats.last_build_seconds = job.seconds;
        stats.last_latency_seconds = seconds_since(job.asked_at, *clock);
        match job.field {
            Some(Ok(field)) => {
                stats.full_solves += u64::from(job.solves);
                if let Some(old) = slot.field.replace(Arc::new(field)) {
                    scratch.keep(old);
                }
                news.ready.push(job.goal);
            }
            Some(Err(error)) => {
                slot.field = None;
                news.failed.push((job.goal, job.movement, error));
            }
            None => {}
        }
    }

    /// Gives the world a clock, for the times of [`Self::build_stats`] and the limit of
    /// [`Self::set_update_seconds`], and nothing else.
    pub fn set_clock(&mut self, clock: Clock) {
        self.builder.clock = Some(clock);
    }

    /// The time that the last finished field took to build or repair, in seconds; 0 without a clock.
    #[must_use]
    pub fn last_build_seconds(&self) -> f64 {
        self.builder.stats.last_build_seconds
    }

    /// Counts of built and repaired fields so far.
    #[must_use]
    pub fn build_stats(&self) -> BuildStats {
        self.builder.stats
    }
}
