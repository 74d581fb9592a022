//! The `SwarmAgentType` resource.

use crate::class_enum::{ClassEnum as _, class_enums};
use crate::convert::{f32_from, rgba};
use crate::properties::{HandedOver, Properties, properties};
use crate::resources::{self, Revised, announce_change};
use crate::swarm_clips::SwarmClips;
use crate::swarm_look::SwarmLook;
use flow_swarm::error::in_range;
use flow_swarm::swarm::{self, AgentType};
use godot::classes::Resource;
use godot::prelude::*;

properties! {
core: AgentType;

/// The properties that all agents of one kind have in common: size, speed, avoidance and colour.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct SwarmAgentType {
    /// The radius of the agent's disc in world units, above 0.
    #[export(range = (0.1, 64.0, or_greater))]
    #[init(val = 4.0)]
    radius: f64,
    => set_radius: core.radius = f32_from(radius);
    /// The maximum speed of the agent's own movement, in world units a second, above 0. Pushes and forces can make it faster.
    #[export(range = (1.0, 500.0, or_greater))]
    #[init(val = 60.0)]
    max_speed: f64,
    => set_max_speed: core.max_speed = f32_from(max_speed);
    /// The maximum change of velocity by which the agent steers, in world units a second squared, above 0.
    #[export(range = (1.0, 2000.0, or_greater))]
    #[init(val = 240.0)]
    acceleration: f64,
    => set_acceleration: core.acceleration = f32_from(acceleration);
    /// The movement type of the agent, as an index of FlowFieldManager.movement_types.
    #[export(range = (0.0, 63.0))]
    movement_type: i64,
    => set_movement_type: core.movement = count("movement_type", movement_type)?;
    /// The colour of the agent's instance.
    #[export]
    #[init(val = Color::WHITE)]
    color: Color,
    => set_color: core.color = rgba(color);
    /// The mesh, material and texture of the agents. Without a look agents are drawn with the mesh of the swarm's output.
    #[export]
    #[var(get, set)]
    look: Option<Gd<SwarmLook>>,
    /// In 3D: how far agents are tilted along the ground, 0 to 1. At 0 they stand upright, at 1 they have the slope of the ground, as cars and animals do. Has no effect where the ground has no heights: see FlowFieldManager.set_heights().
    #[export(range = (0.0, 1.0))]
    tilt: f64,
    => set_tilt: core.tilt = f32_from(tilt);
    /// In 3D: the greatest angle in degrees by which agents are tilted, 0 to 89.
    #[export(range = (0.0, 89.0, suffix = "°"))]
    #[init(val = 45.0)]
    max_tilt: f64,
    => set_max_tilt: core.max_tilt = tangent("max_tilt", max_tilt)?;
    /// In 3D: the height of the agent in world units for EnemySwarm.query_sphere(), query_ray() and damage, 0 to 1000000. Agents are upright capsules there, as wide as their discs. Heights below the diameter, such as 0, count as the diameter. Steps do not depend on it.
    #[export(range = (0.0, 4.0, or_greater))]
    body_height: f64,
    => set_body_height: core.body_height = f32_from(body_height);
    /// The mass of the agent, 0.001 to 1000000. Of two agents that push each other apart, the heavier one moves less. ORCA agents give way to heavier ones. Impulses and forces are divided by the mass. A giant of mass 100 walks through a crowd of mass 1.
    #[export(range = (0.1, 100.0, or_greater, or_less))]
    #[init(val = 1.0)]
    mass: f64,
    => set_mass: core.mass = f32_from(mass);
    /// AVOIDANCE_SEPARATION: the strength of pushes between overlapping agents. Two agents that overlap by the fraction f of the sum of their radii push each other with separation_weight * f times the speed of the faster one. 0 is no push.
    #[export(range = (0.0, 64.0, or_greater))]
    #[init(val = 16.0)]
    separation_weight: f64,
    => set_separation_weight: core.separation_weight = f32_from(separation_weight);
    /// The share of its displacement that an agent really moves in a step, above 0, at most 1. At 1 it moves all of it; at 0.8 it lags behind its velocity a little, which hides jitter.
    #[export(range = (0.05, 1.0))]
    #[init(val = 1.0)]
    position_smoothing: f64,
    => set_position_smoothing: core.position_smoothing = f32_from(position_smoothing);
    /// How much slower than max_speed the slowest agents are, as a fraction of max_speed, 0 to 0.9. The speed of each agent follows from its id and EnemySwarm.random_seed, so that agents do not walk in step.
    #[export(range = (0.0, 0.9))]
    speed_variation: f64,
    => set_speed_variation: core.speed_variation = f32_from(speed_variation);
    /// How far agents turn from the direction of the field to one side, 0 to 1. At 1 they turn by up to 31 degrees, where the turned direction leads to the goal too. The side of each agent follows from its id and EnemySwarm.random_seed and changes every few seconds, so that a crowd spreads over the available width. 0 is no turn.
    #[export(range = (0.0, 1.0))]
    lateral_bias: f64,
    => set_lateral_bias: core.lateral_bias = f32_from(lateral_bias);
    /// How much agents keep close to the leader of their group (see EnemySwarm.set_group_leader()) or, without a leader, to the mean position of the group, 0 to 1. They turn towards it as far as the field allows, and agents ahead of it slow down by up to a half. 0 is no cohesion.
    #[export(range = (0.0, 1.0))]
    cohesion: f64,
    => set_cohesion: core.cohesion = f32_from(cohesion);
    /// How agents avoid each other. Types with different avoidance can be mixed: an ORCA agent goes around agents of all other kinds and makes the whole change, and a CONTACT agent keeps out of all agents but those of AVOIDANCE_NONE.
    ///
    /// AVOIDANCE_CONTACT, the default: agents are discs that do not overlap. Queues stand still, crowds pack around a goal, streams cross, and walls hold under pressure.
    ///
    /// AVOIDANCE_SEPARATION: agents that overlap push each other apart. This is the cheapest avoidance. Dense crowds overlap, and agents pass through each other at doors.
    ///
    /// AVOIDANCE_ORCA: agents look ahead and go around each other, so that they hardly ever touch. It takes several times as long as the other kinds.
    ///
    /// AVOIDANCE_NONE: agents avoid no others. CONTACT agents neither push them nor are pushed by them.
    #[export_group(name = "Avoidance")]
    #[export]
    #[init(val = Avoidance::AVOIDANCE_CONTACT)]
    avoidance: Avoidance,
    => set_avoidance, get_avoidance: core.avoidance = avoidance.pick(&swarm::Avoidance::ALL)?;
    /// AVOIDANCE_ORCA: the distance in world units, from centre to centre, within which neighbours are avoided, above 0. For larger neighbours it is longer by the difference of the radii.
    #[export(range = (1.0, 500.0, or_greater))]
    #[init(val = 40.0)]
    neighbour_radius: f64,
    => set_neighbour_radius: core.neighbour_radius = f32_from(neighbour_radius);
    /// AVOIDANCE_ORCA: the number of nearest neighbours that are avoided, 0 to 32. Larger neighbours count as nearer by the difference of the radii. More neighbours take more time.
    #[export(range = (0.0, 32.0))]
    #[init(val = 10)]
    max_neighbours: i64,
    => set_max_neighbours: core.max_neighbours = count("max_neighbours", max_neighbours)?;
    /// AVOIDANCE_ORCA: the time in seconds for which agents avoid collisions with other agents, 0.001 to 1000. With a long time agents give way early, and are slower in dense crowds.
    #[export(range = (0.1, 10.0, or_greater, suffix = "s"))]
    #[init(val = 2.0)]
    time_horizon: f64,
    => set_time_horizon: core.time_horizon = f32_from(time_horizon);
    /// AVOIDANCE_ORCA: the time in seconds for which agents avoid collisions with walls, 0.001 to 1000.
    #[export(range = (0.1, 10.0, or_greater, suffix = "s"))]
    #[init(val = 0.5)]
    time_horizon_walls: f64,
    => set_time_horizon_walls: core.time_horizon_walls = f32_from(time_horizon_walls);
    /// AVOIDANCE_ORCA: the priority of agents, 0 to 1. Of two agents that meet, the one with the greater priority makes less than half of the change that avoids the collision.
    #[export(range = (0.0, 1.0))]
    #[init(val = 0.5)]
    priority: f64,
    => set_priority: core.priority = f32_from(priority);
    /// AVOIDANCE_CONTACT: the collision layers that agents of this type are in, as bits like those of physics bodies. They count for agents of the same swarm and of other swarms that share the manager. The physics engine does not use them.
    #[export(flags_2d_physics)]
    #[init(val = 1)]
    collision_layer: i64,
    => set_collision_layer: core.collision_layer = bits("collision_layer", collision_layer)?;
    /// AVOIDANCE_CONTACT: the collision layers of the agents that agents of this type keep out of, in the same swarm and in other swarms that share the manager. If only one of two agents has the other's layer in its mask, only that one moves. Of two agents in different swarms only CONTACT agents move. Agents that do not have each other's layers in their masks, such as flyers over a horde, pass through each other.
    #[export(flags_2d_physics)]
    #[init(val = 1)]
    collision_mask: i64,
    => set_collision_mask: core.collision_mask = bits("collision_mask", collision_mask)?;
    ..
    /// The number of changes so far, for swarms that use this resource.
    revision: u64,
    base: Base<Resource>,
}

