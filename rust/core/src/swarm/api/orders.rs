//! Orders to agents: states, velocities, positions, groups, goals and impulses.

use crate::error::{Error, Result, finite, in_range};
use crate::random;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::limits::MAX_SPEED;
use crate::swarm::state::agent_id::check_pairs;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::group::{FIRST_ORDER, check_group};
use crate::swarm::state::swarm::Swarm;
use crate::swarm::{AgentId, AgentQuery, AgentState};
use crate::world::{FlowWorld, GoalId};
use glam::Vec2;

impl Swarm {
    pub(in crate::swarm) fn find_all(&self, ids: &[AgentId]) -> Result<()> {
        ids.iter()
            .try_for_each(|&id| self.agents.find(id).map(drop))
    }

    /// The indices of agents for which there are `count` values: one for each id, or one for all.
    ///
    /// # Errors
    /// [`Error::Length`] or [`Error::UnknownId`].
    pub(in crate::swarm) fn rows_for(
        &self,
        name: &'static str,
        ids: &[AgentId],
        count: usize,
    ) -> Result<Vec<usize>> {
        if count != 1 && count != ids.len() {
            return Err(Error::Length {
                name,
                expected: ids.len(),
                actual: count,
            });
        }
        ids.iter().map(|&id| self.agents.find(id)).collect()
    }

