//! Candidates for the neighbours of an agent, and the selection of the nearest ones.
//!
//! A list that is kept sorted by insertion costs a branch misprediction for most entries. Here candidates are stored
//! four at a time without a branch, with a list of the slots that count. When too many count, they are sorted by
//! algorithms whose comparisons do not depend on the data.

use crate::swarm::MAX_NEIGHBOURS;
use crate::swarm::avoidance::orca::network;
use crate::swarm::neighbours::buckets::LANES;
use glam::Vec4;

/// The number of slots for candidates.
const ROOM: usize = 128;
const GROUPS: usize = ROOM / LANES;
/// The low bits of a squared distance that are replaced by the number of a slot, so that no two keys are equal.
const NUMBER: u32 = ROOM as u32 - 1;
/// The slot behind all others. Its key sorts behind every distance.
const LAST: u8 = ROOM as u8;
/// The number of candidates that a sorting network sorts.
const NETWORK: usize = 16;
/// The number of vectors of four candidates that are ranked at once.
const WIDE: usize = 2;
/// From here on a number's lowest bits are those of an integer.
const INTEGERS: f32 = (1 << (f32::MANTISSA_DIGITS - 1)) as f32;

/// The number of groups of slots in use, and the number of candidates that count. Loops keep it in registers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ends {
    groups: usize,
    count: usize,
}

impl Ends {
    /// Whether there is no room for four more candidates, or more count than are worth keeping for `most` neighbours:
    /// about three times as many, or as many as a network sorts.
    #[inline]
    pub(super) fn are_far(self, most: usize) -> bool {
        let full = if most <= NETWORK {
            2 * NETWORK - LANES
        } else {
            3 * most
        };
        self.groups >= GROUPS || self.count > full
    }
}

/// Candidates in the order in which they were added.
pub(super) struct Candidates {
    /// By slot, squared distances whose low bits hold the slot's number. There is an entry for every value of a byte.
    keys: [f32; 1 << u8::BITS],
    /// By slot, the agent's place in bucket order.
    places: [u32; ROOM],
    /// The slots that count, ascending.
    chosen: [u8; ROOM + NETWORK],
    pub(super) ends: Ends,
    /// The keys of the slots that count, before sorting.
    unsorted: [Vec4; GROUPS + WIDE],
    /// The keys after sorting, nearest first.
    sorted: [f32; ROOM],
}

impl Candidates {
    pub(super) fn new() -> Self {
        Self {
            keys: [f32::INFINITY; 1 << u8::BITS],
            places: [0; ROOM],
            chosen: [0; ROOM + NETWORK],
            ends: Ends::default(),
            unsorted: [Vec4::ZERO; GROUPS + WIDE],
            sorted: [0.0; ROOM],
        }
    }

    pub(super) fn clear(&mut self) {
        self.ends = Ends::default();
    }

    pub(super) fn count(&self) -> usize {
        self.ends.count
    }

    /// Adds the four agents from place `first` on, of which those in `set` count, behind `ends`, and advances `ends`.
    #[inline]
    pub(super) fn put(&mut self, ends: &mut Ends, first: usize, squared: Vec4, set: u32) {
        let group = ends.groups % GROUPS;
        let slot = group * LANES;
        let keys = &mut self.keys[slot..slot + LANES];
        for (key, (squared, number)) in keys
            .iter_mut()
            .zip(squared.to_array().into_iter().zip(NUMBERS[group]))
        {
            *key = f32::from_bits(squared.to_bits() & !NUMBER | number);
        }
        let places = &mut self.places[slot..slot + LANES];
        for (lane, place) in places.iter_mut().enumerate() {
            *place = (first + lane) as u32;
        }
        let set = set as usize % SLOTS.len();
        let slots = SLOTS[set] + slot as u32 * 0x0101_0101;
        let from = ends.count % ROOM;
        self.chosen[from..from + LANES].copy_from_slice(&slots.to_le_bytes());
        ends.groups += 1;
        ends.count += usize::from(COUNTS[set]);
    }

    /// Writes the places of the nearest `most` candidates into `nearest`, nearest first, and returns the square of a
    /// distance just beyond the last of them. More than `most` have to count.
    #[inline]
    pub(super) fn take_nearest(&mut self, most: usize, nearest: &mut [u32]) -> f32 {
        self.sort(most);
        let mut last = 0.0;
        for (place, &key) in nearest.iter_mut().zip(&self.sorted) {
            *place = self.places[slot_of(key)];
            last = key;
        }
        just_beyond(last)
    }

    /// Writes the places of all candidates into `list`, in the order in which they were added.
    #[inline]
    pub(super) fn take_all(&self, list: &mut [u32]) {
        for (place, &slot) in list.iter_mut().zip(&self.chosen) {
            *place = self.places[usize::from(slot) % ROOM];
        }
    }

