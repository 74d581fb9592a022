//! The speed of agents uphill and downhill.

use super::SPEED_FACTORS;
use crate::error::{Result, in_range};

/// How slopes change the speed of agents: the factors on ground that rises or falls by 45 degrees in the direction in
/// which an agent is heading. Both are 1 by default: no effect.
///
/// The factor changes in proportion to the rise per unit of distance, from 1 on level ground; on ground steeper than 45
/// degrees it is that of 45 degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlopeSpeed {
    uphill: f32,
    downhill: f32,
}

impl Default for SlopeSpeed {
    fn default() -> Self {
        Self {
            uphill: 1.0,
            downhill: 1.0,
        }
    }
}

impl SlopeSpeed {
    /// The factors for ground that rises, and for ground that falls, by 45 degrees.
    ///
    /// # Errors
    /// A factor outside [`SPEED_FACTORS`].
    pub fn new(uphill: f32, downhill: f32) -> Result<Self> {
        in_range("uphill_speed", uphill, SPEED_FACTORS.0, SPEED_FACTORS.1)?;
        in_range("downhill_speed", downhill, SPEED_FACTORS.0, SPEED_FACTORS.1)?;
        Ok(Self { uphill, downhill })
    }

    /// The numbers that tell it from others.
    pub(super) fn numbers(&self) -> [f32; 2] {
        [self.uphill, self.downhill]
    }

    /// Whether slopes have no effect.
    #[must_use]
    pub fn is_even(&self) -> bool {
        *self == Self::default()
    }

    /// The factor on ground that rises by `rise` for each unit of distance ahead; below 0 it falls.
    #[must_use]
    #[inline]
    pub fn factor(&self, rise: f32) -> f32 {
        let at_most = if rise > 0.0 {
            self.uphill
        } else {
            self.downhill
        };
        1.0 + (at_most - 1.0) * rise.abs().min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_in_proportion_to_the_rise_up_to_45_degrees() {
        let speed = SlopeSpeed::new(0.5, 1.5).expect("in range");
        let expected = [
            (0.0, 1.0),
            (0.5, 0.75),
            (1.0, 0.5),
            (7.0, 0.5),
            (-0.5, 1.25),
            (-1.0, 1.5),
            (-3.0, 1.5),
        ];
        for (rise, factor) in expected {
            assert_eq!(speed.factor(rise), factor, "rise {rise}");
        }
        assert!(!speed.is_even() && SlopeSpeed::default().is_even());
        assert_eq!(SlopeSpeed::default().factor(0.7), 1.0);
        for bad in [0.09, 4.1, f32::NAN] {
            assert!(SlopeSpeed::new(bad, 1.0).is_err() && SlopeSpeed::new(1.0, bad).is_err());
        }
    }
}
