//! The `SwarmClips` resource.

use crate::convert::f32_from;
use crate::report::refuse;
use crate::resources::{Revised, announce_change};
use flow_swarm::swarm::{CLIP_SECONDS, CharacterClips, Clip, MAX_CLIPS, Stride};
use godot::classes::Resource;
use godot::prelude::*;

/// The greatest stride, in units of the mesh.
const MOST_STRIDE: f64 = 1.0e6;

/// The clips of an animated character: SwarmLook.clips. SwarmCharacterBaker makes them of an animated scene.
///
/// A clip is what the arrays names, first_frames, frame_counts, lengths and loops have at the same index. There are at most 63 clips; further ones cannot be played.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct SwarmClips {
    /// The names of the clips.
    #[export]
    #[var(set)]
    names: PackedStringArray,
    /// The first frame of each clip in the texture of poses.
    #[export]
    #[var(set)]
    first_frames: PackedInt32Array,
    /// The number of frames of each clip.
    #[export]
    #[var(set)]
    frame_counts: PackedInt32Array,
    /// The length of each clip in seconds, 0.001 to 10000.
    #[export]
    #[var(set)]
    lengths: PackedFloat32Array,
    /// 1 for clips whose last frame goes over into the first one, 0 for the others.
    #[export]
    #[var(set)]
    loops: PackedByteArray,
    /// The name of the clip of agents that stand. Without it they stop in the walk.
    #[export]
    #[var(set)]
    idle_clip: GString,
    /// The name of the clip of agents that walk. Without it they stand at any speed.
    #[export]
    #[var(set)]
    walk_clip: GString,
    /// The name of the clip of agents that are faster than the walk: walk_stride divided by its length. Without it they walk at any speed.
    #[export]
    #[var(set)]
    run_clip: GString,
    /// The name of the clip that EnemySwarm.play_clip() plays for "attack".
    #[export]
    #[var(set)]
    attack_clip: GString,
    /// The name of the clip of agents that become a CORPSE. It plays once, and its last frame stays.
    #[export]
    #[var(set)]
    death_clip: GString,
    /// The distance that the character covers while the walk plays once, in units of the mesh, 0 to 1000000. With 0 it is EnemySwarm.walk_cycle.
    #[export(range = (0.0, 10.0, or_greater))]
    #[var(set)]
    walk_stride: f64,
    /// The distance that the character covers while the run plays once, in units of the mesh, 0 to 1000000. With 0 it is twice that of the walk.
    #[export(range = (0.0, 10.0, or_greater))]
    #[var(set)]
    run_stride: f64,
    /// The number of changes so far, for looks that use this resource.
    revision: u64,
    base: Base<Resource>,
}

/// What tells which clips of different characters stand for each other.
pub struct ClipTitle {
    name: GString,
    /// The word that stands for it.
    role: Option<&'static str>,
}

#[godot_api]
impl SwarmClips {
    #[func]
    fn set_names(&mut self, names: PackedStringArray) {
        self.names = names;
        self.changed();
    }

    #[func]
    fn set_first_frames(&mut self, first_frames: PackedInt32Array) {
        self.first_frames = first_frames;
        self.changed();
    }

    #[func]
    fn set_frame_counts(&mut self, frame_counts: PackedInt32Array) {
        self.frame_counts = frame_counts;
        self.changed();
    }

    #[func]
    fn set_lengths(&mut self, lengths: PackedFloat32Array) {
        let (least, most) = CLIP_SECONDS;
        let is_length = |length: &&f32| !(least..=most).contains(*length);
        if let Some(length) = lengths.as_slice().iter().find(is_length) {
            let reason = format_args!("must be from {least} to {most} each, not {length}");
            refuse("SwarmClips.lengths", reason);
            return;
        }
        self.lengths = lengths;
        self.changed();
    }

    #[func]
    fn set_loops(&mut self, loops: PackedByteArray) {
        self.loops = loops;
        self.changed();
    }

    #[func]
    fn set_idle_clip(&mut self, name: GString) {
        self.idle_clip = name;
        self.changed();
    }

    #[func]
    fn set_walk_clip(&mut self, name: GString) {
        self.walk_clip = name;
        self.changed();
    }

    #[func]
    fn set_run_clip(&mut self, name: GString) {
        self.run_clip = name;
        self.changed();
    }

    #[func]
    fn set_attack_clip(&mut self, name: GString) {
        self.attack_clip = name;
        self.changed();
    }

    #[func]
    fn set_death_clip(&mut self, name: GString) {
        self.death_clip = name;
        self.changed();
    }

