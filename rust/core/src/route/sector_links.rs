//! The links of a map by the sectors that they join.

use super::sectors::Sectors;
use crate::grid::CellRect;
use crate::integrate::{FINEST, StepScale};
use crate::layers::Layers;
use crate::links::{LinkEdge, Links};
use crate::movement::CostField;
use glam::IVec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Groups of links that estimates look at one by one, at most.
const MOST_GROUPS: usize = 64;

/// More than any way costs, and so little that it can be multiplied.
pub(super) const FAR: u64 = 1 << 40;

/// One way along a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SectorLink {
    pub(super) from_sector: u32,
    pub(super) to_sector: u32,
    pub(super) from: IVec2,
    pub(super) to: IVec2,
    /// In cells of clear ground.
    pub(super) cost: f32,
}

impl SectorLink {
    /// What it costs in stored units.
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

/// The ways along links, by the sectors in which they begin and end. Shared by all that is made for a
/// map and its links.
#[derive(Debug, Clone, Default)]
pub struct SectorLinks {
    of: Arc<Links>,
    /// By first sector and first cell; of one cell in the order in which they were made.
    links: Vec<SectorLink>,
    /// Numbers of ways, by last sector.
    by_end: Vec<u32>,
    layers: Layers,
    /// The ways that join the same sectors; none if these groups are many.
    groups: Vec<Group>,
    /// For each group a row with what it costs at least to get from its end to that of each, over links and
    /// the cheapest ground.
    between: Vec<u64>,
}

/// Ways from one sector to another, and from layer to layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// Around all first cells, and around all last ones.
    pub(super) from: CellRect,
    pub(super) to: CellRect,
    /// What the cheapest costs.
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
        let mut links: Vec<SectorLink> = shared.ways().iter().map(link).collect();
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

    /// By the shortest ways over the groups (Floyd and Warshall).
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

    /// The first and the last layer of the cells of a rectangle.
    fn layers_of(&self, cells: CellRect) -> (u32, u32) {
        let layer = |row: i32| self.layers.nearest_of_row(row);
        (layer(cells.low.y), layer(cells.high.y - 1))
    }

    /// Whether two rectangles of cells have cells of the same layer.
    pub(super) fn are_of_one_layer(&self, one: CellRect, other: CellRect) -> bool {
        let (one, other) = (self.layers_of(one), self.layers_of(other));
        one.0 <= other.1 && other.0 <= one.1
    }

    /// Whether the cells of a rectangle are of more than one layer.
    pub(super) fn are_of_several_layers(&self, cells: CellRect) -> bool {
        let (first, last) = self.layers_of(cells);
        first != last
    }

    /// The ways that join the same sectors, with how far at least it is from the end of each to that of each;
    /// nothing if these groups are many.
    pub(super) fn groups(&self) -> (&[Group], &[u64]) {
        (&self.groups, &self.between)
    }

    /// Whether these are the links of `costs`.
    pub(super) fn are_of(&self, costs: &CostField) -> bool {
        Arc::ptr_eq(&self.of, costs.shared_links())
    }

    /// Whether there are none.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// All ways.
    pub(super) fn all(&self) -> &[SectorLink] {
        &self.links
    }

    /// Whether links lead on from cells of a sector.
    pub(crate) fn leave(&self, sector: u32) -> bool {
        !self.leaving_sector(sector).is_empty()
    }

    /// The ways from a sector, by their first cells.
    pub(super) fn leaving_sector(&self, sector: u32) -> &[SectorLink] {
        let first = self.links.partition_point(|link| link.from_sector < sector);
        let count = self.links[first..].partition_point(|link| link.from_sector == sector);
        &self.links[first..first + count]
    }

    /// The ways to a sector.
    pub(super) fn entering_sector(&self, sector: u32) -> impl Iterator<Item = &SectorLink> {
        let end = |&link: &u32| self.links[link as usize].to_sector;
        let first = self.by_end.partition_point(|link| end(link) < sector);
        let numbers = self.by_end[first..].iter();
        numbers
            .map(|&link| &self.links[link as usize])
            .take_while(move |link| link.to_sector == sector)
    }

    /// The ways from a cell of a sector.
    pub(super) fn leaving_cell(
        &self,
        sector: u32,
        cell: IVec2,
    ) -> impl Iterator<Item = &SectorLink> {
        let links = self.leaving_sector(sector).iter();
        links.filter(move |link| link.from == cell)
    }

    /// The cells of a sector in which ways begin or end, row by row, each once.
    pub(super) fn cells_in(&self, sector: u32) -> Vec<IVec2> {
        let firsts = self.leaving_sector(sector).iter().map(|link| link.from);
        let mut cells: Vec<IVec2> = firsts
            .chain(self.entering_sector(sector).map(|link| link.to))
            .collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        cells
    }

    /// The sectors to which the ways lead that begin in a cell, and from which those that end there.
    pub(super) fn joined_to(&self, sector: u32, cell: IVec2) -> impl Iterator<Item = u32> {
        let ends = self.leaving_cell(sector, cell).map(|link| link.to_sector);
        let starts = self
            .entering_sector(sector)
            .filter(move |link| link.to == cell);
        ends.chain(starts.map(|link| link.from_sector))
    }
}

/// How far two rectangles of cells are from each other at least, along both axes.
pub(super) fn away(one: CellRect, other: CellRect) -> IVec2 {
    let away = (other.low - one.high + 1).max(one.low - other.high + 1);
    away.max(IVec2::ZERO)
}
