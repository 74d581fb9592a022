//! Connected components, and goal cells that most of the map can reach.

use super::CostMap;

/// The cells of the largest connected component in ascending order; of equally large ones, the first found. Empty if
/// the map has no passable cell.
///
/// Cells are connected through their four straight neighbours. Where diagonal steps may not cut corners, they reach no
/// further cells, because two straight steps replace each of them.
#[must_use]
pub fn largest_component(map: &CostMap) -> Vec<usize> {
    let mut seen = vec![false; map.len()];
    let mut largest = Vec::new();
    for seed in 0..map.len() {
        if seen[seed] || !map.is_passable(seed) {
            continue;
        }
        seen[seed] = true;
        let mut component = vec![seed];
        let mut next = 0;
        while let Some(&cell) = component.get(next) {
            next += 1;
            for step in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                if let Some(other) = map.offset(cell, step)
                    && map.is_passable(other)
                    && !seen[other]
                {
                    seen[other] = true;
                    component.push(other);
                }
            }
        }
        if component.len() > largest.len() {
            largest = component;
        }
    }
    largest.sort_unstable();
    largest
}

/// For each open cell, the first cell of its connected component by straight steps.
#[must_use]
pub fn areas(map: &CostMap) -> Vec<Option<usize>> {
    let mut area = vec![None; map.len()];
    let mut pending = Vec::new();
    for start in 0..map.len() {
        if !map.is_passable(start) || area[start].is_some() {
            continue;
        }
        area[start] = Some(start);
        pending.push(start);
        while let Some(cell) = pending.pop() {
            for step in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                if let Some(next) = map.offset(cell, step)
                    && map.is_passable(next)
                    && area[next].is_none()
                {
                    area[next] = Some(start);
                    pending.push(next);
                }
            }
        }
    }
    area
}

/// The cell of the largest component that is nearest to the column and row `near`; of equally near ones, the first.
/// `None` if the map has no passable cell.
#[must_use]
pub fn largest_component_cell(map: &CostMap, near: (usize, usize)) -> Option<usize> {
    largest_component(map).into_iter().min_by_key(|&cell| {
        let (x, y) = map.position(cell);
        let (dx, dy) = (x.abs_diff(near.0), y.abs_diff(near.1));
        dx * dx + dy * dy
    })
}

#[cfg(test)]
mod tests {
    use super::super::WALL;
    use super::*;

    #[test]
    fn areas_are_numbered_by_their_first_cells() {
        let map = CostMap::from_rows(&["..#..", ".#...", "#...."]);
        let areas = areas(&map);
        assert_eq!(areas[..5], [Some(0), Some(0), None, Some(3), Some(3)]);
        assert_eq!(areas[5..10], [Some(0), None, Some(3), Some(3), Some(3)]);
        assert_eq!(areas[10..], [None, Some(3), Some(3), Some(3), Some(3)]);
    }

    #[test]
    fn finds_the_largest_and_its_nearest_cell() {
        let map = CostMap::from_rows(&["..#..", ".#...", "#...."]);
        assert_eq!(largest_component(&map), [3, 4, 7, 8, 9, 11, 12, 13, 14]);
        assert_eq!(largest_component_cell(&map, (0, 0)), Some(7));
        assert_eq!(largest_component_cell(&map, (4, 2)), Some(14));
    }

    #[test]
    fn diagonal_touch_does_not_connect() {
        let map = CostMap::from_rows(&[".#", "#."]);
        assert_eq!(largest_component(&map), [0]);
    }

    #[test]
    fn a_map_of_walls_has_none() {
        assert_eq!(
            largest_component_cell(&CostMap::filled(3, 2, WALL), (1, 1)),
            None
        );
        assert_eq!(
            largest_component_cell(&CostMap::filled(0, 0, 1), (1, 1)),
            None
        );
    }
}
