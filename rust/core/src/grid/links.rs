//! Links: edges from a cell to any other, such as ramps, stairs and teleporters (Emerson, Game AI Pro, 23.16, joins
//! overlapping sectors in this way).
//!
//! A link adds its last cell as a neighbour of its first cell. The cost of a path by a link is the link's cost plus the
//! cost from its end. If this is cheaper than walking on, an agent in the first cell is at the end with the next step.
//!
//! A full solve tests every link whose end is not reached yet in each bucket: some nanoseconds for each of them and
//! each cell of the longest path. Maps are expected to have hundreds of links.
//!
//! [`Link`] is what games create, `LinkList` holds the links of a world, and [`Links`] has their edges for solvers.

use super::cell_rect::CellRect;
use crate::error::{Error, Result, in_range};
use glam::IVec2;
use std::collections::BTreeMap;

/// The most links of a world. Links in both directions count twice.
pub const MAX_LINKS: usize = 65_536;
/// The least cost of a link: that of a step over clear ground. Wavefronts advance in the order of costs, and no step is
/// shorter.
pub const MIN_LINK_COST: f32 = 1.0;
/// The greatest cost of a link.
pub const MAX_LINK_COST: f32 = 1.0e6;

/// The id of a link; never reused within a world, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub i64);

/// A link from a cell to another, or in both directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Where it begins.
    pub from: IVec2,
    /// Where it ends.
    pub to: IVec2,
    /// Its cost, in cells of clear ground, [`MIN_LINK_COST`]..=[`MAX_LINK_COST`].
    pub cost: f32,
    /// Whether it can also be taken in the other direction.
    pub both_ways: bool,
}

impl Link {
    /// Checks the link.
    ///
    /// # Errors
    /// A cost out of range, or [`Error::LinkLoop`] where it begins and ends in the same cell.
    pub fn check(&self) -> Result<()> {
        in_range("cost", self.cost, MIN_LINK_COST, MAX_LINK_COST)?;
        if self.from == self.to {
            return Err(Error::LinkLoop { cell: self.from });
        }
        Ok(())
    }
}

/// One direction of a link, between stored indices of a [`crate::movement::CostField`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkEdge {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Its cost, in cells of clear ground.
    pub cost: f32,
}

fn stored_index(cell: IVec2, stride: usize) -> usize {
    (cell.y + 1) as usize * stride + (cell.x + 1) as usize
}

fn stored_cell(index: usize, stride: usize) -> IVec2 {
    IVec2::new((index % stride) as i32 - 1, (index / stride) as i32 - 1)
}

/// The edges of all links of a map, for solvers, including links with closed ends.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Links {
    /// The edges by first cell, and in the order in which the links were added.
    edges: Vec<LinkEdge>,
    /// Indices into `edges`, by last cell.
    by_end: Vec<u32>,
    least: f32,
}

