//! A part of a cost field as it was before an update, to take the update back.

use super::CostField;
use super::crowded::Crowded;
use crate::grid::CellRect;
use crate::movement::MovementType;
use glam::IVec2;
use std::sync::Arc;

/// Of how many cells of the map a part is copied at most; beyond, the whole field is kept.
const PART: usize = 16;

/// What [`CostField::restore`] puts back.
#[derive(Debug)]
pub(crate) enum Excerpt {
    /// The whole field: an update copies it then.
    Whole(Arc<CostField>),
    /// The cells that an update may change, and the counts of the field.
    Part(Box<Part>),
}

#[derive(Debug)]
pub(crate) struct Part {
    cells: Vec<Cell>,
    is_crowded: bool,
    wall_count: usize,
    histogram: [u32; 256],
    extremes: (u8, u8),
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    index: u32,
    cost: u8,
    steps: u8,
    is_wall: bool,
    /// Without crowds, and what they add.
    crowd: (u8, u8),
}

impl Excerpt {
    /// What [`CostField::update`] with these arguments may change.
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

    /// What [`CostField::lay_crowd`] with these levels may change.
    pub(crate) fn before_crowd(costs: &Arc<CostField>, levels: &[(IVec2, u8)]) -> Self {
        Self::of(costs, levels.len(), levels.iter().map(|level| level.0))
    }

    fn of(costs: &Arc<CostField>, count: usize, cells: impl Iterator<Item = IVec2>) -> Self {
        if count > costs.width * costs.height / PART {
            return Self::Whole(Arc::clone(costs));
        }
        let cell = |cell: IVec2| {
            let index = costs.index(cell);
            let crowded = costs.crowded.as_ref();
            Cell {
                index: index as u32,
                cost: costs.cost[index],
                steps: costs.steps[index],
                is_wall: costs.is_wall_at(index),
                crowd: crowded.map_or((0, 0), |crowded| crowded.at(index)),
            }
        };
        Self::Part(Box::new(Part {
            cells: cells.map(cell).collect(),
            is_crowded: costs.crowded.is_some(),
            wall_count: costs.wall_count,
            histogram: costs.histogram,
            extremes: costs.extremes,
        }))
    }
}

impl CostField {
    /// Takes an update back of which `before` was taken, the last one first. Links stay as they are.
    pub(crate) fn restore(costs: &mut Arc<Self>, before: Excerpt) {
        match before {
            Excerpt::Whole(whole) => {
                let links = Arc::clone(&costs.links);
                *costs = whole;
                if !Arc::ptr_eq(&costs.links, &links) {
                    Arc::make_mut(costs).links = links;
                }
            }
            Excerpt::Part(part) => Arc::make_mut(costs).restore_part(&part),
        }
    }

    fn restore_part(&mut self, part: &Part) {
        let has_walls = !self.walls.is_empty();
        if !part.is_crowded {
            self.crowded = None;
        }
        for cell in &part.cells {
            let index = cell.index as usize;
            self.cost[index] = cell.cost;
            self.steps[index] = cell.steps;
            if has_walls {
                self.walls[index] = cell.is_wall;
            }
            if let Some(crowded) = &mut self.crowded {
                crowded.put(index, cell.crowd);
            }
        }
        self.wall_count = part.wall_count;
        self.histogram = part.histogram;
        self.extremes = part.extremes;
    }
}

impl Crowded {
    fn at(&self, index: usize) -> (u8, u8) {
        (self.plain[index], self.extra[index])
    }

    fn put(&mut self, index: usize, (plain, extra): (u8, u8)) {
        self.plain[index] = plain;
        self.extra[index] = extra;
    }
}
