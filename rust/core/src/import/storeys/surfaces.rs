//! Surfaces and regions: which floors hang together, and into which parts surfaces fall that overlap themselves.
//!
//! A surface is a connected set of floors. Most surfaces can be put on a layer whole. A surface that has several floors
//! in one column, such as a road and the bridge over it with its ramps, is divided into regions: connected parts that
//! are alone in their columns, and connected parts that are not. A region that still overlaps itself, such as a house
//! with stairs, is divided into level parts, and one that overlaps itself even then, such as a spiral ramp, into single
//! floors. `clusters` joins regions again as far as they do not overlap.

use super::floor_map::{FloorMap, NONE};
use super::settings::StoreySettings;
use crate::workers::Workers;
use glam::IVec2;

/// Floors that differ by less than this share of the width of a cell are level.
const LEVEL: f32 = 0.05;

/// The steps from each floor to those of the neighbouring columns, by direction.
pub(super) type Steps = Vec<[u32; 4]>;

/// Finds the steps from all floors.
pub(super) fn find_steps(
    map: &FloorMap,
    cells: &[IVec2],
    settings: &StoreySettings,
    workers: &Workers,
) -> Steps {
    let mut steps = vec![[NONE; 4]; cells.len()];
    let length = workers.piece_length(steps.len(), 4096);
    workers.for_each_chunk(&mut steps, length, |offset, part| {
        for (index, steps) in (offset..).zip(part) {
            *steps = [0, 1, 2, 3].map(|side| map.step(index as u32, cells[index], side, settings));
        }
    });
    steps
}

/// A division of all floors into connected parts.
pub(super) struct Regions {
    /// The part of each floor.
    pub of: Vec<u32>,
    pub count: u32,
    /// Whether the part of a floor has been cut out of a region that overlapped itself.
    pub is_cut: Vec<bool>,
}

/// Divides the floors into regions.
pub(super) fn find_regions(
    map: &FloorMap,
    cells: &[IVec2],
    steps: &Steps,
    cell_size: f32,
) -> Regions {
    let surfaces = connected(steps, |_, _| true);
    let overlapped = overlaps(map, cells, &surfaces);
    let (zones, count) = connected(steps, |a, b| overlapped[a] == overlapped[b]);
    let is_cut = marked(
        &zones,
        count,
        &overlaps(map, cells, &(zones.clone(), count)),
    );
    let is_level = |a: usize, b: usize| {
        (map.floors[a].height - map.floors[b].height).abs() < LEVEL * cell_size
    };
    let is_part = |a: usize, b: usize| zones[a] == zones[b] && (!is_cut[a] || is_level(a, b));
    let (parts, count) = connected(steps, is_part);
    let is_single = marked(
        &parts,
        count,
        &overlaps(map, cells, &(parts.clone(), count)),
    );
    let (of, count) = connected(steps, |a, b| parts[a] == parts[b] && !is_single[a]);
    Regions { of, count, is_cut }
}

/// The connected part of each floor, by steps that `is_part` permits, and the number of parts.
fn connected(steps: &Steps, is_part: impl Fn(usize, usize) -> bool) -> (Vec<u32>, u32) {
    let mut part = vec![NONE; steps.len()];
    let mut count = 0;
    let mut open = Vec::new();
    for start in 0..steps.len() {
        if part[start] != NONE {
            continue;
        }
        part[start] = count;
        open.push(start);
        while let Some(floor) = open.pop() {
            for &next in steps[floor].iter().filter(|&&next| next != NONE) {
                let next = next as usize;
                if part[next] == NONE && is_part(floor, next) {
                    part[next] = count;
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    (part, count)
}

/// Whether each floor shares its column with another floor of its part.
fn overlaps(map: &FloorMap, cells: &[IVec2], (part, _): &(Vec<u32>, u32)) -> Vec<bool> {
    let shares = |floor: usize| {
        let mut column = map.column(cells[floor]);
        column.any(|other| other as usize != floor && part[other as usize] == part[floor])
    };
    (0..part.len()).map(shares).collect()
}

/// Whether any floor of the part of each floor is marked.
fn marked(part: &[u32], count: u32, mark: &[bool]) -> Vec<bool> {
    let mut has_mark = vec![false; count as usize];
    for (floor, &part) in part.iter().enumerate() {
        has_mark[part as usize] |= mark[floor];
    }
    part.iter().map(|&part| has_mark[part as usize]).collect()
}
