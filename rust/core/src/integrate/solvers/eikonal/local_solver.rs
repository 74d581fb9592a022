//! The local rule of the Eikonal solver: the candidates that a cell makes for its neighbours.
//!
//! The cost to the goal solves the Eikonal equation |∇u| = cost (Jeong and Whitaker 2008; Emerson, Game AI Pro, 23.6).
//! Where two cells have the same cost no approximation is needed: the solution is the distance to the path's [`Root`],
//! and cells hand on roots.
//!
//! - *Straight on*: a cell that sees its root hands it on to a neighbour if, of all eight cells around that neighbour,
//!   the neighbour's line to the root passes nearest to this cell. From cell to cell this makes a digital line, which a
//!   wall interrupts.
//! - *Round a corner*: two cells that touch at the corner of a wall; the corner
//!   becomes the root.
//! - *Bend*: the centre of the cell that makes the candidate becomes the root. It is never better than the two above,
//!   but exists from every cell to every neighbour along an axis.
//! - *Triangle*: where the cost changes or a path is already curved, the front is approximated as straight between an
//!   axis neighbour and a diagonal one, and crosses the triangle at the cheapest angle (Sethian, PNAS 93(4), 1996, on
//!   the eight triangles around a cell). A diagonal step is the triangle's limit. Where the path is not curved it is
//!   needed only between two cells of higher cost, between which no line and no corner leads.
//!
//! Every candidate exceeds each value from which it is made by at least [`LEAST_GAIN`] of the cost of a straight step.
//! So there is only one solution, in any order of the candidates: suppose two, and take the least value in which they
//! differ; it is made from lesser values, in which they agree.

use super::corner::{Corner, Turns};
use super::lines::{corners_among, length_by, place_of};
use crate::direction::Direction;
use crate::grid::STEPS;
use crate::integrate::candidate::Candidate;
use crate::integrate::field::UNREACHED;
use crate::integrate::moves::steps_where;
use crate::integrate::neighbour_sets::find_sets;
use crate::integrate::root::{PER_CELL, Root};
use crate::integrate::scale::{SCALES, StepScale};
use crate::movement::{BLOCKED, CostField};

/// The least difference between a candidate and its origin, as a share of a straight step. Near the root, a root half a
/// cell beside the line between two neighbours is √1.25 - 0.5 farther from the second neighbour; far away, where the
/// line is up to 45 degrees off the axis, it is √0.5 farther.
pub(crate) const LEAST_GAIN: f64 = 0.6;
/// The extra cost of a bend over a straight line, as a share of a straight step. It breaks ties.
const BEND: u32 = 594;
/// The extra costs of the first corner after a target or bend, and of each later corner. They exceed the rounding
/// errors of the lengths of a path's lines, so that no path with a turn is cheaper than a straight one
/// ([`super::visible_cells`]).
const TURN: (u32, u32) = (594, 2378);

/// Makes the candidates of a cell for its neighbours. It has the data besides values on which they depend.
#[derive(Debug)]
pub(super) struct LocalSolver<'a> {
    cost: &'a [u8],
    steps: &'a [u8],
    offsets: [isize; 8],
    scale: StepScale,
    /// Stored units per eighth of a cell on ground of cost 1.
    unit: f32,
    /// Whether all open cells have one cost.
    even: bool,
    /// The least difference between a candidate and the values from which it is made.
    least_gain: u32,
}

/// The candidates of a cell for neighbours of the same cost that need no other cell's value: for each kind, the steps
/// by which it makes them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outgoing {
    from: usize,
    value: Candidate,
    same: u8,
    lines: u8,
    corners: u8,
    bends: u8,
}

impl Default for Outgoing {
    fn default() -> Self {
        Self {
            from: 0,
            value: Candidate::NONE,
            same: 0,
            lines: 0,
            corners: 0,
            bends: 0,
        }
    }
}

impl Outgoing {
    /// The best of these candidates for the neighbour by `step`.
    #[inline]
    pub(super) fn by(&self, local: &LocalSolver<'_>, step: usize) -> Option<Candidate> {
        let is_among = |set: u8| set >> step & 1 == 1;
        let inherited = is_among(self.lines).then(|| self.straight_on(local, step));
        let around = is_among(self.corners).then(|| self.around_corner(local, step));
        // A bend costs more than a straight line, and corners are on diagonal steps.
        let bent = (is_among(self.bends) && inherited.is_none()).then(|| self.bend(local, step));
        let around = around.flatten();
        [inherited, around, bent].into_iter().flatten().min()
    }

