//! RANGE: cells lead to the ring between two distances of the targets, in sight of one where possible.
//!
//! Distances are straight, as shots are: from a cell's centre to that of the nearest target's cell on the same layer.
//! Sight is a straight line that crosses no wall.
//!
//! 1. The cells of the ring from which a target is in sight are goal cells. Ground nearer to the targets costs more, so
//!    that agents that are too near leave by the far side.
//! 2. Cells from which no path in the area leads there belong to the field to the targets: there may be a path around.
//!    Agents without a path to the targets are led to cells of the ring that are not in sight, unless `apart` knows a
//!    path to one that is.
//! 3. Agents that are too near, and have no path to the ring except through a target, go as far away as they can.

use crate::error::Result;
use crate::integrate::{GoalCell, IntegrationField};
use crate::movement::{BLOCKED, CostField};
use crate::world::zones::area::{Area, MARGIN};
use crate::world::zones::solving::{Solving, TOUCH, with_danger};
use crate::world::zones::zone::{Beyond, UNITS, Zone, ZonePart};
use glam::{IVec2, Vec2};

/// How far beyond the ring the area reaches, in cells: paths around small obstacles are in it.
const AROUND: f32 = 8.0;
/// The width of the sides of the ring, in cells, within which a cell's initial cost makes up for its distance from the
/// exact circle.
const SIDE: f32 = 1.5;

/// The zone around targets in the cells `starts`, for distances from `least` to `most` cells.
pub(super) fn solve(
    costs: &CostField,
    starts: &[IVec2],
    (least, most): (f32, f32),
    mut solving: Solving<'_>,
) -> Result<Zone> {
    // A narrower ring has gaps.
    let most = most.max(least + 1.0);
    let area = Area::around(costs, starts, most + AROUND);
    let ground = area.map(costs);
    let ring = Ring::new(costs, &area, &ground, starts, (least, most));
    let cells = ground.cell_count();
    let is_open = |index: usize| ground.costs()[index] != BLOCKED;
    let cost_of = |index: usize| {
        let distance = ring.distances[index];
        if least > TOUCH {
            (distance, distance / least)
        } else {
            (f32::INFINITY, 1.0)
        }
    };
    let goals = |is_goal: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..cells)
            .filter(|&index| is_open(index) && is_goal(index))
            .collect()
    };

    let seeing = goals(&|index| ring.sees[index]);
    let weighted = with_danger(&ground, |index| Some(cost_of(index)));
    let (mut integration, mut flow) = solving.field(&weighted, &ring.cells(&ground, &seeing))?;
    let is_cut_off = cut_off_by_targets(&ground, &ring.distances, &integration);
    if least > TOUCH {
        let field = (&mut integration, &mut flow);
        solving.lead_the_rest(&ground, &ring.distances, |_| false, field)?;
    }
    let part = |index: usize| {
        let is_led = flow.mark_of(index).leaving_step().is_some();
        if is_led || integration.is_reached(index) {
            ZonePart::Own
        } else {
            ZonePart::Beyond
        }
    };
    let mut parts: Vec<ZonePart> = (0..cells).map(part).collect();
    let own = starts.iter().filter_map(|&start| area.own(start));
    let leads_to_ring = |own: IVec2| integration.is_reached(ground.index(own));
    let is_approached = own.map(leads_to_ring).fold(false, |any, leads| any | leads);
    // Cells that only a target keeps from the ring have a path to the target, but must not take it.
    let follows_target = |index: usize| is_approached && !is_cut_off[index];

    let hidden = goals(&|index| ring.holds(index) && parts[index] == ZonePart::Beyond);
    if !hidden.is_empty() {
        let rest = with_danger(&ground, |index| {
            (parts[index] == ZonePart::Beyond).then(|| cost_of(index))
        });
        let (to_hidden, directions) = solving.field(&rest, &ring.cells(&ground, &hidden))?;
        let led = (0..cells).filter(|&index| to_hidden.is_reached(index));
        let led: Vec<usize> = led.collect();
        integration.take_values(&to_hidden, &led);
        flow.take_directions(&directions, &led);
        flow.follow_roots(&integration, solving.rule);
        for index in led {
            parts[index] = if follows_target(index) {
                ZonePart::Substitute
            } else {
                ZonePart::Hidden
            };
        }
    }

    let too_near = |index: usize| ring.distances[index] < least && parts[index] == ZonePart::Beyond;
    let too_near = goals(&too_near);
    let is_one = |index: usize| too_near.binary_search(&index).is_ok();
    let field = (&mut integration, &mut flow);
    solving.lead_the_rest(&ground, &ring.distances, is_one, field)?;
    for index in too_near {
        parts[index] = if follows_target(index) {
            ZonePart::Substitute
        } else {
            ZonePart::Own
        };
    }
    solving.straighten(&mut flow, cells, |index| {
        let distance = ring.distances[index];
        let away = ring.away[index].try_normalize()?;
        if !matches!(parts[index], ZonePart::Own | ZonePart::Hidden) {
            return None;
        }
        Some(if distance < least {
            (away, distance.min(least - distance))
        } else {
            (-away, distance - most)
        })
    });
    let mut in_range = Vec::new();
    for (goals, sees) in [(seeing, true), (hidden, false)] {
        for &index in &goals {
            integration.set_free(index);
        }
        flow.set_goals(&goals);
        let cells = goals.iter().map(|&index| area.in_grid(ground.cell(index)));
        in_range.extend(cells.flatten().map(|cell| (cell, sees)));
    }
    Ok(Zone {
        parts,
        area,
        integration,
        flow,
        beyond: Beyond::Seek,
        units: UNITS,
        in_range,
    })
}

