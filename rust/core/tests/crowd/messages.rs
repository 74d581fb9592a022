//! Messages of refusals name the argument, its range and its value, to the last digit.

use crate::common::world_of;
use flow_swarm::error::Error;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{Clearance, CrowdPenalty, MovementType, WallPenalty};
use flow_swarm::swarm::{
    AgentId, AgentQuery, AgentState, AgentType, CustomData, FormationShape, InstanceLayout,
    LayerView, Plane, Pose, Settings, Shape, Swarm, Tracking,
};
use flow_swarm::terrain::Stamp;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::open;

fn world() -> FlowWorld {
    world_of(&open(12, 9), Workers::serial())
}

/// Two layers of 12 by 9 cells.
fn layered() -> FlowWorld {
    let grid = Grid::layered(IVec2::new(12, 9), 2.0, Vec2::new(-4.0, 6.0), 2).expect("valid");
    FlowWorld::new(grid, Workers::serial())
}

fn told<T: std::fmt::Debug>(result: flow_swarm::Result<T>) -> String {
    let error: Error = result.expect_err("to be refused");
    error.to_string()
}

fn grid(x: i32, y: i32, cell_size: f32, origin: Vec2) -> flow_swarm::Result<Grid> {
    Grid::new(IVec2::new(x, y), cell_size, origin)
}

/// Each line has the expected text, and the message.
fn check(lines: &[(&str, String)]) {
    for (expected, found) in lines {
        assert_eq!(found, expected);
    }
}

#[test]
fn grids_and_ground() {
    let mut world = world();
    let stamp = |x, y| Stamp::new(IVec2::new(x, y), &[1; 6], None);
    let wide = stamp(3, 2).expect("six cells");
    let (corner, cells) = (IVec2::new(11, 8), CellRect::cell(IVec2::new(12, 0)));
    let link = |cost| Link {
        from: IVec2::ZERO,
        to: IVec2::ONE,
        cost,
        both_ways: false,
        travel: Travel::AtOnce,
    };
    check(&[
        (
            "grid size (0, 4) must be at least (1, 1) and at most 67108864 cells",
            told(grid(0, 4, 1.0, Vec2::ZERO)),
        ),
        (
            "cell_size must be from 0.0001 to 100000, not 1e20",
            told(grid(4, 4, 1.0e20, Vec2::ZERO)),
        ),
        (
            "cell_size must be from 0.0001 to 100000, not 0",
            told(grid(4, 4, 0.0, Vec2::ZERO)),
        ),
        (
            "cell_size must be from 0.0001 to 100000, not NaN",
            told(grid(4, 4, f32::NAN, Vec2::ZERO)),
        ),
        (
            "cell_size must be from 0.0001 to 100000, not 1e-45",
            told(grid(4, 4, 1.0e-45, Vec2::ZERO)),
        ),
        (
            "origin must be finite, not (0, inf)",
            told(grid(4, 4, 1.0, Vec2::new(0.0, f32::INFINITY))),
        ),
        (
            "distance of the grid from the world's origin, in cells must be from 0 to 16384, not 3.4028235e38",
            told(grid(4, 4, 1.0, Vec2::MAX)),
        ),
        (
            "layer_count must be from 1 to 64, not 4294967295",
            told(Grid::layered(IVec2::ONE, 1.0, Vec2::ZERO, u32::MAX)),
        ),
        (
            "stamp size (0, 2) must be at least (1, 1) and at most 67108864 cells",
            told(stamp(0, 2)),
        ),
        ("stamp must have 4 entries, not 6", told(stamp(2, 2))),
        ("stamp must have 1 entry, not 6", told(stamp(1, 1))),
        (
            "a stamp of (3, 2) at cell (11, 8) does not lie inside the 12x9 grid",
            told(world.place_stamp(corner, &wide)),
        ),
        (
            "cell (12, 0) is outside the 12x9 grid",
            told(world.set_terrain(IVec2::new(12, 0), 1)),
        ),
        (
            "corner (13, 1) is outside the corners of the 12x9 grid, (0, 0) to (12, 9)",
            told(world.set_heights_rect(0, CellRect::cell(IVec2::new(13, 1)), &[1.0])),
        ),
        (
            "heights must be from -1000000 to 1000000, not inf",
            told(world.set_heights(0, &[f32::INFINITY; 130])),
        ),
        (
            "terrain must have 1 entry, not 0",
            told(world.set_terrain_block(cells, &[])),
        ),
        (
            "terrain must have 108 entries, not 0",
            told(world.set_terrain_bytes(&[])),
        ),
        (
            "a link must join two cells, not (0, 0) with itself",
            told(world.add_link(Link {
                to: IVec2::ZERO,
                ..link(1.0)
            })),
        ),
        (
            "cost_table[7] must be from 1 to 255, not 0",
            told(MovementType::new(
                &std::array::from_fn::<_, 256, _>(|id| u8::from(id != 7)),
                WallPenalty::default(),
            )),
        ),
        (
            "cost_table must have 256 entries, not 1",
            told(MovementType::new(&[1], WallPenalty::default())),
        ),
        (
            "wall_penalty must be from 0 to 253, not 9223372036854775807",
            told(WallPenalty::new(i64::MAX, 1, false)),
        ),
        (
            "wall_penalty_radius must be from 0 to 32, not 16777217",
            told(WallPenalty::new(1, 16_777_217, false)),
        ),
        (
            "crowd_penalty must be from 0 to 253, not -9223372036854775808",
            told(CrowdPenalty::new(i64::MIN)),
        ),
        (
            "clearance must be from 0 to 16, not -inf",
            told(Clearance::new(f32::NEG_INFINITY)),
        ),
        (
            "movement_type must be 0, not 9007199254740993",
            told(world.require(GoalId(1), 9_007_199_254_740_993)),
        ),
        (
            "sector_size must be from 4 to 64, not 4294967295",
            told(world.set_sector_size(u32::MAX)),
        ),
        (
            "tile_cache_bytes must be from 1 to 1099511627776, not 18446744073709551615",
            told(world.set_tile_cache_bytes(u64::MAX)),
        ),
        (
            "seconds must be at least 0, not -0.5",
            told(world.set_update_seconds(-0.5)),
        ),
    ]);
}

