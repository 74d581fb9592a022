//! Heights of the ground: bilinear between corners, on each layer, with holes, and edited by rectangles.

use flow_swarm::error::Error;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::ground::MAX_HEIGHT;
use flow_swarm::import::Slope;
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use proptest::prelude::*;

const NAN: f32 = f32::NAN;

/// Random numbers for tests.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / f64::from(1 << 24)
    }
}

pub(super) fn world(size: IVec2, cell_size: f32, origin: Vec2, layers: u32) -> FlowWorld {
    let grid = Grid::layered(size, cell_size, origin, layers).expect("valid");
    FlowWorld::new(grid, Workers::serial())
}

pub(super) fn rect(low: IVec2, size: IVec2) -> CellRect {
    CellRect {
        low,
        high: low + size,
    }
}

/// The heights of all corners of a layer, as a test keeps them.
#[derive(Clone)]
struct Map {
    size: IVec2,
    corners: Vec<f32>,
}

impl Map {
    fn new(size: IVec2) -> Self {
        let corners = vec![NAN; ((size.x + 1) * (size.y + 1)) as usize];
        Self { size, corners }
    }

    fn at(&mut self, x: i32, y: i32) -> &mut f32 {
        &mut self.corners[(y * (self.size.x + 1) + x) as usize]
    }

    fn set(&mut self, rect: CellRect, heights: &[f32]) {
        let mut heights = heights.iter();
        for y in rect.low.y..rect.high.y {
            for x in rect.low.x..rect.high.x {
                *self.at(x, y) = *heights.next().expect("one a corner");
            }
        }
    }

    /// The bilinear height in double precision, as a weighted mean of four corners. NaN in holes and outside.
    fn height(&mut self, point: (f64, f64)) -> f64 {
        let (x, y) = (point.0.floor() as i32, point.1.floor() as i32);
        if x < 0 || y < 0 || x >= self.size.x || y >= self.size.y {
            return f64::NAN;
        }
        let (u, v) = (point.0 - f64::from(x), point.1 - f64::from(y));
        let mut sum = 0.0;
        for (dx, dy, weight) in [
            (0, 0, (1.0 - u) * (1.0 - v)),
            (1, 0, u * (1.0 - v)),
            (0, 1, (1.0 - u) * v),
            (1, 1, u * v),
        ] {
            sum += weight * f64::from(*self.at(x + dx, y + dy));
        }
        sum
    }
}

