//! The links of a map by the sectors in which they start and end, and lower bounds of the costs between them for the
//! estimates of searches.

use super::sectors::Sectors;
use crate::grid::CellRect;
use crate::grid::layers::Layers;
use crate::grid::links::{LinkEdge, Links};
use crate::integrate::{FINEST, StepScale};
use crate::movement::CostField;
use glam::IVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most groups of links that estimates treat one by one.
const MOST_GROUPS: usize = 64;

/// A cost above that of every path, and small enough to be multiplied.
pub(super) const FAR: u64 = 1 << 40;

/// One direction of a link, with the sectors of its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SectorLink {
    pub(super) from_sector: u32,
    pub(super) to_sector: u32,
    pub(super) from: IVec2,
    pub(super) to: IVec2,
    /// The cost, in cells of clear ground.
    pub(super) cost: f32,
}

impl SectorLink {
    /// Whether it starts and ends in one sector.
    #[inline]
    pub(super) fn is_inner(&self) -> bool {
        self.from_sector == self.to_sector
    }

    /// The cost in stored units.
    #[inline]
    pub(super) fn units(&self, scale: StepScale) -> u32 {
        let edge = LinkEdge {
            from: 0,
            to: 0,
            cost: self.cost,
        };
        edge.units(scale)
    }
}

/// The directed links of a map by the sectors in which they start and end. Everything that is made for a map and its
/// links shares one object.
#[derive(Debug, Clone, Default)]
pub struct SectorLinks {
    of: Arc<Links>,
    /// Ordered by first sector and first cell. Links that start in the same cell keep the order in which they were
    /// created.
    links: Vec<SectorLink>,
    /// Indices into `links`, ordered by last sector.
    by_end: Vec<u32>,
    layers: Layers,
    /// The links that join the same sectors and layers; empty if there are more than [`MOST_GROUPS`] groups.
    groups: Vec<Group>,
    /// One row for each group: a lower bound of the cost from its end to the end of every group, by links and the
    /// cheapest ground.
    between: Vec<u64>,
}

/// Links from one sector and layer to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// The bounds of all first cells, and of all last cells.
    pub(super) from: CellRect,
    pub(super) to: CellRect,
    /// The cost of the cheapest link.
    pub(super) units: u64,
}

impl SectorLinks {
    /// The links of `costs`, a map that is divided into `sectors`. O(links).
    #[must_use]
    pub fn new(sectors: &Sectors, costs: &CostField) -> Self {
        let shared = costs.shared_links();
        let link = |edge: &LinkEdge| {
            let (from, to) = (costs.cell(edge.from), costs.cell(edge.to));
            SectorLink {
                from_sector: sectors.at(from),
                to_sector: sectors.at(to),
                from,
                to,
                cost: edge.cost,
            }
        };
        let mut links: Vec<SectorLink> = shared.edges().iter().map(link).collect();
        links.sort_by_key(|link| (link.from_sector, link.from.y, link.from.x));
        let mut by_end: Vec<u32> = (0..links.len() as u32).collect();
        by_end.sort_by_key(|&link| links[link as usize].to_sector);
        let mut all = Self {
            of: Arc::clone(shared),
            links,
            by_end,
            layers: *costs.layers(),
            groups: Vec::new(),
            between: Vec::new(),
        };
        all.groups = all.find_groups();
        all.between = all.find_costs_between();
        all
    }

    fn find_groups(&self) -> Vec<Group> {
        let layer = |cell: IVec2| self.layers.nearest_of_row(cell.y);
        let mut groups: BTreeMap<(u32, u32, u32, u32), Group> = BTreeMap::new();
        for link in &self.links {
            let sectors = (link.from_sector, link.to_sector);
            let key = (sectors.0, sectors.1, layer(link.from), layer(link.to));
            let (from, to) = (CellRect::cell(link.from), CellRect::cell(link.to));
            let units = u64::from(link.units(FINEST));
            let group = groups.entry(key).or_insert(Group { from, to, units });
            group.from = group.from.union(&from);
            group.to = group.to.union(&to);
            group.units = group.units.min(units);
            if groups.len() > MOST_GROUPS {
                return Vec::new();
            }
        }
        groups.into_values().collect()
    }

