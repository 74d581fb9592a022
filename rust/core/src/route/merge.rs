//! Sources close to known routes (Emerson, Game AI Pro, 23.5: merging).
//!
//! Where routes are long and begin close together, a forward search from the next source runs until it reaches portals
//! with known costs. It visits only the sectors in between. The backward search would have to be directed at the new
//! source and would then expand everything along its routes.
//!
//! The path is close to the cheapest one. Let `c` be its cost from the source to the portal at which it meets known
//! costs. A route from that portal back to the source and on to the goal costs at most `c` more than the cheapest
//! route. If the known costs are the least ones, the path therefore costs at most `2c` more than the cheapest route.

use super::goal_routes::{ACROSS, GoalRoutes, Next, TO_GOAL};
use super::graph::{PortalGraph, PortalId};
use super::sector_portals::NO_EDGE;
use super::sector_search::NO_PATH;
use crate::integrate::FINEST;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The path to known routes costs at most the rest of the route divided by this number.
const RATIO: u64 = 16;
/// The most portals that the forward search expands.
const MOST_PORTALS: usize = 512;

/// The entry of portals that are reached from the source itself.
const SOURCE: Next = TO_GOAL;

/// The least known cost from the source to a portal, and the predecessor: the portal of that slot in the same sector,
/// [`ACROSS`] for the other side of the window, or [`SOURCE`].
type Reached = (u64, Next);

/// A forward search from a source.
struct Forward<'a> {
    graph: &'a PortalGraph,
    routes: &'a GoalRoutes,
    /// The index in `reached` of each sector's first portal.
    first: BTreeMap<u32, usize>,
    reached: Vec<Reached>,
    open: BinaryHeap<Reverse<(u64, PortalId)>>,
    /// The cheapest known path to the goal: its cost, and the portal at which it meets known costs.
    best: Option<(u64, PortalId)>,
    /// The search stops at this cost.
    limit: u64,
    slack: u64,
}

impl GoalRoutes {
    /// Joins a source in a sector to known routes. `exits` are the portals that the source can reach, with their costs.
    /// Returns false if no known route is near enough. Of paths that meet known costs within `slack` of each other the
    /// cheaper one is taken.
    pub(super) fn merge(
        &mut self,
        graph: &PortalGraph,
        (sector, exits): (u32, &[(u16, u64)]),
        slack: u64,
    ) -> bool {
        let limit = self.least_open() / RATIO;
        let mut forward = Forward {
            graph,
            routes: self,
            first: BTreeMap::new(),
            reached: Vec::new(),
            open: BinaryHeap::new(),
            best: None,
            limit,
            slack,
        };
        let Some(path) = forward.search(sector, exits) else {
            return false;
        };
        for (portal, to_go, next) in path {
            self.relax(graph, portal, to_go, next);
        }
        true
    }

    /// Joins a sector without a known route to neighbouring sectors that have one, if it is near the source that the
    /// search is directed at. Returns true if any neighbour has one. Cells of the sector may still be cut off from
    /// these neighbours.
    pub(super) fn merge_beside(&mut self, graph: &PortalGraph, sector: u32) -> bool {
        if self.heuristic.is_none() || !self.is_near(graph, sector) {
            return false;
        }
        let mut is_joined = false;
        for portal in graph.portals_of(sector) {
            let across = self.index(graph.across(portal));
            let to_go = across.map_or(NO_PATH, |across| self.to_go[across]);
            if to_go != NO_PATH {
                let to_go = to_go + step_from(graph, portal);
                self.relax(graph, portal, to_go, ACROSS);
                is_joined = true;
            }
        }
        is_joined
    }

    /// Relaxes the cost of a portal.
    fn relax(&mut self, graph: &PortalGraph, portal: PortalId, to_go: u64, next: Next) {
        let index = self.touch(graph, portal.sector) + usize::from(portal.slot);
        if to_go < self.to_go[index] {
            self.to_go[index] = to_go;
            self.next[index] = next;
            if next == ACROSS {
                self.open_at(graph, (portal, graph.middle(portal)), to_go);
            }
        }
    }
}

