//! Shapes cover the cells that they overlap, and no others.

use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::import::{Coverage, TOLERANCE};
use flow_swarm::{IVec2, Vec2};
use glam::DVec2;
use proptest::prelude::*;

const WALL: u8 = 255;

fn grid() -> Grid {
    Grid::new(IVec2::new(13, 9), 4.0, Vec2::new(-10.0, 6.0)).expect("valid")
}

fn world(points: &[(f32, f32)]) -> Vec<Vec2> {
    let grid = grid();
    let points = points.iter();
    points
        .map(|&(x, y)| grid.to_world(Vec2::new(x, y)))
        .collect()
}

fn drawn(draw: impl FnOnce(&mut Coverage)) -> Vec<u8> {
    let grid = grid();
    let mut coverage = Coverage::new(&grid, grid.cells()).expect("inside");
    draw(&mut coverage);
    coverage.ids().to_vec()
}

fn covered(ids: &[u8]) -> Vec<(i32, i32)> {
    let grid = grid();
    let cells = (0..ids.len()).filter(|&index| ids[index] != 0);
    let cells = cells.map(|index| grid.cell(index));
    cells.map(|cell| (cell.x, cell.y)).collect()
}

fn polygon(points: &[(f32, f32)]) -> Vec<(i32, i32)> {
    covered(&drawn(|coverage| {
        coverage.polygon(&world(points), WALL).expect("finite");
    }))
}

/// The part of a polygon inside a square, cut along each side of the square in turn (Sutherland and Hodgman).
fn cut(polygon: &[DVec2], low: DVec2, high: DVec2) -> Vec<DVec2> {
    let sides = [
        (DVec2::X, low.x),
        (-DVec2::X, -high.x),
        (DVec2::Y, low.y),
        (-DVec2::Y, -high.y),
    ];
    let mut rest = polygon.to_vec();
    for (normal, limit) in sides {
        let subject = std::mem::take(&mut rest);
        for (index, &from) in subject.iter().enumerate() {
            let to = subject[(index + 1) % subject.len()];
            let (a, b) = (from.dot(normal) - limit, to.dot(normal) - limit);
            if a >= 0.0 {
                rest.push(from);
            }
            if (a >= 0.0) != (b >= 0.0) {
                rest.push(from.lerp(to, a / (a - b)));
            }
        }
    }
    rest
}

fn area(polygon: &[DVec2]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let twice: f64 = polygon.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum();
    (twice * 0.5).abs()
}

/// The square of a cell without a border of a width.
fn square(cell: IVec2, border: f64) -> (DVec2, DVec2) {
    let low = cell.as_dvec2();
    (low + border, low + 1.0 - border)
}

