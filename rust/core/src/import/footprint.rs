//! What a body in space leaves on the ground.

use glam::{Vec2, Vec3};

/// The outline, seen from above, of what a convex body has between two heights.
///
/// The body is given by its corners, in any order, with y up; points inside it do no harm. Empty if
/// the body only touches the range. Quadratic in the number of corners.
#[must_use]
pub fn footprint(corners: &[Vec3], low: f32, high: f32) -> Vec<Vec2> {
    let bottom = corners.iter().fold(f32::INFINITY, |y, at| y.min(at.y));
    let top = corners.iter().fold(f32::NEG_INFINITY, |y, at| y.max(at.y));
    // A flat body within the range counts, one that touches it does not.
    if top.max(bottom) <= low || bottom >= high || corners.is_empty() {
        return Vec::new();
    }
    let mut seen = Vec::new();
    for (index, &a) in corners.iter().enumerate() {
        if (low..=high).contains(&a.y) {
            seen.push(Vec2::new(a.x, a.z));
        }
        // Every edge of the body joins two corners, and what joins two corners is in the body.
        for &b in &corners[index + 1..] {
            for height in [low, high] {
                if (a.y < height) != (b.y < height) && a.y != b.y {
                    let at = a.lerp(b, (height - a.y) / (b.y - a.y));
                    seen.push(Vec2::new(at.x, at.z));
                }
            }
        }
    }
    convex_hull(seen)
}

/// The corners of the convex hull, in order (Andrew's monotone chain).
fn convex_hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull: Vec<Vec2> = Vec::with_capacity(points.len() + 1);
    for half in 0..2 {
        let start = hull.len();
        for &point in &points {
            while hull.len() >= start + 2
                && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        // The last point of each half is the first of the other.
        hull.pop();
        if half == 0 {
            points.reverse();
        }
    }
    hull
}

/// Above zero for a left turn at `b`.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let (a, b, c) = (a.as_dvec2(), b.as_dvec2(), c.as_dvec2());
    (b - a).perp_dot(c - b)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let outline = footprint(&corners, 0.0, 2.0);
        assert_eq!(outline.len(), 4);
        assert_eq!(extent(&outline), (Vec2::new(1.0, 2.0), Vec2::new(4.0, 3.0)));
    }

    #[test]
    fn a_body_that_only_touches_the_range_leaves_nothing() {
        let floor = cuboid(Vec3::new(-9.0, -1.0, -9.0), Vec3::new(9.0, 0.0, 9.0));
        assert!(footprint(&floor, 0.0, 2.0).is_empty());
        let lintel = cuboid(Vec3::new(-1.0, 2.0, -1.0), Vec3::new(1.0, 3.0, 1.0));
        assert!(footprint(&lintel, 0.0, 2.0).is_empty());
        assert!(footprint(&[], 0.0, 2.0).is_empty());
    }

    #[test]
    fn only_the_part_within_the_range_counts() {
        // A ramp, or wedge: 1 high per unit of x, cut between 0.5 and 1.5.
        let wedge = [
            Vec3::new(0.0, 0.0, 0.0),
            Vec3::new(0.0, 0.0, 1.0),
            Vec3::new(4.0, 0.0, 0.0),
            Vec3::new(4.0, 0.0, 1.0),
            Vec3::new(4.0, 4.0, 0.0),
            Vec3::new(4.0, 4.0, 1.0),
        ];
        let outline = footprint(&wedge, 0.5, 1.5);
        assert_eq!(extent(&outline), (Vec2::new(0.5, 0.0), Vec2::new(4.0, 1.0)));
        // A pyramid on its point: at most as wide as it is at the upper bound.
        let pyramid = [
            Vec3::ZERO,
            Vec3::new(-4.0, 4.0, -4.0),
            Vec3::new(4.0, 4.0, -4.0),
            Vec3::new(-4.0, 4.0, 4.0),
            Vec3::new(4.0, 4.0, 4.0),
        ];
        assert_eq!(
            extent(&footprint(&pyramid, -1.0, 1.0)),
            (Vec2::splat(-1.0), Vec2::splat(1.0))
        );
    }

    #[test]
    fn points_inside_are_left_out() {
        let mut corners = cuboid(Vec3::ZERO, Vec3::ONE);
        corners.push(Vec3::splat(0.4));
        corners.push(Vec3::new(0.5, 0.5, 0.0));
        assert_eq!(footprint(&corners, 0.0, 2.0).len(), 4);
    }

    #[test]
    fn a_flat_body_counts_within_the_range() {
        let plate = [
            Vec3::new(0.0, 1.0, 0.0),
            Vec3::new(2.0, 1.0, 0.0),
            Vec3::new(0.0, 1.0, 2.0),
        ];
        assert_eq!(footprint(&plate, 0.0, 2.0).len(), 3);
        assert!(footprint(&plate, 1.0, 2.0).is_empty());
    }
}
