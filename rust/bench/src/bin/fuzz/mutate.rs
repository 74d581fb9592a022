//! The mutator: small and large changes of bytes, most of which look like what a save may hold.

use flow_swarm_bench::maps::SplitMix64;

/// The longest chunk that is moved about at once.
const MOST_MOVED: usize = 200;
/// Numbers at the ends of ranges. Floats are given by their bits.
const EXTREMES: [u64; 26] = [
    0,
    1,
    2,
    3,
    0x7F,
    0x80,
    0xFE,
    0xFF,
    0x7FFF,
    0x8000,
    0xFFFF,
    1 << 16,
    1 << 20,
    1 << 26,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFE,
    0xFFFF_FFFF,
    1 << 32,
    // Ticks are counted to 2^62: what is at that end cannot be saved after the next one.
    1 << 61,
    1 << 63,
    u64::MAX,
    // NaN, infinity, -1 and 1e30.
    0x7FC0_0000,
    0x7F80_0000,
    0xBF80_0000,
    0x7149_F2CA,
];

/// Changes bytes in one to six ways. `other` lends pieces.
pub fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut SplitMix64) {
    loop {
        change(bytes, other, random);
        if random.percent(55) {
            return;
        }
    }
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut SplitMix64) {
    if bytes.is_empty() {
        bytes.push(random.next_u64() as u8);
    }
    match random.below(20) {
        0..=2 => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        3 => {
            let at = random.below(bytes.len());
            bytes[at] = random.next_u64() as u8;
        }
        4..=8 => write_number(bytes, random, |_, random| {
            EXTREMES[random.below(EXTREMES.len())]
        }),
        9..=12 => write_number(bytes, random, |old, random| {
            let by = 1 + random.below(8) as u64;
            [old.wrapping_add(by), old.wrapping_sub(by)][random.below(2)]
        }),
        13 | 14 => copy_number(bytes, random),
        15 => {
            let (from, to) = (chunk(bytes.len(), random), random.below(bytes.len()));
            let taken = bytes[from].to_vec();
            bytes.splice(to..to, taken);
        }
        16 => drop(bytes.drain(chunk(bytes.len(), random))),
        17 => {
            let to = random.below(bytes.len());
            let inserted = vec![[0, 1, 255][random.below(3)]; 1 + random.below(16)];
            bytes.splice(to..to, inserted);
        }
        18 => lend(bytes, other, random),
        _ if random.percent(70) => {
            // The rest of another save, from the same place or from anywhere.
            let at = random.below(bytes.len());
            let from = [at.min(other.len()), random.below(other.len() + 1)][random.below(2)];
            bytes.truncate(at);
            bytes.extend(&other[from..]);
        }
        _ => bytes.truncate(random.below(bytes.len())),
    }
}

fn chunk(length: usize, random: &mut SplitMix64) -> std::ops::Range<usize> {
    let from = random.below(length);
    let most = (length - from).min(MOST_MOVED);
    from..from + 1 + random.below(most)
}

/// Replaces a chunk by one of other bytes.
fn lend(bytes: &mut Vec<u8>, other: &[u8], random: &mut SplitMix64) {
    if !other.is_empty() {
        let taken = other[chunk(other.len(), random)].to_vec();
        bytes.splice(chunk(bytes.len(), random), taken);
    }
}

fn number_at(bytes: &[u8], at: usize, width: usize) -> u64 {
    let mut number = [0; 8];
    number[..width].copy_from_slice(&bytes[at..at + width]);
    u64::from_le_bytes(number)
}

/// A place for a number, and its width.
fn place(length: usize, random: &mut SplitMix64) -> (usize, usize) {
    let width = [1, 2, 4, 8][random.below(4)].min(length);
    (random.below(length - width + 1), width)
}

fn write_number(
    bytes: &mut [u8],
    random: &mut SplitMix64,
    number: impl FnOnce(u64, &mut SplitMix64) -> u64,
) {
    let (at, width) = place(bytes.len(), random);
    let number = number(number_at(bytes, at, width), random);
    bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
}

/// Copies a number from another place: ids and indices that occur elsewhere get far.
fn copy_number(bytes: &mut [u8], random: &mut SplitMix64) {
    let (from, width) = place(bytes.len(), random);
    let to = random.below(bytes.len() - width + 1);
    bytes.copy_within(from..from + width, to);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_can_be_changed_and_the_seed_says_how() {
        for seed in 0..3000 {
            for length in [0, 1, 2, 7, 300] {
                let before: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
                let mutated = |other: &[u8]| {
                    let mut bytes = before.clone();
                    mutate(&mut bytes, other, &mut SplitMix64::new(seed));
                    bytes
                };
                assert_eq!(mutated(b"other"), mutated(b"other"));
                drop(mutated(&[]));
            }
        }
    }

    #[test]
    fn lengths_grow_shrink_and_stay() {
        let mut seen = [0; 3];
        for seed in 0..300 {
            let mut bytes = vec![7; 50];
            mutate(&mut bytes, &[9; 90], &mut SplitMix64::new(seed));
            seen[(bytes.len().cmp(&50) as i8 + 1) as usize] += 1;
        }
        assert!(seen.iter().all(|&seen| seen > 20), "{seen:?}");
    }
}
