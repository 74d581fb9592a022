//! Agents without a route: only those are lost to which no path leads, and each is reported once.

use crate::common::crowds::{
    SPEED, arrive, crowd_on_the_left, one_door, swarm_of, tick, tiled, two_doors,
};
use crate::common::{cell_of, center_of, world_of};
use flow_swarm::grid::CellRect;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::movement::{MovementType, WallPenalty};
use flow_swarm::swarm::{AgentStatus, AgentType, ArrivalAction, Settings, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode, QueryStatus, TileVariant};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, SplitMix64, WALL, open, rooms};

/// The terrain that stops the second movement type alone.
const MUD: u8 = 3;
const MODES: [GoalMode; 2] = [GoalMode::Tiled, GoalMode::Full];

/// The default movement type, and one that [`MUD`] stops.
fn movement_types() -> [MovementType; 2] {
    let mut table = [0; 256];
    for (id, cost) in (0..=u8::MAX).zip(&mut table) {
        *cost = id.max(1);
    }
    table[usize::from(MUD)] = WALL;
    let stopped = MovementType::new(&table, WallPenalty::default()).expect("valid");
    [MovementType::default(), stopped]
}

/// Three goals on a map of rooms with a crowd of both movement types to each, which a game edits.
struct Game {
    map: CostMap,
    world: FlowWorld,
    swarm: Swarm,
    goals: [GoalId; 3],
    random: SplitMix64,
    /// The places on open ground at the beginning.
    open: Vec<Vec2>,
}

impl Game {
    fn new(mode: GoalMode, seed: u64) -> Self {
        let map = rooms(110, 110, 13, seed);
        let mut random = SplitMix64::new(seed + 100);
        let mut world = world_of(&map, Workers::serial());
        world.set_movement_types(&movement_types()).expect("valid");
        world.set_tile_limit([0, 3, 40, 1000, 7][seed as usize % 5]);
        let routes = [1, 5, 64, 1000][random.below(4)];
        world.set_route_limit(routes).expect("in range");
        if random.percent(50) {
            world.set_update_cells([500, 2000, 10_000][random.below(3)]);
        }
        if random.percent(30) {
            world.set_tile_variant(TileVariant::Plain);
        }
        let open = (0..map.len()).filter(|&cell| map.is_passable(cell));
        let open: Vec<Vec2> = open.map(|cell| center_of(&map, cell)).collect();
        let mut goal_at = |at| world.create_goal_with_mode(&[at], &[0.0], mode);
        let goals = [(); 3].map(|()| goal_at(open[random.below(open.len())]).expect("inside"));
        let mut swarm = Swarm::new(5);
        let kind = |movement| AgentType {
            radius: 0.3,
            movement,
            max_speed: SPEED,
            acceleration: 6.0 * SPEED,
            ..AgentType::default()
        };
        swarm.set_types(&[kind(0), kind(1)]).expect("valid");
        let settings = Settings {
            arrival: ArrivalAction::Stop,
            ..Settings::default()
        };
        swarm.set_settings(settings).expect("valid");
        for (group, &goal) in (0..).zip(&goals) {
            for kind in 0..2 {
                let starts: Vec<Vec2> = (0..20).map(|_| open[random.below(open.len())]).collect();
                swarm.spawn(&world, &starts, kind, group).expect("inside");
            }
            swarm.set_group_goal(group, Some(goal)).expect("a group");
        }
        Self {
            map,
            world,
            swarm,
            goals,
            random,
            open,
        }
    }

    fn somewhere(&mut self) -> IVec2 {
        cell_of(&self.map, self.random.below(self.map.len()))
    }

    /// The edits of a tick: now and then the ground of a cell, a link more and one less, or another place for a goal.
    fn edit(&mut self, tick: usize) {
        if tick.is_multiple_of(3) {
            let cell = self.somewhere();
            let new = match self.world.terrain().get(cell).expect("inside") {
                WALL => 1,
                _ => [WALL, MUD][self.random.below(2)],
            };
            self.world.set_terrain(cell, new).expect("inside");
        }
        if tick % 45 == 10 {
            let link = Link {
                from: self.somewhere(),
                to: self.somewhere(),
                cost: 3.0,
                both_ways: self.random.percent(50),
                travel: Travel::default(),
            };
            let oldest = self.world.link_ids().next().filter(|_| tick > 200);
            let removed: Vec<_> = oldest.into_iter().collect();
            self.world.replace_links(&removed, &[link]).expect("inside");
        }
        if tick % 40 == 39 {
            let goal = self.goals[self.random.below(3)];
            let target = self.open[self.random.below(self.open.len())];
            self.world.move_goal(goal, &[target]).expect("inside");
        }
    }

