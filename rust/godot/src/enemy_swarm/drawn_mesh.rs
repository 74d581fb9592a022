//! One MultiMesh that a swarm fills, with the node that draws it.

use super::canvas::Canvas;
use super::look_nodes::OwnedNode;
use super::look_plan::Dress;
use super::multimesh_claim::MultiMeshClaim;
use super::upload::{Bounds, Format, Upload};
use flow_swarm::swarm::{InstanceLayout, Instances};
use flow_swarm::workers::Workers;
use godot::classes::MultiMesh;
use godot::prelude::*;

/// The least capacity of a MultiMesh, in instances.
const LEAST_CAPACITY: usize = 64;
/// The number of consecutive uploads with at most a quarter of the capacity in use after which the capacity is reduced.
/// Every upload copies the whole capacity, including instances that are not shown.
const ROOMY_UPLOADS: u32 = 60;

/// One MultiMesh that a swarm fills. All else is read from the MultiMesh itself.
pub(super) struct DrawnMesh {
    pub(super) canvas: Canvas,
    claim: MultiMeshClaim,
    /// What the node draws the agents of a look with, and the node itself, which the swarm has made; `None` for the
    /// output.
    look: Option<(Dress, OwnedNode)>,
    /// The number of consecutive uploads with at most a quarter of the capacity in use.
    roomy: u32,
    /// The bounds that were last set in the engine.
    bounds: Option<Bounds>,
    /// The number of instances that are shown.
    shown: usize,
    /// The instance buffer, reused between steps. The workers fill it in place.
    buffer: PackedFloat32Array,
}

impl DrawnMesh {
    pub(super) fn new(
        canvas: Canvas,
        claim: MultiMeshClaim,
        look: Option<(Dress, OwnedNode)>,
    ) -> Self {
        Self {
            canvas,
            claim,
            look,
            roomy: 0,
            bounds: None,
            shown: 0,
            buffer: PackedFloat32Array::new(),
        }
    }

    /// The claimed MultiMesh, if the node still draws with it.
    pub(super) fn current(&self) -> Option<&Gd<MultiMesh>> {
        let multimesh = self.claim.multimesh();
        let is_same = self.canvas.is_valid() && self.canvas.multimesh().as_ref() == Some(multimesh);
        is_same.then_some(multimesh)
    }

    /// The node and what it draws a look with; `None` if it has to be made anew.
    pub(super) fn dressed(&self) -> Option<(Canvas, Dress)> {
        let (dress, _) = self.look.as_ref()?;
        self.current()?;
        Some((self.canvas.clone(), dress.clone()))
    }

    pub(super) fn dress(&self) -> Option<&Dress> {
        self.look.as_ref().map(|(dress, _)| dress)
    }

    /// Notes what the node draws a look with now.
    pub(super) fn wear(&mut self, new: &Dress) {
        if let Some((dress, _)) = &mut self.look {
            dress.clone_from(new);
        }
    }

    /// The number of instances that are shown.
    pub(super) fn shown(&self) -> usize {
        self.shown
    }

    /// Hides all instances until they are drawn again.
    pub(super) fn hide(&mut self) {
        let mut multimesh = self.claim.multimesh().clone();
        multimesh.set_visible_instance_count(0);
        self.shown = 0;
    }

    /// Makes the next drawing set the bounds anew.
    pub(super) fn forget_bounds(&mut self) {
        self.bounds = None;
    }

    /// Packs instances for an upload; `None` if nothing is and was to be seen.
    pub(super) fn pack(
        &mut self,
        chosen: &Instances<'_>,
        layout: &InstanceLayout,
        bounds: Bounds,
        workers: &Workers,
    ) -> flow_swarm::Result<Option<Upload>> {
        let count = chosen.len();
        let is_needed = count > 0 || self.shown > 0 || self.look.is_none();
        let multimesh = self.current().filter(|_| is_needed).cloned();
        let Some(multimesh) = multimesh else {
            return Ok(None);
        };
        let format = Format::of(&multimesh);
        let wanted = Format::of_layout(layout);
        let capacity = multimesh.get_instance_count() as usize;
        let new_capacity = self.new_capacity(capacity, count);
        let reshape = (wanted != format || new_capacity.is_some())
            .then(|| (wanted, new_capacity.unwrap_or(capacity)));
        let capacity = new_capacity.unwrap_or(capacity);
        let mut buffer = std::mem::take(&mut self.buffer);
        if buffer.len() != capacity * layout.stride() {
            buffer.resize(capacity * layout.stride());
        }
        chosen.write(buffer.as_mut_slice(), workers)?;
        if reshape.is_some() {
            self.bounds = None;
        }
        let is_new = self.bounds.replace(bounds) != Some(bounds);
        Ok(Some(Upload {
            canvas: self.canvas.clone(),
            multimesh,
            reshape,
            bounds: is_new.then_some(bounds),
            count,
            buffer,
        }))
    }

    /// Shows an upload, if it is of this mesh and the node still draws with it. Emits no signal.
    pub(super) fn show(&mut self, upload: Upload) {
        if self.current() == Some(&upload.multimesh) {
            self.shown = upload.count;
            self.buffer = upload.fill();
        }
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
