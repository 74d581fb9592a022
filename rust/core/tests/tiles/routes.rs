//! Flow tiles, section 2: the portal graph, A* and merging. Routes are compared with plain searches of the graph and of
//! the map.

use crate::common::portals::{
    STRAIGHT, cases, costs_to_go, costs_within, graph_of, key, open_goals, route_cost, settings,
};
use crate::common::{cell_of, cost_field, edit_like_a_game, integrate, penalty_types, unit_grid};
use flow_swarm::integrate::GoalCell;
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::route::{GoalRoutes, PortalGraph, PortalId, RouteStart, SectorSearch};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{Error, IVec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, areas, every_kind, open};
use std::collections::BTreeSet;

fn stored_cost(cost: f64) -> u64 {
    (cost * STRAIGHT as f64).round() as u64
}

fn is_close(found: f64, exact: u64) -> bool {
    let exact = exact as f64 / STRAIGHT as f64;
    (found - exact).abs() <= 1.0e-9 * exact
}

/// Up to three goal cells, sometimes with initial costs, sometimes in walls.
fn some_goals(random: &mut SplitMix64, map: &CostMap) -> Vec<GoalCell> {
    let farthest = if random.percent(50) { 1 } else { 40 };
    (0..1 + random.below(3))
        .map(|_| GoalCell {
            cell: cell_of(map, random.below(map.len())),
            cost: random.below(farthest) as f32 * 0.75,
        })
        .collect()
}

fn find(
    routes: &mut GoalRoutes,
    graph: &PortalGraph,
    costs: &CostField,
    cell: IVec2,
) -> Option<RouteStart> {
    let found = routes.find(graph, costs, cell, &mut SectorSearch::new());
    found.expect("inside the map")
}

#[test]
fn routes_are_the_cheapest_over_the_graph_in_whatever_order_they_are_asked_for() {
    let mut random = SplitMix64::new(11);
    for (name, map, kind, settings) in cases(7) {
        let costs = cost_field(&map, &kind);
        let graph = graph_of(&costs, settings);
        let goals = some_goals(&mut random, &map);
        let open = open_goals(&costs, &goals);
        let portals = costs_to_go(&graph, &costs, &open);
        let sources: Vec<IVec2> = (0..12)
            .map(|_| cell_of(&map, random.below(map.len())))
            .collect();
        let mut together = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
        for &source in &sources {
            let what = format!("{name} {settings:?}: {source} to {goals:?}");
            let merged = find(&mut together, &graph, &costs, source);
            let mut alone = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
            let single = find(&mut alone, &graph, &costs, source);
            assert_eq!(
                merged.map(|start| start.cost),
                single.map(|start| start.cost),
                "{what}"
            );
            let expected = costs
                .is_open(source)
                .then(|| route_cost(&graph, &costs, &open, &portals, source))
                .flatten();
            match (merged, expected) {
                (None, None) => {}
                (Some(start), Some(expected)) => {
                    assert!(
                        is_close(start.cost, expected),
                        "{what}: {start:?}, not {expected}"
                    );
                    assert_route_holds(&graph, &costs, &together, &open, source, start, &what);
                    assert_eq!(together.next_window(&graph, source), start.exit, "{what}");
                }
                _ => panic!("{what}: {merged:?}, not {expected:?}"),
            }
        }
    }
}

/// Walks along a route, which leads through neighbouring sectors to the goal. Returns the cost up to each portal, and
/// the total.
fn walk(
    graph: &PortalGraph,
    costs: &CostField,
    routes: &GoalRoutes,
    goals: &[(IVec2, u64)],
    source: IVec2,
    start: RouteStart,
    what: &str,
) -> (Vec<(PortalId, u64)>, u64) {
    let sectors = graph.sectors();
    let route = routes.route(graph, sectors.at(source), &start);
    assert_eq!(route.sectors.len(), route.portals.len() + 1, "{what}");
    let mut cell = source;
    let mut spent = Vec::new();
    let mut cost = 0;
    for (&sector, &portal) in route.sectors.iter().zip(&route.portals) {
        assert_eq!(
            (portal.sector, sectors.at(cell)),
            (sector, sector),
            "{what}"
        );
        let middle = graph.middle(portal);
        let within = costs_within(costs, sectors.rect(sector), &[(middle, 0)]);
        cost += within[&key(cell)];
        spent.push((portal, cost));
        cost += STRAIGHT * u64::from(costs.cost_at(middle));
        cell = graph.middle(graph.across(portal));
    }
    let last = sectors.at(cell);
    assert_eq!(route.sectors.last(), Some(&last), "{what}");
    let ends = goals.iter().filter(|goal| sectors.at(goal.0) == last);
    let ends: Vec<_> = ends.copied().collect();
    cost += costs_within(costs, sectors.rect(last), &ends)[&key(cell)];
    (spent, cost)
}

