//! Flow tiles, section 9: layers. Links join overlapping sectors (Emerson, Game AI Pro, 23.16), and tiles and routes
//! use them as whole fields do.

use crate::common::linked::Case;
use crate::common::portals::{
    STRAIGHT, costs_to_go, goals_in, graph_of, open_goals, route_cost, settings,
};
use crate::common::tiles::{Builder, SOLVERS, all_sectors, random_sectors};
use flow_swarm::IVec2;
use flow_swarm::flow::{DirectionRule, FlowField, LOOKAHEAD};
use flow_swarm::grid::STEPS;
use flow_swarm::grid::floor_to_cell;
use flow_swarm::integrate::{IntegrationField, Solver, UNREACHED};
use flow_swarm::movement::{Changes, CostField};
use flow_swarm::route::tiles::TiledField;
use flow_swarm::route::{GoalRoutes, MAX_SECTOR_SIZE, SectorLinks, SectorSearch, Sectors};
use flow_swarm::workers::Workers;
use flow_swarm_bench::maps::SplitMix64;
use proptest::prelude::*;
use std::sync::Arc;

fn sectors_of(costs: &CostField, side: u32) -> Sectors {
    let size = IVec2::new(costs.width() as i32, costs.height() as i32);
    Sectors::new(size, side).expect("in range")
}

fn tiles_of(case: &Case, side: u32, solver: Solver) -> TiledField {
    let sectors = sectors_of(&case.costs, side);
    let field = TiledField::new(sectors, &case.goals, &case.targets, solver);
    field.with_links(Arc::new(SectorLinks::new(&sectors, &case.costs)))
}

/// The whole field over cells and links with which a tiled one must agree.
struct Whole {
    costs: CostField,
    integration: IntegrationField,
    flow: FlowField,
}

impl Whole {
    fn new(case: &Case, field: &TiledField, solver: Solver) -> Self {
        let sectors = *field.layout();
        let costs = case.costs_with_walls(|cell| !field.is_active(sectors.at(cell)));
        let rule = DirectionRule::Characteristic;
        let mut solvers = flow_swarm::integrate::Solvers::default();
        let solved = solvers.solve_goals(rule.method(solver), &costs, &case.goals);
        let (integration, _) = solved.expect("small");
        let flow = FlowField::new(
            &costs,
            &integration,
            &case.targets,
            rule,
            &Workers::serial(),
        );
        Self {
            costs,
            integration,
            flow,
        }
    }

    fn cost(&self, cell: IVec2) -> u32 {
        self.integration.stored()[self.costs.index(cell)]
    }

    fn assert_agrees(&self, case: &Case, field: &TiledField, what: &str) {
        for sector in all_sectors(field)
            .into_iter()
            .filter(|&sector| field.is_active(sector))
        {
            for (cell, cost) in field.border_costs(sector).into_iter().flatten() {
                assert_eq!(cost, self.cost(cell), "{what}: {cell}");
            }
        }
        for index in 0..case.grid.cell_count() {
            let cell = case.grid.cell(index);
            let what = format!("{what}: {cell}");
            let sector = field.layout().at(cell);
            if !field.is_built(sector) {
                assert_eq!(self.cost(cell), UNREACHED, "{what}");
                continue;
            }
            assert_eq!(field.is_goal(cell), self.flow.is_goal(cell), "{what}");
            if self.cost(cell) == UNREACHED {
                assert_eq!(field.link_from(cell), None, "{what}");
                continue;
            }
            assert_eq!(field.link_from(cell), self.flow.link_from(cell), "{what}");
            assert_eq!(
                field.sees_target(cell),
                self.flow.sees_target(cell),
                "{what}"
            );
            let legal = self.costs.steps_at(cell);
            let is_lower = |step: usize| self.cost(cell + STEPS[step]) < self.cost(cell);
            let lower = (0..8).filter(|&step| legal >> step & 1 == 1 && is_lower(step));
            let lower = lower.fold(0, |set, step| set | 1 << step);
            assert_eq!(field.lower_steps(cell), lower, "{what}");
            let at = cell.as_vec2() + 0.5;
            let (found, expected) = (field.sample_for(at, 0.0), self.flow.sample(at));
            let found = found.expect("built");
            assert!(
                found.distance(expected) < 0.01,
                "{what}: {found} {expected}"
            );
        }
    }
}

