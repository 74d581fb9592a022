//! The `EnemySwarm` node.

mod agent_goals;
mod agents;
mod areas;
mod attached_nodes;
mod attachments;
mod bodies;
mod body_mesh;
mod canvas;
mod clips;
mod drawn_mesh;
pub(crate) mod enums;
mod eye;
mod factors;
mod formations;
mod look_nodes;
mod look_plan;
mod looks;
mod mesh_extent;
mod monitored;
mod multimesh_claim;
mod node;
mod others;
mod output;
mod properties;
mod queries;
mod queries_3d;
mod renamed;
mod roles;
mod rollback;
mod seen_rect;
mod seen_space;
mod state;
mod stepping;
mod upload;
mod user_columns;
mod warnings;
mod world_access;

use crate::class_enum::ClassEnum as _;
use crate::convert::{corners, f32_from, milliseconds_since};
use crate::field_manager::FlowFieldManager;
use crate::monitors::FrameSum;
use crate::object_array::ObjectArray;
use crate::properties::properties;
use crate::resources::SeenResources;
use crate::surroundings;
use crate::swarm_agent_type::SwarmAgentType;
use crate::swarm_look::SwarmLook;
use enums::{ArrivalAction, CustomData};
use flow_swarm::error::in_range;
use flow_swarm::swarm::{self, MAX_HEIGHT_OFFSET, Outline, Packer, Swarm};
use godot::classes::{Engine, Node};
use godot::prelude::*;
use others::OtherSwarms;
use output::Output;
use properties::{CoreForm, can_draw, instance_size_from, shown_layer};
use std::sync::Arc;
use std::time::Instant;
use stepping::Timings;

