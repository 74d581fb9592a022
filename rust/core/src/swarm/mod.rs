//! The crowd: agents that follow flow fields, keep apart and stay out of walls.
//!
//! A [`Swarm`] is stepped against a [`FlowWorld`] but owned apart from it: in a
//! game either may be freed first, and several swarms share one world.

mod api;
mod avoidance;
mod bodies;
mod constraints;
mod density;
mod draw;
mod goal;
mod neighbours;
mod state;
mod step;

pub use api::formation::{Formation, Shape as FormationShape};
pub use avoidance::contact::{Others, Outline};
pub use bodies::{AreaId, BodyId, Force, ForceKind, MAX_SITES, Pose, Shape};
pub use constraints::links::LayerView;
pub use draw::pack::{
    CustomData, InstanceLayout, Instances, MAX_INSTANCE_SIZE, Packer, Plane, View,
};
pub use draw::palette::Palette;
pub use draw::trail::Tracking;
pub use state::agent_type::{AgentType, Avoidance, MAX_NEIGHBOURS};
pub use state::agents::{AgentId, AgentState};
pub use state::events::{Events, Stats};
pub use state::settings::{ArrivalAction, Settings};
pub use state::user_columns::USER_COLUMNS;
pub use step::{MAX_STEP_CELLS, MAX_STEP_SECONDS};

use crate::error::{Error, Result};
use crate::layers::Layers;
use crate::random;
use crate::world::{FlowWorld, GoalId, Reporter, Route};
use avoidance::contact::{ContactState, Contacts, Streams, uses_contacts};
use avoidance::orca::OrcaAgent;
use density::Density;
use glam::Vec2;
use goal::lateral_bias::GroupCenter;
use goal::settling::Crowds;
use neighbours::buckets::Buckets;
use state::agents::Agents;
use state::columns::Spares;
use step::context::StepResult;

/// The most agent types of a swarm.
pub const MAX_AGENT_TYPES: usize = 64;
/// The most groups of a swarm: groups are numbered 0..=255.
pub const MAX_GROUPS: usize = 256;
/// The most agents of a swarm.
pub const MAX_AGENTS: usize = 4_000_000;

/// A group's goal, and the signature of the targets that the group's agents know of: `None` before
/// the first step with a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Group {
    goal: Option<GoalId>,
    seen: Option<u64>,
    /// Whether members follow the field of the most restrictive movement type among them.
    shares_field: bool,
    /// Whom members keep to.
    leader: Option<AgentId>,
}

/// Memory that a step needs and that holds nothing between steps but capacity.
#[derive(Debug, Default)]
struct Scratch {
    moved: Vec<StepResult>,
    old_flags: Vec<u8>,
    /// What ORCA reads of each agent, in bucket order; empty if no type avoids by it.
    bodies: Vec<OrcaAgent>,
    crowds: Crowds,
    contacts: Contacts,
    streams: Streams,
    /// The centre of each group; empty if no agents keep to it.
    group_centers: Vec<GroupCenter>,
    spares: Spares,
    /// What leads to the goal for each (group, type).
    routes: Vec<Option<Route>>,
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
    /// How crowded the ground is; empty unless a setting needs it.
    density: Density,
    reporter: Reporter,
    buckets: Buckets,
    bodies: bodies::Colliders<bodies::Body>,
    areas: bodies::Colliders<bodies::Area>,
    scratch: Scratch,
    events: Events,
    /// Those of the world that positions belong to.
    layers: Layers,
    layer_view: LayerView,
    tracking: Tracking,
    palette: Palette,
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
            density: Density::default(),
            reporter: Reporter::default(),
            buckets: Buckets::default(),
            bodies: bodies::Colliders::default(),
            areas: bodies::Colliders::default(),
            scratch: Scratch::default(),
            events: Events::default(),
            layers: Layers::default(),
            layer_view: LayerView::default(),
            tracking: Tracking::default(),
            palette: Palette::default(),
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
                value: types.len().into(),
                min: used.into(),
                max: MAX_AGENT_TYPES.into(),
            });
        }
        self.types = types.to_vec();
        self.buckets.invalidate();
        if !self.types.iter().any(uses_contacts) {
            // The solver, which keeps it up to date, does not run.
            self.agents.contact.fill(ContactState::default());
        }
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
                value: (self.agents.len() + positions.len()).into(),
                min: 0.into(),
                max: MAX_AGENTS.into(),
            });
        }
        self.sync_layers(world);
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
                value: kind.into(),
                min: 0.into(),
                max: (self.types.len() - 1).into(),
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

    /// The ids of all agents. Positions, velocities and states come in the same order. It changes
    /// when agents are removed, and in steps of large crowds, which keep neighbours together.
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

    /// Groups, in the order of [`Self::ids`].
    #[must_use]
    pub fn groups(&self) -> &[u8] {
        &self.agents.group
    }

    /// Where an agent stands in the order of [`Self::ids`].
    ///
    /// # Errors
    /// [`Error::UnknownId`].
    pub fn index_of(&self, id: AgentId) -> Result<usize> {
        self.agents.find(id)
    }

    /// The id of the agent in a slot, the upper half of its id; `None` if the slot is free.
    ///
    /// Slots are the same on all machines that make the same calls, ids only on those that have also loaded
    /// the same saves ([`Self::load`]).
    #[must_use]
    pub fn id_in_slot(&self, slot: usize) -> Option<AgentId> {
        self.agents.in_slot(slot)
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

/// The purpose of the number that an agent's pace is drawn from.
const PACE: u64 = 0x5041_4345;

/// An agent's own pace, as a fraction of its type's greatest speed.
fn pace(kind: &AgentType, seed: u64, key: u64) -> f32 {
    if kind.speed_variation > 0.0 {
        1.0 - kind.speed_variation * random::unit(random::keyed(seed, key, PACE))
    } else {
        1.0
    }
}

fn check_group(group: i64) -> Result<u8> {
    u8::try_from(group).map_err(|_| Error::OutOfRange {
        name: "group",
        value: group.into(),
        min: 0.into(),
        max: (MAX_GROUPS - 1).into(),
    })
}
