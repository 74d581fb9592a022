//! Requests for routes to tiled goals (Emerson, Game AI Pro, 23.5).

use crate::error::Result;
use crate::flow::TargetBounds;
use crate::route::{RouteStart, Sectors};
use crate::world::FlowWorld;
use crate::world::field::Field;
use crate::world::goal_id::GoalId;
use crate::world::goal_mode::{GoalMode, TileVariant};
use crate::world::tiled::following::TiledRoute;
use crate::world::tiled::goal_state::{RouteNeed, TiledGoalState};
use crate::world::tiled::route_search::{Outcome, RouteSearch, Stopwatch};
use crate::world::tiled::scheduler::RequestPriority;
use crate::world::tiled::straight::StraightRoute;
use crate::world::tiled::tiling::TiledSlot;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// The most goals and movement types whose forgotten routes are renewed in a step. One edit may affect the routes of
/// hundreds, and tiles lead on meanwhile.
const RENEWALS: usize = 16;

/// The result of a request for routes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Answer {
    /// The start of the route from the last cell, if there is one.
    pub(crate) start: Option<RouteStart>,
    /// Whether some routes must wait to be searched.
    pub(crate) is_left: bool,
}

#[derive(Debug, Default)]
struct Searched {
    start: Option<RouteStart>,
    /// The cells from which the budget allowed no search.
    left: Vec<IVec2>,
}

impl FlowWorld {
    /// Requests a route from a position to a goal. The sectors of the route become active, and updates build their
    /// tiles. For goals with whole fields this is [`Self::require`]. Returns true if there is a route or may be one:
    /// beyond the limit of [`Self::set_route_limit`] the search waits, which [`Self::query_status`] reports.
    ///
    /// The first request for a movement type builds its portal graph. Later requests cost a search over the portals
    /// that no earlier search has reached, and a look-up where routes are known.
    ///
    /// # Errors
    /// An unknown goal or movement type, or a position that is not finite and in the grid.
    pub fn request_route(&mut self, goal: GoalId, movement: usize, position: Vec2) -> Result<bool> {
        let cell = self.grid.check_position("position", position)?;
        self.keep_up(goal, movement, RequestPriority::Game)?;
        if self.goal_mode(goal)? == GoalMode::Full {
            let is_there = |field: &Arc<Field>| field.cost_at(cell).is_some();
            let field = self.field(goal, movement);
            return Ok(field.map_or_else(|| self.waits_for_field(goal, movement), is_there));
        }
        let slot = self.tiled_slot(goal, movement);
        if slot.is_some_and(|slot| slot.pursuit.parts.at(cell).is_some()) {
            return Ok(true);
        }
        let answer = self.request(goal, movement, cell, RequestPriority::Game)?;
        Ok(answer.start.is_some() || answer.is_left)
    }

    /// [`Self::require`], but for a tiled goal it makes no slot, which the first search of a route does, and it begins
    /// a new state for a goal that has been moved only if the budget allows it for this `priority`.
    pub(crate) fn keep_up(
        &mut self,
        goal: GoalId,
        movement: usize,
        priority: RequestPriority,
    ) -> Result<()> {
        self.check_movement(movement as i64)?;
        if self.goal_mode(goal)? == GoalMode::Full {
            return self.require(goal, movement);
        }
        // Other goals wait for the next update: there may be thousands of them.
        self.refresh_costs();
        self.sync_goal(goal, priority);
        Ok(())
    }

    /// Requests the route from a cell of the grid to a tiled goal that is up to date.
    pub(in crate::world) fn request(
        &mut self,
        goal: GoalId,
        movement: usize,
        cell: IVec2,
        priority: RequestPriority,
    ) -> Result<Answer> {
        self.request_all(goal, movement, &[cell], priority)
    }

    /// Requests routes to a tiled goal that is up to date, from all `cells` that have none yet. Returns the start of
    /// the last one. Routes that may not be searched now are queued.
    pub(crate) fn request_all(
        &mut self,
        goal: GoalId,
        movement: usize,
        cells: &[IVec2],
        priority: RequestPriority,
    ) -> Result<Answer> {
        let answer = self.search_from(goal, movement, cells, priority)?;
        let is_left = !answer.left.is_empty();
        if is_left && priority != RequestPriority::Renewal {
            let tick = self.tiling.scheduler.tick;
            let queue = &mut self.tiling.scheduler.queue;
            queue.push((goal, movement), &answer.left, priority, tick);
        }
        Ok(Answer {
            start: answer.start,
            is_left,
        })
    }

