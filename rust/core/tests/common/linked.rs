//! Random maps of a few layers with links and goals, and a plain search over their cells and links.

use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::STEPS;
use flow_swarm::grid::links::{Link, Links};
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::{GoalCell, IntegrationField, Method, Solvers, UNREACHED};
use flow_swarm::movement::{BLOCKED, Changes, CostField, MovementType};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::SplitMix64;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// A random map of a few layers with links and goals.
pub struct Case {
    pub grid: Grid,
    pub terrain: Terrain,
    pub costs: CostField,
    pub links: Vec<Link>,
    pub goals: Vec<GoalCell>,
    pub targets: Vec<Vec2>,
}

pub fn random_link(random: &mut SplitMix64, grid: &Grid) -> Link {
    let mut cell = || {
        let layer = random.below(grid.layers().count() as usize) as u32;
        let cells = grid.layers().cells(layer, grid.width());
        let size = cells.high - cells.low;
        cells.low
            + IVec2::new(
                random.below(size.x as usize) as i32,
                random.below(size.y as usize) as i32,
            )
    };
    let (from, mut to) = (cell(), cell());
    while to == from {
        to = cell();
    }
    Link {
        from,
        to,
        cost: [1.0, 1.5, 4.0, 30.0, 900.0][random.below(5)],
        both_ways: random.percent(50),
        travel: Travel::AtOnce,
    }
}

impl Case {
    pub fn new(random: &mut SplitMix64) -> Self {
        let layers = 1 + random.below(3) as u32;
        let size = IVec2::new(3 + random.below(30) as i32, 3 + random.below(24) as i32);
        let grid = Grid::layered(size, 1.0, Vec2::ZERO, layers).expect("small");
        let grounds: [&[u8]; 4] = [&[1], &[7], &[1, 1, 2, 9], &[3, 3, 3, 200]];
        let ground = grounds[random.below(4)];
        let walls = [0, 10, 30, 45][random.below(4)];
        let mut terrain = Terrain::new(&grid);
        for index in 0..grid.cell_count() {
            let id = if random.percent(walls) {
                BLOCKED
            } else {
                ground[random.below(ground.len())]
            };
            terrain.set(grid.cell(index), id).expect("inside");
        }
        let links: Vec<Link> = (0..random.below(12))
            .map(|_| random_link(random, &grid))
            .collect();
        let goals: Vec<GoalCell> = (0..1 + random.below(2))
            .map(|_| GoalCell {
                cell: random_link(random, &grid).from,
                cost: [0.0, 0.0, 7.25][random.below(3)],
            })
            .collect();
        let mut case = Self {
            costs: CostField::new(&grid, &terrain, &MovementType::default()),
            targets: goals
                .iter()
                .map(|goal| goal.cell.as_vec2() + 0.25)
                .collect(),
            grid,
            terrain,
            links,
            goals,
        };
        case.set_links();
        case
    }

    pub fn set_links(&mut self) -> Vec<u32> {
        let links = Links::new(self.links.iter(), self.costs.stride());
        match self.costs.set_links(Arc::new(links)) {
            Changes::Cells(cells) => cells,
            Changes::Regions(_) => unreachable!("links are few"),
        }
    }

    pub fn solve(&self, method: Method) -> IntegrationField {
        let solved = Solvers::default().solve_goals(method, &self.costs, &self.goals);
        solved.expect("small").0
    }

    pub fn flow(&self, field: &IntegrationField, rule: DirectionRule) -> FlowField {
        FlowField::new(&self.costs, field, &self.targets, rule, &Workers::serial())
    }

