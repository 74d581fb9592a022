//! Queries about goals at positions. They change neither the fields that agents follow nor the tick in which these are
//! available.

use crate::error::{Error, Result, finite, in_range};
use crate::movement::CostField;
use crate::world::FlowWorld;
use crate::world::field::Field;
use crate::world::goal_id::GoalId;
use crate::world::goal_kind::GoalKind;
use crate::world::goal_mode::GoalMode;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// The least number of positions whose costs are worth a thread.
const POSITIONS: usize = 4096;

/// Whether there is a route, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryStatus {
    /// There is a route.
    Ok,
    /// The starting point is in a wall.
    StartBlocked,
    /// Every target is in a wall.
    GoalBlocked,
    /// Start and goal are on open ground, and no path joins them.
    Disconnected,
    /// Open ground or links join start and goal, but with the movement type's clearance there is no path, or no room at
    /// the start or at any target.
    TooNarrow,
    /// The starting point is outside the grid.
    OutOfBounds,
    /// The first field is still being built, or the one that is to replace a field without a route there; or a route to
    /// a tiled goal has been requested, and the tile of that place is not built yet.
    Pending,
    /// A route to a tiled goal has been requested there and waits to be searched: see
    /// [`FlowWorld::set_route_limit`].
    Queued,
}

impl FlowWorld {
    /// The unit direction to the goal at a world position; zero at the goal and without a route. For a tiled goal it is
    /// the direction of the tile or route that agents follow there, or else of a route that is searched only for the
    /// query. Tiles are only built along requested routes: see [`Self::request_route`].
    ///
    /// # Errors
    /// An unknown goal or movement type, or a position that is not finite and in the grid.
    pub fn flow_vector(&mut self, goal: GoalId, position: Vec2, movement: usize) -> Result<Vec2> {
        let vectors = self.flow_vectors(goal, &[position], movement)?;
        Ok(vectors[0])
    }

    /// [`Self::flow_vector`] for many positions.
    ///
    /// # Errors
    /// As there; the first bad position refuses them all.
    pub fn flow_vectors(
        &mut self,
        goal: GoalId,
        positions: &[Vec2],
        movement: usize,
    ) -> Result<Vec<Vec2>> {
        for &position in positions {
            self.grid.check_position("position", position)?;
        }
        let field = self.queried(goal, movement)?;
        if self.goal_mode(goal)? == GoalMode::Tiled {
            return self.tiled_directions(goal, movement, positions);
        }
        let grid = self.grid;
        let sample = |&at: &Vec2| match &field {
            Some(field) => field.sample_for(grid.to_cell_space(at), 0.0),
            None => Vec2::ZERO,
        };
        Ok(positions.iter().map(sample).collect())
    }

    /// The cost of the cheapest path from the cell at `position`, in cost units: cells on clear ground. `None` without
    /// a route. For a tiled goal it is the cost of the route, which crosses sector borders in the middles of portals
    /// and costs some percent more. The route is searched at once if needed.
    ///
    /// # Errors
    /// As for [`Self::flow_vector`].
    pub fn cost_to_goal(
        &mut self,
        goal: GoalId,
        position: Vec2,
        movement: usize,
    ) -> Result<Option<f64>> {
        let cell = self.grid.check_position("position", position)?;
        let field = self.queried(goal, movement)?;
        if self.goal_mode(goal)? == GoalMode::Tiled {
            if !self.costs(movement).is_open(cell) {
                return Ok(None);
            }
            return self.tiled_cost(goal, movement, cell);
        }
        Ok(field.and_then(|field| field.cost_at(cell)))
    }

    /// [`Self::cost_to_goal`] for many positions, on the workers if they are thousands and the goal is not tiled.
    ///
    /// # Errors
    /// As there; the first bad position refuses them all.
    pub fn costs_to_goal(
        &mut self,
        goal: GoalId,
        positions: &[Vec2],
        movement: usize,
    ) -> Result<Vec<Option<f64>>> {
        for &position in positions {
            self.grid.check_position("positions", position)?;
        }
        let field = self.queried(goal, movement)?;
        let grid = self.grid;
        if self.goal_mode(goal)? == GoalMode::Tiled {
            let cost = |&position: &Vec2| {
                let cell = grid.cell_at(position);
                if self.costs(movement).is_open(cell) {
                    self.tiled_cost(goal, movement, cell)
                } else {
                    Ok(None)
                }
            };
            return positions.iter().map(cost).collect();
        }
        let mut costs = vec![None; positions.len()];
        if let Some(field) = field {
            let length = self.workers.piece_length(positions.len(), POSITIONS);
            self.workers
                .for_each_chunk(&mut costs, length, |from, costs| {
                    for (cost, &position) in costs.iter_mut().zip(&positions[from..]) {
                        *cost = field.cost_at(grid.cell_at(position));
                    }
                });
        }
        Ok(costs)
    }

    /// The centres of the cells on the path from `position` to the goal, both ends included. Empty without a route. For
    /// a tiled goal the path follows tiles where there are any, and the route elsewhere, which is searched at once if
    /// needed.
    ///
    /// # Errors
    /// As for [`Self::flow_vector`].
    pub fn path_from(
        &mut self,
        goal: GoalId,
        position: Vec2,
        movement: usize,
    ) -> Result<Vec<Vec2>> {
        let path = self.cells_from(goal, position, movement)?;
        let centres = path.into_iter().map(|cell| self.grid.center_of(cell));
        Ok(centres.collect())
    }

