//! The gait of a character: how it is composed of standing, walking and running at a speed, and how fast it plays.
//!
//! A gait is 0 for standing, 1 for walking, 2 for running, and between them for a blend of two. All three clips have
//! the same phase. It advances by the distance covered, so that feet do not slide, and by time as far as the agent
//! stands.

use crate::swarm::state::character_clips::CharacterClips;

/// The fractions of the walk's speed from which on agents begin to walk, and only walk.
const WALK_FROM: f32 = 0.1;
const WALK_ONLY: f32 = 0.4;
/// The time in which most of a change of gait is made, in seconds.
const SMOOTHING: f32 = 0.15;

/// The gait at a speed in diameters a second.
pub(super) fn gait_at(clips: &CharacterClips, speed: f32) -> f32 {
    let Some(walk) = clips.walk else {
        return 0.0;
    };
    let natural = walk.speed();
    let walking = (speed / natural - WALK_FROM) / (WALK_ONLY - WALK_FROM);
    let walking = if clips.idle_seconds > 0.0 {
        walking.clamp(0.0, 1.0)
    } else {
        1.0
    };
    let running = clips.run.map_or(0.0, |run| {
        let range = (run.speed() - natural).max(WALK_FROM * natural);
        ((speed - natural) / range).clamp(0.0, 1.0)
    });
    walking + running
}

/// The gait `dt` seconds after another, at a speed in diameters a second.
pub(super) fn next_gait(clips: &CharacterClips, before: f32, speed: f32, dt: f32) -> f32 {
    let wanted = gait_at(clips, speed);
    let next = before + (wanted - before) * (dt / SMOOTHING).min(1.0);
    // It would never be reached exactly, and a shader reads one clip instead of two for whole gaits.
    if (wanted - next).abs() < 1.0e-3 {
        wanted
    } else {
        next
    }
}

/// The cycles by which the phase advances in `dt` seconds, over a distance in diameters.
pub(super) fn cycles(clips: &CharacterClips, gait: f32, distance: f32, dt: f32) -> f32 {
    let by_time = if clips.idle_seconds > 0.0 {
        dt / clips.idle_seconds
    } else {
        0.0
    };
    let Some(walk) = clips.walk else {
        return by_time;
    };
    let run = clips.run.map_or(walk.distance, |run| run.distance);
    let running = (gait - 1.0).max(0.0);
    let by_distance = distance / (walk.distance + (run - walk.distance) * running);
    let standing = (1.0 - gait).max(0.0);
    by_distance + (by_time - by_distance) * standing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swarm::state::character_clips::Stride;

    fn clips() -> CharacterClips {
        CharacterClips {
            idle_seconds: 4.0,
            // 2 and 6 diameters a second.
            walk: Some(Stride {
                distance: 2.0,
                seconds: 1.0,
            }),
            run: Some(Stride {
                distance: 3.0,
                seconds: 0.5,
            }),
            death: None,
        }
    }

    #[test]
    fn gaits_follow_the_speed() {
        for (speed, gait) in [
            (0.0, 0.0),
            (0.2, 0.0),
            (0.5, 0.5),
            (0.8, 1.0),
            (2.0, 1.0),
            (4.0, 1.5),
            (6.0, 2.0),
            (60.0, 2.0),
        ] {
            let found = gait_at(&clips(), speed);
            assert!((found - gait).abs() < 1.0e-6, "{found} at {speed}");
        }
    }

    #[test]
    fn missing_clips_leave_the_others() {
        let only_walk = CharacterClips {
            idle_seconds: 0.0,
            run: None,
            ..clips()
        };
        assert_eq!([0.0, 9.0].map(|speed| gait_at(&only_walk, speed)), [1.0; 2]);
        assert_eq!(cycles(&only_walk, 1.0, 0.0, 1.0), 0.0, "it stops");
        let only_idle = CharacterClips {
            walk: None,
            run: None,
            ..clips()
        };
        assert_eq!([0.0, 9.0].map(|speed| gait_at(&only_idle, speed)), [0.0; 2]);
        assert_eq!(cycles(&only_idle, 0.0, 5.0, 1.0), 0.25);
    }

    #[test]
    fn feet_do_not_slide() {
        for (gait, distance, expected) in [
            (0.0, 1.0, 0.25),
            (0.5, 1.0, 0.375),
            (1.0, 1.0, 0.5),
            (1.5, 1.0, 0.4),
            (2.0, 1.5, 0.5),
        ] {
            assert_eq!(cycles(&clips(), gait, distance, 1.0), expected, "{gait}");
        }
    }

    #[test]
    fn gaits_change_smoothly() {
        let mut gait = 0.0;
        for _ in 0..120 {
            let next = next_gait(&clips(), gait, 6.0, 1.0 / 60.0);
            assert!(next >= gait && next - gait < 0.25, "{gait} to {next}");
            gait = next;
        }
        assert_eq!(gait, 2.0);
    }
}
