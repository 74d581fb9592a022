//! The legal steps out of cells, from the costs around them.

use crate::movement::BLOCKED;

/// Writes the legal steps of a row of cells, from the costs of three rows that begin one column earlier.
///
/// All slices are cut to one length, and each bit is a constant or nothing, so that the compiler makes vector code of
/// it.
pub(super) fn find_legal_steps(above: &[u8], here: &[u8], below: &[u8], out: &mut [u8]) {
    let count = out.len();
    let [[a0, a1, a2], [h0, h1, h2], [b0, b1, b2]] =
        [above, here, below].map(|row| [0, 1, 2].map(|first| &row[first..][..count]));
    for x in 0..count {
        let open = |row: &[u8]| row[x] != BLOCKED;
        let bit = |is_legal: bool, step: u32| if is_legal { 1_u8 << step } else { 0 };
        let (west, own, east) = (open(h0), open(h1), open(h2));
        let (north, south) = (open(a1), open(b1));
        out[x] = bit(own & east, 0)
            | bit(own & east & south & open(b2), 1)
            | bit(own & south, 2)
            | bit(own & west & south & open(b0), 3)
            | bit(own & west, 4)
            | bit(own & west & north & open(a0), 5)
            | bit(own & north, 6)
            | bit(own & east & north & open(a2), 7);
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
