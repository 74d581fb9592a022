//! The `SwarmLook` resource.

use crate::resources;
use crate::resources::{Revised, announce_change};
use crate::swarm_clips::SwarmClips;
use godot::classes::{Material, Mesh, Resource, Texture2D};
use godot::prelude::*;

/// What the agents of a type look like: SwarmAgentType.look.
///
/// A swarm draws the agents of each look with a MultiMesh of their own. Several types may share one look.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct SwarmLook {
    /// The mesh of each agent, one unit wide. Without a mesh agents have that of the swarm's output.
    #[export]
    #[var(set)]
    mesh: Option<Gd<Mesh>>,
    /// The material of all surfaces of the mesh. Without a material the surfaces have their own.
    #[export]
    #[var(set)]
    material: Option<Gd<Material>>,
    /// The texture of the mesh in 2D.
    #[export]
    #[var(set)]
    texture: Option<Gd<Texture2D>>,
    /// The clips of an animated character, for CUSTOM_CHARACTER. Without clips agents are drawn as the mesh and the material have it.
    #[export]
    #[var(set)]
    clips: Option<Gd<SwarmClips>>,
    /// The number of changes so far, for swarms that use this resource.
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
    fn set_clips(&mut self, clips: Option<Gd<SwarmClips>>) {
        // The sum of both revisions must not come back with other clips.
        self.revision += self.clips_revision();
        self.clips = clips;
        self.changed();
    }

    fn changed(&mut self) {
        self.revision += 1;
        announce_change(self.base_mut());
    }
}

impl SwarmLook {
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