    /// The root of the cell as the root of its neighbour.
    fn straight_on(&self, local: &LocalSolver<'_>, step: usize) -> Candidate {
        let Candidate { cost, root } = self.value;
        let unit = local.unit_of(local.cost[self.from]);
        // During a repair a cell's root may no longer fit its cost.
        let base = cost.saturating_sub(length_by(root.bend(), unit));
        LocalSolver::along_line(base, root, unit, step)
    }

    /// The corner between the cell and a diagonal neighbour as that neighbour's root, if a path can turn there.
    fn around_corner(&self, local: &LocalSolver<'_>, step: usize) -> Option<Candidate> {
        let corner = Corner::new(step, self.same);
        let Candidate { cost, root } = self.value;
        let entry = local.cost[self.from];
        local.is_shut(self.from, corner).then(|| Candidate {
            cost: cost + corner.gain(root.bend(), local.unit_of(entry), local.turns(entry)),
            root: corner.root(step),
        })
    }

    /// The middle of the cell as the root of its neighbour.
    fn bend(&self, local: &LocalSolver<'_>, step: usize) -> Candidate {
        Candidate {
            cost: self.value.cost + local.turns(local.cost[self.from]).bend,
            root: Root::behind(step),
        }
    }
}

/// The known values. Those from `below` on may still change and count as unknown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) cost: &'a [u32],
    pub(super) roots: &'a [Root],
    pub(super) below: u32,
}

impl<'a> LocalSolver<'a> {
    pub(super) fn new(costs: &'a CostField, scale: StepScale) -> Self {
        Self {
            cost: costs.costs(),
            steps: costs.steps(),
            offsets: costs.offsets(),
            scale,
            unit: scale.straight as f32 / PER_CELL as f32,
            even: costs.cheapest() == costs.dearest(),
            least_gain: least_gain(scale, costs.cheapest()),
        }
    }

    pub(super) fn scale(&self) -> StepScale {
        self.scale
    }

    /// The values of the eight neighbours of a cell, by step.
    #[inline(always)]
    pub(super) fn around<T: Copy>(&self, of: &[T], index: usize) -> [T; 8] {
        // Bounds are checked once for each row.
        let row = |from: usize| &of[from - 1..from + 2];
        let stride = self.stride();
        let (above, here, below) = (row(index - stride), row(index), row(index + stride));
        [
            here[2], below[2], below[1], below[0], here[0], above[0], above[1], above[2],
        ]
    }

    /// What it costs to enter the eight neighbours of a cell, by step.
    #[inline(always)]
    pub(super) fn entries_around(&self, index: usize) -> [u8; 8] {
        self.around(self.cost, index)
    }

    pub(super) fn is_even(&self) -> bool {
        self.even
    }

    /// Whether costs are in the finest scale.
    pub(super) fn is_fine(&self) -> bool {
        self.scale == SCALES[0]
    }

    /// The cost of so many straight steps.
    pub(super) fn cost_across(&self, cells: usize, cost: u8) -> u64 {
        cells as u64 * u64::from(self.scale.straight) * u64::from(cost)
    }

    /// The same ground with curved paths, although all open cells may have one cost.
    pub(super) fn with_turns(self) -> Self {
        Self {
            even: false,
            ..self
        }
    }

    /// The least and the greatest difference between a candidate and the values from which it is made.
    pub(super) fn gains(&self, cheapest: u8, dearest: u8) -> (u32, u32) {
        let most = 2 * (self.scale.straight + 1) * u32::from(dearest);
        (least_gain(self.scale, cheapest), most)
    }

