//! Nodes that follow agents, and agents that follow nodes.
//!
//! An attachment is looked up by its agent, and the order of agents is that of their ids. It ends with its agent or its
//! node. As agents are removed in many places, the next step looks for those that are gone.
//!
//! - An agent that follows a node is [`AgentState::Scripted`]. What it has been told itself is kept in [`Own`]. Calls
//!   that read or change the orders of agents, saves and loads see those: [`EnemySwarm::with_own_orders`].
//! - The swarm is not bound while a node is moved, as scripts may run.

use super::EnemySwarm;
use super::attachments::Whereabouts;
use super::enums::AttachMode;
use crate::class_enum::ClassEnum as _;
use crate::convert::{f32_from, id_from_godot, id_to_godot, vector2};
use crate::report::{code, refuse};
use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentId, AgentState, AgentStatus, MAX_SPEED, MAX_STEP_SECONDS, Swarm};
use flow_swarm::world::FlowWorld;
use godot::classes::{Node, Node2D, Node3D};
use godot::global::Error;
use godot::init::is_main_thread;
use godot::obj::InstanceId;
use godot::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Display;

/// The distance in cells beyond which an agent is put where its node is. Nearer nodes are reached at a velocity.
const JUMP_CELLS: f32 = 4.0;
/// The greatest speed at which an agent follows a node: below [`MAX_SPEED`], to leave room for rounding.
const MAX_FOLLOWING_SPEED: f32 = 0.999 * MAX_SPEED;

/// The orders that an agent has apart from its node.
#[derive(Clone, Copy)]
struct Own {
    state: AgentState,
    velocity: Vec2,
}

/// The node of an agent.
struct AttachedNode {
    node: InstanceId,
    rotates: bool,
    /// The agent's own orders, if the agent follows the node.
    own: Option<Own>,
}

impl AttachedNode {
    /// Gives the agent its own orders.
    fn give_back(&self, agent: AgentId, swarm: &mut Swarm) {
        if let Some(own) = self.own {
            // The agent may have been removed; an error does not matter.
            let _ = swarm.set_state(&[agent], own.state);
            let _ = swarm.set_scripted_velocities(&[agent], &[own.velocity]);
        }
    }

    /// Keeps the agent's orders, and has it wait for those of its node. Returns false for a corpse, which follows no node.
    fn take(&mut self, agent: AgentId, swarm: &mut Swarm) -> bool {
        let orders = swarm
            .index_of(agent)
            .ok()
            .zip(swarm.scripted_velocity(agent).ok());
        if let Some((index, velocity)) = orders {
            let state = swarm.states()[index];
            if state == AgentState::Corpse {
                return false;
            }
            // The travel over a link ends here; later the agent follows again.
            let state = match state {
                AgentState::Travelling => AgentState::Following,
                _ => state,
            };
            self.own = Some(Own { state, velocity });
            let _ = swarm.set_state(&[agent], AgentState::Scripted);
            let _ = swarm.set_scripted_velocities(&[agent], &[Vec2::ZERO]);
        }
        true
    }

    fn node(&self) -> Option<Gd<Node>> {
        Gd::try_from_instance_id(self.node).ok()
    }
}

/// The attachments of a swarm.
#[derive(Default)]
pub(super) struct AttachedNodes {
    by_agent: BTreeMap<AgentId, AttachedNode>,
    /// Whether nodes are being moved. A script that runs meanwhile and draws does not move them once more.
    is_moving: bool,
}

impl AttachedNodes {
    /// Ends the attachments of removed agents.
    pub(super) fn forget_removed(&mut self, swarm: &Swarm) {
        self.by_agent.retain(|&agent, _| swarm.contains(agent));
    }
}

/// Where a node goes.
struct Placement {
    node: Gd<Node>,
    position: Vector2,
    /// The height in 3D.
    height: f32,
    /// The distance along y in 2D by which the height of the ground moves the agent.
    offset: f32,
    /// The direction to which the node is turned.
    heading: Option<Vector2>,
}

