//! What all agents of one kind have in common.

use crate::error::{Number, Result, in_range, positive};
use crate::swarm::limits::MAX_SPEED;
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
    /// its share, so that they hardly ever touch. Agents of other kinds, and those that
    /// stand, are gone round by the others alone.
    Orca,
}

impl Avoidance {
    /// All of them, by the number that scenes know them by.
    pub const ALL: [Self; 4] = [Self::None, Self::Separation, Self::Orca, Self::Contact];
}

/// Defines [`AgentType`]: each parameter is one entry with its documentation, default and check.
macro_rules! agent_type {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $default:expr, $check:expr;)*) => {
        /// What all agents of one kind have in common.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct AgentType {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Default for AgentType {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl AgentType {
            /// Whether a swarm takes this type.
            ///
            /// # Errors
            /// The first property that is out of its range.
            pub fn check(&self) -> Result<()> {
                $($check(stringify!($name), self.$name)?;)*
                Ok(())
            }
        }
    };
}

agent_type! {
    /// Radius of the agent's disc in world units, above 0.
    radius: f32 = 4.0, above_zero(1.0e6);
    /// Greatest speed under its own power in world units a second, above 0.
    max_speed: f32 = 60.0, above_zero(MAX_SPEED);
    /// Greatest change of velocity in world units a second squared, above 0.
    acceleration: f32 = 240.0, above_zero(1.0e9);
    /// Index of its movement type.
    movement: usize = 0, movement_type;
    /// How heavy it is, 0.001..=1e6: of two that push each other apart the heavier is moved less, and
    /// knocks and force fields move it less. Equal masses share equally, whatever they are.
    mass: f32 = 1.0, above_zero_within(1.0e-3, 1.0e6);
    /// How hard overlapping agents of [`Avoidance::Separation`] push: at weight `w` two agents that overlap by the fraction
    /// `f` of their radii's sum push with `w * f` times the faster one's speed. 0 is not at all.
    ///
    /// System A pushes with twice the speed per pixel of overlap, whatever the radii; that is a
    /// weight of `2 * (radius + radius)` here. The fraction makes the same weight right for
    /// pixels and for metres.
    separation_weight: f32 = 16.0, within(0.0, 1.0e6);
    /// The share of its way that an agent really moves in a step: 1 all of it, less drags behind
    /// (system A: 0.8), above 0.
    position_smoothing: f32 = 1.0, above_zero(1.0);
    /// How much slower than `max_speed` the slowest agents go, as a fraction of it, 0..=0.9. Each
    /// agent's own pace follows from its id and the swarm's seed.
    speed_variation: f32 = 0.0, within(0.0, 0.9);
    /// How far agents lean to a side of their own of the way that the field gives, 0..=1: at 1 by up to 31
    /// degrees, wherever that leads on too. The side follows from id and seed and changes now and then, so
    /// that a crowd spreads over the width that there is. 0 is not at all.
    lateral_bias: f32 = 0.0, within(0.0, 1.0);
    /// How much agents keep to their group's leader or, without one, to its middle, 0..=1: they lean towards
    /// it as far as the field allows, and those ahead of it go slower, by up to a half. 0 is not at all.
    cohesion: f32 = 0.0, within(0.0, 1.0);
    /// How it keeps from running into others.
    avoidance: Avoidance = Avoidance::default(), any;
    /// How far away, from centre to centre in world units, neighbours are taken into account, above
    /// 0; those that are larger than the agent itself from as much farther away as their radius is greater. With
    /// [`Avoidance::Orca`] only, as are the following four.
    neighbour_radius: f32 = 40.0, above_zero(1.0e6);
    /// How many neighbours are taken into account, the nearest, 0..=[`MAX_NEIGHBOURS`]. Larger ones count as
    /// nearer by as much as their radius is greater. Cost grows with it.
    max_neighbours: usize = 10, within(0, MAX_NEIGHBOURS);
    /// For how many seconds ahead it keeps free of collisions with others, above 0. With a long
    /// horizon it gives way early and in dense crowds goes slower.
    time_horizon: f32 = 2.0, within(LEAST_HORIZON, 1.0e3);
    /// The same for walls.
    time_horizon_walls: f32 = 0.5, within(LEAST_HORIZON, 1.0e3);
    /// How little it gives way, 0..=1: of two that meet the one with the greater priority does less
    /// than its half, and nothing if the other's is 0 and its own 1. So does the heavier, and nothing
    /// if it has about eight times the other's mass.
    priority: f32 = 0.5, within(0.0, 1.0);
    /// The collision layers that agents of this type are in, by bits as in Godot's physics: for agents of the same swarm, and
    /// of others that are stepped among its outlines ([`Swarm::step_among`](crate::swarm::Swarm::step_among)).
    collision_layer: u32 = 1, any;
    /// The collision layers of the agents that agents of this type keep out of. Of two agents of which only one has the
    /// other's layer in its mask only that one moves.
    collision_mask: u32 = 1, any;
    /// Colour of its instances: red, green, blue, alpha.
    color: [f32; 4] = [1.0; 4], channels;
}

/// Refuses what is not in `low..=high`.
fn within<T: PartialOrd + Copy + Into<Number>>(
    low: T,
    high: T,
) -> impl Fn(&'static str, T) -> Result<()> {
    move |name, value| in_range(name, value, low, high).map(drop)
}

/// Refuses what is not above 0 and at most `high`.
fn above_zero(high: f32) -> impl Fn(&'static str, f32) -> Result<()> {
    above_zero_within(0.0, high)
}

/// Refuses what is not above 0 and in `low..=high`.
fn above_zero_within(low: f32, high: f32) -> impl Fn(&'static str, f32) -> Result<()> {
    move |name, value| {
        positive(name, value)?;
        in_range(name, value, low, high).map(drop)
    }
}

/// Scripts know the index of a movement type as `movement_type`.
fn movement_type(_name: &'static str, index: usize) -> Result<()> {
    in_range("movement_type", index, 0, MAX_MOVEMENT_TYPES - 1).map(drop)
}

/// Refuses channels of a colour that no buffer holds.
fn channels(name: &'static str, color: [f32; 4]) -> Result<()> {
    let mut channels = color.into_iter();
    channels.try_for_each(|channel| in_range(name, channel, -1.0e6, 1.0e6).map(drop))
}

/// Refuses nothing: its type has no other values.
fn any<T>(_name: &'static str, _value: T) -> Result<()> {
    Ok(())
}

impl AgentType {
    /// Whether agents of this type are pushed by agents that overlap them.
    pub(in crate::swarm) fn is_pushed(&self) -> bool {
        self.avoidance == Avoidance::Separation && self.separation_weight > 0.0
    }

    /// Whether agents of this type are kept apart by contacts.
    pub(in crate::swarm) fn uses_contacts(&self) -> bool {
        self.avoidance == Avoidance::Contact
    }
}
