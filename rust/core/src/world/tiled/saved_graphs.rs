//! Portal graphs and the revisions of costs as bytes, for [`super::saved_states`].

use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::{Error, Result};
use crate::movement::CostField;
use crate::route::{PortalGraph, PortalSettings, Sectors};
use crate::workers::Workers;
use crate::world::movement_layer::MovementLayer;
use crate::world::tiled::tiling::{Graph, TiledSlot, UnfinishedGraph};
use std::sync::Arc;

/// The revisions of a movement type's costs that matter, ascending. The last one is the present one.
#[derive(Debug)]
pub(super) struct Revisions(pub(super) Vec<u64>);

impl Revisions {
    /// The revisions of which a layer, its graph and slots know.
    pub(super) fn of<'a>(
        layer: &MovementLayer,
        graph: Option<&Graph>,
        slots: impl Iterator<Item = &'a TiledSlot>,
    ) -> Self {
        let own = graph.map(|graph| [graph.revision, graph.noted()]);
        let used = slots.map(|slot| [slot.revision, slot.graph_revision]);
        let used = used.chain(own).flatten();
        let mut known: Vec<u64> = used.chain([layer.settled.revision]).collect();
        let first = known.iter().copied().min().unwrap_or(0);
        known.extend(layer.settled.log.from(first).map(|change| change.0));
        let changes = graph.into_iter().flat_map(|graph| &graph.change_log);
        known.extend(
            changes
                .map(|change| change.0)
                .filter(|&before| before >= first),
        );
        known.sort_unstable();
        known.dedup();
        Self(known)
    }

    /// Adds that of a graph that is being built, and of the edits since.
    pub(super) fn add(&mut self, unfinished: Option<u64>, layer: &MovementLayer) {
        if let Some(revision) = unfinished {
            self.0.push(revision);
            let since = layer.settled.log.from(revision);
            self.0.extend(since.map(|change| change.0));
            self.0.sort_unstable();
            self.0.dedup();
        }
    }

    pub(super) fn first(&self) -> u64 {
        self.0.first().copied().unwrap_or(0)
    }

    /// The place of a revision that matters.
    pub(super) fn place(&self, revision: u64) -> u32 {
        self.0.partition_point(|&known| known < revision) as u32
    }

    /// As many revisions as were saved, from `next` on.
    pub(super) fn read(input: &mut Unpacker<'_>, next: u64) -> Result<Self> {
        let count = u64::from(input.u32()?);
        if count == 0 || count > input.most_left() as u64 {
            return Err(input.bad("it has an impossible number of edits"));
        }
        Ok(Self((next..next + count).collect()))
    }

    pub(super) fn read_place(&self, input: &mut Unpacker<'_>) -> Result<u64> {
        let found = self.0.get(input.u32()? as usize).copied();
        found.ok_or_else(|| input.bad("it has an unknown edit"))
    }

    /// Reads a list of changes, each with the revision before it.
    pub(super) fn read_changes<T: Saved>(
        &self,
        input: &mut Unpacker<'_>,
        are_sound: impl Fn(&T) -> bool,
    ) -> Result<Vec<(u64, T)>> {
        let mut all: Vec<(u64, T)> = Vec::new();
        for _ in 0..input.u32()? {
            let before = self.read_place(input)?;
            let changes = T::read(input)?;
            let is_next = all.last().is_none_or(|last| last.0 < before);
            if !is_next || !are_sound(&changes) {
                return Err(input.bad("it has edits that make no sense"));
            }
            all.push((before, changes));
        }
        Ok(all)
    }
}

