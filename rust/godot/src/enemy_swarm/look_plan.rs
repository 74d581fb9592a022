//! Which channels the agents of each look have: one for each mesh and each setting of shadows.
//!
//! Channel 0 is the output's own, of agents without a look.

use super::canvas::Canvas;
use crate::resources;
use crate::swarm_look::{LookForm, SwarmLook};
use flow_swarm::swarm::Band;
use godot::classes::{Material, Mesh, Texture2D};
use godot::prelude::*;

/// What the agents of one channel are drawn with.
#[derive(Clone, PartialEq)]
pub(super) struct Dress {
    pub(super) look: Gd<SwarmLook>,
    /// The level of detail: 0 is the look's mesh, 1 the first of its lod_meshes.
    pub(super) level: usize,
    pub(super) mesh: Option<Gd<Mesh>>,
    pub(super) material: Option<Gd<Material>>,
    pub(super) texture: Option<Gd<Texture2D>>,
    pub(super) casts_shadow: bool,
}

/// The channels of all looks.
#[derive(Default)]
pub(super) struct LookPlan {
    /// The dresses of the channels from 1 on.
    pub(super) dresses: Vec<Dress>,
    /// The bands of each type; none for a type without a look.
    pub(super) bands: Vec<Vec<Band>>,
}

impl LookPlan {
    /// The channels for the looks of all types. Types with the same look share its channels.
    pub(super) fn new(looks: &[Option<Gd<SwarmLook>>], output: &Canvas) -> Self {
        let mut plan = Self::default();
        let mut planned: Vec<&Gd<SwarmLook>> = Vec::new();
        for (index, look) in looks.iter().enumerate() {
            let bands = match look {
                None => Vec::new(),
                Some(look) if planned.contains(&look) => {
                    let first = looks[..index]
                        .iter()
                        .position(|other| other.as_ref() == Some(look));
                    first.map_or_else(Vec::new, |first| plan.bands[first].clone())
                }
                Some(look) => {
                    planned.push(look);
                    let form = resources::with(look, SwarmLook::form);
                    plan.add(look, &form, output)
                }
            };
            plan.bands.push(bands);
        }
        plan
    }

    /// Adds the dresses of a look and returns its bands.
    fn add(&mut self, look: &Gd<SwarmLook>, form: &LookForm, output: &Canvas) -> Vec<Band> {
        let shadows = matches!(output, Canvas::Solid(_));
        let mut begins: Vec<f32> = form.levels.iter().map(|&(from, _)| from).collect();
        begins.extend([form.shadow_end].iter().filter(|_| shadows));
        begins.push(form.end);
        begins.retain(|begin| begin.is_finite());
        begins.sort_by(f32::total_cmp);
        begins.dedup();
        let mut bands: Vec<Band> = Vec::new();
        let mut previous = None;
        for from in begins {
            let passed = form.levels.iter().filter(|&&(begin, _)| begin <= from);
            let level = passed.count() - 1;
            let casts_shadow = !shadows || from < form.shadow_end;
            let kind = (from < form.end).then_some((level, casts_shadow));
            if !bands.is_empty() && kind == previous {
                continue;
            }
            previous = kind;
            let channel = kind.map(|(level, casts_shadow)| {
                let mut dress = Dress::new(look, form, level, output);
                dress.casts_shadow = casts_shadow;
                self.dresses.push(dress);
                self.dresses.len() as u16
            });
            bands.push(Band { from, channel });
        }
        bands
    }
}

impl Dress {
    fn new(look: &Gd<SwarmLook>, form: &LookForm, level: usize, output: &Canvas) -> Self {
        let own = form.levels[level].1.clone();
        let of_look = form.material.clone();
        let (material, texture) = match output {
            Canvas::Flat(node) => (of_look, form.texture.clone().or_else(|| node.get_texture())),
            Canvas::Solid(node) => {
                let is_of_level = level > 0 && own.as_ref().is_some_and(has_material);
                let of_output = || node.get_material_override().filter(|_| own.is_none());
                (of_look.filter(|_| !is_of_level).or_else(of_output), None)
            }
        };
        Self {
            look: look.clone(),
            level,
            mesh: own.or_else(|| output.mesh()),
            material,
            texture,
            casts_shadow: true,
        }
    }
}

/// Whether the first surface of a mesh has a material.
fn has_material(mesh: &Gd<Mesh>) -> bool {
    mesh.get_surface_count() > 0 && mesh.surface_get_material(0).is_some()
}
