//! The outlines of bodies and areas: discs, and boxes that may be turned.

use crate::error::{Error, Result, finite, in_range, positive};
use crate::grid::layers::Layers;
use glam::Vec2;

/// The largest radius or half of a side, in world units.
const MAX_SIZE: f32 = 1.0e6;

/// The outline of a body or an area, in world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// A disc of this radius.
    Disc(f32),
    /// A rectangle, by half its length (along the direction of its [`Pose`]) and half its width.
    Box(Vec2),
}

impl Shape {
    pub(super) fn check(&self) -> Result<()> {
        let sides = match *self {
            Self::Disc(radius) => [("radius", radius), ("radius", radius)],
            Self::Box(half) => [("length of box", half.x), ("width of box", half.y)],
        };
        for (name, side) in sides {
            positive(name, side)?;
            in_range(name, side, 0.0, MAX_SIZE)?;
        }
        Ok(())
    }
}

/// The position and direction of a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    position: Vec2,
    /// Unit vector.
    ahead: Vec2,
}

impl Pose {
    /// A pose at `position` that is not turned: ahead is +x.
    ///
    /// # Errors
    /// A position that is not finite.
    pub fn at(position: Vec2) -> Result<Self> {
        Self::turned(position, Vec2::X)
    }

    /// A pose at `position`, turned to the direction of `ahead`, which may have any length.
    ///
    /// # Errors
    /// A vector that is not finite, or an `ahead` without a direction.
    pub fn turned(position: Vec2, ahead: Vec2) -> Result<Self> {
        finite("position", position)?;
        finite("direction", ahead)?;
        let ahead = ahead.try_normalize().ok_or(Error::NotPositive {
            name: "length of direction",
            value: ahead.length(),
        })?;
        Ok(Self { position, ahead })
    }

    /// A pose whose direction is a unit vector, to the bit; `None` if it is none.
    pub(super) fn with_unit(position: Vec2, ahead: Vec2) -> Option<Self> {
        let is_unit = (ahead.length_squared() - 1.0).abs() < 1.0e-4;
        is_unit.then_some(Self { position, ahead })
    }

    /// The unit vector of its direction.
    pub(super) fn ahead(&self) -> Vec2 {
        self.ahead
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> Vec2 {
        self.position
    }

    /// This pose, whose position has no layer, on a layer.
    #[must_use]
    pub fn on_layer(&self, layers: &Layers, layer: u32) -> Self {
        Self {
            position: layers.place(self.position, layer),
            ..*self
        }
    }
}

/// The part of an outline that is nearest to a point.
#[derive(Debug, Clone, Copy)]
pub(in crate::swarm) struct Nearest {
    /// The distance from the point; negative inside.
    pub(in crate::swarm) distance: f32,
    /// The unit vector that points outwards: towards the point, or away from it if it is inside.
    pub(in crate::swarm) normal: Vec2,
    /// Whether the outline is straight there, not round and not a corner.
    pub(in crate::swarm) is_straight: bool,
    /// The outline's radius there; 0 for corners and straight sides.
    pub(in crate::swarm) rounding: f32,
}

impl Shape {
    /// The part of the outline nearest to `point`.
    pub(in crate::swarm) fn nearest(&self, pose: &Pose, point: Vec2) -> Nearest {
        let away = point - pose.position;
        match *self {
            Self::Disc(radius) => {
                let length = away.length();
                Nearest {
                    distance: length - radius,
                    // At the exact centre every direction leads out.
                    normal: if length > 0.0 {
                        away / length
                    } else {
                        pose.ahead
                    },
                    is_straight: false,
                    rounding: radius,
                }
            }
            Self::Box(half) => nearest_of_box(half, pose.ahead, away),
        }
    }

    /// The lower and upper corner of a rectangle around the outline.
    pub(in crate::swarm) fn bounds(&self, pose: &Pose) -> (Vec2, Vec2) {
        let reach = match *self {
            Self::Disc(radius) => Vec2::splat(radius),
            Self::Box(half) => {
                let ahead = pose.ahead.abs();
                Vec2::new(half.dot(ahead), half.dot(Vec2::new(ahead.y, ahead.x)))
            }
        };
        (pose.position - reach, pose.position + reach)
    }
}

fn nearest_of_box(half: Vec2, ahead: Vec2, away: Vec2) -> Nearest {
    let aside = ahead.perp();
    let along = Vec2::new(ahead.dot(away), aside.dot(away));
    let sign = Vec2::ONE.copysign(along);
    // The distance beyond the sides, along the box's axes; negative inside.
    let beyond = along.abs() - half;
    let from_corner = beyond.max(Vec2::ZERO).length();
    let is_corner = beyond.min_element() > 0.0 && from_corner > 0.0;
    let (distance, normal) = if is_corner {
        (from_corner, beyond / from_corner)
    } else if beyond.x > beyond.y {
        (beyond.x, Vec2::X)
    } else {
        (beyond.y, Vec2::Y)
    };
    let normal = normal * sign;
    Nearest {
        distance,
        normal: ahead * normal.x + aside * normal.y,
        is_straight: !is_corner,
        rounding: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(size: f32) -> impl Strategy<Value = Vec2> {
        (-size..size, -size..size).prop_map(|(x, y)| Vec2::new(x, y))
    }

    /// Points along the outline of a box.
    fn outline(half: Vec2, pose: &Pose) -> Vec<Vec2> {
        let aside = pose.ahead.perp();
        let mut found = Vec::new();
        for step in 0..=400 {
            let share = step as f32 / 200.0 - 1.0;
            for side in [-1.0, 1.0] {
                for at in [Vec2::new(share, side), Vec2::new(side, share)] {
                    let at = at * half;
                    found.push(pose.position + pose.ahead * at.x + aside * at.y);
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn nothing_of_the_outline_is_nearer(
            half in (0.2_f32..4.0, 0.2_f32..4.0),
            ahead in vector(1.0),
            position in vector(9.0),
            point in vector(12.0),
        ) {
            prop_assume!(ahead.length() > 0.1);
            let half = Vec2::new(half.0, half.1);
            let pose = Pose::turned(position, ahead).expect("valid");
            for shape in [Shape::Disc(half.x), Shape::Box(half)] {
                let found = shape.nearest(&pose, point);
                prop_assert!((found.normal.length() - 1.0).abs() < 1.0e-4);
                let on_outline = point - found.normal * found.distance;
                let back = shape.nearest(&pose, on_outline).distance;
                prop_assert!(back.abs() < 1.0e-4, "{shape:?}: {back} off the outline");
                let (low, high) = shape.bounds(&pose);
                prop_assert!(on_outline.cmpge(low - 1.0e-4).all());
                prop_assert!(on_outline.cmple(high + 1.0e-4).all());
            }
            let found = Shape::Box(half).nearest(&pose, point);
            let nearest = outline(half, &pose)
                .into_iter()
                .map(|at| at.distance(point))
                .fold(f32::INFINITY, f32::min);
            prop_assert!((found.distance.abs() - nearest).abs() < 0.03, "{found:?}, not {nearest}");
            let along = (point - position).dot(pose.ahead).abs() <= half.x;
            let across = (point - position).dot(pose.ahead.perp()).abs() <= half.y;
            prop_assert!(found.distance.abs() < 1.0e-4 || (found.distance < 0.0) == (along && across));
        }
    }
}
