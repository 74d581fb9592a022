//! Finds the near fields for a goal's present position.

use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::build_context::BuildContext;
use crate::world::walking::near::{FarVersions, GoalDepths, Key, Near};
use crate::world::walking::near_field::NearField;
use crate::world::walking::parts::Parts;
use crate::world::walking::walk::{Middle, Walk};
use crate::world::walking::window::{Window, windows};
use glam::IVec2;
use std::sync::Arc;

/// The reaches of near fields beyond a goal cell, in cells, and the least [`GoalDepths`] for each. The second reach is
/// used where the first does not include the goal cells of the next farther field.
const NEAR: [(i32, f32); 2] = [(32, 0.0), (64, 1.0)];
/// The most cells of the windows of near fields together.
const MOST_NEAR_CELLS: usize = 40_000;

impl Walk {
    /// Whether [`Self::follow`] would change nothing.
    pub(in crate::world) fn is_up_to_date(
        &self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        far: FarVersions,
    ) -> bool {
        let near = self.near.as_ref();
        near.is_some_and(|near| {
            near.key == self.key(context, far) && near.destination == *destination
        })
    }

    fn key(&self, context: &BuildContext<'_>, far: FarVersions) -> Key {
        Key {
            now: Version {
                goal: 0,
                ..context.version
            },
            far,
            middle: self.current_middle(context).map(|middle| middle.version),
        }
    }

    fn current_middle(&self, context: &BuildContext<'_>) -> Option<&Middle> {
        let is_current = |middle: &&Middle| middle.version.is_made_as(context.version);
        self.middle.as_ref().filter(is_current)
    }

    /// Finds the near fields from the goal's present position to the goal cells of `far`, which has the given versions,
    /// and puts them into `parts`. Returns whether a near field was solved or dropped.
    pub(in crate::world) fn follow(
        &mut self,
        context: &BuildContext<'_>,
        destination: &Arc<Destination>,
        (versions, far_goals): (FarVersions, impl FnOnce() -> Vec<IVec2>),
        parts: &mut Parts,
    ) -> bool {
        let key = self.key(context, versions);
        let is_known =
            |near: &mut Near| near.key == key && near.destination.cells == destination.cells;
        if let Some(mut near) = self.near.take_if(is_known) {
            if near.destination.targets != destination.targets && !near.is_lost() {
                let middle = std::mem::take(parts).middle;
                // Fields that nothing else holds are changed in place.
                near.move_targets(destination);
                *parts = Parts::new(&near.fields, &middle);
            }
            self.near = Some(near);
            return false;
        }
        let near = self.near.take();
        let middle = self.current_middle(context);
        let near = near.filter(|near| near.key.now == key.now);
        let search = Search {
            context,
            destination,
            far_goals: far_goals(),
            middle: middle.map_or(&[], |middle| &middle.fields),
            known: near.map_or_else(Vec::new, |near| near.fields),
        };
        let found = search.fields();
        let is_news = found.is_some() || !parts.is_empty();
        let Found {
            fields,
            middle,
            depths,
        } = found.unwrap_or(Found::NONE);
        if is_news {
            *parts = Parts::new(&fields, middle);
        }
        self.near = Some(Near {
            fields,
            destination: Arc::clone(destination),
            key,
            depths,
        });
        is_news
    }
}

/// A search for the near fields of a goal.
struct Search<'a> {
    context: &'a BuildContext<'a>,
    destination: &'a Destination,
    /// The goal cells of the far field, or of the routes and tiles in its place.
    far_goals: Vec<IVec2>,
    middle: &'a [Arc<NearField>],
    /// Near fields on the same ground.
    known: Vec<Arc<NearField>>,
}

/// The result: near fields, the middle fields to use with them, and the resulting [`GoalDepths`].
struct Found<'a> {
    fields: Vec<Arc<NearField>>,
    middle: &'a [Arc<NearField>],
    depths: GoalDepths,
}

impl Found<'_> {
    const NONE: Self = Self {
        fields: Vec::new(),
        middle: &[],
        depths: GoalDepths::LOST,
    };
}

impl<'a> Search<'a> {
    /// The near fields; `None` if they do not reach the goal cells of the far field.
    fn fields(&self) -> Option<Found<'a>> {
        if self.far_goals.is_empty() {
            return None;
        }
        let costs = &self.context.layer.costs;
        for (reach, least) in NEAR {
            let windows = windows(costs, &self.destination.cells, reach, MOST_NEAR_CELLS)?;
            let is_around = |cell: IVec2| windows.iter().any(|window| window.cells.contains(cell));
            // A cheap test first: goals that have jumped are mostly far away.
            let mut middle = self.middle.iter().flat_map(|field| field.goal_cells());
            let may_reach_middle = !self.middle.is_empty() && middle.all(is_around);
            if !may_reach_middle && !self.far_goals().all(is_around) {
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
                && let Some(far) = deepest(self.far_goals(), beyond)
            {
                let next = next.max(least);
                return Some(Found {
                    fields,
                    middle: self.middle,
                    depths: GoalDepths {
                        next,
                        far: Some(far),
                    },
                });
            }
            if let Some(next) = deepest(self.far_goals(), in_near) {
                let next = next.max(least);
                return Some(Found {
                    fields,
                    middle: &[],
                    depths: GoalDepths { next, far: None },
                });
            }
        }
        None
    }

    fn far_goals(&self) -> impl Iterator<Item = IVec2> {
        self.far_goals.iter().copied()
    }

    fn solve(&self, window: &Window) -> Option<Arc<NearField>> {
        let BuildContext {
            layer,
            scratch,
            version,
            ..
        } = self.context;
        if let Some(known) = self.known.iter().find(|field| field.is_of(window)) {
            let mut field = Arc::clone(known);
            Arc::make_mut(&mut field).move_targets(self.destination);
            return Some(field);
        }
        let mut solvers = scratch.near_solvers.lock().pop().unwrap_or_default();
        let solved = NearField::solve(
            &layer.costs,
            window,
            self.destination,
            *version,
            &mut solvers,
        );
        scratch.near_solvers.lock().push(solvers);
        solved.ok().map(Arc::new)
    }
}

/// The depth of a cell in the first of some fields that holds it.
fn depth(fields: &[Arc<NearField>], cell: IVec2) -> Option<f32> {
    let field = fields.iter().find(|field| field.contains(cell))?;
    Some(field.depth(cell))
}

/// The greatest depth of some cells; `None` if a field holds one of them not.
fn deepest(
    mut cells: impl Iterator<Item = IVec2>,
    depth: impl Fn(IVec2) -> Option<f32>,
) -> Option<f32> {
    cells.try_fold(0.0, |deepest: f32, cell| Some(deepest.max(depth(cell)?)))
}
