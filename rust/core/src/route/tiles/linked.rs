//! Links in tiled fields. A link leads from one cell to another, in the same sector or far away.
//!
//! A link within a sector is solved with its tile. The end of any other link is to its start what a cell beyond a
//! border is to the cell along it: its cost is published with its tile, and a change queues the tile in which the link
//! starts. Once all tiles are built they agree with a whole field over cells and links. Lost values are raised across
//! links as they are across borders.

use super::build::BuildContext;
use super::field::{NO_SLOT, Slot, TiledField};
use super::solve::TileSolver;
use super::tile::Content;
use crate::integrate::UNREACHED;
use crate::route::sector_links::{SectorLink, SectorLinks};
use glam::IVec2;
use std::sync::Arc;

impl TiledField {
    /// Sets the links of the map. A field without them ignores links.
    #[must_use]
    pub fn with_links(mut self, links: Arc<SectorLinks>) -> Self {
        self.links = links;
        self
    }

    /// Returns true if these are the links of the map.
    pub(crate) fn has_links_of(&self, links: &Arc<SectorLinks>) -> bool {
        Arc::ptr_eq(&self.links, links)
    }

    /// Replaces the links. The tiles of those of `changed` sectors that have links, or had some, are rebuilt by
    /// [`Self::build`], even if they were built after the costs had changed: they were built with the links from
    /// before. All sectors in which links have been added or removed must be among `changed`.
    pub fn set_links(&mut self, links: Arc<SectorLinks>, changed: &[u32]) {
        if Arc::ptr_eq(&self.links, &links) {
            return;
        }
        self.links = links;
        let has_links = |&&sector: &&u32| {
            let published = self.slot(sector).and_then(|slot| slot.published.as_ref());
            published.is_some_and(Content::has_links) || self.links.touch(sector)
        };
        let sectors: Vec<u32> = changed.iter().filter(has_links).copied().collect();
        self.invalidate_sectors(&sectors);
    }

    /// Adds the links of a sector to the solver: their cells, and the costs by them.
    pub(super) fn start_links(&self, sector: u32, solver: &mut TileSolver) {
        if self.links.is_empty() {
            return;
        }
        let low = self.layout.low(sector);
        for cell in self.links.cells_in(sector) {
            solver.note_link_cell(cell - low);
        }
        for link in self.links.leaving_sector(sector) {
            if link.is_inner() {
                solver.add_inner_link(link.from - low, link.to - low, link.cost);
                continue;
            }
            let cost = self.cost_by_link(link, self.published_cost(link));
            if cost != UNREACHED {
                solver.start_link(link.from - low, cost);
            }
        }
    }

    /// Queues a sector for the least cost by its links to other sectors.
    pub(super) fn queue_for_links(&mut self, sector: u32, slot: u32) {
        let links = self.links.leaving_sector(sector).iter();
        let links = links.filter(|link| !link.is_inner());
        let costs = links.map(|link| self.cost_by_link(link, self.published_cost(link)));
        let least = costs.min().unwrap_or(UNREACHED);
        if least != UNREACHED {
            self.settle.push(slot, least);
        }
    }

