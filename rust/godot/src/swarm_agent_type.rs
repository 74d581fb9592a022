//! The `SwarmAgentType` resource.

use crate::convert::f32_from;
use crate::report::{choice, refuse};
use crate::resources::{Revised, announce_change};
use flow_swarm::swarm::{AgentType, Avoidance};
use godot::classes::Resource;
use godot::prelude::*;

/// What all agents of one kind have in common: size, speed, how they move and look.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct SwarmAgentType {
    /// Radius of the agent's disc in world units, above 0.
    #[export(range = (0.1, 64.0, or_greater))]
    #[var(set)]
    #[init(val = 4.0)]
    radius: f64,
    /// Greatest speed under its own power, in world units a second, above 0.
    #[export(range = (1.0, 500.0, or_greater))]
    #[var(set)]
    #[init(val = 60.0)]
    max_speed: f64,
    /// Greatest change of velocity, in world units a second squared, above 0.
    #[export(range = (1.0, 2000.0, or_greater))]
    #[var(set)]
    #[init(val = 240.0)]
    acceleration: f64,
    /// Which of the manager's movement types it uses.
    #[export(range = (0.0, 63.0))]
    #[var(set)]
    movement_type: i64,
    /// Colour of its instances.
    #[export]
    #[var(set)]
    #[init(val = Color::WHITE)]
    color: Color,
    /// How heavy it is, 0.001 to 1000000. Of two that push each other apart the heavier is moved less; ORCA agents give way to heavier ones; impulses and force fields are divided by it. A giant of mass 100 walks through a crowd of mass 1.
    #[export(range = (0.1, 100.0, or_greater, or_less))]
    #[var(set)]
    #[init(val = 1.0)]
    mass: f64,
    /// SEPARATION: how hard overlapping agents push: two that overlap by the fraction f of their radii's sum push with weight * f times the faster one's speed. 0 is not at all.
    #[export(range = (0.0, 64.0, or_greater))]
    #[var(set)]
    #[init(val = 16.0)]
    separation_weight: f64,
    /// The share of its way that an agent really moves in a step: 1 is all of it, 0.8 drags behind a little and hides jitter. Above 0.
    #[export(range = (0.05, 1.0))]
    #[var(set)]
    #[init(val = 1.0)]
    position_smoothing: f64,
    /// How much slower than max_speed the slowest agents go, as a fraction of it, 0 to 0.9. Each agent's own pace follows from its id and the swarm's random_seed, so that hordes do not march in step.
    #[export(range = (0.0, 0.9))]
    #[var(set)]
    speed_variation: f64,
    /// How far agents lean to a side of their own of the way that the field gives, 0 to 1: at 1 by up to 31 degrees, wherever that leads on too. The side follows from id and random_seed and changes every few seconds, so that a horde spreads over the width that there is. 0 is not at all.
    #[export(range = (0.0, 1.0))]
    #[var(set)]
    lateral_bias: f64,
    /// How much agents keep to their group's leader (EnemySwarm.set_group_leader()) or, without one, to its middle, 0 to 1: they lean towards it as far as the field allows, and whoever is ahead goes slower, by up to a half. 0 is not at all.
    #[export(range = (0.0, 1.0))]
    #[var(set)]
    cohesion: f64,
    /// How agents keep from running into each other. CONTACT, the default: agents are discs that keep their room. Queues stand still, crowds pack round a goal without a heap, streams cross, and walls hold under pressure. SEPARATION: agents that overlap push each other apart. This is the cheapest, for a swarm that flows through itself: a dense horde sinks into itself and passes through itself at doors. ORCA: agents look ahead and go round each other, so that they hardly ever touch; it takes several times as long. NONE: not at all; such agents neither push nor are pushed by CONTACT agents. Types may differ: an ORCA agent goes round those of the other kinds alone, and a CONTACT agent keeps its room among all but NONE.
    #[export_group(name = "Avoidance")]
    #[export(enum = (None = 0, Separation = 1, Orca = 2, Contact = 3))]
    #[var(set)]
    #[init(val = SwarmAgentType::CONTACT)]
    avoidance: i64,
    /// ORCA: how far away, from centre to centre in world units, neighbours are taken into account, above 0. Larger ones count from as much farther away as their radius is greater.
    #[export(range = (1.0, 500.0, or_greater))]
    #[var(set)]
    #[init(val = 40.0)]
    neighbour_radius: f64,
    /// ORCA: how many neighbours are taken into account, the nearest, 0 to 32; larger ones count as nearer by as much as their radius is greater. More cost more.
    #[export(range = (0.0, 32.0))]
    #[var(set)]
    #[init(val = 10)]
    max_neighbours: i64,
    /// ORCA: for how many seconds ahead agents keep free of collisions with others, 0.001 to 1000. With a long horizon they give way early, and in dense crowds go slower.
    #[export(range = (0.1, 10.0, or_greater, suffix = "s"))]
    #[var(set)]
    #[init(val = 2.0)]
    time_horizon: f64,
    /// ORCA: for how many seconds ahead agents keep free of collisions with walls, 0.001 to 1000.
    #[export(range = (0.1, 10.0, or_greater, suffix = "s"))]
    #[var(set)]
    #[init(val = 0.5)]
    time_horizon_walls: f64,
    /// ORCA: how little agents give way, 0 to 1. Of two that meet the one with the greater priority does less than half of what keeps them apart.
    #[export(range = (0.0, 1.0))]
    #[var(set)]
    #[init(val = 0.5)]
    priority: f64,
    /// CONTACT: the collision layers that agents of this type are in, by bits as in physics bodies: for agents of its own swarm and of others that share the manager. Physics does not look at them.
    #[export(flags_2d_physics)]
    #[var(set)]
    #[init(val = 1)]
    collision_layer: i64,
    /// CONTACT: the collision layers of agents that agents of this type keep out of, in its own swarm and in others that share the manager. Of two agents of which only one has the other's layer in its mask, only that one moves. Of two agents in different swarms only those of CONTACT move. With 0 on both sides agents pass through each other, as flyers or ghosts do.
    #[export(flags_2d_physics)]
    #[var(set)]
    #[init(val = 1)]
    collision_mask: i64,
    /// Counts the changes, for swarms that use this resource.
    revision: u64,
    base: Base<Resource>,
}

