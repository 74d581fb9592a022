//! The core's fields on a map.

use std::error::Error;

use clap::ValueEnum;
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::Grid;
use flow_swarm::integrate::{IntegrationField, OctileSolver, PredecessorSolver};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::CostMap;

/// Where costs to the goal come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    /// Exact lengths of eight-neighbour paths
    Octile,
    /// Lengths in the plane
    Eikonal,
}

impl Solver {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Octile => "octile",
            Self::Eikonal => "eikonal",
        }
    }

    /// The rule that directions follow unless another is asked for.
    fn own_rule(self) -> Rule {
        match self {
            Self::Octile | Self::Eikonal => Rule::BestNeighbour,
        }
    }
}

/// How directions follow from costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rule {
    /// Towards the neighbour on a cheapest path
    BestNeighbour,
    /// Down the slope of the costs
    NegativeGradient,
    /// Back along system C's wave, whatever the solver: it has costs of its own
    Predecessor,
}

impl Rule {
    fn in_core(self) -> DirectionRule {
        match self {
            Self::BestNeighbour => DirectionRule::BestNeighbour,
            Self::NegativeGradient => DirectionRule::NegativeGradient,
            Self::Predecessor => DirectionRule::Predecessor,
        }
    }
}

/// Builds fields on one map, on one thread, with everything that a field is made from at hand.
pub struct Fields {
    costs: CostField,
    octile: OctileSolver,
    predecessor: PredecessorSolver,
    solver: Solver,
    rule: Rule,
    workers: Workers,
}

impl Fields {
    /// Sets the core up for the map.
    pub fn new(map: &CostMap, solver: Solver, rule: Option<Rule>) -> Result<Self, Box<dyn Error>> {
        if solver == Solver::Eikonal {
            return Err("the core has no eikonal solver yet: use --solver octile".into());
        }
        let size = IVec2::new(map.width as i32, map.height as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO)?;
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost)?;
        Ok(Self {
            costs: CostField::new(&grid, &terrain, &MovementType::default()),
            octile: OctileSolver::new(),
            predecessor: PredecessorSolver::new(),
            solver,
            rule: rule.unwrap_or(solver.own_rule()),
            workers: Workers::serial(),
        })
    }

    /// Solver and rule in words.
    pub fn description(&self) -> String {
        match self.rule {
            Rule::Predecessor => "system C's costs and directions".to_owned(),
            rule => format!("{:?} costs, {rule:?} directions", self.solver),
        }
    }

    /// The exact octile costs to a goal, whatever solver the directions come from.
    pub fn octile_costs(
        &mut self,
        goal: (usize, usize),
    ) -> Result<IntegrationField, flow_swarm::Error> {
        self.octile.solve(&self.costs, &[cell(goal)])
    }

    /// The whole field to a goal, from nothing: costs, and the directions that they lead to.
    pub fn build_field(&mut self, goal: (usize, usize)) -> Result<FlowField, flow_swarm::Error> {
        if self.rule == Rule::Predecessor {
            let (costs, workers) = (&self.costs, &self.workers);
            let (integration, steps) = self.predecessor.solve(costs, &[cell(goal)])?;
            let targets = [centre(goal)];
            return Ok(FlowField::from_predecessors(
                costs,
                &integration,
                &steps,
                &targets,
                workers,
            ));
        }
        let integration = match self.solver {
            Solver::Octile | Solver::Eikonal => self.octile.solve(&self.costs, &[cell(goal)])?,
        };
        Ok(FlowField::new(
            &self.costs,
            &integration,
            &[centre(goal)],
            self.rule.in_core(),
            &self.workers,
        ))
    }
}

/// A cell as the core names it.
pub fn cell((x, y): (usize, usize)) -> IVec2 {
    IVec2::new(x as i32, y as i32)
}

/// The middle of a cell, in cell space.
pub fn centre(at: (usize, usize)) -> Vec2 {
    cell(at).as_vec2() + 0.5
}
