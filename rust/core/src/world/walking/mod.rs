//! Goals that walk, such as a hero: the cost of a move depends on its length, not on the size of the map.
//!
//! In every move from cell to cell a [near field](near_field::NearField) is solved around the goal's present position.
//! Beyond it agents follow the far field, which leads to the position that the goal had when the solve began. The next
//! far field is solved in the meantime, a part in each tick, and swapped in whole. On large maps, where that takes
//! long, a middle field between the two is kept in the same way, and former ones too as long as only they hold where
//! the far field leads. For a tiled goal, routes and tiles take the place of the far field.
//!
//! # Why agents arrive
//!
//! A near field holds all cells whose cost is below its bound. Each of its steps leads to a cell of lower cost, so a
//! path stays in the field and ends at a goal cell at the goal's present position. By the same rule a middle or far
//! field leads to the goal cells that it was solved for. These cells are in the nearer fields; otherwise they are not
//! used together. So a path by a farther field enters a nearer one at its end, if not before, and a
//! path by a nearer field never leaves it. Hence a path descends in the order of (field, cost in it), of which there
//! are finitely many values, and ends at the goal.
//!
//! If a goal jumps out of the near field's reach, the old fields stay in use unchanged until the next far field is
//! finished.
//!
//! # What it depends on
//!
//! Only updates change the goal cells to which a far field leads. After edits it is repaired, or solved again for the
//! same cells. Near fields depend only on the costs, the farther fields and the goal's position. So queries, which
//! repair and solve near fields ahead of the simulation, change nothing that agents follow.
//!
//! Read `window` and `near_field`, then `parts` (the nearer fields together), `build_context` (the data for building
//! fields), `walk` (the farther fields of one goal) with `middle`, `budget`, `part_build` and `unfinished`, and
//! `follow` with `near` (its near fields). `slots` combines them for one goal and movement type.

mod budget;
pub(super) mod build_context;
pub(super) mod far_build;
mod follow;
mod later_work;
mod middle;
mod middle_build;
pub(super) mod near;
pub(super) mod near_field;
mod part_build;
pub(super) mod parts;
pub(super) mod saved;
mod slots;
pub(super) mod walk;
mod window;

pub use build_context::DEFAULT_WALKING_CELLS;
pub(super) use build_context::{Ages, BuildContext};
pub(super) use parts::Parts;

use crate::error::Result;
use crate::world::FlowWorld;
use crate::world::builder::{BuildStats, Builder, seconds_since};
use crate::world::field_slot::FieldSlot;
use crate::world::goal_id::{Destination, GoalId};
use crate::world::goal_mode::GoalMode;
use crate::world::update::Update;
use crate::world::version::Version;
use glam::Vec2;
use std::sync::Arc;

/// A slot whose goal may walk: the goal, the movement type, the slot, the goal's cells and targets, and the data for
/// building fields.
type Step<'a> = (
    GoalId,
    usize,
    &'a mut FieldSlot,
    Arc<Destination>,
    BuildContext<'a>,
);

impl FlowWorld {
    /// Sets the number of cells of far fields that an update solves, for all goals that walk together; the default is
    /// 3,072. Goals that walk fast get more. With 0 every move solves the whole field at once.
    pub fn set_walking_cells(&mut self, cells: usize) {
        self.walking.cells = cells;
    }

    /// The age of a goal's field at a position: how many updates ago the goal was where the directions there lead to.
    /// It is 0 near the goal, and everywhere if the goal has not walked. `None` while there is no field or route.
    ///
    /// # Errors
    /// An unknown goal or movement type, or a position that is not finite and in the grid.
    pub fn field_age(
        &mut self,
        goal: GoalId,
        position: Vec2,
        movement: usize,
    ) -> Result<Option<u64>> {
        let cell = self.grid.check_position("position", position)?;
        let Some((parts, ages)) = self.parts_with_ages(goal, movement)? else {
            return Ok(None);
        };
        Ok(Some(ages.of(parts.kind_at(cell))))
    }

    /// [`Self::field_age`] of every cell, row-major.
    ///
    /// # Errors
    /// An unknown goal or movement type.
    pub fn field_ages(&mut self, goal: GoalId, movement: usize) -> Result<Option<Vec<u32>>> {
        let Some((parts, ages)) = self.parts_with_ages(goal, movement)? else {
            return Ok(None);
        };
        let cells = (0..self.grid.cell_count()).map(|index| self.grid.cell(index));
        let age = |cell| u32::try_from(ages.of(parts.kind_at(cell))).unwrap_or(u32::MAX);
        Ok(Some(cells.map(age).collect()))
    }

