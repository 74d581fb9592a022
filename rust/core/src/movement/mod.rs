//! A movement type turns terrain into the cost of moving through it.

mod changes;
mod clearance;
mod cost_field;
mod crowding;
mod islands;
mod line_of_sight;
mod nearby_walls;
mod nearest_cell;
mod terrain_speed;
mod wall_penalty;

pub use changes::Changes;
pub use clearance::{CLEARANCE_TOLERANCE, Clearance, MAX_CLEARANCE};
pub(crate) use cost_field::Excerpt;
pub use cost_field::{CostField, STEPS, offsets};
pub(crate) use crowding::{BlockLevels, CROWDING_BLOCK};
pub use crowding::{CrowdPenalty, MOST_CROWDING};
pub use islands::Islands;
pub(crate) use nearest_cell::nearest_cell;
pub use terrain_speed::{SPEED_FACTORS, TerrainSpeed};
pub use wall_penalty::{Falloff, MAX_PENALTY_RADIUS, WallPenalty};

use crate::error::{Error, Result};
use crate::terrain::CLEAR;
use terrain_speed::SpeedTable;

/// Cost of a cell that cannot be entered.
pub const BLOCKED: u8 = 255;
/// The greatest cost of a cell that can be entered.
pub const MAX_COST: u8 = 254;

/// How one kind of agent sees the terrain (Emerson, Game AI Pro, 23.11).
#[derive(Debug, Clone, PartialEq)]
pub struct MovementType {
    table: [u8; 256],
    wall_penalty: WallPenalty,
    clearance: Clearance,
    crowd_penalty: CrowdPenalty,
    speeds: SpeedTable,
}

impl Default for MovementType {
    /// The identity: terrain id and cost are the same number, with id 0 as clear ground.
    fn default() -> Self {
        let mut table = [0; 256];
        for (id, cost) in (0..=u8::MAX).zip(&mut table) {
            *cost = id.max(CLEAR);
        }
        Self {
            table,
            wall_penalty: WallPenalty::default(),
            clearance: Clearance::default(),
            crowd_penalty: CrowdPenalty::default(),
            speeds: SpeedTable::new(&TerrainSpeed::default(), &table),
        }
    }
}

impl MovementType {
    /// A movement type with cost `table[id]` for terrain `id`: 1 is clear, 2..=254 is slower,
    /// 255 is a wall.
    ///
    /// # Errors
    /// [`Error::Length`] unless there are 256 entries, [`Error::CostTable`] for a cost of 0, which
    /// would make distances meaningless.
    pub fn new(table: &[u8], wall_penalty: WallPenalty) -> Result<Self> {
        let table: [u8; 256] = table.try_into().map_err(|_| Error::Length {
            name: "cost_table",
            expected: 256,
            actual: table.len(),
        })?;
        if let Some(index) = table.iter().position(|&cost| cost == 0) {
            return Err(Error::CostTable { index });
        }
        Ok(Self {
            table,
            wall_penalty,
            clearance: Clearance::default(),
            crowd_penalty: CrowdPenalty::default(),
            speeds: SpeedTable::new(&TerrainSpeed::default(), &table),
        })
    }

    /// The identity table with a wall penalty.
    #[must_use]
    pub fn with_wall_penalty(wall_penalty: WallPenalty) -> Self {
        Self {
            wall_penalty,
            ..Self::default()
        }
    }

    /// The same for agents that need room.
    #[must_use]
    pub fn with_clearance(self, clearance: Clearance) -> Self {
        Self { clearance, ..self }
    }

    /// The same for agents that shun crowds, as swarms report them
    /// ([`Swarm::report_crowding`](crate::swarm::Swarm::report_crowding)).
    #[must_use]
    pub fn with_crowd_penalty(self, crowd_penalty: CrowdPenalty) -> Self {
        Self {
            crowd_penalty,
            ..self
        }
    }

    /// The surcharge in crowds.
    #[must_use]
    pub fn crowd_penalty(&self) -> CrowdPenalty {
        self.crowd_penalty
    }

    /// The room that the largest agent needs.
    #[must_use]
    pub fn clearance(&self) -> Clearance {
        self.clearance
    }

    /// Whether, on any terrain, this type can go nowhere that `other` cannot: each terrain that stops
    /// `other` stops it too, and it needs as much room. Every type is so against itself.
    #[must_use]
    pub fn is_as_restrictive_as(&self, other: &Self) -> bool {
        let stopped = |kind: &Self, id: usize| kind.table[id] == BLOCKED;
        (0..self.table.len()).all(|id| stopped(self, id) || !stopped(other, id))
            && (self.clearance.radius() >= other.clearance.radius() || other.clearance.reach() == 0)
    }

    /// The cost of terrain `id` before any wall penalty.
    #[must_use]
    pub fn cost_of(&self, id: u8) -> u8 {
        self.table[usize::from(id)]
    }

    /// The surcharge near walls.
    #[must_use]
    pub fn wall_penalty(&self) -> WallPenalty {
        self.wall_penalty
    }
}
