//! What A* estimates: the cost from the sector that a search is headed for.

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
}

impl Aim {
    pub(super) fn new(sectors: &Sectors, costs: &CostField, sector: u32) -> Self {
        let CellRect { low, high } = sectors.rect(sector);
        Self {
            sector,
            low,
            high: high - IVec2::ONE,
            cheapest: costs.cheapest(),
            dearest: costs.dearest(),
            percent: 100,
        }
    }

    /// Makes estimates count as much as when patience has run out so many times.
    pub(super) fn hasten(&mut self, times: usize) {
        let last = HASTE.len() - 1;
        let doubled = times.saturating_sub(last).min(8) as u32;
        let most = HASTE[last] * u64::from(self.dearest).div_ceil(u64::from(self.cheapest));
        self.percent = (HASTE[times.min(last)] << doubled).min(most);
    }

    /// How much estimates from the level above count. Where costs differ routes choose the cheap ground, and
    /// estimates from what walking costs on average are higher to begin with.
    pub(super) fn trust(&self) -> u64 {
        if self.cheapest == self.dearest {
            115
        } else {
            105
        }
    }

    /// Makes such estimates count for more, as patience has run out again.
    pub(super) fn hasten_more(&mut self) {
        self.percent = (self.percent * 5 / 4).min(400);
    }

    /// At 100 percent a cost below which nothing leads from the sector to a cell.
    #[inline]
    pub(super) fn estimate(&self, cell: IVec2) -> u64 {
        self.cost_over((self.low - cell).max(cell - self.high))
    }

    /// By how much no estimate exceeds that of an aim at another sector.
    pub(super) fn shift_to(&self, sectors: &Sectors, sector: u32) -> u64 {
        let other = sectors.rect(sector);
        self.cost_over((self.low - other.low).max(other.high - IVec2::ONE - self.high))
    }

    /// What counts for the shortest way over so many columns and rows of the cheapest cells.
    #[inline]
    fn cost_over(&self, away: IVec2) -> u64 {
        let away = away.max(IVec2::ZERO).as_uvec2();
        let (diagonal, longer) = (away.min_element(), away.max_element());
        let straight = u64::from(longer - diagonal) * u64::from(FINEST.straight);
        let length = straight + u64::from(diagonal) * u64::from(FINEST.diagonal);
        length * u64::from(self.cheapest) * self.percent / 100
    }
}