/// Walks over tiles and links from the centre of a cell to a goal.
fn walk(case: &Case, field: &TiledField, start: IVec2, what: &str) {
    let mut at = start.as_vec2() + 0.5;
    for _ in 0..20_000 {
        let cell = floor_to_cell(at);
        if field.is_goal(cell) {
            return;
        }
        if let Some(end) = field.link_from(cell) {
            at = end.as_vec2() + (at - cell.as_vec2());
            continue;
        }
        let direction = field.sample_for(at, 0.0).expect("active and built");
        assert!(
            direction.length() > 0.9,
            "{what}: from {start} lost at {at}"
        );
        at += direction * LOOKAHEAD;
        assert!(case.costs.is_open(floor_to_cell(at)), "{what}: {at}");
    }
    panic!("{what}: from {start} the walk is still at {at}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn section_9_tiles_over_links_agree_with_the_whole_field_to_the_bit(
        seed in any::<u64>(),
        side in prop::sample::select(vec![4_u32, 5, 8, 11, 16, 40, 64]),
        is_octile in any::<bool>(),
        percent in prop::sample::select(vec![100_u32, 100, 75]),
    ) {
        let solver = SOLVERS[usize::from(is_octile)];
        let mut random = SplitMix64::new(seed);
        let mut builder = Builder::default();
        for _ in 0..4 {
            let case = Case::with_ramps(&mut random);
            let mut field = tiles_of(&case, side, solver);
            let sectors = random_sectors(&mut random, &field, percent);
            field.activate(&sectors).expect("they exist");
            let built = builder.finish(&mut field, &case.costs);
            prop_assert!(built <= 4 * sectors.len() + 4, "{} for {}", built, sectors.len());
            let whole = Whole::new(&case, &field, solver);
            whole.assert_agrees(&case, &field, &format!("sectors of {side}, {solver:?}"));
        }
    }

    #[test]
    fn after_any_edits_of_links_and_ground_tiles_are_the_whole_field(
        seed in any::<u64>(),
        side in prop::sample::select(vec![4_u32, 7, 16, 33]),
        is_octile in any::<bool>(),
    ) {
        let solver = SOLVERS[usize::from(is_octile)];
        let mut random = SplitMix64::new(seed);
        let mut builder = Builder::default();
        let mut case = Case::with_ramps(&mut random);
        let mut field = tiles_of(&case, side, solver);
        let sectors = random_sectors(&mut random, &field, 90);
        field.activate(&sectors).expect("they exist");
        for tick in 0..10 {
            if random.percent(25) {
                let some = random_sectors(&mut random, &field, 20);
                let switched = if random.percent(60) {
                    field.activate(&some)
                } else {
                    field.deactivate(&some)
                };
                switched.expect("they exist");
            }
            if tick > 0 {
                let changed = case.edit(&mut random);
                let links = Arc::new(SectorLinks::new(field.layout(), &case.costs));
                let sector = |&index: &u32| field.layout().at(case.costs.cell(index as usize));
                let mut sectors: Vec<u32> = changed.iter().map(sector).collect();
                sectors.sort_unstable();
                sectors.dedup();
                field.invalidate(&case.costs, &Changes::Cells(changed));
                if random.percent(40) {
                    // Tiles are built with the links from before the change.
                    let limit = random.below(40);
                    builder.some(&mut field, &case.costs, limit);
                }
                field.set_links(links, &sectors);
            }
            if random.percent(35) {
                let limit = random.below(6);
                prop_assert!(builder.some(&mut field, &case.costs, limit).built <= limit);
                continue;
            }
            let built = builder.finish(&mut field, &case.costs);
            let few = 40 * field.active_count() + 40;
            prop_assert!(built <= few, "{} tiles for {}", built, field.active_count());
            let whole = Whole::new(&case, &field, solver);
            whole.assert_agrees(&case, &field, &format!("tick {tick}, {solver:?}, {side}"));
        }
    }
}

