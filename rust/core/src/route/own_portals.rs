//! The portals of the sectors that a build of a graph has made.

use super::sector_list::SectorList;
use super::sector_portals::SectorPortals;

/// Portals of some of the sectors of a map. An update of a graph has few, so there is no place for all of them.
#[derive(Debug, Clone)]
pub(super) struct OwnPortals {
    /// For each sector the place of its portals, counted from 1; 0 if it has none.
    places: Vec<u32>,
    portals: SectorList,
}

impl OwnPortals {
    /// Those of none of `count` sectors.
    pub(super) fn of_none(count: usize) -> Self {
        Self {
            places: vec![0; count],
            portals: SectorList::default(),
        }
    }

    /// Those of all `count` sectors, in their order.
    pub(super) fn of_all(count: usize) -> Self {
        Self {
            places: (1..=count as u32).collect(),
            portals: SectorList::empty(count),
        }
    }

    /// Makes room for the portals of so many sectors more, so that they are not moved while they are made.
    pub(super) fn reserve(&mut self, more: usize) {
        self.portals.reserve(more);
    }

    pub(super) fn has(&self, sector: usize) -> bool {
        self.places[sector] > 0
    }

    /// The portals of a sector that has some.
    pub(super) fn get(&self, sector: usize) -> &SectorPortals {
        &self.portals[self.places[sector] as usize - 1]
    }

    /// The portals of a sector, which are empty at first.
    pub(super) fn get_mut(&mut self, sector: usize) -> &mut SectorPortals {
        if !self.has(sector) {
            self.portals.push_empty();
            self.places[sector] = self.portals.len() as u32;
        }
        self.portals.get_mut(self.places[sector] as usize - 1)
    }

    /// Exchanges all portals with those of a graph, if there are portals of all sectors in their order. Exchanging
    /// 65,536 of them one by one takes milliseconds.
    pub(super) fn exchange_all(&mut self, others: &mut SectorList) -> bool {
        let is_in_order = self
            .places
            .iter()
            .zip(1..)
            .all(|(&place, own)| place == own);
        if is_in_order {
            std::mem::swap(&mut self.portals, others);
        }
        is_in_order
    }

    pub(super) fn into_portals(self) -> SectorList {
        self.portals
    }
}
