//! Takes costs that were being written in a snapshot over a rollback: what was edited since is edited back in them, or
//! in those in use if they have come into use. Writing their rows anew would be the work of all updates that had
//! written them, in one.

use crate::grid::CellRect;
use crate::grid::seams::Seams;
use crate::movement::MovementType;
use crate::terrain::Terrain;
use crate::world::FlowWorld;
use crate::world::ahead::Ahead;
use crate::world::former_terrain::{FormerTerrain, FormerTerrains};
use crate::world::movement_layer::MovementLayer;
use crate::world::next_costs::{CostSources, NextCosts};
use crate::world::refresh::spread;
use crate::world::surcharges::Surcharges;
use glam::IVec2;
use std::sync::Arc;

/// The most cells in which a copy of costs is corrected: 1 ms.
const MOST_CORRECTED: usize = 20_000;

/// What costs followed from before a rollback.
pub(super) struct BeforeRollback {
    pub(super) terrain: Terrain,
    pub(super) former: FormerTerrains,
    pub(super) seams: Arc<Seams>,
    pub(super) ahead: Ahead,
    pub(super) surcharges: Surcharges,
}

impl BeforeRollback {
    /// In which cells the costs of a movement type, on the terrain of `former` or the one before, may differ from what
    /// they are to follow from now.
    fn edited_since(
        &self,
        former: Option<&FormerTerrain>,
        sources: CostSources<'_>,
        kind: &MovementType,
    ) -> Vec<CellRect> {
        let (terrain, seams) = match former {
            Some(former) => (&former.terrain, &former.seams),
            None => (&self.terrain, &self.seams),
        };
        let mut regions = terrain.differences(sources.terrain);
        if former.is_none() {
            regions.extend(self.ahead.dirty.regions());
        }
        let reach = Seams::reach(kind.clearance().reach());
        regions.extend(seams.changes(sources.seams, reach));
        spread(sources.seams, &regions, kind).into_owned()
    }
}

impl FlowWorld {
    /// Has the layers of a snapshot take over what those before the rollback know.
    pub(super) fn recognize_layers(
        &mut self,
        known: Vec<MovementLayer>,
        mut before: BeforeRollback,
    ) {
        let mut layers = std::mem::take(&mut self.layers);
        let mut surcharged = None;
        for (movement, (layer, known)) in layers.iter_mut().zip(known).enumerate() {
            let [in_work, in_use] = layer.recognize(known, &self.builder.scratch);
            let former = before.former.clone();
            let mut unused = |known: Option<NextCosts>, former: Option<Arc<FormerTerrain>>| {
                let Some(own) = layer.next.as_mut().filter(|own| own.bytes() == 0) else {
                    return known;
                };
                let known = known?;
                let surcharged =
                    surcharged.get_or_insert_with(|| self.surcharged_since(&mut before));
                let edited = (
                    before.edited_since(former.as_deref(), self.sources_in_work(), &own.kind),
                    surcharged,
                );
                self.edit_back(edited, (movement, own), known)
            };
            let in_work = unused(in_work, former.in_work);
            let in_use = unused(in_use, former.in_use);
            self.builder.scratch.retire_next(in_work);
            if let Some(costs) = in_use.and_then(NextCosts::into_costs) {
                layer.take_arrays_of(Arc::new(costs), &self.builder.scratch);
            }
        }
        self.layers = layers;
    }

    /// The cells in which the costs in use may differ from those that the field that is being built has copied before
    /// the rollback, from the costs of `known`, ascending; `None` if they are many.
    pub(super) fn edited_in_copy(&self, known: &[MovementLayer]) -> Option<Vec<u32>> {
        let first = self.slices.first_field.as_ref()?;
        let (own, known) = (self.layers.get(first.movement)?, known.get(first.movement)?);
        let since = known.newest.cells_since(first.build.version.costs)?;
        let mut cells = own
            .costs
            .cells_in_other_blocks(&known.costs, MOST_CORRECTED)?;
        cells.extend_from_slice(&since);
        cells.sort_unstable();
        cells.dedup();
        (cells.len() <= MOST_CORRECTED).then_some(cells)
    }

    /// Has costs in work take over what others have that lack or have some edits. Returns the others if writing rows
    /// anew is less work.
    fn edit_back(
        &self,
        (regions, surcharged): (Vec<CellRect>, &mut Vec<IVec2>),
        (movement, own): (usize, &mut NextCosts),
        known: NextCosts,
    ) -> Option<NextCosts> {
        let cells: usize = regions.iter().map(CellRect::cell_count).sum();
        let is_little = known.is_worth_editing(cells + surcharged.len());
        if !is_little || !own.kind.has_costs_of(&known.kind) {
            return Some(known);
        }
        let levels = self.surcharges.crowding.levels_of(surcharged);
        let surcharges = self.surcharges.of(&levels, movement, &own.kind);
        own.take_edited(known, self.sources_in_work(), &regions, &surcharges);
        None
    }

