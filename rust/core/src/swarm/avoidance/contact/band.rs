//! A band of rows of buckets, and what the solver keeps for it.

use crate::swarm::avoidance::contact::pair::Pair;
use crate::workers::Workers;
use glam::Vec2;

/// A band has at least so many agents, or rows, unless it is the last.
pub(super) const LEAST_AGENTS: usize = 256;

/// For how many pairs of each agent there is room before more is needed: discs side by side have three.
pub(super) const ROOM: usize = 5;

/// Consecutive rows of buckets. Its pairs reach into the row after them.
#[derive(Debug, Default)]
pub(super) struct Band {
    /// The places of its first agent and of the next band's.
    pub(super) first: usize,
    pub(super) end: usize,
    /// Pairs that may touch, in ascending order.
    pub(super) pairs: Vec<Pair>,
    /// Pairs of its own agents, row by row of each outline, with those of other swarms.
    pub(super) others: Vec<OtherPair>,
    pub(super) near_walls: Vec<NearWall>,
}

/// Empties a band's list and makes room in it for so many entries of each agent: when there is too little, for twice as
/// many, so that a crowd that changes its shape hardly ever needs more.
pub(super) fn clear_for<T>(list: &mut Vec<T>, of_each: usize, agents: usize) {
    list.clear();
    let entries = of_each * agents.max(2 * LEAST_AGENTS);
    if list.capacity() < entries {
        list.reserve(2 * entries);
    }
}

/// Calls `task` for every band with the `items` of the agents in it. Halves the work, which needs no memory for a list of
/// pieces.
pub(super) fn for_each_band<T: Send>(
    bands: &mut [Band],
    items: &mut [T],
    offset: usize,
    workers: &Workers,
    task: &(impl Fn(&mut Band, &mut [T]) + Sync),
) {
    const LEAF: usize = 4;
    if bands.len() <= LEAF {
        for band in bands {
            let range = band.first - offset..band.end - offset;
            task(band, &mut items[range]);
        }
        return;
    }
    let (one, two) = bands.split_at_mut(bands.len() / 2);
    let start = two[0].first;
    let (own, others) = items.split_at_mut(start - offset);
    workers.join(
        || for_each_band(one, own, offset, workers, task),
        || for_each_band(two, others, start, workers, task),
    );
}

/// An agent and one of another swarm that it may come to touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct OtherPair {
    /// The agent's place, from its band's first on.
    pub(super) row: u32,
    /// Which of the outlines the other is in, in which of its sizes, and where.
    pub(super) outline: u32,
    pub(super) size: u32,
    pub(super) disc: u32,
    /// Where the other is after the step.
    pub(super) at: Vec2,
    /// How far apart this agent keeps the two.
    pub(super) distance: f32,
    /// The tangent by which it is turned to one hand.
    pub(super) turn: f32,
    /// Whether the other goes to the same goal.
    pub(super) goes_with: bool,
}

/// An agent of a band with walls near.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearWall {
    /// Its place, from the band's first on.
    pub(super) row: u32,
    /// Where it was last, which is in no wall.
    pub(super) legal: Vec2,
    /// How far it may go from there without touching one; less than 0 if that is not known yet.
    pub(super) room: f32,
}