/// Links within a sector are part of its solve, so they never queue the tile that they start in.
#[test]
fn a_sector_that_holds_all_links_is_built_once() {
    let mut random = SplitMix64::new(5_689_735_050_526_764_032);
    let mut builder = Builder::default();
    let mut inner = 0;
    for number in 0..100 {
        let case = Case::with_ramps(&mut random);
        let side = (case.costs.width().max(case.costs.height()) as u32).max(4);
        if side > MAX_SECTOR_SIZE {
            continue;
        }
        let mut field = tiles_of(&case, side, SOLVERS[number % 2]);
        field.activate(&all_sectors(&field)).expect("they exist");
        assert_eq!(field.layout().count(), 1);
        let built = builder.finish(&mut field, &case.costs);
        assert!(built <= 1, "case {number}: {built}");
        inner += case.links.len();
    }
    assert!(inner > 200, "{inner}");
}

#[test]
fn agents_that_follow_tiles_over_links_arrive() {
    let mut random = SplitMix64::new(2317);
    let mut builder = Builder::default();
    for number in 0..50 {
        let case = Case::with_ramps(&mut random);
        let solver = SOLVERS[number % 2];
        let mut field = tiles_of(&case, [4, 6, 16, 31][random.below(4)], solver);
        field.activate(&all_sectors(&field)).expect("they exist");
        builder.finish(&mut field, &case.costs);
        for index in 0..case.grid.cell_count() {
            let cell = case.grid.cell(index);
            let is_way = field.lower_steps(cell) != 0 || field.link_from(cell).is_some();
            if case.costs.is_open(cell) && is_way {
                walk(&case, &field, cell, &format!("case {number}"));
            }
        }
    }
}

/// A tile with links is found again in the cache, and is different from the tile without links or with others.
#[test]
fn the_cache_tells_tiles_with_other_links_apart() {
    let mut random = SplitMix64::new(77);
    let mut builder = Builder::default();
    for number in 0..60 {
        let mut case = Case::with_ramps(&mut random);
        let solver = SOLVERS[number % 2];
        for round in 0..4 {
            let mut field = tiles_of(&case, 8, solver);
            field.activate(&all_sectors(&field)).expect("they exist");
            let before = builder.solver.solved();
            builder.finish(&mut field, &case.costs);
            let whole = Whole::new(&case, &field, solver);
            whole.assert_agrees(&case, &field, &format!("case {number}, round {round}"));
            if round % 2 == 1 {
                assert_eq!(builder.solver.solved(), before, "all is there already");
                case.edit(&mut random);
            }
        }
    }
}

