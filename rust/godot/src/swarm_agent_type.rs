//! The `SwarmAgentType` resource.

use crate::convert::{f32_from, rgba};
use crate::properties::{HandedOver, Properties, properties};
use crate::report::one_of;
use crate::resources::{Revised, announce_change};
use flow_swarm::swarm::{AgentType, Avoidance};
use godot::classes::Resource;
use godot::prelude::*;

properties! {
core: AgentType;

/// What all agents of one kind have in common: size, speed, how they move and look.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct SwarmAgentType {
    /// Radius of the agent's disc in world units, above 0.
    #[export(range = (0.1, 64.0, or_greater))]
    #[init(val = 4.0)]
    radius: f64,
    => set_radius: core.radius = f32_from(radius);
    /// Greatest speed under its own power, in world units a second, above 0.
    #[export(range = (1.0, 500.0, or_greater))]
    #[init(val = 60.0)]
    max_speed: f64,
    => set_max_speed: core.max_speed = f32_from(max_speed);
    /// Greatest change of velocity, in world units a second squared, above 0.
    #[export(range = (1.0, 2000.0, or_greater))]
    #[init(val = 240.0)]
    acceleration: f64,
    => set_acceleration: core.acceleration = f32_from(acceleration);
    /// Which of the manager's movement types it uses.
    #[export(range = (0.0, 63.0))]
    movement_type: i64,
    => set_movement_type: core.movement = count("movement_type", movement_type)?;
    /// Colour of its instances.
    #[export]
    #[init(val = Color::WHITE)]
    color: Color,
    => set_color: core.color = rgba(color);
    /// How heavy it is, 0.001 to 1000000. Of two that push each other apart the heavier is moved less; ORCA agents give way to heavier ones; impulses and force fields are divided by it. A giant of mass 100 walks through a crowd of mass 1.
    #[export(range = (0.1, 100.0, or_greater, or_less))]
    #[init(val = 1.0)]
    mass: f64,
    => set_mass: core.mass = f32_from(mass);
    /// SEPARATION: how hard overlapping agents push: two that overlap by the fraction f of their radii's sum push with weight * f times the faster one's speed. 0 is not at all.
    #[export(range = (0.0, 64.0, or_greater))]
    #[init(val = 16.0)]
    separation_weight: f64,
    => set_separation_weight: core.separation_weight = f32_from(separation_weight);
    /// The share of its way that an agent really moves in a step: 1 is all of it, 0.8 drags behind a little and hides jitter. Above 0.
    #[export(range = (0.05, 1.0))]
    #[init(val = 1.0)]
    position_smoothing: f64,
    => set_position_smoothing: core.position_smoothing = f32_from(position_smoothing);
    /// How much slower than max_speed the slowest agents go, as a fraction of it, 0 to 0.9. Each agent's own pace follows from its id and the swarm's random_seed, so that hordes do not march in step.
    #[export(range = (0.0, 0.9))]
    speed_variation: f64,
    => set_speed_variation: core.speed_variation = f32_from(speed_variation);
    /// How far agents lean to a side of their own of the way that the field gives, 0 to 1: at 1 by up to 31 degrees, wherever that leads on too. The side follows from id and random_seed and changes every few seconds, so that a horde spreads over the width that there is. 0 is not at all.
    #[export(range = (0.0, 1.0))]
    lateral_bias: f64,
    => set_lateral_bias: core.lateral_bias = f32_from(lateral_bias);
    /// How much agents keep to their group's leader (EnemySwarm.set_group_leader()) or, without one, to its middle, 0 to 1: they lean towards it as far as the field allows, and those ahead of it go slower, by up to a half. 0 is not at all.
    #[export(range = (0.0, 1.0))]
    cohesion: f64,
    => set_cohesion: core.cohesion = f32_from(cohesion);
    /// How agents keep from running into each other. CONTACT, the default: agents are discs that keep their room. Queues stand still, crowds pack round a goal without a heap, streams cross, and walls hold under pressure. SEPARATION: agents that overlap push each other apart. This is the cheapest, for a swarm that flows through itself: a dense horde sinks into itself and passes through itself at doors. ORCA: agents look ahead and go round each other, so that they hardly ever touch; it takes several times as long. NONE: not at all; such agents neither push nor are pushed by CONTACT agents. Types may differ: an ORCA agent goes round those of the other kinds alone, and a CONTACT agent keeps its room among all but NONE.
    #[export_group(name = "Avoidance")]
    #[export(enum = (None = 0, Separation = 1, Orca = 2, Contact = 3))]
    #[init(val = SwarmAgentType::CONTACT)]
    avoidance: i64,
    => set_avoidance: core.avoidance = one_of(&Avoidance::ALL, avoidance)?;
    /// ORCA: how far away, from centre to centre in world units, neighbours are taken into account, above 0. Larger ones count from as much farther away as their radius is greater.
    #[export(range = (1.0, 500.0, or_greater))]
    #[init(val = 40.0)]
    neighbour_radius: f64,
    => set_neighbour_radius: core.neighbour_radius = f32_from(neighbour_radius);
    /// ORCA: how many neighbours are taken into account, the nearest, 0 to 32; larger ones count as nearer by as much as their radius is greater. More cost more.
    #[export(range = (0.0, 32.0))]
    #[init(val = 10)]
    max_neighbours: i64,
    => set_max_neighbours: core.max_neighbours = count("max_neighbours", max_neighbours)?;
    /// ORCA: for how many seconds ahead agents keep free of collisions with others, 0.001 to 1000. With a long horizon they give way early, and in dense crowds go slower.
    #[export(range = (0.1, 10.0, or_greater, suffix = "s"))]
    #[init(val = 2.0)]
    time_horizon: f64,
    => set_time_horizon: core.time_horizon = f32_from(time_horizon);
    /// ORCA: for how many seconds ahead agents keep free of collisions with walls, 0.001 to 1000.
    #[export(range = (0.1, 10.0, or_greater, suffix = "s"))]
    #[init(val = 0.5)]
    time_horizon_walls: f64,
    => set_time_horizon_walls: core.time_horizon_walls = f32_from(time_horizon_walls);
    /// ORCA: how little agents give way, 0 to 1. Of two that meet the one with the greater priority does less than half of what keeps them apart.
    #[export(range = (0.0, 1.0))]
    #[init(val = 0.5)]
    priority: f64,
    => set_priority: core.priority = f32_from(priority);
    /// CONTACT: the collision layers that agents of this type are in, by bits as in physics bodies: for agents of its own swarm and of others that share the manager. Physics does not look at them.
    #[export(flags_2d_physics)]
    #[init(val = 1)]
    collision_layer: i64,
    => set_collision_layer: core.collision_layer = bits("collision_layer", collision_layer)?;
    /// CONTACT: the collision layers of agents that agents of this type keep out of, in its own swarm and in others that share the manager. Of two agents of which only one has the other's layer in its mask, only that one moves. Of two agents in different swarms only those of CONTACT move. With 0 on both sides agents pass through each other, as flyers or ghosts do.
    #[export(flags_2d_physics)]
    #[init(val = 1)]
    collision_mask: i64,
    => set_collision_mask: core.collision_mask = bits("collision_mask", collision_mask)?;
    ..
    /// Counts the changes, for swarms that use this resource.
    revision: u64,
    base: Base<Resource>,
}

impl SwarmAgentType {
    /// Avoidance: none.
    #[constant]
    const NONE: i64 = 0;
    /// Avoidance: overlapping agents push each other apart. The cheapest, for a swarm that flows through itself.
    #[constant]
    const SEPARATION: i64 = 1;
    /// Avoidance: optimal reciprocal collision avoidance.
    #[constant]
    const ORCA: i64 = 2;
    /// Avoidance: agents are discs that keep their room. The default.
    #[constant]
    const CONTACT: i64 = 3;
}
}

impl SwarmAgentType {
    fn in_core(&self) -> HandedOver<AgentType> {
        let mut core = AgentType::default();
        self.hand_over(&mut core)?;
        core.check()?;
        Ok(core)
    }

    /// The radius in world units, and the index of the movement type.
    pub fn radius_and_movement_type(&self) -> (f64, i64) {
        (self.radius, self.movement_type)
    }

    /// The core's form of this resource.
    pub fn agent_type(&self) -> AgentType {
        // Setters let nothing in that has none.
        self.in_core().unwrap_or_default()
    }
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
        self.revision
    }
}
