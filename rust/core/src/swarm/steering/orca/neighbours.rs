//! The nearest neighbours of an agent, at most so many: rows of buckets from its own outwards, until
//! the farthest of them is nearer than the next row.
//!
//! A list that is kept sorted by insertion costs a wrong guess of the processor
//! for most entries. Here candidates are appended without a branch, and when
//! there are too many of them, each counts how many are nearer than itself,
//! which is its place in the sorted list.

use super::super::super::MAX_NEIGHBOURS;
use super::super::super::buckets::{Buckets, LANES};
use super::super::separation::{LANE_SETS, LANE_SETS_OF_ONE};
use glam::{Vec2, Vec4};

/// The most candidates at a time.
const ROOM: usize = 2 * MAX_NEIGHBOURS + 2 * LANES;
/// The bits of a squared distance that give way to a candidate's number, so that no two are equal.
const NUMBER_BITS: i32 = 0x7F;

/// How near a candidate must be.
struct Limit {
    distance: f32,
    squared: f32,
}

/// Candidates, and in the end the nearest neighbours, nearest first.
pub(super) struct Neighbours {
    /// Squared distances.
    squared: [f32; ROOM],
    /// Places in bucket order.
    place: [u32; ROOM],
    count: usize,
}

impl Neighbours {
    pub(super) fn new() -> Self {
        Self {
            squared: [0.0; ROOM],
            place: [0; ROOM],
            count: 0,
        }
    }

    /// The places of the neighbours that were found, nearest first if there were more than asked for.
    pub(super) fn places(&self) -> &[u32] {
        &self.place[..self.count]
    }

    /// Finds the at most `most` agents nearest to the one at place `own` in bucket order whose
    /// centres are closer than `reach`.
    pub(super) fn find(&mut self, buckets: &Buckets, own: usize, reach: f32, most: usize) {
        self.count = 0;
        let position = buckets.sorted()[own].position;
        // Beyond three times as many, sorting out pays.
        let full = (3 * most).max(most + LANES).min(ROOM - LANES);
        let mut limit = Limit {
            distance: reach,
            squared: reach * reach,
        };
        let (home, rows) = buckets.rows_around(position);
        self.search(buckets, own, home, full, most, &mut limit);
        for ring in 1..rows {
            let (below, above) = (home - ring, home + ring);
            let is_near = |row| buckets.distance_to_row(row, position.y) < limit.distance;
            let (search_below, search_above) =
                (below >= 0 && is_near(below), above < rows && is_near(above));
            if search_below {
                self.search(buckets, own, below, full, most, &mut limit);
            }
            if search_above {
                self.search(buckets, own, above, full, most, &mut limit);
            }
            if !search_below && !search_above {
                break;
            }
        }
        if self.count > most {
            self.keep_nearest(most);
        }
    }

    /// Appends who is near in a row of buckets. The whole width is looked at in each row: rows of
    /// about the same length are easier for the processor to foresee than a circle.
    #[inline]
    fn search(
        &mut self,
        buckets: &Buckets,
        own: usize,
        row: i32,
        full: usize,
        most: usize,
        limit: &mut Limit,
    ) {
        let position = buckets.sorted()[own].position;
        let (low, high) = (position.x - limit.distance, position.x + limit.distance);
        let run = buckets.run(row, low, high);
        let mut first = run.start;
        while first < run.end {
            self.append(buckets, own, position, first, run.end, limit.squared);
            first += LANES;
            if self.count > full {
                self.keep_nearest(most);
                limit.squared = self.squared[most - 1];
                limit.distance = limit.squared.sqrt();
            }
        }
    }

    /// Appends those of the [`LANES`] agents from place `first` on, up to `end`, whose squared distance
    /// is below `limit`.
    #[inline]
    fn append(
        &mut self,
        buckets: &Buckets,
        own: usize,
        position: Vec2,
        first: usize,
        end: usize,
        limit: f32,
    ) {
        let (x, y) = buckets.coordinates();
        let away_x = Vec4::splat(position.x) - Vec4::from_slice(&x[first..]);
        let away_y = Vec4::splat(position.y) - Vec4::from_slice(&y[first..]);
        let squared = away_x * away_x + away_y * away_y;
        let near = squared.cmplt(Vec4::splat(limit)).bitmask();
        let inside = LANE_SETS[(end - first).min(LANES)];
        let itself = LANE_SETS_OF_ONE[own.wrapping_sub(first).min(LANES)];
        let mut chosen = near & inside & !itself;
        let squared = squared.to_array();
        let room = &mut self.squared[self.count..self.count + LANES];
        let places = &mut self.place[self.count..self.count + LANES];
        let mut count = 0;
        // Each entry is written over unless it is chosen.
        for (lane, value) in squared.into_iter().enumerate() {
            room[count & (LANES - 1)] = value;
            places[count & (LANES - 1)] = (first + lane) as u32;
            count += (chosen & 1) as usize;
            chosen >>= 1;
        }
        self.count += count;
    }

