//! Tiled fields, first tiles and plain tiles as bytes.

use super::field::{NO_SLOT, Slot, TiledField};
use super::first::{FirstTile, FirstTiles};
use super::plain_tiles::{PlainTile, PlainTiles};
use super::queue::TileQueue;
use super::saved_contents::{TileList, TileNumbers};
use super::tile::Content;
use super::wanted_tiles::WantedTiles;
use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::grid::CellRect;
use crate::integrate::SCALES;
use crate::route::exits::Exits;
use crate::route::{GoalRoutes, Sectors};
use glam::IVec2;
use std::collections::BTreeSet;

/// The greatest number to add to the costs of a first tile.
const GREATEST_BASE: u64 = 1 << 60;
const MOST_ATTEMPTS: u64 = 1 << 48;
/// The version of plain tiles whose routes have been forgotten.
const FORGOTTEN: u64 = u64::MAX;

fn size_of_sector(layout: &Sectors, sector: u32) -> IVec2 {
    let CellRect { low, high } = layout.rect(sector);
    high - low
}

/// Reads a sector that exists.
fn read_sector(input: &mut Unpacker<'_>, layout: &Sectors) -> Result<u32> {
    let sector = u32::read(input)?;
    if (sector as usize) < layout.count() {
        Ok(sector)
    } else {
        Err(input.bad("it has a tile of an unknown sector"))
    }
}

impl TiledField {
    /// Writes everything but the goals, the layout and the links.
    pub(crate) fn write(&self, out: &mut Writer, tiles: &mut TileNumbers) {
        out.u8(self.scale as u8);
        self.attempts.write(out);
        self.is_doubtful.write(out);
        for goal in &self.goals {
            goal.is_settled.write(out);
        }
        out.u32(self.slots.len() as u32);
        for (number, slot) in self.slots.iter().enumerate() {
            slot.sector.write(out);
            let is_active = self.slot_of[slot.sector as usize] == number as u32;
            is_active.write(out);
            if is_active {
                slot.write(out, tiles);
            }
        }
        self.free.write(out);
        self.settle.write(out);
        self.raise.write(out);
    }

    /// Reads what [`Self::write`] has written into a field without active sectors.
    pub(crate) fn read_into(mut self, input: &mut Unpacker<'_>, tiles: &TileList) -> Result<Self> {
        self.scale = usize::from(input.u8()?);
        self.attempts = usize::read(input)?;
        self.is_doubtful = bool::read(input)?;
        for goal in &mut self.goals {
            goal.is_settled = bool::read(input)?;
        }
        let mut inactive = BTreeSet::new();
        for number in 0..input.u32()? {
            let sector = read_sector(input, &self.layout)?;
            let mut slot = Slot::new(sector);
            if bool::read(input)? {
                let known = std::mem::replace(&mut self.slot_of[sector as usize], number);
                if known != NO_SLOT {
                    return Err(input.bad("it has a sector with two tiles"));
                }
                slot.read_into(input, tiles, size_of_sector(&self.layout, sector))?;
            } else {
                inactive.insert(number);
            }
            self.slots.push(slot);
        }
        self.free = Vec::read(input)?;
        let free: BTreeSet<u32> = self.free.iter().copied().collect();
        if self.scale >= SCALES.len()
            || self.attempts as u64 > MOST_ATTEMPTS
            || free != inactive
            || free.len() != self.free.len()
        {
            return Err(input.bad("it has tiles that make no sense"));
        }
        let count = self.slots.len() as u32;
        let is_slot = |slot: u32| slot < count && !inactive.contains(&slot);
        self.settle = TileQueue::read(input, is_slot)?;
        self.raise = TileQueue::read(input, is_slot)?;
        Ok(self)
    }
}

impl Slot {
    fn write(&self, out: &mut Writer, tiles: &mut TileNumbers) {
        // Every field is named, so that none is forgotten.
        let Self {
            sector: _,
            served,
            published,
            lost,
            lost_links,
        } = self;
        for content in [served, published] {
            content.is_some().write(out);
            if let Some(content) = content {
                content.write(out, tiles);
            }
        }
        lost.iter().for_each(|lost| lost.write(out));
        lost_links.write(out);
    }