fn slope() -> Slope {
    Slope::new(1.0, 8).expect("valid")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn heights_are_bilinear_after_any_edits(
        (width, height) in (1i32..80, 1i32..80),
        cell_size in 0.2f32..4.0,
        origin in (-300.0f32..300.0, -300.0f32..300.0),
        layers in 1u32..4,
        seed in 0u64..u64::MAX,
        is_whole in any::<bool>(),
    ) {
        let size = IVec2::new(width, height);
        let mut world = world(size, cell_size, Vec2::from(origin), layers);
        let mut numbers = Numbers(seed);
        let mut maps = vec![Map::new(size); layers as usize];
        for edit in 0..6 {
            let layer = (numbers.next() * f64::from(layers)) as usize;
            let part = if edit == 0 && is_whole {
                rect(IVec2::ZERO, size + 1)
            } else {
                let mut side = |most: i32| {
                    let low = (numbers.next() * f64::from(most + 1)) as i32;
                    let long = 1 + (numbers.next() * f64::from(most + 1 - low)) as i32;
                    (low, long.min(most + 1 - low))
                };
                let ((x, long), (y, wide)) = (side(size.x), side(size.y));
                rect(IVec2::new(x, y), IVec2::new(long, wide))
            };
            let mut height = || {
                let is_hole = numbers.next() < 0.02;
                let height = (60.0 * numbers.next() - 30.0) as f32;
                if is_hole { NAN } else { height }
            };
            let heights: Vec<f32> = (0..part.cell_count()).map(|_| height()).collect();
            world.set_heights_rect(layer as i64, part, &heights).expect("inside");
            maps[layer].set(part, &heights);
        }
        let mut known = 0;
        for _ in 0..400 {
            let layer = (numbers.next() * f64::from(layers)) as u32;
            let along = |most: i32, share: f64| (f64::from(most) + 0.5) * share - 0.25;
            let point = (along(width, numbers.next()), along(height, numbers.next()));
            let position = Vec2::from(origin) + Vec2::new(point.0 as f32, point.1 as f32) * cell_size;
            // The cell and the share of it that the position really has.
            let exact = |position: f32, origin: f32| {
                (f64::from(position) - f64::from(origin)) / f64::from(cell_size)
            };
            let point = (exact(position.x, origin.0), exact(position.y, origin.1));
            // A cell may be missed by rounding.
            let off = |number: f64| (number - number.round()).abs();
            if off(point.0) < 1.0e-3 || off(point.1) < 1.0e-3 {
                continue;
            }
            let place = world.grid().layers().place(position, layer);
            let expected = maps[layer as usize].height(point);
            let found = world.height_at(place);
            prop_assert_eq!(found.is_none(), expected.is_nan(), "{:?} {}", found, expected);
            let stood = world.ground().standing_height(layer, position);
            if let Some(found) = found {
                known += 1;
                prop_assert!((f64::from(found) - expected).abs() < 0.01, "{found} {expected}");
                // The place of a layer is rounded more coarsely.
                let stood = stood.expect("a height");
                prop_assert!((stood - found).abs() < 0.01, "{stood} {found}");
            }
            if let Some(stood) = stood {
                prop_assert!((-30.0..=30.0).contains(&stood), "{stood}");
                let (low, high) = world.ground().range().expect("heights");
                prop_assert!((low..=high).contains(&stood));
            }
        }
        prop_assert!(!is_whole || layers > 1 || known > 50, "{known}");
    }

    #[test]
    fn normals_are_those_of_the_heights_half_a_cell_away(
        (width, height) in (3i32..70, 3i32..70),
        cell_size in 0.3f32..3.0,
        seed in 0u64..u64::MAX,
    ) {
        let size = IVec2::new(width, height);
        let mut world = world(size, cell_size, Vec2::ZERO, 1);
        let mut numbers = Numbers(seed);
        let mut map = Map::new(size);
        let all = rect(IVec2::ZERO, size + 1);
        let heights: Vec<f32> = (0..all.cell_count()).map(|_| numbers.next() as f32).collect();
        world.set_heights(0, &heights).expect("right length");
        map.set(all, &heights);
        for _ in 0..200 {
            let inside = |most: i32, share: f64| 0.55 + (f64::from(most) - 1.1) * share;
            let (x, y) = (inside(width, numbers.next()), inside(height, numbers.next()));
            let position = Vec2::new(x as f32, y as f32) * cell_size;
            let (x, y) = (f64::from(position.x / cell_size), f64::from(position.y / cell_size));
            let side = f64::from(cell_size);
            let along_x = (map.height((x + 0.5, y)) - map.height((x - 0.5, y))) / side;
            let along_y = (map.height((x, y + 0.5)) - map.height((x, y - 0.5))) / side;
            let normal = glam::DVec3::new(-along_x, 1.0, -along_y).normalize();
            let found = world.normal_at(position).expect("no holes").as_dvec3();
            prop_assert!(found.distance(normal) < 2.0e-3, "{found} {normal}");
            prop_assert!((found.length() - 1.0).abs() < 1.0e-5);
        }
    }
}

#[test]
fn a_plane_has_one_normal_up_to_the_edge() {
    for size in [
        IVec2::new(1, 1),
        IVec2::new(31, 2),
        IVec2::new(32, 33),
        IVec2::new(70, 64),
    ] {
        let mut world = world(size, 2.0, Vec2::new(-7.0, 3.0), 1);
        let corner = |index: i32| {
            let (x, y) = (index % (size.x + 1), index / (size.x + 1));
            2.0 * (0.5 * x as f32 - 0.25 * y as f32)
        };
        let heights: Vec<f32> = (0..(size.x + 1) * (size.y + 1)).map(corner).collect();
        world.set_heights(0, &heights).expect("right length");
        let normal = glam::Vec3::new(-0.5, 1.0, 0.25).normalize();
        for cell in [IVec2::ZERO, size - 1, IVec2::new(size.x - 1, 0), size / 2] {
            for share in [0.01, 0.3, 0.5, 0.99] {
                let at = world.grid().to_world(cell.as_vec2() + share);
                let found = world.normal_at(at).expect("inside");
                assert!(
                    found.distance(normal) < 1.0e-5,
                    "{size} {cell} {share}: {found}"
                );
            }
        }
    }
}

