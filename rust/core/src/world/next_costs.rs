//! The costs of a changed or added movement type or after a large edit, which are written row by row while others stay
//! in use.
//!
//! They follow from the terrain, links, crowds and overlays that the simulation knows, and nothing reads them before
//! they are complete. So a save and a snapshot need the movement type and the number of rows alone: what follows a load
//! writes these rows anew. Edits of written rows are applied at once, and those of other rows by writing them.
//!
//! Another movement type and large edits do not interrupt them: the costs in work are completed and taken into use, and
//! then those of the newest type on the present terrain are written. So each update has little work, and costs come
//! into use even if types or terrain change in every update.

use crate::grid::links::Links;
use crate::grid::seams::Seams;
use crate::grid::{CellRect, Grid};
use crate::movement::{CostField, MovementType, Surcharge};
use crate::retired::Retired;
use crate::terrain::Terrain;
use crate::world::costs_on::{costs_on, unwritten_costs};
use crate::world::former_terrain::FormerTerrain;
use crate::world::surcharges::Surcharges;
use glam::IVec2;
use std::sync::Arc;

/// The cells whose costs take as long as a cell of a field that is solved, without clearance and wall penalty.
const CELLS_OF_WORK: usize = 16;

/// The work of writing the costs of so many cells for a movement type, in cells of a field that is solved.
pub(super) fn work_on(kind: &MovementType, cells: usize) -> usize {
    let reach = kind.wall_penalty().reach() + kind.clearance().reach();
    (cells * (4 + reach) / 4).div_ceil(CELLS_OF_WORK)
}

/// The work of changing the costs of so many cells at once, in the same unit: what has changed is also recorded, and
/// graphs and fields follow.
pub(super) fn work_at_once(kind: &MovementType, cells: usize) -> usize {
    work_on(kind, CELLS_OF_WORK * cells)
}

/// What costs follow from, besides the movement type.
#[derive(Clone, Copy)]
pub(super) struct CostSources<'a> {
    pub(super) grid: &'a Grid,
    pub(super) terrain: &'a Terrain,
    pub(super) links: &'a Arc<Links>,
    pub(super) seams: &'a Arc<Seams>,
    pub(super) surcharges: &'a Surcharges,
}

impl<'a> CostSources<'a> {
    /// The same, on a former terrain if there is one.
    pub(super) fn on(self, former: Option<&'a FormerTerrain>) -> Self {
        match former {
            None => self,
            Some(former) => Self {
                terrain: &former.terrain,
                seams: &former.seams,
                ..self
            },
        }
    }

    /// The costs of a movement type, all at once.
    pub(super) fn costs(&self, movement: usize, kind: &MovementType) -> CostField {
        let ground = (self.grid, self.terrain);
        let mut costs = costs_on(ground, kind, (self.links, self.seams));
        let rows = self.grid.cells();
        costs.lay_surcharges(&self.surcharges.in_rows(rows, movement, kind));
        costs
    }

    fn costs_without_rows(&self, kind: &MovementType) -> CostField {
        unwritten_costs(self.grid, kind, (self.links, self.seams))
    }
}

/// A movement type whose costs are not in use yet. A clone has none of the rows in memory, but can take them over from
/// the original: as they are, or after what was edited since is edited back ([`super::rolled_back`]).
#[derive(Debug)]
pub(super) struct NextCosts {
    /// The type by which they are made. Its speeds are not used.
    pub(super) kind: MovementType,
    /// The rows that count as written, from the first on.
    rows: usize,
    /// The costs, with as many rows; fewer after a load, and others after a rollback.
    costs: Option<CostField>,
    /// Whether the movement type was added and has had no costs of its own.
    are_first_ones: bool,
    /// Stands for all that the costs follow from. Each edit replaces it.
    made_from: Arc<()>,
}

impl Clone for NextCosts {
    fn clone(&self) -> Self {
        Self {
            are_first_ones: self.are_first_ones,
            made_from: Arc::clone(&self.made_from),
            ..Self::with_rows(self.kind.clone(), self.rows)
        }
    }
}

impl NextCosts {
    /// The costs of a movement type, of which so many rows count as written.
    pub(super) fn with_rows(kind: MovementType, rows: usize) -> Self {
        Self {
            kind,
            rows,
            costs: None,
            are_first_ones: false,
            made_from: Arc::default(),
        }
    }

