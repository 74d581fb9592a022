//! What agents follow to a tiled goal (Emerson, Game AI Pro, 23.12). Near a goal that has walked these are the fields
//! around it. Elsewhere it is the tile of their sector. Without a tile it is the first of these that leads on: a
//! straight line to a visible goal, the first tile of the route, a straight line to the next portal window, the table
//! of the sector, which leads around walls.

use crate::flow::nearest_within;
use crate::grid::STEPS;
use crate::grid::floor_to_cell;
use crate::movement::CostField;
use crate::route::tiles::SectorMap;
use crate::route::{PortalGraph, RouteStart};
use crate::world::flow_source::FlowSource;
use crate::world::tiled::goal_state::TiledGoalState;
use crate::world::tiled::straight::{distance_to_target, straight_on};
use crate::world::walking::parts::Parts;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// Up to this distance, in cells, an agent without a tile looks for a goal along the line to it. With plain tiles it
/// sees the goal from farther away too, but not close to corners.
const SIGHT: f32 = 64.0;
/// The distance ahead of an agent within which walls are detected, in cells.
const AHEAD: f32 = 0.1;

/// Routes and tiles to a tiled goal for a movement type, as they were when they were requested.
#[derive(Debug, Clone)]
pub struct TiledRoute {
    pub(super) current: Arc<TiledGoalState>,
    /// The pending state to the goal's current position, if there is one.
    pub(super) pending: Option<Arc<TiledGoalState>>,
    /// The fields nearer to a goal that has walked.
    pub(super) parts: Parts,
    pub(super) graph: Arc<PortalGraph>,
    pub(super) costs: Arc<CostField>,
    /// Whether the states know all edits that the costs have.
    pub(super) is_current: bool,
    /// Whether the graph lacks edits that it is being updated for, which may join what it does not.
    pub(super) is_graph_outdated: bool,
    /// Whether routes wait to be searched.
    pub(super) is_queued: bool,
}

impl FlowSource for TiledRoute {
    fn is_goal(&self, cell: IVec2) -> bool {
        if !self.parts.is_empty() {
            return self.parts.is_goal(cell);
        }
        let state = self.newest();
        if let Some(is_goal) = state
            .plain_view()
            .and_then(|plain| plain.is_goal_by_tile(cell))
        {
            is_goal
        } else if state.field.has_route(cell).is_some() {
            state.field.is_goal(cell)
        } else {
            state.routes.ends_at(&self.graph, cell)
        }
    }

    fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        if !self.parts.is_empty() {
            return self.parts.target_in(cell);
        }
        let mut targets = self.newest().targets.iter();
        targets.find(|&&at| floor_to_cell(at) == cell).copied()
    }

    fn distance_to_target(&self, point: Vec2) -> f32 {
        if !self.parts.is_empty() {
            return self.parts.distance_to_target(point);
        }
        distance_to_target(&self.costs, &self.newest().targets, point)
    }

    /// The nearest target at which paths end, within `reach` of a point. Linear in the targets, and constant far from
    /// all of them.
    fn target_within(&self, point: Vec2, reach: f32) -> Option<Vec2> {
        if !self.parts.is_empty() {
            return self.parts.target_within(point, reach);
        }
        let state = self.newest();
        if !state.bounds.is_near(point, reach) {
            return None;
        }
        let is_near = |at: &Vec2| at.distance_squared(point) <= reach * reach;
        let near = state.targets.iter().copied().filter(is_near);
        // A path may pass one of several targets and end at another one that costs less.
        let is_only = state.targets.len() == 1;
        let ends = near.filter(|&at| is_only || self.is_goal(floor_to_cell(at)));
        nearest_within(ends, point, reach)
    }

    fn sample_in(&self, _cell: IVec2, point: Vec2, radius: f32) -> Vec2 {
        let cell = self.cell_at(point);
        if let Some(part) = self.parts.at(cell) {
            return part.sample_in(cell, point, radius);
        }
        let direction = self.direction(&self.current, point, radius);
        match &self.pending {
            Some(pending) if direction == Vec2::ZERO => self.direction(pending, point, radius),
            _ => direction,
        }
    }

    /// Agents without a tile have no lateral bias.
    fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2 {
        if let Some(part) = self.parts.at(self.cell_at(point)) {
            return part.lean(point, radius, direction, side);
        }
        let at = (point, radius);
        if let Some(plain) = self.current.plain_view() {
            let is_its = plain.sample_downhill(point, radius) == Some(direction);
            return if is_its {
                plain.lean(at, direction, side)
            } else {
                direction
            };
        }
        let field = &self.current.field;
        if field.sample_for(point, radius) == Some(direction) {
            return field.lean(at, direction, side);
        }
        let first = self.current.first_view();
        if first.sample_downhill(point, radius) == Some(direction) {
            return first.lean(at, direction, side);
        }
        direction
    }

    fn remaining_cost(&self, cell: IVec2) -> f32 {
        self.distance_to_target(cell.as_vec2() + 0.5)
    }

    fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        if let Some(part) = self.parts.at(cell) {
            return part.link_from(cell);
        }
        if !self.graph.is_left_by_links(cell) {
            return None;
        }
        let middle = cell.as_vec2() + 0.5;
        let states = [&self.current].into_iter().chain(&self.pending);
        for state in states {
            let end = self.link_by(state, cell);
            if end.is_some() || self.direction(state, middle, 0.0) != Vec2::ZERO {
                return end;
            }
        }
        None
    }
}

