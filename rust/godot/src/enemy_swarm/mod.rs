//! The `EnemySwarm` node.

mod agents;
mod body_mesh;
mod output;
mod queries;
mod stepping;

use crate::convert::{corners, f32_from};
use crate::field_manager::FlowFieldManager;
use crate::report::{OrRefuse, choice, refuse, refuse_with_code};
use crate::resources::SeenResources;
use crate::swarm_agent_type::SwarmAgentType;
use flow_swarm::swarm::{AgentType, ArrivalAction, MAX_AGENT_TYPES, Settings, Swarm};
use flow_swarm::world::FlowWorld;
use godot::classes::{Engine, INode, Node};
use godot::global::Error;
use godot::prelude::*;
use output::{Canvas, Output};
use stepping::Timings;

/// Steers any number of agents along the fields of a FlowFieldManager and draws them with one MultiMesh.
///
/// Agents belong to a type (size, speed, looks) and to a group (which goal they go for). They follow the flow field of their group's goal, keep apart, and stay out of walls. Positions are world units in a plane: x and y in 2D, x and z in 3D. Ids stay valid until their agent is removed, and never name another agent.
#[derive(GodotClass)]
#[class(tool, init, base=Node)]
pub struct EnemySwarm {
    /// The manager whose fields, walls and threads the swarm uses.
    #[export]
    #[var(get, set)]
    manager: Option<Gd<FlowFieldManager>>,
    /// The MultiMeshInstance2D or MultiMeshInstance3D that draws the agents: in 3D they move in the plane of x and z. Without one a MultiMeshInstance2D is made. Leave its transform alone: agents are placed in world units.
    #[export]
    #[var(get, set)]
    output: Option<Gd<Node>>,
    /// The kinds of agents. Empty stands for one default type.
    #[export]
    #[var(set)]
    agent_types: Array<Option<Gd<SwarmAgentType>>>,
    /// All random numbers of the swarm follow from it: the same calls with the same seed give the same crowd.
    #[export]
    #[var(set)]
    random_seed: i64,
    /// Step in every physics frame. Switch it off to call step() yourself.
    #[export]
    #[init(val = true)]
    auto_step: bool,
    /// Agents that overlap push each other apart.
    #[export_group(name = "Steering")]
    #[export]
    #[init(val = true)]
    separation: bool,
    /// Agents are kept out of walls.
    #[export]
    #[init(val = true)]
    wall_correction: bool,
    /// What becomes of agents that reach their goal: STOP, DESPAWN or KEEP_GOING (to the exact target).
    #[export(enum = (Stop = 0, Despawn = 1, KeepGoing = 2))]
    #[var(set)]
    arrival_action: i64,
    /// Distance from a target at which an agent has arrived; in the target's cell it always has.
    #[export(range = (0.0, 256.0, or_greater))]
    #[var(set)]
    arrival_radius: f64,
    /// With STOP, agents also arrive where they meet others of their group that have arrived: the crowd grows around its goal, and who is in it keeps its place but for strong pushes. Otherwise all of them strive for the target's cell.
    #[export]
    settle_in_crowds: bool,
    /// In about how many seconds costs forget a crowd that has gone, and see one that has come: for movement types with a crowd_penalty. 0.01 or more.
    #[export(range = (0.1, 30.0, or_greater, suffix = "s"))]
    #[var(set)]
    #[init(val = 2.0)]
    crowd_fading: f64,
    /// Seconds without leaving a circle of its own radius after which an agent that should be moving counts as stuck.
    #[export(range = (0.1, 30.0, or_greater, suffix = "s"))]
    #[var(set)]
    #[init(val = 2.0)]
    stuck_time: f64,
    /// Agents outside of focus_rect steer only in every so many steps, each in its turn, and keep their velocity in between: 2 to 4 saves much of the time of a crowd that nobody sees. Walls hold in every step. 1 steers everybody always.
    #[export(range = (1.0, 60.0))]
    #[var(set)]
    #[init(val = 1)]
    far_agents_every: i64,
    /// Agents in here, in world units, always steer; set it to what the camera shows and some more. Without a size nobody counts as far away.
    #[export]
    #[var(set)]
    focus_rect: Rect2,
    /// Instances turn with their agents: +x ahead in 2D, -z ahead in 3D.
    #[export_group(name = "Output")]
    #[export]
    #[init(val = true)]
    face_movement: bool,
    /// Width of an instance as a multiple of its agent's diameter, for a mesh one unit wide.
    #[export(range = (0.1, 8.0, or_greater))]
    #[var(set)]
    #[init(val = 1.0)]
    instance_size: f64,
    /// Height of the plane in 3D.
    #[export]
    #[var(set)]
    height: f64,
    /// What shaders read from INSTANCE_CUSTOM: nothing, or with MOTION heading x and y, speed as a fraction of the greatest, and state.
    #[export(enum = (None = 0, Motion = 1))]
    #[var(set)]
    custom_data_preset: i64,
    #[init(val = Swarm::new(0))]
    swarm: Swarm,
    seen_types: SeenResources,
    drawn: Output,
    timings: Timings,
    /// The last thing that kept the swarm from stepping, so that it is reported once.
    hindrance: Option<String>,
    base: Base<Node>,
}

