//! The clip that an agent plays on request, such as an attack, instead of those that follow from its movement.
//!
//! The column takes memory once a clip is played. Steps advance it by their seconds, so that pauses and loads are
//! exact.

use crate::error::{Result, in_range};
use crate::swarm::state::character_clips::{check_clip, check_seconds};

/// The greatest time of a blend, in seconds.
pub(in crate::swarm) const MOST_BLEND: f32 = 60.0;
/// The time in which the clip of a death is blended in, in seconds.
const DEATH_BLEND: f32 = 0.15;

/// A clip for [`Swarm::play_clips`](crate::swarm::Swarm::play_clips).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip {
    /// Its number, below [`MAX_CLIPS`](crate::swarm::MAX_CLIPS).
    pub number: u8,
    /// Its length in seconds, within [`CLIP_SECONDS`](crate::swarm::CLIP_SECONDS).
    pub seconds: f32,
    /// Whether it plays once. Otherwise it repeats until it is stopped.
    pub once: bool,
    /// The time in which it is blended in, and out again, in seconds, 0..=60.
    pub blend: f32,
}

impl Clip {
    /// The clip of a death.
    pub(in crate::swarm) fn of_death((number, seconds): (u8, f32)) -> Self {
        Self {
            number,
            seconds,
            once: true,
            blend: DEATH_BLEND,
        }
    }

    /// Checks the ranges of all numbers.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn check(&self) -> Result<()> {
        check_clip(self.number)?;
        check_seconds(self.seconds)?;
        in_range("blend", self.blend, 0.0, MOST_BLEND).map(drop)
    }
}

/// What an agent plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::swarm) struct Playing {
    pub(in crate::swarm) clip: Clip,
    /// The seconds of the clip that have been played, at most its length.
    pub(in crate::swarm) elapsed: f32,
    /// The share of the clip in the pose, 0..=1.
    pub(in crate::swarm) weight: f32,
    /// Whether it is blended out before its end.
    pub(in crate::swarm) is_stopping: bool,
}

impl Playing {
    pub(in crate::swarm) fn new(clip: Clip) -> Self {
        Self {
            clip,
            elapsed: 0.0,
            weight: if clip.blend > 0.0 { 0.0 } else { 1.0 },
            is_stopping: false,
        }
    }

    /// Another clip at the same share.
    pub(in crate::swarm) fn as_clip(mut self, number: u8, seconds: f32) -> Self {
        self.elapsed = (self.cycle(0.0) * seconds).min(seconds);
        (self.clip.number, self.clip.seconds) = (number, seconds);
        self
    }

    /// What is played `dt` seconds later. A corpse holds the last frame of a clip that plays once.
    pub(in crate::swarm) fn after(mut self, dt: f32, is_corpse: bool) -> Option<Self> {
        let Clip {
            seconds,
            once,
            blend,
            ..
        } = self.clip;
        let elapsed = self.elapsed + dt;
        self.elapsed = if once {
            elapsed.min(seconds)
        } else {
            // A step may be longer than the clip.
            let times = (elapsed / seconds) as i32 as f32;
            (elapsed - times * seconds).clamp(0.0, seconds)
        };
        let ends = once && !is_corpse;
        let is_over = ends && elapsed >= seconds;
        let is_fading = self.is_stopping || (ends && elapsed > seconds - blend);
        let change = if blend > dt { dt / blend } else { 1.0 };
        let change = if is_fading { -change } else { change };
        self.weight = (self.weight + change).clamp(0.0, 1.0);
        let is_gone = is_over || (is_fading && self.weight == 0.0);
        (!is_gone).then_some(self)
    }

    /// The share of the clip that had been played `ago` seconds before, 0..=1.
    pub(in crate::swarm) fn cycle(&self, ago: f32) -> f32 {
        (self.elapsed - ago).max(0.0) / self.clip.seconds
    }
}

/// Adds the entry of an agent at the end of the column.
pub(in crate::swarm) fn insert(column: &mut Vec<Option<Playing>>) {
    if !column.is_empty() {
        column.push(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIP: Clip = Clip {
        number: 4,
        seconds: 1.0,
        once: true,
        blend: 0.25,
    };

    fn weights(clip: Clip, steps: usize, is_corpse: bool) -> Vec<Option<f32>> {
        let mut playing = Some(Playing::new(clip));
        let step = |_| {
            playing = playing.and_then(|playing| playing.after(0.125, is_corpse));
            playing.map(|playing| playing.weight)
        };
        (0..steps).map(step).collect()
    }

    #[test]
    fn a_clip_is_blended_in_and_out_and_ends() {
        let expected = [0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5].map(Some);
        assert_eq!(weights(CLIP, 7, false), expected);
        assert_eq!(weights(CLIP, 9, false)[7..], [None, None]);
        let sharp = Clip { blend: 0.0, ..CLIP };
        assert_eq!(Playing::new(sharp).weight, 1.0);
        assert_eq!(weights(sharp, 8, false)[6..], [Some(1.0), None]);
    }

    #[test]
    fn a_corpse_holds_the_last_frame() {
        assert_eq!(weights(CLIP, 99, true)[98], Some(1.0));
        let mut playing = Playing::new(CLIP);
        for _ in 0..99 {
            playing = playing.after(0.125, true).expect("it holds");
        }
        assert_eq!(playing.cycle(0.0), 1.0);
    }

    #[test]
    fn a_clip_that_repeats_ends_when_it_is_stopped() {
        let clip = Clip {
            once: false,
            ..CLIP
        };
        let mut playing = Playing::new(clip);
        for _ in 0..13 {
            playing = playing.after(0.125, false).expect("it repeats");
        }
        assert_eq!(playing.cycle(0.0), 0.625);
        assert_eq!(playing.cycle(0.125), 0.5);
        let long = playing.after(2.5, false).expect("it repeats");
        assert_eq!(long.cycle(0.0), 0.125);
        playing.is_stopping = true;
        playing = playing.after(0.125, false).expect("it is blended out");
        assert_eq!(playing.weight, 0.5);
        assert_eq!(playing.after(0.125, false), None);
    }
}
