//! The sort into buckets: a stable counting sort that several threads share.
//!
//! Bands are runs of consecutive buckets. Each piece of the agents is first sorted by band in its own memory. Then each
//! band collects its agents from all pieces, in order, and sorts them by bucket. A band writes only its own part of the
//! result, so no two threads write to the same place, and the result is that of a serial sort for any pieces.
//!
//! Corpses are in a last bucket of their own, which is in no row: no search finds them.

use crate::swarm::neighbours::band_ends::BandEnds;
use crate::swarm::neighbours::shape::Shape;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::agents::Agents;
use crate::workers::Workers;
use glam::Vec2;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Agents per piece.
const PIECE: usize = 4096;
/// The most bands. More bands distribute a crowd in one corner of a map better; each costs a counter in every piece.
const MOST_BANDS: usize = 256;
/// The number of agents below which bands are not handed to another thread.
const CHUNK: usize = 4096;
/// Consecutive agents that are farther apart than this many rows or columns of buckets are strangers.
const FAR_ROWS: u32 = 4;
const FAR_COLUMNS: u32 = 64;

/// An agent and the bucket that it belongs to.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    bucket: u32,
    index: u32,
}

/// A piece of the agents, sorted by band.
#[derive(Debug, Clone)]
struct Piece {
    /// The end of each band's entries, from the piece's start.
    ends: [u16; MOST_BANDS],
    /// The number of agents that are strangers to the agent before them.
    strangers: u32,
}

const _: () = assert!(PIECE <= u16::MAX as usize);

impl Default for Piece {
    fn default() -> Self {
        Self {
            ends: [0; MOST_BANDS],
            strangers: 0,
        }
    }
}

/// Scratch memory of the sort. Between sorts only its capacity is kept.
#[derive(Debug, Default)]
pub(in crate::swarm) struct BucketSort {
    entries: Vec<Entry>,
    pieces: Vec<Piece>,
    band_ends: BandEnds,
    /// Buckets per band, as a power of two.
    shift: u32,
}

/// The output of the sort, for all buckets or for the bands from `first_band` on.
pub(in crate::swarm) struct Sorted<'a> {
    /// The start of each bucket, that of corpses included.
    pub(in crate::swarm) starts: &'a mut [u32],
    pub(in crate::swarm) placed: &'a mut [SortedAgent],
    pub(in crate::swarm) x: &'a mut [f32],
    pub(in crate::swarm) y: &'a mut [f32],
    /// The place of every agent, in the order of the columns. It is always the whole list.
    pub(in crate::swarm) sorted_index: &'a [AtomicU32],
}

impl<'a> Sorted<'a> {
    fn split_at(self, bucket: usize, agent: usize) -> (Self, Self) {
        let (starts, more_starts) = self.starts.split_at_mut(bucket);
        let (placed, more_placed) = self.placed.split_at_mut(agent);
        let (x, more_x) = self.x.split_at_mut(agent);
        let (y, more_y) = self.y.split_at_mut(agent);
        let sorted_index = self.sorted_index;
        let first = Self {
            starts,
            placed,
            x,
            y,
            sorted_index,
        };
        let second = Self {
            starts: more_starts,
            placed: more_placed,
            x: more_x,
            y: more_y,
            sorted_index,
        };
        (first, second)
    }
}

impl BucketSort {
    /// Sorts all agents into `sorted`, whose slices have room for as many and for all buckets.
    pub(in crate::swarm) fn run(
        &mut self,
        shape: &Shape,
        agents: &Agents,
        sorted: Sorted<'_>,
        workers: &Workers,
    ) {
        let buckets = sorted.starts.len();
        self.shift = buckets.div_ceil(MOST_BANDS).next_power_of_two().ilog2();
        self.sort_pieces(shape, agents, workers);
        let bands = buckets.div_ceil(1 << self.shift);
        let pieces = self.pieces.iter().map(|piece| piece.ends.as_slice());
        self.band_ends.join(bands, pieces);
        self.sort_bands(0..bands, sorted, agents, workers);
    }

