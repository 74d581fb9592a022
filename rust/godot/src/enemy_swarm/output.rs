//! Drawing: one upload a step for each MultiMesh, of which there is one without looks.

use super::canvas::Canvas;
use super::drawn_mesh::DrawnMesh;
use super::enums::CustomData;
use super::look_plan::LookPlan;
use super::multimesh_claim::{MultiMeshClaim, Taken};
use super::upload::{Bounds, Format, Upload};
use super::warnings::IN_2D;
use super::{EnemySwarm, body_mesh, eye};
use crate::convert::milliseconds_since;
use crate::report::{OrRefuse, refuse, warn};
use flow_swarm::swarm::{self, Band, Channels, InstanceLayout, Plane};
use godot::classes::node::PhysicsInterpolationMode;
use godot::classes::{MultiMesh, MultiMeshInstance2D, Node};
use godot::prelude::*;
use std::time::Instant;

/// The state of the output between two drawings.
#[derive(Default)]
pub(super) struct Output {
    /// What is drawn, by channel: first the output's own MultiMesh, then those of looks. Empty without a claim.
    pub(super) meshes: Vec<DrawnMesh>,
    /// The bands of each type that the channels were made from.
    bands: Vec<Vec<Band>>,
    channels: Channels,
    /// Whether an upload is in progress. Drawing from a handler meanwhile is skipped.
    is_sending: bool,
    /// Whether the error that another swarm draws with the node has been reported.
    is_reported: bool,
}

impl Output {
    /// Makes the next drawing set up the node anew. The instances drawn so far disappear.
    pub(super) fn forget_node(&mut self) {
        *self = Self {
            is_sending: self.is_sending,
            ..Self::default()
        };
    }

    /// Makes the next drawing read the manager's bounds anew.
    pub(super) fn forget_bounds(&mut self) {
        self.meshes.iter_mut().for_each(DrawnMesh::forget_bounds);
    }

    /// Whether any instances are shown.
    pub(super) fn is_showing(&self) -> bool {
        self.meshes.iter().any(|mesh| mesh.shown() > 0)
    }

    /// The output's own mesh, if its node still draws with it.
    fn own(&self) -> Option<&DrawnMesh> {
        self.meshes.first().filter(|mesh| mesh.current().is_some())
    }

    /// Takes over the channels of looks. `made` has the meshes that are new, by channel; the others stay.
    pub(super) fn set_looks(&mut self, plan: LookPlan, made: Vec<Option<DrawnMesh>>) {
        self.meshes.truncate(1 + made.len());
        for (index, mesh) in made.into_iter().enumerate() {
            match (mesh, self.meshes.get_mut(1 + index)) {
                (Some(mesh), Some(old)) => *old = mesh,
                (Some(mesh), None) => self.meshes.push(mesh),
                (None, Some(kept)) => kept.wear(&plan.dresses[index]),
                (None, None) => {}
            }
        }
        if self.bands != plan.bands {
            // The planned bands are within the core's limits.
            self.channels = Channels::new(&plan.bands).unwrap_or_default();
            self.bands = plan.bands;
        }
    }
}

impl EnemySwarm {
    /// Creates the default output node, for a swarm that has no output.
    pub(super) fn make_default_output(&mut self) {
        let mut node = MultiMeshInstance2D::new_alloc();
        node.set_name("Output");
        self.made_output = Some(node.instance_id());
        self.output = Some(node.clone().upcast());
        self.drawn.forget_node();
        self.base_mut().add_child(&node);
    }

    /// Frees the default output node, if the swarm is to draw with another one.
    pub(super) fn free_default_output(&mut self, next: Option<&Gd<Node>>) {
        let made = self
            .made_output
            .filter(|&made| next.is_none_or(|next| next.instance_id() != made));
        if let Some(mut node) = made.and_then(|node| Gd::<Node>::try_from_instance_id(node).ok()) {
            self.made_output = None;
            node.queue_free();
        }
    }

    /// Draws the agents at a fraction of the time from the step before to the last one. Does nothing without a manager.
    ///
    /// The swarm must not be bound: handlers of the output's signals may call any method.
    pub(super) fn draw(mut this: Gd<Self>, method: &str, fraction: f64) {
        let begin = Instant::now();
        let is_sending = this.bind_mut().drawn.is_sending;
        if is_sending || !Self::find_output(&mut this, method) || !this.bind_mut().visible {
            return;
        }
        if !this.bind_mut().is_ready_to_draw(method) {
            return;
        }
        this.bind_mut().drawn.is_sending = true;
        Self::sync_look_nodes(&mut this);
        if !this.is_instance_valid() {
            return;
        }
        let uploads = this.bind_mut().pack(method, fraction);
        let packed = milliseconds_since(begin);
        let begin = Instant::now();
        let mut uploads = uploads.unwrap_or_default();
        for (_, upload) in &mut uploads {
            upload.set_up();
            if !this.is_instance_valid() {
                return;
            }
        }
        let mut swarm = this.bind_mut();
        swarm.drawn.is_sending = false;
        for (channel, upload) in uploads {
            // A handler may have changed the swarm's output.
            if let Some(mesh) = swarm.drawn.meshes.get_mut(channel) {
                mesh.show(upload);
            }
        }
        swarm.timings.pack = packed;
        swarm.timings.upload = milliseconds_since(begin);
    }

    /// Hides all agents until they are drawn again.
    pub(super) fn hide(&mut self) {
        self.drawn.meshes.iter_mut().for_each(DrawnMesh::hide);
    }

