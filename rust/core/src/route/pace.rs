//! The average cost of a step in a cluster of sectors, for the level above the portal graph.

use super::sector_portals::{NO_EDGE, SectorPortals};
use super::sectors::Sectors;
use crate::integrate::FINEST;

const STRAIGHT: u64 = FINEST.straight as u64;

/// The cost of a straight step in some sectors: in each sector the mean of two ratios of cost to distance, that of the
/// cheapest path between two portals and that of all such paths. Routes prefer cheap paths but cannot choose freely.
#[derive(Default)]
pub(super) struct Pace {
    sum: u64,
    sectors: u64,
}

impl Pace {
    /// Adds a sector.
    pub(super) fn add(&mut self, sectors: &Sectors, sector: u32, own: &SectorPortals) {
        let rect = sectors.rect(sector);
        let extent = rect.high - rect.low;
        let middle = |slot: usize| {
            let side = own.side_of(slot as u16);
            own.portals[slot].middle_in(side, extent)
        };
        let (mut costs, mut distances, mut least) = (0, 0, u64::MAX);
        for to in 1..own.portals.len() {
            let at = middle(to);
            for (from, &cost) in own.costs_to(to as u16)[..to].iter().enumerate() {
                let distance = FINEST.octile(at - middle(from));
                if cost != NO_EDGE && distance > 0 {
                    costs += u64::from(cost);
                    distances += distance;
                    least = least.min(u64::from(cost) * STRAIGHT / distance);
                }
            }
        }
        if let Some(mean) = (costs * STRAIGHT).checked_div(distances) {
            self.sum += least.midpoint(mean);
            self.sectors += 1;
        }
    }

    /// The mean of the sectors that were added, in stored units.
    pub(super) fn mean(&self) -> u32 {
        if self.sectors == 0 {
            return FINEST.straight;
        }
        (self.sum / self.sectors) as u32
    }
}
