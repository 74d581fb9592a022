//! Goals that have been moved: agents follow the current state until the pending one has tiles where agents stand
//! (Emerson, Game AI Pro, 23.8).
//!
//! A pending state is never replaced by a newer one before it has been followed, as agents would otherwise never get
//! near a goal that moves in every tick. It is adopted early if an agent that it strands can reach the goal's current
//! position. Of very many goals that move at once an update begins new states for some, in turns and within the budget
//! of routes.

use crate::world::FlowWorld;
use crate::world::goal_id::GoalId;
use crate::world::goal_mode::GoalMode;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::goal_version::GoalVersion;
use crate::world::tiled::scheduler::RequestPriority;
use crate::world::tiled::syncing::MOST_CHECKED;
use crate::world::tiled::tiling::TiledSlot;
use glam::IVec2;
use std::sync::Arc;

impl FlowWorld {
    /// Records that a goal has been moved.
    pub(in crate::world) fn note_moved(&mut self, id: GoalId) {
        if self.goal_mode(id) == Ok(GoalMode::Tiled) {
            self.tiling.scheduler.moved.insert(id);
        }
    }

    /// Records that the solver has changed, which concerns all goals.
    pub(in crate::world) fn note_all_moved(&mut self) {
        let goals: Vec<GoalId> = self.goals.by_id.keys().copied().collect();
        for goal in goals {
            self.note_moved(goal);
        }
    }

    /// Adopts pending states that are ready, and begins new states for goals that have been moved, in turns.
    pub(super) fn update_moved_goals(&mut self) {
        let before = self.tiling.scheduler.moved.last;
        let mut last = before;
        for _ in 0..self.tiling.scheduler.moved.len().min(MOST_CHECKED) {
            let Some(goal) = self.tiling.scheduler.moved.after(last) else {
                break;
            };
            last = Some(goal);
            self.update_moved_goal(goal, RequestPriority::Mover);
        }
        // Otherwise the next turn is that of the goal after the last one whose state was begun.
        if self.tiling.scheduler.moved.last == before {
            self.tiling.scheduler.moved.last = last;
        }
    }

    /// Adopts pending states of a goal that are ready, and begins new states where they are needed, if the budget
    /// allows it for this `priority`.
    pub(super) fn update_moved_goal(&mut self, id: GoalId, priority: RequestPriority) {
        self.tiling.checked += 1;
        if !self.tiling.scheduler.moved.contains(id) {
            return;
        }
        self.adopt_early(id);
        let Some(goal) = self.goals.by_id.get_mut(&id) else {
            self.tiling.scheduler.moved.remove(id);
            return;
        };
        let wanted = GoalVersion {
            goal: goal.revision,
            solver: self.solver,
        };
        goal.tiled
            .iter_mut()
            .flatten()
            .for_each(TiledSlot::adopt_if_ready);
        self.update_near_fields(id);
        let tick = self.walking.tick();
        let slots = self.goals.by_id.get(&id).into_iter();
        let slots = slots.flat_map(|goal| goal.tiled.iter().enumerate());
        let stale = slots.filter(|(_, slot)| {
            let slot = slot.as_ref();
            slot.is_some_and(|slot| slot.is_stale(wanted, tick))
        });
        let stale: Vec<usize> = stale.map(|(movement, _)| movement).collect();
        for movement in stale {
            if self.tiling.scheduler.may_search(priority) {
                self.tiling.scheduler.moved.last = Some(id);
                self.begin_next_state(id, movement);
            }
        }
        // A state that has become current may lead to another position.
        self.update_near_fields(id);
        let goal = self.goals.by_id.get(&id);
        let mut slots = goal
            .into_iter()
            .flat_map(|goal| goal.tiled.iter().flatten());
        let is_there = |slot: &TiledSlot| slot.pending.is_none() && slot.current.made_for == wanted;
        if slots.all(|slot| is_there(slot) && !slot.pursuit.walks()) {
            self.tiling.scheduler.moved.remove(id);
        }
    }

    /// Returns true if a new state is needed for a goal and movement type: the current one leads to a former position,
    /// and none is pending.
    pub(super) fn is_stale(&self, id: GoalId, movement: usize) -> bool {
        let slot = self.tiled_slot(id, movement);
        let tick = self.walking.tick();
        slot.is_some_and(|slot| {
            self.wanted_version(id)
                .is_ok_and(|made_for| slot.is_stale(made_for, tick))
        })
    }

    /// Begins a pending state for the goal's current position.
    pub(super) fn begin_next_state(&mut self, id: GoalId, movement: usize) {
        self.sync_slot(id, movement);
        let Ok(mut state) = self.new_state(id, movement) else {
            return;
        };
        if let Some(slot) = self.goals.slot_mut((id, movement)) {
            state.is_narrow = slot.pursuit.walks();
            slot.pursuit.begin();
            slot.pending = Some(Arc::new(state));
            slot.adopt_if_ready();
        }
    }

    /// Adopts outdated pending routes early if an agent that they strand can reach the goal's current position.
    fn adopt_early(&mut self, id: GoalId) {
        let Some(goal) = self.goals.by_id.get_mut(&id) else {
            return;
        };
        for (slot, layer) in goal.tiled.iter_mut().zip(&mut self.layers) {
            let Some(TiledSlot {
                current,
                pending: pending @ Some(_),
                ..
            }) = slot
            else {
                continue;
            };
            let refused = |state: &Arc<TiledGoalState>| {
                let is_old = state.made_for.goal != goal.revision;
                is_old && !state.refused.is_empty()
            };
            if let Some(state) = pending.take_if(|state| {
                if !refused(state) {
                    return false;
                }
                layer.fresh_islands();
                let targets = goal.targets.iter().map(|&at| self.grid.cell_at(at));
                let targets: Vec<IVec2> = targets.collect();
                let mut cells = state.refused.iter();
                cells.any(|&(y, x)| layer.leads_to_any(IVec2::new(x, y), &targets))
            }) {
                *current = state;
            }
        }
    }
}

impl TiledSlot {
    /// Returns true if a new state is to be begun.
    fn is_stale(&self, wanted: GoalVersion, tick: u64) -> bool {
        let may_wait = self.pursuit.may_wait(tick) && self.current.made_for.solver == wanted.solver;
        self.pending.is_none() && self.current.made_for != wanted && !may_wait
    }

    /// Adopts the pending state if it has tiles in all sectors in which agents stand on tiles of the current one.
    fn adopt_if_ready(&mut self) {
        let Some(pending) = &self.pending else { return };
        let is_no_worse =
            |&sector: &u32| pending.is_built(sector) || !self.current.is_built(sector);
        // Routes to a goal that walks are requested in each tick, so such a state is never complete.
        let is_complete = pending.was_requested && pending.waiting() == 0 && !self.pursuit.walks();
        if is_complete || self.stood.iter().all(is_no_worse) {
            let old = std::mem::replace(&mut self.current, Arc::clone(pending));
            self.pending = None;
            self.pursuit.retire(old);
        }
    }
}
