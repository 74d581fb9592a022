//! The heights of a `HeightMapShape3D` in the world.

use flow_swarm::Vec2;
use godot::classes::HeightMapShape3D;
use godot::prelude::*;

/// How far a point may be outside a shape by rounding, in cells of the shape.
const TOLERANCE: f64 = 1.0e-3;
/// The greatest tilt of a transform that counts as none: a rise per unit of distance.
const LEVEL: f32 = 1.0e-4;

/// A map of heights with a transform.
pub(super) struct HeightShape {
    /// The number of heights along x and z.
    size: [usize; 2],
    heights: PackedFloat32Array,
    /// From a position in the world to a place in the map.
    to_map: Transform2D,
    /// Height in the world of 0, and of 1 more in the map.
    low: f64,
    scale: f64,
}

impl HeightShape {
    /// # Errors
    /// A transform that tilts the shape, has no inverse or is not finite.
    pub(super) fn new(
        shape: &Gd<HeightMapShape3D>,
        transform: Transform3D,
    ) -> Result<Self, String> {
        let [x, y, z] = [
            transform.basis.col_a(),
            transform.basis.col_b(),
            transform.basis.col_c(),
        ];
        let flat = |vector: Vector3| Vector2::new(vector.x, vector.z);
        let plane = Transform2D {
            a: flat(x),
            b: flat(z),
            origin: flat(transform.origin),
        };
        if !transform.is_finite() || plane.determinant() == 0.0 || y.y == 0.0 {
            return Err(format!(
                "the transform must be finite and have an inverse, not {transform}"
            ));
        }
        let is_level = |axis: Vector3| axis.y.abs() <= LEVEL * flat(axis).length();
        if !is_level(x) || !is_level(z) || flat(y).length() > LEVEL * y.y.abs() {
            return Err(format!(
                "the transform must not tilt the shape: {transform}"
            ));
        }
        let size = [shape.get_map_width(), shape.get_map_depth()].map(|count| count as usize);
        // The middle of the map is the origin of the shape.
        let middle = Vector2::new(size[0] as f32 - 1.0, size[1] as f32 - 1.0) * 0.5;
        let mut to_map = plane.affine_inverse();
        to_map.origin += middle;
        Ok(Self {
            size,
            heights: shape.get_map_data(),
            to_map,
            low: f64::from(transform.origin.y),
            scale: f64::from(y.y),
        })
    }

    /// The height at a position in the world, bilinear; NaN in holes, `None` outside the shape.
    pub(super) fn height_at(&self, position: Vec2) -> Option<f32> {
        let place = self.to_map * Vector2::new(position.x, position.y);
        let [x, z] = [
            along(f64::from(place.x), self.size[0])?,
            along(f64::from(place.y), self.size[1])?,
        ];
        let heights = self.heights.as_slice();
        let mut sum = 0.0;
        for (row, by_row) in z {
            for (column, by_column) in x {
                let weight = by_row * by_column;
                // A hole beside the place does not matter.
                if weight > 0.0 {
                    sum += weight * f64::from(*heights.get(row * self.size[0] + column)?);
                }
            }
        }
        Some((self.low + self.scale * sum) as f32)
    }
}

/// The two lines of a map on either side of a place, with their weights; `None` outside.
fn along(place: f64, count: usize) -> Option<[(usize, f64); 2]> {
    let last = count.checked_sub(1)? as f64;
    if !(-TOLERANCE..=last + TOLERANCE).contains(&place) {
        return None;
    }
    let mut place = place.clamp(0.0, last);
    // Places that are on a line but for rounding do not read the next one, which may be a hole.
    if (place - place.round()).abs() < TOLERANCE {
        place = place.round();
    }
    let first = place as usize;
    let share = place - first as f64;
    Some([(first, 1.0 - share), (first + 1, share)])
}
