//! Heights of the ground of `FlowFieldManager`.

use super::FlowFieldManager;
use crate::convert::{cell_rect, vec2, vector2, vector3};
use crate::report::{OrRefuse, code, refuse};
use flow_swarm::error::finite;
use flow_swarm::{Vec2, world::FlowWorld};
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Sets the heights of the ground of a layer in world units, at most 1000000 up or down; terrain does not change. Where a layer has heights, 3D instances stand on them: they are absolute heights, so EnemySwarm.layer_height is not added, but EnemySwarm.height is.
    ///
    /// `heights` has one height for each corner of cells, (width + 1) * (height + 1) of them, or one for the centre of each cell; row by row. Each corner then gets the mean of the centres around it. Between corners heights are bilinear. NaN is a hole: agents that stand in one are drawn at the last height that was set there, or else at the height of the nearest corner that has one. Heights take 5 bytes a cell. A change of grid_size keeps the heights of corners that both grids have. After an error nothing is changed.
    #[func]
    fn set_heights(
        &mut self,
        heights: PackedFloat32Array,
        #[opt(default = 0)] layer: i64,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.set_heights";
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.set_heights(layer, heights.as_slice())),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Sets the heights of a rectangle of corners of a layer, row by row, as set_heights() does; all other heights stay. `rect` counts corners: corner (x, y) is the one of cell (x, y) with the least x and y, and there is one corner more than cells along each axis. `heights` has one height for each corner of the rectangle. The cost depends on the size of the rectangle. After an error nothing is changed.
    #[func]
    fn set_heights_rect(
        &mut self,
        rect: Rect2i,
        heights: PackedFloat32Array,
        #[opt(default = 0)] layer: i64,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.set_heights_rect";
        let Some(corners) = cell_rect(rect) else {
            let reason = format_args!("rect must have a size of 0 or more, not {rect}");
            refuse(METHOD, reason);
            return Error::ERR_INVALID_PARAMETER;
        };
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let set = world.set_heights_rect(layer, corners, heights.as_slice());
        code(METHOD, set)
    }

    /// Removes the heights of a layer. Its agents are drawn at EnemySwarm.height and layer_height again.
    #[func]
    fn clear_heights(&mut self, #[opt(default = 0)] layer: i64) -> Error {
        const METHOD: &str = "FlowFieldManager.clear_heights";
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.clear_heights(layer)),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Returns the heights of all corners of cells of a layer, row by row: (width + 1) * (height + 1) of them, in the order in which set_heights() takes them. NaN for holes and where no heights were set. Empty if the layer has no heights. If the layer does not exist, reports an error and returns an empty array.
    #[func]
    fn get_heights(&mut self, #[opt(default = 0)] layer: i64) -> PackedFloat32Array {
        const METHOD: &str = "FlowFieldManager.get_heights";
        let corners = self
            .world(METHOD)
            .and_then(|world| world.corner_heights(layer).or_refuse(METHOD));
        let heights = corners.filter(|all| all.iter().any(|height| !height.is_nan()));
        heights.unwrap_or_default().into()
    }

    /// Returns the height of the ground at a position, bilinear between the corners of its cell. `position` is a position on `layer`; for layer 0 it may also be one that on_layer() or a swarm has returned, which knows its layer. Returns NaN in holes, where no heights were set and outside the grid. If the position is not finite or the layer does not exist, reports an error and returns NaN.
    #[func]
    fn get_height(&mut self, position: Vector2, #[opt(default = 0)] layer: i64) -> f64 {
        const METHOD: &str = "FlowFieldManager.get_height";
        let place = self.ground_place(METHOD, position, layer);
        let height = place.and_then(|(world, place)| world.height_at(place));
        height.map_or(f64::NAN, f64::from)
    }

    /// Returns the place of the floor on which a thing stands, such as a body at its feet: the position by which all calls of managers and swarms refer to it. The layer is the one whose ground there is nearest at or below `position`, or else the lowest one above it, by the rule by which Node3Ds that are attached to agents are on a layer. The ground may be 0.1 above `position`, as physics lets bodies sink in a little. A cell at the edge of a floor counts as ground if one of its corners has a height.
    ///
    /// Where no layer has ground, as in a hole and outside the grid, the height is that at which agents would be drawn there, and get_height() of the result is NaN. Layers without heights are at height 0, and without any heights the layer is 0. If `position` is not finite, reports an error and returns Vector2.INF.
    #[func]
    fn get_place(&mut self, position: Vector3) -> Vector2 {
        const METHOD: &str = "FlowFieldManager.get_place";
        let nowhere = Vector2::new(f32::INFINITY, f32::INFINITY);
        if !position.is_finite() {
            refuse(
                METHOD,
                format_args!("position must be finite, not {position}"),
            );
            return nowhere;
        }
        let flat = vec2(Vector2::new(position.x, position.z));
        let place = self
            .world(METHOD)
            .and_then(|world| world.place_under(flat, position.y).or_refuse(METHOD));
        place.map_or(nowhere, vector2)
    }

    /// Returns the unit normal of the ground at a position: that of the plane through the heights half a cell away along x and z, so that it changes steadily from cell to cell. Returns Vector3.UP where get_height() returns NaN. See get_height().
    #[func]
    fn get_normal(&mut self, position: Vector2, #[opt(default = 0)] layer: i64) -> Vector3 {
        const METHOD: &str = "FlowFieldManager.get_normal";
        let place = self.ground_place(METHOD, position, layer);
        let normal = place.and_then(|(world, place)| world.normal_at(place));
        normal.map_or(Vector3::UP, vector3)
    }
}

impl FlowFieldManager {
    /// The world, and the place of a position on a layer; `None` after a report. Outside of the layer is no error.
    fn ground_place(
        &mut self,
        method: &str,
        position: Vector2,
        layer: i64,
    ) -> Option<(&FlowWorld, Vec2)> {
        let position = finite("position", vec2(position)).or_refuse(method)?;
        let world = self.world(method)?;
        let layers = world.grid().layers();
        let place = match layers.check(layer).or_refuse(method)? {
            // Places of other layers stay what they are.
            0 => position,
            layer => layers.place(position, layer),
        };
        Some((world, place))
    }
}