impl TiledRoute {
    /// See [`super::super::Route::is_waiting`]. Routes to a goal that walks are searched later even from where nothing
    /// leads on.
    pub(in crate::world) fn is_waiting(&self, cell: IVec2) -> bool {
        let state = self.newest();
        let may_be_joined = || self.is_graph_outdated && state.is_cut_off(cell);
        let waits_here = || state.needs_route(&self.graph, cell) || may_be_joined();
        self.is_queued_from(cell) || self.costs.is_open(cell) && waits_here()
    }

    /// See [`super::super::Route::is_guess`].
    pub(in crate::world) fn is_guess(&self, cell: IVec2) -> bool {
        let leads_on = |state: &Arc<TiledGoalState>| state.leads_on(&self.graph, cell);
        let mut states = [&self.current].into_iter().chain(&self.pending);
        self.is_queued && self.parts.at(cell).is_none() && !states.any(leads_on)
    }

    /// Returns true if the route from a cell from which nothing leads on may be queued.
    pub(in crate::world) fn is_queued_from(&self, cell: IVec2) -> bool {
        self.is_queued && !self.newest().is_cut_off(cell)
    }

    fn newest(&self) -> &TiledGoalState {
        self.pending.as_ref().unwrap_or(&self.current)
    }

    /// See [`super::super::Route::sees_target`].
    pub(in crate::world) fn sees_target(&self, cell: IVec2) -> bool {
        if !self.parts.is_empty() {
            return self.parts.sees_target(cell);
        }
        match self.current.plain_view() {
            Some(plain) => plain.sees_target(cell),
            None => self.current.field.sees_target(cell),
        }
    }

    /// The cell of the grid nearest to a point.
    fn cell_at(&self, point: Vec2) -> IVec2 {
        let last = self.graph.sectors().map_size() - 1;
        floor_to_cell(point).clamp(IVec2::ZERO, last)
    }

    fn direction(&self, state: &TiledGoalState, point: Vec2, radius: f32) -> Vec2 {
        let cell = self.cell_at(point);
        match state.field.sample_for(point, radius) {
            Some(direction) if direction != Vec2::ZERO || state.field.is_goal(cell) => direction,
            _ if self.link_by(state, cell).is_some() => Vec2::ZERO,
            _ => self.heading(state, (point, radius), cell),
        }
    }

    /// The end of the link that agents take by their tile or, where no tile leads on, by a route.
    fn link_by(&self, state: &TiledGoalState, cell: IVec2) -> Option<IVec2> {
        if !self.graph.is_left_by_links(cell) {
            return None;
        }
        let field = &state.field;
        let by_tile = field.link_from(cell);
        if by_tile.is_some() || field.next_step(cell).is_some() || field.is_goal(cell) {
            return by_tile;
        }
        state.routes.link_from(&self.graph, cell)
    }

    /// The direction at a point without a tile.
    fn heading(&self, state: &TiledGoalState, (point, radius): (Vec2, f32), cell: IVec2) -> Vec2 {
        let towards = |at: Vec2| (at - point).normalize_or_zero();
        if !self.costs.is_open(cell) {
            return self.out_of_wall(point, cell).map_or(Vec2::ZERO, towards);
        }
        let sees = |at: Vec2| self.costs.has_line_of_sight(point, at);
        if let [target] = state.targets[..]
            && if target.distance_squared(point) > SIGHT * SIGHT {
                self.sees_from_afar(state, point)
            } else if state.plain.is_some() {
                self.has_clear_line(point, target, radius)
            } else {
                sees(target)
            }
        {
            return towards(target);
        }
        let led = state.plain_view();
        let led = led.and_then(|plain| Some((plain, plain.sample_downhill(point, radius)?)));
        if let Some((plain, direction)) = led.filter(|led| led.1 != Vec2::ZERO) {
            let next = plain.next_step(cell).map(|step| cell + STEPS[step]);
            return match next {
                Some(next) if self.is_wall_ahead(point, direction, radius) => {
                    towards(next.as_vec2() + 0.5)
                }
                _ => direction,
            };
        }
        let led = state.first_view().sample_downhill(point, radius);
        if let Some(direction) = led.filter(|&direction| direction != Vec2::ZERO) {
            return direction;
        }
        if let Some(portal) = state.routes.next_window(&self.graph, cell) {
            let window = self.graph.cells(portal);
            let (low, high) = (window.low.as_vec2() + 0.5, window.high.as_vec2() - 0.5);
            let mut made_for = point.clamp(low, high);
            if !self.graph.is_link(portal) {
                // Into the cell across the window, so that the agent has left the window when it reaches the point.
                made_for += self.graph.side(portal).step().as_vec2();
            }
            if sees(made_for) {
                return towards(made_for);
            }
        }
        let next = state.routes.next_cell(&self.graph, &self.costs, cell);
        match next {
            Some(next) => towards(next.as_vec2() + 0.5),
            None if state.routes.ends_at(&self.graph, cell) => {
                let target = self.target_in(cell);
                target.map_or(Vec2::ZERO, towards)
            }
            None if self.is_queued_from(cell) => {
                let targets = &self.newest().targets;
                straight_on(&self.costs, targets, point, radius)
            }
            None => Vec2::ZERO,
        }
    }