    /// From a cell to the one below it.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.offsets[2].unsigned_abs()
    }

    #[inline]
    pub(super) fn neighbour(&self, index: usize, step: usize) -> usize {
        index.wrapping_add_signed(self.offsets[step])
    }

    /// The legal steps out of a cell.
    #[inline]
    pub(super) fn legal(&self, index: usize) -> u8 {
        self.steps[index]
    }

    #[inline]
    fn is_legal(&self, index: usize, step: usize) -> bool {
        self.steps[index] >> step & 1 == 1
    }

    /// The set of steps to neighbours of the same cost.
    pub(super) fn same(&self, index: usize) -> u8 {
        let cost = self.cost[index];
        steps_where(self.cost, self.stride(), index, |other| other == cost)
    }

    /// Whether all cells at most two rows and columns away are open ground of the same cost.
    #[inline]
    fn is_open_around(&self, index: usize) -> bool {
        let cost = self.cost[index];
        let stride = self.stride();
        // A map without room for this has no such cell.
        let Some(first) = index.checked_sub(2 * stride + 2) else {
            return false;
        };
        let Some(cells) = self.cost.get(first..first + 4 * stride + 5) else {
            return false;
        };
        let row = |row: usize| &cells[row * stride..row * stride + 5];
        let differs = |differs: u8, &other: &u8| differs | (other ^ cost);
        (0..5).fold(0, |all, number| row(number).iter().fold(all, differs)) == 0
    }

    #[inline]
    pub(super) fn is_wall(&self, index: usize) -> bool {
        self.cost[index] == BLOCKED
    }

    #[inline]
    pub(super) fn cost_of(&self, index: usize) -> u8 {
        self.cost[index]
    }

    /// Stored units per eighth of a cell on ground of some cost.
    #[inline]
    pub(super) fn unit_of(&self, cost: u8) -> f32 {
        self.unit * f32::from(cost)
    }

    /// The costs of turns on ground of this cost.
    #[inline]
    pub(super) fn turns(&self, cost: u8) -> Turns {
        let cost = u32::from(cost);
        let straight = self.scale.straight;
        Turns {
            bend: (straight + (straight / BEND).max(1)) * cost,
            first: straight / TURN.0 * cost,
            later: straight / TURN.1 * cost,
        }
    }

    /// The best candidate of the cell `from`, of known value, for its neighbour by `step`. Candidates above `worth` may
    /// be left out.
    pub(super) fn candidate(
        &self,
        known: Known<'_>,
        from: usize,
        step: usize,
        worth: u32,
    ) -> Option<Candidate> {
        let to = self.neighbour(from, step);
        if self.cost[to] == BLOCKED {
            return None;
        }
        let value = Candidate {
            cost: known.cost[from],
            root: known.roots[from],
        };
        let straight = self.outgoing(value, from, self.same(from)).by(self, step);
        if self.even {
            return straight;
        }
        [straight, self.triangles(known, from, step, worth)]
            .into_iter()
            .flatten()
            .min()
    }

    /// The candidates of the cell `from` if it has this value. `same` are the steps to neighbours of the same cost.
    #[inline]
    pub(super) fn outgoing(&self, value: Candidate, from: usize, same: u8) -> Outgoing {
        if value.cost == UNREACHED || !value.root.is_straight() {
            return Outgoing::default();
        }
        let place = place_of(value.root.bend());
        Outgoing {
            from,
            value,
            same,
            lines: place.lines(same),
            corners: corners_among(same),
            bends: place.bends(same),
        }
    }

    /// Whether a step is diagonal and leads between two cells of higher cost than the cell `to`. Then no line and no
    /// corner leads over it.
    #[inline]
    fn is_pinched(&self, to: usize, step: usize) -> bool {
        let beside = |by: usize| self.cost[self.neighbour(to, (step + by) % 8)];
        step & 1 == 1 && beside(1).min(beside(7)) > self.cost[to]
    }

    /// Whether `to` may take the root of `from`.
    #[inline]
    fn is_uniform(&self, known: Known<'_>, from: usize, to: usize) -> bool {
        self.cost[from] == self.cost[to] && known.roots[from].is_straight()
    }

    /// The candidate along a line whose cost at the root is `base`.
    #[inline]
    pub(super) fn along_line(base: u32, root: Root, unit: f32, step: usize) -> Candidate {
        let root = root.after(step);
        Candidate {
            cost: base.wrapping_add(length_by(root.bend(), unit)),
            root,
        }
    }

    /// Whether a path may turn at a corner: on its other side is a wall, or ground of higher cost.
    #[inline]
    pub(super) fn is_shut(&self, from: usize, corner: Corner) -> bool {
        self.cost[self.neighbour(from, corner.shut_step)] > self.cost[from]
    }

    /// The best candidate for the neighbour through a triangle with the corner `from`, or straight from it. Candidates
    /// above `worth` may be left out.
    pub(super) fn triangles(
        &self,
        known: Known<'_>,
        from: usize,
        step: usize,
        worth: u32,
    ) -> Option<Candidate> {
        let to = self.neighbour(from, step);
        // Relative to the neighbour.
        let back = (step + 4) % 8;
        let pure = self.is_uniform(known, from, to);
        let mut best: Option<Candidate> = None;
        for beside in [(back + 1) % 8, (back + 7) % 8] {
            let sides = if back & 1 == 0 {
                (back, beside)
            } else {
                (beside, back)
            };
            let other = self.neighbour(to, beside);
            if self.cost[other] == BLOCKED
                || known.cost[other] >= known.below
                || pure && self.is_uniform(known, other, to)
            {
                continue;
            }
            if let Some(candidate) = self.triangle(known, to, sides, worth)
                && best.is_none_or(|best| candidate < best)
            {
                best = Some(candidate);
            }
        }
        if (!pure || self.is_pinched(to, back)) && self.is_legal(to, back) {
            let length = [self.scale.straight, self.scale.diagonal][back & 1];
            let candidate = Candidate {
                cost: known.cost[from] + length * u32::from(self.cost[to]),
                root: Root::turning(Direction::from_step(back)),
            };
            if best.is_none_or(|best| candidate < best) {
                best = Some(candidate);
            }
        }
        best
    }

    /// The candidate for the cell `to` through the triangle of an open axis neighbour and the diagonal neighbour beside
    /// it, if the front comes through between them.
    #[inline]
    fn triangle(
        &self,
        known: Known<'_>,
        to: usize,
        (axis, diagonal): (usize, usize),
        worth: u32,
    ) -> Option<Candidate> {
        let (near, far) = (
            known.cost[self.neighbour(to, axis)],
            known.cost[self.neighbour(to, diagonal)],
        );
        let cost = (self.scale.straight * u32::from(self.cost[to])) as f32;
        if far >= near {
            return None;
        }
        let fall = (near - far) as f32;
        if fall >= cost * std::f32::consts::FRAC_1_SQRT_2 {
            return None;
        }
        let rise = Self::rise(cost, fall);
        let value = near + (rise + 0.5) as u32;
        if value > worth {
            return None;
        }
        let (along, across) = (STEPS[axis], STEPS[diagonal] - STEPS[axis]);
        let path = along.as_vec2() * rise + across.as_vec2() * fall;
        Some(Candidate {
            cost: value,
            root: Root::turning(Direction::from_vector(path)?),
        })
    }

    /// The difference between the value of a cell with this cost and that of the axis corner of its triangle, where the
    /// diagonal corner's value is lower by `fall`.
    #[inline(always)]
    pub(super) fn rise(cost: f32, fall: f32) -> f32 {
        ((cost - fall) * (cost + fall)).sqrt()
    }

    /// The best candidate of the neighbours for a cell. The cell's own value does not matter.
    pub(super) fn best_candidate(&self, known: Known<'_>, to: usize) -> Option<Candidate> {
        if self.even && self.is_open_around(to) {
            return self.best_candidate_in_the_open(known, to);
        }
        let costs: [u32; 8] = std::array::from_fn(|step| {
            let cost = known.cost[self.neighbour(to, step)];
            if cost < known.below { cost } else { UNREACHED }
        });
        let least = costs.iter().fold(UNREACHED, |least, &cost| least.min(cost));
        // The cheapest neighbours come first, after which most others can be skipped.
        let near = least.saturating_add(self.least_gain);
        let mut best = Candidate::NONE;
        for is_near in [true, false] {
            for (step, &cost) in costs.iter().enumerate() {
                let may_be_best = cost < UNREACHED && cost + self.least_gain <= best.cost;
                if (cost <= near) == is_near && may_be_best {
                    let candidate =
                        self.candidate(known, self.neighbour(to, step), (step + 4) % 8, best.cost);
                    best = best.min(candidate.unwrap_or(Candidate::NONE));
                }
            }
        }
        (best != Candidate::NONE).then_some(best)
    }
}

fn least_gain(scale: StepScale, cheapest: u8) -> u32 {
    (f64::from(scale.straight) * f64::from(cheapest) * LEAST_GAIN) as u32 - 1
}

/// Finds for each cell the steps to neighbours of the same cost.
pub(super) fn find_same(costs: &CostField, same: &mut Vec<u8>) {
    same.truncate(costs.cell_count());
    find_sets(costs, 0..costs.height(), same_steps, same);
}

/// The steps from a cell of a cost to neighbours of the same cost; none for walls.
#[inline(always)]
pub(super) fn same_steps(cost: u8, around: [u8; 8]) -> u8 {
    let mut set = 0;
    for (step, around) in around.into_iter().enumerate() {
        set |= u8::from(around == cost) << step;
    }
    if cost == BLOCKED { 0 } else { set }
}
