//! Cost overlay methods of `FlowFieldManager`.

use super::FlowFieldManager;
use super::image_import::{in_format, luminance};
use crate::convert::{f32_from, ivec2, vec2};
use crate::report::{OrRefuse, code, refuse};
use flow_swarm::error::{Result, in_range};
use flow_swarm::movement::{CostOverlay, OverlayId};
use godot::classes::Image;
use godot::classes::image::Format;
use godot::global::Error;
use godot::prelude::*;

/// What a pixel of full brightness costs more.
const MOST: i64 = 253;

impl FlowFieldManager {
    /// Adds an overlay, or reports why not. Returns its id, or 0.
    fn add_cost_overlay(
        &mut self,
        method: &str,
        overlay: Result<CostOverlay>,
        position: Vector2,
        (fading, movement_types): (f64, i64),
    ) -> i64 {
        let overlay = overlay.and_then(|overlay| overlay.with_fading(fading));
        let Some(overlay) = overlay.or_refuse(method) else {
            return 0;
        };
        let overlay = overlay.with_movement_types(movement_types.cast_unsigned());
        let Some(world) = self.world(method) else {
            return 0;
        };
        let added = world.add_cost_overlay(vec2(position), &overlay);
        added.or_refuse(method).map_or(0, |id| id.0)
    }
}

