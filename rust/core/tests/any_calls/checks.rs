//! The invariants that are checked after every tick.

use std::collections::BTreeMap;

use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentState, AgentStatus, ArrivalAction, MAX_SPEED};
use flow_swarm_bench::oracle::wall_depth;

use crate::caller::Caller;
use crate::common::obstacles_of;

/// The greatest increase of an agent's depth in walls per step, in cells: the core's tolerance plus the error of the
/// measurement.
const TOLERANCE: f64 = 2.1e-3;
/// The largest radius, in cells, for which depths are measured.
const LARGEST: f32 = 4.0;

impl Caller {
    pub fn check(&mut self, before: &BTreeMap<AgentId, Standing>) {
        self.check_columns();
        self.check_counts();
        self.check_events();
        self.check_walls(before);
        self.check_queries();
        self.check_areas();
        self.check_entities();
    }

    fn check_columns(&self) {
        let swarm = &self.swarm;
        for length in [
            swarm.positions().len(),
            swarm.velocities().len(),
            swarm.headings().len(),
            swarm.states().len(),
            swarm.kinds().len(),
            swarm.groups().len(),
            swarm.len(),
        ] {
            assert_eq!(length, swarm.ids().len());
        }
        assert!(swarm.positions().iter().all(|at| at.is_finite()));
        let is_slow = |velocity: &Vec2| velocity.length() <= 1.001 * MAX_SPEED;
        assert!(swarm.velocities().iter().all(is_slow));
        let is_unit = |heading: &Vec2| (heading.length() - 1.0).abs() < 1e-3;
        assert!(swarm.headings().iter().all(is_unit));
        // This excludes equal ids.
        for (index, &id) in swarm.ids().iter().enumerate() {
            assert_eq!(swarm.index_of(id), Ok(index));
        }
    }

    fn check_counts(&self) {
        let stats = self.swarm.stats();
        let count = |state| {
            let states = self.swarm.states().iter();
            states.filter(|&&other| other == state).count()
        };
        assert_eq!(stats.agents, self.swarm.len());
        assert_eq!(stats.following, count(AgentState::Following));
        assert_eq!(stats.idle, count(AgentState::Idle));
        assert_eq!(stats.scripted, count(AgentState::Scripted));
        assert_eq!(stats.corpses, count(AgentState::Corpse));
        assert_eq!(stats.travelling, count(AgentState::Travelling));
        assert_eq!(stats.quarantined, 0, "a number got out of hand");
        let with = |status| self.swarm.with_status(status).len();
        let total: usize = AgentStatus::ALL.into_iter().map(with).sum();
        assert_eq!(total, stats.agents);
        for (&id, status) in self.swarm.ids().iter().zip(self.swarm.statuses()) {
            assert_eq!(self.swarm.status(id), Ok(status));
            assert_eq!(AgentStatus::from_number(status as i64), Ok(status));
        }
        let members = |group| self.swarm.group_members(group).expect("a group").len();
        assert_eq!((0..256).map(members).sum::<usize>(), stats.agents);
        assert!(stats.arrived_now <= stats.agents);
    }

    fn check_events(&self) {
        let events = self.swarm.events();
        assert!(events.quarantined.is_empty());
        let leaves = self.swarm.settings().arrival == ArrivalAction::Despawn;
        for &id in &events.arrived {
            assert_eq!(self.swarm.contains(id), !leaves, "an arrived agent");
        }
        let despawned: Vec<_> = events.despawned.iter().map(|agent| agent.id).collect();
        assert!(if leaves {
            despawned == events.arrived
        } else {
            despawned.is_empty()
        });
        for list in [&events.arrived, &events.lost, &events.stuck] {
            let mut once = list.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), list.len(), "one is told of twice");
        }
        assert!(events.contacted.is_sorted());
        assert!(events.entered.is_sorted());
        assert!(events.exited.is_sorted());
        let moved = events.entered.iter().chain(&events.exited);
        for &(area, id) in moved {
            assert!(self.areas.contains_key(&area) && self.swarm.contains(id));
        }
        for &(body, id) in &events.contacted {
            let touching = self.swarm.body_contacts(body).expect("a body");
            assert!(touching.contains(&id));
        }
    }

    /// Checks that no agent is deeper in a wall than before, or outside the map.
    fn check_walls(&self, before: &BTreeMap<AgentId, Standing>) {
        if !self.swarm.settings().wall_correction {
            return;
        }
        let grid = self.world.grid();
        for (id, now) in self.standing() {
            let Some(old) = before.get(&id) else {
                continue;
            };
            let is_inside = |place| grid.contains(grid.cell_at(place));
            assert!(
                is_inside(now.place) || !is_inside(old.place),
                "{id:?} went from {} to {}, out of the map",
                old.place,
                now.place
            );
            if let (Some(old), Some(now)) = (old.depth, now.depth) {
                assert!(
                    now <= old + TOLERANCE,
                    "{id:?} went from {old} to {now} deep"
                );
            }
        }
    }

    /// The positions and depths of all agents; empty if the swarm has yet to learn of changed layers.
    pub fn standing(&self) -> BTreeMap<AgentId, Standing> {
        let grid = self.world.grid();
        if self.swarm.layers() != grid.layers() {
            return BTreeMap::new();
        }
        let is_unit = grid.cell_size() == 1.0 && grid.origin() == Vec2::ZERO;
        let types = self.swarm.types();
        let walls: Vec<_> = types
            .iter()
            .map(|kind| {
                let is_known = kind.movement < self.world.movement_type_count();
                let is_measured = is_unit && is_known && kind.radius <= LARGEST;
                is_measured.then(|| obstacles_of(self.world.costs(kind.movement)))
            })
            .collect();
        let agents = self.swarm.ids().iter().zip(self.swarm.positions());
        agents
            .zip(self.swarm.kinds().iter().zip(self.swarm.states()))
            .map(|((&id, &place), (&kind, &state))| {
                let kind = usize::from(kind);
                // An agent on a link may be over walls.
                let is_measured = state != AgentState::Travelling;
                let walls = walls[kind].as_ref().filter(|_| is_measured);
                let depth = walls.map(|walls| wall_depth(walls, place, types[kind].radius));
                (id, Standing { place, depth })
            })
            .collect()
    }
}

/// The position of an agent.
pub struct Standing {
    pub place: Vec2,
    /// The depth of its disc in walls, in cells; `None` unless cells have size 1, the radius is at most [`LARGEST`] and
    /// the agent is on no link.
    pub depth: Option<f64>,
}
