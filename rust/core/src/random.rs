//! Random numbers that depend on a key, never on the order of the calls.
//!
//! A stream per thread would make results depend on scheduling. Here every
//! number is a hash of (seed, agent, tick, purpose), so any thread may draw it
//! at any time and gets the same.

use glam::Vec2;

/// SplitMix64's finaliser (Steele, Lea and Flood, OOPSLA 2014): a bijection that mixes all bits.
#[must_use]
#[inline]
pub fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// A hash of a seed and two keys.
#[must_use]
#[inline]
pub fn keyed(seed: u64, first: u64, second: u64) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let once = mix(seed.wrapping_add(GOLDEN) ^ mix(first.wrapping_add(GOLDEN)));
    mix(once.wrapping_add(GOLDEN) ^ mix(second.wrapping_mul(GOLDEN)))
}

/// A uniform number in 0..1 with 24 bits.
#[must_use]
#[inline]
pub fn unit(hash: u64) -> f32 {
    (hash >> 40) as f32 * (1.0 / 16_777_216.0)
}

/// A unit vector, uniform over the square's directions and normalised.
///
/// Rejection-free and without trigonometry, so it is the same on every
/// machine; the slight preference for diagonals does not matter for a push.
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
