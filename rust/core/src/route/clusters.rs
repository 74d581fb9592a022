//! The level above the portal graph of a very large map (Emerson, Game AI Pro, 23.16). Sectors are grouped into
//! clusters. Walls divide a cluster into parts. The level stores which parts are joined across borders, and the average
//! cost of a step in each cluster.
//!
//! Connectivity is exact: two portals of a cluster belong to the same part if a path within the cluster joins them, and
//! two parts of neighbouring clusters are joined if a window leads from one into the other. A goal can therefore be
//! reached from a cell exactly if a chain of joined parts leads to it. Costs are approximate. The level directs
//! searches over portals ([`super::cluster_heuristic`]); it is not a graph of routes.
//!
//! What is stored for a cluster depends only on its sectors and on those that touch it. An edit rebuilds the clusters
//! that contain changed sectors, and those whose neighbour has other parts than before.

use super::disjoint_sets::DisjointSets;
use super::pace::Pace;
use super::sector_list::SectorList;
use super::sector_portals::{NO_EDGE, SectorPortals};
use super::sectors::{Sectors, Side};
use crate::retired::Retired;
use crate::workers::Workers;
use glam::IVec2;
use std::sync::Arc;

/// Maps with fewer sectors have no level above.
const LEAST_SECTORS: usize = 16_384;
/// The most clusters of a map. Clusters are as small as this limit allows.
const MOST_CLUSTERS: usize = 1_024;

/// The position of a cluster itself among the nine clusters around it, row by row.
pub(super) const MIDDLE: u8 = 4;

/// The position beside another among the nine.
fn place_beside(at: u8, side: Side) -> u8 {
    let step = side.step();
    at.wrapping_add_signed((step.x + 3 * step.y) as i8)
}

/// An opening in the border of a cluster: it joins one of the cluster's parts to one of the neighbour's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Gate {
    part: u32,
    side: Side,
    /// The neighbour's part.
    beyond: u32,
}

/// A part in a neighbouring cluster, beside or diagonal. Packed: the number of the part, and in the low four bits the
/// cluster's position among the nine, row by row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside(u32);

impl Beside {
    fn new(at: u8, part: u32) -> Self {
        Self(part << 4 | u32::from(at))
    }

    #[inline]
    pub(super) fn at(self) -> u8 {
        (self.0 & 15) as u8
    }

    #[inline]
    pub(super) fn part(self) -> u32 {
        self.0 >> 4
    }
}

/// The neighbours of all parts of a cluster: for each part the index of its first neighbour, the end, and then all
/// neighbours. It is one array because a search reads the clusters in no order, and each read misses the processor's
/// cache.
type AllBeside = Arc<[u32]>;

/// The parts and the pace of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Inside {
    /// The number of parts.
    parts: u32,
    /// The average cost of a straight step, in stored units.
    pace: u32,
    /// For each sector, row by row: the part of all its portals, or [`SEVERAL`] and the index in `part_of` of its first
    /// portal. Empty if there is only one part.
    parts_of: Arc<[u32]>,
    /// The part of each portal.
    part_of: Arc<[u32]>,
}

/// Marks a sector with portals of several parts.
const SEVERAL: u32 = 1 << 31;

/// The clusters of a portal graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clusters {
    sectors: Sectors,
    /// The width of a cluster is `1 << shift` sectors.
    shift: u32,
    columns: u32,
    rows: u32,
    inside: Vec<Inside>,
    gates: Vec<Arc<[Gate]>>,
    beside: Vec<AllBeside>,
}

impl Clusters {
    /// Makes the clusters of a graph; `None` if the graph is small enough to be searched without them.
    pub(super) fn new(sectors: &Sectors, portals: &SectorList, workers: &Workers) -> Option<Self> {
        let mut clusters = Self::unbuilt(sectors)?;
        let (count, portals) = (clusters.count(), |sector: u32| &portals[sector as usize]);
        // Each stage reads the results of the stages before it.
        clusters.inside = of_each(count, workers, |cluster| {
            clusters.build_inside(&portals, cluster)
        });
        clusters.gates = of_each(count, workers, |cluster| {
            clusters.find_gates(&portals, cluster)
        });
        clusters.beside = of_each(count, workers, |cluster| clusters.build_beside(cluster));
        Some(clusters)
    }

