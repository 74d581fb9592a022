//! Targets of single agents: slots of a formation, seats, loot.

use crate::error::Result;
use crate::swarm::AgentId;
use crate::swarm::state::agent_id::check_pairs;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::Vec2;

impl Swarm {
    /// Gives each agent a target of its own, in world units, while it is
    /// [`AgentState::Following`](crate::swarm::AgentState::Following).
    ///
    /// It goes there in a straight line. If its group has a goal too, it follows the group's field
    /// as long as walls or other ground hide its target, which costs a look along the line each
    /// step. Once there it has arrived and keeps that place; unlike others it stays arrived when
    /// the group's goal moves.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId), [`Error::Length`](crate::Error::Length) or a
    /// target that is not finite and in the grid; none is changed then.
    pub fn set_targets(
        &mut self,
        world: &FlowWorld,
        ids: &[AgentId],
        targets: &[Vec2],
    ) -> Result<()> {
        check_pairs("targets", ids, targets)?;
        for &target in targets {
            world.grid().check_position("target", target)?;
        }
        self.find_all(ids)?;
        self.sync_layers(world);
        for (&id, &target) in ids.iter().zip(targets) {
            let index = self.agents.find(id)?;
            self.agents.target[index] = target;
            self.agents.flags[index] |= flag::OWN_TARGET;
            self.agents.restart(index);
        }
        Ok(())
    }

    /// Makes agents go where their group goes again.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId) for any of them; none is changed then.
    pub fn clear_targets(&mut self, ids: &[AgentId]) -> Result<()> {
        self.find_all(ids)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            self.agents.flags[index] &= !flag::OWN_TARGET;
            self.agents.restart(index);
        }
        Ok(())
    }

    /// The target of its own that an agent has.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn target_of(&self, id: AgentId) -> Result<Option<Vec2>> {
        let index = self.agents.find(id)?;
        let has_one = self.agents.flags[index] & flag::OWN_TARGET != 0;
        Ok(has_one.then(|| self.agents.target[index]))
    }
}
