//! Grid and terrain methods of `FlowFieldManager`.

use super::FlowFieldManager;
use crate::convert::{cell_rect, ivec2, vector2, vector2i};
use crate::painted::terrain_id;
use crate::report::{OrRefuse, code, refuse};
use flow_swarm::IVec2;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::terrain::{CLEAR, WALL};
use godot::global::Error;
use godot::prelude::*;

/// Converts cells that a script gives as vectors. `None`, after a report, if a coordinate is not a whole number.
pub(super) fn whole_cells(method: &str, cells: &PackedVector2Array) -> Option<Vec<IVec2>> {
    let mut whole = Vec::with_capacity(cells.len());
    for &cell in cells.as_slice() {
        // A cast of any other value would silently select another cell.
        if cell.x.fract() != 0.0 || cell.y.fract() != 0.0 || !cell.is_finite() {
            refuse(
                method,
                format_args!("cells must be whole numbers, not {cell}"),
            );
            return None;
        }
        whole.push(IVec2::new(cell.x as i32, cell.y as i32));
    }
    Some(whole)
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Returns the cell that contains a position. The cell may be outside the grid. If the position is not finite, reports an error and returns (-1, -1).
    #[func]
    fn get_cell(&mut self, position: Vector2) -> Vector2i {
        const METHOD: &str = "FlowFieldManager.get_cell";
        let outside = Vector2i::new(-1, -1);
        let position = crate::convert::vec2(position);
        if flow_swarm::error::finite("position", position)
            .or_refuse(METHOD)
            .is_none()
        {
            return outside;
        }
        match self.world(METHOD) {
            Some(world) => vector2i(world.grid().cell_at(position)),
            None => outside,
        }
    }

    /// Returns the world position of the centre of a cell. The cell may be outside the grid.
    #[func]
    fn get_cell_center(&mut self, cell: Vector2i) -> Vector2 {
        match self.world("FlowFieldManager.get_cell_center") {
            Some(world) => vector2(world.grid().center_of(ivec2(cell))),
            None => Vector2::ZERO,
        }
    }

    /// Returns `true` if a cell is in the grid.
    #[func]
    fn is_in_grid(&mut self, cell: Vector2i) -> bool {
        let world = self.world("FlowFieldManager.is_in_grid");
        world.is_some_and(|world| world.grid().is_on_layer(ivec2(cell)))
    }

    /// Returns the rectangle that the grid covers, in world units. It is the same for every layer.
    #[func]
    pub fn get_bounds(&mut self) -> Rect2 {
        match self.world("FlowFieldManager.get_bounds") {
            Some(world) => {
                let size = world.grid().layer_size().as_vec2() * world.grid().cell_size();
                Rect2::new(vector2(world.grid().origin()), vector2(size))
            }
            None => Rect2::default(),
        }
    }

    /// Returns the terrain id of a cell, including stamps. If the cell is outside the grid, reports an error and returns -1.
    #[func]
    fn get_terrain_at(&mut self, cell: Vector2i) -> i64 {
        const METHOD: &str = "FlowFieldManager.get_terrain_at";
        let Some(world) = self.world(METHOD) else {
            return -1;
        };
        let id = world.terrain().get(ivec2(cell)).or_refuse(METHOD);
        id.map_or(-1, i64::from)
    }

    /// Sets the terrain id, 0 to 255, of a cell. With the default movement type the id is the cost: 1 is clear ground, 255 is a wall. Painting under a stamp, by this method or any other, becomes visible when the stamp is removed.
    #[func]
    fn set_terrain(&mut self, cell: Vector2i, id: i64) -> Error {
        const METHOD: &str = "FlowFieldManager.set_terrain";
        let Some(id) = terrain_id(METHOD, id) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.set_terrain(ivec2(cell), id)),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Sets the terrain id, 0 to 255, of all cells in a rectangle. The whole rectangle must be in the grid; otherwise nothing is changed.
    #[func]
    fn set_terrain_rect(&mut self, rect: Rect2i, id: i64) -> Error {
        const METHOD: &str = "FlowFieldManager.set_terrain_rect";
        let Some(id) = terrain_id(METHOD, id) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        let Some(cells) = cell_rect(rect) else {
            refuse(
                METHOD,
                format_args!("rect must have a size of 0 or more, not {rect}"),
            );
            return Error::ERR_INVALID_PARAMETER;
        };
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.set_terrain_rect(cells, id)),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Replaces the whole terrain of a layer. `bytes` has one terrain id for each cell, row by row.
    #[func]
    fn set_terrain_bytes(
        &mut self,
        bytes: PackedByteArray,
        #[opt(default = 0)] layer: i64,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.set_terrain_bytes";
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.set_layer_bytes(layer, bytes.as_slice())),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Replaces the terrain of a rectangle of cells. The whole rectangle must be in the grid. `bytes` has one terrain id for each cell of the rectangle, row by row.
    #[func]
    fn set_terrain_rect_bytes(&mut self, rect: Rect2i, bytes: PackedByteArray) -> Error {
        const METHOD: &str = "FlowFieldManager.set_terrain_rect_bytes";
        let Some(cells) = cell_rect(rect) else {
            refuse(
                METHOD,
                format_args!("rect must have a size of 0 or more, not {rect}"),
            );
            return Error::ERR_INVALID_PARAMETER;
        };
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.set_terrain_block(cells, bytes.as_slice())),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Returns the whole terrain of a layer, including stamps: one terrain id for each cell, row by row.
    #[func]
    fn get_terrain_bytes(&mut self, #[opt(default = 0)] layer: i64) -> PackedByteArray {
        const METHOD: &str = "FlowFieldManager.get_terrain_bytes";
        match self.world(METHOD).map(|world| world.terrain().to_bytes()) {
            Some(ids) => self.part(METHOD, &ids, layer).into(),
            None => PackedByteArray::new(),
        }
    }

    /// Turns cells into walls (terrain id 255) or, if `wall` is `false`, into clear ground (terrain id 1). Cells must have whole coordinates. If a cell is outside the grid, no cell is changed.
    #[func]
    fn set_walls(&mut self, cells: PackedVector2Array, #[opt(default = true)] wall: bool) -> Error {
        const METHOD: &str = "FlowFieldManager.set_walls";
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let Some(cells) = whole_cells(METHOD, &cells) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        for &cell in &cells {
            if world.grid().check_cell(cell).or_refuse(METHOD).is_none() {
                return Error::ERR_INVALID_PARAMETER;
            }
        }
        let id = if wall { WALL } else { CLEAR };
        for cell in cells {
            world.set_terrain(cell, id).or_refuse(METHOD);
        }
        Error::OK
    }

    /// Returns the cost of entering a cell, including wall penalty, crowd penalty and cost overlays: 1 to 254, or 255 for a wall and for a cell that is closed by the movement type's clearance. If the cell is outside the grid, reports an error and returns -1.
    #[func]
    fn get_cost(&mut self, cell: Vector2i, #[opt(default = 0)] movement_type: i64) -> i64 {
        const METHOD: &str = "FlowFieldManager.get_cost";
        let Some(world) = self.world(METHOD) else {
            return -1;
        };
        let Some(movement) = world.check_movement(movement_type).or_refuse(METHOD) else {
            return -1;
        };
        let cost = world.cost(ivec2(cell), movement).or_refuse(METHOD);
        cost.map_or(-1, i64::from)
    }

    /// Returns the cost of entering each cell of a layer, row by row: see get_cost().
    #[func]
    fn get_costs(
        &mut self,
        #[opt(default = 0)] movement_type: i64,
        #[opt(default = 0)] layer: i64,
    ) -> PackedByteArray {
        const METHOD: &str = "FlowFieldManager.get_costs";
        let Some(world) = self.world(METHOD) else {
            return PackedByteArray::new();
        };
        match world.check_movement(movement_type).or_refuse(METHOD) {
            Some(movement) => {
                let costs = world.fresh_costs(movement).to_bytes();
                self.part(METHOD, &costs, layer).into()
            }
            None => PackedByteArray::new(),
        }
    }
}