    /// The middle of the nearest open cell beside a closed one.
    fn out_of_wall(&self, point: Vec2, cell: IVec2) -> Option<Vec2> {
        let beside = STEPS.into_iter().map(|step| cell + step);
        let open = beside.filter(|&cell| self.costs.is_open(cell));
        nearest_within(open.map(|cell| cell.as_vec2() + 0.5), point, f32::INFINITY)
    }

    /// Returns true if an agent of some radius in cells is about to walk into a wall. Lines to a window may pass so
    /// close to a corner that an agent would be stuck there for ever.
    fn is_wall_ahead(&self, point: Vec2, direction: Vec2, radius: f32) -> bool {
        let ahead = point + direction * (radius + AHEAD);
        // A little less than the radius, as walls along the path would count otherwise.
        let aside = direction.perp() * (0.9 * radius);
        let is_wall = |at: Vec2| !self.costs.is_open(floor_to_cell(at));
        radius > 0.0 && (is_wall(ahead + aside) || is_wall(ahead - aside))
    }

    /// Returns true if the target is seen from a point farther away than [`SIGHT`]. Plain tiles alone need that.
    fn sees_from_afar(&self, state: &TiledGoalState, point: Vec2) -> bool {
        let sight = state.sight.as_ref();
        self.is_current && sight.is_some_and(|sight| sight.sees(&self.costs, point))
    }

    /// Returns true if an agent of some radius in cells sees a target and the line passes all corners of walls at about
    /// the distance at which paths pass them. Plain tiles do not have this information. Lines that touch corners are
    /// for agents that follow them only until their tiles are built.
    fn has_clear_line(&self, point: Vec2, target: Vec2, radius: f32) -> bool {
        let aside = (target - point).normalize_or_zero().perp() * radius.clamp(0.1, 0.5);
        let sees = |by: Vec2| self.costs.has_line_of_sight(point + by, target + by);
        // No wall is narrow enough to lie between the two lines.
        sees(aside) && sees(-aside)
    }

    /// Returns true if the sector of a cell and the next sector on the route from there have tiles.
    pub(super) fn has_first_tiles(&self, cell: IVec2) -> bool {
        self.parts.at(cell).is_some() || self.current.has_first_tiles(&self.graph, cell)
    }

    /// Returns true if a tile leads on from a cell.
    fn has_tile(&self, cell: IVec2) -> bool {
        let state = self.newest();
        match state.plain_view() {
            Some(plain) => plain.has_route(cell) == Some(true),
            None => state.field.has_route(cell) == Some(true),
        }
    }

    /// Returns true if a route from a cell has been requested and no tile leads on from there yet.
    pub(super) fn waits_for_tile(&self, cell: IVec2) -> bool {
        let is_led = self.parts.at(cell).is_some();
        !is_led && self.newest().is_requested(&self.graph, cell) && !self.has_tile(cell)
    }

    /// The cost from a cell to the goal, by the field around a goal that has walked or by the route; `None` if it has
    /// not been searched.
    pub(in crate::world) fn cost_to_goal(&self, cell: IVec2) -> Option<f64> {
        if self.parts.at(cell).is_some() {
            return self.parts.cost_at(cell);
        }
        self.known_start(cell).map(|start| start.cost)
    }

    /// The start of the route from a cell, if it has been searched.
    pub(super) fn known_start(&self, cell: IVec2) -> Option<RouteStart> {
        self.newest().routes.known_start(&self.graph, cell)
    }

    /// The next cell on the path from a cell, by its tile if there is one.
    pub(in crate::world) fn next_cell(&self, cell: IVec2) -> Option<IVec2> {
        if let Some(part) = self.parts.at(cell) {
            return part.next_cell(cell);
        }
        let state = self.newest();
        let link = self.link_by(state, cell);
        if link.is_some() {
            return link;
        }
        if let Some(step) = state.field.next_step(cell) {
            return Some(cell + STEPS[step]);
        }
        state.routes.next_cell(&self.graph, &self.costs, cell)
    }
}
