//! The bake of a whole grid, in bands of rows, and of a rectangle of it again.

use super::columns::{ColumnFloors, columns_of};
use super::floor_map::FloorMap;
use super::geometry::Geometry;
use super::layering::assign_layers;
use super::rebake::keep_layers;
use super::seams::{REACH, Window};
use super::settings::StoreySettings;
use crate::error::Result;
use crate::grid::{CellRect, Grid};
use crate::terrain::{CLEAR, WALL};
use crate::workers::Workers;
use glam::IVec2;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of rows of cells that are rasterised together.
const BAND_ROWS: i32 = 8;

/// A bake that may run on any threads: rasterise every band, in any order, then call [`Bake::finish`].
#[derive(Debug)]
pub struct Bake {
    grid: Grid,
    settings: StoreySettings,
    geometry: Geometry,
    bands: Vec<Mutex<Option<ColumnFloors>>>,
    done: AtomicUsize,
    is_cancelled: AtomicBool,
}

impl Bake {
    /// Prepares the bake of a grid, of which only the lowest layer counts.
    ///
    /// # Errors
    /// As for [`StoreySettings::check`].
    pub fn new(grid: &Grid, geometry: Geometry, settings: StoreySettings) -> Result<Self> {
        settings.check()?;
        let grid = grid.one_layer();
        let bands = grid.size().y.div_euclid(BAND_ROWS) + 1;
        Ok(Self {
            grid,
            settings,
            geometry,
            bands: (0..bands).map(|_| Mutex::default()).collect(),
            done: AtomicUsize::new(0),
            is_cancelled: AtomicBool::new(false),
        })
    }

    /// Returns the number of bands.
    #[must_use]
    pub fn band_count(&self) -> usize {
        self.bands.len()
    }

    /// Rasterises a band. Does nothing for a band that does not exist, or after [`Self::cancel`]. Returns `true` if all
    /// bands are rasterised now, and this was the last.
    pub fn rasterise(&self, band: usize) -> bool {
        let Some(place) = self.bands.get(band) else {
            return false;
        };
        if self.is_cancelled.load(Ordering::Relaxed) {
            return false;
        }
        let low = IVec2::new(0, band as i32 * BAND_ROWS);
        let high = (low + BAND_ROWS).with_x(self.grid.size().x);
        let rows = CellRect { low, high }.intersection(&self.grid.cells());
        let floors = columns_of(&self.grid, rows, &self.geometry, &self.settings);
        let mut place = place.lock();
        let is_new = place.replace(floors).is_none();
        is_new && self.done.fetch_add(1, Ordering::AcqRel) + 1 == self.bands.len()
    }

    /// Returns the share of the bands that are rasterised, 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.done.load(Ordering::Acquire) as f32 / self.bands.len() as f32
    }

    /// Bands that are not rasterised yet are skipped from now on.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Rasterises the bands that are missing, on the workers, and puts all floors on layers. `None` after
    /// [`Self::cancel`].
    ///
    /// # Errors
    /// Floors that need more than [`crate::grid::layers::MAX_LAYERS`] layers.
    pub fn finish(&self, workers: &Workers) -> Result<Option<Storeys>> {
        let mut missing: Vec<usize> = (0..self.bands.len()).collect();
        missing.retain(|&band| self.bands[band].lock().is_none());
        workers.for_each_chunk(&mut missing, 1, |_, bands| {
            for &band in &*bands {
                self.rasterise(band);
            }
        });
        let bands: Option<Vec<_>> = self.bands.iter().map(|band| band.lock().take()).collect();
        let Some(bands) = bands else {
            return Ok(None);
        };
        let mut map = FloorMap::new(&self.grid, bands.into_iter());
        let layers = assign_layers(&mut map, self.grid.cell_size(), &self.settings, workers)?;
        Ok(Some(Storeys {
            grid: self.grid,
            settings: self.settings,
            map,
            layers,
        }))
    }
}

/// The floors of a grid and their layers.
#[derive(Debug, Clone, PartialEq)]
pub struct Storeys {
    grid: Grid,
    settings: StoreySettings,
    map: FloorMap,
    layers: u32,
}

/// One layer of a rectangle of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct StoreyLayer {
    /// One terrain id for each cell, row by row: [`CLEAR`], or [`WALL`] without a floor.
    pub terrain: Vec<u8>,
    /// One height in world units for each corner of cells, (width + 1) × (height + 1), row by row. NaN where no cell
    /// around the corner has a floor.
    pub heights: Vec<f32>,
}

