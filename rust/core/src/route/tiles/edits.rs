//! Changes of the ground, and of which sectors are active (Emerson, Game AI Pro, 23.8).
//!
//! What has become cheaper spreads as in building. What has become dearer must not:
//! two tiles behind a door that was shut would go on relying on each other, and
//! count their way up to infinity. So tiles that may rely on what has changed are
//! first *raised*: solved from what is published around them, and a cell whose
//! value comes out higher gives it up, which is published. Cells can only rely on
//! cells of lower cost, so what is left when no more has to be given up rests on
//! goals. (It is the order of DynamicSWSF-FP, Ramalingam and Reps, Journal of
//! Algorithms 21, 1996, with tiles for cells.) Then all that is missing is built.
//!
//! A tile whose values along the border stay what they were ends the matter: what
//! lies behind it is not touched. Agents follow the old tiles until the new ones
//! are there.

use super::field::TiledField;
use crate::grid::CellRect;
use crate::integrate::UNREACHED;
use crate::movement::{Changes, CostField};

/// How many cells around a tile it depends on.
const REACH: i32 = 2;

impl TiledField {
    /// Tells the field which cells of `costs` have changed. The tiles that depend on them will be built anew
    /// by [`Self::build`].
    ///
    /// Linear in the changed cells.
    pub fn invalidate(&mut self, costs: &CostField, changes: &Changes) {
        let mut sectors: Vec<u32> = match changes {
            Changes::Many => (0..self.layout.count() as u32).collect(),
            Changes::Cells(cells) => cells
                .iter()
                .flat_map(|&index| {
                    let cell = costs.cell(index as usize);
                    self.layout.touched_by(CellRect::cell(cell).grown(REACH))
                })
                .collect(),
        };
        sectors.sort_unstable();
        sectors.dedup();
        self.begin_raising();
        for sector in sectors {
            let slot = self.slot_of[sector as usize];
            if slot != super::field::NO_SLOT {
                self.changed(sector, slot);
            }
        }
    }

    /// A new sector: its neighbours have no wall there any more.
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

    /// A sector less: its neighbours have a wall there now.
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

    /// Lets an active sector wait whose ground, or the ground around it, has changed.
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

    /// While tiles wait, their values may rest on nothing: they have to be raised with the others.
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