fn check_against_areas(points: &[(f32, f32)], ids: &[u8]) -> Result<(), TestCaseError> {
    let grid = grid();
    let outline: Vec<DVec2> = world(points)
        .iter()
        .map(|point| (point.as_dvec2() - grid.origin().as_dvec2()) / 4.0)
        .collect();
    for (index, &id) in ids.iter().enumerate() {
        let cell = grid.cell(index);
        let (low, high) = square(cell, TOLERANCE * 1.5);
        if area(&cut(&outline, low, high)) > 1e-6 {
            prop_assert_eq!(id, WALL, "{} is reached into", cell);
        }
        let (low, high) = square(cell, TOLERANCE * 0.5);
        if area(&cut(&outline, low, high)) < 1e-12 {
            prop_assert_eq!(id, 0, "{} is not reached into", cell);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn triangles_cover_the_cells_that_they_share_area_with(
        points in prop::collection::vec((-6.0f32..20.0, -6.0f32..15.0), 3..=3),
    ) {
        let ids = drawn(|coverage| coverage.polygon(&world(&points), WALL).expect("finite"));
        check_against_areas(&points, &ids)?;
    }

    #[test]
    fn concave_polygons_too(
        center in (0.0f32..13.0, 0.0f32..9.0),
        reach in prop::collection::vec(0.2f32..9.0, 3..12),
        backwards in any::<bool>(),
    ) {
        // A star around the centre does not intersect itself.
        let mut points: Vec<(f32, f32)> = (0..reach.len())
            .map(|corner| {
                let angle = corner as f32 / reach.len() as f32 * std::f32::consts::TAU;
                (
                    center.0 + reach[corner] * angle.cos(),
                    center.1 + reach[corner] * angle.sin(),
                )
            })
            .collect();
        if backwards {
            points.reverse();
        }
        let ids = drawn(|coverage| coverage.polygon(&world(&points), WALL).expect("finite"));
        check_against_areas(&points, &ids)?;
    }

    #[test]
    fn lines_cover_the_cells_that_they_pass_through(
        from in (-6.0f32..20.0, -6.0f32..15.0),
        to in (-6.0f32..20.0, -6.0f32..15.0),
    ) {
        let points = [from, to];
        let ids = drawn(|coverage| coverage.line(&world(&points), WALL).expect("finite"));
        let (a, b) = (DVec2::new(from.0.into(), from.1.into()), DVec2::new(to.0.into(), to.1.into()));
        for (index, &id) in ids.iter().enumerate() {
            let cell = grid().cell(index);
            let inside = |border: f64| {
                let (low, high) = square(cell, border);
                (0..=20_000).any(|step| {
                    let at = a.lerp(b, f64::from(step) / 20_000.0);
                    at.cmpgt(low).all() && at.cmplt(high).all()
                })
            };
            if inside(TOLERANCE * 1.5) {
                prop_assert_eq!(id, WALL, "{} is passed through", cell);
            } else if !inside(TOLERANCE * 0.5 - 0.001) {
                prop_assert_eq!(id, 0, "{} is not passed through", cell);
            }
        }
    }

    #[test]
    fn a_half_plane_is_all_that_is_behind_the_line(
        point in (0.0f32..13.0, 0.0f32..9.0), angle in 0.0f32..6.3,
    ) {
        let normal = Vec2::new(angle.cos(), angle.sin());
        let point = world(&[point])[0];
        let ids = drawn(|coverage| coverage.half_plane(point, normal, WALL).expect("finite"));
        for (index, &id) in ids.iter().enumerate() {
            let (low, high) = grid().rect_of(grid().cell(index));
            let corners = [low, high, Vec2::new(low.x, high.y), Vec2::new(high.x, low.y)];
            let deepest = corners.map(|corner| (corner - point).dot(normal));
            let deepest = deepest.into_iter().fold(f32::INFINITY, f32::min);
            if deepest < -0.05 {
                prop_assert_eq!(id, WALL);
            }
            if deepest > 0.05 {
                prop_assert_eq!(id, 0);
            }
        }
    }
}

#[test]
fn a_shape_on_the_lines_of_the_grid_covers_its_cells_only() {
    let expected = vec![(2, 3), (3, 3), (2, 4), (3, 4)];
    let corners = [(2.0, 3.0), (4.0, 3.0), (4.0, 5.0), (2.0, 5.0)];
    assert_eq!(polygon(&corners), expected);
    // Rounding after scaling and turning must not make the shape thicker.
    let off = corners.map(|(x, y)| (x + 0.0004 * (x - 3.0), y + 0.0004 * (y - 4.0)));
    assert_eq!(polygon(&off), expected);
    let reaching_over = [(1.99, 3.0), (4.0, 3.0), (4.0, 5.0), (1.99, 5.0)];
    assert_eq!(polygon(&reaching_over).len(), 6);
}

#[test]
fn a_shape_smaller_than_a_cell_covers_it() {
    assert_eq!(
        polygon(&[(2.2, 3.2), (2.3, 3.2), (2.25, 3.3)]),
        vec![(2, 3)]
    );
    assert_eq!(polygon(&[(2.2, 3.2)]), vec![(2, 3)]);
    assert!(polygon(&[]).is_empty());
}

#[test]
fn lines_on_the_lines_of_the_grid_cover_nothing() {
    assert!(polygon(&[(2.0, 3.0), (8.0, 3.0)]).is_empty());
    assert!(polygon(&[(2.0, 3.0), (2.0, 8.0)]).is_empty());
}

#[test]
fn shapes_may_be_larger_than_the_grid() {
    let huge = [(-1e9, -1e9), (1e9, -1e9), (1e9, 1e9), (-1e9, 1e9)];
    assert_eq!(polygon(&huge).len(), 13 * 9);
    assert!(polygon(&[(1e9, 1e9), (2e9, 1e9), (2e9, 2e9)]).is_empty());
    assert!(polygon(&[(-9.0, 2.0), (-1.0, 2.0), (-4.0, 7.0)]).is_empty());
}

#[test]
fn where_shapes_overlap_the_greatest_id_counts() {
    let ids = drawn(|coverage| {
        let square = world(&[(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0)]);
        coverage.polygon(&square, 9).expect("finite");
        coverage.polygon(&square, 4).expect("finite");
    });
    assert_eq!(ids.iter().filter(|&&id| id == 9).count(), 4);
    assert!(!ids.contains(&4));
}

#[test]
fn a_part_of_the_grid_is_drawn_like_the_whole() {
    let grid = grid();
    let star = world(&[(0.3, 0.4), (12.2, 3.3), (4.4, 4.2), (6.1, 8.8)]);
    let whole = drawn(|coverage| coverage.polygon(&star, WALL).expect("finite"));
    let part = CellRect {
        low: IVec2::new(3, 2),
        high: IVec2::new(11, 7),
    };
    let mut coverage = Coverage::new(&grid, part).expect("inside");
    coverage.polygon(&star, WALL).expect("finite");
    for y in 2..7 {
        for x in 3..11 {
            let place = ((y - 2) * 8 + x - 3) as usize;
            let index = grid.index(IVec2::new(x, y));
            assert_eq!(coverage.ids()[place], whole[index], "({x}, {y})");
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let grid = grid();
    let beyond = CellRect {
        low: IVec2::ZERO,
        high: IVec2::new(14, 3),
    };
    assert!(Coverage::new(&grid, beyond).is_err());
    let mut coverage = Coverage::new(&grid, grid.cells()).expect("inside");
    let good = Vec2::new(0.0, 10.0);
    for bad in [Vec2::NAN, Vec2::INFINITY] {
        assert!(coverage.polygon(&[good, bad, good], WALL).is_err());
        assert!(coverage.line(&[good, bad], WALL).is_err());
        assert!(coverage.half_plane(bad, Vec2::X, WALL).is_err());
        assert!(coverage.half_plane(good, bad, WALL).is_err());
    }
    assert!(coverage.ids().iter().all(|&id| id == 0));
    let nothing = CellRect {
        low: IVec2::new(5, 5),
        high: IVec2::new(5, 2),
    };
    let mut coverage = Coverage::new(&grid, nothing).expect("empty is fine");
    coverage
        .polygon(&world(&[(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)]), WALL)
        .expect("finite");
    assert!(coverage.ids().is_empty());
}
