//! The solver of the Eikonal equation: distances through open ground at any angle.
//!
//! Fast marching (Tsitsiklis 1995, Sethian 1996) in the buckets of Dial's queue:
//! every offer exceeds what it was made from by at least a bucket's width, so
//! that all cells of a bucket are final when its turn comes. What they offer
//! their neighbours is in [`super::offer`].

use super::bucket_queue::BucketQueue;
use super::moves::{Move, STEP_LISTS};
use super::offer::{Ground, Known, Offer, bends, corners_among, find_same, lines};
use super::root::Root;
use super::seeds::{GoalCell, Seed, open_seeds};
use super::{IntegrationField, Method, SCALES, UNREACHED, cost_overflow};
use crate::error::Result;
use crate::movement::CostField;
use glam::IVec2;
use std::sync::Arc;

/// Solves integration fields and keeps its scratch memory between solves.
#[derive(Debug, Default)]
pub struct EikonalSolver {
    queue: BucketQueue,
    front: Vec<u32>,
    same: Vec<u8>,
    lists: Lists,
}

impl EikonalSolver {
    /// A solver without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The field of costs to the nearest of `targets`, measured between middles of cells along straight
    /// lines. Targets in walls or outside the grid are left out; without any other the field reaches
    /// nothing.
    ///
    /// On ground of one cost the values are within 1 % of the length of the shortest path of a point
    /// that may touch corners. O(cells + buckets): every cell is settled once.
    ///
    /// # Errors
    /// [`crate::Error::CostOverflow`] when a path costs more than 3.5e8 units.
    pub fn solve(&mut self, costs: &CostField, targets: &[IVec2]) -> Result<IntegrationField> {
        self.solve_goals(costs, &GoalCell::free(targets))
    }

    /// [`Self::solve`] for goal cells with initial costs.
    ///
    /// # Errors
    /// As there.
    pub fn solve_goals(
        &mut self,
        costs: &CostField,
        goals: &[GoalCell],
    ) -> Result<IntegrationField> {
        let cells = costs.costs().len();
        let mut field = IntegrationField {
            method: Method::Eikonal,
            width: costs.width(),
            stride: costs.stride(),
            scale: SCALES[0],
            cost: Vec::new(),
            goals: Vec::new(),
            roots: Arc::default(),
            highest: 0,
            tried: 0,
        };
        let mut roots = vec![Root::HERE; cells];
        find_same(costs, &mut self.same);
        for scale in SCALES {
            field.scale = scale;
            field.cost.clear();
            field.cost.resize(cells, UNREACHED);
            let seeds = open_seeds(costs, goals, scale);
            let ground = Ground::new(costs, scale);
            let (least, most) = ground.gains(costs.cheapest(), costs.dearest());
            self.queue.reset(least, most);
            let mut front = Front {
                ground: &ground,
                same: &self.same,
                lists: &mut self.lists,
                cost: &mut field.cost,
                roots: &mut roots,
                queue: &mut self.queue,
            };
            front.sow(&seeds);
            let limit = u64::from(UNREACHED - most) - 1;
            if let Some((highest, settled)) = front.advance(&mut self.front, limit) {
                field.highest = highest;
                field.tried = settled;
                field.roots = Arc::new(roots);
                field.settle_goals(&seeds);
                return Ok(field);
            }
        }
        Err(cost_overflow())
    }
}

/// Cells whose offers are listed at a time: the lists stay in the first-level cache.
const CHUNK: usize = 256;

/// Memory of the front. Offers are listed first, for many cells at once, and weighed in a second loop:
/// short loops that the processor can run far ahead in.
#[derive(Debug, Default)]
struct Lists {
    lines: Vec<Line>,
}

/// A root passed on.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    by: Move,
    /// Cost at the root.
    base: u32,
}

/// The front on its way.
struct Front<'a> {
    ground: &'a Ground<'a>,
    /// See [`find_same`].
    same: &'a [u8],
    cost: &'a mut [u32],
    roots: &'a mut [Root],
    queue: &'a mut BucketQueue,
    lists: &'a mut Lists,
}

