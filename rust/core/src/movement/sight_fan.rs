//! How far a point is seen, by direction: a fan of narrow wedges around it.
//!
//! Each wedge has the distance up to which all its cells are even. That is a shadow map of one dimension (Williams,
//! Casting Curved Shadows on Curved Surfaces, SIGGRAPH 1978): whether a distant position sees the point is one look
//! into it, where a line would be traversed anew for each position. The answer is safe: a position that sees the point
//! by its wedge has a clear line to it, with room for a disc as wide as a cell. The converse fails near shadows only,
//! by the width of a wedge. Along the line to the point the wedge stays the same, so an agent that sees the point goes
//! on seeing it.

use super::{BLOCKED, Changes, CostField};
use crate::grid::{CellRect, floor_to_cell};
use glam::{DVec2, IVec2, Vec2, Vec2Swizzles};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// The number of wedges in an eighth of the circle. At a distance of 1,000 cells each is four cells wide.
const WEDGES: usize = 256;
/// What must be even on both sides of a wedge, across its main axis, in cells: the radius of the disc, which is longer
/// across a diagonal, and what rounding takes.
const MARGIN: f64 = 0.75;
/// Up to this column what crowds add to costs does not count, so that a crowd around its target does not hide it.
/// Farther away a wedge ends at a crowd, as agents walk around it.
const CROWDED: i32 = 45;
/// The most columns that a wedge counts.
const MOST_COLUMNS: i32 = (u16::MAX >> 1) as i32;
/// The numbers of columns that are looked at together, where all cells around them are alike.
const RUNS: [i32; 2] = [32, 8];
/// If more cells than this change, the fan is begun again.
const MOST_CHANGES: usize = 512;

/// The wedges around a point. A column is a line of cells across the main axis of a wedge, counted from the point on.
#[derive(Debug, Clone)]
pub(crate) struct SightFan {
    point: Vec2,
    /// The cost of the point's cell without surcharges, and what cost overlays add to it.
    plain: u8,
    overlays: u8,
    /// For each wedge twice the number of columns that are known to be clear, and one more if the next column is not.
    /// Steps read this on all threads and look at further columns where they need them. What they write depends on the
    /// costs alone, so nothing depends on which thread writes, and when.
    columns: Arc<[AtomicU16]>,
}

/// An eighth of the circle: `u` is counted along the main axis away from the point, `v` across.
#[derive(Clone, Copy)]
struct Eighth {
    is_steep: bool,
    is_backward: bool,
    is_mirrored: bool,
}

impl Eighth {
    fn of_number(number: usize) -> Self {
        Self {
            is_steep: number & 4 != 0,
            is_backward: number & 2 != 0,
            is_mirrored: number & 1 != 0,
        }
    }

    fn number(self) -> usize {
        usize::from(self.is_steep) << 2
            | usize::from(self.is_backward) << 1
            | usize::from(self.is_mirrored)
    }

    /// Exchanges the axes if the main axis is y.
    fn turned(self, cell: IVec2) -> IVec2 {
        if self.is_steep { cell.yx() } else { cell }
    }

    /// How far a cell lies from a coordinate, from its near edge to its far one.
    fn span(cell: i32, from: f64, is_reverse: bool) -> (f64, f64) {
        let low = f64::from(cell) - from;
        if is_reverse {
            (-low - 1.0, -low)
        } else {
            (low, low + 1.0)
        }
    }
}

impl SightFan {
    /// The fan around a point in cell space, without any column.
    pub(crate) fn new(costs: &CostField, point: Vec2) -> Self {
        let cell = floor_to_cell(point);
        Self {
            point,
            plain: costs.plain_cost_at(cell),
            overlays: costs.surcharge_at(cell).overlays,
            columns: (0..8 * WEDGES).map(|_| AtomicU16::new(0)).collect(),
        }
    }

