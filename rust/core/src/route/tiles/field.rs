//! A tiled field: directions to a goal in the sectors where they are needed.

use super::super::sector_links::SectorLinks;
use super::super::sectors::Sectors;
use super::border;
use super::queue::TileQueue;
use super::tile::Content;
use crate::error::{Error, Result};
use crate::grid::floor_to_cell;
use crate::integrate::{Candidate, GoalCell, SCALES, Solver, StepScale, UNREACHED};
use crate::retired::Retired;
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// Directions to a goal for one movement type, tile by tile.
///
/// Active sectors count as the map, all others as walls. Once everything is built ([`Self::build`]), costs and
/// directions are those of a whole field on that map. Until then a sector has the directions that it had before, or
/// none.
#[derive(Debug, Clone)]
pub struct TiledField {
    pub(super) layout: Sectors,
    /// The solver, which defines what a path is.
    pub(super) solver: Solver,
    pub(super) links: Arc<SectorLinks>,
    /// Ordered by sector, row and column.
    pub(super) goals: Vec<Goal>,
    pub(super) slots: Vec<Slot>,
    pub(super) free: Vec<u32>,
    /// The slot of each sector; [`NO_SLOT`] if the sector is not active.
    pub(super) slot_of: Vec<u32>,
    /// The tiles to be solved when no tile is left to be raised.
    pub(super) settle: TileQueue,
    /// The tiles that may depend on costs that are too low: see [`super::edits`].
    pub(super) raise: TileQueue,
    pub(super) scale: usize,
    /// The number of tiles built since no tile was last left to be built.
    pub(super) attempts: usize,
    /// Whether tiles of the cache have contradicted each other. Tiles of the cache are then no longer used.
    pub(super) is_doubtful: bool,
}

pub(super) const NO_SLOT: u32 = u32::MAX;
/// The most active sectors for which memory is prepared.
const MOST_ROOM: usize = 2048;

/// A goal cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    sector: u32,
    pub(super) cell: IVec2,
    pub(super) cost: f32,
    pub(super) target: Option<Vec2>,
    /// Whether paths end at it: no other goal is cheaper to reach from it.
    pub(super) is_settled: bool,
}

/// An active sector.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) sector: u32,
    /// The content that agents follow.
    pub(super) served: Option<Content>,
    /// The content that other sectors are solved from.
    pub(super) published: Option<Content>,
    /// A bit for each cell along each side whose value is lost while raising.
    pub(super) lost: [u64; 4],
    /// The ends of links whose value is lost, relative to the sector's first cell.
    pub(super) lost_links: Vec<IVec2>,
}

impl Slot {
    pub(super) fn new(sector: u32) -> Self {
        Self {
            sector,
            served: None,
            published: None,
            lost: [0; 4],
            lost_links: Vec::new(),
        }
    }

    /// Returns true if no value along the border is lost.
    #[inline]
    pub(super) fn is_whole(&self) -> bool {
        self.lost == [0; 4]
    }

    /// The value that other sectors may use for a cell of a side.
    #[inline]
    pub(super) fn candidate(&self, size: IVec2, side: usize, at: i32) -> Candidate {
        match &self.published {
            Some(content) if self.lost[side / 2] >> at & 1 == 0 => {
                content.candidate(size, side, at)
            }
            _ => Candidate::NONE,
        }
    }
}

/// Memory for a field.
#[derive(Debug, Default)]
pub(crate) struct FieldMemory {
    /// Empty, with capacity.
    slots: Vec<Slot>,
    /// [`NO_SLOT`] for each sector.
    slot_of: Vec<u32>,
}

impl FieldMemory {
    /// Allocates memory for a route across a large map.
    pub(crate) fn with_room(layout: &Sectors) -> Self {
        let mut slots = Vec::new();
        // The system provides memory when it is first written.
        slots.resize_with((layout.count() / 32).min(MOST_ROOM), || Slot::new(0));
        slots.clear();
        Self {
            slots,
            slot_of: vec![NO_SLOT; layout.count()],
        }
    }

    /// Returns true if it was allocated for the same number of sectors.
    pub(crate) fn is_for(&self, layout: &Sectors) -> bool {
        self.slot_of.len() == layout.count()
    }
}

