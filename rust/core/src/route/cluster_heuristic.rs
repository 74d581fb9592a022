//! Estimates from the level above the portal graph (Emerson, Game AI Pro, 23.16): about what it costs to get
//! from a source to wherever a search of the portals may come by.
//!
//! They come from a search of the clusters, from the source on until all goals are reached, each step costing
//! what walking costs there on average. Unlike the least cost over the straight distance they know long walls
//! and dear ground, so that a search that trusts them looks at little more than the route. They may be too high:
//! routes are then not quite the cheapest. Whether there is a way at all is exact.

use super::clusters::{Clusters, MIDDLE};
use crate::integrate::FINEST;
use glam::IVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A part of a cluster.
pub(super) type Node = (u32, u32);

/// Costs from the middles of a cluster and those around, row by row, as far as they are joined.
type Around = [u64; 9];

/// Goals are far away from so many clusters on.
const FAR: i32 = 3;

/// Shares are counted in so many parts, and not divided by what only a map tells: estimates are asked for all the time.
const WHOLE: u64 = 1 << 16;

const UNKNOWN: u64 = u64::MAX;
const NOT_YET: u32 = u32::MAX;
/// A part around the source.
const NEAR: u32 = u32::MAX - 1;

/// Estimates of the cost from a source.
#[derive(Debug, Clone)]
pub(super) struct ClusterHeuristic {
    source: IVec2,
    node: Node,
    /// What a straight step costs around the source.
    pace: u32,
    /// What a cell's breadth is of a cluster's, as parts of [`WHOLE`].
    share: u64,
    /// For each cluster where its parts begin.
    first: Vec<u32>,
    /// For each part the cost from the middle of its cluster; [`UNKNOWN`] where the search has not been.
    known: Vec<u64>,
    /// For each part where it has its entry in what follows; [`NOT_YET`] if no estimate was asked for there.
    place: Vec<u32>,
    around: Vec<Around>,
    /// The greatest cost known.
    most: u64,
}

impl ClusterHeuristic {
    /// Searches from a source in a part; `None` if no way leads from there to any of `goals`.
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

    /// Whether the way to all goals is so long that estimates are better than the straight distance.
    pub(super) fn is_far(&self, clusters: &Clusters, goals: &[Node]) -> bool {
        let far = FAR * clusters.size().cast_signed();
        let mut away = goals
            .iter()
            .map(|goal| clusters.middle(goal.0) - self.source);
        away.all(|away| away.abs().max_element() > far)
    }

    /// Whether a way leads from a part to the source, as far as the search has come.
    pub(super) fn knows(&self, node: Node) -> bool {
        self.known[self.index(node)] != UNKNOWN
    }

    /// Whether a goal was found.
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

    /// Goes on from a part to those beside it.
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
                // Not by way of the middle.
                self.straight_to(clusters.middle(to.0))
            } else {
                // Of the nine places the even ones are the corners and the middle.
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

    /// About what the way between the source and a cell with a portal costs.
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

    /// Notes the costs around a part. Those around the source are looked up nowhere.
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

    /// About what a distance costs around the source, given as it is over the cheapest ground.
    pub(super) fn shift(&self, shift: u64, cheapest: u8) -> u64 {
        let least = u64::from(cheapest) * u64::from(FINEST.straight);
        shift * u64::from(self.pace) / least
    }
}

/// A part that waits in the search, as a number by which they are taken: the least cost first.
fn waiting(cost: u64, node: Node) -> Reverse<u128> {
    Reverse(u128::from(cost) << 64 | u128::from(node.0) << 32 | u128::from(node.1))
}
