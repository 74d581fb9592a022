//! Sorts agents from the top of the screen to the bottom, so that nearer agents are drawn over the others.
//!
//! The sort uses 22 bits of y, so fine that agents of one level are at the same visible height. Agents of one level are
//! sorted by id, so that their order does not change when the columns are reordered.
//!
//! Bands are runs of consecutive levels. Each piece of the agents is sorted by band in its own memory. Then each band
//! collects its agents from all pieces and sorts them. The order is the same for any number of threads.

use crate::swarm::AgentId;
use crate::swarm::neighbours::band_ends::BandEnds;
use crate::workers::Workers;
use std::ops::Range;

/// Agents per piece.
const PIECE: usize = 16_384;
/// Agents below which bands are not handed to another thread.
const CHUNK: usize = 8192;
/// Bits that tell the levels of a band apart, and bits that tell bands apart.
const BITS: u32 = 11;
const BANDS: usize = 1 << BITS;
/// The greatest level.
const TOP: u32 = (1 << (2 * BITS)) - 1;

/// An agent's level and index.
type Entry = (u32, u32);

/// Scratch memory of the sort. Between sorts only its capacity is kept.
#[derive(Debug, Default)]
pub(super) struct YOrder {
    /// The agents, sorted by band within each piece.
    entries: Vec<Entry>,
    spare: Vec<Entry>,
    pieces: Vec<Piece>,
    band_ends: BandEnds,
}

/// A piece of the agents.
#[derive(Debug, Clone)]
struct Piece {
    /// The least and the greatest y.
    extremes: (f32, f32),
    /// The end of each band's entries, from the piece's start.
    ends: [u16; BANDS],
}

const _: () = assert!(PIECE <= u16::MAX as usize);

impl Default for Piece {
    fn default() -> Self {
        Self {
            extremes: (0.0, 0.0),
            ends: [0; BANDS],
        }
    }
}

/// The mapping from y to levels.
#[derive(Clone, Copy)]
struct Scale {
    low: f32,
    levels: f32,
}

impl Scale {
    fn new(pieces: &[Piece]) -> Self {
        let extremes = pieces.iter().map(|piece| piece.extremes);
        let (low, high) = extremes.fold((f32::INFINITY, f32::NEG_INFINITY), |all, piece| {
            (all.0.min(piece.0), all.1.max(piece.1))
        });
        let levels = if high > low {
            TOP as f32 / (high - low)
        } else {
            0.0
        };
        Self { low, levels }
    }

    #[inline]
    fn level(self, y: f32) -> u32 {
        (((y - self.low) * self.levels) as u32).min(TOP)
    }
}

impl YOrder {
    /// Sorts indices of agents by `y_of`, then by id. O(agents) unless most are at one height; nothing is
    /// allocated once it has sorted as many.
    pub(super) fn sort(
        &mut self,
        order: &mut [u32],
        y_of: impl Fn(usize) -> f32 + Sync,
        ids: &[AgentId],
        workers: &Workers,
    ) {
        self.entries.resize(order.len(), Entry::default());
        self.spare.resize(order.len(), Entry::default());
        let pieces = order.len().div_ceil(PIECE);
        self.pieces.resize_with(pieces, Piece::default);
        let unsorted = &*order;
        workers.for_each_chunk(&mut self.pieces, 1, |number, piece| {
            let agents = unsorted[number * PIECE..].iter().take(PIECE);
            let heights = agents.map(|&index| y_of(index as usize));
            piece[0].extremes = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |all, y| {
                (all.0.min(y), all.1.max(y))
            });
        });
        let scale = Scale::new(&self.pieces);
        let work = Pieces {
            order: unsorted,
            entries: &mut self.entries,
            spare: &mut self.spare,
            pieces: &mut self.pieces,
        };
        work.run(&|index| scale.level(y_of(index)), workers);
        let pieces = self.pieces.iter().map(|piece| piece.ends.as_slice());
        self.band_ends.join(BANDS, pieces);
        let bands = Bands {
            entries: &self.entries,
            pieces: &self.pieces,
            ends: &self.band_ends,
            ids,
        };
        bands.run(0..BANDS, order, &mut self.spare, workers);
    }
}

