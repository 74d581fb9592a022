//! Saves the whole state of a swarm as bytes, and loads it.
//!
//! Whatever the bytes are, a loaded swarm can be stepped: each field is checked against the values that a swarm can
//! reach. Memory is allocated only for data that the bytes hold, and for as many blocks as a grid can have.

use crate::bytes::{Reader, Source, Writer, checksum};
use crate::error::Result;
use crate::grid::layers::Layers;
use crate::grid::{Grid, MAX_CELL_SIZE, MAX_DISTANCE};
use crate::swarm::AgentId;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::density::Density;
use crate::swarm::draw::palette::{MOST_COLOR, WHITE};
use crate::swarm::limits::{MAX_AGENTS, MAX_GROUPS, MAX_ORDERS, MAX_SPEED};
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::{Agents, FREE, Slot};
use crate::swarm::state::factors::{AGENT_SIZE_FACTORS, AGENT_SPEED_FACTORS, Factors};
use crate::swarm::state::group::{FIRST_ORDER, Group, Order, Purpose};
use crate::swarm::state::march::{LEAST_SPACING, MOST_OFFSET, March, Member};
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::trail::Trail;
use crate::swarm::state::user_columns::{USER_COLUMNS, UserColumns};
use crate::world::GoalId;
use glam::{IVec2, Vec2};

const MAGIC: [u8; 8] = *b"FLOWSWRM";
/// The name of a save in errors.
const NAME: &str = "state";
const VERSION: u32 = 2;
/// The mark of the part with the game's own numbers, present only if there are any.
const USER: u32 = u32::from_le_bytes(*b"USER");
/// The mark of the part with the factors of single agents, present only if any is not 1.
const FACTORS: u32 = u32::from_le_bytes(*b"FACT");
/// The mark of the part with orders, present only if any agent follows one.
const ORDERS: u32 = u32::from_le_bytes(*b"ORDR");
/// The mark of the part with marches, present only if there are any.
const MARCHES: u32 = u32::from_le_bytes(*b"MRCH");
/// The mark of the part on contacts, present only if any agent has a contact state.
const CONTACTS: u32 = u32::from_le_bytes(*b"CONT");
/// The mark of the part on layers, present only if there are several.
const LAYERS: u32 = u32::from_le_bytes(*b"LAYR");
/// The mark of the part on crowd density, present only if there is any.
const DENSITY: u32 = u32::from_le_bytes(*b"DENS");
/// The mark of the part on issued ids, present only in saves of swarms that loaded a state from their own past.
const ISSUED: u32 = u32::from_le_bytes(*b"IDS ");
/// Length of the checksum at the end.
const CHECKSUM: usize = 8;

/// Bytes of an agent in all columns together, at least.
const AGENT: usize = 8 + 5 * 8 + 4 + 4;
/// The largest coordinate of an agent. A change to a smaller grid leaves agents outside, where a larger grid was. Twice
/// the largest grid leaves room for pushes.
const FARTHEST: f32 = 2.0 * MAX_DISTANCE * MAX_CELL_SIZE;
/// The largest valid number of steps, arrivals and seconds without progress. No game reaches half of it, and sums stay
/// in range.
const MOST_TICKS: u64 = 1 << 62;
const MOST_STALLED: f32 = 1.0e9;
/// The greatest length of a heading, which rounding may increase.
const LONGEST_HEADING: f32 = 1.001;

