//! Edits of terrain whose costs are too much work for one update.
//!
//! The costs in use stay those of the terrain before, whatever else is painted, until those of the present terrain are
//! complete for all movement types ([`super::next_costs`]). Links, crowds and overlays change the costs in use meanwhile.

use crate::bytes::{Unpacker, Writer};
use crate::error::Result;
use crate::grid::Grid;
use crate::grid::links::LinkList;
use crate::grid::seams::Seams;
use crate::terrain::Terrain;
use crate::world::FlowWorld;
use crate::world::next_costs::{CostSources, NextCosts, work_on};
use std::sync::Arc;

/// The terrain by which the costs in use are made, while those for a large edit are being written.
#[derive(Debug)]
pub(super) struct FormerTerrain {
    pub(super) terrain: Terrain,
    /// The links that made the seams.
    links: LinkList,
    pub(super) seams: Arc<Seams>,
}

impl FormerTerrain {
    pub(super) fn write(&self, out: &mut Writer) {
        self.terrain.write(out);
        crate::bytes::Saved::write(&self.links, out);
    }

    /// Reads what [`Self::write`] has written, for this grid.
    pub(super) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let terrain = Terrain::read(input, grid)?;
        let links = LinkList::read_checked(input, |cell| grid.is_on_layer(cell))?;
        let all = links.iter().map(|(_, link)| link);
        let seams = Arc::new(Seams::new(all, grid.layers(), grid.width()));
        Ok(Self {
            terrain,
            links,
            seams,
        })
    }
}

impl FlowWorld {
    /// Prepares an edit of so many cells of terrain. If writing their costs is too much work for one update, the costs in
    /// use stay as they are until the next ones are complete.
    pub(super) fn prepare_edit(&mut self, cells: usize) {
        let kinds = self.layers.iter().map(|layer| layer.newest_kind());
        let work: usize = kinds.map(|kind| work_on(kind, cells)).sum();
        if !self.writes_costs_in_slices() || work <= self.update_cells() {
            return;
        }
        if self.former.is_none() {
            // The costs in use are to be those of the terrain so far.
            self.refresh_costs();
            self.former = Some(Arc::new(FormerTerrain {
                terrain: self.terrain.clone(),
                links: self.links.clone(),
                seams: Arc::clone(&self.seams),
            }));
        }
        for layer in &mut self.layers {
            let kind = layer.newest_kind().clone();
            let next = NextCosts::instead_of(layer.next.as_ref(), kind, &self.grid);
            self.builder.scratch.retire_next(layer.next.replace(next));
        }
    }

    /// What the costs in use follow from.
    pub(super) fn sources_in_use(&self) -> CostSources<'_> {
        let present = self.sources();
        match &self.former {
            None => present,
            Some(former) => CostSources {
                terrain: &former.terrain,
                seams: &former.seams,
                ..present
            },
        }
    }

    /// What costs follow from.
    pub(super) fn sources(&self) -> CostSources<'_> {
        CostSources {
            grid: &self.grid,
            terrain: &self.terrain,
            links: &self.link_edges,
            seams: &self.seams,
            surcharges: &self.surcharges,
        }
    }
}
