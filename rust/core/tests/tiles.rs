//! Tiled fields: what whole fields are, where they are needed.

mod common;

use common::{
    cell_of, center_of, cost_field, edit_like_a_game, every_map, index_of, penalty_types, unit_grid,
};
use flow_swarm::flow::{DirectionRule, FlowField, LOOKAHEAD};
use flow_swarm::grid::floor_to_cell;
use flow_swarm::integrate::{GoalCell, IntegrationField, Solver, Solvers, UNREACHED};
use flow_swarm::movement::{BLOCKED, Changes, CostField, MovementType, STEPS};
use flow_swarm::route::tiles::{
    BuildProgress, SectorLayout, TileCache, TileSettings, TileSolver, TiledField,
};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, every_kind, open, random_walls};

const SOLVERS: [Solver; 2] = [Solver::Eikonal, Solver::Octile];

struct Builder {
    solver: TileSolver,
    cache: TileCache,
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
    fn finish(&mut self, field: &mut TiledField, costs: &CostField) -> usize {
        let built = field.build(
            costs,
            &mut self.solver,
            &mut self.cache,
            usize::MAX,
            &mut || false,
        );
        let BuildProgress { built, is_done } = built.expect("small");
        assert!(is_done);
        built
    }

    fn some(&mut self, field: &mut TiledField, costs: &CostField, limit: usize) -> BuildProgress {
        let (solver, cache) = (&mut self.solver, &mut self.cache);
        field
            .build(costs, solver, cache, limit, &mut || false)
            .expect("small")
    }
}

fn layout_of(costs: &CostField, side: u32) -> SectorLayout {
    let size = IVec2::new(costs.width() as i32, costs.height() as i32);
    SectorLayout::new(size, side).expect("in range")
}

fn field_to(costs: &CostField, side: u32, goals: &[GoalCell], solver: Solver) -> TiledField {
    let targets: Vec<Vec2> = goals.iter().map(|goal| goal.cell.as_vec2() + 0.5).collect();
    let settings = TileSettings {
        solver,
        ..TileSettings::default()
    };
    TiledField::new(layout_of(costs, side), goals, &targets, settings).expect("valid")
}

fn all_sectors(field: &TiledField) -> Vec<u32> {
    (0..field.layout().count() as u32).collect()
}

/// The map on which sectors that are not active are walls.
fn with_walls(map: &CostMap, field: &TiledField) -> CostMap {
    let mut map = map.clone();
    for index in 0..map.len() {
        let sector = field.layout().sector_of(cell_of(&map, index));
        if !field.is_active(sector) {
            map.cost[index] = WALL;
        }
    }
    map
}

/// The whole field that a tiled one must agree with.
struct Oracle {
    map: CostMap,
    costs: CostField,
    integration: IntegrationField,
    flow: FlowField,
}

