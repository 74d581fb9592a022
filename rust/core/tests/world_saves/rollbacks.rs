//! Games that go back some ticks at random moments, over orders of another course or in another world, and forward
//! again.

use crate::common::fresh_seeds;
use crate::game::{Game, Memory};
use crate::games::{setting, state};
use flow_swarm::Error;
use flow_swarm::flow::DirectionRule;
use flow_swarm::integrate::Solver;
use flow_swarm::snapshots::Snapshots;
use flow_swarm::swarm::{Swarm, SwarmSnapshot};
use flow_swarm_bench::maps::SplitMix64;

/// How many ticks are kept.
const KEPT: u64 = 8;

/// The number of the swarm among those of the world.
const SWARM: u64 = 5;

struct Player {
    game: Game,
    snapshots: Snapshots,
    /// The memory of the game after each tick, and the properties of its world.
    memories: Vec<(Memory, Properties)>,
}

/// What a game sets as properties, which snapshots do not hold.
#[derive(Clone, Copy)]
struct Properties {
    grid: flow_swarm::grid::Grid,
    sector_size: u32,
    kinds: usize,
}

impl Properties {
    fn of(game: &Game) -> Self {
        Self {
            grid: *game.world.grid(),
            sector_size: game.world.sector_size(),
            kinds: game.kinds,
        }
    }
}

impl Player {
    fn new(game: Game) -> Self {
        let mut snapshots = Snapshots::default();
        snapshots.set_most(KEPT as usize);
        let mut player = Self {
            game,
            snapshots,
            memories: Vec::new(),
        };
        player.keep();
        player
    }

    fn keep(&mut self) {
        let Game { world, swarm, .. } = &self.game;
        assert_eq!(world.tick(), self.memories.len() as u64);
        self.snapshots.keep(world, [(SWARM, swarm)].into_iter());
        let properties = Properties::of(&self.game);
        self.memories.push((self.game.memory(), properties));
    }

    fn tick(&mut self) {
        (0..Game::PARTS).for_each(|part| self.game.play_part(part));
        self.keep();
    }

    /// Goes back to a tick, after bringing back the properties of that tick if these have changed.
    fn roll_back(&mut self, tick: u64) {
        let (memory, properties) = self.memories[tick as usize].clone();
        let was_refused = self.try_to_roll_back(tick);
        if let Err(error) = was_refused {
            assert!(matches!(error, Error::NotRestored { .. }), "{error}");
            self.game.set_movement_types(properties.kinds);
            let world = &mut self.game.world;
            world.set_grid(properties.grid);
            let size = properties.sector_size;
            world.set_sector_size(size).expect("as before");
            let rules = [DirectionRule::Characteristic, DirectionRule::BestNeighbour];
            let solvers = [Solver::Octile, Solver::Eikonal];
            let mut pairs = rules
                .iter()
                .flat_map(|&rule| solvers.map(|solver| (rule, solver)));
            let is_back = pairs.any(|(rule, solver)| {
                self.game.world.set_direction_rule(rule);
                self.game.world.set_solver(solver);
                self.try_to_roll_back(tick).is_ok()
            });
            assert!(is_back, "tick {tick}: {error}");
        }
        self.game.remember(memory);
        self.memories.truncate(tick as usize + 1);
        let ticks: Vec<u64> = self.snapshots.ticks().collect();
        assert_eq!(ticks.last(), Some(&tick), "later ticks are dropped");
        let first = (tick + 1).saturating_sub(ticks.len() as u64);
        assert!(ticks.into_iter().eq(first..=tick), "one after the other");
    }

    fn try_to_roll_back(&mut self, tick: u64) -> Result<(), Error> {
        let Game { world, swarm, .. } = &mut self.game;
        let before = (world.world_hash(), swarm.state_hash());
        let mut swarms = [(SWARM, swarm)];
        let done = self.snapshots.roll_back(tick, world, &mut swarms);
        if done.is_err() {
            let after = (world.world_hash(), swarms[0].1.state_hash());
            assert_eq!(after, before, "a refused rollback changes nothing");
        }
        done
    }
}

