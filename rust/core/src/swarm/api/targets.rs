//! Own targets of agents, such as slots of a formation, seats or loot.

use crate::error::Result;
use crate::swarm::AgentId;
use crate::swarm::state::agent_id::check_pairs;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::Vec2;

impl Swarm {
    /// Gives each agent its own target, in world units. It counts while the agent is
    /// [`AgentState::Following`](crate::swarm::AgentState::Following).
    ///
    /// The agent goes there in a straight line while it sees its target. While walls or other ground hide the target,
    /// it follows the field of its own or its group's goal, if it has one. Otherwise it follows a tiled route to its
    /// target, which agents with the same target share. At the target it has arrived and stays there; unlike other
    /// agents it stays arrived when the group's goal moves.
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
            self.release_target(index);
            self.agents.target[index] = target;
            self.agents.flags[index] |= flag::OWN_TARGET;
            self.agents.restart(index);
        }
        Ok(())
    }

    /// Removes the own targets of agents, which then follow their group's goal again.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId) for any of them; none is changed then.
    pub fn clear_targets(&mut self, ids: &[AgentId]) -> Result<()> {
        self.find_all(ids)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            self.release_target(index);
            self.agents.flags[index] &= !flag::OWN_TARGET;
            self.agents.restart(index);
        }
        Ok(())
    }

    /// The own target of an agent, if any.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn target_of(&self, id: AgentId) -> Result<Option<Vec2>> {
        let index = self.agents.find(id)?;
        let has_one = self.agents.flags[index] & flag::OWN_TARGET != 0;
        Ok(has_one.then(|| self.agents.target[index]))
    }
}
