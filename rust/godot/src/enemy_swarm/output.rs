//! Drawing: one MultiMesh upload a step.

use super::stepping::milliseconds_since;
use super::{EnemySwarm, body_mesh};
use crate::convert::f32_from;
use crate::field_manager::FlowFieldManager;
use crate::report::{OrRefuse, refuse};
use flow_swarm::swarm::{CustomData, InstanceLayout, Plane};
use godot::classes::multi_mesh::TransformFormat;
use godot::classes::node::PhysicsInterpolationMode;
use godot::classes::{
    Mesh, MultiMesh, MultiMeshInstance2D, MultiMeshInstance3D, Node, RenderingServer,
};
use godot::prelude::*;
use std::time::Instant;

/// The fewest instances that a MultiMesh is given.
const LEAST_CAPACITY: usize = 64;
/// A MultiMesh of which less than a quarter has been used in so many uploads gives room back: every
/// upload copies all of it, what is not shown too.
const ROOMY_UPLOADS: u32 = 60;

/// A node that can draw a crowd.
pub(super) enum Canvas {
    /// In 2D.
    Flat(Gd<MultiMeshInstance2D>),
    /// In 3D.
    Solid(Gd<MultiMeshInstance3D>),
}

impl Canvas {
    /// The node as what it draws with; `None` if it draws no MultiMesh.
    pub(super) fn of(node: &Gd<Node>) -> Option<Self> {
        match node.clone().try_cast::<MultiMeshInstance2D>() {
            Ok(flat) => Some(Self::Flat(flat)),
            Err(node) => node.try_cast::<MultiMeshInstance3D>().ok().map(Self::Solid),
        }
    }
}

fn multimesh_of(mesh: &Gd<Mesh>) -> Gd<MultiMesh> {
    let mut multimesh = MultiMesh::new_gd();
    multimesh.set_mesh(mesh);
    multimesh
}

/// What has been set up on the output node.
#[derive(Default)]
pub(super) struct Output {
    node: Option<Gd<Node>>,
    mesh: Option<Gd<MultiMesh>>,
    plane: Option<Plane>,
    stride: usize,
    custom: bool,
    capacity: usize,
    /// For how many uploads in a row much of the capacity has been left over.
    roomy: u32,
    /// Whether instances have colours. Once there are any they stay: every change of the layout makes
    /// the MultiMesh anew.
    colors: bool,
    shown: usize,
    bounds: Option<Rect2>,
    /// Kept between steps, and filled in place by the workers.
    buffer: PackedFloat32Array,
}

impl Output {
    /// Has the next step set up the node anew.
    pub(super) fn forget_node(&mut self) {
        *self = Self::default();
    }

    /// Has the next step look up the manager's bounds anew.
    pub(super) fn forget_bounds(&mut self) {
        self.bounds = None;
    }

    /// Whether instances are drawn at the moment.
    pub(super) fn is_showing(&self) -> bool {
        self.shown > 0
    }
}

impl EnemySwarm {
    pub(super) fn make_default_output(&mut self) {
        let mut node = MultiMeshInstance2D::new_alloc();
        node.set_name("Output");
        self.base_mut().add_child(&node);
        self.output = Some(node.upcast());
        self.drawn.forget_node();
    }

    /// Packs the agents that are to be seen, at a fraction of the way from the step before to the last
    /// one, and uploads them, if there is a node to draw them.
    pub(super) fn redraw(&mut self, method: &str, manager: &mut FlowFieldManager, fraction: f64) {
        if !self.find_mesh(method) {
            return;
        }
        let bounds = manager.get_bounds();
        let plane = self.drawn.plane.unwrap_or(Plane::Xy);
        self.drawn.colors |= self.swarm.has_colors();
        let mut layout = self.layout(plane, self.drawn.colors);
        // In 3D the Compatibility renderer hands shaders a COLOR of nonsense where there is custom data
        // and no colour.
        layout.color |= plane == Plane::Xz && layout.custom != CustomData::None;
        let view = self.view(plane, bounds, fraction);
        let reach = self.greatest_reach();
        let layers = self.swarm.layers().count() - 1;
        let rise = layers as f32 * f32_from(self.layer_height);
        let heights = (layout.height + rise.min(0.0), layout.height + rise.max(0.0));
        let Some(world) = manager.world_ref() else {
            return;
        };
        let begin = Instant::now();
        let chosen = self
            .swarm
            .instances(&layout, &view, &mut self.packer, world.workers());
        let Some(chosen) = chosen.or_refuse(method) else {
            return;
        };
        self.drawn.fit(&layout, chosen.len());
        self.drawn.set_bounds(bounds, reach, heights);
        let buffer = self.drawn.buffer.as_mut_slice();
        chosen.write(buffer, world.workers()).or_refuse(method);
        let count = chosen.len();
        self.timings.pack = milliseconds_since(begin);
        let begin = Instant::now();
        self.drawn.upload(count);
        self.timings.upload = milliseconds_since(begin);
    }

    /// Draws, without a step.
    pub(super) fn draw_between(&mut self, method: &str, fraction: f64) {
        let Some(mut manager) = self.live_manager(method) else {
            return;
        };
        self.sync_properties(method);
        let mut manager = manager.bind_mut();
        if manager.world(method).is_some() {
            self.redraw(method, &mut manager, fraction);
        }
    }

