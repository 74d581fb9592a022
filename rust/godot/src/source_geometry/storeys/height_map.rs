//! The part of a height map that is in the area of a bake.

use super::{StoreyRules, bounds_of};
use crate::convert::vec3;
use flow_swarm::Vec3;
use godot::classes::HeightMapShape3D;
use godot::prelude::*;
use std::ops::RangeInclusive;

impl StoreyRules {
    /// The triangles of a height map in the area, without those of holes.
    pub(super) fn height_map(
        &self,
        map: &Gd<HeightMapShape3D>,
        place: Transform3D,
    ) -> Vec<[Vec3; 3]> {
        let (width, depth) = (map.get_map_width(), map.get_map_depth());
        let heights = map.get_map_data();
        let heights = heights.as_slice();
        let half = Vector2::new((width - 1) as f32, (depth - 1) as f32) * 0.5;
        let corner = |x: i32, z: i32| {
            let height = heights
                .get((z * width + x) as usize)
                .copied()
                .unwrap_or(f32::NAN);
            vec3(place * Vector3::new(x as f32 - half.x, height, z as f32 - half.y))
        };
        let near = self.near_squares(place, half);
        let [columns, rows] = near.unwrap_or_else(|| [1..=width - 1, 1..=depth - 1]);
        let mut triangles = Vec::new();
        for z in rows {
            for x in columns.clone() {
                let (a, b) = (corner(x - 1, z - 1), corner(x, z - 1));
                let (c, d) = (corner(x - 1, z), corner(x, z));
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
        let is_mirrored = place.basis.determinant() < 0.0;
        triangles.retain(|corners| {
            let has_hole = corners.iter().any(|corner| corner.y.is_nan());
            !has_hole && self.reaches(bounds_of(corners))
        });
        if is_mirrored {
            triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        triangles
    }

    /// The columns and rows of the squares of an upright height map that may be in the area, by their last corners; `None` for
    /// one that leans, whose heights move its corners sideways.
    fn near_squares(&self, place: Transform3D, half: Vector2) -> Option<[RangeInclusive<i32>; 2]> {
        let [across, up, along] = [
            place.basis.col_a(),
            place.basis.col_b(),
            place.basis.col_c(),
        ];
        let turn = across.x * along.z - along.x * across.z;
        if up.x != 0.0 || up.z != 0.0 || !turn.recip().is_finite() {
            return None;
        }
        let (low, high) = self.area;
        let local = [low.x, high.x].into_iter().flat_map(|x| {
            [low.y, high.y].map(|z| {
                let (x, z) = (x - place.origin.x, z - place.origin.z);
                let at = Vector2::new(along.z * x - along.x * z, across.x * z - across.z * x);
                at / turn + half
            })
        });
        let local: Vec<Vector2> = local.collect();
        let range = |of: fn(&Vector2) -> f32, last: f32| {
            let (low, high) = local
                .iter()
                .map(of)
                .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| {
                    (low.min(at), high.max(at))
                });
            // A square more on each side covers rounding errors.
            let from = (low.floor() as i32).max(1);
            from..=(high.ceil() as i32).saturating_add(1).min(last as i32)
        };
        Some([
            range(|at| at.x, 2.0 * half.x),
            range(|at| at.y, 2.0 * half.y),
        ])
    }
}
