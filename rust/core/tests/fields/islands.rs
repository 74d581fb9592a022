//! Islands after any edits equal those of a new flood fill, at a cost in proportion to the edit.

use crate::common::{as_map, cell_of, center_of, cost_field, every_map, random_rect, world_of};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::{Changes, Clearance, CostField, Islands, MovementType};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, areas, open};
use std::collections::BTreeMap;

/// Compares the labels with a flood fill: one label per component, and one component per label.
fn assert_same_parts(islands: &Islands, map: &CostMap, what: &str) {
    let areas = areas(map);
    let mut label_of = BTreeMap::new();
    let mut area_of = BTreeMap::new();
    for (index, area) in areas.iter().enumerate() {
        let cell = cell_of(map, index);
        let label = islands.at(cell);
        assert_eq!(label.is_some(), area.is_some(), "{what}: {cell}");
        if let (Some(label), Some(area)) = (label, area) {
            assert_eq!(
                *label_of.entry(*area).or_insert(label),
                label,
                "{what}: {cell} was split"
            );
            assert_eq!(
                *area_of.entry(label).or_insert(*area),
                *area,
                "{what}: {cell} was joined"
            );
        }
    }
    assert_eq!(islands.count(), area_of.len(), "{what}");
}

/// Labels that are updated together with edits of terrain.
struct Kept {
    terrain: Terrain,
    kind: MovementType,
    costs: CostField,
    islands: Islands,
}

impl Kept {
    fn new(map: &CostMap, kind: MovementType) -> Self {
        let mut terrain = Terrain::new(&crate::common::unit_grid(map));
        terrain.set_bytes(&map.cost).expect("same size");
        let costs = cost_field(map, &kind);
        let islands = Islands::new(&costs);
        Self {
            terrain,
            kind,
            costs,
            islands,
        }
    }

    fn edit(&mut self, rect: CellRect, id: u8) {
        self.terrain.fill_rect(rect, id).expect("inside");
        match self.costs.update(&self.terrain, &self.kind, &[rect]) {
            Changes::Cells(cells) => self.islands.update(&self.costs, &cells),
            Changes::Many => self.islands = Islands::new(&self.costs),
        }
    }

    fn check(&self, what: &str) {
        assert_same_parts(&self.islands, &as_map(&self.costs), what);
    }
}

#[test]
fn labels_after_edits_are_those_of_a_flood_fill() {
    let room = Clearance::new(1.2).expect("in range");
    let kinds = [
        MovementType::default(),
        MovementType::default().with_clearance(room),
    ];
    let mut random = SplitMix64::new(31);
    for kind in kinds {
        for (name, map) in every_map(29, 24, 3) {
            let size = crate::common::unit_grid(&map).size();
            let mut kept = Kept::new(&map, kind.clone());
            kept.check(&name);
            for edit in 0..150 {
                // Mostly single cells, which split and join islands most often.
                let most = [1, 1, 1, 2, 7][random.below(5)];
                let rect = random_rect(&mut random, size, most);
                kept.edit(rect, [1, WALL][random.below(2)]);
                kept.check(&format!("{name}, edit {edit}"));
            }
        }
    }
}

/// With half of all cells walls, nearly every edit splits or joins islands.
#[test]
fn labels_survive_noise() {
    let mut random = SplitMix64::new(77);
    for round in 0..300 {
        let (width, height) = (1 + random.below(12), 1 + random.below(12));
        let cost = (0..width * height)
            .map(|_| [1, WALL][random.below(2)])
            .collect();
        let map = CostMap {
            width,
            height,
            cost,
        };
        let mut kept = Kept::new(&map, MovementType::default());
        for edit in 0..40 {
            let cell = cell_of(&map, random.below(map.len()));
            kept.edit(CellRect::cell(cell), [1, WALL][random.below(2)]);
            kept.check(&format!("round {round}, edit {edit}"));
        }
    }
}