#[test]
fn section_9_routes_over_links_exist_where_paths_do_and_are_the_cheapest_over_the_graph() {
    let mut random = SplitMix64::new(2318);
    let (mut by_link, mut ratios) = (0, Vec::new());
    for number in 0..150 {
        let case = Case::with_ramps(&mut random);
        let side = [4, 5, 8, 16, 33, 64][random.below(6)];
        let graph = graph_of(&case.costs, settings(side, [2, 4, 16][random.below(3)]));
        let exact = case.exact_octile();
        let goals = open_goals(&case.costs, &case.goals);
        let portals = costs_to_go(&graph, &case.costs, &goals);
        let mut merged = GoalRoutes::new(&graph, &case.costs, &case.goals).expect("valid");
        let mut hasty = merged.clone();
        hasty.set_expansion_budget(random.below(4));
        let mut search = SectorSearch::new();
        for _ in 0..40 {
            let cell = case.grid.cell(random.below(case.grid.cell_count()));
            let what = format!(
                "case {number}: {cell} to {:?}, sectors of {side}",
                case.goals
            );
            let found = merged
                .find(&graph, &case.costs, cell, &mut search)
                .expect("inside");
            let least = exact[case.costs.index(cell)];
            let is_open = case.costs.is_open(cell);
            assert_eq!(found.is_some(), is_open && least != UNREACHED, "{what}");
            let Some(start) = found else { continue };
            let stored = (start.cost * STRAIGHT as f64).round() as u64;
            assert!(stored >= u64::from(least), "{what}: {stored} < {least}");
            ratios.push(stored as f64 / f64::from(least.max(1)));
            let sector = graph.sectors().at(cell);
            let cheapest = route_cost(&graph, &case.costs, &goals, &portals, cell);
            assert_eq!(Some(stored), cheapest, "{what}: {start:?}");
            let route = merged.route(&graph, sector, &start);
            assert_eq!(route.sectors.len(), route.portals.len() + 1, "{what}");
            let last = *route.sectors.last().expect("one at least");
            assert!(
                !goals_in(&graph, &goals, last).is_empty(),
                "{what}: it ends in {last}"
            );
            by_link += usize::from(route.portals.iter().any(|&portal| graph.is_link(portal)));
            let in_haste = hasty
                .find(&graph, &case.costs, cell, &mut search)
                .expect("inside");
            let in_haste = in_haste.expect("as for the other");
            assert!(in_haste.cost >= start.cost, "{what}");
            let uneven = f64::from(case.costs.dearest().div_ceil(case.costs.cheapest()));
            assert!(
                in_haste.cost <= 4.0 * uneven * start.cost + 1.0e-9,
                "{what}"
            );
        }
    }
    assert!(by_link > 500, "{by_link}");
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    assert!(median < 1.1, "{median}");
}

/// No cell need change with the links.
#[test]
fn a_graph_with_other_links_is_the_one_made_anew() {
    let mut random = SplitMix64::new(88);
    for number in 0..20 {
        let linked = Case::with_ramps(&mut random).costs;
        let mut bare = linked.clone();
        bare.set_links(Arc::default());
        let mut graph = graph_of(&bare, settings(7, 3));
        for costs in [&linked, &bare, &linked] {
            graph.update(costs, &Changes::Cells(Vec::new()), &Workers::serial());
            assert!(graph == graph_of(costs, settings(7, 3)), "case {number}");
        }
    }
}

#[test]
fn an_edited_graph_with_links_is_the_one_made_anew_and_routes_stay_right() {
    let mut random = SplitMix64::new(2319);
    let mut search = SectorSearch::new();
    for number in 0..60 {
        let mut case = Case::with_ramps(&mut random);
        let (side, widest) = ([4, 7, 16, 40][random.below(4)], [3, 16][random.below(2)]);
        let mut graph = graph_of(&case.costs, settings(side, widest));
        let mut routes = GoalRoutes::new(&graph, &case.costs, &case.goals).expect("valid");
        for tick in 0..10 {
            let what = format!("case {number}, tick {tick}, sectors of {side}");
            let changed = Changes::Cells(case.edit(&mut random));
            let changed = graph.update(&case.costs, &changed, &Workers::serial());
            let fresh = graph_of(&case.costs, settings(side, widest));
            assert!(graph == fresh, "{what}");
            if !random.percent(20) {
                routes.update(&graph, &case.costs, &changed, &mut search);
            }
            let mut anew = GoalRoutes::new(&fresh, &case.costs, &case.goals).expect("valid");
            for _ in 0..4 {
                let cell = case.grid.cell(random.below(case.grid.cell_count()));
                let found = routes.find(&graph, &case.costs, cell, &mut search);
                let expected = anew.find(&fresh, &case.costs, cell, &mut search);
                let cost = |found: flow_swarm::error::Result<
                    Option<flow_swarm::route::RouteStart>,
                >| { found.expect("inside").map(|start| start.cost) };
                assert_eq!(cost(found), cost(expected), "{what}: {cell}");
            }
        }
    }
}
