//! The solver of the Eikonal equation: distances through open ground at any angle.
//!
//! Fast marching (Tsitsiklis 1995, Sethian 1996) in the buckets of Dial's queue:
//! every offer exceeds what it was made from by at least a bucket's width, so
//! that all cells of a bucket are final when its turn comes. What they offer
//! their neighbours is in [`super::offer`].

use super::bucket_queue::BucketQueue;
use super::in_sight::{InSight, Values};
use super::lines::{Place, bends, column_of, corners_among, threshold};
use super::moves::{Move, STEP_COUNTS, STEP_LISTS};
use super::offer::{Corner, Ground, Known, Offer, Turns, find_same};
use super::root::Root;
use super::seeds::{GoalCell, Seed, open_seeds};
use super::window::Start;
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
    in_sight: InSight,
    /// Memory for the next field.
    pub(super) spare_costs: Vec<u32>,
    pub(super) spare_roots: Vec<Root>,
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
    /// On ground of one cost the values are the lengths of the shortest paths of a point that may touch
    /// corners: within 0.4 % on average and half a cell at worst on every kind of map in the tests. O(cells +
    /// buckets): every cell is settled once.
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
            cost: std::mem::take(&mut self.spare_costs),
            goals: Vec::new(),
            roots: Arc::default(),
            highest: 0,
            tried: 0,
        };
        let mut roots = std::mem::take(&mut self.spare_roots);
        // Never read where the front has not been. But fetched in order now, they are at hand when the front,
        // which comes from all sides, needs them.
        roots.clear();
        roots.resize(cells, Root::HERE);
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
                fixed: &[],
                lists: &mut self.lists,
                cost: &mut field.cost,
                roots: &mut roots,
                queue: &mut self.queue,
            };
            let limit = u64::from(UNREACHED - most) - 1;
            let spared = match *seeds {
                [seed] if InSight::applies(&ground, costs, seed, limit) => {
                    front.sow_in_sight(seed, costs, &mut self.in_sight)
                }
                _ => {
                    front.sow(&seeds);
                    0
                }
            };
            let advanced = if ground.is_even() {
                let cost = costs.cheapest();
                OnGround::<true, false>::new(front, cost).advance(&mut self.front, limit)
            } else {
                OnGround::<false, false>::new(front, 0).advance(&mut self.front, limit)
            };
            if let Some((highest, settled)) = advanced {
                field.highest = highest;
                field.tried = settled + spared / InSight::PER_SETTLED;
                field.roots = Arc::new(roots);
                field.settle_goals(&seeds);
                return Ok(field);
            }
        }
        Err(cost_overflow())
    }

    /// Lets the front run from `starts` over a window of a map, in which `field` reaches nothing yet; false
    /// if costs came near the end of the number range. The values of `fixed` cells stay as they are.
    pub(super) fn run_in(
        &mut self,
        costs: &CostField,
        starts: &[Start],
        fixed: &[bool],
        field: &mut IntegrationField,
    ) -> bool {
        find_same(costs, &mut self.same);
        let mut ground = Ground::new(costs, field.scale);
        if starts.iter().any(|start| !start.offer.root.is_straight()) {
            ground = ground.with_turns();
        }
        let (least, most) = ground.gains(costs.cheapest(), costs.dearest());
        self.queue.reset(least, most);
        let roots = Arc::make_mut(&mut field.roots);
        for start in starts {
            field.cost[start.index] = start.offer.cost;
            roots[start.index] = start.offer.root;
        }
        let entry = |start: &Start| (start.offer.cost, start.index as u32);
        self.queue.sow(starts.iter().map(entry));
        let front = Front {
            ground: &ground,
            same: &self.same,
            fixed,
            lists: &mut self.lists,
            cost: &mut field.cost,
            roots,
            queue: &mut self.queue,
        };
        let limit = u64::from(UNREACHED - most) - 1;
        let advanced = if ground.is_even() {
            OnGround::<true, true>::new(front, costs.cheapest()).advance(&mut self.front, limit)
        } else {
            OnGround::<false, true>::new(front, 0).advance(&mut self.front, limit)
        };
        advanced.is_some()
    }
}

/// Cells whose offers are listed at a time: the lists stay in the first-level cache.
const CHUNK: usize = 256;
/// The set of steps along an axis.
const STRAIGHT_STEPS: u8 = 0b0101_0101;