#[test]
fn holes_have_no_height_but_things_stand_at_the_last_or_nearest() {
    let mut world = world(IVec2::new(200, 40), 1.0, Vec2::ZERO, 1);
    let at = Vec2::new(5.5, 5.5);
    assert_eq!(world.height_at(at), None);
    assert_eq!(world.normal_at(at), None);
    assert_eq!(world.ground().standing_height(0, at), None);
    // A hole from the start takes the height of the corner that is nearest.
    let part = rect(IVec2::new(2, 2), IVec2::splat(8));
    let mut heights = vec![7.0; 64];
    heights[27] = NAN;
    world.set_heights_rect(0, part, &heights).expect("inside");
    assert_eq!(world.height_at(at), None);
    assert_eq!(world.normal_at(at), None);
    assert_eq!(world.ground().standing(0, at), Some((7.0, Vec2::ZERO)));
    assert_eq!(world.height_at(Vec2::new(3.5, 3.5)), Some(7.0));
    // What was never set is a hole, too, however far away.
    let far = Vec2::new(190.0, 30.0);
    assert_eq!(world.height_at(far), None);
    assert_eq!(world.ground().standing_height(0, far), Some(7.0));
    assert_eq!(
        world.ground().standing_height(0, Vec2::new(-900.0, 1.0e9)),
        Some(7.0)
    );
    // A hole under a crowd keeps the height that was there.
    let ground: Vec<f32> = (0..64).map(|index| index as f32).collect();
    world.set_heights_rect(0, part, &ground).expect("inside");
    let before = world.height_at(at);
    assert_eq!(before, Some(31.5));
    world.set_heights_rect(0, part, &[NAN; 64]).expect("inside");
    assert_eq!(world.height_at(at), None);
    assert_eq!(world.ground().standing_height(0, at), before);
    world.clear_heights(0).expect("a layer");
    assert_eq!(world.ground().standing_height(0, at), None);
    assert!(world.ground().is_flat());
}

#[test]
fn ground_without_heights_is_as_high_as_the_nearest_that_has_some() {
    let mut world = world(IVec2::new(100, 40), 1.0, Vec2::ZERO, 1);
    let corners = rect(IVec2::new(5, 5), IVec2::splat(4));
    world
        .set_heights_rect(0, corners, &[2.0; 16])
        .expect("valid");
    let far = Vec2::new(90.0, 20.0);
    assert_eq!(world.ground().standing_height(0, far), Some(2.0));
    assert_eq!(world.ground().range(), Some((2.0, 2.0)));
    world
        .set_heights_rect(0, corners, &[7.0; 16])
        .expect("valid");
    assert_eq!(world.ground().height_at(0, Vec2::splat(6.5)), Some(7.0));
    assert_eq!(
        world.ground().standing_height(0, far),
        Some(2.0),
        "the first"
    );
    assert_eq!(world.ground().range(), Some((2.0, 7.0)));
    // Heights nearer to it.
    let corners = rect(IVec2::new(70, 5), IVec2::splat(4));
    world
        .set_heights_rect(0, corners, &[3.0; 16])
        .expect("valid");
    assert_eq!(world.ground().standing_height(0, far), Some(3.0));
    assert_eq!(world.ground().range(), Some((2.0, 7.0)));
    // The whole map: no square has the heights of another any more.
    let all = rect(IVec2::ZERO, IVec2::new(101, 41));
    world
        .set_heights_rect(0, all, &[1.0; 101 * 41])
        .expect("valid");
    assert_eq!(world.ground().standing_height(0, far), Some(1.0));
    assert_eq!(world.ground().range(), Some((1.0, 1.0)));
}

#[test]
fn things_stand_on_the_floor_at_or_below_them() {
    let mut world = world(IVec2::new(40, 20), 1.0, Vec2::ZERO, 3);
    let at = Vec2::new(5.5, 5.5);
    let layers = *world.grid().layers();
    let found = |world: &FlowWorld, position: Vec2, height: f32| {
        let place = world.place_under(position, height).expect("finite");
        assert_eq!(layers.flat(place), position);
        layers.at(place)
    };
    assert_eq!(found(&world, at, 9.0), 0, "without heights");
    let deck = rect(IVec2::splat(4), IVec2::splat(4));
    for (layer, height) in [(0, 6.0), (1, 3.0), (2, 0.0)] {
        world
            .set_heights_rect(layer, deck, &[height; 16])
            .expect("valid");
    }
    for (height, layer) in [
        (-9.0, 2),
        (0.0, 2),
        (2.89, 2),
        (2.91, 1),
        (5.5, 1),
        (6.0, 0),
        (99.0, 0),
    ] {
        assert_eq!(found(&world, at, height), layer, "at {height}");
    }
    // A cell with one corner of a floor is its edge; the one beside it is not, if another layer has ground there.
    let all = rect(IVec2::ZERO, IVec2::new(41, 21));
    world
        .set_heights_rect(2, all, &[0.0; 41 * 21])
        .expect("valid");
    assert_eq!(found(&world, Vec2::splat(7.5), 7.0), 0, "the edge");
    assert_eq!(found(&world, Vec2::new(8.5, 7.5), 7.0), 2, "beside it");
    assert_eq!(found(&world, Vec2::new(35.0, 7.5), 7.0), 2, "far away");
    // Where there is no ground at all, the heights at which agents would be drawn tell layers apart.
    world
        .set_heights_rect(2, all, &[NAN; 41 * 21])
        .expect("valid");
    assert_eq!(found(&world, Vec2::new(35.0, 7.5), 7.0), 0, "a hole");
    assert_eq!(found(&world, Vec2::new(35.0, 7.5), 4.0), 1, "a hole");
    for (position, height) in [(Vec2::NAN, 0.0), (at, f32::NAN), (at, f32::INFINITY)] {
        assert!(world.place_under(position, height).is_err());
    }
}

