//! A repaired field equals the result of a full solve, bit for bit.

use crate::common::{assert_same_flow, edit_like_a_game, penalty_types, unit_grid};
use flow_swarm::flow::{DirectionRule, FlowField};
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::{
    GoalCell, IntegrationField, Method, Repairer, Root, Solvers, UNREACHED,
};
use flow_swarm::movement::{Changes, CostField, MovementType};
use flow_swarm::terrain::{Terrain, WALL};
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, every_kind};

/// One field under edits, without a world.
struct Sequence {
    kind: MovementType,
    terrain: Terrain,
    costs: CostField,
    cells: Vec<IVec2>,
    goals: Vec<GoalCell>,
    targets: Vec<Vec2>,
    field: IntegrationField,
    method: Method,
    /// All rules that use its costs.
    rules: &'static [DirectionRule],
    flows: Vec<FlowField>,
}

/// Memory that is kept between sequences, as between the fields of a world.
#[derive(Default)]
struct Memory {
    solvers: Solvers,
    repairer: Repairer,
    repaired: usize,
    given_up: usize,
}

impl Memory {
    fn solve(&mut self, method: Method, costs: &CostField, goals: &[GoalCell]) -> IntegrationField {
        let solved = self.solvers.solve_goals(method, costs, goals);
        solved.expect("small").0
    }
}

const METHODS: [(Method, &[DirectionRule]); 3] = [
    (
        Method::Octile,
        &[
            DirectionRule::BestNeighbour,
            DirectionRule::NegativeGradient,
        ],
    ),
    (
        Method::Eikonal,
        &[
            DirectionRule::Characteristic,
            DirectionRule::BestNeighbour,
            DirectionRule::NegativeGradient,
        ],
    ),
    (Method::Predecessor, &[DirectionRule::Predecessor]),
];

impl Sequence {
    fn new(map: &CostMap, random: &mut SplitMix64, memory: &mut Memory) -> Self {
        let grid = unit_grid(map);
        let kind = penalty_types()[random.below(3)].clone();
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost).expect("same size");
        let costs = CostField::new(&grid, &terrain, &kind);
        let cells: Vec<IVec2> = (0..1 + random.below(3))
            .map(|_| grid.cell(random.below(map.len())))
            .collect();
        // In half of the sequences some goals have initial costs.
        let farthest = if random.percent(50) { 1 } else { 40 };
        let goals = cells.iter().map(|&cell| GoalCell {
            cell,
            cost: random.below(farthest) as f32 * 0.75,
        });
        let goals: Vec<GoalCell> = goals.collect();
        let targets = cells.iter().map(|cell| cell.as_vec2() + 0.25).collect();
        let (method, rules) = METHODS[random.below(3)];
        let field = memory.solve(method, &costs, &goals);
        let mut sequence = Self {
            kind,
            terrain,
            costs,
            cells,
            goals,
            targets,
            field,
            method,
            rules,
            flows: Vec::new(),
        };
        sequence.flows = sequence.fresh_flows(&sequence.field);
        sequence
    }

    fn fresh_flows(&self, field: &IntegrationField) -> Vec<FlowField> {
        let flows = self.rules.iter().map(|&rule| self.flow(field, rule));
        flows.collect()
    }

    fn flow(&self, field: &IntegrationField, rule: DirectionRule) -> FlowField {
        FlowField::new(&self.costs, field, &self.targets, rule, &Workers::serial())
    }

    /// Makes the edits of one tick, and then a repair that may examine `limit` cells.
    fn tick(&mut self, random: &mut SplitMix64, limit: usize, memory: &mut Memory, what: &str) {
        let size = IVec2::new(self.costs.width() as i32, self.costs.height() as i32);
        let mut regions = Vec::new();
        let terrain = &mut self.terrain;
        edit_like_a_game(random, size, &self.cells, |rect, id| {
            terrain.fill_rect(rect, id).expect("inside");
            regions.push(rect);
        });
        let changed = match self.costs.update(&self.terrain, &self.kind, &regions) {
            Changes::Cells(cells) => cells,
            // Repair also supports a list of all cells.
            Changes::Regions(_) => every_cell(&self.costs),
        };
        let before = (self.field.stored().to_vec(), self.field.goals().to_vec());
        let expected = memory.solve(self.method, &self.costs, &self.goals);
        let repairer = &mut memory.repairer;
        let (costs, field) = (&self.costs, &mut self.field);
        // Roots can be changed in place only while no other owner shares them.
        self.flows.iter_mut().for_each(FlowField::forget_roots);
        let repaired = repairer.repair_field(costs, &self.goals, &changed, field, limit);
        for (flow, &rule) in self.flows.iter_mut().zip(self.rules) {
            flow.follow_roots(field, rule);
        }
        if repaired {
            memory.repaired += 1;
            assert!(repairer.evaluated() <= limit, "{what}");
            let cells = repairer.affected(&self.costs, &changed);
            for (flow, &rule) in self.flows.iter_mut().zip(self.rules) {
                flow.update(&self.costs, &self.field, &self.targets, rule, cells);
            }
        } else {
            assert!(limit < usize::MAX, "{what}: nothing else is a reason");
            memory.given_up += 1;
            assert!(self.field.stored() == before.0, "{what}: taken back");
            assert!(self.field.goals() == before.1, "{what}: taken back");
            self.field = expected.clone();
            self.flows = self.fresh_flows(&self.field);
        }
        assert_eq!(self.field.scale(), expected.scale(), "{what}");
        assert_eq!(self.field.goals(), expected.goals(), "{what}");
        assert!(self.field.stored() == expected.stored(), "{what}: costs");
        let reached = |&(cell, _): &(usize, &Root)| expected.stored()[cell] != UNREACHED;
        let roots = |field: &IntegrationField| -> Vec<Root> {
            let roots = field.roots().iter().enumerate().filter(reached);
            roots.map(|(_, &root)| root).collect()
        };
        assert!(roots(&self.field) == roots(&expected), "{what}: roots");
        for (flow, fresh) in self.flows.iter().zip(self.fresh_flows(&expected)) {
            assert_same_flow(flow, &fresh, size, what);
        }
    }
}

