//! Building tiles within the budget of an update (Emerson, Game AI Pro, 23.15).

use super::TiledSlot;
use crate::world::build::seconds_since;
use crate::world::{FlowWorld, GoalId};
use std::sync::Arc;

/// Tiles that are built for a goal before it is another's turn.
const TURN: usize = 16;

impl FlowWorld {
    /// Builds tiles of all goals in turns, within the limits.
    pub(in crate::world) fn build_tiles(&mut self) {
        let clock = self.builder.clock;
        let begin = self.builder.now();
        let seconds = self.tiling.seconds;
        let mut is_late = || seconds_since(begin, clock) > seconds;
        let mut waiting = self.waiting_ways();
        let mut left = self.tiling.limit;
        let mut turn = 0;
        while left > 0 && !waiting.is_empty() && !is_late() {
            turn %= waiting.len();
            let (goal, movement) = waiting[turn];
            self.tiling.last = Some((goal, movement));
            let built = self.build_some(goal, movement, left.min(TURN), &mut is_late);
            if let Some(built) = built {
                left -= built.min(left);
                turn += 1;
            } else {
                waiting.remove(turn);
            }
        }
    }

    /// The goals and movement types with tiles that wait, from the one on whose turn it is.
    fn waiting_ways(&self) -> Vec<(GoalId, usize)> {
        let mut waiting = Vec::new();
        for (&id, goal) in &self.goals.by_id {
            for (movement, slot) in goal.tiled.iter().enumerate() {
                if slot.as_ref().is_some_and(TiledSlot::is_waiting) {
                    waiting.push((id, movement));
                }
            }
        }
        let first = waiting.partition_point(|&key| Some(key) <= self.tiling.last);
        waiting.rotate_left(first);
        waiting
    }

    /// Builds up to `limit` tiles for a goal, first those of its new ways; `None` when none is left.
    pub(super) fn build_some(
        &mut self,
        goal: GoalId,
        movement: usize,
        limit: usize,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> Option<usize> {
        let entry = self.goals.by_id.get_mut(&goal)?;
        let slot = entry.tiled.get_mut(movement)?.as_mut()?;
        let next = slot.next.as_mut().filter(|next| next.field.waiting() > 0);
        let ways = Arc::make_mut(next.unwrap_or(&mut slot.current));
        if ways.field.waiting() == 0 {
            return None;
        }
        let (costs, tiling) = (&self.layers[movement].costs, &mut self.tiling);
        let (solver, cache) = (&mut tiling.solver, &mut tiling.cache);
        let done = ways.field.build(costs, solver, cache, limit, should_stop);
        match done {
            Ok(progress) => {
                tiling.built += progress.built as u64;
                if progress.is_done {
                    self.builder.news.ready.push(goal);
                }
                Some(progress.built)
            }
            Err(error) => {
                // Agents go by routes.
                let all: Vec<u32> = (0..ways.field.layout().count() as u32).collect();
                drop(ways.field.deactivate(&all));
                self.builder.news.failed.push((goal, movement, error));
                None
            }
        }
    }
}

impl TiledSlot {
    fn is_waiting(&self) -> bool {
        let mut ways = self.next.iter().chain([&self.current]);
        ways.any(|ways| ways.field.waiting() > 0)
    }
}
