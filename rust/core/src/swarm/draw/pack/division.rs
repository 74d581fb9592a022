//! Divides agents among channels, by a counting sort that keeps their order within each channel.
//!
//! Each piece of the agents is sorted in its own memory. Then the runs of all pieces are joined channel by channel. The
//! result is the same for any number of threads.

use crate::workers::Workers;
use std::ops::Range;

/// Agents per piece.
const PIECE: usize = 8192;

/// Scratch memory of the sort, and its result. Between sorts only its capacity is kept.
#[derive(Debug, Default)]
pub(super) struct Division {
    pieces: Vec<Piece>,
    order: Vec<u32>,
    /// The end of each channel's agents in `order`.
    ends: Vec<usize>,
}

/// A piece of the agents.
#[derive(Debug, Default)]
struct Piece {
    /// The channel of each agent.
    channels: Vec<u16>,
    /// The agents, sorted by channel.
    sorted: Vec<u32>,
    /// The end of each channel's agents in `sorted`.
    ends: Vec<usize>,
}

impl Division {
    /// Sorts agents by `channel_of`, a number up to `count`, at which they are left out. The agents are those of
    /// `chosen`, or all `most` there are. Nothing is allocated once there have been as many.
    pub(super) fn sort(
        &mut self,
        chosen: Option<&[u32]>,
        most: usize,
        count: usize,
        channel_of: impl Fn(usize) -> u16 + Sync,
        workers: &Workers,
    ) {
        if self.pieces.len() < most.div_ceil(PIECE) {
            self.pieces
                .resize_with(most.div_ceil(PIECE), Piece::default);
        }
        // Also for agents that are not chosen now.
        for piece in &mut self.pieces {
            piece.make_room(most.min(PIECE), count);
        }
        let total = chosen.map_or(most, <[u32]>::len);
        let pieces = &mut self.pieces[..total.div_ceil(PIECE)];
        workers.for_each_chunk(pieces, 1, |number, piece| {
            let rows = number * PIECE..total.min((number + 1) * PIECE);
            match chosen {
                Some(chosen) => {
                    piece[0].sort(chosen[rows].iter().copied(), count, &channel_of);
                }
                None => piece[0].sort(rows.start as u32..rows.end as u32, count, &channel_of),
            }
        });
        self.order.clear();
        self.order.reserve(most);
        self.ends.clear();
        for channel in 0..count {
            for piece in &*pieces {
                self.order.extend_from_slice(piece.run(channel));
            }
            self.ends.push(self.order.len());
        }
    }

    /// The agents of a channel.
    pub(super) fn agents_of(&self, channel: usize) -> &[u32] {
        &self.order[run(&self.ends, channel)]
    }
}

impl Piece {
    /// Makes an empty piece with room for agents and channels.
    fn make_room(&mut self, agents: usize, channels: usize) {
        self.channels.clear();
        self.channels.reserve(agents);
        self.sorted.clear();
        self.sorted.reserve(agents);
        self.ends.clear();
        self.ends.reserve(channels + 1);
    }

    fn sort(
        &mut self,
        agents: impl ExactSizeIterator<Item = u32> + Clone,
        count: usize,
        channel_of: impl Fn(usize) -> u16,
    ) {
        self.channels
            .extend(agents.clone().map(|index| channel_of(index as usize)));
        self.ends.resize(count + 1, 0);
        for &channel in &self.channels {
            self.ends[usize::from(channel)] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            let own = *end;
            *end = start;
            start += own;
        }
        self.sorted.resize(agents.len(), 0);
        // Each start moves to the end of its channel.
        for (index, &channel) in agents.zip(&self.channels) {
            let place = &mut self.ends[usize::from(channel)];
            self.sorted[*place] = index;
            *place += 1;
        }
    }

    fn run(&self, channel: usize) -> &[u32] {
        &self.sorted[run(&self.ends, channel)]
    }
}

fn run(ends: &[usize], channel: usize) -> Range<usize> {
    let start = channel.checked_sub(1).map_or(0, |before| ends[before]);
    start..ends[channel]
}
