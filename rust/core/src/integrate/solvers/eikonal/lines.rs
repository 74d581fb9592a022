//! The neighbours to which a cell hands on its root: digital lines, as sets of steps.
//!
//! The rules are geometric: they depend on the root's place relative to the cell, and on which neighbours have the same
//! cost. For near roots they are in tables.

use crate::grid::STEPS;
use crate::integrate::root::{FARTHEST, PER_CELL};
use glam::IVec2;

/// Roots farther away than this, in eighths of a cell, are passed on by at most two steps.
const NEAR: i32 = 8;

/// The properties of a bend's place on which lines depend: a set of flags for far bends, a number for near ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place(pub(super) u32);

impl Place {
    /// Flags: the octant's number comes first.
    const GOES_ON: u32 = 1 << 3;
    const TURNS_OFF: u32 = 1 << 4;
    const ON_DIAGONAL: u32 = 1 << 5;
    const ON_AXIS: u32 = 1 << 6;
    /// The root is too far away to be handed on.
    const TOO_FAR: u32 = 1 << 7;
    /// Then the bend's [`near_index`].
    const IS_NEAR: u32 = 1 << 8;

    /// The place of a bend in a column with this threshold. No branches, so that a loop over many bends
    /// becomes vector code.
    #[inline]
    pub(super) fn new(bend: IVec2, threshold: u32) -> Self {
        let Octant {
            number,
            least,
            most,
        } = Octant::of(bend);
        let steepest = (most + PER_CELL) * threshold as i32;
        let aside = least + PER_CELL;
        let below = |least: i32| (least << THRESHOLD_BITS) < steepest;
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let far = number
            | flag((least < PER_CELL) | below(least), Self::GOES_ON)
            | flag((aside > most) | !below(aside), Self::TURNS_OFF)
            | flag(least == most, Self::ON_DIAGONAL)
            | flag(least == 0, Self::ON_AXIS);
        let far = far | flag(most > FARTHEST, Self::TOO_FAR);
        // Unused where the bend is far.
        let near = near_index(bend).wrapping_add(Self::IS_NEAR);
        Self(if most <= NEAR { near } else { far })
    }

    /// The steps by which a cell with such a bend hands on its root, where the steps `same` lead to ground of the same
    /// cost.
    #[inline]
    pub(super) const fn lines(self, same: u8) -> u8 {
        if self.0 >= Self::IS_NEAR {
            return LINES_NEAR[(self.0 & 31) as usize][same as usize];
        }
        let Far {
            free,
            diagonal,
            clipped,
            beside,
            behind,
        } = FAR[(self.0 & 255) as usize];
        let turns = if same & clipped == clipped {
            diagonal
        } else {
            0
        };
        let splits = if same & behind != 0 { beside } else { 0 };
        (free | turns | splits) & same
    }

    /// Its place in [`IN_THE_OPEN`].
    #[inline]
    pub(super) fn index(self) -> usize {
        (self.0 & 511) as usize
    }

    /// See [`bends`].
    #[inline]
    pub(super) const fn bends(self, same: u8) -> u8 {
        let axes = if same == 0xFF && self.0 < Self::IS_NEAR {
            let [axis, _, side] = OCTANTS[(self.0 & 7) as usize];
            let goes_on = self.0 & Self::GOES_ON != 0;
            let ahead = if goes_on { 0 } else { axis };
            ahead | side | side.rotate_left(4)
        } else {
            0b0101_0101
        };
        axes & same
    }
}

/// By [`Place::index`]: what [`Place::lines`] and [`Place::bends`] are where all neighbours have the same cost.
pub(super) static IN_THE_OPEN: [[u8; 2]; 512] = uniform_ground();

const fn uniform_ground() -> [[u8; 2]; 512] {
    let mut table = [[0; 2]; 512];
    let mut place = 0;
    while place < table.len() {
        let here = Place(place as u32);
        table[place] = [here.lines(0xFF), here.bends(0xFF)];
        place += 1;
    }
    table
}

