//! What neighbours need to know of an agent, in bucket order.

use crate::random;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::{AgentType, ArrivalAction};
use glam::{Mat4, Vec2, Vec4, Vec4Swizzles};

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
pub(in crate::swarm) struct PreferredVelocity {
    /// The velocity that it would take if it were alone and without inertia.
    pub(in crate::swarm) velocity: Vec2,
    /// Its flags, as they will be.
    pub(in crate::swarm) flags: u8,
    /// Whether it has somewhere to go.
    pub(in crate::swarm) under_way: bool,
}

/// An agent as its neighbours see it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::swarm) struct OrcaAgent {
    /// Its velocity, and the unit vector of where it wants to go; zero if nowhere.
    motion: Vec4,
    /// Its position, radius and weight.
    stand: Vec4,
    /// Whether a solid body may be near.
    pub(super) is_near_solid: bool,
    speed: f32,
    flags: u8,
    under_way: bool,
}

/// Four agents as a neighbour sees them.
pub(super) struct FourBodies {
    pub(super) position: [Vec4; 2],
    pub(super) velocity: [Vec4; 2],
    pub(super) ahead: [Vec4; 2],
    pub(super) radius: Vec4,
    pub(super) weight: Vec4,
}

impl FourBodies {
    /// Two loads an agent and two transpositions are faster than eight loads.
    #[inline]
    pub(super) fn new(bodies: [&OrcaAgent; 4]) -> Self {
        let [a, b, c, d] = bodies.map(|body| body.motion);
        let motion = Mat4::from_cols(a, b, c, d).transpose();
        let [a, b, c, d] = bodies.map(|body| body.stand);
        let stand = Mat4::from_cols(a, b, c, d).transpose();
        Self {
            position: [stand.x_axis, stand.y_axis],
            velocity: [motion.x_axis, motion.y_axis],
            ahead: [motion.z_axis, motion.w_axis],
            radius: stand.z_axis,
            weight: stand.w_axis,
        }
    }
}

impl OrcaAgent {
    /// What there is to know of `agent`, whose number is `id`. Without a preferred velocity it keeps its velocity
    /// whatever others do.
    #[inline]
    pub(in crate::swarm) fn new(
        agent: &SortedAgent,
        kind: &AgentType,
        preferred: Option<PreferredVelocity>,
        arrival: ArrivalAction,
        seed: u64,
        key: u64,
    ) -> Self {
        let yields = preferred.is_some();
        let preferred = preferred.unwrap_or_default();
        let holds = preferred.flags & (flag::ARRIVED | flag::OWN_TARGET) == flag::ARRIVED
            && arrival == ArrivalAction::Stop;
        let weight = if !yields {
            UNYIELDING
        } else if agent.state == AgentState::Idle || holds {
            STANDING
        } else {
            let drawn = random::unit(random::keyed(seed, key, WEIGHT));
            let rest = if preferred.under_way { 0.0 } else { RESTING };
            kind.priority + VARIATION * (drawn - 0.5) - rest + HEAVINESS * doublings(kind.mass)
        };
        let speed = preferred.velocity.length();
        let ahead = if speed > 0.0 {
            preferred.velocity / speed
        } else {
            Vec2::ZERO
        };
        let (velocity, position) = (agent.velocity, agent.position);
        Self {
            motion: Vec4::new(velocity.x, velocity.y, ahead.x, ahead.y),
            stand: Vec4::new(position.x, position.y, kind.radius, weight),
            is_near_solid: false,
            speed,
            flags: preferred.flags,
            under_way: preferred.under_way,
        }
    }

    pub(super) fn velocity(&self) -> Vec2 {
        self.motion.xy()
    }

    /// Unit vector of where it wants to go; zero if nowhere.
    pub(super) fn ahead(&self) -> Vec2 {
        self.motion.zw()
    }

    pub(super) fn position(&self) -> Vec2 {
        self.stand.xy()
    }

    pub(super) fn radius(&self) -> f32 {
        self.stand.z
    }

    /// Of two agents the heavier gives way less. They share the work equally if they weigh the
    /// same, and the lighter does all of it from a difference of 1 on.
    pub(super) fn weight(&self) -> f32 {
        self.stand.w
    }

    /// What the agent wants.
    pub(in crate::swarm) fn preferred(&self) -> PreferredVelocity {
        PreferredVelocity {
            velocity: self.ahead() * self.speed,
            flags: self.flags,
            under_way: self.under_way,
        }
    }

    /// Whether neither leaves all the work to the other whatever the priorities.
    #[inline]
    pub(super) fn is_equal_of(&self, other: &Self) -> bool {
        (self.weight() - other.weight()).abs() < UNEQUAL
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