    /// Searches routes from `cells`, as far as the budget allows for this `priority`.
    fn search_from(
        &mut self,
        goal: GoalId,
        movement: usize,
        cells: &[IVec2],
        priority: RequestPriority,
    ) -> Result<Searched> {
        let stopwatch = Stopwatch {
            clock: self.builder.clock,
            begin: self.builder.now(),
            before: self.tiling.scheduler.used.seconds,
        };
        let mut searched = Searched::default();
        self.sync_slot(goal, movement);
        let is_stale = self.is_stale(goal, movement);
        if !self.has_graph(movement)? {
            searched.left = cells.to_vec();
            return Ok(searched);
        }
        let is_new = is_stale || self.tiled_slot(goal, movement).is_none();
        if is_new && !self.tiling.scheduler.may_search(priority) {
            searched.left = cells.to_vec();
            return Ok(searched);
        }
        if is_stale {
            self.begin_next_state(goal, movement);
        }
        self.ensure_slot(goal, movement)?;
        let size = self.grid.size();
        let layer = &mut self.layers[movement];
        let starts: Vec<(IVec2, Option<IVec2>)> = cells
            .iter()
            .map(|&cell| (cell, layer.place_of_start(cell, size)))
            .collect();
        let tiling = &mut self.tiling;
        let Some(Some(graph)) = tiling.graphs.get(movement) else {
            return Ok(searched);
        };
        let graph = Arc::clone(&graph.graph);
        let slot = self.goals.get_mut(goal)?.tiled.get_mut(movement);
        let Some(Some(slot)) = slot else {
            return Ok(searched);
        };
        let mut search = RouteSearch {
            graph: &graph,
            costs: &layer.costs,
            scheduler: &mut tiling.scheduler,
            sector_search: &mut tiling.search,
            searched: &mut tiling.routes_searched,
            pursuit: &mut slot.pursuit,
            priority,
            may_begin: is_new,
            stopwatch,
        };
        let followed = [(&mut slot.current, true)].into_iter();
        for (state, is_followed) in
            followed.chain(slot.pending.iter_mut().map(|pending| (pending, false)))
        {
            let state: &mut TiledGoalState = Arc::make_mut(state);
            let found = searched.start.take().filter(|_| search.pursuit.walks());
            search.continue_begun(state, is_followed)?;
            for (number, &(cell, start)) in starts.iter().enumerate() {
                let Some(start) = start else { continue };
                let is_last = number + 1 == starts.len();
                if is_last || state.needs_route(&graph, start) {
                    match search.search(state, start, is_followed)? {
                        Outcome::Found(route) => searched.start = route.filter(|_| is_last),
                        Outcome::Waits => {
                            searched.left.push(cell);
                            continue;
                        }
                        Outcome::LedOn => continue,
                    }
                }
                let may_wait = search.pursuit.can_wait(start, is_followed);
                if is_followed && !may_wait || state.plain.is_some() {
                    state.want_first_tiles(&graph, start);
                }
            }
            state.activate()?;
            searched.start = searched.start.or(found);
        }
        tiling.scheduler.note_tiles((goal, movement));
        stopwatch.stop(&mut tiling.scheduler);
        Ok(searched)
    }

    /// Searches the routes that wait, as far as the tick's budget allows.
    pub(in crate::world) fn search_queued(&mut self) {
        let mut without_graph = Vec::new();
        while let Some(waiting) = self.tiling.scheduler.queue.pop() {
            let (goal, movement) = waiting.pair;
            if self.awaits_graph(movement) {
                without_graph.push(waiting);
                continue;
            }
            let mut cells = waiting.cells();
            let sectors = Sectors::new(self.grid.size(), self.tiling.sector_size);
            if let Ok(sectors) = sectors {
                cells.sort_by_key(|&cell| sectors.at(cell));
            }
            match self.search_from(goal, movement, &cells, RequestPriority::Queue) {
                Ok(searched) if !searched.left.is_empty() => {
                    self.tiling
                        .scheduler
                        .queue
                        .put_back(waiting, &searched.left);
                    break;
                }
                Ok(_) => {}
                Err(error) => self.builder.news.failed.push((goal, movement, error)),
            }
        }
        for waiting in without_graph.into_iter().rev() {
            let cells = waiting.cells();
            self.tiling.scheduler.queue.put_back(waiting, &cells);
        }
    }

    /// What an agent in a cell of the grid needs to reach a goal: nothing if the goal has whole fields.
    pub(crate) fn route_need(&self, goal: GoalId, movement: usize, cell: IVec2) -> RouteNeed {
        if self.goal_mode(goal) != Ok(GoalMode::Tiled) {
            return RouteNeed::NoRoute;
        }
        let need = || {
            let slot = self.tiled_slot(goal, movement)?;
            let graph = &self.tiling.graphs.get(movement)?.as_ref()?.graph;
            Some(slot.route_need(graph, cell))
        };
        // No route has been requested yet.
        need().unwrap_or(RouteNeed::Route)
    }

    pub(super) fn tiled_slot(&self, goal: GoalId, movement: usize) -> Option<&TiledSlot> {
        self.goals.slot((goal, movement))
    }

