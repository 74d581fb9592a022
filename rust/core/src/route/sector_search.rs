//! Exact path costs within one sector.
//!
//! The costs are those of the octile solver on its finest scale: a step costs its length times the cost of the cell
//! that it leaves, and the wave starts where paths end. The search is a bucket queue as in that solver, on a map so
//! small that all of it stays in the first-level cache.

use super::sectors::Sectors;
use crate::bytes::saved;
use crate::grid::{STEPS, offsets};
use crate::integrate::{FINEST, successors_on_even_ground};
use crate::movement::{BLOCKED, CostField, MAX_COST};

/// The cost where there is no path.
pub(super) const NO_PATH: u64 = u64::MAX;

/// The end of a list of entries.
const END: u32 = u32::MAX;

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

saved!(Source { place, cost, mark });

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
    queue: Queue,
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
        let cells = rect.cell_count();
        self.cost.resize(cells, 0);
        self.legal.resize(cells, 0);
        costs.copy_rect(rect, (&mut self.cost, &mut self.legal));
        for row in self.legal.chunks_mut(self.width) {
            row[0] &= WITHOUT_WEST;
            row[self.width - 1] &= WITHOUT_EAST;
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
    pub(super) fn spread(&mut self, sources: &mut [Source]) {
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
    fn run(&mut self, sources: &mut [Source], successors: impl Fn(usize, u8) -> u8) {
        // The sources are taken from the end, the cheapest first.
        sources.sort_unstable_by_key(|source| (std::cmp::Reverse(source.cost), source.place));
        let mut waiting = &*sources;
        let scale = FINEST;
        let shortest = u64::from(scale.straight) * u64::from(self.cheapest);
        let longest = u64::from(scale.diagonal) * u64::from(self.dearest);
        self.queue.reset(shortest, longest);
        let lengths: [u64; 8] =
            std::array::from_fn(|step| u64::from([scale.straight, scale.diagonal][step & 1]));
        let offsets = offsets(self.width);
        loop {
            if self.queue.waiting == 0 {
                let Some(source) = waiting.last() else {
                    return;
                };
                self.queue.current = self.queue.bucket_of(source.cost);
            }
            while let Some((source, rest)) = waiting.split_last()
                && self.queue.bucket_of(source.cost) <= self.queue.current
            {
                waiting = rest;
                let place = usize::from(source.place);
                if source.cost < self.to_go[place] {
                    self.to_go[place] = source.cost;
                    self.mark[place] = source.mark;
                    self.ahead[place] = self.legal[place];
                    self.queue.push(source.cost, source.place);
                }
            }
            let mut entry = self.queue.take();
            while entry != END {
                let (place, next) = self.queue.entries[entry as usize];
                entry = next;
                self.queue.waiting -= 1;
                let place = usize::from(place);
                let to_go = self.to_go[place];
                if self.queue.bucket_of(to_go) != self.queue.current {
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
                    let successors = successors(step, self.legal[other]);
                    if cost == self.to_go[other] {
                        // Both paths are shortest, so the successors of both count.
                        self.ahead[other] |= successors;
                        continue;
                    }
                    let known = std::mem::replace(&mut self.to_go[other], cost);
                    self.mark[other] = mark;
                    self.ahead[other] = successors;
                    // One entry per cell and bucket is enough: the cost is read when the bucket is taken.
                    if self.queue.bucket_of(known) != self.queue.bucket_of(cost) {
                        self.queue.push(cost, other as u16);
                    }
                }
            }
            self.queue.current += 1;
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

/// A ring of buckets of entries with equal costs after `shift` bits are dropped. A bucket is at most as wide as the
/// shortest step is long.
#[derive(Debug, Default)]
struct Queue {
    heads: Vec<u32>,
    /// The index of each entry's cell, and the next entry of its bucket.
    entries: Vec<(u16, u32)>,
    shift: u32,
    mask: u64,
    current: u64,
    waiting: usize,
}

impl Queue {
    fn reset(&mut self, shortest: u64, longest: u64) {
        self.shift = shortest.ilog2();
        let count = ((longest >> self.shift) + 2).next_power_of_two();
        self.mask = count - 1;
        self.heads.clear();
        self.heads.resize(count as usize, END);
        self.entries.clear();
        self.current = 0;
        self.waiting = 0;
    }

    #[inline]
    fn bucket_of(&self, cost: u64) -> u64 {
        cost >> self.shift
    }

    #[inline]
    fn push(&mut self, cost: u64, place: u16) {
        let head = &mut self.heads[((cost >> self.shift) & self.mask) as usize];
        self.entries.push((place, *head));
        *head = self.entries.len() as u32 - 1;
        self.waiting += 1;
    }

    /// Takes the entries of the current bucket.
    #[inline]
    fn take(&mut self) -> u32 {
        std::mem::replace(&mut self.heads[(self.current & self.mask) as usize], END)
    }
}
