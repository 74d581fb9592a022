//! Finds the nearest cell of some kind by growing rings.

use glam::IVec2;

/// The cell nearest to the cell `center`, by centres, among the cells of a grid of `size` that `is_wanted` accepts. Of
/// several equally near cells it is the one with the least y, then x.
///
/// O(d²) for a distance of d cells, and at most all cells.
pub(crate) fn nearest_cell(
    size: IVec2,
    center: IVec2,
    is_wanted: impl Fn(IVec2) -> bool,
) -> Option<IVec2> {
    let last = size - 1;
    let farthest = center.max(last - center).max_element();
    let mut best: Option<(i64, i32, i32)> = None;
    for ring in 0..=farthest {
        // Every cell of this ring and beyond is at least this far away.
        if best.is_some_and(|(squared, ..)| squared < i64::from(ring) * i64::from(ring)) {
            break;
        }
        let mut visit = |cell: IVec2| {
            let squared = (cell - center).as_i64vec2().length_squared();
            let rank = (squared, cell.y, cell.x);
            if best.is_none_or(|best| rank < best) && is_wanted(cell) {
                best = Some(rank);
            }
        };
        let (low, high) = (center - ring, center + ring);
        let (first, end) = (low.max(IVec2::ZERO), high.min(last));
        for y in [low.y, high.y] {
            if (0..=last.y).contains(&y) {
                (first.x..=end.x).for_each(|x| visit(IVec2::new(x, y)));
            }
        }
        for x in [low.x, high.x] {
            if (0..=last.x).contains(&x) {
                (first.y..=end.y).for_each(|y| visit(IVec2::new(x, y)));
            }
        }
    }
    best.map(|(_, y, x)| IVec2::new(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_first_of_the_nearest(
            (width, height) in (1i32..14, 1i32..14),
            at in (0i32..14, 0i32..14),
            wanted in prop::collection::vec(0usize..200, 0..12),
        ) {
            let size = IVec2::new(width, height);
            let center = IVec2::new(at.0 % width, at.1 % height);
            let index = |cell: IVec2| (cell.y * width + cell.x) as usize;
            let is_wanted = |cell: IVec2| wanted.contains(&index(cell));
            let all = (0..height).flat_map(|y| (0..width).map(move |x| IVec2::new(x, y)));
            let expected = all
                .filter(|&cell| is_wanted(cell))
                .min_by_key(|&cell| (cell - center).length_squared());
            prop_assert_eq!(nearest_cell(size, center, is_wanted), expected);
        }
    }
}
