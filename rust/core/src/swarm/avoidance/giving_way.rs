//! Giving way: agents that want to go against each other push each other to the right, too.
//!
//! Pushes go straight apart, so two agents that meet exactly head-on stand against each other for ever, and so do crowds.
//! Where pushes are turned, to the same hand for all as in traffic, both step aside and pass, streams sort
//! themselves into lanes, and arches before doors break.
//!
//! What counts is where agents *want* to go. In a crowd that stands velocities tell nothing. And where all pushes are
//! turned, a crowd around one place whirls around it; there each agent wants to go where its neighbours do.

use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::step::context::Context;
use glam::Vec2;

/// How far pushes are turned between agents whose ways differ by a quarter of a turn or more, as a tangent. From 0.7
/// on no scene was found in which some are left at a crossing.
const TURN: f32 = 0.8;
/// In how many steps of which number pushes are turned; in the rest no agent gives way. Two that press each other into the
/// walls where narrow lanes meet may stand so with their pushes turned, or straight, but not both ways.
const TURNING: (u64, u64) = (192, 256);

/// How far pushes are turned in a step.
pub(in crate::swarm) fn turn_in(tick: u64) -> f32 {
    let (turned, of) = TURNING;
    if tick % of < turned { TURN } else { 0.0 }
}

/// Whether pushes are turned, as a factor, by how many eighths of a turn two ways differ, for others and for two who
/// have arrived.
static GIVES_WAY: [f32; 16] = {
    let mut gives_way = [0.0; 16];
    let mut apart = 2;
    while apart <= 6 {
        gives_way[apart] = 1.0;
        apart += 1;
    }
    gives_way
};

/// Where an agent's heading octant is in its flags.
const SHIFT: u32 = flag::HEADING_OCTANT.trailing_zeros();
/// The tangent of a sixteenth of a turn.
const SIXTEENTH: f32 = 0.414_213_57;
/// Eighths of a turn by a direction's signs, and by whether it goes along the x axis or else the y axis.
static EIGHTHS: [u8; 16] = [1, 3, 7, 5, 0, 4, 0, 4, 2, 2, 6, 6, 0, 0, 0, 0];

/// The flags for where an agent goes: the eighth of a turn, of those around the axes and the diagonals, that a
/// direction is in. Opposite directions are always four apart.
#[inline]
fn octant(direction: Vec2) -> u8 {
    let (x, y) = (direction.x.abs(), direction.y.abs());
    let signs = usize::from(direction.x < 0.0) | usize::from(direction.y < 0.0) << 1;
    let along_x = usize::from(y <= SIXTEENTH * x) << 2;
    let along_y = usize::from(x <= SIXTEENTH * y) << 3;
    EIGHTHS[signs | along_x | along_y] << SHIFT
}

impl Context<'_> {
    /// The flags for where an agent wants to go, for those it meets in the next step. Stationary agents keep theirs
    /// from the last tick: an agent that has arrived then counts like those behind it.
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

/// 1 for two agents that give way to each other, by their flags, and 0 for others. It is the same for both.
#[inline]
pub(in crate::swarm) fn give_way(one: u8, other: u8) -> f32 {
    let apart = (one >> SHIFT).wrapping_sub(other >> SHIFT) & 7;
    // Those who are where they want to be have nowhere to go.
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
    fn only_those_who_go_against_each_other_give_way() {
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
    fn whoever_has_arrived_gives_way_to_others_under_way_only() {
        let (east, west) = (octant(Vec2::X), octant(Vec2::NEG_X));
        assert!(give_way(east | flag::ARRIVED, west) > 0.0);
        assert_eq!(give_way(east | flag::ARRIVED, west | flag::ARRIVED), 0.0);
    }
}
