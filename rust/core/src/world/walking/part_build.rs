//! A field that is built in parts: costs first, then directions.

use crate::error::Result;
use crate::flow::{DirectionRule, FlowField, PartFill};
use crate::integrate::{GoalCell, IntegrationField, PartSolve, Predecessors};
use crate::movement::CostField;
use crate::world::builder::Scratch;
use crate::world::version::Version;
use glam::Vec2;
use std::sync::Arc;

/// A field that is being built.
#[derive(Debug)]
pub(super) struct PartBuild {
    /// `None` while they are copied from the present costs of the map.
    costs: Option<Arc<CostField>>,
    targets: Vec<Vec2>,
    rule: DirectionRule,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Solving(Box<PartSolve>, FlowField),
    Filling(Box<Filling>),
    Done,
}

#[derive(Debug)]
struct Filling {
    integration: IntegrationField,
    record: Option<Predecessors>,
    fill: PartFill,
}

impl PartBuild {
    /// A field to these goal cells and exact targets of the map `costs`, which must not change.
    pub(super) fn new(
        costs: Arc<CostField>,
        goals: Vec<GoalCell>,
        targets: Vec<Vec2>,
        version: Version,
        scratch: &Scratch,
    ) -> Self {
        let build = Self::on(&costs, goals, targets, version, scratch);
        Self {
            costs: Some(costs),
            ..build
        }
    }

    /// A field of the map `present`, whose costs are copied with the first parts. Until they are, [`Self::correct`]
    /// follows their edits.
    pub(super) fn copying(
        present: &Arc<CostField>,
        goals: Vec<GoalCell>,
        targets: Vec<Vec2>,
        version: Version,
        scratch: &Scratch,
    ) -> Self {
        let mut build = Self::on(present, goals, targets, version, scratch);
        if let Stage::Solving(solve, _) = &mut build.stage
            && !solve.begin_copy()
        {
            build.costs = Some(Arc::clone(present));
        }
        build
    }

    fn on(
        costs: &CostField,
        goals: Vec<GoalCell>,
        targets: Vec<Vec2>,
        version: Version,
        scratch: &Scratch,
    ) -> Self {
        let (solvers, memory) = scratch.take(costs.cell_count());
        let solve = PartSolve::new(version.method(), costs, goals, solvers);
        Self {
            costs: None,
            targets,
            rule: version.rule,
            stage: Stage::Solving(Box::new(solve), memory),
        }
    }

    /// Gives its memory back in parts, and its solvers.
    pub(super) fn retire(self, scratch: &Scratch) {
        let mut retired = scratch.retired.lock();
        match self.stage {
            Stage::Solving(solve, memory) => {
                scratch.give_back(solve.retire(&mut retired));
                memory.retire(&mut retired);
            }
            Stage::Filling(filling) => {
                filling.integration.retire(&mut retired);
                filling.fill.into_memory().retire(&mut retired);
            }
            Stage::Done => {}
        }
    }

    /// The total work in cells of a budget, an approximate upper bound.
    pub(super) fn work(costs: &CostField) -> usize {
        costs.cell_count() / 6 + costs.open_cell_count()
    }

    /// The costs, once they are complete.
    pub(super) fn costs(&self) -> Option<&Arc<CostField>> {
        self.costs.as_ref()
    }

    /// Follows an edit of the costs that are copied, in the cells `changed`, given by stored index; `None` if they are
    /// not known.
    pub(super) fn correct(&mut self, present: &CostField, changed: Option<&[u32]>) {
        if let Stage::Solving(solve, _) = &mut self.stage {
            solve.correct(present, changed);
        }
    }

    /// Copies more of the `present` costs, for a `budget` of cells, which it reduces.
    pub(super) fn copy(&mut self, present: &CostField, budget: &mut usize) {
        if let (None, Stage::Solving(solve, _)) = (&self.costs, &mut self.stage) {
            self.costs = solve.copy(present, budget).map(Arc::new);
        }
    }

    /// Continues for a `budget` of cells, which it reduces, once the costs are complete. Returns the field when it is
    /// finished.
    pub(super) fn advance(
        &mut self,
        budget: &mut usize,
        scratch: &Scratch,
    ) -> Result<Option<(IntegrationField, FlowField)>> {
        let Some(costs) = &self.costs else {
            return Ok(None);
        };
        while *budget > 0 {
            match std::mem::replace(&mut self.stage, Stage::Done) {
                Stage::Solving(mut solve, memory) => match solve.advance(costs, budget)? {
                    Some((integration, record)) => {
                        scratch.give_back(solve.into_solvers());
                        self.stage = Stage::Filling(Box::new(Filling {
                            integration,
                            record,
                            fill: PartFill::new(memory),
                        }));
                    }
                    None => self.stage = Stage::Solving(solve, memory),
                },
                Stage::Filling(mut filling) => {
                    let Filling {
                        integration,
                        record,
                        fill,
                    } = &mut *filling;
                    let record = record.as_ref();
                    if fill.advance(costs, integration, record, self.rule, budget) {
                        let Filling {
                            integration, fill, ..
                        } = *filling;
                        let flow = fill.finish(costs, &integration, &self.targets, self.rule);
                        return Ok(Some((integration, flow)));
                    }
                    self.stage = Stage::Filling(filling);
                }
                Stage::Done => return Ok(None),
            }
        }
        Ok(None)
    }
}
