//! The custom data of characters: two clips of movement, and one that is played over them.

use crate::swarm::draw::pack::pose::Pose;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::user_columns::value_at;

/// Steps between two clips in the number of clip and weight. With [`MAX_CLIPS`](crate::swarm::MAX_CLIPS) the number is
/// at most 2,047, which renderers that keep 11 bits hold exactly.
const STEPS: f32 = 32.0;
const MOST_WEIGHT: f32 = STEPS - 1.0;

/// The numbers of [`CustomData::Character`](super::CustomData::Character).
pub(super) fn numbers(swarm: &Swarm, index: usize, pose: &Pose) -> [f32; 4] {
    let agents = &swarm.agents;
    let is_corpse = agents.state[index] == AgentState::Corpse;
    let moving = || {
        if is_corpse {
            // Its phase is the time since its death.
            return [0.0, 0.0];
        }
        [
            pose.phase(swarm, index),
            value_at(&agents.trail.gait, index),
        ]
    };
    let [phase, gait] = match value_at(&agents.trail.held, index) {
        Some(held) => held.to_array(),
        None => moving(),
    };
    if let Some(playing) = value_at(&agents.playing, index) {
        let share = playing.cycle(pose.left * swarm.last_dt);
        return [
            phase,
            gait,
            code(playing.clip.number, playing.weight),
            share,
        ];
    }
    let kind = &swarm.types[usize::from(agents.kind[index])];
    match kind.clips.death {
        // It died before its type had the clip.
        Some((clip, _)) if is_corpse => [phase, gait, code(clip, 1.0), 1.0],
        _ => [phase, gait, 0.0, 0.0],
    }
}

/// A clip and its weight as one whole number.
fn code(clip: u8, weight: f32) -> f32 {
    let weight = (weight * MOST_WEIGHT + 0.5) as u8;
    STEPS * (f32::from(clip) + 1.0) + f32::from(weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swarm::MAX_CLIPS;

    #[test]
    fn every_clip_and_weight_fits_in_a_half_float() {
        let mut last = 31.0;
        for clip in 0..MAX_CLIPS as u8 {
            for weight in 0..32 {
                let number = code(clip, weight as f32 / MOST_WEIGHT);
                assert_eq!(number, last + 1.0, "{clip} {weight}");
                last = number;
            }
        }
        assert!(last < 2048.0);
    }
}
