//! Built tiles and portal graphs as bytes, which can be made beforehand and kept on disk (Emerson, Game AI Pro, 23.7
//! and 23.16).
//!
//! Bytes are accepted only for the same grid, sectors, solver, terrain, costs and links. A tile would be right
//! anywhere, as it is found by what it was made from, but a file for another map would be of no use and is a mistake to
//! report. For the same reason the variant of tiles does not matter.

use crate::bytes::{Reader, Source, Unpacker, Writer, checksum, pack};
use crate::error::Result;
use crate::random::mix;
use crate::route::tiles::SavedTiles;
use crate::route::{PortalGraph, PortalSettings, Sectors};
use crate::world::FlowWorld;
use crate::world::tiled::tiling::Graph;
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"FLOWTILE";
/// The version of the format. It must be raised when the bytes change, and when the same ground and borders give other
/// tiles or portals: see the test `saved_tiles.rs`.
const VERSION: u32 = 6;
/// The name in errors.
const NAME: &str = "tiles";
/// The length of the checksum at the end.
pub(super) const CHECKSUM: usize = 8;
/// The number of properties of a world that saved tiles depend on.
pub(super) const CIRCUMSTANCES: usize = 7;

/// The properties of a world that saved tiles depend on, each with the error text for a mismatch.
struct Circumstances([(u64, &'static str); CIRCUMSTANCES]);

impl FlowWorld {
    /// The tiles in the cache and the portal graphs that have been built, as bytes for [`Self::load_tiles`].
    ///
    /// To save the tiles of some routes, request these ([`Self::request_route`]) and update until no tile is waiting,
    /// with a cache that is large enough for all of them.
    ///
    /// Linear in the cells of the map and the data saved.
    #[must_use]
    pub fn save_tiles(&mut self) -> Vec<u8> {
        self.refresh_for_query();
        let body = self.body();
        let mut out = Writer::default();
        out.bytes.extend(MAGIC);
        out.u32(VERSION);
        self.write_circumstances(&mut out);
        pack(&body.bytes, &mut out);
        out.u64(checksum(&out.bytes));
        out.bytes
    }

    /// Loads the bytes that [`Self::save_tiles`] made in a world with the same grid, terrain, links, movement types,
    /// solver and sector size, and with the same crowds and cost overlays on it. Tiles are then found instead of built,
    /// and do not count as built, neither towards [`Self::set_tile_limit`] nor in [`super::TileStats::built`]. So a
    /// simulation repeats exactly only where the same tiles are loaded, over loads of states and rollbacks too: load
    /// them before the first tick. The first order for a movement type does not wait for its portal graph. Returns the
    /// number of tiles read; tiles beyond the size of the cache are not kept.
    ///
    /// Linear in the cells of the map and the data saved. Memory is allocated for the portal graphs of the map and for
    /// as many tiles as the cache can keep, whatever the bytes are.
    ///
    /// The contents of tiles are not verified, which would take as long as building them. A file that was forged for
    /// this very world can lead agents astray, but not out of the map or into walls.
    ///
    /// # Errors
    /// [`crate::Error::BadBytes`] if the bytes have another version, are cut short or altered, or were saved for
    /// another grid, terrain, solver, sector size, other links, movement types, crowds or cost overlays. Nothing is
    /// changed then.
    pub fn load_tiles(&mut self, bytes: &[u8]) -> Result<usize> {
        self.refresh_costs();
        self.sync_tiles();
        let mut input = self.checked_body(bytes)?;
        let graphs = (0..self.layers.len())
            .map(|movement| self.read_graph(&mut input, movement))
            .collect::<Result<Vec<_>>>()?;
        let tiles = SavedTiles::read(&mut input, &self.tiling.cache)?;
        if !input.is_at_end() {
            return Err(input.bad("there is something after their end"));
        }
        self.keep_graphs(graphs);
        let count = tiles.count();
        self.tiling.cache.insert_all(tiles);
        Ok(count)
    }

    /// Keeps the graphs of movement types that have none, of those that were read for each movement type. They are of
    /// the newest costs, which are taken into use.
    pub(super) fn keep_graphs(&mut self, graphs: Vec<Option<PortalGraph>>) {
        if self.has_next_costs() {
            self.take_over_next_costs(true);
            self.sync_tiles();
        }
        let known = &mut self.tiling.graphs;
        known.resize_with(self.layers.len(), || None);
        for ((known, graph), layer) in known.iter_mut().zip(graphs).zip(&self.layers) {
            // Routes refer to the version of a graph that is in use.
            if let (None, Some(graph)) = (&known, graph) {
                *known = Some(Graph::new(Arc::new(graph), layer));
            }
        }
    }

    /// Writes what saved tiles depend on.
    pub(super) fn write_circumstances(&self, out: &mut Writer) {
        for (number, _) in self.circumstances().0 {
            out.u64(number);
        }
    }

    /// Reads what tiles were saved for.
    ///
    /// # Errors
    /// [`crate::Error::BadBytes`] if it is not what this world has.
    pub(super) fn check_circumstances(&self, input: &mut Reader<'_>) -> Result<()> {
        for (number, reason) in self.circumstances().0 {
            if input.u64()? != number {
                return Err(input.bad(reason));
            }
        }
        Ok(())
    }

    /// The graphs and tiles as bytes.
    fn body(&mut self) -> Writer {
        let mut body = Writer::default();
        for movement in 0..self.layers.len() {
            let is_followed = matches!(self.tiling.graphs.get(movement), Some(Some(_)));
            // With all edits, including those that the simulation does not have yet.
            let graph = is_followed.then(|| self.known_graph(movement)).flatten();
            body.u8(u8::from(graph.is_some()));
            if let Some(graph) = graph {
                graph.write(&mut body);
            }
        }
        self.tiling.cache.write(&mut body);
        body
    }

    /// The body, if the bytes are complete and were saved for a world like this one.
    fn checked_body<'a>(&self, bytes: &'a [u8]) -> Result<Unpacker<'a>> {
        let mut input = Reader::new(NAME, bytes);
        if input.take(MAGIC.len()).ok() != Some(&MAGIC[..]) {
            return Err(input.bad("these are no saved tiles"));
        }
        let version = input.u32()?;
        if version != VERSION {
            return Err(input.bad(&format!("their version is {version}, not {VERSION}")));
        }
        let end = bytes.len().saturating_sub(CHECKSUM);
        let sum = checksum(&bytes[..end]).to_le_bytes();
        if bytes[end..] != sum || input.rest.len() < CHECKSUM {
            return Err(input.bad("they are cut short or altered"));
        }
        input.rest = &input.rest[..input.rest.len() - CHECKSUM];
        self.check_circumstances(&mut input)?;
        Ok(Unpacker::new(input))
    }

    fn read_graph(&self, input: &mut Unpacker<'_>, movement: usize) -> Result<Option<PortalGraph>> {
        match input.u8()? {
            0 => Ok(None),
            1 => self.read_known_graph(input, movement).map(Some),
            _ => Err(input.bad("they have an unknown mark")),
        }
    }

    /// Reads the portal graph of a movement type.
    pub(super) fn read_known_graph(
        &self,
        input: &mut Unpacker<'_>,
        movement: usize,
    ) -> Result<PortalGraph> {
        let settings = self.portal_settings();
        let sectors = Sectors::new(self.grid.size(), settings.sector_size)?;
        let costs = self.newest_costs(movement);
        PortalGraph::read(input, sectors, settings, &costs, &self.workers)
    }

    /// The layout of all portal graphs.
    pub(super) fn portal_settings(&self) -> PortalSettings {
        PortalSettings {
            sector_size: self.tiling.sector_size,
            widest_window: self.tiling.sector_size,
        }
    }

    /// The properties of this world, with the newest costs. Those in use must be up to date.
    fn circumstances(&self) -> Circumstances {
        let size = self.grid.size();
        let solver = self.solver.number();
        let mut row = vec![0; size.x as usize];
        let terrain = (0..size.y as usize).fold(0, |hash, y| {
            self.terrain.copy_row(y, 0, &mut row);
            mix(hash ^ checksum(&row))
        });
        let count = self.layers.len();
        let costs = (0..count).fold(count as u64, |hash, movement| {
            mix(hash ^ self.newest_costs(movement).hash())
        });
        Circumstances([
            (size.x as u64, "they were saved for a grid of another width"),
            (
                size.y as u64,
                "they were saved for a grid of another height",
            ),
            (
                u64::from(self.tiling.sector_size),
                "they were saved for another sector size",
            ),
            (solver, "they were saved for another solver"),
            (terrain, "they were saved for another terrain"),
            (
                costs,
                "they were saved for other movement types, crowds or cost overlays",
            ),
            (self.hash_of_links(), "they were saved for other links"),
        ])
    }
}

impl FlowWorld {
    /// A hash of the links.
    fn hash_of_links(&self) -> u64 {
        let edges = self.link_edges.edges().iter();
        edges.fold(0, |hash, edge| {
            let ends = (edge.from as u64) << 32 | edge.to as u64;
            mix(mix(hash ^ ends) ^ u64::from(edge.cost.to_bits()))
        })
    }
}