    /// The costs of a movement type, from the first row on.
    pub(super) fn begin(kind: MovementType) -> Self {
        Self::with_rows(kind, 0)
    }

    /// Complete ones.
    pub(super) fn complete(kind: MovementType, costs: CostField) -> Self {
        let rows = costs.height();
        Self {
            costs: Some(costs),
            ..Self::with_rows(kind, rows)
        }
    }

    /// The same for a movement type that has had no costs of its own.
    pub(super) fn into_first_ones(self) -> Self {
        Self {
            are_first_ones: true,
            ..self
        }
    }

    /// Whether the movement type has had no costs of its own.
    pub(super) fn are_first_ones(&self) -> bool {
        self.are_first_ones
    }

    /// Takes over the rows of `known`, in whose place a rollback has put this copy, if both follow from the same. It
    /// may have more rows or fewer. Otherwise it is returned.
    pub(super) fn recognize(&mut self, known: Self) -> Option<Self> {
        if !Arc::ptr_eq(&self.made_from, &known.made_from) {
            return Some(known);
        }
        self.costs = known.costs;
        None
    }

    /// Takes over the rows of `known`, once they are edited to follow from `sources` too.
    pub(super) fn take_edited(
        &mut self,
        known: Self,
        sources: CostSources<'_>,
        regions: &[CellRect],
        surcharges: &[(IVec2, Surcharge)],
    ) {
        let made_from = Arc::clone(&self.made_from);
        self.costs = known.costs;
        self.set_links(sources.links, sources.seams);
        self.edit(sources.terrain, regions, surcharges);
        self.made_from = made_from;
    }

    /// Whether editing so many cells takes less work than writing the rows that are in memory anew.
    pub(super) fn is_worth_editing(&self, cells: usize) -> bool {
        let written = |costs: &CostField| costs.written_rows() * costs.width();
        CELLS_OF_WORK * cells <= self.costs.as_ref().map_or(0, written)
    }

    /// Takes the costs of what it follows from, which had come into use before a rollback to this copy.
    pub(super) fn take_complete(&mut self, costs: Arc<CostField>) {
        self.costs = Some(Arc::unwrap_or_clone(costs));
    }

    /// The costs with the rows that are in memory, if there are any.
    pub(super) fn into_costs(self) -> Option<CostField> {
        self.costs
    }

    /// What stands for all that the costs follow from.
    pub(super) fn made_from(&self) -> &Arc<()> {
        &self.made_from
    }

    /// The number of rows that count as written.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Whether any row is written. Until then others can take their place.
    pub(super) fn are_begun(&self) -> bool {
        self.rows > 0
    }

    /// Whether all rows of the grid are written.
    pub(super) fn is_complete(&self, grid: &Grid) -> bool {
        self.rows == grid.height() as usize
    }

