//! The links of a map by the sectors that they join.

use super::sectors::Sectors;
use crate::grid::CellRect;
use crate::integrate::StepScale;
use crate::links::{Links, Way};
use crate::movement::CostField;
use glam::IVec2;
use std::sync::Arc;

/// Sectors with ends of links that estimates look at, at most: where links end in more of them they are
/// taken to end everywhere.
const MOST_ENDS: usize = 64;

/// One way along a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SectorWay {
    pub(super) from_sector: u32,
    pub(super) to_sector: u32,
    pub(super) from: IVec2,
    pub(super) to: IVec2,
    /// In cells of clear ground.
    pub(super) cost: f32,
}

impl SectorWay {
    /// What it costs in stored units.
    #[inline]
    pub(super) fn units(&self, scale: StepScale) -> u32 {
        let way = Way {
            from: 0,
            to: 0,
            cost: self.cost,
        };
        way.units(scale)
    }
}

/// The ways along links, by the sectors in which they begin and end. Shared by all that is made for a
/// map and its links.
#[derive(Debug, Clone, Default)]
pub struct SectorLinks {
    of: Arc<Links>,
    /// By first sector and first cell; of one cell in the order in which they were made.
    ways: Vec<SectorWay>,
    /// Numbers of ways, by last sector.
    by_end: Vec<u32>,
    /// The sectors in which ways end; none if these are many.
    ends: Vec<CellRect>,
}

impl SectorLinks {
    /// The links of `costs`, a map that is divided into `sectors`. O(links).
    #[must_use]
    pub fn new(sectors: &Sectors, costs: &CostField) -> Self {
        let links = costs.shared_links();
        let way = |way: &Way| {
            let (from, to) = (costs.cell(way.from), costs.cell(way.to));
            SectorWay {
                from_sector: sectors.at(from),
                to_sector: sectors.at(to),
                from,
                to,
                cost: way.cost,
            }
        };
        let mut ways: Vec<SectorWay> = links.ways().iter().map(way).collect();
        ways.sort_by_key(|way| (way.from_sector, way.from.y, way.from.x));
        let mut by_end: Vec<u32> = (0..ways.len() as u32).collect();
        by_end.sort_by_key(|&way| ways[way as usize].to_sector);
        let mut ends: Vec<u32> = ways.iter().map(|way| way.to_sector).collect();
        ends.sort_unstable();
        ends.dedup();
        if ends.len() > MOST_ENDS {
            ends.clear();
        }
        Self {
            of: Arc::clone(links),
            ways,
            by_end,
            ends: ends.into_iter().map(|end| sectors.rect(end)).collect(),
        }
    }

    /// Whether these are the links of `costs`.
    pub(super) fn are_of(&self, costs: &CostField) -> bool {
        Arc::ptr_eq(&self.of, costs.shared_links())
    }

    /// Whether there are none.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// All ways.
    pub(super) fn ways(&self) -> &[SectorWay] {
        &self.ways
    }

    /// The ways from a sector, by their first cells.
    pub(super) fn from_sector(&self, sector: u32) -> &[SectorWay] {
        let first = self.ways.partition_point(|way| way.from_sector < sector);
        let count = self.ways[first..].partition_point(|way| way.from_sector == sector);
        &self.ways[first..first + count]
    }

    /// The ways to a sector.
    pub(super) fn to_sector(&self, sector: u32) -> impl Iterator<Item = &SectorWay> {
        let end = |&way: &u32| self.ways[way as usize].to_sector;
        let first = self.by_end.partition_point(|way| end(way) < sector);
        let ways = self.by_end[first..].iter();
        ways.map(|&way| &self.ways[way as usize])
            .take_while(move |way| way.to_sector == sector)
    }

    /// The ways from a cell of a sector.
    pub(super) fn from_cell(&self, sector: u32, cell: IVec2) -> impl Iterator<Item = &SectorWay> {
        let ways = self.from_sector(sector).iter();
        ways.filter(move |way| way.from == cell)
    }

    /// The cells of a sector in which ways begin or end, row by row, each once.
    pub(super) fn cells_in(&self, sector: u32) -> Vec<IVec2> {
        let firsts = self.from_sector(sector).iter().map(|way| way.from);
        let mut cells: Vec<IVec2> = firsts
            .chain(self.to_sector(sector).map(|way| way.to))
            .collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        cells
    }

    /// The sectors to which the ways lead that begin in a cell, and from which those that end there.
    pub(super) fn joined_to(&self, sector: u32, cell: IVec2) -> impl Iterator<Item = u32> {
        let ends = self.from_cell(sector, cell).map(|way| way.to_sector);
        let begun = self.to_sector(sector).filter(move |way| way.to == cell);
        ends.chain(begun.map(|way| way.from_sector))
    }

    /// How far a cell is at least from all ends of ways, along both axes, in turn for each sector that has
    /// some; nothing if these are many.
    pub(super) fn away_from_ends(&self, cell: IVec2) -> impl Iterator<Item = IVec2> {
        let away = move |end: &CellRect| (end.low - cell).max(cell - end.high + 1);
        self.ends.iter().map(away)
    }
}