/// The cells of a wall that winds through the map are closed one by one. Each may close a ring.
#[test]
fn a_ring_that_closes_makes_an_island() {
    let map = open(15, 15);
    let mut kept = Kept::new(&map, MovementType::default());
    let mut ring = Vec::new();
    for along in 3..11 {
        ring.extend([(along, 3), (11, along), (14 - along, 11), (3, 14 - along)]);
    }
    for (count, &cell) in ring.iter().enumerate() {
        kept.edit(CellRect::cell(cell.into()), WALL);
        kept.check(&format!("{count}"));
    }
    assert_eq!(kept.islands.count(), 2);
    assert!(!kept.islands.connected(IVec2::new(7, 7), IVec2::new(0, 0)));
    kept.edit(CellRect::cell(IVec2::new(11, 6)), 1);
    assert_eq!(kept.islands.count(), 1);
    assert!(kept.islands.connected(IVec2::new(7, 7), IVec2::new(0, 0)));
}

#[test]
fn queries_after_an_edit_include_it() {
    let mut random = SplitMix64::new(12);
    for (name, map) in every_map(26, 21, 9) {
        let mut world = world_of(&map, Workers::serial());
        let room = Clearance::new(1.0).expect("in range");
        let kinds = [
            MovementType::default(),
            MovementType::default().with_clearance(room),
        ];
        world.set_movement_types(&kinds).expect("two");
        for edit in 0..40 {
            // Sometimes several edits between two queries.
            for _ in 0..1 + random.below(3) {
                let most = [1, 1, 4, 26][random.below(4)];
                let rect = random_rect(&mut random, world.grid().size(), most);
                let id = [1, WALL][random.below(2)];
                world.set_terrain_rect(rect, id).expect("inside");
            }
            let movement = random.below(2);
            let from = center_of(&map, random.below(map.len()));
            let to = center_of(&map, random.below(map.len()));
            let found = world.is_reachable(from, to, movement).expect("valid");
            let islands = [from, to].map(|at| world.island_at(at, movement).expect("valid"));
            let nearest = world.nearest_reachable_cell(from, to, movement);
            let nearest = nearest.expect("valid");

            let what = format!("{name}, edit {edit}, movement {movement}, {from} to {to}");
            let now = as_map(world.fresh_costs(movement));
            let areas = areas(&now);
            let area = |at: Vec2| areas[crate::common::index_of(&now, at.as_ivec2())];
            let joined = area(from).is_some() && area(from) == area(to);
            assert_eq!(found, joined, "{what}");
            assert_eq!(
                islands.map(|island| island.is_some()),
                [from, to].map(|at| area(at).is_some())
            );
            assert_eq!(
                islands[0].is_some() && islands[0] == islands[1],
                joined,
                "{what}"
            );
            if area(from).is_some() {
                // Of the nearest cells the first, row by row.
                let expected = (0..now.len())
                    .filter(|&cell| areas[cell] == area(from))
                    .map(|cell| cell_of(&now, cell))
                    .min_by_key(|&cell| (cell - to.as_ivec2()).length_squared());
                assert_eq!(nearest, expected, "{what}");
            } else if world.costs(movement).is_wall(from.as_ivec2()) {
                assert_eq!(nearest, None, "{what}");
            }
        }
    }
}

#[test]
fn an_agent_beside_a_wall_starts_from_where_it_fits() {
    let mut map = open(20, 9);
    for y in 0..9 {
        map.cost[y * 20 + 9] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    let room = Clearance::new(1.4).expect("in range");
    let kind = MovementType::default().with_clearance(room);
    world.set_movement_types(&[kind]).expect("one");
    let beside_wall = Vec2::new(8.5, 4.5);
    let beyond = Vec2::new(15.5, 4.5);
    assert_eq!(world.island_at(beside_wall, 0), Ok(None));
    let nearest = world.nearest_reachable_cell(beside_wall, beyond, 0);
    assert_eq!(nearest, Ok(Some(IVec2::new(7, 4))));
    let in_the_wall = Vec2::new(9.5, 4.5);
    let nearest = world.nearest_reachable_cell(in_the_wall, beyond, 0);
    assert_eq!(nearest, Ok(None));
}

/// A wall on open ground splits nothing, which its eight neighbours show. Flooding a million cells for each of these
/// walls would take minutes.
#[test]
fn pillars_in_the_open_cost_next_to_nothing() {
    let map = open(1000, 1000);
    let mut kept = Kept::new(&map, MovementType::default());
    let mut random = SplitMix64::new(2);
    for _ in 0..1000 {
        let cell = IVec2::new(random.below(1000) as i32, random.below(1000) as i32);
        kept.edit(CellRect::cell(cell), WALL);
    }
    kept.check("a thousand pillars");
}
