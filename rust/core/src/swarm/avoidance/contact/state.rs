//! The state of an agent's contacts that is kept between steps.

/// The integer that stands for 1 in [`ContactState::cap`] and the other shares, and in [`ContactState::queue`].
const WHOLE: f32 = 65535.0;
const WHOLE_QUEUE: f32 = 255.0;
/// An agent is queued if [`ContactState::queue`] is at least this.
const QUEUED: f32 = 0.1;

/// The state of an agent's contacts that is kept between steps. It is compact because every step reads and writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::swarm) struct ContactState {
    /// Not less than `conflict`.
    cap: u16,
    conflict: u16,
    turn: i16,
    held: u16,
    queue: u8,
    /// Only in a queue.
    is_abreast: bool,
}

impl Default for ContactState {
    fn default() -> Self {
        Self {
            cap: u16::MAX,
            conflict: 0,
            turn: 0,
            held: 0,
            queue: 0,
            is_abreast: false,
        }
    }
}

impl ContactState {
    pub(in crate::swarm) fn new(cap: f32, conflict: f32, turn: f32, held: f32) -> Self {
        // Conversions saturate.
        Self {
            cap: (cap * WHOLE) as u16,
            conflict: (conflict * WHOLE) as u16,
            turn: (turn * 0.5 * WHOLE) as i16,
            held: (held * WHOLE) as u16,
            queue: 0,
            is_abreast: false,
        }
    }

    /// The share of its speed to which leaders limit the agent, 0..=1.
    #[inline]
    pub(in crate::swarm) fn cap(self) -> f32 {
        f32::from(self.cap) / WHOLE
    }

    /// Whether the agent is alone: no leader limits it, and it is in no conflict and no queue.
    #[inline]
    pub(in crate::swarm) fn is_alone(self) -> bool {
        self.cap == u16::MAX && self.conflict == 0 && self.queue == 0
    }

    /// Whether an agent ahead blocks this one: a leader limits it, or one that goes elsewhere is in its way.
    #[inline]
    pub(in crate::swarm) fn is_blocked(self) -> bool {
        self.cap < u16::MAX || self.conflict == u16::MAX
    }

    /// The strength of the agent's conflict with agents that go elsewhere, 0..=1.
    #[inline]
    pub(in crate::swarm) fn conflict(self) -> f32 {
        f32::from(self.conflict) / WHOLE
    }

    /// How surely the agent stands in a queue before a bottleneck, 0..=1.
    #[inline]
    pub(in crate::swarm) fn queue(self) -> f32 {
        f32::from(self.queue) / WHOLE_QUEUE
    }

    /// Whether the agent stands in a queue before a bottleneck.
    #[inline]
    pub(in crate::swarm) fn is_queued(self) -> bool {
        self.queue() >= QUEUED
    }

    /// Whether agents go abreast through the bottleneck before which this one stands in a queue.
    #[inline]
    pub(in crate::swarm) fn is_abreast(self) -> bool {
        self.is_abreast
    }

    /// This state with another [`Self::queue`] and [`Self::is_abreast`].
    #[inline]
    pub(in crate::swarm) fn with_queue(self, queue: f32, is_abreast: bool) -> Self {
        self.with_queue_bits((queue * WHOLE_QUEUE) as u8)
            .with_abreast(is_abreast)
    }

    /// This state with another [`Self::is_abreast`] if it is one in a queue.
    pub(in crate::swarm) fn with_abreast(self, is_abreast: bool) -> Self {
        Self {
            is_abreast: is_abreast && self.queue > 0,
            ..self
        }
    }

    /// This state with another [`Self::turn`].
    #[inline]
    pub(in crate::swarm) fn with_turn(self, turn: f32) -> Self {
        let turn = (turn * 0.5 * WHOLE) as i16;
        Self { turn, ..self }
    }

    /// How far the agent turns from its preferred direction to pass others: the tangent of half the angle, -1..=1.
    #[inline]
    pub(in crate::swarm) fn turn(self) -> f32 {
        f32::from(self.turn) * (2.0 / WHOLE)
    }

    /// How long a conflict has held the agent up, as a share of the longest counted time, 0..=1.
    #[inline]
    pub(in crate::swarm) fn held(self) -> f32 {
        f32::from(self.held) / WHOLE
    }

    /// The queue as a number.
    pub(in crate::swarm) fn queue_bits(self) -> u8 {
        self.queue
    }

    /// This state with another [`Self::queue`], from [`Self::queue_bits`]. Every number is valid.
    pub(in crate::swarm) fn with_queue_bits(self, queue: u8) -> Self {
        Self { queue, ..self }
    }

    /// The state as one number, without the queue.
    pub(in crate::swarm) fn bits(self) -> u64 {
        let [a, b] = self.cap.to_le_bytes();
        let [c, d] = self.conflict.to_le_bytes();
        let [e, f] = self.turn.to_le_bytes();
        let [g, h] = self.held.to_le_bytes();
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    /// The state for a number from [`Self::bits`]. Every number is valid.
    pub(in crate::swarm) fn from_bits(bits: u64) -> Self {
        let [a, b, c, d, e, f, g, h] = bits.to_le_bytes();
        Self {
            cap: u16::from_le_bytes([a, b]),
            conflict: u16::from_le_bytes([c, d]),
            turn: i16::from_le_bytes([e, f]),
            held: u16::from_le_bytes([g, h]),
            queue: 0,
            is_abreast: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::swarm::avoidance::contact::ContactState;
    use crate::swarm::{AgentType, Avoidance, Swarm};
    use crate::workers::Workers;
    use crate::world::FlowWorld;
    use crate::{IVec2, Vec2, grid::Grid};

    /// Nothing brings it up to date then, and corners are not rounded by agents that leaders hold up.
    #[test]
    fn is_forgotten_when_no_type_uses_contacts_any_more() {
        let grid = Grid::new(IVec2::splat(16), 1.0, Vec2::ZERO).expect("valid");
        let world = FlowWorld::new(grid, Workers::serial());
        let mut swarm = Swarm::new(1);
        swarm
            .spawn(&world, &[Vec2::splat(8.0); 3], 0, 0)
            .expect("inside");
        let held_up = ContactState::new(0.0, 1.0, 0.5, 1.0);
        swarm.agents.contact.fill(held_up);
        swarm.set_types(&[AgentType::default()]).expect("valid");
        assert_eq!(swarm.agents.contact[0].bits(), held_up.bits());
        let pushed = AgentType {
            avoidance: Avoidance::Separation,
            ..AgentType::default()
        };
        swarm.set_types(&[pushed]).expect("valid");
        for state in &swarm.agents.contact {
            assert_eq!(state.bits(), ContactState::default().bits());
        }
    }
}