    /// The goals and movement types among `pairs`, which are ascending, whose forgotten routes are renewed in this
    /// step: at most [`RENEWALS`], in turns.
    pub(crate) fn renewals(&self, pairs: &[(GoalId, usize)]) -> Vec<(GoalId, usize)> {
        let first = pairs.partition_point(|&pair| Some(pair) <= self.tiling.scheduler.last_renewed);
        let turns = pairs[first..].iter().chain(&pairs[..first]);
        turns.take(RENEWALS).copied().collect()
    }

    /// Renews the forgotten routes from `cells`, as far as the budget allows. Returns true if all have been renewed.
    pub(crate) fn renew(&mut self, goal: GoalId, movement: usize, cells: &[IVec2]) -> Result<bool> {
        self.tiling.scheduler.last_renewed = Some((goal, movement));
        let answer = self.request_all(goal, movement, cells, RequestPriority::Renewal)?;
        Ok(!answer.is_left)
    }

    /// Records the sectors in which agents stand that follow a tiled goal.
    pub(crate) fn note_standing(&mut self, id: GoalId, movement: usize, sectors: &[u32]) {
        if let Some(slot) = self.goals.slot_mut((id, movement)) {
            slot.standing.extend_from_slice(sectors);
            slot.standing.sort_unstable();
            slot.standing.dedup();
            self.tiling.scheduler.standing.insert((id, movement));
            self.tiling.scheduler.note_tiles((id, movement));
            if let (TileVariant::Plain, Some(Some(graph))) =
                (self.tiling.variant, self.tiling.graphs.get(movement))
            {
                slot.want_plain(&graph.graph, sectors);
            }
        }
    }

    /// Returns true if the sector of a position and the next sector on the route from there to a tiled goal have tiles,
    /// first tiles or built ones; false if no route has been requested.
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
        self.check_movement(movement as i64)?;
        self.goal_mode(goal)?;
        let route = self.tiled_route(goal, movement);
        Ok(route.is_some_and(|route| route.has_first_tiles(cell)))
    }

    /// Takes over the sectors in which agents have stood since the last update.
    pub(in crate::world) fn take_standing(&mut self) {
        let goals = &mut self.goals;
        self.tiling.scheduler.standing.retain(|&pair| {
            goals.slot_mut(pair).is_some_and(|slot| {
                slot.stood.clear();
                std::mem::swap(&mut slot.stood, &mut slot.standing);
                !slot.stood.is_empty()
            })
        });
    }

    /// What agents follow to a tiled goal to which a route has been searched.
    pub(in crate::world) fn tiled_route(
        &self,
        goal: GoalId,
        movement: usize,
    ) -> Option<TiledRoute> {
        let slot = self.tiled_slot(goal, movement)?;
        let graph = self.tiling.graphs.get(movement)?.as_ref()?;
        let layer = &self.layers[movement];
        let is_current =
            !self.is_ahead() && graph.noted() == layer.settled.revision && !slot.lacks_edits(graph);
        Some(TiledRoute {
            current: Arc::clone(&slot.current),
            pending: slot.pending.clone(),
            parts: slot.pursuit.parts.clone(),
            graph: Arc::clone(&graph.graph),
            costs: Arc::clone(&layer.costs),
            is_current,
            is_graph_outdated: graph.renewal.is_some(),
            is_queued: self.tiling.scheduler.queue.contains((goal, movement)),
        })
    }

    /// What agents follow to a goal while the first route to it waits to be searched, or its first field to be built.
    pub(in crate::world) fn straight_route(
        &self,
        goal: GoalId,
        movement: usize,
    ) -> Option<StraightRoute> {
        let is_queued = self.tiling.scheduler.queue.contains((goal, movement));
        if !is_queued && !self.waits_for_field(goal, movement) {
            return None;
        }
        // A step reads this, and a step must not allocate.
        let targets = Arc::clone(&self.goals.by_id.get(&goal)?.destination.targets);
        let costs = Arc::clone(&self.layers.get(movement)?.costs);
        let bounds = TargetBounds::around(targets.iter().copied());
        Some(StraightRoute {
            targets,
            bounds,
            costs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::workers::Workers;

    #[test]
    fn forgotten_routes_are_renewed_in_turns() {
        let grid = Grid::new(IVec2::splat(9), 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        let pairs: Vec<_> = (1..=40).map(|goal| (GoalId(goal), 0)).collect();
        let mut turns = Vec::new();
        for _ in 0..5 {
            let round = world.renewals(&pairs);
            assert_eq!(round.len(), RENEWALS);
            world.tiling.scheduler.last_renewed = round.last().copied();
            turns.extend(round);
        }
        // Five rounds of 16 are two turns of all 40.
        let expected: Vec<_> = pairs.iter().chain(&pairs).copied().collect();
        assert_eq!(turns, expected);
    }
}
