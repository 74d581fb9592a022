//! Compares the bucket queries with tests of all agents.

use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentQuery, AgentStatus, Shape};
use glam::DVec2;

use crate::caller::Caller;

impl Caller {
    /// The place of an agent on the world's layers after the next step.
    fn place_of(&self, index: usize) -> Vec2 {
        let (old, layers) = (self.swarm.layers(), self.world.grid().layers());
        let at = self.swarm.positions()[index];
        if old == layers {
            return at;
        }
        layers.place(old.flat(at), old.at(at).min(layers.count() - 1))
    }

    /// Nothing finds a corpse.
    fn is_corpse(&self, id: AgentId) -> bool {
        self.swarm.status(id) == Ok(AgentStatus::Corpse)
    }

    /// The agents of a layer that satisfy a rule, by ascending id.
    fn those(&self, layer: u32, rule: impl Fn(Vec2) -> bool) -> Vec<AgentId> {
        let layers = self.world.grid().layers();
        let agents = self.swarm.ids().iter().enumerate();
        let agents = agents.map(|(index, &id)| (id, self.place_of(index)));
        let mut ids: Vec<AgentId> = agents
            .filter(|&(id, _)| !self.is_corpse(id))
            .filter(|&(_, at)| layers.at(at) == layer && rule(at))
            .map(|(id, _)| id)
            .collect();
        ids.sort_unstable();
        ids
    }

    pub fn check_queries(&mut self) {
        let (at, other) = (self.place_inside(), self.place_inside());
        let (low, high) = self.world.grid().bounds();
        let radius = self.random.unit() as f32 * 0.3 * (high - low).max_element();
        // The largest radius that a query accepts.
        let radius = radius.min(1.0e6);
        let hit = self.swarm.query_segment(
            &self.world,
            (at, other),
            radius * 0.1,
            &AgentQuery::default(),
        );
        let found = self
            .swarm
            .query_circle(&self.world, at, radius, &AgentQuery::default());
        let layers = *self.world.grid().layers();
        let layer = layers.at(at);
        let is_near = |place: Vec2| place.distance_squared(at) <= radius * radius;
        assert_eq!(
            found,
            Ok(self.those(layer, is_near)),
            "{radius} around {at}"
        );
        let (from, to) = (at.min(other), at.max(other));
        let is_inside = |place: Vec2| place.cmpge(from).all() && place.cmple(to).all();
        let found = self
            .swarm
            .query_rect(&self.world, (from, to), &AgentQuery::default());
        let expected = self.those(layers.at(from), is_inside);
        assert_eq!(found, Ok(expected), "from {from} to {to}");
        self.check_nearest(at, radius);
        self.check_segment(at, other, radius * 0.1, hit.expect("valid"));
    }

    fn check_nearest(&mut self, at: Vec2, most: f32) {
        let layer = self.world.grid().layers().at(at);
        let near = self.those(layer, |place| place.distance_squared(at) <= most * most);
        let distance = |id: &AgentId| {
            let index = self.swarm.index_of(*id).expect("alive");
            self.place_of(index).distance_squared(at)
        };
        let first = near.into_iter().min_by(|one, other| {
            distance(one)
                .total_cmp(&distance(other))
                .then(one.cmp(other))
        });
        let found = self
            .swarm
            .nearest(&self.world, at, most, &AgentQuery::default());
        assert_eq!(found, Ok(first), "nearest to {at} within {most}");
    }

    /// Checks that `found` has all agents that the beam clearly touches, and no others except those that it nearly
    /// touches.
    fn check_segment(&self, from: Vec2, to: Vec2, width: f32, mut found: Vec<AgentId>) {
        found.sort_unstable();
        let slack = 1e-5 * f64::from(from.abs().max(to.abs()).max_element().max(1.0));
        let layers = *self.world.grid().layers();
        let agents = self.swarm.ids().iter().enumerate();
        for (index, &id) in agents.filter(|&(_, &id)| !self.is_corpse(id)) {
            let place = self.place_of(index);
            let at = place.as_dvec2();
            let kind = self.swarm.types()[usize::from(self.swarm.kinds()[index])];
            let reach = 0.5 * f64::from(width) + f64::from(kind.radius);
            let gap = distance_to(from.as_dvec2(), to.as_dvec2(), at) - reach;
            let is_found = found.binary_search(&id).is_ok();
            let is_on_layer = layers.at(place) == layers.at(from);
            assert!(
                gap > -slack || is_found || !is_on_layer,
                "{gap} from the beam, not found"
            );
            assert!(gap < slack || !is_found, "{gap} from the beam, found");
            assert!(is_on_layer || !is_found, "found on another layer");
        }
    }

    pub fn check_areas(&self) {
        let layers = self.swarm.layers();
        for &area in &self.looked_at {
            let found = self.swarm.area_agents(area).expect("an area");
            assert!(found.is_sorted());
            let Shape::Disc(radius) = self.areas[&area] else {
                continue;
            };
            let center = self.swarm.area_pose(area).expect("an area").position();
            let size = center.abs().max_element().max(radius);
            let slack = 1e-5 * size.max(1.0);
            let agents = self.swarm.ids().iter().zip(self.swarm.positions());
            for (&id, at) in agents.filter(|&(&id, _)| !self.is_corpse(id)) {
                let gap = at.distance(center) - radius;
                let is_found = found.binary_search(&id).is_ok();
                let is_on_layer = layers.at(*at) == layers.at(center);
                assert!(
                    gap > -slack || is_found || !is_on_layer,
                    "{gap} from an area, not in it"
                );
                assert!(gap < slack || !is_found, "{gap} from an area, in it");
                assert!(is_on_layer || !is_found, "in an area on another layer");
            }
        }
    }

    pub fn check_entities(&mut self) {
        let grid = *self.world.grid();
        let entities = &self.world.entities;
        assert_eq!(entities.len(), self.entities.len());
        assert_eq!(entities.is_empty(), self.entities.is_empty());
        for (&id, &place) in &self.entities {
            assert_eq!(entities.position(id), Ok(place));
        }
        let (low, high) = grid.bounds();
        let radius = self.random.unit() as f32 * 0.5 * (high - low).max_element();
        let at = self.place_inside();
        let is_near = |place: &Vec2| place.distance_squared(at) <= radius * radius;
        let near = self.entities.iter().filter(|(_, place)| is_near(place));
        let expected: Vec<i64> = near.map(|(&id, _)| id).collect();
        assert_eq!(self.world.entities.near(&grid, at, radius), expected);
    }
}

fn distance_to(from: DVec2, to: DVec2, at: DVec2) -> f64 {
    let way = to - from;
    let along = (at - from).dot(way) / way.length_squared();
    let along = if along.is_finite() {
        along.clamp(0.0, 1.0)
    } else {
        0.0
    };
    at.distance(from + along * way)
}