    /// The number of agents that were far from the agent before them in the columns, in the last sort.
    pub(in crate::swarm) fn strangers(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| piece.strangers as usize)
            .sum()
    }

    fn sort_pieces(&mut self, shape: &Shape, agents: &Agents, workers: &Workers) {
        let count = agents.len();
        self.entries.resize(count, Entry::default());
        self.pieces.resize(count.div_ceil(PIECE), Piece::default());
        let work = Pieces {
            entries: &mut self.entries,
            pieces: &mut self.pieces,
            first: 0,
        };
        work.run(shape, self.shift, agents, workers);
    }

    /// Sorts bands, in halves until a part is small.
    fn sort_bands(
        &self,
        bands: Range<usize>,
        sorted: Sorted<'_>,
        agents: &Agents,
        workers: &Workers,
    ) {
        if bands.len() <= 1 || sorted.placed.len() <= CHUNK {
            let mut rest = sorted;
            for band in bands {
                let buckets = rest.starts.len().min(1 << self.shift);
                let count = self.band_ends.end_of(band) - self.band_ends.start_of(band);
                let (own, others) = rest.split_at(buckets, count);
                self.sort_band(band, own, agents);
                rest = others;
            }
            return;
        }
        let middle = bands.start + bands.len() / 2;
        let buckets = (middle - bands.start) << self.shift;
        let count = self.band_ends.start_of(middle) - self.band_ends.start_of(bands.start);
        let (first, second) = sorted.split_at(buckets, count);
        workers.join(
            || self.sort_bands(bands.start..middle, first, agents, workers),
            || self.sort_bands(middle..bands.end, second, agents, workers),
        );
    }

    fn sort_band(&self, band: usize, sorted: Sorted<'_>, agents: &Agents) {
        let first_bucket = (band << self.shift) as u32;
        let first = self.band_ends.start_of(band) as u32;
        sorted.starts.fill(0);
        for run in self.runs(band) {
            for entry in run {
                sorted.starts[(entry.bucket - first_bucket) as usize] += 1;
            }
        }
        let mut end = first;
        for start in &mut *sorted.starts {
            end += *start;
            *start = end;
        }
        // Backwards, so that a bucket's agents are in ascending order and the entry for its end becomes its start.
        for run in self.runs(band).rev() {
            for entry in run.iter().rev() {
                let start = &mut sorted.starts[(entry.bucket - first_bucket) as usize];
                *start -= 1;
                let index = entry.index as usize;
                let position = agents.position[index];
                sorted.sorted_index[index].store(*start, Ordering::Relaxed);
                let place = (*start - first) as usize;
                // No agent perceives one that is on a link: comparisons with its coordinates are false.
                let seen = match agents.state[index] {
                    AgentState::Travelling => Vec2::NAN,
                    _ => position,
                };
                sorted.x[place] = seen.x;
                sorted.y[place] = seen.y;
                sorted.placed[place] = SortedAgent {
                    position,
                    velocity: agents.velocity[index],
                    index: entry.index,
                    kind: agents.kind[index],
                    goal_group: agents.goal_group[index],
                    state: agents.state[index],
                    flags: agents.flags[index],
                };
            }
        }
    }

    /// The entries of each piece for a band.
    fn runs(&self, band: usize) -> impl DoubleEndedIterator<Item = &[Entry]> {
        let pieces = self.pieces.iter().enumerate();
        pieces.map(move |(number, piece)| {
            let start = if band == 0 { 0 } else { piece.ends[band - 1] };
            let first = number * PIECE;
            &self.entries[first + usize::from(start)..first + usize::from(piece.ends[band])]
        })
    }
}

/// The entries of consecutive pieces.
struct Pieces<'a> {
    entries: &'a mut [Entry],
    pieces: &'a mut [Piece],
    /// The first of the agents.
    first: usize,
}

impl Pieces<'_> {
    /// Splits the pieces in halves down to single ones, which needs no list of tasks.
    fn run(self, shape: &Shape, shift: u32, agents: &Agents, workers: &Workers) {
        if let [piece] = self.pieces {
            piece.sort(shape, shift, agents, self.first, self.entries);
            return;
        }
        if self.pieces.is_empty() {
            return;
        }
        let middle = self.pieces.len() / 2;
        let (pieces, more_pieces) = self.pieces.split_at_mut(middle);
        let (entries, more_entries) = self.entries.split_at_mut(middle * PIECE);
        let one = Pieces {
            entries,
            pieces,
            first: self.first,
        };
        let two = Pieces {
            entries: more_entries,
            pieces: more_pieces,
            first: self.first + middle * PIECE,
        };
        workers.join(
            || one.run(shape, shift, agents, workers),
            || two.run(shape, shift, agents, workers),
        );
    }
}

impl Piece {
    /// Sorts the agents from `first` on by band into `entries`. The sort is stable.
    fn sort(
        &mut self,
        shape: &Shape,
        shift: u32,
        agents: &Agents,
        first: usize,
        entries: &mut [Entry],
    ) {
        let positions = &agents.position[first..first + entries.len()];
        let states = &agents.state[first..first + entries.len()];
        let mut buckets = [0; PIECE];
        let buckets = &mut buckets[..positions.len()];
        let mut counts = [0_u16; MOST_BANDS];
        let mut strangers = 0;
        let mut last = shape.cell_of(positions[0]);
        for ((bucket, &position), &state) in buckets.iter_mut().zip(positions).zip(states) {
            let cell = shape.cell_of(position);
            let (rows, columns) = (cell.y.abs_diff(last.y), cell.x.abs_diff(last.x));
            strangers += u32::from(rows > FAR_ROWS || columns > FAR_COLUMNS);
            last = cell;
            *bucket = if state == AgentState::Corpse {
                shape.bucket_count() as u32
            } else {
                shape.bucket_of(cell)
            };
            counts[(*bucket >> shift) as usize] += 1;
        }
        self.strangers = strangers;
        let mut end = 0;
        for (stored, count) in self.ends.iter_mut().zip(&mut counts) {
            let start = end;
            end += *count;
            *stored = end;
            *count = start;
        }
        for (index, &bucket) in buckets.iter().enumerate() {
            let next = &mut counts[(bucket >> shift) as usize];
            entries[usize::from(*next)] = Entry {
                bucket,
                index: (first + index) as u32,
            };
            *next += 1;
        }
    }
}