/// Writes changes that were made to revisions which matter.
pub(super) fn write_changes<'a, T: Saved + 'a>(
    revisions: &Revisions,
    changes: impl Iterator<Item = (u64, &'a T)>,
    out: &mut Writer,
) {
    let all: Vec<_> = changes.collect();
    out.u32(all.len() as u32);
    for (before, changes) in all {
        out.u32(revisions.place(before));
        changes.write(out);
    }
}

impl Graph {
    pub(super) fn write(
        &self,
        revisions: &Revisions,
        (layer, costs): (&MovementLayer, &Arc<CostField>),
        out: &mut Writer,
    ) -> Result<()> {
        let links = self.graph.links().of_map();
        let is_late = self.revision != layer.settled.revision;
        let is_past = layer.past.age(self.newest).is_some_and(|age| age > 0);
        if is_late && !is_past && !layer.settled.log.knows(self.revision) {
            let what = "movement types have changed since the last update";
            return Err(Error::NotSaved { what });
        }
        out.u32(revisions.place(self.revision));
        layer.past.write_age(self.newest, u64::MAX, out);
        let costs = layer.past.costs_at(self.newest, costs);
        let costs = costs.unwrap_or_else(|| layer.simulated_costs());
        let changes = self.change_log.iter();
        let changes = changes.filter(|change| change.0 >= revisions.first());
        write_changes(revisions, changes.map(|change| (change.0, &change.1)), out);
        let has_old_links = !Arc::ptr_eq(links, costs.shared_links());
        has_old_links.write(out);
        if has_old_links {
            let mut before = CostField::clone(&costs);
            before.set_links(Arc::clone(links));
            before.write_from(&costs, out);
        }
        self.graph.write(out);
        self.renewal.is_some().write(out);
        if let Some(renewal) = &self.renewal {
            renewal.write(revisions.place(renewal.revision), out);
        }
        Ok(())
    }

    pub(super) fn read(
        input: &mut Unpacker<'_>,
        revisions: &Revisions,
        (layer, (sectors, settings), workers): (
            &MovementLayer,
            (Sectors, PortalSettings),
            &Workers,
        ),
    ) -> Result<Self> {
        let revision = revisions.read_place(input)?;
        // The loaded histories are one, and the graph may lack edits of links.
        let newest = layer.past.read_age(input, (revision, revision))?;
        let are_sectors = |changed: &Vec<u32>| {
            let is_known = |&last: &u32| (last as usize) < sectors.count();
            changed.last().is_none_or(is_known) && changed.is_sorted_by(|one, next| one < next)
        };
        let change_log = revisions.read_changes(input, are_sectors)?;
        let costs = match layer.past.age(newest) {
            Some(age) if age > 0 => layer.past.costs_at(newest, &layer.costs),
            _ if revision == layer.settled.revision => Some(Arc::clone(&layer.costs)),
            _ => {
                let is_known = layer.settled.log.knows(revision);
                is_known.then(|| Arc::clone(&layer.costs))
            }
        };
        let mut costs = costs.ok_or_else(|| input.bad("it has a graph of unknown ground"))?;
        if bool::read(input)? {
            let mut before = CostField::clone(&costs).read_into(input)?;
            let mut unlogged = before.links().changes(costs.links());
            if let Some(logged) = layer.settled.log.since(revision, &layer.costs) {
                logged.remove_from(&mut unlogged, &layer.costs);
            }
            if !before.differences(&costs).is_empty() || !unlogged.is_empty() {
                return Err(input.bad("it has a portal graph of other ground"));
            }
            // The next update takes links for others by where they are.
            before.set_links(Arc::new(before.links().clone()));
            costs = Arc::new(before);
        }
        let mut graph = PortalGraph::read(input, sectors, settings, &costs, workers)?;
        graph.count_from_one();
        let renewal = match bool::read(input)? {
            true => {
                let place = |input: &mut Unpacker<'_>| revisions.read_place(input);
                let with = (layer, settings);
                let base = (&graph, &*costs);
                Some(UnfinishedGraph::read(input, with, Some(base), place)?)
            }
            false if !layer.changed_before(revision, &costs).is_empty() => {
                return Err(input.bad("it has a portal graph that no update would renew"));
            }
            false => None,
        };
        Ok(Self {
            graph: Arc::new(graph),
            revision,
            renewal,
            newest,
            change_log: change_log.into(),
        })
    }
}