    /// The cells whose surcharges may differ from those before the rollback.
    fn surcharged_since(&self, before: &mut BeforeRollback) -> Vec<IVec2> {
        let mut surcharged = before.surcharges.take_changed();
        surcharged.append(&mut before.ahead.surcharged);
        for surcharges in [&before.surcharges, &self.surcharges] {
            surcharged.extend(surcharges.cells_in_rows(self.grid.cells()));
        }
        surcharged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::grid::links::Link;
    use crate::grid::travel::Travel;
    use crate::movement::{Clearance, CostOverlay, MovementType, WallPenalty};
    use crate::snapshots::Snapshots;
    use crate::workers::Workers;
    use glam::Vec2;

    const CELL: IVec2 = IVec2::new(9, 11);

    fn kind(height: i64) -> MovementType {
        let penalty = WallPenalty::new(height, 2, true);
        MovementType::with_wall_penalty(penalty.expect("in range"))
    }

    /// A world that is writing the costs of a movement type.
    fn world() -> FlowWorld {
        let grid = Grid::new(IVec2::splat(120), 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_update_cells(300);
        world.update();
        world.set_movement_types(&[kind(9)]).expect("one");
        (0..3).for_each(|_| drop(world.update()));
        world
    }

    fn fill(world: &mut FlowWorld, size: i32, id: u8) {
        let rect = CellRect {
            low: CELL,
            high: CELL + size,
        };
        world.set_terrain_rect(rect, id).expect("inside");
    }

    fn keeps_rows(edits: impl FnOnce(&mut FlowWorld)) -> bool {
        keeps_rows_in(world(), edits)
    }

    /// Goes back over `edits`. Returns whether the rows that were written are still there.
    fn keeps_rows_in(mut world: FlowWorld, edits: impl FnOnce(&mut FlowWorld)) -> bool {
        let back = world.snapshot();
        edits(&mut world);
        world.restore(&back).expect("the same settings");
        let next = world.layers[0].next.as_ref().expect("in work");
        assert!(next.rows() > 0);
        let keeps_rows = next.bytes() > 0;
        while world.has_next_costs() {
            world.update();
        }
        let fresh = world.sources_in_use().costs(0, &world.layers[0].kind);
        let costs = &world.layers[0].costs;
        assert!(fresh.cells_unlike(costs).is_empty());
        for cell in (0..world.grid.cell_count()).map(|index| world.grid.cell(index)) {
            assert_eq!(fresh.plain_cost_at(cell), costs.plain_cost_at(cell));
        }
        assert!(fresh.links() == costs.links());
        keeps_rows
    }

    #[test]
    fn edits_of_terrain_are_edited_back() {
        assert!(keeps_rows(|world| {
            fill(world, 5, 255);
            world.update();
        }));
        // Costs wait for those before a large edit.
        assert!(keeps_rows(|world| {
            fill(world, 60, 255);
            world.update();
        }));
    }

    #[test]
    fn edits_that_were_taken_back_and_wait_to_be_applied_count() {
        for asks in [false, true] {
            assert!(keeps_rows(|world| {
                fill(world, 1, 255);
                world.update();
                fill(world, 1, 1);
                if asks {
                    world.cost(CELL, 0).expect("inside");
                }
            }));
            assert!(keeps_rows(|world| {
                let overlay = CostOverlay::circle(3.0, 9).expect("in range");
                let overlay = world.add_cost_overlay(CELL.as_vec2(), &overlay);
                world.update();
                let overlay = overlay.expect("inside");
                world.remove_cost_overlay(overlay).expect("known");
                if asks {
                    world.cost(CELL, 0).expect("inside");
                }
            }));
        }
    }

    fn add_link(world: &mut FlowWorld) {
        let link = Link {
            from: CELL,
            to: CELL + 40,
            cost: 2.0,
            both_ways: true,
            travel: Travel::Walk,
        };
        world.add_links(&[link]).expect("inside");
        world.update();
    }

    fn come_into_use(world: &mut FlowWorld) {
        while world.has_next_costs() {
            world.update();
        }
    }

    #[test]
    fn links_are_edited_back() {
        assert!(keeps_rows(add_link));
        // The costs in work are of the terrain before a large edit, with its seams.
        let mut of_former = world();
        fill(&mut of_former, 60, 255);
        of_former.update();
        assert!(keeps_rows_in(of_former, add_link));
    }

    /// Otherwise the next update would write all rows that were written so far: 41 ms on 4096×4096 cells.
    #[test]
    fn costs_that_have_come_into_use_are_edited_back() {
        for number in 0..5 {
            assert!(keeps_rows(|world| {
                come_into_use(world);
                match number {
                    0 => fill(world, 5, 255),
                    1 => add_link(world),
                    // Another large edit, so that the costs in use are those of a former terrain.
                    2 => {
                        fill(world, 2, 7);
                        world.update();
                        fill(world, 60, 255);
                    }
                    3 => {
                        let overlay = CostOverlay::circle(3.0, 9).expect("in range");
                        let overlay = world.add_cost_overlay(CELL.as_vec2(), &overlay);
                        world.update();
                        let overlay = overlay.expect("inside");
                        return world.remove_cost_overlay(overlay).expect("known");
                    }
                    _ => {
                        fill(world, 1, 255);
                        world.cost(CELL, 0).expect("inside");
                        fill(world, 1, 1);
                        return;
                    }
                }
                world.update();
            }));
        }
        // Those for a large edit.
        let mut large = world();
        come_into_use(&mut large);
        fill(&mut large, 70, 255);
        (0..2).for_each(|_| drop(large.update()));
        assert!(keeps_rows_in(large, |world| {
            come_into_use(world);
            fill(world, 2, 7);
            world.update();
        }));
    }

    /// Where clearance goes on over them.
    #[test]
    fn seams_are_edited_back() {
        let grid = Grid::layered(IVec2::new(120, 60), 1.0, Vec2::ZERO, 2).expect("small");
        let mut world = FlowWorld::new(grid, Workers::serial());
        let place = |x: i32, layer: i64| {
            let place = grid.place_of(IVec2::new(x, 20), layer);
            place.expect("inside")
        };
        for (from, to, layer) in [(60, 120, 0), (0, 60, 1)] {
            let (low, high) = (place(from, layer), place(to - 1, layer) + 1);
            let empty = CellRect {
                low: low - 20 * IVec2::Y,
                high: high + 30 * IVec2::Y,
            };
            world.set_terrain_rect(empty, 255).expect("inside");
        }
        world.set_update_cells(300);
        world.update();
        let clearance = Clearance::new(1.7).expect("in range");
        let wide = kind(9).with_clearance(clearance);
        world.set_movement_types(&[wide]).expect("one");
        (0..4).for_each(|_| drop(world.update()));
        assert!(keeps_rows_in(world, |world| {
            let link = Link {
                from: place(59, 0),
                to: place(60, 1),
                cost: 1.0,
                both_ways: true,
                travel: Travel::Walk,
            };
            world.add_links(&[link]).expect("inside");
            world.update();
        }));
    }

    /// Otherwise the next solve of the whole map would make them anew.
    #[test]
    fn arrays_stay_over_rollbacks_across_edits() {
        for is_replaced in [false, true] {
            let mut world = world();
            come_into_use(&mut world);
            let goal = world.create_goal(&[Vec2::splat(50.5)]).expect("inside");
            world.require(goal, 0).expect("known");
            while world.has_slices_left() {
                world.update();
            }
            let mut kept = Snapshots::default();
            kept.set_most(99);
            kept.keep(&world, std::iter::empty());
            let tick = world.tick();
            if is_replaced {
                // The field is still that for the costs before.
                fill(&mut world, 70, 255);
                while world.has_next_costs() {
                    world.update();
                    kept.keep(&world, std::iter::empty());
                }
                assert!(world.has_slices_left());
            } else {
                fill(&mut world, 5, 255);
                world.update();
            }
            let back = kept.roll_back(tick, &mut world, &mut []);
            back.expect("the same settings");
            let costs = &world.layers[0].costs;
            assert!(costs.has_arrays(), "{is_replaced}");
            let kept = costs.without_arrays();
            assert!(kept.costs() == costs.costs() && kept.steps() == costs.steps());
        }
    }

    #[test]
    fn rows_are_written_anew_where_that_is_less_work() {
        assert!(!keeps_rows(|world| {
            // The corners of a block.
            for corner in [IVec2::splat(32), IVec2::splat(63)] {
                world.set_terrain(corner, 255).expect("inside");
            }
            world.update();
        }));
        // Those in use are not of the type that was in work.
        let mut world = world();
        world.set_movement_types(&[kind(30)]).expect("one");
        assert!(!keeps_rows_in(world, |world| {
            come_into_use(world);
            fill(world, 5, 255);
            world.update();
        }));
    }
}
