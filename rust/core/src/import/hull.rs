//! The faces of a convex hull in space.

use super::outline::convex_hull;
use glam::{DVec3, Vec2, Vec3};

/// Points nearer than this to a plane are on it, in shares of the size of the body.
const FLAT: f64 = 1.0e-6;

/// The triangles of the convex hull of some points, anticlockwise as seen from outside. Points in one plane yield their
/// outline with both sides, and points on one line yield nothing.
///
/// Incremental: each point outside the hull replaces the faces that it sees. Takes time that is quadratic in the
/// points.
pub(super) fn hull_triangles(points: &[Vec3]) -> Vec<[Vec3; 3]> {
    let at: Vec<DVec3> = points.iter().map(|point| point.as_dvec3()).collect();
    let Some([a, b, c]) = spanning_triangle(&at) else {
        return Vec::new();
    };
    let normal = (at[b] - at[a]).cross(at[c] - at[a]).normalize();
    let height = |point: &DVec3| (*point - at[a]).dot(normal);
    let thickness = FLAT * size(&at);
    let Some(d) = farthest(&at, |point| height(point).abs(), thickness) else {
        return flat_triangles(&at, at[a], normal);
    };
    let base = if height(&at[d]) > 0.0 {
        [a, c, b]
    } else {
        [a, b, c]
    };
    let mut faces = vec![base];
    for (from, to) in edges(base) {
        faces.push([to, from, d]);
    }
    for point in 0..at.len() {
        add_point(&at, &mut faces, point, thickness);
    }
    let corners = |face: &[usize; 3]| face.map(|corner| points[corner]);
    faces.iter().map(corners).collect()
}

fn edges(face: [usize; 3]) -> [(usize, usize); 3] {
    [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])]
}

fn size(at: &[DVec3]) -> f64 {
    let low = at.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = at.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    (high - low).max_element()
}

/// The point with the greatest `measure`, if that is above `least`.
fn farthest(at: &[DVec3], measure: impl Fn(&DVec3) -> f64, least: f64) -> Option<usize> {
    let mut best = (least, None);
    for (index, point) in at.iter().enumerate() {
        let measured = measure(point);
        if measured > best.0 {
            best = (measured, Some(index));
        }
    }
    best.1
}

/// Three points that are not on one line.
fn spanning_triangle(at: &[DVec3]) -> Option<[usize; 3]> {
    let least = FLAT * size(at);
    let first = *at.first()?;
    let far = farthest(at, |point| point.distance(first), least)?;
    let along = (at[far] - first).normalize();
    let beside = |point: &DVec3| (*point - first).cross(along).length();
    Some([0, far, farthest(at, beside, least)?])
}

/// Replaces the faces that a point sees by faces from the edges around them to the point.
fn add_point(at: &[DVec3], faces: &mut Vec<[usize; 3]>, point: usize, thickness: f64) {
    let sees = |face: &[usize; 3]| {
        let [a, b, c] = face.map(|corner| at[corner]);
        let normal = (b - a).cross(c - a);
        (at[point] - a).dot(normal) > thickness * normal.length()
    };
    let (seen, kept): (Vec<_>, Vec<_>) = faces.iter().partition(|face| sees(face));
    if seen.is_empty() {
        return;
    }
    *faces = kept;
    let around: Vec<_> = seen.iter().flat_map(|&face| edges(face)).collect();
    for &(from, to) in &around {
        if !around.contains(&(to, from)) {
            faces.push([from, to, point]);
        }
    }
}

/// Both sides of the outline of points in one plane.
fn flat_triangles(at: &[DVec3], origin: DVec3, normal: DVec3) -> Vec<[Vec3; 3]> {
    let (along, across) = normal.any_orthonormal_pair();
    let flat = |point: &DVec3| {
        let point = *point - origin;
        Vec2::new(point.dot(along) as f32, point.dot(across) as f32)
    };
    let outline = convex_hull(at.iter().map(flat).collect());
    let place = |corner: Vec2| {
        let corner = corner.as_dvec2();
        (origin + along * corner.x + across * corner.y).as_vec3()
    };
    let corners: Vec<Vec3> = outline.into_iter().map(place).collect();
    let fan = |index: usize| [corners[0], corners[index], corners[index + 1]];
    let one_side = (1..corners.len().saturating_sub(1)).map(fan);
    one_side
        .flat_map(|[a, b, c]| [[a, b, c], [a, c, b]])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(triangles: &[[Vec3; 3]]) -> f32 {
        let each = triangles.iter().map(|&[a, b, c]| a.dot(b.cross(c)) / 6.0);
        each.sum()
    }

    fn cube() -> Vec<Vec3> {
        let corner = |bits: u32| {
            Vec3::new(
                (bits & 1) as f32,
                (bits >> 1 & 1) as f32,
                (bits >> 2) as f32,
            )
        };
        (0..8).map(corner).collect()
    }

    #[test]
    fn a_cube_has_twelve_triangles_that_face_outward() {
        let mut points = cube();
        points.push(Vec3::splat(0.4));
        points.push(Vec3::new(0.5, 1.0, 0.5));
        let triangles = hull_triangles(&points);
        assert_eq!(triangles.len(), 12);
        assert!((volume(&triangles) - 1.0).abs() < 1.0e-5);
    }

    #[test]
    fn flat_points_have_two_sides_and_a_line_has_none() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X + Vec3::Z];
        assert_eq!(hull_triangles(&square).len(), 4);
        assert!(hull_triangles(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0]).is_empty());
        assert!(hull_triangles(&[]).is_empty());
    }
}