    /// The clusters of a graph, none of which is built yet.
    pub(super) fn unbuilt(sectors: &Sectors) -> Option<Self> {
        if sectors.count() < LEAST_SECTORS {
            return None;
        }
        let count = |shift: u32| {
            let along = |sectors: u32| (sectors.div_ceil(1 << shift)) as usize;
            along(sectors.columns()) * along(sectors.rows())
        };
        let shift = (1..).find(|&shift| count(shift) <= MOST_CLUSTERS)?;
        let count = count(shift);
        Some(Self {
            sectors: *sectors,
            shift,
            columns: sectors.columns().div_ceil(1 << shift),
            rows: sectors.rows().div_ceil(1 << shift),
            inside: vec![Inside::default(); count],
            gates: vec![Arc::default(); count],
            beside: vec![Arc::default(); count],
        })
    }

    /// Finds the parts of a cluster again.
    pub(super) fn renew_inside<'a>(
        &mut self,
        cluster: u32,
        portals: &impl Fn(u32) -> &'a SectorPortals,
    ) {
        self.inside[cluster as usize] = self.build_inside(portals, cluster);
    }

    /// Finds the gates of a cluster again. The parts of the clusters around it must be up to date.
    pub(super) fn renew_gates<'a>(
        &mut self,
        cluster: u32,
        portals: &impl Fn(u32) -> &'a SectorPortals,
    ) {
        self.gates[cluster as usize] = self.find_gates(portals, cluster);
    }

    /// Finds again what is beside a cluster. The gates of the clusters around it must be up to date.
    pub(super) fn renew_beside(&mut self, cluster: u32) {
        self.beside[cluster as usize] = self.build_beside(cluster);
    }

    /// Has the memory given back in parts.
    pub(super) fn retire(self, retired: &mut Retired) {
        retired.add(self.inside);
        retired.add(self.gates);
        retired.add(self.beside);
    }

    /// Whether both have as many parts in each cluster, and join the same ones.
    pub(super) fn join_parts_of(&self, other: &Self) -> bool {
        let mut inside = self.inside.iter().zip(&other.inside);
        self.gates == other.gates && inside.all(|(own, other)| own.parts == other.parts)
    }

    /// The number of sectors in a whole cluster.
    pub(super) fn sectors_in_one(&self) -> usize {
        1 << (2 * self.shift)
    }

    /// Updates the clusters to `portals`, of which only the sectors `changed` are new. Returns true if a cluster has
    /// more or fewer parts than before, or other parts are joined.
    pub(super) fn update(&mut self, portals: &SectorList, changed: &[u32]) -> bool {
        let portals = |sector: u32| &portals[sector as usize];
        let mut dirty: Vec<u32> = changed.iter().map(|&sector| self.of(sector)).collect();
        dirty.sort_unstable();
        dirty.dedup();
        // The clusters whose gates may have changed, and those whose parts or gates have changed.
        let (mut around, mut changed) = (Vec::new(), Vec::new());
        let mut connectivity_changed = false;
        for &cluster in &dirty {
            let new = self.build_inside(&portals, cluster);
            let old = &mut self.inside[cluster as usize];
            let has_same_parts = (old.parts, &old.parts_of, &old.part_of)
                == (new.parts, &new.parts_of, &new.part_of);
            connectivity_changed |= old.parts != new.parts;
            *old = new;
            around.push(cluster);
            if !has_same_parts {
                around.extend(self.all_beyond(cluster));
                changed.push(cluster);
            }
        }
        around.sort_unstable();
        around.dedup();
        for cluster in around {
            let gates = self.find_gates(&portals, cluster);
            let old = &mut self.gates[cluster as usize];
            if *old != gates {
                connectivity_changed = true;
                changed.push(cluster);
            }
            *old = gates;
        }
        for at in 0..changed.len() {
            let beside = self.all_beyond(changed[at]);
            changed.extend(beside);
        }
        changed.sort_unstable();
        changed.dedup();
        for cluster in changed {
            self.beside[cluster as usize] = self.build_beside(cluster);
        }
        connectivity_changed
    }

    /// The cluster of a sector.
    #[inline]
    pub(super) fn of(&self, sector: u32) -> u32 {
        let (column, row) = self.sectors.place_of(sector);
        (row >> self.shift) * self.columns + (column >> self.shift)
    }

    /// The number of clusters.
    pub(super) fn count(&self) -> usize {
        self.inside.len()
    }

    /// The number of parts of a cluster.
    pub(super) fn parts(&self, cluster: u32) -> u32 {
        self.inside[cluster as usize].parts
    }

    /// The average cost of a straight step in a cluster, in stored units.
    #[inline]
    pub(super) fn pace(&self, cluster: u32) -> u32 {
        self.inside[cluster as usize].pace
    }

    /// The edge length of a whole cluster, in cells.
    pub(super) fn size(&self) -> u32 {
        self.sectors.size() << self.shift
    }

    /// The middle of a cluster of full size.
    pub(super) fn middle(&self, cluster: u32) -> IVec2 {
        let (column, row) = (cluster % self.columns, cluster / self.columns);
        let size = self.size();
        IVec2::new(
            (column * size + size / 2) as i32,
            (row * size + size / 2) as i32,
        )
    }

    /// The part that a portal belongs to.
    #[inline]
    pub(super) fn part_of(&self, cluster: u32, sector: u32, slot: u16) -> u32 {
        if self.parts(cluster) == 1 {
            return 0;
        }
        let inside = &self.inside[cluster as usize];
        let part = inside.parts_of[self.local(sector)];
        if part < SEVERAL {
            return part;
        }
        inside.part_of[(part - SEVERAL) as usize + usize::from(slot)]
    }

    /// The neighbours across all sides.
    pub(super) fn all_beyond(&self, cluster: u32) -> impl Iterator<Item = u32> + use<> {
        let beyond = Side::ALL.map(|side| self.beyond(cluster, side));
        beyond.into_iter().flatten()
    }

    /// The neighbour across a side; `None` at the edge of the map.
    #[inline]
    fn beyond(&self, cluster: u32, side: Side) -> Option<u32> {
        let (column, row) = (cluster % self.columns, cluster / self.columns);
        match side {
            Side::East => (column + 1 < self.columns).then_some(cluster + 1),
            Side::South => (row + 1 < self.rows).then_some(cluster + self.columns),
            Side::West => (column > 0).then(|| cluster - 1),
            Side::North => (row > 0).then(|| cluster - self.columns),
        }
    }

    /// The gates of a part, ordered by side.
    fn gates_of(&self, (cluster, part): (u32, u32)) -> &[Gate] {
        let gates = &self.gates[cluster as usize];
        if self.parts(cluster) == 1 {
            return gates;
        }
        let from = gates.partition_point(|gate| gate.part < part);
        let count = gates[from..].partition_point(|gate| gate.part == part);
        &gates[from..from + count]
    }

    /// The parts that are joined to a part across one side, or across one side and then a perpendicular one.
    #[inline]
    pub(super) fn beside(&self, (cluster, part): (u32, u32)) -> impl Iterator<Item = Beside> {
        let (all, part) = (&self.beside[cluster as usize], part as usize);
        let numbers = &all[all[part] as usize..all[part + 1] as usize];
        numbers.iter().map(|&number| Beside(number))
    }

    /// The cluster at a position among the nine around a cluster. It must be on the map.
    #[inline]
    pub(super) fn cluster_at(&self, cluster: u32, at: u8) -> u32 {
        let (column, row) = (at % 3, at / 3);
        cluster + u32::from(row) * self.columns + u32::from(column) - self.columns - 1
    }

    fn build_beside(&self, cluster: u32) -> AllBeside {
        let parts = self.parts(cluster);
        let mut all = vec![0; parts as usize + 1];
        for part in 0..parts {
            let mut beside = Vec::new();
            for gate in self.gates_of((cluster, part)) {
                let at = place_beside(MIDDLE, gate.side);
                let there = (self.cluster_at(cluster, at), gate.beyond);
                beside.push(Beside::new(at, gate.beyond).0);
                for turn in self.gates_of(there) {
                    if (turn.side as u8 ^ gate.side as u8) & 1 == 1 {
                        beside.push(Beside::new(place_beside(at, turn.side), turn.beyond).0);
                    }
                }
            }
            beside.sort_unstable();
            beside.dedup();
            all[part as usize] = all.len() as u32;
            all.extend(beside);
        }
        all[parts as usize] = all.len() as u32;
        all.into()
    }

    /// The greatest number of sectors in a row of a cluster.
    #[inline]
    fn width(&self) -> usize {
        (1 << self.shift).min(self.sectors.columns()) as usize
    }

    /// The greatest number of rows of sectors in a cluster.
    fn height(&self) -> usize {
        (1 << self.shift).min(self.sectors.rows()) as usize
    }

    /// The index of a sector within its cluster, row by row.
    #[inline]
    fn local(&self, sector: u32) -> usize {
        let (column, row) = self.sectors.place_of(sector);
        let mask = (1 << self.shift) - 1;
        (row & mask) as usize * self.width() + (column & mask) as usize
    }

    /// The sectors of a cluster, row by row.
    fn sectors_in(&self, cluster: u32) -> impl Iterator<Item = u32> + use<> {
        let (column, row) = (cluster % self.columns, cluster / self.columns);
        let (shift, columns) = (self.shift, self.sectors.columns());
        let (from, rows) = ((column << shift, row << shift), self.sectors.rows());
        let width = (1 << shift).min(columns - from.0);
        let height = (1 << shift).min(rows - from.1);
        let sector = move |x: u32, y: u32| (from.1 + y) * columns + from.0 + x;
        (0..height).flat_map(move |y| (0..width).map(move |x| sector(x, y)))
    }

    fn build_inside<'a>(
        &self,
        portals: &impl Fn(u32) -> &'a SectorPortals,
        cluster: u32,
    ) -> Inside {
        let mut first = vec![0; self.width() * self.height()];
        let mut sets = DisjointSets::default();
        let mut pace = Pace::default();
        for sector in self.sectors_in(cluster) {
            let own = portals(sector);
            let from = sets.len();
            first[self.local(sector)] = from as u32;
            for slot in 0..own.portals.len() {
                sets.push();
                // Portals that are joined within a sector are all joined to the first of them.
                let costs = own.costs_to(slot as u16);
                if let Some(other) = costs[..slot].iter().position(|&cost| cost != NO_EDGE) {
                    sets.join(from + slot, from + other);
                }
            }
            pace.add(&self.sectors, sector, own);
            for side in [Side::West, Side::North] {
                let beside = self.sectors.beyond(sector, side);
                let Some(beside) = beside.filter(|&beside| self.of(beside) == cluster) else {
                    continue;
                };
                let there = first[self.local(beside)] as usize;
                let others = portals(beside).slots_on(side.opposite());
                for (slot, other) in own.slots_on(side).zip(others) {
                    sets.join(from + usize::from(slot), there + usize::from(other));
                }
            }
        }
        let (parts, mut part_of) = sets.numbered();
        if parts == 1 {
            (first, part_of) = Default::default();
        } else {
            for sector in self.sectors_in(cluster) {
                let first = &mut first[self.local(sector)];
                let own = &part_of[*first as usize..][..portals(sector).portals.len()];
                *first = match own {
                    [] => 0,
                    [part, others @ ..] if others.iter().all(|other| other == part) => *part,
                    _ => SEVERAL | *first,
                };
            }
        }
        Inside {
            parts,
            pace: pace.mean(),
            parts_of: first.into(),
            part_of: part_of.into(),
        }
    }

    fn find_gates<'a>(
        &self,
        portals: &impl Fn(u32) -> &'a SectorPortals,
        cluster: u32,
    ) -> Arc<[Gate]> {
        let mut gates = Vec::new();
        for sector in self.sectors_in(cluster) {
            for side in Side::ALL {
                let Some(beside) = self.sectors.beyond(sector, side) else {
                    continue;
                };
                let other = self.of(beside);
                if other == cluster {
                    continue;
                }
                let slots = portals(sector).slots_on(side);
                let others = portals(beside).slots_on(side.opposite());
                for (slot, across) in slots.zip(others) {
                    gates.push(Gate {
                        side,
                        part: self.part_of(cluster, sector, slot),
                        beyond: self.part_of(other, beside, across),
                    });
                }
            }
        }
        gates.sort_unstable();
        gates.dedup();
        gates.into()
    }
}

/// The results of `find` for each of `count` clusters.
fn of_each<T: Clone + Default + Send>(
    count: usize,
    workers: &Workers,
    find: impl Fn(u32) -> T + Sync,
) -> Vec<T> {
    let mut all = vec![T::default(); count];
    workers.for_each_chunk(&mut all, 8, |first, chunk| {
        for (cluster, found) in (first as u32..).zip(chunk) {
            *found = find(cluster);
        }
    });
    all
}
