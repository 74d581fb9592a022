//! The methods of the experiment behind one interface: find paths, then guide agents.

use std::error::Error;

use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::Grid;
use flow_swarm::integrate::{self, Solvers};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::baselines::path_search::{Heuristic, PathSearch};
use flow_swarm_bench::baselines::plain_flow::PlainFlow;
use flow_swarm_bench::baselines::potential::PotentialField;
use flow_swarm_bench::baselines::predecessor_tree::PredecessorTree;
use flow_swarm_bench::maps::CostMap;
use flow_swarm_bench::walker::Walker;

use super::{LONGEST_WALK, STRIDE, centre};

/// The plain flow field, which system C improves.
pub const PLAIN: &str = "plain flow field";
/// System C's improved flow field.
pub const TREE: &str = "system C's improved field";
/// The field of the core that is compared with both.
pub const OURS: &str = "ours, OCTILE";
/// The field with any-angle paths.
const STRAIGHT: &str = "ours, EIKONAL";

/// Returns the unit direction at a point.
pub type Guide<'a> = Box<dyn FnMut(Vec2) -> Vec2 + 'a>;

/// A method of finding paths on a map to its goal.
pub trait Method {
    /// The name in the tables.
    fn name(&self) -> &'static str;
    /// Whether each agent waits for a search of its own.
    fn is_per_agent(&self) -> bool;
    /// Does all the work that is necessary before agents with these starts can walk.
    fn find(&mut self, starts: &[usize]) -> Result<(), flow_swarm::Error>;
    /// Returns the directions for one of the agents.
    fn guide(&self, agent: usize) -> Guide<'_>;
    /// The goal of all agents, in cell space.
    fn goal(&self) -> Vec2;
}

/// All methods, in the order of system C's tables.
pub fn all_methods<'map>(
    map: &'map CostMap,
    goal: usize,
) -> Result<Vec<Box<dyn Method + 'map>>, Box<dyn Error>> {
    let target = Target {
        map,
        goal,
        point: centre(map, goal),
    };
    let searches = |name, heuristic| Searches {
        name,
        target,
        search: PathSearch::new(heuristic),
        paths: Vec::new(),
    };
    Ok(vec![
        Box::new(searches("Dijkstra for each agent", Heuristic::None)),
        Box::new(searches("A* for each agent", Heuristic::Octile)),
        Box::new(Potential { target }),
        Box::new(Cells {
            name: PLAIN,
            target,
            solver: PlainFlow::new(),
            solve: |solver, target| solver.solve(target.map, target.goal),
            next: PlainFlow::next,
        }),
        Box::new(Cells {
            name: TREE,
            target,
            solver: PredecessorTree::new(),
            solve: |solver, target| solver.solve(target.map, target.goal),
            next: PredecessorTree::next,
        }),
        Box::new(Ours::new(
            "ours, PREDECESSOR",
            target,
            integrate::Solver::Octile,
            DirectionRule::Predecessor,
        )?),
        Box::new(Ours::new(
            OURS,
            target,
            integrate::Solver::Octile,
            DirectionRule::BestNeighbour,
        )?),
        Box::new(Ours::new(
            STRAIGHT,
            target,
            integrate::Solver::Eikonal,
            DirectionRule::Characteristic,
        )?),
    ])
}

#[derive(Clone, Copy)]
struct Target<'map> {
    map: &'map CostMap,
    goal: usize,
    point: Vec2,
}

/// One search per agent.
struct Searches<'map> {
    name: &'static str,
    target: Target<'map>,
    search: PathSearch,
    paths: Vec<Vec<usize>>,
}

impl Method for Searches<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_per_agent(&self) -> bool {
        true
    }

    fn find(&mut self, starts: &[usize]) -> Result<(), flow_swarm::Error> {
        let Target { map, goal, .. } = self.target;
        self.paths.clear();
        for &start in starts {
            self.paths
                .push(self.search.path(map, start, goal).unwrap_or_default());
        }
        Ok(())
    }

    fn guide(&self, agent: usize) -> Guide<'_> {
        let path = &self.paths[agent];
        let mut next = 0;
        Box::new(move |at| {
            let to = |next: usize| {
                path.get(next)
                    .map(|&cell| centre(self.target.map, cell) - at)
            };
            while to(next).is_some_and(|way| way.length() <= STRIDE / 2.0) {
                next += 1;
            }
            to(next).map_or(Vec2::ZERO, Vec2::normalize_or_zero)
        })
    }

    fn goal(&self) -> Vec2 {
        self.target.point
    }
}

