//! Where an agent is on a link that takes time.

use crate::grid::layers::Layers;
use glam::Vec2;

/// The share of a step by which an agent may land too early, so that rounding does not add a step.
const TOO_EARLY: f32 = 1.0e-3;

/// The travel of an agent over a link. The column takes memory once the links of a world take time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::swarm) struct LinkTravel {
    /// The place in the link's first cell from which it started.
    pub(in crate::swarm) from: Vec2,
    /// The place where it lands.
    pub(in crate::swarm) to: Vec2,
    /// The centre of the link's last cell.
    pub(in crate::swarm) end: Vec2,
    /// The time since the start, in seconds.
    pub(in crate::swarm) done: f32,
    /// The time from start to landing, in seconds; 0 if there is no travel.
    pub(in crate::swarm) whole: f32,
    /// The greatest height above the straight line.
    pub(in crate::swarm) arc: f32,
    /// The time since the start before the last step. Only drawing reads it.
    pub(in crate::swarm) before: f32,
    /// The number of steps after which [`Self::done`] was last advanced, modulo 2^32. Only drawing reads it: the travel
    /// of an agent that has landed is drawn until the next step.
    pub(in crate::swarm) tick: u32,
}

impl LinkTravel {
    /// The time since the start after `dt` more seconds.
    pub(in crate::swarm) fn after(&self, dt: f32) -> f32 {
        let done = self.done + dt;
        if self.whole - done <= TOO_EARLY * dt {
            self.whole
        } else {
            done
        }
    }

    /// The place where the agent is `done` seconds after the start: on the straight line between both ends, on the
    /// layer of the nearer end.
    pub(in crate::swarm) fn place(&self, layers: &Layers, done: f32) -> Vec2 {
        if done >= self.whole {
            return self.to;
        }
        let share = done / self.whole;
        let [from, to] = [self.from, self.to].map(|end| layers.flat(end));
        let nearer = if share < 0.5 { self.from } else { self.to };
        layers.place(from.lerp(to, share), layers.at(nearer))
    }

    /// The displacement from start to landing, without layers.
    pub(in crate::swarm) fn displacement(&self, layers: &Layers) -> Vec2 {
        layers.flat(self.to) - layers.flat(self.from)
    }

    /// The height at `fraction` of the last step, between the heights of both ends.
    pub(in crate::swarm) fn height(&self, fraction: f32, ends: [f32; 2]) -> f32 {
        let done = self.before + (self.done - self.before) * fraction;
        let share = done / self.whole;
        let [from, to] = ends;
        from + (to - from) * share + 4.0 * self.arc * share * (1.0 - share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_travel_ends_after_its_time_in_steps_of_any_length() {
        for (whole, dt, steps) in [
            (1.0, 0.1, 10),
            (1.0, 1.0 / 60.0, 60),
            (3600.0, 0.3, 12_000),
            (0.05, 0.1, 1),
            (0.25, 0.1, 3),
        ] {
            let mut travel = LinkTravel {
                to: Vec2::X,
                whole,
                ..LinkTravel::default()
            };
            let mut count = 0;
            while travel.done < whole {
                travel.done = travel.after(dt);
                count += 1;
            }
            assert!(
                i32::abs(count - steps) <= 1 + steps / 10_000,
                "{whole} by {dt}: {count}"
            );
            assert_eq!(travel.place(&Layers::default(), travel.done), Vec2::X);
        }
    }

    #[test]
    fn heights_are_a_parabola_over_the_line_between_the_ends() {
        let mut travel = LinkTravel {
            whole: 2.0,
            done: 1.0,
            arc: 3.0,
            ..LinkTravel::default()
        };
        assert_eq!(travel.height(0.0, [1.0, 5.0]), 1.0);
        assert_eq!(
            travel.height(1.0, [1.0, 5.0]),
            6.0,
            "the middle, and the arc"
        );
        travel.before = 1.0;
        travel.done = 2.0;
        assert_eq!(travel.height(1.0, [1.0, 5.0]), 5.0);
        assert_eq!(travel.height(0.5, [0.0, 0.0]), 4.0 * 3.0 * 0.75 * 0.25);
    }
}
