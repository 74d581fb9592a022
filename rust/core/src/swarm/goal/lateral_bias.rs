//! Lateral bias and cohesion: agents prefer a side of their own, and are pulled to their group's centre.
//!
//! Both only turn an agent's direction to a side where the field allows it, or slow the agent down. All agents arrive,
//! whatever the weights.

use crate::random;
use crate::swarm::AgentType;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::step::context::Context;
use crate::world::FlowSource;
use glam::Vec2;

/// The purpose of the numbers that an agent's sides are drawn from.
const SIDE: u64 = 0x5349_4445;
/// The number of steps in which an agent's side changes.
const TURN: u64 = 192;
/// The largest share by which an agent slows down to wait for its group.
const WAITING: f32 = 0.5;

/// The side that an agent prefers in a step, -1..=1. One half of it is constant, the other half changes smoothly.
fn own_side(seed: u64, key: u64, tick: u64) -> f32 {
    let seed = seed ^ SIDE;
    let draw = |turn: u64| 2.0 * random::unit(random::keyed(seed, key, turn)) - 1.0;
    // Agents change at different times.
    let tick = tick + random::keyed(seed, key, 0) % TURN;
    let (turn, along) = (1 + tick / TURN, (tick % TURN) as f32 / TURN as f32);
    let now = draw(turn);
    0.5 * (draw(0) + now + (draw(turn + 1) - now) * along)
}

impl Context<'_> {
    /// Applies an agent's own side and cohesion to a direction. Returns the new direction, and the share of the agent's
    /// speed that is left.
    #[inline(never)]
    pub(in crate::swarm) fn lean(
        &self,
        flow: &impl FlowSource,
        agent: &SortedAgent,
        kind: &AgentType,
        point: Vec2,
        direction: Vec2,
    ) -> (Vec2, f32) {
        let id = self.agents.id[agent.index as usize];
        let mut side = kind.lateral_bias
            * own_side(self.seed, self.agents.key[agent.index as usize], self.tick);
        let mut pace = 1.0;
        if let Some(center) = self
            .group_centers
            .get(usize::from(self.agents.group[agent.index as usize]))
            && center.reach > 0.0
            && center.leader != Some(id)
        {
            let away = (center.place - agent.position) / center.reach;
            side += kind.cohesion * direction.perp_dot(away).clamp(-1.0, 1.0);
            let ahead = (-direction.dot(away)).clamp(0.0, 1.0);
            pace -= WAITING * kind.cohesion * ahead;
        }
        let radius = kind.radius / self.world.grid().cell_size();
        (flow.lean(point, radius, direction, side), pace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_fair_and_change_smoothly() {
        let agents = 400;
        let mut sum = 0.0;
        for id in 0..agents {
            let mut before = own_side(1, id, 0);
            for tick in 1..2 * TURN {
                let side = own_side(1, id, tick);
                assert!((-1.0..=1.0).contains(&side));
                assert!((side - before).abs() < 2.0 / TURN as f32);
                before = side;
                sum += side;
            }
        }
        let mean = sum / (agents * 2 * TURN) as f32;
        assert!(mean.abs() < 0.05, "{mean}");
        assert_ne!(own_side(1, 7, 3), own_side(2, 7, 3));
    }
}
