//! One step of the crowd: sort, steer and move, commit, collect events.
//!
//! Steering reads the state of the tick before and writes to memory of its own,
//! so agents can be taken in any order by any number of threads. They are taken
//! in bucket order, where neighbours are close in memory.

use super::agents::{AgentState, Agents, flag};
use super::bodies::{Body as SolidBody, Sites};
use super::buckets::{Buckets, Placed};
use super::far_away::FarAway;
use super::leaning::Rally;
use super::steering::giving_way;
use super::steering::inertia::{BLOCK, Striving};
use super::steering::orca::{Body, Workspace};
use super::steering::separation::{Separation, keeps_apart};
use super::steering::settling::{Crowds, Newcomer};
use super::steering::walls;
use super::{AgentType, ArrivalAction, Avoidance, Settings, Swarm, pace};
use crate::error::{Error, Result};
use crate::random;
use crate::world::{FlowWorld, Guide, Route};
use glam::Vec2;

/// The longest step. A game that stalls longer should take several.
pub const MAX_STEP_SECONDS: f32 = 1.0;
/// The farthest that an agent moves in a step, in cells.
pub const MAX_STEP_CELLS: f32 = 256.0;

/// Agents per piece of parallel work.
pub(super) const CHUNK: usize = 1024;
/// The most agents that are steered in a piece. Each piece also looks at agents before it, about as many as are in
/// a row of buckets.
const MOST_STEERED: usize = 4096;
/// Into at least how many pieces a crowd is cut before pieces are made larger.
const LEAST_PIECES: usize = 32;

/// What a step has in store for one agent.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moved {
    pub(super) position: Vec2,
    pub(super) velocity: Vec2,
    pub(super) flags: u8,
    /// Whether the agent has somewhere to go.
    pub(super) under_way: bool,
    /// Whether a link took it where it is.
    pub(super) has_jumped: bool,
}

impl Moved {
    pub(super) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.velocity.is_finite()
    }
}

/// Everything that steering reads.
pub(super) struct Context<'a> {
    pub(super) world: &'a FlowWorld,
    pub(super) agents: &'a Agents,
    pub(super) types: &'a [AgentType],
    pub(super) routes: &'a [Option<Route>],
    pub(super) settings: &'a Settings,
    pub(super) far_away: FarAway,
    pub(super) buckets: &'a Buckets,
    pub(super) bodies: &'a [Body],
    pub(super) solids: &'a Sites<SolidBody>,
    pub(super) crowds: &'a Crowds,
    pub(super) rallies: &'a [Rally],
    /// Whether anybody is pushed by others.
    pub(super) pushes: bool,
    pub(super) seed: u64,
    pub(super) tick: u64,
    pub(super) dt: f32,
}

impl Swarm {
    /// Moves all agents by `dt` seconds. A `dt` of 0 changes nothing.
    ///
    /// Fields that are not there ([`Self::request_routes`]) leave their agents waiting. After the
    /// first steps nothing is allocated.
    ///
    /// # Errors
    /// A `dt` outside 0..=[`MAX_STEP_SECONDS`], or an agent type whose movement type `world` does not
    /// have; nothing is changed then.
    pub fn step(&mut self, world: &FlowWorld, dt: f32) -> Result<()> {
        if !(0.0..=MAX_STEP_SECONDS).contains(&dt) {
            return Err(Error::OutOfRange {
                name: "delta",
                value: dt.into(),
                min: 0.into(),
                max: MAX_STEP_SECONDS.into(),
            });
        }
        for kind in &self.types {
            world.check_movement(kind.movement as i64)?;
        }
        self.check_reach(world)?;
        self.events.clear();
        if dt == 0.0 {
            return Ok(());
        }
        self.meet(world);
        self.hear_of_moved_goals(world);
        self.find_routes(world);
        let workers = world.workers();
        let is_one_piece = self.agents.len() <= CHUNK;
        let mut phases = || {
            self.buckets
                .sort(world.grid(), &self.agents, &self.types, workers);
            self.keep_neighbours_close(workers);
            self.apply_forces(workers, dt);
            self.measure_crowds();
            self.find_rallies();
            self.note_bodies(world, dt);
            self.steer(world, dt);
            let farthest = self
                .is_watched()
                .then(|| self.push_out_of_bodies(world, dt));
            self.note_trail();
            self.commit(workers, dt);
            self.note_jumps(world);
            self.walk_on(workers);
            if let Some(farthest) = farthest {
                self.look_around(farthest, workers);
            }
        };
        // One change of threads for all phases; none for a crowd that is a single piece of work.
        if is_one_piece {
            phases();
        } else {
            workers.install(phases);
        }
        self.scratch.routes.clear();
        self.buckets.invalidate();
        self.tick += 1;
        self.events.collect(&self.agents, &self.scratch.old_flags);
        self.arrived_ever += self.events.arrived.len() as u64;
        if self.settings.arrival == ArrivalAction::Despawn {
            for &id in &self.events.arrived {
                self.agents.remove(id);
            }
        }
        self.measure_density(world, dt);
        if self.is_watched() {
            self.tell_of_contacts();
        }
        Ok(())
    }

