//! The packing density of a crowd around a point, relative to the densest packing of equal discs.

use glam::Vec2;

/// The share of the plane that equal discs cover in hexagonal packing, π / √12. No packing is denser.
pub const HEXAGONAL: f64 = 0.906_899_682_117_109;

/// The share of agents that make up the crowd. The others are stragglers, which would enlarge its radius.
const CROWD: f64 = 0.95;
/// The share of the crowd's radius within which density is measured, because the rim is ragged.
const INNER: f64 = 0.8;

/// The area of the agents within the inner 80 % of the crowd's radius around a centre, relative to hexagonal packing of
/// the same circle: 1 for a hexagonal lattice. It exceeds 1 only if agents overlap or differ in size.
///
/// The crowd's radius is that of the disc that all agents would fill at the density of the 95 % nearest to the centre.
/// `None` with fewer than 20 agents, or if all are at the centre. O(n log n).
///
/// # Panics
/// If there are fewer radii than positions.
#[must_use]
pub fn packing(positions: &[Vec2], radii: &[f32], centre: Vec2) -> Option<f64> {
    let mut distances: Vec<f64> = positions
        .iter()
        .map(|at| f64::from(at.distance(centre)))
        .collect();
    distances.sort_unstable_by(f64::total_cmp);
    let rank = (distances.len() as f64 * CROWD) as usize;
    if distances.len() < 20 || distances[rank - 1] <= 0.0 {
        return None;
    }
    let inner = INNER * distances[rank - 1] / CROWD.sqrt();
    Some(covered(positions, radii, centre, inner))
}

/// The area of the agents whose centres are within a circle, relative to hexagonal packing of equal discs in it. At 1
/// the circle holds as many as fit without overlap.
///
/// # Panics
/// If there are fewer radii than positions.
#[must_use]
pub fn share_of_room(positions: &[Vec2], radii: &[f32], centre: Vec2, radius: f32) -> f64 {
    covered(positions, radii, centre, f64::from(radius))
}

fn covered(positions: &[Vec2], radii: &[f32], centre: Vec2, radius: f64) -> f64 {
    let squares: f64 = positions
        .iter()
        .enumerate()
        .filter(|(_, at)| f64::from(at.distance(centre)) < radius)
        .map(|(index, _)| f64::from(radii[index]).powi(2))
        .sum();
    squares / (radius * radius * HEXAGONAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Discs of radius 1 with a distance of `apart` between neighbours, in a disc of radius 60.
    fn lattice(apart: f32) -> Vec<Vec2> {
        let row_height = apart * 3.0_f32.sqrt() / 2.0;
        let mut found = Vec::new();
        for row in -80_i16..=80 {
            for column in -80_i16..=80 {
                let shift = 0.5 * f32::from(row.rem_euclid(2));
                let at = Vec2::new(
                    (f32::from(column) + shift) * apart,
                    f32::from(row) * row_height,
                );
                if at.length() < 60.0 {
                    found.push(Vec2::new(7.0, -3.0) + at);
                }
            }
        }
        found
    }

    #[test]
    fn a_hexagonal_lattice_is_packed_as_densely_as_can_be() {
        let positions = lattice(2.0);
        let centre = Vec2::new(7.0, -3.0);
        let radii = vec![1.0; positions.len()];
        let found = packing(&positions, &radii, centre).expect("a crowd");
        assert!((found - 1.0).abs() < 0.01, "{found}");
        // Distances a tenth larger, and a straggler, which must make no difference.
        let mut loose = lattice(2.2);
        loose.push(Vec2::new(900.0, 0.0));
        let found = packing(&loose, &radii, centre).expect("a crowd");
        assert!((found - 1.0 / 1.21).abs() < 0.01, "{found}");
    }

    #[test]
    fn ten_at_one_place_fill_ten_times_the_room() {
        let positions = lattice(2.0).repeat(10);
        let radii = vec![1.0; positions.len()];
        let centre = Vec2::new(7.0, -3.0);
        let found = share_of_room(&positions, &radii, centre, 40.0);
        assert!((found - 10.0).abs() < 0.1, "{found}");
    }

    #[test]
    fn too_few_are_no_crowd() {
        assert_eq!(packing(&[Vec2::ZERO; 19], &[1.0; 19], Vec2::ONE), None);
        assert_eq!(packing(&[Vec2::ONE; 50], &[1.0; 50], Vec2::ONE), None);
    }
}
