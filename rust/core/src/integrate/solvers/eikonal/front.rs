//! The front of the Eikonal solver: fast marching in the buckets of Dial's queue.
//!
//! All cells of a bucket are final when it is processed. They are processed in chunks: their values are gathered, their
//! candidates are listed, and useful candidates are taken ([`super::front_lists`]).

use super::corner::{Corner, Turns};
use super::front_lists::{CHUNK, Lists};
use super::lines::{bends, corners_among};
use super::local_solver::{Known, LocalSolver};
use super::visible_cells::{Values, VisibleCells};
use crate::integrate::bucket_queue::BucketQueue;
use crate::integrate::candidate::Candidate;
use crate::integrate::crossings::Crossings;
use crate::integrate::goal_cells::Seed;
use crate::integrate::moves::{Move, STEP_COUNTS, STEP_LISTS, steps_of, steps_where};
use crate::integrate::root::Root;
use crate::movement::CostField;

/// The set of steps along an axis.
const STRAIGHT_STEPS: u8 = 0b0101_0101;

/// The progress of a front.
pub(super) struct Advance {
    /// An upper bound of all costs.
    pub(super) highest: u32,
    /// The number of cells that it has settled.
    pub(super) settled: usize,
    /// Whether the whole map is solved.
    pub(super) is_done: bool,
}

/// The front of a solve.
pub(super) struct Front<'a> {
    pub(super) local: &'a LocalSolver<'a>,
    /// See [`find_same`](super::local_solver::find_same).
    pub(super) same: &'a [u8],
    /// Cells with fixed values, which take no candidates; empty if there are none.
    pub(super) fixed: &'a [bool],
    pub(super) cost: &'a mut [u32],
    pub(super) roots: &'a mut [Root],
    pub(super) queue: &'a mut BucketQueue,
    pub(super) lists: &'a mut Lists,
    pub(super) crossings: &'a mut Crossings,
}

impl Front<'_> {
    pub(super) fn sow(&mut self, seeds: &[Seed]) {
        for seed in seeds {
            self.cost[seed.index] = seed.cost;
            self.roots[seed.index] = Root::HERE;
        }
        let entry = |seed: &Seed| (seed.cost, seed.index as u32);
        self.queue.push_all(seeds.iter().map(entry));
    }

    /// Starts the front from all cells that see the target of `seed`. Returns the number of cells that it need not
    /// visit.
    pub(super) fn sow_visible_cells(
        &mut self,
        seed: Seed,
        costs: &CostField,
        visible_cells: &mut VisibleCells,
    ) -> usize {
        let values = Values {
            cost: &mut *self.cost,
            roots: &mut *self.roots,
            unit: self.local.unit_of(costs.cheapest()),
        };
        let inside = visible_cells.fill(costs, seed, values);
        self.queue.push_all(visible_cells.edge());
        inside
    }

    /// Takes the links to the cells of a finished bucket.
    fn cross(&mut self, done: u32) {
        let Self {
            crossings,
            queue,
            cost,
            roots,
            ..
        } = self;
        crossings.cross(done, queue, cost, |queue, stored, cell, cost| {
            if cost < stored[cell] {
                stored[cell] = cost;
                roots[cell] = Root::HERE;
                queue.push_any(cost, cell as u32);
            } else if cost == stored[cell] && Root::HERE < roots[cell] {
                roots[cell] = Root::HERE;
            }
        });
    }

    #[inline]
    pub(super) fn is_fixed(&self, cell: usize) -> bool {
        self.fixed.get(cell) == Some(&true)
    }

    /// Gives a cell a candidate if that is better than its value.
    #[inline(always)]
    pub(super) fn take<const WINDOW: bool>(&mut self, cell: usize, candidate: Candidate) {
        let known = self.cost[cell];
        if WINDOW && self.is_fixed(cell) {
            return;
        }
        if candidate.cost < known {
            self.cost[cell] = candidate.cost;
            self.roots[cell] = candidate.root;
            // One entry per cell and bucket is enough: its cost is read when the bucket is opened.
            if self.queue.bucket_of(candidate.cost) != self.queue.bucket_of(known) {
                self.queue.push(candidate.cost, cell as u32);
            }
        } else if candidate.cost == known && candidate.root < self.roots[cell] {
            self.roots[cell] = candidate.root;
        }
    }
}

/// The front on ground of one cost or, if not `EVEN`, of several; over a whole map or, in a `WINDOW`, past cells
/// that are fixed.
pub(super) struct OnGround<'a, const EVEN: bool, const WINDOW: bool> {
    pub(super) front: Front<'a>,
    /// Of even ground: see [`LocalSolver::unit_of`] and [`LocalSolver::turns`].
    unit: f32,
    turns: Turns,
}

