//! One step of the crowd: sort, steer and move, commit, collect events.
//!
//! Steering reads the state of the tick before and writes to memory of its own,
//! so agents can be taken in any order by any number of threads. They are taken
//! in bucket order, where neighbours are close in memory.

mod commit;
pub(in crate::swarm) mod context;
pub(in crate::swarm) mod prepare;
pub(in crate::swarm) mod result;
pub(in crate::swarm) mod scratch;
mod steer;
mod update_lod;

use crate::error::{Error, Result};
use crate::swarm::avoidance::bucket_width;
use crate::swarm::limits::{CHUNK, MAX_STEP_SECONDS};
use crate::swarm::state::swarm::Swarm;
use crate::swarm::{ArrivalAction, Others};
use crate::world::FlowWorld;

impl Swarm {
    /// Moves all agents by `dt` seconds. A `dt` of 0 changes nothing.
    ///
    /// Fields that are not there ([`Self::request_routes`]) leave their agents waiting. After the
    /// first steps nothing is allocated.
    ///
    /// # Errors
    /// A `dt` outside 0..=[`MAX_STEP_SECONDS`], or an agent type whose movement type `world` does not
    /// have; nothing is changed then.
    pub fn step(&mut self, world: &FlowWorld, dt: f32) -> Result<()> {
        self.step_among(world, dt, Others::default())
    }

    /// [`Self::step`] among other swarms of the same world, whose agents those of
    /// [`Avoidance::Contact`](crate::swarm::Avoidance::Contact) keep out of where their masks say so.
    ///
    /// `others` are the outlines ([`Self::outline`]) of the other swarms, all from before any of them steps; then the
    /// result does not depend on the order in which they step. What is in outlines costs about as much as agents of this
    /// swarm would in the same places.
    ///
    /// # Errors
    /// Those of [`Self::step`].
    pub fn step_among(&mut self, world: &FlowWorld, dt: f32, others: Others<'_>) -> Result<()> {
        if !(0.0..=MAX_STEP_SECONDS).contains(&dt) {
            return Err(Error::OutOfRange {
                name: "delta",
                value: dt.into(),
                min: 0.into(),
                max: MAX_STEP_SECONDS.into(),
            });
        }
        for kind in &self.types {
            world.check_movement(kind.movement as i64)?;
        }
        self.check_reach(world)?;
        self.events.clear();
        if dt == 0.0 {
            return Ok(());
        }
        self.sync_layers(world);
        self.detect_goal_changes(world);
        self.find_routes(world);
        let workers = world.workers();
        let is_one_piece = self.agents.len() <= CHUNK;
        let mut phases = || {
            self.buckets.sort(
                world.grid(),
                &self.agents,
                &self.types,
                (bucket_width, dt),
                workers,
            );
            self.keep_neighbours_close(workers);
            self.apply_forces(workers, dt);
            self.measure_crowds();
            self.find_group_centers();
            self.prepare_avoidance(world, dt);
            self.steer(world, dt);
            self.project_positions(world, dt, others);
            let farthest = self
                .is_watched()
                .then(|| self.push_out_of_bodies(world, dt));
            self.note_trail();
            self.commit(world, dt);
            self.note_jumps(world);
            self.advance_walk_phase(workers);
            if let Some(farthest) = farthest {
                self.update_contacts(farthest, workers);
            }
        };
        // One change of threads for all phases; none for a crowd that is a single piece of work.
        if is_one_piece {
            phases();
        } else {
            workers.install(phases);
        }
        self.scratch.routes.clear();
        self.buckets.invalidate();
        self.tick += 1;
        self.events.collect(&self.agents, &self.scratch.old_flags);
        self.arrived_ever += self.events.arrived.len() as u64;
        if self.settings.arrival == ArrivalAction::Despawn {
            for &id in &self.events.arrived {
                self.agents.remove(id);
            }
        }
        self.measure_density(world, dt);
        if self.is_watched() {
            self.collect_contacts();
        }
        Ok(())
    }
}