#[test]
fn an_edit_leaves_clones_and_other_layers_alone() {
    let mut world = world(IVec2::new(64, 64), 1.0, Vec2::ZERO, 3);
    world.set_heights(1, &vec![3.0; 65 * 65]).expect("corners");
    assert_eq!(world.ground().range(), Some((3.0, 3.0)));
    assert!(!world.ground().is_on_all(3));
    let before = world.ground().clone();
    let corner = rect(IVec2::splat(32), IVec2::ONE);
    world.set_heights_rect(1, corner, &[-9.0]).expect("inside");
    let at = Vec2::splat(32.0);
    assert_eq!(world.ground().standing_height(1, at), Some(-9.0));
    assert_eq!(before.standing_height(1, at), Some(3.0));
    assert_eq!(world.ground().range(), Some((-9.0, 3.0)));
    assert_eq!(before.range(), Some((3.0, 3.0)));
    assert_eq!(world.ground().standing_height(0, at), None);
    assert_eq!(world.ground().standing_height(2, at), None);
    // All four cells and all four blocks around the corner have changed.
    for off in [(0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)] {
        assert_eq!(
            world.ground().standing_height(1, at + Vec2::from(off)),
            Some(0.0)
        );
    }
}

#[test]
fn a_new_grid_keeps_the_heights_of_its_corners() {
    let mut world = world(IVec2::new(40, 40), 1.0, Vec2::ZERO, 2);
    let heights: Vec<f32> = (0..41 * 41).map(|index| (index % 41) as f32).collect();
    world.set_heights(0, &heights).expect("corners");
    world.set_heights(1, &vec![1.0; 1600]).expect("centres");
    let grid = Grid::layered(IVec2::new(60, 20), 2.0, Vec2::splat(10.0), 1).expect("valid");
    world.set_grid(grid);
    assert_eq!(
        world.height_at(Vec2::new(10.0 + 2.0 * 7.5, 11.0)),
        Some(7.5)
    );
    assert_eq!(
        world.height_at(Vec2::new(10.0 + 2.0 * 39.5, 49.0)),
        Some(39.5)
    );
    assert_eq!(world.height_at(Vec2::new(10.0 + 2.0 * 40.5, 11.0)), None);
    assert_eq!(world.ground().range(), Some((0.0, 40.0)));
    let moved = Grid::new(IVec2::new(60, 20), 1.0, Vec2::ZERO).expect("valid");
    world.set_grid(moved);
    assert_eq!(world.height_at(Vec2::new(7.5, 0.5)), Some(7.5));
}

#[test]
fn an_update_reports_changed_heights_once() {
    let mut world = world(IVec2::new(4, 3), 1.0, Vec2::ZERO, 1);
    assert!(!world.update().heights);
    world.set_heights(0, &[1.0; 20]).expect("valid");
    assert!(world.update().heights);
    assert!(!world.update().heights);
    let one = rect(IVec2::ONE, IVec2::ONE);
    assert!(world.set_heights_rect(0, one, &[f32::INFINITY]).is_err());
    assert!(!world.update().heights, "nothing has changed");
    world.set_heights_rect(0, one, &[2.0]).expect("valid");
    assert!(world.update().heights);
    world.clear_heights(0).expect("a layer");
    assert!(world.update().heights);
}

