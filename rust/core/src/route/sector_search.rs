//! Exact path costs within one sector.
//!
//! The costs are those of the octile solver on its finest scale: a step costs its length times the cost of the cell
//! that it leaves, and the wave starts where paths end. The search is a bucket queue as in that solver, on a map so
//! small that all of it stays in the first-level cache.

use super::sectors::Sectors;
use crate::integrate::{BucketQueue, FINEST, successors_on_even_ground};
use crate::movement::{BLOCKED, CostField, MAX_COST, STEPS, offsets};
use glam::IVec2;

/// The cost where there is no path.
pub(super) const NO_PATH: u64 = u64::MAX;

/// A cell at which the wave starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    /// The index of the cell within the sector.
    pub(super) place: u16,
    /// The cost from there to the goal.
    pub(super) cost: u64,
    /// The mark that cells receive whose paths end at this source.
    pub(super) mark: u16,
}

/// Searches single sectors and reuses its memory between searches.
#[derive(Debug, Default)]
pub struct SectorSearch {
    width: usize,
    cost: Vec<u8>,
    /// The legal steps of each cell that stay in the sector.
    legal: Vec<u8>,
    cheapest: u8,
    dearest: u8,
    open: usize,
    /// The cost from each cell to the goal by the best source, after [`Self::spread`].
    pub(super) to_go: Vec<u64>,
    /// The mark of that source.
    pub(super) mark: Vec<u16>,
    ahead: Vec<u8>,
    queue: BucketQueue,
    /// The entries of the current bucket.
    entries: Vec<u32>,
}

impl SectorSearch {
    /// A search that has allocated no memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Loads a sector. Linear in its cells.
    pub(super) fn load(&mut self, costs: &CostField, sectors: &Sectors, sector: u32) {
        let rect = sectors.rect(sector);
        let extent = rect.high - rect.low;
        self.width = extent.x as usize;
        self.cost.clear();
        self.legal.clear();
        for y in rect.low.y..rect.high.y {
            let from = costs.index(IVec2::new(rect.low.x, y));
            let row = from..from + self.width;
            self.cost.extend_from_slice(&costs.costs()[row.clone()]);
            let from = self.legal.len();
            self.legal.extend_from_slice(&costs.steps()[row]);
            self.legal[from] &= WITHOUT_WEST;
            self.legal[from + self.width - 1] &= WITHOUT_EAST;
        }
        let last = self.legal.len() - self.width;
        for legal in &mut self.legal[..self.width] {
            *legal &= WITHOUT_NORTH;
        }
        for legal in &mut self.legal[last..] {
            *legal &= WITHOUT_SOUTH;
        }
        self.cheapest = self.cost.iter().copied().fold(MAX_COST, u8::min);
        // The value of a wall is one more than the greatest cost. Adding one wraps it to 0, the least value.
        let dearest = self.cost.iter().map(|cost| cost.wrapping_add(1)).max();
        self.dearest = dearest.map_or(1, |cost| cost.max(2) - 1);
        self.open = self.cost.iter().filter(|&&cost| cost != BLOCKED).count();
    }

    /// The width of the loaded sector, in cells.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The cost of every cell, if all cells are open and cost the same.
    pub(super) fn clear_cost(&self) -> Option<u8> {
        let clear = self.open == self.cost.len() && self.cheapest == self.dearest;
        clear.then_some(self.cheapest)
    }

    /// Fills [`Self::to_go`] and [`Self::mark`] for the loaded sector. Sources must be open cells.
    pub(super) fn spread(&mut self, sources: &[Source]) {
        self.to_go.clear();
        self.to_go.resize(self.cost.len(), NO_PATH);
        self.mark.resize(self.cost.len(), 0);
        self.ahead.resize(self.cost.len(), 0);
        if self.cheapest == self.dearest {
            self.run(sources, successors_on_even_ground);
        } else {
            self.run(sources, |_, legal| legal);
        }
    }

    #[inline]
    fn run(&mut self, sources: &[Source], onward: impl Fn(usize, u8) -> u8) {
        let scale = FINEST;
        let shortest = scale.straight * u32::from(self.cheapest);
        let longest = scale.diagonal * u32::from(self.dearest);
        // Buckets are counted from the cheapest source: costs have more bits than the queue's keys.
        let shift = shortest.ilog2();
        let least = sources.iter().map(|source| source.cost).min().unwrap_or(0);
        let bucket_of = |cost: u64| ((cost - least) >> shift) as u32;
        let span = (longest >> shift) + 3;
        self.queue.reset_ring(0, span.next_power_of_two());
        for &Source { place, cost, mark } in sources {
            let at = usize::from(place);
            if cost < self.to_go[at] {
                self.to_go[at] = cost;
                self.mark[at] = mark;
                self.ahead[at] = self.legal[at];
                self.queue.push_any(bucket_of(cost), u32::from(place));
            }
        }
        let lengths: [u64; 8] =
            std::array::from_fn(|step| u64::from([scale.straight, scale.diagonal][step & 1]));
        let offsets = offsets(self.width);
        while let Some(bucket) = self.queue.pop_bucket(&mut self.entries) {
            for at in 0..self.entries.len() {
                let place = self.entries[at] as usize;
                let to_go = self.to_go[place];
                if bucket_of(to_go) != bucket {
                    continue;
                }
                let mut ahead = self.ahead[place];
                let mark = self.mark[place];
                while ahead != 0 {
                    let step = ahead.trailing_zeros() as usize;
                    ahead &= ahead - 1;
                    let other = place.wrapping_add_signed(offsets[step]);
                    let cost = to_go + lengths[step] * u64::from(self.cost[other]);
                    if cost > self.to_go[other] {
                        continue;
                    }
                    let onward = onward(step, self.legal[other]);
                    if cost == self.to_go[other] {
                        // Both paths are shortest, so the successors of both count.
                        self.ahead[other] |= onward;
                        continue;
                    }
                    let known = std::mem::replace(&mut self.to_go[other], cost);
                    self.mark[other] = mark;
                    self.ahead[other] = onward;
                    // One entry per cell and bucket is enough: the cost is read when the bucket is popped.
                    if known == NO_PATH || bucket_of(known) != bucket_of(cost) {
                        self.queue.push(bucket_of(cost), other as u32);
                    }
                }
            }
        }
    }
}

const WITHOUT_EAST: u8 = without(1, 0);
const WITHOUT_WEST: u8 = without(-1, 0);
const WITHOUT_SOUTH: u8 = without(0, 1);
const WITHOUT_NORTH: u8 = without(0, -1);

/// The steps whose x component is not `x` and whose y component is not `y`. A component of 0 is ignored.
const fn without(x: i32, y: i32) -> u8 {
    let mut steps = 0;
    let mut step = 0;
    while step < 8 {
        let to = STEPS[step];
        if !(x != 0 && to.x == x || y != 0 && to.y == y) {
            steps |= 1 << step;
        }
        step += 1;
    }
    steps
}
