//! Propagation: which tiles are queued when a neighbouring tile has changed.

use super::border;
use super::build::BuildContext;
use super::field::{Slot, TiledField};
use super::tile::Content;
use crate::integrate::{Solver, UNREACHED};

impl TiledField {
    /// Queues the sector `other`, which lies in the direction `step` from that of `slot`, if what has changed along the
    /// border may change its tile.
    pub(super) fn propagate(
        &mut self,
        old: &Slot,
        slot: u32,
        step: usize,
        other: u32,
        is_raising: bool,
        context: &mut BuildContext<'_>,
    ) {
        let (here, there) = (&self.slots[slot as usize], &self.slots[other as usize]);
        let rect = self.layout.rect(here.sector);
        let other_rect = self.layout.rect(there.sector);
        let (size, other_size) = (rect.high - rect.low, other_rect.high - other_rect.low);
        if let (None, Some(Content::Clear(one)), Some(Content::Clear(two))) =
            (&old.published, &here.published, &there.published)
            && there.is_whole()
            && one.moved(other_rect.low - rect.low) == Some(*two)
        {
            // Both tiles see the same root, so neither can improve the other.
            return;
        }
        let (mut raise, mut settle) = (UNREACHED, UNREACHED);
        let back = (step + 4) % 8;
        let (side, cells) = border::strip(size, step);
        let (other_side, other_cells) = border::strip(other_size, back);
        for at in cells {
            let (before, now) = (
                old.candidate(size, side, at),
                here.candidate(size, side, at),
            );
            if before == now {
                continue;
            }
            let is_rise = now.cost >= before.cost;
            let least = before.cost.min(now.cost).saturating_add(context.least_step);
            let matters = if there.published.is_none() {
                now.cost != UNREACHED
            } else {
                let near = if step & 1 == 0 {
                    (at - 1).max(other_cells.start)..(at + 2).min(other_cells.end)
                } else {
                    other_cells.clone()
                };
                near.into_iter().any(|at| {
                    let cost = there.candidate(other_size, other_side, at).cost;
                    let cell = other_rect.low + border::cell(other_size, other_side, at);
                    cost >= least && (cost != UNREACHED || context.costs.is_open(cell))
                })
            };
            if !matters {
                continue;
            }
            if is_raising && is_rise && there.published.is_some() {
                raise = raise.min(before.cost);
            } else {
                settle = settle.min(least);
            }
        }
        if raise != UNREACHED {
            self.raise.push(other, raise);
        }
        if settle != UNREACHED && (is_raising || self.changes_tile(old, slot, other, context)) {
            self.settle.push(other, settle);
        }
    }

    /// Returns true if the difference between `slot` and `old` may change the solution of the tile beside it. Checking
    /// the values along the border is much less work than solving a tile without need.
    fn changes_tile(
        &self,
        old: &Slot,
        slot: u32,
        other: u32,
        context: &mut BuildContext<'_>,
    ) -> bool {
        let there = &self.slots[other as usize];
        let Some(published) = &there.published else {
            return true;
        };
        // A tile that waits has not been solved with all changes.
        let waits = self.settle.key(other).is_some() || self.raise.key(other).is_some();
        if waits || !there.is_whole() || self.solver != Solver::Eikonal {
            return true;
        }
        // A tile whose cells have come to see one root becomes a clear one, which stores no cells.
        let may_clear = !matches!(published, Content::Clear(_));
        if may_clear && self.sight(there.sector, context.costs).is_some() {
            return true;
        }
        let rect = self.layout.rect(there.sector);
        let size = rect.high - rect.low;
        let solver = &mut *context.solver;
        solver.begin(context.costs, rect, self.closed_beside(there.sector));
        solver.begin_changes();
        for side in [0, 2, 4, 6] {
            for at in 0..border::length(size, side) {
                let candidate = published.candidate(size, side, at);
                solver.record(border::cell(size, side, at), candidate, candidate);
            }
        }
        for step in 0..8 {
            let Some(beside) = self.slot_beside(there.sector, step) else {
                continue;
            };
            let around = &self.slots[beside as usize];
            let before = if beside == slot { old } else { around };
            let place = self.layout.rect(around.sector);
            let size = place.high - place.low;
            let (side, cells) = border::strip(size, (step + 4) % 8);
            for at in cells {
                let cell = place.low + border::cell(size, side, at) - rect.low;
                let (before, now) = (
                    before.candidate(size, side, at),
                    around.candidate(size, side, at),
                );
                solver.record(cell, before, now);
            }
        }
        solver.changes_solution(self.scale())
    }
}
