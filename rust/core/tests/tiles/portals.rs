//! Flow tiles, section 1: sectors and portal windows. The portal graph matches its description after any history.

use crate::common::portals::{cases, cells_in, costs_within, graph_of, key, settings};
use crate::common::{
    cost_field, edit_like_a_game, index_of, listed_or_not, penalty_types, unit_grid,
};
use flow_swarm::movement::{Changes, CostField, MovementType};
use flow_swarm::route::{PortalGraph, PortalId, Side};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{Error, IVec2};
use flow_swarm_bench::maps::{SplitMix64, every_kind, open};

#[test]
fn every_cell_lies_in_one_sector() {
    for size in 4..=64 {
        let map = open(131, 70);
        let costs = cost_field(&map, &MovementType::default());
        let graph = graph_of(&costs, settings(size, 64));
        let sectors = graph.sectors();
        let mut seen = vec![0; map.len()];
        for sector in 0..sectors.count() as u32 {
            let rect = sectors.rect(sector);
            for (place, cell) in cells_in(rect).into_iter().enumerate() {
                assert_eq!((sectors.at(cell), sectors.place(cell)), (sector, place));
                seen[index_of(&map, cell)] += 1;
            }
            for side in Side::ALL {
                let beyond = sectors.beyond(sector, side);
                let edge = match side {
                    Side::East | Side::South => rect.high - IVec2::ONE,
                    Side::West | Side::North => rect.low,
                } + side.step();
                let expected = sectors.contains(edge).then(|| sectors.at(edge));
                assert_eq!(beyond, expected, "sector {sector}, {side:?}");
            }
        }
        assert!(seen.iter().all(|&times| times == 1), "sectors of {size}");
    }
}

#[test]
fn windows_are_the_longest_runs_that_are_open_on_both_sides_split_evenly() {
    for (name, map, kind, settings) in cases(3) {
        let costs = cost_field(&map, &kind);
        let graph = graph_of(&costs, settings);
        let sectors = *graph.sectors();
        for sector in 0..sectors.count() as u32 {
            for side in Side::ALL {
                let rect = sectors.rect(sector);
                let border = cells_in(rect)
                    .into_iter()
                    .filter(|&cell| match side {
                        Side::East => cell.x == rect.high.x - 1,
                        Side::South => cell.y == rect.high.y - 1,
                        Side::West => cell.x == rect.low.x,
                        Side::North => cell.y == rect.low.y,
                    })
                    .filter(|&cell| costs.is_open(cell) && costs.is_open(cell + side.step()));
                // Runs of neighbouring cells.
                let mut runs: Vec<Vec<IVec2>> = Vec::new();
                for cell in border {
                    match runs.last_mut() {
                        Some(run) if (cell - run[run.len() - 1]).abs().element_sum() == 1 => {
                            run.push(cell);
                        }
                        _ => runs.push(vec![cell]),
                    }
                }
                let mut portals = graph.portals_on(sector, side);
                for run in runs {
                    let parts = run.len().div_ceil(settings.widest_window as usize);
                    let mut covered = Vec::new();
                    for _ in 0..parts {
                        let portal = portals.next().expect("a portal for each part");
                        let cells = cells_in(graph.cells(portal));
                        assert!(cells.len() <= settings.widest_window as usize, "{name}");
                        assert!(cells.len() >= run.len() / parts, "{name}: uneven parts");
                        assert!(cells.contains(&graph.middle(portal)), "{name}");
                        assert_eq!(graph.side(portal), side);
                        let across = graph.across(portal);
                        assert_eq!(graph.across(across), portal);
                        assert_eq!(graph.side(across), side.opposite());
                        assert_eq!(graph.middle(across), graph.middle(portal) + side.step());
                        covered.extend(cells);
                    }
                    assert_eq!(covered, run, "{name}: sector {sector} {side:?}");
                }
                assert_eq!(portals.next(), None, "{name}: sector {sector} {side:?}");
            }
        }
    }
}

#[test]
fn edges_are_the_exact_costs_within_a_sector() {
    for (name, map, kind, settings) in cases(5) {
        let costs = cost_field(&map, &kind);
        let graph = graph_of(&costs, settings);
        // The reference is slow, so some sectors of each map suffice.
        let mut random = SplitMix64::new(map.len() as u64);
        for _ in 0..4 {
            let sector = random.below(graph.sectors().count()) as u32;
            let rect = graph.sectors().rect(sector);
            for to in graph.portals_of(sector).step_by(3) {
                let within = costs_within(&costs, rect, &[(graph.middle(to), 0)]);
                for from in graph.portals_of(sector) {
                    let found = graph.exact_cost_between(from, to).map(u64::from);
                    let expected = within.get(&key(graph.middle(from))).copied();
                    assert_eq!(found, expected, "{name}: {from:?} to {to:?}, {settings:?}");
                }
            }
        }
    }
}