    /// Whether a disc as wide as a cell can go from `at` to the point in a straight line over cells of the least cost
    /// of the map. True only if it is so, and false within a few cells of shadows. Constant where it has been asked
    /// before, and otherwise linear in the cells of the wedge.
    pub(crate) fn sees(&self, costs: &CostField, at: Vec2) -> bool {
        if self.plain != costs.cheapest() {
            return false;
        }
        let (wedge, column) = self.locate(at);
        if column >= MOST_COLUMNS {
            return false;
        }
        let known = self.columns[wedge].load(Relaxed);
        let (clear, ends) = (i32::from(known >> 1), known & 1 == 1);
        column < clear || !ends && self.look(costs, wedge, clear..=column)
    }

    /// Takes over changes of the costs: wedges end before cells that have changed, until they are looked at again.
    pub(crate) fn after(&mut self, costs: &CostField, changes: &Changes) {
        let cells = match changes {
            Changes::Cells(cells) if cells.is_empty() => return,
            Changes::Cells(cells) if cells.len() <= MOST_CHANGES => &cells[..],
            _ => &[],
        };
        let fresh = Self::new(costs, self.point);
        if cells.is_empty()
            || (self.plain, self.overlays) != (fresh.plain, fresh.overlays)
            || fresh.plain == BLOCKED
        {
            *self = fresh;
            return;
        }
        let mut columns: Vec<u16> = self
            .columns
            .iter()
            .map(|known| known.load(Relaxed))
            .collect();
        for &cell in cells {
            self.shorten(&mut columns, costs.cell(cell as usize));
        }
        self.columns = columns.into_iter().map(AtomicU16::new).collect();
    }