    #[func]
    fn set_walk_stride(&mut self, stride: f64) {
        if is_stride("SwarmClips.walk_stride", stride) {
            self.walk_stride = stride;
            self.changed();
        }
    }

    #[func]
    fn set_run_stride(&mut self, stride: f64) {
        if is_stride("SwarmClips.run_stride", stride) {
            self.run_stride = stride;
            self.changed();
        }
    }

    /// Returns the index of a clip in names; -1 if there is none. The words "idle", "walk", "run", "attack" and "death" also stand for the clips of these properties.
    #[func]
    fn find_clip(&self, name: GString) -> i64 {
        self.index_of(&name).map_or(-1, |index| index as i64)
    }

    fn changed(&mut self) {
        self.revision += 1;
        announce_change(self.base_mut());
    }
}

impl SwarmClips {
    fn index_of(&self, name: &GString) -> Option<usize> {
        let position = |name: &GString| {
            let found = self.names.as_slice().iter().position(|known| known == name);
            found.filter(|_| !name.is_empty())
        };
        position(name).or_else(|| {
            let name = name.to_string();
            let (_, clip) = self.roles().into_iter().find(|(role, _)| *role == name)?;
            position(clip)
        })
    }

    /// The words that stand for clips, and the names of these clips.
    fn roles(&self) -> [(&'static str, &GString); 5] {
        [
            ("idle", &self.idle_clip),
            ("walk", &self.walk_clip),
            ("run", &self.run_clip),
            ("attack", &self.attack_clip),
            ("death", &self.death_clip),
        ]
    }

    /// The number and the length of a clip that can be played.
    fn playable(&self, name: &GString) -> Option<(u8, f32)> {
        let index = self.index_of(name).filter(|&index| index < MAX_CLIPS)?;
        Some((index as u8, *self.lengths.as_slice().get(index)?))
    }

    /// The titles of all clips.
    pub fn titles(&self) -> Vec<ClipTitle> {
        let names = self.names.as_slice().iter();
        let titles = names.map(|name| ClipTitle {
            name: name.clone(),
            role: self
                .roles()
                .into_iter()
                .find(|(_, clip)| *clip == name)
                .map(|(role, _)| role),
        });
        titles.collect()
    }

    /// The number and the length of the clip with a title: the one of its name, or else of its role.
    pub fn titled(&self, title: &ClipTitle) -> Option<(u8, f32)> {
        let of_role = || self.playable(&GString::from(title.role?));
        self.playable(&title.name).or_else(of_role)
    }

    /// The name of a clip.
    pub fn name_of(&self, clip: u8) -> Option<GString> {
        self.names.as_slice().get(usize::from(clip)).cloned()
    }

    /// The core's form of a clip that is to be played.
    pub fn clip(&self, name: &GString, once: bool, blend: f64) -> Option<Clip> {
        let (number, seconds) = self.playable(name)?;
        Some(Clip {
            number,
            seconds,
            once,
            blend: f32_from(blend),
        })
    }

    /// The core's form of the clips that follow from movement, for instances `size` diameters wide, whose walk covers
    /// `walk_cycle` diameters where no stride is known.
    pub fn of_movement(&self, size: f64, walk_cycle: f64) -> CharacterClips {
        let stride = |name: &GString, distance: f64| {
            let (_, seconds) = self.playable(name)?;
            // Strides of tiny and huge instances stay within what the core takes.
            let distance = f32_from(distance.clamp(1.0e-3, 1.0e6));
            Some(Stride { distance, seconds })
        };
        let walk_distance = match self.walk_stride {
            0.0 => walk_cycle,
            stride => stride * size,
        };
        let run_distance = match self.run_stride {
            0.0 => 2.0 * walk_distance,
            stride => stride * size,
        };
        let run = stride(&self.run_clip, run_distance);
        CharacterClips {
            idle_seconds: self
                .playable(&self.idle_clip)
                .map_or(0.0, |(_, seconds)| seconds),
            walk: stride(&self.walk_clip, walk_distance).or(run),
            run,
            death: self.playable(&self.death_clip),
        }
    }
}

fn is_stride(property: &str, stride: f64) -> bool {
    let is_good = (0.0..=MOST_STRIDE).contains(&stride);
    if !is_good {
        refuse(
            property,
            format_args!("must be from 0 to {MOST_STRIDE}, not {stride}"),
        );
    }
    is_good
}

impl Revised for SwarmClips {
    fn revision(&self) -> u64 {
        self.revision
    }
}
