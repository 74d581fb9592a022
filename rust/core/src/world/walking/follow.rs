//! Finds the near fields for a goal's present position.

use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::build_context::BuildContext;
use crate::world::walking::near::{FarVersions, GoalDepths, Key, Near};
use crate::world::walking::near_field::NearField;
use crate::world::walking::parts::Parts;
use crate::world::walking::walk::{Level, Middle, Walk};
use crate::world::walking::window::{Window, windows};
use glam::IVec2;
use std::sync::Arc;

/// The reaches of near fields beyond a goal cell, in cells, and the least [`GoalDepths`] for each. A greater reach is
/// used where the one before does not include the goal cells of the next farther field.
const NEAR: [(i32, f32); 3] = [(32, 0.0), (48, 1.0), (64, 1.0)];
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
                let Parts { middle, latest, .. } = std::mem::take(parts);
                // Fields that nothing else holds are changed in place.
                near.move_targets(destination);
                *parts = Parts::new(&near.fields, middle, latest);
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
            middle,
            known: near.map_or_else(Vec::new, |near| near.fields),
        };
        let found = search.fields();
        let is_news = found.is_some() || !parts.is_empty();
        let Found {
            fields,
            middle: (middle, latest),
            depths,
            former,
        } = found.unwrap_or_default();
        if is_news {
            *parts = Parts::new(&fields, middle, latest);
        }
        self.near = Some(Near {
            fields,
            destination: Arc::clone(destination),
            key,
            depths,
            former,
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
    middle: Option<&'a Middle>,
    /// Near fields on the same ground.
    known: Vec<Arc<NearField>>,
}

/// The result: near fields, the middle fields to use with them, and the resulting [`GoalDepths`].
struct Found {
    fields: Vec<Arc<NearField>>,
    /// The middle fields, and how many of them are not former ones.
    middle: (Vec<Arc<NearField>>, usize),
    depths: GoalDepths,
    /// The number of former levels among the middle fields.
    former: usize,
}

impl Default for Found {
    fn default() -> Self {
        Self {
            fields: Vec::new(),
            middle: (Vec::new(), 0),
            depths: GoalDepths::LOST,
            former: 0,
        }
    }
}

impl Search<'_> {
    /// The near fields; `None` if they do not reach the goal cells of the far field.
    fn fields(&self) -> Option<Found> {
        if self.far_goals.is_empty() {
            return None;
        }
        let costs = &self.context.layer.costs;
        let mut middle = self.middle;
        for (reach, least) in NEAR {
            let windows = windows(costs, &self.destination.cells, reach, MOST_NEAR_CELLS)?;
            let is_around = |cell: IVec2| windows.iter().any(|window| window.cells.contains(cell));
            // A cheap test first: goals that have jumped are mostly far away.
            let near_middle = middle.filter(|middle| middle.latest.goal_cells().all(is_around));
            if near_middle.is_none() && !self.far_goals().all(is_around) {
                continue;
            }
            let fields: Option<Vec<_>> = windows.iter().map(|window| self.solve(window)).collect();
            let fields = fields?;
            let in_near = |cell: IVec2| depth(&fields, cell);
            if let Some(found) = near_middle
                && let Some(next) = deepest(found.latest.goal_cells(), in_near)
            {
                if let Some((far, former)) = self.depth_beyond(&fields, found) {
                    return Some(Found {
                        middle: found.fields(former),
                        depths: GoalDepths {
                            next: next.max(least),
                            far: Some(far),
                        },
                        fields,
                        former,
                    });
                }
                // No greater reach leads from the middle fields to the far field.
                middle = None;
            }
            if let Some(next) = deepest(self.far_goals(), in_near) {
                let depths = GoalDepths {
                    next: next.max(least),
                    far: None,
                };
                return Some(Found {
                    fields,
                    depths,
                    ..Found::default()
                });
            }
        }
        None
    }

    /// The depth of the far field's goal cells in middle fields that are used with some near fields, and how many
    /// former levels it takes to hold these cells; `None` if none do. In former levels they are at the bound.
    fn depth_beyond(&self, near: &[Arc<NearField>], middle: &Middle) -> Option<(f32, usize)> {
        let latest = |cell: IVec2| {
            depth(near, cell).map_or_else(|| depth(&middle.latest.fields, cell), |_| Some(0.0))
        };
        if let Some(far) = deepest(self.far_goals(), latest) {
            return Some((far, 0));
        }
        for (number, level) in middle.former.iter().enumerate() {
            let nearer = &middle.former[..number];
            let holds = |cell: IVec2| {
                latest(cell).is_some()
                    || nearer
                        .iter()
                        .any(|level| depth(&level.fields, cell).is_some())
            };
            if !level.goal_cells().all(holds) {
                return None;
            }
            let is_held = |cell: IVec2| holds(cell) || depth(&level.fields, cell).is_some();
            if self.far_goals().all(is_held) {
                return Some((1.0, number + 1));
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

impl Middle {
    /// The fields of the latest level and of some former ones, and how many are of the latest one.
    fn fields(&self, former: usize) -> (Vec<Arc<NearField>>, usize) {
        let levels = std::iter::once(&self.latest).chain(&self.former[..former]);
        let fields = levels.flat_map(|level| level.fields.iter().map(Arc::clone));
        (fields.collect(), self.latest.fields.len())
    }
}

impl Level {
    fn goal_cells(&self) -> impl Iterator<Item = IVec2> {
        self.fields.iter().flat_map(|field| field.goal_cells())
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
