//! The whole state of a world as bytes.
//!
//! What was given to the world is saved, and what follows from that is built again. What depends on the order of calls
//! is saved as it is: routes, tiles, waiting lists, and how far unfinished work has come.
//!
//! Reading order: `configuration` (what a save is accepted for), `sources` (terrain, stamps, links and their like),
//! `next_costs` (costs that are written in slices),
//! `pending` (edits that no update has applied yet), `goals`, `fields` (whole fields), and `first_fields` (those that
//! are built in slices). The files
//! `tiled/saved_states` and `walking/saved` have the rest.
//!
//! - Saving changes nothing, and what is saved does not depend on queries.
//! - Bytes are read completely before anything is changed.

pub(super) mod configuration;
mod fields;
mod first_fields;
mod goals;
mod next_costs;
mod pending;
mod sources;

use crate::bytes::{Reader, Saved as _, Source as _, Unpacker, Writer, checksum, pack};
use crate::error::Result;
use crate::world::FlowWorld;
use crate::world::former_terrain::FormerTerrains;
use crate::world::goal::Goals;
use crate::world::movement_layer::MovementLayer;
use crate::world::saved::configuration::Configuration;
use crate::world::saved::fields::{LoadedField, PastCostsByRevision};
use crate::world::saved::first_fields::LoadedSlices;
use crate::world::saved::pending::Pending;
use crate::world::saved::sources::Sources;
use crate::world::tiled::saved_states::{LoadedTiling, ReadContext};

const MAGIC: [u8; 8] = *b"FLOWWRLD";
const VERSION: u32 = 10;
/// The name in errors.
const NAME: &str = "world state";
/// The length of the checksum at the end.
const CHECKSUM: usize = 8;
/// The most updates of a world. No game reaches half of it.
const MOST_TICKS: u64 = 1 << 62;

/// A world that was read.
struct Loaded {
    sources: Sources,
    former: FormerTerrains,
    pending: Pending,
    goals: Goals,
    layers: Vec<MovementLayer>,
    last_revision: u64,
    tick: u64,
    tiling: LoadedTiling,
    fields: Vec<LoadedField>,
    past_costs: PastCostsByRevision,
    slices: LoadedSlices,
}

impl FlowWorld {
    /// The whole state as bytes for [`Self::load_state`]: terrain, stamps, links, heights, cost overlays, crowds as
    /// swarms have reported them, entities, goals with their ids, and how far fields, routes, tiles and waiting
    /// requests have come. The configuration is not part of it: grid, movement types, solver, direction rule, sector
    /// size, variant of tiles and limits.
    ///
    /// Saving changes nothing. With a background, fields that are being built are built again after a load.
    ///
    /// Linear in the cells of the map and in what the world holds.
    ///
    /// # Errors
    /// [`Error::NotSaved`](crate::Error::NotSaved) if movement types have changed since the last update while there are
    /// tiled goals.
    pub fn save_state(&self) -> Result<Vec<u8>> {
        let mut body = Writer::default();
        Configuration::of(self).write(&mut body);
        self.write_next(&mut body);
        self.write_pending(&mut body);
        body.bytes.extend(self.history()?.bytes);
        self.write_fields(&mut body);
        self.write_slices(&mut body);
        let mut out = Writer::default();
        out.bytes.extend(MAGIC);
        out.u32(VERSION);
        pack(&body.bytes, &mut out);
        out.u64(checksum(&out.bytes));
        Ok(out.bytes)
    }

    /// A number that is the same for two worlds exactly if they have the same state (up to chance, 64 bits), for
    /// lockstep games and tests to compare after an update. It costs about as much as [`Self::save_state`].
    ///
    /// Edits that no update has applied yet count as they are in the terrain. How far whole fields have come does not
    /// count: they follow from the rest, and queries may build them earlier. Queries do not change the number.
    ///
    /// # Errors
    /// As for [`Self::save_state`].
    pub fn world_hash(&self) -> Result<u64> {
        let mut history = self.history()?;
        if self.has_next_costs() {
            self.write_next(&mut history);
        }
        Ok(checksum(&history.bytes))
    }

