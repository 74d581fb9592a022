//! Finds agents by position.

use crate::error::{Error, Result, finite, in_range};
use crate::swarm::AgentId;
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::Vec2;

/// The largest radius that a query takes, in world units.
pub(in crate::swarm) const MAX_RADIUS: f32 = 1.0e6;

impl Swarm {
    fn find_between(
        &mut self,
        world: &FlowWorld,
        (low, high): (Vec2, Vec2),
        layer: u32,
        keep: impl Fn(Vec2) -> bool,
    ) -> Vec<AgentId> {
        let layers = world.grid().layers();
        self.look(world, |agents, buckets, _| {
            let rows = buckets.rows_between(low, high);
            let mut found: Vec<AgentId> = rows
                .flat_map(|row| &buckets.sorted()[row])
                .filter(|agent| keep(agent.position) && layers.at(agent.position) == layer)
                .map(|agent| agents.id[agent.index as usize])
                .collect();
            found.sort_unstable();
            found
        })
    }

    /// The agents whose centres are at most `radius` from `center`, on its layer, by ascending id. O(agents
    /// there).
    ///
    /// # Errors
    /// A centre that is not finite, or a radius outside 0..=1e6.
    pub fn query_circle(
        &mut self,
        world: &FlowWorld,
        center: Vec2,
        radius: f32,
    ) -> Result<Vec<AgentId>> {
        finite("center", center)?;
        in_range("radius", radius, 0.0, MAX_RADIUS)?;
        let reach = Vec2::splat(radius);
        let around = (center - reach, center + reach);
        let layer = world.grid().layers().at(center);
        Ok(self.find_between(world, around, layer, |position| {
            position.distance_squared(center) <= radius * radius
        }))
    }

    /// The nearest agent at most `radius` from `center`, on its layer.
    fn nearest_around(&mut self, world: &FlowWorld, center: Vec2, radius: f32) -> Option<AgentId> {
        let layers = world.grid().layers();
        let layer = layers.at(center);
        let reach = Vec2::splat(radius);
        self.look(world, |agents, buckets, _| {
            let rows = buckets.rows_between(center - reach, center + reach);
            let near = rows
                .flat_map(|row| &buckets.sorted()[row])
                .map(|agent| (agent.position.distance_squared(center), agent))
                .filter(|&(distance, agent)| {
                    distance <= radius * radius && layers.at(agent.position) == layer
                });
            let near = near.map(|(distance, agent)| (distance, agents.id[agent.index as usize]));
            let nearest = near.min_by(|one, other| {
                let by_distance = one.0.total_cmp(&other.0);
                by_distance.then(one.1.cmp(&other.1))
            });
            nearest.map(|(_, id)| id)
        })
    }

    /// The agents whose centres are in the rectangle from `low` to `high`, edges included, on the layer of
    /// `low`, by ascending id. O(agents there).
    ///
    /// # Errors
    /// Corners that are not finite, or a `high` below `low`.
    pub fn query_rect(&mut self, world: &FlowWorld, low: Vec2, high: Vec2) -> Result<Vec<AgentId>> {
        finite("rect", low)?;
        finite("rect", high)?;
        let size = high - low;
        if size.min_element() < 0.0 {
            return Err(Error::OutOfRange {
                name: "size of rect",
                value: size.min_element().into(),
                min: 0.into(),
                max: f32::MAX.into(),
            });
        }
        let layer = world.grid().layers().at(low);
        Ok(self.find_between(world, (low, high), layer, |position| {
            position.cmpge(low).all() && position.cmple(high).all()
        }))
    }

    /// The agent on the layer of `position` whose centre is nearest to it, at most `max_distance` away; of
    /// several the one with the least id.
    ///
    /// # Errors
    /// A position that is not finite, or a negative distance.
    pub fn nearest(
        &mut self,
        world: &FlowWorld,
        position: Vec2,
        max_distance: f32,
    ) -> Result<Option<AgentId>> {
        finite("position", position)?;
        in_range("max_distance", max_distance, 0.0, f32::INFINITY)?;
        let (low, high) = world.grid().bounds();
        // Only agents that a change of the grid has left outside are farther away than this.
        let everywhere = (position - low).abs().max((high - position).abs()).length();
        let mut radius = (4.0 * world.grid().cell_size()).min(max_distance);
        loop {
            let nearest = self.nearest_around(world, position, radius);
            if nearest.is_some() || radius >= max_distance {
                return Ok(nearest);
            }
            radius = if radius >= everywhere {
                max_distance
            } else {
                (2.0 * radius).min(max_distance)
            };
        }
    }
}