impl Placement {
    /// Moves the node. No node may be bound, as scripts may run.
    fn apply(self) {
        match self.node.clone().try_cast::<Node2D>() {
            Ok(node) => self.move_in_2d(node),
            Err(node) => self.move_in_3d(node.cast()),
        }
    }

    fn move_in_2d(self, mut node: Gd<Node2D>) {
        let angle = self.heading.map(Vector2::angle);
        let position = self.position + Vector2::new(0.0, self.offset);
        if !is_main_thread() {
            // The node may be in another thread group.
            node.call_thread_safe("set_global_position", vslice![position]);
            if let Some(angle) = angle {
                node.call_thread_safe("set_global_rotation", vslice![angle]);
            }
            return;
        }
        node.set_global_position(position);
        if let Some(angle) = angle.filter(|_| node.is_instance_valid()) {
            node.set_global_rotation(angle);
        }
    }

    fn move_in_3d(self, mut node: Gd<Node3D>) {
        let position = Vector3::new(self.position.x, self.height, self.position.y);
        let turned = self.heading.map(|heading| {
            // -z ahead.
            let angle = (-heading.x).atan2(-heading.y);
            let scale = node.get_global_basis().get_scale();
            let basis = Basis::from_axis_angle(Vector3::UP, angle) * Basis::from_scale(scale);
            Transform3D::new(basis, position)
        });
        match (turned, is_main_thread()) {
            (None, true) => node.set_global_position(position),
            (Some(turned), true) => node.set_global_transform(turned),
            (None, false) => {
                node.call_thread_safe("set_global_position", vslice![position]);
            }
            (Some(turned), false) => {
                node.call_thread_safe("set_global_transform", vslice![turned]);
            }
        }
    }
}

#[godot_api(secondary)]
impl EnemySwarm {
    /// Attaches a Node2D or a Node3D to an agent until one of them is removed. Each agent has at most one node, and each node is attached to at most one agent. `mode` is one of two:
    ///
    /// ATTACH_NODE_FOLLOWS_AGENT: The node has the position of its agent as it is drawn, now and after every step and every call of draw_agents(); while interpolate is on, in every frame between steps as well. A Node3D also has the height at which its agent is drawn. If `rotates` is `true`, the node is turned with the heading of the agent: +x ahead in 2D, -z ahead in 3D. This suits labels, health bars and lights. For Control nodes, attach a Node2D that is their parent.
    ///
    /// ATTACH_AGENT_FOLLOWS_NODE: The agent has the position of its node in each step, as far as walls and solid bodies allow; an agent more than four cells away from its node is put there at once. Meanwhile the agent is AGENT_SCRIPTED, so that the crowd gives way to it. It keeps its id, type, group, own target and user columns. Where heights tell layers apart (heights of the ground, or layer_height), an agent that follows a Node3D is on the layer whose height is nearest at or below that of the node, and is put there at once; otherwise it keeps its layer. The state and scripted velocity that it had apply again when it no longer follows the node; set_agent_state() and set_scripted_velocities() change these, and save_state() saves them. If it becomes AGENT_CORPSE, it no longer follows the node. Its velocity is then that of the node. The agent is still drawn. `rotates` has no effect. This suits bosses that are moved by their own scripts or animations.
    ///
    /// To change the mode, attach the same node again. While the node is outside of the scene tree, it is not moved, and an agent that follows it stands. If the node is freed, the agent stays. If the agent is removed, the node stays where it is: get_attached_node() returns it until the next step. Attachments are not part of save_state(); load_state() keeps those of agents that exist afterwards.
    ///
    /// After an error nothing is changed. Returns ERR_DOES_NOT_EXIST if no agent has this id, ERR_ALREADY_EXISTS if the agent has another node or the node another agent, and ERR_INVALID_PARAMETER if the mode is unknown, the agent that is to follow is AGENT_CORPSE, or `node` is neither a Node2D nor a Node3D, is the output, or has no finite position.
    #[func(gd_self)]
    fn attach_node(
        mut this: Gd<Self>,
        id: i64,
        node: Option<Gd<Node>>,
        #[opt(default = AttachMode::ATTACH_NODE_FOLLOWS_AGENT)] mode: AttachMode,
        #[opt(default = false)] rotates: bool,
    ) -> Error {
        let result = this
            .bind_mut()
            .attach_checked(id, node.as_ref(), mode, rotates);
        // Other threads may not read all nodes: the next step moves the node.
        if result == Error::OK && is_main_thread() {
            Self::move_node(&mut this, id_from_godot(id), 1.0);
        }
        result
    }