    /// The memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.columns)
    }

    /// The wedge and the column of a position.
    fn locate(&self, at: Vec2) -> (usize, i32) {
        let offset = at - self.point;
        let is_steep = offset.y.abs() > offset.x.abs();
        let (u, v) = if is_steep {
            (offset.y, offset.x)
        } else {
            (offset.x, offset.y)
        };
        let eighth = Eighth {
            is_steep,
            is_backward: u < 0.0,
            is_mirrored: v < 0.0,
        };
        let slope = if u == 0.0 { 0.0 } else { (v / u).abs() };
        let wedge = ((slope * WEDGES as f32) as usize).min(WEDGES - 1);
        let [from, to] = [self.point, at].map(|point| eighth.turned(floor_to_cell(point)).x);
        (eighth.number() * WEDGES + wedge, (to - from).abs())
    }

    /// Looks at columns of a wedge. Returns true if all are clear.
    fn look(&self, costs: &CostField, wedge: usize, columns: RangeInclusive<i32>) -> bool {
        let (mut clear, last) = (*columns.start(), *columns.end());
        let mut ends = false;
        while clear <= last && !ends {
            let mut runs = RUNS.into_iter().filter(|run| clear % run == 0);
            match runs.find(|&run| self.is_even_run(costs, wedge, clear, run)) {
                Some(run) => clear += run,
                None if self.is_clear(costs, wedge, clear) => clear += 1,
                None => ends = true,
            }
        }
        let known = clear.min(MOST_COLUMNS) as u16;
        self.columns[wedge].fetch_max(known << 1 | u16::from(ends), Relaxed);
        !ends
    }

    /// Whether all cells of a rectangle around some columns of a wedge are clear.
    fn is_even_run(&self, costs: &CostField, wedge: usize, first: i32, count: i32) -> bool {
        if first < CROWDED {
            return false;
        }
        let eighth = Eighth::of_number(wedge / WEDGES);
        let (near, far) = (
            self.column(wedge, first),
            self.column(wedge, first + count - 1),
        );
        let (low, high) = (near.0.min(far.0), near.1.max(far.1));
        let (low, high) = (eighth.turned(low), eighth.turned(high));
        let is_inside = costs.contains(low) && costs.contains(high);
        let high = high + 1;
        is_inside && costs.one_cost(CellRect { low, high }) == Some(self.plain)
    }

    /// Whether all cells of a column of a wedge are clear.
    fn is_clear(&self, costs: &CostField, wedge: usize, column: i32) -> bool {
        let eighth = Eighth::of_number(wedge / WEDGES);
        let (low, high) = self.column(wedge, column);
        (low.y..=high.y).all(|v| {
            let cell = eighth.turned(IVec2::new(low.x, v));
            if column >= CROWDED {
                return costs.cost_at(cell) == self.plain;
            }
            costs.plain_cost_at(cell) == self.plain
                && costs.surcharge_at(cell).overlays <= self.overlays
        })
    }

    /// The first and the last cell of a column of a wedge, with the axes as in its eighth.
    fn column(&self, wedge: usize, column: i32) -> (IVec2, IVec2) {
        let eighth = Eighth::of_number(wedge / WEDGES);
        let point = self.turned_point(eighth);
        let step = if eighth.is_backward { -1 } else { 1 };
        let u = point.x.floor() as i32 + step * column;
        let (near, far) = Eighth::span(u, point.x, eighth.is_backward);
        let slope = |edge: usize| edge as f64 / WEDGES as f64;
        let low = near.max(0.0) * slope(wedge % WEDGES) - MARGIN;
        let high = far * slope(wedge % WEDGES + 1) + MARGIN;
        let (low, high) = if eighth.is_mirrored {
            (point.y - high, point.y - low)
        } else {
            (point.y + low, point.y + high)
        };
        (
            IVec2::new(u, low.floor() as i32),
            IVec2::new(u, high.floor() as i32),
        )
    }

    /// Has the wedges that a cell belongs to end before it.
    fn shorten(&self, columns: &mut [u16], cell: IVec2) {
        for number in 0..8 {
            let eighth = Eighth::of_number(number);
            let point = self.turned_point(eighth);
            let cell = eighth.turned(cell);
            let (near, far) = Eighth::span(cell.x, point.x, eighth.is_backward);
            let (low, high) = Eighth::span(cell.y, point.y, eighth.is_mirrored);
            if far <= 0.0 || high + MARGIN < 0.0 {
                continue;
            }
            // One more on both sides, for what rounding takes.
            let first = (low - MARGIN) / far * WEDGES as f64 - 2.0;
            let last = (high + MARGIN) / near.max(f64::MIN_POSITIVE) * WEDGES as f64 + 1.0;
            let column = (cell.x - point.x.floor() as i32).unsigned_abs() as u16;
            let wedges = first.max(0.0) as usize..(last as usize).saturating_add(1).min(WEDGES);
            let wedges =
                number * WEDGES + wedges.start.min(wedges.end)..number * WEDGES + wedges.end;
            for known in &mut columns[wedges] {
                if *known >> 1 >= column {
                    *known = column << 1;
                }
            }
        }
    }

    /// The point, with the axes as in an eighth.
    fn turned_point(&self, eighth: Eighth) -> DVec2 {
        let point = self.point.as_dvec2();
        if eighth.is_steep { point.yx() } else { point }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::movement::{MovementType, Surcharge};
    use crate::random::keyed;
    use crate::terrain::Terrain;
    use proptest::prelude::*;

    fn terrain(size: IVec2, id: impl Fn(IVec2) -> u8) -> (Grid, Terrain) {
        let grid = Grid::new(size, 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        for y in 0..size.y {
            for x in 0..size.x {
                let cell = IVec2::new(x, y);
                terrain.set(cell, id(cell)).expect("inside");
            }
        }
        (grid, terrain)
    }

    /// Whether all cells within `reach` of the way between two points are even.
    fn is_even_around(from: Vec2, to: Vec2, reach: f32, is_even: impl Fn(IVec2) -> bool) -> bool {
        let steps = (8.0 * from.distance(to)) as usize + 1;
        (0..=steps).all(|step| {
            let at = from.lerp(to, step as f32 / steps as f32);
            let (low, high) = (floor_to_cell(at - reach), floor_to_cell(at + reach));
            let mut cells =
                (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| IVec2::new(x, y)));
            cells.all(&is_even)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn who_sees_a_point_has_room_to_go_there(
            size in (8..120, 8..120).prop_map(|(x, y)| IVec2::new(x, y)),
            one_in in 20..2000_u64,
            (x, y) in (0.0..1.0_f32, 0.0..1.0_f32),
            seed in any::<u64>(),
        ) {
            let draw = |what: u64, end: u64| keyed(seed, what, 0) % end;
            let id = |cell: IVec2| {
                let number = (cell.y * size.x + cell.x) as u64;
                let other = [BLOCKED, 2][draw(number, 2) as usize];
                if draw(number ^ 1 << 40, one_in) == 0 { other } else { 1 }
            };
            let movement = MovementType::default();
            let (grid, mut terrain) = terrain(size, id);
            let mut costs = CostField::new(&grid, &terrain, &movement);
            let point = Vec2::new(x, y) * size.as_vec2();
            let mut fan = SightFan::new(&costs, point);
            for edit in 0..4 {
                let fresh = SightFan::new(&costs, point);
                for number in 0..200 {
                    let part = |axis| draw(number * 8 + edit * 2 + axis + (1 << 50), 1 << 20) as f32 / (1 << 20) as f32;
                    let at = Vec2::new(part(0), part(1)) * size.as_vec2();
                    let sees = fan.sees(&costs, at);
                    prop_assert_eq!(sees, fresh.sees(&costs, at), "{} after edit {}", at, edit);
                    let is_even = |cell| costs.cost_at(cell) == 1;
                    if sees && at.distance(point) > 1.0 {
                        // The disc itself reaches over both ends.
                        let on = (point - at).normalize() * 0.5;
                        for aside in [-1.0, 0.0, 1.0] {
                            let aside = on.perp() * aside;
                            let (from, to) = (at + on + aside, point - on + aside);
                            prop_assert!(is_even_around(from, to, 0.0, is_even), "{from} to {to}");
                        }
                    } else if !sees {
                        let wide = 2.0 + at.distance(point) / 128.0;
                        prop_assert!(!is_even_around(at, point, wide, is_even), "{at} to {point}");
                    }
                }
                let cell = IVec2::new(
                    draw(edit + (1 << 51), size.x as u64) as i32,
                    draw(edit + (1 << 52), size.y as u64) as i32,
                );
                let rect = CellRect { low: cell, high: (cell + 3).min(size) };
                let id = [1, BLOCKED][draw(edit + (1 << 53), 2) as usize];
                for y in rect.low.y..rect.high.y {
                    for x in rect.low.x..rect.high.x {
                        terrain.set(IVec2::new(x, y), id).expect("inside");
                    }
                }
                let changes = costs.update(&terrain, &movement, &[rect]);
                fan.after(&costs, &changes);
            }
        }
    }

    #[test]
    fn crowds_hide_a_point_only_far_from_it() {
        let size = IVec2::new(400, 60);
        let (grid, terrain) = terrain(size, |_| 1);
        let mut costs = CostField::new(&grid, &terrain, &MovementType::default());
        let (point, at) = (Vec2::new(20.5, 30.5), Vec2::new(380.5, 30.5));
        let mut fan = SightFan::new(&costs, point);
        assert!(fan.sees(&costs, at));
        let mut lay = |x: i32, crowd: u8, overlays: u8| {
            let surcharges = [(IVec2::new(x, 30), Surcharge { crowd, overlays })];
            let changes = costs.lay_surcharges(&surcharges);
            fan.after(&costs, &changes);
            fan.sees(&costs, at)
        };
        assert!(lay(40, 9, 0), "a crowd near the point");
        assert!(!lay(40, 9, 9), "an overlay near the point");
        assert!(lay(40, 0, 0));
        assert!(!lay(200, 9, 0), "a crowd on the way");
        assert!(lay(200, 0, 0));
        // As dear as a cell can be, with an overlay or without.
        assert!(lay(40, 255, 0));
        assert!(!lay(40, 255, 9), "an overlay under a crowd");
    }

    #[test]
    fn only_the_cheapest_ground_is_gone_over_straight() {
        let (grid, terrain) = terrain(IVec2::new(300, 40), |cell| if cell.y < 4 { 1 } else { 3 });
        let costs = CostField::new(&grid, &terrain, &MovementType::default());
        let fan = SightFan::new(&costs, Vec2::new(20.5, 20.5));
        assert!(!fan.sees(&costs, Vec2::new(280.5, 20.5)), "beside a road");
        let fan = SightFan::new(&costs, Vec2::new(20.5, 2.0));
        assert!(fan.sees(&costs, Vec2::new(150.5, 2.0)), "on the road");
    }
}