fn assert_route_holds(
    graph: &PortalGraph,
    costs: &CostField,
    routes: &GoalRoutes,
    goals: &[(IVec2, u64)],
    source: IVec2,
    start: RouteStart,
    what: &str,
) {
    let (spent, cost) = walk(graph, costs, routes, goals, source, start, what);
    assert!(is_close(start.cost, cost), "{what}: {start:?} costs {cost}");
    for (portal, spent) in spent {
        let rest = routes.cost_to_go(portal).expect("on a route");
        assert!(
            is_close(rest, cost - spent),
            "{what}: {portal:?} says {rest}"
        );
    }
}

#[test]
fn a_route_exists_exactly_where_a_path_does_and_is_no_shorter() {
    let mut random = SplitMix64::new(13);
    for (name, map, kind, settings) in cases(29) {
        let costs = cost_field(&map, &kind);
        let graph = graph_of(&costs, settings);
        let areas = areas(&map);
        let goal = random.below(map.len());
        let exact = integrate(&costs, &map, &[goal]);
        let goals = GoalCell::free(&[cell_of(&map, goal)]);
        let mut routes = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
        for index in (0..map.len()).step_by(1 + map.len() / 400) {
            let cell = cell_of(&map, index);
            let found = find(&mut routes, &graph, &costs, cell);
            let joined = areas[index].is_some() && areas[index] == areas[goal];
            assert_eq!(
                found.is_some(),
                joined,
                "{name} {settings:?}: {cell} to {goals:?}"
            );
            if let Some(start) = found {
                let least = exact.cost_at(cell).expect("joined");
                assert!(
                    start.cost >= least * 0.999_999,
                    "{name}: {start:?} < {least}"
                );
            }
        }
    }
}

#[test]
fn hasty_routes_lead_to_the_goal_and_cost_no_more_than_allowed() {
    let mut random = SplitMix64::new(31);
    let mut longer = 0;
    for (name, map, kind, settings) in cases(37) {
        let costs = cost_field(&map, &kind);
        let graph = graph_of(&costs, settings);
        let goals = some_goals(&mut random, &map);
        let open = open_goals(&costs, &goals);
        let mut exact = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
        exact.set_expansion_budget(usize::MAX);
        let mut hasty = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
        hasty.set_expansion_budget(random.below(4));
        for _ in 0..30 {
            let cell = cell_of(&map, random.below(map.len()));
            let least = find(&mut exact, &graph, &costs, cell);
            let found = find(&mut hasty, &graph, &costs, cell);
            let what = format!("{name} {settings:?}: {cell} to {goals:?}");
            let (Some(least), Some(found)) = (least, found) else {
                assert_eq!(least.is_some(), found.is_some(), "{what}");
                continue;
            };
            assert!(found.cost >= least.cost, "{what}");
            let uneven = f64::from(costs.dearest().div_ceil(costs.cheapest()));
            assert!(found.cost <= 4.0 * uneven * least.cost + 1.0e-9, "{what}");
            let walked = walk(&graph, &costs, &hasty, &open, cell, found, &what).1;
            assert!(
                walked <= stored_cost(found.cost),
                "{what}: {walked} > {found:?}"
            );
            longer += usize::from(found.cost > least.cost);
        }
    }
    assert!(longer > 20, "haste made only {longer} routes longer");
}

#[test]
fn goals_in_walls_and_outside_lead_nowhere() {
    let map = CostMap::from_rows(&["....#....", "....#....", "....#...."]);
    let costs = cost_field(&map, &MovementType::default());
    let graph = graph_of(&costs, settings(4, 4));
    let goals = [
        IVec2::new(4, 1),
        IVec2::new(-1, 0),
        IVec2::new(9, 2),
        IVec2::MAX,
    ];
    let mut routes = GoalRoutes::new(&graph, &costs, &GoalCell::free(&goals)).expect("valid");
    assert_eq!(find(&mut routes, &graph, &costs, IVec2::ZERO), None);
    let goals = [IVec2::new(4, 1), IVec2::new(8, 0)];
    let mut routes = GoalRoutes::new(&graph, &costs, &GoalCell::free(&goals)).expect("valid");
    assert_eq!(find(&mut routes, &graph, &costs, IVec2::ZERO), None);
    assert_eq!(find(&mut routes, &graph, &costs, IVec2::new(4, 0)), None);
    let start = find(&mut routes, &graph, &costs, IVec2::new(8, 2)).expect("in the open");
    assert_eq!((start.cost, start.exit), (2.0, None));
    assert_eq!(routes.next_window(&graph, IVec2::new(99, 0)), None);
}

