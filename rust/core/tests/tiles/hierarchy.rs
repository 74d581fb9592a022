//! Flow tiles, section 8: hierarchy (Emerson, Game AI Pro, 23.16). On very large maps a coarser level above the portal
//! graph guides searches. Routes exist exactly where the flat search finds them and cost little more, and edits leave
//! the level as a full build would.

use crate::common::portals::{graph_of, settings};
use crate::common::{cell_of, cost_field, unit_grid};
use flow_swarm::IVec2;
use flow_swarm::grid::CellRect;
use flow_swarm::integrate::GoalCell;
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::route::{GoalRoutes, PortalGraph, SectorSearch};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm_bench::maps::{self, CostMap, SplitMix64, WALL};
use proptest::prelude::*;

/// With sectors of 4 cells the map has just enough sectors for searches with the level above.
const SIZE: usize = 512;
const SECTOR: u32 = 4;

fn kinds(seed: u64) -> [(&'static str, CostMap); 5] {
    [
        ("open", maps::open(SIZE, SIZE)),
        ("rooms", maps::rooms(SIZE, SIZE, 6, seed)),
        ("terrain", maps::terrain(SIZE, SIZE, seed)),
        ("random", maps::random_walls(SIZE, SIZE, 10, seed)),
        ("pockets", maps::random_walls(SIZE, SIZE, 42, seed)),
    ]
}

fn costs_of(map: &CostMap) -> CostField {
    cost_field(map, &MovementType::default())
}

/// The cost of a route with the level above, and of the cheapest one.
fn both(
    graph: &PortalGraph,
    costs: &CostField,
    goals: &[GoalCell],
    source: IVec2,
) -> (Option<f64>, Option<f64>) {
    let mut guided = GoalRoutes::new(graph, costs, goals).expect("valid goals");
    let mut flat = GoalRoutes::new(graph, costs, goals).expect("valid goals");
    flat.set_expansion_budget(usize::MAX);
    let mut search = SectorSearch::new();
    let mut cost = |routes: &mut GoalRoutes| {
        let found = routes.find(graph, costs, source, &mut search);
        let found = found.expect("inside the map")?;
        // The route leads to a goal.
        let route = routes.route(graph, graph.sectors().at(source), &found);
        let last = route.sectors.last().copied();
        assert!(
            goals
                .iter()
                .any(|goal| last == Some(graph.sectors().at(goal.cell)))
        );
        Some(found.cost)
    };
    (cost(&mut guided), cost(&mut flat))
}

#[test]
fn routes_exist_exactly_where_flat_ones_do_and_cost_little_more() {
    let mut random = SplitMix64::new(8);
    for (name, map) in kinds(8) {
        let costs = costs_of(&map);
        let graph = graph_of(&costs, settings(SECTOR, SECTOR));
        let (mut sum, mut count, mut without) = (0.0, 0, 0);
        for _ in 0..60 {
            let goals: Vec<IVec2> = (0..1 + random.below(2))
                .map(|_| cell_of(&map, random.below(map.len())))
                .collect();
            let source = cell_of(&map, random.below(map.len()));
            let what = format!("{name}: {source} to {goals:?}");
            match both(&graph, &costs, &GoalCell::free(&goals), source) {
                (Some(guided), Some(flat)) => {
                    // Sums of the same costs in another order may differ in the last digits.
                    assert!(guided >= flat * (1.0 - 1.0e-9), "{what}: {guided} < {flat}");
                    assert!(guided <= 1.5 * flat, "{what}: {guided}, not {flat}");
                    sum += guided / flat.max(1.0e-9);
                    count += 1;
                }
                (None, None) => without += 1,
                other => panic!("{what}: {other:?}"),
            }
        }
        let most = if name == "terrain" { 1.25 } else { 1.1 };
        assert!(
            count == 0 || sum / f64::from(count) <= most,
            "{name}: {}",
            sum / f64::from(count)
        );
        assert!(name == "pockets" || count > 30, "{name}: {count} routes");
        assert!(
            name != "pockets" || without > 10,
            "{name}: {without} without a route"
        );
    }
}

/// Sources that stand close together, far from the goal: all but the first join known routes.
#[test]
fn sources_beside_the_first_join_its_way_and_cost_little_more() {
    let mut random = SplitMix64::new(3);
    for (name, map) in kinds(3) {
        let costs = costs_of(&map);
        let graph = graph_of(&costs, settings(SECTOR, SECTOR));
        let mut search = SectorSearch::new();
        let (mut sum, mut count) = (0.0, 0);
        for _ in 0..4 {
            let mut near = |low: i32| low + random.below(30) as i32;
            let (corner, goal) = (
                IVec2::new(near(5), near(5)),
                IVec2::new(near(480), near(480)),
            );
            let goals = GoalCell::free(&[goal]);
            let mut guided = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
            let mut flat = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
            flat.set_expansion_budget(usize::MAX);
            let mut first = None;
            for place in 0..100 {
                let source = corner + 2 * IVec2::new(place % 10, place / 10);
                let what = format!("{name}: {source} to {goal}");
                let found = guided.find(&graph, &costs, source, &mut search);
                let exact = flat.find(&graph, &costs, source, &mut search);
                let (found, exact) = (found.expect("inside"), exact.expect("inside"));
                assert_eq!(found.is_some(), exact.is_some(), "{what}");
                let (Some(found), Some(exact)) = (found, exact) else {
                    continue;
                };
                let route = guided.route(&graph, graph.sectors().at(source), &found);
                assert_eq!(
                    route.sectors.last(),
                    Some(&graph.sectors().at(goal)),
                    "{what}"
                );
                let (cost, least) = (found.cost, exact.cost);
                assert!(cost >= least * (1.0 - 1.0e-9), "{what}: {cost} < {least}");
                assert!(cost <= 1.5 * least, "{what}: {cost}, not {least}");
                sum += cost / least;
                count += 1;
                first.get_or_insert(guided.settled());
            }
            let (all, first) = (guided.settled(), first.unwrap_or_default());
            assert!(
                name == "pockets" || all <= first + first / 4,
                "{name}: {all}, {first}"
            );
        }
        let most = if name == "terrain" { 1.25 } else { 1.1 };
        let mean = sum / f64::from(count.max(1));
        assert!(mean <= most, "{name}: {mean}");
        assert!(name == "pockets" || count > 250, "{name}: {count} routes");
    }
}

/// A wall across the map with one door at its end, so that paths are far from the straight line.
fn walled(door: std::ops::Range<usize>) -> CostMap {
    let mut map = maps::open(SIZE, SIZE);
    for x in (0..SIZE).filter(|x| !door.contains(x)) {
        map.cost[SIZE / 2 * SIZE + x] = WALL;
    }
    map
}

#[test]
fn the_level_above_knows_long_walls_and_searches_less() {
    let map = walled(500..504);
    let costs = costs_of(&map);
    let graph = graph_of(&costs, settings(SECTOR, SECTOR));
    let (source, goal) = (IVec2::new(20, 20), IVec2::new(20, 490));
    let settled = |expansion_budget: Option<usize>| {
        let mut routes =
            GoalRoutes::new(&graph, &costs, &GoalCell::free(&[goal])).expect("valid goals");
        if let Some(expansion_budget) = expansion_budget {
            routes.set_expansion_budget(expansion_budget);
        }
        let found = routes.find(&graph, &costs, source, &mut SectorSearch::new());
        let cost = found.expect("inside").expect("there is a door").cost;
        (routes.settled(), cost)
    };
    let ((guided, long), (flat, short)) = (settled(None), settled(Some(usize::MAX)));
    assert!(10 * guided < flat, "{guided} portals, and {flat} without");
    assert!(long <= 1.1 * short, "{long}, not {short}");
}

#[test]
fn where_no_way_leads_hardly_anything_is_searched() {
    let map = walled(0..0);
    let costs = costs_of(&map);
    let graph = graph_of(&costs, settings(SECTOR, SECTOR));
    let goals = GoalCell::free(&[IVec2::new(20, 490)]);
    let mut routes = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
    let mut search = SectorSearch::new();
    for x in 0..SIZE as i32 {
        let found = routes.find(&graph, &costs, IVec2::new(x, 20), &mut search);
        assert_eq!(found.expect("inside"), None);
    }
    assert_eq!(routes.settled(), 0);
    // On the goal's side of the wall there is a route.
    let found = routes.find(&graph, &costs, IVec2::new(400, 300), &mut search);
    assert!(found.expect("inside").is_some());
}

#[test]
fn a_door_that_opens_is_found_after_an_earlier_query() {
    let kind = MovementType::default();
    for before in [0..0, 500..504] {
        let map = walled(before);
        let grid = unit_grid(&map);
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost).expect("as many cells");
        let mut costs = CostField::new(&grid, &terrain, &kind);
        let mut graph = graph_of(&costs, settings(SECTOR, SECTOR));
        let goals = GoalCell::free(&[IVec2::new(20, 490)]);
        let mut routes = GoalRoutes::new(&graph, &costs, &goals).expect("valid goals");
        let mut search = SectorSearch::new();
        let source = IVec2::new(20, 20);
        let found = routes.find(&graph, &costs, source, &mut search);
        let old = found
            .expect("inside")
            .map_or(f64::INFINITY, |start| start.cost);
        let door = IVec2::new(200, SIZE as i32 / 2);
        terrain.set(door, 1).expect("inside");
        let changes = costs.update(&terrain, &kind, &[CellRect::cell(door)]);
        let changed = graph.update(&costs, &changes, &Workers::serial());
        routes.update(&graph, &costs, &changed, &mut search);
        let found = routes.find(&graph, &costs, source, &mut search);
        let new = found.expect("inside").expect("there is a door").cost;
        assert!(new < 700.0 && new < old, "{new}, and {old} before");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn edits_leave_the_level_as_a_whole_build_would(
        seed in 0_u64..1000,
        which in 0_usize..5,
        edits in prop::collection::vec(
            (0..SIZE as i32, 0..SIZE as i32, 1..24, 1..24, any::<bool>()), 1..12),
    ) {
        let map = kinds(seed)[which].1.clone();
        let grid = unit_grid(&map);
        let kind = MovementType::default();
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost).expect("as many cells");
        let mut costs = CostField::new(&grid, &terrain, &kind);
        let mut graph = graph_of(&costs, settings(SECTOR, SECTOR));
        for (x, y, width, height, closes) in edits {
            let low = IVec2::new(x, y);
            let high = (low + IVec2::new(width, height)).min(IVec2::splat(SIZE as i32));
            let rect = CellRect { low, high };
            terrain.fill_rect(rect, if closes { WALL } else { 1 }).expect("inside");
            let changes = costs.update(&terrain, &kind, &[rect]);
            graph.update(&costs, &changes, &Workers::serial());
        }
        for threads in [1, 3] {
            let workers = Workers::new(threads).expect("threads");
            let whole = PortalGraph::new(&costs, settings(SECTOR, SECTOR), &workers);
            prop_assert!(graph == whole.expect("valid settings"));
        }
    }
}
