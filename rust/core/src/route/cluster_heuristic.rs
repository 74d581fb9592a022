//! Estimates from the level above the portal graph (Emerson, Game AI Pro, 23.16): the approximate cost from a source to
//! any portal that a search reaches.
//!
//! The estimates come from a search over clusters that starts at the source and ends when all goals are reached. Each
//! step costs the average cost of walking in its clusters. Unlike the product of the least cost and the straight
//! distance, these estimates include long walls and expensive ground, so a search that relies on them expands little
//! more than the route. They may be too high; the routes found are then slightly more expensive than the cheapest.
//! Whether a route exists is exact.

use super::clusters::{Clusters, MIDDLE};
use crate::bytes::{Saved, Source as _, Unpacker, saved};
use crate::error::Result;
use crate::integrate::FINEST;
use glam::IVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A part of a cluster: the cluster and the number of the part.
pub(super) type Node = (u32, u32);

/// The costs from the middles of the nine clusters around a part, row by row, as far as they are joined to it.
type Around = [u64; 9];

/// From this distance on, in clusters, a goal counts as far.
const FAR: i32 = 3;

/// The denominator of shares. It is constant, so that an estimate needs no division by a number of the map: estimates
/// are requested all the time.
const WHOLE: u64 = 1 << 16;

const UNKNOWN: u64 = u64::MAX;
const NOT_YET: u32 = u32::MAX;
/// Marks a part around the source.
const NEAR: u32 = u32::MAX - 1;

/// Estimates of the cost from a source.
#[derive(Debug, Clone)]
pub(super) struct ClusterHeuristic {
    source: IVec2,
    node: Node,
    /// The average cost of a straight step around the source.
    pace: u32,
    /// The width of a cell as a share of a cluster's width, in parts of [`WHOLE`].
    share: u64,
    /// The index of each cluster's first part.
    first: Vec<u32>,
    /// For each part the cost from the middle of its cluster; [`UNKNOWN`] if the search has not settled it.
    known: Vec<u64>,
    /// For each part the index of its entry in `around`; [`NOT_YET`] if no estimate was requested there, [`NEAR`]
    /// around the source.
    place: Vec<u32>,
    around: Vec<Around>,
    /// The greatest settled cost.
    most: u64,
}

saved!(ClusterHeuristic {
    source,
    node,
    pace,
    share,
    first,
    known,
    place,
    around,
    most,
});

/// Estimates are less, so that they can be added up and multiplied.
const GREATEST: u64 = 1 << 45;

impl ClusterHeuristic {
    /// Reads estimates over these clusters.
    pub(super) fn read_checked(input: &mut Unpacker<'_>, clusters: &Clusters) -> Result<Self> {
        let found = Self::read(input)?;
        let mut first = Vec::with_capacity(clusters.count());
        let mut count = 0;
        for cluster in 0..clusters.count() as u32 {
            first.push(count);
            count += clusters.parts(cluster);
        }
        let is_cost = |&cost: &u64| cost < GREATEST || cost == UNKNOWN;
        let (cluster, part) = found.node;
        let is_sound = found.first == first
            && found.known.len() == count as usize
            && found.place.len() == count as usize
            && (cluster as usize) < first.len()
            && part < clusters.parts(cluster)
            && found.share == WHOLE / u64::from(clusters.size())
            && found.source.abs().max_element() < 1 << 24
            && found.pace < 1 << 24
            && found.most < GREATEST
            && found.known.iter().all(is_cost)
            && found.around.iter().flatten().all(|&cost| cost < GREATEST);
        if is_sound {
            Ok(found)
        } else {
            Err(input.bad("it has estimates that make no sense"))
        }
    }

    /// Searches from a source in a part; `None` if none of `goals` can be reached from there.
    pub(super) fn new(
        clusters: &Clusters,
        source: IVec2,
        node: Node,
        goals: &[Node],
    ) -> Option<Self> {
        if goals.is_empty() {
            return None;
        }
        let mut first = Vec::with_capacity(clusters.count());
        let mut count = 0;
        for cluster in 0..clusters.count() as u32 {
            first.push(count);
            count += clusters.parts(cluster);
        }
        let mut heuristic = Self {
            source,
            node,
            pace: clusters.pace(node.0),
            share: WHOLE / u64::from(clusters.size()),
            first,
            known: vec![UNKNOWN; count as usize],
            place: vec![NOT_YET; count as usize],
            around: Vec::new(),
            most: 0,
        };
        heuristic.search(clusters, goals).then_some(heuristic)
    }

    /// Returns true if all goals are so far away that these estimates are better than the straight distance.
    pub(super) fn is_far(&self, clusters: &Clusters, goals: &[Node]) -> bool {
        let far = FAR * clusters.size().cast_signed();
        let mut away = goals
            .iter()
            .map(|goal| clusters.middle(goal.0) - self.source);
        away.all(|away| away.abs().max_element() > far)
    }

    /// Returns true if the search has found a path from a part to the source.
    pub(super) fn knows(&self, node: Node) -> bool {
        self.known[self.index(node)] != UNKNOWN
    }

