//! System A's rule: down the central differences of the costs.
//!
//! System A gives walls a cost of 10,000, which near a wall outweighs every real difference: agents move straight away
//! from the wall, or back and forth in corridors, and get stuck. Here the value on a wall's side is mirrored from the
//! open side. A component is dropped if it would lead into a wall or, on a ridge or in a valley, to a cell of higher
//! cost. If the result is zero, does not lead to lower cost, or is far from the direction of the best neighbour, the
//! best neighbour is taken: otherwise the slopes on both sides of an edge between slow and fast ground could lead in a
//! circle.

use super::{Direction, best_neighbour};
use crate::integrate::{IntegrationField, UNREACHED};
use crate::movement::CostField;
use glam::Vec2;

/// Least cosine between the gradient and the best neighbour, just below 60 degrees'. On even ground
/// they are never more than 23 degrees apart.
const LEAST_AGREEMENT: f32 = 0.499;

/// Writes the directions of the cells from stored index `from` on.
pub(super) fn fill_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
    lower: &mut [u8],
) {
    best_neighbour::fill_row(costs, integration, from, out, lower);
    for (x, direction) in out.iter_mut().enumerate() {
        if direction.is_angle()
            && let Some(downhill) = gradient(costs, integration, from + x)
            && downhill.vector().dot(direction.vector()) > LEAST_AGREEMENT
        {
            *direction = downhill;
        }
    }
}

fn gradient(costs: &CostField, integration: &IntegrationField, index: usize) -> Option<Direction> {
    let stored = integration.stored();
    let stride = costs.stride();
    let here = stored[index];
    let slope = Vec2::new(
        component(stored[index - 1], here, stored[index + 1]),
        component(stored[index - stride], here, stored[index + stride]),
    );
    // Each side may only be crossed to a lower cell.
    let towards = |part: f32, by: usize| match part {
        part if part > 0.0 && stored[index + by] < here => part,
        part if part < 0.0 && stored[index - by] < here => part,
        _ => 0.0,
    };
    let slope = Vec2::new(towards(slope.x, 1), towards(slope.y, stride));
    let direction = Direction::from_vector(slope)?;
    let step = direction.step()?;
    let next = index.wrapping_add_signed(costs.offsets()[step]);
    let legal = costs.steps()[index] >> step & 1 == 1;
    (legal && stored[next] < here).then_some(direction)
}

/// The fall of the costs from `before` to `after`, as a signed number.
fn component(before: u32, here: u32, after: u32) -> f32 {
    let fall = |high: u32, low: u32| (i64::from(high) - i64::from(low)) as f32;
    match (before == UNREACHED, after == UNREACHED) {
        (false, false) => fall(before, after),
        (true, true) => 0.0,
        // The component may only lead away from the wall.
        (true, false) => (2.0 * fall(here, after)).max(0.0),
        (false, true) => (2.0 * fall(before, here)).min(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::component;
    use crate::integrate::UNREACHED;

    #[test]
    fn walls_never_attract() {
        assert!(
            component(5, 7, UNREACHED) < 0.0,
            "the open side is downhill"
        );
        assert_eq!(component(9, 7, UNREACHED), 0.0, "downhill is the wall");
        assert_eq!(component(UNREACHED, 7, UNREACHED), 0.0);
        assert_eq!(component(5, 7, 9), -4.0);
    }
}