#[test]
fn heights_of_centres_are_averaged_at_corners() {
    let mut world = world(IVec2::new(2, 2), 1.0, Vec2::ZERO, 1);
    world
        .set_heights(0, &[0.0, 2.0, 4.0, 10.0])
        .expect("centres");
    assert_eq!(world.height_at(Vec2::ZERO), Some(0.0));
    assert_eq!(world.height_at(Vec2::new(1.0, 0.0)), Some(1.0));
    assert_eq!(world.height_at(Vec2::ONE), Some(4.0));
    assert_eq!(world.height_at(Vec2::new(0.5, 0.5)), Some(1.75));
    world
        .set_heights(0, &[NAN, 2.0, 4.0, 9.0])
        .expect("centres");
    assert_eq!(world.height_at(Vec2::new(1.999_999, 0.0)), Some(2.0));
    assert_eq!(world.ground().standing_height(0, Vec2::ONE), Some(5.0));
    // The corner of the hole alone is one.
    assert_eq!(world.height_at(Vec2::new(0.5, 0.5)), None);
}

#[test]
fn loaded_heights_can_leave_the_terrain_of_gentle_slopes() {
    let mut world = world(IVec2::new(4, 1), 1.0, Vec2::ZERO, 1);
    // Flat, a slope of 0.5, a cliff, and a hole.
    let row = [0.0, 0.0, 0.5, 4.0, NAN];
    let heights = [row, row].concat();
    let swamp = [9, 7, 5, 1];
    world.set_terrain_bytes(&swamp).expect("cells");
    world
        .load_heights(0, &heights, &slope(), true)
        .expect("corners");
    assert_eq!(world.terrain().to_bytes(), [9, 7, 255, 255]);
    assert_eq!(world.height_at(Vec2::new(1.5, 0.5)), Some(0.25));
    world
        .load_heights(0, &heights, &slope(), false)
        .expect("corners");
    assert_eq!(world.terrain().to_bytes(), [1, 5, 255, 255]);
}

#[test]
fn bad_heights_are_refused_and_change_nothing() {
    let mut world = world(IVec2::new(3, 2), 1.0, Vec2::ZERO, 2);
    world.set_heights(1, &[1.0; 12]).expect("corners");
    let length = |expected, actual| Error::Length {
        name: "heights",
        expected,
        actual,
    };
    assert_eq!(world.set_heights(1, &[0.0; 11]), Err(length(12, 11)));
    for bad in [
        f32::INFINITY,
        f32::NEG_INFINITY,
        1.1 * MAX_HEIGHT,
        -1.1 * MAX_HEIGHT,
    ] {
        for count in [6, 12] {
            let mut heights = vec![0.0; count];
            heights[count - 1] = bad;
            let refused = world.set_heights(1, &heights);
            assert!(
                matches!(
                    refused,
                    Err(Error::OutOfRange {
                        name: "heights",
                        ..
                    })
                ),
                "{bad}"
            );
            let refused = world.load_heights(1, &heights, &slope(), false);
            assert!(refused.is_err(), "{bad}");
        }
    }
    // The mean of opposite infinities is no hole.
    let opposite = [f32::INFINITY, f32::NEG_INFINITY, 0.0, 0.0, 0.0, 0.0];
    assert!(world.set_heights(1, &opposite).is_err());
    for layer in [-1, 2, i64::MAX] {
        assert!(world.set_heights(layer, &[0.0; 12]).is_err());
        assert!(world.clear_heights(layer).is_err());
    }
    for (low, size) in [
        ((-1, 0), (1, 1)),
        ((3, 2), (2, 1)),
        ((0, 3), (1, 1)),
        ((4, 0), (1, 1)),
    ] {
        let part = rect(IVec2::from(low), IVec2::from(size));
        let refused = world.set_heights_rect(1, part, &vec![0.0; part.cell_count()]);
        assert!(
            matches!(refused, Err(Error::CornerOutside { .. })),
            "{low:?}"
        );
    }
    let part = rect(IVec2::new(3, 2), IVec2::ONE);
    assert_eq!(world.set_heights_rect(1, part, &[]), Err(length(1, 0)));
    let odd = CellRect {
        low: IVec2::MAX,
        high: IVec2::MIN,
    };
    assert_eq!(world.set_heights_rect(1, odd, &[]), Ok(()));
    assert_eq!(world.ground().range(), Some((1.0, 1.0)));
    assert!(
        world
            .terrain()
            .to_bytes()
            .iter()
            .all(|&id| id == 1 || id == 255)
    );
    // Nothing but holes sets nothing.
    world.set_heights(0, &[NAN; 12]).expect("corners");
    assert_eq!(world.ground().standing_height(0, Vec2::ONE), None);
}
