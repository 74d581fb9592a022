//! The making of a file with the plain tiles of all sectors, in parts, apart from the world.
//!
//! The file begins as saved tiles do ([`super::saving`]), with what it was made for. Then come the places of all
//! sectors in it, the portal graphs, a checksum of all that, and the sectors, each compressed on its own. Sectors with
//! the same tiles share a place. [`super::baking`] reads it.

use crate::bytes::{Writer, checksum, pack};
use crate::error::{Error, Result};
use crate::integrate::Solver;
use crate::movement::CostField;
use crate::route::tiles::{BakedSector, Place, TileSolver};
use crate::route::{PortalGraph, PortalSettings, Sectors};
use crate::workers::Workers;
use crate::world::FlowWorld;
use crate::world::tiled::saving::CHECKSUM;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

pub(super) const MAGIC: [u8; 8] = *b"FLOWBAKE";
/// The version of the format. It must be raised when the bytes change, and when the same ground gives other tiles or
/// portals: see the test `baked_tiles.rs`.
pub(super) const VERSION: u32 = 3;
/// The number of sectors in a part.
const PART: usize = 64;

/// The tiles of a sector as bytes, and their number.
type Made = (Vec<u8>, u32);

/// A bake of plain tiles that is being made, of the ground as it was at its begin. Its parts can be made on any threads
/// in any order.
#[derive(Debug)]
pub struct TileBake {
    movements: Vec<Movement>,
    settings: PortalSettings,
    solver: Solver,
    /// What the tiles are made for.
    circumstances: Vec<u8>,
    /// The number of sectors of all movement types.
    sectors: usize,
    parts: Vec<Mutex<Option<Vec<Made>>>>,
    done: AtomicUsize,
    is_cancelled: AtomicBool,
}

/// The ground of a movement type.
#[derive(Debug)]
struct Movement {
    costs: Arc<CostField>,
    /// Built for the first sector, if there was none at the begin.
    graph: OnceLock<Arc<PortalGraph>>,
}

impl FlowWorld {
    /// Begins to make the file of [`Self::bake_tiles`] of the ground as it is now. Portal graphs that exist are brought
    /// up to date; the others and the tiles are left to [`TileBake::make`] and [`TileBake::finish`].
    ///
    /// # Errors
    /// As for [`Self::bake_tiles`].
    pub fn begin_tile_bake(&mut self) -> Result<TileBake> {
        self.refresh_for_query();
        if !self.link_edges.edges().is_empty() {
            let what = "tiles are not plain on maps with links";
            return Err(Error::NotSaved { what });
        }
        let mut circumstances = Writer::default();
        self.write_circumstances(&mut circumstances);
        let movements = (0..self.layers.len()).map(|movement| {
            let costs = self.newest_costs(movement);
            let graph = match self.known_graph(movement) {
                Some(graph) => OnceLock::from(graph),
                None => OnceLock::new(),
            };
            Movement { costs, graph }
        });
        let movements: Vec<_> = movements.collect();
        let settings = self.portal_settings();
        let each = Sectors::new(self.grid.size(), settings.sector_size)?.count();
        let sectors = each * movements.len();
        Ok(TileBake {
            movements,
            settings,
            solver: self.solver,
            circumstances: circumstances.bytes,
            sectors,
            parts: (0..sectors.div_ceil(PART))
                .map(|_| Mutex::default())
                .collect(),
            done: AtomicUsize::new(0),
            is_cancelled: AtomicBool::new(false),
        })
    }

    /// The plain tiles to all parts of all portal windows of all sectors and movement types, and the portal graphs, as
    /// bytes for [`Self::open_tiles`].
    ///
    /// A solve for each part of each window, on all threads: about a second for a million cells that differ.
    ///
    /// # Errors
    /// [`Error::NotSaved`] on maps with links, where tiles are always seamless.
    pub fn bake_tiles(&mut self) -> Result<Vec<u8>> {
        let bake = self.begin_tile_bake()?;
        // Nothing else can cancel it.
        Ok(bake.finish(&self.workers).unwrap_or_default())
    }
}

