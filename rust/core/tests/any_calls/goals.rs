//! Calls about goals, routes, paths and tiles.

use flow_swarm::flow::DirectionRule;
use flow_swarm::integrate::Solver;
use flow_swarm::world::{FlowWorld, GoalKind, GoalMode, QueryStatus, TileVariant};

use crate::caller::Caller;

/// The greatest number of goals that are kept.
const MOST_GOALS: usize = 6;

impl Caller {
    pub fn change_solver(&mut self) {
        let rules = [
            DirectionRule::Characteristic,
            DirectionRule::BestNeighbour,
            DirectionRule::NegativeGradient,
            DirectionRule::Predecessor,
        ];
        self.world
            .set_direction_rule(rules[self.random.below(rules.len())]);
        if self.random.percent(50) {
            self.world
                .set_solver([Solver::Octile, Solver::Eikonal][self.random.below(2)]);
        }
        let behind = self.setting.is_in_background && self.random.percent(70);
        self.world.set_background(behind);
        let cells = [0, 1, 50, 900, usize::MAX][self.random.below(5)];
        self.world.set_walking_cells(cells);
        // Like a background, a limit has fields wait.
        let limits = [0, usize::MAX, 40, 700];
        let choices = if self.setting.is_in_background { 4 } else { 2 };
        let limit = limits[self.random.below(choices)];
        self.world.set_update_cells(limit);
    }

    pub fn create_goals(&mut self) {
        let places = self.places(5);
        let mut costs: Vec<f32> = places.iter().map(|_| self.number()).collect();
        if self.random.percent(60) {
            costs.fill(0.0);
        }
        costs.truncate(costs.len().saturating_sub(self.random.below(20) / 19));
        let result = match self.random.below(5) {
            0 => self.world.create_goal(&places),
            3 => {
                let reach = self.number();
                let kind = GoalKind::Flee { reach };
                self.world.create_goal_of_kind(&places, kind)
            }
            4 => {
                let (least, most) = (self.number(), self.number());
                let kind = GoalKind::Range { least, most };
                self.world.create_goal_of_kind(&places, kind)
            }
            1 => self.world.create_goal_with_costs(&places, &costs),
            _ => {
                let mode = GoalMode::Tiled;
                self.world.create_goal_with_mode(&places, &costs, mode)
            }
        };
        self.note(&result);
        if let Ok(goal) = result {
            assert!(self.world.has_goal(goal));
            self.goals.push(goal);
            let group = self.integer();
            let _ = self.swarm.set_group_goal(group, Some(goal));
        }
    }

    pub fn move_goals(&mut self) {
        let (goal, places) = (self.goal(), self.places(5));
        let result = if self.random.percent(50) {
            self.world.move_goal(goal, &places)
        } else {
            let costs: Vec<f32> = places.iter().map(|_| self.number()).collect();
            self.world.move_goal_with_costs(goal, &places, &costs)
        };
        self.note(&result);
        if result.is_ok() {
            assert_eq!(self.world.goal_targets(goal), Ok(places.as_slice()));
        }
        let known = (
            (self.world.goal_mode(goal), self.world.goal_kind(goal)),
            self.world.goal_signature(goal),
            self.world.goal_initial_costs(goal).map(<[f32]>::len),
        );
        assert_eq!(known.0.0.is_ok(), self.world.has_goal(goal));
        assert_eq!(known.0.0.is_ok(), known.0.1.is_ok());
        self.note(known);
    }

    pub fn release_goals(&mut self) {
        if self.goals.len() < MOST_GOALS {
            return;
        }
        let goal = self.goals.swap_remove(self.random.below(MOST_GOALS));
        self.world.release_goal(goal).expect("it was there");
        assert!(self.world.release_goal(goal).is_err());
        // There may be others, which exist as long as agents go there.
        assert!(self.goals.iter().all(|&goal| self.world.has_goal(goal)));
        assert!(self.world.goal_ids().is_sorted());
    }

