//! What all agents of one kind have in common.

use crate::error::{Number, Result, in_range, positive};
use crate::swarm::limits::MAX_SPEED;
use crate::swarm::state::character_clips::CharacterClips;
use crate::world::MAX_MOVEMENT_TYPES;

/// The most neighbours that an agent type may take into account for [`Avoidance::Orca`].
pub const MAX_NEIGHBOURS: usize = 32;

/// The shortest horizon, in seconds.
const LEAST_HORIZON: f32 = 1.0e-3;

/// How agents keep from running into each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Avoidance {
    /// Agents avoid no others. Others may still avoid them.
    None,
    /// Agents that overlap push each other apart. This is the cheapest avoidance. Dense crowds overlap, and agents pass
    /// through each other at doors.
    Separation,
    /// Contacts: discs do not overlap. Agents that overlap are moved apart, walls hold them back, and an agent that
    /// cannot move on waits behind the agent ahead, so that queues stand still, crowds pack and streams cross.
    #[default]
    Contact,
    /// Optimal reciprocal collision avoidance: agents look ahead and go around each other, each making its share of the
    /// change, so that they hardly ever touch. Around standing agents and agents with another avoidance they make the
    /// whole change.
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
            /// Checks that a swarm can take this type.
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
    /// Mass, 0.001..=1e6. Of two agents that push each other apart the heavier one moves less; impulses and force
    /// fields move it less. Equal masses share equally, whatever their value.
    mass: f32 = 1.0, above_zero_within(1.0e-3, 1.0e6);
    /// Strength of pushes between overlapping agents of [`Avoidance::Separation`]. At weight `w` two agents that
    /// overlap by the fraction `f` of the sum of their radii push with `w * f` times the faster one's speed. 0 is no
    /// push.
    ///
    /// System A pushes with twice the speed per pixel of overlap, whatever the radii; that is a
    /// weight of `2 * (radius + radius)` here. The fraction makes the same weight right for
    /// pixels and for metres.
    separation_weight: f32 = 16.0, within(0.0, 1.0e6);
    /// Share of its displacement that an agent really moves in a step, above 0: at 1 all of it, below 1 it lags behind
    /// its velocity (system A: 0.8).
    position_smoothing: f32 = 1.0, above_zero(1.0);
    /// How much slower than `max_speed` the slowest agents are, as a fraction of it, 0..=0.9. Each agent's pace follows
    /// from its id and the swarm's seed.
    speed_variation: f32 = 0.0, within(0.0, 0.9);
    /// How far agents turn from the field's direction to a side of their own, 0..=1: at 1 by up to 31 degrees, where
    /// that direction leads to the goal too. The side follows from id and seed and changes slowly, so that a crowd
    /// spreads over the available width. 0 is none.
    lateral_bias: f32 = 0.0, within(0.0, 1.0);
    /// How much agents keep to their group's leader or, without one, to the group's centre, 0..=1. They turn towards it
    /// as far as the field allows, and agents ahead of it slow down by up to a half. 0 is none.
    cohesion: f32 = 0.0, within(0.0, 1.0);
    /// How agents avoid each other.
    avoidance: Avoidance = Avoidance::default(), any;
    /// Distance of centres in world units within which neighbours are avoided, above 0. For larger neighbours it is
    /// longer by the difference of the radii. Used by [`Avoidance::Orca`] only, like the following four.
    neighbour_radius: f32 = 40.0, above_zero(1.0e6);
    /// The number of nearest neighbours that are avoided, 0..=[`MAX_NEIGHBOURS`]. Larger neighbours count as nearer by
    /// the difference of the radii. Cost grows with it.
    max_neighbours: usize = 10, within(0, MAX_NEIGHBOURS);
    /// The time in seconds for which the agent avoids collisions with others, above 0. With a long horizon it gives way
    /// early, and is slower in dense crowds.
    time_horizon: f32 = 2.0, within(LEAST_HORIZON, 1.0e3);
    /// The time in seconds for which the agent avoids collisions with walls, above 0.
    time_horizon_walls: f32 = 0.5, within(LEAST_HORIZON, 1.0e3);
    /// Priority, 0..=1: of two agents that meet, the one with the greater priority makes less than half of the change,
    /// and none if its own priority is 1 and the other's 0. Likewise the heavier agent makes less of the change, and
    /// none if it has about eight times the other's mass.
    priority: f32 = 0.5, within(0.0, 1.0);
    /// The collision layers that agents of this type are in, as bits like in Godot's physics. They count for agents of
    /// the same swarm, and of swarms that step among its outlines
    /// ([`Swarm::step_among`](crate::swarm::Swarm::step_among)).
    collision_layer: u32 = 1, any;
    /// The collision layers of agents that agents of this type keep out of. If only one of two agents has the other's
    /// layer in its mask, only that one moves.
    collision_mask: u32 = 1, any;
    /// The height of an agent in world units, 0..=1e6, for queries in 3D: agents are standing capsules there, as wide
    /// as their discs. Heights below the diameter count as the diameter.
    body_height: f32 = 0.0, within(0.0, 1.0e6);
    /// How far instances are tilted along the ground in 3D, 0..=1: at 0 they stand upright, at 1 they have the slope of
    /// the ground, in between a part of it. Has no effect where the ground has no heights.
    tilt: f32 = 0.0, within(0.0, 1.0);
    /// The greatest slope to which instances are tilted, as a rise per unit of distance, 0..=1000: 1 is 45 degrees.
    max_tilt: f32 = 1.0, within(0.0, 1.0e3);
    /// The width of an instance as a multiple of its agent's diameter, 0..=1e6; 0 for that of
    /// [`InstanceLayout::size`](crate::swarm::InstanceLayout::size).
    instance_size: f32 = 0.0, within(0.0, 1.0e6);
    /// Colour of its instances: red, green, blue, alpha.
    color: [f32; 4] = [1.0; 4], channels;
    /// The clips of a character that follow from its movement.
    clips: CharacterClips = CharacterClips::default(), clips;
}

