//! Sources beside others (Emerson, Game AI Pro, 23.5: merging).
//!
//! Where routes are long and begin close together, the search goes forward from the next source until it meets
//! portals from where the way is known. That takes a look at the sectors between, while the backward search would
//! have to be turned, and then looks at all that lies along its routes.
//!
//! The way is about the cheapest: from where it meets what is known no route goes back farther than it has
//! come, so it costs at most twice that more than the least, if what is known is the least.

use super::goal_routes::{ACROSS, GoalRoutes, Next, TO_GOAL};
use super::graph::{PortalGraph, PortalId};
use super::open_entry::Entry;
use super::sector_portals::NO_EDGE;
use super::sector_search::NO_PATH;
use crate::integrate::FINEST;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A way to what is known costs at most so many times less than the rest.
const RATIO: u64 = 16;
/// From so many portals at most the search goes on.
const MOST_PORTALS: usize = 512;

/// Where the source itself leads.
const SOURCE: Next = TO_GOAL;

/// The least cost known from the source to a portal, and from where: by that slot of the same sector,
/// from [`ACROSS`], or [`SOURCE`].
type Reached = (u64, Next);

/// A search forward from a source.
struct Forward<'a> {
    graph: &'a PortalGraph,
    routes: &'a GoalRoutes,
    /// Where the portals of sectors begin in what follows.
    first: BTreeMap<u32, usize>,
    reached: Vec<Reached>,
    open: BinaryHeap<Reverse<(u64, PortalId)>>,
    /// The cheapest way known to the goal: its cost, and where it meets what is known.
    best: Option<(u64, PortalId)>,
    /// It is not worth going on beyond this.
    limit: u64,
    slack: u64,
}

impl GoalRoutes {
    /// Joins to the known routes a source in a sector, from which portals can be reached at these costs; whether
    /// they are near enough. Of two ways that do not differ by `slack` where they meet what is known the
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

    /// Joins a sector from which no way is known to those beside it from which one is, if it is near the source
    /// aimed at; whether there are any. It may yet have cells from which none of them can be reached.
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

    /// Notes a way from a portal, if it is cheaper than the one known.
    fn relax(&mut self, graph: &PortalGraph, portal: PortalId, to_go: u64, next: Next) {
        let index = self.touch(graph, portal.sector) + usize::from(portal.slot);
        if to_go < self.to_go[index] {
            self.to_go[index] = to_go;
            self.next[index] = next;
            if next == ACROSS {
                let through = to_go + self.estimate(graph, portal, graph.middle(portal));
                self.open.push(Entry::new(portal, to_go, through));
            }
        }
    }
}

impl Forward<'_> {
    /// The portals of the cheapest way found, from the goal's side on, each with the cost to the goal and where it
    /// leads.
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

    /// Goes on from a portal through which its sector is entered to the others there.
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

    /// Notes a way to a portal, the entries of whose sector begin at `first`, and what follows across its window
    /// unless the rest is known.
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

    /// The way by which a portal was reached.
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

    /// Where a sector's entries begin.
    fn first(&mut self, sector: u32) -> usize {
        *self.first.entry(sector).or_insert_with(|| {
            let first = self.reached.len();
            let end = first + self.graph.sector(sector).count();
            self.reached.resize(end, (NO_PATH, SOURCE));
            first
        })
    }
}

/// What it costs to cross a portal's window.
fn step_from(graph: &PortalGraph, portal: PortalId) -> u64 {
    let own = graph.sector(portal.sector).portals[usize::from(portal.slot)];
    u64::from(FINEST.straight) * u64::from(own.cost)
}
