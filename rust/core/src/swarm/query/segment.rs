//! Finds the agents along a segment, for shots, beams and dashes.

use crate::error::{Result, finite, in_range};
use crate::swarm::AgentId;
use crate::swarm::query::agent_query::AgentQuery;
use crate::swarm::query::search::Found;
use crate::swarm::query::shapes::{MAX_RADIUS, check_end};
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::{DVec2, Vec2};

impl Swarm {
    /// The agents that `query` selects whose discs a straight beam of this `width` touches, in the order in which it
    /// reaches them, on the layer of `from`. Agents that it touches at its start come first, by ascending id. A width
    /// of 0 is a ray. Walls and bodies do not stop it. O(agents near the line + buckets across it).
    ///
    /// # Errors
    /// An end with a coordinate outside -1e9..=1e9, or a width outside 0..=1e6.
    pub fn query_segment(
        &mut self,
        world: &FlowWorld,
        (from, to): (Vec2, Vec2),
        width: f32,
        query: &AgentQuery,
    ) -> Result<Vec<AgentId>> {
        finite("from", from)?;
        finite("to", to)?;
        check_end("from", from.as_ref())?;
        check_end("to", to.as_ref())?;
        in_range("width", width, 0.0, MAX_RADIUS)?;
        let beam = Beam::new(from, to, width);
        Ok(self.search(world, query, |search| {
            let buckets = search.buckets;
            let reach = 0.5 * width + buckets.largest_radius();
            let layer = search.layers.at(from);
            let mut found: Vec<Found> = Vec::new();
            let ends = (from.as_dvec2(), to.as_dvec2());
            for agent in buckets.search_along(ends, reach) {
                if !search.is_on_layer(agent.position, layer) {
                    continue;
                }
                let radius = search.types[usize::from(agent.kind)].radius;
                let Some(along) = beam.distance_to(agent.position, radius) else {
                    continue;
                };
                if search.accepts(agent.index) {
                    let distance = agent.position.distance_squared(from);
                    found.push(search.found(agent, along, distance.into()));
                }
            }
            search.in_order(found)
        }))
    }
}

/// A disc that moves along a segment.
struct Beam {
    from: DVec2,
    /// The unit vector of its direction; zero for a segment without length.
    ahead: DVec2,
    length: f64,
    radius: f64,
}

impl Beam {
    fn new(from: Vec2, to: Vec2, width: f32) -> Self {
        let (from, to) = (from.as_dvec2(), to.as_dvec2());
        let length = from.distance(to);
        Self {
            from,
            ahead: (to - from).try_normalize().unwrap_or_default(),
            length,
            radius: 0.5 * f64::from(width),
        }
    }

    /// The distance along the segment at which it first touches a disc; `None` if it does not touch it.
    fn distance_to(&self, center: Vec2, radius: f32) -> Option<f64> {
        let away = center.as_dvec2() - self.from;
        let touching = self.radius + f64::from(radius);
        if away.length_squared() <= touching * touching {
            return Some(0.0);
        }
        let aside = self.ahead.perp_dot(away);
        let chord = touching * touching - aside * aside;
        let distance = self.ahead.dot(away) - chord.max(0.0).sqrt();
        (chord >= 0.0 && distance >= 0.0 && distance <= self.length).then_some(distance)
    }
}
