//! A copy of a part of a cost field before an update, for taking the update back.

use super::CostField;
use super::continued::Continued;
use super::surcharged::Surcharge;
use crate::grid::CellRect;
use crate::movement::MovementType;
use glam::IVec2;
use std::sync::Arc;

/// A part of at most one in this many cells of the map is copied. Otherwise the whole field is kept.
const PART: usize = 16;

/// The data that [`CostField::restore`] puts back.
#[derive(Debug, Clone)]
pub(crate) enum Excerpt {
    /// The whole field, which the update then copies.
    Whole(Arc<CostField>),
    /// The cells that an update may change, and the counts of the field.
    Part(Box<Part>),
}

#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(super) cells: Vec<Cell>,
    pub(super) is_surcharged: bool,
    wall_count: usize,
    histogram: [u32; 256],
    extremes: (u8, u8),
    continued: Arc<Continued>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) index: u32,
    pub(super) cost: u8,
    steps: u8,
    pub(super) is_wall: bool,
    /// The cost without surcharges, and the surcharge.
    pub(super) surcharged: (u8, Surcharge),
}

impl Excerpt {
    /// The excerpt for [`CostField::update`] with these arguments.
    pub(crate) fn before_update(
        costs: &Arc<CostField>,
        movement: &MovementType,
        regions: &[CellRect],
    ) -> Self {
        let penalty = movement.wall_penalty().reach();
        // Legal steps change one cell farther than costs.
        let reach = penalty.max(movement.clearance().reach()) as i32 + 1;
        let grown = |region: &CellRect| region.grown(reach).intersection(&costs.cells());
        let rects: Vec<CellRect> = regions.iter().map(grown).collect();
        let area = |rect: &CellRect| (rect.high - rect.low).max(IVec2::ZERO).as_usizevec2();
        let count: usize = rects.iter().map(|rect| area(rect).element_product()).sum();
        let cells = rects.iter().flat_map(|rect| {
            let columns = rect.low.x..rect.high.x;
            (rect.low.y..rect.high.y).flat_map(move |y| columns.clone().map(move |x| (x, y).into()))
        });
        Self::of(costs, count, cells)
    }

    /// The excerpt for [`CostField::lay_surcharges`] with these surcharges.
    pub(crate) fn before_surcharges(
        costs: &Arc<CostField>,
        surcharges: &[(IVec2, Surcharge)],
    ) -> Self {
        let cells = surcharges.iter().map(|surcharge| surcharge.0);
        Self::of(costs, surcharges.len(), cells)
    }

    fn of(costs: &Arc<CostField>, count: usize, cells: impl Iterator<Item = IVec2>) -> Self {
        if count > costs.width * costs.height / PART {
            return Self::Whole(Arc::clone(costs));
        }
        let cell = |cell: IVec2| {
            let index = costs.index(cell);
            let surcharged = costs.surcharged.as_ref();
            let none = (0, Surcharge::default());
            let cost = costs.cost.get(index);
            Cell {
                index: index as u32,
                cost,
                steps: costs.steps.get(index),
                is_wall: costs.is_wall_at(index),
                surcharged: surcharged.map_or(none, |surcharged| surcharged.at(index, cost)),
            }
        };
        Self::Part(Box::new(Part {
            cells: cells.map(cell).collect(),
            is_surcharged: costs.surcharged.is_some(),
            wall_count: costs.wall_count,
            histogram: costs.histogram,
            extremes: costs.extremes,
            continued: Arc::clone(&costs.continued),
        }))
    }
}

impl CostField {
    /// Takes an update back. `before` is the excerpt from before it. Several updates are taken back in reverse order.
    /// Links do not change.
    pub(crate) fn restore(costs: &mut Arc<Self>, before: Excerpt) {
        match before {
            Excerpt::Whole(whole) => {
                let links = Arc::clone(&costs.links);
                let seams = Arc::clone(&costs.seams);
                *costs = whole;
                if !Arc::ptr_eq(&costs.links, &links) {
                    let costs = Arc::make_mut(costs);
                    (costs.links, costs.seams) = (links, seams);
                }
            }
            Excerpt::Part(part) => Arc::make_mut(costs).restore_part(&part),
        }
    }

    fn restore_part(&mut self, part: &Part) {
        let has_walls = !self.walls.is_empty();
        if !part.is_surcharged {
            self.surcharged = None;
        }
        for cell in &part.cells {
            let index = cell.index as usize;
            self.cost.replace(index, cell.cost);
            self.steps.replace(index, cell.steps);
            if has_walls {
                self.walls.replace(index, cell.is_wall);
            }
            if let Some(surcharged) = &mut self.surcharged {
                surcharged.put(index, cell.surcharged);
            }
        }
        self.wall_count = part.wall_count;
        self.histogram = part.histogram;
        self.extremes = part.extremes;
        self.continued = Arc::clone(&part.continued);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::movement::{Clearance, CrowdPenalty, WallPenalty};
    use crate::random;
    use crate::terrain::Terrain;
    use glam::Vec2;

    /// Takes edits of a map of this size back one after the other, each with its rectangle and surcharges.
    fn take_back(size: IVec2, kind: &MovementType) {
        let grid = Grid::new(size, 1.0, Vec2::ZERO).expect("valid");
        let mut terrain = Terrain::new(&grid);
        let mut costs = Arc::new(CostField::new(&grid, &terrain, kind));
        let mut states = Vec::new();
        for edit in 0..9 {
            let drawn = |number: u64, end: i32| {
                let unit = random::unit(random::keyed(3, edit, number));
                (unit * end as f32) as i32
            };
            let low = IVec2::new(drawn(0, size.x), drawn(1, size.y));
            let high = (low + 1 + drawn(2, 3)).min(size);
            let (rect, id) = (CellRect { low, high }, [1, 7, 255][drawn(3, 3) as usize]);
            let surcharge = Surcharge {
                crowd: kind.crowd_penalty().surcharge(drawn(4, 5) as u8),
                overlays: [0, 0, 30, 255][drawn(5, 4) as usize],
            };
            let surcharges = [(low, surcharge)];
            let state = format!("{costs:?}");
            let before = Excerpt::before_surcharges(&costs, &surcharges);
            Arc::make_mut(&mut costs).lay_surcharges(&surcharges);
            states.push((state, before));
            let state = format!("{costs:?}");
            let before = Excerpt::before_update(&costs, kind, &[rect]);
            terrain.fill_rect(rect, id).expect("inside");
            Arc::make_mut(&mut costs).update(&terrain, kind, &[rect]);
            states.push((state, before));
        }
        for (state, before) in states.into_iter().rev() {
            CostField::restore(&mut costs, before);
            assert!(format!("{costs:?}") == state, "{size}");
        }
    }

    #[test]
    fn edits_are_taken_back_to_the_last_byte() {
        let penalty = WallPenalty::new(9, 2, true).expect("in range");
        let crowds = CrowdPenalty::new(20).expect("in range");
        let room = Clearance::new(0.9).expect("in range");
        let plain = MovementType::default();
        let kinds = [
            plain.clone(),
            plain.clone().with_crowd_penalty(crowds),
            plain.with_clearance(room),
            MovementType::with_wall_penalty(penalty)
                .with_clearance(room)
                .with_crowd_penalty(crowds),
        ];
        for kind in kinds {
            // A part of the large map is copied; the small map is kept as a whole.
            for size in [IVec2::new(90, 80), IVec2::new(9, 8)] {
                take_back(size, &kind);
            }
        }
    }
}
