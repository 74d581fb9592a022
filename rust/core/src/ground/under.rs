//! The layer on which a thing stands.

use crate::ground::Ground;
use glam::Vec2;

/// How far a thing may be below the ground that it stands on, in world units: physics lets bodies sink in a little.
const SUNK: f32 = 0.1;

impl Ground {
    /// The one of `count` layers on which a thing stands that is at a world position and at a height: of the layers
    /// that have ground there, the one whose ground is nearest at or below the height, or else the lowest one. A cell
    /// with a height at one of its corners is ground, because agents do not walk on the edges of floors but things may
    /// stand there. Where no layer has ground, all layers count with the heights at which agents stand there. A layer
    /// without any heights is at the height that `flat` returns, everywhere.
    pub(crate) fn layer_under(
        &self,
        count: u32,
        position: Vec2,
        height: f32,
        flat: impl Fn(u32) -> f32,
    ) -> u32 {
        let levels = (0..count).map(|layer| {
            let heights = self.layer(layer);
            let has_ground = heights.is_none_or(|heights| heights.has_ground(position));
            let ground = self.standing_height(layer, position);
            let ground = ground.unwrap_or_else(|| flat(layer));
            let is_below = ground <= height + SUNK;
            // The highest one that is below, and of those above the lowest one.
            let nearness = if is_below { ground } else { -ground };
            (layer, has_ground, is_below, nearness)
        });
        let nearest = levels.max_by(|one, other| {
            let by_kind = (one.1, one.2).cmp(&(other.1, other.2));
            by_kind.then(one.3.total_cmp(&other.3))
        });
        nearest.map_or(0, |(layer, ..)| layer)
    }
}
