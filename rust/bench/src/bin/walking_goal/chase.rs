//! Agents that chase a hero through rooms: the times at which they catch the hero, with near fields and with a whole
//! solve in every move.

use std::collections::BTreeSet;
use std::error::Error;
use std::thread;

use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::world::GoalMode;
use flow_swarm_bench::maps::{self, CostMap, SplitMix64};
use flow_swarm_bench::statistics::{mean, standard_error};
use serde_json::json;

use crate::hero::Hero;
use crate::{Arguments, settle, world_of};

const DT: f32 = 1.0 / 60.0;
/// The distance, in cells, within which an agent has caught the hero.
const REACH: f32 = 1.5;
/// The hero's speed relative to that of agents.
const SHARE: f32 = 0.5;
/// Which of a hundred catches are reported.
const RANKS: [usize; 3] = [1, 50, 95];
const CATCHES: usize = 100;
/// The number of heroes, each on a map of its own. Small differences grow where a crowd meets, so a few chases say
/// little: with eight heroes the mean is uncertain by 2 %, with 48 by half a per cent.
const HEROES: u64 = 48;

/// Prints, for each size of map, the mean times at which the first, the median and the 95th of a hundred agents have
/// caught the hero, and the standard error of the ratio.
pub(crate) fn run(agents: usize, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    println!(
        "{:>6} {:>8} {:>10} {:>10} {:>8} {:>8}",
        "size", "caught", "whole [s]", "near [s]", "ratio", "error"
    );
    let mut summary = Vec::new();
    for &size in &arguments.sizes {
        let seeds = arguments.seed..arguments.seed + HEROES;
        let chases = seeds.map(|seed| both_ways(size as usize, agents, seed, arguments));
        let chases = chases.collect::<Result<Vec<_>, _>>()?;
        for rank in RANKS {
            let seconds = |way: usize| -> Vec<f64> {
                let ticks = chases.iter().map(|chase| chase[way][rank - 1]);
                ticks.map(|ticks| ticks as f64 * f64::from(DT)).collect()
            };
            let [whole, near] = [seconds(0), seconds(1)];
            let later: Vec<f64> = near
                .iter()
                .zip(&whole)
                .map(|(near, whole)| near - whole)
                .collect();
            let [whole, near] = [&whole, &near].map(|seconds| mean(seconds).unwrap_or_default());
            let error = standard_error(&later).unwrap_or_default() / whole;
            let ratio = near / whole;
            println!("{size:>6} {rank:>8} {whole:>10.2} {near:>10.2} {ratio:>8.3} {error:>8.3}");
            summary.push(json!({ "size": size, "caught": rank, "whole_s": whole, "near_s": near, "error": error }));
        }
    }
    println!("{}", json!({ "agents": agents, "chase": summary }));
    Ok(())
}

/// The ticks of the same chase with whole solves, and as the arguments say.
fn both_ways(
    size: usize,
    agents: usize,
    seed: u64,
    arguments: &Arguments,
) -> Result<[Vec<usize>; 2], Box<dyn Error>> {
    let map = maps::rooms(size, size, 32, seed);
    let walk = (seed, arguments.speed);
    let near = (arguments.mode(), arguments.cells);
    thread::scope(|scope| {
        let whole = scope.spawn(|| {
            let whole = catches(&map, agents, (GoalMode::Full, 0), walk);
            whole.map_err(|error| error.to_string())
        });
        let near = catches(&map, agents, near, walk)?;
        let whole = whole.join().map_err(|_| "a chase has panicked")??;
        Ok([whole, near])
    })
}

/// The ticks in which a hundred different agents come near the hero, in ascending order. Fields, or routes and tiles
/// for all agents, are there when the chase begins.
fn catches(
    map: &CostMap,
    agents: usize,
    (mode, cells): (GoalMode, usize),
    (seed, speed): (u64, f32),
) -> Result<Vec<usize>, Box<dyn Error>> {
    let mut world = world_of(map)?;
    world.set_walking_cells(cells);
    let mut hero = Hero::new(map, seed, speed)?;
    let goal = world.create_goal_with_mode(&[hero.position()], &[0.0], mode)?;
    let mut swarm = Swarm::new(seed);
    swarm.set_types(&[AgentType {
        radius: 0.3,
        max_speed: speed / SHARE,
        acceleration: 40.0,
        ..AgentType::default()
    }])?;
    let mut random = SplitMix64::new(seed + 5);
    let open = maps::largest_component(map);
    let starts = (0..agents).map(|_| {
        let (x, y) = map.position(open[random.below(open.len())]);
        Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
    });
    // Agents that start near the hero have nothing to catch.
    let far = |start: &Vec2| start.distance(hero.position()) > 30.0;
    let starts: Vec<Vec2> = starts.filter(far).collect();
    swarm.spawn(&world, &starts, 0, 0)?;
    swarm.set_group_goal(0, Some(goal))?;
    settle(&mut world, &mut swarm)?;
    // Agents are reordered in memory, so they are known by their ids.
    let mut have_caught = BTreeSet::new();
    let mut caught = Vec::new();
    for tick in 0..60 * 600 {
        hero.walk(map);
        world.move_goal(goal, &[hero.position()])?;
        swarm.request_routes(&mut world)?;
        world.update();
        swarm.step(&world, DT)?;
        for (&agent, place) in swarm.ids().iter().zip(swarm.positions()) {
            if place.distance(hero.position()) < REACH && have_caught.insert(agent) {
                caught.push(tick);
            }
        }
        if caught.len() >= CATCHES {
            return Ok(caught);
        }
    }
    Err(format!("only {} agents have caught the hero", caught.len()).into())
}
