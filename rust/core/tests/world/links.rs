//! Fields over layers that are joined by links: exact, repaired like new ones, and leading to the goal.

use crate::common::linked::{Case, random_link};
use flow_swarm::IVec2;
use flow_swarm::Vec2;
use flow_swarm::flow::{Direction, DirectionRule, FlowField, LOOKAHEAD};
use flow_swarm::grid::links::{Link, Links};
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid, floor_to_cell};
use flow_swarm::integrate::{GoalCell, IntegrationField, Method, Repairer, Solvers, UNREACHED};
use flow_swarm::movement::{BLOCKED, Changes, CostField, MovementType};
use flow_swarm::terrain::Terrain;
use flow_swarm_bench::maps::SplitMix64;
use std::sync::Arc;

const METHODS: [(Method, DirectionRule); 6] = [
    (Method::Octile, DirectionRule::BestNeighbour),
    (Method::Octile, DirectionRule::NegativeGradient),
    (Method::Eikonal, DirectionRule::Characteristic),
    (Method::Eikonal, DirectionRule::BestNeighbour),
    (Method::Eikonal, DirectionRule::NegativeGradient),
    (Method::Predecessor, DirectionRule::Predecessor),
];

/// Follows a field over links.
trait Follow {
    fn assert_leads_to_a_goal(&self, field: &IntegrationField, flow: &FlowField, what: &str);
    fn walk(&self, flow: &FlowField, start: IVec2, path: usize, what: &str);
}

impl Follow for Case {
    /// If `step` uses a link, returns the link's end.
    fn assert_leads_to_a_goal(&self, field: &IntegrationField, flow: &FlowField, what: &str) {
        let stored = field.stored();
        for index in (0..stored.len()).filter(|&index| stored[index] != UNREACHED) {
            let start = self.costs.cell(index);
            let path = flow.path_from(start);
            let last = *path.last().expect("its start");
            assert!(flow.is_goal(last), "{what}: from {start} it ends in {last}");
            for pair in path.windows(2) {
                let [from, to] = [pair[0], pair[1]].map(|cell| stored[self.costs.index(cell)]);
                assert!(to < from, "{what}: {} to {}", pair[0], pair[1]);
                let is_step = (pair[1] - pair[0]).abs().max_element() <= 1;
                assert!(
                    is_step || flow.link_from(pair[0]) == Some(pair[1]),
                    "{what}"
                );
            }
            self.walk(flow, start, path.len(), what);
        }
    }

    /// Walks along the samples, and over links where they are to be used.
    fn walk(&self, flow: &FlowField, start: IVec2, path: usize, what: &str) {
        let mut at = start.as_vec2() + 0.5;
        // Between two goals a walk may end at another goal than the steps do.
        for _ in 0..(40 * (path + 4) + 400) {
            let cell = floor_to_cell(at);
            if flow.is_goal(cell) {
                return;
            }
            if let Some(end) = flow.link_from(cell) {
                assert_eq!(flow.direction_at(cell), Direction::LINK, "{what}");
                at = end.as_vec2() + (at - cell.as_vec2());
                continue;
            }
            at += flow.sample(at) * LOOKAHEAD;
            assert!(self.costs.is_open(floor_to_cell(at)), "{what}: {at}");
        }
        panic!("{what}: from {start} the walk is still at {at}");
    }
}

#[test]
fn costs_are_those_of_a_search_over_cells_and_links() {
    let mut random = SplitMix64::new(2300);
    for number in 0..400 {
        let case = Case::new(&mut random);
        let field = case.solve(Method::Octile);
        let scale = field.scale();
        let length =
            |cost: u8, step: usize| [scale.straight, scale.diagonal][step & 1] * u32::from(cost);
        assert_eq!(
            field.stored(),
            case.exact(&field, length),
            "octile, case {number}"
        );
        let field = case.solve(Method::Predecessor);
        let length = |cost: u8, step: usize| 2 * u32::from(cost) + 1 + (step as u32 & 1);
        assert_eq!(
            field.stored(),
            case.exact(&field, length),
            "system C's, case {number}"
        );
        // The Eikonal solver's costs are lengths of lines; they must reach the same cells.
        let lines = case.solve(Method::Eikonal);
        for (index, (&line, &steps)) in lines.stored().iter().zip(field.stored()).enumerate() {
            let cell = case.costs.cell(index);
            assert_eq!(
                line == UNREACHED,
                steps == UNREACHED,
                "{cell}, case {number}"
            );
        }
        for way in case.costs.links().edges() {
            let (from, to) = (lines.stored()[way.from], lines.stored()[way.to]);
            let by_link =
                u64::from(to) + u64::from((way.cost * lines.scale().straight as f32) as u32);
            let is_open = case.costs.costs()[way.from] != BLOCKED;
            assert!(!is_open || u64::from(from) <= by_link, "case {number}");
        }
    }
}

