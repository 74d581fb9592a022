//! Convex solids: their footprint, which is the outline seen from above between two heights, and their faces.

use super::hull::hull_triangles;
use super::outline::convex_hull;
use glam::{Vec2, Vec3};

/// A convex solid in 3D, with y up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solid {
    corners: Vec<Vec3>,
    /// Pairs of corners, among them all edges of the solid. Other pairs do not change the outline, because the line
    /// between two corners of a convex solid is inside it.
    edges: Vec<(u32, u32)>,
    /// The number of corners of each ring, for a solid of rings.
    around: Option<u32>,
}

impl Solid {
    /// The convex hull of some points. Takes memory that is quadratic in the points.
    #[must_use]
    pub fn hull(corners: Vec<Vec3>) -> Self {
        let count = corners.len() as u32;
        let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
        Self {
            corners,
            edges: pairs.collect(),
            around: None,
        }
    }

    /// A solid of horizontal polygons above each other, for cylinders, cones and spheres. `rings` has the centre and
    /// radius of each polygon, from one end of the solid to the other; together they must be convex. `unit_circle` has
    /// the corners of each polygon at radius 1, with the solid's x and z in x and y.
    #[must_use]
    pub fn rings(rings: &[(Vec3, f32)], unit_circle: &[Vec2]) -> Self {
        let corners = rings.iter().flat_map(|&(center, radius)| {
            let around = unit_circle.iter().map(move |at| *at * radius);
            around.map(move |at| center + Vec3::new(at.x, 0.0, at.y))
        });
        let around = unit_circle.len() as u32;
        let along = |ring: u32| {
            let corner = move |number: u32| ring * around + number % around;
            let next = move |number| (corner(number), corner(number + 1));
            let above = move |number| (corner(number), corner(number) + around);
            (0..around).flat_map(move |number| [next(number), above(number)])
        };
        let corners: Vec<_> = corners.collect();
        let edges = (0..rings.len() as u32).flat_map(along);
        Self {
            edges: edges
                .filter(|edge| (edge.1 as usize) < corners.len())
                .collect(),
            corners,
            around: Some(around),
        }
    }

    /// A copy of the solid with each corner moved by `place`, which must keep it convex, as any affine transform does.
    #[must_use]
    pub fn placed(&self, place: impl Fn(Vec3) -> Vec3) -> Self {
        Self {
            corners: self.corners.iter().copied().map(place).collect(),
            edges: self.edges.clone(),
            around: self.around,
        }
    }