properties! {
core: CoreForm;

/// Steers any number of agents along the fields of a FlowFieldManager and draws them with one MultiMesh, or one for each SwarmLook.
///
/// Each agent has a type (size, speed, looks) and a group, whose goal it goes to. Agents follow the flow field of that goal, keep apart, and stay out of walls. Positions are in world units in a plane: x and y in 2D, x and z in 3D. An id is valid until its agent is removed, and never names another agent.
///
/// The swarm steps at the end of every physics frame, after all nodes have been processed, whatever methods a script on it overrides. All methods can be called on any thread: a call waits until no other thread uses the object. Only step() and draw_agents() are refused on threads on which the engine does not allow a node in the scene tree to emit signals.
#[derive(GodotClass)]
#[class(tool, init, base=Node)]
pub struct EnemySwarm {
    /// The manager whose fields, walls and threads the swarm uses. If it is replaced, groups lose the goals of the previous manager, with a warning. Without a manager no agent moves and none is drawn.
    #[export]
    #[var(get, set)]
    manager: Option<Gd<FlowFieldManager>>,
    /// The MultiMeshInstance2D or MultiMeshInstance3D that draws the agents. In 3D agents move in the plane of x and z. Without an output the swarm adds a MultiMeshInstance2D as a child. The swarm is no CanvasItem, so the added node is drawn over the parent and the siblings of the swarm. To change that, set the `z_index` of this output to -1, or that of nodes over the agents to 1. An output of your own is drawn in the order of the scene tree. Do not transform the output: agents are placed in world units. Its MultiMesh belongs to the swarm: an output that shares a MultiMesh with the output of another swarm gets a copy.
    #[export]
    #[var(get, set)]
    output: Option<Gd<Node>>,
    /// The types of agents. Empty for one default type.
    #[export]
    #[var(get, set)]
    agent_types: ObjectArray<SwarmAgentType>,
    /// The seed of all random numbers of the swarm. The same calls with the same seed give the same crowd.
    #[export]
    #[var(set)]
    random_seed: i64,
    /// If `true`, the swarm steps in every physics frame that the node's process_mode allows. If `false`, call step(). If Engine.time_scale makes a frame longer than a second, the swarm takes several steps in it.
    #[export]
    #[init(val = true)]
    auto_step: bool,
    /// If `true`, agents keep apart: those with SwarmAgentType.AVOIDANCE_CONTACT do not overlap, and those with AVOIDANCE_SEPARATION push each other where they overlap. If `false`, they pass through each other. It does not affect AVOIDANCE_ORCA.
    #[export_group(name = "Steering")]
    #[export]
    #[init(val = true)]
    separation: bool,
    => set_separation: core.steering.separation = separation;
    /// If `true`, agents are kept out of walls.
    #[export]
    #[init(val = true)]
    wall_correction: bool,
    => set_wall_correction: core.steering.wall_correction = wall_correction;
    /// What agents do that reach their goal: ARRIVAL_STOP, ARRIVAL_DESPAWN or ARRIVAL_KEEP_GOING (to the exact target, where they come to rest). Except with ARRIVAL_DESPAWN, agents brake with their own acceleration before they arrive.
    #[export]
    arrival_action: ArrivalAction,
    => set_arrival_action, get_arrival_action: core.steering.arrival = arrival_action.pick(&swarm::ArrivalAction::ALL)?;
    /// The distance from a target within which an agent has arrived. In the target's cell it has always arrived.
    #[export(range = (0.0, 256.0, or_greater))]
    arrival_radius: f64,
    => set_arrival_radius: core.steering.arrival_radius = f32_from(arrival_radius);
    /// If `true`, with ARRIVAL_STOP, agents also arrive where they touch agents of their group that have arrived. The crowd grows around its goal, and only strong pushes move the agents in it. If `false`, all agents go to the target's cell.
    #[export]
    settle_in_crowds: bool,
    => set_settle_in_crowds: core.steering.settle_in_crowds = settle_in_crowds;
    /// The time in which the costs of ground adapt to a crowd that comes or goes, for movement types with a crowd_penalty, 0.01 or more.
    #[export(range = (0.1, 30.0, or_greater, suffix = "s"))]
    #[init(val = 2.0)]
    crowd_fading: f64,
    => set_crowd_fading: core.steering.crowd_fading = f32_from(crowd_fading);
    /// The time after which an agent counts as stuck that should move and has not left a circle of its own radius.
    #[export(range = (0.1, 30.0, or_greater, suffix = "s"))]
    #[init(val = 2.0)]
    stuck_time: f64,
    => set_stuck_time: core.steering.stuck_seconds = f32_from(stuck_time);
    /// The number of steps in which each agent outside of focus_rect steers once. In between it keeps its velocity. Values of 2 to 4 save much of the time of a crowd that is out of sight. Walls hold in every step. 1 steers all agents in every step.
    #[export(range = (1.0, 60.0))]
    #[init(val = 1)]
    far_agents_every: i64,
    => set_far_agents_every: core.steering.far_agents_every = u32::try_from(far_agents_every).unwrap_or(0);
    /// The rectangle, in world units, in which agents steer in every step. Set it to what the camera shows and some more. A rectangle without a size contains all agents.
    #[export]
    focus_rect: Rect2,
    => set_focus_rect: core.steering.focus = Some(corners(focus_rect));
    /// If `true`, agents are drawn. If `false`, they are hidden at once, and steps cost no packing and no upload; they move on all the same.
    #[export_group(name = "Output")]
    #[export]
    #[var(set)]
    #[init(val = true)]
    visible: bool,
    /// If `true`, instances turn with their agents: +x is ahead in 2D, -z in 3D.
    #[export]
    #[init(val = true)]
    face_movement: bool,
    => set_face_movement: core.layout.face_movement = face_movement;
    /// The width of an instance as a multiple of its agent's diameter, for a mesh that is one unit wide. Above 0, at most 1000000. SwarmLook.instance_size has that of one look.
    #[export(range = (0.1, 8.0, or_greater))]
    #[init(val = 1.0)]
    instance_size: f64,
    => set_instance_size: core.layout.size = instance_size_from(instance_size)?;
    /// The height of agents in 3D above the ground. Where the ground has no heights (see FlowFieldManager.set_heights()), it is at 0 on the lowest layer.
    #[export]
    height: f64,
    => set_height: core.layout.height = in_range("height", f32_from(height), -1.0e6, 1.0e6)?;
    /// The height in 3D between a layer and the layer below. It does not count where the ground of a layer has heights, which are absolute.
    #[export]
    layer_height: f64,
    => set_layer_height: core.layers.height = f32_from(layer_height);
    /// In 2D: how far up instances are drawn for each unit of the height of the ground, in world units, at most 1000000 up or down. Agents are drawn elsewhere than they are: positions, queries and y_sort do not change. Nodes that follow agents are moved with them.
    #[export]
    height_offset_2d: f64,
    => set_height_offset_2d: core.layout.height_offset_2d = in_range("height_offset_2d", f32_from(height_offset_2d), -MAX_HEIGHT_OFFSET, MAX_HEIGHT_OFFSET)?;
    /// The layer whose agents are drawn. -1 for all layers.
    #[export(range = (-1.0, 63.0))]
    #[init(val = -1)]
    visible_layer: i64,
    => set_visible_layer: core.layers.only = shown_layer(visible_layer)?;
    /// Colours of the states AGENT_FOLLOWING, AGENT_IDLE, AGENT_SCRIPTED, AGENT_CORPSE and AGENT_TRAVELLING, in this order, by which the colours of types are multiplied. Missing colours are white.
    #[export]
    #[var(set)]
    state_colors: PackedColorArray,
    /// Colours of groups, from group 0 on, by which the colours of types and states are multiplied. Missing colours are white. If all colours are white, the MultiMesh has no colours, which is faster.
    #[export]
    #[var(set)]
    group_colors: PackedColorArray,
    /// What shaders read from INSTANCE_CUSTOM. CUSTOM_NONE: nothing. CUSTOM_MOTION: heading x and y, speed as a fraction of the maximum, state. CUSTOM_SPRITE: phase of the walk (0 to 1), heading in turns from +x towards +y (0 to 1), speed, clip (column 0 of set_user_ints()). CUSTOM_VERTICES: phase, speed, clip, column 0 of set_user_floats(). CUSTOM_USER: columns 0 and 1 of set_user_floats(), then of set_user_ints(). CUSTOM_CHARACTER: what characters of SwarmLook.clips need: phase of the movement, gait, clip and weight, share of the clip. The Compatibility renderer keeps 11 bits of each number.
    #[export]
    custom_data_preset: CustomData,
    => set_custom_data_preset, get_custom_data_preset: core.layout.custom = custom_data_preset.pick(&swarm::CustomData::ALL)?;
    /// CUSTOM_SPRITE and CUSTOM_VERTICES, and CUSTOM_CHARACTER without a SwarmClips.walk_stride: the distance, in its diameters, that an agent walks while its animation plays once, 0.001 to 1000000. Agents begin at different phases, so that hordes do not walk in step.
    #[export(range = (0.1, 20.0, or_greater))]
    #[init(val = 4.0)]
    walk_cycle: f64,
    => set_walk_cycle: core.tracking.walk_cycle = Some(f32_from(walk_cycle));
    /// If `true`, in 2D, instances that are further down are drawn over those above. It has no effect in 3D.
    #[export]
    y_sort: bool,
    => set_y_sort: core.view.y_sort = y_sort;
    /// If `true`, only agents in the view of the output's viewport, or in the frustum of its camera in 3D, are drawn. An agent counts where it is drawn, on the ground or on a link, with the bounds of the meshes (Mesh.custom_aabb, if it is set). Without a camera in 3D, and with a VR camera, all agents are drawn. The view is that at the time of drawing: set a view_margin for a camera that moves until the frame is shown. Agents that are not drawn cast no shadow: where shadows may fall into view from outside of it, set view_margin to the length of the longest.
    #[export]
    cull_to_view: bool,
    /// The rectangle, in world units, into which agents must reach to be drawn, for games that know the view better than cull_to_view does. A rectangle without a size contains all agents.
    #[export]
    view_rect: Rect2,
    => set_view_rect: core.view.rect = Some(corners(view_rect));
    /// How far an instance extends beyond a square of its width in 2D, and beyond the bounds of its mesh in 3D, in world units, for tall sprites, shadows and meshes that a shader moves. Agents this far outside of the view are still drawn.
    #[export(range = (0.0, 256.0, or_greater))]
    view_margin: f64,
    => set_view_margin: core.view.margin = f32_from(view_margin);
    /// If `true`, agents are drawn in every frame, at positions between the last two steps, for screens with more frames than physics has ticks. Agents are shown one tick late, and every frame costs packing and an upload. If auto_step is `false`, call draw_agents().
    #[export]
    #[var(set)]
    interpolate: bool,
    ..
    #[init(val = Swarm::new(0))]
    swarm: Swarm,
    /// Where the agents were at the beginning of a round, for the manager's other swarms.
    outline: Arc<Outline>,
    seen_types: SeenResources,
    /// The looks of the types.
    type_looks: Vec<Option<Gd<SwarmLook>>>,
    /// The instance_size and walk_cycle for which the core has the types' strides.
    seen_scale: [f64; 2],
    /// The output that the swarm has made for itself.
    made_output: Option<InstanceId>,
    drawn: Output,
    packer: Packer,
    timings: Timings,
    /// The milliseconds of the steps of a frame.
    stepped: FrameSum,
    /// The manager whose goals the groups have.
    goals_of: Option<InstanceId>,
    /// Bodies and areas that follow nodes.
    attachments: Vec<attachments::Attachment>,
    /// Nodes that follow agents or are followed by them.
    attached_nodes: attached_nodes::AttachedNodes,
    /// The last thing that kept the swarm from stepping, so that it is reported once.
    hindrance: Option<String>,
    /// Whether clips were played last with a custom_data_preset that does not show them.
    has_unseen_clips: bool,
    base: Base<Node>,
}

impl EnemySwarm {
    /// Emitted after a step in which these agents reached their goal. With ARRIVAL_DESPAWN they have been removed: see agents_despawned.
    #[signal]
    fn agents_arrived(ids: PackedInt64Array);

    /// Emitted with ARRIVAL_DESPAWN after a step that removed agents because they reached their goal: their ids, types, groups and positions, in the same order as in agents_arrived.
    #[signal]
    fn agents_despawned(
        ids: PackedInt64Array,
        types: PackedByteArray,
        groups: PackedByteArray,
        positions: PackedVector2Array,
    );

    /// Emitted after a step in which these agents lost their route. They stop, and go on once there is one.
    #[signal]
    fn agents_lost(ids: PackedInt64Array);

    /// Emitted after a step in which these agents became stuck: they have a route and have made no progress for stuck_time.
    #[signal]
    fn agents_stuck(ids: PackedInt64Array);

    /// Emitted after a step in which these agents began to touch a body, once for each such body. get_body_contacts() returns all agents that touch it.
    #[signal]
    fn agents_contacted(body: i64, ids: PackedInt64Array);

    /// Emitted after a step in which these agents entered an area or a force field, once for each of them.
    #[signal]
    fn agents_entered_area(area: i64, ids: PackedInt64Array);

    /// Emitted after a step in which these agents left an area or a force field, once for each of them. Agents that are removed do not leave.
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
    fn set_visible(&mut self, visible: bool) {
        self.visible = visible;
        if !visible {
            self.hide();
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
    /// Draws the agents now. If interpolate is `true`, they are drawn at `fraction`, 0 to 1, of the way from their positions in the step before to those in the last one. For scripts that call step(), and for changes that must be visible before the next step.
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

    /// Returns what the last drawing has drawn, one Dictionary for each MultiMesh: `look` (null for the agents without a look, which the output draws), `level` (0 for SwarmLook.mesh, 1 for the first of SwarmLook.lod_meshes), `casts_shadow` (whether shadows near enough are cast), `mesh`, `count` (the number of instances) and `node`. Empty before the first drawing.
    #[func]
    fn get_drawn_counts(&mut self) -> Array<VarDictionary> {
        self.drawn_counts()
    }

    /// Returns what is wrong with the properties, as the editor shows it beside the node. Empty if nothing is wrong.
    #[func]
    fn get_setup_warnings(&mut self) -> PackedStringArray {
        self.warnings()
    }

    /// Moves all agents by `delta` seconds, 0 to 1, draws them and emits the signals of what happened. If auto_step is `true`, the swarm does so at the end of every physics frame.
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