impl TiledField {
    /// Has its tiles freed in parts.
    pub(crate) fn retire(self, retired: &mut Retired) {
        retired.add(self.slots);
    }

    /// Makes a field to `goals` without active sectors. `targets` are their exact points in cell space.
    #[must_use]
    pub fn new(layout: Sectors, goals: &[GoalCell], targets: &[Vec2], solver: Solver) -> Self {
        Self::new_in(FieldMemory::default(), layout, (goals, targets), solver)
    }

    /// [`Self::new`] in prepared memory.
    pub(crate) fn new_in(
        memory: FieldMemory,
        layout: Sectors,
        (goals, targets): (&[GoalCell], &[Vec2]),
        solver: Solver,
    ) -> Self {
        let is_inside =
            |cell: IVec2| cell.cmpge(IVec2::ZERO).all() && cell.cmplt(layout.map_size()).all();
        let target_in = |cell: IVec2| {
            targets
                .iter()
                .copied()
                .find(|&at| floor_to_cell(at) == cell)
        };
        let mut goals: Vec<Goal> = goals
            .iter()
            .filter(|goal| is_inside(goal.cell))
            .map(|goal| Goal {
                sector: layout.at(goal.cell),
                cell: goal.cell,
                cost: goal.cost,
                target: target_in(goal.cell),
                is_settled: false,
            })
            .collect();
        goals.sort_by(|one, other| {
            one.key()
                .cmp(&other.key())
                .then(one.cost.total_cmp(&other.cost))
        });
        goals.dedup_by_key(|goal| goal.key());
        let FieldMemory { slots, mut slot_of } = memory;
        slot_of.resize(layout.count(), NO_SLOT);
        Self {
            layout,
            solver,
            links: Arc::default(),
            goals,
            slots,
            free: Vec::new(),
            slot_of,
            settle: TileQueue::default(),
            raise: TileQueue::default(),
            scale: 0,
            attempts: 0,
            is_doubtful: false,
        }
    }

    /// The map's division into sectors.
    #[must_use]
    pub fn layout(&self) -> &Sectors {
        &self.layout
    }

    /// The sectors of the goal cells, ascending, each once. Building begins there.
    #[must_use]
    pub fn goal_sectors(&self) -> Vec<u32> {
        let mut sectors: Vec<u32> = self.goals.iter().map(|goal| goal.sector).collect();
        sectors.dedup();
        sectors
    }

    /// Returns true if a sector is active.
    ///
    /// # Panics
    /// If the sector does not exist.
    #[must_use]
    pub fn is_active(&self, sector: u32) -> bool {
        self.slot_of[sector as usize] != NO_SLOT
    }

    /// Returns true if a sector is active and has been built.
    ///
    /// # Panics
    /// If the sector does not exist.
    #[must_use]
    pub fn is_built(&self, sector: u32) -> bool {
        self.slot(sector).is_some_and(|slot| slot.served.is_some())
    }