    fn read_into(&mut self, input: &mut Unpacker<'_>, tiles: &TileList, size: IVec2) -> Result<()> {
        for content in [&mut self.served, &mut self.published] {
            if bool::read(input)? {
                *content = Some(Content::read(input, tiles, size)?);
            }
        }
        for lost in &mut self.lost {
            *lost = u64::read(input)?;
        }
        self.lost_links = Vec::read(input)?;
        Ok(())
    }
}

impl<T> WantedTiles<T> {
    fn write_all(&self, out: &mut Writer, mut write: impl FnMut(&T, &mut Writer)) {
        self.wanted.write(out);
        out.u32(self.tiles.len() as u32);
        for (sector, tile) in &self.tiles {
            sector.write(out);
            write(tile, out);
        }
    }

    fn read_all(
        input: &mut Unpacker<'_>,
        layout: &Sectors,
        mut read: impl FnMut(&mut Unpacker<'_>, u32) -> Result<T>,
    ) -> Result<Self> {
        let mut wanted = Self::default();
        for _ in 0..input.u32()? {
            wanted.wanted.insert(read_sector(input, layout)?);
        }
        for _ in 0..input.u32()? {
            let sector = read_sector(input, layout)?;
            wanted.tiles.insert(sector, read(input, sector)?);
        }
        Ok(wanted)
    }
}

impl FirstTiles {
    pub(crate) fn write(&self, out: &mut Writer, tiles: &mut TileNumbers) {
        self.write_all(out, |tile, out| {
            let FirstTile {
                content,
                base,
                exits,
            } = tile;
            content.write(out, tiles);
            base.write(out);
            exits.to_vec().write(out);
        });
    }

    pub(crate) fn read(
        input: &mut Unpacker<'_>,
        layout: &Sectors,
        tiles: &TileList,
    ) -> Result<Self> {
        Self::read_all(input, layout, |input, sector| {
            let content = Content::read(input, tiles, size_of_sector(layout, sector))?;
            let base = u64::read(input)?;
            let exits = Vec::<(IVec2, u32)>::read(input)?;
            if base > GREATEST_BASE {
                return Err(input.bad("it has a tile whose costs are too great"));
            }
            Ok(FirstTile {
                content,
                base,
                exits: exits.into(),
            })
        })
    }
}

impl PlainTiles {
    /// Writes tiles that were made from these routes.
    pub(crate) fn write(&self, routes: &GoalRoutes, out: &mut Writer, tiles: &mut TileNumbers) {
        let (version, _) = routes.knowledge();
        self.write_all(out, |tile, out| {
            let PlainTile {
                content,
                exits: Exits { goals, windows },
                knowledge,
            } = tile;
            content.write(out, tiles);
            goals.write(out);
            windows.write(out);
            (knowledge.0 == version, knowledge.1).write(out);
        });
    }

    /// Reads tiles that were made from these routes.
    pub(crate) fn read(
        input: &mut Unpacker<'_>,
        (layout, routes): (&Sectors, &GoalRoutes),
        tiles: &TileList,
    ) -> Result<Self> {
        let (version, _) = routes.knowledge();
        Self::read_all(input, layout, |input, sector| {
            let content = Content::read(input, tiles, size_of_sector(layout, sector))?;
            let goals = Vec::read(input)?;
            let windows = Vec::<(CellRect, u32)>::read(input)?;
            let map = CellRect {
                low: IVec2::ZERO,
                high: layout.map_size(),
            };
            let is_inside = |window: &(CellRect, u32)| {
                !window.0.is_empty() && window.0.intersection(&map) == window.0
            };
            if !windows.iter().all(is_inside) {
                return Err(input.bad("it has a tile with a window outside the map"));
            }
            let (is_known, settled) = <(bool, usize)>::read(input)?;
            Ok(PlainTile {
                content,
                exits: Exits { goals, windows },
                knowledge: (if is_known { version } else { FORGOTTEN }, settled),
            })
        })
    }
}
