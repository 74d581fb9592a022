//! The nodes that draw the agents of looks: one for each channel, below the output node.

use super::EnemySwarm;
use super::canvas::Canvas;
use super::drawn_mesh::DrawnMesh;
use super::look_plan::{Dress, LookPlan};
use super::multimesh_claim::MultiMeshClaim;
use godot::classes::geometry_instance_3d::ShadowCastingSetting;
use godot::classes::{MultiMesh, MultiMeshInstance2D, MultiMeshInstance3D, Node};
use godot::prelude::*;

/// A node that is freed with its owner.
pub(super) struct OwnedNode(Gd<Node>);

impl Drop for OwnedNode {
    fn drop(&mut self) {
        if self.0.is_instance_valid() {
            self.0.queue_free();
        }
    }
}

impl EnemySwarm {
    /// Makes the nodes of all looks as the looks are now, and frees those that no type uses any more.
    ///
    /// The swarm must not be bound: handlers of the tree's and the resources' signals may call any method.
    pub(super) fn sync_look_nodes(this: &mut Gd<Self>) {
        let (output, looks, existing) = {
            let swarm = this.bind_mut();
            let Some((output, nodes)) = swarm.drawn.meshes.split_first() else {
                return;
            };
            if nodes.is_empty() && swarm.type_looks.iter().all(Option::is_none) {
                return;
            }
            let existing = nodes.iter().map(DrawnMesh::dressed);
            let existing: Vec<Option<(Canvas, Dress)>> = existing.collect();
            (output.canvas.clone(), swarm.type_looks.clone(), existing)
        };
        let plan = LookPlan::new(&looks, &output);
        let mut made = Vec::new();
        for (index, dress) in plan.dresses.iter().enumerate() {
            let mesh = match existing.get(index).cloned().flatten() {
                Some((mut canvas, worn)) => {
                    if worn != *dress {
                        canvas.put_on(dress);
                    }
                    canvas.follow(&output, dress);
                    None
                }
                None => match new_mesh(&output, dress) {
                    Some(mesh) => Some(mesh),
                    None => return,
                },
            };
            made.push(mesh);
            if !output.is_valid() || !this.is_instance_valid() {
                return;
            }
        }
        let mut swarm = this.bind_mut();
        // A handler may have changed the swarm's output.
        let is_same = |own: &DrawnMesh| own.canvas.node() == output.node();
        if swarm.drawn.meshes.first().is_some_and(is_same) {
            swarm.drawn.set_looks(plan, made);
        }
    }
}

/// A new node below the output, with a MultiMesh of its own; `None` if the output takes no children now.
fn new_mesh(output: &Canvas, dress: &Dress) -> Option<DrawnMesh> {
    let mut canvas = match output {
        Canvas::Flat(_) => Canvas::Flat(MultiMeshInstance2D::new_alloc()),
        Canvas::Solid(_) => Canvas::Solid(MultiMeshInstance3D::new_alloc()),
    };
    let mut node = canvas.node();
    let owned = OwnedNode(node.clone());
    node.set_name("Look");
    let multimesh = MultiMesh::new_gd();
    canvas.set_multimesh(&multimesh);
    canvas.put_on(dress);
    canvas.follow(output, dress);
    let claim = MultiMeshClaim::new(&multimesh, &node).ok()?;
    let mut parent = output.node();
    parent
        .add_child_ex(&node)
        .internal(godot::classes::node::InternalMode::BACK)
        .done();
    let is_child = node.is_instance_valid() && node.get_parent().is_some();
    is_child.then(|| DrawnMesh::new(canvas, claim, Some((dress.clone(), owned))))
}

impl Canvas {
    /// Gives the node the mesh, material and texture of a look.
    fn put_on(&mut self, dress: &Dress) {
        if let Some(mut multimesh) = self.multimesh() {
            multimesh.set_mesh(dress.mesh.as_ref());
        }
        match self {
            Self::Flat(node) => {
                node.set_material(dress.material.as_ref());
                node.set_use_parent_material(dress.material.is_none());
                node.set_texture(dress.texture.as_ref());
            }
            Self::Solid(node) => node.set_material_override(dress.material.as_ref()),
        }
    }

    /// Gives the node of a look those properties of the output node that children do not inherit.
    fn follow(&mut self, output: &Self, dress: &Dress) {
        match (self, output) {
            (Self::Flat(node), Self::Flat(output)) => {
                if node.get_light_mask() != output.get_light_mask() {
                    node.set_light_mask(output.get_light_mask());
                }
                if node.get_visibility_layer() != output.get_visibility_layer() {
                    node.set_visibility_layer(output.get_visibility_layer());
                }
                if node.get_self_modulate() != output.get_self_modulate() {
                    node.set_self_modulate(output.get_self_modulate());
                }
            }
            (Self::Solid(node), Self::Solid(output)) => {
                let mut shadows = output.get_cast_shadows_setting();
                if !dress.casts_shadow {
                    shadows = ShadowCastingSetting::OFF;
                }
                if node.get_cast_shadows_setting() != shadows {
                    node.set_cast_shadows_setting(shadows);
                }
                if node.get_layer_mask() != output.get_layer_mask() {
                    node.set_layer_mask(output.get_layer_mask());
                }
                if node.get_gi_mode() != output.get_gi_mode() {
                    node.set_gi_mode(output.get_gi_mode());
                }
                if node.get_transparency() != output.get_transparency() {
                    node.set_transparency(output.get_transparency());
                }
            }
            _ => {}
        }
    }
}
