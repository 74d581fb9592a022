//! The sectors of a portal graph that changes of the costs concern.

use super::sector_links::SectorLinks;
use super::sectors::{Sectors, Side};
use crate::grid::CellRect;
use crate::movement::{Changes, CostField};
use glam::IVec2;

/// The sectors that contain changed cells, touch them across a border or are joined to them by a link, ascending;
/// true for a sector that contains one.
pub(super) fn changed_sectors(
    sectors: &Sectors,
    links: &SectorLinks,
    costs: &CostField,
    changes: &Changes,
) -> Vec<(u32, bool)> {
    let mut changed = match changes {
        Changes::Cells(cells) => around_cells(sectors, links, costs, cells),
        Changes::Regions(regions) => around_regions(sectors, links, regions),
    };
    keep_each_once(&mut changed);
    changed
}

/// [`changed_sectors`] of listed cells, in no order and some more than once.
fn around_cells(
    sectors: &Sectors,
    links: &SectorLinks,
    costs: &CostField,
    cells: &[u32],
) -> Vec<(u32, bool)> {
    let mut changed = Vec::new();
    // Most cells lie in the sector of the cell before them.
    let mut known: Option<(u32, CellRect)> = None;
    for &index in cells {
        let cell = costs.cell(index as usize);
        let (sector, rect) = match known {
            Some(known) if known.1.contains(cell) => known,
            _ => {
                let sector = sectors.at(cell);
                changed.push((sector, true));
                (sector, sectors.rect(sector))
            }
        };
        known = Some((sector, rect));
        for side in Side::ALL {
            let beside = cell + side.step();
            if rect.contains(beside) || !sectors.contains(beside) {
                continue;
            }
            let other = (sectors.at(beside), false);
            if changed.last() != Some(&other) {
                changed.push(other);
            }
        }
        if !links.is_empty() {
            let joined = links.joined_to(sector, cell);
            changed.extend(joined.map(|other| (other, false)));
        }
    }
    changed
}

/// [`changed_sectors`] of regions, in no order and some more than once.
fn around_regions(
    sectors: &Sectors,
    links: &SectorLinks,
    regions: &[CellRect],
) -> Vec<(u32, bool)> {
    // After another movement type: listed quickly, as large maps have tens of thousands.
    let (low, high) = (IVec2::ZERO, sectors.map_size());
    let whole = CellRect { low, high };
    if regions
        .iter()
        .any(|region| region.intersection(&whole) == whole)
    {
        return (0..sectors.count() as u32).map(|it| (it, true)).collect();
    }
    let mut changed = Vec::new();
    for region in regions {
        let around = sectors.touched_by(region.grown(1));
        let with_inside = around.map(|sector| {
            let inside = sectors.rect(sector).intersection(region);
            (sector, !inside.is_empty())
        });
        changed.extend(with_inside);
    }
    keep_each_once(&mut changed);
    if !links.is_empty() {
        let inside = changed.iter().filter(|(_, is_inside)| *is_inside);
        let joined: Vec<_> = inside
            .flat_map(|&(sector, _)| links.joined_to_sector(sector))
            .map(|other| (other, false))
            .collect();
        changed.extend(joined);
    }
    changed
}

/// Sorts sectors. Of two entries for one the one with changes inside is kept.
pub(super) fn keep_each_once(changed: &mut Vec<(u32, bool)>) {
    changed.sort_unstable_by_key(|&(sector, inside)| (sector, !inside));
    changed.dedup_by_key(|&mut (sector, _)| sector);
}
