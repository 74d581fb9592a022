//! Lines of sight, to a goal and between positions (Emerson, Game AI Pro, 23.6.2).

use crate::error::Result;
use crate::world::FlowWorld;
use crate::world::goal_id::GoalId;
use glam::Vec2;

impl FlowWorld {
    /// Whether a straight line from a position to one of the goal's exact targets crosses only ground of one cost: see
    /// [`crate::movement::CostField::has_line_of_sight`]. It sees every edit and builds no field. O(distance) for each
    /// target.
    ///
    /// # Errors
    /// An unknown goal or movement type, or a position that is not finite and in the grid.
    pub fn has_line_of_sight(
        &mut self,
        goal: GoalId,
        position: Vec2,
        movement: usize,
    ) -> Result<bool> {
        self.check_movement(movement as i64)?;
        self.grid.check_position("position", position)?;
        let targets = self.grid.points_at(self.goal_targets(goal)?);
        let from = self.grid.to_cell_space(position);
        let costs = self.fresh_costs(movement);
        Ok(targets
            .iter()
            .any(|&target| costs.has_line_of_sight(from, target)))
    }

    /// Whether the straight line between two positions crosses no wall of a movement type: see
    /// [`crate::movement::CostField::is_in_sight`]. Positions on different layers are not in sight of each other. It
    /// sees every edit. O(distance).
    ///
    /// # Errors
    /// An unknown movement type, or a position that is not finite and in the grid.
    pub fn is_in_sight(&mut self, from: Vec2, to: Vec2, movement: usize) -> Result<bool> {
        self.check_movement(movement as i64)?;
        self.grid.check_position("from", from)?;
        self.grid.check_position("to", to)?;
        let [from, to] = [from, to].map(|point| self.grid.to_cell_space(point));
        Ok(self.fresh_costs(movement).is_in_sight(from, to))
    }

    /// For every cell, row-major, 1 if [`Self::has_line_of_sight`] holds for its centre, otherwise 0; for showing or
    /// analysing a whole map. O(cells · distance), spread over the workers. On a large open map that takes far longer
    /// than a field.
    ///
    /// # Errors
    /// An unknown goal or movement type.
    pub fn sight_map(&mut self, goal: GoalId, movement: usize) -> Result<Vec<u8>> {
        self.check_movement(movement as i64)?;
        let grid = self.grid;
        let targets = grid.points_at(self.goal_targets(goal)?);
        self.refresh_for_query();
        let costs = self.costs(movement);
        let mut map = vec![0; grid.cell_count()];
        self.workers
            .for_each_chunk(&mut map, grid.width() as usize, |from, row| {
                for (x, seen) in row.iter_mut().enumerate() {
                    let middle = grid.cell(from + x).as_vec2() + 0.5;
                    let sees = |&target: &Vec2| costs.has_line_of_sight(middle, target);
                    *seen = u8::from(targets.iter().any(sees));
                }
            });
        Ok(map)
    }
}
