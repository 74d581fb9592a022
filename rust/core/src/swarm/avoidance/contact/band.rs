//! A band: consecutive rows of buckets, with the solver's lists for the agents in them.

use crate::swarm::avoidance::contact::pair::Pair;
use crate::workers::Workers;
use glam::Vec2;

/// The least number of agents in a band. A band may have fewer if it is the last one or has its most rows already.
pub(super) const LEAST_AGENTS: usize = 256;

/// How many pairs for each agent a band's list has room for at first. Each disc of a dense packing adds three pairs.
pub(super) const ROOM: usize = 5;

/// Consecutive rows of buckets. Its pairs reach into the row after them.
#[derive(Debug, Default)]
pub(super) struct Band {
    /// The place in bucket order of the first agent, and of the first agent of the next band.
    pub(super) first: usize,
    pub(super) end: usize,
    /// Pairs that may touch, in ascending order.
    pub(super) pairs: Vec<Pair>,
    /// Pairs of the band's agents with agents of other swarms: outline by outline, and agent by agent in each.
    pub(super) others: Vec<OtherPair>,
    pub(super) near_walls: Vec<NearWall>,
}

/// Empties a band's list and makes room in it for `of_each` entries for each agent. Where there is too little room it
/// makes twice as much, so that a crowd that changes its shape rarely allocates again.
pub(super) fn clear_for<T>(list: &mut Vec<T>, of_each: usize, agents: usize) {
    list.clear();
    let entries = of_each * agents.max(2 * LEAST_AGENTS);
    if list.capacity() < entries {
        list.reserve(2 * entries);
    }
}

/// Calls `task` for every band with the `items` of the agents in it. Splits the bands in halves recursively, which
/// needs no list of pieces.
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

/// An agent and an agent of another swarm that may touch in this step.
#[derive(Debug, Clone, Copy)]
pub(super) struct OtherPair {
    /// The agent's place, counted from the first agent of its band.
    pub(super) row: u32,
    /// Where the other agent is found: the outline's number, its size class, and its place among the discs.
    pub(super) outline: u32,
    pub(super) size: u32,
    pub(super) disc: u32,
    /// The other agent's expected position after the step.
    pub(super) at: Vec2,
    /// The distance that this agent keeps from the other one.
    pub(super) distance: f32,
    /// The tangent of the angle by which the correction is turned to one side.
    pub(super) turn: f32,
    /// Whether both agents go to the same goal.
    pub(super) goes_with: bool,
}

/// An agent of a band that is near walls.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearWall {
    /// The agent's place, counted from the first agent of the band.
    pub(super) row: u32,
    /// The agent's last position outside of walls.
    pub(super) legal: Vec2,
    /// The distance from `legal` that the agent can move in any direction without touching a wall; negative while
    /// unknown.
    pub(super) room: f32,
}
