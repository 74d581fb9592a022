//! Building fields anew when something they depend on has changed, at once or in the background.

use super::fields::{Update, Version};
use super::goals::Ends;
use super::{Field, FlowWorld, GoalId};
use crate::error::Result;
use crate::flow::FlowField;
use crate::integrate::{IntegrationField, Repairer, Solvers};
use crate::movement::CostField;
use crate::workers::Workers;
use parking_lot::Mutex;
use std::sync::Arc;

/// Seconds since some fixed moment.
pub type Clock = fn() -> f64;

/// How fields have been brought up to date so far. Nothing depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BuildStats {
    /// Fields that were integrated anew.
    pub full_solves: u64,
    /// Fields that were solved near a goal that walked.
    pub near_solves: u64,
    /// Fields that were repaired.
    pub repairs: u64,
    /// Repairs that proved too much work and were taken back, for a full solve.
    pub abandoned_repairs: u64,
    /// How many cells the last repair looked at, some of them more than once.
    pub last_repair_cells: usize,
    /// How long the last finished field took to build or repair, in seconds; 0 without a clock.
    pub last_build_seconds: f64,
    /// How long the last finished field took from when it was asked for until it was in service, in
    /// seconds; 0 without a clock. For a goal that has moved it counts from the move.
    pub last_latency_seconds: f64,
}

/// Everything that a field is computed from, detached from the world.
pub(super) struct Job {
    /// Tells it from all other jobs.
    number: u64,
    goal: GoalId,
    movement: usize,
    version: Version,
    costs: Arc<CostField>,
    ends: Arc<Ends>,
    /// The costs to the goal, where only the direction rule has changed.
    integration: Option<Arc<IntegrationField>>,
    /// Whether it integrates.
    solves: bool,
    field: Option<Result<Field>>,
    clock: Option<Clock>,
    asked_at: Option<f64>,
    /// In which update it was begun.
    tick: u64,
    /// How long it took, if there is a clock.
    seconds: f64,
}

impl Job {
    pub(super) fn run(&mut self, scratch: &Scratch, workers: &Workers) {
        let begin = self.clock.map(|clock| clock());
        self.field = Some(self.build(scratch, workers));
        self.seconds = seconds_since(begin, self.clock);
    }

    fn build(&mut self, scratch: &Scratch, workers: &Workers) -> Result<Field> {
        let (costs, targets) = (&self.costs, &*self.ends.targets);
        let mut old_flow = FlowField::default();
        let (integration, predecessors) = match self.integration.take() {
            Some(integration) => (integration, None),
            None => {
                let (mut solvers, memory) = scratch.take(costs.costs().len());
                old_flow = memory;
                let goals = &self.ends.cells;
                let solved = solvers.solve_goals(self.version.method(), costs, goals);
                scratch.give_back(solvers);
                let (integration, predecessors) = solved?;
                (Arc::new(integration), predecessors)
            }
        };
        let flow = match predecessors {
            Some(record) => {
                FlowField::from_predecessors(costs, &integration, &record, targets, workers)
            }
            None => old_flow.rebuilt(costs, &integration, targets, self.version.rule, workers),
        };
        Ok(Field::whole(integration, flow))
    }
}

/// Time from `begin` until now; 0 without a clock.
pub(super) fn seconds_since(begin: Option<f64>, clock: Option<Clock>) -> f64 {
    match (begin, clock) {
        (Some(begin), Some(clock)) => clock() - begin,
        _ => 0.0,
    }
}

/// The most cells of a field whose memory is kept when it is replaced or released: 80 MB, and the system takes longer to
/// hand out new memory than to solve a part of it.
const KEPT_CELLS: usize = 1 << 23;

/// Memory that builds hand on to each other.
#[derive(Default)]
pub(super) struct Scratch {
    solvers: Mutex<Vec<Solvers>>,
    /// Those whose memory fits small windows.
    pub(super) near_solvers: Mutex<Vec<Solvers>>,
    /// A field that is out of service.
    spare: Mutex<Option<Field>>,
}

impl Scratch {
    /// Keeps the memory of a field that is out of service, unless it is held elsewhere.
    pub(super) fn keep(&self, field: Arc<Field>) {
        if let Some(field) = Arc::into_inner(field)
            && field.integration.stored().len() <= KEPT_CELLS
        {
            *self.spare.lock() = Some(field);
        }
    }

