//! The local rule of the Eikonal solver: the path that a cell offers to a neighbour.
//!
//! The cost to the goal solves the Eikonal equation |∇u| = cost (Jeong and
//! Whitaker 2008; Emerson, Game AI Pro, 23.6). Where the cost is the same on
//! both sides it need not be approximated: the solution is a distance to the
//! path's [`Root`], and cells pass roots on.
//!
//! - *Straight on*: a cell that sees its root hands it to the neighbour whose
//!   line to the root passes nearest to it among all eight. Followed from cell to
//!   cell this draws a digital line, which a wall interrupts.
//! - *Round a corner*: two cells that touch at the corner of a wall; the corner
//!   becomes the root.
//! - *Bend*: the middle of the offering cell becomes the root. Never better than
//!   the two above, but there from every cell to every neighbour.
//! - *Triangle*: where the cost changes or a path turns already, the front is
//!   taken for straight between an axis neighbour and a diagonal one, and crosses
//!   the triangle at the angle that costs least (Sethian, PNAS 93(4), 1996, on
//!   the eight triangles around a cell).
//!
//! Every offer is dearer than each value that it was made from, by at least
//! [`LEAST_GAIN`] of the cost of a straight step. Thus the cheapest offers have
//! one solution only, whatever the order in which they are made: suppose two, and
//! look at the least value in which they differ; it was made from lesser values,
//! in which they agree.

use super::root::{FARTHEST, PER_CELL, Root};
use super::{StepScale, UNREACHED};
use crate::direction::Direction;
use crate::movement::{BLOCKED, CostField, STEPS};
use glam::IVec2;

/// The least that an offer exceeds its origin by, as a share of a straight step. Near by, a root half a cell
/// beside the line between two neighbours is √1.25 - 0.5 farther from the second; far away, one beside which
/// the line turns by up to 45 degrees is √0.5 farther.
const LEAST_GAIN: f64 = 0.6;
/// What a bend costs more than a straight line, as a share of a straight step: it breaks ties.
const BEND: u32 = 256;
/// Roots farther away than this, in eighths of a cell, are passed on by at most two steps.
const NEAR: i32 = 8;

/// What a cell has and hands on: the cost to the goal and the root of the path. Of equal costs the
/// lesser root counts, so that the solution does not depend on the order of the offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Offer {
    pub(super) cost: u32,
    pub(super) root: Root,
}

impl Offer {
    /// No offer.
    pub(super) const NONE: Self = Self {
        cost: UNREACHED,
        root: Root::HERE,
    };

    /// An offer of paths of grid steps, which have no roots.
    pub(super) fn of_steps(cost: u32) -> Self {
        Self {
            cost,
            root: Root::HERE,
        }
    }
}

/// What offers depend on besides values.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    cost: &'a [u8],
    steps: &'a [u8],
    offsets: [isize; 8],
    scale: StepScale,
    /// Stored units per eighth of a cell on ground of cost 1.
    unit: f32,
    /// Whether all open cells have one cost.
    even: bool,
}

/// The known values. Those from `below` on may still change and count as unknown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) cost: &'a [u32],
    pub(super) roots: &'a [Root],
    pub(super) below: u32,
}

impl<'a> Ground<'a> {
    pub(super) fn new(costs: &'a CostField, scale: StepScale) -> Self {
        Self {
            cost: costs.costs(),
            steps: costs.steps(),
            offsets: costs.offsets(),
            scale,
            unit: scale.straight as f32 / PER_CELL as f32,
            even: costs.cheapest() == costs.dearest(),
        }
    }

    pub(super) fn is_even(&self) -> bool {
        self.even
    }

    /// The least and the greatest difference between an offer and what it was made from.
    pub(super) fn gains(&self, cheapest: u8, dearest: u8) -> (u32, u32) {
        let least = f64::from(self.scale.straight) * f64::from(cheapest) * LEAST_GAIN;
        let most = 2 * (self.scale.straight + 1) * u32::from(dearest);
        (least as u32 - 1, most)
    }

