//! Spans and floors: what is solid in a column, and on which surfaces agents can stand.

use super::facets::Facet;
use super::settings::StoreySettings;
use crate::import::shapes::TOLERANCE;

/// The area of a cell without the tolerance at its sides, less rounding errors.
const WHOLE_AREA: f32 = 0.999 * ((1.0 - 2.0 * TOLERANCE) * (1.0 - 2.0 * TOLERANCE)) as f32;

/// A walkable span: a surface in one column with room for agents above it. Heights are in world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Floor {
    /// The least and the greatest height of the surface in the cell.
    pub low: f32,
    pub high: f32,
    /// The height at the centre of the cell.
    pub height: f32,
    /// The rise over the width of a cell along x and along z.
    pub slope: [f32; 2],
    /// The lowest point of what is above.
    pub ceiling: f32,
    /// Whether the surface is not one plane, such as a step inside the cell.
    pub is_uneven: bool,
    pub layer: u8,
}

impl Floor {
    /// The height at a point of the cell, from its centre, in cells.
    pub(super) fn height_at(&self, x: f32, z: f32) -> f32 {
        let plane = self.height + self.slope[0] * x + self.slope[1] * z;
        plane.clamp(self.low, self.high)
    }

    /// The heights at the middle of the side of the cell in a direction.
    fn beside(&self, (x, z): (f32, f32)) -> (f32, f32) {
        if self.is_uneven {
            return (self.low, self.high);
        }
        let height = self.height_at(0.5 * x, 0.5 * z);
        (height, height)
    }

    /// The height of the step to a floor of the next column in a direction; `None` if agents cannot take it.
    pub(super) fn step_to(
        &self,
        next: &Self,
        (x, z): (f32, f32),
        settings: &StoreySettings,
    ) -> Option<f32> {
        let (low, high) = self.beside((x, z));
        let (next_low, next_high) = next.beside((-x, -z));
        let step = (low.max(next_low) - high.min(next_high)).max(0.0);
        let ceiling = self.ceiling.min(next.ceiling);
        let margin = rounding(settings);
        let is_high_enough = ceiling - low.max(next_low) >= settings.agent_height - margin;
        (is_high_enough && step <= settings.agent_max_climb + margin).then_some(step)
    }
}

/// Differences in height below this are rounding errors.
fn rounding(settings: &StoreySettings) -> f32 {
    1.0e-3 * settings.agent_height
}

/// A solid part of a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub column: u32,
    pub low: f32,
    pub high: f32,
}

/// Appends the floors of one column, from below. `spans` are all solid parts of the column, and `surfaces` all faces in
/// it that point up; both are reordered.
pub(super) fn find_floors(
    spans: &mut [Span],
    surfaces: &mut [Facet],
    settings: &StoreySettings,
    floors: &mut Vec<Floor>,
) {
    spans.sort_unstable_by(|a, b| a.low.total_cmp(&b.low).then(a.high.total_cmp(&b.high)));
    surfaces.sort_unstable_by(|a, b| {
        let by_height = b.high.total_cmp(&a.high).then(b.low.total_cmp(&a.low));
        by_height
            .then(b.height.total_cmp(&a.height))
            .then(a.slope[0].total_cmp(&b.slope[0]))
    });
    let mut rest = spans.iter();
    let Some(first) = rest.next() else {
        return;
    };
    let (mut bottom, mut top) = (first.low, first.high);
    for span in rest {
        if span.low < top + settings.cell_height {
            top = top.max(span.high);
            continue;
        }
        floors.extend(floor_on((bottom, top), span.low, surfaces, settings));
        (bottom, top) = (span.low, span.high);
    }
    floors.extend(floor_on((bottom, top), f32::INFINITY, surfaces, settings));
}

/// The floor on a solid part of a column, if there is room for agents.
fn floor_on(
    (bottom, top): (f32, f32),
    ceiling: f32,
    surfaces: &[Facet],
    settings: &StoreySettings,
) -> Option<Floor> {
    if ceiling - top < settings.agent_height - rounding(settings) {
        return None;
    }
    let mut low = top;
    let mut area = 0.0;
    let mut is_uneven = false;
    // The highest surface, and the highest that covers the centre.
    let mut best: Option<&Facet> = None;
    for facet in surfaces {
        if facet.high > top || facet.high < bottom {
            continue;
        }
        // What full surfaces cover is not seen from above, and what is far below is no part of this floor.
        if area >= WHOLE_AREA || facet.high < low - settings.merged_height() {
            break;
        }
        area += facet.area;
        if !facet.walkable {
            continue;
        }
        low = low.min(facet.low);
        let Some(before) = best else {
            best = Some(facet);
            continue;
        };
        is_uneven |= !is_same_plane(before, facet, settings);
        if facet.covers_center && !before.covers_center {
            best = Some(facet);
        }
    }
    let best = best?;
    Some(Floor {
        low,
        high: top,
        height: best.height,
        slope: best.slope,
        ceiling,
        is_uneven,
        layer: 0,
    })
}

fn is_same_plane(one: &Facet, other: &Facet, settings: &StoreySettings) -> bool {
    let reach = 0.05 * settings.cell_height;
    let is_near = |a: f32, b: f32| (a - b).abs() <= reach;
    // Heights are within their facet, so that of a facet beside the centre is compared by its slope alone.
    let at_center = one.covers_center && other.covers_center;
    let at_edges = one.low <= other.high + reach && other.low <= one.high + reach;
    is_near(one.slope[0], other.slope[0])
        && is_near(one.slope[1], other.slope[1])
        && at_edges
        && (!at_center || is_near(one.height, other.height))
}