    fn hear_of_moved_goals(&mut self, world: &FlowWorld) {
        for group in 0..self.groups.len() {
            let entry = self.groups[group];
            let signature = entry.goal.and_then(|goal| world.goal_signature(goal));
            if entry.seen.is_some() && entry.seen != signature {
                self.agents.restart_group(group as u8);
            }
            self.groups[group].seen = signature;
        }
    }

    fn steer(&mut self, world: &FlowWorld, dt: f32) {
        let mut moved = std::mem::take(&mut self.scratch.moved);
        let context = self.context(world, dt);
        moved.resize(self.agents.len(), Moved::default());
        let piece = (moved.len() / LEAST_PIECES).clamp(CHUNK, MOST_STEERED);
        let piece = piece.next_multiple_of(BLOCK);
        world
            .workers()
            .for_each_chunk(&mut moved, piece, |offset, part| {
                let mut pushes = [Vec2::ZERO; MOST_STEERED];
                let pushes = &mut pushes[..part.len()];
                context.push_apart(offset, pushes);
                let mut space = Workspace::default();
                let blocks = part.chunks_mut(BLOCK).zip(pushes.chunks(BLOCK));
                for (first, (out, pushes)) in (offset..).step_by(BLOCK).zip(blocks) {
                    context.move_agents(first, pushes, out, &mut space);
                }
            });
        self.scratch.moved = moved;
    }

    pub(super) fn context<'a>(&'a self, world: &'a FlowWorld, dt: f32) -> Context<'a> {
        Context {
            world,
            agents: &self.agents,
            types: &self.types,
            routes: &self.scratch.routes,
            settings: &self.settings,
            far_away: FarAway::new(&self.settings, self.tick, &self.layers),
            buckets: &self.buckets,
            bodies: &self.scratch.bodies,
            solids: &self.bodies,
            crowds: &self.scratch.crowds,
            rallies: &self.scratch.rallies,
            pushes: self.settings.separation && self.types.iter().any(keeps_apart),
            seed: self.seed,
            tick: self.tick,
            dt,
        }
    }
}

