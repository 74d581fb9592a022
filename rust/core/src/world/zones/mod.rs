//! Goals of the kinds FLEE and RANGE: the zones around their targets.
//!
//! A zone is a small map around the targets ([`area`]) that is solved whole whenever a target moves to another cell or
//! a cost in the area changes, by the ordinary solvers. So a move or an edit costs what a field of this size costs, on
//! a map of any size, and nothing is repaired. Beyond the zone of a FLEE goal agents have arrived; beyond that of a
//! RANGE goal they follow the field to the targets, which is built and followed like that of a SEEK goal.
//!
//! On islands that hold no target of a RANGE goal no such field leads anywhere: `apart` has the zone for them, of the
//! whole map.
//!
//! A zone depends only on the costs, the cells of the targets, the solver and the rule. Queries may solve it ahead of
//! the simulation.
//!
//! Read `zone` (what is solved) with `area` and `ground`, then `solving`, `flee`, `range` and `apart`, and `solved`
//! (what a zone was made from).

mod apart;
mod area;
mod flee;
mod ground;
mod range;
pub(super) mod solved;
mod solving;
pub(super) mod zone;

use crate::error::Result;
use crate::integrate::Solvers;
use crate::world::FlowWorld;
use crate::world::field::Field;
use crate::world::field_slot::FieldSlot;
use crate::world::goal_id::GoalId;
use crate::world::goal_kind::GoalKind;
use crate::world::movement_layer::MovementLayer;
use crate::world::version::Version;
use crate::world::zones::ground::GroundMap;
use crate::world::zones::solved::{SolvedZone, ZoneKey};
use crate::world::zones::solving::Solving;
use crate::world::zones::zone::Zone;
use std::sync::Arc;

/// A zone that is out of date.
struct ZoneJob<'a> {
    goal: GoalId,
    movement: usize,
    kind: GoalKind,
    slot: &'a mut FieldSlot,
    layer: &'a MovementLayer,
    key: ZoneKey,
    /// Which cells are open, for a FLEE goal.
    ground: Option<Arc<GroundMap>>,
    found: Option<Result<Zone>>,
}

impl ZoneJob<'_> {
    fn run(&mut self, solvers: &mut Solvers) {
        let (costs, starts) = (&*self.layer.costs, &self.key.starts);
        let cells = |distance: f32| distance / self.key.cell_size;
        let solving = Solving::new(self.key.version, solvers);
        self.found = match self.kind {
            GoalKind::Seek => None,
            GoalKind::Flee { reach } => {
                let ground = self.ground.as_ref().map(Arc::clone);
                ground.map(|ground| flee::solve(costs, starts, cells(reach), ground, solving))
            }
            GoalKind::Range { least, most } => {
                let distances = (cells(least), cells(most));
                Some(range::solve(costs, starts, distances, solving))
            }
        };
    }
}

impl FlowWorld {
    /// Solves the zones that are out of date, at once also with a background, and lays them over the fields.
    pub(super) fn solve_zones(&mut self) {
        self.solve_zones_around_targets();
        self.solve_zones_apart();
    }

    /// Solves the zones of RANGE goals for islands without a target that are out of date.
    fn solve_zones_apart(&mut self) {
        let scratch = &self.builder.scratch;
        for (&goal, known) in &mut self.goals.by_id {
            if !matches!(known.kind, GoalKind::Range { .. }) {
                continue;
            }
            for (movement, slot) in known.fields.iter_mut().enumerate() {
                let (Some(slot), Some(layer)) = (slot, self.layers.get_mut(movement)) else {
                    continue;
                };
                let Some(solved) = slot.zone.as_mut().filter(|solved| !solved.is_apart_known())
                else {
                    continue;
                };
                let mut solvers = scratch.near_solvers.lock().pop().unwrap_or_default();
                let found = solved.solve_apart(layer, &mut solvers);
                scratch.near_solvers.lock().push(solvers);
                if let Err(error) = found {
                    self.builder.news.failed.push((goal, movement, error));
                }
                slot.lay_zone_over();
            }
        }
    }

    fn solve_zones_around_targets(&mut self) {
        let mut jobs = Vec::new();
        let (solver, rule) = (self.solver, self.rule);
        for (&goal, known) in &mut self.goals.by_id {
            let kind = known.kind;
            if kind == GoalKind::Seek {
                continue;
            }
            let targets = &known.destination.targets;
            for (movement, slot) in known.fields.iter_mut().enumerate() {
                let (Some(slot), Some(layer)) = (slot, self.layers.get(movement)) else {
                    continue;
                };
                let version = Version {
                    costs: layer.newest.revision,
                    goal: 0,
                    solver,
                    rule,
                };
                let key = ZoneKey::new(version, &self.grid, layer, targets);
                let mut ground = None;
                if let Some(old) = &mut slot.zone {
                    let is_known = old.key == key || old.keep_up(&key, layer);
                    if is_known {
                        slot.lay_zone_over();
                        continue;
                    }
                    ground = old.ground_on(version, layer);
                }
                if ground.is_none() && matches!(kind, GoalKind::Flee { .. }) {
                    ground = Some(Arc::new(GroundMap::new(&layer.costs)));
                }
                jobs.push(ZoneJob {
                    goal,
                    movement,
                    kind,
                    slot,
                    layer,
                    key,
                    ground,
                    found: None,
                });
            }
        }
        if jobs.is_empty() {
            return;
        }
        let scratch = &self.builder.scratch;
        self.workers.for_each_chunk(&mut jobs, 1, |_, jobs| {
            let mut solvers = scratch.near_solvers.lock().pop().unwrap_or_default();
            for job in jobs {
                job.run(&mut solvers);
            }
            scratch.near_solvers.lock().push(solvers);
        });
        let (stats, news) = (&mut self.builder.stats, &mut self.builder.news);
        for job in jobs {
            let zone = match job.found {
                Some(Ok(zone)) => Some(Arc::new(zone)),
                Some(Err(error)) => {
                    news.failed.push((job.goal, job.movement, error));
                    None
                }
                None => None,
            };
            stats.near_solves += 1;
            news.ready.push(job.goal);
            job.slot.zone = Some(SolvedZone::new(job.key, zone));
            job.slot.lay_zone_over();
        }
    }
}

impl FieldSlot {
    /// Makes the field lead as its zone does.
    fn lay_zone_over(&mut self) {
        let Some(solved) = &self.zone else { return };
        let Some(zone) = &solved.zone else {
            let is_zone = |field: &mut Arc<Field>| field.has_zone_alone();
            if self.field.take_if(is_zone).is_none()
                && let Some(field) = self.field.as_mut().filter(|field| field.zone.is_some())
            {
                let field = Arc::make_mut(field);
                (field.zone, field.apart) = (None, None);
            }
            return;
        };
        let of = |zone: Option<&Arc<Zone>>| zone.map(Arc::as_ptr);
        let has_zones = |field: &Arc<Field>| {
            let known = (of(field.zone.as_ref()), of(field.apart.as_ref()));
            known == (of(Some(zone)), of(solved.apart.as_ref()))
        };
        match &mut self.field {
            Some(field) if has_zones(field) => {}
            Some(field) => {
                let field = Arc::make_mut(field);
                (field.zone, field.apart) = (Some(Arc::clone(zone)), solved.apart.clone());
            }
            None if zone.grid_size().is_some() => {
                self.field = Some(Arc::new(Field::of_zone(Arc::clone(zone))));
            }
            // The field to the targets is not built yet.
            None => {}
        }
    }
}
