//! The oracle and the binary heap find the published shortest lengths of the Moving AI benchmarks.
//!
//! Set `FLOW_SWARM_MOVINGAI` to a folder with pairs of `NAME.map` and `NAME.map.scen`. Without it nothing is checked,
//! and a line says so.

mod known_maps;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use flow_swarm_bench::baselines::binary_heap::BinaryHeapDijkstra;
use flow_swarm_bench::movingai::{Query, Scenario, parse_map, parse_scenario};
use flow_swarm_bench::oracle::{StepRule, exact_costs};

/// The greatest sum of rounding errors in `f32`, relative to the length.
const ROUNDING: f64 = 1e-5;

#[test]
fn costs_equal_the_published_optima() {
    for map in known_maps::all() {
        check(&map);
    }
}

fn check(map_path: &Path) {
    let read = |path: &Path| {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let map = parse_map(&read(map_path))
        .unwrap_or_else(|error| panic!("{}: {error}", map_path.display()));
    let scenario_path = map_path.with_extension("map.scen");
    let scenario: Scenario = parse_scenario(&read(&scenario_path))
        .unwrap_or_else(|error| panic!("{}: {error}", scenario_path.display()));
    let mut by_goal: BTreeMap<usize, Vec<&Query>> = BTreeMap::new();
    for query in &scenario.queries {
        assert_eq!(
            (query.width, query.height),
            (map.width, map.height),
            "{query:?}"
        );
        let goal = map.index(query.goal.0, query.goal.1);
        by_goal.entry(goal).or_default().push(query);
    }
    let mut solver = BinaryHeapDijkstra::new();
    // A whole field per goal takes long; twenty goals of all degrees of difficulty are enough.
    let stride = by_goal.len().div_ceil(20).max(1);
    let mut checked = 0;
    for (goal, queries) in by_goal.into_iter().step_by(stride) {
        let exact = exact_costs(&map, &[goal], &StepRule::default());
        solver.integrate(&map, &[goal]);
        for query in queries {
            let start = map.index(query.start.0, query.start.1);
            let tolerance = scenario.tolerance(query) * 1.001;
            let off = (exact[start] - query.optimal).abs();
            assert!(off <= tolerance, "oracle: {} for {query:?}", exact[start]);
            let found = f64::from(solver.costs()[start]);
            let off = (found - query.optimal).abs();
            assert!(
                off <= tolerance + ROUNDING * query.optimal,
                "binary heap: {found} for {query:?}"
            );
            checked += 1;
        }
    }
    assert!(checked > 0, "no queries in {}", scenario_path.display());
    eprintln!("{}: {checked} queries agree", map_path.display());
}
