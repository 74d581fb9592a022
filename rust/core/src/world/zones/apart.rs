//! RANGE, for agents on islands that hold no target, such as the other bank of a river.
//!
//! No field to the targets leads these agents. A zone whose area is the whole map leads them to the cells in range on
//! their own islands: to those that see a target, or to all if an island has none that does. Most maps need no such
//! zone: it is solved only if an island without a target has cells in range and reaches beyond the area of the zone
//! around the targets, which leads agents in its area itself.

use crate::error::Result;
use crate::integrate::GoalCell;
use crate::world::movement_layer::MovementLayer;
use crate::world::zones::area::Area;
use crate::world::zones::solving::Solving;
use crate::world::zones::zone::{Beyond, Zone, ZonePart};
use glam::IVec2;
use std::collections::BTreeMap;

/// The zone of the whole map for the islands that hold none of the targets, which stand in the cells `starts`. `zone`
/// is the zone around these.
pub(super) fn solve(
    layer: &mut MovementLayer,
    zone: &Zone,
    starts: &[IVec2],
    mut solving: Solving<'_>,
) -> Result<Option<Zone>> {
    let goals = goal_cells(layer, zone, starts);
    if goals.is_empty() {
        return Ok(None);
    }
    let costs = &*layer.costs;
    let (integration, flow) = solving.field(costs, &GoalCell::free(&goals))?;
    let part = |index: usize| {
        let is_led = flow.mark_of(index).leaving_step().is_some();
        if is_led || integration.is_reached(index) {
            ZonePart::Own
        } else {
            ZonePart::Beyond
        }
    };
    Ok(Some(Zone {
        parts: (0..costs.cell_count()).map(part).collect(),
        area: Area::whole(costs),
        integration,
        flow,
        beyond: Beyond::Seek,
        units: 1,
        in_range: Vec::new(),
    }))
}

/// An island with cells in range.
struct Island {
    /// Whether a target is in sight from any of them.
    sees: bool,
    /// Whether agents on it need a field of the whole map.
    is_apart: bool,
}

/// The cells in range to which agents on islands without a target go.
fn goal_cells(layer: &mut MovementLayer, zone: &Zone, starts: &[IVec2]) -> Vec<IVec2> {
    if zone.in_range.is_empty() || layer.fresh_islands().count() < 2 {
        return Vec::new();
    }
    let mut known: BTreeMap<u32, Island> = BTreeMap::new();
    for &(cell, sees) in &zone.in_range {
        let Some(island) = layer.island_of(cell) else {
            continue;
        };
        known
            .entry(island)
            .and_modify(|island| island.sees |= sees)
            .or_insert_with(|| Island {
                sees,
                is_apart: !layer.leads_to_any(cell, starts) && !is_inside(layer, zone, cell),
            });
    }
    let is_goal = |&&(cell, sees): &&(IVec2, bool)| {
        let island = layer.island_of(cell).and_then(|island| known.get(&island));
        island.is_some_and(|island| island.is_apart && island.sees == sees)
    };
    let goals = zone.in_range.iter().filter(is_goal);
    goals.map(|&(cell, _)| cell).collect()
}

/// Whether the island of a cell lies wholly in the area of a zone, and no link may lead there from elsewhere.
fn is_inside(layer: &mut MovementLayer, zone: &Zone, cell: IVec2) -> bool {
    if !layer.costs.links().is_empty() {
        return false;
    }
    let islands = layer.fresh_islands();
    let mut cells = 0;
    zone.for_each_cell(|other| cells += u32::from(islands.connected(cell, other)));
    cells == islands.size_at(cell)
}