impl SwarmAgentType {
    #[func]
    fn get_look(&self) -> Option<Gd<SwarmLook>> {
        self.look()
    }

    #[func]
    fn set_look(&mut self, look: Option<Gd<SwarmLook>>) {
        // The sum of both revisions must not come back with another look.
        self.revision += self.look_revision();
        self.look = look;
        self.changed();
    }
}
}

class_enums! {
SwarmAgentType;

/// How agents avoid each other: see avoidance.
enum Avoidance {
    /// Agents avoid no others.
    AVOIDANCE_NONE = 0 (was NONE),
    /// Agents that overlap push each other apart. The cheapest avoidance; dense crowds overlap.
    AVOIDANCE_SEPARATION = 1 (was SEPARATION),
    /// Optimal reciprocal collision avoidance. Agents look ahead and go around each other.
    AVOIDANCE_ORCA = 2 (was ORCA),
    /// Agents are discs that do not overlap. The default.
    AVOIDANCE_CONTACT = 3 (was CONTACT),
}
}

impl SwarmAgentType {
    /// The look of the agents.
    pub fn look(&self) -> Option<Gd<SwarmLook>> {
        self.look.clone()
    }

    fn in_core(&self) -> HandedOver<AgentType> {
        let mut core = AgentType::default();
        self.hand_over(&mut core)?;
        core.check()?;
        Ok(core)
    }

