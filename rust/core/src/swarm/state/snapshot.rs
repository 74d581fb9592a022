//! Saves the whole state of a swarm as bytes, and loads it.
//!
//! Whatever the bytes are, a loaded swarm can be stepped: each field is checked against the values that a swarm can
//! reach. Memory is allocated only for data that the bytes hold, and for as many blocks as a grid can have.

use crate::bytes::{Reader, Source, Writer, checksum};
use crate::error::Result;
use crate::grid::Grid;
use crate::grid::layers::Layers;
use crate::swarm::AgentId;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::density::Density;
use crate::swarm::limits::{MAX_AGENTS, MAX_GROUPS, MAX_SPEED};
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::{Agents, FREE, Slot};
use crate::swarm::state::factors::Factors;
use crate::swarm::state::group::{FIRST_ORDER, Group, Purpose};
use crate::swarm::state::march::March;
use crate::swarm::state::saved_clips;
use crate::swarm::state::saved_orders::{read_followers, read_marches, read_orders};
use crate::swarm::state::saved_rest::Rest;
use crate::swarm::state::saved_travels::read_travels;
use crate::swarm::state::saved_values::{LONGEST_HEADING, read_place, read_within};
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::trail::Trail;
use crate::swarm::state::user_columns::UserColumns;
use crate::world::FlowWorld;
use glam::{IVec2, Vec2};

const MAGIC: [u8; 8] = *b"FLOWSWRM";
/// The name of a save in errors.
const NAME: &str = "state";
const VERSION: u32 = 2;
/// The mark of the part with the game's own numbers, present only if there are any.
const USER: u32 = u32::from_le_bytes(*b"USER");
/// The mark of the part with the factors of single agents, present only if any is not 1.
const FACTORS: u32 = u32::from_le_bytes(*b"FACT");
/// The mark of the part with clips that are played, present only if there are any.
const CLIPS: u32 = u32::from_le_bytes(*b"CLIP");
/// The mark of the part with orders, present only if any agent follows one.
const ORDERS: u32 = u32::from_le_bytes(*b"ORDR");
/// The mark of the part with the types that have followed orders, present only if any does no more.
const FOLLOWERS: u32 = u32::from_le_bytes(*b"FLWR");
/// The mark of the part with marches, present only if there are any.
const MARCHES: u32 = u32::from_le_bytes(*b"MRCH");
/// The mark of the part on travels over links, present only if any agent is on a link.
const TRAVELS: u32 = u32::from_le_bytes(*b"TRVL");
/// The mark of the part on contacts, present only if any agent has a contact state.
const CONTACTS: u32 = u32::from_le_bytes(*b"CONT");
/// The mark of the part on queues before bottlenecks, present only if any agent is queued.
const QUEUES: u32 = u32::from_le_bytes(*b"QUEU");
/// The mark of the part on queues before wide bottlenecks, present only if any agent is in one. It follows that on
/// queues.
const ABREAST: u32 = u32::from_le_bytes(*b"ABRS");
/// The mark of the part on layers, present only if there are several.
const LAYERS: u32 = u32::from_le_bytes(*b"LAYR");
/// The mark of the part on crowd density, present only if there is any.
const DENSITY: u32 = u32::from_le_bytes(*b"DENS");
/// The mark of the part with everything beside agents. Older saves have none.
const REST: u32 = u32::from_le_bytes(*b"REST");
/// The mark of the part on issued ids, present only in saves of swarms that loaded a state from their own past.
const ISSUED: u32 = u32::from_le_bytes(*b"IDS ");
/// Length of the checksum at the end.
const CHECKSUM: usize = 8;

/// Bytes of an agent in all columns together, at least.
const AGENT: usize = 8 + 5 * 8 + 4 + 4;
/// The largest valid number of steps, arrivals and seconds without progress. No game reaches half of it, and sums stay
/// in range.
const MOST_TICKS: u64 = 1 << 62;
const MOST_STALLED: f32 = 1.0e9;
impl Swarm {
    /// The whole swarm as bytes for [`Self::load`]: agents, orders, groups with their goals, bodies, areas, force
    /// fields, settings and seed. Types are not saved; the caller sets them.
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
        if self.has_former_followers() {
            out.u32(FOLLOWERS);
            self.write_followers(&mut out);
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
        out.u32(REST);
        self.write_rest(&mut out);
        // Saved only if they do not follow from the slots' lives.
        if agents.issued != agents.issued_by_lives() {
            out.u32(ISSUED);
            out.u32(agents.issued.len() as u32);
            agents.issued.iter().for_each(|&issued| out.u32(issued));
        }
        out.bytes
    }