    /// Ends what attach_node() began. Both stay where they are. If the agent followed the node, it has its own state again and goes on from there. Returns ERR_DOES_NOT_EXIST if no agent has this id, or the agent has no node.
    #[func]
    fn detach_node(&mut self, id: i64) -> Error {
        const METHOD: &str = "EnemySwarm.detach_node";
        let agent = id_from_godot(id);
        if let Err(error) = self.swarm.index_of(agent) {
            return code::<()>(METHOD, Err(error));
        }
        let attached = self.attached_nodes.by_agent.remove(&agent);
        if let Some(attached) = &attached {
            attached.give_back(agent, &mut self.swarm);
        }
        if attached.is_none_or(|attached| attached.node().is_none()) {
            let reason = format_args!("agent {id} has no attached node");
            return refused(METHOD, Error::ERR_DOES_NOT_EXIST, reason);
        }
        Error::OK
    }

    /// Returns the node that is attached to an agent, or `null` if it has none or no agent has this id. If the agent was removed after the last step or in it, returns the node that it had, so that handlers of signals can free it.
    #[func]
    fn get_attached_node(&mut self, id: i64) -> Option<Gd<Node>> {
        let attached = self.attached_nodes.by_agent.get(&id_from_godot(id));
        attached.and_then(AttachedNode::node)
    }
}

impl EnemySwarm {
    fn attach_checked(
        &mut self,
        id: i64,
        node: Option<&Gd<Node>>,
        mode: AttachMode,
        rotates: bool,
    ) -> Error {
        const METHOD: &str = "EnemySwarm.attach_node";
        let agent = id_from_godot(id);
        if let Err(error) = self.swarm.index_of(agent) {
            return code::<()>(METHOD, Err(error));
        }
        if let Err(reason) = mode.index_for("mode") {
            return refused(METHOD, Error::ERR_INVALID_PARAMETER, reason);
        }
        let Some(node) = node.filter(|node| has_position(node)) else {
            let class =
                node.map_or_else(|| "null".into(), |node| format!("a {}", node.get_class()));
            let reason = format_args!("node must be a Node2D or a Node3D, not {class}");
            return refused(METHOD, Error::ERR_INVALID_PARAMETER, reason);
        };
        if self.get_output().is_some_and(|output| output == *node) {
            let reason = format_args!("node must not be the output, {}", node.get_name());
            return refused(METHOD, Error::ERR_INVALID_PARAMETER, reason);
        }
        if let Err(reason) = self.check_is_free(agent, node) {
            return refused(METHOD, Error::ERR_ALREADY_EXISTS, reason);
        }
        let is_corpse = self.swarm.status(agent) == Ok(AgentStatus::Corpse);
        if is_corpse && mode == AttachMode::ATTACH_AGENT_FOLLOWS_NODE {
            let reason = format_args!("agent {id} is a corpse, which cannot follow a node");
            return refused(METHOD, Error::ERR_INVALID_PARAMETER, reason);
        }
        let reads = mode == AttachMode::ATTACH_AGENT_FOLLOWS_NODE && is_main_thread();
        if reads && let Whereabouts::At(Err(error)) = Whereabouts::of(node) {
            return code::<()>(METHOD, Err(error));
        }
        let node = node.instance_id();
        let Self {
            swarm,
            attached_nodes: AttachedNodes { by_agent, .. },
            ..
        } = self;
        if let Some(before) = by_agent.remove(&agent) {
            before.give_back(agent, swarm);
        }
        // Only a removed agent can still have the node.
        by_agent.retain(|_, other| other.node != node);
        let mut attached = AttachedNode {
            node,
            rotates,
            own: None,
        };
        if mode == AttachMode::ATTACH_AGENT_FOLLOWS_NODE {
            attached.take(agent, swarm);
        }
        by_agent.insert(agent, attached);
        Error::OK
    }