    pub fn require(&mut self) {
        let (goal, place, movement) = self.question();
        let result = self.world.require(goal, movement);
        self.note(result);
        let result = self.world.request_route(goal, movement, place);
        self.note(result);
    }

    pub fn ask_the_way(&mut self) {
        let (goal, at, movement) = self.question();
        self.note(self.world.has_next_costs());
        let status = self.world.query_status(goal, at, movement);
        let cost = self.world.cost_to_goal(goal, at, movement);
        let path = self.world.path_from(goal, at, movement);
        let smooth = self.world.smooth_path_from(goal, at, movement);
        assert_eq!(path.is_ok(), smooth.is_ok());
        if let (Ok(path), Ok(smooth)) = (&path, &smooth) {
            assert!(smooth.len() <= path.len() && smooth.first() == path.first());
        }
        let is_tiled = self.world.goal_mode(goal) == Ok(GoalMode::Tiled);
        let is_open = matches!(self.world.island_at(at, movement), Ok(Some(_)));
        self.check_that_they_agree((is_tiled, is_open), &status, &cost, &path);
        let costs = self.world.costs_to_goal(goal, &[at, at], movement);
        match (&cost, &costs) {
            (Ok(cost), Ok(costs)) if !self.setting.is_in_background => {
                assert_eq!(costs.as_slice(), [*cost; 2]);
            }
            _ => assert_eq!(cost.is_ok(), costs.is_ok()),
        }
        let all = (
            self.world.flow_vector(goal, at, movement),
            self.world.flow_vectors(goal, &[at, at], movement),
            self.world.link_ahead(goal, at, movement),
            self.world.has_line_of_sight(goal, at, movement),
            status,
            cost,
            path,
        );
        if let Ok(direction) = all.0 {
            let length = direction.length();
            assert!(length == 0.0 || (length - 1.0).abs() < 1e-3, "{direction}");
        }
        self.note(all);
        self.follow_a_route();
    }

    /// Checks that a route comes with a cost and a path.
    fn check_that_they_agree<E>(
        &self,
        (is_tiled, is_open): (bool, bool),
        status: &Result<QueryStatus, E>,
        cost: &Result<Option<f64>, E>,
        path: &Result<Vec<flow_swarm::Vec2>, E>,
    ) {
        let (Ok(status), Ok(cost), Ok(path)) = (status, cost, path) else {
            return;
        };
        // Tiled goals may wait for tiles or for the search although there is a path.
        let waits = matches!(status, QueryStatus::Pending | QueryStatus::Queued);
        if self.setting.is_in_background || waits && is_tiled {
            return;
        }
        let is_ok = *status == QueryStatus::Ok;
        assert_eq!(is_ok, cost.is_some(), "{status:?}, but a cost of {cost:?}");
        // An agent in a cell without clearance is led out of it.
        let is_led = is_ok || *status == QueryStatus::TooNarrow && !is_open;
        let cells = path.len();
        assert!(is_led || cells == 0, "{status:?}, and {cells} cells");
        assert!(!is_ok || cells > 0, "no way");
    }

    /// Queries a route as steering does, at random points of the grid.
    fn follow_a_route(&mut self) {
        let (goal, at) = (self.goal(), self.place_inside());
        let movement = self.random.below(self.world.movement_type_count());
        let grid = *self.world.grid();
        let cell = grid.clamped_cell_at(at);
        let Some(route) = self.world.route(goal, movement) else {
            return;
        };
        let point = grid.to_cell_space(grid.center_of(cell));
        let ahead = route.sample_for(point, 0.3);
        let asked = (
            route.is_goal(cell),
            route.target_in(cell),
            route.distance_to_target(point),
            route.lean(point, 0.3, ahead, 1.0),
            route.sees_target(cell),
        );
        let link = route.link_from(cell);
        assert!(link.is_none_or(|end| grid.contains(end)), "{link:?}");
        self.note((ahead, asked, link));
    }

