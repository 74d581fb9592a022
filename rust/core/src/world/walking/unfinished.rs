//! Middle and far fields that are being built, part by part.
//!
//! A copy has only what its field is made from, and the work so far. It does that work again when it goes on. So a
//! snapshot of a world takes neither time nor memory for unfinished fields.

use crate::error::Result;
use crate::flow::FlowField;
use crate::grid::links::Links;
use crate::integrate::IntegrationField;
use crate::movement::CostField;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::build_context::BuildContext;
use crate::world::walking::near_field::NearField;
use crate::world::walking::part_build::PartBuild;
use crate::world::walking::window::{Window, windows};
use std::collections::VecDeque;
use std::sync::Arc;

/// The reach of middle fields beyond a goal cell, in cells.
pub(super) const MIDDLE: i32 = 256;
/// The most cells of the windows of middle fields together.
const MOST_MIDDLE_CELLS: usize = 1_200_000;

/// A far field that is being built.
#[derive(Debug)]
pub(in crate::world) struct Far {
    /// The costs from which it is made.
    pub(super) costs: Arc<CostField>,
    /// `None` for a copy that has not gone on yet.
    build: Option<PartBuild>,
    pub(in crate::world) destination: Arc<Destination>,
    pub(in crate::world) version: Version,
    pub(in crate::world) begun_at: u64,
    /// The work so far, from update to update: with the same work a new build comes to the same state.
    pub(super) budgets: Vec<usize>,
}

impl Clone for Far {
    fn clone(&self) -> Self {
        Self {
            costs: Arc::clone(&self.costs),
            build: None,
            destination: Arc::clone(&self.destination),
            version: self.version,
            begun_at: self.begun_at,
            budgets: self.budgets.clone(),
        }
    }
}

impl Far {
    pub(super) fn begin(context: &BuildContext<'_>, destination: &Arc<Destination>) -> Self {
        let costs = Arc::clone(&context.layer.costs);
        Self::begin_on(costs, destination, context.version, context.tick)
    }

    /// A field on `costs` to a destination, begun at a tick.
    pub(in crate::world) fn begin_on(
        costs: Arc<CostField>,
        destination: &Arc<Destination>,
        version: Version,
        tick: u64,
    ) -> Self {
        Self {
            costs,
            build: None,
            destination: Arc::clone(destination),
            version,
            begun_at: tick,
            budgets: Vec::new(),
        }
    }

    /// The costs for which it is.
    pub(in crate::world) fn into_costs(self) -> Arc<CostField> {
        self.costs
    }

    /// Does the work so far again, if it is a copy. Returns whether the field is still unfinished, as it was.
    pub(super) fn catch_up(&mut self, scratch: &Scratch) -> bool {
        if self.build.is_some() {
            return true;
        }
        let budgets = std::mem::take(&mut self.budgets);
        let mut done = budgets.iter();
        let is_unfinished =
            done.all(|&budget| matches!(self.advance(scratch, &mut budget.clone()), Ok(None)));
        self.budgets = budgets;
        is_unfinished
    }

    /// Continues for a `budget` of cells, which it notes and reduces. Returns the field when it is finished.
    pub(in crate::world) fn continue_with(
        &mut self,
        budget: &mut usize,
        scratch: &Scratch,
    ) -> Result<Option<(IntegrationField, FlowField)>> {
        self.catch_up(scratch);
        self.budgets.push(*budget);
        self.advance(scratch, budget)
    }

    fn advance(
        &mut self,
        scratch: &Scratch,
        budget: &mut usize,
    ) -> Result<Option<(IntegrationField, FlowField)>> {
        let Self {
            costs,
            destination,
            version,
            ..
        } = self;
        let build = self.build.get_or_insert_with(|| {
            let (goals, targets) = (destination.cells.clone(), destination.targets.to_vec());
            PartBuild::new(Arc::clone(costs), goals, targets, *version, scratch)
        });
        build.advance(budget, scratch)
    }
}

/// Middle fields that are being built.
#[derive(Debug)]
pub(super) struct MiddleBuild {
    /// The windows with their costs, and the work so far, as in [`Far::budgets`].
    pub(super) begun: Vec<(Window, Arc<CostField>)>,
    pub(super) budgets: Vec<usize>,
    /// The remaining builds, of which the first one is in progress; `None` for a copy that has not gone on yet.
    builds: Option<VecDeque<(Window, PartBuild)>>,
    pub(super) finished: Vec<Arc<NearField>>,
    pub(super) destination: Arc<Destination>,
    pub(super) version: Version,
    pub(super) begun_at: u64,
    pub(super) links: Arc<Links>,
}

impl Clone for MiddleBuild {
    fn clone(&self) -> Self {
        Self {
            begun: self.begun.clone(),
            budgets: self.budgets.clone(),
            builds: None,
            finished: Vec::new(),
            destination: Arc::clone(&self.destination),
            version: self.version,
            begun_at: self.begun_at,
            links: Arc::clone(&self.links),
        }
    }
}

impl MiddleBuild {
    pub(super) fn begin(
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
    ) -> Option<Self> {
        let costs = &context.layer.costs;
        let windows = windows(costs, &destination.cells, MIDDLE, MOST_MIDDLE_CELLS)?;
        let with_costs = |window: Window| {
            let own: Arc<CostField> = Arc::new(costs.cut_out(window.cells));
            (window, own)
        };
        Some(Self::begin_on(
            windows.into_iter().map(with_costs).collect(),
            Arc::clone(costs.shared_links()),
            destination,
            (context.version, context.tick),
        ))
    }

    pub(super) fn begin_on(
        begun: Vec<(Window, Arc<CostField>)>,
        links: Arc<Links>,
        destination: &Arc<Destination>,
        (version, tick): (Version, u64),
    ) -> Self {
        Self {
            begun,
            budgets: Vec::new(),
            builds: None,
            finished: Vec::new(),
            destination: Arc::clone(destination),
            version,
            begun_at: tick,
            links,
        }
    }

    /// The work of all builds together.
    pub(super) fn work(&self) -> usize {
        let work = self.begun.iter().map(|(_, own)| own.cell_count() * 7 / 6);
        work.sum()
    }

    /// As [`Far::catch_up`].
    pub(super) fn catch_up(&mut self, scratch: &Scratch) -> bool {
        if self.builds.is_some() {
            return true;
        }
        let budgets = std::mem::take(&mut self.budgets);
        let mut done = budgets.iter();
        let is_unfinished = done.all(|&budget| !self.advance(scratch, &mut budget.clone()));
        self.budgets = budgets;
        is_unfinished
    }

    /// Continues the builds. Returns whether all are finished.
    pub(super) fn advance(&mut self, scratch: &Scratch, budget: &mut usize) -> bool {
        let Self {
            begun,
            destination,
            version,
            finished,
            ..
        } = self;
        let build = |(window, own): &(Window, Arc<CostField>)| {
            let (goals, targets) = (window.own_goals(), window.own_targets(destination));
            let build = PartBuild::new(Arc::clone(own), goals, targets, *version, scratch);
            (window.clone(), build)
        };
        let builds = &mut self.builds;
        let builds = builds.get_or_insert_with(|| begun.iter().map(build).collect());
        while let Some((window, build)) = builds.front_mut() {
            let Ok(built) = build.advance(budget, scratch) else {
                // Costs exceed the number range: this middle field is left out.
                builds.pop_front();
                continue;
            };
            let Some((integration, flow)) = built else {
                return false;
            };
            let costs = Arc::clone(build.costs());
            let field = NearField::new(window, costs, integration, flow);
            finished.push(Arc::new(field));
            builds.pop_front();
        }
        true
    }
}