    /// How far an instance reaches beyond its agent's position.
    fn greatest_reach(&self) -> f32 {
        let radii = self.swarm.types().iter().map(|kind| kind.radius);
        2.0 * radii.fold(0.0, f32::max) * f32_from(self.instance_size)
    }

    /// Makes sure that there is a MultiMesh to draw to.
    fn find_mesh(&mut self, method: &str) -> bool {
        if let Some(node) = &self.drawn.node
            && node.is_instance_valid()
        {
            return self.drawn.mesh.is_some();
        }
        self.drawn = Output::default();
        let Some(output) = self.get_output() else {
            if self.output.take().is_some() {
                refuse(
                    method,
                    "the output node has been freed: agents are no longer drawn",
                );
            }
            return false;
        };
        // The setter has let nothing else in.
        let Some(canvas) = Canvas::of(&output) else {
            return false;
        };
        self.drawn.node = Some(output.clone());
        match canvas {
            Canvas::Flat(mut node) => {
                let mesh = node.get_multimesh().unwrap_or_else(|| {
                    let mesh = multimesh_of(&match self.custom_data_preset {
                        Self::CUSTOM_SPRITE => body_mesh::sprite(),
                        _ => body_mesh::flat(),
                    });
                    node.set_multimesh(&mesh);
                    mesh
                });
                self.drawn.adopt(mesh, Plane::Xy);
            }
            Canvas::Solid(mut node) => {
                let mesh = node.get_multimesh().unwrap_or_else(|| {
                    let mesh = multimesh_of(&body_mesh::solid());
                    node.set_multimesh(&mesh);
                    mesh
                });
                self.drawn.adopt(mesh, Plane::Xz);
            }
        }
        // Agents are placed anew in every step; the engine would blend their custom data too.
        output
            .clone()
            .set_physics_interpolation_mode(PhysicsInterpolationMode::OFF);
        true
    }
}

impl Output {
    fn adopt(&mut self, mesh: Gd<MultiMesh>, plane: Plane) {
        self.mesh = Some(mesh);
        self.plane = Some(plane);
    }

    /// Gives the MultiMesh the layout, and room for `count` instances. Either change wipes its data,
    /// so room grows in powers of two.
    fn fit(&mut self, layout: &InstanceLayout, count: usize) {
        let needed = count.next_power_of_two().max(LEAST_CAPACITY);
        let is_roomy = 4 * needed <= self.capacity;
        self.roomy = if is_roomy { self.roomy + 1 } else { 0 };
        let is_too_roomy = self.roomy > ROOMY_UPLOADS;
        let (stride, custom) = (layout.stride(), layout.custom != CustomData::None);
        let is_same = self.stride == stride && self.custom == custom;
        if is_same && self.capacity >= count && self.capacity > 0 && !is_too_roomy {
            return;
        }
        let Some(mesh) = &mut self.mesh else {
            return;
        };
        (self.stride, self.custom) = (stride, custom);
        self.capacity = if is_too_roomy {
            needed
        } else {
            self.capacity.max(needed)
        };
        self.roomy = 0;
        // With its room the renderer forgets how many to show, but not the MultiMesh.
        self.shown = 0;
        mesh.set_visible_instance_count(0);
        mesh.set_instance_count(0);
        mesh.set_transform_format(match self.plane {
            Some(Plane::Xz) => TransformFormat::TRANSFORM_3D,
            _ => TransformFormat::TRANSFORM_2D,
        });
        mesh.set_use_colors(layout.color);
        mesh.set_use_custom_data(custom);
        mesh.set_instance_count(self.capacity as i32);
        self.buffer.resize(self.capacity * stride);
        self.bounds = None;
    }

    /// Tells the engine once where instances can be, which it would otherwise work out from all of
    /// them at every upload, and in 2D get wrong (godotengine/godot#119151).
    fn set_bounds(&mut self, bounds: Rect2, reach: f32, (low, high): (f32, f32)) {
        let bounds = bounds.grow(reach);
        if self.bounds == Some(bounds) {
            return;
        }
        self.bounds = Some(bounds);
        let (Some(mesh), Some(node)) = (&mut self.mesh, &self.node) else {
            return;
        };
        let (position, size) = (bounds.position, bounds.size);
        if self.plane == Some(Plane::Xz) {
            mesh.set_custom_aabb(Aabb::new(
                Vector3::new(position.x, low - reach, position.y),
                Vector3::new(size.x, high - low + 2.0 * reach, size.y),
            ));
            return;
        }
        mesh.set_custom_aabb(Aabb::new(
            Vector3::new(position.x, position.y, -1.0),
            Vector3::new(size.x, size.y, 2.0),
        ));
        if let Ok(node) = node.clone().try_cast::<MultiMeshInstance2D>() {
            RenderingServer::singleton()
                .canvas_item_set_custom_rect_ex(node.get_canvas_item(), true)
                .rect(bounds)
                .done();
        }
    }

    fn upload(&mut self, count: usize) {
        let Some(mesh) = &mut self.mesh else {
            return;
        };
        RenderingServer::singleton().multimesh_set_buffer(mesh.get_rid(), &self.buffer);
        if self.shown != count || mesh.get_visible_instance_count() != count as i32 {
            mesh.set_visible_instance_count(count as i32);
            self.shown = count;
        }
    }
}
