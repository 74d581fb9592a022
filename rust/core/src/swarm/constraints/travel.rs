//! Moves an agent in a step, as far as walls and the map's edge allow.

use crate::swarm::AgentType;
use crate::swarm::constraints::velocity::velocity_over;
use crate::swarm::constraints::walls;
use crate::swarm::limits::MAX_STEP_CELLS;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;
use glam::Vec2;

/// The most that [`Context::slide_on`] lengthens a displacement by, as a multiple of it.
const FURTHER: f32 = 4.0;

impl Context<'_> {
    /// Moves the agent at `velocity` for the step, as far as walls allow.
    pub(in crate::swarm) fn travel(
        &self,
        agent: &SortedAgent,
        kind: &AgentType,
        velocity: Vec2,
        moved: &mut StepResult,
    ) {
        let grid = self.world.grid();
        let seconds = self.dt * kind.position_smoothing;
        let displacement = (velocity * seconds).clamp_length_max(MAX_STEP_CELLS * grid.cell_size());
        moved.velocity = velocity;
        if !self.settings.wall_correction {
            moved.position = self.end_of(agent.position, displacement, kind);
            return;
        }
        match self.slide(agent.position, displacement, kind) {
            None => moved.position = agent.position + displacement,
            Some(end) => {
                let end = if moved.contact.is_queued() {
                    self.slide_on(agent.position, end, displacement, kind)
                } else {
                    end
                };
                moved.is_near_wall = true;
                moved.position = end;
                moved.velocity = self.velocity_to(end, agent, kind, velocity);
            }
        }
    }

    /// The end of a displacement of an agent, as far as walls and the map's edge allow it.
    pub(in crate::swarm) fn end_of(
        &self,
        from: Vec2,
        displacement: Vec2,
        kind: &AgentType,
    ) -> Vec2 {
        if self.settings.wall_correction {
            self.slide(from, displacement, kind)
                .unwrap_or(from + displacement)
        } else {
            let (low, high) = self.world.grid().bounds();
            (from + displacement).clamp(low, high)
        }
    }

    /// The distance from an agent's rim at `place` to the nearest wall, at most a radius.
    pub(in crate::swarm) fn room_around(&self, place: Vec2, kind: &AgentType) -> f32 {
        let grid = self.world.grid();
        let radius = kind.radius / grid.cell_size();
        let costs = self.world.costs(kind.movement);
        let room = walls::room_around(costs, grid.to_cell_space(place), radius, radius);
        room * grid.cell_size()
    }

    /// The end of a displacement that walls limit; `None` if there are no walls near.
    #[inline]
    fn slide(&self, from: Vec2, displacement: Vec2, kind: &AgentType) -> Option<Vec2> {
        let grid = self.world.grid();
        let scale = 1.0 / grid.cell_size();
        let costs = self.world.costs(kind.movement);
        let start = grid.to_cell_space(from);
        let end = walls::slide(costs, start, displacement * scale, kind.radius * scale)?;
        Some(if end == start {
            from
        } else {
            grid.to_world(end)
        })
    }

    /// Where an agent gets at its full speed if it goes on along the wall that let it come to `end` only. It wanted to
    /// move by `wanted`.
    ///
    /// Agents are steered as points that just miss the corner of a wall. Discs meet it, and creep round it at the part
    /// of their speed that points past it. In a queue that closes the door for those behind.
    fn slide_on(&self, from: Vec2, end: Vec2, wanted: Vec2, kind: &AgentType) -> Vec2 {
        let done = end - from;
        let (most, length) = (wanted.length(), done.length());
        if length >= most || done.dot(wanted) <= 0.0 {
            return end;
        }
        let on = done * ((most - length) / length).min(FURTHER);
        self.slide(end, on, kind).unwrap_or(end + on)
    }

    /// The velocity of an agent that wanted to move at `velocity` and ended at `end`. Obstacles only reduce its speed.
    #[inline]
    pub(in crate::swarm) fn velocity_to(
        &self,
        end: Vec2,
        agent: &SortedAgent,
        kind: &AgentType,
        velocity: Vec2,
    ) -> Vec2 {
        let seconds = self.dt * kind.position_smoothing;
        velocity_over(end - agent.position, seconds, velocity.length())
    }
}
