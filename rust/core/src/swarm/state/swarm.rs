//! The swarm: its agents, what applies to all of them, and the memory of its steps.

use crate::error::{Error, Result};
use crate::grid::layers::Layers;
use crate::ground::Ground;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::bodies::{Area, Body, Colliders};
use crate::swarm::density::Density;
use crate::swarm::draw::palette::Palette;
use crate::swarm::draw::tracking::Tracking;
use crate::swarm::limits::{MAX_AGENT_TYPES, MAX_AGENTS};
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::agent_type::AgentType;
use crate::swarm::state::agents::Agents;
use crate::swarm::state::events::Events;
use crate::swarm::state::events::Stats;
use crate::swarm::state::group::{Groups, check_group};
use crate::swarm::state::layer_view::LayerView;
use crate::swarm::state::march::March;
use crate::swarm::state::settings::Settings;
use crate::swarm::step::scratch::Scratch;
use crate::world::{FlowWorld, Reporter};
use glam::Vec2;

/// A crowd of agents.
#[derive(Debug)]
pub struct Swarm {
    pub(in crate::swarm) agents: Agents,
    pub(in crate::swarm) types: Vec<AgentType>,
    pub(in crate::swarm) groups: Groups,
    /// The formations on their way.
    pub(in crate::swarm) marches: Vec<March>,
    pub(in crate::swarm) settings: Settings,
    pub(in crate::swarm) seed: u64,
    pub(in crate::swarm) tick: u64,
    pub(in crate::swarm) arrived_ever: u64,
    /// The crowd density; empty unless a movement type needs it.
    pub(in crate::swarm) density: Density,
    pub(in crate::swarm) reporter: Reporter,
    pub(in crate::swarm) buckets: Buckets,
    pub(in crate::swarm) bodies: Colliders<Body>,
    pub(in crate::swarm) areas: Colliders<Area>,
    pub(in crate::swarm) scratch: Scratch,
    pub(in crate::swarm) events: Events,
    /// The layers of the world that positions belong to.
    pub(in crate::swarm) layers: Layers,
    pub(in crate::swarm) layer_view: LayerView,
    /// The heights that instances are drawn at. Steps read those of the world itself.
    pub(in crate::swarm) ground: Ground,
    pub(in crate::swarm) tracking: Tracking,
    /// The seconds of the last step.
    pub(in crate::swarm) last_dt: f32,
    pub(in crate::swarm) palette: Palette,
}

impl Swarm {
    /// An empty swarm with the default agent type. All its random numbers follow from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            agents: Agents::default(),
            types: vec![AgentType::default()],
            groups: Groups::default(),
            marches: Vec::new(),
            settings: Settings::default(),
            seed,
            tick: 0,
            arrived_ever: 0,
            density: Density::default(),
            reporter: Reporter::default(),
            buckets: Buckets::default(),
            bodies: Colliders::default(),
            areas: Colliders::default(),
            scratch: Scratch::default(),
            events: Events::default(),
            layers: Layers::default(),
            layer_view: LayerView::default(),
            ground: Ground::default(),
            tracking: Tracking::default(),
            last_dt: 0.0,
            palette: Palette::default(),
        }
    }

    /// Changes the seed from the next step on.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The seed, from which all random numbers follow.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
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
        if !self.types.iter().any(AgentType::uses_contacts) {
            // The solver does not run, so it would not update the states.
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
    /// [`MAX_GROUPS`](crate::swarm::limits::MAX_GROUPS), or more than [`MAX_AGENTS`] agents.
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

    /// The marches that go on. Others are removed in the next step.
    pub(in crate::swarm) fn marches(&self) -> impl Iterator<Item = &March> {
        let goes_on = |march: &&March| self.groups.march_in(march.order);
        self.marches.iter().filter(goes_on)
    }

    pub(in crate::swarm) fn check_kind(&self, kind: i64) -> Result<u8> {
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

    /// Removes agents and returns their number. Ids that name no living agent are skipped; the second value is the
    /// first of them.
    pub fn despawn(&mut self, ids: &[AgentId]) -> (usize, Option<AgentId>) {
        let before = self.agents.len();
        let mut stale = None;
        for &id in ids {
            if !self.remove(id) {
                stale = stale.or(Some(id));
            }
        }
        (before - self.agents.len(), stale)
    }

    /// Removes an agent and returns whether there was one.
    pub(in crate::swarm) fn remove(&mut self, id: AgentId) -> bool {
        if let Ok(index) = self.agents.find(id) {
            self.buckets.remove(index);
            self.groups.leave(self.agents.goal_group[index]);
        }
        self.agents.remove(id)
    }

    /// Removes all agents.
    pub fn clear(&mut self) {
        self.agents.clear();
        self.groups.end_orders();
        self.marches.clear();
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

    /// Unit vectors of the directions that agents face, in the order of [`Self::ids`].
    #[must_use]
    pub fn headings(&self) -> &[Vec2] {
        &self.agents.heading
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

    /// The index of an agent in the order of [`Self::ids`].
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
