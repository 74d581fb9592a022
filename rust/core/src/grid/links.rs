//! Links: edges from a cell to any other, such as ramps, stairs and teleporters (Emerson, Game AI Pro, 23.16, joins
//! overlapping sectors in this way).
//!
//! A link makes its last cell a neighbour of its first cell. The cost of a path over a link is the link's cost plus the
//! cost from its last cell. If that is less than the cost of walking, an agent in the first cell takes the link: it
//! moves to the last cell in its next step, or is on its way for a time ([`Travel`]).
//!
//! Cost: in each bucket a full solve tests every link whose end is not reached yet. This takes some nanoseconds per
//! link and cell of the longest path, and is fast enough for hundreds of links.
//!
//! [`Link`] is what games create, `LinkList` holds the links of a world, and [`Links`] holds their edges for solvers.

use super::cell_rect::CellRect;
use super::travel::Travel;
use crate::bytes::{Saved, Source, Unpacker, Writer, saved};
use crate::error::{Error, Result, in_range};
use glam::IVec2;
use std::collections::BTreeMap;

/// The greatest number of edges of all links of a world. A link in both directions has two.
pub const MAX_LINKS: usize = 65_536;
/// The least cost of a link, which is the cost of a straight step over clear ground. Wavefronts advance in the order of
/// costs, and no step may cost less.
pub const MIN_LINK_COST: f32 = 1.0;
/// The greatest cost of a link.
pub const MAX_LINK_COST: f32 = 1.0e6;

/// The id of a link. It is never 0, and never reused within a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub i64);

/// A link from one cell to another, or in both directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The first cell.
    pub from: IVec2,
    /// The last cell.
    pub to: IVec2,
    /// The cost, in cells of clear ground, [`MIN_LINK_COST`]..=[`MAX_LINK_COST`].
    pub cost: f32,
    /// `true` if the link can be taken in both directions.
    pub both_ways: bool,
    /// How agents get over it, the same in both directions. It does not change what paths cost: for a link that takes
    /// `seconds`, agents of a speed lose no time to a detour if the cost is `seconds * speed / cell_size`.
    pub travel: Travel,
}

impl Link {
    /// Checks the cost, the travel and the cells.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a cost or a travel outside its range, or [`Error::LinkLoop`] if the first cell is also
    /// the last.
    pub fn check(&self) -> Result<()> {
        in_range("cost", self.cost, MIN_LINK_COST, MAX_LINK_COST)?;
        self.travel.check()?;
        if self.from == self.to {
            return Err(Error::LinkLoop { cell: self.from });
        }
        Ok(())
    }
}

/// One direction of a link. Cells are stored indices of a [`crate::movement::CostField`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkEdge {
    /// The first cell.
    pub from: usize,
    /// The last cell.
    pub to: usize,
    /// The cost, in cells of clear ground.
    pub cost: f32,
}

fn stored_index(cell: IVec2, stride: usize) -> usize {
    (cell.y + 1) as usize * stride + (cell.x + 1) as usize
}

fn stored_cell(index: usize, stride: usize) -> IVec2 {
    IVec2::new((index % stride) as i32 - 1, (index / stride) as i32 - 1)
}

/// The edges of all links of a map, for solvers. Edges that begin or end in walls are included.
#[derive(Debug, Clone, PartialEq)]
pub struct Links {
    /// The edges, sorted by first cell and then in the order in which the links were added.
    edges: Vec<LinkEdge>,
    /// Indices into `edges`, sorted by last cell.
    by_end: Vec<u32>,
    /// The cost of the cheapest edge; infinity without edges.
    least: f32,
}

impl Default for Links {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

impl Links {
    /// Creates the edges of `links` for a map with `stride` stored cells per row.
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

