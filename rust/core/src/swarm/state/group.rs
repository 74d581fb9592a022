//! Groups of agents that share a goal, and orders: goals that single agents follow instead of their group's.

use crate::error::{Error, Result};
use crate::swarm::limits::{MAX_AGENT_TYPES, MAX_GROUPS, MAX_ORDERS};
use crate::swarm::state::agent_id::AgentId;
use crate::world::{GoalHold, GoalId};

/// A bit for each agent type.
pub(in crate::swarm) type Kinds = u64;
const _: () = assert!(MAX_AGENT_TYPES <= Kinds::BITS as usize);

/// The number of the first order. Orders are numbered after all groups, so an agent's
/// [`goal_group`](crate::swarm::state::agents::Agents::goal_group) is its group or an order.
pub(in crate::swarm) const FIRST_ORDER: usize = MAX_GROUPS;

/// A group's goal, and the signature of the targets in the last step; `None` before the first step with a goal.
#[derive(Debug, Clone, Default)]
pub(in crate::swarm) struct Group {
    pub(in crate::swarm) goal: Option<GoalId>,
    pub(in crate::swarm) seen: Option<u64>,
    /// Whether members follow the field of the most restrictive movement type among them.
    pub(in crate::swarm) shares_field: bool,
    /// The agent that members keep to.
    pub(in crate::swarm) leader: Option<AgentId>,
    /// For orders in use.
    pub(in crate::swarm) order: Option<Order>,
}

/// What an order has beside its goal. It ends with its last agent.
#[derive(Debug, Clone, Default)]
pub(in crate::swarm) struct Order {
    /// The number of agents that follow it.
    pub(in crate::swarm) agents: u32,
    /// The types of all agents that have followed it: their fields are required as long as it lasts.
    pub(in crate::swarm) kinds: Kinds,
    /// Keeps a temporary goal.
    pub(in crate::swarm) hold: Option<GoalHold>,
    pub(in crate::swarm) purpose: Purpose,
}

/// Why agents follow an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub(in crate::swarm) enum Purpose {
    /// The game has sent them.
    #[default]
    Sent = 0,
    /// It leads them round walls to their own target.
    LeadToTarget = 1,
    /// They march in formation: their own targets move along the way to the goal. Each march has an order of its own.
    March = 2,
}

impl Purpose {
    pub(in crate::swarm) const ALL: [Self; 3] = [Self::Sent, Self::LeadToTarget, Self::March];
}

/// The groups, followed by the orders.
#[derive(Debug, Clone, Default)]
pub(in crate::swarm) struct Groups(Vec<Group>);

impl Groups {
    pub(in crate::swarm) fn len(&self) -> usize {
        self.0.len()
    }

    /// Becomes a copy of `other` that holds no goals.
    pub(in crate::swarm) fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
        let orders = self.0.iter_mut().skip(FIRST_ORDER);
        for order in orders.filter_map(|group| group.order.as_mut()) {
            order.hold = None;
        }
    }

    pub(in crate::swarm) fn get(&self, group: usize) -> Option<&Group> {
        self.0.get(group)
    }

    pub(in crate::swarm) fn iter(&self) -> impl Iterator<Item = &Group> {
        self.0.iter()
    }

    pub(in crate::swarm) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Group> {
        self.0.iter_mut()
    }

    /// A group or an order, which is added if there is none of this number.
    pub(in crate::swarm) fn entry(&mut self, group: usize) -> &mut Group {
        if self.0.len() <= group {
            self.0.resize(group + 1, Group::default());
        }
        &mut self.0[group]
    }

    /// The orders in use, with their numbers.
    pub(in crate::swarm) fn orders(&self) -> impl Iterator<Item = (usize, &Group, &Order)> {
        let orders = self.0.iter().enumerate().skip(FIRST_ORDER);
        orders.filter_map(|(number, group)| Some((number, group, group.order.as_ref()?)))
    }

    /// Whether the agents of a group or order march in formation.
    pub(in crate::swarm) fn march_in(&self, group: u16) -> bool {
        let group = self.0.get(usize::from(group));
        let order = group.and_then(|group| group.order.as_ref());
        order.is_some_and(|order| order.purpose == Purpose::March)
    }

    /// Ends the march of an order, which its agents go on following.
    pub(in crate::swarm) fn end_march(&mut self, group: u16) {
        let group = self.0.get_mut(usize::from(group));
        if let Some(order) = group.and_then(|group| group.order.as_mut()) {
            order.purpose = Purpose::Sent;
        }
    }

    /// Removes all orders.
    pub(in crate::swarm) fn end_orders(&mut self) {
        self.0.truncate(FIRST_ORDER);
    }

    /// The order to a goal, a new one if there is none yet for this purpose. A march always gets a new one.
    ///
    /// # Errors
    /// More than [`MAX_ORDERS`].
    pub(in crate::swarm) fn order_to(
        &mut self,
        goal: GoalId,
        hold: Option<GoalHold>,
        purpose: Purpose,
    ) -> Result<u16> {
        let is_same = |group: &Group, order: &Order| {
            purpose != Purpose::March && group.goal == Some(goal) && order.purpose == purpose
        };
        let known = self
            .orders()
            .find(|(_, group, order)| is_same(group, order));
        if let Some((number, ..)) = known {
            return Ok(number as u16);
        }
        let mut all = self.0.iter().enumerate().skip(FIRST_ORDER);
        let free = all.find(|(_, group)| group.order.is_none());
        let number = free.map_or(self.0.len().max(FIRST_ORDER), |(number, _)| number);
        if number >= FIRST_ORDER + MAX_ORDERS {
            return Err(Error::OutOfRange {
                name: "number of goals that single agents follow",
                value: (number + 1 - FIRST_ORDER).into(),
                min: 0.into(),
                max: MAX_ORDERS.into(),
            });
        }
        *self.entry(number) = Group {
            goal: Some(goal),
            order: Some(Order {
                hold,
                purpose,
                ..Order::default()
            }),
            ..Group::default()
        };
        Ok(number as u16)
    }

    /// Counts an agent of a type that follows a group or order from now on.
    pub(in crate::swarm) fn join(&mut self, group: u16, kind: u8) {
        let group = self.0.get_mut(usize::from(group));
        if let Some(order) = group.and_then(|group| group.order.as_mut()) {
            order.agents += 1;
            order.kinds |= 1 << kind;
        }
    }

    /// Counts another type of an agent that follows a group or order.
    pub(in crate::swarm) fn note_type(&mut self, group: u16, kind: u8) {
        let group = self.0.get_mut(usize::from(group));
        if let Some(order) = group.and_then(|group| group.order.as_mut()) {
            order.kinds |= 1 << kind;
        }
    }

    /// Counts an agent that no longer follows a group or order. The last one ends the order.
    pub(in crate::swarm) fn leave(&mut self, group: u16) {
        let Some(group) = self.0.get_mut(usize::from(group)) else {
            return;
        };
        if let Some(order) = &mut group.order {
            order.agents -= 1;
            if order.agents == 0 {
                *group = Group::default();
            }
        }
    }
}

pub(in crate::swarm) fn check_group(group: i64) -> Result<u8> {
    u8::try_from(group).map_err(|_| Error::OutOfRange {
        name: "group",
        value: group.into(),
        min: 0.into(),
        max: (MAX_GROUPS - 1).into(),
    })
}
