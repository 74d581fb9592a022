//! An artificial potential field (Khatib 1986): the goal attracts, walls repel, and nothing is planned.
//!
//! The method is local: where both forces cancel out, for example behind a wall that faces the goal, an agent stays
//! there.

use glam::{IVec2, Vec2};

use crate::maps::CostMap;

/// The strength of the walls' force relative to the goal's.
const REPULSION: f32 = 0.2;
/// The distance, in cells, beyond which walls have no effect.
const REACH: f32 = 2.0;
/// The least distance from a wall, in cells. Without it the force at the wall itself would be infinite.
const NEAREST: f32 = 0.05;

/// The forces on one map towards one goal, in cell space.
#[derive(Clone, Copy, Debug)]
pub struct PotentialField<'map> {
    map: &'map CostMap,
    goal: Vec2,
}

impl<'map> PotentialField<'map> {
    /// Creates the field for a goal. Nothing is computed before [`Self::direction`] is called.
    #[must_use]
    pub fn new(map: &'map CostMap, goal: Vec2) -> Self {
        Self { map, goal }
    }

    /// Returns the unit direction of the force at a point; zero without a force.
    #[must_use]
    pub fn direction(&self, at: Vec2) -> Vec2 {
        let mut force = (self.goal - at).normalize_or_zero();
        let reach = IVec2::splat(REACH.ceil() as i32);
        let cell = at.floor().as_ivec2();
        let (low, high) = (cell - reach, cell + reach);
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                if self.is_open(x, y) {
                    continue;
                }
                let corner = IVec2::new(x, y).as_vec2();
                let away = at - at.clamp(corner, corner + 1.0);
                let distance = away.length().max(NEAREST);
                if distance < REACH {
                    let strength = (1.0 / distance - 1.0 / REACH) / (distance * distance);
                    force += away.normalize_or_zero() * (REPULSION * strength);
                }
            }
        }
        force.normalize_or_zero()
    }

    fn is_open(&self, x: i32, y: i32) -> bool {
        let inside =
            x >= 0 && y >= 0 && (x as usize) < self.map.width && (y as usize) < self.map.height;
        // The map's edge does not repel, otherwise a goal in its corner could not be reached.
        !inside || self.map.is_passable(self.map.index(x as usize, y as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walker::{End, Walker};

    fn walk(rows: &[&str], start: (f32, f32), goal: (f32, f32)) -> End {
        let map = CostMap::from_rows(rows);
        let field = PotentialField::new(&map, goal.into());
        let walker = Walker::new(0.2);
        let direction = |at| field.direction(at);
        walker
            .walk(&map, start.into(), goal.into(), 200.0, direction)
            .end
    }

    #[test]
    fn leads_over_open_ground_and_past_a_single_wall() {
        let open = ["........."; 7];
        assert_eq!(walk(&open, (8.5, 6.5), (0.5, 0.5)), End::Arrived);
        let single = [".........", ".........", ".........", "...#....."];
        assert_eq!(walk(&single, (8.5, 2.0), (0.5, 0.5)), End::Arrived);
    }

    #[test]
    fn is_caught_behind_a_wall_that_faces_the_goal() {
        let trap = [
            "..........",
            "...####...",
            "......#...",
            "......#...",
            "......#...",
            "...####...",
            "..........",
        ];
        assert_ne!(walk(&trap, (4.5, 3.5), (9.5, 3.5)), End::Arrived);
    }
}
