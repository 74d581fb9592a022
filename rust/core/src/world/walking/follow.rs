//! Near fields: which there must be, for where a goal is now.

use super::Means;
use super::near_field::NearField;
use super::walk::Middle;
use super::window::{Window, windows};
use crate::world::Field;
use crate::world::fields::{FieldSlot, Version};
use crate::world::goals::Ends;
use glam::IVec2;
use std::sync::Arc;

/// How far beyond a goal cell near fields reach, in cells, and what haste that means at least: the second where the first
/// does not reach the field of before.
const NEAR: [(i32, f32); 2] = [(32, 0.0), (64, 1.0)];
/// How many cells the windows of near fields may have together.
const MOST_NEAR_CELLS: usize = 40_000;

/// The near fields of a goal, and what they have been found for.
#[derive(Debug)]
pub(super) struct Near {
    /// Empty if the goal has jumped out of their reach.
    fields: Vec<Arc<NearField>>,
    ends: Arc<Ends>,
    key: Key,
    haste: Haste,
}

/// How near to the bounds of the fields that are to hold them the ends of farther fields lie, of the one that comes after
/// the near field and of the far one after a middle one: 0 for none, 1 at the bound or beyond.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Haste {
    pub(super) next: f32,
    pub(super) far: f32,
}

impl Haste {
    const LOST: Self = Self {
        next: 1.0,
        far: 1.0,
    };
}

/// What near fields depend on beside the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    now: Version,
    far: Option<Version>,
    middle: Option<Version>,
}

impl Near {
    /// Whether the goal has jumped away.
    pub(super) fn is_lost(&self) -> bool {
        self.fields.is_empty()
    }

    pub(super) fn haste(&self) -> Haste {
        self.haste
    }

    /// Tells the fields that the targets have moved within their cells.
    fn move_targets(&mut self, ends: &Arc<Ends>) {
        for field in &mut self.fields {
            Arc::make_mut(field).move_targets(ends);
        }
        self.ends = Arc::clone(ends);
    }
}

impl FieldSlot {
    /// Has the field lead to where the goal is now; says whether a near field was solved or let go for that.
    pub(super) fn follow(&mut self, means: &Means<'_>, ends: &Arc<Ends>) -> bool {
        let Some(field) = &mut self.field else {
            return false;
        };
        if self.ends.as_ref() == Some(ends) {
            if self.walk.near.take().is_some() && !field.is_whole() {
                *field = Arc::new(field.with_near(&[], &[]));
                return true;
            }
            return false;
        }
        let is_current = |middle: &&Middle| middle.version.is_made_as(means.version);
        let middle = self.walk.middle.as_ref().filter(is_current);
        let key = Key {
            now: Version {
                goal: 0,
                ..means.version
            },
            far: self.version,
            middle: middle.map(|middle| middle.version),
        };
        let is_known = |near: &mut Near| near.key == key && near.ends.cells == ends.cells;
        if let Some(mut near) = self.walk.near.take_if(is_known) {
            if near.ends.targets != ends.targets && !near.is_lost() {
                let middle = Arc::clone(&field.middle);
                // Held by nothing else they are changed in place.
                *field = Arc::new(field.with_near(&[], &[]));
                near.move_targets(ends);
                *field = Arc::new(field.with_near(&near.fields, &middle));
            }
            self.walk.near = Some(near);
            return false;
        }
        let near = self.walk.near.take();
        let near = near.filter(|near| near.key.now == key.now);
        let search = Search {
            means,
            ends,
            far: field,
            middle: middle.map_or(&[], |middle| &middle.fields),
            known: near.map_or_else(Vec::new, |near| near.fields),
        };
        let found = search.fields();
        let is_news = found.is_some() || !field.is_whole();
        let Found {
            fields,
            middle,
            haste,
        } = found.unwrap_or(Found::NONE);
        if is_news {
            *field = Arc::new(field.with_near(&fields, middle));
        }
        self.walk.near = Some(Near {
            fields,
            ends: Arc::clone(ends),
            key,
            haste,
        });
        is_news
    }
}

/// A search for the near fields of a goal.
struct Search<'a> {
    means: &'a Means<'a>,
    ends: &'a Ends,
    far: &'a Field,
    middle: &'a [Arc<NearField>],
    /// Near fields on the same ground.
    known: Vec<Arc<NearField>>,
}

/// Near fields, the middle ones that are to be used with them, and what haste that leaves.
struct Found<'a> {
    fields: Vec<Arc<NearField>>,
    middle: &'a [Arc<NearField>],
    haste: Haste,
}

impl Found<'_> {
    const NONE: Self = Self {
        fields: Vec::new(),
        middle: &[],
        haste: Haste::LOST,
    };
}

impl<'a> Search<'a> {
    /// The near fields; `None` if the far field leads to where they do not reach.
    fn fields(&self) -> Option<Found<'a>> {
        let costs = &self.means.layer.costs;
        for (reach, least) in NEAR {
            let windows = windows(costs, &self.ends.cells, reach, MOST_NEAR_CELLS)?;
            let is_around = |cell: IVec2| windows.iter().any(|window| window.cells.contains(cell));
            // Most who have jumped away are far away.
            let mut middle = self.middle.iter().flat_map(|field| field.goal_cells());
            let may_reach_middle = !self.middle.is_empty() && middle.all(is_around);
            if !may_reach_middle && !self.far.far_goals().all(is_around) {
                continue;
            }
            let fields: Option<Vec<_>> = windows.iter().map(|window| self.solve(window)).collect();
            let fields = fields?;
            let in_near = |cell: IVec2| depth(&fields, cell);
            let beyond = |cell: IVec2| {
                in_near(cell)
                    .map(|_| 0.0)
                    .or_else(|| depth(self.middle, cell))
            };
            let middle = self.middle.iter().flat_map(|field| field.goal_cells());
            if may_reach_middle
                && let Some(next) = deepest(middle, in_near)
                && let Some(far) = deepest(self.far.far_goals(), beyond)
            {
                let next = next.max(least);
                return Some(Found {
                    fields,
                    middle: self.middle,
                    haste: Haste { next, far },
                });
            }
            if let Some(next) = deepest(self.far.far_goals(), in_near) {
                let next = next.max(least);
                return Some(Found {
                    fields,
                    middle: &[],
                    haste: Haste { next, far: 0.0 },
                });
            }
        }
        None
    }

    fn solve(&self, window: &Window) -> Option<Arc<NearField>> {
        let Means {
            layer,
            scratch,
            version,
            ..
        } = self.means;
        if let Some(known) = self.known.iter().find(|field| field.is_of(window)) {
            let mut field = Arc::clone(known);
            Arc::make_mut(&mut field).move_targets(self.ends);
            return Some(field);
        }
        let mut solvers = scratch.near_solvers.lock().pop().unwrap_or_default();
        let solved = NearField::solve(&layer.costs, window, self.ends, *version, &mut solvers);
        scratch.near_solvers.lock().push(solvers);
        solved.ok().map(Arc::new)
    }
}

/// How far out a cell lies in the first of some fields that holds it.
fn depth(fields: &[Arc<NearField>], cell: IVec2) -> Option<f32> {
    let field = fields.iter().find(|field| field.contains(cell))?;
    Some(field.depth(cell))
}

/// How far out the outermost of some cells lies; `None` if one lies outside.
fn deepest(
    mut cells: impl Iterator<Item = IVec2>,
    depth: impl Fn(IVec2) -> Option<f32>,
) -> Option<f32> {
    cells.try_fold(0.0, |deepest: f32, cell| Some(deepest.max(depth(cell)?)))
}
