//! What a portal graph stores for its sectors, in parts that copies of the graph share until one of them changes.

use super::sector_portals::SectorPortals;
use crate::retired::Retired;
use std::array::from_fn;
use std::iter::zip;
use std::ops::Index;
use std::sync::Arc;

/// The sectors of a part. A change of a shared one copies so many.
const PART: usize = 64;

/// The portals of sectors, in their order. A copy takes as long as there are parts.
#[derive(Debug, Clone, Default)]
pub(super) struct SectorList {
    /// The last one has empty sectors at its end.
    parts: Vec<Arc<[SectorPortals; PART]>>,
    count: usize,
}

impl SectorList {
    /// Those of `count` sectors without portals.
    pub(super) fn empty(count: usize) -> Self {
        let part = || Arc::new(from_fn(|_| SectorPortals::default()));
        Self {
            parts: (0..count.div_ceil(PART)).map(|_| part()).collect(),
            count,
        }
    }

    /// Makes room for so many sectors more.
    pub(super) fn reserve(&mut self, more: usize) {
        self.parts.reserve(more.div_ceil(PART));
    }

    /// Adds a sector without portals.
    pub(super) fn push_empty(&mut self) {
        if self.count.is_multiple_of(PART) {
            self.parts.append(&mut Self::empty(1).parts);
        }
        self.count += 1;
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn get(&self, sector: usize) -> Option<&SectorPortals> {
        (sector < self.count).then(|| &self[sector])
    }

    /// A sector, for a change.
    pub(super) fn get_mut(&mut self, sector: usize) -> &mut SectorPortals {
        &mut Arc::make_mut(&mut self.parts[sector / PART])[sector % PART]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &SectorPortals> {
        let all = self.parts.iter().flat_map(|part| part.iter());
        all.take(self.count)
    }

    /// Has the memory given back in parts.
    pub(super) fn retire(self, retired: &mut Retired) {
        retired.add_large(self.parts, PART);
    }
}

impl From<Vec<SectorPortals>> for SectorList {
    fn from(sectors: Vec<SectorPortals>) -> Self {
        let mut list = Self::empty(sectors.len());
        for (number, sector) in sectors.into_iter().enumerate() {
            *list.get_mut(number) = sector;
        }
        list
    }
}

impl Index<usize> for SectorList {
    type Output = SectorPortals;

    #[inline]
    fn index(&self, sector: usize) -> &SectorPortals {
        &self.parts[sector / PART][sector % PART]
    }
}

impl PartialEq for SectorList {
    fn eq(&self, other: &Self) -> bool {
        let is_same =
            |(own, others): (&Arc<[_; PART]>, _)| Arc::ptr_eq(own, others) || own == others;
        self.count == other.count && zip(&self.parts, &other.parts).all(is_same)
    }
}

impl Eq for SectorList {}
