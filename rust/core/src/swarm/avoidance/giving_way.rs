//! Giving way: agents with opposed preferred directions push each other to the right as well as apart.
//!
//! Without it pushes go straight apart, and two agents or crowds that meet exactly head-on block each other for ever.
//! Here pushes are turned to the same side for all agents, as in traffic: both agents step aside and pass, streams form
//! lanes, and arches before doors break.
//!
//! The rule compares preferred directions, not velocities, which mean nothing in a standing crowd. Agents around one
//! place have similar preferred directions, so their pushes are not turned; turned pushes would make such a crowd
//! rotate.

use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::step::context::Context;
use glam::Vec2;

/// The tangent of the angle by which pushes are turned between agents whose directions differ by a quarter of a turn or
/// more. From 0.7 on no scene was found in which agents are left at a crossing.
const TURN: f32 = 0.8;
/// Pushes are turned in the first number of steps of each period of the second number; in the rest no agent gives way.
/// Two agents that press each other into the walls where narrow lanes meet may be stuck with turned pushes or with
/// straight ones, but not with both.
const TURNING: (u64, u64) = (192, 256);

/// The tangent of the angle by which pushes are turned in a step.
pub(in crate::swarm) fn turn_in(tick: u64) -> f32 {
    let (turned, of) = TURNING;
    if tick % of < turned { TURN } else { 0.0 }
}

/// The factor, 0 or 1, of turned pushes, by the difference of two headings in eighths of a turn. The second half of the
/// table is for two agents that have arrived.
static GIVES_WAY: [f32; 16] = {
    let mut gives_way = [0.0; 16];
    let mut apart = 2;
    while apart <= 6 {
        gives_way[apart] = 1.0;
        apart += 1;
    }
    gives_way
};

/// The position of the heading octant in an agent's flags.
const SHIFT: u32 = flag::HEADING_OCTANT.trailing_zeros();
/// The tangent of a sixteenth of a turn.
const SIXTEENTH: f32 = 0.414_213_57;
/// The octant of a direction, by its signs and by whether it is nearest to the x axis, the y axis or a diagonal.
static EIGHTHS: [u8; 16] = [1, 3, 7, 5, 0, 4, 0, 4, 2, 2, 6, 6, 0, 0, 0, 0];

/// The octant of a direction as flags. Octants are centred on the axes and the diagonals, and those of opposite
/// directions always differ by four.
#[inline]
fn octant(direction: Vec2) -> u8 {
    let (x, y) = (direction.x.abs(), direction.y.abs());
    let signs = usize::from(direction.x < 0.0) | usize::from(direction.y < 0.0) << 1;
    let along_x = usize::from(y <= SIXTEENTH * x) << 2;
    let along_y = usize::from(x <= SIXTEENTH * y) << 3;
    EIGHTHS[signs | along_x | along_y] << SHIFT
}

impl Context<'_> {
    /// The octant of the direction that an agent wants to go in, for its neighbours in the next step. Stationary agents
    /// keep their octant from the last tick, so that an arrived agent counts like the agents behind it.
    #[inline]
    pub(in crate::swarm) fn heading_octant(&self, agent: &SortedAgent, wanted: Vec2) -> u8 {
        if !self.pushes {
            0
        } else if wanted == Vec2::ZERO {
            agent.flags & flag::HEADING_OCTANT
        } else {
            octant(wanted)
        }
    }
}

/// 1 for two agents that give way to each other, and 0 otherwise, by their flags. It is symmetric.
#[inline]
pub(in crate::swarm) fn give_way(one: u8, other: u8) -> f32 {
    let apart = (one >> SHIFT).wrapping_sub(other >> SHIFT) & 7;
    // Agents that have both arrived have nowhere to go.
    let have_arrived = one & other & flag::ARRIVED != 0;
    GIVES_WAY[usize::from(apart) | usize::from(have_arrived) << 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directions() -> impl Iterator<Item = Vec2> {
        (0..720).map(|step| Vec2::from_angle(step as f32 * 0.5_f32.to_radians()))
    }

    #[test]
    fn only_agents_that_go_against_each_other_give_way() {
        for one in directions() {
            for other in directions() {
                let turn = give_way(octant(one), octant(other));
                let cosine = one.dot(other);
                // An eighth of a turn may be missing or too much.
                assert!(cosine > -0.71 || turn > 0.0, "{one} {other}");
                assert!(cosine < 0.71 || turn == 0.0, "{one} {other}");
                assert_eq!(turn, give_way(octant(other), octant(one)));
            }
            assert!(give_way(octant(one), octant(-one)) > 0.0, "{one}");
        }
    }

    #[test]
    fn crossings_at_a_right_angle_count_whatever_the_axes() {
        for one in directions() {
            assert!(give_way(octant(one), octant(one.perp())) > 0.0, "{one}");
        }
    }

    #[test]
    fn arrived_agents_give_way_to_agents_under_way_only() {
        let (east, west) = (octant(Vec2::X), octant(Vec2::NEG_X));
        assert!(give_way(east | flag::ARRIVED, west) > 0.0);
        assert_eq!(give_way(east | flag::ARRIVED, west | flag::ARRIVED), 0.0);
    }
}
