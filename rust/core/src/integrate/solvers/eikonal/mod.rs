//! The solver of the Eikonal equation: distances through open ground at any angle.
//!
//! Fast marching (Tsitsiklis 1995, Sethian 1996) in the buckets of Dial's queue. Every candidate exceeds the values
//! from which it is made by at least a bucket's width, so all cells of a bucket are final when it is processed.
//!
//! Read [`local_solver`] (the candidates of a cell) with [`lines`] and [`corner`]; then [`front`] with [`front_lists`],
//! [`turning`] with [`surroundings`] and [`triangles`] (the wavefront), [`visible_cells`] and [`uniform_ground`]
//! (shortcuts on ground of one cost), and for repairs [`rule`], [`cell_rule`] and [`shadow`] with [`shadow_rows`].
//! [`window_boundary`] and [`sight`] serve tiles.

mod cell_rule;
mod corner;
mod front;
mod front_lists;
mod lines;
mod local_solver;
mod rule;
mod shadow;
mod shadow_rows;
mod sight;
mod surroundings;
mod triangles;
mod turning;
mod uniform_ground;
mod visible_cells;
mod window_boundary;

pub(crate) use local_solver::LEAST_GAIN;
pub(super) use rule::repair;
pub(crate) use sight::Sight;
pub(crate) use window_boundary::WindowBoundary;

use crate::error::Result;
use crate::integrate::bucket_queue::BucketQueue;
use crate::integrate::candidate::Start;
use crate::integrate::crossings::Crossings;
use crate::integrate::field::{IntegrationField, UNREACHED};
use crate::integrate::goal_cells::{GoalCell, Seed, open_seeds};
use crate::integrate::method::Method;
use crate::integrate::neighbour_sets::{correct_sets, find_sets};
use crate::integrate::root::Root;
use crate::integrate::scale::{SCALES, cost_overflow};
use crate::integrate::solve::{Solve, SolveInParts, SolveWindow, Solved};
use crate::movement::CostField;
use crate::retired::make_room;
use front::{Front, OnGround};
use front_lists::Lists;
use glam::IVec2;
use local_solver::{LocalSolver, find_same, same_steps};
use std::mem::{replace, take};
use std::ops::Range;
use std::sync::Arc;
use visible_cells::VisibleCells;

/// No limit of the number of settled cells.
const ALL: usize = usize::MAX;

/// Solves integration fields and keeps its scratch memory between solves.
#[derive(Debug, Default)]
pub struct EikonalSolver {
    queue: BucketQueue,
    front: Vec<u32>,
    same: Vec<u8>,
    lists: Lists,
    visible_cells: VisibleCells,
    crossings: Crossings,
    /// Memory for the next field.
    spare_costs: Vec<u32>,
    spare_roots: Vec<Root>,
}

impl EikonalSolver {
    /// A solver without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The field of costs to the nearest of `targets`, measured between middles of cells along straight
    /// lines. Targets in walls or outside the grid are left out; without any other the field reaches
    /// nothing.
    ///
    /// On ground of one cost the values are the lengths of the shortest paths of a point that may touch
    /// corners: within 0.4 % on average and half a cell at worst on every kind of map in the tests. O(cells +
    /// buckets): every cell is settled once.
    ///
    /// # Errors
    /// [`crate::Error::CostOverflow`] when a path costs more than 3.5e8 units.
    pub fn solve(&mut self, costs: &CostField, targets: &[IVec2]) -> Result<IntegrationField> {
        self.solve_goals(costs, &GoalCell::free(targets))
    }

