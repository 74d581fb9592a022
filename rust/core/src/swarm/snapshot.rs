//! The whole state of a swarm as bytes, and a hash of it.

use super::agents::{AgentState, Agents, FREE, Slot, flag};
use super::density::{CELLS, Density, WHOLE};
use super::trail::Trail;
use super::user_columns::{USER_COLUMNS, UserColumns};
use super::{AgentId, Group, MAX_AGENTS, MAX_GROUPS, MAX_SPEED, Swarm};
use crate::bytes::{Reader, Writer, checksum};
use crate::error::{Error, Result};
use crate::grid::Grid;
use crate::layers::Layers;
use crate::movement::MOST_CROWDING;
use glam::{UVec2, Vec2};

const MAGIC: [u8; 8] = *b"FLOWSWRM";
/// What errors call it.
const NAME: &str = "state";
const VERSION: u32 = 1;
/// Begins the part with numbers of the game's own, which only saves with such numbers have.
const USER: u32 = u32::from_le_bytes(*b"USER");
/// Begins the part on layers, which only saves with several have.
const LAYERS: u32 = u32::from_le_bytes(*b"LAYR");
/// Begins the part on how crowded the ground is, which only saves of swarms that mind have.
const DENSITY: u32 = u32::from_le_bytes(*b"DENS");
/// Length of the checksum at the end.
const CHECKSUM: usize = 8;

impl Swarm {
    /// A number that is the same for two swarms exactly if all agents are (up to chance, 64 bits).
    ///
    /// It covers what the next step depends on apart from types, settings, seed, the groups' goals,
    /// bodies, areas and the world.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        checksum(&self.state())
    }

    /// All agents as bytes for [`Self::load`]. Types, settings, seed, the groups' goals, bodies and
    /// areas are the caller's, and stay so.
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
        let informed = self.groups.iter().rposition(|group| group.seen.is_some());
        let groups = &self.groups[..informed.map_or(0, |last| last + 1)];
        out.u32(groups.len() as u32);
        for group in groups {
            out.u32(u32::from(group.seen.is_some()));
            out.u64(group.seen.unwrap_or(0));
        }
        out.u32(agents.slots.len() as u32);
        out.u32(agents.free.len() as u32);
        out.u32(agents.len() as u32);
        for slot in &agents.slots {
            out.u32(slot.generation);
        }
        for &free in &agents.free {
            out.u32(free);
        }
        agents.write(&mut out);
        // Positions are places of these layers. Without several there is nothing to say, as in older states.
        if self.layers.count() > 1 {
            let (low, row_size) = self.layers.scale();
            out.u32(LAYERS);
            out.u32(self.layers.count());
            out.u32(self.layers.rows());
            out.vector(Vec2::new(low, row_size));
        }
        if self.has_density() {
            out.u32(DENSITY);
            write_density(&mut out, &self.density);
        }
        out.bytes
    }

    /// Replaces all agents by those of [`Self::save`]. Set types and the groups' goals first, and bodies
    /// and areas to where they were in the last step: who touches a body or is in an area then counts
    /// as having been there.
    ///
    /// # Errors
    /// [`Error::BadBytes`] if the bytes are of another version, cut short, altered so that they
    /// make no sense, or refer to agent types that this swarm has not; nothing is changed then.
    pub fn load(&mut self, bytes: &[u8]) -> Result<()> {
        let mut input = Reader::new(NAME, bytes);
        if input.take(MAGIC.len())? != MAGIC {
            return Err(bad("it is not a saved swarm"));
        }
        let version = input.u32()?;
        if version != VERSION {
            return Err(bad(&format!("its version is {version}, not {VERSION}")));
        }
        let end = input.rest.len().saturating_sub(CHECKSUM);
        let (rest, sum) = input.rest.split_at(end);
        if checksum(&bytes[..bytes.len() - sum.len()]).to_le_bytes() != sum {
            return Err(bad("it is cut short or altered"));
        }
        input.rest = rest;
        let tick = input.u64()?;
        let arrived_ever = input.u64()?;
        let seen = read_groups(&mut input)?;
        let mut agents = read_agents(&mut input, self.types.len())?;
        let mut layers = Layers::default();
        let mut density = Density::default();
        while !input.rest.is_empty() {
            match input.u32()? {
                USER => agents.user = UserColumns::read(agents.len(), &mut input)?,
                LAYERS => layers = read_layers(&mut input)?,
                DENSITY => density = read_density(&mut input)?,
                _ => return Err(bad("it has an unknown part")),
            }
        }
        self.agents = agents;
        self.layers = layers;
        self.density = density;
        self.tick = tick;
        self.arrived_ever = arrived_ever;
        if self.groups.len() < seen.len() {
            self.groups.resize(seen.len(), Group::default());
        }
        for (index, group) in self.groups.iter_mut().enumerate() {
            group.seen = seen.get(index).copied().flatten();
        }
        self.events.clear();
        self.buckets.invalidate();
        self.bodies.recall(&self.agents, &self.types);
        self.areas.recall(&self.agents, &self.types);
        Ok(())
    }
}

