//! Changes of the ground and of the active sectors (Emerson, Game AI Pro, 23.8).
//!
//! Lower costs spread as in building. Higher costs must not: two tiles behind a door that was shut would keep depending
//! on each other and count up to infinity. Tiles that may depend on what has changed are therefore *raised* first: each
//! is solved from what is published around it, and a cell whose value comes out higher loses its value, which is
//! published. Cells depend on cells of lower cost only, so the values that are left when no more are lost depend on
//! goals. (It is the order of DynamicSWSF-FP, Ramalingam and Reps, Journal of Algorithms 21, 1996, with tiles for
//! cells.) Then all missing values are built.
//!
//! A tile whose values along the border do not change ends the propagation: tiles behind it are not touched. Agents
//! follow the old tiles until the new ones are built.

use super::field::TiledField;
use crate::grid::CellRect;
use crate::integrate::UNREACHED;
use crate::movement::{Changes, CostField};
use glam::IVec2;

/// The distance, in cells, from which the ground around a tile affects it.
const REACH: i32 = 2;

impl TiledField {
    /// Reports the cells of `costs` that have changed. The tiles that depend on them are rebuilt by [`Self::build`].
    ///
    /// Linear in the changed cells.
    pub fn invalidate(&mut self, costs: &CostField, changes: &Changes) {
        let mut sectors: Vec<u32> = match changes {
            Changes::Cells(cells) => self.affected_by(costs, cells),
            Changes::Regions(regions) => self.active_in(regions),
        };
        sectors.sort_unstable();
        sectors.dedup();
        self.invalidate_sectors(&sectors);
    }

    /// Queues the tiles of those sectors that are active, and all that depend on them.
    pub(super) fn invalidate_sectors(&mut self, sectors: &[u32]) {
        self.begin_raising();
        for &sector in sectors {
            let slot = self.slot_of[sector as usize];
            if slot != super::field::NO_SLOT {
                self.changed(sector, slot);
            }
        }
    }

    /// The active sectors that changes in regions affect, in no order and some more than once.
    fn active_in(&self, regions: &[CellRect]) -> Vec<u32> {
        // Few sectors may be active in large regions, or small regions be many.
        let around = regions.iter().map(|region| region.grown(REACH));
        if self.slots.len() * regions.len() > self.layout.count() {
            let touched = around.flat_map(|rect| self.layout.touched_by(rect));
            return touched.collect();
        }
        let active = self.slots.iter().map(|slot| slot.sector);
        let is_near = |sector: &u32| {
            let rect = self.layout.rect(*sector);
            let mut around = around.clone();
            around.any(|region| !region.intersection(&rect).is_empty())
        };
        active.filter(is_near).collect()
    }

    /// The sectors that changed cells affect, in no order and some more than once.
    fn affected_by(&self, costs: &CostField, cells: &[u32]) -> Vec<u32> {
        let mut affected = Vec::new();
        // The cells of a row that affect the same sectors as the cell before.
        let mut known: Option<CellRect> = None;
        for &index in cells {
            let cell = costs.cell(index as usize);
            if known.is_some_and(|known| known.contains(cell)) {
                continue;
            }
            affected.extend(self.layout.touched_by(CellRect::cell(cell).grown(REACH)));
            let own = self.layout.rect(self.layout.at(cell));
            let row = CellRect {
                low: IVec2::new(own.low.x + REACH, cell.y),
                high: IVec2::new(own.high.x - REACH, cell.y + 1),
            };
            known = Some(row).filter(|row| row.contains(cell));
        }
        affected
    }

    /// Queues a new sector and its neighbours, which had a wall there.
    pub(super) fn activated(&mut self, sector: u32, slot: u32) {
        self.queue_goals(sector, slot);
        self.queue_for_links(sector, slot);
        for step in 0..8 {
            if let Some(other) = self.slot_beside(sector, step) {
                let there = &self.slots[other as usize];
                let (neighbour, least) =
                    (there.sector, there.published.as_ref().map(|it| it.least()));
                self.changed(neighbour, other);
                if let Some(least) = least {
                    self.settle.push(slot, least.min(UNREACHED - 1));
                }
            }
        }
    }

    /// Queues the neighbours of a removed sector, which have a wall there now.
    pub(super) fn deactivated(&mut self, sector: u32) {
        for at in self.goals_in(sector) {
            self.goals[at].is_settled = false;
        }
        for step in 0..8 {
            if let Some(other) = self.slot_beside(sector, step) {
                self.changed(self.slots[other as usize].sector, other);
            }
        }
        for (other, slot) in self.linked_to(sector) {
            self.changed(other, slot);
        }
    }

    /// Queues an active sector whose ground, or the ground around it, has changed.
    fn changed(&mut self, sector: u32, slot: u32) {
        match &self.slots[slot as usize].published {
            Some(content) => {
                let least = content.least().min(UNREACHED - 1);
                self.raise.push(slot, least);
            }
            None => {
                self.queue_goals(sector, slot);
                self.queue_for_links(sector, slot);
            }
        }
    }

    /// Moves the tiles that wait to be solved to those that are raised: their values may no longer depend on a goal.
    pub(super) fn begin_raising(&mut self) {
        if self.settle.is_empty() {
            return;
        }
        for slot in 0..self.slots.len() as u32 {
            if let Some(key) = self.settle.key(slot)
                && self.slots[slot as usize].published.is_some()
            {
                self.settle.remove(slot);
                self.raise.push(slot, key);
            }
        }
    }
}
