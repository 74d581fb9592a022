//! Stamps cover terrain: after placing and removing in any order, a cell shows the last stamp that is left.

use crate::common::{system_a_penalty, world_of};
use flow_swarm::error::Error;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::EikonalSolver;
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::terrain::{CLEAR, Stamp, StampId};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, WALL, open};

const SEE_THROUGH: u8 = 9;

/// The terrain and its stamps in the order of placing, painted again for each comparison.
struct Model {
    size: IVec2,
    base: Vec<u8>,
    stamps: Vec<(StampId, IVec2, IVec2, Vec<u8>)>,
}

impl Model {
    fn shown(&self) -> Vec<u8> {
        let mut shown = self.base.clone();
        for (_, origin, size, ids) in &self.stamps {
            for (index, &id) in ids.iter().enumerate() {
                let (x, y) = (index as i32 % size.x, index as i32 / size.x);
                if id != SEE_THROUGH {
                    shown[((origin.y + y) * self.size.x + origin.x + x) as usize] = id;
                }
            }
        }
        shown
    }

    /// The part of it that fits on another grid.
    fn resized(self, size: IVec2) -> Self {
        let mut base = vec![CLEAR; (size.x * size.y) as usize];
        for y in 0..size.y.min(self.size.y) {
            for x in 0..size.x.min(self.size.x) {
                base[(y * size.x + x) as usize] = self.base[(y * self.size.x + x) as usize];
            }
        }
        let mut stamps = self.stamps;
        stamps.retain(|(_, origin, extent, _)| (*origin + *extent).cmple(size).all());
        Self { size, base, stamps }
    }
}

fn random_id(random: &mut SplitMix64) -> u8 {
    [CLEAR, 2, 40, WALL, WALL, SEE_THROUGH][random.below(6)]
}

/// A random rectangle on the grid.
fn random_place(random: &mut SplitMix64, size: IVec2) -> CellRect {
    let most = [1, 3, 12][random.below(3)];
    crate::common::random_rect(random, size, most)
}

fn edit(world: &mut FlowWorld, model: &mut Model, random: &mut SplitMix64) {
    match random.below(10) {
        0..4 => {
            let group: Vec<(IVec2, Stamp)> = (0..1 + random.below(3))
                .map(|_| {
                    let rect = random_place(random, model.size);
                    let size = rect.high - rect.low;
                    let ids: Vec<u8> = (0..size.x * size.y).map(|_| random_id(random)).collect();
                    let stamp = Stamp::new(size, &ids, Some(SEE_THROUGH)).expect("right length");
                    model.stamps.push((StampId(0), rect.low, size, ids));
                    (rect.low, stamp)
                })
                .collect();
            let ids = world.place_stamps(&group).expect("inside");
            let first = model.stamps.len() - ids.len();
            for (entry, id) in model.stamps[first..].iter_mut().zip(ids) {
                entry.0 = id;
            }
        }
        4..8 => {
            let mut gone = Vec::new();
            while !model.stamps.is_empty() && gone.len() < 3 && random.below(3) > 0 {
                let index = random.below(model.stamps.len());
                gone.push(model.stamps.remove(index).0);
            }
            world.remove_stamps(&gone).expect("placed");
        }
        8 => {
            let rect = random_place(random, model.size);
            let id = random_id(random);
            world.set_terrain_rect(rect, id).expect("inside");
            for y in rect.low.y..rect.high.y {
                for x in rect.low.x..rect.high.x {
                    model.base[(y * model.size.x + x) as usize] = id;
                }
            }
        }
        _ => {
            let cell = random_place(random, model.size).low;
            let id = random_id(random);
            world.set_terrain(cell, id).expect("inside");
            model.base[(cell.y * model.size.x + cell.x) as usize] = id;
        }
    }
}

