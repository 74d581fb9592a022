//! The terrains by which costs are made while those for large edits are being written ([`super::large_edits`]).

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::grid::Grid;
use crate::grid::links::LinkList;
use crate::grid::seams::Seams;
use crate::retired::Retired;
use crate::terrain::Terrain;
use std::sync::Arc;

/// A terrain before a large edit.
#[derive(Debug)]
pub(super) struct FormerTerrain {
    pub(super) terrain: Terrain,
    /// The links that made the seams.
    pub(super) links: LinkList,
    pub(super) seams: Arc<Seams>,
}

/// The terrains by which costs are made, where that is not the present one.
#[derive(Debug, Clone, Default)]
pub(super) struct FormerTerrains {
    /// That of the costs in use.
    pub(super) in_use: Option<Arc<FormerTerrain>>,
    /// That of the costs that are being written. Those of the present terrain follow after them. The costs in use are
    /// not of the present terrain either then.
    pub(super) in_work: Option<Arc<FormerTerrain>>,
}

impl FormerTerrain {
    fn write(&self, out: &mut Writer) {
        self.terrain.write(out);
        self.links.write(out);
    }

    fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
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

impl FormerTerrains {
    /// Whether the costs that are being written are for a large edit, and no other has followed it.
    pub(super) fn await_present_one(&self) -> bool {
        self.in_use.is_some() && self.in_work.is_none()
    }

    /// The costs in work have been taken into use.
    pub(super) fn take_over(&mut self, retired: &mut Retired) {
        let before = std::mem::replace(&mut self.in_use, self.in_work.take());
        if let Some(before) = before.and_then(Arc::into_inner) {
            before.terrain.retire(retired);
        }
    }

    /// All of them.
    pub(super) fn terrains(&self) -> impl Iterator<Item = &Terrain> {
        let both = [&self.in_use, &self.in_work].into_iter().flatten();
        both.map(|former| &former.terrain)
    }

    pub(super) fn write(&self, out: &mut Writer) {
        for former in [&self.in_use, &self.in_work] {
            former.is_some().write(out);
            if let Some(former) = former {
                former.write(out);
            }
        }
    }

    /// Reads what [`Self::write`] has written, for this grid.
    pub(super) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let mut read = || match bool::read(input)? {
            true => Ok(Some(Arc::new(FormerTerrain::read(input, grid)?))),
            false => Ok(None),
        };
        let (in_use, in_work) = (read()?, read()?);
        if in_use.is_none() && in_work.is_some() {
            return Err(input.bad("it has terrains that make no sense"));
        }
        Ok(Self { in_use, in_work })
    }
}
