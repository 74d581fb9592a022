//! What neighbours need to know of an agent, in bucket order.

use super::super::super::agents::{AgentState, flag};
use super::super::super::buckets::Placed;
use super::super::super::{AgentType, ArrivalAction};
use crate::random;
use glam::Vec2;

/// How much the weight of agents of one type varies, so that two of them that meet are not alike.
const VARIATION: f32 = 0.4;
/// By how much less an agent weighs that has nowhere to go.
const RESTING: f32 = 0.5;
/// The weight of an agent that stands where it is to stand: who moves goes round it, and among
/// themselves such agents are equals.
const STANDING: f32 = 1.0e3;
/// From this difference of weights on, one leaves all to the other.
pub(super) const UNEQUAL: f32 = 0.5 * STANDING;
/// The weight of what does not avoid anybody.
const UNYIELDING: f32 = 1.0e6;

/// Where an agent wants to go, and how it stands.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super::super) struct Wish {
    /// The velocity that it would take if it were alone and without inertia.
    pub(in super::super::super) velocity: Vec2,
    /// Its flags, as they will be.
    pub(in super::super::super) flags: u8,
    /// Whether it has somewhere to go.
    pub(in super::super::super) under_way: bool,
}

/// An agent as its neighbours see it; where it is stands in the buckets.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super::super) struct Body {
    pub(super) velocity: Vec2,
    /// Unit vector of where it wants to go; zero if nowhere.
    pub(super) ahead: Vec2,
    pub(super) radius: f32,
    /// Of two agents the heavier gives way less. They share the work equally if they weigh the
    /// same, and the lighter does all of it from a difference of 1 on.
    pub(super) weight: f32,
    speed: f32,
    flags: u8,
    under_way: bool,
}

impl Body {
    /// What there is to know of `agent`, whose number is `id`. Without a wish it keeps its velocity
    /// whatever others do.
    #[inline]
    pub(in super::super::super) fn new(
        agent: &Placed,
        kind: &AgentType,
        wish: Option<Wish>,
        arrival: ArrivalAction,
        seed: u64,
        id: u64,
    ) -> Self {
        let yields = wish.is_some();
        let wish = wish.unwrap_or_default();
        let holds = wish.flags & (flag::ARRIVED | flag::OWN_TARGET) == flag::ARRIVED
            && arrival == ArrivalAction::Stop;
        let weight = if !yields {
            UNYIELDING
        } else if agent.state == AgentState::Idle || holds {
            STANDING
        } else {
            let drawn = random::unit(random::keyed(seed, id, WEIGHT));
            let rest = if wish.under_way { 0.0 } else { RESTING };
            kind.priority + VARIATION * (drawn - 0.5) - rest
        };
        let speed = wish.velocity.length();
        Self {
            velocity: agent.velocity,
            ahead: if speed > 0.0 {
                wish.velocity / speed
            } else {
                Vec2::ZERO
            },
            radius: kind.radius,
            weight,
            speed,
            flags: wish.flags,
            under_way: wish.under_way,
        }
    }

    /// What the agent wants.
    pub(in super::super::super) fn wish(&self) -> Wish {
        Wish {
            velocity: self.ahead * self.speed,
            flags: self.flags,
            under_way: self.under_way,
        }
    }

    /// Whether neither leaves all the work to the other whatever the priorities.
    #[inline]
    pub(super) fn is_equal_of(&self, other: &Self) -> bool {
        (self.weight - other.weight).abs() < UNEQUAL
    }
}

/// The purpose of the number that an agent's weight is drawn from.
const WEIGHT: u64 = 0x5745_4947;
