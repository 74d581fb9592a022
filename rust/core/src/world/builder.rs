//! Jobs that build fields, their memory, and statistics.

use crate::error::Result;
use crate::flow::FlowField;
use crate::integrate::{IntegrationField, Repairer, Solvers};
use crate::movement::CostField;
use crate::retired::Retired;
use crate::workers::Workers;
use crate::world::field::Field;
use crate::world::goal_id::{Destination, GoalId};
use crate::world::next_costs::NextCosts;
use crate::world::update::Update;
use crate::world::version::Version;
use crate::world::walking::parts::Parts;
use parking_lot::Mutex;
use std::sync::Arc;

/// Seconds since some fixed moment.
pub type Clock = fn() -> f64;

/// Counts of built and repaired fields so far. No result depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BuildStats {
    /// Fields that were integrated anew.
    pub full_solves: u64,
    /// Fields that were solved near a goal that walked.
    pub near_solves: u64,
    /// Fields that were repaired.
    pub repairs: u64,
    /// Repairs that were too much work and were replaced by a full solve.
    pub abandoned_repairs: u64,
    /// The number of cells that the last repair evaluated; some count more than once.
    pub last_repair_cells: usize,
    /// The time that the last finished field took to build or repair, in seconds; 0 without a clock.
    pub last_build_seconds: f64,
    /// The time from the request of the last finished field until it was in use, in seconds; 0 without a clock. For a
    /// goal that has moved it counts from the move.
    pub last_latency_seconds: f64,
}

/// The inputs of a field, detached from the world.
pub(super) struct Job {
    /// The number of the job, unique in the world.
    pub(super) number: u64,
    pub(super) goal: GoalId,
    pub(super) movement: usize,
    pub(super) version: Version,
    pub(super) costs: Arc<CostField>,
    pub(super) destination: Arc<Destination>,
    /// The integrated costs, if only the direction rule has changed.
    pub(super) integration: Option<Arc<IntegrationField>>,
    /// Whether it integrates.
    pub(super) solves: bool,
    pub(super) field: Option<Result<Field>>,
    pub(super) clock: Option<Clock>,
    pub(super) asked_at: Option<f64>,
    /// The update in which it began.
    pub(super) tick: u64,
    /// The time that it took, in seconds; 0 without a clock.
    pub(super) seconds: f64,
}

impl Job {
    pub(super) fn run(&mut self, scratch: &Scratch, workers: &Workers) {
        let begin = self.clock.map(|clock| clock());
        self.field = Some(self.build(scratch, workers));
        self.seconds = seconds_since(begin, self.clock);
    }

    pub(super) fn build(&mut self, scratch: &Scratch, workers: &Workers) -> Result<Field> {
        let (costs, targets) = (&self.costs, &*self.destination.targets);
        let mut old_flow = FlowField::default();
        let (integration, predecessors) = match self.integration.take() {
            Some(integration) => (integration, None),
            None => {
                let (mut solvers, memory) = scratch.take(costs.cell_count());
                old_flow = memory;
                let goals = &self.destination.cells;
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

/// The most cells of a field whose memory is kept when it is replaced or released: 80 MB. Getting new memory from the
/// system takes longer than solving a part of a field.
pub(super) const KEPT_CELLS: usize = 1 << 23;

/// While so many bytes wait to be given back in parts, fields that are smaller give theirs back at once: where several
/// are solved in each update, more would wait than is given back.
const MUCH: usize = 1 << 26;

/// Memory that builds reuse.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) solvers: Mutex<Vec<Solvers>>,
    /// Solvers whose memory fits small windows.
    pub(super) near_solvers: Mutex<Vec<Solvers>>,
    /// A field that is no longer in use.
    pub(super) spare: Mutex<Option<Field>>,
    /// Larger fields, and costs, that are no longer in use.
    pub(super) retired: Mutex<Retired>,
}

impl Scratch {
    /// Keeps the memory of a field that is no longer in use, unless something else holds it. That of a large field, or
    /// of one that was kept before, is given back.
    pub(super) fn keep(&self, field: Arc<Field>) {
        let Some(mut field) = Arc::into_inner(field) else {
            return;
        };
        // What follows it may use the same parts.
        field.parts = Parts::default();
        let is_large = field.integration.stored().len() > KEPT_CELLS;
        let unused = match is_large {
            true => Some(field),
            false => self.spare.lock().replace(field),
        };
        let mut retired = self.retired.lock();
        if let Some(unused) = unused
            && (is_large || retired.bytes() < MUCH)
        {
            unused.retire(&mut retired);
        }
    }

    /// Gives back the memory of costs that are no longer in use, unless something else holds them.
    pub(super) fn retire_costs(&self, costs: Arc<CostField>) {
        if let Some(costs) = Arc::into_inner(costs) {
            costs.retire(&mut self.retired.lock());
        }
    }

    /// Gives back the memory of costs that will not be used.
    pub(super) fn retire_next(&self, next: Option<NextCosts>) {
        if let Some(next) = next {
            next.retire(&mut self.retired.lock());
        }
    }

    /// Solvers and a flow field, with memory for a map of `cells` stored cells if there is any.
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
            solvers.recycle_or_retire(integration, &mut self.retired.lock());
        }
        (solvers, flow)
    }

    /// Takes solvers back.
    pub(super) fn give_back(&self, solvers: Solvers) {
        self.solvers.lock().push(solvers);
    }
}

/// Scratch memory, jobs in progress, and results that no update has reported yet.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) background: bool,
    pub(super) clock: Option<Clock>,
    pub(super) stats: BuildStats,
    pub(super) scratch: Arc<Scratch>,
    pub(super) repairers: Mutex<Vec<Repairer>>,
    pub(super) finished: Arc<Mutex<Vec<Job>>>,
    pub(super) news: Update,
    pub(super) last_job: u64,
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