    fn can_reach_goal(&mut self, index: usize, at: Vec2) -> bool {
        let goal = self.goals[usize::from(self.swarm.groups()[index])];
        let target = self.world.goal_targets(goal).expect("known")[0];
        let movement = usize::from(self.swarm.kinds()[index]);
        let reached = self.world.is_reachable(at, target, movement);
        reached.expect("inside")
    }
}

/// Asserts that each agent that becomes lost had no path where it was, and that none is lost for good to which a path
/// leads.
fn assert_lost_agents_have_no_path(mode: GoalMode, seed: u64) {
    let mut game = Game::new(mode, seed);
    for number in 0..500 {
        game.edit(number);
        let before = game.swarm.positions().to_vec();
        tick(&mut game.world, &mut game.swarm);
        for id in game.swarm.events().lost.clone() {
            let index = game.swarm.index_of(id).expect("alive");
            let at = before[index];
            assert!(
                !game.can_reach_goal(index, at),
                "{mode:?}, seed {seed}, tick {number}: lost at {at}"
            );
        }
    }
    for _ in 0..200 {
        tick(&mut game.world, &mut game.swarm);
    }
    for index in 0..game.swarm.len() {
        let at = game.swarm.positions()[index];
        let status = game.swarm.status(game.swarm.ids()[index]).expect("alive");
        assert!(
            status != AgentStatus::Lost || !game.can_reach_goal(index, at),
            "{mode:?}, seed {seed}: lost at {at} for good"
        );
    }
}

// In seeds 34, 41 and 50 routes are searched while the graph is updated in slices. In 143 a goal with whole fields moves
// to an island.
#[test]
fn no_agent_is_lost_while_there_is_a_route() {
    for seed in (0..4).chain([34, 41, 50, 143]) {
        for mode in MODES {
            assert_lost_agents_have_no_path(mode, seed);
        }
    }
}

/// A tile is not rebuilt at once, and the graph is renewed in slices. The tile leads to a link that is gone.
#[test]
fn agents_on_their_way_to_a_link_that_is_removed_take_another_way() {
    for cells in [0, 300] {
        let (map, _) = two_doors();
        let mut world = world_of(&map, Workers::serial());
        world.set_update_cells(cells);
        world.set_tile_limit(2);
        let link = Link {
            from: IVec2::new(20, 14),
            to: IVec2::new(105, 20),
            cost: 3.0,
            both_ways: false,
            travel: Travel::default(),
        };
        let link = world.add_link(link).expect("inside");
        let goal = tiled(&mut world, Vec2::new(110.5, 20.5));
        let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
        for _ in 0..20 {
            tick(&mut world, &mut swarm);
        }
        world.remove_link(link).expect("known");
        for _ in 0..60 {
            tick(&mut world, &mut swarm);
            assert_eq!(swarm.events().lost, [], "{cells}");
        }
        arrive("without the link", &mut world, &mut swarm, 60.0);
    }
}

/// Whole fields are built in slices or in the background, and agents follow the one from before the edit.
#[test]
fn agents_behind_a_door_that_opens_wait_for_the_field() {
    for is_in_background in [false, true] {
        let (map, door) = one_door();
        let mut world = world_of(&map, Workers::new(2).expect("threads"));
        world.set_terrain_rect(door, WALL).expect("inside");
        if is_in_background {
            world.set_background(true);
        } else {
            world.set_update_cells(300);
        }
        let target = Vec2::new(110.5, 20.5);
        let goal = world.create_goal(&[target]).expect("inside");
        let islanders = crowd_on_the_left();
        let mut swarm = swarm_of(&world, &islanders, goal);
        while swarm.stats().lost < islanders.len() {
            tick(&mut world, &mut swarm);
        }
        world.set_terrain_rect(door, 1).expect("inside");
        let newcomer = Vec2::new(50.5, 50.5);
        let newcomer = swarm.spawn(&world, &[newcomer], 0, 0).expect("inside")[0];
        tick(&mut world, &mut swarm);
        // What was lost stays so until there is a route, and what has come since is not.
        assert_eq!(swarm.stats().lost, islanders.len());
        assert_eq!(swarm.status(newcomer), Ok(AgentStatus::Following));
        let status = |world: &mut FlowWorld| world.query_status(goal, islanders[0], 0);
        assert_eq!(status(&mut world), Ok(QueryStatus::Pending));
        while status(&mut world) == Ok(QueryStatus::Pending) {
            tick(&mut world, &mut swarm);
            assert_eq!(swarm.events().lost, []);
        }
        assert_eq!(status(&mut world), Ok(QueryStatus::Ok));
        arrive("the door is open", &mut world, &mut swarm, 80.0);
    }
}

