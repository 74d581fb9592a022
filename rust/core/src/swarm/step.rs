//! One step of the crowd: sort, steer and move, commit, collect events.
//!
//! Steering reads the state of the tick before and writes to memory of its own,
//! so agents can be taken in any order by any number of threads. They are taken
//! in bucket order, where neighbours are close in memory.

use super::agents::{AgentState, Agents, flag};
use super::buckets::{Buckets, Placed};
use super::steering::separation::Separation;
use super::steering::walls;
use super::{AgentType, ArrivalAction, Settings, Swarm};
use crate::error::{Error, Result};
use crate::random;
use crate::workers::Workers;
use crate::world::{FlowWorld, Guide, Route};
use glam::{BVec2, Vec2};

/// The longest step. A game that stalls longer should take several.
pub const MAX_STEP_SECONDS: f32 = 1.0;
/// The farthest that an agent moves in a step, in cells.
pub const MAX_STEP_CELLS: f32 = 256.0;

/// Agents per piece of parallel work.
const CHUNK: usize = 1024;
/// Results that are fetched at a time when they are taken over.
const GATHERED: usize = 64;
/// How fast headings follow the movement: the share of the turn made in a second.
const TURN_RATE: f32 = 12.0;
/// Below this fraction of its greatest speed an agent's heading stays.
const LEAST_TURNING_SPEED: f32 = 0.1;

/// What a step has in store for one agent.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moved {
    position: Vec2,
    velocity: Vec2,
    flags: u8,
    /// Whether the agent has somewhere to go.
    under_way: bool,
}

/// Everything that steering reads.
struct Context<'a> {
    world: &'a FlowWorld,
    agents: &'a Agents,
    types: &'a [AgentType],
    routes: &'a [Option<Route>],
    settings: &'a Settings,
    buckets: &'a Buckets,
    seed: u64,
    tick: u64,
    dt: f32,
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
                value: f64::from(dt),
                min: 0.0,
                max: f64::from(MAX_STEP_SECONDS),
            });
        }
        for kind in &self.types {
            world.check_movement(kind.movement as i64)?;
        }
        self.events.clear();
        if dt == 0.0 {
            return Ok(());
        }
        self.hear_of_moved_goals(world);
        self.find_routes(world);
        let workers = world.workers();
        let is_one_piece = self.agents.len() <= CHUNK;
        let mut phases = || {
            self.buckets
                .sort(world.grid(), &self.agents, &self.types, workers);
            self.steer(world, dt);
            self.commit(workers, dt);
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
        let context = Context {
            world,
            agents: &self.agents,
            types: &self.types,
            routes: &self.scratch.routes,
            settings: &self.settings,
            buckets: &self.buckets,
            seed: self.seed,
            tick: self.tick,
            dt,
        };
        let moved = &mut self.scratch.moved;
        moved.resize(self.agents.len(), Moved::default());
        world
            .workers()
            .for_each_chunk(moved, CHUNK, |offset, part| {
                let mut pushes = [Vec2::ZERO; CHUNK];
                let pushes = &mut pushes[..part.len()];
                context.push_apart(offset, pushes);
                let agents = &context.buckets.sorted()[offset..];
                for ((out, agent), &push) in part.iter_mut().zip(agents).zip(&*pushes) {
                    *out = context.move_agent(agent, push);
                }
            });
    }

    fn commit(&mut self, workers: &Workers, dt: f32) {
        self.scratch.old_flags.clone_from(&self.agents.flags);
        let agents = &mut self.agents;
        let columns = Columns {
            position: &mut agents.position,
            velocity: &mut agents.velocity,
            heading: &mut agents.heading,
            anchor: &mut agents.anchor,
            stalled: &mut agents.stalled,
            flags: &mut agents.flags,
            kind: &agents.kind,
            rank: self.buckets.rank(),
        };
        let commit = Commit {
            moved: &self.scratch.moved,
            types: &self.types,
            stuck_seconds: self.settings.stuck_seconds,
            dt,
        };
        commit.run(columns, workers);
    }
}