    #[inline]
    pub(super) fn neighbour(&self, index: usize, step: usize) -> usize {
        index.wrapping_add_signed(self.offsets[step])
    }

    #[inline]
    fn is_legal(&self, index: usize, step: usize) -> bool {
        self.steps[index] >> step & 1 == 1
    }

    /// The set of steps to neighbours of the same cost.
    fn same(&self, index: usize) -> u8 {
        let cost = self.cost[index];
        (0..8).fold(0, |set, step| {
            set | u8::from(self.cost[self.neighbour(index, step)] == cost) << step
        })
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

    /// The cost of a straight line, given in eighths of a cell, over ground of one cost, rounded. As
    /// each cell's value is a sum of such lengths, errors do not add up along a line.
    #[inline]
    pub(super) fn length_by(line: IVec2, unit: f32) -> u32 {
        // At most 2 * 32767^2, which fits.
        let squared = (line.x * line.x + line.y * line.y) as f32;
        (squared.sqrt() * unit + 0.5) as u32
    }

    #[inline]
    fn length(&self, line: IVec2, cost: u8) -> u32 {
        Self::length_by(line, self.unit_of(cost))
    }

    /// What a straight step costs that makes a path bend.
    #[inline]
    pub(super) fn bend_length(&self, cost: u8) -> u32 {
        let tie_break = (self.scale.straight / BEND).max(1);
        (self.scale.straight + tie_break) * u32::from(cost)
    }

    /// The cheapest path that the cell `from`, of known value, offers to its neighbour by `step`.
    /// Offers dearer than `worth` may be left out.
    pub(super) fn offer(
        &self,
        known: Known<'_>,
        from: usize,
        step: usize,
        worth: u32,
    ) -> Option<Offer> {
        let to = self.neighbour(from, step);
        if self.cost[to] == BLOCKED {
            return None;
        }
        let straight = if self.is_uniform(known, from, to) {
            let inherited = self.straight_on(known, from, step);
            let around = self.around_corner(known, from, step);
            let bent = self.bend(known, from, step);
            [inherited, around, bent].into_iter().flatten().min()
        } else {
            None
        };
        if self.even {
            return straight;
        }
        [straight, self.triangles(known, from, step, worth)]
            .into_iter()
            .flatten()
            .min()
    }

    /// Whether `to` may take over the root of `from`.
    #[inline]
    fn is_uniform(&self, known: Known<'_>, from: usize, to: usize) -> bool {
        self.cost[from] == self.cost[to] && known.roots[from].is_straight()
    }

    /// The root of `from` as the root of its neighbour.
    fn straight_on(&self, known: Known<'_>, from: usize, step: usize) -> Option<Offer> {
        let root = known.roots[from];
        if lines(root.bend(), self.same(from)) >> step & 1 == 0 {
            return None;
        }
        // During a repair a cell may have a root that its cost does not go with any more.
        let base = known.cost[from].saturating_sub(self.length(root.bend(), self.cost[from]));
        Some(Self::along_line(
            base,
            root,
            self.unit_of(self.cost[from]),
            step,
        ))
    }

    /// What a cell offers along the line to its root, which begins at `base`.
    #[inline]
    pub(super) fn along_line(base: u32, root: Root, unit: f32, step: usize) -> Offer {
        let root = root.after(step);
        Offer {
            cost: base + Self::length_by(root.bend(), unit),
            root,
        }
    }

    /// The corner between `from` and a diagonal neighbour as that neighbour's root, if one of the two
    /// cells beside the step is a wall, or dearer ground, and the other is not.
    pub(super) fn around_corner(
        &self,
        known: Known<'_>,
        from: usize,
        step: usize,
    ) -> Option<Offer> {
        if step & 1 == 0 {
            return None;
        }
        let cost = self.cost[from];
        let (one, other) = ((step + 7) % 8, (step + 1) % 8);
        let beside = |step: usize| self.cost[self.neighbour(from, step)];
        let (open, shut) = match (beside(one) == cost, beside(other) == cost) {
            (true, false) if beside(other) > cost => (one, other),
            (false, true) if beside(one) > cost => (other, one),
            _ => return None,
        };
        let half = PER_CELL / 2 * STEPS[step];
        let bend = known.roots[from].bend();
        let beyond = bend - half;
        let (open_side, shut_side) = (STEPS[open], STEPS[shut]);
        // A path that turns at this corner comes from between the line of the step and the wall's side.
        let (along, off) = (-beyond.dot(open_side), -beyond.dot(shut_side));
        let last_line = self.length(half, cost);
        let after = if 0 <= off && off <= along {
            self.length(beyond, cost) + last_line
        } else if off < 0 && {
            // Past the shut side the same on its other corner.
            let next = (shut + shut + 8 - step) % 8;
            beside(next) == cost && beside((open + 4) % 8) == cost
        } {
            // The path turns at both corners of the side.
            let side = PER_CELL * open_side;
            self.length(beyond + side, cost) + self.length(side, cost) + last_line
        } else {
            self.length(bend, cost) + 2 * last_line
        };
        let gain = after.saturating_sub(self.length(bend, cost));
        // The cell beside the step must stay cheaper than its end, which can only be left through it.
        let least = self.bend_length(cost) + 1;
        Some(Offer {
            cost: known.cost[from] + gain.max(least),
            root: Root::corner_behind(step, open_side - shut_side),
        })
    }

    /// The middle of `from` as the root of its neighbour.
    fn bend(&self, known: Known<'_>, from: usize, step: usize) -> Option<Offer> {
        let passes = bends(known.roots[from].bend(), self.same(from));
        (passes >> step & 1 == 1).then(|| Offer {
            cost: known.cost[from] + self.bend_length(self.cost[from]),
            root: Root::behind(step),
        })
    }

    /// The best way into the neighbour through a triangle that has `from` as a corner, or straight from
    /// it. Offers dearer than `worth` may be left out.
    pub(super) fn triangles(
        &self,
        known: Known<'_>,
        from: usize,
        step: usize,
        worth: u32,
    ) -> Option<Offer> {
        let to = self.neighbour(from, step);
        // Seen from the neighbour.
        let back = (step + 4) % 8;
        let pure = self.is_uniform(known, from, to);
        let mut best: Option<Offer> = None;
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
            if let Some(offer) = self.triangle(known, to, sides, worth)
                && best.is_none_or(|best| offer < best)
            {
                best = Some(offer);
            }
        }
        if !pure && self.is_legal(to, back) {
            let length = [self.scale.straight, self.scale.diagonal][back & 1];
            let offer = Offer {
                cost: known.cost[from] + length * u32::from(self.cost[to]),
                root: Root::turning(Direction::from_step(back)),
            };
            if best.is_none_or(|best| offer < best) {
                best = Some(offer);
            }
        }
        best
    }