    /// The least and greatest coordinates of the corners; `None` without corners.
    #[must_use]
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = *self.corners.first()?;
        let corners = self.corners.iter();
        Some(corners.fold((first, first), |(low, high), &at| {
            (low.min(at), high.max(at))
        }))
    }

    /// The faces as triangles, anticlockwise as seen from outside.
    #[must_use]
    pub fn triangles(&self) -> Vec<[Vec3; 3]> {
        match self.around {
            Some(around) => self.ring_triangles(around as usize),
            None => hull_triangles(&self.corners),
        }
    }

    /// The triangles between consecutive rings, and those of the two ends.
    fn ring_triangles(&self, around: usize) -> Vec<[Vec3; 3]> {
        let rings = self.corners.len().checked_div(around).unwrap_or_default();
        if rings == 0 {
            return Vec::new();
        }
        let mut triangles = Vec::with_capacity(2 * self.corners.len());
        for ring in 1..rings {
            let (lower, upper) = ((ring - 1) * around, ring * around);
            for corner in 0..around {
                let next = (corner + 1) % around;
                triangles.push([lower + corner, lower + next, upper + corner]);
                triangles.push([upper + corner, lower + next, upper + next]);
            }
        }
        for end in [0, (rings - 1) * around] {
            triangles.extend((2..around).map(|corner| [end, end + corner - 1, end + corner]));
        }
        let center = self.corners.iter().sum::<Vec3>() / self.corners.len().max(1) as f32;
        let outward = |[a, b, c]: [usize; 3]| {
            let [a, b, c] = [a, b, c].map(|corner| self.corners[corner]);
            let normal = (b - a).cross(c - a);
            let is_outward = normal.dot(a - center) >= 0.0;
            let triangle = if is_outward { [a, b, c] } else { [a, c, b] };
            (normal != Vec3::ZERO).then_some(triangle)
        };
        triangles.into_iter().filter_map(outward).collect()
    }

    /// The outline, seen from above, of the part of the solid between two heights: x and z of its corners. Empty if the
    /// solid is outside this range or only touches its ends.
    #[must_use]
    pub fn footprint(&self, low: f32, high: f32) -> Vec<Vec2> {
        let heights = self.corners.iter().map(|corner| corner.y);
        let bottom = heights.clone().fold(f32::INFINITY, f32::min);
        let top = heights.fold(f32::NEG_INFINITY, f32::max);
        if top <= low || bottom >= high {
            return Vec::new();
        }
        let within = self.corners.iter().filter(|at| at.y >= low && at.y <= high);
        let mut seen: Vec<Vec2> = within.map(|at| Vec2::new(at.x, at.z)).collect();
        for height in [low, high] {
            if bottom < height && height < top {
                self.section(height, &mut seen);
            }
        }
        convex_hull(seen)
    }

    /// Appends the points at which edges cross a height.
    fn section(&self, height: f32, seen: &mut Vec<Vec2>) {
        for &(a, b) in &self.edges {
            let (a, b) = (self.corners[a as usize], self.corners[b as usize]);
            if (a.y < height) != (b.y < height) {
                let at = a.lerp(b, (height - a.y) / (b.y - a.y));
                seen.push(Vec2::new(at.x, at.z));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec2;

    fn cuboid(low: Vec3, high: Vec3) -> Vec<Vec3> {
        (0..8)
            .map(|corner| {
                let pick = |bit: i32, low, high| if corner & bit == 0 { low } else { high };
                Vec3::new(
                    pick(1, low.x, high.x),
                    pick(2, low.y, high.y),
                    pick(4, low.z, high.z),
                )
            })
            .collect()
    }

    fn extent(outline: &[Vec2]) -> (Vec2, Vec2) {
        outline.iter().fold(
            (Vec2::INFINITY, Vec2::NEG_INFINITY),
            |(low, high), &point| (low.min(point), high.max(point)),
        )
    }

    #[test]
    fn a_box_leaves_its_rectangle() {
        let corners = cuboid(Vec3::new(1.0, -1.0, 2.0), Vec3::new(4.0, 3.0, 3.0));
        let outline = Solid::hull(corners).footprint(0.0, 2.0);
        assert_eq!(outline.len(), 4);
        assert_eq!(extent(&outline), (Vec2::new(1.0, 2.0), Vec2::new(4.0, 3.0)));
    }

    #[test]
    fn a_body_that_only_touches_the_range_leaves_nothing() {
        let floor = cuboid(Vec3::new(-9.0, -1.0, -9.0), Vec3::new(9.0, 0.0, 9.0));
        assert!(Solid::hull(floor).footprint(0.0, 2.0).is_empty());
        let lintel = cuboid(Vec3::new(-1.0, 2.0, -1.0), Vec3::new(1.0, 3.0, 1.0));
        assert!(Solid::hull(lintel).footprint(0.0, 2.0).is_empty());
        assert!(Solid::default().footprint(0.0, 2.0).is_empty());
    }

    #[test]
    fn only_the_part_within_the_range_counts() {
        // A wedge that rises by 1 per unit of x, cut between 0.5 and 1.5.
        let wedge = [
            Vec3::new(0.0, 0.0, 0.0),
            Vec3::new(0.0, 0.0, 1.0),
            Vec3::new(4.0, 0.0, 0.0),
            Vec3::new(4.0, 0.0, 1.0),
            Vec3::new(4.0, 4.0, 0.0),
            Vec3::new(4.0, 4.0, 1.0),
        ];
        let outline = Solid::hull(wedge.to_vec()).footprint(0.5, 1.5);
        assert_eq!(extent(&outline), (Vec2::new(0.5, 0.0), Vec2::new(4.0, 1.0)));
        // A pyramid that stands on its tip: its widest section is at the upper height.
        let pyramid = [
            Vec3::ZERO,
            Vec3::new(-4.0, 4.0, -4.0),
            Vec3::new(4.0, 4.0, -4.0),
            Vec3::new(-4.0, 4.0, 4.0),
            Vec3::new(4.0, 4.0, 4.0),
        ];
        assert_eq!(
            extent(&Solid::hull(pyramid.to_vec()).footprint(-1.0, 1.0)),
            (Vec2::splat(-1.0), Vec2::splat(1.0))
        );
    }

    #[test]
    fn points_inside_are_left_out() {
        let mut corners = cuboid(Vec3::ZERO, Vec3::ONE);
        corners.push(Vec3::splat(0.4));
        corners.push(Vec3::new(0.5, 0.5, 0.0));
        assert_eq!(Solid::hull(corners).footprint(0.0, 2.0).len(), 4);
    }

    #[test]
    fn a_flat_body_counts_within_the_range() {
        let plate = [
            Vec3::new(0.0, 1.0, 0.0),
            Vec3::new(2.0, 1.0, 0.0),
            Vec3::new(0.0, 1.0, 2.0),
        ];
        let plate = Solid::hull(plate.to_vec());
        assert_eq!(plate.footprint(0.0, 2.0).len(), 3);
        assert!(plate.footprint(1.0, 2.0).is_empty());
    }

    #[test]
    fn rings_are_cut_as_their_hull_is() {
        let circle: Vec<Vec2> = [(1, 0), (0, 1), (-1, 0), (0, -1)]
            .map(|(x, y)| IVec2::new(x, y).as_vec2())
            .to_vec();
        // Four rings of a sheared ball.
        let rings = [(-3.0, 1.0), (-1.0, 3.0), (1.0, 3.0), (3.0, 1.0)];
        let rings = rings.map(|(y, radius)| (Vec3::new(0.0, y, 0.0), radius));
        let askew = |at: Vec3| Vec3::new(at.x, at.y + 0.3 * at.x - 0.2 * at.z, at.z + 0.1 * at.y);
        let ball = Solid::rings(&rings, &circle).placed(askew);
        let hull = Solid::hull(ball.corners.clone());
        assert_eq!(ball.edges.len(), 4 * 4 + 3 * 4);
        for (low, high) in [(-9.0, 9.0), (-0.7, 0.4), (2.1, 9.0), (-9.0, -2.3)] {
            let (one, other) = (ball.footprint(low, high), hull.footprint(low, high));
            let (one, other) = (area(&one), area(&other));
            assert!((one - other).abs() < 1e-4, "{low} to {high}: {one} {other}");
            assert!(one > 1.0);
        }
    }

    fn area(outline: &[Vec2]) -> f32 {
        let next = outline.iter().cycle().skip(1);
        let twice: f32 = outline.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum();
        twice * 0.5
    }
}
