//! The cells from which a goal can be reached.

use super::legal_step;
use crate::maps::CostMap;
use crate::steps::Corners;

/// For each cell, whether it reaches any goal, by flood fill. Goals that are walls or outside the map are ignored.
#[must_use]
pub fn reachable(map: &CostMap, goals: &[usize], corners: Corners) -> Vec<bool> {
    let mut reached = vec![false; map.len()];
    let mut waiting: Vec<_> = goals
        .iter()
        .copied()
        .filter(|&goal| map.is_passable(goal))
        .collect();
    while let Some(cell) = waiting.pop() {
        if std::mem::replace(&mut reached[cell], true) {
            continue;
        }
        for dy in -1..=1 {
            for dx in -1..=1 {
                if let Some(other) = map.offset(cell, (dx, dy))
                    && legal_step(map, cell, other, corners)
                    && !reached[other]
                {
                    waiting.push(other);
                }
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::{StepRule, exact_costs};
    use super::*;
    use crate::maps::{every_kind, largest_component};

    #[test]
    fn is_where_the_cost_is_finite_and_what_is_connected() {
        for (name, map) in every_kind(41, 33, 6) {
            let component = largest_component(&map);
            let goal = component[component.len() / 2];
            let reached = reachable(&map, &[goal], Corners::Closed);
            let cells: Vec<_> = (0..map.len()).filter(|&cell| reached[cell]).collect();
            assert_eq!(cells, component, "{name}");
            let costs = exact_costs(&map, &[goal], &StepRule::default());
            let finite: Vec<_> = costs.iter().map(|cost| cost.is_finite()).collect();
            assert_eq!(finite, reached, "{name}");
        }
    }

    #[test]
    fn cut_corners_connect_more() {
        let map = CostMap::from_rows(&[".#", "#."]);
        assert_eq!(
            reachable(&map, &[0, 9], Corners::Closed),
            [true, false, false, false]
        );
        assert_eq!(
            reachable(&map, &[0], Corners::Cut),
            [true, false, false, true]
        );
        assert_eq!(reachable(&map, &[1], Corners::Closed), [false; 4]);
    }
}
