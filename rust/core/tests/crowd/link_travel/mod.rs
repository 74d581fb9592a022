//! Links that take time: agents on them are on their way, are drawn between both ends, and can be called back.

mod on_the_way;
mod put_off;

use flow_swarm::grid::links::{Link, LinkId};
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::swarm::{
    AgentId, AgentStatus, AgentType, Avoidance, CustomData, InstanceLayout, LayerView, Packer,
    Plane, Swarm, Tracking, View,
};
use flow_swarm::terrain::WALL;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode};
use flow_swarm::{IVec2, Vec2};

const SIZE: IVec2 = IVec2::new(44, 13);
/// The column where the ground ends; the upper floor begins in the next one.
const BRINK: i32 = 20;
const LANES: std::ops::Range<i32> = 5..8;
const DT: f32 = 1.0 / 30.0;
/// The height of a layer.
const RISE: f32 = 1.0;

fn place(world: &FlowWorld, x: i32, y: i32, layer: i64) -> Vec2 {
    let cell = world.grid().place_of(IVec2::new(x, y), layer);
    world.grid().center_of(cell.expect("inside"))
}

/// The ground in the west and a floor above it in the east, without a link.
fn two_floors(threads: usize) -> FlowWorld {
    let grid = Grid::layered(SIZE, 1.0, Vec2::new(-3.0, 4.0), 2).expect("small");
    let mut world = FlowWorld::new(grid, Workers::new(threads).expect("threads"));
    let upper = world.grid().layers().cells(1, SIZE.x as u32).low;
    for (low, high) in [
        (IVec2::new(BRINK + 1, 0), SIZE),
        (upper, upper + IVec2::new(BRINK + 1, SIZE.y)),
    ] {
        let wall = CellRect { low, high };
        world.set_terrain_rect(wall, WALL).expect("inside");
    }
    world
}

/// Links from the brink to the cells `columns` farther east on the upper floor.
fn join(world: &mut FlowWorld, columns: i32, travel: Travel) -> Vec<LinkId> {
    let cell = |x, y, layer| world.grid().place_of(IVec2::new(x, y), layer);
    let links: Vec<Link> = LANES
        .map(|y| Link {
            from: cell(BRINK, y, 0).expect("inside"),
            to: cell(BRINK + columns, y, 1).expect("inside"),
            cost: 2.0,
            both_ways: true,
            travel,
        })
        .collect();
    world.add_links(&links).expect("valid")
}

fn stairs(threads: usize) -> FlowWorld {
    let mut world = two_floors(threads);
    join(&mut world, 1, Travel::Walk);
    world
}

fn ladder(seconds: f32, arc: f32) -> FlowWorld {
    let mut world = two_floors(1);
    join(&mut world, 6, Travel::Timed { seconds, arc });
    world
}

fn walker(avoidance: Avoidance) -> AgentType {
    AgentType {
        radius: 0.3,
        max_speed: 1.4,
        acceleration: 10.0,
        avoidance,
        neighbour_radius: 2.0,
        ..AgentType::default()
    }
}

/// A swarm that goes to the east end of the upper floor.
fn swarm_in(world: &mut FlowWorld, avoidance: Avoidance, mode: GoalMode) -> Swarm {
    let target = place(world, SIZE.x - 3, 6, 1);
    let goal = world.create_goal_with_mode(&[target], &[0.0], mode);
    let mut swarm = Swarm::new(5);
    swarm.set_types(&[walker(avoidance)]).expect("valid");
    swarm
        .set_group_goal(0, Some(goal.expect("inside")))
        .expect("a group");
    let tracking = Tracking {
        between_steps: true,
        walk_cycle: Some(2.0),
    };
    swarm.set_tracking(tracking).expect("valid");
    let view = LayerView {
        height: RISE,
        only: None,
    };
    swarm.set_layer_view(view).expect("valid");
    swarm
}

fn step(world: &mut FlowWorld, swarm: &mut Swarm) {
    swarm.request_routes(world).expect("known");
    world.update();
    swarm.step(world, DT).expect("valid");
}

fn status(swarm: &Swarm, id: AgentId) -> AgentStatus {
    swarm.status(id).expect("there")
}

fn position(swarm: &Swarm, id: AgentId) -> Vec2 {
    swarm.positions()[swarm.index_of(id).expect("there")]
}

/// One agent close to the brink, stepped until it is on the link.
fn on_the_way(world: &mut FlowWorld) -> (Swarm, AgentId) {
    let mut swarm = swarm_in(world, Avoidance::Contact, GoalMode::Full);
    let start = place(world, BRINK - 2, 6, 0);
    let id = swarm.spawn(world, &[start], 0, 0).expect("inside")[0];
    for _ in 0..200 {
        step(world, &mut swarm);
        if status(&swarm, id) == AgentStatus::Travelling {
            return (swarm, id);
        }
    }
    panic!("it never took the link");
}

/// The origins and the directions ahead of all instances at a fraction of the last step.
fn drawn(swarm: &Swarm, fraction: f32) -> Vec<([f32; 3], [f32; 2])> {
    let layout = InstanceLayout {
        plane: Plane::Xz,
        custom: CustomData::Motion,
        ..InstanceLayout::default()
    };
    let view = View {
        fraction,
        ..View::default()
    };
    let mut packer = Packer::default();
    let instances = swarm.instances(&layout, &view, &mut packer, &Workers::serial());
    let instances = instances.expect("valid");
    let mut buffer = vec![0.0; instances.len() * layout.stride()];
    instances
        .write(&mut buffer, &Workers::serial())
        .expect("long enough");
    let rows = buffer.chunks(layout.stride());
    rows.map(|row| ([row[3], row[7], row[11]], [-row[2], -row[10]]))
        .collect()
}