#[test]
fn agents_cut_off_from_a_goal_that_walks_are_lost_once() {
    let mut map = open(300, 64);
    for y in 0..64 {
        let index = map.index(270, y);
        map.cost[index] = WALL;
    }
    for mode in MODES {
        let mut world = world_of(&map, Workers::serial());
        let hero = |tick: u32| Vec2::new(5.5 + 0.3 * tick as f32, 30.5);
        let goal = world
            .create_goal_with_mode(&[hero(0)], &[0.0], mode)
            .expect("inside");
        let islanders = [Vec2::new(275.5, 20.5), Vec2::new(290.5, 50.5)];
        let mut swarm = swarm_of(&world, &islanders, goal);
        let mut lost = Vec::new();
        for number in 1..600 {
            world.move_goal(goal, &[hero(number)]).expect("inside");
            tick(&mut world, &mut swarm);
            lost.extend_from_slice(&swarm.events().lost);
        }
        assert_eq!(lost, swarm.ids(), "{mode:?}");
        assert_eq!(swarm.stats().lost, 2, "{mode:?}");
        // The goal comes to their side, and is lost to them once more when it leaves.
        world
            .move_goal(goal, &[Vec2::new(280.5, 30.5)])
            .expect("inside");
        for _ in 0..30 {
            tick(&mut world, &mut swarm);
            assert_eq!(swarm.events().lost, [], "{mode:?}");
        }
        assert_eq!(swarm.stats().lost, 0, "{mode:?}");
        world.move_goal(goal, &[hero(0)]).expect("inside");
        for _ in 0..30 {
            tick(&mut world, &mut swarm);
            lost.extend_from_slice(&swarm.events().lost);
        }
        assert_eq!(lost.len(), 4, "{mode:?}");
        // Another order is answered anew.
        let other = world
            .create_goal_with_mode(&[Vec2::new(60.5, 50.5)], &[0.0], mode)
            .expect("inside");
        swarm.set_group_goal(0, Some(other)).expect("a group");
        for _ in 0..30 {
            tick(&mut world, &mut swarm);
            lost.extend_from_slice(&swarm.events().lost);
        }
        assert_eq!(lost.len(), 6, "{mode:?}");
    }
}

#[test]
fn an_agent_that_a_large_wall_buries_is_lost() {
    for mode in MODES {
        let mut world = world_of(&open(96, 64), Workers::serial());
        let goal = world
            .create_goal_with_mode(&[Vec2::new(90.5, 30.5)], &[0.0], mode)
            .expect("inside");
        let mut swarm = swarm_of(&world, &[Vec2::new(30.5, 30.5)], goal);
        for _ in 0..5 {
            tick(&mut world, &mut swarm);
        }
        let rect = CellRect {
            low: IVec2::splat(10),
            high: IVec2::splat(50),
        };
        world.set_terrain_rect(rect, WALL).expect("inside");
        let mut lost = 0;
        for _ in 0..20 {
            tick(&mut world, &mut swarm);
            lost += swarm.events().lost.len();
        }
        // Then it has been put out of the wall.
        assert_eq!((lost, swarm.stats().lost), (1, 0), "{mode:?}");
    }
}

#[test]
fn agents_cut_off_are_not_lost_again_while_routes_are_searched() {
    let (map, door) = one_door();
    let mut world = world_of(&map, Workers::serial());
    world.set_route_limit(1).expect("valid");
    world.set_terrain_rect(door, WALL).expect("inside");
    let goal = tiled(&mut world, Vec2::new(110.5, 20.5));
    let mut swarm = swarm_of(&world, &crowd_on_the_left(), goal);
    let mut lost = Vec::new();
    for number in 0..900 {
        // After each edit all routes are searched once more.
        if number % 30 == 0 {
            let ground = [WALL, 1][number / 30 % 2];
            world
                .set_terrain(IVec2::new(100, 60), ground)
                .expect("inside");
        }
        tick(&mut world, &mut swarm);
        lost.extend_from_slice(&swarm.events().lost);
    }
    lost.sort_unstable();
    assert_eq!(lost, swarm.ids());
    world.set_terrain_rect(door, 1).expect("inside");
    arrive("the door is open", &mut world, &mut swarm, 80.0);
}
