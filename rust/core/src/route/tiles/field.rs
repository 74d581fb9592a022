//! A tiled field: directions to a goal in the sectors where they are needed.

use super::super::sector_links::SectorLinks;
use super::super::sectors::Sectors;
use super::border;
use super::queue::TileQueue;
use super::tile::Content;
use crate::error::{Error, Result};
use crate::grid::floor_to_cell;
use crate::integrate::{Candidate, GoalCell, SCALES, Solver, StepScale, UNREACHED};
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// Directions to a goal for one movement type, tile by tile.
///
/// The sectors that are active count as the map, and all others as walls. Once everything is built
/// ([`Self::build`]), costs and directions are those of a whole field on that map. Until then a sector has
/// the directions it had before, or none.
#[derive(Debug, Clone)]
pub struct TiledField {
    pub(super) layout: Sectors,
    /// What a path is.
    pub(super) solver: Solver,
    pub(super) links: Arc<SectorLinks>,
    /// By sector, row and column.
    pub(super) goals: Vec<Goal>,
    pub(super) slots: Vec<Slot>,
    pub(super) free: Vec<u32>,
    /// By sector; [`NO_SLOT`] if it is not active.
    pub(super) slot_of: Vec<u32>,
    /// Tiles to be solved, once no tile is left to be raised.
    pub(super) settle: TileQueue,
    /// Tiles that rely on costs that may be too low: see [`super::edits`].
    pub(super) raise: TileQueue,
    pub(super) scale: usize,
    /// How many tiles have been built since nothing was left to be built.
    pub(super) attempts: usize,
    /// Whether tiles from the cache have turned out not to agree: from then on none is taken from there.
    pub(super) is_doubtful: bool,
}

pub(super) const NO_SLOT: u32 = u32::MAX;
/// For so many active sectors there is room at most in memory that is made ready.
const MOST_ROOM: usize = 2048;

/// A goal cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    sector: u32,
    pub(super) cell: IVec2,
    pub(super) cost: f32,
    pub(super) target: Option<Vec2>,
    /// Whether it is one to end at: no other goal is cheaper to reach from it.
    pub(super) is_settled: bool,
}

/// An active sector.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) sector: u32,
    /// What agents follow.
    pub(super) served: Option<Content>,
    /// What the sectors around may rely on.
    pub(super) published: Option<Content>,
    /// By side: the cells along it whose value has been given up.
    pub(super) lost: [u64; 4],
    /// The same of cells in which links end, from the first of the sector.
    pub(super) lost_links: Vec<IVec2>,
}

impl Slot {
    fn new(sector: u32) -> Self {
        Self {
            sector,
            served: None,
            published: None,
            lost: [0; 4],
            lost_links: Vec::new(),
        }
    }

    /// Whether the sectors around may rely on all that is published along the border.
    #[inline]
    pub(super) fn is_whole(&self) -> bool {
        self.lost == [0; 4]
    }

    /// What the sectors around may rely on in a cell of a side.
    #[inline]
    pub(super) fn offer(&self, size: IVec2, side: usize, at: i32) -> Candidate {
        match &self.published {
            Some(content) if self.lost[side / 2] >> at & 1 == 0 => content.offer(size, side, at),
            _ => Candidate::NONE,
        }
    }
}

/// Memory for a field.
#[derive(Debug, Default)]
pub(crate) struct FieldMemory {
    /// Empty, with room.
    slots: Vec<Slot>,
    /// [`NO_SLOT`] for each sector.
    slot_of: Vec<u32>,
}

impl FieldMemory {
    /// Memory for a way across a large map.
    pub(crate) fn with_room(layout: &Sectors) -> Self {
        let mut slots = Vec::new();
        // Written to, or it is not there.
        slots.resize_with((layout.count() / 32).min(MOST_ROOM), || Slot::new(0));
        slots.clear();
        Self {
            slots,
            slot_of: vec![NO_SLOT; layout.count()],
        }
    }

