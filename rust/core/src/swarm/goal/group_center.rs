//! The centres of groups, for cohesion.

use crate::swarm::limits::MAX_GROUPS;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::Agents;
use crate::swarm::state::group::Groups;
use crate::swarm::{AgentId, AgentType};
use glam::Vec2;

/// The distance from the centre at which cohesion reaches its full weight, as a multiple of the radius of a circle
/// packed with as many discs.
const SPREAD: f32 = 2.0;

/// The centre of a group, for cohesion.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::swarm) struct GroupCenter {
    pub(super) place: Vec2,
    /// The distance at which cohesion has its full weight; 0 if the group has no agents to keep to.
    pub(super) reach: f32,
    pub(super) leader: Option<AgentId>,
}

/// Measures the centres of all groups, serially in the order of the columns, so that rounding does not depend on
/// threads.
pub(in crate::swarm) fn measure(
    group_centers: &mut [GroupCenter],
    agents: &Agents,
    types: &[AgentType],
    groups: &Groups,
) {
    let mut counts = [0.0_f32; MAX_GROUPS];
    for index in 0..agents.len() {
        let is_under_way = agents.state[index] == AgentState::Following
            && agents.flags[index] & (flag::ARRIVED | flag::QUARANTINED) == 0;
        if is_under_way {
            let group = usize::from(agents.group[index]);
            let radius = types[usize::from(agents.kind[index])].radius;
            counts[group] += 1.0;
            // Running means are used because sums of large coordinates lose digits.
            let share = 1.0 / counts[group];
            let center = &mut group_centers[group];
            center.place += (agents.position[index] - center.place) * share;
            center.reach += (radius * radius - center.reach) * share;
        }
    }
    for (center, count) in group_centers.iter_mut().zip(counts) {
        center.reach = SPREAD * (center.reach * count).sqrt();
    }
    for (center, group) in group_centers.iter_mut().zip(groups.iter()) {
        let leader = group
            .leader
            .and_then(|id| Some((id, agents.find(id).ok()?)));
        if let Some((id, index)) = leader {
            center.place = agents.position[index];
            center.leader = Some(id);
        }
    }
}