    /// The way into the cell `to` between its open neighbours on an axis and beside it on a diagonal, if
    /// the front comes through between them.
    #[inline]
    fn triangle(
        &self,
        known: Known<'_>,
        to: usize,
        (axis, diagonal): (usize, usize),
        worth: u32,
    ) -> Option<Offer> {
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
        let rise = ((cost - fall) * (cost + fall)).sqrt();
        let value = near + (rise + 0.5) as u32;
        if value > worth {
            return None;
        }
        let (along, across) = (STEPS[axis], STEPS[diagonal] - STEPS[axis]);
        let way = along.as_vec2() * rise + across.as_vec2() * fall;
        Some(Offer {
            cost: value,
            root: Root::turning(Direction::from_vector(way)?),
        })
    }

    /// The best offer that the neighbours make to a cell. What it has itself does not matter.
    pub(super) fn best_offer(&self, known: Known<'_>, to: usize) -> Option<Offer> {
        (0..8)
            .filter_map(|step| {
                let from = self.neighbour(to, (step + 4) % 8);
                let reached = known.cost[from] < known.below && known.cost[from] != UNREACHED;
                reached
                    .then(|| self.offer(known, from, step, u32::MAX))
                    .flatten()
            })
            .min()
    }
}

/// Notes for each cell which of its neighbours have the same cost, as a set of steps; 0 for walls.
///
/// A loop without branches over whole rows, which the compiler turns into vector code.
pub(super) fn find_same(costs: &CostField, same: &mut Vec<u8>) {
    let stride = costs.stride();
    same.resize(costs.costs().len(), 0);
    for y in 1..=costs.height() {
        let from = y * stride + 1;
        let row =
            |offset: isize| &costs.costs()[from.wrapping_add_signed(offset)..][..costs.width()];
        let here = row(0);
        let around = costs.offsets().map(row);
        let out = &mut same[from..][..costs.width()];
        for x in 0..out.len() {
            let cost = here[x];
            let mut set = 0;
            for (step, around) in around.iter().enumerate() {
                set |= u8::from(around[x] == cost) << step;
            }
            out[x] = if cost == BLOCKED { 0 } else { set };
        }
    }
}