#[test]
fn goals_and_positions() {
    let mut world = world();
    let goal = world.create_goal(&[Vec2::ONE]).expect("inside");
    let outside = Vec2::new(12.5, 3.0);
    check(&[
        (
            "targets must have at least 1 entry, not 0",
            told(world.create_goal(&[])),
        ),
        (
            "target (12.5, 3) is outside the grid, which spans (0, 0) to (12, 9)",
            told(world.create_goal(&[outside])),
        ),
        (
            "target must be finite, not (NaN, 1)",
            told(world.create_goal(&[Vec2::new(f32::NAN, 1.0)])),
        ),
        (
            "target (1e30, -0.25) is outside the grid, which spans (0, 0) to (12, 9)",
            told(world.create_goal(&[Vec2::new(1.0e30, -0.25)])),
        ),
        (
            "initial_costs must have 1 entry, not 2",
            told(world.move_goal_with_costs(goal, &[Vec2::ONE], &[0.0; 2])),
        ),
        (
            "goal 77 does not exist",
            told(world.move_goal(GoalId(77), &[Vec2::ONE])),
        ),
    ]);
}

/// A message about a position on a layer shows the position as given, with the layer's own bounds.
#[test]
fn positions_on_layers() {
    let mut world = layered();
    let grid = *world.grid();
    let spans = "which spans (-4, 6) to (20, 24)";
    let far = Vec2::new(3.0, -700.25);
    assert_eq!(
        told(grid.place_at("position", far, 1)),
        format!("position (3, -700.25) is outside layer 1, {spans}")
    );
    assert_eq!(
        told(grid.place_at("position", Vec2::new(21.0, 8.0), 0)),
        format!("position (21, 8) is outside layer 0, {spans}")
    );
    assert_eq!(
        told(grid.place_at("position", far, 2)),
        "layer must be from 0 to 1, not 2"
    );
    assert_eq!(
        told(grid.place_at("position", Vec2::INFINITY, 1)),
        "position must be finite, not (inf, inf)"
    );
    let inside = Vec2::new(3.0, 8.0);
    let place = grid.place_at("position", inside, 1).expect("inside");
    assert_eq!(place, grid.layers().place(inside, 1));
    // A place converted before is shown as the position that it stands for.
    let outside = grid.layers().place(Vec2::new(-5.0, 8.0), 1);
    assert_eq!(
        told(world.create_goal(&[outside])),
        format!("target (-5, 8) is outside layer 1, {spans}")
    );
}