impl Front<'_> {
    fn sow(&mut self, seeds: &[Seed]) {
        for seed in seeds {
            self.cost[seed.index] = seed.cost;
            self.roots[seed.index] = Root::HERE;
        }
        let entry = |seed: &Seed| (seed.cost, seed.index as u32);
        self.queue.sow(seeds.iter().map(entry));
    }

    /// Lets the front run over the map. Returns a bound of all costs and the number of cells; `None` if
    /// costs came near the end of the number range.
    fn advance(&mut self, cells: &mut Vec<u32>, limit: u64) -> Option<(u32, usize)> {
        let (mut highest, mut settled) = (0, 0);
        self.lists.lines.resize(8 * CHUNK, Line::default());
        while let Some(bucket) = self.queue.pop_bucket(cells) {
            let below = self.queue.last_key(bucket) + 1;
            if below > limit {
                return None;
            }
            let below = below as u32;
            // An entry is stale when its cell has since moved to an earlier bucket.
            cells.retain(|&cell| self.queue.bucket_of(self.cost[cell as usize]) == bucket);
            highest = below - 1;
            settled += cells.len();
            for cells in cells.chunks(CHUNK) {
                let count = self.list(cells);
                self.draw_lines(count);
            }
            // Mostly worse than what other cells of the same bucket passed on.
            self.turn(cells, below);
            if !self.ground.is_even() {
                for &cell in &*cells {
                    self.cross_triangles(cell as usize, below);
                }
            }
        }
        Some((highest, settled))
    }

    /// Lists the offers of `cells`; returns how many lines they draw.
    #[inline(never)]
    fn list(&mut self, cells: &[u32]) -> usize {
        let mut count = 0;
        for &cell in cells {
            let index = cell as usize;
            let root = self.roots[index];
            if !root.is_straight() {
                continue;
            }
            let same = self.same[index];
            let bend = root.bend();
            let base = self.cost[index] - self.ground.length(bend, self.ground.cost_of(index));
            let lines = lines(root, same);
            let steps = &STEP_LISTS[usize::from(lines)];
            let total = lines.count_ones() as usize;
            let out = &mut self.lists.lines[count..count + 8];
            // Copying two or eight costs less than a loop of unforeseeable length.
            for lane in 0..2 {
                out[lane] = Line {
                    by: Move::new(cell, steps[lane]),
                    base,
                };
            }
            if total > 2 {
                for lane in 2..8 {
                    out[lane] = Line {
                        by: Move::new(cell, steps[lane]),
                        base,
                    };
                }
            }
            count += total;
        }
        count
    }

    #[inline(never)]
    fn draw_lines(&mut self, count: usize) {
        for at in 0..count {
            let Line { by, base } = self.lists.lines[at];
            let (cell, step) = (by.cell(), by.step());
            let cost = self.ground.cost_of(cell);
            let offer = self.ground.along_line(base, self.roots[cell], cost, step);
            self.take(self.ground.neighbour(cell, step), offer);
        }
    }

    /// Offers cells' middles, and corners beside them, as roots.
    #[inline(never)]
    fn turn(&mut self, cells: &[u32], below: u32) {
        for &cell in cells {
            let cell = cell as usize;
            let same = self.same[cell];
            // No turn costs less, and most neighbours have something better.
            let least = self.cost[cell] + self.ground.bend_length(self.ground.cost_of(cell));
            let worth = |step: usize| {
                u8::from(self.cost[self.ground.neighbour(cell, step)] >= least) << step
            };
            let straight = (worth(0) | worth(2) | worth(4) | worth(6)) & same;
            let corners = match corners_among(same) {
                0 => 0,
                corners => (worth(1) | worth(3) | worth(5) | worth(7)) & corners,
            };
            if straight | corners != 0 && self.roots[cell].is_straight() {
                self.bend(cell, straight, least);
                self.go_round_corners(cell, corners, below);
            }
        }
    }

    fn bend(&mut self, cell: usize, worth: u8, cost: u32) {
        let bends = bends(self.roots[cell].bend(), self.same[cell]);
        for step in steps_of(bends & worth) {
            let root = Root::behind(step);
            self.take(self.ground.neighbour(cell, step), Offer { cost, root });
        }
    }

    fn go_round_corners(&mut self, cell: usize, worth: u8, below: u32) {
        for step in steps_of(worth) {
            let known = self.known(below);
            if let Some(offer) = self.ground.around_corner(known, cell, step) {
                self.take(self.ground.neighbour(cell, step), offer);
            }
        }
    }

    fn known(&self, below: u32) -> Known<'_> {
        Known {
            cost: self.cost,
            roots: self.roots,
            below,
        }
    }

    /// The steps to neighbours that are not settled yet.
    #[inline]
    fn pending(&self, cell: usize, below: u32) -> u8 {
        (0..8).fold(0, |set, step| {
            set | u8::from(self.cost[self.ground.neighbour(cell, step)] >= below) << step
        })
    }

    fn cross_triangles(&mut self, cell: usize, below: u32) {
        let is_straight = self.same[cell] == 0xFF && self.roots[cell].is_straight();
        if is_straight && !self.any_neighbour_turns(cell, below) {
            return;
        }
        for step in steps_of(self.pending(cell, below)) {
            let to = self.ground.neighbour(cell, step);
            if self.ground.is_wall(to) {
                continue;
            }
            let worth = self.cost[to];
            let known = self.known(below);
            if let Some(offer) = self.ground.triangles(known, cell, step, worth) {
                self.take(to, offer);
            }
        }
    }

    fn any_neighbour_turns(&self, cell: usize, below: u32) -> bool {
        (0..8).any(|step| {
            let other = self.ground.neighbour(cell, step);
            self.cost[other] < below && !self.roots[other].is_straight()
        })
    }

    /// Gives a cell what it is offered, if that is better than what it has.
    #[inline]
    fn take(&mut self, cell: usize, offer: Offer) {
        let known = self.cost[cell];
        if offer.cost < known {
            self.cost[cell] = offer.cost;
            self.roots[cell] = offer.root;
            // One entry per cell and bucket is enough: its cost is read when the bucket is opened.
            if self.queue.bucket_of(offer.cost) != self.queue.bucket_of(known) {
                self.queue.push(offer.cost, cell as u32);
            }
        } else if offer.cost == known && offer.root < self.roots[cell] {
            self.roots[cell] = offer.root;
        }
    }
}