/// The cells that an import fills.
pub(super) struct ImportPart {
    /// The grid of one layer, and the rectangle in it.
    pub(super) grid: Grid,
    pub(super) cells: CellRect,
    /// The cells of that rectangle on the layer that is filled.
    pub(super) places: CellRect,
}

/// The cells that an import into a layer fills; without a rectangle, the whole layer. `None`, after a report, if the
/// layer does not exist or the rectangle is not in it.
pub(super) fn part_of_layer(
    method: &str,
    grid: &Grid,
    cells: Rect2i,
    layer: i64,
) -> Option<ImportPart> {
    let layer = grid.layers().check(layer).or_refuse(method)?;
    let all = grid.layers().cells(layer, grid.width());
    let grid = grid.one_layer();
    let part = if cells == Rect2i::default() {
        Some(grid.cells())
    } else {
        cell_rect(cells).filter(|part| {
            !part.is_empty() && grid.contains(part.low) && grid.contains(part.high - IVec2::ONE)
        })
    };
    let Some(part) = part else {
        let size = vector2i(grid.size());
        let reason = format_args!("cells must be a rectangle in the grid of {size}, not {cells}");
        refuse(method, reason);
        return None;
    };
    Some(ImportPart {
        grid,
        cells: part,
        places: CellRect {
            low: part.low + all.low,
            high: part.high + all.low,
        },
    })
}
