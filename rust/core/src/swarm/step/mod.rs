//! One step of the crowd: sort, steer and move, commit, collect events.
//!
//! [`Swarm::step_among`] is the list of stages. Read it first, then `context` (what steering reads), `result` (what it
//! writes), `steer`, `commit`, and `update_lod` (agents that decide less often). `prepare` measures whole groups, and
//! `scratch` is the memory of a step.
//!
//! - Steering reads the state before the step and writes only to [`StepResult`](result::StepResult)s, so agents can be
//!   steered in any order by any number of threads. They are steered in bucket order, where neighbours are close in
//!   memory.
//! - Before steering, stages may reorder the columns and change velocities (forces). From steering on, only
//!   [`Swarm::commit`] moves agents.
//! - After the first steps of a crowd nothing is allocated.

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
use crate::swarm::{ArrivalAction, Despawned, Others};
use crate::world::FlowWorld;

impl Swarm {
    /// Removes the agents that have arrived in this step.
    fn despawn_arrived(&mut self) {
        // Room for all agents is reserved at once, as for events.
        self.events.despawned.reserve(self.agents.len());
        for number in 0..self.events.arrived.len() {
            let id = self.events.arrived[number];
            if let Ok(index) = self.agents.find(id) {
                self.events.despawned.push(Despawned {
                    id,
                    kind: self.agents.kind[index],
                    group: self.agents.group[index],
                    position: self.agents.position[index],
                });
            }
            self.remove(id);
        }
    }

    /// Moves all agents by `dt` seconds. A `dt` of 0 changes nothing.
    ///
    /// Agents whose field is missing wait ([`Self::request_routes`] asks for fields). Request routes or update the
    /// world ([`FlowWorld::update`]) before each step: agents follow the fields that are there, and since then a query
    /// may have built some ahead, for edits and moves that the simulation does not know yet. After the first steps
    /// nothing is allocated.
    ///
    /// # Errors
    /// A `dt` outside 0..=[`MAX_STEP_SECONDS`], or an agent type whose movement type `world` does not
    /// have; nothing is changed then.
    pub fn step(&mut self, world: &FlowWorld, dt: f32) -> Result<()> {
        self.step_among(world, dt, Others::default())
    }

    /// [`Self::step`] among other swarms of the same world. Agents with
    /// [`Avoidance::Contact`](crate::swarm::Avoidance::Contact) keep out of the other swarms' agents that are in their
    /// collision mask.
    ///
    /// `others` are the outlines ([`Self::outline`]) of the other swarms, all made before any of them steps, so that
    /// the result does not depend on the order in which swarms step. An agent in an outline costs about as much as an
    /// agent of this swarm in the same place.
    ///
    /// # Errors
    /// The errors of [`Self::step`].
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
        self.lead_marches(world, dt);
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
            self.take_links(world, dt);
            self.project_positions(world, dt, others);
            let farthest = self
                .is_watched()
                .then(|| self.push_out_of_bodies(world, dt));
            self.note_trail();
            self.commit(world, dt);
            self.advance_travels(world, dt);
            self.advance_walk_phase(workers, dt);
            self.advance_clips(dt);
            if let Some(farthest) = farthest {
                self.update_contacts(farthest, workers);
            }
        };
        // The thread pool is entered once for all stages, and not at all for a crowd that is a single piece of work.
        if is_one_piece {
            phases();
        } else {
            workers.install(phases);
        }
        self.scratch.routes.clear();
        self.buckets.mark_moved();
        self.tick += 1;
        self.last_dt = dt;
        self.events.collect(&self.agents, &self.scratch.old_flags);
        self.arrived_ever += self.events.arrived.len() as u64;
        if self.settings.arrival == ArrivalAction::Despawn {
            self.despawn_arrived();
        }
        self.measure_density(world, dt);
        if self.is_watched() {
            self.collect_contacts();
        }
        Ok(())
    }
}