    /// Whether an agent has no other node, and a node no other agent.
    fn check_is_free(&self, agent: AgentId, node: &Gd<Node>) -> Result<(), String> {
        let by_agent = &self.attached_nodes.by_agent;
        let others = by_agent.get(&agent).and_then(AttachedNode::node);
        if let Some(other) = others.filter(|other| other != node) {
            let (id, other) = (id_to_godot(agent), other.get_name());
            return Err(format!("agent {id} has node {other} attached already"));
        }
        let id = node.instance_id();
        let mut others = by_agent.iter().filter(|(_, attached)| attached.node == id);
        let is_other = |other: AgentId| other != agent && self.swarm.contains(other);
        if let Some((&other, _)) = others.find(|(other, _)| is_other(**other)) {
            let (name, other) = (node.get_name(), id_to_godot(other));
            return Err(format!("node {name} is attached to agent {other} already"));
        }
        Ok(())
    }

    /// Calls `task` while agents that follow nodes have their own orders.
    pub(super) fn with_own_orders<T>(&mut self, task: impl FnOnce(&mut Swarm) -> T) -> T {
        self.give_own_orders();
        let result = task(&mut self.swarm);
        self.take_own_orders();
        result
    }

    /// Gives the agents that follow nodes their own orders.
    pub(super) fn give_own_orders(&mut self) {
        for (&agent, attached) in &self.attached_nodes.by_agent {
            attached.give_back(agent, &mut self.swarm);
        }
    }

    /// Keeps the own orders of agents that follow nodes, so that they follow these.
    pub(super) fn take_own_orders(&mut self) {
        let swarm = &mut self.swarm;
        let by_agent = &mut self.attached_nodes.by_agent;
        by_agent.retain(|&agent, attached| attached.own.is_none() || attached.take(agent, swarm));
    }

    /// Prepares a step of `delta` seconds: agents that follow nodes get the velocities that take them there. Ends the
    /// attachments of removed agents and freed nodes.
    pub(super) fn follow_attached_nodes(&mut self, method: &str, world: &FlowWorld, delta: f64) {
        let (swarm, seconds) = (&mut self.swarm, f32_from(delta));
        let height = self.height;
        // Other steps are refused, or move nothing.
        let moves = seconds > 0.0 && seconds <= MAX_STEP_SECONDS;
        self.attached_nodes.by_agent.retain(|&agent, attached| {
            if !swarm.contains(agent) {
                return false;
            }
            let Some(node) = attached.node() else {
                attached.give_back(agent, swarm);
                return false;
            };
            if attached.own.is_some() && swarm.status(agent) == Ok(AgentStatus::Corpse) {
                // Damage has ended it.
                return false;
            }
            if attached.own.is_none() || !moves {
                return true;
            }
            let led = match Whereabouts::of(&node) {
                Whereabouts::At(spot) => spot.and_then(|spot| {
                    let to = (spot.pose.position(), spot.layer(swarm, height));
                    lead(swarm, world, agent, to, seconds)
                }),
                _ => swarm.set_scripted_velocities(&[agent], &[Vec2::ZERO]),
            };
            if let Err(error) = &led {
                attached.give_back(agent, swarm);
                let (id, name) = (id_to_godot(agent), node.get_name());
                let reason = format_args!("agent {id} no longer follows node {name}: {error}");
                refuse(method, reason);
            }
            led.is_ok()
        });
    }