impl Links {
    /// The edges of `links`, whose cells are in a map with rows of `stride` stored cells.
    #[must_use]
    pub fn new<'a>(links: impl Iterator<Item = &'a Link>, stride: usize) -> Self {
        let index = |cell: IVec2| stored_index(cell, stride);
        let mut edges = Vec::new();
        for link in links {
            let edge = LinkEdge {
                from: index(link.from),
                to: index(link.to),
                cost: link.cost,
            };
            edges.push(edge);
            if link.both_ways {
                edges.push(LinkEdge {
                    from: edge.to,
                    to: edge.from,
                    ..edge
                });
            }
        }
        edges.sort_by_key(|edge| edge.from);
        Self::of(edges)
    }

    /// Links from edges in the order of their first cells.
    fn of(edges: Vec<LinkEdge>) -> Self {
        let mut by_end: Vec<u32> = (0..edges.len() as u32).collect();
        by_end.sort_by_key(|&edge| edges[edge as usize].to);
        Self {
            least: edges
                .iter()
                .map(|edge| edge.cost)
                .fold(f32::INFINITY, f32::min),
            edges,
            by_end,
        }
    }

    /// Whether there are no links.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// All edges, by their first cell.
    #[must_use]
    pub fn ways(&self) -> &[LinkEdge] {
        &self.edges
    }

    /// The edges from a stored index.
    #[inline]
    pub fn from(&self, index: usize) -> &[LinkEdge] {
        let first = self.edges.partition_point(|edge| edge.from < index);
        let count = self.edges[first..].partition_point(|edge| edge.from == index);
        &self.edges[first..first + count]
    }

    /// The edges to a stored index.
    #[inline]
    pub fn to(&self, index: usize) -> impl Iterator<Item = &LinkEdge> {
        let end = |edge: &u32| self.edges[*edge as usize].to;
        let first = self.by_end.partition_point(|edge| end(edge) < index);
        self.by_end[first..]
            .iter()
            .map(|&edge| &self.edges[edge as usize])
            .take_while(move |edge| edge.to == index)
    }

    /// The edges that are entirely in the cells `rect`, for a map of these cells alone. The rows of the original map
    /// have `stride` stored cells.
    pub(crate) fn cut_out(&self, stride: usize, rect: CellRect) -> Self {
        let cell = |index: usize| stored_cell(index, stride);
        let own_stride = (rect.high.x - rect.low.x) as usize + 2;
        let inside = |edge: &&LinkEdge| {
            [edge.from, edge.to]
                .iter()
                .all(|&at| rect.contains(cell(at)))
        };
        // The order of edges is the same in the window.
        let edges = self.edges.iter().filter(inside).map(|edge| {
            let own = |index: usize| stored_index(cell(index) - rect.low, own_stride);
            LinkEdge {
                from: own(edge.from),
                to: own(edge.to),
                cost: edge.cost,
            }
        });
        Self::of(edges.collect())
    }

    /// The cost of the cheapest edge, in cells of clear ground; infinite if there are none.
    pub(crate) fn least_cost(&self) -> f32 {
        if self.is_empty() {
            f32::INFINITY
        } else {
            self.least
        }
    }

    /// The first and last cells of the edges that only one of two sets has, ascending, each once.
    pub(crate) fn changes(&self, other: &Self) -> Vec<u32> {
        let mut cells = Vec::new();
        for (links, others) in [(self, other), (other, self)] {
            let changed = |edge: &&LinkEdge| !others.from(edge.from).contains(edge);
            for edge in links.edges.iter().filter(changed) {
                cells.extend([edge.from as u32, edge.to as u32]);
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

/// The links of a world.
#[derive(Debug, Clone, Default)]
pub(crate) struct LinkList {
    by_id: BTreeMap<LinkId, Link>,
    last: i64,
}

impl LinkList {
    pub(crate) fn add(&mut self, link: Link) -> LinkId {
        self.last += 1;
        self.by_id.insert(LinkId(self.last), link);
        LinkId(self.last)
    }

    pub(crate) fn remove(&mut self, id: LinkId) -> Result<Link> {
        let link = self.by_id.remove(&id);
        link.ok_or(Error::UnknownId {
            name: "link",
            id: id.0,
        })
    }

    pub(crate) fn get(&self, id: LinkId) -> Result<&Link> {
        self.by_id.get(&id).ok_or(Error::UnknownId {
            name: "link",
            id: id.0,
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (LinkId, &Link)> {
        self.by_id.iter().map(|(&id, link)| (id, link))
    }

    /// The number of edges of all links.
    pub(crate) fn edge_count(&self) -> usize {
        let edges = |link: &Link| 1 + usize::from(link.both_ways);
        self.by_id.values().map(edges).sum()
    }

    /// Replaces each link by the result of `change`. Removes and returns the links for which that is `None`.
    pub(crate) fn map(&mut self, change: impl Fn(&Link) -> Option<Link>) -> Vec<LinkId> {
        let mut lost = Vec::new();
        self.by_id.retain(|&id, link| match change(link) {
            Some(changed) => {
                *link = changed;
                true
            }
            None => {
                lost.push(id);
                false
            }
        });
        lost
    }
}
