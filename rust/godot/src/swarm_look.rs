//! The `SwarmLook` resource.

use crate::convert::f32_from;
use crate::object_array::ObjectArray;
use crate::report::OrRefuse;
use crate::resources::{self, Revised, announce_change};
use crate::swarm_clips::SwarmClips;
use flow_swarm::error::in_range;
use flow_swarm::swarm::MAX_INSTANCE_SIZE;
use godot::classes::{Material, Mesh, Resource, Texture2D};
use godot::prelude::*;

/// The greatest number of meshes beside the first. With the distances of shadows and of the end there is one band more
/// than distances.
const MOST_LOD_MESHES: usize = flow_swarm::swarm::MAX_BANDS - 3;
/// The greatest distance.
const MOST_DISTANCE: f32 = 1.0e9;

/// What the agents of a type look like: SwarmAgentType.look.
///
/// A swarm draws the agents of each look with a MultiMesh of their own, in a node that it adds to its output: the output's transform, layers, visibility, shadows and lights are also those of the look. Several types and swarms may share one look.
///
/// Levels of detail: agents at least as far from the camera as an entry of lod_distances are drawn with the same entry of lod_meshes. Distances are measured to the camera of the output's viewport when the agents are drawn, in 3D with the height; to a VR camera from the head. An orthographic camera, and a view in 2D, shows all agents alike: their distance is that at which a camera with a field of view of 75 degrees would show them as large. Without a camera all agents are near. Steps do not depend on any of this.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct SwarmLook {
    /// The mesh of each agent, one unit wide. Without a mesh agents have that of the swarm's output.
    #[export]
    #[var(set)]
    mesh: Option<Gd<Mesh>>,
    /// The material of all surfaces of the mesh, and of those entries of lod_meshes whose first surface has none. Without a material the surfaces have their own; in 2D agents have that of the swarm's output.
    #[export]
    #[var(set)]
    material: Option<Gd<Material>>,
    /// The texture of the mesh in 2D. Without a texture agents have that of the swarm's output.
    #[export]
    #[var(set)]
    texture: Option<Gd<Texture2D>>,
    /// The width of an instance as a multiple of its agent's diameter, for a mesh that is one unit wide, at most 1000000. With 0 it is EnemySwarm.instance_size.
    #[export(range = (0.0, 8.0, or_greater))]
    #[var(set)]
    instance_size: f64,
    /// The clips of an animated character, for CUSTOM_CHARACTER. Without clips agents are drawn as the mesh and the material have it.
    #[export]
    #[var(set)]
    clips: Option<Gd<SwarmClips>>,
    /// The meshes of farther agents, from near to far, at most 5. The last one may be a billboard. An empty entry stands for the mesh before it.
    #[export_group(name = "Levels of detail")]
    #[export]
    #[var(get, set)]
    lod_meshes: ObjectArray<Mesh>,
    /// The distances in world units from which agents have the entries of lod_meshes, ascending, 0 to 1e9. Entries of lod_meshes without a distance are not drawn.
    #[export]
    #[var(set)]
    lod_distances: PackedFloat32Array,
    /// The distance from which agents cast no shadow in 3D, 0 to 1e9. 0 is no limit.
    #[export(range = (0.0, 1000.0, or_greater))]
    #[var(set)]
    shadow_distance: f64,
    /// The distance from which agents are not drawn, 0 to 1e9. 0 is no limit.
    #[export(range = (0.0, 1000.0, or_greater))]
    #[var(set)]
    max_distance: f64,
    /// The number of times that clips or instance_size were set, for swarms that use this resource. All else is compared when it is drawn.
    revision: u64,
    base: Base<Resource>,
}

#[godot_api]
impl SwarmLook {
    #[func]
    fn set_mesh(&mut self, mesh: Option<Gd<Mesh>>) {
        self.mesh = mesh;
        self.changed();
    }

    #[func]
    fn set_material(&mut self, material: Option<Gd<Material>>) {
        self.material = material;
        self.changed();
    }

    #[func]
    fn set_texture(&mut self, texture: Option<Gd<Texture2D>>) {
        self.texture = texture;
        self.changed();
    }

    #[func]
    fn get_lod_meshes(&self) -> ObjectArray<Mesh> {
        self.lod_meshes.shared()
    }

    #[func]
    fn set_lod_meshes(&mut self, meshes: ObjectArray<Mesh>) {
        const PROPERTY: &str = "SwarmLook.lod_meshes";
        let Some(meshes) = meshes.checked(PROPERTY, "") else {
            return;
        };
        if has_room(PROPERTY, meshes.len()) {
            self.lod_meshes = meshes;
            self.changed();
        }
    }

