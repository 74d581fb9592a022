//! Lists of pairs that are filled without branches.

use crate::swarm::neighbours::buckets::LANES;

/// The most pairs that are gathered before they are processed.
const MOST_PAIRS: usize = 1024;
/// The number of pairs beyond which there may be no room for another [`LANES`].
pub(in crate::swarm) const FULL: usize = MOST_PAIRS - LANES;

/// Agents and their neighbours, by their places in bucket order.
pub(in crate::swarm) struct Pairs {
    one: [u32; MOST_PAIRS],
    other: [u32; MOST_PAIRS],
    count: usize,
}

impl Pairs {
    pub(in crate::swarm) fn new() -> Self {
        Self {
            one: [0; MOST_PAIRS],
            other: [0; MOST_PAIRS],
            count: 0,
        }
    }

    /// Whether there may be no room for another [`Self::push`].
    #[inline]
    pub(in crate::swarm) fn is_full(&self) -> bool {
        self.count > FULL
    }

    /// Pairs `own` with the `set` of lanes from `first` on.
    #[inline]
    pub(in crate::swarm) fn push(&mut self, own: usize, first: usize, set: u32) {
        self.count = self.put(self.count, own, first, set);
    }

    /// [`Self::push`] for loops that keep the count in a register: takes the number of pairs and returns the new one.
    #[inline]
    pub(in crate::swarm) fn put(
        &mut self,
        count: usize,
        own: usize,
        first: usize,
        set: u32,
    ) -> usize {
        let lanes = &LANE_LISTS[set as usize & 15];
        let one = &mut self.one[count..count + LANES];
        let other = &mut self.other[count..count + LANES];
        for lane in 0..LANES {
            one[lane] = own as u32;
            other[lane] = first as u32 + lanes[lane];
        }
        count + usize::from(LANE_COUNTS[set as usize & 15])
    }

    /// Sets the number of pairs after [`Self::put`].
    #[inline]
    pub(in crate::swarm) fn set_count(&mut self, count: usize) {
        self.count = count;
    }

    #[inline]
    pub(in crate::swarm) fn count(&self) -> usize {
        self.count
    }

    /// Removes all pairs and returns them in the order in which they were added.
    #[inline]
    pub(in crate::swarm) fn drain(&mut self) -> impl Iterator<Item = (usize, usize)> {
        let count = std::mem::take(&mut self.count);
        let pairs = self.one[..count].iter().zip(&self.other[..count]);
        pairs.map(|(&one, &other)| (one as usize, other as usize))
    }
}

/// By number, the set of the first lanes.
pub(in crate::swarm) const LANE_SETS: [u32; LANES + 1] = [0b0000, 0b0001, 0b0011, 0b0111, 0b1111];
/// By number, the set of the first lane, or of none for 0.
pub(in crate::swarm) const LANE_SETS_OF_ONE: [u32; LANES + 1] = [0b0001, 0b0010, 0b0100, 0b1000, 0];

/// A set of lanes as a list.
static LANE_LISTS: [[u32; LANES]; 16] = lane_lists();
static LANE_COUNTS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

const fn lane_lists() -> [[u32; LANES]; 16] {
    let mut lists = [[0; LANES]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut count, mut lane) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                lists[set][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    lists
}
