//! The floors of all columns of a rectangle of cells.

use super::facets::{Facet, Facing, Raster};
use super::floors::{Floor, Span, find_floors};
use super::geometry::{Body, Geometry, Volume};
use super::settings::StoreySettings;
use crate::grid::{CellRect, Grid};

/// The floors of the columns of a rectangle, row by row, and from below in each column.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ColumnFloors {
    /// The number of floors of each column.
    pub counts: Vec<u8>,
    pub floors: Vec<Floor>,
}

/// The most floors of one column. Columns have more only in scenes of thousands of thin sheets.
const MAX_FLOORS: usize = u8::MAX as usize;

/// Finds the floors of the columns of `cells`.
pub(super) fn columns_of(
    grid: &Grid,
    cells: CellRect,
    geometry: &Geometry,
    settings: &StoreySettings,
) -> ColumnFloors {
    let raster = Raster {
        grid,
        columns: cells.low.x..cells.high.x,
        rows: cells.low.y..cells.high.y,
        max_slope: f64::from(settings.agent_max_slope) * f64::from(grid.cell_size()),
    };
    let low = grid.origin().y + cells.low.y as f32 * grid.cell_size();
    let high = grid.origin().y + cells.high.y as f32 * grid.cell_size();
    let mut columns = Columns::default();
    for body in &geometry.bodies {
        // A cell's margin covers rounding errors.
        let is_near =
            body.rows.1 >= low - grid.cell_size() && body.rows.0 <= high + grid.cell_size();
        if is_near {
            columns.add(body, &raster);
        }
    }
    columns.floors(cells.cell_count(), settings)
}

/// What bodies have put into columns.
#[derive(Default)]
struct Columns {
    spans: Vec<Span>,
    /// The parts of triangles that point up.
    surfaces: Vec<Facet>,
    /// The parts of one body.
    own: Vec<Facet>,
}

impl Columns {
    fn add(&mut self, body: &Body, raster: &Raster) {
        self.own.clear();
        for triangle in &body.triangles {
            raster.triangle(triangle, |facet| self.own.push(facet));
        }
        self.own.sort_by_key(|facet| facet.column);
        for column in self.own.chunk_by(|a, b| a.column == b.column) {
            solid_parts(column, body.volume, &mut self.spans);
            let upward = column.iter().filter(|facet| facet.facing == Facing::Up);
            self.surfaces.extend(upward);
        }
    }

    fn floors(mut self, count: usize, settings: &StoreySettings) -> ColumnFloors {
        self.spans.sort_by_key(|span| span.column);
        self.surfaces.sort_by_key(|facet| facet.column);
        let mut found = ColumnFloors {
            counts: vec![0; count],
            floors: Vec::with_capacity(count),
        };
        let mut surfaces = self.surfaces.as_mut_slice();
        for spans in self.spans.chunk_by_mut(|a, b| a.column == b.column) {
            let column = spans[0].column;
            let before = surfaces.partition_point(|facet| facet.column < column);
            let end = surfaces.partition_point(|facet| facet.column <= column);
            let (own, rest) = std::mem::take(&mut surfaces).split_at_mut(end);
            surfaces = rest;
            let first = found.floors.len();
            find_floors(spans, &mut own[before..], settings, &mut found.floors);
            found.floors.truncate(first + MAX_FLOORS);
            found.counts[column as usize] = (found.floors.len() - first) as u8;
        }
        found
    }
}

/// Appends what is solid of a body in one column.
fn solid_parts(facets: &[Facet], volume: Volume, spans: &mut Vec<Span>) {
    for facet in facets {
        let inside = match (volume, facet.facing) {
            (Volume::Below, Facing::Up) => f32::MIN..=facet.high,
            (Volume::Closed, Facing::Down) => facet.low..=closing(facet, facets),
            _ => facet.low..=facet.high,
        };
        spans.push(Span {
            column: facet.column,
            low: *inside.start(),
            high: *inside.end(),
        });
    }
}

/// The height up to which a closed body is solid above a part of its underside: that of the next upper side.
fn closing(underside: &Facet, facets: &[Facet]) -> f32 {
    let above = facets
        .iter()
        .filter(|facet| facet.facing == Facing::Up && facet.high >= underside.high);
    let next = above.map(|facet| facet.low).fold(f32::INFINITY, f32::min);
    if next.is_finite() {
        next.max(underside.high)
    } else {
        underside.high
    }
}
