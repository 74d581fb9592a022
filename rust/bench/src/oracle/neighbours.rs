//! Neighbours, found by testing all agents.

use glam::Vec2;

/// The indices, ascending, of all positions at most `radius` from `centre`, in the positions' unit. An agent finds
/// itself too. A position that is not finite is never found.
#[must_use]
pub fn neighbours_within(positions: &[Vec2], centre: Vec2, radius: f32) -> Vec<usize> {
    let radius = f64::from(radius);
    positions
        .iter()
        .enumerate()
        .filter(|(_, position)| {
            let distance_squared = position.as_dvec2().distance_squared(centre.as_dvec2());
            distance_squared <= radius * radius
        })
        .map(|(index, _)| index)
        .collect()
}

/// For each position the indices, ascending, of all others at most `radius` away. O(n²).
#[must_use]
pub fn all_neighbours(positions: &[Vec2], radius: f32) -> Vec<Vec<usize>> {
    positions
        .iter()
        .enumerate()
        .map(|(index, &centre)| {
            let mut near = neighbours_within(positions, centre, radius);
            near.retain(|&other| other != index);
            near
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rim_is_within_and_others_are_others() {
        let positions = [
            Vec2::new(0.0, 0.0),
            Vec2::new(3.0, 4.0),
            Vec2::new(3.0, 4.001),
            Vec2::NAN,
            Vec2::ZERO,
        ];
        assert_eq!(neighbours_within(&positions, Vec2::ZERO, 5.0), [0, 1, 4]);
        let all = all_neighbours(&positions, 5.0);
        assert_eq!(
            all,
            [vec![1, 4], vec![0, 2, 4], vec![1], vec![], vec![0, 1]]
        );
    }
}
