//! Puts clusters on layers, so that no column has two floors on one layer.

use super::clusters::find_clusters;
use super::floor_map::FloorMap;
use super::settings::StoreySettings;
use super::surfaces::{find_regions, find_steps};
use crate::error::{Result, in_range};
use crate::grid::layers::MAX_LAYERS;
use crate::workers::Workers;
use glam::IVec2;

/// Sets the layer of each floor. Returns the number of layers, at least 1.
///
/// # Errors
/// A map that needs more than [`MAX_LAYERS`] layers.
pub(super) fn assign_layers(
    map: &mut FloorMap,
    cell_size: f32,
    settings: &StoreySettings,
    workers: &Workers,
) -> Result<u32> {
    let cells = map.cells_of_floors();
    let steps = find_steps(map, &cells, settings, workers);
    let regions = find_regions(map, &cells, &steps, cell_size);
    let mut clusters = find_clusters(map, &cells, &steps, &regions, settings);
    let ground = ground_of(map, &cells, &clusters);
    let depth = map.depth() as usize;
    // Few layers are found in most scenes by either order; large clusters first keeps the layers whole.
    clusters.sort_by_key(|floors| std::cmp::Reverse((floors.contains(&ground), floors.len())));
    let mut layers = colored(map, &cells, &clusters);
    if layers.len() > depth {
        let lowest = |floors: &[u32]| {
            let heights = floors.iter().map(|&floor| map.floor(floor).height);
            heights.fold(f32::INFINITY, f32::min)
        };
        clusters.sort_by(|a, b| lowest(a).total_cmp(&lowest(b)));
        clusters.sort_by_key(|floors| !floors.contains(&ground));
        let others = colored(map, &cells, &clusters);
        if others.len() < layers.len() {
            layers = others;
        }
    }
    in_range("number of layers", layers.len(), 0, MAX_LAYERS as usize)?;
    for (layer, floors) in layers.iter().enumerate() {
        for &floor in floors {
            map.floors[floor as usize].layer = layer as u8;
        }
    }
    Ok(layers.len().max(1) as u32)
}

/// The lowest numbered floor of the cluster that is the lowest floor of the most columns.
fn ground_of(map: &FloorMap, cells: &[IVec2], clusters: &[Vec<u32>]) -> u32 {
    let lowest = |floors: &&Vec<u32>| {
        let is_lowest = |floor: &&u32| map.column(cells[**floor as usize]).start == **floor;
        floors.iter().filter(is_lowest).count()
    };
    // The first of several.
    let ground = clusters.iter().rev().max_by_key(lowest);
    ground.map_or(u32::MAX, |floors| floors[0])
}

/// The floors of each layer: each cluster goes to the lowest layer on which its columns are free.
fn colored(map: &FloorMap, cells: &[IVec2], clusters: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let width = map.cells().high.x;
    let column = |floor: u32| {
        let cell = cells[floor as usize];
        (cell.y * width + cell.x) as usize
    };
    let count = map.cells().cell_count();
    let mut layers: Vec<(Vec<bool>, Vec<u32>)> = Vec::new();
    for cluster in clusters {
        let is_free = |taken: &[bool]| cluster.iter().all(|&floor| !taken[column(floor)]);
        let free = layers.iter().position(|(taken, _)| is_free(taken));
        let layer = free.unwrap_or_else(|| {
            layers.push((vec![false; count], Vec::new()));
            layers.len() - 1
        });
        let (taken, floors) = &mut layers[layer];
        for &floor in cluster {
            taken[column(floor)] = true;
        }
        floors.extend(cluster);
    }
    layers.into_iter().map(|(_, floors)| floors).collect()
}