    /// The active sectors from which links lead into a sector, with their slots.
    pub(super) fn linked_to(&self, sector: u32) -> Vec<(u32, u32)> {
        let links = self.links.entering_sector(sector);
        let mut slots: Vec<(u32, u32)> = links
            .map(|link| (link.from_sector, self.slot_of[link.from_sector as usize]))
            .filter(|&(_, slot)| slot != NO_SLOT)
            .collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// The published cost of the end of a link.
    fn published_cost(&self, link: &SectorLink) -> u32 {
        let known = self
            .slot(link.to_sector)
            .and_then(|slot| slot.link_cost(self.size(link.to_sector), self.end_in_sector(link)));
        known.unwrap_or(UNREACHED)
    }

    /// The cost of a link's first cell by the link, if its last cell costs `end`.
    fn cost_by_link(&self, link: &SectorLink, end: u32) -> u32 {
        if end == UNREACHED {
            return UNREACHED;
        }
        let cost = end.saturating_add(link.units(self.scale()));
        // The solver detects costs that exceed the number range.
        cost.min(UNREACHED - 1)
    }

    fn size(&self, sector: u32) -> IVec2 {
        let rect = self.layout.rect(sector);
        rect.high - rect.low
    }

    fn end_in_sector(&self, link: &SectorLink) -> IVec2 {
        link.to - self.layout.low(link.to_sector)
    }

    /// While raising: the ends of links from other sectors that have lost the value that `old` published, or had lost
    /// it before; and the least of the values lost now.
    pub(super) fn lost_link_ends(
        &self,
        sector: u32,
        old: &Slot,
        content: &Content,
    ) -> (Vec<IVec2>, u32) {
        let (mut lost, mut least) = (old.lost_links.clone(), UNREACHED);
        let (low, size) = (self.layout.low(sector), self.size(sector));
        for link in self.links.entering_sector(sector) {
            if link.is_inner() {
                continue;
            }
            let cell = link.to - low;
            let before = old.link_cost(size, cell).unwrap_or(UNREACHED);
            let now = content.link_cost(size, cell).unwrap_or(UNREACHED);
            if now > before && !lost.contains(&cell) {
                lost.push(cell);
                least = least.min(before);
            }
        }
        (lost, least)
    }

    /// Queues the other sectors from which links lead into that of `slot`, if a change at the ends of these links may
    /// matter to them.
    pub(super) fn propagate_over_links(
        &mut self,
        old: &Slot,
        slot: u32,
        is_raising: bool,
        context: &BuildContext<'_>,
    ) {
        let links = Arc::clone(&self.links);
        let sector = self.slots[slot as usize].sector;
        let size = self.size(sector);
        for link in links.entering_sector(sector) {
            let other = self.slot_of[link.from_sector as usize];
            if other == NO_SLOT || link.is_inner() {
                continue;
            }
            let (here, there) = (&self.slots[slot as usize], &self.slots[other as usize]);
            let cell = self.end_in_sector(link);
            let before = old.link_cost(size, cell).unwrap_or(UNREACHED);
            let now = here.link_cost(size, cell).unwrap_or(UNREACHED);
            let is_rise = now > before;
            if before == now {
                continue;
            }
            let least = self.cost_by_link(link, before.min(now));
            let first = link.from - self.layout.low(link.from_sector);
            let matters = match there.link_cost(self.size(link.from_sector), first) {
                None if there.published.is_none() => now != UNREACHED,
                // It was built before the link was created.
                None => true,
                Some(cost) => {
                    cost >= least && (cost != UNREACHED || context.costs.is_open(link.from))
                }
            };
            if !matters {
                continue;
            }
            if is_raising && is_rise && there.published.is_some() {
                self.raise.push(other, before);
            } else {
                self.settle.push(other, least);
            }
        }
    }

    /// The end of the link that agents take from a cell of the map; `None` if walking is better, and if there is no
    /// tile yet.
    ///
    /// The costs of both ends are compared as agents read them, like costs on both sides of a border. While tiles are
    /// rebuilt no agent is sent back and forth.
    #[must_use]
    pub fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        if self.links.is_empty() {
            return None;
        }
        let sector = self.layout.at(cell);
        let content = self.slot(sector)?.served.as_ref()?;
        let (low, size) = (self.layout.low(sector), self.size(sector));
        if !content.is_left_by_link(cell - low) {
            return None;
        }
        let own = content.link_cost(size, cell - low)?;
        let mut best: Option<(u32, IVec2)> = None;
        for link in self.links.leaving_cell(sector, cell) {
            let there = self.slot(link.to_sector).and_then(|to| to.served.as_ref());
            let end = self.end_in_sector(link);
            let end = there.and_then(|to| to.link_cost(self.size(link.to_sector), end));
            let Some(end) = end.filter(|&end| end < own) else {
                continue;
            };
            // Of several equal links the first.
            let cost = self.cost_by_link(link, end);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, link.to));
            }
        }
        best.map(|(_, end)| end)
    }
}

impl Slot {
    /// The cost that other sectors may use for a cell in which links start or end; `None` if nothing is published, or
    /// if it was published before there was such a link.
    pub(super) fn link_cost(&self, size: IVec2, cell: IVec2) -> Option<u32> {
        if self.lost_links.contains(&cell) {
            return Some(UNREACHED);
        }
        self.published.as_ref()?.link_cost(size, cell)
    }
}