/// Memory of the front. Offers are listed first, for many cells at once, and weighed in a second loop:
/// short loops that the processor can run far ahead in, and between them loops that fetch nothing from
/// anywhere, which the compiler turns into vector code.
#[derive(Debug, Default)]
struct Lists {
    cells: Gathered,
    lines: Lines,
    /// Lines that are worth it, with their ends.
    offers: Vec<(u32, Offer)>,
    /// Cells with the steps by which they may be worth turning at.
    turns: Vec<(u32, u8, u8)>,
    /// Cells with diagonal steps that lead round a corner.
    corners: Vec<(u32, u32, Corner)>,
}

impl Lists {
    fn make_room(&mut self) {
        self.cells.cell.resize(CHUNK, 0);
        self.cells.cost.resize(CHUNK, 0);
        self.cells.root.resize(CHUNK, Root::HERE);
        self.cells.base.resize(CHUNK, 0);
        self.cells.unit.resize(CHUNK, 0.0);
        self.cells.same.resize(CHUNK, 0);
        self.cells.column.resize(CHUNK, 0);
        self.cells.place.resize(CHUNK, Place::default());
        self.lines.by.resize(8 * CHUNK, Move::default());
        self.lines.cost.resize(8 * CHUNK, 0);
        self.lines.root.resize(8 * CHUNK, Root::HERE);
        self.lines.unit.resize(8 * CHUNK, 0.0);
        self.offers.resize(8 * CHUNK, (0, Offer::NONE));
        self.turns.resize(CHUNK, (0, 0, 0));
        self.corners
            .resize(4 * CHUNK + 1, (0, 0, Corner::default()));
    }
}

/// What the cells of a chunk have.
#[derive(Debug, Default)]
struct Gathered {
    cell: Vec<u32>,
    cost: Vec<u32>,
    root: Vec<Root>,
    /// Cost at the root.
    base: Vec<u32>,
    unit: Vec<f32>,
    same: Vec<u8>,
    /// Of the root: see [`column_of`] and [`Place`].
    column: Vec<u32>,
    place: Vec<Place>,
}

impl Gathered {
    /// Finds out where the roots of the first `count` cells lie, and takes the way there off their costs.
    #[inline]
    fn locate(&mut self, count: usize) {
        let (root, cost) = (&self.root[..count], &self.cost[..count]);
        let (base, unit) = (&mut self.base[..count], &self.unit[..count]);
        let (column, place) = (&mut self.column[..count], &mut self.place[..count]);
        for at in 0..count {
            let bend = root[at].bend();
            base[at] = cost[at].wrapping_sub(Ground::length_by(bend, unit[at]));
            column[at] = column_of(bend);
        }
        for column in &mut *column {
            *column = threshold(*column);
        }
        for at in 0..count {
            place[at] = Place::new(root[at].bend(), column[at]);
        }
    }
}

/// Roots passed on.
#[derive(Debug, Default)]
struct Lines {
    by: Vec<Move>,
    /// Cost at the root, and then at the line's end.
    cost: Vec<u32>,
    /// Seen from the line's end.
    root: Vec<Root>,
    unit: Vec<f32>,
}

impl Lines {
    /// Adds the lines' lengths to the costs.
    #[inline]
    fn measure(&mut self, count: usize, unit: impl Fn(usize) -> f32) {
        let (cost, root) = (&mut self.cost[..count], &self.root[..count]);
        for at in 0..count {
            cost[at] = cost[at].wrapping_add(Ground::length_by(root[at].bend(), unit(at)));
        }
    }
}

