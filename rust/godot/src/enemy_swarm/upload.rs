//! Uploads of instance buffers to the engine's objects.

use super::canvas::Canvas;
use flow_swarm::swarm::{CustomData, InstanceLayout, Plane};
use godot::classes::multi_mesh::TransformFormat;
use godot::classes::{MultiMesh, RenderingServer};
use godot::prelude::*;

/// The bounds of all instances: the area in the plane, and the least and greatest height.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub(super) area: Rect2,
    pub(super) heights: (f32, f32),
    /// The least and greatest distance along y by which heights move instances in 2D.
    pub(super) offsets: (f32, f32),
    /// The greatest distance that an instance reaches beyond its agent's position.
    pub(super) reach: f32,
}

/// The format of a MultiMesh's instances.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Format {
    plane: Plane,
    color: bool,
    custom: bool,
}

impl Format {
    pub(super) fn of_layout(layout: &InstanceLayout) -> Self {
        Self {
            plane: layout.plane,
            color: layout.color,
            custom: layout.custom != CustomData::None,
        }
    }

    /// The format that a MultiMesh has now; a script may have changed it.
    pub(super) fn of(multimesh: &Gd<MultiMesh>) -> Self {
        Self {
            plane: match multimesh.get_transform_format() {
                TransformFormat::TRANSFORM_3D => Plane::Xz,
                _ => Plane::Xy,
            },
            color: multimesh.is_using_colors(),
            custom: multimesh.is_using_custom_data(),
        }
    }

    pub(super) fn has_color(self) -> bool {
        self.color
    }

    fn apply(self, multimesh: &mut Gd<MultiMesh>) {
        multimesh.set_transform_format(match self.plane {
            Plane::Xz => TransformFormat::TRANSFORM_3D,
            Plane::Xy => TransformFormat::TRANSFORM_2D,
        });
        multimesh.set_use_colors(self.color);
        multimesh.set_use_custom_data(self.custom);
    }
}

/// One drawing of a crowd, packed and ready for the engine.
pub(super) struct Upload {
    pub(super) canvas: Canvas,
    pub(super) multimesh: Gd<MultiMesh>,
    /// The format and the capacity to set first, if they change.
    pub(super) reshape: Option<(Format, usize)>,
    /// The bounds, if they have changed.
    pub(super) bounds: Option<Bounds>,
    pub(super) count: usize,
    pub(super) buffer: PackedFloat32Array,
}

impl Upload {
    /// Sets the format, capacity and bounds of the MultiMesh.
    ///
    /// No node may be bound, as this emits `changed`, whose handlers may call any method.
    pub(super) fn set_up(&mut self) {
        if let Some((format, capacity)) = self.reshape {
            let multimesh = &mut self.multimesh;
            // A change of the capacity resets the visible count in the renderer, but not in the MultiMesh.
            multimesh.set_visible_instance_count(0);
            multimesh.set_instance_count(0);
            format.apply(multimesh);
            multimesh.set_instance_count(capacity as i32);
        }
        if let Some(bounds) = self.bounds {
            self.set_bounds(bounds);
        }
    }

    /// Shows the agents and returns the buffer. Emits no signal.
    pub(super) fn fill(mut self) -> PackedFloat32Array {
        // A handler of `changed` may have changed the MultiMesh. The next drawing then sets it up anew.
        let (format, stride) = (Format::of(&self.multimesh), self.stride());
        let is_fit = self.multimesh.get_instance_count() as usize * stride == self.buffer.len();
        if is_fit && self.reshape.is_none_or(|(wanted, _)| wanted == format) {
            let mut server = RenderingServer::singleton();
            server.multimesh_set_buffer(self.multimesh.get_rid(), &self.buffer);
            if self.multimesh.get_visible_instance_count() != self.count as i32 {
                self.multimesh.set_visible_instance_count(self.count as i32);
            }
        }
        self.buffer
    }

    fn stride(&self) -> usize {
        let format = Format::of(&self.multimesh);
        let transform = if format.plane == Plane::Xz { 12 } else { 8 };
        transform + 4 * usize::from(format.color) + 4 * usize::from(format.custom)
    }

    /// Sets the bounds of all instances in the engine. Otherwise it would compute them from all instances at every
    /// upload, and in 2D wrongly (godotengine/godot#119151).
    fn set_bounds(&mut self, bounds: Bounds) {
        let reach = bounds.reach;
        let area = bounds.area.grow(reach);
        let (low, high) = bounds.heights;
        match &self.canvas {
            Canvas::Solid(_) => self.multimesh.set_custom_aabb(Aabb::new(
                Vector3::new(area.position.x, low - reach, area.position.y),
                Vector3::new(area.size.x, high - low + 2.0 * reach, area.size.y),
            )),
            Canvas::Flat(node) => {
                let (up, down) = bounds.offsets;
                let area = Rect2::new(
                    area.position + Vector2::new(0.0, up),
                    area.size + Vector2::new(0.0, down - up),
                );
                self.multimesh.set_custom_aabb(Aabb::new(
                    Vector3::new(area.position.x, area.position.y, -1.0),
                    Vector3::new(area.size.x, area.size.y, 2.0),
                ));
                if node.is_instance_valid() {
                    RenderingServer::singleton()
                        .canvas_item_set_custom_rect_ex(node.get_canvas_item(), true)
                        .rect(area)
                        .done();
                }
            }
        }
    }
}
