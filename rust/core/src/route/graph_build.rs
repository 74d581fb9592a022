//! A portal graph that is built in slices, so that no tick has to build the graph of a whole map.
//!
//! Sectors that are built are up to date with all edits that were noted: an edit makes the sectors that depend on it
//! stale again. So the finished graph is that of a build at once, and the state between two slices follows from the
//! costs and the list of stale sectors.

use super::build::{Builder, SharedEdges};
use super::graph::{PortalGraph, dirty_sectors};
use super::sector_links::SectorLinks;
use super::sector_portals::{PortalSettings, SectorPortals};
use super::sectors::Sectors;
use super::windows::MAX_WINDOW;
use crate::error::{Result, in_range};
use crate::movement::{Changes, CostField};
use crate::workers::Workers;
use glam::IVec2;
use std::sync::Arc;

/// The work of a sector, in cells of a field that is solved: its cells are read, and for each portal they are searched.
/// A search settles a cell in a quarter of the time of a field or less, because a sector fits into the cache.
const SEARCHED_FOR_ONE: usize = 4;
/// The cells of clear ground that are read in the time of one cell of a field.
const READ_FOR_ONE: usize = 16;

/// A portal graph of which some sectors are still to be built.
#[derive(Debug, Clone)]
pub struct GraphBuild {
    sectors: Sectors,
    settings: PortalSettings,
    shared: SharedEdges,
    links: SectorLinks,
    portals: Vec<SectorPortals>,
    is_stale: Vec<bool>,
    /// The number of stale sectors.
    left: usize,
    /// The sector from which on the next stale one is looked for.
    next: usize,
}

impl GraphBuild {
    /// The graph of `costs`, of which no sector is built yet.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for a setting out of range.
    pub fn new(costs: &CostField, settings: PortalSettings) -> Result<Self> {
        let size = IVec2::new(costs.width() as i32, costs.height() as i32);
        let sectors = Sectors::new(size, settings.sector_size)?;
        in_range("widest_window", settings.widest_window, 1, MAX_WINDOW)?;
        let count = sectors.count();
        Ok(Self {
            sectors,
            settings,
            shared: SharedEdges::new(settings),
            links: SectorLinks::new(&sectors, costs),
            portals: vec![SectorPortals::default(); count],
            is_stale: vec![true; count],
            left: count,
            next: 0,
        })
    }

    /// Makes the sectors stale that depend on changes of the costs.
    pub fn note(&mut self, costs: &CostField, changes: &Changes) {
        if !self.links.are_of(costs) {
            self.links = SectorLinks::new(&self.sectors, costs);
            self.note(costs, &Changes::Many);
            return;
        }
        for (sector, _) in dirty_sectors(&self.sectors, &self.links, costs, changes) {
            let is_stale = &mut self.is_stale[sector as usize];
            self.left += usize::from(!*is_stale);
            *is_stale = true;
        }
    }

    /// Builds stale sectors for a `budget` of cells, which it reduces. The last sector may exceed it. `costs` are those
    /// of the last [`Self::note`]. Returns whether no sector is stale any more.
    pub fn advance(&mut self, costs: &CostField, budget: &mut usize) -> bool {
        let (sectors, settings) = (self.sectors, self.settings);
        let mut builder = Builder::new((costs, &self.links), &sectors, settings, &self.shared);
        while self.left > 0 && *budget > 0 {
            if std::mem::take(&mut self.is_stale[self.next]) {
                let portals = builder.build(self.next as u32, None);
                *budget = budget.saturating_sub(self.work_of(&portals));
                self.portals[self.next] = portals;
                self.left -= 1;
            }
            self.next = (self.next + 1) % self.is_stale.len();
        }
        self.left == 0
    }

    /// The work of a sector that was built, in cells.
    fn work_of(&self, portals: &SectorPortals) -> usize {
        let cells = (self.settings.sector_size as usize).pow(2);
        let is_clear = portals.count() == 0 || Arc::ptr_eq(&portals.edges, self.shared.edges());
        let searched = if is_clear { 0 } else { portals.count() * cells };
        cells.div_ceil(READ_FOR_ONE) + searched / SEARCHED_FOR_ONE
    }

    /// The finished graph. No sector may be stale.
    #[must_use]
    pub fn finish(self, workers: &Workers) -> PortalGraph {
        PortalGraph::of(
            self.sectors,
            self.settings,
            self.portals,
            self.shared,
            (self.links, workers),
        )
    }

    /// The stale sectors, ascending, and the sector at which the build goes on.
    pub(crate) fn progress(&self) -> (Vec<u32>, usize) {
        let sectors = (0..self.sectors.count() as u32).zip(&self.is_stale);
        let stale = sectors.filter(|(_, is_stale)| **is_stale);
        (stale.map(|(sector, _)| sector).collect(), self.next)
    }

    /// Builds all but the `stale` sectors, to go on from [`Self::progress`] of another build on the same costs. False if
    /// there are no such sectors.
    pub(crate) fn resume(
        &mut self,
        costs: &CostField,
        (stale, next): (&[u32], usize),
        workers: &Workers,
    ) -> bool {
        let count = self.sectors.count();
        if next >= count || stale.iter().any(|&sector| sector as usize >= count) {
            return false;
        }
        self.is_stale = vec![false; count];
        for &sector in stale {
            self.is_stale[sector as usize] = true;
        }
        self.left = self.is_stale.iter().filter(|&&is_stale| is_stale).count();
        self.next = next;
        let (sectors, settings) = (&self.sectors, self.settings);
        let (links, shared, is_stale) = (&self.links, &self.shared, &self.is_stale);
        workers.for_each_chunk(&mut self.portals, 32, |first, chunk| {
            let mut builder = Builder::new((costs, links), sectors, settings, shared);
            for (sector, portals) in (first..).zip(chunk) {
                if !is_stale[sector] {
                    *portals = builder.build(sector as u32, None);
                }
            }
        });
        true
    }
}
