//! What all agents of one kind have in common.

use crate::error::{Result, in_range, positive};
use crate::swarm::MAX_SPEED;
use crate::world::MAX_MOVEMENT_TYPES;

/// The most neighbours that an agent type may take into account for [`Avoidance::Orca`].
pub const MAX_NEIGHBOURS: usize = 32;

/// The shortest horizon, in seconds.
const LEAST_HORIZON: f32 = 1.0e-3;

/// How agents keep from running into each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Avoidance {
    /// Not at all. Others may still keep away from them.
    None,
    /// Agents that overlap push each other apart. The cheapest, for a swarm that flows through itself: a dense horde
    /// sinks into itself and passes through itself at doors.
    Separation,
    /// Contacts: discs keep their room. Agents that overlap are moved apart, walls hold them back, and an agent that cannot
    /// go on waits behind the one ahead, so that queues stand still, crowds pack and streams cross.
    #[default]
    Contact,
    /// Optimal reciprocal collision avoidance: agents look ahead and go round each other, each doing
    /// its share, so that they hardly ever touch. Everybody who does not do so, and whoever
    /// stands, is gone round by the others alone.
    Orca,
}

/// What all agents of one kind have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgentType {
    /// Radius of the agent's disc in world units, above 0.
    pub radius: f32,
    /// Greatest speed under its own power in world units a second, above 0.
    pub max_speed: f32,
    /// Greatest change of velocity in world units a second squared, above 0.
    pub acceleration: f32,
    /// Index of its movement type.
    pub movement: usize,
    /// How heavy it is, 0.001..=1e6: of two that push each other apart the heavier is moved less, and
    /// knocks and force fields move it less. Equal masses share equally, whatever they are.
    pub mass: f32,
    /// How hard overlapping agents of [`Avoidance::Separation`] push: at weight `w` two agents that overlap by the fraction
    /// `f` of their radii's sum push with `w * f` times the faster one's speed. 0 is not at all.
    ///
    /// System A pushes with twice the speed per pixel of overlap, whatever the radii; that is a
    /// weight of `2 * (radius + radius)` here. The fraction makes the same weight right for
    /// pixels and for metres.
    pub separation_weight: f32,
    /// The share of its way that an agent really moves in a step: 1 all of it, less drags behind
    /// (system A: 0.8), above 0.
    pub position_smoothing: f32,
    /// How much slower than `max_speed` the slowest agents go, as a fraction of it, 0..=0.9. Each
    /// agent's own pace follows from its id and the swarm's seed.
    pub speed_variation: f32,
    /// How far agents lean to a side of their own of the way that the field gives, 0..=1: at 1 by up to 31
    /// degrees, wherever that leads on too. The side follows from id and seed and changes now and then, so
    /// that a crowd spreads over the width that there is. 0 is not at all.
    pub lateral_bias: f32,
    /// How much agents keep to their group's leader or, without one, to its middle, 0..=1: they lean towards
    /// it as far as the field allows, and whoever is ahead goes slower, by up to a half. 0 is not at all.
    pub cohesion: f32,
    /// How it keeps from running into others.
    pub avoidance: Avoidance,
    /// How far away, from centre to centre in world units, neighbours are taken into account, above
    /// 0; those that are larger than the agent itself from as much farther away as their radius is greater. With
    /// [`Avoidance::Orca`] only, as are the following four.
    pub neighbour_radius: f32,
    /// How many neighbours are taken into account, the nearest, 0..=[`MAX_NEIGHBOURS`]. Larger ones count as
    /// nearer by as much as their radius is greater. Cost grows with it.
    pub max_neighbours: usize,
    /// For how many seconds ahead it keeps free of collisions with others, above 0. With a long
    /// horizon it gives way early and in dense crowds goes slower.
    pub time_horizon: f32,
    /// The same for walls.
    pub time_horizon_walls: f32,
    /// How little it gives way, 0..=1: of two that meet the one with the greater priority does less
    /// than its half, and nothing if the other's is 0 and its own 1. So does the heavier, and nothing
    /// if it has about eight times the other's mass.
    pub priority: f32,
    /// The collision layers that agents of this type are in, by bits as in Godot's physics: for agents of the same swarm, and
    /// of others that are stepped among its outlines ([`Swarm::step_among`](crate::swarm::Swarm::step_among)).
    pub collision_layer: u32,
    /// The collision layers of the agents that agents of this type keep out of. Of two agents of which only one has the
    /// other's layer in its mask only that one moves.
    pub collision_mask: u32,
    /// Colour of its instances: red, green, blue, alpha.
    pub color: [f32; 4],
}

impl Default for AgentType {
    fn default() -> Self {
        Self {
            radius: 4.0,
            max_speed: 60.0,
            acceleration: 240.0,
            movement: 0,
            mass: 1.0,
            separation_weight: 16.0,
            position_smoothing: 1.0,
            speed_variation: 0.0,
            lateral_bias: 0.0,
            cohesion: 0.0,
            avoidance: Avoidance::default(),
            neighbour_radius: 40.0,
            max_neighbours: 10,
            time_horizon: 2.0,
            time_horizon_walls: 0.5,
            priority: 0.5,
            collision_layer: 1,
            collision_mask: 1,
            color: [1.0; 4],
        }
    }
}

impl AgentType {
    /// Whether a swarm takes this type.
    ///
    /// # Errors
    /// The first property that is out of its range.
    pub fn check(&self) -> Result<()> {
        positive("radius", self.radius)?;
        in_range("radius", self.radius, f32::MIN_POSITIVE, 1.0e6)?;
        positive("max_speed", self.max_speed)?;
        in_range("max_speed", self.max_speed, 0.0, MAX_SPEED)?;
        positive("acceleration", self.acceleration)?;
        in_range("acceleration", self.acceleration, 0.0, 1.0e9)?;
        in_range("movement_type", self.movement, 0, MAX_MOVEMENT_TYPES - 1)?;
        positive("mass", self.mass)?;
        in_range("mass", self.mass, 1.0e-3, 1.0e6)?;
        in_range("separation_weight", self.separation_weight, 0.0, 1.0e6)?;
        positive("position_smoothing", self.position_smoothing)?;
        in_range("position_smoothing", self.position_smoothing, 0.0, 1.0)?;
        in_range("speed_variation", self.speed_variation, 0.0, 0.9)?;
        in_range("lateral_bias", self.lateral_bias, 0.0, 1.0)?;
        in_range("cohesion", self.cohesion, 0.0, 1.0)?;
        positive("neighbour_radius", self.neighbour_radius)?;
        in_range("neighbour_radius", self.neighbour_radius, 0.0, 1.0e6)?;
        in_range("max_neighbours", self.max_neighbours, 0, MAX_NEIGHBOURS)?;
        in_range("time_horizon", self.time_horizon, LEAST_HORIZON, 1.0e3)?;
        in_range(
            "time_horizon_walls",
            self.time_horizon_walls,
            LEAST_HORIZON,
            1.0e3,
        )?;
        in_range("priority", self.priority, 0.0, 1.0)?;
        for channel in self.color {
            in_range("color", channel, -1.0e6, 1.0e6)?;
        }
        Ok(())
    }
}
