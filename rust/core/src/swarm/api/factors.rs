//! Sets the factors of single agents: a slow effect, a giant among its kind, a flash of colour.

use crate::error::{Result, in_range};
use crate::swarm::AgentId;
use crate::swarm::draw::palette::{MOST_COLOR, Rgba, WHITE};
use crate::swarm::state::factors::{AGENT_SIZE_FACTORS, AGENT_SPEED_FACTORS};
use crate::swarm::state::swarm::Swarm;

impl Swarm {
    /// Sets the factors on the maximum speeds of agents: one for each id, or one for all.
    ///
    /// # Errors
    /// Neither one nor as many factors as ids ([`Error::Length`](crate::Error::Length)), a factor outside
    /// [`AGENT_SPEED_FACTORS`], or [`Error::UnknownId`](crate::Error::UnknownId); none is changed then.
    pub fn set_speed_factors(&mut self, ids: &[AgentId], factors: &[f32]) -> Result<()> {
        let (least, most) = AGENT_SPEED_FACTORS;
        for &factor in factors {
            in_range("speed factor", factor, least, most)?;
        }
        let rows = self.rows_for("values", ids, factors.len())?;
        write(
            &mut self.agents.factors.speed,
            self.agents.id.len(),
            1.0,
            rows,
            factors,
        );
        Ok(())
    }

    /// Sets the factors on the sizes of agents' instances: one for each id, or one for all. The discs of agents keep
    /// the radius of their type.
    ///
    /// # Errors
    /// Neither one nor as many factors as ids ([`Error::Length`](crate::Error::Length)), a factor outside
    /// [`AGENT_SIZE_FACTORS`], or [`Error::UnknownId`](crate::Error::UnknownId); none is changed then.
    pub fn set_size_factors(&mut self, ids: &[AgentId], factors: &[f32]) -> Result<()> {
        let (least, most) = AGENT_SIZE_FACTORS;
        for &factor in factors {
            in_range("size factor", factor, least, most)?;
        }
        let rows = self.rows_for("values", ids, factors.len())?;
        write(
            &mut self.agents.factors.size,
            self.agents.id.len(),
            1.0,
            rows,
            factors,
        );
        Ok(())
    }

    /// Sets colours by which those of agents are multiplied: one for each id, or one for all.
    ///
    /// # Errors
    /// Neither one nor as many colours as ids ([`Error::Length`](crate::Error::Length)), a channel outside ±1e6, or
    /// [`Error::UnknownId`](crate::Error::UnknownId); none is changed then.
    pub fn set_colors(&mut self, ids: &[AgentId], colors: &[Rgba]) -> Result<()> {
        for &channel in colors.iter().flatten() {
            in_range("color", channel, -MOST_COLOR, MOST_COLOR)?;
        }
        let rows = self.rows_for("values", ids, colors.len())?;
        write(
            &mut self.agents.factors.color,
            self.agents.id.len(),
            WHITE,
            rows,
            colors,
        );
        Ok(())
    }

    /// The factor on an agent's maximum speed.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn speed_factor(&self, id: AgentId) -> Result<f32> {
        Ok(self.agents.factors.speed_of(self.agents.find(id)?))
    }

    /// The factor on the size of an agent's instance.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn size_factor(&self, id: AgentId) -> Result<f32> {
        Ok(self.agents.factors.size_of(self.agents.find(id)?))
    }

    /// The colour by which an agent's is multiplied.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn color(&self, id: AgentId) -> Result<Rgba> {
        Ok(self.agents.factors.color_of(self.agents.find(id)?))
    }
}

/// Writes values to rows of a column of `count` agents, which is filled with `one` first if it is not in use.
fn write<T: Copy>(column: &mut Vec<T>, count: usize, one: T, rows: Vec<usize>, values: &[T]) {
    column.resize(count, one);
    for (row, &value) in rows.into_iter().zip(values.iter().cycle()) {
        column[row] = value;
    }
}
