//! The legal steps out of cells, from the costs around them.

use crate::movement::BLOCKED;

/// Writes the legal steps of a row of cells, from the costs of three rows that begin one column earlier.
pub(super) fn find_legal_steps(above: &[u8], here: &[u8], below: &[u8], out: &mut [u8]) {
    for (x, steps) in out.iter_mut().enumerate() {
        *steps = legal_steps([above, here, below], x);
    }
}

/// The legal steps of a cell, from the costs of the rows above, with and below it, which begin `x` cells before the
/// column before it.
#[inline]
pub(super) fn legal_steps([above, here, below]: [&[u8]; 3], x: usize) -> u8 {
    let open = |row: &[u8], x: usize| u8::from(row[x] != BLOCKED);
    let (east, west) = (open(here, x + 2), open(here, x));
    let (south, north) = (open(below, x + 1), open(above, x + 1));
    let legal = east
        | (open(below, x + 2) & east & south) << 1
        | south << 2
        | (open(below, x) & west & south) << 3
        | west << 4
        | (open(above, x) & west & north) << 5
        | north << 6
        | (open(above, x + 2) & east & north) << 7;
    if here[x + 1] == BLOCKED { 0 } else { legal }
}