#[test]
fn any_order_of_placing_and_removing_shows_what_is_left() {
    let mut random = SplitMix64::new(23);
    for round in 0..10_000 {
        // Mostly small maps; some have several storage sectors.
        let most = [6, 12, 12, 70][random.below(4)];
        let size = IVec2::new(1 + random.below(most) as i32, 1 + random.below(most) as i32);
        let grid = Grid::new(size, 1.0, Vec2::ZERO).expect("valid");
        let mut world = FlowWorld::new(grid, Workers::serial());
        let mut model = Model {
            size,
            base: vec![CLEAR; grid.cell_count()],
            stamps: Vec::new(),
        };
        let target = grid.center_of(random_place(&mut random, size).low);
        let goal = world.create_goal(&[target]).expect("inside");
        for _ in 0..12 {
            edit(&mut world, &mut model, &mut random);
            assert_eq!(world.terrain().to_bytes(), model.shown(), "round {round}");
            // The field is repaired from that before the edit.
            let field = world.whole_field(goal, 0).expect("known").expect("built");
            let costs = CostField::new(&grid, world.terrain(), &MovementType::default());
            let anew = EikonalSolver::new().solve(&costs, &[grid.cell_at(target)]);
            let anew = anew.expect("small");
            assert_eq!(field.integration.stored(), anew.stored(), "round {round}");
        }
        assert_eq!(world.base_terrain_bytes(), model.base, "round {round}");
        // The costs include all changes.
        let anew = CostField::new(&grid, world.terrain(), &MovementType::default());
        assert_eq!(world.fresh_costs(0).costs(), anew.costs(), "round {round}");
        match random.below(3) {
            0 => {
                let size = IVec2::new(1 + random.below(20) as i32, 1 + random.below(20) as i32);
                let left_out = world.set_grid(Grid::new(size, 1.0, Vec2::ZERO).expect("valid"));
                let before: Vec<StampId> = model.stamps.iter().map(|entry| entry.0).collect();
                model = model.resized(size);
                let kept: Vec<StampId> = model.stamps.iter().map(|entry| entry.0).collect();
                assert!(world.stamp_ids().eq(kept.iter().copied()));
                let lost = before.iter().filter(|id| !kept.contains(id)).copied();
                assert!(lost.eq(left_out.stamps), "round {round}");
            }
            1 => {
                let bytes: Vec<u8> = model.base.iter().map(|_| random_id(&mut random)).collect();
                world.set_terrain_bytes(&bytes).expect("right length");
                model.base = bytes;
            }
            _ => {}
        }
        assert_eq!(world.terrain().to_bytes(), model.shown(), "round {round}");
        // When all stamps are removed, in any order, the painted terrain shows again.
        while !model.stamps.is_empty() {
            let index = random.below(model.stamps.len());
            let (id, ..) = model.stamps.remove(index);
            world.remove_stamp(id).expect("placed");
            assert!(world.remove_stamp(id).is_err(), "gone");
        }
        assert_eq!(world.terrain().to_bytes(), model.base, "round {round}");
    }
}

/// Fields after edits by stamps equal those of a new world.
#[test]
fn fields_follow_stamps() {
    let mut random = SplitMix64::new(4);
    let map = open(40, 33);
    let size = IVec2::new(40, 33);
    let kinds = [
        MovementType::default(),
        MovementType::with_wall_penalty(system_a_penalty()),
    ];
    let mut world = world_of(&map, Workers::serial());
    world.set_movement_types(&kinds).expect("two");
    let target = [Vec2::new(20.5, 16.5)];
    let goal = world.create_goal(&target).expect("inside");
    let mut model = Model {
        size,
        base: map.cost.clone(),
        stamps: Vec::new(),
    };
    for round in 0..60 {
        edit(&mut world, &mut model, &mut random);
        let mut anew = world_of(&map, Workers::serial());
        anew.set_movement_types(&kinds).expect("two");
        anew.set_terrain_bytes(&model.shown()).expect("same size");
        let same_goal = anew.create_goal(&target).expect("inside");
        for movement in 0..2 {
            let found = world.whole_field(goal, movement).expect("known");
            let expected = anew.whole_field(same_goal, movement).expect("known");
            let (found, expected) = (found.expect("built"), expected.expect("built"));
            assert_eq!(
                found.integration.stored(),
                expected.integration.stored(),
                "round {round}"
            );
            assert_eq!(found.flow.to_vectors(), expected.flow.to_vectors());
        }
    }
}

