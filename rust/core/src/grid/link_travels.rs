//! The links that take time, by their cells.
//!
//! Solvers need costs of links only, and agents need to know how they get over a link only when they take one. So this
//! is kept apart from [`Links`](super::links::Links).

use super::links::Link;
use super::travel::Travel;
use glam::IVec2;
use std::cmp::Ordering;

/// One direction of a link that takes time.
#[derive(Debug, Clone, Copy, PartialEq)]
struct TimedLink {
    from: IVec2,
    to: IVec2,
    cost: f32,
    travel: Travel,
}

impl TimedLink {
    fn order(&self, from: IVec2, to: IVec2) -> Ordering {
        let key = |from: IVec2, to: IVec2| (from.y, from.x, to.y, to.x);
        key(self.from, self.to).cmp(&key(from, to))
    }
}

/// How agents get over the links of a world.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct LinkTravels {
    /// The links that take time, sorted by their cells.
    timed: Vec<TimedLink>,
    greatest_arc: f32,
}

impl LinkTravels {
    /// The travels of `links`. Of several links between the same cells the cheapest counts, which agents take, and of
    /// equally cheap ones the first.
    pub(crate) fn new<'a>(links: impl Iterator<Item = &'a Link>) -> Self {
        let mut timed = Vec::new();
        for link in links {
            let there = TimedLink {
                from: link.from,
                to: link.to,
                cost: link.cost,
                travel: link.travel,
            };
            timed.push(there);
            if link.both_ways {
                timed.push(TimedLink {
                    from: link.to,
                    to: link.from,
                    ..there
                });
            }
        }
        timed.sort_by(|one, other| {
            let by_cells = one.order(other.from, other.to);
            by_cells.then(one.cost.total_cmp(&other.cost))
        });
        timed.dedup_by(|next, first| next.order(first.from, first.to).is_eq());
        timed.retain(|link| link.travel != Travel::AtOnce);
        let arcs = timed.iter().map(|link| match link.travel {
            Travel::Timed { arc, .. } => arc,
            Travel::AtOnce | Travel::Walk => 0.0,
        });
        Self {
            greatest_arc: arcs.fold(0.0, f32::max),
            timed,
        }
    }

    /// Whether no link takes time.
    pub(crate) fn is_empty(&self) -> bool {
        self.timed.is_empty()
    }

    /// The greatest arc of all links, in world units.
    pub(crate) fn greatest_arc(&self) -> f32 {
        self.greatest_arc
    }

    /// How agents get from one cell to another by a link.
    pub(crate) fn between(&self, from: IVec2, to: IVec2) -> Travel {
        let found = self.timed.binary_search_by(|link| link.order(from, to));
        found.map_or(Travel::AtOnce, |place| self.timed[place].travel)
    }
}
