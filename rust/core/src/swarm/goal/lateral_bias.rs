//! What makes agents of one group differ in the ways they take: a side of their own, and the pull of their
//! group.
//!
//! Both only turn an agent's direction to a side, where the field allows it, or slow it down: whatever the
//! weights, all agents arrive.

use crate::error::Result;
use crate::random;
use crate::swarm::neighbours::buckets::SortedAgent;
use crate::swarm::state::agents::{AgentState, Agents, flag};
use crate::swarm::step::context::Context;
use crate::swarm::{AgentId, AgentType, Group, MAX_GROUPS, Swarm, check_group};
use crate::world::FlowSource;
use glam::Vec2;

/// The purpose of the numbers that an agent's sides are drawn from.
const SIDE: u64 = 0x5349_4445;
/// In about how many steps an agent changes sides.
const TURN: u64 = 192;
/// How wide a group spreads before it pulls with all its weight, as a multiple of the radius of as many
/// discs packed into a circle.
const SPREAD: f32 = 2.0;
/// How much slower an agent goes at most that waits for its group.
const WAITING: f32 = 0.5;

/// The side that an agent prefers in a step, -1..=1: half of it is its own for good, half changes smoothly.
fn own_side(seed: u64, key: u64, tick: u64) -> f32 {
    let seed = seed ^ SIDE;
    let draw = |turn: u64| 2.0 * random::unit(random::keyed(seed, key, turn)) - 1.0;
    // Not all change at once.
    let tick = tick + random::keyed(seed, key, 0) % TURN;
    let (turn, along) = (1 + tick / TURN, (tick % TURN) as f32 / TURN as f32);
    let now = draw(turn);
    0.5 * (draw(0) + now + (draw(turn + 1) - now) * along)
}

/// Where a group is, for agents that keep together.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::swarm) struct GroupCenter {
    place: Vec2,
    /// How far from there it pulls with all its weight; 0 if there are no agents to keep to.
    reach: f32,
    leader: Option<AgentId>,
}

impl Swarm {
    /// Makes an agent the one that its group's members keep to as far as their type's
    /// [`AgentType::cohesion`] has them do so; without a leader, and when it is no more, that is their
    /// middle. The leader may be of any group, and goes its own way.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`], or [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn set_group_leader(&mut self, group: i64, leader: Option<AgentId>) -> Result<()> {
        let group = usize::from(check_group(group)?);
        if let Some(leader) = leader {
            self.agents.find(leader)?;
        }
        if self.groups.len() <= group {
            self.groups.resize(group + 1, Group::default());
        }
        self.groups[group].leader = leader;
        Ok(())
    }

    /// The leader that a group has been given, if it still lives.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`].
    pub fn group_leader(&self, group: i64) -> Result<Option<AgentId>> {
        let group = self.groups.get(usize::from(check_group(group)?));
        let leader = group.and_then(|group| group.leader);
        Ok(leader.filter(|&id| self.contains(id)))
    }

    /// Finds the centres of groups, if any agents keep to theirs. O(agents).
    pub(in crate::swarm) fn find_group_centers(&mut self) {
        let group_centers = &mut self.scratch.group_centers;
        group_centers.clear();
        if self.types.iter().any(|kind| kind.cohesion > 0.0) {
            group_centers.resize(MAX_GROUPS, GroupCenter::default());
            measure(group_centers, &self.agents, &self.types, &self.groups);
        }
    }
}

/// In the order of the columns, which does not depend on threads.
fn measure(
    group_centers: &mut [GroupCenter],
    agents: &Agents,
    types: &[AgentType],
    groups: &[Group],
) {
    let mut counts = [0.0_f32; MAX_GROUPS];
    for index in 0..agents.len() {
        let is_under_way = agents.state[index] == AgentState::Following
            && agents.flags[index] & (flag::ARRIVED | flag::QUARANTINED) == 0;
        if is_under_way {
            let group = usize::from(agents.group[index]);
            let radius = types[usize::from(agents.kind[index])].radius;
            counts[group] += 1.0;
            // Running means: sums of far places would lose digits.
            let share = 1.0 / counts[group];
            let center = &mut group_centers[group];
            center.place += (agents.position[index] - center.place) * share;
            center.reach += (radius * radius - center.reach) * share;
        }
    }
    for (center, count) in group_centers.iter_mut().zip(counts) {
        center.reach = SPREAD * (center.reach * count).sqrt();
    }
    for (center, group) in group_centers.iter_mut().zip(groups) {
        let leader = group
            .leader
            .and_then(|id| Some((id, agents.find(id).ok()?)));
        if let Some((id, index)) = leader {
            center.place = agents.position[index];
            center.leader = Some(id);
        }
    }
}

impl Context<'_> {
    /// What an agent's own side and its group make of a direction: the direction, and how much of its speed
    /// is left.
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
        if let Some(center) = self.group_centers.get(usize::from(agent.group))
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