    pub fn ask_for_reachability(&mut self) {
        let (from, to, movement) = (self.place(), self.place(), self.movement());
        let asked = (
            self.world.is_reachable(from, to, movement),
            self.world.island_at(from, movement),
            self.world.nearest_reachable_cell(from, to, movement),
        );
        // A path from a cell without clearance starts in a neighbouring cell.
        let is_open = matches!(asked.1, Ok(Some(_)));
        if let (Ok(reachable), Ok(Some(cell)), true) = (&asked.0, &asked.2, is_open) {
            let is_there = self.world.grid().clamped_cell_at(to) == *cell;
            assert_eq!(*reachable, is_there, "{asked:?} from {from} to {to}");
        }
        self.note(asked);
        self.reach(from, to, movement);
        let (at, radius, cell) = (self.place(), self.number(), self.cell());
        let asked = (
            self.world.closest_walls(at, radius, movement),
            self.world.is_in_sight(at, from, movement),
            self.world.cost(cell, movement),
        );
        self.note(asked);
    }

    /// What a budget suffices for is reachable, and the more the greater it is.
    fn reach(&mut self, from: flow_swarm::Vec2, to: flow_swarm::Vec2, movement: usize) {
        let budget = f64::from(self.number());
        let reached = self.world.reach(from, budget, movement);
        if let Ok(reached) = &reached {
            let most = reached.last().map_or(0.0, |(_, cost)| *cost);
            assert!(most <= budget * 1.000_001, "{most} for {budget}");
            assert!(reached.is_sorted_by_key(|(_, cost)| *cost));
            if self.world.is_reachable(from, to, movement) == Ok(false) {
                let cell = self.world.grid().cell_at(to);
                assert!(reached.iter().all(|&(known, _)| known != cell));
            }
            let more = self.world.reach(from, budget + 1.0, movement);
            let more = more.map(|more| more.len() >= reached.len());
            assert!(budget > 999_999.0 || more == Ok(true), "{more:?}");
        }
        self.note(reached);
    }

    pub fn ask_for_maps(&mut self) {
        let (goal, _, movement) = self.question();
        let cells = self.world.grid().cell_count();
        let lengths = (
            self.world.island_map(movement).map(|map| map.len()),
            self.world.closed_map(movement).map(|map| map.len()),
            self.world.sight_map(goal, movement).map(|map| map.len()),
            self.world
                .direction_map(goal, movement)
                .map(|map| map.len()),
        );
        for length in [&lengths.0, &lengths.1, &lengths.2] {
            assert!(length.is_err() || *length == Ok(cells), "{length:?}");
        }
        let whole = self.world.whole_field(goal, movement);
        if whole.is_ok() && !self.setting.is_in_background {
            let field = self.world.field(goal, movement);
            assert_eq!(field.is_some(), whole.is_ok_and(|field| field.is_some()));
            let at = self.place();
            let cell = self.world.grid().clamped_cell_at(at);
            if let Some(field) = self.world.field(goal, movement).cloned() {
                let seen = (field.to_costs(), field.to_vectors());
                assert_eq!((seen.0.len(), seen.1.len()), (cells, cells));
                let reached = seen.0.iter().filter(|cost| cost.is_finite()).count();
                assert_eq!(field.reached_cell_count(), reached);
                let (cost, direction) = (field.cost_at(cell), field.direction_at(cell));
                self.note((
                    seen.0.first().copied(),
                    cost,
                    direction,
                    field.next_cell(cell),
                ));
            }
            let age = self.world.field_age(goal, at, movement);
            let ages = self.world.field_ages(goal, movement);
            let ages = ages.map(|ages| ages.map(|ages| (ages.len(), ages.iter().max().copied())));
            self.note((age, ages));
        }
        if self.world.check_movement(movement as i64).is_ok() {
            let fresh = self.world.fresh_costs(movement).to_bytes();
            assert_eq!(fresh, self.world.costs(movement).to_bytes());
        }
        self.note(lengths);
        let told = (
            self.world.last_build_seconds(),
            self.world.build_stats(),
            self.world.tile_stats().cache.bytes,
        );
        let memory = self.world.tile_memory();
        assert_eq!(memory.cache, told.2);
        assert_eq!(self.world.tiles_built(), self.world.tile_stats().built);
        let all = self.world.memory_bytes();
        assert!(all > memory.cache + memory.graphs + memory.fields);
        assert!(self.swarm.memory_bytes() >= 40 * self.swarm.len());
        let at = self.place();
        let first = self.world.has_first_tiles(goal, movement, at);
        self.note((memory, first));
        if !self.setting.is_in_background {
            self.note(told);
        }
    }

