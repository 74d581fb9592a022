//! The bounds of a goal's targets, by which most agents know that they are far from all of them.

use glam::Vec2;

/// The smallest rectangle around some targets, in cell space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TargetBounds {
    low: Vec2,
    high: Vec2,
}

impl Default for TargetBounds {
    /// The bounds of no targets.
    fn default() -> Self {
        Self {
            low: Vec2::INFINITY,
            high: Vec2::NEG_INFINITY,
        }
    }
}

impl TargetBounds {
    pub(crate) fn around(targets: impl Iterator<Item = Vec2>) -> Self {
        targets.fold(Self::default(), |bounds, target| Self {
            low: bounds.low.min(target),
            high: bounds.high.max(target),
        })
    }

    /// Whether a target may be within `reach` of a point.
    #[inline]
    pub(crate) fn is_near(&self, point: Vec2, reach: f32) -> bool {
        let after = point.cmpge(self.low - reach).all();
        after && point.cmple(self.high + reach).all()
    }
}
