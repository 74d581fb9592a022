//! What A* estimates: the cost from the sector that a search is headed for.

use super::graph::PortalGraph;
use super::sectors::Sectors;
use crate::grid::CellRect;
use crate::integrate::FINEST;
use crate::movement::CostField;
use glam::IVec2;

/// How much estimates count, in percent, when patience has run out so many times. Where costs of cells
/// differ it goes on doubling, as estimates from the least cost are then too low to begin with.
const HASTE: [u64; 7] = [100, 112, 125, 150, 200, 300, 400];

/// The sector that a search is headed for, and how much its estimates count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    pub(super) sector: u32,
    /// Its first and last cell.
    low: IVec2,
    high: IVec2,
    /// The least and the greatest cost of any cell.
    pub(super) cheapest: u8,
    dearest: u8,
    /// How much estimates count, 100 if routes are to be the cheapest.
    pub(super) percent: u64,
    /// What it costs at least to get from the sector to the end of any link; [`u64::MAX`] without links.
    by_link: u64,
}

impl Aim {
    pub(super) fn new(graph: &PortalGraph, costs: &CostField, sector: u32) -> Self {
        let CellRect { low, high } = graph.sectors().rect(sector);
        let mut aim = Self {
            sector,
            low,
            high: high - IVec2::ONE,
            cheapest: costs.cheapest(),
            dearest: costs.dearest(),
            percent: 100,
            by_link: u64::MAX,
        };
        let ways = graph.links().ways().iter();
        let by_links = ways.map(|way| {
            let first = aim.cost_over(aim.away_from(way.from));
            first + u64::from(way.units(FINEST))
        });
        aim.by_link = by_links.min().unwrap_or(u64::MAX);
        aim
    }

    /// Makes estimates count as much as when patience has run out so many times.
    pub(super) fn hasten(&mut self, times: usize) {
        let last = HASTE.len() - 1;
        let doubled = times.saturating_sub(last).min(8) as u32;
        let most = HASTE[last] * u64::from(self.dearest).div_ceil(u64::from(self.cheapest));
        self.percent = (HASTE[times.min(last)] << doubled).min(most);
    }

    /// At 100 percent a cost below which nothing leads from the sector to a cell.
    #[inline]
    pub(super) fn estimate(&self, graph: &PortalGraph, cell: IVec2) -> u64 {
        let direct = self.cost_over(self.away_from(cell));
        if self.by_link == u64::MAX {
            return self.weigh(direct);
        }
        // Or over to the first link that is taken, and here from the end of the last one.
        let ends = graph.links().away_from_ends(cell);
        let last = ends.map(|away| self.cost_over(away)).min().unwrap_or(0);
        self.weigh(direct.min(self.by_link + last))
    }

    /// By how much no estimate exceeds that of an aim at another sector.
    pub(super) fn shift_to(&self, sectors: &Sectors, sector: u32) -> u64 {
        let other = sectors.rect(sector);
        let away = (self.low - other.low).max(other.high - IVec2::ONE - self.high);
        self.weigh(self.cost_over(away))
    }

    /// How far a cell is from the sector, along both axes.
    #[inline]
    fn away_from(&self, cell: IVec2) -> IVec2 {
        (self.low - cell).max(cell - self.high)
    }

    /// What a cost counts for.
    #[inline]
    fn weigh(&self, cost: u64) -> u64 {
        cost * self.percent / 100
    }

    /// What the shortest way over so many columns and rows of the cheapest cells costs.
    #[inline]
    fn cost_over(&self, away: IVec2) -> u64 {
        let away = away.max(IVec2::ZERO).as_uvec2();
        let (diagonal, longer) = (away.min_element(), away.max_element());
        let straight = u64::from(longer - diagonal) * u64::from(FINEST.straight);
        let length = straight + u64::from(diagonal) * u64::from(FINEST.diagonal);
        length * u64::from(self.cheapest)
    }
}
