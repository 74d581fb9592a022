//! Goals as bytes, without their fields.

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::grid::Grid;
use crate::integrate::MAX_INITIAL_COST;
use crate::retired::Retired;
use crate::world::builder::Scratch;
use crate::world::goal::{Goal, Goals};
use crate::world::goal_id::GoalId;
use crate::world::goal_kind::GoalKind;
use crate::world::goal_mode::GoalMode;
use glam::Vec2;
use parking_lot::Mutex;
use std::sync::Arc;

impl Saved for GoalKind {
    fn write(&self, out: &mut Writer) {
        match *self {
            Self::Seek => out.u8(0),
            Self::Flee { reach } => {
                out.u8(1);
                reach.write(out);
            }
            Self::Range { least, most } => {
                out.u8(2);
                (least, most).write(out);
            }
        }
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let kind = match input.u8()? {
            0 => Self::Seek,
            1 => Self::Flee {
                reach: f32::read(input)?,
            },
            2 => Self::Range {
                least: f32::read(input)?,
                most: f32::read(input)?,
            },
            _ => return Err(input.bad("it has a goal of an unknown kind")),
        };
        let checked = kind.check();
        checked.map_err(|_| input.bad("it has a goal of an impossible kind"))?;
        Ok(kind)
    }
}

impl Goals {
    pub(super) fn write(&self, out: &mut Writer) {
        self.last.write(out);
        out.u32(self.by_id.len() as u32);
        for (id, goal) in &self.by_id {
            id.write(out);
            goal.write(out);
        }
    }

    pub(super) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let mut goals = Self {
            last: i64::read(input)?,
            ..Self::default()
        };
        for _ in 0..input.u32()? {
            let id = GoalId::read(input)?;
            let goal = Goal::read(input, grid)?;
            let is_known = (1..=goals.last).contains(&id.0);
            if !is_known || goals.by_id.insert(id, goal).is_some() {
                return Err(input.bad("it has a goal with an impossible id"));
            }
        }
        Ok(goals)
    }

    /// The temporary goals that swarms hold.
    pub(in crate::world) fn held(&self) -> Vec<GoalId> {
        let is_held = |holds: &Arc<()>| Arc::strong_count(holds) > 1;
        let goals = self.by_id.iter();
        let held = goals.filter(|(_, goal)| goal.holds.as_ref().is_some_and(is_held));
        held.map(|(&id, _)| id).collect()
    }

    /// A copy for a snapshot, which holds no temporary goals and awaits no fields.
    pub(in crate::world) fn kept(&self) -> Self {
        let mut kept = self.clone();
        for (goal, own) in kept.by_id.values_mut().zip(self.by_id.values()) {
            goal.holds = goal.holds.is_some().then(Arc::default);
            goal.kept = None;
            let slots = goal.fields.iter_mut().zip(&own.fields);
            for (slot, own) in slots.filter_map(|(slot, own)| slot.as_mut().zip(own.as_ref())) {
                slot.awaited = None;
                own.keep_field(slot);
            }
        }
        kept
    }

    /// Goes on with the holds that swarms have on temporary goals of the same ids, keeps those that were `held`, and
    /// goes on with the work on unfinished fields.
    pub(in crate::world) fn recognize(
        &mut self,
        before: &mut Self,
        held: &[GoalId],
        scratch: &Scratch,
    ) {
        for (id, goal) in &mut self.by_id {
            if let Some(known) = before.by_id.get_mut(id) {
                if let (Some(holds), Some(known)) = (&mut goal.holds, &known.holds) {
                    *holds = Arc::clone(known);
                }
                let pairs = goal.fields.iter_mut().zip(&mut known.fields);
                for (slot, known) in
                    pairs.filter_map(|(slot, known)| slot.as_mut().zip(known.as_mut()))
                {
                    slot.walk.recognize(&mut known.walk, scratch);
                }
                let pairs = goal.tiled.iter_mut().zip(&mut known.tiled);
                for (slot, known) in
                    pairs.filter_map(|(slot, known)| slot.as_mut().zip(known.as_mut()))
                {
                    slot.recognize(known, scratch);
                }
            }
            goal.kept = goal.holds.clone().filter(|_| held.contains(id));
        }
        self.are_loaded = true;
    }

    /// Has this copy of a snapshot's goals use their fields again, in the place of the goals before.
    pub(in crate::world) fn take_fields_back(
        &mut self,
        before: &mut Self,
        retired: &Mutex<Retired>,
    ) {
        for (id, goal) in &mut self.by_id {
            let mut known = before.by_id.get_mut(id);
            for (movement, slot) in goal.fields.iter_mut().enumerate() {
                let known = known
                    .as_mut()
                    .and_then(|known| known.fields.get_mut(movement)?.as_mut());
                if let Some(slot) = slot {
                    slot.take_field_back(known, retired);
                }
            }
        }
    }
}

impl Goal {
    fn write(&self, out: &mut Writer) {
        // Every field is named, so that none is forgotten. Fields and tiles are saved elsewhere.
        let Self {
            targets,
            destination: _,
            initial_costs,
            holds,
            kept: _,
            revision,
            moved_at: _,
            signature: _,
            fields: _,
            mode,
            kind,
            tiled: _,
        } = self;
        targets.write(out);
        initial_costs.write(out);
        holds.is_some().write(out);
        revision.write(out);
        (*mode == GoalMode::Tiled).write(out);
        kind.write(out);
    }

    fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let targets = Vec::<Vec2>::read(input)?;
        let initial_costs = Vec::<f32>::read(input)?;
        let is_temporary = bool::read(input)?;
        let revision = u64::read(input)?;
        let is_tiled = bool::read(input)?;
        let kind = GoalKind::read(input)?;
        let are_inside = targets
            .iter()
            .all(|&target| grid.check_position("target", target).is_ok());
        let is_cost = |cost: &f32| (0.0..=MAX_INITIAL_COST).contains(cost);
        let is_seek = kind == GoalKind::Seek;
        if !are_inside
            || initial_costs.len() != targets.len()
            || !initial_costs.iter().all(is_cost)
            || !is_seek && (is_tiled || initial_costs.iter().any(|&cost| cost != 0.0))
            || revision > 1 << 62
        {
            return Err(input.bad("it has a goal that makes no sense"));
        }
        let mut goal = Self {
            targets,
            destination: Arc::default(),
            initial_costs,
            holds: is_temporary.then(Arc::default),
            kept: None,
            revision,
            moved_at: None,
            signature: 0,
            fields: Vec::new(),
            mode: if is_tiled {
                GoalMode::Tiled
            } else {
                GoalMode::Full
            },
            kind,
            tiled: Vec::new(),
        };
        goal.place_targets(grid);
        goal.sign();
        Ok(goal)
    }
}