    /// Makes room. If more than `most` count, keeps the nearest `most`, sorted, and returns the square of a distance
    /// just beyond them.
    #[inline(never)]
    pub(super) fn thin_out(&mut self, most: usize) -> Option<f32> {
        let is_cut = self.count() > most;
        if is_cut {
            self.sort(most);
        } else {
            for (key, &slot) in self.sorted.iter_mut().zip(&self.chosen) {
                *key = self.keys[usize::from(slot)];
            }
        }
        let count = self.count().min(most).min(MAX_NEIGHBOURS);
        let mut kept = [0; MAX_NEIGHBOURS];
        for (place, &key) in kept[..count].iter_mut().zip(&self.sorted) {
            *place = self.places[slot_of(key)];
        }
        for (slot, &key) in self.sorted[..count].iter().enumerate() {
            self.keys[slot] = f32::from_bits(key.to_bits() & !NUMBER | slot as u32);
            self.places[slot] = kept[slot];
            self.chosen[slot] = slot as u8;
        }
        self.ends = Ends {
            groups: count.div_ceil(LANES),
            count,
        };
        is_cut.then(|| just_beyond(self.sorted[most - 1]))
    }

    /// Sorts the nearest `most` candidates by squared distance. Of distances that are equal to the compared bits, the
    /// one added first comes first.
    #[inline]
    fn sort(&mut self, most: usize) {
        // Vectors that are not full are filled up with keys that sort behind all others.
        let count = self.count() % ROOM;
        self.chosen[count..count + NETWORK].fill(LAST);
        if most > NETWORK {
            self.rank(count);
            return;
        }
        let mut sorted = network::sort(self.sixteen(0));
        if count > NETWORK {
            sorted = network::least(sorted, network::sort(self.sixteen(NETWORK)));
        }
        let rows = network::transposed(sorted);
        for (row, keys) in rows.iter().zip(self.sorted.chunks_exact_mut(LANES)) {
            row.write_to_slice(keys);
        }
    }

    /// The keys of sixteen candidates that count, from number `from` on.
    #[inline]
    fn sixteen(&self, from: usize) -> [Vec4; 4] {
        [0, 1, 2, 3].map(|row| self.four(from + row * LANES))
    }

    /// The keys of four candidates that count, from number `from` on.
    #[inline]
    fn four(&self, from: usize) -> Vec4 {
        let slots = &self.chosen[from..from + LANES];
        let key = |lane: usize| self.keys[usize::from(slots[lane])];
        Vec4::new(key(0), key(1), key(2), key(3))
    }

    /// Sorts all candidates that count, whatever their number. The rank of each is the number of nearer candidates.
    #[inline(never)]
    fn rank(&mut self, count: usize) {
        let fours = count.div_ceil(WIDE * LANES) * WIDE;
        for four in 0..fours {
            self.unsorted[four] = self.four(four * LANES);
        }
        let unsorted = &self.unsorted[..fours];
        for own in unsorted.chunks_exact(WIDE) {
            let own = [own[0], own[1]];
            // Written with vectors, because compilers generate slower code for plain arrays.
            let mut nearer = [Vec4::splat(INTEGERS); WIDE];
            for four in unsorted {
                for key in four.to_array().map(Vec4::splat) {
                    for (nearer, own) in nearer.iter_mut().zip(own) {
                        *nearer += Vec4::select(key.cmplt(own), Vec4::ONE, Vec4::ZERO);
                    }
                }
            }
            for (own, nearer) in own.into_iter().zip(nearer) {
                // Lanes beyond the last candidate get ranks beyond it.
                for (key, rank) in own.to_array().into_iter().zip(nearer.to_array()) {
                    self.sorted[rank.to_bits() as usize % ROOM] = key;
                }
            }
        }
    }
}

/// The slot in the low bits of a key.
#[inline]
fn slot_of(key: f32) -> usize {
    (key.to_bits() & NUMBER) as usize
}

/// The least squared distance that sorts behind a key whatever its slot.
#[inline]
fn just_beyond(key: f32) -> f32 {
    f32::from_bits((key.to_bits() | NUMBER) + 1)
}

/// `squared` or a little more, so that a distance is below it exactly if its key is.
#[inline]
pub(super) fn rounded_up(squared: f32) -> f32 {
    just_beyond(squared.min(f32::MAX))
}

/// The slots of each group.
static NUMBERS: [[u32; LANES]; GROUPS] = numbers();

const fn numbers() -> [[u32; LANES]; GROUPS] {
    let mut numbers = [[0; LANES]; GROUPS];
    let mut slot = 0;
    while slot < ROOM {
        numbers[slot / LANES][slot % LANES] = slot as u32;
        slot += 1;
    }
    numbers
}

/// The lanes of each set, ascending, one in each byte from the lowest on.
static SLOTS: [u32; 1 << LANES] = lists().0;
/// The number of lanes in each set.
static COUNTS: [u8; 1 << LANES] = lists().1;

const fn lists() -> ([u32; 1 << LANES], [u8; 1 << LANES]) {
    let mut slots = [0; 1 << LANES];
    let mut counts = [0; 1 << LANES];
    let mut set = 0;
    while set < 1 << LANES {
        let mut lane = 0;
        while lane < LANES {
            if set >> lane & 1 == 1 {
                slots[set] |= (lane as u32) << (8 * counts[set]);
                counts[set] += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    (slots, counts)
}

/// The most candidates that ever count fit, as [`Ends::are_far`] is checked after each four. Lanes beyond the last
/// candidate need slots as well.
const _: () = assert!(3 * MAX_NEIGHBOURS + LANES < ROOM);
const _: () = assert!(LANES == 4 && ROOM.is_power_of_two() && ROOM < 1 << u8::BITS && WIDE == 2);
