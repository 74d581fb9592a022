//! Fields of the core on a map.

use std::error::Error;

use clap::ValueEnum;
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::Grid;
use flow_swarm::integrate::{self, IntegrationField, OctileSolver, Solvers};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::CostMap;

use super::points::{cell, centre};
use super::walks::{Directions, Guides};

/// The solver of costs to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    /// Exact lengths of octile paths
    Octile,
    /// Lengths of any-angle paths
    Eikonal,
}

impl Solver {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Octile => "octile",
            Self::Eikonal => "eikonal",
        }
    }

    /// The core's solver.
    pub fn in_core(self) -> integrate::Solver {
        match self {
            Self::Octile => integrate::Solver::Octile,
            Self::Eikonal => integrate::Solver::Eikonal,
        }
    }
}

/// How directions follow from costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rule {
    /// Along the shortest path
    Characteristic,
    /// Towards the neighbour on a cheapest path
    BestNeighbour,
    /// Down the slope of the costs
    NegativeGradient,
    /// Back along system C's wave, with costs of its own, whatever the solver
    Predecessor,
}

impl Rule {
    fn in_core(self) -> DirectionRule {
        match self {
            Self::Characteristic => DirectionRule::Characteristic,
            Self::BestNeighbour => DirectionRule::BestNeighbour,
            Self::NegativeGradient => DirectionRule::NegativeGradient,
            Self::Predecessor => DirectionRule::Predecessor,
        }
    }
}

/// Builds fields on one map, on one thread, with all inputs of a solve prepared.
pub struct Fields {
    costs: CostField,
    octile: OctileSolver,
    solvers: Solvers,
    solver: Solver,
    rule: Rule,
    workers: Workers,
    /// The costs of the last field.
    integration: Option<IntegrationField>,
    spare: Option<FlowField>,
}

impl Fields {
    /// Prepares the core for the map.
    pub fn new(map: &CostMap, solver: Solver, rule: Option<Rule>) -> Result<Self, Box<dyn Error>> {
        let size = IVec2::new(map.width as i32, map.height as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO)?;
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost)?;
        Ok(Self {
            costs: CostField::new(&grid, &terrain, &MovementType::default()),
            octile: OctileSolver::new(),
            solvers: Solvers::default(),
            solver,
            rule: rule.unwrap_or(Rule::Characteristic),
            workers: Workers::serial(),
            integration: None,
            spare: None,
        })
    }

    /// The names of solver and rule.
    pub fn description(&self) -> String {
        match self.rule {
            Rule::Predecessor => "system C's costs and directions".to_owned(),
            rule => format!("{:?} costs, {rule:?} directions", self.solver),
        }
    }

    /// The exact octile costs to a goal, whichever solver the directions come from.
    pub fn octile_costs(
        &mut self,
        goal: (usize, usize),
    ) -> Result<IntegrationField, flow_swarm::Error> {
        self.octile.solve(&self.costs, &[cell(goal)])
    }

    /// Builds the whole field to a goal: costs, and the directions that follow from them.
    pub fn build_field(&mut self, goal: (usize, usize)) -> Result<FlowField, flow_swarm::Error> {
        let (costs, workers) = (&self.costs, &self.workers);
        let rule = self.rule.in_core();
        let method = rule.method(self.solver.in_core());
        let mut old = self.spare.take().unwrap_or_default();
        old.forget_roots();
        if let Some(integration) = self.integration.take() {
            self.solvers.recycle(integration);
        }
        let (integration, predecessors) = self.solvers.solve(method, costs, &[cell(goal)])?;
        let targets = [centre(goal)];
        let flow = match predecessors {
            Some(steps) => {
                FlowField::from_predecessors(costs, &integration, &steps, &targets, workers)
            }
            None => old.rebuilt(costs, &integration, &targets, rule, workers),
        };
        self.integration = Some(integration);
        Ok(flow)
    }

    /// Takes a field back so that the next one can reuse its memory, as a world does with replaced fields.
    pub fn take_back(&mut self, flow: FlowField) {
        self.spare = Some(flow);
    }
}

impl Guides for Fields {
    fn octile_costs(
        &mut self,
        goal: (usize, usize),
    ) -> Result<IntegrationField, flow_swarm::Error> {
        self.octile_costs(goal)
    }

    fn directions(
        &mut self,
        goal: (usize, usize),
        _starts: &[(usize, usize)],
    ) -> Result<Directions, flow_swarm::Error> {
        let flow = self.build_field(goal)?;
        Ok(Box::new(move |at| flow.sample(at)))
    }
}
