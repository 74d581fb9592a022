//! Streams: how much of the ground agents cover around a place, and where they go there.
//!
//! Agents look at it to get past those that do not go their way: slow ones, standing ones, and streams that cross. The
//! ground is cut into cells of two touches' width. Of each cell it is known which share agents cover, `n`, and the
//! sum of their velocities, each by the share that it covers and relative to its own speed, `V`. To go through it in a
//! direction `u` costs `3 max(0, n − V·u)`: nothing where all go along with `u`.

use crate::grid::Grid;
use crate::swarm::AgentType;
use crate::swarm::goal::brakes::NEAR;
use crate::swarm::neighbours::buckets::Buckets;
use crate::swarm::neighbours::sorted_agent::SortedAgent;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::agents::Agents;
use crate::workers::Workers;
use glam::{IVec2, Vec2};

/// Width of a cell, in radii of regular agents.
const WIDTH: f32 = 4.0;
/// What it costs to go through ground that is covered wholly by agents that stand.
const COST: f32 = 3.0;
/// Cells per piece of parallel work, at least.
const CHUNK: usize = 4096;

/// What agents do in a cell.
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
    /// Says that agents have nothing to look at.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Notes what all agents do. O(agents + cells).
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
        let most = (8 * agents.len()).clamp(1024, 1 << 20) as f32;
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

    /// What it costs to go through a place in a direction, between the middles of the cells around it.
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

/// What fills rows of cells.
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
    /// Fills whole rows, from `first` on, with the agents that are in them: those of each cell in bucket order, whatever
    /// rows are filled at once.
    fn fill(&self, first: usize, cells: &mut [Cell]) {
        cells.fill(Cell::default());
        let count = cells.len() / self.width as usize;
        let y = |row: usize| self.origin.y + row as f32 / self.inverse_size;
        // The outer rows also hold agents that are outside of the grid.
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
            if row >= count || is_at_its_place(agent, self.agents, kind) {
                continue;
            }
            let covered = kind.radius * kind.radius * area;
            let cell = &mut cells[row * self.width as usize + at.x as usize];
            cell.covered += covered;
            cell.velocity += agent.velocity * (covered / kind.max_speed);
        }
    }
}

/// Whether an agent is where it wants to be, or nearly: others may push it aside.
#[inline]
fn is_at_its_place(agent: &SortedAgent, agents: &Agents, kind: &AgentType) -> bool {
    if agent.flags & (flag::ARRIVED | flag::QUARANTINED) != 0 {
        return true;
    }
    let near = NEAR * kind.radius;
    agent.flags & flag::OWN_TARGET != 0
        && agents.target[agent.index as usize].distance_squared(agent.position) < near * near
}