impl<'a, const EVEN: bool, const WINDOW: bool> OnGround<'a, EVEN, WINDOW> {
    pub(super) fn new(front: Front<'a>, cost: u8) -> Self {
        Self {
            unit: front.local.unit_of(cost),
            turns: front.local.turns(cost),
            front,
        }
    }

    #[inline]
    fn unit_at(&self, cell: usize) -> f32 {
        if EVEN {
            self.unit
        } else {
            self.front.local.unit_of(self.front.local.cost_of(cell))
        }
    }

    #[inline]
    fn is_straight(&self, cell: usize) -> bool {
        EVEN || self.front.roots[cell].is_straight()
    }

    /// Advances the front from its start, or from where it stopped, until it has settled `most` cells or the map is
    /// solved; `None` if costs came near the end of the number range.
    pub(super) fn advance(
        &mut self,
        cells: &mut Vec<u32>,
        limit: u64,
        most: usize,
    ) -> Option<Advance> {
        let (mut highest, mut settled) = (0, 0);
        self.front.lists.make_room();
        let mut is_done = false;
        while settled < most {
            let Some(bucket) = self.front.queue.pop_bucket(cells) else {
                is_done = true;
                break;
            };
            let below = self.front.queue.last_key(bucket) + 1;
            if below > limit {
                return None;
            }
            let below = below as u32;
            highest = below - 1;
            let mut begun = 0;
            for entries in cells.chunks(CHUNK) {
                if settled >= most {
                    break;
                }
                begun += entries.len();
                let (count, turning) = self.gather(entries, bucket);
                settled += count + turning;
                if turning > 0 {
                    self.spread_turning(turning, below);
                }
                let lines = self.list(count);
                self.draw_lines(lines);
                self.turn(count);
                if !EVEN {
                    for at in 0..count {
                        self.cross_triangles(self.front.lists.cells.cell[at] as usize, below);
                    }
                }
            }
            if begun < cells.len() {
                self.front.queue.put_back(&cells[begun..]);
                break;
            }
            self.front.cross(bucket);
        }
        Some(Advance {
            highest,
            settled,
            is_done,
        })
    }

    /// Gathers the values of at most [`CHUNK`] entries of a bucket. Returns the number of cells with roots, and the
    /// number of cells with curved paths.
    #[inline(never)]
    fn gather(&mut self, entries: &[u32], bucket: u32) -> (usize, usize) {
        let Front {
            lists,
            cost,
            roots,
            queue,
            same,
            local,
            ..
        } = &mut self.front;
        let Lists {
            cells: into,
            turning,
            ..
        } = &mut **lists;
        let (mut count, mut turns) = (0, 0);
        // A curved path has no root to hand on.
        let turning = &mut turning[..CHUNK];
        let (cells, costs) = (&mut into.cell[..CHUNK], &mut into.cost[..CHUNK]);
        let (into_roots, into_same) = (&mut into.root[..CHUNK], &mut into.same[..CHUNK]);
        for &entry in entries {
            let cell = entry as usize;
            let at = count % CHUNK;
            // An entry is stale when its cell has since moved to an earlier bucket.
            let is_live = queue.bucket_of(cost[cell]) == bucket;
            let is_straight = EVEN || roots[cell].is_straight();
            cells[at] = entry;
            costs[at] = cost[cell];
            into_roots[at] = roots[cell];
            if EVEN {
                into_same[at] = same[cell];
            } else {
                turning[turns % CHUNK] = entry;
                turns += usize::from(is_live & !is_straight);
            }
            count += usize::from(is_live & is_straight);
        }
        if !EVEN {
            for at in 0..count {
                let cell = into.cell[at] as usize;
                into.same[at] = same[cell];
                into.unit[at] = local.unit_of(local.cost_of(cell));
            }
        }
        (count, turns)
    }

    /// Lists the candidates of the gathered cells; returns the number of lines.
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
            // Copying two or eight costs less than a loop of unpredictable length.
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

