//! The columns that only drawing reads ([`crate::swarm::draw::trail`] fills them).

use crate::grid::layers::Layers;
use crate::random;
use crate::swarm::state::playing::Playing;
use glam::Vec2;

/// The purpose of the random number for the first phase of an agent's walk cycle.
const FIRST_PHASE: u64 = 0x0050_4841_5345;

/// The columns. Each is as long as those of [`super::agents::Agents`], or empty.
#[derive(Debug, Default, Clone)]
pub(in crate::swarm) struct Trail {
    /// Positions before the last step. For an agent that was moved by the game since, its present position.
    pub(in crate::swarm) position: Vec<Vec2>,
    /// Headings before the last step.
    pub(in crate::swarm) heading: Vec<Vec2>,
    /// The phases of walk cycles, 0..1. The first phase is random, so that a crowd does not walk in step. For a corpse
    /// it is the time since its death, in seconds.
    pub(in crate::swarm) phase: Vec<f32>,
    /// The gaits of characters; empty unless a type has clips ([`crate::swarm::draw::gait`]).
    pub(in crate::swarm) gait: Vec<f32>,
    /// Phase and gait, or share and number of a clip, from which the present clip is blended in; `None` for the present
    /// movement.
    pub(in crate::swarm) held: Vec<Option<Vec2>>,
}

impl Trail {
    /// Adds the entries of an agent at the end.
    pub(in crate::swarm) fn insert(&mut self, key: u64, position: Vec2, heading: Vec2) {
        if !self.position.is_empty() {
            self.position.push(position);
        }
        if !self.heading.is_empty() {
            self.heading.push(heading);
        }
        if !self.phase.is_empty() {
            self.phase.push(first_phase(key));
        }
        if !self.gait.is_empty() {
            self.gait.push(0.0);
        }
        if !self.held.is_empty() {
            self.held.push(None);
        }
    }

    /// Starts the time since the death of an agent.
    pub(in crate::swarm) fn lie_down(&mut self, index: usize) {
        if let Some(phase) = self.phase.get_mut(index) {
            *phase = 0.0;
        }
    }

    /// Moves the trail of an agent that came to `position` from another layer to that layer. In flat coordinates it
    /// stays where it is.
    pub(in crate::swarm) fn follow_to(&mut self, index: usize, layers: &Layers, position: Vec2) {
        if let Some(before) = self.position.get_mut(index) {
            let layer = layers.at(position);
            if layers.at(*before) != layer {
                *before = layers.place(layers.flat(*before), layer);
            }
        }
    }

    /// Holds the pose of an agent, one of `count`, that starts a clip, to blend from it: that of the clip that it
    /// played before, or that of the movement of an agent that dies.
    pub(in crate::swarm) fn hold(
        &mut self,
        index: usize,
        count: usize,
        before: Option<Playing>,
        is_corpse: bool,
    ) {
        let (Some(&phase), Some(&gait)) = (self.phase.get(index), self.gait.get(index)) else {
            return;
        };
        self.held.resize(count, None);
        self.held[index] = match before {
            // Of two clips that are blended only the stronger one is held.
            Some(playing) if playing.weight > 0.5 => {
                let number = f32::from(playing.clip.number);
                Some(Vec2::new(playing.cycle(0.0), -1.0 - number))
            }
            _ if is_corpse && self.held[index].is_none() => Some(Vec2::new(phase, gait)),
            _ => self.held[index],
        };
    }

    /// What is held of an agent, with another number for a clip; `None` if that is `None`.
    pub(in crate::swarm) fn held_as(
        &self,
        index: usize,
        number: impl Fn(u8) -> Option<u8>,
    ) -> Option<Vec2> {
        let held = self.held.get(index).copied().flatten()?;
        if held.y >= 0.0 {
            return Some(held);
        }
        let number = number((-1.0 - held.y) as u8)?;
        Some(Vec2::new(held.x, -1.0 - f32::from(number)))
    }

    /// Sets what is held of an agent.
    pub(in crate::swarm) fn set_held(&mut self, index: usize, held: Option<Vec2>) {
        if let Some(entry) = self.held.get_mut(index) {
            *entry = held;
        }
    }

    /// Ends a blend from a held pose.
    pub(in crate::swarm) fn show_movement(&mut self, index: usize) {
        if let Some(held) = self.held.get_mut(index) {
            *held = None;
        }
    }

    /// Sets the trail of an agent that did not walk to its position.
    pub(in crate::swarm) fn jump(&mut self, index: usize, position: Vec2) {
        if let Some(before) = self.position.get_mut(index) {
            *before = position;
        }
    }
}

/// The first phase of an agent's walk cycle.
pub(in crate::swarm) fn first_phase(key: u64) -> f32 {
    random::unit(random::keyed(0, key, FIRST_PHASE))
}