impl Context<'_> {
    /// How neighbours push the agents from place `first` in bucket order on.
    fn push_apart(&self, first: usize, pushes: &mut [Vec2]) {
        if !self.settings.separation {
            return;
        }
        let key = |agent: &Placed| {
            let id = self.agents.id[agent.index as usize];
            random::keyed(self.seed, id.bits(), self.tick)
        };
        let separation = Separation {
            types: self.types,
            buckets: self.buckets,
            key,
        };
        separation.push(first, pushes, |agent| {
            agent.state == AgentState::Scripted || agent.flags & flag::QUARANTINED != 0
        });
    }

    /// Where one agent goes: what it wants, what its neighbours make of it, what walls leave.
    fn move_agent(&self, agent: &Placed, push: Vec2) -> Moved {
        let index = agent.index as usize;
        let kind = &self.types[usize::from(agent.kind)];
        let old = agent.velocity;
        let mut moved = Moved {
            position: agent.position,
            velocity: Vec2::ZERO,
            flags: agent.flags & (flag::ARRIVED | flag::QUARANTINED),
            under_way: false,
        };
        if moved.flags & flag::QUARANTINED != 0 {
            return moved;
        }
        let velocity = match agent.state {
            AgentState::Scripted => self.agents.scripted[index],
            AgentState::Idle => self.accelerate(kind, old, push),
            AgentState::Following => {
                let wanted = self.follow(agent, kind, &mut moved);
                self.accelerate(kind, old, wanted + push)
            }
        };
        self.travel(agent, kind, velocity, &mut moved);
        moved
    }

    /// The velocity that the flow field asks for; notes in `moved` how the agent stands.
    fn follow(&self, agent: &Placed, kind: &AgentType, moved: &mut Moved) -> Vec2 {
        let route = usize::from(agent.group) * self.types.len() + usize::from(agent.kind);
        match self.routes.get(route) {
            Some(Some(Route::Whole(field))) => self.follow_by(&**field, agent, kind, moved),
            Some(Some(Route::Tiled(route))) => self.follow_by(route, agent, kind, moved),
            // No goal, or its first field is still being built.
            _ => Vec2::ZERO,
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
        if moved.flags & flag::ARRIVED != 0 && self.settings.arrival != ArrivalAction::KeepGoing {
            return Vec2::ZERO;
        }
        if at_goal && let Some(target) = flow.target_in(cell) {
            // Not past the target, so that agents do not swing around it.
            let left = grid.to_world(target) - agent.position;
            return velocity_over(left, self.dt, kind.max_speed);
        }
        let direction = flow.sample_for(point, kind.radius / grid.cell_size());
        if direction == Vec2::ZERO {
            moved.flags |= flag::LOST;
        } else {
            moved.under_way = true;
        }
        direction * kind.max_speed
    }

    /// The velocity after neighbours have pushed and inertia has had its say (system A's
    /// MoveToward and LimitLength).
    ///
    /// The limit applies to what the agent strives for: a velocity above it, from an impulse,
    /// decays at the agent's own acceleration.
    fn accelerate(&self, kind: &AgentType, old: Vec2, wanted: Vec2) -> Vec2 {
        // Both outcomes are computed and one is chosen: either is as likely in a dense crowd, and a
        // wrong guess costs the processor more than a division.
        let squared = wanted.length_squared();
        let limited = kind.max_speed * (wanted / squared.sqrt());
        let too_fast = squared > kind.max_speed * kind.max_speed;
        let wanted = Vec2::select(BVec2::splat(too_fast), limited, wanted);
        let change = wanted - old;
        let most = kind.acceleration * self.dt;
        let length = change.length();
        let partly = old + change * (most / length);
        Vec2::select(BVec2::splat(length <= most), wanted, partly)
    }

    /// Moves the agent for the step at `velocity`, as far as walls allow.
    fn travel(&self, agent: &Placed, kind: &AgentType, velocity: Vec2, moved: &mut Moved) {
        let grid = self.world.grid();
        let seconds = self.dt * kind.position_smoothing;
        let way = (velocity * seconds).clamp_length_max(MAX_STEP_CELLS * grid.cell_size());
        moved.velocity = velocity;
        if !self.settings.wall_correction {
            let (low, high) = grid.bounds();
            moved.position = (agent.position + way).clamp(low, high);
            return;
        }
        let scale = 1.0 / grid.cell_size();
        let costs = self.world.costs(kind.movement);
        let start = grid.to_cell_space(agent.position);
        match walls::slide(costs, start, way * scale, kind.radius * scale) {
            None => moved.position = agent.position + way,
            Some(end) => {
                moved.position = if end == start {
                    agent.position
                } else {
                    grid.to_world(end)
                };
                // A wall takes speed away, it never adds any.
                let real = moved.position - agent.position;
                moved.velocity = velocity_over(real, seconds, velocity.length());
            }
        }
    }
}