fn play(seed: u64, ticks: usize) {
    let setting = setting(seed);
    let mut quiet = Game::new(seed, setting);
    let mut player = Player::new(Game::new(seed, setting));
    let mut random = SplitMix64::new(seed ^ 91);
    // What the quiet game was after each tick.
    let mut trail = vec![(state(&quiet), quiet.swarm.save())];
    let mut farthest = 0;
    while farthest < ticks {
        let tick = player.game.world.tick() as usize;
        match random.below(8) {
            0 => {
                // Another course for some ticks, and back.
                player.game.diverge(random.next_u64());
                let ticks = 1 + random.below(KEPT as usize - 1);
                (0..ticks).for_each(|_| player.tick());
                player.roll_back(tick as u64);
            }
            1 => {
                let ticks: Vec<u64> = player.snapshots.ticks().collect();
                assert!(ticks.len() <= KEPT as usize);
                player.roll_back(ticks[random.below(ticks.len())]);
            }
            2 => {
                // Another course from the first tick on, whose costs have the same revisions.
                let mut other = Game::new(seed, setting);
                other.diverge(random.next_u64());
                let parts = random.below((tick + 3) * Game::PARTS);
                (0..parts).for_each(|part| other.play_part(part % Game::PARTS));
                player.game = other;
                player.roll_back(tick as u64);
            }
            _ => player.tick(),
        }
        let now = player.game.world.tick() as usize;
        while trail.len() <= now {
            (0..Game::PARTS).for_each(|part| quiet.play_part(part));
            trail.push((state(&quiet), quiet.swarm.save()));
        }
        farthest = farthest.max(now);
        let (expected, saved) = &trail[now];
        for ((what, expected), (_, found)) in expected.iter().zip(state(&player.game)) {
            // There are no events right after a rollback.
            assert!(
                *expected == found,
                "seed {seed}, tick {now}, {setting:?}: {what}\n{}\n{}",
                &expected[..expected.len().min(600)],
                &found[..found.len().min(600)],
            );
        }
        assert!(
            *saved == player.game.swarm.save(),
            "seed {seed}, tick {now}"
        );
    }
}

#[test]
fn games_that_go_back_go_on_as_if_they_had_not() {
    for seed in 0..14 {
        play(seed, 40);
    }
}

#[test]
fn other_games_go_back_in_each_run() {
    for seed in fresh_seeds(4, 6) {
        play(seed, 40);
    }
}

#[test]
fn the_last_ticks_are_kept_and_their_memory_is_counted() {
    let mut player = Player::new(Game::new(3, setting(3)));
    let swarm_bytes = player.game.swarm.memory_bytes();
    for _ in 0..3 * KEPT {
        player.tick();
    }
    let Player {
        game, snapshots, ..
    } = &mut player;
    let now = game.world.tick();
    assert!(snapshots.ticks().eq(now - KEPT + 1..=now));
    let bytes = snapshots.memory_bytes(&game.world);
    let most = 2 * KEPT as usize * (swarm_bytes + game.world.memory_bytes());
    assert!(bytes >= KEPT as usize * swarm_bytes / 2, "{bytes}");
    assert!(bytes <= most, "{bytes} of at most {most}");
    for tick in [0, now - KEPT, now + 1] {
        let swarms = &mut [(SWARM, &mut game.swarm)];
        let refused = snapshots.roll_back(tick, &mut game.world, swarms);
        let kept = Some((now - KEPT + 1, now));
        assert_eq!(refused, Err(Error::TickNotKept { tick, kept }));
    }
    snapshots.set_most(2);
    assert!(snapshots.ticks().eq(now - 1..=now));
    snapshots.set_most(0);
    assert_eq!(snapshots.memory_bytes(&game.world), 0);
    snapshots.keep(&game.world, [(SWARM, &game.swarm)].into_iter());
    assert_eq!(snapshots.ticks().next(), None, "none is kept");
}

