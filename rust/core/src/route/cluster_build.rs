//! The level above a portal graph, built or updated cluster by cluster, so that no tick has to make all of it.
//!
//! A changed sector makes everything stale that may depend on it: the parts of its cluster, the gates of the clusters
//! beside, and what is beside those. So what is not stale always is what the present portals say.

use super::clusters::Clusters;
use super::sector_portals::SectorPortals;
use super::sectors::Sectors;
use std::sync::Arc;

/// The stages of a cluster, as bits. Each stage reads the results of those before it.
const INSIDE: u8 = 1;
const GATES: u8 = 2;
const BESIDE: u8 = 4;
const STAGES: [u8; 3] = [INSIDE, GATES, BESIDE];

/// The level above of which some clusters are still to be built.
#[derive(Debug, Clone)]
pub(super) struct ClusterBuild {
    clusters: Arc<Clusters>,
    /// The stages of each cluster that are stale.
    stale: Vec<u8>,
}

impl ClusterBuild {
    /// The level above a graph of which nothing is built yet; `None` if the graph is small enough to be searched
    /// without it.
    pub(super) fn new(sectors: &Sectors) -> Option<Self> {
        let clusters = Arc::new(Clusters::unbuilt(sectors)?);
        let stale = vec![INSIDE | GATES | BESIDE; clusters.count()];
        Some(Self { clusters, stale })
    }

    /// An update of a level above.
    pub(super) fn on(clusters: Arc<Clusters>) -> Self {
        let stale = vec![0; clusters.count()];
        Self { clusters, stale }
    }

    /// Makes what depends on a sector stale.
    pub(super) fn note(&mut self, sector: u32) {
        self.spread(self.clusters.of(sector), INSIDE);
    }

    /// Makes stages of a cluster stale, from one on, and what depends on them.
    fn spread(&mut self, cluster: u32, stage: u8) {
        let stale = &mut self.stale[cluster as usize];
        // Later stages are stale then, and so is what depends on them.
        if *stale & stage != 0 {
            return;
        }
        *stale |= stage;
        let next = stage << 1;
        if next <= BESIDE {
            self.spread(cluster, next);
            for beside in self.clusters.all_beyond(cluster) {
                self.spread(beside, next);
            }
        }
    }

    /// Builds stale clusters for a `budget` of cells, which it reduces. The last one may exceed it. Returns whether
    /// none is stale any more.
    pub(super) fn advance<'a>(
        &mut self,
        portals: &impl Fn(u32) -> &'a SectorPortals,
        budget: &mut usize,
    ) -> bool {
        for stage in STAGES {
            for cluster in 0..self.stale.len() {
                if self.stale[cluster] & stage == 0 {
                    continue;
                }
                if *budget == 0 {
                    return false;
                }
                self.build(stage, cluster as u32, portals);
                self.stale[cluster] &= !stage;
                *budget = budget.saturating_sub(self.work_of(stage));
            }
        }
        true
    }

    fn build<'a>(&mut self, stage: u8, cluster: u32, portals: &impl Fn(u32) -> &'a SectorPortals) {
        let clusters = Arc::make_mut(&mut self.clusters);
        match stage {
            INSIDE => clusters.renew_inside(cluster, portals),
            GATES => clusters.renew_gates(cluster, portals),
            _ => clusters.renew_beside(cluster),
        }
    }

    /// The work of a stage of a cluster, in cells of a field that is solved.
    fn work_of(&self, stage: u8) -> usize {
        let sectors = self.clusters.sectors_in_one();
        match stage {
            INSIDE => 8 * sectors,
            GATES => 2 * sectors,
            _ => 32,
        }
    }

    /// Whether nothing is stale.
    pub(super) fn is_finished(&self) -> bool {
        self.stale.iter().all(|&stages| stages == 0)
    }

    /// The finished level. Nothing may be stale.
    pub(super) fn finish(self) -> Arc<Clusters> {
        self.clusters
    }

    /// The stale stages of each cluster.
    pub(super) fn progress(&self) -> &[u8] {
        &self.stale
    }

    /// Builds all but the stages that are `stale`, to go on from [`Self::progress`] of another build on the same
    /// portals, of which those of the sectors `unbuilt` are not built yet. False if there are no such clusters, or if
    /// such a sector's cluster is not stale.
    pub(super) fn resume<'a>(
        &mut self,
        (stale, mut unbuilt): (&[u8], impl Iterator<Item = u32>),
        portals: &impl Fn(u32) -> &'a SectorPortals,
    ) -> bool {
        let is_stale = |sector| stale[self.clusters.of(sector) as usize] & INSIDE != 0;
        if stale.len() != self.stale.len() || !unbuilt.all(is_stale) {
            return false;
        }
        let known = std::mem::replace(&mut self.stale, vec![0; stale.len()]);
        for (cluster, &stages) in (0..).zip(stale) {
            for stage in STAGES {
                if stages & stage != 0 {
                    self.spread(cluster, stage);
                }
            }
        }
        for stage in STAGES {
            for (cluster, before) in (0..).zip(&known) {
                let is_stale = self.stale[cluster as usize] & stage != 0;
                if before & stage != 0 && !is_stale {
                    self.build(stage, cluster, portals);
                }
            }
        }
        true
    }
}
