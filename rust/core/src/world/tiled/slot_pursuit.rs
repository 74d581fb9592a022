//! The states of a slot whose goal walks.

use crate::grid::floor_to_cell;
use crate::route::PortalGraph;
use crate::route::tiles::TILE_RULE;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::tiled::goal_state::{RouteNeed, TiledGoalState};
use crate::world::tiled::pursuit::{Pursuit, Stage};
use crate::world::tiled::tiling::TiledSlot;
use crate::world::version::Version;
use crate::world::walking::build_context::{Ages, BuildContext};
use crate::world::walking::near::FarVersions;
use crate::world::walking::parts::{Part, Parts};
use glam::IVec2;
use std::sync::Arc;

impl TiledSlot {
    /// Goes on with the work on unfinished fields of the slot that was there before a rollback to this copy.
    pub(in crate::world) fn recognize(&mut self, known: &mut Self, scratch: &Scratch) {
        let walk = &mut self.pursuit.walk;
        walk.recognize(&mut known.pursuit.walk, scratch);
    }

    /// The versions of the states to whose targets near fields lead on.
    pub(super) fn versions(&self) -> FarVersions {
        let version = |state: &Arc<TiledGoalState>| Version {
            costs: 0,
            goal: state.made_for.goal,
            solver: state.made_for.solver,
            rule: TILE_RULE,
        };
        let pending = self.pending.as_ref().map(version);
        [Some(version(&self.current)), pending]
    }

    /// Updates near fields for the goal's current position. Returns true if one was solved or removed.
    pub(super) fn update_near_fields(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
    ) -> bool {
        let versions = self.versions();
        let Self {
            current,
            pending,
            pursuit,
            ..
        } = self;
        let goals = || {
            let states = [&*current].into_iter().chain(&*pending);
            let targets = states.flat_map(|state| &state.targets);
            let cells = targets.map(|&target| floor_to_cell(target));
            cells.filter(|&cell| context.is_open(cell)).collect()
        };
        pursuit.update_near_fields(context, destination, (versions, goals))
    }

    /// Whether the goal has left the cells to which the current state leads.
    pub(super) fn is_away(&self, destination: &Destination) -> bool {
        let led_to = self
            .current
            .targets
            .iter()
            .map(|&target| floor_to_cell(target));
        led_to.ne(destination.cells.iter().map(|goal| goal.cell))
    }

    /// Distributes the work until the next update, for a goal that has walked `walked` cells since the last one.
    pub(super) fn distribute_work(&mut self, graph: &PortalGraph, walked: f32) {
        let pending = self.pending.as_mut();
        self.pursuit
            .distribute_work(graph, pending, self.stood.len(), walked);
    }

    /// The state whose tiles are built next, and how many of at most `limit` tiles: the pending state while any of its
    /// tiles waits. If the goal walks, some tiles of the current state come first, as agents follow it, and each state
    /// has its share.
    pub(super) fn waiting_state(&mut self, limit: usize) -> (&mut TiledGoalState, usize) {
        let pending = self
            .pending
            .as_mut()
            .filter(|pending| pending.field.waiting() > 0);
        if !self.pursuit.walks() {
            return (Arc::make_mut(pending.unwrap_or(&mut self.current)), limit);
        }
        let shares = &mut self.pursuit.shares;
        let is_current_first = self.current.field.waiting() > 0 && shares.current > 0;
        let (state, share) = match pending.filter(|_| !is_current_first) {
            Some(pending) => (pending, &mut shares.pending),
            None => (&mut self.current, &mut shares.current),
        };
        let limit = limit.min(*share);
        *share -= limit;
        (Arc::make_mut(state), limit)
    }

    /// Returns true if tiles of either state wait and may be built.
    pub(super) fn is_waiting(&self) -> bool {
        let is_free = !self.pursuit.walks();
        let shares = &self.pursuit.shares;
        let pending = self.pending.as_ref();
        pending
            .is_some_and(|pending| (is_free || shares.pending > 0) && pending.field.waiting() > 0)
            || (is_free || shares.current > 0) && self.current.field.waiting() > 0
    }

    /// What an agent in a cell of the map needs. If the goal walks, middle fields and the current state lead on until
    /// other routes have been found.
    pub(super) fn route_need(&self, graph: &PortalGraph, cell: IVec2) -> RouteNeed {
        let pursuit = &self.pursuit;
        if pursuit.parts.kind_at(cell) == Part::Near {
            return RouteNeed::NoTile;
        }
        let need_of = |state: &Arc<TiledGoalState>, is_current_state: bool| match state
            .route_need(graph, cell)
        {
            route_need if !pursuit.can_wait(cell, is_current_state) => route_need,
            _ if !is_current_state && pursuit.progress.stage == Stage::Search => RouteNeed::NoRoute,
            route_need => route_need.min(RouteNeed::Renewal),
        };
        let current = need_of(&self.current, true);
        let pending = self.pending.as_ref().map(|pending| need_of(pending, false));
        pending.map_or(current, |pending| pending.max(current))
    }

    /// The fields that lead to the goal, and their ages at a tick.
    pub(in crate::world) fn parts_with_ages(
        &self,
        destination: &Destination,
        tick: u64,
    ) -> (Parts, Ages) {
        let is_there = *self.current.targets == *destination.targets;
        let age = (tick - self.current.begun_at).max(1);
        let far = if is_there { 0 } else { age };
        let pursuit = &self.pursuit;
        (pursuit.parts.clone(), Ages { tick, far })
    }

    /// The near fields, if they are up to date.
    pub(super) fn near_fields(
        &self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
    ) -> Option<&Parts> {
        let Pursuit { parts, walk, .. } = &self.pursuit;
        walk.is_up_to_date(context, destination, self.versions())
            .then_some(parts)
    }
}
