//! Times the CPU work of drawing a crowd, for each option: selecting, sorting and packing its agents.
//!
//! The options take turns on one walking crowd, whose agents have the order in memory that they have in a longer game.
//! Uploads are not included.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::time::Instant;

use clap::Parser;
use flow_swarm::grid::Grid;
use flow_swarm::ground::Ground;
use flow_swarm::swarm::{
    AgentType, Band, Channels, CustomData, Extent, Eye, Frustum, InstanceLayout, Packer, Palette,
    Plane, Swarm, Tracking, View,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2, Vec3};
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::timing::median;
use serde_json::json;

/// Width of a cell, in px.
const CELL: f32 = 16.0;
/// Ground per agent, in px².
const AREA_PER_AGENT: f64 = 100.0;
/// Length of a step, in seconds.
const DT: f32 = 1.0 / 60.0;

/// Time the packing of a crowd's instances.
#[derive(Debug, Parser)]
struct Arguments {
    /// Number of agents
    #[arg(long, default_value_t = 250_000, value_parser = clap::value_parser!(u32).range(1..=2_000_000))]
    agents: u32,
    /// Worker threads
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,
    /// Timed rounds
    #[arg(long, default_value_t = 60)]
    rounds: u32,
    /// Options whose names contain this
    #[arg(long, default_value = "")]
    only: String,
}

/// What the agents of an option stand on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stand {
    Flat,
    Hills,
    /// Hills, along which agents are tilted.
    Slopes,
}

/// An option of drawing, and its times.
struct Contestant {
    name: &'static str,
    stand: Stand,
    layout: InstanceLayout,
    view: View,
    channels: Channels,
    plain: bool,
    packer: Packer,
    buffer: Vec<f32>,
    seconds: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    println!("threads  option                 ns/agent  fastest     ms   instances");
    for &threads in &arguments.threads {
        run(&arguments, threads)?;
    }
    Ok(())
}

fn run(arguments: &Arguments, threads: usize) -> Result<(), Box<dyn Error>> {
    let agents = arguments.agents as usize;
    let (world, mut swarm, side) = crowd(agents, threads)?;
    let palette = Palette::new(&[[1.0; 4], [0.5; 4]], &[[1.0, 0.8, 0.8, 1.0]])?;
    let mut contestants = contestants(side)?;
    contestants.retain(|contestant| contestant.name.contains(&arguments.only));
    let (flat, hills) = (Ground::default(), hills(&world)?);
    for round in 0..arguments.rounds + 5 {
        swarm.step(&world, DT)?;
        for contestant in &mut contestants {
            swarm.set_palette(if contestant.plain {
                Palette::default()
            } else {
                palette.clone()
            });
            swarm.set_ground(match contestant.stand {
                Stand::Flat => &flat,
                Stand::Hills | Stand::Slopes => &hills,
            });
            let kind = AgentType {
                tilt: f32::from(u8::from(contestant.stand == Stand::Slopes)),
                ..AgentType::default()
            };
            swarm.set_types(&[kind, kind])?;
            let Contestant {
                layout,
                view,
                channels,
                packer,
                buffer,
                ..
            } = contestant;
            buffer.resize(agents * layout.stride(), 0.0);
            let workers = world.workers();
            let start = Instant::now();
            let instances = swarm.instances_by_channel(layout, view, channels, packer, workers)?;
            let mut rest = buffer.as_mut_slice();
            for channel in 0..instances.count() {
                let own = instances.of(channel);
                own.write(rest, workers)?;
                rest = &mut rest[own.len() * layout.stride()..];
            }
            if round >= 5 {
                contestant.seconds.push(start.elapsed().as_secs_f64());
            }
        }
    }
    let mut lines = Vec::new();
    for contestant in &mut contestants {
        let Contestant { layout, view, .. } = *contestant;
        let shown = swarm.instances(&layout, &view, &mut contestant.packer, world.workers())?;
        let (shown, seconds) = (shown.len(), median(&contestant.seconds));
        let fastest = contestant.seconds.iter().copied().fold(f64::MAX, f64::min);
        let [per_agent, fastest] = [seconds, fastest].map(|time| time * 1e9 / agents as f64);
        println!(
            "{threads:>7}  {:<22} {per_agent:>8.2} {fastest:>8.2} {:>6.2} {shown:>11}",
            contestant.name,
            seconds * 1e3
        );
        lines.push(json!({
            "option": contestant.name,
            "ns_per_agent": per_agent,
            "fastest": fastest,
            "shown": shown,
        }));
    }
    println!(
        "{}",
        json!({"agents": agents, "threads": threads, "options": lines})
    );
    Ok(())
}

