//! The `EnemySwarm` node.

mod agents;
mod areas;
mod attached_nodes;
mod attachments;
mod bodies;
mod body_mesh;
mod canvas;
mod formations;
mod looks;
mod multimesh_claim;
mod node;
mod others;
mod output;
mod properties;
mod queries;
mod roles;
mod seen_rect;
mod stepping;
mod upload;
mod user_columns;
mod warnings;
mod world_access;

use crate::convert::{corners, f32_from};
use crate::field_manager::FlowFieldManager;
use crate::object_array::ObjectArray;
use crate::properties::properties;
use crate::report::one_of;
use crate::resources::SeenResources;
use crate::surroundings;
use crate::swarm_agent_type::SwarmAgentType;
use flow_swarm::error::in_range;
use flow_swarm::swarm::{ArrivalAction, CustomData, Outline, Packer, Swarm};
use godot::classes::{Engine, Node};
use godot::prelude::*;
use others::OtherSwarms;
use output::Output;
use properties::{CoreForm, can_draw, instance_size_from, shown_layer};
use std::sync::Arc;
use std::time::Instant;
use stepping::{Timings, milliseconds_since};

properties! {
core: CoreForm;

/// Steers any number of agents along the fields of a FlowFieldManager and draws them with one MultiMesh.
///
/// Agents belong to a type (size, speed, looks) and to a group (which goal they go for). They follow the flow field of their group's goal, keep apart, and stay out of walls. Positions are world units in a plane: x and y in 2D, x and z in 3D. Ids stay valid until their agent is removed, and never name another agent.
///
/// The swarm steps at the end of every physics frame, after all nodes have had it, so that it goes by where these are now, and whatever methods a script on it overrides. All methods may be called on any thread: a call waits until no other thread uses the object. Only step() and draw_agents() are refused on threads that the engine does not let emit signals of a node in the scene tree.
#[derive(GodotClass)]
#[class(tool, init, base=Node)]
pub struct EnemySwarm {
    /// The manager whose fields, walls and threads the swarm uses. With another one, groups lose the goals that they have of the last one, with a warning. Without one no agent moves, and none is drawn.
    #[export]
    #[var(get, set)]
    manager: Option<Gd<FlowFieldManager>>,
    /// The MultiMeshInstance2D or MultiMeshInstance3D that draws the agents: in 3D they move in the plane of x and z. Without one a MultiMeshInstance2D is made. Leave its transform alone: agents are placed in world units. Its MultiMesh is the swarm's: a node that shares one with the output of another swarm gets a copy.
    #[export]
    #[var(get, set)]
    output: Option<Gd<Node>>,
    /// The kinds of agents. Empty stands for one default type.
    #[export]
    #[var(get, set)]
    agent_types: ObjectArray<SwarmAgentType>,
    /// All random numbers of the swarm follow from it: the same calls with the same seed give the same crowd.
    #[export]
    #[var(set)]
    random_seed: i64,
    /// Step in every physics frame that the node's process_mode allows. Switch it off to call step() yourself. Where Engine.time_scale makes a frame longer than a second it takes several steps.
    #[export]
    #[init(val = true)]
    auto_step: bool,
    /// Agents keep apart: those of SwarmAgentType.CONTACT keep their room, and those of SEPARATION push each other where they overlap. Off, they pass through each other. ORCA does not depend on it.
    #[export_group(name = "Steering")]
    #[export]
    #[init(val = true)]
    separation: bool,
    => set_separation: core.steering.separation = separation;
    /// Agents are kept out of walls.
    #[export]
    #[init(val = true)]
    wall_correction: bool,
    => set_wall_correction: core.steering.wall_correction = wall_correction;
    /// What becomes of agents that reach their goal: STOP, DESPAWN or KEEP_GOING (to the exact target, where they come to rest). But for DESPAWN they brake by their own acceleration before they are there.
    #[export(enum = (Stop = 0, Despawn = 1, KeepGoing = 2))]
    arrival_action: i64,
    => set_arrival_action: core.steering.arrival = one_of(&ArrivalAction::ALL, arrival_action)?;
    /// Distance from a target at which an agent has arrived; in the target's cell it always has.
    #[export(range = (0.0, 256.0, or_greater))]
    arrival_radius: f64,
    => set_arrival_radius: core.steering.arrival_radius = f32_from(arrival_radius);
    /// With STOP, agents also arrive where they meet others of their group that have arrived: the crowd grows around its goal, and the agents in it keep their place but for strong pushes. Otherwise all of them head for the target's cell.
    #[export]
    settle_in_crowds: bool,
    => set_settle_in_crowds: core.steering.settle_in_crowds = settle_in_crowds;
    /// In about how many seconds costs forget a crowd that has gone, and see one that has come: for movement types with a crowd_penalty. 0.01 or more.
    #[export(range = (0.1, 30.0, or_greater, suffix = "s"))]
    #[init(val = 2.0)]
    crowd_fading: f64,
    => set_crowd_fading: core.steering.crowd_fading = f32_from(crowd_fading);
    /// Seconds without leaving a circle of its own radius after which an agent that should be moving counts as stuck.
    #[export(range = (0.1, 30.0, or_greater, suffix = "s"))]
    #[init(val = 2.0)]
    stuck_time: f64,
    => set_stuck_time: core.steering.stuck_seconds = f32_from(stuck_time);
    /// Agents outside of focus_rect steer only in every so many steps, each in its turn, and keep their velocity in between: 2 to 4 saves much of the time of a crowd that is out of sight. Walls hold in every step. 1 steers all agents always.
    #[export(range = (1.0, 60.0))]
    #[init(val = 1)]
    far_agents_every: i64,
    => set_far_agents_every: core.steering.far_agents_every = u32::try_from(far_agents_every).unwrap_or(0);
    /// Agents in here, in world units, always steer; set it to what the camera shows and some more. Without a size no agent counts as far away.
    #[export]
    focus_rect: Rect2,
    => set_focus_rect: core.steering.focus = Some(corners(focus_rect));
    /// Instances turn with their agents: +x ahead in 2D, -z ahead in 3D.
    #[export_group(name = "Output")]
    #[export]
    #[init(val = true)]
    face_movement: bool,
    => set_face_movement: core.layout.face_movement = face_movement;
    /// Width of an instance as a multiple of its agent's diameter, for a mesh one unit wide; above 0, at most a million.
    #[export(range = (0.1, 8.0, or_greater))]
    #[init(val = 1.0)]
    instance_size: f64,
    => set_instance_size: core.layout.size = instance_size_from(instance_size)?;
    /// Height of the plane in 3D.
    #[export]
    height: f64,
    => set_height: core.layout.height = in_range("height", f32_from(height), -1.0e6, 1.0e6)?;
    /// How much higher in 3D agents are drawn on each layer than on the one below.
    #[export]
    layer_height: f64,
    => set_layer_height: core.layers.height = f32_from(layer_height);
    /// The only layer whose agents are drawn; -1 for all.
    #[export(range = (-1.0, 63.0))]
    #[init(val = -1)]
    visible_layer: i64,
    => set_visible_layer: core.layers.only = shown_layer(visible_layer)?;
    /// Colours of the states FOLLOWING, IDLE and SCRIPTED, in this order, by which those of types are multiplied. Missing ones are white.
    #[export]
    #[var(set)]
    state_colors: PackedColorArray,
    /// Colours of groups 0 and on, by which those of types and states are multiplied. Missing ones are white. Where everything is white the MultiMesh has no colours, which is faster.
    #[export]
    #[var(set)]
    group_colors: PackedColorArray,
    /// What shaders read from INSTANCE_CUSTOM: nothing; with MOTION heading x and y, speed as a fraction of the greatest, state; with SPRITE phase of the walk (0 to 1), heading in turns from +x towards +y (0 to 1), speed, clip (column 0 of set_user_ints); with VERTICES phase, speed, clip, column 0 of set_user_floats; with USER columns 0 and 1 of set_user_floats, then of set_user_ints. The Compatibility renderer keeps 11 bits of each.
    #[export(enum = (None = 0, Motion = 1, Sprite = 2, Vertices = 3, User = 4))]
    custom_data_preset: i64,
    => set_custom_data_preset: core.layout.custom = one_of(&CustomData::ALL, custom_data_preset)?;
    /// SPRITE and VERTICES: how many of its diameters an agent walks while its animation plays once, 0.001 to a million. Agents begin anywhere in it, so that hordes do not walk in step.
    #[export(range = (0.1, 20.0, or_greater))]
    #[init(val = 4.0)]
    walk_cycle: f64,
    => set_walk_cycle: core.tracking.walk_cycle = Some(f32_from(walk_cycle));
    /// 2D: instances that are further down are drawn over those above. In 3D it has no effect.
    #[export]
    y_sort: bool,
    => set_y_sort: core.view.y_sort = y_sort;
    /// Draw only the agents that the viewport of the output shows, as it is when they are drawn: set a view_margin for what a camera moves until then. In 3D the camera decides. Agents that are not drawn cast no shadow.
    #[export]
    cull_to_view: bool,
    /// Draw only the agents that reach into here, in world units: for those that know better than cull_to_view what is seen. Without a size, all.
    #[export]
    view_rect: Rect2,
    => set_view_rect: core.view.rect = Some(corners(view_rect));
    /// How much farther than a square of its width an instance reaches when it is looked whether it is seen, in world units: tall sprites, shadows.
    #[export(range = (0.0, 256.0, or_greater))]
    view_margin: f64,
    => set_view_margin: core.view.margin = f32_from(view_margin);
    /// Draw in every frame, between the last two steps, instead of after each step: for screens with more frames than physics has ticks. Agents are seen one tick late. It takes packing and an upload in every frame. While auto_step is off call draw_agents() yourself.
    #[export]
    #[var(set)]
    interpolate: bool,
    ..
    #[init(val = Swarm::new(0))]
    swarm: Swarm,
    /// Where the agents were at the beginning of a round, for the manager's other swarms.
    outline: Arc<Outline>,
    seen_types: SeenResources,
    /// The output that the swarm has made for itself.
    made_output: Option<InstanceId>,
    drawn: Output,
    packer: Packer,
    timings: Timings,
    /// The manager whose goals the groups have.
    goals_of: Option<InstanceId>,
    /// Bodies and areas that follow nodes.
    attachments: Vec<attachments::Attachment>,
    /// Nodes that follow agents or are followed by them.
    attached_nodes: attached_nodes::AttachedNodes,
    /// The last thing that kept the swarm from stepping, so that it is reported once.
    hindrance: Option<String>,
    base: Base<Node>,
}

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
    /// Agent status: is FOLLOWING and has reached its goal or its own target.
    #[constant]
    const ARRIVED: i64 = 3;
    /// Agent status: is FOLLOWING and has no route to its goal.
    #[constant]
    const LOST: i64 = 4;
    /// Agent status: is FOLLOWING, has a route and has not got anywhere for stuck_time.
    #[constant]
    const STUCK: i64 = 5;
    /// Agent status: its numbers are no longer finite, and it takes no part in steps.
    #[constant]
    const QUARANTINED: i64 = 6;
    /// Arrival action: stop until the goal moves.
    #[constant]
    const STOP: i64 = 0;
    /// Arrival action: remove the agent at the end of the step.
    #[constant]
    const DESPAWN: i64 = 1;
    /// Arrival action: go on to the exact target, and come to rest there.
    #[constant]
    const KEEP_GOING: i64 = 2;
    /// Force field: to its centre.
    #[constant]
    const PULL: i64 = 0;
    /// Force field: away from its centre.
    #[constant]
    const PUSH: i64 = 1;
    /// Force field: around its centre, clockwise in 2D.
    #[constant]
    const VORTEX: i64 = 2;
    /// Attached node: has the position of its agent.
    #[constant]
    const NODE_FOLLOWS_AGENT: i64 = 0;
    /// Attached node: its agent has the position of the node.
    #[constant]
    const AGENT_FOLLOWS_NODE: i64 = 1;
    /// Formation: rows of one length, half as wide again as deep.
    #[constant]
    const FORMATION_BLOCK: i64 = 0;
    /// Formation: a triangle that points ahead.
    #[constant]
    const FORMATION_WEDGE: i64 = 1;
    /// Formation: as round as slots can lie.
    #[constant]
    const FORMATION_DISC: i64 = 2;
    /// Custom data: none.
    #[constant]
    const CUSTOM_NONE: i64 = 0;
    /// Custom data: heading x and y, speed as a fraction of the greatest, state.
    #[constant]
    const CUSTOM_MOTION: i64 = 1;
    /// Custom data: phase of the walk, heading in turns, speed as a fraction of the greatest, clip.
    #[constant]
    const CUSTOM_SPRITE: i64 = 2;
    /// Custom data: phase of the walk, speed as a fraction of the greatest, clip, user float 0.
    #[constant]
    const CUSTOM_VERTICES: i64 = 3;
    /// Custom data: user floats 0 and 1, user ints 0 and 1.
    #[constant]
    const CUSTOM_USER: i64 = 4;

    /// These agents reached their goal in this step. With DESPAWN they are gone already.
    #[signal]
    fn agents_arrived(ids: PackedInt64Array);

    /// These agents found themselves without a route in this step. They stop, and go on once there is one.
    #[signal]
    fn agents_lost(ids: PackedInt64Array);

    /// These agents have a route but have not got anywhere for stuck_time.
    #[signal]
    fn agents_stuck(ids: PackedInt64Array);

    /// These agents began to touch a body in this step: once for each body that has new ones. get_body_contacts() has all that touch it.
    #[signal]
    fn agents_contacted(body: i64, ids: PackedInt64Array);

    /// These agents came into an area or a force field in this step.
    #[signal]
    fn agents_entered_area(area: i64, ids: PackedInt64Array);

    /// These agents left an area or a force field in this step. Those that are removed do not leave.
    #[signal]
    fn agents_exited_area(area: i64, ids: PackedInt64Array);

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
        self.forget_foreign_goals();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_output(&self) -> Option<Gd<Node>> {
        let output = self.output.as_ref();
        output.filter(|node| node.is_instance_valid()).cloned()
    }

    #[func]
    fn set_output(&mut self, output: Option<Gd<Node>>) {
        let is_fit = |node| can_draw("EnemySwarm.output", node);
        if output.as_ref().is_none_or(is_fit) {
            self.drawn.forget_node();
            self.free_default_output(output.as_ref());
            self.output = output;
            self.base_mut().update_configuration_warnings();
        }
    }

    #[func]
    fn get_agent_types(&self) -> ObjectArray<SwarmAgentType> {
        self.agent_types.shared()
    }

    #[func]
    fn set_agent_types(&mut self, types: ObjectArray<SwarmAgentType>) {
        const PROPERTY: &str = "EnemySwarm.agent_types";
        let types = types.checked(PROPERTY, "");
        if let Some(types) = types.filter(|types| self.has_enough_types(PROPERTY, types.len())) {
            self.agent_types = types;
            self.hindrance = None;
            self.base_mut().update_configuration_warnings();
        }
    }

    #[func]
    fn set_random_seed(&mut self, seed: i64) {
        self.random_seed = seed;
        self.swarm.set_seed(seed.cast_unsigned());
    }

    #[func]
    fn set_state_colors(&mut self, colors: PackedColorArray) {
        let groups = self.group_colors.clone();
        if self.take_colors("EnemySwarm.state_colors", &colors, &groups) {
            self.state_colors = colors;
        }
    }

    #[func]
    fn set_group_colors(&mut self, colors: PackedColorArray) {
        let states = self.state_colors.clone();
        if self.take_colors("EnemySwarm.group_colors", &states, &colors) {
            self.group_colors = colors;
        }
    }

    #[func]
    fn set_interpolate(&mut self, interpolate: bool) {
        self.interpolate = interpolate;
        let draws = interpolate && !Engine::singleton().is_editor_hint();
        self.base_mut().set_process_internal(draws);
    }
}
}