#[test]
fn bad_arguments_are_refused_by_name() {
    let costs = cost_field(&open(20, 10), &MovementType::default());
    let graph = graph_of(&costs, settings(8, 8));
    let goal = |cost| GoalCell {
        cell: IVec2::ZERO,
        cost,
    };
    for cost in [-1.0, f32::NAN, f32::INFINITY, 1.1e6] {
        let refused = GoalRoutes::new(&graph, &costs, &[goal(cost)]).map(|_| ());
        let Err(Error::OutOfRange { name, .. }) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(name, "initial_cost");
    }
    let mut routes = GoalRoutes::new(&graph, &costs, &[goal(0.0)]).expect("valid");
    for cell in [
        IVec2::new(20, 0),
        IVec2::new(0, 10),
        IVec2::NEG_ONE,
        IVec2::MIN,
        IVec2::MAX,
    ] {
        let found = routes.find(&graph, &costs, cell, &mut SectorSearch::new());
        let refused = Error::CellOutside {
            cell,
            width: 20,
            height: 10,
        };
        assert_eq!(found, Err(refused));
    }
}

#[test]
fn routes_stay_right_while_the_terrain_changes() {
    let mut random = SplitMix64::new(19);
    let mut search = SectorSearch::new();
    let (mut kept, mut begun_anew) = (0, 0);
    for round in 0..10 {
        let kinds = every_kind(101, 67, round);
        let (name, map) = &kinds[random.below(kinds.len())];
        let kind = penalty_types()[random.below(3)].clone();
        let grid = unit_grid(map);
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost).expect("same size");
        let mut costs = CostField::new(&grid, &terrain, &kind);
        let mut graph = graph_of(&costs, settings([5, 8, 20][random.below(3)], 6));
        let goals = some_goals(&mut random, map);
        let mut routes = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
        for tick in 0..25 {
            let mut regions = Vec::new();
            let targets: Vec<IVec2> = goals.iter().map(|goal| goal.cell).collect();
            edit_like_a_game(&mut random, grid.size(), &targets, |rect, id| {
                terrain.fill_rect(rect, id).expect("inside");
                regions.push(rect);
            });
            let changes = costs.update(&terrain, &kind, &regions);
            let changed = graph.update(&costs, &changes, &Workers::serial());
            // Changes that are not reported cost time, but routes stay correct.
            if !random.percent(20) {
                let affected = routes.update(&graph, &costs, &changed, &mut search);
                *(if affected { &mut begun_anew } else { &mut kept }) += 1;
            }
            let mut fresh = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
            for _ in 0..3 {
                let cell = cell_of(map, random.below(map.len()));
                let found = find(&mut routes, &graph, &costs, cell);
                let expected = find(&mut fresh, &graph, &costs, cell);
                let what = format!("{name}, round {round}, tick {tick}: {cell} to {goals:?}");
                assert_eq!(
                    found.map(|start| start.cost),
                    expected.map(|start| start.cost),
                    "{what}"
                );
                if let Some(start) = found {
                    let open = open_goals(&costs, &goals);
                    assert_route_holds(&graph, &costs, &routes, &open, cell, start, &what);
                }
            }
        }
    }
    assert!(
        kept > 10 && begun_anew > 10,
        "{kept} kept, {begun_anew} begun anew"
    );
}

#[test]
fn sources_that_stand_together_share_one_search() {
    for (name, map) in every_kind(300, 300, 5) {
        let costs = cost_field(&map, &MovementType::default());
        let graph = graph_of(&costs, settings(10, 10));
        let areas = areas(&map);
        let goal = crate::common::central_goal(&map).expect("open cells");
        let goals = GoalCell::free(&[cell_of(&map, goal)]);
        let mut routes = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
        let mut joined = BTreeSet::new();
        let mut first = None;
        for cell in (0..40 * 40).map(|index| IVec2::new(index % 40, index / 40)) {
            if areas[map.index(cell.x as usize, cell.y as usize)] != areas[goal] {
                continue;
            }
            let start = find(&mut routes, &graph, &costs, cell).expect("joined");
            first.get_or_insert(routes.settled());
            let route = routes.route(&graph, graph.sectors().at(cell), &start);
            let fresh = routes.join(&graph, &start);
            // The part of the route that joining leaves out was returned for an earlier source.
            let (own, rest) = route.portals.split_at(fresh.len());
            assert_eq!(own, fresh, "{name}: {cell}");
            assert!(
                rest.iter().all(|portal| joined.contains(portal)),
                "{name}: {cell}"
            );
            for portal in fresh {
                assert!(joined.insert(portal), "{name}: {portal:?} twice");
            }
        }
        let first = first.expect("some cell is joined");
        let windows = graph.portal_count() / 2;
        assert!(routes.settled() <= graph.portal_count(), "{name}");
        assert!(
            routes.settled() <= 2 * first + windows / 4,
            "{name}: {} settled, {first} for the first, of {windows} windows",
            routes.settled()
        );
    }
}
