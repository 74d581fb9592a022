//! The costs of a movement type from what a world holds, without crowds and overlays.

use crate::grid::Grid;
use crate::grid::links::Links;
use crate::grid::seams::Seams;
use crate::movement::{CostField, MovementType};
use crate::terrain::Terrain;
use std::sync::Arc;

/// The costs of a movement type on the terrain of a grid, with links and the seams that they make.
pub(super) fn costs_on(
    (grid, terrain): (&Grid, &Terrain),
    kind: &MovementType,
    (links, seams): (&Arc<Links>, &Arc<Seams>),
) -> CostField {
    let mut costs = unwritten_costs(grid, kind, (links, seams));
    costs.write_rows(terrain, kind, grid.height() as usize);
    costs
}

/// Costs of a movement type whose rows are to be written.
pub(super) fn unwritten_costs(
    grid: &Grid,
    kind: &MovementType,
    (links, seams): (&Arc<Links>, &Arc<Seams>),
) -> CostField {
    let mut costs = CostField::without_rows(grid, kind);
    costs.set_links(Arc::clone(links));
    costs.set_seams(Arc::clone(seams));
    costs
}