/// Refuses values outside `low..=high`.
fn within<T: PartialOrd + Copy + Into<Number>>(
    low: T,
    high: T,
) -> impl Fn(&'static str, T) -> Result<()> {
    move |name, value| in_range(name, value, low, high).map(drop)
}

/// Refuses values that are not above 0 and at most `high`.
fn above_zero(high: f32) -> impl Fn(&'static str, f32) -> Result<()> {
    above_zero_within(0.0, high)
}

/// Refuses values that are not above 0 and in `low..=high`.
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

/// Refuses strides and lengths that no character has.
fn clips(_name: &'static str, clips: CharacterClips) -> Result<()> {
    clips.check()
}

/// Refuses nothing: all values of the type are valid.
fn any<T>(_name: &'static str, _value: T) -> Result<()> {
    Ok(())
}

impl AgentType {
    /// Whether agents of this type are pushed by agents that overlap them.
    pub(in crate::swarm) fn is_pushed(&self) -> bool {
        self.avoidance == Avoidance::Separation && self.separation_weight > 0.0
    }

    /// The width of an instance, with the size of types that have none of their own.
    #[inline]
    pub(in crate::swarm) fn instance_width(&self, size: f32) -> f32 {
        let size = if self.instance_size > 0.0 {
            self.instance_size
        } else {
            size
        };
        2.0 * self.radius * size
    }

    /// Whether agents of this type keep out of those of another one: both are solid, and its mask has a layer of the
    /// other one.
    pub(in crate::swarm) fn keeps_out_of(&self, other: &Self) -> bool {
        self.avoidance != Avoidance::None
            && other.avoidance != Avoidance::None
            && self.collision_mask & other.collision_layer != 0
    }

    /// Whether agents of this type are kept apart by contacts.
    pub(in crate::swarm) fn uses_contacts(&self) -> bool {
        self.avoidance == Avoidance::Contact
    }
}
