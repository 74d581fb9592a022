//! Neighbour search on a grid of squares, stored as a sorted list.

use glam::Vec2;

/// Points by the square that contains them. Memory is kept from one [`Self::rebuild`] to the next.
#[derive(Default)]
pub struct Nearby {
    side: f32,
    /// Row, column and index of each point, sorted in that order.
    entries: Vec<(i32, i32, u32)>,
}

impl Nearby {
    /// Sorts points into squares of side `side`, in the unit of the points, above 0. O(n log n).
    pub fn rebuild(&mut self, points: &[Vec2], side: f32) {
        self.side = side;
        self.entries.clear();
        self.entries
            .extend(points.iter().zip(0..).map(|(at, index)| {
                let square = (*at / side).floor();
                (square.y as i32, square.x as i32, index)
            }));
        self.entries.sort_unstable();
    }

    /// Calls `visit` with the index of every point in the squares that a circle touches, which includes every point in
    /// the circle. Points are visited in the order of rows, columns and indices.
    pub fn around(&self, at: Vec2, radius: f32, mut visit: impl FnMut(usize)) {
        // Before the first rebuild the side of squares is 0, and the range of rows would be infinite.
        if self.entries.is_empty() {
            return;
        }
        let low = ((at - radius) / self.side).floor().as_ivec2();
        let high = ((at + radius) / self.side).floor().as_ivec2();
        for row in low.y..=high.y {
            let first = self
                .entries
                .partition_point(|entry| *entry < (row, low.x, 0));
            for &(_, _, index) in self.entries[first..]
                .iter()
                .take_while(|entry| entry.0 == row && entry.1 <= high.x)
            {
                visit(index as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::SplitMix64;

    #[test]
    fn no_agent_is_near_before_the_first_points() {
        let nearby = Nearby::default();
        nearby.around(Vec2::ONE, 2.0, |index| panic!("found {index}"));
    }

    #[test]
    fn finds_everything_in_a_circle_on_either_side_of_the_origin() {
        let mut random = SplitMix64::new(3);
        let mut draw = || (random.unit() * 20.0 - 10.0) as f32;
        let points: Vec<Vec2> = (0..300).map(|_| Vec2::new(draw(), draw())).collect();
        let mut nearby = Nearby::default();
        nearby.rebuild(&points, 1.5);
        for &at in &points {
            for radius in [0.2, 1.5, 4.0] {
                let mut found = Vec::new();
                nearby.around(at, radius, |index| found.push(index));
                let inside = (0..points.len()).filter(|&index| points[index].distance(at) < radius);
                for index in inside {
                    let times = found.iter().filter(|&&other| other == index).count();
                    assert_eq!(times, 1, "{index} within {radius} of {at}");
                }
            }
        }
    }
}
