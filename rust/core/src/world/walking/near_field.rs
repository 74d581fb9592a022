//! Near fields: fields around a goal, solved on a window of the map.
//!
//! Costs below the window's [bound](Window::bound) equal those of a solve of the whole map, bit for bit.

use crate::error::Result;
use crate::flow::{Direction, DirectionRule, FlowField};
use crate::grid::CellRect;
use crate::integrate::{IntegrationField, Method, Predecessors, Repairer, Solvers};
use crate::movement::CostField;
use crate::retired::Retired;
use crate::workers::Workers;
use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::window::Window;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// Exact costs and directions around a goal.
#[derive(Debug, Clone)]
pub(crate) struct NearField {
    pub(super) window: Window,
    /// The costs of the window, as a separate map.
    pub(super) costs: Arc<CostField>,
    pub(super) integration: IntegrationField,
    pub(super) flow: FlowField,
    /// Costs from this value on may be lower on the whole map.
    bound: u32,
}

impl NearField {
    /// Has the memory given back in parts.
    pub(super) fn retire(self, retired: &mut Retired) {
        if let Some(costs) = Arc::into_inner(self.costs) {
            costs.retire(retired);
        }
        self.integration.retire(retired);
        self.flow.retire(retired);
    }

    /// Solves a window of `costs` at once.
    pub(super) fn solve(
        costs: &CostField,
        window: &Window,
        destination: &Destination,
        version: Version,
        solvers: &mut Solvers,
    ) -> Result<Self> {
        let own = costs.cut_out(window.cells);
        let targets = window.own_targets(destination);
        Self::solve_on(
            window,
            own,
            &targets,
            (version.method(), version.rule),
            solvers,
        )
    }

    /// Solves a window on its own costs, for targets in the coordinates of the window.
    pub(super) fn solve_on(
        window: &Window,
        own: CostField,
        targets: &[Vec2],
        (method, rule): (Method, DirectionRule),
        solvers: &mut Solvers,
    ) -> Result<Self> {
        let (integration, record) = solvers.solve_goals(method, &own, &window.own_goals())?;
        let flow = directions(&own, &integration, record.as_ref(), targets, rule);
        Ok(Self::new(window, Arc::new(own), integration, flow))
    }

    /// A near field from the solve of a window.
    pub(super) fn new(
        window: &Window,
        costs: Arc<CostField>,
        integration: IntegrationField,
        flow: FlowField,
    ) -> Self {
        let bound = window.bound(&integration);
        Self {
            window: window.clone(),
            costs,
            integration,
            flow,
            bound,
        }
    }

    /// Whether it was solved on this window for these goals.
    pub(super) fn is_of(&self, window: &Window) -> bool {
        self.window.cells == window.cells && self.window.goals == window.goals
    }

    /// Repairs it after a change of the cells `changed` of `costs`; false if that is too much work.
    pub(super) fn repair(
        &mut self,
        costs: &CostField,
        changed: &[u32],
        destination: &Destination,
        rule: DirectionRule,
        repairer: &mut Repairer,
    ) -> bool {
        let own_costs = Arc::make_mut(&mut self.costs);
        let changed = own_costs.copy_changes(costs, self.window.cells, changed);
        if changed.is_empty() {
            return true;
        }
        let limit = self.integration.repair_limit();
        let goals = self.window.own_goals();
        // Roots are changed in place as well.
        self.flow.forget_roots();
        let field = &mut self.integration;
        if !repairer.repair_field(own_costs, &goals, &changed, field, limit) {
            return false;
        }
        let cells = repairer.affected(own_costs, &changed);
        let targets = self.window.own_targets(destination);
        self.flow.update(own_costs, field, &targets, rule, cells);
        self.flow.follow_roots(field, rule);
        self.bound = self.window.bound(field);
        true
    }

    /// Moves the targets within their cells.
    pub(super) fn move_targets(&mut self, destination: &Destination) {
        let targets = self.window.own_targets(destination);
        self.flow
            .move_targets(&self.costs, &self.integration, &targets);
    }

    pub(super) fn window(&self) -> &Window {
        &self.window
    }

    pub(in crate::world) fn cells(&self) -> CellRect {
        self.window.cells
    }