/// Which cells have paths to cells beside a target, and none to the goal cells of `integration`.
fn cut_off_by_targets(
    ground: &CostField,
    distances: &[f32],
    integration: &IntegrationField,
) -> Vec<bool> {
    let mut is_cut_off = vec![false; distances.len()];
    let is_open = |index: usize| ground.costs()[index] != BLOCKED;
    let touches = |index: &usize| distances[*index] <= TOUCH && is_open(*index);
    let mut open: Vec<usize> = (0..distances.len()).filter(touches).collect();
    while let Some(index) = open.pop() {
        let neighbours = ground.offsets().map(|by| index.wrapping_add_signed(by));
        let links = ground.links().to(index).map(|edge| edge.from);
        for next in neighbours.into_iter().chain(links) {
            if is_open(next) && !is_cut_off[next] && !integration.is_reached(next) {
                is_cut_off[next] = true;
                open.push(next);
            }
        }
    }
    is_cut_off
}

/// The cells between two distances of the targets, by stored index of the small map.
struct Ring {
    least: f32,
    most: f32,
    /// The distance of each cell from the nearest target, in cells.
    distances: Vec<f32>,
    /// The offset of each cell from the nearest target.
    away: Vec<Vec2>,
    /// Whether the cell is in the ring, and a target that is near enough is in its sight.
    sees: Vec<bool>,
}

impl Ring {
    fn new(
        costs: &CostField,
        area: &Area,
        ground: &CostField,
        starts: &[IVec2],
        (least, most): (f32, f32),
    ) -> Self {
        let cells = ground.cell_count();
        let mut ring = Self {
            least,
            most,
            distances: vec![f32::INFINITY; cells],
            away: vec![Vec2::ZERO; cells],
            sees: vec![false; cells],
        };
        for &start in starts {
            ring.for_each_near(costs, area, start, |ring, offset, own| {
                let (distance, index) = (offset.length(), ground.index(own));
                if distance < ring.distances[index] {
                    ring.distances[index] = distance;
                    ring.away[index] = offset;
                }
            });
        }
        let centre = |cell: IVec2| cell.as_vec2() + 0.5;
        for &start in starts {
            let Some(target) = area.own(start) else {
                continue;
            };
            ring.for_each_near(costs, area, start, |ring, offset, own| {
                let index = ground.index(own);
                let may_see = offset.length() <= ring.most && !ring.sees[index];
                if may_see && ring.holds(index) {
                    ring.sees[index] = ground.is_in_sight(centre(own), centre(target));
                }
            });
        }
        ring
    }

    /// Calls `each` for all cells of the area around one target, with their offset from it and the cell on the small
    /// map.
    fn for_each_near(
        &mut self,
        costs: &CostField,
        area: &Area,
        start: IVec2,
        mut each: impl FnMut(&mut Self, Vec2, IVec2),
    ) {
        let Some(shift) = area.shift_at(start) else {
            return;
        };
        // No map is larger.
        let reach = (self.most + AROUND).min(costs.width().max(costs.height()) as f32);
        let reach = reach.ceil() as i32 + MARGIN;
        for y in -reach..=reach {
            for x in -reach..=reach {
                let cell = start + IVec2::new(x, y);
                let offset = IVec2::new(x, y).as_vec2();
                let is_there = !costs.is_wall(cell) && area.shift_at(cell) == Some(shift);
                if is_there && costs.are_of_one_layer(cell.y, start.y) {
                    each(self, offset, cell - shift);
                }
            }
        }
    }

    /// Whether a cell is in the ring.
    fn holds(&self, index: usize) -> bool {
        (self.least..=self.most).contains(&self.distances[index])
    }

    /// Cells of the ring as goal cells.
    fn cells(&self, ground: &CostField, indices: &[usize]) -> Vec<GoalCell> {
        let cost = |index: usize| {
            let distance = self.distances[index];
            let inner = if self.least > 0.0 {
                distance - self.least
            } else {
                SIDE
            };
            let side = inner.min(self.most - distance);
            (SIDE - side).clamp(0.0, SIDE) * f32::from(UNITS)
        };
        let goal = |&index: &usize| GoalCell {
            cell: ground.cell(index),
            cost: cost(index),
        };
        indices.iter().map(goal).collect()
    }
}
