//! The convex hull of points in the plane.

use glam::Vec2;

/// The corners of the convex hull, in order along the outline (Andrew's monotone chain, 1979).
pub(super) fn convex_hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
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
        // The last point of each half is the first point of the other half.
        hull.pop();
        if half == 0 {
            points.reverse();
        }
    }
    hull
}

/// Twice the signed area of a triangle: above zero for a left turn at `b`.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let (a, b, c) = (a.as_dvec2(), b.as_dvec2(), c.as_dvec2());
    (b - a).perp_dot(c - b)
}