    /// The shortest paths between the groups (Floyd and Warshall).
    fn find_costs_between(&self) -> Vec<u64> {
        let count = self.groups.len();
        let step = |one: &Group, next: &Group| {
            if !self.are_of_one_layer(one.to, next.from) {
                return FAR;
            }
            FINEST.octile(away(one.to, next.from)) + next.units
        };
        let rows = self.groups.iter();
        let mut between: Vec<u64> = rows
            .flat_map(|one| self.groups.iter().map(move |next| step(one, next)))
            .collect();
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    let cost = between[from * count + middle] + between[middle * count + to];
                    let known = &mut between[from * count + to];
                    *known = cost.min(*known);
                }
            }
        }
        between
    }

    /// The first and the last layer that a rectangle of cells lies on.
    fn layers_of(&self, cells: CellRect) -> (u32, u32) {
        let layer = |row: i32| self.layers.nearest_of_row(row);
        (layer(cells.low.y), layer(cells.high.y - 1))
    }

    /// Returns true if two rectangles of cells have a layer in common.
    pub(super) fn are_of_one_layer(&self, one: CellRect, other: CellRect) -> bool {
        let (one, other) = (self.layers_of(one), self.layers_of(other));
        one.0 <= other.1 && other.0 <= one.1
    }

    /// Returns true if the cells of a rectangle lie on more than one layer.
    pub(super) fn are_of_several_layers(&self, cells: CellRect) -> bool {
        let (first, last) = self.layers_of(cells);
        first != last
    }

    /// The groups of links that join the same sectors, and the lower bounds of the costs between their ends; empty if
    /// there are more than [`MOST_GROUPS`] groups.
    pub(super) fn groups(&self) -> (&[Group], &[u64]) {
        (&self.groups, &self.between)
    }

    /// The links of the map of which these are the ends.
    pub(crate) fn of_map(&self) -> &Arc<Links> {
        &self.of
    }

    /// Returns true if these are the links of `costs`.
    pub(super) fn are_of(&self, costs: &CostField) -> bool {
        Arc::ptr_eq(&self.of, costs.shared_links())
    }

    /// Returns true if the map has no links.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// All links.
    pub(super) fn all(&self) -> &[SectorLink] {
        &self.links
    }

    /// Returns true if links start in a sector.
    pub(crate) fn leave(&self, sector: u32) -> bool {
        !self.leaving_sector(sector).is_empty()
    }

    /// Returns true if links start or end in a sector.
    pub(super) fn touch(&self, sector: u32) -> bool {
        self.leave(sector) || self.entering_sector(sector).next().is_some()
    }

    /// The sectors in which links start or end, of these or of others, ascending.
    pub(super) fn sectors_with(&self, others: &Self) -> BTreeSet<u32> {
        let links = self.links.iter().chain(&others.links);
        links
            .flat_map(|link| [link.from_sector, link.to_sector])
            .collect()
    }

    /// The links that start in a sector, ordered by first cell.
    pub(super) fn leaving_sector(&self, sector: u32) -> &[SectorLink] {
        let first = self.links.partition_point(|link| link.from_sector < sector);
        let count = self.links[first..].partition_point(|link| link.from_sector == sector);
        &self.links[first..first + count]
    }

    /// The links that end in a sector.
    pub(super) fn entering_sector(&self, sector: u32) -> impl Iterator<Item = &SectorLink> {
        let end = |&link: &u32| self.links[link as usize].to_sector;
        let first = self.by_end.partition_point(|link| end(link) < sector);
        let numbers = self.by_end[first..].iter();
        numbers
            .map(|&link| &self.links[link as usize])
            .take_while(move |link| link.to_sector == sector)
    }

    /// The links that start in a cell of a sector.
    pub(super) fn leaving_cell(
        &self,
        sector: u32,
        cell: IVec2,
    ) -> impl Iterator<Item = &SectorLink> {
        let links = self.leaving_sector(sector).iter();
        links.filter(move |link| link.from == cell)
    }

    /// The cells of a sector in which links start or end, row by row, each once.
    pub(super) fn cells_in(&self, sector: u32) -> Vec<IVec2> {
        let firsts = self.leaving_sector(sector).iter().map(|link| link.from);
        let mut cells: Vec<IVec2> = firsts
            .chain(self.entering_sector(sector).map(|link| link.to))
            .collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        cells
    }

    /// The sectors at the other ends of the links that start or end in a cell.
    pub(super) fn joined_to(&self, sector: u32, cell: IVec2) -> impl Iterator<Item = u32> {
        let ends = self.leaving_cell(sector, cell).map(|link| link.to_sector);
        let starts = self
            .entering_sector(sector)
            .filter(move |link| link.to == cell);
        ends.chain(starts.map(|link| link.from_sector))
    }

    /// The sectors at the other ends of the links that start or end in a sector.
    pub(super) fn joined_to_sector(&self, sector: u32) -> impl Iterator<Item = u32> {
        let ends = self.leaving_sector(sector).iter();
        let starts = self.entering_sector(sector);
        ends.map(|link| link.to_sector)
            .chain(starts.map(|link| link.from_sector))
    }
}

/// The distance between two rectangles of cells along each axis; 0 where they overlap.
pub(super) fn away(one: CellRect, other: CellRect) -> IVec2 {
    let away = (other.low - one.high + 1).max(one.low - other.high + 1);
    away.max(IVec2::ZERO)
}
