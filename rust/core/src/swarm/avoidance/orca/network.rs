//! Sorting networks for sixteen numbers in vector lanes (Batcher, Sorting networks and their applications, 1968). The
//! comparisons are always the same, so there are no branches to predict.
//!
//! Numbers are compared between vectors, lane by lane; where lanes are to be compared with each other, the
//! square of numbers is transposed first. Sixteen numbers in order stand in columns: number `i` is in lane `i / 4` of
//! vector `i % 4`.

use glam::{Mat4, Vec4, Vec4Swizzles};

/// Puts sixteen numbers in order, by columns.
#[inline]
pub(super) fn sort(mut rows: [Vec4; 4]) -> [Vec4; 4] {
    // Each column.
    for (one, other) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        order(&mut rows, one, other);
    }
    // A column followed by the next one in reverse is a bitonic sequence; so are the smaller and the larger numbers of
    // each pair across.
    let [a, b, c, d] = transposed(rows);
    let (b, d) = (b.wzyx(), d.wzyx());
    let rows = transposed([a.min(b), a.max(b), c.min(d), c.max(d)]);
    // Now the first eight and the last eight.
    let [a, b, c, d] = transposed(tidied(rows));
    let (c, d) = (d.wzyx(), c.wzyx());
    tidied_halves([a.min(c), b.min(d), a.max(c), b.max(d)])
}

/// The least sixteen of twice sixteen that are in order by columns, in order.
#[inline]
pub(super) fn least(one: [Vec4; 4], other: [Vec4; 4]) -> [Vec4; 4] {
    let [a, b, c, d] = one;
    let [e, f, g, h] = other.map(Vec4::wzyx);
    let mut rows = transposed([a.min(h), b.min(g), c.min(f), d.min(e)]);
    order(&mut rows, 0, 2);
    order(&mut rows, 1, 3);
    tidied_halves(rows)
}

/// Sorts sixteen numbers in rows whose first eight and last eight are bitonic. The result is in columns.
#[inline]
fn tidied_halves(mut rows: [Vec4; 4]) -> [Vec4; 4] {
    order(&mut rows, 0, 1);
    order(&mut rows, 2, 3);
    tidied(transposed(rows))
}

/// Sorts each column, which is bitonic.
#[inline]
fn tidied(mut rows: [Vec4; 4]) -> [Vec4; 4] {
    for (one, other) in [(0, 2), (1, 3), (0, 1), (2, 3)] {
        order(&mut rows, one, other);
    }
    rows
}

/// Moves the smaller numbers to row `one` and the larger ones to row `other`.
#[inline]
fn order(rows: &mut [Vec4; 4], one: usize, other: usize) {
    let (a, b) = (rows[one], rows[other]);
    (rows[one], rows[other]) = (a.min(b), a.max(b));
}

/// Columns as rows.
#[inline]
pub(super) fn transposed([a, b, c, d]: [Vec4; 4]) -> [Vec4; 4] {
    let turned = Mat4::from_cols(a, b, c, d).transpose();
    [turned.x_axis, turned.y_axis, turned.z_axis, turned.w_axis]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows_of(numbers: &[f32]) -> [Vec4; 4] {
        [0, 1, 2, 3].map(|row| Vec4::from_slice(&numbers[4 * row..]))
    }

    fn in_order(columns: [Vec4; 4]) -> Vec<f32> {
        let rows = transposed(columns);
        rows.iter().flat_map(|row| row.to_array()).collect()
    }

    fn expected(numbers: &[f32]) -> Vec<f32> {
        let mut numbers = numbers.to_vec();
        numbers.sort_by(f32::total_cmp);
        numbers.truncate(16);
        numbers
    }

    /// A network that sorts all sequences of two values sorts everything (Knuth, The Art of Computer
    /// Programming, 5.3.4).
    #[test]
    fn all_sequences_of_two_values_are_sorted() {
        for bits in 0_u32..1 << 16 {
            let numbers: Vec<f32> = (0..16).map(|bit| (bits >> bit & 1) as f32).collect();
            assert_eq!(in_order(sort(rows_of(&numbers))), expected(&numbers));
        }
    }

    proptest! {
        #[test]
        fn the_least_of_two_lists_are_in_order(
            numbers in prop::collection::vec(0.0_f32..100.0, 32),
        ) {
            let halves = [&numbers[..16], &numbers[16..]].map(|half| sort(rows_of(half)));
            prop_assert_eq!(in_order(least(halves[0], halves[1])), expected(&numbers));
        }
    }
}