fn every_cell(costs: &CostField) -> Vec<u32> {
    let rows = 0..costs.height() as i32;
    rows.flat_map(|y| (0..costs.width() as i32).map(move |x| IVec2::new(x, y)))
        .map(|cell| costs.index(cell) as u32)
        .collect()
}

#[test]
fn ten_thousand_sequences_of_edits_end_where_full_solves_do() {
    let mut maps = Vec::new();
    for (width, height) in [(1, 1), (1, 30), (30, 1), (2, 2), (9, 7), (17, 14), (31, 22)] {
        for seed in 0..3 {
            maps.extend(every_kind(width, height, seed));
        }
    }
    let mut random = SplitMix64::new(1);
    let mut memory = Memory::default();
    for round in 0..10_000 {
        let (name, map) = &maps[random.below(maps.len())];
        let mut sequence = Sequence::new(map, &mut random, &mut memory);
        for tick in 0..1 + random.below(6) {
            let limit = if random.percent(25) {
                random.below(map.len() + 20)
            } else {
                usize::MAX
            };
            let what = format!(
                "{name} {}x{}, round {round}, tick {tick}",
                map.width, map.height
            );
            sequence.tick(&mut random, limit, &mut memory, &what);
        }
    }
    assert!(memory.repaired > 25_000, "{} repairs", memory.repaired);
    assert!(memory.given_up > 1_000, "{} given up", memory.given_up);
}

#[test]
fn larger_maps_are_repaired_too() {
    let mut random = SplitMix64::new(2);
    let mut memory = Memory::default();
    for (name, map) in every_kind(150, 131, 4) {
        let mut sequence = Sequence::new(&map, &mut random, &mut memory);
        for tick in 0..20 {
            let what = format!("{name}, tick {tick}");
            sequence.tick(&mut random, usize::MAX, &mut memory, &what);
        }
    }
}