/// The steps by which a root may be handed on in the open, for any distance of the root in this direction.
#[inline]
pub(super) fn steps_towards(bend: IVec2) -> u8 {
    let Octant {
        number,
        least,
        most,
    } = Octant::of(bend);
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    let place = number
        | Place::GOES_ON
        | Place::TURNS_OFF
        | flag(least == most, Place::ON_DIAGONAL)
        | flag(least == 0, Place::ON_AXIS);
    let [far, _] = IN_THE_OPEN[place as usize];
    if most <= NEAR { 0xFF } else { far }
}

/// The index of a bend's threshold in [`THRESHOLDS`].
#[inline]
pub(super) fn column_of(bend: IVec2) -> u32 {
    ((bend.x.abs().max(bend.y.abs()) + PER_CELL) >> PER_CELL.ilog2()) as u32
}

#[inline]
pub(super) fn place_of(bend: IVec2) -> Place {
    Place::new(bend, threshold(column_of(bend)))
}

/// The steps by which a root is handed on from a far place, as sets.
#[derive(Debug, Clone, Copy)]
struct Far {
    /// Steps that do not depend on the cells beside them.
    free: u8,
    /// Steps that need open ground at `clipped`.
    diagonal: u8,
    clipped: u8,
    /// On the axis: the diagonal on its other side, where there is open ground `behind`.
    beside: u8,
    behind: u8,
}

/// By [`Place`].
static FAR: [Far; 256] = far();

const fn far() -> [Far; 256] {
    const NONE: Far = Far {
        free: 0,
        diagonal: 0,
        clipped: 0,
        beside: 0,
        behind: 0,
    };
    let mut table = [NONE; 256];
    let mut place = 0;
    while place < Place::TOO_FAR {
        let [axis, diagonal, side] = OCTANTS[(place & 7) as usize];
        let (goes_on, turns_off) = (place & Place::GOES_ON != 0, place & Place::TURNS_OFF != 0);
        let (equal, straight) = (place & Place::ON_DIAGONAL != 0, place & Place::ON_AXIS != 0);
        let mut far = NONE;
        if goes_on {
            // On its edge an octant adjoins the next one.
            far.free = if equal { axis | side } else { axis };
        }
        if turns_off {
            far.diagonal = diagonal;
            far.clipped = if equal { side | axis } else { side };
        }
        if straight && turns_off {
            far.beside = (axis.rotate_left(1) | axis.rotate_right(1)) & !diagonal;
            far.behind = side.rotate_left(4);
        }
        table[place as usize] = far;
        place += 1;
    }
    table
}

/// The straight steps by which a cell makes candidates with its own centre as the root: all of them, but in the open
/// neither back towards its root nor along its line.
///
/// Every open cell gets some candidate. Suppose that a cell A gets none, beside a reached cell B that makes no bend for
/// it. Then B is in the open, far from its root, and A is behind it. The value of B came on a line, from A or from a
/// third cell beside A and level with it. That third cell makes a bend for A, unless it hands it the line.
#[inline]
pub(super) fn bends(bend: IVec2, same: u8) -> u8 {
    place_of(bend).bends(same)
}

/// The octant of a bend: the signs of its offsets and which of them is longer, as a number, and their sizes.
#[derive(Debug, Clone, Copy)]
struct Octant {
    number: u32,
    least: i32,
    most: i32,
}

impl Octant {
    #[inline]
    fn of(bend: IVec2) -> Self {
        let (x, y) = (bend.x.abs(), bend.y.abs());
        let along_x = x >= y;
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        Self {
            number: flag(bend.x > 0, 1) | flag(bend.y > 0, 2) | flag(along_x, 4),
            least: if along_x { y } else { x },
            most: if along_x { x } else { y },
        }
    }
}

/// The direction of lines around a cell: the steps along their axis away from the root, to the side, and both at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ray {
    pub(super) along: usize,
    pub(super) aside: usize,
    pub(super) diagonal: usize,
}

/// The steps of a [`Ray`] by which a cell hands on its root.
#[derive(Debug, Clone, Copy)]
pub(super) struct RaySteps {
    pub(super) straight: bool,
    pub(super) diagonal: bool,
}

