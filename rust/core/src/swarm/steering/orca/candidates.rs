//! Candidates for the neighbours of an agent, and who of them are the nearest.
//!
//! A list that is kept sorted by insertion costs a wrong guess of the processor
//! for most entries. Here candidates are written down by fours without a branch,
//! with a list of those that count; and when there are too many of these, each
//! counts how many are nearer than itself, which is its place in the sorted list.

use super::super::super::MAX_NEIGHBOURS;
use super::super::super::buckets::LANES;
use glam::Vec4;

/// How many slots for candidates there are.
const ROOM: usize = 128;
const GROUPS: usize = ROOM / LANES;
/// The bits of a squared distance that give way to the number of a slot, so that no two are equal.
const NUMBER: i32 = ROOM as i32 - 1;
/// How many candidates are ranked at once.
const WIDE: usize = 2 * LANES;

/// How many groups of slots are in use, and how many candidates count. Loops keep it in registers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ends {
    groups: usize,
    count: usize,
}

impl Ends {
    /// Whether there is no room for four more, or there are more candidates than it pays to keep for `most`: about
    /// three times as many.
    #[inline]
    pub(super) fn are_far(self, most: usize) -> bool {
        self.groups >= GROUPS || self.count > (3 * most).max(most + LANES)
    }
}

/// Candidates in the order in which they came.
pub(super) struct Candidates {
    /// Squared distances as integers, which sort like them; the low bits are the slot's number.
    keys: [[i32; LANES]; GROUPS],
    /// Places in bucket order.
    places: [[u32; LANES]; GROUPS],
    /// The slots of those that count, ascending.
    chosen: [u8; ROOM + LANES],
    pub(super) ends: Ends,
    /// The keys of those that count, while they are sorted.
    unsorted: [i32; ROOM + WIDE],
    /// Their slots from the nearest on, once they are.
    sorted: [u8; ROOM],
}

impl Candidates {
    pub(super) fn new() -> Self {
        Self {
            keys: [[0; LANES]; GROUPS],
            places: [[0; LANES]; GROUPS],
            chosen: [0; ROOM + LANES],
            ends: Ends::default(),
            unsorted: [0; ROOM + WIDE],
            sorted: [0; ROOM],
        }
    }

    pub(super) fn clear(&mut self) {
        self.ends = Ends::default();
    }

    pub(super) fn count(&self) -> usize {
        self.ends.count
    }

    /// Writes down the four agents from place `first` on, of which a `set` counts, behind these ends, and moves
    /// them.
    #[inline]
    pub(super) fn put(&mut self, ends: &mut Ends, first: usize, squared: Vec4, set: u32) {
        let group = ends.groups % GROUPS;
        let slot = LANES * group;
        let bits = squared.to_array().map(f32::to_bits);
        let (keys, places) = (&mut self.keys[group], &mut self.places[group]);
        for lane in 0..LANES {
            keys[lane] = bits[lane].cast_signed() & !NUMBER | (slot + lane) as i32;
            places[lane] = first as u32 + lane as u32;
        }
        let set = set as usize % SLOTS.len();
        let slots = SLOTS[set] + slot as u32 * 0x0101_0101;
        let from = ends.count % ROOM;
        self.chosen[from..from + LANES].copy_from_slice(&slots.to_le_bytes());
        ends.groups += 1;
        ends.count += usize::from(COUNTS[set]);
    }

    /// Writes the places of the nearest `most` into `nearest`, from the nearest on, and returns the square of a
    /// distance just beyond the last of them. There are more than that.
    #[inline]
    pub(super) fn take_nearest(&mut self, nearest: &mut [u32]) -> f32 {
        self.sort();
        let (keys, places) = (self.keys.as_flattened(), self.places.as_flattened());
        let mut key = 0;
        for (place, &slot) in nearest.iter_mut().zip(&self.sorted) {
            let slot = usize::from(slot) % ROOM;
            *place = places[slot];
            key = keys[slot];
        }
        just_beyond(key)
    }

    /// Writes everybody's place into `list`, as they came.
    #[inline]
    pub(super) fn take_all(&self, list: &mut [u32]) {
        let places = self.places.as_flattened();
        for (place, &slot) in list.iter_mut().zip(&self.chosen) {
            *place = places[usize::from(slot) % ROOM];
        }
    }

    /// Makes room. Keeps the nearest `most`, sorted, if there are more, and returns the square of a distance just
    /// beyond them.
    #[inline(never)]
    pub(super) fn thin_out(&mut self, most: usize) -> Option<f32> {
        let is_cut = self.count() > most;
        if is_cut {
            self.sort();
            self.chosen[..ROOM].copy_from_slice(&self.sorted);
        }
        let count = self.count().min(most).min(MAX_NEIGHBOURS);
        let mut kept = [(0, 0); MAX_NEIGHBOURS];
        let (keys, places) = (self.keys.as_flattened_mut(), self.places.as_flattened_mut());
        for (kept, &slot) in kept[..count].iter_mut().zip(&self.chosen) {
            *kept = (keys[usize::from(slot)], places[usize::from(slot)]);
        }
        for (slot, &(key, place)) in kept[..count].iter().enumerate() {
            keys[slot] = key & !NUMBER | slot as i32;
            places[slot] = place;
            self.chosen[slot] = slot as u8;
        }
        self.ends = Ends {
            groups: count.div_ceil(LANES),
            count,
        };
        is_cut.then(|| just_beyond(kept[count - 1].0))
    }

    /// Sorts by squared distance; who came first comes first if they are as good as equal.
    #[inline]
    fn sort(&mut self) {
        let count = self.count() % ROOM;
        let keys = self.keys.as_flattened();
        for (key, &slot) in self.unsorted[..count].iter_mut().zip(&self.chosen) {
            *key = keys[usize::from(slot) % ROOM];
        }
        self.unsorted[count..count + WIDE].fill(i32::MAX);
        for first in (0..count).step_by(WIDE) {
            let mut own = [0; WIDE];
            own.copy_from_slice(&self.unsorted[first..first + WIDE]);
            let mut nearer = [0_i32; WIDE];
            for &key in &self.unsorted[..count] {
                for lane in 0..WIDE {
                    nearer[lane] += i32::from(key < own[lane]);
                }
            }
            // Lanes behind the last all land behind it.
            for (key, rank) in own.into_iter().zip(nearer) {
                self.sorted[rank as usize % ROOM] = (key & NUMBER) as u8;
            }
        }
    }
}

/// The least squared distance that sorts behind a key whatever its slot.
#[inline]
fn just_beyond(key: i32) -> f32 {
    f32::from_bits(((key | NUMBER) + 1).cast_unsigned())
}

/// `squared` or a little more, so that a distance is below it exactly if its key is.
#[inline]
pub(super) fn rounded_up(squared: f32) -> f32 {
    just_beyond(
        squared
            .to_bits()
            .cast_signed()
            .min(f32::INFINITY.to_bits().cast_signed() - 1),
    )
}

/// The lanes of each set, ascending, a byte each from the lowest on.
static SLOTS: [u32; 1 << LANES] = lists().0;
/// How many lanes are in each set.
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

/// The most that ever count: [`Ends::are_far`] is asked after each four. Lanes behind the last have to find
/// slots to land in.
const _: () = assert!(3 * MAX_NEIGHBOURS + LANES < ROOM);
const _: () = assert!(LANES == 4 && ROOM.is_power_of_two() && ROOM <= 1 << u8::BITS);