    /// The cost of every stored cell, by a plain search over cells and links.
    pub fn exact(&self, field: &IntegrationField, length: impl Fn(u8, usize) -> u32) -> Vec<u32> {
        let costs = &self.costs;
        let units =
            |cost: f32| (f64::from(cost) * f64::from(field.scale().straight)).round() as u32;
        let mut found = vec![UNREACHED; costs.cell_count()];
        let mut waiting = BinaryHeap::new();
        for goal in self.goals.iter().filter(|goal| costs.is_open(goal.cell)) {
            waiting.push(Reverse((units(goal.cost), costs.index(goal.cell))));
        }
        while let Some(Reverse((cost, index))) = waiting.pop() {
            if found[index] <= cost {
                continue;
            }
            found[index] = cost;
            for step in (0..8).filter(|step| costs.steps()[index] >> step & 1 == 1) {
                let from = costs.index(costs.cell(index) - STEPS[step] + 2 * STEPS[step]);
                waiting.push(Reverse((cost + length(costs.costs()[from], step), from)));
            }
            for link in &self.links {
                let mut ways = vec![(link.from, link.to)];
                if link.both_ways {
                    ways.push((link.to, link.from));
                }
                for (from, to) in ways {
                    if costs.index(to) == index && costs.is_open(from) {
                        waiting.push(Reverse((cost + units(link.cost), costs.index(from))));
                    }
                }
            }
        }
        found
    }
}

/// A few links, some side by side as on a wide ramp, some from the ends of others.
pub fn random_links(random: &mut SplitMix64, grid: &Grid) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for _ in 0..random.below(7) {
        let mut link = random_link(random, grid);
        if let Some(last) = links.last()
            && random.percent(30)
            && last.to != link.to
        {
            link.from = last.to;
        }
        let along = [IVec2::X, IVec2::Y][random.below(2)];
        let width = [1, 1, 3, 7][random.below(4)];
        for _ in 0..width {
            if !grid.is_on_layer(link.from) || !grid.is_on_layer(link.to) {
                break;
            }
            links.push(link);
            link.from += along;
            link.to += along;
        }
    }
    links
}

impl Case {
    /// A map with ramps and chains of links, with goals at some of their ends.
    pub fn with_ramps(random: &mut SplitMix64) -> Self {
        let mut case = Self::new(random);
        case.links = random_links(random, &case.grid);
        if let Some(link) = case.links.first()
            && random.percent(40)
        {
            let goal = case.goals.len() - 1;
            case.goals[goal].cell = [link.from, link.to][random.below(2)];
            case.targets[goal] = case.goals[goal].cell.as_vec2() + 0.25;
        }
        case.set_links();
        case
    }

    /// The cost of every stored cell by steps and links, in stored units of the finest scale.
    pub fn exact_octile(&self) -> Vec<u32> {
        let field = self.solve(Method::Octile);
        let scale = field.scale();
        self.exact(&field, |cost, step| {
            [scale.straight, scale.diagonal][step & 1] * u32::from(cost)
        })
    }

    /// Changes the terrain of some cells, often at the ends of links, and updates the costs. Returns the cells whose
    /// costs have changed.
    pub fn edit(&mut self, random: &mut SplitMix64) -> Vec<u32> {
        let mut changed = Vec::new();
        if random.percent(50) {
            let last = self.links.len();
            match random.below(4) {
                0 if last > 0 => drop(self.links.remove(random.below(last))),
                1 if last > 0 => self.links[random.below(last)].cost = 2.0,
                2 => self.links = random_links(random, &self.grid),
                _ => self.links.push(random_link(random, &self.grid)),
            }
            changed = self.set_links();
        }
        let mut regions = Vec::new();
        for _ in 0..random.below(4) {
            let cell = match self.links.last() {
                Some(link) if random.percent(50) => [link.from, link.to][random.below(2)],
                _ => random_link(random, &self.grid).from,
            };
            let id = [1, 1, 2, 9, BLOCKED, BLOCKED][random.below(6)];
            self.terrain.set(cell, id).expect("inside");
            regions.push(CellRect::cell(cell));
        }
        let kind = MovementType::default();
        match self.costs.update(&self.terrain, &kind, &regions) {
            Changes::Cells(cells) => changed.extend(cells),
            Changes::Regions(_) => unreachable!("few cells"),
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// The costs of the map after turning the cells for which `is_wall` returns `true` into walls.
    pub fn costs_with_walls(&self, is_wall: impl Fn(IVec2) -> bool) -> CostField {
        let mut terrain = self.terrain.clone();
        for index in 0..self.grid.cell_count() {
            let cell = self.grid.cell(index);
            if is_wall(cell) {
                terrain.set(cell, BLOCKED).expect("inside");
            }
        }
        let mut costs = CostField::new(&self.grid, &terrain, &MovementType::default());
        costs.set_links(Arc::new(Links::new(self.links.iter(), costs.stride())));
        costs
    }
}
