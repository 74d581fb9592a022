//! Loading tiles, and using those that were accepted.

use flow_swarm::swarm::Swarm;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{Error, IVec2, Vec2};
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::peak_memory::peak_of;
use flow_swarm_bench::saved_bytes::PIECE;

use super::game::{place, tick};
use super::sample::{Input, Sample};
use super::verdict::{Fate, Verdict, ensure, expect};

/// The most memory: pieces that are unpacked, the cache, and what the map takes.
pub const MOST: usize = 4 * PIECE + (2 << 18) + (1 << 18);

pub fn read(sample: &Sample, input: &Input) -> Verdict {
    let mut world = expect(sample.game.ground(&sample.terrain), "a new world")?;
    let (loaded, peak) = peak_of(|| world.load_tiles(&input.bytes));
    let most = MOST + input.bytes.len();
    ensure(peak <= most, &format!("{peak} bytes of memory"))?;
    if let Err(error) = loaded {
        let is_it = matches!(error, Error::BadBytes { name: "tiles", .. });
        ensure(is_it, &format!("an unusual refusal: {error}"))?;
        let is_same = world.tile_stats().cache.tiles == 0;
        ensure(is_same, "refused tiles are kept")?;
        return Ok(Fate::Refused);
    }
    let saved = world.save_tiles();
    let mut other = expect(sample.game.ground(&sample.terrain), "a new world")?;
    expect(other.load_tiles(&saved), "its own save")?;
    ensure(
        other.save_tiles() == saved,
        "its own save is saved otherwise",
    )?;
    let mut swarm = expect(sample.game.swarm(), "a new swarm")?;
    go_on(&mut world, &mut swarm)?;
    Ok(Fate::Accepted)
}

pub fn go_on(world: &mut FlowWorld, swarm: &mut Swarm) -> Result<(), String> {
    let (goal, starts) = expect(ask(world, swarm), "routes")?;
    for _ in 0..4 {
        expect(tick(world, swarm, 0.1), "a tick")?;
        let is_inside = |at: &Vec2| world.grid().contains(world.grid().cell_at(*at));
        let mut numbers = swarm.positions().iter().chain(swarm.velocities());
        ensure(
            numbers.all(|vector| vector.is_finite()),
            "an agent is nowhere",
        )?;
        ensure(
            swarm.positions().iter().all(is_inside),
            "an agent is outside",
        )?;
    }
    for movement in 0..2 {
        let map = expect(world.direction_map(goal, movement), "directions")?;
        let are_units = map.iter().all(|direction| direction.length() < 1.01);
        ensure(are_units, "a direction is too long")?;
        expect(world.built_sectors(goal, movement), "sectors")?;
        for &start in &starts {
            expect(world.path_from(goal, start, movement), "a path")?;
            expect(world.cost_to_goal(goal, start, movement), "a cost")?;
        }
    }
    // An edit reads the borders that were loaded.
    expect(world.set_terrain(IVec2::new(7, 5), 255), "an edit")?;
    world.update();
    ensure(!world.save_tiles().is_empty(), "nothing is saved")
}

/// Asks for routes to the goals that the tiles were made for.
fn ask(world: &mut FlowWorld, swarm: &mut Swarm) -> Result<(GoalId, Vec<Vec2>), Error> {
    let mut random = SplitMix64::new([3, 40][world.grid().layers().count() as usize % 2]);
    let targets = [place(world, &mut random), place(world, &mut random)];
    let goal = world.create_goal_with_mode(&targets, &[0.0, 5.0], GoalMode::Tiled)?;
    let starts: Vec<Vec2> = (0..8).map(|_| place(world, &mut random)).collect();
    swarm.set_group_goal(0, Some(goal))?;
    for (number, &start) in starts.iter().enumerate() {
        swarm.spawn(world, &[start], number as i64 % 2, 0)?;
        world.request_route(goal, number % 2, start)?;
    }
    Ok((goal, starts))
}