impl Oracle {
    fn new(map: CostMap, kind: &MovementType, goals: &[GoalCell], solver: Solver) -> Self {
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

    fn cost(&self, cell: IVec2) -> u32 {
        self.integration.stored()[self.costs.index(cell)]
    }

    /// The costs along all borders, which of all cells see the goal, and where all cells lead.
    fn assert_agrees(&self, field: &TiledField, what: &str) {
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
            let sector = field.layout().sector_of(cell);
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

    fn assert_leads_down(&self, field: &TiledField, cell: IVec2, what: &str) {
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

fn random_goals(random: &mut SplitMix64, map: &CostMap) -> Vec<GoalCell> {
    let farthest = if random.percent(50) { 1 } else { 40 };
    (0..1 + random.below(3))
        .map(|_| GoalCell {
            cell: cell_of(map, random.below(map.len())),
            cost: random.below(farthest) as f32 * 0.75,
        })
        .collect()
}

fn random_sectors(random: &mut SplitMix64, field: &TiledField, percent: u32) -> Vec<u32> {
    let chosen = all_sectors(field).into_iter();
    chosen.filter(|_| random.percent(percent)).collect()
}

#[test]
fn tiles_agree_with_the_whole_field_to_the_bit() {
    let mut random = SplitMix64::new(1);
    let mut builder = Builder::default();
    for (seed, side) in [(1, 4), (2, 5), (3, 7), (4, 10), (5, 16), (6, 32), (7, 64)] {
        for (name, map) in every_map(33 + side, 51, u64::from(seed as u32)) {
            for kind in penalty_types() {
                for solver in SOLVERS {
                    let costs = cost_field(&map, &kind);
                    let goals = random_goals(&mut random, &map);
                    for percent in [100, 70] {
                        let mut field = field_to(&costs, side as u32, &goals, solver);
                        let sectors = random_sectors(&mut random, &field, percent);
                        field.activate(&sectors).expect("they exist");
                        builder.finish(&mut field, &costs);
                        let map = with_walls(&map, &field);
                        // The walls that stand for sectors that are not active have no penalty around them.
                        if kind == MovementType::default() || percent == 100 {
                            let oracle = Oracle::new(map, &kind, &goals, solver);
                            let what =
                                format!("{name}, sectors of {side}, {solver:?}, {percent} %");
                            oracle.assert_agrees(&field, &what);
                        }
                    }
                }
            }
        }
    }
}

/// Terrain under edits, and a tiled field on it.
struct Sequence {
    map: CostMap,
    kind: MovementType,
    terrain: Terrain,
    costs: CostField,
    goals: Vec<GoalCell>,
    solver: Solver,
    field: TiledField,
}

impl Sequence {
    fn new(map: &CostMap, side: u32, solver: Solver, random: &mut SplitMix64) -> Self {
        let kind = penalty_types()[random.below(3)].clone();
        let mut terrain = Terrain::new(&unit_grid(map));
        terrain.set_bytes(&map.cost).expect("same size");
        let costs = cost_field(map, &kind);
        let goals = random_goals(random, map);
        let field = field_to(&costs, side, &goals, solver);
        Self {
            map: map.clone(),
            kind,
            terrain,
            costs,
            goals,
            solver,
            field,
        }
    }

    fn edit(&mut self, random: &mut SplitMix64) {
        let size = IVec2::new(self.map.width as i32, self.map.height as i32);
        let targets: Vec<IVec2> = self.goals.iter().map(|goal| goal.cell).collect();
        let mut regions = Vec::new();
        let (terrain, map) = (&mut self.terrain, &mut self.map);
        edit_like_a_game(random, size, &targets, |rect, id| {
            terrain.fill_rect(rect, id).expect("inside");
            regions.push(rect);
            for y in rect.low.y..rect.high.y {
                for x in rect.low.x..rect.high.x {
                    let index = map.index(x as usize, y as usize);
                    map.cost[index] = id;
                }
            }
        });
        let changes = self.costs.update(&self.terrain, &self.kind, &regions);
        self.field.invalidate(&self.costs, &changes);
    }

    fn switch(&mut self, random: &mut SplitMix64) {
        let sectors = random_sectors(random, &self.field, 20);
        if random.percent(60) {
            self.field.activate(&sectors).expect("they exist");
        } else {
            self.field.deactivate(&sectors).expect("they exist");
        }
    }

    /// Compares with a field that is built from nothing.
    fn assert_as_fresh(&self, builder: &mut Builder, what: &str) {
        let side = self.field.layout().side();
        let mut fresh = field_to(&self.costs, side, &self.goals, self.solver);
        let active = all_sectors(&fresh).into_iter();
        let active: Vec<u32> = active
            .filter(|&sector| self.field.is_active(sector))
            .collect();
        fresh.activate(&active).expect("they exist");
        builder.finish(&mut fresh, &self.costs);
        for &sector in &active {
            let reached = |field: &TiledField| {
                let costs = field.border_costs(sector)?;
                let any = costs.iter().any(|&(_, cost)| cost != UNREACHED);
                any.then_some(costs)
            };
            assert_eq!(
                reached(&self.field),
                reached(&fresh),
                "{what}: sector {sector}"
            );
        }
        for index in 0..self.map.len() {
            let cell = cell_of(&self.map, index);
            let (found, expected) = (self.field.lower_steps(cell), fresh.lower_steps(cell));
            assert_eq!(found, expected, "{what}: {cell}");
            assert_eq!(
                self.field.is_goal(cell),
                fresh.is_goal(cell),
                "{what}: {cell}"
            );
            assert_eq!(
                self.field.sees_target(cell),
                fresh.sees_target(cell),
                "{what}: {cell}"
            );
        }
        if self.kind == MovementType::default() {
            let map = with_walls(&self.map, &self.field);
            Oracle::new(map, &self.kind, &self.goals, self.solver).assert_agrees(&self.field, what);
        }
    }
}

#[test]
fn after_any_edits_tiles_are_what_they_would_be_from_nothing() {
    let mut maps = Vec::new();
    for (width, height) in [(1, 1), (1, 30), (30, 1), (9, 7), (27, 24), (41, 32)] {
        for seed in 0..3 {
            maps.extend(every_kind(width, height, seed));
        }
    }
    let mut random = SplitMix64::new(1);
    let mut builder = Builder::default();
    for round in 0..1500 {
        let (name, map) = &maps[random.below(maps.len())];
        let side = [4, 5, 8, 11, 16][random.below(5)];
        let solver = SOLVERS[random.below(2)];
        let mut sequence = Sequence::new(map, side, solver, &mut random);
        let sectors = random_sectors(&mut random, &sequence.field, 80);
        sequence.field.activate(&sectors).expect("they exist");
        for tick in 0..6 {
            let what = format!("{name}, sectors of {side}, {solver:?}, round {round}, tick {tick}");
            match random.below(4) {
                0 => sequence.switch(&mut random),
                _ if tick > 0 => sequence.edit(&mut random),
                _ => {}
            }
            // In between, building may be interrupted by the next edit.
            if random.percent(30) {
                let limit = random.below(6);
                let progress = builder.some(&mut sequence.field, &sequence.costs, limit);
                assert!(progress.built <= limit);
            } else {
                let built = builder.finish(&mut sequence.field, &sequence.costs);
                let few = 20 * sequence.field.active_count() + 20;
                assert!(built <= few, "{what}: {built} tiles for {few}");
                sequence.assert_as_fresh(&mut builder, &what);
            }
        }
    }
}