/// The steps by which a cell whose path bends at `bend` passes its root on, where `same` steps lead to
/// ground of the same cost.
#[inline]
pub(super) fn lines(bend: IVec2, same: u8) -> u8 {
    let octant = Octant::of(bend);
    let Octant { least, most, .. } = octant;
    if most <= NEAR {
        return LINES_NEAR[near_index(bend)][usize::from(same)];
    }
    if most > FARTHEST {
        return 0;
    }
    let [axis, diagonal, side] = octant.steps();
    let (goes_on, turns_off) = octant.goes();
    let on_axis = if goes_on { axis } else { 0 };
    let clipped = if least < most { side } else { side | axis };
    let turns = turns_off & (same & clipped == clipped);
    let on_diagonal = if turns { diagonal } else { 0 };
    let mut lines = on_axis | on_diagonal;
    // On its edge an octant meets the next one.
    if least == most && goes_on {
        lines |= side;
    }
    if least == 0 && turns_off && same & side.rotate_left(4) != 0 {
        // The diagonal on the other side of the axis.
        lines |= (axis.rotate_left(1) | axis.rotate_right(1)) & !diagonal;
    }
    lines & same
}

/// The straight steps by which a cell offers its own middle as a root: all, but in the open neither back
/// to its root nor where the line goes on.
///
/// Every open cell is reached by some offer. Suppose that one were not, beside one that is and that makes it
/// no bend: the latter is then in the open, far from its root, and the former behind it. What the latter has
/// came on a line, from the former, or from a third cell beside the former and even with it, which in turn
/// makes it a bend, unless it passes it the line.
#[inline]
pub(super) fn bends(bend: IVec2, same: u8) -> u8 {
    let octant = Octant::of(bend);
    let axes = if same == 0xFF && octant.most > NEAR {
        let [axis, _, side] = octant.steps();
        let ahead = if octant.goes().0 { 0 } else { axis };
        ahead | side | side.rotate_left(4)
    } else {
        0b0101_0101
    };
    axes & same
}

/// Where a bend lies: the signs of its offsets and which is longer, as a number, and their sizes.
#[derive(Debug, Clone, Copy)]
struct Octant {
    number: usize,
    least: i32,
    most: i32,
}

impl Octant {
    #[inline]
    fn of(bend: IVec2) -> Self {
        let (x, y) = (bend.x.abs(), bend.y.abs());
        let along_x = x >= y;
        let (most, least) = if along_x { (x, y) } else { (y, x) };
        let number =
            usize::from(bend.x > 0) | usize::from(bend.y > 0) << 1 | usize::from(along_x) << 2;
        Self {
            number,
            least,
            most,
        }
    }