    /// Runs the search. Returns true if it has reached a goal.
    fn search(&mut self, clusters: &Clusters, goals: &[Node]) -> bool {
        let mut goals: Vec<Node> = goals.to_vec();
        let (mut open, mut is_found) = (BinaryHeap::new(), false);
        let mut settled = vec![false; self.known.len()];
        let begin = self.index(self.node);
        self.known[begin] = self.straight_to(clusters.middle(self.node.0));
        open.push(waiting(self.known[begin], self.node));
        while let Some(Reverse(next)) = open.pop() {
            let (cost, node) = ((next >> 64) as u64, ((next >> 32) as u32, next as u32));
            let index = self.index(node);
            if std::mem::replace(&mut settled[index], true) {
                continue;
            }
            self.most = cost;
            if let Some(at) = goals.iter().position(|&goal| goal == node) {
                is_found = true;
                goals.swap_remove(at);
                if goals.is_empty() {
                    break;
                }
            }
            self.expand(clusters, node, cost, &mut open);
        }
        for (known, is_settled) in self.known.iter_mut().zip(settled) {
            if !is_settled {
                *known = UNKNOWN;
            }
        }
        is_found
    }

    /// Relaxes the neighbours of a part.
    #[inline]
    fn expand(
        &mut self,
        clusters: &Clusters,
        from: Node,
        known: u64,
        open: &mut BinaryHeap<Reverse<u128>>,
    ) {
        let size = u64::from(clusters.size());
        let pace = clusters.pace(from.0);
        for beside in clusters.beside(from) {
            let to = (clusters.cluster_at(from.0, beside.at()), beside.part());
            let cost = if from == self.node {
                // The straight cost: the path from the source does not pass the middle of its own cluster.
                self.straight_to(clusters.middle(to.0))
            } else {
                // Even positions among the nine are the corners and the middle.
                let length = if beside.at() & 1 == 0 {
                    FINEST.diagonal
                } else {
                    FINEST.straight
                };
                let pace = pace.midpoint(clusters.pace(to.0));
                let length = size * u64::from(length);
                known + length * u64::from(pace) / u64::from(FINEST.straight)
            };
            let index = self.index(to);
            if cost < self.known[index] {
                self.known[index] = cost;
                open.push(waiting(cost, to));
            }
        }
    }

    #[inline]
    fn index(&self, node: Node) -> usize {
        (self.first[node.0 as usize] + node.1) as usize
    }

    #[inline]
    fn straight_to(&self, cell: IVec2) -> u64 {
        FINEST.octile(cell - self.source) * u64::from(self.pace) / u64::from(FINEST.straight)
    }

    /// The approximate cost between the source and a cell with a portal.
    #[inline]
    pub(super) fn estimate(
        &mut self,
        clusters: &Clusters,
        sector: u32,
        slot: u16,
        cell: IVec2,
    ) -> u64 {
        let cluster = clusters.of(sector);
        let node = (cluster, clusters.part_of(cluster, sector, slot));
        let index = self.index(node);
        if self.place[index] == NOT_YET {
            self.note_costs_around(clusters, node);
        }
        let Some(around) = self.around.get(self.place[index] as usize) else {
            return self.straight_to(cell);
        };
        let away = cell - clusters.middle(cluster);
        let (aside, along) = (1 + away.x.signum(), 3 * (1 + away.y.signum()));
        let away = away.abs().as_uvec2();
        let mix = |from: u64, to: u64, away: u32| {
            let share = u64::from(away) * self.share;
            (from * (WHOLE - share) + to * share) / WHOLE
        };
        let row = |row: i32| {
            mix(
                around[(row + 1) as usize],
                around[(row + aside) as usize],
                away.x,
            )
        };
        mix(row(3), row(along), away.y)
    }

    /// Adds the entry of a part in `around`. Parts around the source have none.
    fn note_costs_around(&mut self, clusters: &Clusters, node: Node) {
        let index = self.index(node);
        let mut is_near = node == self.node;
        let own = self.known[index].min(self.most);
        let mut around = [UNKNOWN; 9];
        around[usize::from(MIDDLE)] = own;
        for beside in clusters.beside(node) {
            let there = (clusters.cluster_at(node.0, beside.at()), beside.part());
            is_near |= there == self.node;
            let cost = &mut around[usize::from(beside.at())];
            *cost = (*cost).min(self.known[self.index(there)]);
        }
        for cost in &mut around {
            *cost = if *cost == UNKNOWN { own } else { *cost };
        }
        self.place[index] = if is_near {
            NEAR
        } else {
            self.around.push(around);
            self.around.len() as u32 - 1
        };
    }

    /// Converts a cost over the cheapest ground to the approximate cost of the same distance around the source.
    pub(super) fn shift(&self, shift: u64, cheapest: u8) -> u64 {
        let least = u64::from(cheapest) * u64::from(FINEST.straight);
        shift * u64::from(self.pace) / least
    }
}

/// An entry of the open list, as a number that orders entries by cost.
fn waiting(cost: u64, node: Node) -> Reverse<u128> {
    Reverse(u128::from(cost) << 64 | u128::from(node.0) << 32 | u128::from(node.1))
}
