//! A portal graph that is built in slices is that of a build at once, whatever is edited meanwhile.

use crate::common::portals::{cases, graph_of};
use crate::common::{edit_like_a_game, listed_or_not, unit_grid};
use flow_swarm::grid::CellRect;
use flow_swarm::grid::links::{Link, Links};
use flow_swarm::grid::travel::Travel;
use flow_swarm::movement::CostField;
use flow_swarm::retired::Retired;
use flow_swarm::route::GraphBuild;
use flow_swarm::terrain::Terrain;
use flow_swarm_bench::maps::SplitMix64;
use std::sync::Arc;

#[test]
fn a_graph_in_slices_is_that_of_a_build_at_once() {
    for (number, (name, map, kind, settings)) in cases(5).into_iter().enumerate() {
        let mut random = SplitMix64::new(number as u64);
        let grid = unit_grid(&map);
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost).expect("the same size");
        let mut costs = CostField::new(&grid, &terrain, &kind);
        let mut build = GraphBuild::new(&costs, settings).expect("in range");
        let mut slices = 0;
        let budget = 1 + random.below(900);
        // Edits and links come while sectors are built; then the rest is built.
        for round in 0..12 {
            build.advance(&costs, &mut budget.clone());
            if round == 6 && number % 3 == 0 && grid.cell_count() > 1 {
                let link = Link {
                    from: grid.cell(0),
                    to: grid.cell(grid.cell_count() - 1),
                    cost: 2.0,
                    both_ways: true,
                    travel: Travel::AtOnce,
                };
                let links = Links::new(std::iter::once(&link), costs.stride());
                let changes = costs.set_links(Arc::new(links));
                build.note(&costs, &changes);
            }
            let mut regions: Vec<CellRect> = Vec::new();
            edit_like_a_game(&mut random, grid.size(), &[grid.cell(0)], |rect, id| {
                terrain.fill_rect(rect, id).expect("inside");
                regions.push(rect);
            });
            let changes = costs.update(&terrain, &kind, &regions);
            let changes = listed_or_not(&mut random, changes, &costs);
            build.note(&costs, &changes);
        }
        while !build.advance(&costs, &mut budget.clone()) {
            slices += 1;
            assert!(slices < 10_000, "{name}: it is never finished");
        }
        let graph = build.finish();
        assert!(graph == graph_of(&costs, settings), "{name}, {settings:?}");
    }
}

#[test]
fn an_update_in_slices_is_that_of_an_update_at_once() {
    for (number, (name, map, kind, settings)) in cases(5).into_iter().enumerate() {
        let mut random = SplitMix64::new(number as u64);
        let grid = unit_grid(&map);
        let mut terrain = Terrain::new(&grid);
        terrain.set_bytes(&map.cost).expect("the same size");
        let mut costs = CostField::new(&grid, &terrain, &kind);
        let mut graph = graph_of(&costs, settings);
        let budget = 1 + random.below(900);
        for update in 0..4 {
            let before = graph.clone();
            let mut build = GraphBuild::on(&graph);
            // Edits and links come while sectors are built; then the rest is built.
            for round in 0..8 {
                build.advance_on(Some(&graph), &costs, &mut budget.clone());
                if round == 4 && number % 3 == 0 && update % 2 == 0 && grid.cell_count() > 1 {
                    let link = Link {
                        from: grid.cell(0),
                        to: grid.cell(grid.cell_count() - 1),
                        cost: 2.0,
                        both_ways: true,
                        travel: Travel::AtOnce,
                    };
                    // Links come with one update and go with the next but one.
                    let links = std::iter::once(&link).filter(|_| update == 0);
                    let links = Links::new(links, costs.stride());
                    let changes = costs.set_links(Arc::new(links));
                    build.note(&costs, &changes);
                }
                let mut regions: Vec<CellRect> = Vec::new();
                edit_like_a_game(&mut random, grid.size(), &[grid.cell(0)], |rect, id| {
                    terrain.fill_rect(rect, id).expect("inside");
                    regions.push(rect);
                });
                let changes = costs.update(&terrain, &kind, &regions);
                let changes = listed_or_not(&mut random, changes, &costs);
                build.note(&costs, &changes);
            }
            let mut slices = 0;
            while !build.advance_on(Some(&graph), &costs, &mut budget.clone()) {
                slices += 1;
                assert!(slices < 10_000, "{name}: it is never finished");
            }
            assert!(build.is_finished());
            assert!(graph == before, "{name}: the base stays as it is");
            build.finish_on(&mut graph, &mut Retired::default());
            assert!(
                graph == graph_of(&costs, settings),
                "{name}, {settings:?}, update {update}"
            );
        }
    }
}
