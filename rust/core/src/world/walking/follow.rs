//! Finds the near fields for a goal's present position.

use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::build_context::BuildContext;
use crate::world::walking::middle::{Level, Middle, TIERS};
use crate::world::walking::near::{FarVersions, GoalDepths, Key, Near};
use crate::world::walking::near_field::NearField;
use crate::world::walking::parts::{MiddleField, Parts};
use crate::world::walking::walk::Walk;
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
            middle: self.current_tiers(context).map(|tier| Some(tier?.version)),
        }
    }

    /// The middle fields of each tier that have the present costs.
    fn current_tiers(&self, context: &BuildContext<'_>) -> [Option<&Middle>; TIERS] {
        self.tiers.each_ref().map(|tier| tier.current(context))
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
                let Parts { middle, .. } = std::mem::take(parts);
                // Fields that nothing else holds are changed in place.
                near.move_targets(destination);
                *parts = Parts::new(&near.fields, middle);
            }
            self.near = Some(near);
            return false;
        }
        let near = self.near.take();
        let tiers = self.current_tiers(context);
        let near = near.filter(|near| near.key.now == key.now);
        let search = Search {
            context,
            destination,
            far_goals: far_goals(),
            tiers,
            known: near.map_or_else(Vec::new, |near| near.fields),
        };
        let found = search.fields();
        let is_news = found.is_some() || !parts.is_empty();
        let Found {
            fields,
            middle,
            depths,
            former,
        } = found.unwrap_or_default();
        if is_news {
            *parts = Parts::new(&fields, middle);
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
    /// The middle fields of each tier, if they have the present costs.
    tiers: [Option<&'a Middle>; TIERS],
    /// Near fields on the same ground.
    known: Vec<Arc<NearField>>,
}

/// The result: near fields, the middle fields to use with them, and the resulting [`GoalDepths`].
struct Found {
    fields: Vec<Arc<NearField>>,
    middle: Vec<MiddleField>,
    depths: GoalDepths,
    /// The number of former levels of each tier among the middle fields.
    former: [usize; TIERS],
}

impl Default for Found {
    fn default() -> Self {
        Self {
            fields: Vec::new(),
            middle: Vec::new(),
            depths: GoalDepths::LOST,
            former: [0; TIERS],
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
        let mut tiers = self.tiers;
        for (reach, least) in NEAR {
            let windows = windows(costs, &self.destination.cells, reach, MOST_NEAR_CELLS)?;
            let is_around = |cell: IVec2| windows.iter().any(|window| window.cells.contains(cell));
            // A cheap test first: goals that have jumped are mostly far away.
            let mut middle = tiers.iter().flatten();
            if !middle.any(|middle| middle.latest.goal_cells().all(is_around))
                && !self.far_goals().all(is_around)
            {
                continue;
            }
            let fields: Option<Vec<_>> = windows.iter().map(|window| self.solve(window)).collect();
            let mut chain = Chain::new(fields?, least);
            for (tier, middle) in tiers.iter().enumerate() {
                if let Some(middle) = middle {
                    chain.add(tier, middle);
                }
            }
            if let Some(far) = chain.reach(self.far_goals()) {
                return Some(chain.end(far));
            }
            if chain.depths.has_middle() {
                // No greater reach leads from the middle fields to the far field.
                tiers = [None; TIERS];
            }
        }
        None
    }

    fn far_goals(&self) -> impl Iterator<Item = IVec2> + Clone {
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

/// Near fields, and middle fields each of which leads to cells in those before.
struct Chain<'a> {
    near: Vec<Arc<NearField>>,
    /// The [depth](GoalDepths) that the goal cells of the next field have at least in the near fields.
    least: f32,
    /// The tiers in use, from the inner to the outer one, with the number of former levels.
    tiers: Vec<(usize, &'a Middle, usize)>,
    depths: GoalDepths,
}

impl<'a> Chain<'a> {
    fn new(near: Vec<Arc<NearField>>, least: f32) -> Self {
        Self {
            near,
            least,
            tiers: Vec::new(),
            depths: GoalDepths::default(),
        }
    }

    /// Adds the latest fields of a tier if those before lead on to the goal.
    fn add(&mut self, tier: usize, middle: &'a Middle) {
        if let Some(depth) = self.reach(middle.latest.goal_cells()) {
            self.depths.middle[tier] = Some(depth);
            self.tiers.push((tier, middle, 0));
        }
    }

    /// Has the chain hold some goal cells, with former levels of the last tier if need be. Returns the greatest of
    /// their depths in the last fields; `None` if it cannot hold them.
    fn reach(&mut self, cells: impl Iterator<Item = IVec2> + Clone) -> Option<f32> {
        let latest = deepest(cells.clone(), |cell| self.depth(cell));
        if latest.is_some() {
            return latest;
        }
        let &(_, middle, _) = self.tiers.last()?;
        for (number, level) in middle.former.iter().enumerate() {
            let holds = |levels: usize, cell: IVec2| {
                let mut former = middle.former[..levels].iter();
                self.depth(cell).is_some() || former.any(|level| level.depth(cell).is_some())
            };
            if !level.goal_cells().all(|cell| holds(number, cell)) {
                return None;
            }
            if cells.clone().all(|cell| holds(number + 1, cell)) {
                if let Some((_, _, former)) = self.tiers.last_mut() {
                    *former = number + 1;
                }
                // Those in former levels are at the bound of the latest one.
                return Some(1.0);
            }
        }
        None
    }

    /// The depth of a cell in the last latest fields: 0 if nearer ones hold it, `None` if none does.
    fn depth(&self, cell: IVec2) -> Option<f32> {
        let in_near = depth(&self.near, cell);
        let Some((&(_, last, _), nearer)) = self.tiers.split_last() else {
            return Some(in_near?.max(self.least));
        };
        let is_nearer = |&(_, middle, former): &(usize, &Middle, usize)| {
            let mut levels = middle.levels(former);
            levels.any(|level| level.depth(cell).is_some())
        };
        if in_near.is_some() || nearer.iter().any(is_nearer) {
            return Some(0.0);
        }
        last.latest.depth(cell)
    }

    /// The fields to use, if the far field's goal cells have the depth `far`.
    fn end(self, far: f32) -> Found {
        let mut former = [0; TIERS];
        let mut middle = Vec::new();
        for &(tier, of_tier, used) in &self.tiers {
            former[tier] = used;
            for level in of_tier.levels(used) {
                middle.extend(level.fields.iter().map(|field| MiddleField {
                    field: Arc::clone(field),
                    begun_at: level.begun_at,
                }));
            }
        }
        Found {
            fields: self.near,
            middle,
            depths: GoalDepths { far, ..self.depths },
            former,
        }
    }
}

impl Level {
    fn depth(&self, cell: IVec2) -> Option<f32> {
        depth(&self.fields, cell)
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