/// The front on its way.
struct Front<'a> {
    ground: &'a Ground<'a>,
    /// See [`find_same`].
    same: &'a [u8],
    /// Cells that take no offers; empty if all do.
    fixed: &'a [bool],
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

    /// Sets the front out from all that the target of `seed` sees. Returns how many cells it need not visit.
    fn sow_in_sight(&mut self, seed: Seed, costs: &CostField, in_sight: &mut InSight) -> usize {
        let values = Values {
            cost: &mut *self.cost,
            roots: &mut *self.roots,
            unit: self.ground.unit_of(costs.cheapest()),
        };
        let inside = in_sight.fill(costs, seed, values);
        self.queue.sow(in_sight.edge());
        inside
    }

    #[inline]
    fn is_fixed(&self, cell: usize) -> bool {
        self.fixed.get(cell) == Some(&true)
    }

    /// Gives a cell what it is offered, if that is better than what it has.
    #[inline(always)]
    fn take<const WINDOW: bool>(&mut self, cell: usize, offer: Offer) {
        let known = self.cost[cell];
        if WINDOW && self.is_fixed(cell) {
            return;
        }
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

/// The front on ground of one cost or, if not `EVEN`, of several; over a whole map or, in a `WINDOW`, past cells
/// that are fixed.
struct OnGround<'a, const EVEN: bool, const WINDOW: bool> {
    front: Front<'a>,
    /// Of even ground: see [`Ground::unit_of`] and [`Ground::turns`].
    unit: f32,
    turns: Turns,
}

impl<'a, const EVEN: bool, const WINDOW: bool> OnGround<'a, EVEN, WINDOW> {
    fn new(front: Front<'a>, cost: u8) -> Self {
        Self {
            unit: front.ground.unit_of(cost),
            turns: front.ground.turns(cost),
            front,
        }
    }

    #[inline]
    fn unit_at(&self, cell: usize) -> f32 {
        if EVEN {
            self.unit
        } else {
            self.front.ground.unit_of(self.front.ground.cost_of(cell))
        }
    }

    #[inline]
    fn is_straight(&self, cell: usize) -> bool {
        EVEN || self.front.roots[cell].is_straight()
    }

    /// Lets the front run over the map from where it was sown. Returns a bound of all costs and the number
    /// of cells; `None` if costs came near the end of the number range.
    fn advance(&mut self, cells: &mut Vec<u32>, limit: u64) -> Option<(u32, usize)> {
        let (mut highest, mut settled) = (0, 0);
        self.front.lists.make_room();
        while let Some(bucket) = self.front.queue.pop_bucket(cells) {
            let below = self.front.queue.last_key(bucket) + 1;
            if below > limit {
                return None;
            }
            let below = below as u32;
            highest = below - 1;
            for entries in cells.chunks(CHUNK) {
                let count = self.gather(entries, bucket);
                settled += count;
                let lines = self.list(count);
                self.draw_lines(lines);
                self.turn(count);
                if !EVEN {
                    for at in 0..count {
                        self.cross_triangles(self.front.lists.cells.cell[at] as usize, below);
                    }
                }
            }
        }
        Some((highest, settled))
    }

    /// Fetches what the cells of at most [`CHUNK`] entries of a bucket have; returns how many there are.
    #[inline(never)]
    fn gather(&mut self, entries: &[u32], bucket: u32) -> usize {
        let Front {
            lists,
            cost,
            roots,
            queue,
            same,
            ground,
            ..
        } = &mut self.front;
        let into = &mut lists.cells;
        let mut count = 0;
        {
            let (cells, costs) = (&mut into.cell[..CHUNK], &mut into.cost[..CHUNK]);
            let (into_roots, into_same) = (&mut into.root[..CHUNK], &mut into.same[..CHUNK]);
            for &entry in entries {
                let cell = entry as usize;
                let at = count % CHUNK;
                cells[at] = entry;
                costs[at] = cost[cell];
                into_roots[at] = roots[cell];
                into_same[at] = same[cell];
                // An entry is stale when its cell has since moved to an earlier bucket.
                count += usize::from(queue.bucket_of(cost[cell]) == bucket);
            }
        }
        if !EVEN {
            for at in 0..count {
                // A path that turns has no root to hand on.
                if !into.root[at].is_straight() {
                    into.root[at] = Root::HERE;
                    into.same[at] = 0;
                }
                into.unit[at] = ground.unit_of(ground.cost_of(into.cell[at] as usize));
            }
        }
        count
    }

