//! Snapshots of a world in memory, to go back to.
//!
//! A snapshot holds what [a save](super::saved) holds, as it is in memory: the large parts are shared with the world
//! until either changes them. So it takes as long as there are parts, and memory for those that have changed since.

use crate::entities::EntityBuckets;
use crate::error::{Error, Result};
use crate::grid::link_travels::LinkTravels;
use crate::grid::links::{LinkList, Links};
use crate::grid::seams::Seams;
use crate::ground::Ground;
use crate::terrain::{Stamps, Terrain};
use crate::world::FlowWorld;
use crate::world::ahead::Ahead;
use crate::world::dirty::DirtyCells;
use crate::world::former_terrain::FormerTerrains;
use crate::world::goal::Goals;
use crate::world::goal_id::GoalId;
use crate::world::movement_layer::MovementLayer;
use crate::world::rolled_back::BeforeRollback;
use crate::world::saved::configuration::Configuration;
use crate::world::slices::Slices;
use crate::world::surcharges::Surcharges;
use crate::world::tiled::saved_states::LoadedTiling;
use crate::world::update::Update;
use std::mem::replace;
use std::sync::Arc;

/// The state of a world at one moment ([`FlowWorld::snapshot`]).
#[derive(Debug)]
pub struct WorldSnapshot {
    configuration: Configuration,
    ground: Ground,
    pub(super) terrain: Terrain,
    stamps: Stamps,
    links: LinkList,
    link_edges: Arc<Links>,
    seams: Arc<Seams>,
    travels: LinkTravels,
    pub(super) former: FormerTerrains,
    dirty: DirtyCells,
    ahead: Ahead,
    pub(super) layers: Vec<MovementLayer>,
    last_revision: u64,
    timeline: Arc<()>,
    pub(super) goals: Goals,
    /// The temporary goals that swarms held.
    held: Vec<GoalId>,
    news: Update,
    pub(super) tiling: LoadedTiling,
    tick: u64,
    slices: Slices,
    surcharges: Surcharges,
    entities: EntityBuckets,
}

impl WorldSnapshot {
    /// The number of updates before it ([`FlowWorld::tick`]).
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Lets go of fields and past costs, as the snapshot will not be restored. The world gives their memory back in
    /// parts.
    pub(crate) fn let_go(&mut self, world: &FlowWorld) {
        for layer in &mut self.layers {
            for costs in layer.past.forget_before(u64::MAX) {
                world.builder.scratch.retire_costs(costs);
            }
        }
        for goal in self.goals.by_id.values_mut() {
            for slot in goal.fields.iter_mut().flatten() {
                slot.past = None;
            }
        }
    }
}

