//! Finds a limited number of nearest neighbours of an agent. The search visits rows of buckets outwards from the
//! agent's own row, until the farthest neighbour found is nearer than the next row.
//!
//! Agents are visited in bucket order, so the neighbours of one agent are about as far away as those of the agent
//! before it. The search first covers that distance, and then the whole reach if too few were found. The result does
//! not depend on this.

use crate::swarm::MAX_NEIGHBOURS;
use crate::swarm::avoidance::orca::candidates::{Candidates, rounded_up};
use crate::swarm::avoidance::orca::pieces::{MOST_OF_RUN, Piece, Pieces};
use crate::swarm::neighbours::bucket_ranges::Cells;
use crate::swarm::neighbours::buckets::{Buckets, LANES};
use glam::{Vec2, Vec4};
use std::ops::Range;

/// The factor, squared, by which the first search is wider than the distance of the last agent's neighbours. In an even
/// crowd one agent in twenty has to search again.
const FARTHER: f32 = 1.4;
/// The most agents in the searched part of the own row for which all rows are listed before any distance is computed.
/// With more agents, each row limits how near the agents of the next row have to be.
const SPARSE: usize = 24;
/// The number of rows to either side that are listed.
const LISTED: i32 = 2;

/// The distance below which a candidate counts, if it is no larger than the seeker.
struct Limit {
    distance: f32,
    squared: f32,
}

/// The agent whose neighbours are searched.
struct Seeker<'a> {
    buckets: &'a Buckets,
    /// Its place in bucket order.
    own: usize,
    position: Vec2,
    /// The seeker's radius, where sizes differ.
    radius: f32,
    /// The amount by which the largest regular agent's radius exceeds the seeker's.
    farther: f32,
    /// The most neighbours to find.
    most: usize,
}

impl Seeker<'_> {
    /// The buckets that hold all regular agents which may be within `limit`.
    #[inline]
    fn cells(&self, limit: &Limit) -> Cells {
        let reach = limit.distance + self.farther;
        self.buckets
            .cells_between(self.position - reach, self.position + reach)
    }
}

/// Memory that searches reuse, and the neighbours that the last search found.
pub(super) struct Neighbours {
    candidates: Candidates,
    pieces: Pieces,
    nearest: [u32; MAX_NEIGHBOURS + LANES],
    count: usize,
    /// The square of the distance that the next search covers first.
    likely: f32,
}

impl Neighbours {
    pub(super) fn new() -> Self {
        Self {
            candidates: Candidates::new(),
            pieces: Pieces::new(),
            nearest: [0; MAX_NEIGHBOURS + LANES],
            count: 0,
            likely: f32::INFINITY,
        }
    }

    /// The number of neighbours that were found.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The places of the neighbours that were found, in groups of four. The last group is filled up with the last
    /// place. They are nearest first if there were more than asked for.
    pub(super) fn fours(&self) -> &[[u32; LANES]] {
        let fours = self.nearest.as_chunks().0;
        &fours[..self.count.div_ceil(LANES)]
    }

    /// Finds the nearest agents, at most `most`, that are closer than `reach` to the agent at place `own` in bucket
    /// order. Distances are between centres, less the amount by which the other agent's radius is larger. So small
    /// agents do not displace an oversized agent whose centre is farther away.
    pub(super) fn find(&mut self, buckets: &Buckets, own: usize, reach: f32, most: usize) {
        let seeker = Seeker {
            buckets,
            own,
            position: buckets.sorted()[own].position,
            radius: 0.0,
            farther: 0.0,
            most: most.min(MAX_NEIGHBOURS),
        };
        let farthest = reach * reach;
        let mut beyond = None;
        if self.likely < farthest {
            beyond = self.find_within(&seeker, self.likely.sqrt(), self.likely);
        }
        // There may be more neighbours farther away.
        if beyond.is_none() {
            beyond = self.find_within(&seeker, reach, farthest);
        }
        self.likely = beyond.map_or(f32::INFINITY, |beyond| rounded_up(beyond * FARTHER));
    }

    /// Finds neighbours that are closer than `distance`, whose square is also given. If there were more than asked
    /// for, returns the square of a distance just beyond the farthest.
    #[inline(never)]
    fn find_within(&mut self, seeker: &Seeker<'_>, distance: f32, squared: f32) -> Option<f32> {
        let mut limit = Limit { distance, squared };
        self.candidates.clear();
        if seeker.buckets.radii().is_empty() {
            self.find_regular::<false>(seeker, &mut limit);
        } else {
            self.find_of_any_size(seeker, &mut limit);
        }
        let count = self.candidates.count();
        self.count = count.min(seeker.most);
        let nearest = &mut self.nearest[..self.count];
        let beyond = if count > seeker.most {
            Some(self.candidates.take_nearest(seeker.most, nearest))
        } else {
            self.candidates.take_all(nearest);
            (limit.squared < squared).then_some(limit.squared)
        };
        if let Some(&last) = nearest.last() {
            self.nearest[self.count..self.count + LANES].fill(last);
        }
        beyond
    }

