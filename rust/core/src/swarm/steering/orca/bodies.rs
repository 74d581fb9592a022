//! What neighbours need to know of an agent, in bucket order.

use super::super::super::agents::{AgentState, flag};
use super::super::super::buckets::Placed;
use super::super::super::{AgentType, ArrivalAction, Avoidance};
use crate::random;
use glam::Vec2;

/// How much the weight of agents of one type varies, so that two of them that meet are not alike.
const VARIATION: f32 = 0.4;
/// The weight of an agent that stands where it is to stand: who moves goes round it, and among
/// themselves such agents are equals.
const STANDING: f32 = 1.0e3;
/// The weight of what does not avoid anybody.
const UNYIELDING: f32 = 1.0e6;

/// An agent as its neighbours see it; where it is stands in the buckets.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super::super) struct Body {
    pub(super) velocity: Vec2,
    pub(super) radius: f32,
    /// Of two agents the heavier gives way less. They share the work equally if they weigh the
    /// same, and the lighter does all of it from a difference of 1 on.
    pub(super) weight: f32,
}

impl Body {
    /// What there is to know of `agent`, whose number is `id`.
    #[inline]
    pub(in super::super::super) fn new(
        agent: &Placed,
        kind: &AgentType,
        arrival: ArrivalAction,
        seed: u64,
        id: u64,
    ) -> Self {
        let holds = agent.flags & (flag::ARRIVED | flag::OWN_TARGET) == flag::ARRIVED
            && arrival == ArrivalAction::Stop;
        let weight = if kind.avoidance != Avoidance::Orca
            || agent.state == AgentState::Scripted
            || agent.flags & flag::QUARANTINED != 0
        {
            UNYIELDING
        } else if agent.state == AgentState::Idle || holds {
            STANDING
        } else {
            let drawn = random::unit(random::keyed(seed, id, WEIGHT));
            kind.priority + VARIATION * (drawn - 0.5)
        };
        Self {
            velocity: agent.velocity,
            radius: kind.radius,
            weight,
        }
    }
}

/// The purpose of the number that an agent's weight is drawn from.
const WEIGHT: u64 = 0x5745_4947;