/// A link between two layers, in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoreyLink {
    /// The first cell, without its layer: x and y.
    pub from: (i32, i32),
    /// The layer of the first cell.
    pub from_layer: u32,
    /// The last cell: the same as the first or one beside it.
    pub to: (i32, i32),
    /// The layer of the last cell.
    pub to_layer: u32,
}

/// What a rectangle of cells is on all layers.
#[derive(Debug, Clone, PartialEq)]
pub struct StoreyMaps {
    /// The rectangle.
    pub cells: CellRect,
    /// Its layers, from layer 0 on.
    pub layers: Vec<StoreyLayer>,
    /// The links that begin in the rectangle, ascending.
    pub links: Vec<StoreyLink>,
}

impl Storeys {
    /// Returns the number of layers, at least 1.
    #[must_use]
    pub fn layer_count(&self) -> u32 {
        self.layers
    }

    /// Returns the grid, of one layer.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the heights of all floors of a cell, from below; none outside the grid. Ledges, which are walls, are
    /// included.
    #[must_use]
    pub fn floors(&self, cell: IVec2) -> Vec<f32> {
        let column = self.map.column(cell);
        column.map(|floor| self.map.floor(floor).height).collect()
    }

    /// Returns the layers of the cells in a rectangle that are in the grid.
    #[must_use]
    pub fn maps(&self, cells: CellRect, workers: &Workers) -> StoreyMaps {
        let mut cells = cells.intersection(&self.grid.cells());
        if cells.is_empty() {
            // Far outside, differences of coordinates would overflow.
            (cells.low, cells.high) = (IVec2::ZERO, IVec2::ZERO);
        }
        let around = cells.grown(REACH);
        let window = Window::new(&self.map, &self.settings, around, self.layers, workers);
        let mut layers: Vec<(u32, StoreyLayer)> = (0..window.layers())
            .map(|layer| {
                let empty = StoreyLayer {
                    terrain: Vec::new(),
                    heights: Vec::new(),
                };
                (layer, empty)
            })
            .collect();
        workers.for_each_chunk(&mut layers, 1, |_, part| {
            for (layer, maps) in part {
                *maps = layer_of(&window, *layer, cells);
            }
        });
        let links = window.seams().iter().map(|seam| StoreyLink {
            from: (seam.from.1.1, seam.from.1.0),
            from_layer: seam.from.0,
            to: (seam.to.1.1, seam.to.1.0),
            to_layer: seam.to.0,
        });
        let begins_inside = |link: &StoreyLink| cells.contains(IVec2::from(link.from));
        StoreyMaps {
            cells,
            layers: layers.into_iter().map(|(_, maps)| maps).collect(),
            links: links.filter(begins_inside).collect(),
        }
    }

    /// Bakes the cells of a rectangle again. `geometry` must have every body that reaches into it. Floors outside keep
    /// their layers, and floors inside too where they are as high as before. Returns the rectangle in which
    /// [`Self::maps`] may have changed.
    ///
    /// Takes time for the cells of the rectangle, and seldom, once as many floors were replaced as there are, for all
    /// floors.
    ///
    /// # Errors
    /// Floors that need more layers than there are; nothing is changed then.
    pub fn rebake(&mut self, cells: CellRect, geometry: &Geometry) -> Result<CellRect> {
        let cells = cells.intersection(&self.grid.cells());
        if cells.is_empty() {
            return Ok(cells);
        }
        let new = columns_of(&self.grid, cells, geometry, &self.settings);
        let before = self.map.replace(cells, &new);
        let kept = keep_layers(&mut self.map, cells, &before, self.layers, &self.settings);
        if let Err(error) = kept {
            self.map.restore(&before);
            return Err(error);
        }
        self.map.confirm(&before);
        Ok(cells.grown(REACH).intersection(&self.grid.cells()))
    }
}

fn layer_of(window: &Window, layer: u32, cells: CellRect) -> StoreyLayer {
    let walkable = |cell: IVec2| window.is_walkable(layer, cell);
    let corners = CellRect {
        high: cells.high + 1,
        ..cells
    };
    StoreyLayer {
        terrain: cells
            .cells()
            .map(|cell| if walkable(cell) { CLEAR } else { WALL })
            .collect(),
        heights: corners
            .cells()
            .map(|corner| window.corner(layer, corner))
            .collect(),
    }
}