#[godot_api(secondary)]
impl EnemySwarm {
    /// Draws the agents now: at a fraction, 0 to 1, of the way from the step before the last one to the last one, if interpolate is on. For scripts that call step() themselves, and for changes that are to be seen before the next step.
    #[func(gd_self)]
    fn draw_agents(mut this: Gd<Self>, #[opt(default = 1.0)] fraction: f64) {
        const METHOD: &str = "EnemySwarm.draw_agents";
        if !surroundings::may_act(METHOD, &this.clone().upcast()) {
            return;
        }
        // Unlike a frame, a call is refused audibly every time.
        this.bind_mut().hindrance = None;
        Self::show(this, METHOD, fraction);
    }

    /// What is wrong with the properties, as the editor shows beside the node; empty if nothing is.
    #[func]
    fn get_setup_warnings(&mut self) -> PackedStringArray {
        self.warnings()
    }

    /// Moves all agents by `delta` seconds, 0 to 1, draws them and emits what happened. While auto_step is on, the swarm does so at the end of every physics frame, after all nodes have had it.
    #[func(gd_self)]
    fn step(this: Gd<Self>, delta: f64) {
        Self::step_in_round(this, delta, true);
    }
}

impl EnemySwarm {
    /// [`Self::step`]; `again` says whether the other swarms are met anew if it has already stepped in this physics frame.
    fn step_in_round(mut this: Gd<Self>, delta: f64, again: bool) {
        const METHOD: &str = "EnemySwarm.step";
        if !surroundings::may_act(METHOD, &this.clone().upcast()) {
            return;
        }
        let Some(manager) = this.bind_mut().live_manager(METHOD) else {
            return;
        };
        // Handlers may call either node and free it: no guard is held while they run.
        FlowFieldManager::update(manager.clone());
        if !this.is_instance_valid() || !manager.is_instance_valid() {
            return;
        }
        let start = Instant::now();
        let others = OtherSwarms::of(&this, &manager, METHOD, again);
        let Some(news) = this.bind_mut().advance(METHOD, manager, delta, &others) else {
            return;
        };
        let draws = !this.bind_mut().interpolate;
        if draws {
            Self::show(this.clone(), METHOD, 1.0);
        }
        if this.is_instance_valid() {
            this.bind_mut().timings.total = milliseconds_since(start);
        }
        news.emit(&this);
    }
}