/// The data of consecutive pieces.
struct Pieces<'a> {
    order: &'a [u32],
    entries: &'a mut [Entry],
    spare: &'a mut [Entry],
    pieces: &'a mut [Piece],
}

impl Pieces<'_> {
    /// Splits the pieces in halves down to single ones, which needs no list of tasks.
    fn run(self, level_of: &(impl Fn(usize) -> u32 + Sync), workers: &Workers) {
        if let [piece] = self.pieces {
            piece.sort(self.order, self.entries, self.spare, level_of);
            return;
        }
        if self.pieces.is_empty() {
            return;
        }
        let middle = self.pieces.len() / 2;
        let (pieces, more_pieces) = self.pieces.split_at_mut(middle);
        let (order, more_order) = self.order.split_at(middle * PIECE);
        let (entries, more_entries) = self.entries.split_at_mut(middle * PIECE);
        let (spare, more_spare) = self.spare.split_at_mut(middle * PIECE);
        let one = Pieces {
            order,
            entries,
            spare,
            pieces,
        };
        let two = Pieces {
            order: more_order,
            entries: more_entries,
            spare: more_spare,
            pieces: more_pieces,
        };
        workers.join(|| one.run(level_of, workers), || two.run(level_of, workers));
    }
}

impl Piece {
    /// Writes agents and their levels to `entries`, by band.
    fn sort(
        &mut self,
        order: &[u32],
        entries: &mut [Entry],
        unsorted: &mut [Entry],
        level_of: impl Fn(usize) -> u32,
    ) {
        let mut places = [0_u16; BANDS];
        for (entry, &index) in unsorted.iter_mut().zip(order) {
            let level = level_of(index as usize);
            places[(level >> BITS) as usize % BANDS] += 1;
            *entry = (level, index);
        }
        let mut end = 0;
        for (stored, place) in self.ends.iter_mut().zip(&mut places) {
            let start = end;
            end += *place;
            *stored = end;
            *place = start;
        }
        for &entry in &*unsorted {
            let place = &mut places[(entry.0 >> BITS) as usize % BANDS];
            entries[usize::from(*place)] = entry;
            *place += 1;
        }
    }
}

/// The data that bands are collected from.
struct Bands<'a> {
    entries: &'a [Entry],
    pieces: &'a [Piece],
    ends: &'a BandEnds,
    ids: &'a [AgentId],
}

impl Bands<'_> {
    /// Sorts the agents of some bands into `order`, in halves until a part is small.
    fn run(&self, bands: Range<usize>, order: &mut [u32], space: &mut [Entry], workers: &Workers) {
        if bands.len() <= 1 || order.len() <= CHUNK {
            let first = self.ends.start_of(bands.start);
            for band in bands {
                let own = self.ends.start_of(band) - first..self.ends.end_of(band) - first;
                self.sort(band, &mut order[own.clone()], &mut space[own]);
            }
            return;
        }
        let middle = bands.start + bands.len() / 2;
        let count = self.ends.start_of(middle) - self.ends.start_of(bands.start);
        let (order, more_order) = order.split_at_mut(count);
        let (space, more_space) = space.split_at_mut(count);
        workers.join(
            || self.run(bands.start..middle, order, space, workers),
            || self.run(middle..bands.end, more_order, more_space, workers),
        );
    }

    fn sort(&self, band: usize, order: &mut [u32], space: &mut [Entry]) {
        if space.is_empty() {
            return;
        }
        let mut end = 0;
        for (number, piece) in self.pieces.iter().enumerate() {
            let first = if band == 0 { 0 } else { piece.ends[band - 1] };
            let run = usize::from(first)..usize::from(piece.ends[band]);
            let entries = &self.entries[number * PIECE..][run];
            space[end..end + entries.len()].copy_from_slice(entries);
            end += entries.len();
        }
        let id = |entry: &Entry| self.ids[entry.1 as usize];
        space.sort_unstable_by(|one, other| {
            one.0.cmp(&other.0).then_with(|| id(one).cmp(&id(other)))
        });
        for (index, entry) in order.iter_mut().zip(space) {
            *index = entry.1;
        }
    }
}
