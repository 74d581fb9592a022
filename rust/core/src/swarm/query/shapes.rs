//! Finds the agents in a circle or a rectangle.

use crate::error::{Error, Result, finite, in_range};
use crate::swarm::AgentId;
use crate::swarm::query::agent_query::AgentQuery;
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::Vec2;

/// The largest radius that a query takes, in world units.
pub(super) const MAX_RADIUS: f32 = 1.0e6;
/// The largest coordinate of the ends of a line. Distances along a longer one are not exact enough to tell what it
/// touches.
const MAX_END: f32 = 1.0e9;

/// Checks the coordinates of an end of a line.
pub(super) fn check_end(name: &'static str, end: &[f32]) -> Result<()> {
    for &coordinate in end {
        in_range(name, coordinate, -MAX_END, MAX_END)?;
    }
    Ok(())
}

impl Swarm {
    /// The agents that `query` selects whose centres are at most `radius` from `center`, on its layer. O(agents there).
    ///
    /// # Errors
    /// A centre that is not finite, or a radius outside 0..=1e6.
    pub fn query_circle(
        &mut self,
        world: &FlowWorld,
        center: Vec2,
        radius: f32,
        query: &AgentQuery,
    ) -> Result<Vec<AgentId>> {
        finite("center", center)?;
        in_range("radius", radius, 0.0, MAX_RADIUS)?;
        let reach = Vec2::splat(radius);
        let corners = (center - reach, center + reach);
        let layer = world.grid().layers().at(center);
        Ok(
            self.query_inside(world, corners, (center, layer), query, |position| {
                position.distance_squared(center) <= radius * radius
            }),
        )
    }

    /// The agents that `query` selects whose centres are in the rectangle from `low` to `high`, edges included, on the
    /// layer of `low`. O(agents there).
    ///
    /// # Errors
    /// Corners that are not finite, or a `high` below `low`.
    pub fn query_rect(
        &mut self,
        world: &FlowWorld,
        (low, high): (Vec2, Vec2),
        query: &AgentQuery,
    ) -> Result<Vec<AgentId>> {
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
        let center = low + 0.5 * size;
        let layer = world.grid().layers().at(low);
        Ok(
            self.query_inside(world, (low, high), (center, layer), query, |position| {
                position.cmpge(low).all() && position.cmple(high).all()
            }),
        )
    }

    /// The agents of a layer between two corners whose positions are inside.
    fn query_inside(
        &mut self,
        world: &FlowWorld,
        (low, high): (Vec2, Vec2),
        (center, layer): (Vec2, u32),
        query: &AgentQuery,
        is_inside: impl Fn(Vec2) -> bool,
    ) -> Vec<AgentId> {
        self.search(world, query, |search| {
            let near = search.buckets.search(low, high);
            let inside = near.filter(|agent| {
                is_inside(agent.position)
                    && search.is_on_layer(agent.position, layer)
                    && search.accepts(agent.index)
            });
            let found = inside.map(|agent| {
                let distance = agent.position.distance_squared(center);
                search.found(agent, 0.0, distance.into())
            });
            search.in_order(found.collect())
        })
    }
}
