//! Walls inside the solver: in every pass, agents that were pushed into a wall are moved out of it again.

use crate::swarm::avoidance::contact::band::{Band, NearWall, clear_for};
use crate::swarm::avoidance::contact::body::ContactBody;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use glam::Vec2;

/// The longest slide along walls in a pass, in cells. The time of a slide is proportional to its length, and agents as
/// large as the map push others very far.
const FARTHEST: f32 = 4.0;

/// The value of [`NearWall::room`] while it is unknown.
const UNKNOWN: f32 = -1.0;

impl Band {
    /// Lists the agents of the band that are near walls. Agents of the row after the band are not in the list.
    pub(super) fn find_near_walls(&mut self, moved: &[StepResult]) {
        clear_for(&mut self.near_walls, 1, self.end - self.first);
        let rows = (0..).zip(&moved[self.first..self.end]);
        let near = rows.filter(|(_, moved)| moved.is_near_wall);
        self.near_walls.extend(near.map(|(row, moved)| NearWall {
            row,
            legal: moved.position,
            room: UNKNOWN,
        }));
    }

    /// Moves agents out of walls that they were pushed into. It uses the slide that moves agents, from their last legal
    /// position, so that no agent passes through a wall. The `positions` are those of the band's agents.
    pub(super) fn leave_walls(
        &mut self,
        context: &Context<'_>,
        bodies: &[ContactBody],
        positions: &mut [Vec2],
    ) {
        let farthest = FARTHEST * context.world.grid().cell_size();
        for near in &mut self.near_walls {
            let position = &mut positions[near.row as usize];
            let displacement = *position - near.legal;
            // NaN if the agent takes no part.
            if displacement == Vec2::ZERO || displacement.is_nan() {
                continue;
            }
            let body = &bodies[self.first + near.row as usize];
            let kind = &context.types[usize::from(body.kind)];
            if near.room < 0.0 {
                near.room = context.room_around(near.legal, kind);
            }
            let length = displacement.length();
            if length < near.room {
                near.room -= length;
            } else {
                let displacement = displacement.clamp_length_max(farthest);
                *position = context.end_of(near.legal, displacement, kind);
                near.room = UNKNOWN;
            }
            near.legal = *position;
        }
    }
}