    /// Claims the output as soon as the node is ready: the output of a duplicate still shows the agents of the
    /// original.
    pub(super) fn claim_output(mut this: Gd<Self>) {
        const PROPERTY: &str = "EnemySwarm.output";
        // Scripts have had the time to set another one.
        let is_lost = this.bind_mut().draws_3d_scene_in_2d();
        if is_lost {
            warn(PROPERTY, IN_2D);
        }
        Self::find_output(&mut this, PROPERTY);
    }

    /// Makes sure that the swarm has claimed a MultiMesh to draw with. Returns false if it has none.
    fn find_output(this: &mut Gd<Self>, method: &str) -> bool {
        let (output, preset) = {
            let mut swarm = this.bind_mut();
            if swarm.drawn.own().is_some() {
                return true;
            }
            let is_reported = swarm.drawn.is_reported;
            swarm.drawn.forget_node();
            swarm.drawn.is_reported = is_reported;
            let output = swarm.get_output();
            if output.is_none() && swarm.output.take().is_some() {
                let reason = "the output node has been freed: agents are no longer drawn";
                refuse(method, reason);
            }
            (output, swarm.custom_data_preset)
        };
        // The setter refuses all other nodes.
        let Some(mut canvas) = output.and_then(|node| Canvas::of(&node)) else {
            return false;
        };
        let multimesh = canvas.multimesh().unwrap_or_else(|| {
            let multimesh = plain_multimesh(&canvas, preset);
            canvas.set_multimesh(&multimesh);
            multimesh
        });
        let claim = match MultiMeshClaim::new(&multimesh, &canvas.node()) {
            Ok(claim) => claim,
            Err(Taken::WithNode) => {
                let mut swarm = this.bind_mut();
                if !std::mem::replace(&mut swarm.drawn.is_reported, true) {
                    let name = canvas.node().get_name();
                    let reason =
                        format_args!("the output {name} draws the agents of another swarm");
                    refuse(method, reason);
                }
                return false;
            }
            Err(Taken::ByAnotherNode) => {
                let own = multimesh.duplicate_resource();
                canvas.set_multimesh(&own);
                match MultiMeshClaim::new(&own, &canvas.node()) {
                    Ok(claim) => claim,
                    Err(_) => return false,
                }
            }
        };
        // Every step replaces all instances. The engine would interpolate their custom data too.
        let mut node = canvas.node();
        node.set_physics_interpolation_mode(PhysicsInterpolationMode::OFF);
        if !this.is_instance_valid() {
            return false;
        }
        let mut swarm = this.bind_mut();
        swarm.drawn.meshes = vec![DrawnMesh::new(canvas, claim, None)];
        true
    }

    /// Applies the properties before a drawing. Returns false without a manager.
    fn is_ready_to_draw(&mut self, method: &str) -> bool {
        let is_ready = self.live_manager(method).is_some();
        if is_ready {
            self.sync_properties(method);
        }
        is_ready
    }

    /// Packs the visible agents by channel; `None` if they cannot be drawn.
    fn pack(&mut self, method: &str, fraction: f64) -> Option<Vec<(usize, Upload)>> {
        let mut manager = self.live_manager(method)?;
        let mut manager = manager.bind_mut();
        manager.world(method)?;
        let area = manager.get_bounds();
        let world = manager.world_ref()?;
        let own = self.drawn.own()?;
        let canvas = own.canvas.clone();
        let plane = canvas.plane();

        // A MultiMesh that has colours keeps them: every change of its format clears it.
        let format = Format::of(own.current()?);
        let core = self.core_form().or_refuse(method)?;
        let mut layout = InstanceLayout {
            plane,
            color: format.has_color() || self.swarm.has_colors(),
            ..core.layout
        };
        // In 3D the Compatibility renderer gives shaders an undefined COLOR if there is custom data and no colour.
        layout.color |= plane == Plane::Xz && layout.custom != swarm::CustomData::None;
        self.swarm.set_ground(world.ground());
        let extent = self.extent();
        let mut view = self.view(core.view, &canvas, extent, fraction);
        if self.drawn.meshes.len() > 1 {
            view.eye = eye::of(&canvas);
        }
        let offsets = self.swarm.drawn_offsets(layout.height_offset_2d);
        let bounds = Bounds {
            area,
            heights: self.swarm.drawn_heights(world, layout.height),
            offsets,
            // At least a square of the width, turned.
            reach: self.swarm.greatest_width(layout.size) * extent.reach().max(1.0) + view.margin,
        };
        let workers = world.workers();
        let Output {
            meshes, channels, ..
        } = &mut self.drawn;
        let chosen = self
            .swarm
            .instances_by_channel(&layout, &view, channels, &mut self.packer, workers)
            .or_refuse(method)?;
        let mut uploads = Vec::with_capacity(meshes.len());
        for (channel, mesh) in meshes.iter_mut().enumerate() {
            let packed = mesh.pack(&chosen.of(channel), &layout, bounds, workers);
            uploads.extend(packed.or_refuse(method)?.map(|upload| (channel, upload)));
        }
        Some(uploads)
    }
}

/// The MultiMesh for a node that has none.
fn plain_multimesh(canvas: &Canvas, custom_data_preset: CustomData) -> Gd<MultiMesh> {
    let mesh = match canvas {
        Canvas::Flat(_) if custom_data_preset == CustomData::CUSTOM_SPRITE => body_mesh::sprite(),
        Canvas::Flat(_) => body_mesh::flat(),
        Canvas::Solid(_) => body_mesh::solid(),
    };
    let mut multimesh = MultiMesh::new_gd();
    multimesh.set_mesh(&mesh);
    multimesh
}