impl FlowWorld {
    /// The number of updates so far. [`Self::load_state`] and [`Self::restore`] bring it back to what it was.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.walking.tick()
    }

    /// The present state, for [`Self::restore`]. Take those of its swarms at the same moment
    /// ([`Swarm::take_snapshot`](crate::swarm::Swarm::take_snapshot)). The configuration is not part of it, as in
    /// [`Self::save_state`]. Taking a snapshot changes nothing that updates, queries and swarms return.
    ///
    /// Linear in the sectors of the map, goals, waiting requests, overlays and entities; no field and no tile is
    /// copied. While there are snapshots, the first change of a block of costs or of some sectors of a graph after each
    /// of them copies these, and repairs of fields keep what they overwrite.
    #[must_use]
    pub fn snapshot(&self) -> WorldSnapshot {
        // Every field is named, so that none is forgotten. Settings are compared, and the rest is memory of work, and
        // what only queries read.
        let Self {
            grid: _,
            ground,
            terrain,
            stamps,
            links,
            link_edges,
            seams,
            travels,
            former,
            dirty,
            ahead,
            layers,
            last_revision,
            timeline,
            goals,
            solver: _,
            rule: _,
            builder,
            tiling,
            walking,
            slices,
            surcharges,
            entities,
            workers: _,
        } = self;
        WorldSnapshot {
            configuration: Configuration::of(self),
            ground: ground.clone(),
            terrain: terrain.clone(),
            stamps: stamps.clone(),
            links: links.clone(),
            link_edges: Arc::clone(link_edges),
            seams: Arc::clone(seams),
            travels: travels.clone(),
            former: former.clone(),
            dirty: dirty.clone(),
            ahead: ahead.clone(),
            layers: layers.iter().map(MovementLayer::kept).collect(),
            last_revision: *last_revision,
            timeline: Arc::clone(timeline),
            goals: goals.kept(),
            held: goals.held(),
            news: builder.news.clone(),
            tiling: tiling.kept(),
            tick: walking.tick(),
            slices: slices.clone(),
            surcharges: surcharges.kept(),
            entities: entities.clone(),
        }
    }

    /// Whether [`Self::restore`] takes a snapshot.
    ///
    /// # Errors
    /// [`Error::NotRestored`] if the configuration has changed since: grid, movement types, solver, direction rule,
    /// sector size, variant of tiles or limits.
    pub fn check_snapshot(&self, snapshot: &WorldSnapshot) -> Result<()> {
        match Configuration::of(self).difference(&snapshot.configuration) {
            Some(what) => Err(Error::NotRestored { what }),
            None => Ok(()),
        }
    }

    /// Goes back to a snapshot, to the bit, as [`Self::load_state`] does to a save: fields, routes and tiles are there
    /// at once. Ids of goals, stamps, links and overlays that were given since are given again. Restore the world
    /// first, and all swarms before the next update ([`Swarm::restore`](crate::swarm::Swarm::restore)). The snapshot
    /// stays as it is.
    ///
    /// Takes about as long as [`Self::snapshot`]. Fields and next costs that were unfinished go on with the work that
    /// was done since, as long as the same work is asked of them, costs over few edits of terrain as well; otherwise
    /// they are solved again as far as they had come, in the next update. With a background, fields that were being
    /// built are built again. From a snapshot of another world all work begins anew.
    ///
    /// # Errors
    /// As for [`Self::check_snapshot`]; nothing is changed then.
    pub fn restore(&mut self, snapshot: &WorldSnapshot) -> Result<()> {
        self.check_snapshot(snapshot)?;
        if !Arc::ptr_eq(&self.timeline, &snapshot.timeline) {
            self.leave_timeline(snapshot.last_revision);
        }
        // Copies hold nothing of each other.
        let mut goals = snapshot.goals.kept();
        let scratch = &self.builder.scratch;
        goals.recognize(&mut self.goals, &snapshot.held, scratch);
        goals.take_fields_back(&mut self.goals, &scratch.retired);
        let mut surcharges = snapshot.surcharges.kept();
        surcharges.crowding.recognize(&self.surcharges.crowding);
        self.ground = snapshot.ground.clone();
        self.stamps = snapshot.stamps.clone();
        self.links = snapshot.links.clone();
        self.link_edges = Arc::clone(&snapshot.link_edges);
        self.travels = snapshot.travels.clone();
        self.dirty = snapshot.dirty.clone();
        let layers = snapshot.layers.iter().map(MovementLayer::brought_back);
        let known = replace(&mut self.layers, layers.collect());
        let edited = self.edited_in_copy(&known);
        let before = BeforeRollback {
            terrain: replace(&mut self.terrain, snapshot.terrain.clone()),
            former: replace(&mut self.former, snapshot.former.clone()),
            seams: replace(&mut self.seams, Arc::clone(&snapshot.seams)),
            ahead: replace(&mut self.ahead, snapshot.ahead.clone()),
            surcharges: replace(&mut self.surcharges, surcharges),
        };
        self.recognize_layers(known, before);
        self.goals = goals;
        self.builder.news = snapshot.news.clone();
        self.tiling.take_over(snapshot.tiling.clone());
        self.walking.set_tick(snapshot.tick);
        let known = replace(&mut self.slices, snapshot.slices.clone());
        let first = self.slices.first_field.as_ref();
        let layer = first.and_then(|first| self.layers.get(first.movement));
        let edited = layer.zip(edited.as_ref());
        let edited = edited.map(|(layer, cells)| (&*layer.costs, cells.as_slice()));
        let scratch = &self.builder.scratch;
        self.slices.recognize(known, edited, scratch);
        self.entities = snapshot.entities.clone();
        // Revisions of costs go on from the last one, so that none is given to two states.
        Ok(())
    }

    /// Lets go of costs and unfinished fields, as a snapshot of another world may have the same numbers for others, and
    /// has later revisions follow that snapshot's last one.
    fn leave_timeline(&mut self, last_revision: u64) {
        let scratch = &self.builder.scratch;
        for layer in self.layers.drain(..) {
            layer.retire(scratch);
        }
        for goal in self.goals.by_id.values_mut() {
            let slots = goal.fields.iter_mut().flatten();
            slots.for_each(|slot| slot.walk.stop(scratch));
        }
        if let Some(first) = self.slices.first_field.take() {
            first.build.retire(scratch);
        }
        self.last_revision = self.last_revision.max(last_revision);
        self.timeline = Arc::default();
    }
}