    pub fn change_tiles(&mut self) {
        match self.random.below(7) {
            0 => {
                let size = [4, 5, 8, 16, 64, 0, 3, 65, u32::MAX][self.random.below(9)];
                let result = self.world.set_sector_size(size);
                assert!(result.is_err() || self.world.sector_size() == size);
                self.note(result);
            }
            1 => {
                let bytes = [0, 1, 3_000, 100_000, 1 << 26, u64::MAX][self.random.below(6)];
                let result = self.world.set_tile_cache_bytes(bytes);
                self.note(result);
            }
            2 => {
                let tiles = [0, 1, 3, 256, usize::MAX][self.random.below(5)];
                self.world.set_tile_limit(tiles);
            }
            3 => {
                let seconds = f64::from(self.number());
                let result = self.world.set_update_seconds(seconds);
                self.note(result);
            }
            4 => {
                let routes = [0, 1, 2, 64, usize::MAX][self.random.below(5)];
                let result = self.world.set_route_limit(routes);
                assert!(result.is_err() || self.world.route_limit() == routes);
                self.note(result);
            }
            5 => {
                let variant = [TileVariant::Seamless, TileVariant::Plain][self.random.below(2)];
                self.world.set_tile_variant(variant);
                assert_eq!(self.world.tile_variant(), variant);
            }
            _ => {
                let (goal, at, movement) = self.question();
                let asked = (
                    self.world.request_route(goal, movement, at),
                    self.world.built_sectors(goal, movement),
                    self.world.portal_windows(movement),
                    self.world
                        .portal_graph(movement)
                        .map(|graph| graph.sectors().count()),
                );
                self.note(asked);
            }
        }
    }

    pub fn save_and_load_tiles(&mut self) {
        if self.tiles.is_empty() || self.random.percent(60) {
            let saved = self.world.save_tiles();
            let spoiled = self.spoiled(&saved);
            if spoiled != saved {
                assert!(self.world.load_tiles(&spoiled).is_err(), "spoiled tiles");
            }
            self.world.load_tiles(&saved).expect("its own tiles");
            if let Ok(baked) = self.world.bake_tiles() {
                assert!(FlowWorld::are_baked_tiles(&baked));
                let bake = self.world.begin_tile_bake().expect("as before");
                for part in (0..bake.part_count()).step_by(2) {
                    bake.make(part);
                }
                assert!(bake.finish(self.world.workers()).as_ref() == Some(&baked));
                let spoiled = self.spoiled(&baked);
                let length = spoiled.len() as u64;
                let read = move |from: u64, length: usize| {
                    let from = usize::try_from(from).ok()?;
                    spoiled.get(from..from + length).map(<[u8]>::to_vec)
                };
                let opened = self.world.open_tiles(Box::new(read), length);
                self.note(opened);
            }
            // What the cache holds is not saved, and so may not decide which tiles count.
            self.world.close_tiles();
            if self.tiles.len() < 20 {
                self.tiles.push(saved);
            }
        } else {
            let saved = &self.tiles[self.random.below(self.tiles.len())];
            let result = self.world.load_tiles(saved);
            self.world.close_tiles();
            self.note(result);
        }
    }
}