    /// Finds neighbours where radii differ. It is not inlined, to keep the common case small.
    #[inline(never)]
    fn find_of_any_size(&mut self, seeker: &Seeker<'_>, limit: &mut Limit) {
        let buckets = seeker.buckets;
        let radius = buckets.radii()[seeker.own];
        let seeker = Seeker {
            radius,
            farther: (buckets.regular_radius() - radius).max(0.0),
            ..*seeker
        };
        self.find_regular::<true>(&seeker, limit);
        if !buckets.oversized().is_empty() {
            self.find_oversized(&seeker, limit);
        }
    }

    /// Finds neighbours that are not oversized.
    #[inline]
    fn find_regular<const ANY_SIZE: bool>(&mut self, seeker: &Seeker<'_>, limit: &mut Limit) {
        let near = seeker.cells(limit);
        let home = seeker.buckets.row_at(seeker.position.y);
        let mut ring = 0;
        if self.list_rows(seeker, home, &near) {
            self.look_at_pieces::<ANY_SIZE>(seeker, limit);
            ring = LISTED + 1;
        }
        let last = (home - near.low.y).max(near.high.y - home);
        while ring <= last {
            let mut is_any_near = false;
            let both = [home - ring, home + ring];
            for &row in &both[usize::from(ring == 0)..] {
                let near = seeker.cells(limit);
                if (near.low.y..=near.high.y).contains(&row) {
                    is_any_near = true;
                    let run = seeker.buckets.run(row, near.low.x, near.high.x);
                    self.search::<ANY_SIZE>(seeker, run, limit);
                }
            }
            if !is_any_near {
                break;
            }
            ring += 1;
        }
    }

    /// Lists all agents in the buckets around, if they are few; else returns false.
    #[inline]
    fn list_rows(&mut self, seeker: &Seeker<'_>, home: i32, near: &Cells) -> bool {
        let buckets = seeker.buckets;
        let run = |row| buckets.run(row, near.low.x, near.high.x);
        let own_row = run(home);
        if own_row.len() > SPARSE {
            return false;
        }
        let others = [home - 1, home + 1, home - 2, home + 2].map(|row| {
            // Without a branch: a row that does not exist gives an empty run of another row.
            let nearest = row.clamp(near.low.y, near.high.y);
            let run = run(nearest);
            run.start..if nearest == row { run.end } else { run.start }
        });
        if others.iter().any(|run| run.len() > MOST_OF_RUN) {
            return false;
        }
        self.pieces.clear();
        self.pieces.add(own_row.clone());
        self.pieces.leave_out(seeker.own - own_row.start);
        for run in others {
            self.pieces.add(run);
        }
        true
    }

    /// Searches a part of a row of buckets. Every row is searched over the whole width: branches over rows of similar
    /// length are easier to predict than those of a circle.
    #[inline(never)]
    fn search<const ANY_SIZE: bool>(
        &mut self,
        seeker: &Seeker<'_>,
        run: Range<usize>,
        limit: &mut Limit,
    ) {
        for first in run.clone().step_by(MOST_OF_RUN) {
            let part = first..run.end.min(first + MOST_OF_RUN);
            self.pieces.clear();
            self.pieces.add(part.clone());
            if part.contains(&seeker.own) {
                self.pieces.leave_out(seeker.own - first);
            }
            self.look_at_pieces::<ANY_SIZE>(seeker, limit);
        }
    }

    /// Adds the listed agents that are near and not oversized as candidates.
    #[inline]
    fn look_at_pieces<const ANY_SIZE: bool>(&mut self, seeker: &Seeker<'_>, limit: &mut Limit) {
        let columns = Columns::new(seeker.buckets);
        let mut ends = self.candidates.ends;
        for piece in self.pieces.iter() {
            let (squared, near) = columns.distances::<ANY_SIZE>(seeker, piece, limit.squared);
            self.candidates
                .put(&mut ends, piece.first, squared, near & piece.inside);
            if ends.are_far(seeker.most) {
                self.candidates.ends = ends;
                limit.thin_out(&mut self.candidates, seeker.most);
                ends = self.candidates.ends;
            }
        }
        self.candidates.ends = ends;
    }

