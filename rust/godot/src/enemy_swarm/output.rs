//! Drawing: one MultiMesh upload a step.

use super::canvas::Canvas;
use super::enums::CustomData;
use super::multimesh_claim::{MultiMeshClaim, Taken};
use super::stepping::milliseconds_since;
use super::upload::{Bounds, Format, Upload};
use super::{EnemySwarm, body_mesh};
use crate::report::{OrRefuse, refuse};
use flow_swarm::swarm::{self, InstanceLayout, Plane};
use godot::classes::node::PhysicsInterpolationMode;
use godot::classes::{MultiMesh, MultiMeshInstance2D, Node};
use godot::prelude::*;
use std::time::Instant;

/// The least capacity of a MultiMesh, in instances.
const LEAST_CAPACITY: usize = 64;
/// The number of consecutive uploads with at most a quarter of the capacity in use after which the capacity is reduced.
/// Every upload copies the whole capacity, including instances that are not shown.
const ROOMY_UPLOADS: u32 = 60;

/// The state of the output between two drawings. All else is read from the MultiMesh itself.
#[derive(Default)]
pub(super) struct Output {
    canvas: Option<Canvas>,
    claim: Option<MultiMeshClaim>,
    /// The number of consecutive uploads with at most a quarter of the capacity in use.
    roomy: u32,
    /// The bounds that were last set in the engine.
    bounds: Option<Bounds>,
    /// The number of instances that are shown.
    shown: usize,
    /// Whether an upload is in progress. Drawing from a handler meanwhile is skipped.
    is_sending: bool,
    /// Whether the error that another swarm draws with the node has been reported.
    is_reported: bool,
    /// The instance buffer, reused between steps. The workers fill it in place.
    buffer: PackedFloat32Array,
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
        self.bounds = None;
    }

    /// Whether any instances are shown.
    pub(super) fn is_showing(&self) -> bool {
        self.shown > 0
    }

    /// The node and the claimed MultiMesh, if the node still draws with it.
    fn current(&self) -> Option<(&Canvas, &Gd<MultiMesh>)> {
        let (canvas, claim) = (self.canvas.as_ref()?, self.claim.as_ref()?);
        let is_same = canvas.is_valid() && canvas.multimesh().as_ref() == Some(claim.multimesh());
        is_same.then(|| (canvas, claim.multimesh()))
    }

    /// The new capacity of a MultiMesh that is to have `count` instances; `None` if its capacity can stay. A change
    /// clears the MultiMesh, so the capacity is always a power of two.
    fn new_capacity(&mut self, capacity: usize, count: usize) -> Option<usize> {
        let needed = count.next_power_of_two().max(LEAST_CAPACITY);
        self.roomy = if 4 * needed <= capacity {
            self.roomy + 1
        } else {
            0
        };
        if count > capacity || capacity == 0 || self.roomy > ROOMY_UPLOADS {
            self.roomy = 0;
            return Some(needed);
        }
        None
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
        let Some(mut upload) = this.bind_mut().pack(method, fraction) else {
            return;
        };
        let packed = milliseconds_since(begin);
        let begin = Instant::now();
        this.bind_mut().drawn.is_sending = true;
        upload.set_up();
        if !this.is_instance_valid() {
            return;
        }
        let mut swarm = this.bind_mut();
        swarm.drawn.is_sending = false;
        // A handler may have changed the swarm's output.
        let current = swarm.drawn.current();
        if current.is_none_or(|(_, multimesh)| *multimesh != upload.multimesh) {
            return;
        }
        swarm.drawn.shown = upload.count;
        swarm.drawn.buffer = upload.fill();
        swarm.timings.pack = packed;
        swarm.timings.upload = milliseconds_since(begin);
    }

    /// Hides all agents until they are drawn again.
    pub(super) fn hide(&mut self) {
        if let Some(claim) = &self.drawn.claim {
            let mut multimesh = claim.multimesh().clone();
            multimesh.set_visible_instance_count(0);
        }
        self.drawn.shown = 0;
    }

    /// Claims the output as soon as the node is ready: the output of a duplicate still shows the agents of the
    /// original.
    pub(super) fn claim_output(mut this: Gd<Self>) {
        Self::find_output(&mut this, "EnemySwarm.output");
    }

    /// Makes sure that the swarm has claimed a MultiMesh to draw with. Returns false if it has none.
    fn find_output(this: &mut Gd<Self>, method: &str) -> bool {
        let (output, preset) = {
            let mut swarm = this.bind_mut();
            if swarm.drawn.current().is_some() {
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
        swarm.drawn.canvas = Some(canvas);
        swarm.drawn.claim = Some(claim);
        true
    }

    /// Packs the visible agents; `None` if they cannot be drawn.
    fn pack(&mut self, method: &str, fraction: f64) -> Option<Upload> {
        let mut manager = self.live_manager(method)?;
        self.sync_properties(method);
        let mut manager = manager.bind_mut();
        manager.world(method)?;
        let area = manager.get_bounds();
        let world = manager.world_ref()?;
        let (canvas, multimesh) = self.drawn.current()?;
        let (canvas, multimesh) = (canvas.clone(), multimesh.clone());
        let plane = canvas.plane();

        // A MultiMesh that has colours keeps them: every change of its format clears it.
        let format = Format::of(&multimesh);
        let core = self.core_form().or_refuse(method)?;
        let mut layout = InstanceLayout {
            plane,
            color: format.has_color() || self.swarm.has_colors(),
            ..core.layout
        };
        // In 3D the Compatibility renderer gives shaders an undefined COLOR if there is custom data and no colour.
        layout.color |= plane == Plane::Xz && layout.custom != swarm::CustomData::None;
        self.swarm.set_ground(world.ground());
        let view = self.view(core.view, plane, area, fraction);
        let offsets = self.swarm.drawn_offsets(layout.height_offset_2d);
        let bounds = Bounds {
            area,
            heights: self.swarm.drawn_heights(layout.height),
            offsets,
            reach: self.greatest_reach(layout.size),
        };
        let chosen = self
            .swarm
            .instances(&layout, &view, &mut self.packer, world.workers())
            .or_refuse(method)?;
        let count = chosen.len();

        let wanted = Format::of_layout(&layout);
        let capacity = multimesh.get_instance_count() as usize;
        let new_capacity = self.drawn.new_capacity(capacity, count);
        let reshape = (wanted != format || new_capacity.is_some())
            .then(|| (wanted, new_capacity.unwrap_or(capacity)));
        let capacity = new_capacity.unwrap_or(capacity);
        let mut buffer = std::mem::take(&mut self.drawn.buffer);
        if buffer.len() != capacity * layout.stride() {
            buffer.resize(capacity * layout.stride());
        }
        chosen
            .write(buffer.as_mut_slice(), world.workers())
            .or_refuse(method)?;
        if reshape.is_some() {
            self.drawn.bounds = None;
        }
        let is_new = self.drawn.bounds.replace(bounds) != Some(bounds);
        Some(Upload {
            canvas,
            multimesh,
            reshape,
            bounds: is_new.then_some(bounds),
            count,
            buffer,
        })
    }

    /// The greatest distance that an instance reaches beyond its agent's position.
    fn greatest_reach(&self, size: f32) -> f32 {
        let radii = self.swarm.types().iter().map(|kind| kind.radius);
        2.0 * radii.fold(0.0, f32::max) * size
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