/// The heights of hills over the grid of a world.
fn hills(world: &FlowWorld) -> Result<Ground, Box<dyn Error>> {
    let mut hilly = FlowWorld::new(*world.grid(), Workers::serial());
    let size = world.grid().layer_size();
    let corners = (0..=size.y).flat_map(|y| (0..=size.x).map(move |x| (x as f32, y as f32)));
    let heights: Vec<f32> = corners
        .map(|(x, y)| 40.0 * (0.1 * x).sin() * (0.13 * y).cos())
        .collect();
    hilly.set_heights(0, &heights)?;
    Ok(hilly.ground().clone())
}

/// A crowd that walks over open ground, and the side of the square that it fills.
fn crowd(agents: usize, threads: usize) -> Result<(FlowWorld, Swarm, f32), Box<dyn Error>> {
    let side = (agents as f64 * AREA_PER_AGENT).sqrt();
    let cells = (side / f64::from(CELL)).ceil() as i32 + 1;
    let grid = Grid::new(IVec2::splat(cells), CELL, Vec2::ZERO)?;
    let mut world = FlowWorld::new(grid, Workers::new(threads)?);
    let goal = world.create_goal(&[grid.center_of(IVec2::splat(cells - 1))])?;
    world.require(goal, 0)?;
    world.update();
    let mut random = SplitMix64::new(1);
    let mut along = || (random.unit() * side) as f32;
    let places: Vec<Vec2> = (0..agents).map(|_| Vec2::new(along(), along())).collect();
    let mut swarm = Swarm::new(1);
    swarm.set_types(&[AgentType::default(), AgentType::default()])?;
    for (kind, places) in (0..).zip(places.chunks(agents.div_ceil(2))) {
        let ids = swarm.spawn(&world, places, kind, 0)?;
        swarm.set_user_ints(0, &ids, &vec![1; ids.len()])?;
        swarm.set_user_floats(0, &ids, &vec![0.5; ids.len()])?;
    }
    swarm.set_group_goal(0, Some(goal))?;
    swarm.set_tracking(Tracking {
        between_steps: true,
        walk_cycle: Some(4.0),
    })?;
    Ok((world, swarm, side as f32))
}

/// What a camera sees that looks over a corner of the crowd along the diagonal, from a fiftieth of the side above it,
/// by its frustum and by the rectangle around it.
fn seen_by_camera(side: f32) -> Result<(View, View), Box<dyn Error>> {
    const SLOPE: f32 = 0.45;
    let at = Vec3::new(0.0, 0.02 * side, 0.0);
    let ahead = Vec3::new(1.0, -0.1, 1.0).normalize();
    let right = ahead.cross(Vec3::Y).normalize();
    let up = right.cross(ahead);
    let mut planes = vec![
        (-ahead, -ahead.dot(at)),
        (ahead, ahead.dot(at) + 0.7 * side),
    ];
    for (axis, slope) in [
        (right, 1.78 * SLOPE),
        (-right, 1.78 * SLOPE),
        (up, SLOPE),
        (-up, SLOPE),
    ] {
        let normal = axis - ahead * slope;
        planes.push((normal, normal.dot(at)));
    }
    let extent = Extent {
        radius: 0.7,
        low: 0.0,
        high: 2.0,
    };
    let seen = View {
        frustum: Some(Frustum::new(&planes, extent)?),
        ..View::default()
    };
    // The far ends of the sides, cut off at the edge of the crowd.
    let far = 0.7 * side * (1.0 + 1.78 * SLOPE) / 2.0_f32.sqrt();
    let around = View {
        rect: Some((Vec2::ZERO, Vec2::splat(far.min(side)))),
        ..View::default()
    };
    Ok((seen, around))
}