#[test]
fn a_world_and_all_of_its_swarms_go_back_together() {
    let mut player = Player::new(Game::new(5, setting(5)));
    let mut other = Swarm::new(9);
    let Game { world, swarm, .. } = &mut player.game;
    let hash = swarm.state_hash();
    world.update();
    swarm.step(world, 0.1).expect("valid");
    let after = (world.tick(), swarm.state_hash());
    let snapshots = &mut player.snapshots;
    let both = &mut [(SWARM, &mut *swarm), (7, &mut other)];
    let refused = snapshots.roll_back(0, world, both);
    let what = "a swarm was not there in that tick";
    assert_eq!(refused, Err(Error::NotRestored { what }));
    let refused = snapshots.roll_back(0, world, &mut []);
    let what = "a swarm of that tick is gone";
    assert_eq!(refused, Err(Error::NotRestored { what }));
    assert_eq!((world.tick(), swarm.state_hash()), after, "nothing changed");
    let types = swarm.types().to_vec();
    swarm.clear();
    swarm.set_types(&types[..1]).expect("no agents");
    let refused = snapshots.roll_back(0, world, &mut [(SWARM, &mut *swarm)]);
    let what = "its agents have types that are gone";
    assert_eq!(refused, Err(Error::NotRestored { what }));
    assert_eq!(world.tick(), after.0, "the world stays as well");
    swarm.set_types(&types).expect("valid");
    let back = snapshots.roll_back(0, world, &mut [(SWARM, &mut *swarm)]);
    assert_eq!(back, Ok(()));
    assert_eq!((world.tick(), swarm.state_hash()), (0, hash));
}

/// A temporary goal is released in time although snapshots know it, and is there again after going back.
#[test]
fn snapshots_hold_no_temporary_goals() {
    let mut player = Player::new(Game::new(1, setting(1)));
    let Game { world, swarm, .. } = &mut player.game;
    let few: Vec<_> = swarm.ids().iter().copied().take(3).collect();
    let place = world.grid().center_of(flow_swarm::IVec2::splat(20));
    let mode = flow_swarm::world::GoalMode::Full;
    swarm.send(world, &few, &[place], mode).expect("inside");
    let goal = swarm.goal_of(few[0]).expect("an agent").expect("sent");
    world.update();
    let snapshots = &mut player.snapshots;
    snapshots.keep(world, [(SWARM, &*swarm)].into_iter());
    let tick = world.tick();
    swarm.clear_goals(&few).expect("agents");
    world.update();
    assert!(!world.has_goal(goal), "released");
    let back = snapshots.roll_back(tick, world, &mut [(SWARM, &mut *swarm)]);
    assert_eq!(back, Ok(()));
    world.update();
    assert!(world.has_goal(goal), "its agents hold it again");
    assert_eq!(swarm.goal_of(few[0]), Ok(Some(goal)));
    swarm.clear_goals(&few).expect("agents");
    world.update();
    assert!(!world.has_goal(goal), "released again");
}

/// A swarm that was loaded without its world holds no goal yet; going back, by snapshots or saves, gives it none.
#[test]
fn going_back_gives_no_holds_that_were_not_there() {
    for is_saved in [false, true] {
        let Game {
            mut world,
            mut swarm,
            ..
        } = Game::new(1, setting(1));
        world.update();
        let few: Vec<_> = swarm.ids().iter().copied().take(3).collect();
        let place = world.grid().center_of(flow_swarm::IVec2::splat(20));
        let mode = flow_swarm::world::GoalMode::Full;
        swarm.send(&mut world, &few, &[place], mode).expect("in");
        let goal = swarm.goal_of(few[0]).expect("an agent").expect("sent");
        let sent = swarm.save();
        swarm.clear_goals(&few).expect("agents");
        swarm.load(&sent).expect("its own state");
        assert_eq!(swarm.goal_of(few[0]), Ok(Some(goal)));
        let mut snapshot = SwarmSnapshot::default();
        swarm.take_snapshot(&mut snapshot);
        let (of_world, saved) = (world.snapshot(), swarm.save());
        let bytes = world.save_state().expect("nothing is in work");
        swarm.request_routes(&mut world).expect("known goals");
        if is_saved {
            world.load_state(&bytes).expect("its own state");
            swarm.load_in(&world, &saved).expect("its own state");
        } else {
            world.restore(&of_world).expect("its own snapshot");
            swarm.restore(&world, &snapshot).expect("its own snapshot");
        }
        world.update();
        assert!(!world.has_goal(goal), "as without going back");
    }
}
