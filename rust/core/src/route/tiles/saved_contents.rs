//! Contents of sectors as bytes. Contents share tiles, so each tile is written once, and contents refer to its number.

use super::tile::{Content, Tile};
use crate::bytes::{Saved as _, Source as _, Unpacker, Writer, checksum};
use crate::error::Result;
use crate::integrate::{Sight, UNREACHED};
use glam::IVec2;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The tiles of contents that are written, in the order of their first use. Equal tiles are written once, whether or
/// not they share memory, which depends on the cache.
#[derive(Debug, Default)]
pub(crate) struct TileNumbers {
    /// By the tile's address, which nothing but equality is read of.
    numbers: BTreeMap<usize, u32>,
    /// The numbers of tiles by the checksum of their bytes.
    by_content: BTreeMap<u64, Vec<u32>>,
    /// The place of each tile in `tiles`.
    places: Vec<Range<usize>>,
    tiles: Writer,
}

impl TileNumbers {
    fn of(&mut self, tile: &Arc<Tile>) -> u32 {
        let address = Arc::as_ptr(tile) as usize;
        if let Some(&number) = self.numbers.get(&address) {
            return number;
        }
        let from = self.tiles.bytes.len();
        tile.write_used(&mut self.tiles);
        let number = self.known_as(from).unwrap_or(self.places.len() as u32);
        if number as usize == self.places.len() {
            self.places.push(from..self.tiles.bytes.len());
            let sum = checksum(&self.tiles.bytes[from..]);
            self.by_content.entry(sum).or_default().push(number);
        } else {
            self.tiles.bytes.truncate(from);
        }
        self.numbers.insert(address, number);
        number
    }

    /// The number of a tile with the bytes from `from` on.
    fn known_as(&self, from: usize) -> Option<u32> {
        let bytes = &self.tiles.bytes;
        let alike = self.by_content.get(&checksum(&bytes[from..]))?;
        let is_it = |number: &&u32| bytes[self.places[**number as usize].clone()] == bytes[from..];
        alike.iter().find(is_it).copied()
    }

    /// Writes the tiles, which are to be read before the contents.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.u32(self.places.len() as u32);
        out.bytes.extend(&self.tiles.bytes);
    }
}

/// The tiles of contents that are read.
#[derive(Debug)]
pub(crate) struct TileList(Vec<Arc<Tile>>);

impl TileList {
    pub(crate) fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let count = input.u32()?;
        let mut tiles = Vec::new();
        for _ in 0..count {
            tiles.push(Arc::new(Tile::read(input)?));
        }
        Ok(Self(tiles))
    }
}

impl Content {
    pub(super) fn write(&self, out: &mut Writer, tiles: &mut TileNumbers) {
        match self {
            Self::Unreached => out.u8(0),
            Self::Clear(sight) => {
                out.u8(1);
                sight.write(out);
            }
            Self::Cells(tile, base) => {
                out.u8(2);
                out.u32(tiles.of(tile));
                base.write(out);
            }
        }
    }

    /// Reads the content of a sector of `size` cells.
    pub(super) fn read(input: &mut Unpacker<'_>, tiles: &TileList, size: IVec2) -> Result<Self> {
        match input.u8()? {
            0 => Ok(Self::Unreached),
            1 => Ok(Self::Clear(Sight::read(input, size)?)),
            2 => {
                let (number, base) = (input.u32()?, input.u32()?);
                let tile = tiles.0.get(number as usize);
                let fits = |tile: &&Arc<Tile>| {
                    tile.size == size && tile.is_below(UNREACHED, base) && !tile.is_to_exit()
                };
                match tile.filter(fits) {
                    Some(tile) => Ok(Self::Cells(Arc::clone(tile), base)),
                    None => Err(input.bad("it has a sector with a tile of another one")),
                }
            }
            _ => Err(input.bad("it has a sector with an unknown mark")),
        }
    }
}
