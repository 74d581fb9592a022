//! Overlaps of agents, for statistics.

use crate::swarm::AgentType;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::query::agent_query::AgentQuery;
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::Vec2;

impl Swarm {
    /// For each agent, in the order of [`Self::ids`], the depth of its deepest overlap with another agent: the sum of
    /// both radii minus the distance of the centres, divided by the smaller radius. 0 is no overlap; 2 is the same
    /// position or, for different radii, one disc inside the other. Only agents on the same layer count, and only pairs
    /// of which at least one agent has the other's layer in its collision mask. Avoidance does not matter.
    ///
    /// Meant for statistics and debug views: it is serial and allocates its result. O(agents + pairs that are near each
    /// other).
    pub fn overlaps(&mut self, world: &FlowWorld) -> Vec<f32> {
        self.search(world, &AgentQuery::default(), |search| {
            let (buckets, types, layers) = (search.buckets, search.types, search.layers);
            let mut deepest = vec![0.0_f32; search.agents.len()];
            for one in buckets.search(Vec2::NEG_INFINITY, Vec2::INFINITY) {
                let radius = types[usize::from(one.kind)].radius;
                // The larger agent of a pair finds the smaller one, which is at most this far away if they touch.
                let reach = Vec2::splat(2.0 * radius);
                for other in buckets.search(one.position - reach, one.position + reach) {
                    let depth = depth(one, other, types);
                    if depth > 0.0 && layers.at(one.position) == layers.at(other.position) {
                        for agent in [one, other] {
                            let deepest = &mut deepest[agent.index as usize];
                            *deepest = deepest.max(depth);
                        }
                    }
                }
            }
            deepest
        })
    }
}

/// The overlap of an agent with one that is no larger, in radii of the smaller one, at most 2. 0 if the pair is found
/// from the other agent, or does not collide.
fn depth(one: &SortedAgent, other: &SortedAgent, types: &[AgentType]) -> f32 {
    let [kind, other_kind] = [one, other].map(|agent| &types[usize::from(agent.kind)]);
    let finds = (kind.radius, one.index) > (other_kind.radius, other.index);
    let apart = one.position.distance_squared(other.position);
    let sum = kind.radius + other_kind.radius;
    if !finds || apart >= sum * sum || !collide(kind, other_kind) {
        return 0.0;
    }
    ((sum - apart.sqrt()) / other_kind.radius).min(2.0)
}

fn collide(one: &AgentType, other: &AgentType) -> bool {
    one.collision_mask & other.collision_layer != 0
        || other.collision_mask & one.collision_layer != 0
}
