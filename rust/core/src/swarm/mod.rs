//! The crowd: agents that follow flow fields, keep apart and stay out of walls.
//!
//! A [`Swarm`] is stepped against a [`FlowWorld`] but owned apart from it: in a
//! game either may be freed first, and several swarms share one world.

mod agent_type;
mod agents;
mod buckets;
mod events;
mod pack;
mod query;
mod snapshot;
mod steering;
mod step;

pub use agent_type::AgentType;
pub use agents::{AgentId, AgentState};
pub use events::{Events, Stats};
pub use pack::{InstanceLayout, Plane};
pub use step::{MAX_STEP_CELLS, MAX_STEP_SECONDS};

use crate::error::{Error, Result, finite, in_range};
use crate::world::{Field, FlowWorld, GoalId};
use agents::Agents;
use buckets::Buckets;
use glam::Vec2;
use std::sync::Arc;
use step::Moved;

/// The most agent types of a swarm.
pub const MAX_AGENT_TYPES: usize = 64;
/// The most groups of a swarm: groups are numbered 0..=255.
pub const MAX_GROUPS: usize = 256;
/// The most agents of a swarm.
pub const MAX_AGENTS: usize = 4_000_000;

/// What becomes of an agent that reaches its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArrivalAction {
    /// It stops until its goal moves. Others may still push it.
    #[default]
    Stop,
    /// It is removed at the end of the step.
    Despawn,
    /// It goes on to the exact target.
    KeepGoing,
}

/// Switches and weights of all agents of a swarm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Whether agents push each other apart where they overlap.
    pub separation: bool,
    /// Whether agents are kept out of walls.
    pub wall_correction: bool,
    /// What becomes of agents that arrive.
    pub arrival: ArrivalAction,
    /// Distance from a target, in world units, at which an agent has arrived. In a goal's cell it
    /// always has.
    pub arrival_radius: f32,
    /// Seconds without progress after which an agent counts as stuck.
    pub stuck_seconds: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            separation: true,
            wall_correction: true,
            arrival: ArrivalAction::default(),
            arrival_radius: 0.0,
            stuck_seconds: 2.0,
        }
    }
}

impl Settings {
    /// Whether a swarm takes these settings.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn check(&self) -> Result<()> {
        in_range("arrival_radius", self.arrival_radius, 0.0, 1.0e6)?;
        in_range("stuck_time", self.stuck_seconds, 0.01, 1.0e6)?;
        Ok(())
    }
}

/// A group's goal, and the signature of the targets that the group's agents know of: `None` before
/// the first step with a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Group {
    goal: Option<GoalId>,
    seen: Option<u64>,
}

/// Memory that a step needs and that holds nothing between steps but capacity.
#[derive(Debug, Default)]
struct Scratch {
    moved: Vec<Moved>,
    old_flags: Vec<u8>,
    /// The field for each (group, type).
    routes: Vec<Option<Arc<Field>>>,
}

/// A crowd of agents.
#[derive(Debug)]
pub struct Swarm {
    agents: Agents,
    types: Vec<AgentType>,
    groups: Vec<Group>,
    settings: Settings,
    seed: u64,
    tick: u64,
    arrived_ever: u64,
    buckets: Buckets,
    scratch: Scratch,
    events: Events,
}