fn contestants(side: f32) -> Result<Vec<Contestant>, Box<dyn Error>> {
    let plain = InstanceLayout {
        plane: Plane::Xy,
        color: false,
        custom: CustomData::None,
        face_movement: true,
        size: 1.0,
        height: 0.0,
        height_offset_2d: 0.0,
    };
    let colored = InstanceLayout {
        color: true,
        ..plain
    };
    let solid = InstanceLayout {
        plane: Plane::Xz,
        ..plain
    };
    let all = View::default();
    let (seen, around) = seen_by_camera(side)?;
    let sorted = View {
        y_sort: true,
        ..all
    };
    // A tenth of the area.
    let edge = side * 0.1_f32.sqrt();
    let low = Vec2::splat(0.3 * side);
    let tenth = View {
        rect: Some((low, low + edge)),
        ..all
    };
    let between = View {
        fraction: 0.5,
        ..all
    };
    let with = |custom| InstanceLayout { custom, ..plain };
    // A quarter of the agents is near, and a quarter is far away.
    let watched = View {
        eye: Some(Eye::At {
            position: Vec2::new(0.5 * side, 0.0),
            height: 0.05 * side,
        }),
        ..all
    };
    let begins = [0.0, 0.4 * side, 0.85 * side];
    let look = |first: u16| {
        let bands = (first..).zip(begins).map(|(channel, from)| Band {
            from,
            channel: Some(channel),
        });
        bands.collect::<Vec<_>>()
    };
    let two_looks = Channels::new(&[look(1), look(4)])?;
    let flat = [
        ("nothing but places", plain, all, true),
        ("type colours", colored, all, true),
        ("state, group colours", colored, all, false),
        ("MOTION", with(CustomData::Motion), all, true),
        ("SPRITE", with(CustomData::Sprite), all, true),
        ("VERTICES", with(CustomData::Vertices), all, true),
        ("USER", with(CustomData::User), all, true),
        ("a tenth in view", plain, tenth, true),
        ("y_sort", plain, sorted, true),
        (
            "y_sort, a tenth",
            plain,
            View {
                y_sort: true,
                ..tenth
            },
            true,
        ),
        ("between steps", plain, between, true),
        (
            "SPRITE, between steps",
            with(CustomData::Sprite),
            between,
            true,
        ),
        ("3D", solid, all, true),
        ("3D, 2 looks of 3 bands", solid, watched, true),
        ("3D, view's frustum", solid, seen, true),
        ("3D, view's rectangle", solid, around, true),
    ];
    let hilly = [
        ("3D, on hills", Stand::Hills, all),
        ("3D, tilted on hills", Stand::Slopes, all),
        ("3D, frustum on hills", Stand::Hills, seen),
    ];
    let flat = flat.map(|(name, layout, view, plain)| (name, Stand::Flat, layout, view, plain));
    let hilly = hilly.map(|(name, stand, view)| (name, stand, solid, view, true));
    let all = flat.into_iter().chain(hilly);
    let mut contestants: Vec<Contestant> = all
        .map(|(name, stand, layout, view, plain)| Contestant {
            name,
            stand,
            layout,
            view,
            channels: Channels::default(),
            plain,
            packer: Packer::default(),
            buffer: Vec::new(),
            seconds: Vec::new(),
        })
        .collect();
    for contestant in &mut contestants {
        if contestant.view.eye.is_some() {
            contestant.channels = two_looks.clone();
        }
    }
    Ok(contestants)
}
