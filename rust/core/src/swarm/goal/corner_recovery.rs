//! Corner recovery: steers agents that are stuck at a corner through the centres of cells.
//!
//! Directions lead a point to its goal, and a disc around the corners that the field records. Long lines of sight may
//! be off by part of a cell and cut the corner of a wall: a disc is then steered against that corner and stops there
//! for ever. Steering from cell centre to cell centre passes every corner.
//!
//! It does not apply to reciprocal avoidance, which handles walls itself; there, steering by cell centres blocked
//! crossings.

use crate::flow::nearest_step;
use crate::grid::STEPS;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::step::context::Context;
use crate::swarm::{AgentType, Avoidance};
use crate::world::FlowSource;
use glam::{IVec2, Vec2};

/// Seconds without progress after which an agent is held up.
const HELD_UP_SECONDS: f32 = 1.0;
/// The share of its speed from which on an agent is not held up.
const SLOW: f32 = 0.25;

impl Context<'_> {
    /// The direction of an agent with the wanted direction `direction`: unchanged, or towards the next cell if the
    /// agent is held up. `cell` is its cell, and `speed` its own speed there.
    #[inline]
    pub(in crate::swarm) fn round_corners(
        &self,
        flow: &impl FlowSource,
        agent: &SortedAgent,
        kind: &AgentType,
        (cell, speed): (IVec2, f32),
        direction: Vec2,
    ) -> Vec2 {
        let slow = SLOW * speed;
        let is_held_up = agent.velocity.length_squared() < slow * slow
            && self.agents.stalled[agent.index as usize] >= HELD_UP_SECONDS
            && kind.avoidance != Avoidance::Orca
            && self.agents.contact[agent.index as usize].cap() >= 1.0
            && direction != Vec2::ZERO;
        if !is_held_up {
            return direction;
        }
        self.to_next_cell(flow, agent, kind, cell)
            .unwrap_or(direction)
    }

    /// The direction to the centre of the next cell; `None` where no wall is beside the agent's cell.
    #[inline(never)]
    fn to_next_cell(
        &self,
        flow: &impl FlowSource,
        agent: &SortedAgent,
        kind: &AgentType,
        cell: IVec2,
    ) -> Option<Vec2> {
        let grid = self.world.grid();
        let middle = cell.as_vec2() + 0.5;
        let ahead = flow.sample_in(cell, middle, kind.radius / grid.cell_size());
        let legal = self.world.costs(kind.movement).steps_at(cell);
        let step = nearest_step(legal, ahead).filter(|_| legal != 0xFF)?;
        let next = middle + STEPS[step].as_vec2();
        (next - grid.to_cell_space(agent.position)).try_normalize()
    }
}