impl Agents {
    /// All columns but those that are for drawing alone.
    fn write(&self, out: &mut Writer) {
        // Every field is named, so that none is forgotten.
        let Self {
            slots: _,
            free: _,
            id,
            position,
            velocity,
            heading,
            scripted,
            target,
            anchor,
            stalled,
            kind,
            group,
            state,
            flags,
            user,
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
        let used = user.used();
        if used != 0 {
            out.u32(USER);
            user.write(used, out);
        }
    }
}

fn bad(reason: &str) -> Error {
    Error::BadBytes {
        name: NAME,
        reason: reason.to_owned(),
    }
}

/// What each group's agents know of its goal.
fn read_groups(input: &mut Reader<'_>) -> Result<Vec<Option<u64>>> {
    let groups = input.u32()? as usize;
    if groups > MAX_GROUPS {
        return Err(bad("it has too many groups"));
    }
    input.array(groups, |input| {
        let informed = input.u32()? != 0;
        let signature = input.u64()?;
        Ok(informed.then_some(signature))
    })
}

/// Where the layers lie that positions belong to.
fn read_layers(input: &mut Reader<'_>) -> Result<Layers> {
    let (count, rows) = (input.u32()?, input.u32()?);
    let scale = input.vector()?;
    if rows == 0 || rows > 1 << 26 || scale.y <= 0.0 {
        return Err(bad("its layers make no sense"));
    }
    Layers::new(count, rows, scale.x, scale.y).map_err(|_| bad("it has too many layers"))
}

fn read_agents(input: &mut Reader<'_>, types: usize) -> Result<Agents> {
    let slots = input.u32()? as usize;
    let free = input.u32()? as usize;
    let count = input.u32()? as usize;
    if count > MAX_AGENTS || count > slots || free > slots - count || slots > input.rest.len() {
        return Err(bad("its counts contradict each other"));
    }
    let mut agents = Agents {
        slots: input.array(slots, |input| {
            Ok(Slot {
                generation: input.u32()?,
                index: FREE,
            })
        })?,
        free: input.array(free, Reader::u32)?,
        id: input.array(count, |input| Ok(AgentId::from_bits(input.u64()?)))?,
        position: input.array(count, Reader::vector)?,
        velocity: input.array(count, Reader::vector)?,
        heading: input.array(count, Reader::vector)?,
        scripted: input.array(count, Reader::vector)?,
        anchor: input.array(count, Reader::vector)?,
        stalled: input.array(count, Reader::number)?,
        kind: input.take(count)?.to_vec(),
        group: input.take(count)?.to_vec(),
        state: input.array(count, |input| {
            AgentState::from_number(i64::from(input.take(1)?[0]))
                .map_err(|_| bad("it has an unknown state"))
        })?,
        flags: input.take(count)?.to_vec(),
        target: Vec::new(),
        user: UserColumns::default(),
        trail: Trail::default(),
    };
    agents.target = agents
        .flags
        .iter()
        .map(|flags| match flags & flag::OWN_TARGET {
            0 => Ok(Vec2::ZERO),
            _ => input.vector(),
        })
        .collect::<Result<_>>()?;
    if agents.kind.iter().any(|&kind| usize::from(kind) >= types) {
        return Err(bad("it has agents of a type that this swarm has not"));
    }
    let speeds = agents.velocity.iter().chain(&agents.scripted);
    // Limiting a speed may round it up.
    if speeds
        .map(|velocity| velocity.length())
        .any(|speed| speed > 1.001 * MAX_SPEED)
    {
        return Err(bad("it has agents that are too fast"));
    }
    agents
        .link_slots()
        .map_err(|()| bad("its ids contradict each other"))?;
    Ok(agents)
}

fn write_density(out: &mut Writer, density: &Density) {
    out.u32(density.size.x as u32);
    out.u32(density.size.y as u32);
    out.u32(density.since.to_bits());
    out.u32(density.blocks().count() as u32);
    for (key, block) in density.blocks() {
        out.u32(key as u32);
        for covered in block.covered {
            out.bytes.extend(covered.to_le_bytes());
        }
        out.bytes.extend(block.levels);
    }
}

fn read_density(input: &mut Reader<'_>) -> Result<Density> {
    let (width, height) = (input.u32()?, input.u32()?);
    let size = Grid::new(UVec2::new(width, height).as_ivec2(), 1.0, Vec2::ZERO)
        .map_err(|_| bad("its grid is too large"))?
        .size();
    let mut density = Density::default();
    density.lay_out(size);
    density.since = input.number()?;
    let mut after = 0;
    for _ in 0..input.u32()? {
        let key = input.u32()? as usize;
        if key < after || key >= density.grid_blocks() {
            return Err(bad("its blocks contradict each other"));
        }
        after = key + 1;
        let covered = input.take(2 * CELLS)?;
        let levels = input.take(CELLS)?;
        let block = density.block_at(key);
        for (to, from) in block.covered.iter_mut().zip(covered.chunks_exact(2)) {
            *to = u16::from_le_bytes([from[0], from[1]]);
        }
        block.levels.copy_from_slice(levels);
        let is_sound = block.covered.iter().all(|&covered| covered <= WHOLE)
            && block.levels.iter().all(|&level| level <= MOST_CROWDING);
        if !is_sound {
            return Err(bad("it has ground that is too crowded"));
        }
    }
    Ok(density)
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
            return Err(bad("it has unknown columns"));
        }
        let mut user = Self::default();
        for column in 0..USER_COLUMNS {
            if used >> column & 1 != 0 {
                user.ints[column] = input.array(count, |input| Ok(input.u32()?.cast_signed()))?;
            }
        }
        for column in 0..USER_COLUMNS {
            if used >> (USER_COLUMNS + column) & 1 != 0 {
                user.floats[column] = input.array(count, Reader::number)?;
            }
        }
        Ok(user)
    }
}

/// The columns whose bits are set.
fn columns_of<T>(columns: &[Vec<T>], used: u32) -> impl Iterator<Item = &Vec<T>> {
    let columns = columns.iter().enumerate();
    columns.filter_map(move |(bit, column)| (used >> bit & 1 != 0).then_some(column))
}
