//! What agents ask of a tiled field (Emerson, Game AI Pro, 23.12).

use super::field::TiledField;
use super::tile::{ClearView, Content, Place, TileView};
use crate::flow::{Direction, FlowMap, lean, nearest_step, sample, sees_target};
use crate::grid::floor_to_cell;
use crate::integrate::UNREACHED;
use glam::{IVec2, Vec2};

impl TiledField {
    /// The unit direction at a point in cell space, for the middle of a body of some radius in cells: as of
    /// [`crate::flow::FlowField::sample_for`]. `None` where there is no tile (yet).
    #[must_use]
    pub fn sample_for(&self, point: Vec2, radius: f32) -> Option<Vec2> {
        let last = self.layout.map_size() - 1;
        let cell = floor_to_cell(point).clamp(IVec2::ZERO, last);
        self.at(cell, |flow, low| match flow {
            Served::Nothing => Vec2::ZERO,
            Served::Clear(view) => sample(&view, point - low.as_vec2(), radius),
            Served::Cells(view) => sample(&view, point - low.as_vec2(), radius),
        })
    }

    /// `direction`, which [`Self::sample_for`] has found there, turned to a side: as of
    /// [`crate::flow::FlowField::lean`].
    #[must_use]
    pub fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2 {
        let last = self.layout.map_size() - 1;
        let cell = floor_to_cell(point).clamp(IVec2::ZERO, last);
        let leaning = self.at(cell, |flow, low| {
            let point = point - low.as_vec2();
            match flow {
                Served::Nothing => direction,
                Served::Clear(view) => lean(&view, point, radius, direction, side),
                Served::Cells(view) => lean(&view, point, radius, direction, side),
            }
        });
        leaning.unwrap_or(direction)
    }

    /// Whether the path from a cell of the map is one straight line to a target; false where there is no
    /// tile (yet).
    #[must_use]
    pub fn sees_target(&self, cell: IVec2) -> bool {
        let seen = self.at(cell, |flow, low| match flow {
            Served::Nothing => false,
            Served::Clear(view) => sees_target(&view, cell - low),
            Served::Cells(view) => sees_target(&view, cell - low),
        });
        seen.unwrap_or(false)
    }

    /// The steps from a cell of the map to cells of lower cost: bits as in [`crate::movement::STEPS`]. 0 at
    /// a goal, where no goal can be reached, and where there is no tile (yet).
    #[must_use]
    pub fn lower_steps(&self, cell: IVec2) -> u8 {
        let steps = self.at(cell, |flow, low| match flow {
            Served::Nothing => 0,
            Served::Clear(view) => view.lower(view.stored_index(cell - low)),
            Served::Cells(view) => view.lower(view.stored_index(cell - low)),
        });
        steps.unwrap_or(0)
    }

    /// Whether a route leads on from a cell of the map, or ends there; of a wall it is not asked, and true.
    /// `None` where there is no tile (yet).
    #[must_use]
    pub fn has_route(&self, cell: IVec2) -> Option<bool> {
        self.at(cell, |flow, low| match flow {
            Served::Nothing => false,
            Served::Clear(_) => true,
            Served::Cells(view) => view.own(view.stored_index(cell - low)) != Direction::NO_ROUTE,
        })
    }

    /// The grid step that the tile makes from a cell of the map: of the legal steps to cells of lower cost,
    /// the one nearest to the cell's direction. `None` at a goal, without a route, and where there is no tile
    /// (yet).
    #[must_use]
    pub fn next_step(&self, cell: IVec2) -> Option<usize> {
        fn step<F: FlowMap>(view: &F, cell: IVec2) -> Option<usize> {
            let index = view.stored_index(cell);
            nearest_step(view.lower(index), view.own_vector(index))
        }
        self.at(cell, |flow, low| match flow {
            Served::Nothing => None,
            Served::Clear(view) => step(&view, cell - low),
            Served::Cells(view) => step(&view, cell - low),
        })?
    }

    /// Whether a cell is a goal to end at.
    #[must_use]
    pub fn is_goal(&self, cell: IVec2) -> bool {
        self.goal_at(cell).is_some_and(|goal| goal.is_settled)
    }

    /// The exact target, in cell space, inside a goal cell.
    #[must_use]
    pub fn target_in(&self, cell: IVec2) -> Option<Vec2> {
        let goal = self.goal_at(cell).filter(|goal| goal.is_settled);
        goal.and_then(|goal| goal.target)
    }

    fn at<R>(&self, cell: IVec2, look: impl FnOnce(Served<'_>, IVec2) -> R) -> Option<R> {
        let sector = self.layout.at(cell);
        let content = self.slot(sector)?.served.as_ref()?;
        let rect = self.layout.rect(sector);
        let place = SectorPlace {
            field: self,
            content,
            low: rect.low,
            size: rect.high - rect.low,
        };
        let served = match content {
            Content::Unreached => Served::Nothing,
            &Content::Clear(sight) => Served::Clear(ClearView { sight, place }),
            Content::Cells(tile, _) => Served::Cells(TileView { tile, place }),
        };
        Some(look(served, rect.low))
    }

    /// What a cell along a border costs by the tile that is served there.
    pub(super) fn served_cost(&self, cell: IVec2) -> u32 {
        if cell.cmplt(IVec2::ZERO).any() || cell.cmpge(self.layout.map_size()).any() {
            return UNREACHED;
        }
        let sector = self.layout.at(cell);
        let Some(content) = self.slot(sector).and_then(|slot| slot.served.as_ref()) else {
            return UNREACHED;
        };
        let rect = self.layout.rect(sector);
        content.border_cost(rect.high - rect.low, cell - rect.low)
    }
}

/// An active sector, its tile and what is served around it.
struct SectorPlace<'a> {
    field: &'a TiledField,
    content: &'a Content,
    low: IVec2,
    size: IVec2,
}

impl Place for SectorPlace<'_> {
    fn size(&self) -> IVec2 {
        self.size
    }

    fn target(&self, cell: IVec2) -> Option<Vec2> {
        Some(self.field.target_in(cell + self.low)? - self.low.as_vec2())
    }

    fn cost(&self, cell: IVec2) -> u32 {
        if cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size).all() {
            self.content.border_cost(self.size, cell)
        } else {
            self.field.served_cost(cell + self.low)
        }
    }
}

enum Served<'a> {
    Nothing,
    Clear(ClearView<SectorPlace<'a>>),
    Cells(TileView<'a, SectorPlace<'a>>),
}
