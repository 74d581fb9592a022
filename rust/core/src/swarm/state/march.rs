//! Formations on the way to their destination.

use crate::swarm::state::agent_id::AgentId;
use glam::Vec2;
use std::collections::VecDeque;

/// The greatest number of points of a trail, and the greatest offset of a slot in half spacings.
pub(in crate::swarm) const MOST_OFFSET: i32 = 1 << 16;

/// The least distance between slots, in world units.
pub(in crate::swarm) const LEAST_SPACING: f32 = 1.0e-6;

/// A formation that moves. A leader, which is only a point, walks along the field; slots follow behind it on its trail.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::swarm) struct March {
    /// The order whose goal the leader goes to.
    pub(in crate::swarm) order: u16,
    pub(in crate::swarm) members: Vec<Member>,
    /// The position of the leader, the middle of the front rank.
    pub(in crate::swarm) leader: Vec2,
    /// The unit vector of its direction.
    pub(in crate::swarm) ahead: Vec2,
    /// Former positions of the leader, the newest first, half a spacing apart.
    pub(in crate::swarm) trail: VecDeque<Vec2>,
    /// World units between slots.
    pub(in crate::swarm) spacing: f32,
    /// The centre, shape and heading of the formation at the destination; a heading of zero stands for that of the
    /// march.
    pub(in crate::swarm) center: Vec2,
    pub(in crate::swarm) shape: u8,
    pub(in crate::swarm) heading: Vec2,
}

/// An agent in a moving formation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::swarm) struct Member {
    pub(in crate::swarm) id: AgentId,
    /// The offset of its slot to the side of the trail, in half spacings.
    pub(in crate::swarm) file: i32,
    /// The offset of its slot behind the leader, in half spacings.
    pub(in crate::swarm) rank: i32,
    /// The position of its slot.
    pub(in crate::swarm) place: Vec2,
    /// The own target that the march has given it. An agent with another one has left the march.
    pub(in crate::swarm) target: Vec2,
}

impl March {
    /// The offset of the last slot behind the leader, in half spacings.
    pub(in crate::swarm) fn depth(&self) -> i32 {
        let ranks = self.members.iter().map(|member| member.rank);
        ranks.max().unwrap_or(0)
    }

    /// Notes that the leader has moved.
    pub(in crate::swarm) fn note_trail(&mut self) {
        let apart = 0.5 * self.spacing;
        let newest = self.trail.front().copied().unwrap_or(self.leader);
        let gone = self.leader.distance(newest);
        if self.trail.is_empty() || gone >= apart {
            // In a straight line: the leader moves less than that in a step, except through links.
            self.trail
                .push_front(if gone > 2.0 * apart || self.trail.is_empty() {
                    self.leader
                } else {
                    newest + (self.leader - newest) * (apart / gone)
                });
        }
        self.trail.truncate(self.depth() as usize + 3);
    }

    /// The point on the trail some half spacings behind the leader. Before the trail begins it goes on in a straight
    /// line.
    pub(in crate::swarm) fn behind(&self, offset: f32) -> Vec2 {
        let apart = 0.5 * self.spacing;
        let Some(&newest) = self.trail.front() else {
            return self.leader - self.ahead * (offset * apart);
        };
        let first = self.leader.distance(newest) / apart;
        if offset <= first {
            let share = if first > 0.0 { offset / first } else { 0.0 };
            return self.leader.lerp(newest, share);
        }
        let along = offset - first;
        let number = along as usize;
        match (self.trail.get(number), self.trail.get(number + 1)) {
            (Some(&one), Some(&other)) => one.lerp(other, along.fract()),
            _ => {
                let last = self.trail.len() - 1;
                let oldest = self.trail[last];
                let before = if last > 0 {
                    self.trail[last - 1]
                } else {
                    self.leader
                };
                let direction = (before - oldest).normalize_or(self.ahead);
                oldest - direction * ((along - last as f32).max(0.0) * apart)
            }
        }
    }

    /// The unit vector in which the trail leads on, some half spacings behind the leader.
    pub(in crate::swarm) fn direction_at(&self, offset: f32) -> Vec2 {
        let (front, back) = (
            self.behind((offset - 1.0).max(0.0)),
            self.behind(offset + 1.0),
        );
        (front - back).normalize_or(self.ahead)
    }
}