    /// [`Self::solve`] for goal cells with initial costs.
    ///
    /// # Errors
    /// As there.
    pub fn solve_goals(
        &mut self,
        costs: &CostField,
        goals: &[GoalCell],
    ) -> Result<IntegrationField> {
        let cells = costs.cell_count();
        let mut field = IntegrationField::unsolved(
            Method::Eikonal,
            costs,
            SCALES[0],
            take(&mut self.spare_costs),
        );
        let mut roots = take(&mut self.spare_roots);
        // Roots are not read where the front has not been. Touching them in order now brings them into the cache before
        // the front needs them in any order.
        roots.clear();
        roots.resize(cells, Root::HERE);
        find_same(costs, &mut self.same);
        for scale in SCALES {
            field.scale = scale;
            field.cost.clear();
            field.cost.resize(cells, UNREACHED);
            let seeds = open_seeds(costs, goals, scale);
            let local = LocalSolver::new(costs, scale);
            let (least, most) = local.gains(costs.cheapest(), costs.dearest());
            let least = costs.links().least_of(least, scale);
            self.queue.reset(least, most);
            self.crossings.start(costs, scale);
            let mut front = Front {
                local: &local,
                same: &self.same,
                fixed: &[],
                lists: &mut self.lists,
                cost: &mut field.cost,
                roots: &mut roots,
                queue: &mut self.queue,
                crossings: &mut self.crossings,
            };
            let limit = u64::from(UNREACHED - most) - 1;
            let spared = match *seeds {
                // A link may begin at a visible cell.
                [seed]
                    if costs.links().is_empty()
                        && VisibleCells::applies(&local, costs, seed, limit) =>
                {
                    front.sow_visible_cells(seed, costs, &mut self.visible_cells)
                }
                _ => {
                    front.sow(&seeds);
                    0
                }
            };
            let advanced = if local.is_even() {
                let cost = costs.cheapest();
                OnGround::<true, false>::new(front, cost).advance(&mut self.front, limit, ALL)
            } else {
                OnGround::<false, false>::new(front, 0).advance(&mut self.front, limit, ALL)
            };
            if let Some(advanced) = advanced {
                field.highest = advanced.highest;
                field.tried = advanced.settled + spared / VisibleCells::PER_SETTLED;
                field.roots = Arc::new(roots);
                field.settle_goals(&seeds);
                return Ok(field);
            }
        }
        Err(cost_overflow())
    }

    fn front_on<'a>(
        &'a mut self,
        local: &'a LocalSolver<'a>,
        field: &'a mut IntegrationField,
        roots: &'a mut [Root],
    ) -> (Front<'a>, &'a mut Vec<u32>) {
        let front = Front {
            local,
            same: &self.same,
            fixed: &[],
            lists: &mut self.lists,
            cost: &mut field.cost,
            roots,
            queue: &mut self.queue,
            crossings: &mut self.crossings,
        };
        (front, &mut self.front)
    }
}

impl Solve for EikonalSolver {
    fn solve(&mut self, costs: &CostField, goals: &[GoalCell]) -> Result<Solved> {
        Ok((self.solve_goals(costs, goals)?, None))
    }

    fn recycle(&mut self, field: IntegrationField) -> (Vec<u32>, Vec<Root>) {
        // Unless another field still holds them.
        let roots = Arc::try_unwrap(field.roots).unwrap_or_default();
        (
            replace(&mut self.spare_costs, field.cost),
            replace(&mut self.spare_roots, roots),
        )
    }

    fn in_parts(&mut self) -> Option<&mut dyn SolveInParts> {
        Some(self)
    }

    fn in_windows(&mut self) -> Option<&mut dyn SolveWindow> {
        Some(self)
    }
}

impl SolveInParts for EikonalSolver {
    fn take_memory(&mut self, costs: &CostField) -> (Vec<u32>, Vec<Root>) {
        let cells = costs.cell_count();
        let (mut cost, mut roots) = (take(&mut self.spare_costs), take(&mut self.spare_roots));
        make_room(&mut cost, cells);
        make_room(&mut roots, cells);
        make_room(&mut self.same, cells);
        (cost, roots)
    }

    fn clear_rows(&mut self, costs: &CostField, rows: Range<usize>, roots: &mut Vec<Root>) {
        // Never read where the front has not been.
        roots.resize(rows.end * costs.stride(), Root::HERE);
        // Stored rows include the border above, and the one below.
        let [begin, end] = [rows.start, rows.end].map(|row| row.saturating_sub(1));
        let inner = begin..end.min(costs.height());
        find_sets(costs, inner, same_steps, &mut self.same);
    }

    fn correct_rows(&mut self, costs: &CostField, changed: &[u32], cleared: usize) {
        for &index in changed {
            let end = cleared.saturating_sub(1);
            correct_sets(costs, index as usize, end, same_steps, &mut self.same);
        }
    }

    fn begin(
        &mut self,
        costs: &CostField,
        seeds: &[Seed],
        field: &mut IntegrationField,
        roots: &mut [Root],
    ) {
        let local = LocalSolver::new(costs, field.scale);
        let (least, most) = local.gains(costs.cheapest(), costs.dearest());
        self.queue
            .reset(costs.links().least_of(least, field.scale), most);
        self.crossings.start(costs, field.scale);
        self.front_on(&local, field, roots).0.sow(seeds);
        field.highest = 0;
        field.tried = 0;
    }