    /// Replaces the whole state by that of [`Self::save_state`]. From then on everything is as it was after the save,
    /// bit for bit: what updates and queries return, and what swarms do that load their state of the same moment
    /// ([`Swarm::load_in`](crate::swarm::Swarm::load_in)). Load the world first, and all swarms before the next update.
    ///
    /// Ids of goals, stamps, links and overlays are those of the save, and those that were given later are given again.
    /// Routes that only queries have searched are searched again, which may find other ones of about the same cost.
    ///
    /// Linear in the cells of the map and the bytes. The fields of goals are solved again. Memory is taken for what the
    /// bytes hold, for the map, and for the fields of goals.
    ///
    /// # Errors
    /// [`Error::BadBytes`](crate::Error::BadBytes) if the bytes have another version, are cut short or altered, make no
    /// sense, or were saved with another configuration. Nothing is changed then.
    pub fn load_state(&mut self, bytes: &[u8]) -> Result<()> {
        let loaded = self.read_state(bytes)?;
        self.take_over(loaded);
        self.follow_loaded_goals();
        Ok(())
    }

    /// What follows from the orders so far.
    fn history(&self) -> Result<Writer> {
        let mut out = Writer::default();
        self.write_sources(&mut out);
        self.walking.tick().write(&mut out);
        self.goals.write(&mut out);
        self.write_tiling(&mut out)?;
        Ok(out)
    }

    fn read_state(&self, bytes: &[u8]) -> Result<Loaded> {
        let mut input = checked(bytes)?;
        Configuration::of(self).check(&mut input)?;
        let (next, former) = self.read_next(&mut input)?;
        let (pending, differences) = Pending::read(&mut input, self)?;
        let sources = Sources::read(&mut input, self)?;
        if !former.lead_to(&sources.terrain) {
            return Err(input.bad("it has former terrains that make no sense"));
        }
        let mut last_revision = self.last_revision;
        let next = (next, &former);
        let mut layers = self.layers_on(&sources, next, (&pending, differences), &mut input)?;
        let tick = u64::read(&mut input)?;
        if tick > MOST_TICKS {
            return Err(input.bad("it is too old"));
        }
        if tick == 0 && former.in_use.is_some() {
            return Err(input.bad("it has costs in slices before its first update"));
        }
        let mut goals = Goals::read(&mut input, &self.grid)?;
        let mut context = ReadContext {
            grid: self.grid,
            layers: &mut layers,
            goals: &mut goals,
            tiling: &self.tiling,
            tick,
            workers: &self.workers,
            scratch: &self.builder.scratch,
        };
        let tiling = context.read(&mut input, &mut last_revision)?;
        let fields = self.read_fields(&mut input, &layers, (&mut goals, tick))?;
        let past_costs = Self::past_costs_of(&fields, &layers, &input)?;
        let slices = self.read_slices(&mut input, &layers, (&goals, tick))?;
        if !input.is_at_end() {
            return Err(input.bad("there is something after its end"));
        }
        Ok(Loaded {
            sources,
            former,
            pending,
            goals,
            layers,
            last_revision,
            tick,
            tiling,
            fields,
            past_costs,
            slices,
        })
    }

    fn take_over(&mut self, loaded: Loaded) {
        let Loaded {
            sources,
            former,
            pending,
            mut goals,
            layers,
            last_revision,
            tick,
            tiling,
            fields,
            past_costs,
            slices,
        } = loaded;
        goals.recognize(&mut self.goals, &pending.held, &self.builder.scratch);
        self.goals = goals;
        self.layers = layers;
        self.former = former;
        self.last_revision = last_revision;
        self.walking.set_tick(tick);
        self.tiling.take_over(tiling);
        self.put_sources(sources);
        self.put_pending(pending);
        self.put_slices(slices);
        self.solve_fields(fields, &past_costs);
    }
}

/// The body, if the bytes are complete.
fn checked(bytes: &[u8]) -> Result<Unpacker<'_>> {
    let mut input = Reader::new(NAME, bytes);
    if input.take(MAGIC.len()).ok() != Some(&MAGIC[..]) {
        return Err(input.bad("it is not a saved world"));
    }
    let version = input.u32()?;
    if version != VERSION {
        return Err(input.bad(&format!("its version is {version}, not {VERSION}")));
    }
    let end = bytes.len().saturating_sub(CHECKSUM);
    let sum = checksum(&bytes[..end]).to_le_bytes();
    if bytes[end..] != sum || input.rest.len() < CHECKSUM {
        return Err(input.bad("it is cut short or altered"));
    }
    input.rest = &input.rest[..input.rest.len() - CHECKSUM];
    Ok(Unpacker::new(input))
}
