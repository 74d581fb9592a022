//! Tiled fields: what whole fields are, where they are needed.

mod common;

use common::{
    cell_of, center_of, cost_field, edit_like_a_game, every_map, index_of, penalty_types, unit_grid,
};
use flow_swarm::flow::{DirectionRule, FlowField, LOOKAHEAD};
use flow_swarm::grid::floor_to_cell;
use flow_swarm::integrate::{GoalCell, IntegrationField, Solver, Solvers, UNREACHED};
use flow_swarm::movement::{CostField, MovementType, STEPS};
use flow_swarm::route::tiles::{
    BuildProgress, Exit, PlainTile, SectorLayout, TileCache, TileSettings, TileSolver, TiledField,
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

/// Walks from a cell's middle until it is at a goal; every stride must lead from open ground to open ground.
fn walk(map: &CostMap, start: usize, field: &TiledField, most: usize, what: &str) {
    let costs = |cell: IVec2| map.is_passable(index_of(map, cell));
    let mut at = center_of(map, start);
    for _ in 0..most {
        let cell = floor_to_cell(at);
        if field.is_goal(cell) {
            return;
        }
        let direction = field.sample_for(at, 0.0).expect("active and built");
        assert!(
            (direction.length() - 1.0).abs() < 1.0e-4,
            "{what}: {direction} at {at}"
        );
        let next = at + direction * LOOKAHEAD;
        let entered = floor_to_cell(next);
        let beside = [IVec2::new(cell.x, entered.y), IVec2::new(entered.x, cell.y)];
        assert!(
            costs(entered) && beside.into_iter().any(costs),
            "{what}: from {start}: the step from {at} along {direction} enters a wall"
        );
        at = next;
    }
    panic!("{what}: from {start} the walk is still at {at} after {most} steps");
}

#[test]
fn walks_arrive_from_every_cell_whatever_the_sectors_are() {
    let mut random = SplitMix64::new(3);
    let mut builder = Builder::default();
    for (round, side) in [4, 5, 6, 8, 10, 13, 16, 21, 32, 47, 64]
        .into_iter()
        .enumerate()
    {
        let mut maps = every_map(38, 41, round as u64);
        for percent in [10, 25, 35] {
            maps.push((
                format!("{percent} % walls"),
                random_walls(45, 37, percent, side.into()),
            ));
        }
        for (name, map) in maps {
            let costs = cost_field(&map, &MovementType::default());
            let goals = random_goals(&mut random, &map);
            let solver = SOLVERS[random.below(2)];
            let mut field = field_to(&costs, side, &goals, solver);
            let percent = [100, 85][random.below(2)];
            let sectors = random_sectors(&mut random, &field, percent);
            field.activate(&sectors).expect("they exist");
            builder.finish(&mut field, &costs);
            let map = with_walls(&map, &field);
            let what = format!("{name}, sectors of {side}, {solver:?}");
            for start in 0..map.len() {
                let cell = cell_of(&map, start);
                if field.lower_steps(cell) != 0 {
                    walk(
                        &map,
                        start,
                        &field,
                        40 * (map.width + map.height) * 4,
                        &what,
                    );
                }
            }
        }
    }
}

/// One goal in the middle of clear ground, and everything active.
fn open_field(size: usize, side: u32) -> (CostField, TiledField) {
    let costs = cost_field(&open(size, size), &MovementType::default());
    let goal = IVec2::splat(size as i32 / 2);
    let mut field = field_to(&costs, side, &GoalCell::free(&[goal]), Solver::Eikonal);
    let sectors = all_sectors(&field);
    field.activate(&sectors).expect("they exist");
    (costs, field)
}

#[test]
fn a_budget_of_tiles_and_of_time_is_kept() {
    let (costs, mut field) = open_field(200, 10);
    let mut builder = Builder::default();
    let goal = field.goal_sectors()[0];
    let first = builder.some(&mut field, &costs, 0);
    assert_eq!(
        (first.built, first.is_done, field.is_built(goal)),
        (0, false, false)
    );
    let next = builder.some(&mut field, &costs, 7);
    assert_eq!(
        (next.built, next.is_done, field.is_built(goal)),
        (7, false, true)
    );
    let mut asked = 0;
    let mut should_stop = || {
        asked += 1;
        asked > 3
    };
    let (solver, cache) = (&mut builder.solver, &mut builder.cache);
    let stopped = field.build(&costs, solver, cache, usize::MAX, &mut should_stop);
    let stopped = stopped.expect("small");
    assert_eq!((stopped.built, stopped.is_done), (3, false));
    builder.finish(&mut field, &costs);
    assert!((0..field.layout().count() as u32).all(|sector| field.is_built(sector)));
    assert_eq!(builder.finish(&mut field, &costs), 0, "nothing is left");
}

#[test]
fn clear_ground_in_sight_of_the_goal_takes_one_look_and_no_memory() {
    let (costs, mut field) = open_field(400, 10);
    let mut builder = Builder::default();
    let built = builder.finish(&mut field, &costs);
    assert!(built < 1700, "{built} for 1600 sectors");
    assert!(builder.solver.solved() < 100, "{}", builder.solver.solved());
    let seen = (0..400 * 400).filter(|i| field.sees_target(IVec2::new(i % 400, i / 400)));
    assert_eq!(seen.count(), 400 * 400);
    assert!(field.tile_bytes() < 10_000, "{}", field.tile_bytes());
}

#[test]
fn a_cache_shares_tiles_and_keeps_its_limit() {
    let map = random_walls(120, 120, 12, 5);
    let costs = cost_field(&map, &MovementType::default());
    let goals = GoalCell::free(&[IVec2::new(60, 60), IVec2::new(61, 60), IVec2::new(60, 62)]);
    let mut solver = TileSolver::new();
    for limit in [0, 1, 20_000, 1 << 24] {
        let mut cache = TileCache::new(limit);
        let mut fields = Vec::new();
        let mut solved = Vec::new();
        for _ in 0..2 {
            let mut field = field_to(&costs, 10, &goals, Solver::Eikonal);
            field.activate(&all_sectors(&field)).expect("they exist");
            let before = solver.solved();
            let done = field.build(&costs, &mut solver, &mut cache, usize::MAX, &mut || false);
            assert!(done.expect("small").is_done);
            solved.push(solver.solved() - before);
            Oracle::new(
                map.clone(),
                &MovementType::default(),
                &goals,
                Solver::Eikonal,
            )
            .assert_agrees(&field, "cached");
            fields.push(field);
        }
        let statistics = cache.statistics();
        if limit == 1 << 24 {
            assert_eq!(solved[1], 0, "all is shared");
            assert_eq!(statistics.evictions, 0);
        }
        assert_eq!(statistics.tiles == 0, limit == 0);
        // Nothing that is in use is let go.
        assert!(limit == 0 || statistics.bytes >= fields[1].tile_bytes());
        drop(fields);
        cache.set_limit(limit / 2);
        assert!(
            cache.statistics().bytes <= limit / 2,
            "{:?}",
            cache.statistics()
        );
    }
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let (_, mut field) = open_field(20, 10);
    assert!(field.activate(&[0, 4]).is_err());
    assert!(field.deactivate(&[4]).is_err());
    assert_eq!(field.active_count(), 4);
    let settings = TileSettings {
        significant_difference: -1.0,
        ..TileSettings::default()
    };
    let layout = *field.layout();
    assert!(TiledField::new(layout, &[], &[], settings).is_err());
    assert!(field.sample_for(Vec2::splat(f32::NAN), 0.0).is_none());
}

#[test]
fn a_significant_difference_saves_work_and_still_leads_to_the_goal() {
    let map = random_walls(150, 150, 15, 9);
    let costs = cost_field(&map, &MovementType::default());
    let goals = GoalCell::free(&[cell_of(&map, common::central_goal(&map).expect("open"))]);
    let mut builder = Builder::default();
    let mut built = Vec::new();
    for significant_difference in [0.0, 0.5] {
        let settings = TileSettings {
            significant_difference,
            ..TileSettings::default()
        };
        let layout = layout_of(&costs, 10);
        let mut field = TiledField::new(layout, &goals, &[], settings).expect("valid");
        field.activate(&all_sectors(&field)).expect("they exist");
        built.push(builder.finish(&mut field, &costs));
        for start in (0..map.len()).step_by(7) {
            if field.lower_steps(cell_of(&map, start)) != 0 {
                walk(&map, start, &field, 20_000, "significant difference");
            }
        }
    }
    assert!(built[1] < built[0], "{built:?}");
}

#[test]
fn plain_tiles_lead_out_by_their_exit_and_are_shared() {
    let mut random = SplitMix64::new(8);
    let mut builder = Builder::default();
    for round in 0..200 {
        let map = random_walls(37, 33, 20, round);
        let costs = cost_field(&map, &MovementType::default());
        let layout = layout_of(&costs, [5, 10, 16][random.below(3)]);
        let sector = random.below(layout.count()) as u32;
        let side = [0, 2, 4, 6][random.below(4)];
        let Some(next) = layout.neighbour(sector, side) else {
            continue;
        };
        let rect = layout.rect(sector);
        let size = rect.high - rect.low;
        let length = if side % 4 == 0 { size.y } else { size.x } as u32;
        let exit = Exit {
            side,
            cells: 0..length,
        };
        for solver in SOLVERS {
            let tools = (&mut builder.solver, &mut builder.cache);
            let tile = PlainTile::to_exit(&layout, sector, &exit, solver, &costs, tools);
            let tile = tile.expect("it exists");
            for y in rect.low.y..rect.high.y {
                for x in rect.low.x..rect.high.x {
                    let mut at = IVec2::new(x, y).as_vec2() + 0.5;
                    if !costs.is_open(IVec2::new(x, y))
                        || tile.sample_for(at, 0.0) == Some(Vec2::ZERO)
                    {
                        continue;
                    }
                    let mut strides = 0;
                    while let Some(direction) = tile.sample_for(at, 0.0) {
                        at += direction * LOOKAHEAD;
                        assert!(costs.is_open(floor_to_cell(at)), "round {round}: {at}");
                        strides += 1;
                        assert!(
                            strides < 4000,
                            "round {round}: from ({x}, {y}) still at {at}"
                        );
                    }
                    assert_eq!(layout.sector_of(floor_to_cell(at)), next, "round {round}");
                }
            }
            let solved = builder.solver.solved();
            let tools = (&mut builder.solver, &mut builder.cache);
            PlainTile::to_exit(&layout, sector, &exit, solver, &costs, tools).expect("it exists");
            assert_eq!(builder.solver.solved(), solved, "it is in the cache");
        }
        let bad = Exit {
            side,
            cells: 0..length + 1,
        };
        let tools = (&mut builder.solver, &mut builder.cache);
        assert!(PlainTile::to_exit(&layout, sector, &bad, Solver::Eikonal, &costs, tools).is_err());
    }
}
