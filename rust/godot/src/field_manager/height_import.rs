//! Terrain and heights of the ground from arrays and images.

use super::FlowFieldManager;
use super::image_import::in_format;
use crate::report::{code, refuse};
use flow_swarm::import::Slope;
use godot::classes::Image;
use godot::classes::image::Format;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Makes terrain from heights in world units, and keeps them as the heights of the ground, as set_heights() does. Flat ground costs 1, slopes of up to `max_slope` degrees cost up to `max_slope_cost`, and steeper ground is a wall. The cost grows with the rise: 1 + (max_slope_cost - 1) * tan(slope) / tan(max_slope), rounded. `max_slope_cost` is from 1 to 254.
    ///
    /// `heights` has one height for each corner of cells, (width + 1) * (height + 1) of them, as in HeightMapShape3D.map_data, or one for the centre of each cell; row by row. The slope of a cell is the steepest of the planes through three of its corners, or through its centre and the centres of two neighbours. A height that is NaN is a hole, and its cells are walls. `layer` is the layer of the grid that is filled. With `keep_terrain` terrain ids stay where the slope is at most `max_slope`, so that swamp on a slope stays swamp; steeper ground and holes still become walls. After an error nothing is changed.
    #[func]
    fn load_height_map(
        &mut self,
        heights: PackedFloat32Array,
        #[opt(default = 45.0)] max_slope: f64,
        #[opt(default = 8)] max_slope_cost: i64,
        #[opt(default = 0)] layer: i64,
        #[opt(default = false)] keep_terrain: bool,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.load_height_map";
        let slopes = (max_slope, max_slope_cost);
        self.load_heights(METHOD, heights.as_slice(), slopes, layer, keep_terrain)
    }

    /// Makes terrain and heights from the red channel of an image, multiplied by `height_scale`, as load_height_map() does. The image has one pixel for each cell, or one for each corner of cells. Formats of 8 bits have heights from 0 to 1 in coarse steps; FORMAT_RF has any heights.
    #[func]
    fn load_height_image(
        &mut self,
        image: Option<Gd<Image>>,
        #[opt(default = 1.0)] height_scale: f64,
        #[opt(default = 45.0)] max_slope: f64,
        #[opt(default = 8)] max_slope_cost: i64,
        #[opt(default = 0)] layer: i64,
        #[opt(default = false)] keep_terrain: bool,
    ) -> Error {
        const METHOD: &str = "FlowFieldManager.load_height_image";
        let size = self.grid_size;
        let Some(image) = image.filter(|image| !image.is_empty()) else {
            refuse(METHOD, "image must not be null or empty");
            return Error::ERR_INVALID_PARAMETER;
        };
        let actual = image.get_size();
        if actual != size && actual != size + Vector2i::ONE {
            let corners = size + Vector2i::ONE;
            let reason = format_args!("image must be of size {size} or {corners}, not {actual}");
            refuse(METHOD, reason);
            return Error::ERR_INVALID_PARAMETER;
        }
        if !height_scale.is_finite() {
            let reason = format_args!("height_scale must be finite, not {height_scale}");
            refuse(METHOD, reason);
            return Error::ERR_INVALID_PARAMETER;
        }
        let Some(image) = in_format(&image, Format::RF) else {
            let format = image.get_format();
            refuse(
                METHOD,
                format_args!("image cannot be read in format {format:?}"),
            );
            return Error::ERR_INVALID_DATA;
        };
        let pixels = image.get_data().to_float32_array();
        let count = actual.x as usize * actual.y as usize;
        let scale = crate::convert::f32_from(height_scale);
        let heights = pixels.as_slice().iter().take(count);
        let heights: Vec<f32> = heights.map(|height| height * scale).collect();
        let slopes = (max_slope, max_slope_cost);
        self.load_heights(METHOD, &heights, slopes, layer, keep_terrain)
    }
}

impl FlowFieldManager {
    /// Makes terrain from heights, and keeps them.
    pub(super) fn load_heights(
        &mut self,
        method: &str,
        heights: &[f32],
        (max_slope, max_slope_cost): (f64, i64),
        layer: i64,
        keep_terrain: bool,
    ) -> Error {
        if !(0.01..=89.99).contains(&max_slope) {
            let reason = format_args!("max_slope must be from 0.01 to 89.99, not {max_slope}");
            refuse(method, reason);
            return Error::ERR_INVALID_PARAMETER;
        }
        let Some(world) = self.world(method) else {
            return Error::ERR_UNCONFIGURED;
        };
        let limit = crate::convert::f32_from(max_slope.to_radians().tan());
        let loaded = Slope::new(limit, max_slope_cost)
            .and_then(|slope| world.load_heights(layer, heights, &slope, keep_terrain));
        code(method, loaded)
    }
}