impl Swarm {
    /// All agents as bytes for [`Self::load`]. Types, settings, seed, the groups' goals, bodies and areas are not
    /// saved; the caller sets them.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = self.state();
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    fn state(&self) -> Vec<u8> {
        let agents = &self.agents;
        let mut out = Writer::default();
        out.bytes.extend(MAGIC);
        out.u32(VERSION);
        out.u64(self.tick);
        out.u64(self.arrived_ever);
        let groups: Vec<&Group> = self.groups.iter().take(FIRST_ORDER).collect();
        let informed = groups.iter().rposition(|group| group.seen.is_some());
        let groups = &groups[..informed.map_or(0, |last| last + 1)];
        out.u32(groups.len() as u32);
        for group in groups {
            out.u32(u32::from(group.seen.is_some()));
            out.u64(group.seen.unwrap_or(0));
        }
        out.u32(agents.slots.len() as u32);
        out.u32(agents.free.len() as u32);
        out.u32(agents.len() as u32);
        for slot in &agents.slots {
            out.u32(slot.lives);
        }
        for &free in &agents.free {
            out.u32(free);
        }
        agents.write(&mut out);
        if self.groups.orders().next().is_some() {
            out.u32(ORDERS);
            self.write_orders(&mut out);
        }
        if self.marches().next().is_some() {
            out.u32(MARCHES);
            self.write_marches(&mut out);
        }
        // Positions belong to these layers. A single layer is not saved, as in older states.
        if self.layers.count() > 1 {
            let (low, row_size) = self.layers.scale();
            out.u32(LAYERS);
            out.u32(self.layers.count());
            out.u32(self.layers.rows());
            out.vector(Vec2::new(low, row_size));
        }
        if self.has_density() {
            out.u32(DENSITY);
            self.density.write(&mut out);
        }
        // Saved only if they do not follow from the slots' lives.
        if agents.issued != agents.issued_by_lives() {
            out.u32(ISSUED);
            out.u32(agents.issued.len() as u32);
            agents.issued.iter().for_each(|&issued| out.u32(issued));
        }
        out.bytes
    }

    /// Replaces all agents by those of [`Self::save`]. Set types and the groups' goals first, and bodies
    /// and areas to where they were in the last step: agents that touch a body or are in an area then count
    /// as having been there.
    ///
    /// The ids of the saved agents are valid again. Ids that this swarm has issued since, or before in another
    /// history, name nothing from then on and are not issued again: agents spawned after the load get the slots
    /// that they got after the save, with later generations. Nothing but these numbers depends on what was
    /// loaded in between, so a run that is repeated from a save has the same agents, in the same slots and the
    /// same order, the same events and the same [`Self::state_hash`]. A swarm that has issued no ids since the
    /// save, such as a new one, gives the same ids too. Machines that may have loaded different saves can name
    /// agents to each other by slot: [`Self::id_in_slot`].
    ///
    /// # Errors
    /// [`Error::BadBytes`](crate::Error::BadBytes) if the bytes are of another version, cut short, altered so
    /// that they make no sense, or refer to agent types that this swarm has not; nothing is changed then.
    pub fn load(&mut self, bytes: &[u8]) -> Result<()> {
        let mut input = checked(bytes)?;
        let tick = read_count(&mut input)?;
        let arrived_ever = read_count(&mut input)?;
        let seen = read_groups(&mut input)?;
        let mut agents = read_agents(&mut input, self.types.len())?;
        agents.issued = agents.issued_by_lives();
        let mut layers = Layers::default();
        let mut density = Density::default();
        let (mut orders, mut marches) = (Vec::new(), Vec::new());
        while !input.rest.is_empty() {
            match input.u32()? {
                CONTACTS => {
                    let read = |input: &mut Reader<'_>| input.u64().map(ContactState::from_bits);
                    agents.contact = input.array(agents.len(), 8, read)?;
                }
                USER => agents.user = UserColumns::read(agents.len(), &mut input)?,
                FACTORS => agents.factors = Factors::read(agents.len(), &mut input)?,
                MARCHES => marches = read_marches(&mut input)?,
                ORDERS => orders = read_orders(&mut agents, &mut input)?,
                LAYERS => layers = read_layers(&mut input)?,
                DENSITY => density = Density::read(&mut input)?,
                ISSUED => {
                    let slots = input.u32()? as usize;
                    agents.issued = input.array(slots, 4, Reader::u32)?;
                }
                _ => return Err(input.bad("it has an unknown part")),
            }
        }
        agents
            .link_slots()
            .map_err(|()| input.bad("its ids contradict each other"))?;
        let is_march = |march: &March| {
            let order = orders
                .iter()
                .find(|order: &&(usize, Group)| order.0 == march.order.into());
            let order = order.and_then(|(_, group)| group.order.as_ref());
            order.is_some_and(|order| order.purpose == Purpose::March)
        };
        if !marches.iter().all(is_march) {
            return Err(input.bad("it has a march without an order"));
        }
        agents.remember_ids_of(&self.agents);
        self.agents = agents;
        self.layers = layers;
        self.density = density;
        self.tick = tick;
        self.arrived_ever = arrived_ever;
        let holds: Vec<_> = self
            .groups
            .orders()
            .filter_map(|(_, group, order)| Some((group.goal?, order.hold.clone()?)))
            .collect();
        self.groups.end_orders();
        if !seen.is_empty() {
            self.groups.entry(seen.len() - 1);
        }
        for (index, group) in self.groups.iter_mut().enumerate() {
            group.seen = seen.get(index).copied().flatten();
        }
        for (number, mut group) in orders {
            // Goals that are still there must not be released for want of a holder.
            let held = holds.iter().find(|(goal, _)| group.goal == Some(*goal));
            if let (Some(order), Some((_, hold))) = (&mut group.order, held) {
                order.hold = Some(hold.clone());
            }
            *self.groups.entry(number) = group;
        }
        self.marches = marches;
        self.count_orders();
        self.events.clear();
        self.buckets.invalidate();
        self.bodies.recall(&self.agents, &self.types);
        self.areas.recall(&self.agents, &self.types);
        Ok(())
    }
}

