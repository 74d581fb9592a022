//! Goals that move: the old ways are followed until the new ones have tiles where agents stand (Emerson,
//! Game AI Pro, 23.8).
//!
//! New ways are never given up for newer ones before they have been followed, or nobody would ever get
//! anywhere near a goal that moves in every tick. They are followed early where somebody has no way to
//! where they lead, but one to where the goal has gone since.

use super::{Aim, TiledSlot, Ways};
use crate::world::{FlowWorld, GoalId};
use glam::IVec2;
use std::sync::Arc;

impl FlowWorld {
    /// Lets agents follow new ways to a goal that are ready, and begins with new ways where they are wanted.
    pub(super) fn follow_moved_goal(&mut self, id: GoalId) {
        self.tiling.checked += 1;
        self.follow_early(id);
        let Some(goal) = self.goals.by_id.get_mut(&id) else {
            return;
        };
        let wanted = Aim {
            goal: goal.revision,
            solver: self.solver,
        };
        let mut stale = Vec::new();
        for (movement, slot) in goal.tiled.iter_mut().enumerate() {
            let Some(slot) = slot else { continue };
            slot.swap_if_ready();
            if slot.next.is_none() && slot.current.aim != wanted {
                stale.push(movement);
            }
        }
        for movement in stale {
            let Ok(ways) = self.new_ways(id, movement) else {
                continue;
            };
            let goal = self.goals.by_id.get_mut(&id);
            let slot = goal.and_then(|goal| goal.tiled.get_mut(movement)?.as_mut());
            if let Some(slot) = slot {
                slot.next = Some(Arc::new(ways));
                slot.swap_if_ready();
            }
        }
    }

    /// Lets agents follow new ways at once that lead to where the goal is no longer, and leave somebody without
    /// a way who has one now.
    fn follow_early(&mut self, id: GoalId) {
        let Some(goal) = self.goals.by_id.get_mut(&id) else {
            return;
        };
        for (slot, layer) in goal.tiled.iter_mut().zip(&mut self.layers) {
            let Some(TiledSlot {
                current,
                next: next @ Some(_),
                ..
            }) = slot
            else {
                continue;
            };
            let refused = |ways: &Arc<Ways>| {
                let is_old = ways.aim.goal != goal.revision;
                is_old && !ways.refused.is_empty()
            };
            if let Some(ways) = next.take_if(|ways| {
                if !refused(ways) {
                    return false;
                }
                layer.fresh_islands();
                let targets = goal.targets.iter().map(|&at| self.grid.cell_at(at));
                let targets: Vec<IVec2> = targets.collect();
                let mut cells = ways.refused.iter();
                cells.any(|&(y, x)| layer.leads_to_any(IVec2::new(x, y), &targets))
            }) {
                *current = ways;
            }
        }
    }
}

impl TiledSlot {
    /// Follows the new ways if they have tiles wherever agents stand on tiles of the old ones.
    fn swap_if_ready(&mut self) {
        let Some(next) = &self.next else { return };
        let is_no_worse = |&sector: &u32| next.is_built(sector) || !self.current.is_built(sector);
        let is_complete = next.was_asked && next.waiting() == 0;
        if is_complete || self.stood.iter().all(is_no_worse) {
            self.current = Arc::clone(next);
            self.next = None;
        }
    }
}
