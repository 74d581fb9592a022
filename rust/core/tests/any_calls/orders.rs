//! Calls that give orders to agents and groups, push agents, and query their positions.

use flow_swarm::swarm::{AgentQuery, AgentState, Formation, FormationShape, QueryOrder};
use flow_swarm::world::GoalMode;
use flow_swarm::{Vec2, Vec3};

use crate::caller::Caller;

impl Caller {
    pub fn set_states(&mut self) {
        let ids = self.some_ids();
        let state = AgentState::from_number(self.integer()).unwrap_or_default();
        let result = self.swarm.set_state(&ids, state);
        self.note(result);
    }

    pub fn set_positions(&mut self) {
        let (ids, places) = (self.some_ids(), self.places(6));
        let count = ids.len().min(places.len());
        let results = (
            self.swarm
                .set_positions(&self.world, &ids[..count], &places),
            self.swarm
                .set_positions(&self.world, &ids[..count], &places[..count]),
        );
        self.note(results);
    }

    pub fn script_velocities(&mut self) {
        let ids = self.some_ids();
        let velocities: Vec<Vec2> = ids.iter().map(|_| self.vector()).collect();
        let result = self.swarm.set_scripted_velocities(&ids, &velocities);
        self.note(result);
    }

    pub fn push_about(&mut self) {
        let (ids, impulse) = (self.some_ids(), self.vector());
        if self.random.percent(20) {
            let result = self.swarm.cancel_travel(&ids);
            self.note(&result);
        }
        let result = self.swarm.apply_impulse(&ids, impulse);
        self.note(result);
        let (at, radius, strength) = (self.place(), self.number(), self.number());
        let result = self
            .swarm
            .apply_radial_impulse(&self.world, at, radius, strength);
        self.note(result);
    }

    pub fn change_groups(&mut self) {
        let (ids, group) = (self.some_ids(), self.integer());
        let result = self.swarm.set_group(&ids, group);
        self.note(result);
        let (ids, kind) = (self.some_ids(), self.integer());
        let result = self.swarm.set_type(&ids, kind);
        self.note(result);
        let (group, leader) = (self.integer(), ids.first().copied());
        let result = self.swarm.set_group_leader(group, leader);
        self.note(result);
        let (group, shares) = (self.integer(), self.random.percent(70));
        let result = self.swarm.set_group_shares_field(group, shares);
        self.note(result);
    }

    pub fn order_groups(&mut self) {
        let (group, goal) = (self.integer(), self.goal());
        let goal = self.random.percent(95).then_some(goal);
        let result = self.swarm.set_group_goal(group, goal);
        self.note(result);
    }

    pub fn order_agents(&mut self) {
        let (ids, goal, places) = (self.some_ids(), self.goal(), self.places(3));
        if self.random.percent(50) {
            let set = self.swarm.set_goal(&self.world, &ids, goal);
            let cleared = self.swarm.clear_goals(&ids[ids.len() / 2..]);
            self.note((set, cleared));
        } else {
            let modes = [GoalMode::Full, GoalMode::Tiled];
            let mode = modes[self.random.below(2)];
            let sent = self.swarm.send(&mut self.world, &ids, &places, mode);
            self.note(sent);
        }
        if self.random.percent(30) {
            let (center, heading) = (self.place(), self.place());
            let formation = Formation {
                shape: FormationShape::from_number(self.integer()).unwrap_or_default(),
                heading,
                spacing: self.number(),
            };
            let sent = self.swarm.send_in_formation(
                &mut self.world,
                &ids,
                center,
                GoalMode::Full,
                &formation,
            );
            self.note(sent);
        }
        let goals: Vec<_> = ids.iter().map(|&id| self.swarm.goal_of(id)).collect();
        self.note(goals);
    }

    pub fn set_targets(&mut self) {
        let (ids, places) = (self.some_ids(), self.places(6));
        let count = ids.len().min(places.len());
        let result = self
            .swarm
            .set_targets(&self.world, &ids[..count], &places[..count]);
        self.note(result);
        let ids = self.some_ids();
        if self.random.percent(50) {
            let result = self.swarm.clear_targets(&ids);
            self.note(result);
        }
    }

    pub fn form_up(&mut self) {
        let (ids, center) = (self.some_ids(), self.place());
        let ids = if self.random.percent(20) {
            self.swarm.ids().to_vec()
        } else {
            ids
        };
        let formation = Formation {
            shape: FormationShape::from_number(self.integer()).unwrap_or_default(),
            heading: self.vector(),
            spacing: self.number().min(4.0),
        };
        let result = self
            .swarm
            .form_up(&mut self.world, &ids, center, &formation);
        assert!(result.as_ref().is_ok_and(|&count| count <= ids.len()) || result.is_err());
        self.note(result);
    }

    pub fn report_crowding(&mut self) {
        self.swarm.report_crowding(&mut self.world);
        let at = self.place();
        let found = (self.world.minds_crowds(), self.world.crowding_at(at));
        self.note(found);
    }

    pub fn find(&mut self) {
        let (at, radius, other) = (self.place(), self.number(), self.place());
        let query = self.some_query();
        let (world, swarm) = (&self.world, &mut self.swarm);
        let found = (
            swarm.query_circle(world, at, radius, &query),
            swarm.query_rect(world, (at, other), &query),
            swarm.nearest(world, at, radius, &query),
            swarm.query_segment(world, (at, other), radius, &query),
            swarm.overlaps(world),
        );
        let many = swarm.nearest_many(world, &[at, other], radius, &query);
        if let (Ok(many), Ok(first)) = (&many, &found.2) {
            assert_eq!(many[0], *first);
        }
        self.note((found, many));
        self.find_in_space(radius, &query);
    }

    fn find_in_space(&mut self, radius: f32, query: &AgentQuery) {
        let [from, to] = [0; 2].map(|_| {
            let (at, height) = (self.place(), self.number());
            Vec3::new(at.x, height, at.y)
        });
        let above = self.number();
        let (world, swarm) = (&self.world, &mut self.swarm);
        let found = (
            swarm.query_sphere(world, (from, radius), above, query),
            swarm.query_ray(world, (from, to), above, query),
        );
        self.note(found);
    }

    /// A query with conditions that may be invalid, and are left out then.
    fn some_query(&mut self) -> AgentQuery {
        let mut query = AgentQuery::default();
        let numbers = [0; 3].map(|_| self.integer());
        let orders = [
            QueryOrder::Natural,
            QueryOrder::Distance,
            QueryOrder::CostToGoal,
            QueryOrder::Ints(self.random.below(6)),
            QueryOrder::Floats(self.random.below(6)),
        ];
        let order = orders[self.random.below(5)];
        let (least, most) = (self.number(), self.number());
        let ids = self.some_ids();
        for _ in 0..self.random.below(4) {
            let next = query.clone();
            let changed = match self.random.below(9) {
                0 => next.in_groups(&numbers),
                1 => next.of_types(&numbers[1..]),
                2 => next.on_collision_layers(numbers[0] as u32),
                3 => next.with_ints(numbers[0], numbers[1] as i32..=numbers[2] as i32),
                4 => next.with_floats(numbers[0], least..=most),
                5 => Ok(next.without(&ids)),
                6 => next.by(order),
                7 => Ok(next.descending()),
                _ => next.first(self.random.below(5)),
            };
            query = changed.unwrap_or(query);
        }
        query
    }
}