    /// Adds the oversized agents that are near as candidates.
    fn find_oversized(&mut self, seeker: &Seeker<'_>, limit: &mut Limit) {
        let (buckets, position) = (seeker.buckets, seeker.position);
        let farther = (buckets.largest_radius() - seeker.radius).max(0.0);
        let corner = Vec2::splat(limit.distance + farther);
        for place in buckets
            .oversized()
            .between(position - corner, position + corner)
        {
            let index = place as usize;
            let larger = (buckets.radii()[index] - seeker.radius).max(0.0);
            let distance = buckets.sorted()[index].position.distance(position);
            let distance = (distance - larger).max(0.0);
            let squared = distance * distance;
            if squared < limit.squared && index != seeker.own {
                let mut ends = self.candidates.ends;
                self.candidates
                    .put(&mut ends, index, Vec4::splat(squared), 1);
                self.candidates.ends = ends;
                if ends.are_far(seeker.most) {
                    limit.thin_out(&mut self.candidates, seeker.most);
                }
            }
        }
    }
}

impl Limit {
    /// Keeps the nearest candidates, and lowers the limit to their distance.
    fn thin_out(&mut self, candidates: &mut Candidates, most: usize) {
        if let Some(beyond) = candidates.thin_out(most) {
            self.squared = self.squared.min(beyond);
            self.distance = self.squared.sqrt();
        }
    }
}

/// The columns of agents in bucket order that the search reads. They have the same length, so that the compiler checks
/// bounds once.
struct Columns<'a> {
    x: &'a [f32],
    y: &'a [f32],
    radius: &'a [f32],
}

impl<'a> Columns<'a> {
    #[inline]
    fn new(buckets: &'a Buckets) -> Self {
        let (x, y) = buckets.coordinates();
        let length = x.len().min(y.len());
        Self {
            x: &x[..length],
            y: &y[..length],
            radius: buckets.radii(),
        }
    }

    /// The squared distances of four agents, and which of them are below `limit` and not oversized.
    #[inline]
    fn distances<const ANY_SIZE: bool>(
        &self,
        seeker: &Seeker<'_>,
        piece: Piece,
        limit: f32,
    ) -> (Vec4, u32) {
        let four = piece.first..piece.first + LANES;
        let away_x = Vec4::splat(seeker.position.x) - Vec4::from_slice(&self.x[four.clone()]);
        let away_y = Vec4::splat(seeker.position.y) - Vec4::from_slice(&self.y[four.clone()]);
        let squared = away_x * away_x + away_y * away_y;
        if !ANY_SIZE {
            return (squared, squared.cmplt(Vec4::splat(limit)).bitmask());
        }
        let radius = Vec4::from_slice(&self.radius[four]);
        let larger = (radius - seeker.radius).max(Vec4::ZERO);
        let distance = (squared.sqrt() - larger).max(Vec4::ZERO);
        let squared = distance * distance;
        let is_regular = radius.cmple(Vec4::splat(seeker.buckets.regular_radius()));
        let near = squared.cmplt(Vec4::splat(limit)) & is_regular;
        (squared, near.bitmask())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::swarm::avoidance::bucket_width;
    use crate::swarm::state::agents::Agents;
    use crate::swarm::{AgentType, Avoidance};
    use crate::workers::Workers;
    use glam::IVec2;
    use proptest::prelude::*;

    /// Checks the neighbours of all agents against a sort of all others.
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
        buckets.sort(
            &grid,
            &agents,
            &types,
            (bucket_width, 0.0),
            &Workers::serial(),
        );
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
            let all = (0..agents.len()).filter(|&place| place != own);
            let mut expected: Vec<f32> = all.map(squared).collect();
            let farthest = reach * reach;
            // Rounding decides whether an agent just at the reach counts.
            let is_at_reach = |squared: &f32| (squared - farthest).abs() <= farthest * 5.0e-7;
            prop_assume!(!expected.iter().any(is_at_reach));
            expected.retain(|&squared| squared < farthest);
            expected.sort_by(f32::total_cmp);
            expected.truncate(most);
            let mut nearest: Vec<usize> = found.fours().as_flattened()[..found.count()]
                .iter()
                .map(|&place| place as usize)
                .collect();
            nearest.sort_unstable();
            nearest.dedup();
            prop_assert!(!nearest.contains(&own));
            prop_assert_eq!(nearest.len(), found.count(), "one counts twice");
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

        /// The nearest are also found where sizes differ, and with oversized agents.
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