/// The potential field. Its paths are those that agents walk, so finding them means tracing them in advance.
struct Potential<'map> {
    target: Target<'map>,
}

impl Method for Potential<'_> {
    fn name(&self) -> &'static str {
        "potential field"
    }

    fn is_per_agent(&self) -> bool {
        true
    }

    fn find(&mut self, starts: &[usize]) -> Result<(), flow_swarm::Error> {
        let Target { map, point, .. } = self.target;
        let field = PotentialField::new(map, point);
        let walker = Walker::new(STRIDE);
        for &start in starts {
            let direction = |at| field.direction(at);
            let walk = walker.walk(map, centre(map, start), point, LONGEST_WALK, direction);
            std::hint::black_box(walk);
        }
        Ok(())
    }

    fn guide(&self, _agent: usize) -> Guide<'_> {
        let field = PotentialField::new(self.target.map, self.target.point);
        Box::new(move |at| field.direction(at))
    }

    fn goal(&self) -> Vec2 {
        self.target.point
    }
}

/// A baseline's field, which leads from the centre of a cell to that of a neighbour.
struct Cells<'map, Solver> {
    name: &'static str,
    target: Target<'map>,
    solver: Solver,
    solve: fn(&mut Solver, Target<'_>),
    next: fn(&Solver, &CostMap, usize) -> Option<usize>,
}

impl<Solver> Method for Cells<'_, Solver> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_per_agent(&self) -> bool {
        false
    }

    fn find(&mut self, _starts: &[usize]) -> Result<(), flow_swarm::Error> {
        (self.solve)(&mut self.solver, self.target);
        Ok(())
    }

    fn guide(&self, _agent: usize) -> Guide<'_> {
        let map = self.target.map;
        let cell_at = |at: Vec2| map.index(at.x as usize, at.y as usize);
        // The agent's own cell is the first cell whose centre it heads for.
        let mut aim = None;
        Box::new(move |at| {
            let mut cell = *aim.get_or_insert_with(|| cell_at(at));
            if centre(map, cell).distance(at) <= STRIDE / 2.0 {
                cell = (self.next)(&self.solver, map, cell).unwrap_or(cell);
                aim = Some(cell);
            }
            (centre(map, cell) - at).normalize_or_zero()
        })
    }

    fn goal(&self) -> Vec2 {
        self.target.point
    }
}

/// A field of the core, sampled between cells as the crowd samples it.
struct Ours<'map> {
    name: &'static str,
    target: Target<'map>,
    solver: integrate::Solver,
    rule: DirectionRule,
    costs: CostField,
    solvers: Solvers,
    workers: Workers,
    field: Option<FlowField>,
}

impl<'map> Ours<'map> {
    fn new(
        name: &'static str,
        target: Target<'map>,
        solver: integrate::Solver,
        rule: DirectionRule,
    ) -> Result<Self, flow_swarm::Error> {
        let map = target.map;
        let size = IVec2::new(map.width as i32, map.height as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO)?;
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost)?;
        Ok(Self {
            name,
            target,
            solver,
            rule,
            costs: CostField::new(&grid, &terrain, &MovementType::default()),
            solvers: Solvers::default(),
            workers: Workers::serial(),
            field: None,
        })
    }

    fn build_field(&mut self) -> Result<FlowField, flow_swarm::Error> {
        let point = self.target.point;
        let (cells, targets) = ([point.as_ivec2()], [point]);
        let (costs, workers) = (&self.costs, &self.workers);
        let method = self.rule.method(self.solver);
        let (integration, predecessors) = self.solvers.solve(method, costs, &cells)?;
        Ok(match predecessors {
            Some(steps) => {
                FlowField::from_predecessors(costs, &integration, &steps, &targets, workers)
            }
            None => FlowField::new(costs, &integration, &targets, self.rule, workers),
        })
    }
}

impl Method for Ours<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_per_agent(&self) -> bool {
        false
    }

    fn find(&mut self, _starts: &[usize]) -> Result<(), flow_swarm::Error> {
        self.field = Some(self.build_field()?);
        Ok(())
    }

    fn guide(&self, _agent: usize) -> Guide<'_> {
        Box::new(|at| {
            self.field
                .as_ref()
                .map_or(Vec2::ZERO, |field| field.sample(at))
        })
    }

    fn goal(&self) -> Vec2 {
        self.target.point
    }
}