    /// The number of active sectors.
    #[must_use]
    pub fn active_count(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Makes sectors active.
    ///
    /// # Errors
    /// [`Error::UnknownId`] if a sector does not exist. Nothing is changed then.
    pub fn activate(&mut self, sectors: &[u32]) -> Result<()> {
        self.check(sectors)?;
        self.begin_raising();
        self.slots
            .reserve(sectors.len().saturating_sub(self.free.len()));
        for &sector in sectors {
            if self.is_active(sector) {
                continue;
            }
            let slot = if let Some(slot) = self.free.pop() {
                self.slots[slot as usize] = Slot::new(sector);
                slot
            } else {
                self.slots.push(Slot::new(sector));
                self.slots.len() as u32 - 1
            };
            self.slot_of[sector as usize] = slot;
            self.activated(sector, slot);
        }
        Ok(())
    }

    /// Makes sectors inactive and removes their tiles.
    ///
    /// # Errors
    /// As [`Self::activate`].
    pub fn deactivate(&mut self, sectors: &[u32]) -> Result<()> {
        self.check(sectors)?;
        self.begin_raising();
        for &sector in sectors {
            let slot = std::mem::replace(&mut self.slot_of[sector as usize], NO_SLOT);
            if slot == NO_SLOT {
                continue;
            }
            self.settle.remove(slot);
            self.raise.remove(slot);
            self.slots[slot as usize] = Slot::new(sector);
            self.free.push(slot);
            self.deactivated(sector);
        }
        Ok(())
    }

    fn check(&self, sectors: &[u32]) -> Result<()> {
        let unknown = sectors
            .iter()
            .find(|&&sector| sector as usize >= self.layout.count());
        match unknown {
            Some(&sector) => Err(Error::UnknownId {
                name: "sector",
                id: i64::from(sector),
            }),
            None => Ok(()),
        }
    }

    /// The stored costs of the cells along a sector's border; cells in corners come twice. `None` if the sector is not
    /// built.
    #[must_use]
    pub fn border_costs(&self, sector: u32) -> Option<Vec<(IVec2, u32)>> {
        let slot = self.slot(sector)?;
        slot.published.as_ref()?;
        let rect = self.layout.rect(sector);
        let size = rect.high - rect.low;
        let cells = [0, 2, 4, 6]
            .into_iter()
            .flat_map(|side| (0..border::length(size, side)).map(move |at| (side, at)));
        let costs = cells.map(|(side, at)| {
            let cell = rect.low + border::cell(size, side, at);
            (cell, slot.candidate(size, side, at).cost)
        });
        Some(costs.collect())
    }

    /// The scale of stored costs.
    #[must_use]
    pub fn scale(&self) -> StepScale {
        SCALES[self.scale]
    }

    /// Memory in bytes without the tiles, which are shared: see [`super::TileCache::statistics`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.slot_of.as_slice())
            + size_of_val(self.slots.as_slice())
            + size_of_val(self.goals.as_slice())
    }

    /// Memory of the tiles in use, in bytes.
    #[must_use]
    pub fn tile_bytes(&self) -> usize {
        let served = self.slots.iter().filter_map(|slot| slot.served.as_ref());
        served.map(Content::bytes).sum()
    }

    pub(super) fn slot(&self, sector: u32) -> Option<&Slot> {
        let slot = self.slot_of[sector as usize];
        (slot != NO_SLOT).then(|| &self.slots[slot as usize])
    }

    /// The slot of the neighbour of a sector, if that is active.
    #[inline]
    pub(super) fn slot_beside(&self, sector: u32, step: usize) -> Option<u32> {
        let other = self.layout.neighbour(sector, step)?;
        let slot = self.slot_of[other as usize];
        (slot != NO_SLOT).then_some(slot)
    }

    /// The set of steps from a sector to neighbours that are not active or do not exist.
    pub(super) fn closed_beside(&self, sector: u32) -> u8 {
        (0..8).fold(0, |set, step| {
            set | u8::from(self.slot_beside(sector, step).is_none()) << step
        })
    }

    /// The goals in a sector.
    pub(super) fn goals_in(&self, sector: u32) -> std::ops::Range<usize> {
        let from = self.goals.partition_point(|goal| goal.sector < sector);
        let count = self.goals[from..].partition_point(|goal| goal.sector == sector);
        from..from + count
    }

    pub(super) fn goal_at(&self, cell: IVec2) -> Option<&Goal> {
        let inside = cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.layout.map_size()).all();
        if !inside || self.goals.is_empty() {
            return None;
        }
        let key = (self.layout.at(cell), cell.y, cell.x);
        let found = self.goals.binary_search_by_key(&key, Goal::key);
        found.ok().map(|at| &self.goals[at])
    }

    /// The initial cost of a goal, as stored.
    pub(super) fn initial_cost(&self, goal: &Goal) -> u32 {
        (f64::from(goal.cost) * f64::from(self.scale().straight)).round() as u32
    }

    /// Queues an unsolved sector for its goals, if it has any.
    pub(super) fn queue_goals(&mut self, sector: u32, slot: u32) {
        let goals = &self.goals[self.goals_in(sector)];
        let least = goals.iter().map(|goal| self.initial_cost(goal)).min();
        if let Some(cost) = least {
            self.settle.push(slot, cost.min(UNREACHED - 1));
        }
    }
}

impl Goal {
    fn key(&self) -> (u32, i32, i32) {
        (self.sector, self.cell.y, self.cell.x)
    }
}