    /// Draws the agents, and moves the nodes that follow them, as [`Self::draw`] does.
    pub(super) fn show(mut this: Gd<Self>, method: &str, fraction: f64) {
        Self::draw(this.clone(), method, fraction);
        if this.is_instance_valid() {
            Self::move_nodes(&mut this, fraction);
        }
    }

    fn move_nodes(this: &mut Gd<Self>, fraction: f64) {
        let agents: Vec<AgentId> = {
            let mut swarm = this.bind_mut();
            let attached = &mut swarm.attached_nodes;
            if attached.by_agent.is_empty() || std::mem::replace(&mut attached.is_moving, true) {
                return;
            }
            attached.by_agent.keys().copied().collect()
        };
        for agent in agents {
            // Scripts that have run meanwhile may have changed and freed anything.
            Self::move_node(this, agent, fraction);
            if !this.is_instance_valid() {
                return;
            }
        }
        this.bind_mut().attached_nodes.is_moving = false;
    }

    /// Moves the node of an agent, if it follows the agent.
    fn move_node(this: &mut Gd<Self>, agent: AgentId, fraction: f64) {
        let placement = this.bind_mut().placement(agent, fraction);
        if let Some(placement) = placement {
            placement.apply();
        }
    }

    fn placement(&self, agent: AgentId, fraction: f64) -> Option<Placement> {
        let attached = self.attached_nodes.by_agent.get(&agent)?;
        if attached.own.is_some() {
            return None;
        }
        let (position, heading) = self.swarm.drawn_pose(agent, f32_from(fraction)).ok()?;
        let fraction = f32_from(fraction);
        let height = self
            .swarm
            .drawn_height(agent, fraction, f32_from(self.height));
        let per_height = f32_from(self.height_offset_2d);
        let offset = self.swarm.drawn_offset(agent, fraction, per_height);
        let node = attached.node().filter(|node| node.is_inside_tree())?;
        Some(Placement {
            node,
            position: vector2(position),
            height: height.ok()?,
            offset: offset.ok()?,
            heading: attached.rotates.then(|| vector2(heading)),
        })
    }
}

fn has_position(node: &Gd<Node>) -> bool {
    node.clone().try_cast::<Node2D>().is_ok() || node.clone().try_cast::<Node3D>().is_ok()
}

/// Gives an agent the velocity that takes it to a position in a step of `seconds`, or puts it there if it is far away or on
/// another layer than the position, if that has one.
fn lead(
    swarm: &mut Swarm,
    world: &FlowWorld,
    agent: AgentId,
    (to, on): (Vec2, Option<u32>),
    seconds: f32,
) -> flow_swarm::Result<()> {
    let index = swarm.index_of(agent)?;
    let (layers, place) = (swarm.layers(), swarm.positions()[index]);
    let gap = to - layers.flat(place);
    let layer = on.unwrap_or(layers.at(place));
    let grid = world.grid();
    let longest = JUMP_CELLS * grid.cell_size();
    let is_far = gap.length() > longest || layer != layers.at(place);
    // Outside of the grid there is nowhere to be put.
    if is_far && let Ok(place) = grid.place_at("position", to, i64::from(layer)) {
        swarm.set_positions(world, &[agent], &[place])?;
        return swarm.set_scripted_velocities(&[agent], &[Vec2::ZERO]);
    }
    let kind = &swarm.types()[usize::from(swarm.kinds()[index])];
    let speed = gap.length().min(longest) / (seconds * kind.position_smoothing);
    let velocity = gap.normalize_or_zero() * speed.min(MAX_FOLLOWING_SPEED);
    swarm.set_scripted_velocities(&[agent], &[velocity])
}

/// Reports why a call is refused, and returns the error code.
fn refused(method: &str, code: Error, reason: impl Display) -> Error {
    refuse(method, reason);
    code
}
