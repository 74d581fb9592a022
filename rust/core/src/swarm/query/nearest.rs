//! Finds the nearest agent to a position, or to each of many.

use crate::error::{Result, finite, in_range};
use crate::swarm::AgentId;
use crate::swarm::query::agent_query::{AgentQuery, QueryOrder};
use crate::swarm::query::search::{Found, Search};
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::Vec2;

/// The number of positions below which another thread is not worth waking.
const CHUNK: usize = 64;

impl Swarm {
    /// Of the agents that `query` selects at most `max_distance` from `position`, on its layer, the first in the order
    /// of the query: by default the nearest. The query's limit does not count.
    ///
    /// # Errors
    /// A position that is not finite, or a negative distance.
    pub fn nearest(
        &mut self,
        world: &FlowWorld,
        position: Vec2,
        max_distance: f32,
        query: &AgentQuery,
    ) -> Result<Option<AgentId>> {
        let found = self.nearest_many(world, &[position], max_distance, query)?;
        Ok(found[0])
    }

    /// [`Self::nearest`] for each of many positions, on all threads.
    ///
    /// By distance, each search costs O(agents near the position) if there is an agent near it; in another order, and
    /// for the farthest agent, O(agents at most `max_distance` away).
    ///
    /// # Errors
    /// A position that is not finite, or a negative distance.
    pub fn nearest_many(
        &mut self,
        world: &FlowWorld,
        positions: &[Vec2],
        max_distance: f32,
        query: &AgentQuery,
    ) -> Result<Vec<Option<AgentId>>> {
        for &position in positions {
            finite("position", position)?;
        }
        in_range("max_distance", max_distance, 0.0, f32::INFINITY)?;
        let is_by_distance = matches!(query.order, QueryOrder::Natural | QueryOrder::Distance);
        let mut nearest = vec![None; positions.len()];
        self.search(world, query, |search| {
            let workers = world.workers();
            workers.for_each_chunk(&mut nearest, CHUNK, |offset, part| {
                for (nearest, &position) in part.iter_mut().zip(&positions[offset..]) {
                    let found = if is_by_distance && !query.is_descending {
                        search.nearest(position, max_distance)
                    } else {
                        search.first_within(position, max_distance)
                    };
                    *nearest = found.map(|found| found.id);
                }
            });
        });
        Ok(nearest)
    }
}

impl Search<'_> {
    /// The first agent in the order of the query at most `radius` from a position.
    fn first_within(&self, position: Vec2, radius: f32) -> Option<Found> {
        let reach = Vec2::splat(radius);
        self.first_between(position, (position - reach, position + reach), radius)
    }

    /// The agent nearest to a position, at most `max_distance` away.
    ///
    /// Searches squares that double in size until one has an agent; a nearer agent may be beyond the square's sides,
    /// but not farther away than that agent.
    fn nearest(&self, position: Vec2, max_distance: f32) -> Option<Found> {
        let (low, high) = self.world.grid().bounds();
        // Only agents that a change of the grid has left outside are farther away than this.
        let everywhere = (position - low).abs().max((high - position).abs()).length();
        let mut radius = self.buckets.width().min(max_distance);
        loop {
            let reach = Vec2::splat(radius);
            let square = (position - reach, position + reach);
            let found = self.first_between(position, square, max_distance);
            if let Some(found) = found {
                let distance = found.key.sqrt();
                if distance <= f64::from(radius) {
                    return Some(found);
                }
                // Rounded up, so that agents as far away as this one are in the square.
                return self
                    .first_within(position, max_distance.min((distance * 1.000_001) as f32));
            }
            if radius >= max_distance {
                return None;
            }
            radius = if radius >= everywhere {
                max_distance
            } else {
                (2.0 * radius).min(max_distance)
            };
        }
    }

    /// The first agent in the order of the query that is at most `radius` from a position, among at least all agents
    /// between two corners.
    fn first_between(
        &self,
        position: Vec2,
        (low, high): (Vec2, Vec2),
        radius: f32,
    ) -> Option<Found> {
        let layer = self.layers.at(position);
        let mut first: Option<Found> = None;
        for agent in self.buckets.search(low, high) {
            let distance = agent.position.distance_squared(position);
            if distance > radius * radius || !self.is_on_layer(agent.position, layer) {
                continue;
            }
            let found = self.found(agent, distance.into(), distance.into());
            let is_first = first.is_none_or(|first| found.is_before(&first));
            // The order is cheap to test, the conditions are not.
            if is_first && self.accepts(agent.index) {
                first = Some(found);
            }
        }
        first
    }
}
