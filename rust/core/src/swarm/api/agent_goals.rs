//! Goals of single agents: orders, which they follow instead of their group's goal, and ways round walls to their own
//! targets.

use crate::error::{Error, Result};
use crate::swarm::AgentId;
use crate::swarm::limits::MAX_ORDERS;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::group::{FIRST_ORDER, Group, Purpose};
use crate::swarm::state::swarm::Swarm;
use crate::world::{FlowWorld, GoalHold, GoalId, GoalMode};
use glam::Vec2;

/// The number of steps in which it is tested once for each agent with an own target whether it sees the target.
const SIGHT_EVERY: u64 = 8;

impl Swarm {
    /// Makes agents follow a goal of their own instead of their group's. Their own targets are removed. The same goal
    /// can be followed by any number of agents, swarms and groups.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId) for the goal or any of the agents, or more than [`MAX_ORDERS`]
    /// goals at once; none is changed then.
    pub fn set_goal(&mut self, world: &FlowWorld, ids: &[AgentId], goal: GoalId) -> Result<()> {
        self.find_all(ids)?;
        world.goal_mode(goal)?;
        self.give_orders(ids, goal, world.hold_goal(goal), Purpose::Sent)
            .map(drop)
    }

    /// Makes agents follow their group's goal again.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId) for any of them; none is changed then.
    pub fn clear_goals(&mut self, ids: &[AgentId]) -> Result<()> {
        self.find_all(ids)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            self.follow(index, self.agents.group[index].into());
        }
        Ok(())
    }

    /// Sends agents to one or more targets: the goal is created for them, the same one for the same targets and mode,
    /// and is released when the last agent has left it, by another order or because it was removed. Their own targets
    /// are removed. Returns the goal.
    ///
    /// # Errors
    /// Those of [`FlowWorld::create_goal_with_mode`] and [`Self::set_goal`]; nothing is changed then.
    pub fn send(
        &mut self,
        world: &mut FlowWorld,
        ids: &[AgentId],
        targets: &[Vec2],
        mode: GoalMode,
    ) -> Result<GoalId> {
        self.find_all(ids)?;
        let (goal, hold) = world.temporary_goal(targets, mode)?;
        self.give_orders(ids, goal, Some(hold), Purpose::Sent)?;
        Ok(goal)
    }

    /// The goal that an agent follows, its own or its group's.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId).
    pub fn goal_of(&self, id: AgentId) -> Result<Option<GoalId>> {
        let index = self.agents.find(id)?;
        let group = self.groups.get(usize::from(self.agents.goal_group[index]));
        Ok(group.and_then(|group| group.goal))
    }

    /// Gives agents an order, and returns its number; `None` if there are no agents.
    pub(super) fn give_orders(
        &mut self,
        ids: &[AgentId],
        goal: GoalId,
        hold: Option<GoalHold>,
        purpose: Purpose,
    ) -> Result<Option<u16>> {
        if ids.is_empty() {
            return Ok(None);
        }
        let order = self.groups.order_to(goal, hold, purpose)?;
        for &id in ids {
            let index = self.agents.find(id)?;
            if self.agents.flags[index] & flag::OWN_TARGET != 0 {
                self.agents.flags[index] &= !flag::OWN_TARGET;
                self.agents.restart(index);
            }
            self.follow(index, order);
        }
        Ok(Some(order))
    }

    /// Makes an agent follow the goal of a group or order.
    fn follow(&mut self, index: usize, group: u16) {
        let before = std::mem::replace(&mut self.agents.goal_group[index], group);
        if before != group {
            self.groups.join(group, self.agents.kind[index]);
            self.groups.leave(before);
            self.agents.restart(index);
        }
    }

    /// Ends what an agent's own target was for, which the game changes: the way that leads to it, or a march, whose
    /// goal the agent then goes to by itself.
    pub(super) fn release_target(&mut self, index: usize) {
        let group = self.groups.get(usize::from(self.agents.goal_group[index]));
        let Some((goal, order)) =
            group.and_then(|group| Some((group.goal?, group.order.as_ref()?)))
        else {
            return;
        };
        let own = u16::from(self.agents.group[index]);
        match order.purpose {
            Purpose::Sent => {}
            Purpose::LeadToTarget => self.follow(index, own),
            Purpose::March => {
                let hold = order.hold.clone();
                let sent = self.groups.order_to(goal, hold, Purpose::Sent);
                self.follow(index, sent.unwrap_or(own));
            }
        }
    }

    /// Ends what agents have of goals that have been released: groups have no goal then, and agents follow their group
    /// instead of an order. O(agents) if there are any.
    ///
    /// # Errors
    /// [`Error::GoalReleased`] for the first of these goals.
    pub(super) fn leave_released_goals(&mut self, world: &FlowWorld) -> Result<()> {
        let is_gone = |&(_, group): &(usize, &Group)| {
            let goal = group.goal.filter(|&goal| !world.has_goal(goal));
            goal.is_some()
        };
        let gone = self.groups.iter().enumerate().filter(is_gone);
        let gone: Vec<(u16, Option<GoalId>)> = gone
            .map(|(number, group)| (number as u16, group.goal))
            .collect();
        for &(number, _) in &gone {
            if usize::from(number) < FIRST_ORDER {
                self.set_group_goal(number.into(), None)?;
                continue;
            }
            for index in 0..self.agents.len() {
                if self.agents.goal_group[index] == number {
                    self.follow(index, self.agents.group[index].into());
                }
            }
        }
        match gone.first() {
            Some(&(_, Some(goal))) => Err(Error::GoalReleased { goal: goal.0 }),
            _ => Ok(()),
        }
    }

    /// Goes on with what a world that was loaded keeps for this swarm: its report of crowds and the goals of its
    /// orders.
    pub(in crate::swarm) fn join(&mut self, world: &FlowWorld) {
        world.connect_swarm(&mut self.reporter);
        for (goal, hold) in self.holds_mut() {
            *hold = world.hold_goal_again(goal);
        }
    }

    /// Takes the holds that a load could not take.
    pub(super) fn hold_goals(&mut self, world: &FlowWorld) {
        for (goal, hold) in self.holds_mut().filter(|(_, hold)| hold.is_none()) {
            *hold = world.hold_goal(goal);
        }
    }

    /// The goal of each order, and what keeps it.
    fn holds_mut(&mut self) -> impl Iterator<Item = (GoalId, &mut Option<GoalHold>)> {
        let groups = self.groups.iter_mut();
        groups.filter_map(|group| Some((group.goal?, &mut group.order.as_mut()?.hold)))
    }

    /// Gives a route to agents whose own target is out of sight and whose group has no goal that would lead them round
    /// the obstacle. Each agent is tested once in [`SIGHT_EVERY`] steps.
    pub(super) fn lead_to_targets(&mut self, world: &mut FlowWorld) -> Result<()> {
        if !self.settings.wall_correction {
            // Agents go straight through walls.
            return Ok(());
        }
        let first = (self.tick % SIGHT_EVERY) as usize;
        for index in 0..self.agents.len() {
            let flags = self.agents.flags[index];
            if flags & (flag::OWN_TARGET | flag::ARRIVED) != flag::OWN_TARGET
                || (self.agents.key[index] as usize) % SIGHT_EVERY as usize != first
                || self.agents.state[index] != AgentState::Following
            {
                continue;
            }
            let group = self.groups.get(usize::from(self.agents.goal_group[index]));
            if group.is_some_and(|group| group.goal.is_some()) {
                continue;
            }
            let movement = self.types[usize::from(self.agents.kind[index])].movement;
            let target = self.agents.target[index];
            let grid = *world.grid();
            if world.check_movement(movement as i64).is_err()
                || grid.check_position("target", target).is_err()
            {
                // A step refuses the one; a smaller grid may have left the other outside.
                continue;
            }
            let [from, to] = [self.agents.position[index], target].map(|at| grid.to_cell_space(at));
            if world.costs(movement).has_line_of_sight(from, to) {
                continue;
            }
            let (goal, hold) = world.temporary_goal(&[target], GoalMode::Tiled)?;
            let order = self
                .groups
                .order_to(goal, Some(hold), Purpose::LeadToTarget)?;
            let before = std::mem::replace(&mut self.agents.goal_group[index], order);
            self.groups.join(order, self.agents.kind[index]);
            self.groups.leave(before);
        }
        Ok(())
    }

    /// Checks that orders and agents agree, and counts the agents of each order, after all of them were replaced.
    pub(in crate::swarm) fn count_orders(&mut self) {
        for (&group, &kind) in self.agents.goal_group.iter().zip(&self.agents.kind) {
            self.groups.join(group, kind);
        }
    }
}

const _: () = assert!(FIRST_ORDER + MAX_ORDERS < u16::MAX as usize);