/// A block with a share of `cost` for each pixel; `None` after a report.
fn block_of(method: &str, image: Option<Gd<Image>>, cost: i64) -> Option<Result<CostOverlay>> {
    let cost = in_range("cost", cost, 1, MOST).or_refuse(method)?;
    let Some(image) = image.filter(|image| !image.is_empty()) else {
        refuse(method, "image must not be null or empty");
        return None;
    };
    let Some(image) = in_format(&image, Format::RGBA8) else {
        let format = image.get_format();
        refuse(
            method,
            format_args!("image cannot be read in format {format:?}"),
        );
        return None;
    };
    let size = image.get_size();
    let pixels = image.get_data();
    // Mipmaps follow after the pixels.
    let count = size.x as usize * size.y as usize;
    let pixels = pixels.as_slice().chunks_exact(4).take(count);
    const FULL: u32 = 255 * 255;
    let share = |pixel: &[u8]| {
        let brightness = u32::from(luminance(pixel)) * u32::from(pixel[3]);
        ((cost as u32 * brightness + FULL / 2) / FULL) as u8
    };
    let costs: Vec<u8> = pixels.map(share).collect();
    Some(CostOverlay::block(ivec2(size), &costs))
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Adds a cost overlay in the shape of a circle: the cells whose centres are inside, and the cell of the position itself, cost `cost` more, 1 to 253, so that paths lead around it where the detour is worth it. Returns an id for move_cost_overlay() and remove_cost_overlay(), or 0 after an error.
    ///
    /// Overlays add up, and the cost of a cell stops at 254. They open and close no cell: what is reachable stays reachable, and an agent that has no other way walks through. They do not change terrain or the speed of agents. The part of an overlay that is outside the grid, or the layer of the position, has no effect; an overlay without any cell in it is an error.
    ///
    /// With `fading` the costs fall to 0 within this time in seconds, in four equal steps, and the overlay is removed with the last. Costs fall at most four times a second, for all overlays together, so a step may be a quarter of a second late. The time is that of physics frames in which the manager is processed, and of fade_cost_overlays(). With 0 it stays until it is removed.
    ///
    /// `movement_types` has a bit for each movement type that avoids the overlay: 1 for the type with index 0, 2 for index 1, 4 for index 2, and their sum for several. -1 stands for all, including those that are added later.
    #[func]
    fn add_cost_circle(
        &mut self,
        position: Vector2,
        radius: f64,
        cost: i64,
        #[opt(default = 0.0)] fading: f64,
        #[opt(default = -1)] movement_types: i64,
    ) -> i64 {
        const METHOD: &str = "FlowFieldManager.add_cost_circle";
        let overlay = CostOverlay::circle(f32_from(radius), cost);
        self.add_cost_overlay(METHOD, overlay, position, (fading, movement_types))
    }

    /// Adds a cost overlay in the shape of a rectangle: the cells whose centres are inside cost `cost` more, 1 to 253. A rectangle that is narrower than a cell covers one row or column. On a layer above the lowest, the position of the rectangle is given in the form that on_layer() returns. See add_cost_circle() for everything else.
    #[func]
    fn add_cost_rect(
        &mut self,
        rect: Rect2,
        cost: i64,
        #[opt(default = 0.0)] fading: f64,
        #[opt(default = -1)] movement_types: i64,
    ) -> i64 {
        const METHOD: &str = "FlowFieldManager.add_cost_rect";
        let overlay = CostOverlay::rect(vec2(rect.size), cost);
        self.add_cost_overlay(METHOD, overlay, rect.position, (fading, movement_types))
    }

    /// Adds a cost overlay from an image with one pixel for each cell. The pixel with the least x and y is laid on the cell at `position`. A white pixel costs `cost` more, 1 to 253, a darker or more transparent one accordingly less: `cost` times its luminance, as of Color.get_luminance(), times its alpha, rounded. See add_cost_circle() for everything else.
    #[func]
    fn add_cost_image(
        &mut self,
        image: Option<Gd<Image>>,
        position: Vector2,
        cost: i64,
        #[opt(default = 0.0)] fading: f64,
        #[opt(default = -1)] movement_types: i64,
    ) -> i64 {
        const METHOD: &str = "FlowFieldManager.add_cost_image";
        let Some(overlay) = block_of(METHOD, image, cost) else {
            return 0;
        };
        self.add_cost_overlay(METHOD, overlay, position, (fading, movement_types))
    }

    /// Moves a cost overlay: the centre of a circle, or the corner of a rectangle or image with the least x and y, to a position, possibly on another layer. It goes on fading.
    #[func]
    fn move_cost_overlay(&mut self, id: i64, position: Vector2) -> Error {
        const METHOD: &str = "FlowFieldManager.move_cost_overlay";
        match self.world(METHOD) {
            Some(world) => code(
                METHOD,
                world.move_cost_overlay(OverlayId(id), vec2(position)),
            ),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Removes a cost overlay. The costs are then as if it had never been there. An overlay that has faded no longer exists: see has_cost_overlay().
    #[func]
    fn remove_cost_overlay(&mut self, id: i64) -> Error {
        const METHOD: &str = "FlowFieldManager.remove_cost_overlay";
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.remove_cost_overlay(OverlayId(id))),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Removes all cost overlays.
    #[func]
    fn clear_cost_overlays(&mut self) {
        if let Some(world) = self.world("FlowFieldManager.clear_cost_overlays") {
            world.clear_cost_overlays();
        }
    }

    /// Returns `true` if a cost overlay has been neither removed nor faded away.
    #[func]
    fn has_cost_overlay(&mut self, id: i64) -> bool {
        let world = self.world("FlowFieldManager.has_cost_overlay");
        world.is_some_and(|world| world.has_cost_overlay(OverlayId(id)))
    }

    /// Returns the ids of all cost overlays, in the order in which they were added.
    #[func]
    fn get_cost_overlays(&mut self) -> PackedInt64Array {
        match self.world("FlowFieldManager.get_cost_overlays") {
            Some(world) => world.cost_overlay_ids().map(|id| id.0).collect(),
            None => PackedInt64Array::new(),
        }
    }

    /// Lets cost overlays fade by a time in seconds. The manager does this in every physics frame in which it is processed. Call it for time that passes otherwise: the turns of a game, or a manager that is not in the scene tree.
    #[func]
    fn fade_cost_overlays(&mut self, seconds: f64) -> Error {
        const METHOD: &str = "FlowFieldManager.fade_cost_overlays";
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.fade_cost_overlays(seconds)),
            None => Error::ERR_UNCONFIGURED,
        }
    }
}