impl Swarm {
    /// An empty swarm with the default agent type. All its random numbers follow from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            agents: Agents::default(),
            types: vec![AgentType::default()],
            groups: Vec::new(),
            settings: Settings::default(),
            seed,
            tick: 0,
            arrived_ever: 0,
            buckets: Buckets::default(),
            scratch: Scratch::default(),
            events: Events::default(),
        }
    }

    /// Changes the seed from the next step on.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Replaces the settings.
    ///
    /// # Errors
    /// A negative or non-finite radius or time.
    pub fn set_settings(&mut self, settings: Settings) -> Result<()> {
        settings.check()?;
        self.settings = settings;
        Ok(())
    }

    /// The agent types.
    #[must_use]
    pub fn types(&self) -> &[AgentType] {
        &self.types
    }

    /// Replaces the agent types; an empty list stands for the default type alone.
    ///
    /// # Errors
    /// An invalid type, more than [`MAX_AGENT_TYPES`], or fewer than living agents refer to.
    pub fn set_types(&mut self, types: &[AgentType]) -> Result<()> {
        for kind in types {
            kind.check()?;
        }
        let default = [AgentType::default()];
        let types = if types.is_empty() { &default } else { types };
        let used = self
            .agents
            .kind
            .iter()
            .max()
            .map_or(1, |&kind| usize::from(kind) + 1);
        if types.len() < used || types.len() > MAX_AGENT_TYPES {
            return Err(Error::OutOfRange {
                name: "number of agent types",
                value: types.len() as f64,
                min: used as f64,
                max: MAX_AGENT_TYPES as f64,
            });
        }
        self.types = types.to_vec();
        self.buckets.invalidate();
        Ok(())
    }

    /// Adds agents at world positions; all of them or, on an error, none. O(agents added).
    ///
    /// An agent may start in a wall: the next step moves it to free space.
    ///
    /// # Errors
    /// A position that is not finite and in the grid, an unknown type, a group beyond
    /// [`MAX_GROUPS`], or more than [`MAX_AGENTS`] agents.
    pub fn spawn(
        &mut self,
        world: &FlowWorld,
        positions: &[Vec2],
        kind: i64,
        group: i64,
    ) -> Result<Vec<AgentId>> {
        for &position in positions {
            world.grid().check_position("position", position)?;
        }
        let kind = self.check_kind(kind)?;
        let group = check_group(group)?;
        if self.agents.len() + positions.len() > MAX_AGENTS {
            return Err(Error::OutOfRange {
                name: "number of agents",
                value: (self.agents.len() + positions.len()) as f64,
                min: 0.0,
                max: MAX_AGENTS as f64,
            });
        }
        self.buckets.invalidate();
        Ok(positions
            .iter()
            .map(|&position| self.agents.insert(position, kind, group))
            .collect())
    }

    fn check_kind(&self, kind: i64) -> Result<u8> {
        match usize::try_from(kind) {
            Ok(index) if index < self.types.len() => Ok(index as u8),
            _ => Err(Error::OutOfRange {
                name: "type",
                value: kind as f64,
                min: 0.0,
                max: (self.types.len() - 1) as f64,
            }),
        }
    }

    /// Removes agents and returns how many. Ids that name no living agent are passed over: the
    /// second value is the first of them.
    pub fn despawn(&mut self, ids: &[AgentId]) -> (usize, Option<AgentId>) {
        let before = self.agents.len();
        let mut stale = None;
        for &id in ids {
            if !self.agents.remove(id) {
                stale = stale.or(Some(id));
            }
        }
        self.buckets.invalidate();
        (before - self.agents.len(), stale)
    }

    /// Removes all agents.
    pub fn clear(&mut self) {
        self.agents.clear();
        self.buckets.invalidate();
    }

    /// How many agents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.agents.len() == 0
    }

    /// Whether an id names a living agent.
    #[must_use]
    pub fn contains(&self, id: AgentId) -> bool {
        self.agents.find(id).is_ok()
    }

    /// The ids of all agents. Positions, velocities and states come in the same order, which
    /// changes only when agents are removed.
    #[must_use]
    pub fn ids(&self) -> &[AgentId] {
        &self.agents.id
    }

    /// World positions, in the order of [`Self::ids`].
    #[must_use]
    pub fn positions(&self) -> &[Vec2] {
        &self.agents.position
    }

    /// Velocities in world units a second, in the order of [`Self::ids`].
    #[must_use]
    pub fn velocities(&self) -> &[Vec2] {
        &self.agents.velocity
    }

    /// States, in the order of [`Self::ids`].
    #[must_use]
    pub fn states(&self) -> &[AgentState] {
        &self.agents.state
    }

    /// Agent type indices, in the order of [`Self::ids`].
    #[must_use]
    pub fn kinds(&self) -> &[u8] {
        &self.agents.kind
    }

    /// Where an agent stands in the order of [`Self::ids`].
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn index_of(&self, id: AgentId) -> Result<usize> {
        self.agents.find(id)
    }

    fn find_all(&self, ids: &[AgentId]) -> Result<()> {
        ids.iter()
            .try_for_each(|&id| self.agents.find(id).map(drop))
    }

    /// Sets the state of agents.
    ///
    /// # Errors
    /// [`Error::UnknownId`] for any of them; none is changed then.
    pub fn set_state(&mut self, ids: &[AgentId], state: AgentState) -> Result<()> {
        self.find_all(ids)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            self.agents.state[index] = state;
            self.agents.restart(index);
        }
        Ok(())
    }

    /// The velocities, in world units a second, at which agents move while they are
    /// [`AgentState::Scripted`].
    ///
    /// # Errors
    /// [`Error::UnknownId`], [`Error::Length`] or a velocity that is not finite or above
    /// [`MAX_SPEED`]; none is changed then.
    pub fn set_scripted_velocities(&mut self, ids: &[AgentId], velocities: &[Vec2]) -> Result<()> {
        check_pairs("velocities", ids, velocities)?;
        for &velocity in velocities {
            finite("velocity", velocity)?;
            in_range("length of velocity", velocity.length(), 0.0, MAX_SPEED)?;
        }
        self.find_all(ids)?;
        for (&id, &velocity) in ids.iter().zip(velocities) {
            let index = self.agents.find(id)?;
            self.agents.scripted[index] = velocity;
        }
        Ok(())
    }

    /// Moves agents at once.
    ///
    /// # Errors
    /// [`Error::UnknownId`], [`Error::Length`] or a position that is not finite and in the grid;
    /// none is changed then.
    pub fn set_positions(
        &mut self,
        world: &FlowWorld,
        ids: &[AgentId],
        positions: &[Vec2],
    ) -> Result<()> {
        check_pairs("positions", ids, positions)?;
        for &position in positions {
            world.grid().check_position("position", position)?;
        }
        self.find_all(ids)?;
        for (&id, &position) in ids.iter().zip(positions) {
            let index = self.agents.find(id)?;
            self.agents.position[index] = position;
            self.agents.restart(index);
        }
        self.buckets.invalidate();
        Ok(())
    }

    /// Gives a group its goal, or none.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`].
    pub fn set_group_goal(&mut self, group: i64, goal: Option<GoalId>) -> Result<()> {
        let group = usize::from(check_group(group)?);
        if self.groups.len() <= group {
            self.groups.resize(group + 1, Group::default());
        }
        if self.groups[group].goal != goal {
            self.groups[group] = Group { goal, seen: None };
            self.agents.restart_group(group as u8);
        }
        Ok(())
    }

    /// A group's goal.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`].
    pub fn group_goal(&self, group: i64) -> Result<Option<GoalId>> {
        let group = usize::from(check_group(group)?);
        Ok(self.groups.get(group).and_then(|group| group.goal))
    }

    /// The (goal, movement type) pairs whose fields a step reads; hand each to
    /// [`FlowWorld::require`] before the step.
    #[must_use]
    pub fn needed_fields(&self) -> Vec<(GoalId, usize)> {
        let mut movements: Vec<usize> = self.types.iter().map(|kind| kind.movement).collect();
        movements.sort_unstable();
        movements.dedup();
        let mut goals: Vec<GoalId> = self.groups.iter().filter_map(|group| group.goal).collect();
        goals.sort_unstable();
        goals.dedup();
        goals
            .into_iter()
            .flat_map(|goal| movements.iter().map(move |&movement| (goal, movement)))
            .collect()
    }

    /// Adds `impulse` to the velocity of agents. A knocked agent slows down to its own speed at
    /// its own acceleration.
    ///
    /// # Errors
    /// [`Error::UnknownId`] or an impulse that is not finite or above 1e6; none is changed then.
    pub fn apply_impulse(&mut self, ids: &[AgentId], impulse: Vec2) -> Result<()> {
        finite("impulse", impulse)?;
        in_range("length of impulse", impulse.length(), 0.0, MAX_SPEED)?;
        self.find_all(ids)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            self.agents.push(index, impulse);
        }
        Ok(())
    }

    /// Pushes agents away from `center` (towards it if `strength` is negative), with the whole
    /// `strength` there and none at `radius`. Returns how many were pushed.
    ///
    /// # Errors
    /// Arguments that are not finite, a negative radius or a strength beyond 1e6.
    pub fn apply_radial_impulse(
        &mut self,
        world: &FlowWorld,
        center: Vec2,
        radius: f32,
        strength: f32,
    ) -> Result<usize> {
        in_range("strength", strength, -MAX_SPEED, MAX_SPEED)?;
        let ids = self.query_circle(world, center, radius)?;
        for &id in &ids {
            let index = self.agents.find(id)?;
            let away = self.agents.position[index] - center;
            let distance = away.length();
            let fade = if radius > 0.0 {
                (1.0 - distance / radius).max(0.0)
            } else {
                1.0
            };
            let direction = if distance > 0.0 {
                away / distance
            } else {
                crate::random::direction(crate::random::keyed(self.seed, id.bits(), self.tick))
            };
            self.agents.push(index, direction * (strength * fade));
        }
        Ok(ids.len())
    }

    /// What happened in the last step.
    #[must_use]
    pub fn events(&self) -> &Events {
        &self.events
    }

    /// Counts of agents by what they are doing. O(agents).
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::count(&self.agents, self.arrived_ever)
    }

    /// How many steps there have been.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }
}

/// The fastest that anything moves, in world units a second: beyond it a step's displacement
/// loses its meaning.
pub const MAX_SPEED: f32 = 1.0e6;

fn check_group(group: i64) -> Result<u8> {
    u8::try_from(group).map_err(|_| Error::OutOfRange {
        name: "group",
        value: group as f64,
        min: 0.0,
        max: (MAX_GROUPS - 1) as f64,
    })
}

fn check_pairs(name: &'static str, ids: &[AgentId], values: &[Vec2]) -> Result<()> {
    if ids.len() == values.len() {
        return Ok(());
    }
    Err(Error::Length {
        name,
        expected: ids.len(),
        actual: values.len(),
    })
}
