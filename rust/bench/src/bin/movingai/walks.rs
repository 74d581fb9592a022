//! Walks along directions: from the starts of queries, and from every cell.

use std::fmt;
use std::num::NonZero;
use std::thread;

use flow_swarm::Vec2;
use flow_swarm::integrate::IntegrationField;
use flow_swarm_bench::maps::CostMap;
use flow_swarm_bench::walker::{Walk, Walker};

use super::points::{cell, centre};

/// A walk counts as stuck when it is longer than the first number times the octile path plus the second number, in
/// cells. This is far more than any field that leads to its goal needs.
const PATIENCE: (f64, f64) = (4.0, 100.0);

/// The greatest number of stuck walks that are recorded.
const REMEMBERED: usize = 20;

/// The unit direction, or zero, at a point in cell space.
pub type Directions = Box<dyn Fn(Vec2) -> Vec2 + Sync>;

/// A source of directions for walks.
pub trait Guides {
    /// The exact octile costs to a goal.
    fn octile_costs(&mut self, goal: (usize, usize))
    -> Result<IntegrationField, flow_swarm::Error>;

    /// The directions to a goal for walks from the given cells.
    fn directions(
        &mut self,
        goal: (usize, usize),
        starts: &[(usize, usize)],
    ) -> Result<Directions, flow_swarm::Error>;
}

/// A walk from one cell to another.
pub struct Errand {
    pub start: (usize, usize),
    pub goal: (usize, usize),
    /// The exact length of the shortest path, if it is known.
    pub optimum: Option<f64>,
}

/// The starts of walks to a goal other than those of queries.
#[derive(Clone, Copy)]
pub struct Starts {
    /// The number of goals to which agents walk.
    pub goals: usize,
    /// Every Nth of the cells that reach the goal is a start.
    pub every: usize,
}

/// The results of a number of walks.
#[derive(Default)]
pub struct Tally {
    pub walks: usize,
    pub arrived: usize,
    pub wall_hits: usize,
    pub corner_cuts: usize,
    /// The ratio of length to optimum, for walks that arrived and whose optimum is at least a cell.
    pub ratios: Vec<f64>,
    /// Start and goal of the first walks that did not arrive.
    pub stuck: Vec<((usize, usize), (usize, usize))>,
}

impl Tally {
    fn count(&mut self, start: (usize, usize), goal: (usize, usize), walk: &Walk) {
        self.walks += 1;
        self.wall_hits += walk.wall_hits;
        self.corner_cuts += walk.corner_cuts;
        if walk.arrived() {
            self.arrived += 1;
        } else if self.stuck.len() < REMEMBERED {
            self.stuck.push((start, goal));
        }
    }

    fn merge(&mut self, other: Self) {
        self.walks += other.walks;
        self.arrived += other.arrived;
        self.wall_hits += other.wall_hits;
        self.corner_cuts += other.corner_cuts;
        self.ratios.extend(other.ratios);
        self.stuck.extend(other.stuck);
        self.stuck.truncate(REMEMBERED);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} arrived, {} strides in a wall, {} cut corners",
            self.arrived, self.walks, self.wall_hits, self.corner_cuts
        )?;
        for (start, goal) in &self.stuck {
            write!(f, "\n  stuck from {start:?} to {goal:?}")?;
        }
        Ok(())
    }
}

/// Walks each errand along directions of its own.
pub fn run_errands(
    guides: &mut impl Guides,
    map: &CostMap,
    walker: Walker,
    errands: &[Errand],
) -> Result<Tally, flow_swarm::Error> {
    let mut tally = Tally::default();
    for errand in errands {
        let octile = guides.octile_costs(errand.goal)?;
        let directions = guides.directions(errand.goal, &[errand.start])?;
        let limit = limit(octile.cost_at(cell(errand.start)));
        let walk = go(&directions, map, walker, errand.start, errand.goal, limit);
        tally.count(errand.start, errand.goal, &walk);
        if let Some(optimum) = errand.optimum
            && walk.arrived()
            && optimum > 0.0
        {
            tally.ratios.push(walk.length / optimum);
        }
    }
    Ok(tally)
}

/// Walks to some of the goals from the centre of every cell that can reach them.
pub fn from_everywhere(
    guides: &mut impl Guides,
    map: &CostMap,
    walker: Walker,
    goals: &[(usize, usize)],
    chosen: Starts,
) -> Result<Tally, flow_swarm::Error> {
    let mut tally = Tally::default();
    if goals.is_empty() || chosen.goals == 0 {
        return Ok(tally);
    }
    // The goals are spread over the list, whose queries become longer, so that not only short ones are chosen.
    let apart = goals.len().div_ceil(chosen.goals);
    for &goal in goals.iter().skip(apart - 1).step_by(apart) {
        let octile = guides.octile_costs(goal)?;
        let starts: Vec<((usize, usize), f64)> = (0..map.len())
            .map(|index| map.position(index))
            .filter_map(|start| Some((start, octile.cost_at(cell(start))?)))
            .step_by(chosen.every)
            .collect();
        let cells: Vec<(usize, usize)> = starts.iter().map(|start| start.0).collect();
        let directions = &guides.directions(goal, &cells)?;
        let walk_from = |starts: &[((usize, usize), f64)]| {
            let mut tally = Tally::default();
            for &(start, cost) in starts {
                let walk = go(directions, map, walker, start, goal, limit(Some(cost)));
                tally.count(start, goal, &walk);
            }
            tally
        };
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let share = starts.len().div_ceil(threads).max(1);
        let parts: Vec<Tally> = thread::scope(|scope| {
            let running: Vec<_> = starts
                .chunks(share)
                .map(|starts| scope.spawn(move || walk_from(starts)))
                .collect();
            running
                .into_iter()
                .map(|part| part.join().expect("a walk does not panic"))
                .collect()
        });
        for part in parts {
            tally.merge(part);
        }
    }
    Ok(tally)
}

fn limit(octile: Option<f64>) -> f64 {
    octile.unwrap_or(0.0) * PATIENCE.0 + PATIENCE.1
}

fn go(
    directions: &Directions,
    map: &CostMap,
    walker: Walker,
    start: (usize, usize),
    goal: (usize, usize),
    limit: f64,
) -> Walk {
    walker.walk(map, centre(start), centre(goal), limit, directions)
}
