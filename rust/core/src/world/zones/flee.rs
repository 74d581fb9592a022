//! FLEE: the cells near the targets, which are threats, lead to the nearest cells that are far from all of them.
//!
//! 1. The distance of each cell from the threats is the length of the path from there.
//! 2. The cells just beyond the reach are goal cells. Their initial cost falls with their distance, so that it does not
//!    matter which of them is a little nearer. Ground costs more towards threats, so that paths keep away from them.
//! 3. No path leads past a threat through the cells beside it. Where there is no other, and where no cell is beyond the
//!    reach, all cells are goal cells, whose initial cost falls with their distance a little faster than a path's cost
//!    grows: agents go to the end of a dead end, and not to a farther end on the other side of the threat.

use crate::error::Result;
use crate::integrate::GoalCell;
use crate::movement::{BLOCKED, CostField};
use crate::world::zones::area::Area;
use crate::world::zones::ground::GroundMap;
use crate::world::zones::solving::{Solving, TOUCH, with_danger};
use crate::world::zones::zone::{Beyond, UNITS, Zone, ZonePart};
use glam::IVec2;
use std::sync::Arc;

/// The width of the ring of goal cells, in cells: a neighbour of a cell within the reach is at most this far beyond.
const RING: f32 = 1.6;

/// The zone around threats in the cells `starts`, with a reach in cells.
pub(super) fn solve(
    costs: &CostField,
    starts: &[IVec2],
    reach: f32,
    ground_map: Arc<GroundMap>,
    mut solving: Solving<'_>,
) -> Result<Zone> {
    let area = Area::around(costs, starts, reach);
    let ground = area.map(costs);
    let own = starts.iter().filter_map(|&start| area.own(start));
    let own: Vec<IVec2> = own.collect();
    let (distances, roots) = solving.distances(&ground, &own)?;
    let is_near = |index: usize| distances[index] < reach;
    let mut is_entered = vec![false; distances.len()];
    for edge in ground.links().edges() {
        is_entered[edge.to] |= is_near(edge.from);
    }
    let is_ring =
        |index: usize| !is_near(index) && (distances[index] < reach + RING || is_entered[index]);
    let weighted = with_danger(&ground, |index| {
        let is_part = is_near(index) || is_ring(index);
        is_part.then(|| (distances[index], distances[index] / reach))
    });
    let is_open = |index: usize| ground.costs()[index] != BLOCKED;
    let ring = (0..distances.len()).filter(|&index| is_ring(index) && is_open(index));
    let goal = |index: usize| GoalCell {
        cell: ground.cell(index),
        cost: (reach + RING - distances[index]).max(0.0) * f32::from(UNITS),
    };
    let ring: Vec<GoalCell> = ring.map(goal).collect();
    let (mut integration, mut flow) = solving.field(&weighted, &ring)?;

    let is_escape: Vec<bool> = (0..distances.len())
        .map(|index| integration.is_reached(index) || distances[index] <= TOUCH)
        .collect();
    let field = (&mut integration, &mut flow);
    solving.lead_the_rest(&ground, &distances, is_near, field)?;
    solving.straighten(&mut flow, distances.len(), |index| {
        let distance = distances[index];
        let away = -roots[index].aim(0.0).try_normalize()?;
        let is_free = is_near(index) && is_escape[index] && roots[index].is_straight();
        is_free.then(|| (away, distance.min(reach - distance)))
    });
    let part = |index: usize| {
        let mark = flow.mark_of(index);
        let is_led = mark.is_open() || mark.leaving_step().is_some();
        if ground.is_wall_at(index) || is_near(index) && is_led {
            ZonePart::Own
        } else {
            ZonePart::Beyond
        }
    };
    Ok(Zone {
        parts: (0..distances.len()).map(part).collect(),
        area,
        integration,
        flow,
        beyond: Beyond::Arrived(ground_map),
        units: UNITS,
        in_range: Vec::new(),
    })
}
