//! Islands after any edits equal those of a new flood fill, at a cost in proportion to the edit.

use crate::common::{
    as_map, cell_of, center_of, cost_field, every_map, index_of, random_rect, world_of,
};
use flow_swarm::grid::CellRect;
use flow_swarm::movement::{Changes, Clearance, CostField, Islands, MovementType};
use flow_swarm::terrain::Terrain;
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, areas, open};
use std::collections::BTreeMap;

/// Compares the labels of cells with a flood fill: one label per component, and one component per label. Returns their
/// number.
fn assert_same_parts(label_at: impl Fn(IVec2) -> Option<u32>, map: &CostMap, what: &str) -> usize {
    let areas = areas(map);
    let mut label_of = BTreeMap::new();
    let mut area_of = BTreeMap::new();
    for (index, area) in areas.iter().enumerate() {
        let cell = cell_of(map, index);
        let label = label_at(cell);
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
    area_of.len()
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
            Changes::Regions(_) => self.islands = Islands::new(&self.costs),
        }
    }

    fn check(&self, what: &str) {
        let islands = &self.islands;
        let parts = assert_same_parts(|cell| islands.at(cell), &as_map(&self.costs), what);
        assert_eq!(islands.count(), parts, "{what}");
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

/// Asks for the way between two places, and compares with floods over the costs in use.
fn check_answers(world: &mut FlowWorld, (from, to): (Vec2, Vec2), movement: usize, what: &str) {
    let what = format!("{what}, movement {movement}, {from} to {to}");
    let found = world.is_reachable(from, to, movement).expect("valid");
    let islands = [from, to].map(|at| world.island_at(at, movement).expect("valid"));
    let nearest = world.nearest_reachable_cell(from, to, movement);
    let nearest = nearest.expect("valid");

    let now = as_map(world.fresh_costs(movement));
    let index = |at: Vec2| index_of(&now, at.as_ivec2());
    let parts = areas(&now);
    let (begin, end) = (parts[index(from)], parts[index(to)]);
    let joined = begin.is_some() && begin == end;
    assert_eq!(found, joined, "{what}");
    assert_eq!(
        islands.map(|island| island.is_some()),
        [begin, end].map(|part| part.is_some())
    );
    assert_eq!(
        islands[0].is_some() && islands[0] == islands[1],
        joined,
        "{what}"
    );

    // Of the nearest cells the first, row by row.
    let nearest_to = |at: Vec2, is_such: &dyn Fn(usize) -> bool| {
        let cells = (0..now.len()).filter(|&cell| is_such(cell));
        cells.min_by_key(|&cell| (cell_of(&now, cell) - at.as_ivec2()).length_squared())
    };
    // A way from where clearance lacks begins at the nearest place that the agent could come to.
    let costs = world.costs(movement);
    let mut floor = now.clone();
    for (cell, cost) in floor.cost.iter_mut().enumerate() {
        *cost = [1, WALL][usize::from(costs.is_wall(cell_of(&now, cell)))];
    }
    let rooms = areas(&floor);
    let room = rooms[index(from)];
    let start = match (begin, room) {
        (Some(_), _) => Some(index(from)),
        (None, None) => None,
        (None, _) => nearest_to(from, &|cell| parts[cell].is_some() && rooms[cell] == room),
    };
    let expected = start.and_then(|start| nearest_to(to, &|cell| parts[cell] == parts[start]));
    assert_eq!(nearest, expected.map(|cell| cell_of(&now, cell)), "{what}");
}

fn kinds_with_and_without_clearance() -> [MovementType; 2] {
    let room = Clearance::new(1.0).expect("in range");
    let plain = MovementType::default();
    [plain.clone(), plain.with_clearance(room)]
}

#[test]
fn queries_after_an_edit_include_it() {
    let mut random = SplitMix64::new(12);
    for (name, map) in every_map(26, 21, 9) {
        let mut world = world_of(&map, Workers::serial());
        let kinds = kinds_with_and_without_clearance();
        world.set_movement_types(&kinds).expect("two");
        for edit in 0..40 {
            // Sometimes several edits between two queries.
            for _ in 0..1 + random.below(3) {
                let most = [1, 1, 4, 26][random.below(4)];
                let rect = random_rect(&mut random, world.grid().size(), most);
                let id = [1, WALL][random.below(2)];
                world.set_terrain_rect(rect, id).expect("inside");
            }
            let from = center_of(&map, random.below(map.len()));
            let to = center_of(&map, random.below(map.len()));
            let what = format!("{name}, edit {edit}");
            check_answers(&mut world, (from, to), random.below(2), &what);
        }
    }
}

/// Where the work of updates is limited, islands are labelled in parts, with edits in between, and follow later edits
/// and rollbacks.
#[test]
fn islands_that_are_labelled_in_parts_include_edits() {
    let mut random = SplitMix64::new(44);
    for (name, map) in every_map(26, 21, 9) {
        for cells in [6, 30, 200] {
            let mut world = world_of(&map, Workers::serial());
            let kinds = kinds_with_and_without_clearance();
            world.set_movement_types(&kinds).expect("two");
            world.set_update_cells(cells);
            let mut snapshot = world.snapshot();
            for edit in 0..150 {
                match random.below(12) {
                    0 => snapshot = world.snapshot(),
                    1 => world.restore(&snapshot).expect("of this world"),
                    _ => {}
                }
                if random.below(4) == 0 {
                    let most = [1, 1, 1, 2, 2, 26][random.below(6)];
                    let rect = random_rect(&mut random, world.grid().size(), most);
                    let id = [1, WALL][random.below(2)];
                    world.set_terrain_rect(rect, id).expect("inside");
                }
                world.update();
                if random.below(6) > 0 {
                    continue;
                }
                let from = center_of(&map, random.below(map.len()));
                let to = center_of(&map, random.below(map.len()));
                let what = format!("{name}, {cells} cells, edit {edit}");
                let movement = random.below(2);
                check_answers(&mut world, (from, to), movement, &what);
                let labels = world.island_map(movement).expect("valid");
                let label_at = |cell: IVec2| labels[index_of(&map, cell)];
                assert_same_parts(label_at, &as_map(world.costs(movement)), &what);
            }
        }
    }
}

/// A door between two rooms of thousands of rows, opened together with a change behind it, and then more cells than
/// are remembered.
#[test]
fn changes_that_are_too_much_for_a_slice_label_islands_anew() {
    let mut map = open(12, 5000);
    for y in 0..5000 {
        map.cost[y * 12 + 6] = WALL;
    }
    let mut world = world_of(&map, Workers::serial());
    let kinds = [MovementType::default()];
    world.set_movement_types(&kinds).expect("one");
    world.set_update_cells(10_000);
    let update = |world: &mut FlowWorld| {
        for _ in 0..8 {
            world.update();
        }
    };
    update(&mut world);
    let cell = |x, y| CellRect::cell(IVec2::new(x, y));
    world.set_terrain_rect(cell(6, 10), 1).expect("inside");
    // A wall across the room on the right, a hundred rows before its end.
    for x in 7..12 {
        world.set_terrain_rect(cell(x, 4900), WALL).expect("inside");
    }
    update(&mut world);
    let (left, right, end) = (
        Vec2::new(1.5, 0.5),
        Vec2::new(9.5, 0.5),
        Vec2::new(9.5, 4950.5),
    );
    assert_eq!(world.is_reachable(left, right, 0), Ok(true));
    let far = Vec2::new(9.5, 4850.5);
    assert_eq!(world.is_reachable(left, far, 0), Ok(true));
    assert_eq!(world.is_reachable(left, end, 0), Ok(false));
    let low = IVec2::new(0, 2000);
    let high = IVec2::new(12, 2800);
    world
        .set_terrain_rect(CellRect { low, high }, WALL)
        .expect("inside");
    update(&mut world);
    assert_eq!(
        world.is_reachable(left, Vec2::new(1.5, 4000.5), 0),
        Ok(false)
    );
    assert_eq!(world.island_at(Vec2::new(1.5, 2400.5), 0), Ok(None));
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