    /// Whether the line to the next cell along the axis comes from here, and the one to the next along the
    /// diagonal: see [`threshold`].
    #[inline]
    fn goes(self) -> (bool, bool) {
        let most = self.most + PER_CELL;
        let steepest = most * threshold(most / PER_CELL);
        let is_below = |least: i32| (least << THRESHOLD_BITS) < steepest;
        let aside = self.least + PER_CELL;
        (
            (self.least < PER_CELL) | is_below(self.least),
            (aside > self.most) | !is_below(aside),
        )
    }

    /// The axis step away from the root, the diagonal one beside it and the axis on its other side, as
    /// sets.
    #[inline]
    fn steps(self) -> [u8; 3] {
        OCTANTS[self.number & 7]
    }
}

/// Binary digits of a threshold.
const THRESHOLD_BITS: u32 = 10;

/// The slope below which the line to a cell `distance` columns away from its root comes from its axis
/// neighbour, and from which on from the diagonal one, times 2^[`THRESHOLD_BITS`].
///
/// The lines to all cells must agree where they share cells, since each cell hands on one root only. Near
/// the root the threshold is a half: the neighbour that the line passes nearest to. If it were so everywhere,
/// long lines would run along the axis until they are steep enough, and far from where they belong. Farther
/// away it is van der Corput's sequence, by which every line takes its diagonal steps evenly: the consistent
/// digital rays of Chun, Korman, Noellenburg and Tokuyama (Discrete and Computational Geometry 42, 2009),
/// which stray from the true line by no more than the logarithm of its length.
#[inline]
fn threshold(distance: i32) -> i32 {
    i32::from(THRESHOLDS[distance as usize & (THRESHOLDS.len() - 1)])
}

/// How many columns away a root counts as near.
const NEAR_COLUMNS: usize = 48;

static THRESHOLDS: [u16; 4096] = thresholds();

const fn thresholds() -> [u16; 4096] {
    let mut table = [1 << (THRESHOLD_BITS - 1); 4096];
    let mut at = NEAR_COLUMNS;
    while at < table.len() {
        table[at] = (at as u32).reverse_bits().wrapping_shr(32 - THRESHOLD_BITS) as u16;
        at += 1;
    }
    table
}

/// [`Octant::steps`] by number.
static OCTANTS: [[u8; 3]; 8] = octants();

const fn octants() -> [[u8; 3]; 8] {
    let mut table = [[0; 3]; 8];
    let mut octant = 0;
    while octant < 8 {
        let x = if octant & 1 == 1 { 4 } else { 0 };
        let y = if octant & 2 == 2 { 6 } else { 2 };
        let (axis, side) = if octant & 4 == 4 { (x, y) } else { (y, x) };
        let diagonal = if x == 0 && y == 6 { 7 } else { (x + y) / 2 };
        table[octant] = [1 << axis, 1 << diagonal, 1 << side];
        octant += 1;
    }
    table
}

#[inline]
fn near_index(bend: IVec2) -> usize {
    ((bend.y + NEAR) / 4 * 5 + (bend.x + NEAR) / 4) as usize
}

/// [`lines`] for near bends: by [`near_index`] and neighbours of the same cost.
static LINES_NEAR: [[u8; 256]; 25] = lines_near();

