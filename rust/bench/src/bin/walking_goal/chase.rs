//! Agents that chase a hero through rooms: the times at which they catch the hero, with near fields and with a whole
//! solve in every move.

use std::error::Error;

use flow_swarm::Vec2;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::world::GoalMode;
use flow_swarm_bench::maps::{self, CostMap, SplitMix64};
use serde_json::json;

use crate::hero::Hero;
use crate::{Arguments, world_of};

const DT: f32 = 1.0 / 60.0;
/// The distance, in cells, within which an agent has caught the hero.
const REACH: f32 = 1.5;
/// The hero's speed relative to that of agents.
const SHARE: f32 = 0.5;
/// Which of a hundred catches are reported.
const RANKS: [usize; 3] = [1, 50, 95];
const CATCHES: usize = 100;
/// The number of heroes, each on a map of its own. Small differences grow where a crowd meets, so a single chase says
/// little.
const HEROES: u64 = 8;

/// Prints, for each size of map, the mean times at which the first, the median and the 95th of a hundred agents have
/// caught the hero.
pub(crate) fn run(agents: usize, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    println!(
        "{:>6} {:>8} {:>10} {:>10} {:>8}",
        "size", "caught", "whole [s]", "near [s]", "ratio"
    );
    let mut summary = Vec::new();
    for &size in &arguments.sizes {
        let size = size as usize;
        let (mut whole, mut near) = (Vec::new(), Vec::new());
        for seed in arguments.seed..arguments.seed + HEROES {
            let map = maps::rooms(size, size, 32, seed);
            let walk = (seed, arguments.speed);
            whole.push(catches(&map, agents, (GoalMode::Full, 0), walk)?);
            let way = (arguments.mode(), arguments.cells);
            near.push(catches(&map, agents, way, walk)?);
        }
        for rank in RANKS {
            let seconds = |heroes: &[Vec<usize>]| {
                let ticks: usize = heroes.iter().map(|ticks| ticks[rank - 1]).sum();
                ticks as f64 * f64::from(DT) / heroes.len() as f64
            };
            let (whole, near) = (seconds(&whole), seconds(&near));
            println!(
                "{size:>6} {rank:>8} {whole:>10.2} {near:>10.2} {:>8.3}",
                near / whole
            );
            summary.push(json!({ "size": size, "caught": rank, "whole_s": whole, "near_s": near }));
        }
    }
    println!("{}", json!({ "agents": agents, "chase": summary }));
    Ok(())
}

/// The ticks in which a hundred different agents come near the hero, in ascending order.
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
    let mut has_caught = vec![false; starts.len()];
    let mut caught = Vec::new();
    for tick in 0..60 * 600 {
        hero.walk(map);
        world.move_goal(goal, &[hero.position()])?;
        swarm.request_routes(&mut world)?;
        world.update();
        swarm.step(&world, DT)?;
        for (agent, &place) in swarm.positions().iter().enumerate() {
            if !has_caught[agent] && place.distance(hero.position()) < REACH {
                has_caught[agent] = true;
                caught.push(tick);
            }
        }
        if caught.len() >= CATCHES {
            return Ok(caught);
        }
    }
    Err(format!("only {} agents have caught the hero", caught.len()).into())
}
