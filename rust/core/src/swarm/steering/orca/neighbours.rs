//! The nearest neighbours of an agent, at most so many: rows of buckets from its own outwards, until
//! the farthest of them is nearer than the next row.
//!
//! A list that is kept sorted by insertion costs a wrong guess of the processor
//! for most entries. Here candidates are appended without a branch, and when
//! there are too many of them, each counts how many are nearer than itself,
//! which is its place in the sorted list.

use super::super::super::MAX_NEIGHBOURS;
use super::super::super::buckets::{Buckets, LANES};
use super::super::pairs::{LANE_SETS, LANE_SETS_OF_ONE};
use glam::{Vec2, Vec4};

/// The most candidates at a time.
const ROOM: usize = 2 * MAX_NEIGHBOURS + 2 * LANES;
/// The bits of a squared distance that give way to a candidate's number, so that no two are equal.
const NUMBER_BITS: i32 = 0x7F;

/// How near a candidate must be, if it is no larger than the seeker.
struct Limit {
    distance: f32,
    squared: f32,
}

/// Who looks for neighbours.
struct Seeker<'a> {
    buckets: &'a Buckets,
    /// Its place in bucket order.
    own: usize,
    position: Vec2,
    /// Its radius, if that matters.
    radius: f32,
    /// By how much the largest usual agent is larger.
    farther: f32,
    /// How many neighbours it wants.
    most: usize,
    /// Beyond how many candidates sorting out pays: about three times as many.
    full: usize,
}

impl<'a> Seeker<'a> {
    fn new(buckets: &'a Buckets, own: usize, most: usize) -> Self {
        Self {
            buckets,
            own,
            position: buckets.sorted()[own].position,
            radius: 0.0,
            farther: 0.0,
            most,
            full: (3 * most).max(most + LANES).min(ROOM - LANES),
        }
    }
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

    /// Finds the at most `most` agents nearest to the one at place `own` in bucket order that are closer than
    /// `reach`: from centre to centre, but larger ones from as much farther away as their radius is greater.
    /// So no giant hides behind small agents that are nearer to its middle.
    pub(super) fn find(&mut self, buckets: &Buckets, own: usize, reach: f32, most: usize) {
        let mut limit = Limit {
            distance: reach,
            squared: reach * reach,
        };
        if buckets.radii().is_empty() {
            let seeker = Seeker::new(buckets, own, most);
            self.find_usual::<false>(&seeker, &mut limit);
        } else {
            self.find_of_any_size(buckets, own, most, &mut limit);
        }
        if self.count > most {
            self.keep_nearest(most);
        }
    }

    /// [`Self::find`] where not all agents have the same radius; out of the way of the others.
    #[inline(never)]
    fn find_of_any_size(&mut self, buckets: &Buckets, own: usize, most: usize, limit: &mut Limit) {
        let mut seeker = Seeker::new(buckets, own, most);
        seeker.radius = buckets.radii()[own];
        seeker.farther = (buckets.usual_radius() - seeker.radius).max(0.0);
        self.find_usual::<true>(&seeker, limit);
        if !buckets.giants().is_empty() {
            self.find_giants(&seeker, limit);
        }
    }

    /// Finds neighbours that are no giants.
    #[inline]
    fn find_usual<const ANY_SIZE: bool>(&mut self, seeker: &Seeker<'_>, limit: &mut Limit) {
        self.count = 0;
        let buckets = seeker.buckets;
        let (home, rows) = buckets.rows_around(seeker.position);
        self.search::<ANY_SIZE>(seeker, home, limit);
        for ring in 1..rows {
            let (below, above) = (home - ring, home + ring);
            let is_near = |row| {
                let away = buckets.distance_to_row(row, seeker.position.y);
                away < limit.distance + seeker.farther
            };
            let (search_below, search_above) =
                (below >= 0 && is_near(below), above < rows && is_near(above));
            if search_below {
                self.search::<ANY_SIZE>(seeker, below, limit);
            }
            if search_above {
                self.search::<ANY_SIZE>(seeker, above, limit);
            }
            if !search_below && !search_above {
                break;
            }
        }
    }

    /// Appends who is near in a row of buckets. The whole width is looked at in each row: rows of
    /// about the same length are easier for the processor to foresee than a circle.
    #[inline]
    fn search<const ANY_SIZE: bool>(&mut self, seeker: &Seeker<'_>, row: i32, limit: &mut Limit) {
        let reach = limit.distance + seeker.farther;
        let (low, high) = (seeker.position.x - reach, seeker.position.x + reach);
        let run = seeker.buckets.run(row, low, high);
        let mut first = run.start;
        while first < run.end {
            self.append::<ANY_SIZE>(seeker, first, run.end, limit.squared);
            first += LANES;
            self.keep_room(seeker, limit);
        }
    }

    /// Keeps the nearest if there are so many candidates that it pays.
    #[inline]
    fn keep_room(&mut self, seeker: &Seeker<'_>, limit: &mut Limit) {
        if self.count > seeker.full {
            self.keep_nearest(seeker.most);
            limit.squared = self.squared[seeker.most - 1];
            limit.distance = limit.squared.sqrt();
        }
    }