    /// Lists the offers of the gathered cells; returns how many lines they draw.
    #[inline(never)]
    fn list(&mut self, cells: usize) -> usize {
        if EVEN {
            self.front.lists.cells.unit[..cells].fill(self.unit);
        }
        self.front.lists.cells.locate(cells);
        let Lists {
            cells: from, lines, ..
        } = &mut *self.front.lists;
        let mut count = 0;
        for at in 0..cells {
            let cell = from.cell[at];
            let set = usize::from(from.place[at].lines(from.same[at]));
            let steps = &STEP_LISTS[set];
            let total = usize::from(STEP_COUNTS[set]);
            let (root, base) = (from.root[at], from.base[at]);
            let by = &mut lines.by[count..count + 8];
            let roots = &mut lines.root[count..count + 8];
            let costs = &mut lines.cost[count..count + 8];
            // Copying two or eight costs less than a loop of unforeseeable length.
            for lane in 0..2 {
                by[lane] = Move::new(cell, steps[lane]);
                roots[lane] = root.after(by[lane].step());
                costs[lane] = base;
            }
            if total > 2 {
                for lane in 2..8 {
                    by[lane] = Move::new(cell, steps[lane]);
                    roots[lane] = root.after(by[lane].step());
                    costs[lane] = base;
                }
            }
            if !EVEN {
                lines.unit[count..count + 8].fill(from.unit[at]);
            }
            count += total;
        }
        count
    }

    /// Takes the listed lines that are worth it.
    #[inline(never)]
    fn draw_lines(&mut self, count: usize) {
        let ground = self.front.ground;
        let Lists { lines, offers, .. } = &mut *self.front.lists;
        if EVEN {
            lines.measure(count, |_| self.unit);
        } else {
            let unit = std::mem::take(&mut lines.unit);
            lines.measure(count, |at| unit[at]);
            lines.unit = unit;
        }
        let (by, root, cost) = (
            &lines.by[..count],
            &lines.root[..count],
            &lines.cost[..count],
        );
        let mut kept = 0;
        for at in 0..count {
            let to = ground.neighbour(by[at].cell(), by[at].step());
            let offer = Offer {
                cost: cost[at],
                root: root[at],
            };
            offers[kept] = (to as u32, offer);
            kept += usize::from(offer.cost <= self.front.cost[to]);
        }
        for at in 0..kept {
            let (to, offer) = self.front.lists.offers[at];
            self.front.take::<WINDOW>(to as usize, offer);
        }
    }

    /// Offers the middles of the gathered cells, and corners beside them, as roots.
    #[inline(never)]
    fn turn(&mut self, cells: usize) {
        let kept = self.list_turns(cells);
        let mut corners = 0;
        for at in 0..kept {
            let (cell, same, worth) = self.front.lists.turns[at];
            let straight = worth & STRAIGHT_STEPS;
            if straight != 0 {
                let cell = cell as usize;
                let least = self.front.cost[cell] + self.turns_at(cell).bend;
                self.bend(cell, straight, least);
            }
            for step in steps_of(worth & !STRAIGHT_STEPS) {
                corners += usize::from(self.list_corner(corners, cell, step, same));
            }
        }
        self.go_round_corners(corners);
    }

    /// Lists the cells that may be worth turning at; returns how many.
    fn list_turns(&mut self, cells: usize) -> usize {
        let same = &self.front.lists.cells.same[..cells];
        let corners = same.iter().filter(|&&same| corners_among(same) != 0);
        // Where corners are few it pays to ask before looking at the diagonal neighbours; elsewhere that
        // question is guessed wrong too often.
        if corners.count() < cells / 8 {
            self.list_turns_by::<true>(cells)
        } else {
            self.list_turns_by::<false>(cells)
        }
    }

    #[inline]
    fn list_turns_by<const FEW_CORNERS: bool>(&mut self, cells: usize) -> usize {
        let Front {
            ground,
            cost,
            lists,
            ..
        } = &mut self.front;
        let Lists {
            cells: from, turns, ..
        } = &mut **lists;
        let rows = Rows {
            cost,
            stride: ground.stride(),
        };
        let mut kept = 0;
        let from = from.cell[..cells]
            .iter()
            .zip(&from.cost[..cells])
            .zip(&from.same[..cells]);
        for ((&cell, &cost), &same) in from {
            // No turn costs less, and most neighbours have something better.
            let bend = if EVEN {
                self.turns.bend
            } else {
                ground.turns(ground.cost_of(cell as usize)).bend
            };
            let least = cost + bend;
            let corners = corners_among(same);
            let worth = if FEW_CORNERS && corners == 0 {
                rows.straight_at_least(cell as usize, least) & same
            } else {
                rows.at_least(cell as usize, least) & (same & STRAIGHT_STEPS | corners)
            };
            turns[kept] = (cell, same, worth);
            kept += usize::from(worth != 0);
        }
        kept
    }

