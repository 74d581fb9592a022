//! Finds the agents in a sphere or along a ray in 3D, for explosions, grenades and shots.
//!
//! Agents are capsules that stand where they are drawn: on the ground of their layer, or on a link. All layers are
//! searched, each in the part of the sphere or ray that is between the least and the greatest height of its agents.

use crate::error::{Result, finite_3d, in_range};
use crate::swarm::AgentId;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::query::agent_query::AgentQuery;
use crate::swarm::query::capsule::{Capsule, Ray};
use crate::swarm::query::search::{Found, Search};
use crate::swarm::query::shapes::{MAX_RADIUS, check_end};
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::{DVec2, Vec2, Vec3};

impl Swarm {
    /// The agents that `query` selects whose capsules a sphere touches, on all layers. Capsules stand `above` the
    /// ground as instances do: see [`Self::drawn_height`] and
    /// [`AgentType::body_height`](crate::swarm::AgentType::body_height). Factors on sizes scale them. Points have y up,
    /// and the crowd's y as z. O(agents below and above the sphere).
    ///
    /// # Errors
    /// A centre that is not finite, a radius outside 0..=1e6, or an `above` that is not finite.
    pub fn query_sphere(
        &mut self,
        world: &FlowWorld,
        (center, radius): (Vec3, f32),
        above: f32,
        query: &AgentQuery,
    ) -> Result<Vec<AgentId>> {
        finite_3d("center", center)?;
        in_range("radius", radius, 0.0, MAX_RADIUS)?;
        check_above(above)?;
        Ok(self.search(world, query, |search| {
            let bodies = Bodies::new(search, above);
            let (middle, reach) = (center.as_dvec3(), f64::from(radius));
            let mut found = Vec::new();
            for layer in 0..search.layers.count() {
                let (low, high) = bodies.heights(layer);
                if middle.y + reach < low || middle.y - reach > high {
                    continue;
                }
                for agent in bodies.around(layer, center, radius) {
                    let capsule = bodies.capsule(agent);
                    if capsule.is_within(reach, middle) && search.accepts(agent.index) {
                        let distance = capsule.center().distance_squared(middle);
                        found.push(search.found(agent, 0.0, distance));
                    }
                }
            }
            search.in_order(found)
        }))
    }

    /// The agents that `query` selects whose capsules a ray touches between two points, on all layers, in the order in
    /// which it reaches them. Capsules that it starts in come first, by ascending id. Capsules are those of
    /// [`Self::query_sphere`]. Neither the ground nor walls stop it. O(agents below and above the part of the ray that
    /// is as low as agents are).
    ///
    /// # Errors
    /// An end with a coordinate outside -1e9..=1e9, or an `above` that is not finite.
    pub fn query_ray(
        &mut self,
        world: &FlowWorld,
        (from, to): (Vec3, Vec3),
        above: f32,
        query: &AgentQuery,
    ) -> Result<Vec<AgentId>> {
        finite_3d("from", from)?;
        finite_3d("to", to)?;
        check_end("from", from.as_ref())?;
        check_end("to", to.as_ref())?;
        check_above(above)?;
        let ray = Ray::new(from, to);
        Ok(self.search(world, query, |search| {
            let bodies = Bodies::new(search, above);
            let mut found: Vec<Found> = Vec::new();
            for layer in 0..search.layers.count() {
                let (low, high) = bodies.heights(layer);
                let Some(part) = ray.between(low, high) else {
                    continue;
                };
                for agent in bodies.along(layer, part) {
                    let capsule = bodies.capsule(agent);
                    if let Some(along) = capsule.entry(&ray)
                        && search.accepts(agent.index)
                    {
                        let distance = capsule.center().distance_squared(ray.start());
                        found.push(search.found(agent, along, distance));
                    }
                }
            }
            search.in_order(found)
        }))
    }
}

fn check_above(above: f32) -> Result<f32> {
    in_range("height", above, f32::MIN, f32::MAX)
}

/// The capsules of a search's agents.
struct Bodies<'a> {
    search: &'a Search<'a>,
    /// The height of agents above the ground.
    above: f32,
    /// No capsule is wider than twice this.
    widest: f32,
    /// No capsule is taller.
    tallest: f64,
}

impl<'a> Bodies<'a> {
    fn new(search: &'a Search<'a>, above: f32) -> Self {
        let size = search.agents.factors.greatest_size();
        let types = search.types.iter();
        let tallest = types.map(|kind| kind.body_height.max(2.0 * kind.radius));
        Self {
            search,
            above,
            widest: search.buckets.largest_radius() * size,
            tallest: f64::from(tallest.fold(0.0, f32::max)) * f64::from(size),
        }
    }

    fn capsule(&self, agent: &SortedAgent) -> Capsule {
        let Search { agents, tick, .. } = *self.search;
        let index = agent.index as usize;
        let kind = &self.search.types[usize::from(agent.kind)];
        let foot = self.search.levels.foot(agents, index, tick, self.above);
        let size = f64::from(agents.factors.size_of(index));
        let radius = f64::from(kind.radius) * size;
        Capsule {
            foot: foot.as_dvec3(),
            radius,
            height: (f64::from(kind.body_height) * size).max(2.0 * radius),
        }
    }

    /// The heights between which the capsules of a layer's agents are.
    fn heights(&self, layer: u32) -> (f64, f64) {
        // Agents on links may be anywhere between two layers, and above both.
        if !self.search.agents.travel.is_empty() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let (low, high) = self.search.levels.range(layer);
        let [low, high] = [low, high].map(|height| f64::from(self.above) + f64::from(height));
        // Heights between corners are rounded.
        let rounding = 1.0e-5 * (1.0 + low.abs().max(high.abs()));
        (low - rounding, high + self.tallest + rounding)
    }

    /// At least all agents of a layer whose capsules a sphere touches.
    fn around(&self, layer: u32, center: Vec3, radius: f32) -> impl Iterator<Item = &SortedAgent> {
        let layers = self.search.layers;
        let (first, last) = layers.band(layer);
        let middle = Vec2::new(center.x, center.z + layers.offset(layer));
        let reach = Vec2::splat(radius + self.widest);
        let (mut low, mut high) = (middle - reach, middle + reach);
        (low.y, high.y) = (low.y.max(first), high.y.min(last));
        self.search
            .buckets
            .search(low, high)
            .filter(move |agent| self.search.is_on_layer(agent.position, layer))
    }

    /// At least all agents of a layer whose capsules a ray touches, whose ends between the layer's heights are given.
    fn along(&self, layer: u32, (from, to): (DVec2, DVec2)) -> impl Iterator<Item = &SortedAgent> {
        let offset = DVec2::new(0.0, self.search.layers.offset(layer).into());
        self.search
            .buckets
            .search_along((from + offset, to + offset), self.widest)
            .filter(move |agent| self.search.is_on_layer(agent.position, layer))
    }
}
