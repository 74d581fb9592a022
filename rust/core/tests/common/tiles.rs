//! Tiled fields, and the whole fields with which they must agree.

use super::{cell_of, cost_field};
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::STEPS;
use flow_swarm::integrate::{GoalCell, IntegrationField, Solver, Solvers, UNREACHED};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::route::Sectors;
use flow_swarm::route::tiles::{BuildProgress, TileCache, TileSolver, TiledField};
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, rooms};

pub const SOLVERS: [Solver; 2] = [Solver::Eikonal, Solver::Octile];

pub struct Builder {
    pub solver: TileSolver,
    pub cache: TileCache,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            solver: TileSolver::new(),
            cache: TileCache::new(1 << 20),
        }
    }
}

impl Builder {
    pub fn finish(&mut self, field: &mut TiledField, costs: &CostField) -> usize {
        let built = field.build(
            costs,
            &mut self.solver,
            &mut self.cache,
            usize::MAX,
            &mut || false,
        );
        let BuildProgress { built, is_done, .. } = built.expect("small");
        assert!(is_done);
        built
    }

    pub fn some(
        &mut self,
        field: &mut TiledField,
        costs: &CostField,
        limit: usize,
    ) -> BuildProgress {
        let (solver, cache) = (&mut self.solver, &mut self.cache);
        field
            .build(costs, solver, cache, limit, &mut || false)
            .expect("small")
    }
}

pub fn layout_of(costs: &CostField, side: u32) -> Sectors {
    let size = IVec2::new(costs.width() as i32, costs.height() as i32);
    Sectors::new(size, side).expect("in range")
}

pub fn field_to(costs: &CostField, side: u32, goals: &[GoalCell], solver: Solver) -> TiledField {
    let targets: Vec<Vec2> = goals.iter().map(|goal| goal.cell.as_vec2() + 0.5).collect();
    TiledField::new(layout_of(costs, side), goals, &targets, solver)
}

pub fn all_sectors(field: &TiledField) -> Vec<u32> {
    (0..field.layout().count() as u32).collect()
}

/// Rooms on ground of two costs, cell by cell, in which all rules of the solvers apply.
pub fn speckled_rooms(seed: u64) -> CostMap {
    let mut map = rooms(60, 50, 11, seed);
    let mut random = SplitMix64::new(seed);
    for cost in map.cost.iter_mut().filter(|cost| **cost != WALL) {
        *cost = [1, 1, 1, 200][random.below(4)];
    }
    map
}

/// The map in which sectors that are not active are walls.
pub fn with_walls(map: &CostMap, field: &TiledField) -> CostMap {
    let mut map = map.clone();
    for index in 0..map.len() {
        let sector = field.layout().at(cell_of(&map, index));
        if !field.is_active(sector) {
            map.cost[index] = WALL;
        }
    }
    map
}

/// The whole field with which a tiled one must agree.
pub struct Oracle {
    pub map: CostMap,
    pub costs: CostField,
    pub integration: IntegrationField,
    pub flow: FlowField,
}

impl Oracle {
    pub fn new(map: CostMap, kind: &MovementType, goals: &[GoalCell], solver: Solver) -> Self {
        let costs = cost_field(&map, kind);
        let rule = DirectionRule::Characteristic;
        let (integration, _) = Solvers::default()
            .solve_goals(rule.method(solver), &costs, goals)
            .expect("small");
        let targets: Vec<Vec2> = goals.iter().map(|goal| goal.cell.as_vec2() + 0.5).collect();
        let flow = FlowField::new(&costs, &integration, &targets, rule, &Workers::serial());
        Self {
            map,
            costs,
            integration,
            flow,
        }
    }

    pub fn cost(&self, cell: IVec2) -> u32 {
        self.integration.stored()[self.costs.index(cell)]
    }

    /// Compares the costs along all borders, the cells that see the goal, and the directions of all cells.
    pub fn assert_agrees(&self, field: &TiledField, what: &str) {
        for sector in (0..field.layout().count() as u32).filter(|&sector| field.is_active(sector)) {
            let rect = field.layout().rect(sector);
            match field.border_costs(sector) {
                Some(costs) => {
                    for (cell, cost) in costs {
                        assert_eq!(cost, self.cost(cell), "{what}: {cell} in {rect:?}");
                    }
                }
                None => {
                    for y in rect.low.y..rect.high.y {
                        for x in rect.low.x..rect.high.x {
                            let cost = self.cost(IVec2::new(x, y));
                            assert_eq!(cost, UNREACHED, "{what}: ({x}, {y}) in {rect:?}");
                        }
                    }
                }
            }
        }
        for index in 0..self.map.len() {
            let cell = cell_of(&self.map, index);
            let sector = field.layout().at(cell);
            if !field.is_built(sector) {
                continue;
            }
            assert_eq!(
                field.is_goal(cell),
                self.flow.is_goal(cell),
                "{what}: {cell}"
            );
            if self.cost(cell) == UNREACHED {
                continue;
            }
            assert_eq!(
                field.sees_target(cell),
                self.flow.sees_target(cell),
                "{what}: {cell}"
            );
            self.assert_leads_down(field, cell, what);
        }
    }

    pub fn assert_leads_down(&self, field: &TiledField, cell: IVec2, what: &str) {
        let lower = field.lower_steps(cell);
        let legal = self.costs.steps_at(cell);
        let is_lower = |step: usize| self.cost(cell + STEPS[step]) < self.cost(cell);
        let expected = (0..8).filter(|&step| legal >> step & 1 == 1 && is_lower(step));
        let expected = expected.fold(0, |set, step| set | 1 << step);
        assert_eq!(lower, expected, "{what}: {cell}");
        let at = cell.as_vec2() + 0.5;
        let expected = self.flow.sample(at);
        let found = field.sample_for(at, 0.0).expect("built");
        assert!(
            found.distance(expected) < 0.01,
            "{what}: {cell}: {found} {expected}"
        );
    }
}

pub fn random_goals(random: &mut SplitMix64, map: &CostMap) -> Vec<GoalCell> {
    let farthest = if random.percent(50) { 1 } else { 40 };
    (0..1 + random.below(3))
        .map(|_| GoalCell {
            cell: cell_of(map, random.below(map.len())),
            cost: random.below(farthest) as f32 * 0.75,
        })
        .collect()
}

pub fn random_sectors(random: &mut SplitMix64, field: &TiledField, percent: u32) -> Vec<u32> {
    let chosen = all_sectors(field).into_iter();
    chosen.filter(|_| random.percent(percent)).collect()
}
