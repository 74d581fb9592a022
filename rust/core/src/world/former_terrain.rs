//! The terrain before a large edit ([`super::large_edits`]), by which the costs in use are made.

use crate::bytes::{Unpacker, Writer};
use crate::error::Result;
use crate::grid::Grid;
use crate::grid::links::LinkList;
use crate::grid::seams::Seams;
use crate::terrain::Terrain;
use std::sync::Arc;

/// The terrain by which the costs in use are made, while those for a large edit are being written.
#[derive(Debug)]
pub(super) struct FormerTerrain {
    pub(super) terrain: Terrain,
    /// The links that made the seams.
    pub(super) links: LinkList,
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