const fn lines_near() -> [[u8; 256]; 25] {
    let mut table = [[0; 256]; 25];
    let mut index = 0;
    while index < 25 {
        let bend = IVec2::new(4 * (index % 5) - NEAR, 4 * (index / 5) - NEAR);
        let mut step = 0;
        while step < 8 {
            let needs = needed_for_line(bend, step);
            let mut same = 0;
            while same < 256 {
                if needs != 0 && same as u8 & needs == needs {
                    table[index as usize][same] |= 1 << step;
                }
                same += 1;
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// Whether the line from the end of `step` to a root passes nearest to the cell that the step comes from,
/// and the root at `bend` from there is not nearer than that cell: the set of steps that must lead to
/// ground of the same cost for the line to be free, or 0.
const fn needed_for_line(bend: IVec2, step: usize) -> u8 {
    let by = STEPS[step];
    let to_root = IVec2::new(bend.x - 8 * by.x, bend.y - 8 * by.y);
    // Positive towards the cell.
    let (x, y) = (-to_root.x * by.x, -to_root.y * by.y);
    if step & 1 == 0 {
        let along = x + y;
        let across = if by.x == 0 { to_root.x } else { to_root.y };
        return if along >= 8 && 2 * across.abs() <= along {
            1 << step
        } else {
            0
        };
    }
    let (least, most) = if x < y { (x, y) } else { (y, x) };
    if least <= 0 || most < 8 || 2 * least < most {
        return 0;
    }
    // The line clips the cell that is the neighbour's on the axis that it runs along.
    let x_step = if by.x > 0 { 0 } else { 4 };
    let y_step = if by.y > 0 { 2 } else { 6 };
    let clipped = if x > y {
        1 << y_step
    } else if x < y {
        1 << x_step
    } else {
        1 << x_step | 1 << y_step
    };
    1 << step | clipped
}

/// By the set of steps to the same cost: the diagonal steps among them that have one such side.
static CORNERS: [u8; 256] = corners();

const fn corners() -> [u8; 256] {
    let mut table = [0; 256];
    let mut same = 0;
    while same < 256 {
        let mut step = 1;
        while step < 8 {
            let sides = (same >> ((step + 7) % 8) & 1) + (same >> ((step + 1) % 8) & 1);
            if same >> step & 1 == 1 && sides == 1 {
                table[same] |= 1 << step;
            }
            step += 2;
        }
        same += 1;
    }
    table
}

/// The diagonal steps that lead round a corner, or between even and cheaper ground.
#[inline]
pub(super) fn corners_among(same: u8) -> u8 {
    CORNERS[usize::from(same)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cell in the open gets the line of a neighbour, of one only if far away, and is farther from the
    /// root than that neighbour by at least [`LEAST_GAIN`].
    #[test]
    fn lines_make_a_tree_that_grows_away_from_the_root() {
        let length = |bend: IVec2| bend.as_dvec2().length() / f64::from(PER_CELL);
        for (x, y) in (-360..=360).flat_map(|y| (-360..=360).map(move |x| (x, y))) {
            // Middles are an even number of half cells away, corners an odd one.
            let bend = 4 * IVec2::new(x, y);
            if (x + y) % 2 != 0 || bend.abs().max_element() < PER_CELL {
                continue;
            }
            let behind = (0..8).filter(|&step| {
                let from = bend + PER_CELL * STEPS[step];
                lines(from, 0xFF) >> step & 1 == 1
            });
            let origins: Vec<IVec2> = behind.map(|step| bend + PER_CELL * STEPS[step]).collect();
            // Near by there may be a tie.
            let is_near = bend.abs().max_element() <= 2 * PER_CELL;
            assert!(
                origins.len() == 1 || is_near && origins.len() == 2,
                "{bend}: {origins:?}"
            );
            for from in origins {
                let gain = length(bend) - length(from);
                assert!(gain >= LEAST_GAIN, "{bend} from {from}: {gain}");
            }
        }
    }

    /// The chain of cells that hand on a root stays near the straight line to it.
    #[test]
    fn lines_are_straight() {
        for (x, y) in [
            (300, 100),
            (299, 7),
            (350, 349),
            (128, 64),
            (257, 31),
            (1000, 333),
        ] {
            let mut bend = -PER_CELL * IVec2::new(x, y);
            let line = bend.as_dvec2().normalize();
            let mut farthest = 0.0_f64;
            while bend.abs().max_element() >= PER_CELL {
                let step = (0..8)
                    .find(|&step| lines(bend + PER_CELL * STEPS[step], 0xFF) >> step & 1 == 1)
                    .expect("a tree");
                bend += PER_CELL * STEPS[step];
                let off = line.perp_dot(bend.as_dvec2()) / f64::from(PER_CELL);
                farthest = farthest.max(off.abs());
            }
            // An eighth of the columns that count as near, and a few cells.
            assert!(farthest < 8.0, "({x}, {y}): {farthest}");
        }
    }
}
