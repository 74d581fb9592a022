//! Random numbers that depend on keys and not on the order of calls.
//!
//! With a stream of random numbers for each thread, results would depend on scheduling. Here each number is a hash of a
//! seed and keys such as the agent, the tick and the purpose, so any thread gets the same number at any time.

use glam::Vec2;

/// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a bijection that mixes all bits.
#[must_use]
#[inline]
pub fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// A 64-bit hash of a seed and two keys.
#[must_use]
#[inline]
pub fn keyed(seed: u64, first: u64, second: u64) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let once = mix(seed.wrapping_add(GOLDEN) ^ mix(first.wrapping_add(GOLDEN)));
    mix(once.wrapping_add(GOLDEN) ^ mix(second.wrapping_mul(GOLDEN)))
}

/// A uniform number in 0..1 with 24 bits, from the upper bits of a hash.
#[must_use]
#[inline]
pub fn unit(hash: u64) -> f32 {
    (hash >> 40) as f32 * (1.0 / 16_777_216.0)
}

/// A random unit vector: the direction to a uniform point in a square.
///
/// Directions near the diagonals are slightly more frequent. This does not matter for pushes, and it needs neither
/// rejection nor trigonometry, so the result is the same on every machine.
#[must_use]
#[inline]
pub fn direction(hash: u64) -> Vec2 {
    let raw = Vec2::new(
        unit(hash) * 2.0 - 1.0,
        unit(hash.rotate_left(32)) * 2.0 - 1.0,
    );
    let length_squared = raw.length_squared();
    if length_squared > 1.0e-6 {
        raw / length_squared.sqrt()
    } else {
        Vec2::X
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_keys_give_unrelated_directions() {
        let mut sum = Vec2::ZERO;
        for agent in 0..1000 {
            let drawn = direction(keyed(7, agent, 3));
            assert!((drawn.length() - 1.0).abs() < 1.0e-5);
            sum += drawn;
        }
        assert!(sum.length() < 100.0, "1000 directions sum to {sum}");
    }

    #[test]
    fn each_key_matters() {
        assert_ne!(keyed(1, 2, 3), keyed(2, 2, 3));
        assert_ne!(keyed(1, 2, 3), keyed(1, 3, 2));
        assert_ne!(keyed(1, 2, 3), keyed(1, 2, 4));
    }
}
