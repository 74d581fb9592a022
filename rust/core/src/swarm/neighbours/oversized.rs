//! Oversized agents, the few that are much larger than all others, in coarse buckets of their own.
//!
//! The search for touching agents has to reach as far as the largest agent. If that held in all buckets, a single
//! oversized agent would make each agent of a crowd visit hundreds. So buckets and search distances are sized for
//! regular agents. Oversized agents are in these buckets too, and once more in coarse buckets, where agents find those
//! that are farther away.

use crate::grid::Grid;
use crate::swarm::AgentType;
use crate::swarm::limits::MAX_AGENT_TYPES;
use crate::swarm::neighbours::shape::Shape;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::agents::Agents;
use glam::Vec2;

/// Oversized agents are larger than the largest regular agent at least by this factor...
const SIZE: f32 = 2.0;
/// ... and at most one agent in this many is oversized.
const RARE: usize = 16;

/// The radius of the largest regular agents: larger ones are oversized. O(agents) if the types' radii differ enough for
/// oversized agents, otherwise O(types).
pub(in crate::swarm) fn regular_radius(agents: &Agents, types: &[AgentType]) -> f32 {
    let radii = types.iter().map(|kind| kind.radius);
    let (least, largest) = (
        radii.clone().fold(f32::INFINITY, f32::min),
        radii.fold(0.0, f32::max),
    );
    if largest <= SIZE * least {
        return largest;
    }
    let mut counts = [0_usize; MAX_AGENT_TYPES];
    for &kind in &agents.kind {
        counts[usize::from(kind)] += 1;
    }
    let few = agents.len() / RARE;
    let count_above = |radius: f32| {
        let above = types.iter().zip(&counts);
        above
            .filter(|(kind, _)| kind.radius > radius)
            .map(|(_, count)| count)
            .sum::<usize>()
    };
    let regular = types
        .iter()
        .map(|kind| kind.radius)
        .filter(|&radius| count_above(radius) <= few)
        .fold(largest, f32::min);
    if largest > SIZE * regular {
        regular
    } else {
        largest
    }
}

/// The oversized agents in coarse buckets.
#[derive(Debug, Default)]
pub(in crate::swarm) struct OversizedAgents {
    shape: Shape,
    /// The index in `places` at which each bucket starts, followed by one entry for the end.
    starts: Vec<u32>,
    /// Their places in the order of all buckets, by coarse bucket and ascending within one.
    places: Vec<u32>,
    spare: Vec<u32>,
}

impl OversizedAgents {
    /// Removes all.
    pub(in crate::swarm) fn clear(&mut self) {
        self.places.clear();
    }

    pub(in crate::swarm) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Finds those of `sorted` that are larger than `regular`, in buckets that are at least `least` wide. O(agents).
    pub(in crate::swarm) fn find(
        &mut self,
        grid: &Grid,
        sorted: &[SortedAgent],
        types: &[AgentType],
        regular: f32,
        least: f32,
    ) {
        let largest = types.iter().map(|kind| kind.radius).fold(0.0, f32::max);
        let is_oversized = |agent: &SortedAgent| {
            // No agent perceives one that is on a link.
            types[usize::from(agent.kind)].radius > regular && agent.state != AgentState::Travelling
        };
        self.spare.clear();
        // Room for the most oversized agents that there can be.
        self.spare.reserve(sorted.len() / RARE + 1);
        let oversized =
            (0..sorted.len() as u32).filter(|&place| is_oversized(&sorted[place as usize]));
        self.spare.extend(oversized);
        self.shape = Shape::new(grid, self.spare.len(), largest, least);
        let bucket_of = |place: u32| {
            let cell = self.shape.cell_of(sorted[place as usize].position);
            self.shape.bucket_of(cell) as usize
        };
        self.starts.clear();
        self.starts.resize(self.shape.bucket_count() + 1, 0);
        for &place in &self.spare {
            self.starts[bucket_of(place)] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.places.clear();
        self.places.reserve(self.spare.capacity());
        self.places.resize(self.spare.len(), 0);
        // Backwards, so that places are in ascending order and the entry for a bucket's end becomes its start.
        for &place in self.spare.iter().rev() {
            let start = &mut self.starts[bucket_of(place)];
            *start -= 1;
            self.places[*start as usize] = place;
        }
    }

    /// The places of at least all oversized agents whose centres are in the rectangle from `low` to `high`.
    #[inline]
    pub(in crate::swarm) fn between(&self, low: Vec2, high: Vec2) -> impl Iterator<Item = u32> {
        let rows = self.shape.rows_between(&self.starts, low, high);
        rows.flat_map(|row| &self.places[row]).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The regular radius of a crowd with so many agents of each radius.
    fn regular(crowd: &[(f32, usize)]) -> f32 {
        let kind = |&(radius, _): &(f32, usize)| AgentType {
            radius,
            ..AgentType::default()
        };
        let types: Vec<AgentType> = crowd.iter().map(kind).collect();
        let mut agents = Agents::default();
        for (kind, &(_, count)) in crowd.iter().enumerate() {
            for _ in 0..count {
                agents.insert(Vec2::ZERO, kind as u8, 0);
            }
        }
        regular_radius(&agents, &types)
    }

    #[test]
    fn oversized_agents_are_few_and_large() {
        assert_eq!(regular(&[(1.0, 100)]), 1.0);
        assert_eq!(regular(&[(1.0, 100), (1.9, 1)]), 1.9, "hardly larger");
        assert_eq!(regular(&[(1.0, 100), (5.0, 6)]), 1.0);
        assert_eq!(regular(&[(1.0, 100), (5.0, 7)]), 5.0, "too many");
        assert_eq!(regular(&[(9.0, 2), (1.0, 100), (5.0, 3), (1.5, 50)]), 1.5);
        assert_eq!(regular(&[(9.0, 0), (1.0, 10)]), 1.0, "none are there");
        assert_eq!(regular(&[(1.0, 0), (9.0, 10)]), 9.0);
        assert_eq!(regular(&[(1.0, 0), (9.0, 0)]), 1.0);
    }
}