    /// The memory of the costs so far in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.costs.as_ref().map_or(0, CostField::bytes)
    }

    /// Writes rows for a `budget` of work, which it reduces: at least one, if there is any. What is too little for
    /// another row counts as used.
    pub(super) fn advance(
        &mut self,
        sources: CostSources<'_>,
        movement: usize,
        budget: &mut usize,
    ) {
        let left = sources.grid.height() as usize - self.rows;
        let work = work_on(&self.kind, sources.grid.width() as usize);
        let least = usize::from(*budget > 0);
        let rows = (*budget / work).max(least).min(left);
        *budget = match rows < left {
            true => 0,
            false => budget.saturating_sub(rows * work),
        };
        self.rows += rows;
        self.costs = Some(self.caught_up(sources, movement));
    }

    /// The complete costs. The rows that are not written yet are written at once.
    pub(super) fn finish(mut self, sources: CostSources<'_>, movement: usize) -> CostField {
        self.rows = sources.grid.height() as usize;
        self.caught_up(sources, movement)
    }

    /// Has the memory given back in parts.
    pub(super) fn retire(self, retired: &mut Retired) {
        if let Some(costs) = self.costs {
            costs.retire(retired);
        }
    }

    /// Applies an edit of terrain and surcharges.
    pub(super) fn edit(
        &mut self,
        terrain: &Terrain,
        regions: &[CellRect],
        surcharges: &[(IVec2, Surcharge)],
    ) {
        // Those that are made for the terrain before a large edit do not change with it.
        if regions.is_empty() && surcharges.is_empty() {
            return;
        }
        self.made_from = Arc::default();
        let Some(costs) = &mut self.costs else {
            return;
        };
        if !regions.is_empty() {
            costs.update(terrain, &self.kind, regions);
        }
        let end = costs.written_rows() as i32;
        let written = surcharges.partition_point(|(cell, _)| cell.y < end);
        costs.lay_surcharges(&surcharges[..written]);
    }

    /// Sets the links. Edits of the cells around seams that changed must follow.
    pub(super) fn set_links(&mut self, links: &Arc<Links>, seams: &Arc<Seams>) {
        self.made_from = Arc::default();
        if let Some(costs) = &mut self.costs {
            costs.set_links(Arc::clone(links));
            costs.set_seams(Arc::clone(seams));
        }
    }

    /// Takes the costs, after writing the rows that count as written.
    fn caught_up(&mut self, sources: CostSources<'_>, movement: usize) -> CostField {
        let costs = self.costs.take();
        let mut costs = costs.unwrap_or_else(|| sources.costs_without_rows(&self.kind));
        let begin = costs.written_rows();
        if begin < self.rows {
            costs.write_rows(sources.terrain, &self.kind, self.rows);
            let mut rows = sources.grid.cells();
            (rows.low.y, rows.high.y) = (begin as i32, self.rows as i32);
            let surcharges = sources.surcharges.in_rows(rows, movement, &self.kind);
            costs.lay_surcharges(&surcharges);
        }
        costs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::links::Link;
    use crate::grid::travel::Travel;
    use crate::movement::WallPenalty;
    use crate::workers::Workers;
    use crate::world::FlowWorld;
    use glam::Vec2;

    /// Otherwise the next update would write the rows of the whole map: 44 ms on 4096×4096 cells.
    #[test]
    fn a_rollback_over_their_coming_into_use_finds_them_again() {
        for edit in [None, Some(false), Some(true)] {
            let grid = Grid::new(IVec2::splat(120), 1.0, Vec2::ZERO).expect("valid");
            let mut world = FlowWorld::new(grid, Workers::serial());
            world.set_update_cells(300);
            world.update();
            let costs: Vec<u8> = (0..=255).map(|id: u8| id.max(3)).collect();
            let kind = MovementType::new(&costs, WallPenalty::default()).expect("valid");
            world.set_movement_types(&[kind]).expect("one");
            world.update();
            let back = world.snapshot();
            let rows = world.layers[0].next.as_ref().expect("in work").rows();
            assert!(0 < rows && rows < 120);
            let mut hashes = Vec::new();
            while world.has_next_costs() {
                world.update();
                hashes.push(world.world_hash());
            }
            if edit == Some(false) {
                world.set_terrain(IVec2::splat(9), 7).expect("inside");
            }
            if edit == Some(true) {
                let link = Link {
                    from: IVec2::splat(3),
                    to: IVec2::splat(90),
                    cost: 2.0,
                    both_ways: true,
                    travel: Travel::Walk,
                };
                world.add_links(&[link]).expect("inside");
            }
            world.update();
            world.restore(&back).expect("the same settings");
            let next = world.layers[0].next.as_ref().expect("in work");
            let written = next.costs.as_ref().map(CostField::written_rows);
            assert_eq!(next.rows(), rows);
            assert_eq!(written, Some(120));
            for hash in hashes {
                world.update();
                assert_eq!(world.world_hash(), hash);
            }
            assert!(!world.has_next_costs());
        }
    }

    #[test]
    fn a_rollback_keeps_complete_costs_although_others_follow_them() {
        let grid = Grid::new(IVec2::splat(120), 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_update_cells(300);
        world.update();
        let penalty = WallPenalty::new(9, 2, true).expect("in range");
        let kind = MovementType::with_wall_penalty(penalty);
        world.set_movement_types(&[kind]).expect("one");
        world.update();
        let back = world.snapshot();
        // Large, and little beside the rows that are written.
        let low = IVec2::splat(9);
        let rect = CellRect {
            low,
            high: low + 15,
        };
        world.set_terrain_rect(rect, 255).expect("inside");
        while world.former.in_work.is_some() {
            world.update();
        }
        world.update();
        let rows = |world: &FlowWorld| {
            let next = world.layers[0].next.as_ref().expect("in work");
            next.costs.as_ref().map(CostField::written_rows)
        };
        assert!(rows(&world) > Some(0) && rows(&world) < Some(120));
        world.restore(&back).expect("the same settings");
        assert_eq!(rows(&world), Some(120));
    }
}
