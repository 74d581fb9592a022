//! Goals that walk, such as a hero: what a move costs depends on how far it went, not on how large the map is.
//!
//! In every move from cell to cell a [near field](NearField) is solved around where the goal is now. Beyond it agents
//! follow the far field, which leads to where the goal was when that was begun; it is solved anew in the meantime, a
//! part in each tick, and swapped in whole. On large maps, where that takes long, a middle field is kept between the
//! two in the same way. To a tiled goal routes and tiles lead in place of the far field.
//!
//! # Why agents arrive
//!
//! A near field holds all cells whose cost is below its bound. Every step it leads by is to a cell of lower cost, so
//! that it stays in the field, and ends at a goal cell: where the goal is now. A middle or far field leads by the same
//! rule to the goal cells that it was solved for. These are in the next nearer field, or the two are not put into
//! service together; so a way by the farther one comes into the nearer one, there at the latest. By following a nearer
//! field no way leaves it for a farther one. So a way descends in the order of (which field, cost in it), of which there
//! are finitely many values, and ends where the goal is.
//!
//! Where a goal has jumped out of the near field's reach, the field of before stays in service as it is until the next
//! one is finished.
//!
//! # What it depends on
//!
//! Where a far field leads is changed in updates alone; for the costs it is repaired, or solved again for the same place.
//! Near fields follow from the costs, the farther fields and where the goal is. So queries, which do the latter two
//! ahead of the simulation, change nothing that agents follow.
//!
//! Read `window` and `near_field`, then `parts` (the nearer fields as one), `means` (what they are built with), `walk`
//! (the farther fields of one goal) and `follow` (its near fields); `slots` puts them together for one goal and movement
//! type.

mod follow;
pub(super) mod means;
pub(super) mod near;
pub(super) mod near_field;
mod part_build;
pub(super) mod parts;
mod slots;
pub(super) mod walk;
mod window;

pub use means::DEFAULT_WALKING_CELLS;
pub(super) use means::{Ages, Means};
pub(super) use parts::Parts;

use crate::error::Result;
use crate::world::FlowWorld;
use crate::world::builder::{BuildStats, Builder, seconds_since};
use crate::world::field_slot::FieldSlot;
use crate::world::goal_id::{Ends, GoalId};
use crate::world::goal_mode::GoalMode;
use crate::world::update::Update;
use crate::world::version::Version;
use glam::Vec2;
use std::sync::Arc;

/// A slot whose goal may walk: goal, movement type, where the goal is, and what its fields are built with.
type Step<'a> = (GoalId, usize, &'a mut FieldSlot, Arc<Ends>, Means<'a>);

impl FlowWorld {
    /// How many cells of whole fields to goals that walk are solved in an update, for all of them together, 3,072 if
    /// nothing else is set; more as they walk faster. 0 has every move solve the whole field at once.
    pub fn set_walking_cells(&mut self, cells: usize) {
        self.walking.cells = cells;
    }

    /// How many updates ago a goal was where the directions at a position lead to: 0 near the goal, and everywhere as
    /// long as it has not walked. `None` before there is a field or a route.
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

    /// [`Self::field_age`] of every cell, row-major; `None` as there.
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

    /// The parts of what leads to a goal, and how old they are.
    fn parts_with_ages(&mut self, goal: GoalId, movement: usize) -> Result<Option<(Parts, Ages)>> {
        let field = self.queried(goal, movement)?;
        let known = self.goals.get(goal)?;
        let tick = self.walking.tick;
        if known.mode == GoalMode::Tiled {
            let slot = known.tiled.get(movement).and_then(Option::as_ref);
            return Ok(slot.map(|slot| slot.parts_with_ages(&known.ends, tick)));
        }
        let Some(field) = field else { return Ok(None) };
        let slot = known.fields.get(movement).and_then(Option::as_ref);
        let leads_there = |slot: &FieldSlot| {
            let ends = slot.ends.as_ref();
            ends.is_none_or(|ends| ends.cells == known.ends.cells)
        };
        let away = slot.filter(|slot| !leads_there(slot));
        let ages = away.map_or_else(Ages::default, |slot| slot.walk.ages(tick));
        Ok(Some((field.parts.clone(), ages)))
    }

    /// Goes on with the far and middle fields of goals that walk. Once in an update.
    pub(super) fn walk_on(&mut self) {
        self.walking.tick += 1;
        let is_background = self.builder.background;
        let away = self
            .walks()
            .0
            .filter(|(_, _, slot, ends, _)| slot.is_away(ends));
        let goals_away = away.count() + self.walking_tiled_goals();
        let share = self.walking.cells / goals_away.max(1);
        let (walks, stats, news) = self.walks();
        for (id, movement, slot, ends, mut means) in walks {
            means.cells = share;
            if !slot.is_away(&ends) {
                slot.walk.arrive(&ends, means.tick);
                continue;
            }
            if is_background {
                slot.walk.walk_in_background(&ends, means.tick);
                continue;
            }
            match slot.walk_on(&means, &ends) {
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

    /// Finds the near fields of goals that are not where their far fields lead to, for a query or for the simulation.
    pub(super) fn follow_goals(&mut self, is_query: bool) {
        let clock = self.builder.clock;
        let (walks, stats, news) = self.walks();
        for (id, _, slot, ends, means) in walks {
            if !is_query {
                slot.repair_middle(&means);
            }
            let begin = clock.map(|clock| clock());
            if slot.follow(&means, &ends) {
                stats.near_solves += 1;
                stats.last_build_seconds = seconds_since(begin, clock);
                stats.last_latency_seconds = stats.last_build_seconds;
                news.ready.push(id);
            }
            if !is_query {
                slot.walk.note_haste();
            }
        }
    }

    /// The slots whose goals may walk, with what is needed for them.
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
            let (ends, revision) = (Arc::clone(&goal.ends), goal.revision);
            let slots = goal.fields.iter_mut().zip(layers).enumerate();
            slots.filter_map(move |(movement, (slot, layer))| {
                let slot = slot.as_mut()?;
                if !slot.stays(ends.cells.len(), walking, map_cells) {
                    slot.walk.stop();
                    return None;
                }
                let version = Version {
                    costs: layer.newest.revision,
                    goal: revision,
                    solver,
                    rule,
                };
                let means = Means::new(layer, (scratch, repairers), version, walking);
                Some((id, movement, slot, Arc::clone(&ends), means))
            })
        });
        (walks, stats, news)
    }
}
