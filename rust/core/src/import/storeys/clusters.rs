//! Clusters: regions joined as far as no column has two floors of one cluster.
//!
//! Regions with the longest common border are joined first, as Recast joins regions into layers, so that a surface is
//! cut where few links are needed: a bridge at its ends and not along its sides.

use super::floor_map::{FloorMap, NONE};
use super::settings::StoreySettings;
use super::surfaces::{Regions, Steps};
use glam::IVec2;
use std::collections::{BTreeMap, BTreeSet};

/// Parts of a region that had to be cut keep this distance in columns from floors above and below them in their
/// cluster. A storey of stairs then continues on the next layer before it is above its own beginning.
const CUT_DISTANCE: i32 = 3;

/// The floors of each cluster, ascending.
pub(super) fn find_clusters(
    map: &FloorMap,
    cells: &[IVec2],
    steps: &Steps,
    regions: &Regions,
    settings: &StoreySettings,
) -> Vec<Vec<u32>> {
    let mut clusters = Clusters {
        map,
        cells,
        is_cut: &regions.is_cut,
        agent_height: settings.agent_height,
        of: regions.of.clone(),
        floors: vec![Vec::new(); regions.count as usize],
        apart: BTreeMap::new(),
    };
    for (floor, &region) in regions.of.iter().enumerate() {
        clusters.floors[region as usize].push(floor as u32);
    }
    for (one, other) in borders(map, steps, regions) {
        clusters.join(one, other);
    }
    let mut found = clusters.floors;
    found.retain(|floors| !floors.is_empty());
    for floors in &mut found {
        floors.sort_unstable();
    }
    found
}

/// A floor on either side of each border between two regions. Long borders come first, and among borders of the same
/// length the lowest.
fn borders(map: &FloorMap, steps: &Steps, regions: &Regions) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (floor, next) in steps.iter().enumerate() {
        // Each border is found from both sides.
        for &other in next[..2].iter().filter(|&&other| other != NONE) {
            let (a, b) = (regions.of[floor], regions.of[other as usize]);
            if a != b {
                pairs.push(((a.min(b), a.max(b)), (floor as u32, other)));
            }
        }
    }
    pairs.sort_unstable();
    let mut borders: Vec<_> = pairs
        .chunk_by(|a, b| a.0 == b.0)
        .map(|border| {
            let height =
                |&(_, (a, b)): &(_, (u32, u32))| map.floor(a).height.max(map.floor(b).height);
            let lowest = border.iter().map(height).fold(f32::INFINITY, f32::min);
            (border.len(), lowest, border[0].1)
        })
        .collect();
    borders.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    borders.into_iter().map(|border| border.2).collect()
}

struct Clusters<'a> {
    map: &'a FloorMap,
    cells: &'a [IVec2],
    is_cut: &'a [bool],
    agent_height: f32,
    /// The cluster of each floor.
    of: Vec<u32>,
    floors: Vec<Vec<u32>>,
    /// The clusters that each cluster is known to overlap.
    apart: BTreeMap<u32, BTreeSet<u32>>,
}

impl Clusters<'_> {
    /// Joins the clusters of two floors if they do not overlap.
    fn join(&mut self, one: u32, other: u32) {
        let (a, b) = (self.of[one as usize], self.of[other as usize]);
        if a == b || self.apart.get(&a).is_some_and(|apart| apart.contains(&b)) {
            return;
        }
        let is_smaller = self.floors[a as usize].len() < self.floors[b as usize].len();
        let (small, large) = if is_smaller { (a, b) } else { (b, a) };
        let mut floors = self.floors[small as usize].iter();
        if floors.any(|&floor| self.overlaps(floor, large)) {
            self.apart.entry(a).or_default().insert(b);
            self.apart.entry(b).or_default().insert(a);
            return;
        }
        let moved = std::mem::take(&mut self.floors[small as usize]);
        for &floor in &moved {
            self.of[floor as usize] = large;
        }
        self.floors[large as usize].extend(moved);
        for other in self.apart.remove(&small).unwrap_or_default() {
            let others = self.apart.entry(other).or_default();
            others.remove(&small);
            others.insert(large);
            self.apart.entry(large).or_default().insert(other);
        }
    }

    fn overlaps(&self, floor: u32, cluster: u32) -> bool {
        let cell = self.cells[floor as usize];
        let mut column = self.map.column(cell);
        if column.any(|other| self.of[other as usize] == cluster) {
            return true;
        }
        self.is_cut[floor as usize] && self.is_near_other_storey(floor, cell, cluster)
    }

    fn is_near_other_storey(&self, floor: u32, cell: IVec2, cluster: u32) -> bool {
        let height = self.map.floor(floor).height;
        let around = -CUT_DISTANCE..=CUT_DISTANCE;
        let mut near = around
            .clone()
            .flat_map(|y| around.clone().map(move |x| cell + IVec2::new(x, y)));
        near.any(|cell| {
            self.map.column(cell).any(|other| {
                let is_other_storey =
                    (self.map.floor(other).height - height).abs() >= self.agent_height;
                is_other_storey && self.is_cut[other as usize] && self.of[other as usize] == cluster
            })
        })
    }
}
