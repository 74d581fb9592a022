//! The plain tiles of all sectors as one file ([`super::tile_bake`]): opened, and read sector by sector when they are
//! needed (Emerson, Game AI Pro, 23.7 and 23.16).

use crate::bytes::{Reader, Source, Unpacker, checksum};
use crate::error::{Error, Result};
use crate::route::tiles::{BakedTiles, Place, ReadBytes};
use crate::route::{PortalGraph, Sectors};
use crate::world::FlowWorld;
use crate::world::tiled::saving::{CHECKSUM, CIRCUMSTANCES};
use crate::world::tiled::tile_bake::{MAGIC, VERSION};

/// The name in errors.
const NAME: &str = "baked tiles";
/// The length of what comes before the places of sectors: the magic number, the version, what the tiles were made for,
/// the length of the graphs, the number of tiles.
const HEAD: usize = MAGIC.len() + 4 + 8 * CIRCUMSTANCES + 8 + 8;

impl FlowWorld {
    /// Returns true if bytes begin as those of [`Self::bake_tiles`] do.
    #[must_use]
    pub fn are_baked_tiles(begin: &[u8]) -> bool {
        begin.starts_with(&MAGIC)
    }

    /// Opens the bytes that [`Self::bake_tiles`] made in a world with the same grid, terrain, movement types, solver
    /// and sector size, and with the same crowds and cost overlays on it. `read` returns some of these `length` bytes,
    /// and `None` if it cannot. Returns the number of tiles.
    ///
    /// It reads the portal graphs and where each sector's tiles are. These are read when a tile of the sector is first
    /// needed. The plain tiles of sectors that are as they were are then made without a solve. They do not count as
    /// built, neither towards [`Self::set_tile_limit`] nor in [`super::TileStats::built`]. So a simulation repeats
    /// exactly only where the same tiles are open, over loads and rollbacks too: open them before the first tick.
    ///
    /// Up to [`Self::set_tile_cache_bytes`] of tiles that were read are kept. Contents are verified as those of
    /// [`Self::load_tiles`] are. A sector that cannot be read later is reported as a failure of the update, and its
    /// tiles are built.
    ///
    /// # Errors
    /// [`Error::BadBytes`] if the bytes have another version, are cut short or altered, or were made for another world.
    /// Nothing is changed then.
    pub fn open_tiles(&mut self, read: ReadBytes, length: u64) -> Result<u64> {
        self.refresh_costs();
        self.sync_tiles();
        let sectors = Sectors::new(self.grid.size(), self.tiling.sector_size)?.count();
        let (tiles, rest) = self.read_baked_head(&read, length)?;
        let mut input = Reader::new(NAME, &rest);
        let mut places = Vec::with_capacity(sectors * self.layers.len());
        for _ in 0..sectors * self.layers.len() {
            let place = Place::read(&mut input)?;
            let end = place.from.checked_add(u64::from(place.length));
            if end.is_none_or(|end| end > length) {
                return Err(input.bad("they have a sector after their end"));
            }
            places.push(place);
        }
        let mut input = Unpacker::new(input);
        let graphs = (0..self.layers.len())
            .map(|movement| self.read_known_graph(&mut input, movement))
            .map(|graph: Result<PortalGraph>| graph.map(Some))
            .collect::<Result<Vec<_>>>()?;
        if !input.is_at_end() {
            return Err(input.bad("there is something after their portal graphs"));
        }
        self.keep_graphs(graphs);
        let limit = self.tiling.cache_bytes as usize;
        self.tiling.baked = Some(BakedTiles::new(NAME, read, (places, sectors), limit));
        Ok(tiles)
    }

    /// Ends the use of baked tiles, and lets loaded tiles count as built from now on.
    pub fn close_tiles(&mut self) {
        self.tiling.baked = None;
        self.tiling.cache.forget_loaded();
    }

    /// The number of tiles, and what follows the head up to the checksum, which is right.
    fn read_baked_head(&self, read: &ReadBytes, length: u64) -> Result<(u64, Vec<u8>)> {
        let cut = || Error::BadBytes {
            name: NAME,
            reason: "they are cut short or altered".to_owned(),
        };
        let fetch = |from: u64, count: u64| {
            let is_there = from.checked_add(count).is_some_and(|end| end <= length);
            let count = usize::try_from(count).ok().filter(|_| is_there);
            let bytes = count.and_then(|count| read(from, count).filter(|it| it.len() == count));
            bytes.ok_or_else(cut)
        };
        let begin = fetch(0, length.min(HEAD as u64))?;
        let mut input = Reader::new(NAME, &begin);
        if input.take(MAGIC.len()).ok() != Some(&MAGIC[..]) {
            return Err(input.bad("these are no baked tiles"));
        }
        let version = input.u32()?;
        if version != VERSION {
            return Err(input.bad(&format!("their version is {version}, not {VERSION}")));
        }
        self.check_circumstances(&mut input)?;
        let (graphs, tiles) = (input.u64()?, input.u64()?);
        let sectors = Sectors::new(self.grid.size(), self.tiling.sector_size)?.count();
        let places = (sectors * self.layers.len() * Place::BYTES) as u64;
        let count = graphs
            .checked_add(places + CHECKSUM as u64)
            .ok_or_else(cut)?;
        let mut rest = fetch(HEAD as u64, count)?;
        let sum = rest.split_off(rest.len() - CHECKSUM);
        let whole = [begin.as_slice(), rest.as_slice()].concat();
        if sum != checksum(&whole).to_le_bytes() {
            return Err(cut());
        }
        Ok((tiles, rest))
    }
}