    fn advance(
        &mut self,
        costs: &CostField,
        field: &mut IntegrationField,
        roots: &mut [Root],
        most: usize,
    ) -> Option<bool> {
        let local = LocalSolver::new(costs, field.scale);
        let limit = u64::from(UNREACHED - local.gains(costs.cheapest(), costs.dearest()).1) - 1;
        let (front, cells) = self.front_on(&local, field, roots);
        let advanced = if local.is_even() {
            OnGround::<true, false>::new(front, costs.cheapest()).advance(cells, limit, most)
        } else {
            OnGround::<false, false>::new(front, 0).advance(cells, limit, most)
        }?;
        field.highest = field.highest.max(advanced.highest);
        field.tried += advanced.settled;
        Some(advanced.is_done)
    }
}

impl SolveWindow for EikonalSolver {
    fn solve_window(
        &mut self,
        costs: &mut CostField,
        starts: &[Start],
        fixed: &[bool],
        field: &mut IntegrationField,
    ) -> bool {
        // Never read where the front has not been.
        Arc::make_mut(&mut field.roots).resize(costs.cell_count(), Root::HERE);
        find_same(costs, &mut self.same);
        let mut local = LocalSolver::new(costs, field.scale);
        if starts.iter().any(|start| !start.value.root.is_straight()) {
            local = local.with_turns();
        }
        let (least, most) = local.gains(costs.cheapest(), costs.dearest());
        self.queue
            .reset(costs.links().least_of(least, field.scale), most);
        let roots = Arc::make_mut(&mut field.roots);
        for start in starts {
            field.cost[start.index] = start.value.cost;
            roots[start.index] = start.value.root;
        }
        let entry = |start: &Start| (start.value.cost, start.index as u32);
        self.queue.push_all(starts.iter().map(entry));
        self.crossings.start(costs, field.scale);
        let front = Front {
            local: &local,
            same: &self.same,
            fixed,
            lists: &mut self.lists,
            cost: &mut field.cost,
            roots,
            queue: &mut self.queue,
            crossings: &mut self.crossings,
        };
        let limit = u64::from(UNREACHED - most) - 1;
        let advanced = if local.is_even() {
            let cost = costs.cheapest();
            OnGround::<true, true>::new(front, cost).advance(&mut self.front, limit, ALL)
        } else {
            OnGround::<false, true>::new(front, 0).advance(&mut self.front, limit, ALL)
        };
        advanced.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::local_solver::Known;
    use super::*;
    use crate::grid::Grid;
    use crate::movement::{BLOCKED, MovementType};
    use crate::terrain::Terrain;
    use glam::Vec2;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Relaxing bucket by bucket gives the only solution of the local rule.
        #[test]
        fn every_cell_has_the_best_candidate_of_its_neighbours(
            (width, height) in (1_i32..40, 1_i32..40),
            walls_percent in prop::sample::select(vec![0_u64, 5, 15, 35]),
            ground in prop::sample::select(vec![&[1_u8][..], &[3], &[1, 2], &[1, 1, 1, 5], &[1, 30, 254]]),
            patch in prop::sample::select(vec![1, 5]),
            seed in any::<u64>(),
        ) {
            let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
            let mut terrain = Terrain::new(&grid);
            let draw = |x: i32, y: i32| crate::random::keyed(seed, x as u64, y as u64);
            for index in 0..grid.cell_count() {
                let cell = grid.cell(index);
                let at = cell / patch;
                let id = if draw(cell.x + 1000, cell.y) % 100 < walls_percent {
                    BLOCKED
                } else {
                    ground[(draw(at.x, at.y) % ground.len() as u64) as usize]
                };
                terrain.set(cell, id).expect("inside");
            }
            let costs = CostField::new(&grid, &terrain, &MovementType::default());
            let goal = grid.cell((draw(-7, 0) % grid.cell_count() as u64) as usize);
            let field = EikonalSolver::new().solve(&costs, &[goal]).expect("small");
            let rule = LocalSolver::new(&costs, field.scale());
            let known = Known { cost: &field.cost, roots: &field.roots, below: UNREACHED };
            for cell in (0..grid.cell_count()).map(|index| costs.index(grid.cell(index))) {
                if !field.goals().contains(&cell) {
                    let best = rule.best_candidate(known, cell);
                    prop_assert_eq!(best.map_or(UNREACHED, |best| best.cost), field.cost[cell]);
                    if let Some(best) = best {
                        prop_assert_eq!(best.root, field.roots[cell]);
                    }
                }
            }
        }
    }
}
