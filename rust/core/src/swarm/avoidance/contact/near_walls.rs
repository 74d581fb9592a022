//! Walls inside the solver: agents that have been pushed into one are brought out again, in every pass.

use crate::swarm::avoidance::contact::band::{Band, NearWall, clear_for};
use crate::swarm::avoidance::contact::body::ContactBody;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use glam::Vec2;

/// How far an agent is brought along walls in a pass, in cells: what others push it farther, agents as large as the map, would
/// take as long as it is far.
const FARTHEST: f32 = 4.0;

/// What [`NearWall::room`] is before it is known.
const UNKNOWN: f32 = -1.0;

impl Band {
    /// Notes which agents have walls near, those of the row after the band apart.
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

    /// Brings agents out of walls that they have been pushed into: by the slide that moves agents, from where they were
    /// last, so that none passes through a wall. The `positions` are those of the band's agents.
    pub(super) fn leave_walls(
        &mut self,
        context: &Context<'_>,
        bodies: &[ContactBody],
        positions: &mut [Vec2],
    ) {
        let farthest = FARTHEST * context.world.grid().cell_size();
        for near in &mut self.near_walls {
            let position = &mut positions[near.row as usize];
            let way = *position - near.legal;
            // Not a number if it takes no part.
            if way == Vec2::ZERO || way.is_nan() {
                continue;
            }
            let body = &bodies[self.first + near.row as usize];
            let kind = &context.types[usize::from(body.kind)];
            if near.room < 0.0 {
                near.room = context.room_around(near.legal, kind);
            }
            let length = way.length();
            if length < near.room {
                near.room -= length;
            } else {
                let way = way.clamp_length_max(farthest);
                *position = context.end_of(near.legal, way, kind);
                near.room = UNKNOWN;
            }
            near.legal = *position;
        }
    }
}