impl Forward<'_> {
    /// The portals of the cheapest path found, starting at the goal's end, each with its cost to the goal and its next
    /// portal.
    fn search(&mut self, sector: u32, exits: &[(u16, u64)]) -> Option<Vec<(PortalId, u64, Next)>> {
        let first = self.first(sector);
        for &(slot, cost) in exits {
            self.relax((PortalId { sector, slot }, first), cost, SOURCE);
        }
        let mut left = MOST_PORTALS;
        while let Some(Reverse((cost, portal))) = self.open.pop() {
            if cost >= self.limit || left == 0 {
                break;
            }
            let first = self.first(portal.sector);
            if cost == self.reached[first + usize::from(portal.slot)].0 {
                left -= 1;
                self.expand((portal, first), cost);
            }
        }
        let (_, met) = self.best?;
        Some(self.path_to(met))
    }

    /// Expands a portal by which a sector is entered to the other portals of the sector.
    fn expand(&mut self, (entered, first): (PortalId, usize), cost: u64) {
        let (sector, from) = (entered.sector, entered.slot);
        let own = self.graph.sector(sector);
        for slot in 0..own.portals.len() as u16 {
            let edge = own.costs_to(slot)[usize::from(from)];
            if edge != NO_EDGE && slot != from {
                let portal = PortalId { sector, slot };
                self.relax((portal, first), cost + u64::from(edge), from);
            }
        }
    }

    /// Relaxes the cost of a portal; the entries of its sector begin at `first`. Also relaxes the other side of its
    /// window, unless the cost from the portal to the goal is known.
    fn relax(&mut self, (portal, first): (PortalId, usize), cost: u64, from: Next) {
        let reached = &mut self.reached[first + usize::from(portal.slot)];
        if cost >= reached.0 {
            return;
        }
        *reached = (cost, from);
        let known = self.routes.index(portal);
        let to_go = known.map_or(NO_PATH, |index| self.routes.to_go[index]);
        if to_go != NO_PATH {
            if self.best.is_none_or(|best| cost + to_go < best.0) {
                self.best = Some((cost + to_go, portal));
            }
            self.limit = self.limit.min(cost + self.slack);
        } else if from == ACROSS {
            self.open.push(Reverse((cost, portal)));
        } else {
            let across = self.graph.across(portal);
            let first = self.first(across.sector);
            self.relax(
                (across, first),
                cost + step_from(self.graph, portal),
                ACROSS,
            );
        }
    }

    /// The path by which a portal was reached.
    fn path_to(&mut self, met: PortalId) -> Vec<(PortalId, u64, Next)> {
        let mut path = Vec::new();
        let known = self.routes.index(met).map(|index| self.routes.to_go[index]);
        let (mut portal, mut to_go) = (met, known.unwrap_or(NO_PATH));
        loop {
            let first = self.first(portal.sector);
            let next = match self.reached[first + usize::from(portal.slot)].1 {
                SOURCE => return path,
                ACROSS => {
                    portal = self.graph.across(portal);
                    to_go += step_from(self.graph, portal);
                    ACROSS
                }
                slot => {
                    let own = self.graph.sector(portal.sector);
                    to_go += u64::from(own.costs_to(portal.slot)[usize::from(slot)]);
                    let next = portal.slot;
                    portal.slot = slot;
                    next
                }
            };
            path.push((portal, to_go, next));
        }
    }

    /// The index of a sector's first entry. Adds the entries if there are none.
    fn first(&mut self, sector: u32) -> usize {
        *self.first.entry(sector).or_insert_with(|| {
            let first = self.reached.len();
            let end = first + self.graph.sector(sector).count();
            self.reached.resize(end, (NO_PATH, SOURCE));
            first
        })
    }
}

/// The cost of the step across a portal's window.
fn step_from(graph: &PortalGraph, portal: PortalId) -> u64 {
    let own = graph.sector(portal.sector).portals[usize::from(portal.slot)];
    u64::from(FINEST.straight) * u64::from(own.cost)
}
