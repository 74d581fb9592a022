//! The cells that an update of a cost field changed.

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::grid::CellRect;
use std::borrow::Cow;

/// Up to this many cells are listed for a map of any size.
const ALWAYS_LISTED: usize = 256;

/// The cells of a [`super::CostField`] of which an update changed the cost, with surcharges or without, the legal
/// steps, or whether they are walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changes {
    /// The cells' stored indices, ascending, each once; empty if nothing changed.
    Cells(Vec<u32>),
    /// Any cells of these rectangles, about an eighth of the map or more, or after a large edit: fields that depend on
    /// the costs are better built anew.
    Regions(Vec<CellRect>),
}

impl Changes {
    /// The number of cells; those in several regions count in each.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Cells(cells) => cells.len(),
            Self::Regions(regions) => regions.iter().map(CellRect::cell_count).sum(),
        }
    }

    /// The listed cells; `None` if they are not listed.
    pub(crate) fn listed(&self) -> Option<&[u32]> {
        match self {
            Self::Cells(cells) => Some(cells),
            Self::Regions(_) => None,
        }
    }

    /// [`Self::listed`].
    pub(crate) fn into_listed(self) -> Option<Vec<u32>> {
        match self {
            Self::Cells(cells) => Some(cells),
            Self::Regions(_) => None,
        }
    }

    /// The listed cells of several changes, ascending, each once; `None` if any does not list them.
    pub(crate) fn all_listed<'a>(
        all: impl Iterator<Item = &'a Self> + Clone,
    ) -> Option<Cow<'a, [u32]>> {
        let mut rest = all.clone();
        if let (Some(only), None) = (rest.next(), rest.next()) {
            return only.listed().map(Cow::Borrowed);
        }
        let lists: Vec<&[u32]> = all.map(Self::listed).collect::<Option<_>>()?;
        let mut cells = lists.concat();
        cells.sort_unstable();
        cells.dedup();
        Some(Cow::Owned(cells))
    }
}

impl Saved for Changes {
    fn write(&self, out: &mut Writer) {
        match self {
            Self::Cells(cells) => {
                out.u8(0);
                cells.write(out);
            }
            Self::Regions(regions) => {
                out.u8(1);
                regions.write(out);
            }
        }
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        match input.u8()? {
            0 => Ok(Self::Cells(Vec::read(input)?)),
            1 => Ok(Self::Regions(Vec::read(input)?)),
            _ => Err(input.bad("it has changes of an unknown kind")),
        }
    }
}

/// Collects [`Changes`] row by row.
#[derive(Debug)]
pub(super) struct Collector {
    cells: Vec<u32>,
    most: usize,
    many: bool,
}

impl Collector {
    /// A collector for a map of `cells` cells.
    pub(super) fn new(cells: usize) -> Self {
        Self {
            cells: Vec::new(),
            most: ALWAYS_LISTED.max(cells / 8),
            many: false,
        }
    }

    /// A collector for a field that nothing depends on.
    pub(super) fn of_nothing() -> Self {
        Self {
            cells: Vec::new(),
            most: 0,
            many: true,
        }
    }

    /// Adds the cells in which `fresh` differs from `old`, for a piece of a row that begins at stored index `from`.
    pub(super) fn compare<T: PartialEq>(&mut self, from: usize, old: &[T], fresh: &[T]) {
        if self.many {
            return;
        }
        let differing = old.iter().zip(fresh).enumerate();
        let differing = differing.filter(|(_, (old, fresh))| old != fresh);
        self.cells.extend(differing.map(|(x, _)| (from + x) as u32));
        if self.cells.len() > self.most {
            self.many = true;
            self.cells = Vec::new();
        }
    }

    /// The changes that were found, all of them in `regions`.
    pub(super) fn finish(mut self, regions: impl FnOnce() -> Vec<CellRect>) -> Changes {
        if self.many {
            return Changes::Regions(regions());
        }
        self.cells.sort_unstable();
        self.cells.dedup();
        Changes::Cells(self.cells)
    }
}
