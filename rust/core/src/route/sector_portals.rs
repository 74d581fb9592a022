//! What the portal graph stores for one sector: portals, links and the costs between portals.

use super::link_portals::{Crossing, LinkPortals};
use super::sectors::{DEFAULT_SECTOR_SIZE, Side};
use super::windows::Portal;
use glam::IVec2;
use std::sync::Arc;

/// The layout of a portal graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortalSettings {
    /// The edge length of a sector in cells, [`super::MIN_SECTOR_SIZE`]..=[`super::MAX_SECTOR_SIZE`].
    pub sector_size: u32,
    /// Wider windows are split, 1..=[`MAX_WINDOW`](super::MAX_WINDOW) cells. Smaller values make routes shorter and the
    /// search longer.
    pub widest_window: u32,
}

impl Default for PortalSettings {
    fn default() -> Self {
        Self {
            sector_size: DEFAULT_SECTOR_SIZE,
            widest_window: DEFAULT_SECTOR_SIZE,
        }
    }
}

/// The portals, links and edges of a sector. It is aligned to a line of the processor's cache, as a search reads
/// thousands of sectors in no order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[repr(align(64))]
pub(super) struct SectorPortals {
    /// The portals of windows, ordered by side and along each side.
    pub(super) portals: Box<[Portal]>,
    /// The index of each side's first portal, and the end of the last side.
    pub(super) sides: [u16; 5],
    /// The portals of links. Their slots follow those of all windows.
    pub(super) links: Option<Box<LinkPortals>>,
    /// One row for each portal: the costs of the paths to it from every portal of the sector; [`NO_EDGE`] where there
    /// is no path within the sector.
    pub(super) edges: Arc<[u32]>,
}

/// The cost between portals without a path within their sector.
pub(super) const NO_EDGE: u32 = u32::MAX;

impl SectorPortals {
    /// The number of portals, including those of links.
    #[inline]
    pub(super) fn count(&self) -> usize {
        let links = self.links.as_ref();
        self.portals.len() + links.map_or(0, |links| links.cells.len())
    }

    /// The cell of a link's portal, relative to the sector's first cell; `None` for the portal of a window.
    #[inline]
    pub(super) fn link_cell(&self, slot: u16) -> Option<IVec2> {
        let links = self.links.as_ref()?;
        let at = usize::from(slot).checked_sub(self.portals.len())?;
        links.cells.get(at).copied()
    }

    /// The links that end in a portal.
    pub(super) fn arriving(&self, slot: u16) -> impl Iterator<Item = &Crossing> {
        let crossings = self.links.iter().flat_map(|links| &*links.arriving);
        crossings.filter(move |crossing| {
            usize::from(crossing.own) + self.portals.len() == usize::from(slot)
        })
    }

    /// The links that start in a portal.
    pub(super) fn leaving(&self, slot: u16) -> impl Iterator<Item = &Crossing> {
        let crossings = self.links.iter().flat_map(|links| &*links.leaving);
        crossings.filter(move |crossing| {
            usize::from(crossing.own) + self.portals.len() == usize::from(slot)
        })
    }

    /// The side on which a window's portal lies.
    #[inline]
    pub(super) fn side_of(&self, slot: u16) -> Side {
        let ends = &self.sides[1..4];
        Side::ALL[ends.iter().filter(|&&end| slot >= end).count()]
    }

    /// The costs of the paths to a portal from every portal of the sector.
    #[inline]
    pub(super) fn costs_to(&self, slot: u16) -> &[u32] {
        let count = self.count();
        &self.edges[usize::from(slot) * count..][..count]
    }

    /// The slots of the portals on a side.
    #[inline]
    pub(super) fn slots_on(&self, side: Side) -> std::ops::Range<u16> {
        self.sides[side as usize]..self.sides[side as usize + 1]
    }
}
