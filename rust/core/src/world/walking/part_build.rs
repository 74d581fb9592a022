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
    costs: Arc<CostField>,
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
    /// A field to these goal cells and exact targets of the map `costs`.
    pub(super) fn new(
        costs: Arc<CostField>,
        goals: Vec<GoalCell>,
        targets: Vec<Vec2>,
        version: Version,
        scratch: &Scratch,
    ) -> Self {
        let (solvers, memory) = scratch.take(costs.cell_count());
        let solve = PartSolve::new(version.method(), &costs, goals, solvers);
        Self {
            costs,
            targets,
            rule: version.rule,
            stage: Stage::Solving(Box::new(solve), memory),
        }
    }

    /// The total work in cells of a budget, an approximate upper bound.
    pub(super) fn work(costs: &CostField) -> usize {
        costs.cell_count() / 6 + costs.open_cell_count()
    }

    pub(super) fn costs(&self) -> &Arc<CostField> {
        &self.costs
    }

    /// Continues for a `budget` of cells, which it reduces. Returns the field when it is finished.
    pub(super) fn advance(
        &mut self,
        budget: &mut usize,
        scratch: &Scratch,
    ) -> Result<Option<(IntegrationField, FlowField)>> {
        while *budget > 0 {
            match std::mem::replace(&mut self.stage, Stage::Done) {
                Stage::Solving(mut solve, memory) => match solve.advance(&self.costs, budget)? {
                    Some((integration, record)) => {
                        scratch.give_back((*solve).into_solvers());
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
                    if fill.advance(&self.costs, integration, record, self.rule, budget) {
                        let Filling {
                            integration, fill, ..
                        } = *filling;
                        let flow = fill.finish(&self.costs, &integration, &self.targets, self.rule);
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