impl Ray {
    /// The ray through a cell with such a bend; `None` near the root, and near axes and diagonals, where octants
    /// meet.
    pub(super) fn through(bend: IVec2) -> Option<Self> {
        let Octant {
            number,
            least,
            most,
        } = Octant::of(bend);
        let is_inside = least >= PER_CELL && most - least >= 3 * PER_CELL;
        let is_far = most > 4 * NEAR && most <= FARTHEST;
        let [along, diagonal, aside] = OCTANTS[number as usize & 7];
        let step = |set: u8| set.trailing_zeros() as usize;
        (is_inside && is_far).then(|| Self {
            along: step(along),
            aside: step(aside),
            diagonal: step(diagonal),
        })
    }

    /// The steps by which a root is handed on in the open from a cell of the ray with this bend.
    #[inline]
    pub(super) fn steps(self, bend: IVec2) -> RaySteps {
        let [lines, _] = IN_THE_OPEN[place_of(bend).index()];
        RaySteps {
            straight: lines >> self.along & 1 == 1,
            diagonal: lines >> self.diagonal & 1 == 1,
        }
    }
}

/// Binary digits of a threshold.
pub(super) const THRESHOLD_BITS: u32 = 10;

/// The threshold of slopes, times 2^[`THRESHOLD_BITS`], for a cell `distance` columns away from its root. Below it the
/// line to the cell comes from the axis neighbour, from it on from the diagonal neighbour.
///
/// The lines to all cells must agree where they share cells, as each cell hands on only one root. Near the root the
/// threshold is one half, which selects the neighbour that the line passes nearest to. A threshold of one half
/// everywhere would make long lines run along the axis until they are steep enough, far from the true line. Farther
/// away the thresholds are van der Corput's sequence, by which every line takes its diagonal steps evenly: the
/// consistent digital rays of Chun, Korman, Noellenburg and Tokuyama (Discrete and Computational Geometry 42, 2009),
/// whose distance from the true line is at most the logarithm of its length.
#[inline]
pub(super) fn threshold(distance: u32) -> u32 {
    u32::from(THRESHOLDS[distance as usize & (THRESHOLDS.len() - 1)])
}

/// The number of columns within which a root counts as near.
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

/// By [`Octant::number`]: the axis step away from the root, the diagonal one beside it and the axis on
/// its other side, as sets.
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
fn near_index(bend: IVec2) -> u32 {
    (((bend.y + NEAR) >> 2) * 5 + ((bend.x + NEAR) >> 2)) as u32
}

/// [`Place::lines`] of near bends: by [`near_index`] and neighbours of the same cost.
static LINES_NEAR: [[u8; 256]; 32] = lines_near();

const fn lines_near() -> [[u8; 256]; 32] {
    // 25 of them are in use.
    let mut table = [[0; 256]; 32];
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

/// If the line from the end of `step` to the root at `bend` passes nearest to the cell that the step comes from, and
/// the root is not nearer than that cell: the set of steps that must lead to ground of the same cost for the line to be
/// free. Otherwise 0.
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
    // The line crosses the end cell's neighbour on the axis that it runs along.
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

/// The cost of a straight line, given in eighths of a cell, over ground of one cost, rounded. As
/// each cell's value is a sum of such lengths, errors do not add up along a line.
#[inline]
pub(super) fn length_by(line: IVec2, unit: f32) -> u32 {
    // At most 2 * 32767^2, which fits; more only where no line can be drawn.
    let squared = (line.x * line.x).wrapping_add(line.y * line.y) as f32;
    (squared.sqrt() * unit + 0.5) as u32
}

#[cfg(test)]
mod tests {
    use super::super::local_solver::LEAST_GAIN;
    use super::*;

    fn lines(bend: IVec2, same: u8) -> u8 {
        place_of(bend).lines(same)
    }

    /// Every cell in the open gets the line of a neighbour, of exactly one if it is far from the root, and is farther
    /// from the root than that neighbour by at least [`LEAST_GAIN`].
    #[test]
    fn lines_make_a_tree_that_grows_away_from_the_root() {
        let length = |bend: IVec2| bend.as_dvec2().length() / f64::from(PER_CELL);
        for (x, y) in (-360..=360).flat_map(|y| (-360..=360).map(move |x| (x, y))) {
            // Centres are an even number of half cells away, corners an odd number.
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
