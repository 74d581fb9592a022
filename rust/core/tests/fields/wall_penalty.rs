//! The wall penalty follows its documented rule, and partial updates equal full ones.

use crate::common::{as_map, cost_field, every_map, random_rect, unit_grid};
use flow_swarm::grid::STEPS;
use flow_swarm::movement::{BLOCKED, CostField, MAX_COST, MovementType, WallPenalty};
use flow_swarm::terrain::Terrain;
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL};

/// The rule, cell by cell: it depends on the distance of the nearest wall of the map in king's moves.
fn penalised(map: &CostMap, weight: usize, radius: usize, linear: bool) -> Vec<u8> {
    let walls: Vec<(usize, usize)> = (0..map.len())
        .filter(|&cell| map.cost[cell] == WALL)
        .map(|cell| map.position(cell))
        .collect();
    (0..map.len())
        .map(|cell| {
            let (x, y) = map.position(cell);
            let distance = walls
                .iter()
                .map(|&(wall_x, wall_y)| x.abs_diff(wall_x).max(y.abs_diff(wall_y)))
                .min();
            match distance {
                Some(0) => WALL,
                Some(distance) if distance <= radius => {
                    let surcharge = if linear {
                        (weight * (radius + 1 - distance)).div_ceil(radius)
                    } else {
                        weight
                    };
                    (usize::from(map.cost[cell]) + surcharge).min(254) as u8
                }
                _ => map.cost[cell],
            }
        })
        .collect()
}

fn penalty(weight: usize, radius: usize, linear: bool) -> MovementType {
    let penalty = WallPenalty::new(weight as i64, radius as i64, linear).expect("in range");
    MovementType::with_wall_penalty(penalty)
}

#[test]
fn costs_follow_the_rule_on_every_map() {
    for (name, map) in every_map(37, 29, 4) {
        for linear in [false, true] {
            for radius in 0..=5 {
                for weight in [0, 1, 20, 253] {
                    let costs = cost_field(&map, &penalty(weight, radius, linear));
                    assert_eq!(
                        costs.to_bytes(),
                        penalised(&map, weight, radius, linear),
                        "{name}: weight {weight}, radius {radius}, linear {linear}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_edge_of_the_map_is_no_wall() {
    let map = CostMap::filled(9, 7, 3);
    let costs = cost_field(&map, &penalty(50, 5, false));
    assert_eq!(costs.to_bytes(), map.cost);
}

#[test]
fn the_surcharge_stops_below_a_wall() {
    let mut map = CostMap::filled(9, 9, 200);
    map.cost[40] = WALL;
    let costs = cost_field(&map, &penalty(253, 3, true));
    assert_eq!(costs.open_cell_count(), 80);
    assert_eq!(costs.dearest(), MAX_COST);
    assert_eq!(costs.cheapest(), 200);
}

#[test]
fn settings_out_of_range_are_refused() {
    for (weight, radius) in [
        (-1, 1),
        (254, 1),
        (20, -1),
        (20, 33),
        (i64::MAX, 1),
        (1, i64::MIN),
    ] {
        assert!(
            WallPenalty::new(weight, radius, false).is_err(),
            "{weight} {radius}"
        );
    }
}

/// Compares everything that can be read from a cost field.
fn assert_same(partial: &CostField, whole: &CostField, what: &str) {
    assert_eq!(partial.costs(), whole.costs(), "{what}: costs");
    assert_eq!(partial.steps(), whole.steps(), "{what}: legal steps");
    assert_eq!(partial.cheapest(), whole.cheapest(), "{what}: cheapest");
    assert_eq!(partial.dearest(), whole.dearest(), "{what}: dearest");
    assert_eq!(
        partial.open_cell_count(),
        whole.open_cell_count(),
        "{what}: open cells"
    );
}

#[test]
fn an_updated_field_is_the_field_built_anew() {
    for (name, map) in every_map(41, 35, 6) {
        for (weight, radius, linear) in [(0, 0, false), (20, 1, false), (90, 4, true)] {
            let kind = penalty(weight, radius, linear);
            let grid = unit_grid(&map);
            let mut terrain = Terrain::new(&grid);
            terrain.set_bytes(&map.cost).expect("same size");
            let mut costs = CostField::new(&grid, &terrain, &kind);
            let mut random = SplitMix64::new(8);
            for edit in 0..40 {
                let rect = random_rect(&mut random, grid.size(), 6);
                let id = [1, 1, WALL, WALL, random.below(256) as u8][random.below(5)];
                terrain.fill_rect(rect, id).expect("inside");
                costs.update(&terrain, &kind, &[rect]);
                let whole = CostField::new(&grid, &terrain, &kind);
                assert_same(&costs, &whole, &format!("{name}, edit {edit} of {rect:?}"));
            }
        }
    }
}

#[test]
fn legal_steps_cut_no_corner_and_leave_no_map() {
    for (name, map) in every_map(31, 26, 3) {
        let costs = cost_field(&map, &MovementType::default());
        let map = as_map(&costs);
        for cell in 0..map.len() {
            for (step, offset) in STEPS.iter().enumerate() {
                let other = map.offset(cell, (offset.x as isize, offset.y as isize));
                let legal = other.is_some_and(|other| {
                    flow_swarm_bench::oracle::legal_step(
                        &map,
                        cell,
                        other,
                        flow_swarm_bench::steps::Corners::Closed,
                    )
                });
                let found = costs.steps_at(crate::common::cell_of(&map, cell)) >> step & 1 == 1;
                assert_eq!(found, legal, "{name}: cell {cell}, step {offset}");
            }
        }
    }
}

#[test]
fn the_table_turns_terrain_into_cost() {
    let mut table = [7; 256];
    table[3] = BLOCKED;
    let kind = MovementType::new(&table, WallPenalty::default()).expect("valid");
    let map = CostMap {
        width: 3,
        height: 1,
        cost: vec![1, 3, 255],
    };
    assert_eq!(cost_field(&map, &kind).to_bytes(), [7, BLOCKED, 7]);
    assert!(MovementType::new(&table[1..], WallPenalty::default()).is_err());
    table[9] = 0;
    assert!(MovementType::new(&table, WallPenalty::default()).is_err());
    // Id 0 is clear ground under the identity.
    let map = CostMap {
        width: 2,
        height: 1,
        cost: vec![0, 1],
    };
    assert_eq!(
        cost_field(&map, &MovementType::default()).to_bytes(),
        [1, 1]
    );
}
