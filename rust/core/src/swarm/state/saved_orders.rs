//! Orders and marches in saves.

use crate::bytes::{Reader, Source, Writer};
use crate::error::Result;
use crate::swarm::AgentId;
use crate::swarm::limits::{MAX_ORDERS, MAX_SPEED};
use crate::swarm::state::agents::Agents;
use crate::swarm::state::group::{FIRST_ORDER, Group, Kinds, Order, Purpose};
use crate::swarm::state::march::{LEAST_SPACING, MOST_OFFSET, March, Member};
use crate::swarm::state::saved_values::{LONGEST_HEADING, read_place, read_within};
use crate::swarm::state::swarm::Swarm;
use crate::world::GoalId;

impl Swarm {
    /// Writes the orders in use, and the group or order that each agent follows.
    pub(super) fn write_orders(&self, out: &mut Writer) {
        out.u32(self.groups.orders().count() as u32);
        for (number, group, order) in self.groups.orders() {
            out.u32(number as u32);
            out.u64(group.goal.map_or(0, |goal| goal.0.cast_unsigned()));
            out.u32(u32::from(order.purpose as u8) | u32::from(group.seen.is_some()) << 8);
            out.u64(group.seen.unwrap_or(0));
        }
        for group in &self.agents.goal_group {
            out.bytes.extend(group.to_le_bytes());
        }
    }

    /// Whether agents of some type have followed an order, and none does any more.
    pub(super) fn has_former_followers(&self) -> bool {
        let mut present: Vec<Kinds> = vec![0; self.groups.len()];
        for (&group, &kind) in self.agents.goal_group.iter().zip(&self.agents.kind) {
            if let Some(present) = present.get_mut(usize::from(group)) {
                *present |= 1 << kind;
            }
        }
        let mut orders = self.groups.orders();
        orders.any(|(number, _, order)| order.kinds != present[number])
    }

    /// Writes the types of agents that have followed each order.
    pub(super) fn write_followers(&self, out: &mut Writer) {
        self.groups
            .orders()
            .for_each(|(_, _, order)| out.u64(order.kinds));
    }
}

/// Reads what [`Swarm::write_followers`] has written.
pub(super) fn read_followers(orders: &mut [(usize, Group)], input: &mut Reader<'_>) -> Result<()> {
    for order in orders
        .iter_mut()
        .filter_map(|(_, group)| group.order.as_mut())
    {
        order.kinds = input.u64()?;
    }
    Ok(())
}

/// Reads the orders by their numbers, and which of them agents follow.
pub(super) fn read_orders(
    agents: &mut Agents,
    input: &mut Reader<'_>,
) -> Result<Vec<(usize, Group)>> {
    let count = input.u32()? as usize;
    let orders = input.array(count, 24, |input| {
        let number = input.u32()? as usize;
        let goal = GoalId(input.u64()?.cast_signed());
        let marks = input.u32()?;
        let seen = input.u64()?;
        let is_order = (FIRST_ORDER..FIRST_ORDER + MAX_ORDERS).contains(&number);
        let purpose = Purpose::ALL.get((marks & 0xFF) as usize);
        let is_seen = marks >> 8;
        let (Some(&purpose), true) = (purpose, is_order && is_seen <= 1) else {
            return Err(input.bad("it has an order that makes no sense"));
        };
        if is_seen == 0 && seen != 0 {
            return Err(input.bad("it has an order that makes no sense"));
        }
        let order = Order {
            purpose,
            ..Order::default()
        };
        let group = Group {
            goal: Some(goal),
            seen: (is_seen == 1).then_some(seen),
            order: Some(order),
            ..Group::default()
        };
        Ok((number, group))
    })?;
    if !orders.is_sorted_by(|one, other| one.0 < other.0) {
        return Err(input.bad("its orders are not in order"));
    }
    let followed = input.array(agents.len(), 2, |input| {
        Ok(u16::from_le_bytes(input.word()?))
    })?;
    let mut is_used = vec![false; orders.len()];
    for (&followed, &group) in followed.iter().zip(&agents.group) {
        let order = orders.binary_search_by_key(&usize::from(followed), |order| order.0);
        match order {
            Ok(order) => is_used[order] = true,
            Err(_) if followed == u16::from(group) => {}
            Err(_) => return Err(input.bad("it has agents with an unknown order")),
        }
    }
    if is_used.contains(&false) {
        return Err(input.bad("it has an order without agents"));
    }
    agents.goal_group = followed;
    Ok(orders)
}

impl Swarm {
    pub(super) fn write_marches(&self, out: &mut Writer) {
        out.u32(self.marches().count() as u32);
        for march in self.marches() {
            out.u32(march.order.into());
            for vector in [march.leader, march.ahead, march.center, march.heading] {
                out.vector(vector);
            }
            out.u32(march.spacing.to_bits());
            out.u32(march.shape.into());
            out.u32(march.trail.len() as u32);
            march.trail.iter().for_each(|&point| out.vector(point));
            out.u32(march.members.len() as u32);
            for member in &march.members {
                out.u64(member.id.bits());
                out.u32(member.file.cast_unsigned());
                out.u32(member.rank.cast_unsigned());
                out.vector(member.place);
                out.vector(member.target);
            }
        }
    }
}

pub(super) fn read_marches(input: &mut Reader<'_>) -> Result<Vec<March>> {
    let count = input.u32()? as usize;
    input.array(count, 4 + 4 * 8 + 4 * 4, |input| {
        let order = u16::try_from(input.u32()?);
        let leader = read_place(input)?;
        let ahead = read_within(input, LONGEST_HEADING, "it has a heading that is too long")?;
        let center = read_place(input)?;
        let heading = input.vector()?;
        let spacing = input.number()?;
        let shape = u8::try_from(input.u32()?);
        let points = input.u32()? as usize;
        let trail = input.array(points, 8, read_place)?;
        let members = input.u32()? as usize;
        let members = input.array(members, 32, |input| {
            let member = Member {
                id: AgentId::from_bits(input.u64()?),
                file: input.u32()?.cast_signed(),
                rank: input.u32()?.cast_signed(),
                place: read_place(input)?,
                target: read_place(input)?,
            };
            let file = -MOST_OFFSET..=MOST_OFFSET;
            match file.contains(&member.file) && (0..=MOST_OFFSET).contains(&member.rank) {
                true => Ok(member),
                false => Err(input.bad("it has a slot that is too far away")),
            }
        })?;
        let (Ok(order), Ok(shape), true) =
            (order, shape, (LEAST_SPACING..=MAX_SPEED).contains(&spacing))
        else {
            return Err(input.bad("it has a march that makes no sense"));
        };
        Ok(March {
            order,
            members,
            leader,
            ahead,
            trail: trail.into(),
            spacing,
            center,
            shape,
            heading,
        })
    })
}