    /// Solvers and a field of directions, with memory for a map of so many stored cells if there is any.
    pub(super) fn take(&self, cells: usize) -> (Solvers, FlowField) {
        let mut solvers = self.solvers.lock().pop().unwrap_or_default();
        let mut spare = self.spare.lock();
        let fits = |field: &mut Field| field.integration.stored().len() == cells;
        let Some(Field {
            integration, flow, ..
        }) = spare.take_if(fits)
        else {
            return (solvers, FlowField::default());
        };
        let mut flow = Arc::into_inner(flow).unwrap_or_default();
        flow.forget_roots();
        if let Some(integration) = Arc::into_inner(integration) {
            solvers.recycle(integration);
        }
        (solvers, flow)
    }

    /// Takes solvers back.
    pub(super) fn give_back(&self, solvers: Solvers) {
        self.solvers.lock().push(solvers);
    }
}

/// Scratch memory, jobs under way and news not yet told.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) background: bool,
    pub(super) clock: Option<Clock>,
    pub(super) stats: BuildStats,
    pub(super) scratch: Arc<Scratch>,
    pub(super) repairers: Mutex<Vec<Repairer>>,
    pub(super) finished: Arc<Mutex<Vec<Job>>>,
    pub(super) news: Update,
    last_job: u64,
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Builder(background: {})", self.background)
    }
}

impl Builder {
    pub(super) fn set_background(&mut self, background: bool) {
        self.background = background;
    }

    /// The time, if there is a clock.
    pub(super) fn now(&self) -> Option<f64> {
        self.clock.map(|clock| clock())
    }
}

impl FlowWorld {
    /// A job for every wanted field that is out of date and not being built, for a query or for the simulation; marks
    /// them as being built.
    pub(super) fn stale_jobs(&mut self, is_query: bool) -> Vec<Job> {
        let mut jobs = Vec::new();
        let cells = self.grid.cell_count();
        for (&id, goal) in &mut self.goals.by_id {
            for (movement, slot) in goal.fields.iter_mut().enumerate() {
                let (Some(slot), Some(layer)) = (slot, self.layers.get(movement)) else {
                    continue;
                };
                // What has walked away is followed near where it is: see [`super::walking`].
                let may_stay = !self.builder.background || slot.walk.may_wait(self.walking.tick());
                let keeps_its_ends =
                    may_stay && slot.stays(goal.ends.cells.len(), &self.walking, cells);
                let old_ends = slot.ends.as_ref().filter(|_| keeps_its_ends);
                let known = slot.version.filter(|_| keeps_its_ends);
                let version = Version {
                    costs: layer.newest.revision,
                    goal: known.map_or(goal.revision, |version| version.goal),
                    solver: self.solver,
                    rule: self.rule,
                };
                let ends = Arc::clone(old_ends.unwrap_or(&goal.ends));
                // Without a background a request is answered now: what is still being built
                // from earlier comes too late.
                let awaited = slot.awaited.is_some() && self.builder.background;
                if awaited || slot.version == Some(version) {
                    continue;
                }
                let old = slot.version;
                let only_the_rule = old.is_some_and(|old| {
                    (old.costs, old.goal) == (version.costs, version.goal)
                        && old.method() == version.method()
                });
                let moved = old.is_some_and(|old| old.goal != version.goal);
                let field = slot.field.as_ref().filter(|_| only_the_rule);
                let integration = field.map(|field| Arc::clone(&field.integration));
                self.builder.last_job += 1;
                slot.awaited = Some(self.builder.last_job);
                slot.is_ahead |= is_query && old_ends.is_none();
                jobs.push(Job {
                    number: self.builder.last_job,
                    goal: id,
                    movement,
                    version,
                    costs: Arc::clone(&layer.costs),
                    ends,
                    solves: integration.is_none(),
                    integration,
                    field: None,
                    clock: self.builder.clock,
                    asked_at: goal
                        .moved_at
                        .filter(|_| moved)
                        .or_else(|| self.builder.now()),
                    tick: self.walking.tick(),
                    seconds: 0.0,
                });
            }
        }
        jobs
    }

    /// Puts a finished job's field into service, unless the goal or movement type is gone, or the
    /// grid is another, or something newer has come or is to come in its place.
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
        if slot.ends.as_ref() != Some(&job.ends) {
            slot.walk.leave_from_here(job.tick);
        }
        slot.ends = Some(job.ends);
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
    /// [`Self::set_tile_seconds`], and nothing else.
    pub fn set_clock(&mut self, clock: Clock) {
        self.builder.clock = Some(clock);
    }

    /// How long the last finished field took to build or repair; 0 without a clock.
    #[must_use]
    pub fn last_build_seconds(&self) -> f64 {
        self.builder.stats.last_build_seconds
    }

    /// How fields have been brought up to date so far.
    #[must_use]
    pub fn build_stats(&self) -> BuildStats {
        self.builder.stats
    }
}
