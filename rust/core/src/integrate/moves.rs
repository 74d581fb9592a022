//! Steps out of cells, in one word each.

/// A cell in the lower bits and a step out of it in the upper three.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Move(u32);

pub(super) const STEP_SHIFT: u32 = 29;
const CELL: u32 = (1 << STEP_SHIFT) - 1;

impl Move {
    /// The move from a cell by an entry of [`STEP_LISTS`].
    #[inline]
    pub(super) fn new(cell: u32, step: u32) -> Self {
        Self(cell | step)
    }

    #[inline]
    pub(super) fn cell(self) -> usize {
        (self.0 & CELL) as usize
    }

    /// The same step from another cell.
    #[inline]
    pub(super) fn from(self, cell: usize) -> Self {
        Self(self.0 & !CELL | cell as u32)
    }

    #[inline]
    pub(super) fn step(self) -> usize {
        (self.0 >> STEP_SHIFT) as usize
    }
}

/// A set of steps as a list: steps as in a [`Move`], in ascending order.
pub(super) static STEP_LISTS: [[u32; 8]; 256] = step_lists();

const fn step_lists() -> [[u32; 8]; 256] {
    let mut lists = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let mut count = 0;
        let mut step = 0;
        while step < 8 {
            if set >> step & 1 == 1 {
                lists[set][count] = step << STEP_SHIFT;
                count += 1;
            }
            step += 1;
        }
        set += 1;
    }
    lists
}

/// The number of steps in a set. (Not every x86-64 processor has an instruction for this.)
pub(super) static STEP_COUNTS: [u8; 256] = step_counts();

const fn step_counts() -> [u8; 256] {
    let mut counts = [0; 256];
    let mut set = 0;
    while set < 256 {
        counts[set] = set.count_ones() as u8;
        set += 1;
    }
    counts
}

/// The members of a set of steps.
#[inline]
pub(super) fn steps_of(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let step = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(step)
    })
}

/// The steps from the cell at index `cell` to neighbours of which `is` holds, in rows of `stride` cells.
#[inline(always)]
pub(super) fn steps_where<T: Copy>(
    cells: &[T],
    stride: usize,
    cell: usize,
    is: impl Fn(T) -> bool,
) -> u8 {
    // Three rows of three cells, so that bounds are checked once for each row.
    let row = |from: usize| &cells[from - 1..from + 2];
    let (above, here, below) = (row(cell - stride), row(cell), row(cell + stride));
    let bit = |value: T, step: usize| u8::from(is(value)) << step;
    bit(here[2], 0)
        | bit(below[2], 1)
        | bit(below[1], 2)
        | bit(below[0], 3)
        | bit(here[0], 4)
        | bit(above[0], 5)
        | bit(above[1], 6)
        | bit(above[2], 7)
}