    /// The cells of [`Self::path_from`].
    pub(super) fn cells_from(
        &mut self,
        goal: GoalId,
        position: Vec2,
        movement: usize,
    ) -> Result<Vec<IVec2>> {
        let cell = self.grid.check_position("position", position)?;
        let field = self.queried(goal, movement)?;
        if self.goal_mode(goal)? == GoalMode::Tiled {
            return self.tiled_path(goal, movement, cell);
        }
        Ok(field.map_or_else(Vec::new, |field| field.path_from(cell)))
    }

    /// The end of the link that the path from a position takes, as the centre of the link's last cell; `None` if
    /// walking is better. Agents take the link in their next step. A game that moves objects by [`Self::flow_vector`]
    /// should put them there.
    ///
    /// # Errors
    /// As for [`Self::flow_vector`].
    pub fn link_ahead(
        &mut self,
        goal: GoalId,
        position: Vec2,
        movement: usize,
    ) -> Result<Option<Vec2>> {
        let cell = self.grid.check_position("position", position)?;
        let field = self.queried(goal, movement)?;
        let end = if self.goal_mode(goal)? == GoalMode::Tiled {
            self.tiled_link(goal, movement, cell)?
        } else {
            field.and_then(|field| field.link_from(cell))
        };
        Ok(end.map(|end| self.grid.center_of(end)))
    }

    /// A finished field, built first if needed.
    ///
    /// # Errors
    /// An unknown goal or movement type; [`Error::NotWhole`] for a tiled goal.
    pub fn whole_field(&mut self, goal: GoalId, movement: usize) -> Result<Option<Arc<Field>>> {
        if self.goal_mode(goal)? == GoalMode::Tiled {
            return Err(Error::NotWhole { goal: goal.0 });
        }
        self.queried(goal, movement)
    }

    /// Why there is, or is not, a route from a finite `position`.
    ///
    /// # Errors
    /// An unknown goal or movement type, or a position that is not finite.
    pub fn query_status(
        &mut self,
        goal: GoalId,
        position: Vec2,
        movement: usize,
    ) -> Result<QueryStatus> {
        finite("position", position)?;
        let field = self.queried(goal, movement)?;
        let cell = self.grid.cell_at(position);
        if !self.grid.is_on_layer(cell) {
            return Ok(QueryStatus::OutOfBounds);
        }
        let is_tiled = self.goal_mode(goal)? == GoalMode::Tiled;
        if field.is_none() && !is_tiled {
            return Ok(QueryStatus::Pending);
        }
        if self.costs(movement).is_wall(cell) {
            return Ok(QueryStatus::StartBlocked);
        }
        // A closed cell may have a direction that leads out of it, but the agent does not fit there.
        let is_open = self.costs(movement).is_open(cell);
        if is_open
            && is_tiled
            && let Some(status) = self.tiled_status(goal, movement, cell)?
        {
            return Ok(status);
        }
        if is_open && field.is_some_and(|field| field.cost_at(cell).is_some()) {
            return Ok(QueryStatus::Ok);
        }
        if matches!(self.goal_kind(goal)?, GoalKind::Flee { .. }) {
            // Every open cell is safe, or leads as far away as possible.
            return Ok(QueryStatus::TooNarrow);
        }
        let targets: Vec<IVec2> = self
            .goal_targets(goal)?
            .iter()
            .map(|&target| self.grid.cell_at(target))
            .collect();
        if !is_tiled && self.has_outdated_field(goal, movement) {
            self.fresh_islands(movement);
            if self.layers[movement].leads_to_any(cell, &targets) {
                return Ok(QueryStatus::Pending);
            }
        }
        Ok(self.why_there_is_no_route(cell, &targets, movement))
    }

    /// The cost of entering a cell, wall penalty included; 255 is a wall, or too close to one for the
    /// movement type's clearance.
    ///
    /// # Errors
    /// A cell outside the grid or an unknown movement type.
    pub fn cost(&mut self, cell: IVec2, movement: usize) -> Result<u8> {
        self.check_movement(movement as i64)?;
        let cell = self.grid.check_cell(cell)?;
        Ok(self.fresh_costs(movement).cost_at(cell))
    }

    /// The costs of a movement type, with all edits.
    ///
    /// # Panics
    /// On an index that [`FlowWorld::check_movement`] refuses.
    pub fn fresh_costs(&mut self, movement: usize) -> &CostField {
        self.refresh_for_query();
        &self.layers[movement].costs
    }

    /// For every wall cell of a movement type within `radius` of `position`, its nearest point to `position`, row by
    /// row, in world units. The grid's edge does not count as a wall here.
    ///
    /// # Errors
    /// An unknown movement type, a position that is not finite, or a radius outside 0..=1e6.
    pub fn closest_walls(
        &mut self,
        position: Vec2,
        radius: f32,
        movement: usize,
    ) -> Result<Vec<Vec2>> {
        self.check_movement(movement as i64)?;
        finite("position", position)?;
        in_range("radius", radius, 0.0, 1.0e6)?;
        let grid = self.grid;
        let layers = *grid.layers();
        let mut walls = Vec::new();
        let costs = self.fresh_costs(movement);
        let point = grid.to_cell_space(position);
        costs.for_each_wall_near(point, radius / grid.cell_size(), |cell, closest| {
            if grid.is_on_layer(cell) && layers.at(grid.to_world(closest)) == layers.at(position) {
                walls.push(grid.to_world(closest));
            }
        });
        Ok(walls)
    }
}
