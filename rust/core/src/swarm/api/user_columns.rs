//! Reads and writes the game's own numbers.

use crate::error::{Result, in_range};
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::user_columns::{check_column, value_at};
use crate::swarm::{AgentId, AgentQuery};
use crate::world::FlowWorld;
use glam::{Vec2, Vec3};

impl Swarm {
    /// Sets the numbers of agents in one of the [`USER_COLUMNS`](crate::swarm::USER_COLUMNS) columns of integers, one
    /// for each id or one for all. They are 0 at first.
    ///
    /// # Errors
    /// An unknown column, [`Error::Length`](crate::Error::Length) or [`Error::UnknownId`](crate::Error::UnknownId);
    /// none is changed then.
    pub fn set_user_ints(&mut self, column: i64, ids: &[AgentId], values: &[i32]) -> Result<()> {
        let column = check_column(column)?;
        let rows = self.rows_for("values", ids, values.len())?;
        let count = self.agents.len();
        for (index, &value) in rows.into_iter().zip(values.iter().cycle()) {
            write(&mut self.agents.user.ints[column], count, index, value);
        }
        Ok(())
    }

    /// Sets the numbers of agents in one of the [`USER_COLUMNS`](crate::swarm::USER_COLUMNS) columns of floats, one for
    /// each id or one for all. They are 0 at first.
    ///
    /// # Errors
    /// An unknown column, [`Error::Length`](crate::Error::Length), [`Error::UnknownId`](crate::Error::UnknownId) or a
    /// value that is not finite; none is changed then.
    pub fn set_user_floats(&mut self, column: i64, ids: &[AgentId], values: &[f32]) -> Result<()> {
        let column = check_column(column)?;
        for &value in values {
            in_range("value", value, f32::MIN, f32::MAX)?;
        }
        let rows = self.rows_for("values", ids, values.len())?;
        let count = self.agents.len();
        for (index, &value) in rows.into_iter().zip(values.iter().cycle()) {
            write(&mut self.agents.user.floats[column], count, index, value);
        }
        Ok(())
    }

    /// Adds `delta` to a number of agents in one of the [`USER_COLUMNS`](crate::swarm::USER_COLUMNS) columns of
    /// integers. Returns those whose number has fallen from above 0 to 0 or below, in the order of `ids`: if the number
    /// is health, those that die. Numbers stop at the ends of their range. An id that is given twice counts twice.
    ///
    /// # Errors
    /// An unknown column, a `delta` beyond an `i32`, or [`Error::UnknownId`](crate::Error::UnknownId); none is changed
    /// then.
    pub fn add_user_ints(
        &mut self,
        column: i64,
        ids: &[AgentId],
        delta: i64,
    ) -> Result<Vec<AgentId>> {
        let column = check_column(column)?;
        let delta = in_range("delta", delta, i32::MIN.into(), i32::MAX.into())? as i32;
        self.find_all(ids)?;
        let count = self.agents.len();
        let mut fallen = Vec::new();
        for &id in ids {
            let index = self.agents.find(id)?;
            let numbers = &mut self.agents.user.ints[column];
            let before = value_at(numbers, index);
            let after = before.saturating_add(delta);
            write(numbers, count, index, after);
            if before > 0 && after <= 0 {
                fallen.push(id);
            }
        }
        Ok(fallen)
    }

    /// Takes `amount` from a number of the agents that [`Self::query_circle`] finds. Returns those whose number has
    /// fallen to 0 or below, as [`Self::add_user_ints`] does.
    ///
    /// # Errors
    /// The errors of both, or an `amount` outside 0..=2^31 - 1; none is changed then.
    pub fn damage_circle(
        &mut self,
        world: &FlowWorld,
        (center, radius): (Vec2, f32),
        (column, amount): (i64, i64),
        query: &AgentQuery,
    ) -> Result<Vec<AgentId>> {
        self.damage((column, amount), |swarm| {
            swarm.query_circle(world, center, radius, query)
        })
    }

    /// [`Self::damage_circle`] for the agents that [`Self::query_segment`] finds, in the order in which it finds them.
    ///
    /// # Errors
    /// The errors of that query and of [`Self::add_user_ints`], or an `amount` outside 0..=2^31 - 1; none is changed
    /// then.
    pub fn damage_segment(
        &mut self,
        world: &FlowWorld,
        (from, to, width): (Vec2, Vec2, f32),
        (column, amount): (i64, i64),
        query: &AgentQuery,
    ) -> Result<Vec<AgentId>> {
        self.damage((column, amount), |swarm| {
            swarm.query_segment(world, (from, to), width, query)
        })
    }

    /// [`Self::damage_circle`] for the agents that [`Self::query_sphere`] finds.
    ///
    /// # Errors
    /// The errors of that query and of [`Self::add_user_ints`], or an `amount` outside 0..=2^31 - 1; none is changed
    /// then.
    pub fn damage_sphere(
        &mut self,
        world: &FlowWorld,
        (center, radius): (Vec3, f32),
        above: f32,
        (column, amount): (i64, i64),
        query: &AgentQuery,
    ) -> Result<Vec<AgentId>> {
        self.damage((column, amount), |swarm| {
            swarm.query_sphere(world, (center, radius), above, query)
        })
    }

    /// [`Self::damage_circle`] for the agents that [`Self::query_ray`] finds, in the order in which it finds them.
    ///
    /// # Errors
    /// The errors of that query and of [`Self::add_user_ints`], or an `amount` outside 0..=2^31 - 1; none is changed
    /// then.
    pub fn damage_ray(
        &mut self,
        world: &FlowWorld,
        (from, to): (Vec3, Vec3),
        above: f32,
        (column, amount): (i64, i64),
        query: &AgentQuery,
    ) -> Result<Vec<AgentId>> {
        self.damage((column, amount), |swarm| {
            swarm.query_ray(world, (from, to), above, query)
        })
    }

    /// Takes `amount` from a number of the agents that a search finds.
    fn damage(
        &mut self,
        (column, amount): (i64, i64),
        find: impl FnOnce(&mut Self) -> Result<Vec<AgentId>>,
    ) -> Result<Vec<AgentId>> {
        in_range("amount", amount, 0, i32::MAX.into())?;
        let found = find(self)?;
        self.add_user_ints(column, &found, -amount)
    }

    /// A column of integers in the order of [`Self::ids`]; empty if all its numbers are still 0.
    ///
    /// # Errors
    /// An unknown column.
    pub fn user_ints(&self, column: i64) -> Result<&[i32]> {
        Ok(&self.agents.user.ints[check_column(column)?])
    }

    /// A column of floats in the order of [`Self::ids`]; empty if all its numbers are still 0.
    ///
    /// # Errors
    /// An unknown column.
    pub fn user_floats(&self, column: i64) -> Result<&[f32]> {
        Ok(&self.agents.user.floats[check_column(column)?])
    }

    /// An agent's number in a column of integers.
    ///
    /// # Errors
    /// An unknown column or [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn user_int(&self, column: i64, id: AgentId) -> Result<i32> {
        let index = self.agents.find(id)?;
        Ok(value_at(self.user_ints(column)?, index))
    }

    /// An agent's number in a column of floats.
    ///
    /// # Errors
    /// An unknown column or [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn user_float(&self, column: i64, id: AgentId) -> Result<f32> {
        let index = self.agents.find(id)?;
        Ok(value_at(self.user_floats(column)?, index))
    }
}

fn write<T: Copy + Default>(column: &mut Vec<T>, count: usize, index: usize, value: T) {
    column.resize(count, T::default());
    column[index] = value;
}