    /// Appends those of the [`LANES`] agents from place `first` on, up to `end`, whose squared distance
    /// is below `limit`; none that are giants.
    #[inline]
    fn append<const ANY_SIZE: bool>(
        &mut self,
        seeker: &Seeker<'_>,
        first: usize,
        end: usize,
        limit: f32,
    ) {
        let (x, y) = seeker.buckets.coordinates();
        let away_x = Vec4::splat(seeker.position.x) - Vec4::from_slice(&x[first..]);
        let away_y = Vec4::splat(seeker.position.y) - Vec4::from_slice(&y[first..]);
        let mut squared = away_x * away_x + away_y * away_y;
        let mut near = squared.cmplt(Vec4::splat(limit)).bitmask();
        if ANY_SIZE {
            let radius = Vec4::from_slice(&seeker.buckets.radii()[first..]);
            let larger = (radius - seeker.radius).max(Vec4::ZERO);
            let distance = (squared.sqrt() - larger).max(Vec4::ZERO);
            squared = distance * distance;
            let is_usual = radius.cmple(Vec4::splat(seeker.buckets.usual_radius()));
            near = (squared.cmplt(Vec4::splat(limit)) & is_usual).bitmask();
        }
        let inside = LANE_SETS[(end - first).min(LANES)];
        let itself = LANE_SETS_OF_ONE[seeker.own.wrapping_sub(first).min(LANES)];
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

    /// Appends the giants that are near.
    fn find_giants(&mut self, seeker: &Seeker<'_>, limit: &mut Limit) {
        let (buckets, position) = (seeker.buckets, seeker.position);
        let farther = (buckets.largest_radius() - seeker.radius).max(0.0);
        let corner = Vec2::splat(limit.distance + farther);
        for place in buckets
            .giants()
            .between(position - corner, position + corner)
        {
            let index = place as usize;
            let larger = (buckets.radii()[index] - seeker.radius).max(0.0);
            let distance = buckets.sorted()[index].position.distance(position);
            let distance = (distance - larger).max(0.0);
            if distance * distance < limit.squared && index != seeker.own {
                self.squared[self.count] = distance * distance;
                self.place[self.count] = place;
                self.count += 1;
                self.keep_room(seeker, limit);
            }
        }
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

    /// Checks against a sort of everybody who the neighbours of all agents are.
    fn check(
        places: &[(Vec2, usize)],
        radii: &[f32],
        reach: f32,
        most: usize,
    ) -> Result<(), TestCaseError> {
        let grid = Grid::new(IVec2::splat(20), 1.0, Vec2::ZERO).expect("valid");
        let kind = |&radius: &f32| AgentType {
            radius,
            avoidance: Avoidance::Orca,
            neighbour_radius: reach,
            max_neighbours: most,
            ..AgentType::default()
        };
        let types: Vec<AgentType> = radii.iter().map(kind).collect();
        let mut agents = Agents::default();
        for &(place, kind) in places {
            agents.insert(place, kind as u8, 0);
        }
        let mut buckets = Buckets::default();
        buckets.sort(&grid, &agents, &types, &Workers::serial());
        let mut found = Neighbours::new();
        for own in 0..agents.len() {
            found.find(&buckets, own, reach, most);
            let sorted = buckets.sorted();
            let radius = |place: usize| radii[usize::from(sorted[place].kind)];
            let squared = |place: usize| {
                let distance = sorted[place].position.distance(sorted[own].position);
                let larger = (radius(place) - radius(own)).max(0.0);
                (distance - larger).max(0.0).powi(2)
            };
            let mut expected: Vec<f32> = (0..agents.len())
                .filter(|&place| place != own)
                .map(squared)
                .filter(|&squared| squared < reach * reach)
                .collect();
            expected.sort_by(f32::total_cmp);
            expected.truncate(most);
            let mut nearest: Vec<usize> =
                found.places().iter().map(|&place| place as usize).collect();
            nearest.sort_unstable();
            nearest.dedup();
            prop_assert!(!nearest.contains(&own));
            prop_assert_eq!(nearest.len(), found.places().len(), "somebody counts twice");
            let mut distances: Vec<f32> = nearest.into_iter().map(squared).collect();
            distances.sort_by(f32::total_cmp);
            prop_assert_eq!(distances.len(), expected.len());
            for (one, other) in distances.iter().zip(&expected) {
                // Squared distances are compared to 17 bits.
                prop_assert!(
                    (one - other).abs() <= other * 2.0e-5 + 1.0e-9,
                    "{} {}",
                    one,
                    other
                );
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// In crowds from sparse to crammed, in and around the grid.
        #[test]
        fn they_are_the_nearest(
            places in prop::collection::vec((-3.0_f32..23.0, -3.0_f32..23.0), 1..300),
            cramped in 0.05_f32..1.0,
            reach in 0.5_f32..9.0,
            most in 1_usize..=MAX_NEIGHBOURS,
        ) {
            let places: Vec<(Vec2, usize)> =
                places.into_iter().map(|(x, y)| (Vec2::new(x, y) * cramped, 0)).collect();
            check(&places, &[0.1], reach, most)?;
        }

        /// The same where sizes differ, and with giants.
        #[test]
        fn they_are_the_nearest_whatever_their_sizes(
            places in prop::collection::vec((-3.0_f32..23.0, -3.0_f32..23.0, 0_usize..30), 1..300),
            cramped in 0.05_f32..1.0,
            radii in (0.01_f32..0.4, 0.01_f32..0.4, 0.4_f32..8.0),
            most_large in 0_usize..3,
            reach in 0.5_f32..9.0,
            most in 1_usize..=MAX_NEIGHBOURS,
        ) {
            let kind = |drawn: usize| if drawn < most_large { 2 } else { drawn % 2 };
            let places: Vec<(Vec2, usize)> = places
                .into_iter()
                .map(|(x, y, drawn)| (Vec2::new(x, y) * cramped, kind(drawn)))
                .collect();
            check(&places, &[radii.0, radii.1, radii.2], reach, most)?;
        }
    }
}