    /// Creates the set from edges that are sorted by first cell.
    pub(crate) fn of(edges: Vec<LinkEdge>) -> Self {
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

    /// Returns `true` if there are no edges.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Returns all edges, sorted by first cell.
    #[must_use]
    pub fn edges(&self) -> &[LinkEdge] {
        &self.edges
    }

    /// Returns the edges from a stored index.
    #[inline]
    pub fn from(&self, index: usize) -> &[LinkEdge] {
        let first = self.edges.partition_point(|edge| edge.from < index);
        let count = self.edges[first..].partition_point(|edge| edge.from == index);
        &self.edges[first..first + count]
    }

    /// Returns the edges to a stored index.
    #[inline]
    pub fn to(&self, index: usize) -> impl Iterator<Item = &LinkEdge> {
        let end = |edge: &u32| self.edges[*edge as usize].to;
        let first = self.by_end.partition_point(|edge| end(edge) < index);
        self.by_end[first..]
            .iter()
            .map(|&edge| &self.edges[edge as usize])
            .take_while(move |edge| edge.to == index)
    }

    /// Returns the edges whose cells are both in `rect`, with the indices of a map of these cells alone. The rows of
    /// the original map have `stride` stored cells.
    pub(crate) fn cut_out(&self, stride: usize, rect: CellRect) -> Self {
        let cell = |index: usize| stored_cell(index, stride);
        let own_stride = (rect.high.x - rect.low.x) as usize + 2;
        let inside = |edge: &&LinkEdge| {
            [edge.from, edge.to]
                .iter()
                .all(|&at| rect.contains(cell(at)))
        };
        // The edges keep their order, because the window's indices have the same order.
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

    /// Returns the edges whose cells both have an index on another map, with these indices. `place` returns the index
    /// on the other map.
    pub(crate) fn carried_over(&self, place: impl Fn(usize) -> Option<usize>) -> Self {
        let carried = |edge: &LinkEdge| {
            Some(LinkEdge {
                from: place(edge.from)?,
                to: place(edge.to)?,
                cost: edge.cost,
            })
        };
        Self::sorted(self.edges.iter().filter_map(carried).collect())
    }

    /// Returns the edges in the opposite direction.
    pub(crate) fn reversed(&self) -> Self {
        let back = |edge: &LinkEdge| LinkEdge {
            from: edge.to,
            to: edge.from,
            cost: edge.cost,
        };
        Self::sorted(self.edges.iter().map(back).collect())
    }

    /// Creates the set from edges in any order.
    fn sorted(mut edges: Vec<LinkEdge>) -> Self {
        edges.sort_by_key(|edge| edge.from);
        Self::of(edges)
    }

    /// Returns the cost of the cheapest edge, in cells of clear ground; infinity without edges.
    pub(crate) fn least_cost(&self) -> f32 {
        self.least
    }

    /// Returns the first and last cells of all edges that only one of the two sets has, ascending and without
    /// duplicates.
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

/// The links of a world by id.
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

    /// Returns the number of edges of all links.
    pub(crate) fn edge_count(&self) -> usize {
        let edges = |link: &Link| 1 + usize::from(link.both_ways);
        self.by_id.values().map(edges).sum()
    }

    /// Replaces each link by the result of `change`. A link for which the result is `None` is removed, and its id
    /// returned.
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

saved!(Link {
    from,
    to,
    cost,
    both_ways,
    travel,
});
saved!(LinkList { by_id, last });

impl Saved for LinkId {
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        i64::read(input).map(Self)
    }
}

impl LinkList {
    /// Reads the links of a world whose places `is_place` tells.
    pub(crate) fn read_checked(
        input: &mut Unpacker<'_>,
        is_place: impl Fn(IVec2) -> bool,
    ) -> Result<Self> {
        let links = Self::read(input)?;
        let is_sound = |(&id, link): (&LinkId, &Link)| {
            let is_known = (1..=links.last).contains(&id.0);
            is_known && link.check().is_ok() && is_place(link.from) && is_place(link.to)
        };
        if links.by_id.iter().all(is_sound) && links.edge_count() <= MAX_LINKS {
            Ok(links)
        } else {
            Err(input.bad("it has a link that makes no sense"))
        }
    }
}

impl Saved for LinkEdge {
    fn write(&self, out: &mut Writer) {
        (self.from as u32, self.to as u32).write(out);
        self.cost.write(out);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let (from, to) = <(u32, u32)>::read(input)?;
        Ok(Self {
            from: from as usize,
            to: to as usize,
            cost: f32::read(input)?,
        })
    }
}

impl Links {
    /// The edges, for [`Self::read`].
    pub(crate) fn write(&self, out: &mut Writer) {
        self.edges.write(out);
    }

    /// Reads edges between cells of which `is_place` tells by stored index which are on the map.
    pub(crate) fn read(input: &mut Unpacker<'_>, is_place: impl Fn(usize) -> bool) -> Result<Self> {
        let edges = Vec::<LinkEdge>::read(input)?;
        let is_sound = |edge: &LinkEdge| {
            (MIN_LINK_COST..=MAX_LINK_COST).contains(&edge.cost)
                && edge.from != edge.to
                && is_place(edge.from)
                && is_place(edge.to)
        };
        let is_sorted = edges.is_sorted_by_key(|edge| edge.from);
        if edges.len() <= MAX_LINKS && is_sorted && edges.iter().all(is_sound) {
            Ok(Self::of(edges))
        } else {
            Err(input.bad("it has links that make no sense"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A save tells by this whether a graph has other links than the costs.
    #[test]
    fn no_links_are_the_same_from_whatever_they_were_made() {
        assert_eq!(Links::default(), Links::new([].iter(), 9));
        assert_eq!(Links::default().least_cost(), f32::INFINITY);
    }
}
