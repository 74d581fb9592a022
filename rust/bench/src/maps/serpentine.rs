//! One corridor that folds back and forth: the longest paths.

use super::{CostMap, WALL};

/// Corridors of `corridor` rows, separated by walls one cell thick. Each wall leaves a gap of `corridor` cells,
/// alternately at the right and at the left end. This is the worst case for solvers that revisit cells or assume short
/// paths.
///
/// # Panics
/// If `corridor` is 0.
#[must_use]
pub fn serpentine(width: usize, height: usize, corridor: usize) -> CostMap {
    assert!(corridor > 0, "a corridor needs at least one row");
    let mut map = CostMap::filled(width, height, 1);
    for (turn, y) in (corridor..height).step_by(corridor + 1).enumerate() {
        let gap = corridor.min(width);
        let walls = if turn % 2 == 0 {
            0..width - gap
        } else {
            gap..width
        };
        for x in walls {
            let cell = map.index(x, y);
            map.cost[cell] = WALL;
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::super::largest_component;
    use super::*;

    #[test]
    fn folds_back_and_forth() {
        let drawn = CostMap::from_rows(&[".....", "####.", ".....", ".####", "....."]);
        assert_eq!(serpentine(5, 5, 1), drawn);
        let map = serpentine(40, 31, 3);
        let passable = (0..map.len()).filter(|&cell| map.is_passable(cell)).count();
        assert_eq!(largest_component(&map).len(), passable);
    }
}
