//! Loading the state of a world, and going on with what was accepted.

use flow_swarm::grid::CellRect;
use flow_swarm::swarm::Swarm;
use flow_swarm::world::{FlowWorld, GoalId};
use flow_swarm::{Error, IVec2, Vec2};
use flow_swarm_bench::maps::SplitMix64;
use flow_swarm_bench::peak_memory::peak_of;

use super::game::{Game, place, tick};
use super::sample::{Input, Sample};
use super::verdict::{Fate, Verdict, ensure, expect};

/// The most memory for the map, its fields and graphs, and for each unpacked byte.
const MOST: (usize, usize) = (1 << 20, 24);
/// Of 100 worlds that are accepted, how many are compared with a twin.
const TWINS: u32 = 15;

pub fn read(sample: &Sample, input: &Input, random: &mut SplitMix64) -> Verdict {
    let mut world = expect(sample.game.world(), "a new world")?;
    let (loaded, peak) = peak_of(|| world.load_state(&input.bytes));
    let most = MOST.0 + input.bytes.len() + MOST.1 * input.unpacked;
    ensure(peak <= most, &format!("{peak} bytes of memory"))?;
    if let Err(error) = loaded {
        let is_it = matches!(
            error,
            Error::BadBytes {
                name: "world state",
                ..
            }
        );
        ensure(is_it, &format!("an unusual refusal: {error}"))?;
        let is_same = world.world_hash() == Ok(sample.empty_world);
        ensure(is_same, "a refused save changed the world")?;
        return Ok(Fate::Refused);
    }
    go_on(sample.game, world, random.percent(TWINS))?;
    Ok(Fate::Accepted)
}

/// Plays the world, and saves and loads it. With a twin, one is loaded before as well, and must go on in the same way.
pub fn go_on(game: Game, mut world: FlowWorld, has_twin: bool) -> Result<(), String> {
    let mut swarm = expect(game.swarm(), "a new swarm")?;
    if has_twin {
        let mut twin = loaded_again(game, &world)?;
        let mut other = expect(game.swarm(), "a new swarm")?;
        play(&mut twin, &mut other)?;
        play(&mut world, &mut swarm)?;
        ensure(
            world.world_hash() == twin.world_hash(),
            "the twin is another world",
        )?;
        ensure(
            swarm.state_hash() == other.state_hash(),
            "the twin's agents differ",
        )?;
    } else {
        play(&mut world, &mut swarm)?;
    }
    expect(ask(&mut world), "queries")?;
    loaded_again(game, &world).map(drop)
}

/// Followers of all goals walk, and a wall is built.
fn play(world: &mut FlowWorld, swarm: &mut Swarm) -> Result<(), String> {
    expect(follow_goals(world, swarm), "followers of the goals")?;
    expect(tick(world, swarm, 0.1), "a tick")?;
    let rect = CellRect {
        low: IVec2::new(5, 2),
        high: IVec2::new(7, 4),
    };
    expect(world.set_terrain_rect(rect, 255), "an edit")?;
    world.update();
    Ok(())
}

/// A new world with the state of another.
fn loaded_again(game: Game, world: &FlowWorld) -> Result<FlowWorld, String> {
    let saved = expect(world.save_state(), "saving what was accepted")?;
    let mut other = expect(game.world(), "a new world")?;
    expect(other.load_state(&saved), "its own save")?;
    ensure(
        other.world_hash() == world.world_hash(),
        "its own save has another hash",
    )?;
    ensure(
        other.save_state() == Ok(saved),
        "its own save is saved otherwise",
    )?;
    Ok(other)
}

fn follow_goals(world: &FlowWorld, swarm: &mut Swarm) -> Result<(), Error> {
    let goals: Vec<GoalId> = world.goal_ids().take(5).collect();
    let mut random = SplitMix64::new(1);
    for (group, goal) in (0..).zip(goals) {
        let places = [place(world, &mut random), place(world, &mut random)];
        swarm.spawn(world, &places, group % 3, group)?;
        swarm.set_group_goal(group, Some(goal))?;
    }
    Ok(())
}

/// Queries of all kinds. Their results are finite or infinite, and no NaN.
fn ask(world: &mut FlowWorld) -> Result<(), String> {
    let mut random = SplitMix64::new(2);
    let goals: Vec<GoalId> = world.goal_ids().take(8).collect();
    for goal in goals {
        for movement in 0..2 {
            let at = place(world, &mut random);
            let text = |error: Error| format!("{goal:?}: {error}");
            let cost = world.cost_to_goal(goal, at, movement).map_err(text)?;
            ensure(cost.is_none_or(|cost| !cost.is_nan()), "a cost of NaN")?;
            let flow = world.flow_vector(goal, at, movement).map_err(text)?;
            ensure(flow.is_finite() && flow.length() < 1.01, "a direction")?;
            world.query_status(goal, at, movement).map_err(text)?;
            world.path_from(goal, at, movement).map_err(text)?;
            world.link_ahead(goal, at, movement).map_err(text)?;
        }
    }
    let at = place(world, &mut random);
    let crowding = world.crowding_at(at).map_err(|error| error.to_string())?;
    ensure((0.0..=1.0).contains(&crowding), "crowding out of its range")?;
    world
        .is_reachable(at, Vec2::new(4.5, 4.5), 1)
        .map_err(|error| error.to_string())?;
    let grid = *world.grid();
    drop(world.entities.near(&grid, at, 8.0));
    let height = world.height_at(at);
    ensure(height.is_none_or(f32::is_finite), "a height")?;
    ensure(world.memory_bytes() > 0, "no memory")
}
