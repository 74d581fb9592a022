//! The terrains by which costs are made while those for large edits are being written ([`super::large_edits`]).

use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::grid::links::LinkList;
use crate::grid::seams::Seams;
use crate::grid::{CellRect, Grid};
use crate::movement::MovementType;
use crate::retired::Retired;
use crate::terrain::Terrain;
use crate::world::dirty::DirtyCells;
use std::sync::Arc;

/// A terrain before a large edit.
#[derive(Debug, Clone)]
pub(super) struct FormerTerrain {
    pub(super) terrain: Terrain,
    /// The links that made the seams.
    pub(super) links: LinkList,
    pub(super) seams: Arc<Seams>,
    /// The cells in which the terrain may be another one that the next costs follow from.
    edited: DirtyCells,
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
    pub(super) fn new(terrain: Terrain, links: LinkList, seams: Arc<Seams>) -> Self {
        Self {
            terrain,
            links,
            seams,
            edited: DirtyCells::default(),
        }
    }

    /// The rectangles of a grid in which the costs of a movement type may change when those of the next terrain, with
    /// its `seams`, take the place of those of this one.
    pub(super) fn changes_to(
        &self,
        seams: &Seams,
        kind: &MovementType,
        grid: &Grid,
    ) -> Vec<CellRect> {
        let clearance = kind.clearance().reach();
        let reach = Seams::reach(clearance);
        let mut regions = self.edited.regions();
        regions.extend(self.seams.changes(seams, reach));
        // Legal steps change one cell farther than costs.
        let around = clearance.max(kind.wall_penalty().reach()) as i32 + 1;
        let mut changed = DirtyCells::default();
        for region in seams.spread(&regions, reach) {
            changed.mark(region.grown(around).intersection(&grid.cells()));
        }
        changed.regions()
    }

    /// Whether the terrain equals the next one but for what was edited.
    fn leads_to(&self, next: &Terrain) -> bool {
        let mut expected = next.clone();
        for region in self.edited.regions() {
            expected.copy_common(region, &self.terrain, region);
        }
        expected.to_bytes() == self.terrain.to_bytes()
    }

    fn write(&self, out: &mut Writer) {
        self.terrain.write(out);
        self.links.write(out);
        self.edited.regions().write(out);
    }

    fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let terrain = Terrain::read(input, grid)?;
        let links = LinkList::read_checked(input, |cell| grid.is_on_layer(cell))?;
        let all = links.iter().map(|(_, link)| link);
        let seams = Arc::new(Seams::new(all, grid.layers(), grid.width()));
        let edited = DirtyCells::read(input, grid)?;
        Ok(Self {
            edited,
            ..Self::new(terrain, links, seams)
        })
    }
}

impl FormerTerrains {
    /// Notes that the present terrain changes in a rectangle.
    pub(super) fn mark_edit(&mut self, rect: CellRect) {
        let last = self.in_work.as_mut().or(self.in_use.as_mut());
        if let Some(former) = last {
            Arc::make_mut(former).edited.mark(rect);
        }
    }

    /// Whether each of them equals the next one, the last of which is the present one, but for what was edited.
    pub(super) fn lead_to(&self, present: &Terrain) -> bool {
        let next = self.in_work.as_ref().map_or(present, |it| &it.terrain);
        let in_use = self.in_use.iter().all(|former| former.leads_to(next));
        in_use && self.in_work.iter().all(|it| it.leads_to(present))
    }

    /// Whether the costs that are being written are for a large edit, and no other has followed it.
    pub(super) fn await_present_one(&self) -> bool {
        self.in_use.is_some() && self.in_work.is_none()
    }

    /// Leaves out the terrain between that of the costs in use and the present one. Returns whether there was one.
    pub(super) fn skip_to_present_one(&mut self) -> bool {
        let (Some(in_use), Some(skipped)) = (&mut self.in_use, self.in_work.take()) else {
            return false;
        };
        let in_use = Arc::make_mut(in_use);
        for region in skipped.edited.regions() {
            in_use.edited.mark(region);
        }
        true
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
