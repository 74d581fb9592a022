//! Movement types: costs, clearance and speeds on terrain for one kind of agents.

use super::terrain_speed::SpeedTable;
use super::{BLOCKED, Clearance, CrowdPenalty, SlopeSpeed, TerrainSpeed, WallPenalty};
use crate::bytes::{Source as _, Unpacker, Writer};
use crate::error::{Error, Result};
use crate::terrain::{CLEAR, IdSet};

/// What terrain costs one kind of agents, and how much room they need (Emerson, Game AI Pro, 23.11).
#[derive(Debug, Clone, PartialEq)]
pub struct MovementType {
    table: [u8; 256],
    wall_penalty: WallPenalty,
    clearance: Clearance,
    crowd_penalty: CrowdPenalty,
    speeds: SpeedTable,
    slope_speed: SlopeSpeed,
}

impl Default for MovementType {
    /// The identity: the cost of a terrain id is the id itself, except for id 0, which is clear ground.
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
            slope_speed: SlopeSpeed::default(),
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
            slope_speed: SlopeSpeed::default(),
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

    /// This type with a clearance.
    #[must_use]
    pub fn with_clearance(self, clearance: Clearance) -> Self {
        Self { clearance, ..self }
    }

    /// This type with a surcharge on crowded cells, which swarms report
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

    /// The clearance for the largest agent.
    #[must_use]
    pub fn clearance(&self) -> Clearance {
        self.clearance
    }

    /// Whether on every terrain this type can only enter cells that `other` can enter too: every terrain that blocks
    /// `other` blocks this type, and its clearance is at least as large. True for a type and itself.
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

    /// This type with other speeds on terrain. The default is [`TerrainSpeed::default`].
    #[must_use]
    pub fn with_terrain_speed(self, speed: &TerrainSpeed) -> Self {
        let speeds = SpeedTable::new(speed, &self.table);
        Self { speeds, ..self }
    }

    /// This type with other speeds on slopes.
    #[must_use]
    pub fn with_slope_speed(self, slope_speed: SlopeSpeed) -> Self {
        Self {
            slope_speed,
            ..self
        }
    }

    /// The speeds on slopes.
    #[must_use]
    #[inline]
    pub fn slope_speed(&self) -> SlopeSpeed {
        self.slope_speed
    }

    /// The factor of an agent's speed on terrain `id`. Wall penalties and crowds do not change it.
    #[must_use]
    #[inline]
    pub fn speed_on(&self, id: u8) -> f32 {
        self.speeds.factors[usize::from(id)]
    }

    /// Whether any of the `ids` changes an agent's speed.
    pub(crate) fn is_slowed_by_any(&self, ids: &IdSet) -> bool {
        self.speeds.uneven.has_any_of(ids)
    }

    /// This type with the speeds of another one.
    pub(crate) fn with_speeds_of(self, other: &Self) -> Self {
        Self {
            speeds: other.speeds.clone(),
            slope_speed: other.slope_speed,
            ..self
        }
    }

    /// All numbers that tell this type from others, for saves.
    pub(crate) fn write(&self, out: &mut Writer) {
        // Every field is named, so that none is forgotten.
        let Self {
            table: _,
            wall_penalty: _,
            clearance: _,
            crowd_penalty: _,
            speeds,
            slope_speed,
        } = self;
        self.write_costs(out);
        let factors = speeds.factors.iter().copied();
        for number in factors.chain(slope_speed.numbers()) {
            out.u32(number.to_bits());
        }
    }

    /// Writes what costs depend on.
    pub(crate) fn write_costs(&self, out: &mut Writer) {
        out.bytes.extend(self.table);
        self.wall_penalty.write(out);
        out.u8(self.crowd_penalty.number());
        out.u32(self.clearance.radius().to_bits());
    }

    /// Reads what [`Self::write_costs`] has written. The speeds are the default ones.
    pub(crate) fn read_costs(input: &mut Unpacker<'_>) -> Result<Self> {
        let table = input.take(256)?.to_vec();
        let penalty = WallPenalty::read(input)?;
        let crowds = CrowdPenalty::new(input.u8()?.into());
        let clearance = Clearance::new(f32::from_bits(input.u32()?));
        match (Self::new(&table, penalty), crowds, clearance) {
            (Ok(kind), Ok(crowds), Ok(clearance)) => {
                Ok(kind.with_crowd_penalty(crowds).with_clearance(clearance))
            }
            _ => Err(input.bad("it has a movement type that makes no sense")),
        }
    }

    /// Whether both types have the same costs on every terrain. They may differ in speed.
    pub(crate) fn has_costs_of(&self, other: &Self) -> bool {
        let Self {
            table,
            wall_penalty,
            clearance,
            crowd_penalty,
            speeds: _,
            slope_speed: _,
        } = self;
        *table == other.table
            && *wall_penalty == other.wall_penalty
            && *clearance == other.clearance
            && *crowd_penalty == other.crowd_penalty
    }
}
