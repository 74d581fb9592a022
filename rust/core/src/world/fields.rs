//! Building fields when something they depend on has changed.

use super::{FlowWorld, GoalId};
use crate::error::{Error, Result};
use crate::flow::{DirectionRule, FlowField};
use crate::grid::CellRect;
use crate::integrate::{IntegrationField, OctileSolver, PredecessorSolver};
use crate::movement::CostField;
use crate::workers::Workers;
use glam::{IVec2, Vec2};
use parking_lot::Mutex;
use std::sync::Arc;

/// A finished field: the costs to a goal for one movement type, and the directions there.
#[derive(Debug)]
pub struct Field {
    /// Cost to the goal from every cell.
    pub integration: Arc<IntegrationField>,
    /// Direction to the goal from every cell.
    pub flow: FlowField,
}

/// What a field was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    costs: u64,
    goal: u64,
    rule: DirectionRule,
}

/// The place of one goal's field for one movement type.
#[derive(Debug, Default)]
pub(super) struct FieldSlot {
    field: Option<Arc<Field>>,
    /// What was last built or found impossible to build.
    version: Option<Version>,
    in_flight: bool,
}

/// What happened since the last update, for whoever wants to be told.
#[derive(Debug, Default)]
pub struct Update {
    /// The smallest rectangle around all terrain edits.
    pub terrain: Option<CellRect>,
    /// Goals with a new field, in the order of creation, each once.
    pub ready: Vec<GoalId>,
    /// Fields that could not be built: goal, movement type, reason.
    pub failed: Vec<(GoalId, usize, Error)>,
}

/// Seconds since some fixed moment.
pub type Clock = fn() -> f64;

/// Everything that a field is computed from, detached from the world.
struct Job {
    layout: u64,
    goal: GoalId,
    movement: usize,
    version: Version,
    costs: Arc<CostField>,
    cells: Vec<IVec2>,
    /// Exact targets in cell space.
    targets: Vec<Vec2>,
    /// The costs to the goal, where only the direction rule has changed.
    integration: Option<Arc<IntegrationField>>,
    field: Option<Result<Field>>,
    clock: Option<Clock>,
    /// How long it took, if there is a clock.
    seconds: f64,
}

impl Job {
    fn run(&mut self, scratch: &Mutex<Vec<OctileSolver>>, workers: &Workers) {
        let now = |clock: Clock| clock();
        let begin = self.clock.map(now);
        self.field = Some(self.build(scratch, workers));
        if let (Some(begin), Some(end)) = (begin, self.clock.map(now)) {
            self.seconds = end - begin;
        }
    }

    /// The field by system C, whose solver gives costs and directions at once.
    fn build_by_predecessors(&self, workers: &Workers) -> Result<Field> {
        let (integration, predecessors) =
            PredecessorSolver::new().solve(&self.costs, &self.cells)?;
        Ok(Field {
            flow: FlowField::from_predecessors(
                &self.costs,
                &integration,
                &predecessors,
                &self.targets,
                workers,
            ),
            integration: Arc::new(integration),
        })
    }

    fn build(&mut self, scratch: &Mutex<Vec<OctileSolver>>, workers: &Workers) -> Result<Field> {
        if self.version.rule == DirectionRule::Predecessor {
            return self.build_by_predecessors(workers);
        }
        let integration = match self.integration.take() {
            Some(integration) => Ok(integration),
            None => {
                let mut solver = scratch.lock().pop().unwrap_or_default();
                let solved = solver.solve(&self.costs, &self.cells);
                scratch.lock().push(solver);
                solved.map(Arc::new)
            }
        };
        let integration = integration?;
        Ok(Field {
            flow: FlowField::new(
                &self.costs,
                &integration,
                &self.targets,
                self.version.rule,
                workers,
            ),
            integration,
        })
    }
}

/// Scratch memory, jobs under way and news not yet told.
#[derive(Default)]
pub(super) struct Builder {
    background: bool,
    clock: Option<Clock>,
    last_seconds: f64,
    scratch: Arc<Mutex<Vec<OctileSolver>>>,
    finished: Arc<Mutex<Vec<Job>>>,
    news: Update,
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
}

impl FlowWorld {
    /// Applies pending edits, swaps in finished fields and builds, or starts to build, what is out of
    /// date. Call it once a tick.
    pub fn update(&mut self) -> Update {
        self.refresh();
        let mut news = std::mem::take(&mut self.builder.news);
        news.ready.sort_unstable();
        news.ready.dedup();
        news
    }

    /// Brings the costs up to date with the terrain and remembers where they were not.
    pub(super) fn refresh_costs(&mut self) {
        if let Some(changed) = self.update_costs() {
            let news = &mut self.builder.news;
            news.terrain = Some(news.terrain.map_or(changed, |known| known.union(&changed)));
        }
    }