    /// The width of instances in diameters, if the look has one of its own.
    pub fn instance_size(&self) -> Option<f64> {
        resources::with(self.look.as_ref()?, SwarmLook::instance_size)
    }

    /// The clips of the look.
    pub fn clips(&self) -> Option<Gd<SwarmClips>> {
        resources::with(self.look.as_ref()?, SwarmLook::clips)
    }

    fn look_revision(&self) -> u64 {
        let look = self.look.as_ref();
        look.map_or(0, |look| resources::with(look, Revised::revision))
    }

    /// The radius in world units, and the index of the movement type.
    pub fn radius_and_movement_type(&self) -> (f64, i64) {
        (self.radius, self.movement_type)
    }

    /// The core's form of this resource.
    pub fn agent_type(&self) -> AgentType {
        // The setters refuse all values that the core refuses.
        self.in_core().unwrap_or_default()
    }
}

/// The rise per unit of distance of an angle in degrees.
fn tangent(name: &'static str, angle: f64) -> flow_swarm::Result<f32> {
    let angle = in_range(name, angle, 0.0, 89.0)?;
    Ok(f32_from(angle.to_radians().tan()))
}

fn count(name: &str, value: i64) -> Result<usize, String> {
    usize::try_from(value).map_err(|_| format!("{name} must be 0 or more, not {value}"))
}

fn bits(name: &str, value: i64) -> Result<u32, String> {
    u32::try_from(value)
        .map_err(|_| format!("{name} must be 32 bits, 0 to {}, not {value}", u32::MAX))
}

impl Properties for SwarmAgentType {
    fn check(&self) -> HandedOver {
        self.in_core().map(drop)
    }

    fn changed(&mut self) {
        self.revision += 1;
        announce_change(self.base_mut());
    }
}

impl Revised for SwarmAgentType {
    fn revision(&self) -> u64 {
        self.revision + self.look_revision()
    }
}