    /// Whether it holds a cell of the grid, which means that the cell's cost is below the bound.
    #[inline]
    pub(in crate::world) fn contains(&self, cell: IVec2) -> bool {
        self.window.cells.contains(cell) && self.integration.stored_at(self.own(cell)) < self.bound
    }

    /// The depth of a cell of the grid in the field: 0 for a goal, 1 at the bound.
    pub(super) fn depth(&self, cell: IVec2) -> f32 {
        self.integration.stored_at(self.own(cell)) as f32 / self.bound as f32
    }

    /// A cell of the grid in the coordinates of the window.
    #[inline]
    fn own(&self, cell: IVec2) -> IVec2 {
        cell - self.window.cells.low
    }

    /// A cell of the window in the coordinates of the grid.
    fn in_grid(&self, own: IVec2) -> IVec2 {
        own + self.window.cells.low
    }

    /// The cells of the grid that it leads to.
    pub(in crate::world) fn goal_cells(&self) -> impl Iterator<Item = IVec2> + Clone {
        self.integration.goal_cells().map(|cell| self.in_grid(cell))
    }

    pub(in crate::world) fn cost_at(&self, cell: IVec2) -> Option<f64> {
        self.integration.cost_at(self.own(cell))
    }

    #[inline]
    pub(in crate::world) fn is_goal(&self, cell: IVec2) -> bool {
        self.window.cells.contains(cell) && self.flow.is_goal(self.own(cell))
    }

    pub(in crate::world) fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        if !self.window.cells.contains(cell) {
            return None;
        }
        let target = self.flow.target_in(self.own(cell))?;
        Some(target + self.window.cells.low.as_vec2())
    }

    pub(in crate::world) fn distance_to_target(&self, point: Vec2) -> f32 {
        self.flow
            .distance_to_target(point - self.window.cells.low.as_vec2())
    }

    #[inline]
    pub(in crate::world) fn target_within(&self, point: Vec2, reach: f32) -> Option<Vec2> {
        let low = self.window.cells.low.as_vec2();
        let target = self.flow.target_within(point - low, reach)?;
        Some(target + low)
    }

    #[inline]
    pub(in crate::world) fn sample_in(&self, cell: IVec2, point: Vec2, radius: f32) -> Vec2 {
        let low = self.window.cells.low.as_vec2();
        self.flow.sample_in(self.own(cell), point - low, radius)
    }

    pub(in crate::world) fn lean(
        &self,
        point: Vec2,
        radius: f32,
        direction: Vec2,
        side: f32,
    ) -> Vec2 {
        let point = point - self.window.cells.low.as_vec2();
        self.flow.lean(point, radius, direction, side)
    }

    /// The direction of a cell of the grid; zero at a goal.
    pub(in crate::world) fn vector_at(&self, cell: IVec2) -> Vec2 {
        self.flow.vector_at(self.own(cell))
    }

    pub(in crate::world) fn direction_at(&self, cell: IVec2) -> Direction {
        self.flow.direction_at(self.own(cell))
    }

    /// The end, in the grid, of the link that the path from a cell takes; `None` if it takes none.
    #[inline]
    pub(in crate::world) fn link_from(&self, cell: IVec2) -> Option<IVec2> {
        Some(self.in_grid(self.flow.link_from(self.own(cell))?))
    }

    /// The next cell on the path from a cell of the grid.
    pub(in crate::world) fn next_cell(&self, cell: IVec2) -> Option<IVec2> {
        Some(self.in_grid(self.flow.next_cell(self.own(cell))?))
    }

    pub(in crate::world) fn sees_target(&self, cell: IVec2) -> bool {
        self.flow.sees_target(self.own(cell))
    }
}

/// The directions of a solved window.
fn directions(
    costs: &CostField,
    integration: &IntegrationField,
    record: Option<&Predecessors>,
    targets: &[Vec2],
    rule: DirectionRule,
) -> FlowField {
    let workers = Workers::serial();
    match record {
        Some(record) => FlowField::from_predecessors(costs, integration, record, targets, &workers),
        None => FlowField::new(costs, integration, targets, rule, &workers),
    }
}