impl TileBake {
    /// The number of parts.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Makes the tiles of a part. Returns true for the call that completes the last missing part; never after
    /// [`Self::cancel`].
    pub fn make(&self, part: usize) -> bool {
        let Some(place) = self.parts.get(part) else {
            return false;
        };
        let mut solver = TileSolver::new();
        let sectors = part * PART..self.sectors.min((part + 1) * PART);
        let mut made = Vec::with_capacity(sectors.len());
        for sector in sectors {
            if self.is_cancelled.load(Ordering::Relaxed) {
                return false;
            }
            made.push(self.make_sector(sector, &mut solver));
        }
        let is_new = place.lock().replace(made).is_none();
        is_new && self.done.fetch_add(1, Ordering::AcqRel) + 1 == self.parts.len()
    }

    /// Makes the tiles of a sector, counted over all movement types.
    fn make_sector(&self, number: usize, solver: &mut TileSolver) -> Made {
        let each = self.sectors / self.movements.len();
        let movement = &self.movements[number / each];
        let graph = self.graph(movement, &Workers::serial());
        let sector = (number % each) as u32;
        BakedSector::bake((graph, &movement.costs), sector, self.solver, solver)
    }

    /// The graph of a movement type. The first call may build it; calls on other threads then wait.
    fn graph<'a>(&self, movement: &'a Movement, workers: &Workers) -> &'a Arc<PortalGraph> {
        movement.graph.get_or_init(|| {
            let graph = PortalGraph::new(&movement.costs, self.settings, workers);
            Arc::new(graph.expect("settings of a world are in range"))
        })
    }

    /// The share of parts that are made, 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.done.load(Ordering::Acquire) as f32 / self.parts.len() as f32
    }

    /// Sectors that are not made yet are skipped from now on.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Makes the parts that are missing, on the workers, and the file of all. `None` if sectors are missing after
    /// [`Self::cancel`].
    pub fn finish(&self, workers: &Workers) -> Option<Vec<u8>> {
        for movement in &self.movements {
            self.graph(movement, workers);
        }
        let mut missing: Vec<usize> = (0..self.parts.len()).collect();
        missing.retain(|&part| self.parts[part].lock().is_none());
        workers.for_each_chunk(&mut missing, 1, |_, parts| {
            for &part in &*parts {
                self.make(part);
            }
        });
        let parts = self.parts.iter().map(|part| part.lock().take());
        let parts: Option<Vec<Vec<Made>>> = parts.collect();
        Some(self.file_of(parts?.into_iter().flatten()))
    }

    fn file_of(&self, sectors: impl Iterator<Item = Made>) -> Vec<u8> {
        let (mut chunks, mut graphs, mut count) = (Chunks::default(), Writer::default(), 0);
        for movement in &self.movements {
            self.graph(movement, &Workers::serial()).write(&mut graphs);
        }
        for (chunk, tiles) in sectors {
            count += u64::from(tiles);
            chunks.push(&chunk);
        }
        let mut packed = Writer::default();
        pack(&graphs.bytes, &mut packed);
        let mut out = Writer::default();
        out.bytes.extend(MAGIC);
        out.u32(VERSION);
        out.bytes.extend(&self.circumstances);
        out.u64(packed.bytes.len() as u64);
        out.u64(count);
        let first = out.bytes.len() + chunks.places.len() * Place::BYTES;
        let first = (first + packed.bytes.len() + CHECKSUM) as u64;
        for place in &mut chunks.places {
            place.from += first;
            place.write(&mut out);
        }
        out.bytes.extend(packed.bytes);
        out.u64(checksum(&out.bytes));
        out.bytes.extend(chunks.bytes);
        out.bytes
    }
}

/// Sectors in the file, each of which is written once however often it comes.
#[derive(Default)]
struct Chunks {
    bytes: Vec<u8>,
    places: Vec<Place>,
    by_checksum: BTreeMap<u64, Vec<Place>>,
}

impl Chunks {
    fn push(&mut self, chunk: &[u8]) {
        if chunk.is_empty() {
            self.places.push(Place::default());
            return;
        }
        let place = Place {
            from: self.bytes.len() as u64,
            length: chunk.len() as u32,
            checksum: checksum(chunk),
        };
        let alike = self.by_checksum.entry(place.checksum).or_default();
        let is_it = |known: &&Place| self.bytes[known.from as usize..].starts_with(chunk);
        let known = alike.iter().find(is_it).copied();
        let place = known.unwrap_or_else(|| {
            alike.push(place);
            self.bytes.extend(chunk);
            place
        });
        self.places.push(place);
    }
}