impl Swarm {
    /// Writes the orders in use, and the group or order that each agent follows.
    fn write_orders(&self, out: &mut Writer) {
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
}

/// Reads the orders by their numbers, and which of them agents follow.
fn read_orders(agents: &mut Agents, input: &mut Reader<'_>) -> Result<Vec<(usize, Group)>> {
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
        return Err(input.bad("it has an order that nobody follows"));
    }
    agents.goal_group = followed;
    Ok(orders)
}

impl Swarm {
    fn write_marches(&self, out: &mut Writer) {
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

fn read_marches(input: &mut Reader<'_>) -> Result<Vec<March>> {
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

impl Agents {
    /// Writes all columns except those for drawing.
    fn write(&self, out: &mut Writer) {
        // Every field is named, so that none is forgotten.
        let Self {
            slots: _,
            free: _,
            issued: _,
            id,
            key: _,
            position,
            velocity,
            heading,
            scripted,
            target,
            anchor,
            stalled,
            contact,
            kind,
            group,
            goal_group: _,
            state,
            flags,
            user,
            factors,
            trail: _,
        } = self;
        for id in id {
            out.u64(id.bits());
        }
        for column in [position, velocity, heading, scripted, anchor] {
            for &vector in column {
                out.vector(vector);
            }
        }
        for stalled in stalled {
            out.u32(stalled.to_bits());
        }
        out.bytes.extend(kind);
        out.bytes.extend(group);
        out.bytes.extend(state.iter().map(|&state| state as u8));
        out.bytes.extend(flags);
        for (target, flags) in target.iter().zip(flags) {
            if flags & flag::OWN_TARGET != 0 {
                out.vector(*target);
            }
        }
        // Most crowds have no contact states, as in older states.
        if contact
            .iter()
            .any(|&state| state != ContactState::default())
        {
            out.u32(CONTACTS);
            contact.iter().for_each(|state| out.u64(state.bits()));
        }
        let used = user.used();
        if used != 0 {
            out.u32(USER);
            user.write(used, out);
        }
        let used = factors.used();
        if used != 0 {
            out.u32(FACTORS);
            factors.write(used, out);
        }
    }
}

/// The bytes between head and checksum, if both are valid.
fn checked(bytes: &[u8]) -> Result<Reader<'_>> {
    let mut input = Reader::new(NAME, bytes);
    if input.take(MAGIC.len())? != MAGIC {
        return Err(input.bad("it is not a saved swarm"));
    }
    let version = input.u32()?;
    if version != VERSION {
        let reason = format!("its version is {version}, not {VERSION}");
        return Err(input.bad(&reason));
    }
    let end = input.rest.len().saturating_sub(CHECKSUM);
    let (rest, sum) = input.rest.split_at(end);
    if checksum(&bytes[..bytes.len() - sum.len()]).to_le_bytes() != sum {
        return Err(input.bad("it is cut short or altered"));
    }
    input.rest = rest;
    Ok(input)
}

fn read_count(input: &mut Reader<'_>) -> Result<u64> {
    let count = input.u64()?;
    if count > MOST_TICKS {
        return Err(input.bad("it is too old"));
    }
    Ok(count)
}

/// The signature of each group's targets in the last step.
fn read_groups(input: &mut Reader<'_>) -> Result<Vec<Option<u64>>> {
    let groups = input.u32()? as usize;
    if groups > MAX_GROUPS {
        return Err(input.bad("it has too many groups"));
    }
    input.array(groups, 12, |input| match (input.u32()?, input.u64()?) {
        (0, 0) => Ok(None),
        (1, signature) => Ok(Some(signature)),
        _ => Err(input.bad("it has a group with an unknown mark")),
    })
}

/// The layout of the layers that positions belong to.
fn read_layers(input: &mut Reader<'_>) -> Result<Layers> {
    let (count, rows) = (input.u32()?, input.u32()?);
    let Vec2 {
        x: low,
        y: row_size,
    } = input.vector()?;
    let rows = i32::try_from(rows).unwrap_or(i32::MAX);
    let grid = Grid::layered(IVec2::new(1, rows), row_size, Vec2::new(0.0, low), count);
    let grid = grid.map_err(|_| input.bad("its layers make no sense"))?;
    Ok(*grid.layers())
}

fn read_agents(input: &mut Reader<'_>, types: usize) -> Result<Agents> {
    let slots = input.u32()? as usize;
    let free = input.u32()? as usize;
    let count = input.u32()? as usize;
    if count > MAX_AGENTS || count > slots || free > slots - count {
        return Err(input.bad("its counts contradict each other"));
    }
    if slots > input.rest.len() / 4 || count > input.rest.len() / AGENT {
        return Err(input.bad("it is cut short"));
    }
    let mut agents = Agents {
        slots: input.array(slots, 4, |input| {
            Ok(Slot {
                generation: 0,
                lives: input.u32()?,
                index: FREE,
            })
        })?,
        free: input.array(free, 4, Reader::u32)?,
        issued: Vec::new(),
        id: input.array(count, 8, |input| Ok(AgentId::from_bits(input.u64()?)))?,
        key: Vec::new(),
        position: input.array(count, 8, read_place)?,
        velocity: input.array(count, 8, read_velocity)?,
        heading: input.array(count, 8, |input| {
            read_within(input, LONGEST_HEADING, "it has a heading that is too long")
        })?,
        scripted: input.array(count, 8, read_velocity)?,
        anchor: input.array(count, 8, read_place)?,
        stalled: input.array(count, 4, |input| match input.number()? {
            seconds if (0.0..=MOST_STALLED).contains(&seconds) => Ok(seconds),
            _ => Err(input.bad("it has agents that are stuck for an impossible time")),
        })?,
        kind: input.take(count)?.to_vec(),
        group: input.take(count)?.to_vec(),
        goal_group: Vec::new(),
        state: input.array(count, 1, |input| {
            let state = AgentState::from_number(i64::from(input.u8()?));
            state.map_err(|_| input.bad("it has an unknown state"))
        })?,
        flags: input.take(count)?.to_vec(),
        contact: vec![ContactState::default(); count],
        target: Vec::new(),
        user: UserColumns::default(),
        factors: Factors::default(),
        trail: Trail::default(),
    };
    agents.goal_group = agents.group.iter().copied().map(u16::from).collect();
    agents.target.reserve_exact(count);
    for flags in &agents.flags {
        agents.target.push(match flags & flag::OWN_TARGET {
            0 => Vec2::ZERO,
            _ => read_place(input)?,
        });
    }
    if agents.kind.iter().any(|&kind| usize::from(kind) >= types) {
        return Err(input.bad("it has agents of a type that this swarm has not"));
    }
    Ok(agents)
}

/// A valid position of an agent.
fn read_place(input: &mut Reader<'_>) -> Result<Vec2> {
    let place = input.vector()?;
    if place.abs().max_element() > FARTHEST {
        return Err(input.bad("it has agents that are too far away"));
    }
    Ok(place)
}

fn read_velocity(input: &mut Reader<'_>) -> Result<Vec2> {
    // Limiting a speed may round it up.
    read_within(input, 1.001 * MAX_SPEED, "it has agents that are too fast")
}

/// A vector that is no longer than `most`.
fn read_within(input: &mut Reader<'_>, most: f32, reason: &str) -> Result<Vec2> {
    let vector = input.vector()?;
    if vector.length() > most {
        return Err(input.bad(reason));
    }
    Ok(vector)
}

impl UserColumns {
    /// A bit for each column with a number that is not 0: integers first, then floats.
    fn used(&self) -> u32 {
        let ints = self
            .ints
            .iter()
            .map(|column| column.iter().any(|&n| n != 0));
        let floats = self.floats.iter();
        let floats = floats.map(|column| column.iter().any(|number| number.to_bits() != 0));
        let bits = ints.chain(floats).enumerate();
        bits.fold(0, |all, (bit, used)| all | u32::from(used) << bit)
    }

    fn write(&self, used: u32, out: &mut Writer) {
        out.u32(used);
        for column in columns_of(&self.ints, used) {
            column
                .iter()
                .for_each(|number| out.u32(number.cast_unsigned()));
        }
        for column in columns_of(&self.floats, used >> USER_COLUMNS) {
            column.iter().for_each(|number| out.u32(number.to_bits()));
        }
    }

    fn read(count: usize, input: &mut Reader<'_>) -> Result<Self> {
        let used = input.u32()?;
        if used == 0 || used >> (2 * USER_COLUMNS) != 0 {
            return Err(input.bad("it has unknown columns"));
        }
        let mut user = Self::default();
        for column in 0..USER_COLUMNS {
            if used >> column & 1 != 0 {
                user.ints[column] =
                    input.array(count, 4, |input| Ok(input.u32()?.cast_signed()))?;
            }
        }
        for column in 0..USER_COLUMNS {
            if used >> (USER_COLUMNS + column) & 1 != 0 {
                user.floats[column] = input.array(count, 4, Reader::number)?;
            }
        }
        Ok(user)
    }
}

impl Factors {
    /// A bit for each column with a factor that is not 1: speeds, sizes, colours.
    fn used(&self) -> u32 {
        let is_used = [
            self.speed.iter().any(|&factor| factor != 1.0),
            self.size.iter().any(|&factor| factor != 1.0),
            self.color.iter().any(|&color| color != WHITE),
        ];
        let bits = is_used.into_iter().enumerate();
        bits.fold(0, |all, (bit, used)| all | u32::from(used) << bit)
    }

    fn write(&self, used: u32, out: &mut Writer) {
        out.u32(used);
        for (bit, column) in [&self.speed, &self.size].into_iter().enumerate() {
            if used >> bit & 1 != 0 {
                column.iter().for_each(|factor| out.u32(factor.to_bits()));
            }
        }
        if used & 4 != 0 {
            let channels = self.color.iter().flatten();
            channels.for_each(|channel| out.u32(channel.to_bits()));
        }
    }

    fn read(count: usize, input: &mut Reader<'_>) -> Result<Self> {
        let used = input.u32()?;
        if used == 0 || used > 7 {
            return Err(input.bad("it has unknown factors"));
        }
        let mut factors = Self::default();
        let columns = [
            (&mut factors.speed, AGENT_SPEED_FACTORS),
            (&mut factors.size, AGENT_SIZE_FACTORS),
        ];
        for (bit, (column, (least, most))) in columns.into_iter().enumerate() {
            if used >> bit & 1 != 0 {
                *column = input.array(count, 4, |input| match input.number()? {
                    factor if (least..=most).contains(&factor) => Ok(factor),
                    _ => Err(input.bad("it has a factor that is out of its range")),
                })?;
            }
        }
        if used & 4 != 0 {
            factors.color = input.array(count, 16, |input| {
                let mut color = WHITE;
                for channel in &mut color {
                    *channel = input.number()?;
                }
                match color.iter().all(|channel| channel.abs() <= MOST_COLOR) {
                    true => Ok(color),
                    false => Err(input.bad("it has a colour that is out of its range")),
                }
            })?;
        }
        Ok(factors)
    }
}

/// The columns whose bits are set.
fn columns_of<T>(columns: &[Vec<T>], used: u32) -> impl Iterator<Item = &Vec<T>> {
    let columns = columns.iter().enumerate();
    columns.filter_map(move |(bit, column)| (used >> bit & 1 != 0).then_some(column))
}