    /// Lists the corner at `step` as the one with this number; says whether it is one.
    #[inline]
    fn list_corner(&mut self, number: usize, cell: u32, step: usize, same: u8) -> bool {
        let corner = Corner::new(step, same);
        self.front.lists.corners[number] = (cell, step as u32, corner);
        EVEN || self.front.ground.is_shut(cell as usize, corner)
    }

    /// Offers the listed corners.
    fn go_round_corners(&mut self, count: usize) {
        for at in 0..count {
            let (cell, step, corner) = self.front.lists.corners[at];
            let (cell, step) = (cell as usize, step as usize);
            let bend = self.front.roots[cell].bend();
            let gain = corner.gain(bend, self.unit_at(cell), self.turns_at(cell));
            let offer = Offer {
                cost: self.front.cost[cell] + gain,
                root: corner.root(step),
            };
            let to = self.front.ground.neighbour(cell, step);
            self.front.take::<WINDOW>(to, offer);
        }
    }

    #[inline]
    fn turns_at(&self, cell: usize) -> Turns {
        if EVEN {
            self.turns
        } else {
            self.front.ground.turns(self.front.ground.cost_of(cell))
        }
    }

    fn bend(&mut self, cell: usize, worth: u8, cost: u32) {
        let bends = bends(self.front.roots[cell].bend(), self.front.same[cell]);
        for step in steps_of(bends & worth) {
            let root = Root::behind(step);
            let to = self.front.ground.neighbour(cell, step);
            self.front.take::<WINDOW>(to, Offer { cost, root });
        }
    }

    fn known(&self, below: u32) -> Known<'_> {
        Known {
            cost: self.front.cost,
            roots: self.front.roots,
            below,
        }
    }

    fn cross_triangles(&mut self, cell: usize, below: u32) {
        let is_straight = self.front.same[cell] == 0xFF && self.is_straight(cell);
        if is_straight && !self.any_neighbour_turns(cell, below) {
            return;
        }
        let ground = self.front.ground;
        let rows = Rows {
            cost: self.front.cost,
            stride: ground.stride(),
        };
        for step in steps_of(rows.at_least(cell, below)) {
            let to = ground.neighbour(cell, step);
            if ground.is_wall(to) || WINDOW && self.front.is_fixed(to) {
                continue;
            }
            let worth = self.front.cost[to];
            if let Some(offer) = ground.triangles(self.known(below), cell, step, worth) {
                self.front.take::<WINDOW>(to, offer);
            }
        }
    }

    fn any_neighbour_turns(&self, cell: usize, below: u32) -> bool {
        let Front { cost, ground, .. } = &self.front;
        (0..8).any(|step| {
            let other = ground.neighbour(cell, step);
            cost[other] < below && !self.is_straight(other)
        })
    }
}

/// Costs, to be looked at around a cell.
struct Rows<'a> {
    cost: &'a [u32],
    stride: usize,
}

impl Rows<'_> {
    /// The steps that lead to neighbours of at least this cost.
    #[inline(always)]
    fn at_least(&self, cell: usize, least: u32) -> u8 {
        let row = |from: usize| &self.cost[from - 1..from + 2];
        let (above, here, below) = (row(cell - self.stride), row(cell), row(cell + self.stride));
        let bit = |cost: u32, step: usize| u8::from(cost >= least) << step;
        bit(here[2], 0)
            | bit(below[2], 1)
            | bit(below[1], 2)
            | bit(below[0], 3)
            | bit(here[0], 4)
            | bit(above[0], 5)
            | bit(above[1], 6)
            | bit(above[2], 7)
    }

    /// The straight ones among them.
    #[inline]
    fn straight_at_least(&self, cell: usize, least: u32) -> u8 {
        let bit = |cell: usize, step: usize| u8::from(self.cost[cell] >= least) << step;
        bit(cell + 1, 0)
            | bit(cell + self.stride, 2)
            | bit(cell - 1, 4)
            | bit(cell - self.stride, 6)
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