    /// Sorts the candidates and keeps the first `most`.
    fn keep_nearest(&mut self, most: usize) {
        const WIDE: usize = 2 * LANES;
        let count = self.count;
        let padded = count.next_multiple_of(WIDE);
        // Squared distances as integers, which sort like them; the low bits are the entry's number.
        let mut keys = [i32::MAX; ROOM];
        for (number, (key, squared)) in keys.iter_mut().zip(&self.squared[..count]).enumerate() {
            *key = squared.to_bits().cast_signed() & !NUMBER_BITS | number as i32;
        }
        let mut sorted = ([0.0; ROOM], [0; ROOM]);
        for first in (0..padded).step_by(WIDE) {
            let mut own = [0; WIDE];
            own.copy_from_slice(&keys[first..first + WIDE]);
            let mut nearer = [0_i32; WIDE];
            for &key in &keys[..count] {
                for lane in 0..WIDE {
                    nearer[lane] += i32::from(key < own[lane]);
                }
            }
            for (candidate, &rank) in (first..count).zip(&nearer) {
                sorted.0[rank as usize] = self.squared[candidate];
                sorted.1[rank as usize] = self.place[candidate];
            }
        }
        self.count = count.min(most);
        self.squared[..self.count].copy_from_slice(&sorted.0[..self.count]);
        self.place[..self.count].copy_from_slice(&sorted.1[..self.count]);
    }
}
const _: () = assert!(ROOM <= NUMBER_BITS as usize + 1 && ROOM.is_multiple_of(2 * LANES));

#[cfg(test)]
mod tests {
    use super::super::super::super::agents::Agents;
    use super::super::super::super::{AgentType, Avoidance};
    use super::*;
    use crate::grid::Grid;
    use crate::workers::Workers;
    use glam::IVec2;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Against a sort of everybody, in crowds from sparse to crammed, in and around the grid.
        #[test]
        fn they_are_the_nearest(
            places in prop::collection::vec((-3.0_f32..23.0, -3.0_f32..23.0), 1..300),
            cramped in 0.05_f32..1.0,
            reach in 0.5_f32..9.0,
            most in 1_usize..=MAX_NEIGHBOURS,
        ) {
            let grid = Grid::new(IVec2::splat(20), 1.0, Vec2::ZERO).expect("valid");
            let kind = AgentType {
                radius: 0.1,
                avoidance: Avoidance::Orca,
                neighbour_radius: reach,
                max_neighbours: most,
                ..AgentType::default()
            };
            let mut agents = Agents::default();
            for (x, y) in places {
                agents.insert(Vec2::new(x, y) * cramped, 0, 0);
            }
            let mut buckets = Buckets::default();
            buckets.sort(&grid, &agents, &[kind], &Workers::serial());
            let mut found = Neighbours::new();
            for own in 0..agents.len() {
                found.find(&buckets, own, reach, most);
                let sorted = buckets.sorted();
                let at = sorted[own].position;
                let squared = |&place: &u32| sorted[place as usize].position.distance_squared(at);
                let mut expected: Vec<f32> = (0..agents.len() as u32)
                    .filter(|&place| place as usize != own)
                    .map(|place| squared(&place))
                    .filter(|&squared| squared < reach * reach)
                    .collect();
                expected.sort_by(f32::total_cmp);
                expected.truncate(most);
                let mut distances: Vec<f32> = found.places().iter().map(squared).collect();
                distances.sort_by(f32::total_cmp);
                prop_assert!(!found.places().contains(&(own as u32)));
                prop_assert_eq!(distances.len(), expected.len());
                for (one, other) in distances.iter().zip(&expected) {
                    // Squared distances are compared to 17 bits.
                    prop_assert!((one - other).abs() <= other * 2.0e-5, "{} {}", one, other);
                }
            }
        }
    }
}