#[test]
fn a_stamp_partly_outside_changes_nothing() {
    let mut world = world_of(&open(8, 6), Workers::serial());
    let stamp = Stamp::new(IVec2::new(3, 2), &[WALL; 6], None).expect("valid");
    let inside = (IVec2::new(5, 4), stamp.clone());
    for origin in [
        (6, 4),
        (5, 5),
        (-1, 0),
        (0, -1),
        (8, 6),
        (i32::MAX, 0),
        (i32::MIN, i32::MIN),
    ] {
        let outside = (IVec2::from(origin), stamp.clone());
        let refused = world.place_stamps(&[inside.clone(), outside]);
        assert!(matches!(refused, Err(Error::StampOutside { .. })));
        assert_eq!(world.terrain().to_bytes(), [CLEAR; 48]);
        assert_eq!(world.stamp_ids().count(), 0);
    }
    let id = world.place_stamp(inside.0, &stamp).expect("inside");
    assert_eq!(id, StampId(1), "what was refused used no id");
    assert!(world.remove_stamps(&[id, StampId(7)]).is_err());
    assert_eq!(world.stamp_ids().collect::<Vec<_>>(), [id]);
    world.remove_stamps(&[id, id]).expect("named twice, gone");
    assert_eq!(world.place_stamp(inside.0, &stamp), Ok(StampId(2)));
}

#[test]
fn bad_stamps_are_refused() {
    for (x, y) in [
        (0, 1),
        (1, 0),
        (-1, -1),
        (i32::MAX, i32::MAX),
        (i32::MIN, 2),
    ] {
        assert!(Stamp::new(IVec2::new(x, y), &[1], None).is_err(), "{x} {y}");
    }
    assert!(Stamp::new(IVec2::new(2, 2), &[1; 3], None).is_err());
    assert!(Stamp::new(IVec2::new(2, 2), &[1; 5], None).is_err());
}

#[test]
fn stamps_turn_from_x_towards_y() {
    let stamp = Stamp::new(IVec2::new(3, 2), &[1, 2, 3, 4, 5, 6], Some(5)).expect("valid");
    let turned = |turns: i64, size: (i32, i32), ids: [u8; 6]| {
        let expected = Stamp::new(size.into(), &ids, Some(5)).expect("valid");
        assert_eq!(stamp.turned(turns), expected, "{turns}");
    };
    turned(0, (3, 2), [1, 2, 3, 4, 5, 6]);
    turned(1, (2, 3), [4, 1, 5, 2, 6, 3]);
    turned(2, (3, 2), [6, 5, 4, 3, 2, 1]);
    turned(3, (2, 3), [3, 6, 2, 5, 1, 4]);
    turned(-1, (2, 3), [3, 6, 2, 5, 1, 4]);
    turned(i64::MIN, (3, 2), [1, 2, 3, 4, 5, 6]);
    turned(i64::MAX, (2, 3), [3, 6, 2, 5, 1, 4]);
}

#[test]
fn a_stamp_knows_its_cells() {
    let mut world = world_of(&open(5, 5), Workers::serial());
    let stamp = Stamp::new(IVec2::new(2, 2), &[0, 255, 255, 0], Some(0)).expect("valid");
    let id = world.place_stamp(IVec2::new(1, 2), &stamp).expect("inside");
    let cells = vec![IVec2::new(2, 2), IVec2::new(1, 3)];
    assert_eq!(world.stamp_cells(id), Ok(cells));
    assert!(world.stamp_cells(StampId(0)).is_err());
}

/// Only visible differences count as changes.
#[test]
fn a_stamp_that_shows_nothing_new_is_no_change() {
    let mut world = world_of(&open(5, 5), Workers::serial());
    world.update();
    let stamp = Stamp::new(IVec2::new(2, 2), &[CLEAR; 4], None).expect("valid");
    let id = world.place_stamp(IVec2::ZERO, &stamp).expect("inside");
    assert_eq!(world.update().terrain, None);
    world.set_terrain(IVec2::ZERO, WALL).expect("inside");
    assert_eq!(world.update().terrain, None, "it is under the stamp");
    world.remove_stamp(id).expect("placed");
    let shown = CellRect::cell(IVec2::ZERO);
    assert_eq!(world.update().terrain, Some(shown));
}