#[test]
fn agents() {
    let world = world();
    let mut swarm = Swarm::new(1);
    let kind = AgentType::default();
    let ids = swarm.spawn(&world, &[Vec2::ONE], 0, 0).expect("inside");
    let stale = AgentId::from_bits(5 << 32 | 1);
    let shape = |shape| Swarm::new(1).add_body(shape, Pose::at(Vec2::ZERO).expect("finite"), true);
    let mut buffer = [0.0; 3];
    let layout = InstanceLayout {
        plane: Plane::Xy,
        color: false,
        custom: CustomData::None,
        face_movement: false,
        size: 1.0,
        height: 0.0,
        height_offset_2d: 0.0,
    };
    check(&[
        (
            "type must be 0, not -1",
            told(swarm.spawn(&world, &[], -1, 0)),
        ),
        (
            "group must be from 0 to 255, not 9223372036854775807",
            told(swarm.spawn(&world, &[], 0, i64::MAX)),
        ),
        (
            "state must be from 0 to 3, not 4",
            told(AgentState::from_number(4)),
        ),
        (
            "agent 21474836481 does not exist",
            told(swarm.index_of(stale)),
        ),
        (
            "number of agent types must be from 1 to 64, not 65",
            told(swarm.set_types(&[kind; 65])),
        ),
        (
            "radius must be a finite number above 0, not -1",
            told(swarm.set_types(&[AgentType {
                radius: -1.0,
                ..kind
            }])),
        ),
        (
            "radius must be a finite number above 0, not -1e30",
            told(swarm.set_types(&[AgentType {
                radius: -1.0e30,
                ..kind
            }])),
        ),
        (
            "max_speed must be from 0 to 1000000, not 3.4028235e38",
            told(swarm.set_types(&[AgentType {
                max_speed: f32::MAX,
                ..kind
            }])),
        ),
        (
            "max_neighbours must be from 0 to 32, not 18446744073709551615",
            told(swarm.set_types(&[AgentType {
                max_neighbours: usize::MAX,
                ..kind
            }])),
        ),
        (
            "time_horizon must be from 0.001 to 1000, not 0.0005",
            told(swarm.set_types(&[AgentType {
                time_horizon: 0.0005,
                ..kind
            }])),
        ),
        (
            "far_agents_every must be from 1 to 60, not 4294967295",
            told(swarm.set_settings(Settings {
                far_agents_every: u32::MAX,
                ..Settings::default()
            })),
        ),
        (
            "width of focus must be at least 0, not -2",
            told(swarm.set_settings(Settings {
                focus: Some((Vec2::ONE, -Vec2::ONE)),
                ..Settings::default()
            })),
        ),
        (
            "delta must be from 0 to 1, not 1.5",
            told(swarm.step(&world, 1.5)),
        ),
        (
            "positions must have 1 entry, not 2",
            told(swarm.set_positions(&world, &ids, &[Vec2::ONE; 2])),
        ),
        (
            "length of impulse must be from 0 to 1000000, not 2000000",
            told(swarm.apply_impulse(&ids, Vec2::X * 2.0e6)),
        ),
        (
            "column must be from 0 to 3, not 4",
            told(swarm.user_ints(4)),
        ),
        (
            "value must be finite, not inf",
            told(swarm.set_user_floats(0, &ids, &[f32::INFINITY])),
        ),
        (
            "max_distance must be at least 0, not -1",
            told(swarm.nearest(&world, Vec2::ONE, -1.0, &AgentQuery::default())),
        ),
        (
            "size of rect must be at least 0, not -3",
            told(swarm.query_rect(
                &world,
                (Vec2::new(3.0, 0.0), Vec2::ZERO),
                &AgentQuery::default(),
            )),
        ),
        (
            "buffer must have at least 8 entries, not 3",
            told(swarm.pack(&layout, &mut buffer, world.workers())),
        ),
        (
            "walk_cycle must be from 0.001 to 1000000, not 0",
            told(swarm.set_tracking(Tracking {
                walk_cycle: Some(0.0),
                ..Tracking::default()
            })),
        ),
        (
            "layer_height must be from -1000000 to 1000000, not 1e9",
            told(swarm.set_layer_view(LayerView {
                height: 1.0e9,
                only: None,
            })),
        ),
        (
            "shape must be from 0 to 2, not 3",
            told(FormationShape::from_number(3)),
        ),
        (
            "radius must be a finite number above 0, not 0",
            told(shape(Shape::Disc(0.0))),
        ),
        (
            "state cannot be read: it is cut short",
            told(swarm.load(b"")),
        ),
        (
            "state cannot be read: it is not a saved swarm",
            told(swarm.load(b"a picture of a cat")),
        ),
    ]);
}
