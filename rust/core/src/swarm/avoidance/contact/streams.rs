//! Streams: the coverage and mean movement of agents, on a coarse grid.
//!
//! Agents sample it to pass agents that do not go their way: slow ones, standing ones and crossing streams. A cell is
//! two diameters of regular agents wide. It holds the share of its area that agents cover, `n`, and the sum of their
//! velocities, each relative to the agent's own speed and weighted by the share that it covers, `V`. Moving through a
//! cell in a direction `u` costs `3 max(0, n − V·u)`, which is 0 where all agents go along `u`.

use crate::grid::Grid;
use crate::swarm::AgentType;
use crate::swarm::goal::brakes::NEAR;
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::Agents;
use crate::workers::Workers;
use glam::{IVec2, Vec2};

/// Width of a cell, in radii of regular agents.
const WIDTH: f32 = 4.0;
/// The cost of a cell that standing agents cover completely.
const COST: f32 = 3.0;
/// Cells per piece of parallel work, at least.
const CHUNK: usize = 4096;

/// The agents in a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    covered: f32,
    velocity: Vec2,
}

#[derive(Debug, Default)]
pub(in crate::swarm) struct Streams {
    origin: Vec2,
    inverse_size: f32,
    size: IVec2,
    cells: Vec<Cell>,
}

impl Streams {
    /// Empties the map, so that agents sample nothing.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Fills the map with all agents. O(agents + cells).
    pub(super) fn fill(
        &mut self,
        grid: &Grid,
        agents: &Agents,
        types: &[AgentType],
        buckets: &Buckets,
        workers: &Workers,
    ) {
        let (low, high) = grid.bounds();
        let extent = high - low;
        let most = (8 * buckets.living()).clamp(1024, 1 << 20) as f32;
        let width = (WIDTH * buckets.regular_radius())
            .max((extent.x * extent.y / most).sqrt())
            .max(extent.max_element() / most);
        self.origin = low;
        self.inverse_size = 1.0 / width;
        self.size = (extent * self.inverse_size).as_ivec2() + 2;
        self.cells
            .resize((self.size.x * self.size.y) as usize, Cell::default());
        let rows = Rows {
            origin: low,
            inverse_size: self.inverse_size,
            width: self.size.x,
            last: self.size - 1,
            agents,
            types,
            buckets,
        };
        let length = CHUNK.next_multiple_of(self.size.x as usize);
        workers.for_each_chunk(&mut self.cells, length, |offset, cells| {
            rows.fill(offset / self.size.x as usize, cells);
        });
    }

    /// The cost of moving through a place in a direction, interpolated between the centres of the cells around it.
    #[inline]
    pub(super) fn cost(&self, place: Vec2, direction: Vec2) -> f32 {
        let at = ((place - self.origin) * self.inverse_size - 0.5)
            .clamp(Vec2::ZERO, self.size.as_vec2() - 1.001);
        let corner = at.as_ivec2();
        let share = at - corner.as_vec2();
        let index = (corner.y * self.size.x + corner.x) as usize;
        let of = |index: usize| {
            let cell = &self.cells[index];
            (cell.covered - cell.velocity.dot(direction)).max(0.0)
        };
        let below = index + self.size.x as usize;
        let upper = of(index) + (of(index + 1) - of(index)) * share.x;
        let lower = of(below) + (of(below + 1) - of(below)) * share.x;
        COST * (upper + (lower - upper) * share.y)
    }
}

/// Fills rows of cells.
struct Rows<'a> {
    origin: Vec2,
    inverse_size: f32,
    width: i32,
    last: IVec2,
    agents: &'a Agents,
    types: &'a [AgentType],
    buckets: &'a Buckets,
}

impl Rows<'_> {
    /// Fills whole rows from `first` on. The agents of a cell are added in bucket order, whichever rows are filled
    /// together.
    fn fill(&self, first: usize, cells: &mut [Cell]) {
        cells.fill(Cell::default());
        let count = cells.len() / self.width as usize;
        let y = |row: usize| self.origin.y + row as f32 / self.inverse_size;
        // The outer rows also hold the agents outside of the grid.
        let last_row = self.buckets.row_count() - 1;
        let low = self.buckets.row_at(y(first)).max(1) as usize - 1;
        let high = (self.buckets.row_at(y(first + count)) as usize + 1).min(last_row);
        let area = self.inverse_size * self.inverse_size * std::f32::consts::PI;
        let places = self.buckets.row_start(low)..self.buckets.row_start(high + 1);
        for agent in &self.buckets.sorted()[places] {
            let at = ((agent.position - self.origin) * self.inverse_size)
                .as_ivec2()
                .clamp(IVec2::ZERO, self.last);
            let row = (at.y as usize).wrapping_sub(first);
            let kind = &self.types[usize::from(agent.kind)];
            if row >= count || is_no_obstacle(agent, self.agents, kind) {
                continue;
            }
            let covered = kind.radius * kind.radius * area;
            let cell = &mut cells[row * self.width as usize + at.x as usize];
            cell.covered += covered;
            cell.velocity += agent.velocity * (covered / kind.max_speed);
        }
    }
}

/// Whether others may go through the place of an agent: it is on a link, or at or near its target, where they may push
/// it aside.
#[inline]
fn is_no_obstacle(agent: &SortedAgent, agents: &Agents, kind: &AgentType) -> bool {
    let is_out = agent.flags & (flag::ARRIVED | flag::QUARANTINED) != 0;
    if is_out || agent.state == AgentState::Travelling {
        return true;
    }
    let near = NEAR * kind.radius;
    agent.flags & flag::OWN_TARGET != 0
        && agents.target[agent.index as usize].distance_squared(agent.position) < near * near
}
