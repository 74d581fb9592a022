//! Asking for routes to tiled goals (Emerson, Game AI Pro, 23.5).

use super::ways::Lack;
use super::{TileVariant, TiledRoute, Ways};
use crate::error::Result;
use crate::route::RouteStart;
use crate::world::{FlowWorld, GoalId, GoalMode};
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// For how many goals and movement types forgotten routes are found anew in a step. One edit may have
/// forgotten those of hundreds, and tiles lead on meanwhile.
const RENEWALS: usize = 16;

impl FlowWorld {
    /// Asks for a route from a position: its sectors become active, and updates build their tiles. For
    /// goals with whole fields it is [`Self::require`]. Whether there is a route.
    ///
    /// The first request for a movement type makes its portal graph. Later ones cost a search over the
    /// portals that no earlier search has reached, and a look-up where routes are known.
    ///
    /// # Errors
    /// An unknown goal or movement type, or a position that is not finite and in the grid.
    pub fn request_route(&mut self, goal: GoalId, movement: usize, position: Vec2) -> Result<bool> {
        let cell = self.grid.check_position("position", position)?;
        self.require(goal, movement)?;
        if self.goal_mode(goal)? == GoalMode::Full {
            let field = self.field(goal, movement);
            return Ok(field.is_some_and(|field| field.integration.cost_at(cell).is_some()));
        }
        Ok(self.ask(goal, movement, cell)?.is_some())
    }

    /// The route from a cell of the grid to a tiled goal that has been required, if there is one.
    pub(in crate::world) fn ask(
        &mut self,
        goal: GoalId,
        movement: usize,
        cell: IVec2,
    ) -> Result<Option<RouteStart>> {
        let start = self.ask_for_all(goal, movement, &[cell])?;
        Ok(start)
    }

    /// Asks for routes from all `cells` that have none yet, and returns that of the last one.
    pub(crate) fn ask_for_all(
        &mut self,
        goal: GoalId,
        movement: usize,
        cells: &[IVec2],
    ) -> Result<Option<RouteStart>> {
        let size = self.grid.size();
        let layer = &mut self.layers[movement];
        let starts: Vec<Option<IVec2>> = cells
            .iter()
            .map(|&cell| layer.place_of_start(cell, size))
            .collect();
        let Some(Some(graph)) = self.tiling.graphs.get(movement) else {
            return Ok(None);
        };
        let graph = &graph.graph;
        let slot = self.goals.get_mut(goal)?.tiled.get_mut(movement);
        let Some(Some(slot)) = slot else {
            return Ok(None);
        };
        let mut found = None;
        let followed = [(&mut slot.current, true)].into_iter();
        for (ways, is_followed) in followed.chain(slot.next.iter_mut().map(|next| (next, false))) {
            let ways: &mut Ways = Arc::make_mut(ways);
            found = None;
            for (number, &start) in starts.iter().enumerate() {
                let Some(start) = start else { continue };
                let is_last = number + 1 == starts.len();
                if is_last || ways.lacks_route(graph, start) {
                    self.tiling.asked += 1;
                    let search = &mut self.tiling.search;
                    let route = ways.ask(graph, &layer.costs, start, search)?;
                    found = route.filter(|_| is_last);
                }
                if is_followed || ways.plain.is_some() {
                    ways.want_first_tiles(graph, start);
                }
            }
            ways.activate()?;
        }
        Ok(found)
    }

    /// Whether somebody in a cell of the grid must ask for a route to a goal: never where it has a whole
    /// field.
    pub(crate) fn lack_of_route(&self, goal: GoalId, movement: usize, cell: IVec2) -> Lack {
        let lacks = || {
            let slot = self.goals.by_id.get(&goal)?.tiled.get(movement)?.as_ref()?;
            let graph = &self.tiling.graphs.get(movement)?.as_ref()?.graph;
            let ways = slot.next.iter().chain([&slot.current]);
            ways.map(|ways| ways.lack(graph, cell)).max()
        };
        lacks().unwrap_or(Lack::Nothing)
    }

    /// Those of `pairs`, ascending goals and movement types, whose forgotten routes are to be found anew in
    /// this step: so many at most, and each in its turn.
    pub(crate) fn renewals(&mut self, pairs: &[(GoalId, usize)]) -> Vec<(GoalId, usize)> {
        let first = pairs.partition_point(|&pair| Some(pair) <= self.tiling.renewed);
        let turns = pairs[first..].iter().chain(&pairs[..first]);
        let chosen: Vec<_> = turns.take(RENEWALS).copied().collect();
        self.tiling.renewed = chosen.last().copied().or(self.tiling.renewed);
        chosen
    }

    /// Tells in which sectors somebody stands who follows a tiled goal.
    pub(crate) fn note_standing(&mut self, goal: GoalId, movement: usize, sectors: &[u32]) {
        let goal = self.goals.by_id.get_mut(&goal);
        if let Some(slot) = goal.and_then(|goal| goal.tiled.get_mut(movement)?.as_mut()) {
            slot.standing.extend_from_slice(sectors);
            slot.standing.sort_unstable();
            slot.standing.dedup();
            if let (TileVariant::Plain, Some(Some(graph))) =
                (self.tiling.variant, self.tiling.graphs.get(movement))
            {
                slot.want_plain(&graph.graph, sectors);
            }
        }
    }

    /// Whether somebody at a position who goes to a tiled goal has tiles of the sector there and of the next
    /// one on the way, first ones or others: false where no route has been asked for.
    ///
    /// # Errors
    /// An unknown goal or movement type, or a position that is not finite and in the grid.
    pub fn has_first_tiles(
        &mut self,
        goal: GoalId,
        movement: usize,
        position: Vec2,
    ) -> Result<bool> {
        let cell = self.grid.check_position("position", position)?;
        self.require(goal, movement)?;
        let route = self.tiled_route(goal, movement);
        Ok(route.is_some_and(|route| route.has_first_tiles(cell)))
    }

    /// What has been noted since the last time counts now.
    pub(in crate::world) fn take_standing(&mut self) {
        let slots = self
            .goals
            .by_id
            .values_mut()
            .flat_map(|goal| &mut goal.tiled);
        for slot in slots.flatten() {
            slot.stood.clear();
            std::mem::swap(&mut slot.stood, &mut slot.standing);
        }
    }

    /// What agents follow to a tiled goal that has been required.
    pub(in crate::world) fn tiled_route(
        &self,
        goal: GoalId,
        movement: usize,
    ) -> Option<TiledRoute> {
        let slot = self.goals.by_id.get(&goal)?.tiled.get(movement)?.as_ref()?;
        let graph = &self.tiling.graphs.get(movement)?.as_ref()?.graph;
        Some(TiledRoute {
            current: Arc::clone(&slot.current),
            next: slot.next.clone(),
            graph: Arc::clone(graph),
            costs: Arc::clone(&self.layers[movement].costs),
        })
    }
}