    /// The parts of a goal's field, and their ages.
    fn parts_with_ages(&mut self, goal: GoalId, movement: usize) -> Result<Option<(Parts, Ages)>> {
        let field = self.queried(goal, movement)?;
        let known = self.goals.get(goal)?;
        let tick = self.walking.tick;
        if known.mode == GoalMode::Tiled {
            let slot = known.tiled.get(movement).and_then(Option::as_ref);
            return Ok(slot.map(|slot| slot.parts_with_ages(&known.destination, tick)));
        }
        let Some(field) = field else { return Ok(None) };
        let slot = known.fields.get(movement).and_then(Option::as_ref);
        let leads_there = |slot: &FieldSlot| {
            let destination = slot.destination.as_ref();
            destination.is_none_or(|destination| destination.cells == known.destination.cells)
        };
        let away = slot.filter(|slot| !leads_there(slot));
        let far = away.map_or(0, |slot| slot.walk.age_of_far(tick));
        Ok(Some((field.parts.clone(), Ages { tick, far })))
    }

    /// Continues the far and middle fields of goals that walk. It is called once in an update.
    pub(super) fn walk_on(&mut self) {
        self.walking.tick += 1;
        let is_background = self.builder.background;
        let away = self
            .walks()
            .0
            .filter(|(_, _, slot, destination, _)| slot.is_away(destination));
        let goals_away = away.count() + self.walking_tiled_goals();
        let share = self.walking.cells / goals_away.max(1);
        let (walks, stats, news) = self.walks();
        for (id, movement, slot, destination, mut context) in walks {
            context.cells = share;
            if !slot.is_away(&destination) {
                slot.walk.arrive(&destination, &context);
                continue;
            }
            if is_background {
                slot.walk.walk_in_background(&destination, &context);
                continue;
            }
            match slot.walk_on(&context, &destination) {
                Ok(false) => {}
                Ok(true) => {
                    stats.full_solves += 1;
                    news.ready.push(id);
                }
                Err(error) => news.failed.push((id, movement, error)),
            }
        }
        self.walk_on_with_tiled_goals(share);
    }

    /// Updates the near fields of goals that have left the cells to which their far fields lead, for a query or for the
    /// simulation. `leaves_alone` spares fields that only the simulation changes.
    pub(super) fn follow_goals(&mut self, is_query: bool, leaves_alone: bool) {
        let clock = self.builder.clock;
        let (walks, stats, news) = self.walks();
        for (id, _, slot, destination, context) in walks {
            if slot.is_left_alone(leaves_alone) {
                continue;
            }
            if !is_query {
                slot.repair_middle(&context);
            }
            let begin = clock.map(|clock| clock());
            if slot.follow(&context, &destination) {
                stats.near_solves += 1;
                stats.last_build_seconds = seconds_since(begin, clock);
                stats.last_latency_seconds = stats.last_build_seconds;
                news.ready.push(id);
            }
            if !is_query {
                slot.walk.note_depths();
            }
        }
    }

    /// The slots whose goals may walk, with the data for building their fields.
    fn walks(&mut self) -> (impl Iterator<Item = Step<'_>>, &mut BuildStats, &mut Update) {
        let Builder {
            scratch,
            repairers,
            stats,
            news,
            ..
        } = &mut self.builder;
        let (scratch, repairers, layers) = (&**scratch, &*repairers, &self.layers);
        let (solver, rule, walking) = (self.solver, self.rule, &self.walking);
        let map_cells = self.grid.cell_count();
        let walks = self.goals.by_id.iter_mut().flat_map(move |(&id, goal)| {
            let (destination, revision) = (Arc::clone(&goal.destination), goal.revision);
            let slots = goal.fields.iter_mut().zip(layers).enumerate();
            slots.filter_map(move |(movement, (slot, layer))| {
                let slot = slot.as_mut()?;
                if !slot.stays(destination.cells.len(), walking, map_cells) {
                    slot.walk.stop(scratch);
                    return None;
                }
                let version = Version {
                    costs: layer.newest.revision,
                    goal: revision,
                    solver,
                    rule,
                };
                let context = BuildContext::new(layer, (scratch, repairers), version, walking);
                Some((id, movement, slot, Arc::clone(&destination), context))
            })
        });
        (walks, stats, news)
    }
}