    /// Whether it has been made for so many sectors.
    pub(crate) fn is_for(&self, layout: &Sectors) -> bool {
        self.slot_of.len() == layout.count()
    }
}

/// The tiles of a field that is out of use. To free tens of thousands of tiles takes longer than a tick has.
#[derive(Debug)]
pub(crate) struct Retired(Vec<Slot>);

impl Retired {
    /// Frees up to so many tiles; whether none is left.
    pub(crate) fn free(&mut self, tiles: usize) -> bool {
        self.0.truncate(self.0.len().saturating_sub(tiles));
        self.0.is_empty()
    }
}

impl TiledField {
    /// What it holds, to be freed in parts.
    pub(crate) fn retire(self) -> Retired {
        Retired(self.slots)
    }

    /// A field to `goals` without any active sector. `targets` are their exact points, in cell space.
    #[must_use]
    pub fn new(layout: Sectors, goals: &[GoalCell], targets: &[Vec2], solver: Solver) -> Self {
        Self::new_in(FieldMemory::default(), layout, (goals, targets), solver)
    }

    /// As [`Self::new`], in memory for a field over the same sectors.
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

    /// The sectors of the goal cells, ascending, each once: where building begins.
    #[must_use]
    pub fn goal_sectors(&self) -> Vec<u32> {
        let mut sectors: Vec<u32> = self.goals.iter().map(|goal| goal.sector).collect();
        sectors.dedup();
        sectors
    }

    /// Whether a sector is active.
    ///
    /// # Panics
    /// If there is no such sector.
    #[must_use]
    pub fn is_active(&self, sector: u32) -> bool {
        self.slot_of[sector as usize] != NO_SLOT
    }

    /// Whether a sector is active and has been built.
    ///
    /// # Panics
    /// If there is no such sector.
    #[must_use]
    pub fn is_built(&self, sector: u32) -> bool {
        self.slot(sector).is_some_and(|slot| slot.served.is_some())
    }

    /// How many sectors are active.
    #[must_use]
    pub fn active_count(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Makes sectors active.
    ///
    /// # Errors
    /// [`Error::UnknownId`], and nothing is changed, if there is no such sector.
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

    /// Makes sectors inactive; their tiles are gone at once.
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

    /// The stored costs of the cells along a sector's border, those in its corners twice; `None` if it is not
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
            (cell, slot.offer(size, side, at).cost)
        });
        Some(costs.collect())
    }

    /// The scale of stored costs.
    #[must_use]
    pub fn scale(&self) -> StepScale {
        SCALES[self.scale]
    }

    /// Memory, in bytes, but for the tiles, which are shared: see [`super::TileCache::statistics`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.slot_of.as_slice())
            + size_of_val(self.slots.as_slice())
            + size_of_val(self.goals.as_slice())
    }

    /// Memory of the tiles that it uses, in bytes.
    #[must_use]
    pub fn tile_bytes(&self) -> usize {
        let served = self.slots.iter().filter_map(|slot| slot.served.as_ref());
        served.map(Content::bytes).sum()
    }

    pub(super) fn slot(&self, sector: u32) -> Option<&Slot> {
        let slot = self.slot_of[sector as usize];
        (slot != NO_SLOT).then(|| &self.slots[slot as usize])
    }

    /// The slot of the active sector beside another.
    #[inline]
    pub(super) fn slot_beside(&self, sector: u32, step: usize) -> Option<u32> {
        let other = self.layout.neighbour(sector, step)?;
        let slot = self.slot_of[other as usize];
        (slot != NO_SLOT).then_some(slot)
    }

    /// The set of steps to sectors around one that are not active, or that there are none.
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

    /// What a goal costs to end at, as stored.
    pub(super) fn initial_cost(&self, goal: &Goal) -> u32 {
        (f64::from(goal.cost) * f64::from(self.scale().straight)).round() as u32
    }

    /// Lets an unsolved sector with goals wait.
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
