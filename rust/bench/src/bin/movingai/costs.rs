//! Exactness: octile costs compared with the optima of the scenario.

use std::collections::BTreeMap;

use flow_swarm_bench::maps::CostMap;
use flow_swarm_bench::movingai::{Query, Scenario};

use super::fields::Fields;
use super::points::cell;

/// Tolerance for rounding in the comparison, as a factor of the printed precision.
const ROUNDING: f64 = 1.001;
/// Tolerance for the length of a diagonal in the core's integers, 3363 / 2378, as a factor of the length.
const DIAGONAL: f64 = 6.0e-8;

/// The number of queries whose cost differs from the optimum by more than the printed digits allow.
pub fn mismatches(
    fields: &mut Fields,
    map: &CostMap,
    scenario: &Scenario,
) -> Result<usize, flow_swarm::Error> {
    let mut by_goal: BTreeMap<usize, Vec<&Query>> = BTreeMap::new();
    for query in &scenario.queries {
        let goal = map.index(query.goal.0, query.goal.1);
        by_goal.entry(goal).or_default().push(query);
    }
    let mut mismatches = 0;
    for (goal, queries) in by_goal {
        let field = fields.octile_costs(map.position(goal))?;
        mismatches += queries
            .into_iter()
            .filter(|query| {
                let off = field
                    .cost_at(cell(query.start))
                    .map_or(f64::INFINITY, |cost| (cost - query.optimal).abs());
                off > scenario.tolerance(query) * ROUNDING + query.optimal * DIAGONAL
            })
            .count();
    }
    Ok(mismatches)
}
