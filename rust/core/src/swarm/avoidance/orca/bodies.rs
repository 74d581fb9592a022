//! The data of an agent that its neighbours read, in bucket order.

use crate::random;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::{AgentType, ArrivalAction};
use glam::{Mat4, Vec2, Vec4, Vec4Swizzles};

/// The range in which the weights of agents of one type vary, so that no two agents that meet are alike.
const VARIATION: f32 = 0.4;
/// The amount by which an agent that has nowhere to go weighs less.
const RESTING: f32 = 0.5;
/// The weight that each doubling of the mass adds. Of two otherwise equal agents, one of twice the other's mass makes a
/// third of the change, as with momentum, and one of eight times the mass makes none.
const HEAVINESS: f32 = 1.0 / 3.0;
/// The weight of an agent that stands at its place. Moving agents go around it; two such agents are equals.
const STANDING: f32 = 1.0e3;
/// The difference of weights from which on the heavier agent leaves the whole change to the other one, whatever the
/// priorities.
pub(super) const UNEQUAL: f32 = 0.5 * STANDING;
/// The weight of agents that avoid no others.
const UNYIELDING: f32 = 1.0e6;

/// The preferred velocity of an agent, and its flags.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::swarm) struct PreferredVelocity {
    /// The velocity that the agent would take without neighbours and without a limit of acceleration.
    pub(in crate::swarm) velocity: Vec2,
    /// The agent's flags after this step.
    pub(in crate::swarm) flags: u8,
    /// Whether the agent has somewhere to go.
    pub(in crate::swarm) under_way: bool,
}

/// An agent as its neighbours see it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::swarm) struct OrcaAgent {
    /// The velocity, and the unit vector of the preferred velocity; zero if the agent has nowhere to go.
    motion: Vec4,
    /// The position, radius and weight.
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
    /// The data of `agent`, whose number is `id`. Without a preferred velocity the agent keeps its velocity and avoids
    /// no others.
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

    /// The unit vector of the preferred velocity; zero if the agent has nowhere to go.
    pub(super) fn ahead(&self) -> Vec2 {
        self.motion.zw()
    }

    pub(super) fn position(&self) -> Vec2 {
        self.stand.xy()
    }

    pub(super) fn radius(&self) -> f32 {
        self.stand.z
    }

    /// The weight. Of two agents the heavier one gives way less: equal weights share the change equally, and from a
    /// difference of 1 on the lighter agent makes all of it.
    pub(super) fn weight(&self) -> f32 {
        self.stand.w
    }

    /// The agent's preferred velocity.
    pub(in crate::swarm) fn preferred(&self) -> PreferredVelocity {
        PreferredVelocity {
            velocity: self.ahead() * self.speed,
            flags: self.flags,
            under_way: self.under_way,
        }
    }

    /// Whether neither of the two leaves the whole change to the other one whatever the priorities.
    #[inline]
    pub(super) fn is_equal_of(&self, other: &Self) -> bool {
        (self.weight() - other.weight()).abs() < UNEQUAL
    }
}

/// The binary logarithm of `mass`, a normal number: exact for powers of two, and linear between them. The platform's
/// logarithm would differ from machine to machine.
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
