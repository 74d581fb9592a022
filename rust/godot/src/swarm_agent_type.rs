//! The `SwarmAgentType` resource.

use crate::convert::f32_from;
use crate::report::refuse;
use crate::resources::Revised;
use flow_swarm::swarm::AgentType;
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
    /// How hard overlapping agents push: two that overlap by the fraction f of their radii's sum push with weight * f times the faster one's speed. 0 is not at all.
    #[export(range = (0.0, 64.0, or_greater))]
    #[var(set)]
    #[init(val = 16.0)]
    separation_weight: f64,
    /// The share of its way that an agent really moves in a step: 1 is all of it, 0.8 drags behind a little and hides jitter. Above 0.
    #[export(range = (0.05, 1.0))]
    #[var(set)]
    #[init(val = 1.0)]
    position_smoothing: f64,
    /// Counts the changes, for swarms that use this resource.
    revision: u64,
    base: Base<Resource>,
}

#[godot_api]
impl SwarmAgentType {
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
    fn set_separation_weight(&mut self, weight: f64) {
        self.change("separation_weight", |this| this.separation_weight = weight);
    }

    #[func]
    fn set_position_smoothing(&mut self, smoothing: f64) {
        self.change("position_smoothing", |this| {
            this.position_smoothing = smoothing;
        });
    }

    /// Makes a change and takes it back, with a report, if the core refuses the outcome.
    fn change(&mut self, property: &str, make: impl FnOnce(&mut Self)) {
        let before = (
            (self.radius, self.max_speed, self.acceleration),
            (self.movement_type, self.color),
            (self.separation_weight, self.position_smoothing),
        );
        make(self);
        let refusal = usize::try_from(self.movement_type).map_or_else(
            |_| {
                Err(format!(
                    "movement_type must be 0 or more, not {}",
                    self.movement_type
                ))
            },
            |_| self.agent_type().check().map_err(|error| error.to_string()),
        );
        if let Err(reason) = refusal {
            (
                (self.radius, self.max_speed, self.acceleration),
                (self.movement_type, self.color),
                (self.separation_weight, self.position_smoothing),
            ) = before;
            refuse(&format!("SwarmAgentType.{property}"), reason);
            return;
        }
        self.revision += 1;
        self.base_mut().emit_changed();
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
            separation_weight: f32_from(self.separation_weight),
            position_smoothing: f32_from(self.position_smoothing),
            color: [self.color.r, self.color.g, self.color.b, self.color.a],
        }
    }
}

impl Revised for SwarmAgentType {
    fn revision(&self) -> u64 {
        self.revision
    }
}
