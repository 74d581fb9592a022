//! Repairs fields in place after an edit.
//!
//! A repair runs at once, even with a background: it is abandoned before it takes a noticeable part of a full solve's
//! time, and its changes are taken back for a full solve. Where the work of an update is limited, the limit of all
//! repairs together is that of the update, and a field whose repair is abandoned waits for its turn
//! ([`super::first_fields`]). A field that is being built is repaired, if needed, after it is swapped in.

use crate::flow::OverwrittenDirections;
use crate::integrate::Repairer;
use crate::movement::CostField;
use crate::world::FlowWorld;
use crate::world::builder::{Clock, Scratch, seconds_since};
use crate::world::field::Field;
use crate::world::field_slot::FieldSlot;
use crate::world::field_timeline::Overwritten;
use crate::world::goal_id::{Destination, GoalId};
use crate::world::version::Version;
use parking_lot::Mutex;
use std::borrow::Cow;
use std::sync::Arc;

/// A repair evaluates a cell in about the time in which this many cells are solved.
const REPAIRED_FOR_ONE: usize = 4;

/// A field to be repaired, with the inputs of the repair.
struct Repair<'a> {
    goal: GoalId,
    slot: &'a mut FieldSlot,
    field: Arc<Field>,
    version: Version,
    costs: &'a CostField,
    changed: Cow<'a, [u32]>,
    destination: Arc<Destination>,
    /// The most cells that it evaluates, where the work of an update is limited.
    limit: Option<usize>,
    is_sliced: bool,
    repaired: bool,
    evaluated: usize,
    seconds: f64,
}

impl Repair<'_> {
    fn run(&mut self, repairers: &Mutex<Vec<Repairer>>, scratch: &Scratch, clock: Option<Clock>) {
        let begin = clock.map(|clock| clock());
        let mut repairer = repairers.lock().pop().unwrap_or_default();
        let timeline = &mut self.slot.timeline;
        let is_kept = timeline.let_go(&self.field);
        let mut overwritten = None;
        // Copied only if the field is held elsewhere, but for snapshots.
        let field = Arc::make_mut(&mut self.field);
        let integration = Arc::make_mut(&mut field.integration);
        let flow = Arc::make_mut(&mut field.flow);
        let limit = self.limit.unwrap_or_else(|| integration.repair_limit());
        // Roots are changed in place as well.
        flow.forget_roots();
        let Destination { cells, targets } = &*self.destination;
        self.repaired = repairer.repair_field(self.costs, cells, &self.changed, integration, limit);
        self.evaluated = repairer.evaluated();
        let rule = self.version.rule;
        if self.repaired {
            let costs = is_kept.then(|| repairer.overwritten().clone());
            let cells = repairer.affected(self.costs, &self.changed);
            overwritten = costs.map(|costs| Overwritten {
                directions: OverwrittenDirections::by_update(flow, self.costs, cells),
                costs: Some(costs),
            });
            flow.update(self.costs, integration, targets, rule, cells);
        }
        flow.follow_roots(integration, rule);
        if is_kept {
            timeline.go_on(field, overwritten, &scratch.retired);
        }
        repairers.lock().push(repairer);
        self.seconds = seconds_since(begin, clock);
    }
}

impl FlowWorld {
    /// Repairs every field whose only difference from the wanted version is a known, small change of costs. Other
    /// fields are not changed.
    pub(super) fn repair_fields(&mut self, is_query: bool) {
        let (is_sliced, cells) = (self.slices_fields(), self.update_cells());
        let clock = self.builder.clock;
        let mut repairs = Vec::new();
        let map_cells = self.grid.cell_count();
        for (&id, goal) in &mut self.goals.by_id {
            for (slot, layer) in goal.fields.iter_mut().zip(&self.layers) {
                let Some(slot) = slot else { continue };
                let is_sliced = slot.is_left_alone(is_sliced);
                if is_sliced && is_query {
                    continue;
                }
                slot.led = None;
                if slot.turn.is_some() {
                    continue;
                }
                if is_sliced
                    && let Some(version) = &mut slot.version
                    && version.costs >= layer.simulated
                {
                    // The costs are the same.
                    version.costs = layer.newest.revision;
                }
                let (Some(version), Some(destination)) = (slot.version, &slot.destination) else {
                    continue;
                };
                let is_followed =
                    slot.stays(goal.destination.cells.len(), &self.walking, map_cells);
                let wanted = Version {
                    costs: layer.newest.revision,
                    goal: if is_followed {
                        version.goal
                    } else {
                        goal.revision
                    },
                    solver: self.solver,
                    rule: self.rule,
                };
                let other_costs = Version {
                    costs: wanted.costs,
                    ..version
                };
                let awaited = slot.awaited.is_some() && self.builder.background;
                if awaited || version == wanted || other_costs != wanted {
                    continue;
                }
                let changed = match is_sliced {
                    true => layer.past.changed_since(version.costs).map(Cow::Owned),
                    false => layer.newest.log.cells_since(version.costs),
                };
                let Some(changed) = changed else {
                    continue;
                };
                let worthwhile = |field: &mut Arc<Field>| {
                    is_sliced || changed.len() <= field.integration.repair_limit()
                };
                let Some(field) = slot.field.take_if(worthwhile) else {
                    continue;
                };
                let destination = Arc::clone(destination);
                repairs.push(Repair {
                    goal: id,
                    slot,
                    field,
                    version: wanted,
                    costs: &layer.costs,
                    changed,
                    destination,
                    limit: None,
                    is_sliced,
                    repaired: false,
                    evaluated: 0,
                    seconds: 0.0,
                });
            }
        }
        let sliced = repairs.iter().filter(|repair| repair.is_sliced).count();
        for repair in &mut repairs {
            let is_sliced = repair.is_sliced;
            repair.limit = is_sliced.then(|| cells / REPAIRED_FOR_ONE / sliced);
        }
        let (repairers, scratch) = (&self.builder.repairers, &*self.builder.scratch);
        self.workers.for_each_chunk(&mut repairs, 1, |_, repairs| {
            for repair in repairs {
                repair.run(repairers, scratch, clock);
            }
        });
        let (stats, news) = (&mut self.builder.stats, &mut self.builder.news);
        for repair in repairs {
            repair.slot.field = Some(repair.field);
            if !repair.repaired {
                stats.abandoned_repairs += 1;
                continue;
            }
            repair.slot.version = Some(repair.version);
            repair.slot.awaited = None;
            stats.repairs += 1;
            stats.last_repair_cells = repair.evaluated;
            stats.last_build_seconds = repair.seconds;
            stats.last_latency_seconds = repair.seconds;
            news.ready.push(repair.goal);
        }
    }
}