    /// Takes the listed lines that are better than the known values.
    #[inline(never)]
    fn draw_lines(&mut self, count: usize) {
        let local = self.front.local;
        let Lists {
            lines, candidates, ..
        } = &mut *self.front.lists;
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
            let to = local.neighbour(by[at].cell(), by[at].step());
            let candidate = Candidate {
                cost: cost[at],
                root: root[at],
            };
            candidates[kept] = (to as u32, candidate);
            kept += usize::from(candidate.cost <= self.front.cost[to]);
        }
        for at in 0..kept {
            let (to, candidate) = self.front.lists.candidates[at];
            self.front.take::<WINDOW>(to as usize, candidate);
        }
    }

    /// Makes candidates with the centres of the gathered cells, and corners beside them, as roots.
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

    /// Lists the cells at which a turn may be useful; returns their number.
    fn list_turns(&mut self, cells: usize) -> usize {
        let same = &self.front.lists.cells.same[..cells];
        let corners = same.iter().filter(|&&same| corners_among(same) != 0);
        // Where corners are few, a test before reading the diagonal neighbours pays; elsewhere it is mispredicted too
        // often.
        if corners.count() < cells / 8 {
            self.list_turns_by::<true>(cells)
        } else {
            self.list_turns_by::<false>(cells)
        }
    }

    #[inline]
    fn list_turns_by<const FEW_CORNERS: bool>(&mut self, cells: usize) -> usize {
        let Front {
            local, cost, lists, ..
        } = &mut self.front;
        let Lists {
            cells: from, turns, ..
        } = &mut **lists;
        let rows = Rows {
            cost,
            stride: local.stride(),
        };
        let mut kept = 0;
        let from = from.cell[..cells]
            .iter()
            .zip(&from.cost[..cells])
            .zip(&from.same[..cells]);
        for ((&cell, &cost), &same) in from {
            // No turn costs less, and most neighbours have a better value.
            let bend = if EVEN {
                self.turns.bend
            } else {
                local.turns(local.cost_of(cell as usize)).bend
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

    /// Lists the corner at `step` under this number; returns whether there is a corner.
    #[inline]
    fn list_corner(&mut self, number: usize, cell: u32, step: usize, same: u8) -> bool {
        let corner = Corner::new(step, same);
        self.front.lists.corners[number] = (cell, step as u32, corner);
        EVEN || self.front.local.is_shut(cell as usize, corner)
    }

    /// Makes the candidates of the listed corners.
    fn go_round_corners(&mut self, count: usize) {
        for at in 0..count {
            let (cell, step, corner) = self.front.lists.corners[at];
            let (cell, step) = (cell as usize, step as usize);
            let bend = self.front.roots[cell].bend();
            let gain = corner.gain(bend, self.unit_at(cell), self.turns_at(cell));
            let candidate = Candidate {
                cost: self.front.cost[cell] + gain,
                root: corner.root(step),
            };
            let to = self.front.local.neighbour(cell, step);
            self.front.take::<WINDOW>(to, candidate);
        }
    }

    #[inline]
    fn turns_at(&self, cell: usize) -> Turns {
        if EVEN {
            self.turns
        } else {
            self.front.local.turns(self.front.local.cost_of(cell))
        }
    }

    fn bend(&mut self, cell: usize, worth: u8, cost: u32) {
        let bends = bends(self.front.roots[cell].bend(), self.front.same[cell]);
        for step in steps_of(bends & worth) {
            let root = Root::behind(step);
            let to = self.front.local.neighbour(cell, step);
            self.front.take::<WINDOW>(to, Candidate { cost, root });
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
        let local = self.front.local;
        let rows = Rows {
            cost: self.front.cost,
            stride: local.stride(),
        };
        for step in steps_of(rows.at_least(cell, below)) {
            let to = local.neighbour(cell, step);
            if local.is_wall(to) || WINDOW && self.front.is_fixed(to) {
                continue;
            }
            let worth = self.front.cost[to];
            if let Some(candidate) = local.triangles(self.known(below), cell, step, worth) {
                self.front.take::<WINDOW>(to, candidate);
            }
        }
    }

    fn any_neighbour_turns(&self, cell: usize, below: u32) -> bool {
        let Front { cost, local, .. } = &self.front;
        (0..8).any(|step| {
            let other = local.neighbour(cell, step);
            cost[other] < below && !self.is_straight(other)
        })
    }
}

/// Costs, for reading the neighbours of a cell.
struct Rows<'a> {
    cost: &'a [u32],
    stride: usize,
}

impl Rows<'_> {
    /// The steps that lead to neighbours of at least this cost.
    #[inline(always)]
    fn at_least(&self, cell: usize, least: u32) -> u8 {
        steps_where(self.cost, self.stride, cell, |cost| cost >= least)
    }

    /// The straight steps among [`Self::at_least`].
    #[inline]
    fn straight_at_least(&self, cell: usize, least: u32) -> u8 {
        let bit = |cell: usize, step: usize| u8::from(self.cost[cell] >= least) << step;
        bit(cell + 1, 0)
            | bit(cell + self.stride, 2)
            | bit(cell - 1, 4)
            | bit(cell - self.stride, 6)
    }
}