/// The velocity that covers `way` in `seconds`, or `most` in that direction. Finite for the shortest
/// time too, by which nothing can be divided.
fn velocity_over(way: Vec2, seconds: f32, most: f32) -> Vec2 {
    let length = way.length();
    if length > most * seconds {
        way * (most / length)
    } else if seconds > 0.0 {
        (way / seconds).clamp_length_max(most)
    } else {
        Vec2::ZERO
    }
}

/// The agents' columns that a step writes, and what belongs to the same rows.
struct Columns<'a> {
    position: &'a mut [Vec2],
    velocity: &'a mut [Vec2],
    heading: &'a mut [Vec2],
    anchor: &'a mut [Vec2],
    stalled: &'a mut [f32],
    flags: &'a mut [u8],
    kind: &'a [u8],
    rank: &'a [u32],
}

impl Columns<'_> {
    fn split_at(self, middle: usize) -> (Self, Self) {
        let (position, more_position) = self.position.split_at_mut(middle);
        let (velocity, more_velocity) = self.velocity.split_at_mut(middle);
        let (heading, more_heading) = self.heading.split_at_mut(middle);
        let (anchor, more_anchor) = self.anchor.split_at_mut(middle);
        let (stalled, more_stalled) = self.stalled.split_at_mut(middle);
        let (flags, more_flags) = self.flags.split_at_mut(middle);
        let (kind, more_kind) = self.kind.split_at(middle);
        let (rank, more_rank) = self.rank.split_at(middle);
        let first = Self {
            position,
            velocity,
            heading,
            anchor,
            stalled,
            flags,
            kind,
            rank,
        };
        let second = Self {
            position: more_position,
            velocity: more_velocity,
            heading: more_heading,
            anchor: more_anchor,
            stalled: more_stalled,
            flags: more_flags,
            kind: more_kind,
            rank: more_rank,
        };
        (first, second)
    }
}

/// Takes the results of steering over into the agents' columns.
struct Commit<'a> {
    moved: &'a [Moved],
    types: &'a [AgentType],
    stuck_seconds: f32,
    dt: f32,
}

impl Commit<'_> {
    /// Halves the work until a piece is small, which needs no memory for a list of pieces.
    fn run(&self, columns: Columns<'_>, workers: &Workers) {
        let count = columns.rank.len();
        if count <= 4 * CHUNK {
            self.rows(columns);
            return;
        }
        let (first, second) = columns.split_at(count / 2);
        workers.join(|| self.run(first, workers), || self.run(second, workers));
    }

    fn rows(&self, columns: Columns<'_>) {
        let turn = (TURN_RATE * self.dt).min(1.0);
        let mut gathered = [Moved::default(); GATHERED];
        for row in 0..columns.rank.len() {
            // Results lie all over memory: a loop that does nothing but fetch them waits for many
            // at once.
            if row % GATHERED == 0 {
                for (moved, &rank) in gathered.iter_mut().zip(&columns.rank[row..]) {
                    *moved = self.moved[rank as usize];
                }
            }
            let moved = &gathered[row % GATHERED];
            let kind = &self.types[usize::from(columns.kind[row])];
            if !moved.position.is_finite() || !moved.velocity.is_finite() {
                columns.velocity[row] = Vec2::ZERO;
                columns.flags[row] = flag::QUARANTINED;
                continue;
            }
            let mut flags = moved.flags;
            columns.position[row] = moved.position;
            columns.velocity[row] = moved.velocity;
            let speed = moved.velocity.length();
            if speed > LEAST_TURNING_SPEED * kind.max_speed {
                let ahead = moved.velocity / speed;
                let heading = columns.heading[row];
                columns.heading[row] = (heading + (ahead - heading) * turn).normalize_or(ahead);
            }
            let strayed = moved.position.distance_squared(columns.anchor[row]);
            if !moved.under_way || strayed > kind.radius * kind.radius {
                columns.anchor[row] = moved.position;
                columns.stalled[row] = 0.0;
            } else {
                columns.stalled[row] += self.dt;
                if columns.stalled[row] >= self.stuck_seconds {
                    flags |= flag::STUCK;
                }
            }
            columns.flags[row] = flags;
        }
    }
}