#[godot_api]
impl EnemySwarm {
    /// Agent state: follows the flow field of its group's goal.
    #[constant]
    const FOLLOWING: i64 = 0;
    /// Agent state: stands, and can be pushed.
    #[constant]
    const IDLE: i64 = 1;
    /// Agent state: moves at the velocity that set_scripted_velocities() gave it.
    #[constant]
    const SCRIPTED: i64 = 2;
    /// Arrival action: stop until the goal moves.
    #[constant]
    const STOP: i64 = 0;
    /// Arrival action: remove the agent at the end of the step.
    #[constant]
    const DESPAWN: i64 = 1;
    /// Arrival action: go on to the exact target.
    #[constant]
    const KEEP_GOING: i64 = 2;
    /// Custom data: none.
    #[constant]
    const CUSTOM_NONE: i64 = 0;
    /// Custom data: heading x and y, speed as a fraction of the greatest, state.
    #[constant]
    const CUSTOM_MOTION: i64 = 1;

    /// These agents reached their goal in this step. With DESPAWN they are gone already.
    #[signal]
    fn agents_arrived(ids: PackedInt64Array);

    /// These agents found themselves without a route in this step. They stop, and go on once there is one.
    #[signal]
    fn agents_lost(ids: PackedInt64Array);

    /// These agents have a route but have not got anywhere for stuck_time.
    #[signal]
    fn agents_stuck(ids: PackedInt64Array);

    #[func]
    fn get_manager(&self) -> Option<Gd<FlowFieldManager>> {
        // Looked at before it is cloned: a dead object's handle must not be.
        let manager = self.manager.as_ref();
        manager.filter(|node| node.is_instance_valid()).cloned()
    }

