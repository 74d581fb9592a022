//! Configuration warnings of a swarm.

use super::EnemySwarm;
use super::canvas::Canvas;
use super::enums::CustomData;
use crate::field_manager::FlowFieldManager;
use crate::swarm_agent_type::SwarmAgentType;
use crate::swarm_look::SwarmLook;
use crate::{resources, surroundings};
use flow_swarm::swarm::Avoidance;
use godot::classes::{Material, ShaderMaterial};
use godot::prelude::*;

/// What is wrong with a swarm in a 3D scene that draws with the default output.
pub(super) const IN_2D: &str = "The swarm is in a 3D scene and has no output: agents are drawn in 2D. Set output to a MultiMeshInstance3D";

impl EnemySwarm {
    /// The warnings, one or two sentences for each mistake.
    pub(super) fn warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        match self.get_manager() {
            Some(mut manager) => self.warn_of_types(&manager.bind_mut(), &mut warnings),
            None => warnings.push("No manager is set: agents have no fields to follow."),
        }
        if let Some(canvas) = self.get_output().and_then(|node| Canvas::of(&node)) {
            self.warn_of_output(&canvas, &mut warnings);
        }
        if self.draws_3d_scene_in_2d() {
            warnings.push(&format!("{IN_2D}."));
        }
        warnings
    }

    fn warn_of_types(&self, manager: &FlowFieldManager, warnings: &mut PackedStringArray) {
        let movements = manager.movement_type_count();
        for (index, kind) in self.agent_types.objects().iter_shared().enumerate() {
            let Some(kind) = kind else {
                warnings.push(&format!(
                    "agent_types[{index}] is empty: it stands for a SwarmAgentType with default values."
                ));
                continue;
            };
            let mut kind = kind;
            let kind = kind.bind_mut();
            warn_of_avoidance(index, &kind, warnings);
            self.warn_of_look(index, &kind, warnings);
            let (radius, movement) = kind.radius_and_movement_type();
            if movement >= movements {
                warnings.push(&format!(
                    "Agent type {index} has the movement_type {movement}, but the manager has {movements} of them: the agents cannot step."
                ));
                continue;
            }
            let fitting = manager.fitting_radius(movement);
            if radius > fitting {
                warnings.push(&format!(
                    "Agent type {index} has a radius of {radius}, but movement type {movement} has room for {fitting} only: agents get stuck in gaps. Raise its clearance_radius."
                ));
            }
        }
    }

    /// Whether a scene in 3D has no output of its own.
    pub(super) fn draws_3d_scene_in_2d(&self) -> bool {
        let output = self.get_output().map(|node| node.instance_id());
        let is_default = output.is_none() || output == self.made_output;
        is_default && surroundings::space(&self.to_gd().upcast()) == Some(true)
    }

    /// Whether all agents have meshes of their looks, so that the output's own mesh draws none.
    fn has_only_looks(&self) -> bool {
        let types = self.agent_types.objects();
        let has_mesh = |kind: Option<Gd<SwarmAgentType>>| {
            let look = kind.and_then(|kind| resources::with(&kind, SwarmAgentType::look));
            let form = look.map(|look| resources::with(&look, SwarmLook::form));
            form.is_some_and(|form| form.levels[0].1.is_some())
        };
        !types.is_empty() && types.iter_shared().all(has_mesh)
    }

    fn warn_of_output(&self, canvas: &Canvas, warnings: &mut PackedStringArray) {
        let is_made = Some(canvas.node().instance_id()) == self.made_output;
        if !canvas.is_in_place() {
            warnings.push(
                "The output or a node above it is moved, turned or scaled: agents are drawn elsewhere than they are. Their places are world units, so the output's global transform must be the identity.",
            );
        }
        if self.shares_output() {
            warnings.push(
                "The output draws the agents of another EnemySwarm, too: give each swarm an output of its own.",
            );
        }
        if matches!(canvas, Canvas::Solid(_)) {
            if self.y_sort {
                warnings.push("y_sort has no effect in 3D: there depth decides what covers what.");
            }
            if !is_made && canvas.mesh().is_none() && !self.has_only_looks() {
                warnings.push(
                    "The output has no mesh. A plain capsule is drawn where it has no MultiMesh either, nothing where it has one: set multimesh.mesh.",
                );
            }
        } else if canvas.multimesh().is_some() && canvas.mesh().is_none() && !self.has_only_looks()
        {
            warnings.push("The output's MultiMesh has no mesh: nothing is drawn.");
        }
        if self.custom_data_preset == CustomData::CUSTOM_NONE
            && canvas.materials().any(reads_custom_data)
        {
            warnings.push(
                "The output's shader reads INSTANCE_CUSTOM, but custom_data_preset is CUSTOM_NONE: set the one that the shader is made for.",
            );
        }
    }

    fn warn_of_look(&self, index: usize, kind: &SwarmAgentType, warnings: &mut PackedStringArray) {
        let Some(look) = kind.look() else {
            return;
        };
        let (meshes, distances) = resources::with(&look, SwarmLook::lod_counts);
        if meshes != distances {
            warnings.push(&format!(
                "The look of agent type {index} has {meshes} lod_meshes and {distances} lod_distances: only those that have the other are drawn."
            ));
        }
        let has_clips = resources::with(&look, SwarmLook::clips).is_some();
        if has_clips && self.custom_data_preset != CustomData::CUSTOM_CHARACTER {
            warnings.push(&format!(
                "The look of agent type {index} has clips, but custom_data_preset is not CUSTOM_CHARACTER: agents do not play them."
            ));
            return;
        }
        let material = resources::with(&look, SwarmLook::form).material;
        if self.custom_data_preset == CustomData::CUSTOM_NONE
            && material.is_some_and(reads_custom_data)
        {
            warnings.push(&format!(
                "The shader of the look of agent type {index} reads INSTANCE_CUSTOM, but custom_data_preset is NONE: set the one that the shader is made for."
            ));
        }
    }

    fn shares_output(&self) -> bool {
        let others = surroundings::others(&self.to_gd());
        others
            .iter()
            .any(|other| resources::with(other, Self::get_output) == self.get_output())
    }
}

fn warn_of_avoidance(index: usize, kind: &SwarmAgentType, warnings: &mut PackedStringArray) {
    let kind = kind.agent_type();
    if kind.avoidance == Avoidance::Orca && kind.neighbour_radius <= 2.0 * kind.radius {
        let (reach, radius) = (kind.neighbour_radius, kind.radius);
        warnings.push(&format!(
            "Agent type {index} sees neighbours of its kind only when it touches them: its neighbour_radius of {reach} is not more than twice its radius of {radius}."
        ));
    }
}

fn reads_custom_data(material: Gd<Material>) -> bool {
    let shader = material.try_cast::<ShaderMaterial>().ok();
    let shader = shader.and_then(|material| material.get_shader());
    shader.is_some_and(|shader| shader.get_code().contains("INSTANCE_CUSTOM"))
}
