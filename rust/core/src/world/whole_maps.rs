//! Queries about all cells, for showing or analysing a whole map.

use crate::error::Result;
use crate::world::FlowWorld;
use glam::IVec2;

impl FlowWorld {
    /// The number of each cell's island, row-major, as [`Self::island_at`] has it. Linear in the cells.
    ///
    /// # Errors
    /// An unknown movement type.
    pub fn island_map(&mut self, movement: usize) -> Result<Vec<Option<u32>>> {
        self.check_movement(movement as i64)?;
        let grid = self.grid;
        let islands = self.fresh_islands(movement);
        Ok(grid_cells(&grid).map(|cell| islands.at(cell)).collect())
    }

    /// For every cell, row-major, whether it is not a wall but too narrow for a movement type. Linear in the cells.
    ///
    /// # Errors
    /// An unknown movement type.
    pub fn closed_map(&mut self, movement: usize) -> Result<Vec<bool>> {
        self.check_movement(movement as i64)?;
        let grid = self.grid;
        let costs = self.fresh_costs(movement);
        Ok(grid_cells(&grid)
            .map(|cell| !costs.is_open(cell) && !costs.is_wall(cell))
            .collect())
    }
}

fn grid_cells(grid: &crate::grid::Grid) -> impl Iterator<Item = IVec2> {
    (0..grid.cell_count()).map(|index| grid.cell(index))
}