    #[func]
    fn set_manager(&mut self, manager: Option<Gd<FlowFieldManager>>) {
        self.manager = manager;
        self.hindrance = None;
        self.drawn.forget_bounds();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_output(&self) -> Option<Gd<Node>> {
        let output = self.output.as_ref();
        output.filter(|node| node.is_instance_valid()).cloned()
    }

    #[func]
    fn set_output(&mut self, output: Option<Gd<Node>>) {
        if let Some(node) = &output
            && Canvas::of(node).is_none()
        {
            let class = node.get_class();
            let reason =
                format_args!("must be a MultiMeshInstance2D or MultiMeshInstance3D, not a {class}");
            refuse("EnemySwarm.output", reason);
            return;
        }
        self.output = output;
        self.drawn.forget_node();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_agent_types(&mut self, types: Array<Option<Gd<SwarmAgentType>>>) {
        if types.len() > MAX_AGENT_TYPES {
            let reason = format_args!(
                "must have at most {MAX_AGENT_TYPES} entries, not {}",
                types.len()
            );
            refuse("EnemySwarm.agent_types", reason);
            return;
        }
        let used = self
            .swarm
            .kinds()
            .iter()
            .max()
            .map_or(0, |&kind| usize::from(kind) + 1);
        if types.len().max(1) < used {
            let reason = format_args!(
                "living agents need at least {used} entries, there are {}",
                types.len()
            );
            refuse("EnemySwarm.agent_types", reason);
            return;
        }
        self.agent_types = types;
        self.hindrance = None;
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_random_seed(&mut self, seed: i64) {
        self.random_seed = seed;
        self.swarm.set_seed(seed.cast_unsigned());
    }

    #[func]
    fn set_arrival_action(&mut self, action: i64) {
        if let Some(action) = choice("EnemySwarm.arrival_action", action, 2) {
            self.arrival_action = action;
        }
    }

    #[func]
    fn set_arrival_radius(&mut self, radius: f64) {
        let settings = Settings {
            arrival_radius: f32_from(radius),
            ..Settings::default()
        };
        if settings
            .check()
            .or_refuse("EnemySwarm.arrival_radius")
            .is_some()
        {
            self.arrival_radius = radius;
        }
    }

    #[func]
    fn set_crowd_fading(&mut self, seconds: f64) {
        let settings = Settings {
            crowd_fading: f32_from(seconds),
            ..Settings::default()
        };
        if settings
            .check()
            .or_refuse("EnemySwarm.crowd_fading")
            .is_some()
        {
            self.crowd_fading = seconds;
        }
    }

    #[func]
    fn set_stuck_time(&mut self, seconds: f64) {
        let settings = Settings {
            stuck_seconds: f32_from(seconds),
            ..Settings::default()
        };
        if settings
            .check()
            .or_refuse("EnemySwarm.stuck_time")
            .is_some()
        {
            self.stuck_time = seconds;
        }
    }

    #[func]
    fn set_far_agents_every(&mut self, steps: i64) {
        let settings = Settings {
            far_agents_every: u32::try_from(steps).unwrap_or(0),
            ..Settings::default()
        };
        if settings
            .check()
            .or_refuse("EnemySwarm.far_agents_every")
            .is_some()
        {
            self.far_agents_every = steps;
        }
    }

    #[func]
    fn set_focus_rect(&mut self, rect: Rect2) {
        let settings = Settings {
            focus: Some(corners(rect)),
            ..Settings::default()
        };
        if settings
            .check()
            .or_refuse("EnemySwarm.focus_rect")
            .is_some()
        {
            self.focus_rect = rect;
        }
    }

    #[func]
    fn set_instance_size(&mut self, size: f64) {
        let checked = flow_swarm::error::positive("instance_size", f32_from(size));
        if checked.or_refuse("EnemySwarm.instance_size").is_some() {
            self.instance_size = size;
        }
    }

    #[func]
    fn set_height(&mut self, height: f64) {
        let checked = flow_swarm::error::in_range("height", f32_from(height), -1.0e6, 1.0e6);
        if checked.or_refuse("EnemySwarm.height").is_some() {
            self.height = height;
        }
    }

    #[func]
    fn set_custom_data_preset(&mut self, preset: i64) {
        if let Some(preset) = choice("EnemySwarm.custom_data_preset", preset, 1) {
            self.custom_data_preset = preset;
        }
    }

    /// What is wrong with the properties, as the editor shows beside the node; empty if nothing is.
    #[func]
    fn get_setup_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        let Some(manager) = self.get_manager() else {
            warnings.push("No manager is set: agents have no fields to follow.");
            return warnings;
        };
        let manager = manager.bind();
        for (index, kind) in self.agent_types.iter_shared().enumerate() {
            let Some(kind) = kind else {
                continue;
            };
            let (radius, movement) = kind.bind().radius_and_movement_type();
            let fitting = manager.fitting_radius(movement);
            if radius > fitting {
                warnings.push(&format!(
                    "Agent type {index} has a radius of {radius}, but movement type {movement} has \
                     room for {fitting} only: agents get stuck in gaps. Raise its clearance_radius."
                ));
            }
        }
        warnings
    }

    /// Moves all agents by `delta` seconds, 0 to 1, draws them and emits what happened. Called every physics frame while auto_step is on.
    #[func(gd_self)]
    fn step(mut this: Gd<Self>, delta: f64) {
        const METHOD: &str = "EnemySwarm.step";
        let Some(manager) = this.bind_mut().live_manager(METHOD) else {
            return;
        };
        // No guard is held while handlers run: they may call either node, and may free them.
        FlowFieldManager::update(manager.clone());
        if !this.is_instance_valid() || !manager.is_instance_valid() {
            return;
        }
        let Some(news) = this.bind_mut().advance(METHOD, manager, delta) else {
            return;
        };
        if !news.arrived.is_empty() {
            this.signals().agents_arrived().emit(&news.arrived);
        }
        if !news.lost.is_empty() && this.is_instance_valid() {
            this.signals().agents_lost().emit(&news.lost);
        }
        if !news.stuck.is_empty() && this.is_instance_valid() {
            this.signals().agents_stuck().emit(&news.stuck);
        }
    }
}

impl EnemySwarm {
    /// The manager, or after a report `None`.
    fn live_manager(&mut self, method: &str) -> Option<Gd<FlowFieldManager>> {
        let reason = match &self.manager {
            Some(manager) if manager.is_instance_valid() => return Some(manager.clone()),
            Some(_) => "the manager has been freed",
            None => "manager is not set",
        };
        self.hinder(method, reason.to_owned());
        None
    }

    /// Reports what keeps the swarm from stepping, unless that was already so the last time.
    fn hinder(&mut self, method: &str, reason: String) {
        if self.hindrance.as_ref() != Some(&reason) {
            refuse(method, &reason);
            self.hindrance = Some(reason);
        }
    }

    /// Does something with the swarm, in line with all properties, and its world; after a report
    /// the code that fits.
    fn try_with_world<T>(
        &mut self,
        method: &str,
        task: impl FnOnce(&mut Swarm, &FlowWorld) -> flow_swarm::Result<T>,
    ) -> Result<T, Error> {
        // Unlike a step, a call is refused audibly every time.
        self.hindrance = None;
        let mut manager = self.live_manager(method).ok_or(Error::ERR_UNCONFIGURED)?;
        self.sync_properties(method);
        let mut manager = manager.bind_mut();
        let world = manager.world(method).ok_or(Error::ERR_UNCONFIGURED)?;
        task(&mut self.swarm, world).map_err(|error| refuse_with_code(method, &error))
    }

    /// [`Self::try_with_world`] for calls that return something else than a code.
    fn with_world<T>(
        &mut self,
        method: &str,
        task: impl FnOnce(&mut Swarm, &FlowWorld) -> flow_swarm::Result<T>,
    ) -> Option<T> {
        self.try_with_world(method, task).ok()
    }

    /// Carries the properties over into the core's swarm.
    fn sync_properties(&mut self, method: &str) {
        let settings = Settings {
            separation: self.separation,
            wall_correction: self.wall_correction,
            arrival: match self.arrival_action {
                Self::DESPAWN => ArrivalAction::Despawn,
                Self::KEEP_GOING => ArrivalAction::KeepGoing,
                _ => ArrivalAction::Stop,
            },
            arrival_radius: f32_from(self.arrival_radius),
            settle_in_crowds: self.settle_in_crowds,
            crowd_fading: f32_from(self.crowd_fading),
            stuck_seconds: f32_from(self.stuck_time),
            far_agents_every: u32::try_from(self.far_agents_every).unwrap_or(1),
            focus: self.focus_rect.has_area().then(|| corners(self.focus_rect)),
        };
        self.swarm.set_settings(settings).or_refuse(method);
        if !self.seen_types.update(&self.agent_types) {
            return;
        }
        let types: Vec<AgentType> = self
            .agent_types
            .iter_shared()
            .map(|kind| kind.map_or_else(AgentType::default, |kind| kind.bind().agent_type()))
            .collect();
        self.swarm.set_types(&types).or_refuse(method);
    }
}

#[godot_api]
impl INode for EnemySwarm {
    fn ready(&mut self) {
        let in_editor = Engine::singleton().is_editor_hint();
        self.base_mut().set_physics_process(!in_editor);
        if !in_editor && self.get_output().is_none() {
            self.make_default_output();
        }
    }

    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        let wanted = {
            let swarm = this.bind();
            swarm.auto_step && (!swarm.swarm.is_empty() || swarm.drawn.is_showing())
        };
        if wanted {
            Self::step(this, delta);
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.get_setup_warnings()
    }
}
