//! Painting and reading rectangles of terrain equals painting and reading their cells.

use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::terrain::{CLEAR, Stamp};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use proptest::prelude::*;

const SIZE: IVec2 = IVec2::new(70, 40);

fn world() -> FlowWorld {
    let grid = Grid::new(SIZE, 1.0, Vec2::ZERO).expect("valid");
    FlowWorld::new(grid, Workers::serial())
}

fn rect(low: (i32, i32), high: (i32, i32)) -> CellRect {
    CellRect {
        low: low.into(),
        high: high.into(),
    }
}

fn ids(count: usize, seed: u8) -> Vec<u8> {
    (0..count)
        .map(|index| (index as u8).wrapping_mul(57).wrapping_add(seed) / 3)
        .collect()
}

proptest! {
    #[test]
    fn a_block_is_its_cells(
        (x, y) in (0..70i32, 0..40i32), (width, height) in (1..50i32, 1..30i32), seed in any::<u8>(),
        stamped in any::<bool>(),
    ) {
        let part = rect((x, y), ((x + width).min(70), (y + height).min(40)));
        let size = part.high - part.low;
        let bytes = ids((size.x * size.y) as usize, seed);
        let (mut by_block, mut by_cell) = (world(), world());
        for world in [&mut by_block, &mut by_cell] {
            if stamped {
                let stamp = Stamp::new(IVec2::new(9, 7), &ids(63, 5), Some(3)).expect("valid");
                world.place_stamp(IVec2::new(28, 14), &stamp).expect("inside");
            }
            world.update();
        }
        by_block.set_terrain_block(part, &bytes).expect("inside");
        for (index, &id) in (0..).zip(&bytes) {
            let cell = part.low + IVec2::new(index % size.x, index / size.x);
            by_cell.set_terrain(cell, id).expect("inside");
        }
        prop_assert_eq!(by_block.terrain().to_bytes(), by_cell.terrain().to_bytes());
        prop_assert_eq!(by_block.update().terrain, by_cell.update().terrain);
        prop_assert_eq!(by_block.base_terrain_block(part).expect("inside"), bytes);
    }
}

#[test]
fn only_what_differs_has_changed() {
    let mut world = world();
    world.update();
    let part = rect((3, 4), (13, 14));
    let mut bytes = vec![CLEAR; 100];
    world.set_terrain_block(part, &bytes).expect("inside");
    assert_eq!(world.update().terrain, None);
    bytes[0] = 9;
    bytes[12] = 9;
    world.set_terrain_block(part, &bytes).expect("inside");
    assert_eq!(world.update().terrain, Some(rect((3, 4), (6, 6))));
}

#[test]
fn bad_blocks_change_nothing() {
    let mut world = world();
    let outside = [
        rect((-1, 0), (3, 2)),
        rect((68, 38), (72, 40)),
        rect((0, 39), (4, 41)),
    ];
    for part in outside {
        let size = part.high - part.low;
        let bytes = vec![9; (size.x * size.y) as usize];
        assert!(world.set_terrain_block(part, &bytes).is_err());
        assert!(world.base_terrain_block(part).is_err());
    }
    assert!(
        world
            .set_terrain_block(rect((0, 0), (2, 2)), &[9; 3])
            .is_err()
    );
    assert!(
        world
            .set_terrain_block(rect((i32::MIN, 0), (i32::MAX, 1)), &[9])
            .is_err()
    );
    assert!(world.terrain().to_bytes().iter().all(|&id| id == CLEAR));
    let empty = rect((5, 5), (2, 9));
    assert!(world.set_terrain_block(empty, &[]).is_ok());
    assert_eq!(world.base_terrain_block(empty), Ok(Vec::new()));
}