/// The members of a set of steps.
#[inline]
fn steps_of(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let step = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(step)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::movement::{BLOCKED, MovementType};
    use crate::terrain::Terrain;
    use glam::Vec2;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Pushing offers bucket by bucket comes to the one solution of the local rule.
        #[test]
        fn every_cell_has_the_best_offer_of_its_neighbours(
            (width, height) in (1_i32..40, 1_i32..40),
            walls_percent in prop::sample::select(vec![0_u64, 5, 15, 35]),
            ground in prop::sample::select(vec![&[1_u8][..], &[3], &[1, 2], &[1, 1, 1, 5], &[1, 30, 254]]),
            patch in prop::sample::select(vec![1, 5]),
            seed in any::<u64>(),
        ) {
            let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
            let mut terrain = Terrain::new(&grid);
            let draw = |x: i32, y: i32| crate::random::keyed(seed, x as u64, y as u64);
            for index in 0..grid.cell_count() {
                let cell = grid.cell(index);
                let at = cell / patch;
                let id = if draw(cell.x + 1000, cell.y) % 100 < walls_percent {
                    BLOCKED
                } else {
                    ground[(draw(at.x, at.y) % ground.len() as u64) as usize]
                };
                terrain.set(cell, id).expect("inside");
            }
            let costs = CostField::new(&grid, &terrain, &MovementType::default());
            let goal = grid.cell((draw(-7, 0) % grid.cell_count() as u64) as usize);
            let field = EikonalSolver::new().solve(&costs, &[goal]).expect("small");
            let rule = Ground::new(&costs, field.scale());
            let known = Known { cost: &field.cost, roots: &field.roots, below: UNREACHED };
            for cell in (0..grid.cell_count()).map(|index| costs.index(grid.cell(index))) {
                if !field.goals().contains(&cell) {
                    let best = rule.best_offer(known, cell);
                    prop_assert_eq!(best.map_or(UNREACHED, |best| best.cost), field.cost[cell]);
                    if let Some(best) = best {
                        prop_assert_eq!(best.root, field.roots[cell]);
                    }
                }
            }
        }
    }
}