#[test]
fn an_updated_graph_is_the_one_that_is_built_anew() {
    let mut random = SplitMix64::new(17);
    let workers = Workers::new(3).expect("threads");
    for round in 0..12 {
        let kinds = every_kind(83, 61, round);
        let (name, map) = &kinds[random.below(kinds.len())];
        let kind = penalty_types()[random.below(3)].clone();
        let chosen = settings(
            [4, 6, 10, 16, 33, 64][random.below(6)],
            [1, 4, 64][random.below(3)],
        );
        let grid = unit_grid(map);
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost).expect("same size");
        let mut costs = CostField::new(&grid, &terrain, &kind);
        let mut graph = graph_of(&costs, chosen);
        for tick in 0..25 {
            let mut regions = Vec::new();
            let targets = [grid.cell(random.below(map.len()))];
            edit_like_a_game(&mut random, grid.size(), &targets, |rect, id| {
                terrain.fill_rect(rect, id).expect("inside");
                regions.push(rect);
            });
            let before = graph.clone();
            let changes = costs.update(&terrain, &kind, &regions);
            let told = listed_or_not(&mut random, changes.clone(), &costs);
            let changed = graph.update(&costs, &told, &workers);
            let what = format!("{name} {chosen:?}, round {round}, tick {tick}");
            assert!(graph == graph_of(&costs, chosen), "{what}");
            assert!(changed.is_sorted_by(|one, other| one < other), "{what}");
            assert_eq!(
                graph.version() == before.version(),
                changed.is_empty(),
                "{what}"
            );
            for sector in 0..graph.sectors().count() as u32 {
                let same = describe(&graph, sector) == describe(&before, sector);
                assert!(same || changed.contains(&sector), "{what}: sector {sector}");
            }
            if let Changes::Cells(cells) = changes {
                for cell in cells {
                    let sector = graph.sectors().at(costs.cell(cell as usize));
                    assert!(changed.contains(&sector), "{what}: sector {sector}");
                }
            }
        }
    }
}

/// All public properties of a sector's portals.
fn describe(graph: &PortalGraph, sector: u32) -> Vec<(Side, IVec2, IVec2, Vec<Option<u32>>)> {
    let portals: Vec<PortalId> = graph.portals_of(sector).collect();
    let describe = |&to: &PortalId| {
        let edges = portals
            .iter()
            .map(|&from| graph.exact_cost_between(from, to));
        let cells = graph.cells(to);
        (graph.side(to), cells.low, cells.high, edges.collect())
    };
    portals.iter().map(describe).collect()
}

#[test]
fn the_graph_is_the_same_for_any_number_of_threads() {
    for (name, map, kind, settings) in cases(23) {
        let costs = cost_field(&map, &kind);
        for threads in [2, 5] {
            let workers = Workers::new(threads).expect("threads");
            let graph = PortalGraph::new(&costs, settings, &workers).expect("valid");
            assert!(
                graph == graph_of(&costs, settings),
                "{name}: {threads} threads"
            );
        }
    }
}

#[test]
fn a_local_edit_touches_few_sectors() {
    let map = open(200, 200);
    let grid = unit_grid(&map);
    let mut terrain = Terrain::new(&grid);
    let kind = MovementType::default();
    let mut costs = CostField::new(&grid, &terrain, &kind);
    let mut graph = graph_of(&costs, settings(10, 10));
    let mut touched = |cell: IVec2| {
        terrain.set(cell, 255).expect("inside");
        let region = flow_swarm::grid::CellRect::cell(cell);
        let changes = costs.update(&terrain, &kind, &[region]);
        graph.update(&costs, &changes, &Workers::serial()).len()
    };
    assert_eq!(touched(IVec2::new(55, 55)), 1);
    assert!(touched(IVec2::new(50, 75)) <= 2);
    assert!(touched(IVec2::new(70, 70)) <= 4);
}

#[test]
fn bad_settings_are_refused_by_name() {
    let costs = cost_field(&open(20, 20), &MovementType::default());
    let refused = |size, widest| {
        let graph = PortalGraph::new(&costs, settings(size, widest), &Workers::serial());
        match graph {
            Err(Error::OutOfRange { name, value, .. }) => (name, value),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(3, 8), ("sector_size", 3.into()));
    assert_eq!(refused(65, 8), ("sector_size", 65.into()));
    assert_eq!(refused(u32::MAX, 8).0, "sector_size");
    assert_eq!(refused(10, 0), ("widest_window", 0.into()));
    assert_eq!(refused(10, 65), ("widest_window", 65.into()));
}