    /// [`Self::load`], and takes over at once what a world that was loaded as well keeps for this swarm: the temporary
    /// goals of its orders, which the next update would release, and its report of crowds.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn load_in(&mut self, world: &FlowWorld, bytes: &[u8]) -> Result<()> {
        self.load(bytes)?;
        self.join(world);
        Ok(())
    }

    /// Replaces the whole swarm by that of [`Self::save`]. Set types first. Goals of groups and orders are named by id:
    /// to go on exactly as after the save, load the state of the world of the same moment
    /// ([`FlowWorld::load_state`](crate::world::FlowWorld::load_state)) before.
    ///
    /// Saves of versions that saved agents alone leave everything else as it is. Set the groups' goals before, and
    /// bodies and areas to where they were in the last step: agents that touch a body or are in an area then count as
    /// having been there.
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
        let mut has_travels = false;
        let mut density = Density::default();
        let (mut orders, mut marches) = (Vec::new(), Vec::new());
        let mut rest = None;
        while !input.rest.is_empty() {
            match input.u32()? {
                CONTACTS => {
                    let read = |input: &mut Reader<'_>| input.u64().map(ContactState::from_bits);
                    agents.contact = input.array(agents.len(), 8, read)?;
                }
                QUEUES => {
                    for contact in &mut agents.contact {
                        *contact = contact.with_queue_bits(input.u8()?);
                    }
                }
                ABREAST => {
                    for contact in &mut agents.contact {
                        *contact = contact.with_abreast(read_abreast(&mut input)?);
                    }
                }
                USER => agents.user = UserColumns::read(agents.len(), &mut input)?,
                FACTORS => agents.factors = Factors::read(agents.len(), &mut input)?,
                TRAVELS => {
                    read_travels(&mut agents, &mut input)?;
                    has_travels = true;
                }
                CLIPS => agents.playing = saved_clips::read(agents.len(), &mut input)?,
                MARCHES => marches = read_marches(&mut input)?,
                ORDERS => orders = read_orders(&mut agents, &mut input)?,
                FOLLOWERS => read_followers(&mut orders, &mut input)?,
                LAYERS => layers = read_layers(&mut input)?,
                DENSITY => density = Density::read(&mut input)?,
                REST => rest = Some(Rest::read(&mut input)?),
                ISSUED => {
                    let slots = input.u32()? as usize;
                    agents.issued = input.array(slots, 4, Reader::u32)?;
                }
                _ => return Err(input.bad("it has an unknown part")),
            }
        }
        if !has_travels && agents.state.contains(&AgentState::Travelling) {
            return Err(input.bad("it has agents on links that lead nowhere"));
        }
        agents
            .link_slots()
            .map_err(|()| input.bad("its ids contradict each other"))?;
        let is_march = |march: &March| {
            let order = orders
                .iter()
                .find(|order: &&(usize, Group)| order.0 == usize::from(march.order));
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
        if let Some(rest) = rest {
            self.put_rest(rest);
        } else {
            self.bodies.recall(&self.agents, &self.types, &self.layers);
            self.areas.recall(&self.agents, &self.types, &self.layers);
        }
        Ok(())
    }
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
            travel: _,
            playing,
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
        if contact.iter().any(|state| state.queue_bits() != 0) {
            out.u32(QUEUES);
            out.bytes
                .extend(contact.iter().map(|state| state.queue_bits()));
        }
        if contact.iter().any(|state| state.is_abreast()) {
            out.u32(ABREAST);
            out.bytes
                .extend(contact.iter().map(|state| u8::from(state.is_abreast())));
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
        if state.contains(&AgentState::Travelling) {
            out.u32(TRAVELS);
            self.write_travels(out);
        }
        if playing.iter().any(Option::is_some) {
            out.u32(CLIPS);
            saved_clips::write(playing, out);
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
            let number = input.u8()?;
            if number == AgentState::Travelling as u8 {
                return Ok(AgentState::Travelling);
            }
            let state = AgentState::from_number(i64::from(number));
            state.map_err(|_| input.bad("it has an unknown state"))
        })?,
        flags: input.take(count)?.to_vec(),
        contact: vec![ContactState::default(); count],
        target: Vec::new(),
        user: UserColumns::default(),
        factors: Factors::default(),
        travel: Vec::new(),
        playing: Vec::new(),
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

/// Whether an agent queues in a row, from the part on such queues.
fn read_abreast(input: &mut Reader<'_>) -> Result<bool> {
    match input.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(input.bad("it has a queue of an unknown kind")),
    }
}

fn read_velocity(input: &mut Reader<'_>) -> Result<Vec2> {
    // Limiting a speed may round it up.
    read_within(input, 1.001 * MAX_SPEED, "it has agents that are too fast")
}