    /// Sets the state of agents. Agents that become corpses stop at once, and no longer count for others from this call
    /// on. Agents that are on a link fall where they are if they become corpses; in another state they are back where
    /// they took it, as by [`Self::cancel_travel`].
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId) for any of them, or [`AgentState::Travelling`], in which only
    /// links put agents; none is changed then.
    pub fn set_state(&mut self, ids: &[AgentId], state: AgentState) -> Result<()> {
        AgentState::from_number((state as u8).into())?;
        self.find_all(ids)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            if state == AgentState::Corpse {
                self.drop_from_link(index);
            } else {
                self.take_back(index);
            }
            let before = std::mem::replace(&mut self.agents.state[index], state);
            self.agents.restart(index);
            if before != state && state == AgentState::Corpse {
                self.agents.velocity[index] = Vec2::ZERO;
                self.agents.contact[index] = ContactState::default();
                self.start_death(index);
                self.agents.trail.lie_down(index);
                self.buckets.hide(index);
            } else if before != state && before == AgentState::Corpse {
                self.end_death(index);
                // It has a place among the others again.
                self.buckets.invalidate();
            }
        }
        Ok(())
    }

    /// The velocities, in world units a second, at which agents move while they are
    /// [`AgentState::Scripted`].
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId), [`Error::Length`](crate::Error::Length) or a velocity that is not
    /// finite or above [`MAX_SPEED`]; none is changed then.
    pub fn set_scripted_velocities(&mut self, ids: &[AgentId], velocities: &[Vec2]) -> Result<()> {
        check_pairs("velocities", ids, velocities)?;
        for &velocity in velocities {
            finite("velocity", velocity)?;
            in_range("length of velocity", velocity.length(), 0.0, MAX_SPEED)?;
        }
        self.find_all(ids)?;
        for (&id, &velocity) in ids.iter().zip(velocities) {
            let index = self.agents.find(id)?;
            self.agents.scripted[index] = velocity;
        }
        Ok(())
    }

    /// Moves agents at once. They then do what agents do that are spawned there: those that had arrived, or were lost
    /// or stuck, go on to their goal, and arrive anew. Those that are on a link are no longer on it.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId), [`Error::Length`](crate::Error::Length) or a position that is not
    /// finite and in the grid; none is changed then.
    pub fn set_positions(
        &mut self,
        world: &FlowWorld,
        ids: &[AgentId],
        positions: &[Vec2],
    ) -> Result<()> {
        check_pairs("positions", ids, positions)?;
        for &position in positions {
            world.grid().check_position("position", position)?;
        }
        self.find_all(ids)?;
        self.sync_layers(world);
        for (&id, &position) in ids.iter().zip(positions) {
            let index = self.agents.find(id)?;
            self.agents.end_travel(index);
            self.agents.position[index] = position;
            self.agents.trail.jump(index, position);
            self.agents.restart(index);
        }
        self.buckets.mark_moved();
        Ok(())
    }

    /// Moves agents to a group. From the next step on they follow its goal.
    ///
    /// Agents that are in the group already are not changed. Agents with their own target or goal keep it.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId) for any of them, or a group beyond
    /// [`MAX_GROUPS`](crate::swarm::limits::MAX_GROUPS); none is changed then.
    pub fn set_group(&mut self, ids: &[AgentId], group: i64) -> Result<()> {
        let group = check_group(group)?;
        self.find_all(ids)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            if self.agents.group[index] == group {
                continue;
            }
            self.agents.group[index] = group;
            if usize::from(self.agents.goal_group[index]) >= FIRST_ORDER {
                continue;
            }
            self.agents.goal_group[index] = group.into();
            if self.agents.flags[index] & flag::OWN_TARGET == 0 {
                self.agents.restart(index);
            }
        }
        Ok(())
    }

    /// Changes the type of agents. From the next step on they have its size, speed, movement type and looks; their
    /// positions, velocities, orders and numbers stay, and clips that they play keep their numbers
    /// ([`Self::set_type_and_clips`] changes these). An agent that is larger than before is moved out of walls and
    /// other agents by the next steps.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId) for any of them, or an unknown type; none is changed then.
    pub fn set_type(&mut self, ids: &[AgentId], kind: i64) -> Result<()> {
        let kind = self.check_kind(kind)?;
        self.find_all(ids)?;
        self.change_type(ids, kind)
    }

    /// Gives agents that exist a type that exists.
    pub(super) fn change_type(&mut self, ids: &[AgentId], kind: u8) -> Result<()> {
        let uses_contacts = self.types[usize::from(kind)].uses_contacts();
        for &id in ids {
            let index = self.agents.find(id)?;
            self.agents.kind[index] = kind;
            self.groups.note_type(self.agents.goal_group[index], kind);
            if !uses_contacts {
                // The solver, which keeps it up to date, passes over the agent.
                self.agents.contact[index] = ContactState::default();
            }
        }
        self.buckets.mark_moved();
        Ok(())
    }

    /// Gives a group its goal, or none.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`](crate::swarm::limits::MAX_GROUPS).
    pub fn set_group_goal(&mut self, group: i64, goal: Option<GoalId>) -> Result<()> {
        let group = usize::from(check_group(group)?);
        let entry = self.groups.entry(group);
        if entry.goal != goal {
            entry.goal = goal;
            entry.seen = None;
            self.agents.restart_group(group as u16, 0);
        }
        Ok(())
    }

    /// A group's goal.
    ///
    /// # Errors
    /// A group beyond [`MAX_GROUPS`](crate::swarm::limits::MAX_GROUPS).
    pub fn group_goal(&self, group: i64) -> Result<Option<GoalId>> {
        let group = usize::from(check_group(group)?);
        Ok(self.groups.get(group).and_then(|group| group.goal))
    }

    /// Adds `impulse`, divided by each agent's mass, to the velocity of agents. An agent above its maximum speed slows
    /// down at its own acceleration.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId) or an impulse that is not finite or above 1e6; none is changed
    /// then.
    pub fn apply_impulse(&mut self, ids: &[AgentId], impulse: Vec2) -> Result<()> {
        finite("impulse", impulse)?;
        in_range("length of impulse", impulse.length(), 0.0, MAX_SPEED)?;
        self.find_all(ids)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            self.knock(index, impulse);
        }
        Ok(())
    }

    /// Pushes agents away from `center`, or towards it if `strength` is negative. The impulse falls from `strength` at
    /// the centre to 0 at `radius`, and is divided by each agent's mass. Returns how many agents were pushed.
    ///
    /// # Errors
    /// Arguments that are not finite, a negative radius or a strength beyond 1e6.
    pub fn apply_radial_impulse(
        &mut self,
        world: &FlowWorld,
        center: Vec2,
        radius: f32,
        strength: f32,
    ) -> Result<usize> {
        in_range("strength", strength, -MAX_SPEED, MAX_SPEED)?;
        let ids = self.query_circle(world, center, radius, &AgentQuery::default())?;
        self.sync_layers(world);
        for &id in &ids {
            let index = self.agents.find(id)?;
            let away = self.agents.position[index] - center;
            let distance = away.length();
            let fade = if radius > 0.0 {
                (1.0 - distance / radius).max(0.0)
            } else {
                1.0
            };
            let direction = if distance > 0.0 {
                away / distance
            } else {
                random::direction(random::keyed(self.seed, self.agents.key[index], self.tick))
            };
            self.knock(index, direction * (strength * fade));
        }
        Ok(ids.len())
    }

    /// Changes an agent's velocity by an impulse divided by its mass.
    fn knock(&mut self, index: usize, impulse: Vec2) {
        let mass = self.types[usize::from(self.agents.kind[index])].mass;
        self.agents.push(index, impulse / mass);
    }
}
