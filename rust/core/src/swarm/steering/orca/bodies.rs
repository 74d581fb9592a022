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
/// How much more an agent weighs for each doubling of its mass: of two that are alike but for it, one of
/// twice the other's mass does a third of the work, as momentum has it, and one of eight times as much
/// nothing.
const HEAVINESS: f32 = 1.0 / 3.0;
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
    /// Whether a solid body may be near.
    pub(super) is_near_solid: bool,
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
            kind.priority + VARIATION * (drawn - 0.5) - rest + HEAVINESS * doublings(kind.mass)
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
            is_near_solid: false,
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

/// How often 1 must be doubled to make `mass`, which is normal: to the integer for powers of two, and on a
/// straight line between them. A logarithm would differ from machine to machine.
#[inline]
fn doublings(mass: f32) -> f32 {
    const ONE: i32 = 1.0_f32.to_bits().cast_signed();
    const STEP: f32 = 1.0 / (1 << (f32::MANTISSA_DIGITS - 1)) as f32;
    (mass.to_bits().cast_signed() - ONE) as f32 * STEP
}

/// The purpose of the number that an agent's weight is drawn from.
const WEIGHT: u64 = 0x5745_4947;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doublings_are_those_of_a_logarithm() {
        assert_eq!(doublings(1.0).to_bits(), 0.0_f32.to_bits());
        for power in -9..=19 {
            let mass = 2.0_f32.powi(power);
            assert_eq!(doublings(mass), power as f32);
            for part in [1.1, 1.5, 1.9] {
                let exact = f64::from(mass * part).log2();
                assert!((f64::from(doublings(mass * part)) - exact).abs() < 0.09);
            }
        }
    }
}
