//! Reachability queries, answered from islands (Emerson, Game AI Pro, 23.14), and what a budget suffices for.

use crate::error::{Result, in_range};
use crate::integrate::{MAX_REACH, reach};
use crate::movement::{CostField, Islands, nearest_cell};
use crate::world::FlowWorld;
use crate::world::movement_layer::MovementLayer;
use crate::world::queries::QueryStatus;
use glam::{IVec2, Vec2};

impl FlowWorld {
    /// Whether a path joins the cells at two positions, links included. O(log n) for n runs of open cells in their
    /// rows, and O(links) if there are links. The first query of a movement type is linear in the cells of the map,
    /// less those that updates have labelled ([`Self::set_update_cells`]), and the first after an edit in the smaller
    /// parts that the edit joined or split.
    ///
    /// # Errors
    /// An unknown movement type, or a position that is not finite and in the grid.
    pub fn is_reachable(&mut self, from: Vec2, to: Vec2, movement: usize) -> Result<bool> {
        self.check_movement(movement as i64)?;
        let from = self.grid.check_position("from", from)?;
        let to = self.grid.check_position("to", to)?;
        self.fresh_islands(movement);
        let layer = &self.layers[movement];
        Ok(layer.leads_to_any(from, &[to]))
    }

    /// The number of the island of a position; `None` in walls and where the movement type lacks clearance. Two
    /// positions are joined without links exactly if their numbers are equal. The next edit may change an island's
    /// number.
    ///
    /// # Errors
    /// As for [`Self::is_reachable`].
    pub fn island_at(&mut self, position: Vec2, movement: usize) -> Result<Option<u32>> {
        self.check_movement(movement as i64)?;
        let cell = self.grid.check_position("position", position)?;
        Ok(self.fresh_islands(movement).at(cell))
    }

    /// The cell reachable from `from` whose centre is nearest to the cell at `to`, as a substitute for a target in a
    /// wall or on another island. It is the cell of `to` itself if that is reachable, and `None` if `from` is in a
    /// wall. On a grid with several layers it is a cell of the layer of `to` if any of them is reachable.
    ///
    /// If `from` lacks clearance for the movement type, the nearest open cell counts as the start.
    ///
    /// O(d²) for a cell that is d cells from `to`.
    ///
    /// # Errors
    /// As for [`Self::is_reachable`].
    pub fn nearest_reachable_cell(
        &mut self,
        from: Vec2,
        to: Vec2,
        movement: usize,
    ) -> Result<Option<IVec2>> {
        self.check_movement(movement as i64)?;
        let from = self.grid.check_position("from", from)?;
        let to = self.grid.check_position("to", to)?;
        let size = self.grid.size();
        self.fresh_islands(movement);
        let layer = &mut self.layers[movement];
        let start = layer.place_of_start(from, size);
        let layer = &self.layers[movement];
        let Some(start) = start else {
            return Ok(None);
        };
        let reached = layer.islands_from(start);
        let is_reached = |cell: IVec2| reached.leads_to(layer, cell);
        let is_beside = |cell: IVec2| layer.costs.are_of_one_layer(cell.y, to.y);
        let nearest = nearest_cell(size, to, |cell| is_beside(cell) && is_reached(cell));
        Ok(nearest.or_else(|| nearest_cell(size, to, is_reached)))
    }

    /// The cells that can be reached from a position at a cost of up to `budget`, in cost units: cells of clear ground;
    /// with their costs, the cheapest first, of equal ones the one with the least y, then x. The first is the
    /// position's own cell, at a cost of 0; there are none if that is closed to the movement type.
    ///
    /// Costs are those of paths of steps to the eight neighbours and of links, away from the position, whatever the
    /// solver: what [`Self::cost_to_goal`] is with [`Solver::Octile`](crate::integrate::Solver::Octile) from the
    /// position to a goal in the cell. A step costs its length times the cost of the cell that it leaves. A budget
    /// suffices for costs that exceed it by less than 2.5e-7 of it.
    ///
    /// O(n log n) for n cells, and a byte for every 256 cells of the map.
    ///
    /// # Errors
    /// An unknown movement type, a position that is not finite and in the grid, or a budget outside
    /// 0..=[`MAX_REACH`].
    pub fn reach(
        &mut self,
        position: Vec2,
        budget: f64,
        movement: usize,
    ) -> Result<Vec<(IVec2, f64)>> {
        self.check_movement(movement as i64)?;
        let start = self.grid.check_position("position", position)?;
        in_range("budget", budget, 0.0, MAX_REACH)?;
        Ok(reach(self.fresh_costs(movement), start, budget))
    }

    /// The islands of a movement type, with all edits.
    pub(super) fn fresh_islands(&mut self, movement: usize) -> &Islands {
        self.refresh_for_query();
        self.layers[movement].fresh_islands()
    }