/// Shadows of single cells, which are swept, among few walls or none. They reach the map's edge, other walls and other
/// shadows, and belong to several goals or to corners.
#[test]
fn cells_closed_and_opened_in_the_open_are_repaired() {
    let mut memory = Memory::default();
    let (mut repaired, mut closed) = (0, 0);
    for seed in (0..120).chain(crate::common::fresh_seeds(20, 10)) {
        let mut random = SplitMix64::new(seed);
        let size = IVec2::new(30 + random.below(120) as i32, 30 + random.below(120) as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        let walls = [0, 0, 3, 40][random.below(4)];
        let cost = [1, 1, 7][random.below(3)];
        terrain.fill_rect(grid.cells(), cost).expect("inside");
        let mut anywhere = || grid.cell(random.below(grid.cell_count()));
        for _ in 0..walls {
            terrain.set(anywhere(), WALL).expect("inside");
        }
        let goals: Vec<GoalCell> = (0..1 + seed % 3)
            .map(|number| GoalCell {
                cell: anywhere(),
                cost: number as f32 * 9.5,
            })
            .collect();
        let kind = MovementType::default();
        let mut costs = CostField::new(&grid, &terrain, &kind);
        let mut field = memory.solve(Method::Eikonal, &costs, &goals);
        for tick in 0..60 {
            let cell = anywhere();
            let is_wall = terrain.get(cell).expect("inside") == WALL;
            terrain
                .set(cell, if is_wall { cost } else { WALL })
                .expect("inside");
            closed += usize::from(!is_wall);
            let region = CellRect::cell(cell);
            let Changes::Cells(changed) = costs.update(&terrain, &kind, &[region]) else {
                panic!("one cell is not many");
            };
            let limit = [usize::MAX, usize::MAX, 150][tick % 3];
            let before = (field.stored().to_vec(), field.roots().to_vec());
            let expected = memory.solve(Method::Eikonal, &costs, &goals);
            let repairer = &mut memory.repairer;
            if repairer.repair_field(&costs, &goals, &changed, &mut field, limit) {
                repaired += 1;
                assert!(repairer.evaluated() <= limit);
            } else {
                assert!(limit < usize::MAX, "nothing else is a reason");
                assert!(field.stored() == before.0, "{seed} {cell}: taken back");
                assert!(**field.roots() == before.1, "{seed} {cell}: taken back");
                field = expected.clone();
            }
            assert_same_values(&field, &expected, &format!("{seed} {cell}"));
        }
    }
    assert!(repaired > 5000 && closed > 5000, "{repaired}, {closed}");
}

/// Every cell of a map without walls: shadows of all slopes that begin near the goal and far from it, at edges and in
/// corners.
#[test]
fn any_cell_closed_and_opened_on_an_empty_map_is_repaired() {
    let mut memory = Memory::default();
    let grid = Grid::new(IVec2::new(75, 61), 1.0, Vec2::ZERO).expect("valid");
    let mut terrain = Terrain::new(&grid);
    terrain.fill_rect(grid.cells(), 3).expect("inside");
    let kind = MovementType::default();
    let mut costs = CostField::new(&grid, &terrain, &kind);
    let goals = [GoalCell {
        cell: IVec2::new(9, 13),
        cost: 0.0,
    }];
    let mut field = memory.solve(Method::Eikonal, &costs, &goals);
    for index in 0..grid.cell_count() {
        let cell = grid.cell(index);
        for id in [WALL, 3] {
            terrain.set(cell, id).expect("inside");
            let region = CellRect::cell(cell);
            let Changes::Cells(changed) = costs.update(&terrain, &kind, &[region]) else {
                panic!("one cell is not many");
            };
            let repairer = &mut memory.repairer;
            assert!(repairer.repair_field(&costs, &goals, &changed, &mut field, usize::MAX));
            let expected = memory.solve(Method::Eikonal, &costs, &goals);
            assert_same_values(&field, &expected, &format!("{cell} is {id}"));
        }
    }
}

fn assert_same_values(field: &IntegrationField, expected: &IntegrationField, what: &str) {
    assert!(field.stored() == expected.stored(), "{what}: costs");
    let roots = field.roots().iter().zip(&**expected.roots());
    for ((root, expected), &cost) in roots.zip(field.stored()) {
        assert!(root == expected || cost == UNREACHED, "{what}: roots");
    }
}