#[test]
fn rows_between_layers_are_walls_without_wall_penalty_or_clearance() {
    let size = IVec2::new(9, 6);
    let one = Grid::new(size, 1.0, Vec2::ZERO).expect("small");
    let grid = Grid::layered(size, 1.0, Vec2::ZERO, 3).expect("small");
    let penalty = flow_swarm::movement::WallPenalty::new(60, 32, true).expect("in range");
    let clearance = flow_swarm::movement::Clearance::new(1.2).expect("in range");
    for kind in [
        MovementType::with_wall_penalty(penalty),
        MovementType::default().with_clearance(clearance),
    ] {
        let (mut alone, mut stacked) = (Terrain::new(&one), Terrain::new(&grid));
        alone.set(IVec2::new(4, 3), BLOCKED).expect("inside");
        for layer in 0..3 {
            let place = grid.place_of(IVec2::new(4, 3), layer).expect("inside");
            stacked.set(place, BLOCKED).expect("inside");
        }
        let alone = CostField::new(&one, &alone, &kind);
        let mut costs = CostField::new(&grid, &stacked, &kind);
        for _ in 0..2 {
            for index in 0..grid.cell_count() {
                let place = grid.cell(index);
                let row = place.y % (6 + 32);
                let expected = alone.cost_at(IVec2::new(place.x, row));
                assert_eq!(costs.cost_at(place), expected, "{place}");
                assert_eq!(
                    costs.is_wall(place),
                    alone.is_wall(IVec2::new(place.x, row))
                );
            }
            // Painting the rows between layers changes nothing.
            let rect = CellRect {
                low: IVec2::new(0, 6),
                high: IVec2::new(9, 38),
            };
            stacked.fill_rect(rect, 5).expect("inside");
            assert_eq!(
                costs.update(&stacked, &kind, &[rect]),
                Changes::Cells(Vec::new())
            );
        }
    }
}

#[test]
fn agents_that_follow_a_field_over_links_arrive() {
    let mut random = SplitMix64::new(2316);
    for number in 0..60 {
        let case = Case::new(&mut random);
        for (method, rule) in METHODS {
            let field = case.solve(method);
            let flow = case.flow(&field, rule);
            case.assert_leads_to_a_goal(&field, &flow, &format!("case {number} by {rule:?}"));
        }
    }
}

#[test]
fn a_repaired_field_over_links_is_the_one_solved_anew() {
    let mut random = SplitMix64::new(5);
    let mut repairer = Repairer::new();
    let mut repaired = 0;
    for number in 0..120 {
        let mut case = Case::new(&mut random);
        let (method, rule) = METHODS[random.below(METHODS.len())];
        let mut field = case.solve(method);
        let mut flow = case.flow(&field, rule);
        for tick in 0..8 {
            let mut changed = Vec::new();
            if random.percent(50) {
                let last = case.links.len();
                match random.below(3) {
                    0 if last > 0 => drop(case.links.remove(random.below(last))),
                    1 if last > 0 => case.links[random.below(last)].cost = 2.0,
                    _ => case.links.push(random_link(&mut random, &case.grid)),
                }
                changed = case.set_links();
            }
            let mut regions = Vec::new();
            for _ in 0..random.below(4) {
                // Often the end of a link.
                let cell = match case.links.last() {
                    Some(link) if random.percent(50) => link.to,
                    _ => random_link(&mut random, &case.grid).from,
                };
                let id = [1, 1, 2, 9, BLOCKED, BLOCKED][random.below(6)];
                case.terrain.set(cell, id).expect("inside");
                regions.push(CellRect::cell(cell));
            }
            let kind = MovementType::default();
            match case.costs.update(&case.terrain, &kind, &regions) {
                Changes::Cells(cells) => changed.extend(cells),
                Changes::Regions(_) => unreachable!("few cells"),
            }
            changed.sort_unstable();
            changed.dedup();
            let limit = if random.percent(20) { 40 } else { usize::MAX };
            let expected = case.solve(method);
            let fits = repairer.repair_field(&case.costs, &case.goals, &changed, &mut field, limit);
            let what = format!("case {number}, tick {tick}, {method:?} by {rule:?}");
            if !fits {
                field = expected;
                flow = case.flow(&field, rule);
                continue;
            }
            repaired += 1;
            assert_eq!(field.stored(), expected.stored(), "{what}");
            assert_eq!(field.goals(), expected.goals(), "{what}");
            flow.forget_roots();
            let cells = repairer.affected(&case.costs, &changed);
            flow.update(&case.costs, &field, &case.targets, rule, cells);
            flow.follow_roots(&field, rule);
            let fresh = case.flow(&expected, rule);
            for index in 0..case.grid.cell_count() {
                let cell = case.grid.cell(index);
                let what = format!("{what}: {cell}");
                assert_eq!(flow.direction_at(cell), fresh.direction_at(cell), "{what}");
                assert_eq!(flow.link_from(cell), fresh.link_from(cell), "{what}");
                assert_eq!(flow.next_step(cell), fresh.next_step(cell), "{what}");
            }
        }
    }
    assert!(repaired > 300, "{repaired}");
}

/// A link that makes a cell some steps cheaper changes the cells within half as many steps.
#[test]
fn a_repair_is_given_up_at_once_where_it_changes_too_much() {
    const LIMIT: usize = 2_500;
    let grid = Grid::new(IVec2::new(200, 20), 1.0, Vec2::ZERO).expect("valid");
    let terrain = Terrain::new(&grid);
    let mut repairer = Repairer::new();
    for (method, _) in METHODS {
        for (end, expected) in [(170, true), (2, false)] {
            let mut costs = CostField::new(&grid, &terrain, &MovementType::default());
            let cell = IVec2::new(2, 10);
            let goals = [GoalCell { cell, cost: 0.0 }];
            let solved = Solvers::default().solve_goals(method, &costs, &goals);
            let mut field = solved.expect("small").0;
            let link = Link {
                from: IVec2::new(190, 10),
                to: IVec2::new(end, 10),
                cost: 1.0,
                both_ways: false,
                travel: Travel::default(),
            };
            let links = Links::new([link].iter(), costs.stride());
            let Changes::Cells(changed) = costs.set_links(Arc::new(links)) else {
                unreachable!("links are few");
            };
            let fits = repairer.repair_field(&costs, &goals, &changed, &mut field, LIMIT);
            let what = format!("{method:?} to {end}: {}", repairer.evaluated());
            assert_eq!(fits, expected, "{what}");
            assert_eq!(repairer.evaluated() > 100, fits, "{what}");
        }
    }
}
