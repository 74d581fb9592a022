//! Heights of the ground from objects of a scene: `HeightMapShape3D` and the Terrain3D addon.

use super::FlowFieldManager;
use super::height_shape::HeightShape;
use crate::report::OrRefuse;
use flow_swarm::Vec2;
use flow_swarm::grid::Grid;
use godot::classes::{CollisionShape3D, HeightMapShape3D, Node};
use godot::global::Error;
use godot::prelude::*;

/// The properties in which versions of Terrain3D have the object that knows heights.
const DATA_PROPERTIES: [&str; 2] = ["data", "storage"];
const GET_HEIGHT: &str = "get_height";

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Makes terrain and heights from a HeightMapShape3D, as load_height_map() does. `source` is a CollisionShape3D in the scene tree that has such a shape, or the shape itself. The shape is read bilinearly at each corner of cells, in the global transform of the node or, for a shape, in `transform`. Transforms may move and scale the shape and turn it around the y axis, but not tilt it. Corners outside the shape keep their heights, so a terrain may consist of several shapes; where there are none, and in holes of the shape (NaN), cells become walls. After an error nothing is changed.
    #[func]
    fn load_height_shape(
        &mut self,
        source: Option<Gd<Object>>,
        #[opt(default = Transform3D::IDENTITY)] transform: Transform3D,
        #[opt(default = 45.0)] max_slope: f64,
        #[opt(default = 8)] max_slope_cost: i64,
        #[opt(default = 0)] layer: i64,
        #[opt(default = false)] keep_terrain: bool,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.load_height_shape";
        let shape = shape_of(source, transform)
            .and_then(|(shape, transform)| HeightShape::new(&shape, transform));
        let Some(shape) = shape.or_refuse(METHOD) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        let Some(world) = self.world(METHOD) else {
            return Error::ERR_UNCONFIGURED;
        };
        let (grid, before) = (*world.grid(), world.corner_heights(layer));
        let Some(mut heights) = before.or_refuse(METHOD) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        for (height, corner) in heights.iter_mut().zip(corners(&grid)) {
            *height = shape.height_at(corner).unwrap_or(*height);
        }
        let slopes = (max_slope, max_slope_cost);
        self.load_heights(METHOD, &heights, slopes, layer, keep_terrain)
    }

    /// Makes terrain and heights from a node of the Terrain3D addon, as load_height_map() does. Its method `get_height(position: Vector3) -> float` is called once for each corner of cells: that of `node.data`, of `node.storage` in older versions, or of the node itself. Any node will do that has one of them. The result is NaN in holes and outside the terrain; cells with such a corner become walls. After an error nothing is changed.
    #[func(gd_self)]
    fn load_terrain_3d(
        mut this: Gd<Self>,
        node: Option<Gd<Node>>,
        #[opt(default = 45.0)] max_slope: f64,
        #[opt(default = 8)] max_slope_cost: i64,
        #[opt(default = 0)] layer: i64,
        #[opt(default = false)] keep_terrain: bool,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.load_terrain_3d";
        let Some(grid) = this.bind_mut().world(METHOD).map(|world| *world.grid()) else {
            return Error::ERR_UNCONFIGURED;
        };
        // Scripts run: the manager is not bound.
        let heights = match node {
            Some(node) => heights_of(&node, &grid),
            None => Err("node must not be null".to_owned()),
        };
        let Some(heights) = heights.or_refuse(METHOD) else {
            return Error::ERR_INVALID_PARAMETER;
        };
        if !this.is_instance_valid() {
            return Error::ERR_UNAVAILABLE;
        }
        let slopes = (max_slope, max_slope_cost);
        let mut manager = this.bind_mut();
        manager.load_heights(METHOD, &heights, slopes, layer, keep_terrain)
    }
}

/// The world positions of all corners of a layer.
fn corners(grid: &Grid) -> impl Iterator<Item = Vec2> {
    let (grid, size) = (*grid, grid.layer_size());
    let all =
        (0..=size.y).flat_map(move |y| (0..=size.x).map(move |x| Vec2::new(x as f32, y as f32)));
    all.map(move |corner| grid.to_world(corner))
}

/// The shape of a node, or a shape itself, and its transform.
fn shape_of(
    source: Option<Gd<Object>>,
    transform: Transform3D,
) -> Result<(Gd<HeightMapShape3D>, Transform3D), String> {
    let Some(source) = source else {
        return Err("source must not be null".to_owned());
    };
    let source = match source.try_cast::<HeightMapShape3D>() {
        Ok(shape) => return Ok((shape, transform)),
        Err(source) => source,
    };
    let node = source.try_cast::<CollisionShape3D>().map_err(|source| {
        let class = source.get_class();
        format!("source must be a CollisionShape3D or a HeightMapShape3D, not a {class}")
    })?;
    let name = node.get_name();
    if !node.is_inside_tree() {
        return Err(format!("node {name} must be in the scene tree"));
    }
    let shape = node.get_shape();
    let shape = shape.and_then(|shape| shape.try_cast::<HeightMapShape3D>().ok());
    let shape = shape.ok_or_else(|| format!("node {name} must have a HeightMapShape3D"))?;
    Ok((shape, node.get_global_transform()))
}

/// The height at each corner, from a node with the methods of Terrain3D.
fn heights_of(node: &Gd<Node>, grid: &Grid) -> Result<Vec<f32>, String> {
    let mut data = data_of(node)?;
    let mut heights = Vec::new();
    for corner in corners(grid) {
        if !data.is_instance_valid() {
            return Err("the object of get_height() has been freed meanwhile".to_owned());
        }
        let at = Vector3::new(corner.x, 0.0, corner.y);
        let found = data.call(GET_HEIGHT, vslice![at]);
        let height = found
            .try_to::<f64>()
            .map_err(|_| format!("get_height({at}) must return a float, not {found}"))?;
        heights.push(crate::convert::f32_from(height));
    }
    Ok(heights)
}

/// The object that knows the heights of a terrain.
fn data_of(node: &Gd<Node>) -> Result<Gd<Object>, String> {
    let own: Gd<Object> = node.clone().upcast();
    let parts = DATA_PROPERTIES.map(|property| node.get(property).try_to::<Gd<Object>>().ok());
    let mut all = parts.into_iter().flatten().chain([own]);
    let found = all.find(|object| object.is_instance_valid() && object.has_method(GET_HEIGHT));
    found.ok_or_else(|| {
        let name = node.get_name();
        format!("neither node {name} nor its data has the method get_height() of Terrain3D")
    })
}