#[godot_api]
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

    #[func]
    fn set_radius(&mut self, radius: f64) {
        self.change("radius", |this| this.radius = radius);
    }

    #[func]
    fn set_max_speed(&mut self, max_speed: f64) {
        self.change("max_speed", |this| this.max_speed = max_speed);
    }

    #[func]
    fn set_acceleration(&mut self, acceleration: f64) {
        self.change("acceleration", |this| this.acceleration = acceleration);
    }

    #[func]
    fn set_movement_type(&mut self, movement_type: i64) {
        self.change("movement_type", |this| this.movement_type = movement_type);
    }

    #[func]
    fn set_color(&mut self, color: Color) {
        self.change("color", |this| this.color = color);
    }

    #[func]
    fn set_mass(&mut self, mass: f64) {
        self.change("mass", |this| this.mass = mass);
    }

    #[func]
    fn set_separation_weight(&mut self, weight: f64) {
        self.change("separation_weight", |this| this.separation_weight = weight);
    }

    #[func]
    fn set_position_smoothing(&mut self, smoothing: f64) {
        self.change("position_smoothing", |this| {
            this.position_smoothing = smoothing;
        });
    }

    #[func]
    fn set_speed_variation(&mut self, variation: f64) {
        self.change("speed_variation", |this| this.speed_variation = variation);
    }

    #[func]
    fn set_lateral_bias(&mut self, bias: f64) {
        self.change("lateral_bias", |this| this.lateral_bias = bias);
    }

    #[func]
    fn set_cohesion(&mut self, cohesion: f64) {
        self.change("cohesion", |this| this.cohesion = cohesion);
    }

    #[func]
    fn set_avoidance(&mut self, avoidance: i64) {
        if let Some(avoidance) = choice("SwarmAgentType.avoidance", avoidance, 3) {
            self.change("avoidance", |this| this.avoidance = avoidance);
        }
    }

    #[func]
    fn set_neighbour_radius(&mut self, radius: f64) {
        self.change("neighbour_radius", |this| this.neighbour_radius = radius);
    }

    #[func]
    fn set_max_neighbours(&mut self, most: i64) {
        self.change("max_neighbours", |this| this.max_neighbours = most);
    }

    #[func]
    fn set_time_horizon(&mut self, seconds: f64) {
        self.change("time_horizon", |this| this.time_horizon = seconds);
    }

    #[func]
    fn set_time_horizon_walls(&mut self, seconds: f64) {
        self.change("time_horizon_walls", |this| {
            this.time_horizon_walls = seconds;
        });
    }

    #[func]
    fn set_priority(&mut self, priority: f64) {
        self.change("priority", |this| this.priority = priority);
    }

    #[func]
    fn set_collision_layer(&mut self, layers: i64) {
        self.change("collision_layer", |this| this.collision_layer = layers);
    }

    #[func]
    fn set_collision_mask(&mut self, layers: i64) {
        self.change("collision_mask", |this| this.collision_mask = layers);
    }

    /// Makes a change and takes it back, with a report, if the core refuses the outcome.
    fn change(&mut self, property: &str, make: impl FnOnce(&mut Self)) {
        let before = (
            (self.radius, self.max_speed, self.acceleration),
            (self.movement_type, self.color),
            (self.separation_weight, self.position_smoothing),
            self.mass,
            (self.speed_variation, self.avoidance, self.priority),
            (self.lateral_bias, self.cohesion),
            (self.neighbour_radius, self.max_neighbours),
            (self.time_horizon, self.time_horizon_walls),
            (self.collision_layer, self.collision_mask),
        );
        make(self);
        let counts = [
            ("movement_type", self.movement_type),
            ("max_neighbours", self.max_neighbours),
        ];
        let layers = [
            ("collision_layer", self.collision_layer),
            ("collision_mask", self.collision_mask),
        ];
        let negative = counts.into_iter().find(|&(_, count)| count < 0);
        let beyond = layers
            .into_iter()
            .find(|&(_, bits)| u32::try_from(bits).is_err());
        let refusal = match (negative, beyond) {
            (Some((name, count)), _) => Err(format!("{name} must be 0 or more, not {count}")),
            (None, Some((name, bits))) => Err(format!(
                "{name} must be 32 bits, 0 to {}, not {bits}",
                u32::MAX
            )),
            (None, None) => self.agent_type().check().map_err(|error| error.to_string()),
        };
        if let Err(reason) = refusal {
            (
                (self.radius, self.max_speed, self.acceleration),
                (self.movement_type, self.color),
                (self.separation_weight, self.position_smoothing),
                self.mass,
                (self.speed_variation, self.avoidance, self.priority),
                (self.lateral_bias, self.cohesion),
                (self.neighbour_radius, self.max_neighbours),
                (self.time_horizon, self.time_horizon_walls),
                (self.collision_layer, self.collision_mask),
            ) = before;
            refuse(&format!("SwarmAgentType.{property}"), reason);
            return;
        }
        self.revision += 1;
        announce_change(self.base_mut());
    }

    /// The radius in world units, and the index of the movement type.
    pub fn radius_and_movement_type(&self) -> (f64, i64) {
        (self.radius, self.movement_type)
    }

    /// The core's form of this resource.
    pub fn agent_type(&self) -> AgentType {
        AgentType {
            radius: f32_from(self.radius),
            max_speed: f32_from(self.max_speed),
            acceleration: f32_from(self.acceleration),
            movement: usize::try_from(self.movement_type).unwrap_or(usize::MAX),
            mass: f32_from(self.mass),
            separation_weight: f32_from(self.separation_weight),
            position_smoothing: f32_from(self.position_smoothing),
            speed_variation: f32_from(self.speed_variation),
            lateral_bias: f32_from(self.lateral_bias),
            cohesion: f32_from(self.cohesion),
            avoidance: match self.avoidance {
                Self::NONE => Avoidance::None,
                Self::SEPARATION => Avoidance::Separation,
                Self::ORCA => Avoidance::Orca,
                _ => Avoidance::Contact,
            },
            neighbour_radius: f32_from(self.neighbour_radius),
            max_neighbours: usize::try_from(self.max_neighbours).unwrap_or(usize::MAX),
            time_horizon: f32_from(self.time_horizon),
            time_horizon_walls: f32_from(self.time_horizon_walls),
            priority: f32_from(self.priority),
            collision_layer: u32::try_from(self.collision_layer).unwrap_or_default(),
            collision_mask: u32::try_from(self.collision_mask).unwrap_or_default(),
            color: [self.color.r, self.color.g, self.color.b, self.color.a],
        }
    }
}

impl Revised for SwarmAgentType {
    fn revision(&self) -> u64 {
        self.revision
    }
}
