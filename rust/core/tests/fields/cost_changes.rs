//! A cost field that is updated by regions equals a new one, and reports every cell that changed.

use crate::common::{random_rect, system_a_penalty};
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{Changes, Clearance, CostField, MovementType, WallPenalty};
use flow_swarm::terrain::Terrain;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, WALL, every_kind};

fn kinds() -> [MovementType; 4] {
    let far = WallPenalty::new(60, 5, true).expect("in range");
    [
        MovementType::default(),
        MovementType::with_wall_penalty(system_a_penalty()),
        MovementType::with_wall_penalty(far),
        MovementType::with_wall_penalty(system_a_penalty())
            .with_clearance(Clearance::new(2.2).expect("in range")),
    ]
}

/// The cells where costs, legal steps or walls differ: a wall may become a cell that only lacks clearance.
fn differences(one: &CostField, other: &CostField) -> Vec<u32> {
    let cells = 0..one.cell_count();
    cells
        .filter(|&at| {
            one.costs()[at] != other.costs()[at]
                || one.steps()[at] != other.steps()[at]
                || one.is_wall_at(at) != other.is_wall_at(at)
        })
        .map(|at| at as u32)
        .collect()
}

#[test]
fn updates_by_region_name_exactly_the_cells_that_changed() {
    let mut random = SplitMix64::new(5);
    let mut many = 0;
    for (width, height) in [(47, 38), (90, 70), (1, 60), (60, 1), (1, 1)] {
        let size = IVec2::new(width, height);
        let grid = Grid::new(size, 1.0, Vec2::ZERO).expect("valid");
        for kind in kinds() {
            for (name, map) in every_kind(width as usize, height as usize, 2) {
                let mut terrain = Terrain::new(&grid);
                terrain.set_bytes(&map.cost).expect("same size");
                let mut costs = CostField::new(&grid, &terrain, &kind);
                for round in 0..12 {
                    let before = costs.clone();
                    let most = [1, 4, 40][random.below(3)];
                    let regions: Vec<CellRect> = (0..1 + random.below(4))
                        .map(|_| random_rect(&mut random, size, most))
                        .collect();
                    for &region in &regions {
                        let id = [1, 1, 3, 90, WALL, WALL][random.below(6)];
                        terrain.fill_rect(region, id).expect("inside");
                    }
                    let changes = costs.update(&terrain, &kind, &regions);
                    let what = format!("{name} {width}x{height}, round {round}");
                    let anew = CostField::new(&grid, &terrain, &kind);
                    assert!(differences(&costs, &anew).is_empty(), "{what}");
                    assert_eq!(costs.cheapest(), anew.cheapest(), "{what}");
                    assert_eq!(costs.dearest(), anew.dearest(), "{what}");
                    assert_eq!(costs.open_cell_count(), anew.open_cell_count(), "{what}");
                    let expected = differences(&costs, &before);
                    match changes {
                        Changes::Cells(cells) => assert_eq!(cells, expected, "{what}"),
                        Changes::Regions(changed) => {
                            many += 1;
                            let is_inside =
                                |cell| changed.iter().any(|region| region.contains(cell));
                            let mut cells = expected.iter().map(|&at| costs.cell(at as usize));
                            assert!(cells.all(is_inside), "{what}");
                            assert!(expected.len() > grid.cell_count() / 16, "{what}");
                        }
                    }
                }
            }
        }
    }
    assert!(many > 0, "large changes occur");
}