    #[func]
    fn set_lod_distances(&mut self, distances: PackedFloat32Array) {
        const PROPERTY: &str = "SwarmLook.lod_distances";
        if !has_room(PROPERTY, distances.len()) {
            return;
        }
        let mut least = 0.0;
        for &distance in distances.as_slice() {
            let checked = in_range("distance", distance, least, MOST_DISTANCE);
            let Some(distance) = checked.or_refuse(PROPERTY) else {
                return;
            };
            least = distance;
        }
        self.lod_distances = distances;
        self.changed();
    }

    #[func]
    fn set_shadow_distance(&mut self, distance: f64) {
        if is_distance("SwarmLook.shadow_distance", distance) {
            self.shadow_distance = distance;
            self.changed();
        }
    }

    #[func]
    fn set_max_distance(&mut self, distance: f64) {
        if is_distance("SwarmLook.max_distance", distance) {
            self.max_distance = distance;
            self.changed();
        }
    }

    #[func]
    fn set_instance_size(&mut self, size: f64) {
        let checked = in_range("instance_size", f32_from(size), 0.0, MAX_INSTANCE_SIZE);
        if checked.or_refuse("SwarmLook.instance_size").is_some() {
            self.instance_size = size;
            self.revision += 1;
            self.changed();
        }
    }

    #[func]
    fn set_clips(&mut self, clips: Option<Gd<SwarmClips>>) {
        // The sum of both revisions must not come back with other clips.
        self.revision += 1 + self.clips_revision();
        self.clips = clips;
        self.changed();
    }

    fn changed(&mut self) {
        announce_change(self.base_mut());
    }
}

/// Whether a list is short enough; reports it if not.
fn has_room(property: &str, count: usize) -> bool {
    let count = in_range("number of entries", count, 0, MOST_LOD_MESHES);
    count.or_refuse(property).is_some()
}

/// Whether a number is a distance; reports it if not.
fn is_distance(property: &str, distance: f64) -> bool {
    let distance = in_range("distance", f32_from(distance), 0.0, MOST_DISTANCE);
    distance.or_refuse(property).is_some()
}

/// A copy of the properties of a look.
pub struct LookForm {
    pub material: Option<Gd<Material>>,
    pub texture: Option<Gd<Texture2D>>,
    /// The meshes from near to far, with the distances from which they are drawn. The first begins at 0.
    pub levels: Vec<(f32, Option<Gd<Mesh>>)>,
    /// The distance from which no shadows are cast.
    pub shadow_end: f32,
    /// The distance from which nothing is drawn.
    pub end: f32,
}

impl SwarmLook {
    pub fn form(&self) -> LookForm {
        let mut levels = vec![(0.0, self.mesh.clone())];
        // A script may have changed the array itself, and the lengths may differ while both are being set.
        let meshes = self.lod_meshes.objects();
        let meshes = meshes.iter_shared().take(MOST_LOD_MESHES);
        for (mesh, &from) in meshes.zip(self.lod_distances.as_slice()) {
            let before = levels.last().and_then(|(_, mesh)| mesh.clone());
            levels.push((from, mesh.or(before)));
        }
        LookForm {
            material: self.material.clone(),
            texture: self.texture.clone(),
            levels,
            shadow_end: end_from(self.shadow_distance),
            end: end_from(self.max_distance),
        }
    }

    /// The numbers of lod_meshes and lod_distances.
    pub fn lod_counts(&self) -> (usize, usize) {
        (self.lod_meshes.len(), self.lod_distances.len())
    }
}

/// A distance as an end, where 0 stands for none.
fn end_from(distance: f64) -> f32 {
    if distance > 0.0 {
        f32_from(distance)
    } else {
        f32::INFINITY
    }
}

impl SwarmLook {
    /// The width of instances in diameters; `None` for that of the swarm.
    pub fn instance_size(&self) -> Option<f64> {
        (f32_from(self.instance_size) > 0.0).then_some(self.instance_size)
    }

    /// The clips.
    pub fn clips(&self) -> Option<Gd<SwarmClips>> {
        self.clips.clone()
    }

    fn clips_revision(&self) -> u64 {
        let clips = self.clips.as_ref();
        clips.map_or(0, |clips| resources::with(clips, Revised::revision))
    }
}

impl Revised for SwarmLook {
    fn revision(&self) -> u64 {
        self.revision + self.clips_revision()
    }
}
