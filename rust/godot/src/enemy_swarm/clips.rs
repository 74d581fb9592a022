//! Clips that agents play on request.

use super::EnemySwarm;
use super::enums::CustomData;
use super::properties::size_of;
use crate::convert::{id_from_godot, ids as core_ids};
use crate::report::{OrRefuse, code, refuse, warn};
use crate::resources;
use crate::swarm_agent_type::SwarmAgentType;
use crate::swarm_clips::SwarmClips;
use flow_swarm::swarm::{CharacterClips, Clip};
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Plays a clip on agents, each as its type's SwarmLook.clips has it, for CUSTOM_CHARACTER: with another custom_data_preset no shader is told of it, which is warned of once. It is blended in in `blend` seconds, 0 to 60, begins in this call and replaces the clip that an agent plays. If `once` is `true`, it ends by itself, with a blend out, and the agents go on in the clips of their movement; a CORPSE holds its last frame. Otherwise it repeats until stop_clip(). "attack", "idle", "walk", "run" and "death" stand for the clips of these names in SwarmClips. After an error no agent is changed.
    #[func]
    fn play_clip(
        &mut self,
        ids: PackedInt64Array,
        clip: GString,
        #[opt(default = true)] once: bool,
        #[opt(default = 0.15)] blend: f64,
    ) -> Error {
        const METHOD: &str = "EnemySwarm.play_clip";
        let ids = core_ids(&ids);
        let kinds: flow_swarm::Result<Vec<u8>> = ids
            .iter()
            .map(|&id| Ok(self.swarm.kinds()[self.swarm.index_of(id)?]))
            .collect();
        let kinds = match kinds {
            Ok(kinds) => kinds,
            Err(error) => return code::<()>(METHOD, Err(error)),
        };
        let mut of_types: Vec<Option<Clip>> = vec![None; self.agent_types.objects().len().max(1)];
        for &kind in &kinds {
            let kind = usize::from(kind);
            if of_types[kind].is_none() {
                let clips = self.clips_of(kind);
                let read = |clips: &SwarmClips| clips.clip(&clip, once, blend);
                of_types[kind] = clips.and_then(|clips| resources::with(&clips, read));
            }
            if of_types[kind].is_none() {
                refuse(
                    METHOD,
                    format_args!("agent type {kind} has no clip \"{clip}\""),
                );
                return Error::ERR_DOES_NOT_EXIST;
            }
        }
        let clips: Vec<Clip> = kinds
            .iter()
            .filter_map(|&kind| of_types[usize::from(kind)])
            .collect();
        self.warn_of_unseen_clips(METHOD);
        code(METHOD, self.swarm.play_clips(&ids, &clips))
    }

    /// Blends the clips of play_clip() out, in the time in which they were blended in. Agents that play none stay as they are. After an error no agent is changed.
    #[func]
    fn stop_clip(&mut self, ids: PackedInt64Array) -> Error {
        let result = self.swarm.stop_clips(&core_ids(&ids));
        code("EnemySwarm.stop_clip", result)
    }

    /// Returns the name of the clip that an agent plays by play_clip(), or because it has become a CORPSE. Empty if it plays none. If no agent has this id, reports an error and returns an empty name.
    #[func]
    fn get_agent_clip(&mut self, id: i64) -> GString {
        let id = id_from_godot(id);
        let clip = self.swarm.clip(id).or_refuse("EnemySwarm.get_agent_clip");
        let kind = self
            .swarm
            .index_of(id)
            .map(|index| self.swarm.kinds()[index]);
        let (Some(Some(clip)), Ok(kind)) = (clip, kind) else {
            return GString::new();
        };
        let clips = self.clips_of(kind.into());
        let name = clips.and_then(|clips| resources::with(&clips, |clips| clips.name_of(clip)));
        name.unwrap_or_default()
    }
}

impl EnemySwarm {
    /// The clips of the look of a type.
    fn clips_of(&self, kind: usize) -> Option<Gd<SwarmClips>> {
        let kind = self.agent_types.objects().get(kind).flatten()?;
        resources::with(&kind, SwarmAgentType::clips)
    }

    /// For each type and each of its clips the number and the length of the clip that stands for it in another type.
    pub(super) fn clip_counterparts(&self, of_type: i64) -> Vec<Vec<Option<(u8, f32)>>> {
        let clips = |kind: usize| self.clips_of(kind);
        let new = usize::try_from(of_type).ok().and_then(clips);
        let types = 0..self.agent_types.objects().len();
        let olds =
            types.map(|kind| clips(kind).map(|clips| resources::with(&clips, SwarmClips::titles)));
        let counterparts = olds.map(|titles| {
            let titles = titles.unwrap_or_default();
            let found = new.as_ref().map(|new| {
                resources::with(new, |new| {
                    titles.iter().map(|title| new.titled(title)).collect()
                })
            });
            found.unwrap_or_default()
        });
        counterparts.collect()
    }

    /// Warns once that clips are played which no shader is told of.
    fn warn_of_unseen_clips(&mut self, method: &str) {
        let is_unseen = self.custom_data_preset != CustomData::CUSTOM_CHARACTER;
        let was_unseen = std::mem::replace(&mut self.has_unseen_clips, is_unseen);
        if is_unseen && !was_unseen {
            let reason =
                "custom_data_preset is not CUSTOM_CHARACTER: agents do not show their clips";
            warn(method, reason);
        }
    }

    /// The clips that follow from the movement of agents of a type.
    pub(super) fn movement_clips(&self, kind: &Gd<SwarmAgentType>) -> CharacterClips {
        let clips = resources::with(kind, SwarmAgentType::clips);
        let size = size_of(kind).unwrap_or(self.instance_size);
        let read = |clips: &SwarmClips| clips.of_movement(size, self.walk_cycle);
        clips.map_or_else(CharacterClips::default, |clips| {
            resources::with(&clips, read)
        })
    }
}