    /// The reason why there is no route from a cell outside of walls to any of `targets`.
    pub(super) fn why_there_is_no_route(
        &mut self,
        from: IVec2,
        targets: &[IVec2],
        movement: usize,
    ) -> QueryStatus {
        let layer = &mut self.layers[movement];
        if targets.iter().all(|&target| layer.costs.is_wall(target)) {
            return QueryStatus::GoalBlocked;
        }
        if layer.costs.has_clearance() && layer.leads_on_floor(from, targets) {
            QueryStatus::TooNarrow
        } else {
            QueryStatus::Disconnected
        }
    }
}

/// The islands that are reachable from a cell.
struct ReachedIslands(Vec<u32>);

impl ReachedIslands {
    fn leads_to(&self, layer: &MovementLayer, cell: IVec2) -> bool {
        let island = layer.island_of(cell);
        island.is_some_and(|island| self.0.contains(&island))
    }
}

/// The first and last islands of all links whose ends are in islands, ascending, each pair once.
struct LinkedIslands(Vec<(u32, u32)>);

impl LinkedIslands {
    fn of(costs: &CostField, islands: &Islands) -> Self {
        let edges = costs.links().edges().iter();
        let mut ends: Vec<(u32, u32)> = edges
            .filter_map(|edge| {
                let island = |index: usize| islands.at(costs.cell(index));
                Some((island(edge.from)?, island(edge.to)?))
            })
            .collect();
        ends.sort_unstable();
        ends.dedup();
        Self(ends)
    }

    /// An island, if there is one, and those that links lead to from there.
    fn reached_from(&self, island: Option<u32>) -> ReachedIslands {
        let mut reached: Vec<u32> = island.into_iter().collect();
        let mut next = 0;
        while let Some(&island) = reached.get(next) {
            next += 1;
            let first = self.0.partition_point(|&(from, _)| from < island);
            for &(from, to) in &self.0[first..] {
                if from != island {
                    break;
                }
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        ReachedIslands(reached)
    }
}

impl MovementLayer {
    /// The island of a cell. Islands must be up to date.
    pub(super) fn island_of(&self, cell: IVec2) -> Option<u32> {
        self.islands.open()?.at(cell)
    }

    /// The island of a cell, and the islands that links lead to from there. Islands must be up to date.
    fn islands_from(&self, cell: IVec2) -> ReachedIslands {
        let islands = self.islands.open();
        let links = islands.map(|islands| LinkedIslands::of(&self.costs, islands));
        links.map_or(ReachedIslands(Vec::new()), |links| {
            links.reached_from(self.island_of(cell))
        })
    }

    /// Whether a path, links included, leads from a cell to any of `targets`. Islands must be up to date.
    pub(super) fn leads_to_any(&self, from: IVec2, targets: &[IVec2]) -> bool {
        let reached = self.islands_from(from);
        targets.iter().any(|&target| reached.leads_to(self, target))
    }

    /// Which of `pairs` no path, links included, joins, if the cells at the stored indices in `changes` are open or
    /// closed, each as given. Nothing changes.
    pub(super) fn cut_pairs(
        &mut self,
        changes: &[(u32, bool)],
        pairs: &[(IVec2, IVec2)],
    ) -> Vec<usize> {
        let mut islands = self.fresh_islands().clone();
        islands.change_all(changes.iter().copied());
        let links = LinkedIslands::of(&self.costs, &islands);
        let is_cut = |&(from, to): &(IVec2, IVec2)| {
            let reached = links.reached_from(islands.at(from));
            !islands
                .at(to)
                .is_some_and(|island| reached.0.contains(&island))
        };
        let numbered = pairs.iter().enumerate();
        let cut = numbered.filter(|(_, pair)| is_cut(pair));
        cut.map(|(at, _)| at).collect()
    }

    /// The islands, on costs that are up to date.
    pub(super) fn fresh_islands(&mut self) -> &Islands {
        self.islands.fresh_open(&self.costs, &self.newest)
    }

    /// Whether a path, links included, would lead from a cell to any of `targets` if no clearance were needed, on costs
    /// that are up to date.
    fn leads_on_floor(&mut self, from: IVec2, targets: &[IVec2]) -> bool {
        let floor = self.islands.fresh_floor(&self.costs, &self.newest);
        let reached = LinkedIslands::of(&self.costs, floor).reached_from(floor.at(from));
        let mut islands = targets.iter().filter_map(|&target| floor.at(target));
        islands.any(|island| reached.0.contains(&island))
    }

    /// The cell where a path from `from` begins: `from` itself, or the nearest open cell if `from` only lacks
    /// clearance.
    pub(super) fn place_of_start(&mut self, from: IVec2, size: IVec2) -> Option<IVec2> {
        if self.costs.is_open(from) {
            return Some(from);
        }
        if self.costs.is_wall(from) {
            return None;
        }
        let floor = self.islands.fresh_floor(&self.costs, &self.newest);
        let is_near = |cell: IVec2| self.costs.is_open(cell) && floor.connected(from, cell);
        nearest_cell(size, from, is_near)
    }
}