    fn refresh(&mut self) {
        self.refresh_costs();
        let finished = std::mem::take(&mut *self.builder.finished.lock());
        for job in finished {
            self.swap_in(job);
        }
        let mut jobs = self.stale_jobs();
        if jobs.is_empty() {
            return;
        }
        let scratch = Arc::clone(&self.builder.scratch);
        if self.builder.background {
            for mut job in jobs {
                let finished = Arc::clone(&self.builder.finished);
                let scratch = Arc::clone(&scratch);
                self.workers.spawn(move || {
                    job.run(&scratch, &Workers::serial());
                    finished.lock().push(job);
                });
            }
        } else {
            let workers = &self.workers;
            workers.for_each_chunk(&mut jobs, 1, |_, jobs| {
                for job in jobs {
                    job.run(&scratch, workers);
                }
            });
            for job in jobs {
                self.swap_in(job);
            }
        }
    }

    /// A job for every wanted field that is out of date and not being built; marks them as being
    /// built.
    fn stale_jobs(&mut self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (&id, goal) in &mut self.goals.by_id {
            for (movement, slot) in goal.fields.iter_mut().enumerate() {
                let (Some(slot), Some(layer)) = (slot, self.layers.get(movement)) else {
                    continue;
                };
                let version = Version {
                    costs: layer.revision,
                    goal: goal.revision,
                    rule: self.rule,
                };
                // Without a background whoever asks gets an answer now: what is still being built
                // from earlier comes too late and is swapped in only to be built anew.
                let awaited = slot.in_flight && self.builder.background;
                if awaited || slot.version == Some(version) {
                    continue;
                }
                let only_the_rule = slot.version.is_some_and(|old| {
                    (old.costs, old.goal) == (version.costs, version.goal)
                        && old.rule.shares_costs_with(version.rule)
                });
                slot.in_flight = true;
                let grid = &self.grid;
                jobs.push(Job {
                    layout: self.layout,
                    goal: id,
                    movement,
                    version,
                    costs: Arc::clone(&layer.costs),
                    cells: goal.targets.iter().map(|&at| grid.cell_at(at)).collect(),
                    targets: goal
                        .targets
                        .iter()
                        .map(|&at| grid.to_cell_space(at))
                        .collect(),
                    integration: slot
                        .field
                        .as_ref()
                        .filter(|_| only_the_rule)
                        .map(|field| Arc::clone(&field.integration)),
                    field: None,
                    clock: self.builder.clock,
                    seconds: 0.0,
                });
            }
        }
        jobs
    }

    fn swap_in(&mut self, job: Job) {
        // The grid may have changed in the meantime, the goal been released, or the movement type
        // dropped.
        if job.layout != self.layout {
            return;
        }
        let Some(goal) = self.goals.by_id.get_mut(&job.goal) else {
            return;
        };
        let Some(Some(slot)) = goal.fields.get_mut(job.movement) else {
            return;
        };
        self.builder.last_seconds = job.seconds;
        slot.in_flight = false;
        slot.version = Some(job.version);
        match job.field {
            Some(Ok(field)) => {
                slot.field = Some(Arc::new(field));
                self.builder.news.ready.push(job.goal);
            }
            Some(Err(error)) => {
                slot.field = None;
                self.builder
                    .news
                    .failed
                    .push((job.goal, job.movement, error));
            }
            None => {}
        }
    }

    /// Gives the world a clock, for [`Self::last_build_seconds`] and nothing else.
    pub fn set_clock(&mut self, clock: Clock) {
        self.builder.clock = Some(clock);
    }

    /// How long the last finished field took to build; 0 without a clock.
    #[must_use]
    pub fn last_build_seconds(&self) -> f64 {
        self.builder.last_seconds
    }

    /// Asks for a goal's field for a movement type, now and after every later change. Without a
    /// background it is up to date when this returns.
    ///
    /// # Errors
    /// [`Error::UnknownId`] or a movement type out of range.
    pub fn require(&mut self, goal: GoalId, movement: usize) -> Result<()> {
        let layers = self.layers.len();
        self.check_movement(movement as i64)?;
        let goal = self.goals.get_mut(goal)?;
        goal.fields.resize_with(layers, || None);
        goal.fields[movement].get_or_insert_default();
        self.refresh();
        Ok(())
    }

    /// The last finished field of a goal for a movement type; `None` before the first is finished
    /// and where nothing has asked for one.
    #[must_use]
    pub fn field(&self, goal: GoalId, movement: usize) -> Option<&Arc<Field>> {
        let goal = self.goals.by_id.get(&goal)?;
        goal.fields.get(movement)?.as_ref()?.field.as_ref()
    }
}