impl Context<'_> {
    /// How neighbours push the agents from place `first` in bucket order on.
    fn push_apart(&self, first: usize, pushes: &mut [Vec2]) {
        if !self.pushes {
            return;
        }
        let key = |agent: &Placed| {
            let key = self.agents.key[agent.index as usize];
            random::keyed(self.seed, key, self.tick)
        };
        let separation = Separation {
            types: self.types,
            buckets: self.buckets,
            masses_differ: self
                .types
                .windows(2)
                .any(|pair| pair[0].mass != pair[1].mass),
            turn: giving_way::turn_in(self.tick),
            key,
        };
        if self.far_away.spares_any() || !self.buckets.giants().is_empty() {
            separation.push_each(first, pushes, |agent| !self.decides(agent));
            return;
        }
        separation.push_pairs(first, pushes);
        if !self.types.iter().all(keeps_apart) {
            for (push, agent) in pushes.iter_mut().zip(&self.buckets.sorted()[first..]) {
                if !keeps_apart(&self.types[usize::from(agent.kind)]) {
                    *push = Vec2::ZERO;
                }
            }
        }
    }

    /// The velocity that an agent is after; notes in `moved` how it stands.
    #[inline]
    pub(super) fn wanted(&self, agent: &Placed, kind: &AgentType, moved: &mut Moved) -> Vec2 {
        if agent.state != AgentState::Following {
            return Vec2::ZERO;
        }
        let wanted = self.follow(agent, kind, moved);
        if kind.speed_variation > 0.0 {
            wanted * pace(kind, self.seed, self.agents.key[agent.index as usize])
        } else {
            wanted
        }
    }

    /// Where at most [`BLOCK`] agents go, from place `first` in bucket order on: what they want, what
    /// their neighbours make of it, what inertia and walls leave.
    fn move_agents(&self, first: usize, pushes: &[Vec2], out: &mut [Moved], space: &mut Workspace) {
        let agents = &self.buckets.sorted()[first..first + out.len()];
        let mut striving = Striving::new();
        for (number, (agent, moved)) in agents.iter().zip(&mut *out).enumerate() {
            let place = first + number;
            self.strive(place, pushes[number], moved, |wanted, max_speed, most| {
                striving.set(number, agent.velocity, wanted, max_speed, most);
            });
        }
        striving.accelerate();
        for (number, (agent, moved)) in agents.iter().zip(out).enumerate() {
            if moved.flags & flag::QUARANTINED != 0 {
                continue;
            }
            let kind = &self.types[usize::from(agent.kind)];
            if let Some(end) = self.link_taken(agent, moved)
                && self.land(agent, kind, end, moved)
            {
                continue;
            }
            let mut velocity = striving.velocity(number);
            if kind.avoidance == Avoidance::Orca && self.decides(agent) {
                velocity = self.go_round_others(first + number, kind, velocity, space);
            }
            self.travel(agent, kind, velocity, moved);
        }
    }

    /// Hands `accelerate` the velocity that the agent at a place in bucket order wants, the speed to
    /// limit that to, and how much its velocity may change. Notes in `moved` how the agent stands.
    #[inline]
    fn strive(
        &self,
        place: usize,
        push: Vec2,
        moved: &mut Moved,
        accelerate: impl FnOnce(Vec2, f32, f32),
    ) {
        let agent = &self.buckets.sorted()[place];
        *moved = Moved {
            position: agent.position,
            velocity: Vec2::ZERO,
            flags: agent.flags & flag::LASTING,
            under_way: false,
            has_jumped: false,
        };
        if moved.flags & flag::QUARANTINED != 0 {
            return;
        }
        if self.far_away.coasts(agent, &self.agents.id) {
            moved.flags |= agent.flags & (flag::LOST | flag::WISH);
            let has_aim = agent.flags & flag::OWN_TARGET != 0 || self.route_of(agent).is_some();
            moved.under_way = moved.flags & flag::LOST == 0 && has_aim;
            return accelerate(agent.velocity, f32::INFINITY, f32::INFINITY);
        }
        if agent.state == AgentState::Scripted {
            let wanted = self.agents.scripted[agent.index as usize];
            moved.flags |= self.wish(agent, wanted);
            return accelerate(wanted, f32::INFINITY, f32::INFINITY);
        }
        let kind = &self.types[usize::from(agent.kind)];
        let wanted = if kind.avoidance == Avoidance::Orca {
            let wish = self.bodies[place].wish();
            (moved.flags, moved.under_way) = (wish.flags, wish.under_way);
            moved.flags |= self.wish(agent, wish.velocity);
            wish.velocity
        } else {
            let wanted = self.wanted(agent, kind, moved);
            moved.flags |= self.wish(agent, wanted);
            if moved.flags & flag::ARRIVED == 0 {
                wanted + push
            } else {
                wanted + self.crowds.push_left(kind, push)
            }
        };
        let most = kind.acceleration * self.dt * self.far_away.steps(agent);
        accelerate(wanted, kind.max_speed, most);
    }

    /// The flags for where an agent wants to go, for those it meets in the next step. Who stands goes on counting as
    /// it did: who has arrived is then like those behind it.
    #[inline]
    fn wish(&self, agent: &Placed, wanted: Vec2) -> u8 {
        if !self.pushes {
            0
        } else if wanted == Vec2::ZERO {
            agent.flags & flag::WISH
        } else {
            giving_way::wish(wanted)
        }
    }

    /// Whether an agent chooses its velocity in this step.
    #[inline]
    pub(super) fn decides(&self, agent: &Placed) -> bool {
        agent.state != AgentState::Scripted
            && agent.flags & flag::QUARANTINED == 0
            && !self.far_away.coasts(agent, &self.agents.id)
    }

    /// What leads an agent to its group's goal.
    #[inline]
    pub(super) fn route_of(&self, agent: &Placed) -> Option<&Route> {
        let route = usize::from(agent.group) * self.types.len() + usize::from(agent.kind);
        self.routes.get(route)?.as_ref()
    }

    /// The velocity that the flow field asks for; notes in `moved` how the agent stands.
    fn follow(&self, agent: &Placed, kind: &AgentType, moved: &mut Moved) -> Vec2 {
        let route = self.route_of(agent);
        if agent.flags & flag::OWN_TARGET != 0
            && let Some(wanted) = self.follow_own_target(agent, kind, route.is_some(), moved)
        {
            return wanted;
        }
        match route {
            Some(Route::Whole(field)) => self.follow_by(&**field, agent, kind, moved),
            Some(Route::Tiled(route)) => self.follow_by(route, agent, kind, moved),
            Some(Route::Straight(route)) => self.follow_by(route, agent, kind, moved),
            // No goal, or its first field is still being built.
            None => Vec2::ZERO,
        }
    }

    #[inline]
    fn follow_by(
        &self,
        flow: &impl Guide,
        agent: &Placed,
        kind: &AgentType,
        moved: &mut Moved,
    ) -> Vec2 {
        let grid = self.world.grid();
        let cell = grid.clamped_cell_at(agent.position);
        let point = grid.to_cell_space(agent.position);
        let at_goal = flow.is_goal(cell);
        let radius = self.settings.arrival_radius / grid.cell_size();
        if at_goal || radius > 0.0 && flow.distance_to_target(point) <= radius {
            moved.flags |= flag::ARRIVED;
        }
        if moved.flags & flag::ARRIVED == 0 && self.crowds.is_measured() {
            // A crowd may have made its own ground dear.
            let way = if self.world.minds_crowds() {
                flow.distance_to_target(point)
            } else {
                flow.way_left(cell)
            };
            let newcomer = Newcomer {
                agent,
                way: way * grid.cell_size(),
                stalled: self.agents.stalled[agent.index as usize],
            };
            if self.crowds.takes_in(&newcomer, self.types, self.buckets) {
                moved.flags |= flag::ARRIVED;
            }
        }
        if moved.flags & flag::ARRIVED != 0 && self.settings.arrival != ArrivalAction::KeepGoing {
            return Vec2::ZERO;
        }
        if at_goal && let Some(target) = flow.target_in(cell) {
            // Not past the target, so that agents do not swing around it.
            let left = grid.to_world(target) - agent.position;
            return velocity_over(left, self.dt, kind.max_speed);
        }
        let direction = flow.sample_in(cell, point, kind.radius / grid.cell_size());
        let direction = self.round_corners(flow, agent, kind, cell, direction);
        if direction != Vec2::ZERO {
            moved.under_way = true;
        } else if !flow.is_waiting(cell) {
            moved.flags |= flag::LOST;
        }
        if kind.lateral_bias > 0.0 || kind.cohesion > 0.0 {
            let (direction, pace) = self.lean(flow, agent, kind, point, direction);
            return direction * (kind.max_speed * pace);
        }
        direction * kind.max_speed
    }

    /// Moves the agent for the step at `velocity`, as far as walls allow.
    fn travel(&self, agent: &Placed, kind: &AgentType, velocity: Vec2, moved: &mut Moved) {
        let grid = self.world.grid();
        let seconds = self.dt * kind.position_smoothing;
        let way = (velocity * seconds).clamp_length_max(MAX_STEP_CELLS * grid.cell_size());
        moved.velocity = velocity;
        if !self.settings.wall_correction {
            moved.position = self.end_of(agent.position, way, kind);
            return;
        }
        match self.slide(agent.position, way, kind) {
            None => moved.position = agent.position + way,
            Some(end) => {
                moved.position = end;
                moved.velocity = self.velocity_to(end, agent, kind, velocity);
            }
        }
    }

    /// Where a way ends that an agent of some type goes as far as walls and the map's edge allow.
    pub(super) fn end_of(&self, from: Vec2, way: Vec2, kind: &AgentType) -> Vec2 {
        if self.settings.wall_correction {
            self.slide(from, way, kind).unwrap_or(from + way)
        } else {
            let (low, high) = self.world.grid().bounds();
            (from + way).clamp(low, high)
        }
    }

    /// Where walls have a way end, or `None` if there are none near.
    #[inline]
    fn slide(&self, from: Vec2, way: Vec2, kind: &AgentType) -> Option<Vec2> {
        let grid = self.world.grid();
        let scale = 1.0 / grid.cell_size();
        let costs = self.world.costs(kind.movement);
        let start = grid.to_cell_space(from);
        let end = walls::slide(costs, start, way * scale, kind.radius * scale)?;
        Some(if end == start {
            from
        } else {
            grid.to_world(end)
        })
    }

    /// The velocity of an agent that was to move at `velocity` and ends at `end`: what is in its way takes
    /// speed away, it never adds any.
    #[inline]
    pub(super) fn velocity_to(
        &self,
        end: Vec2,
        agent: &Placed,
        kind: &AgentType,
        velocity: Vec2,
    ) -> Vec2 {
        let seconds = self.dt * kind.position_smoothing;
        velocity_over(end - agent.position, seconds, velocity.length())
    }
}

/// The velocity that covers `way` in `seconds`, or `most` in that direction. Finite for the shortest
/// time too, by which nothing can be divided.
pub(super) fn velocity_over(way: Vec2, seconds: f32, most: f32) -> Vec2 {
    let length = way.length();
    if length > most * seconds {
        way * (most / length)
    } else if seconds > 0.0 {
        (way / seconds).clamp_length_max(most)
    } else {
        Vec2::ZERO
    }
}
