//! A game that adds, moves, fades and removes overlays among all other edits, and a game without overlays that makes
//! the same edits.

use crate::model::{self, Overlay, Shape, cost_overlay};
use flow_swarm::grid::Grid;
use flow_swarm::movement::{Clearance, CrowdPenalty, MovementType, OverlayId, WallPenalty};
use flow_swarm::swarm::{AgentState, Swarm};
use flow_swarm::terrain::{Stamp, StampId};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::SplitMix64;
use std::collections::BTreeMap;

const CROWD_PENALTY: i64 = 12;

/// A world, and what is in it beside overlays.
struct Ground {
    world: FlowWorld,
    swarm: Swarm,
    stamps: Vec<StampId>,
}

impl Ground {
    fn new(grid: Grid, terrain: &[u8]) -> Self {
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_terrain_bytes(terrain).expect("right length");
        world.set_movement_types(&kinds()).expect("few");
        Self {
            world,
            swarm: Swarm::new(1),
            stamps: Vec::new(),
        }
    }
}

fn kinds() -> [MovementType; 3] {
    let crowds = CrowdPenalty::new(CROWD_PENALTY).expect("in range");
    let near = WallPenalty::new(30, 2, true).expect("in range");
    let room = Clearance::new(0.9).expect("in range");
    [
        MovementType::default().with_crowd_penalty(crowds),
        MovementType::with_wall_penalty(near).with_clearance(room),
        MovementType::default(),
    ]
}

pub struct Game {
    with: Ground,
    without: Ground,
    pub overlays: Vec<Overlay>,
    goals: [GoalId; 2],
    targets: Vec<Vec2>,
    random: SplitMix64,
    /// The time since any overlay began to fade.
    now: f64,
}

impl Game {
    pub fn new(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let size = IVec2::new(20 + random.below(30) as i32, 20 + random.below(20) as i32);
        let (side, low) = [(1.0, 0.0), (2.0, -8.0), (0.5, 16.0)][random.below(3)];
        let layers = [1, 1, 2][random.below(3)];
        let grid = Grid::layered(size, side, Vec2::splat(low), layers).expect("valid");
        let terrain: Vec<u8> = (0..grid.cell_count())
            .map(|_| [1, 1, 1, 1, 1, 1, 7, 240, 255, 255][random.below(10)])
            .collect();
        let (mut with, without) = (Ground::new(grid, &terrain), Ground::new(grid, &terrain));
        let targets = vec![grid.center_of(IVec2::new(9, 11)), grid.center_of(size - 3)];
        let goals = [GoalMode::Full, GoalMode::Tiled].map(|mode| {
            let goal = with.world.create_goal_with_mode(&targets, &[0.0; 2], mode);
            goal.expect("inside")
        });
        Self {
            with,
            without,
            overlays: Vec::new(),
            goals,
            targets,
            random,
            now: 0.0,
        }
    }

    fn both(&mut self, mut edit: impl FnMut(&mut Ground)) {
        edit(&mut self.with);
        edit(&mut self.without);
    }

    /// A position on any layer or some cells beside it, in eighths of a cell.
    fn place(&mut self) -> Vec2 {
        let grid = *self.with.world.grid();
        let steps = |cells: i32, random: &mut SplitMix64| {
            let eighths = random.below(8 * (cells as usize + 8)) as i32 - 32;
            eighths as f32 / 8.0
        };
        let size = grid.layer_size();
        let cells = Vec2::new(
            steps(size.x, &mut self.random),
            steps(size.y, &mut self.random),
        );
        let position = grid.origin() + cells * grid.cell_size();
        let layer = self.random.below(grid.layers().count() as usize) as u32;
        grid.layers().place(position, layer)
    }

    fn cell(&mut self) -> IVec2 {
        let size = self.with.world.grid().layer_size();
        let x = self.random.below(size.x as usize) as i32;
        IVec2::new(x, self.random.below(size.y as usize) as i32)
    }

    fn shape(&mut self) -> Shape {
        let side = self.with.world.grid().cell_size();
        let random = &mut self.random;
        let cost = [1, 5, 40, 253][random.below(4)];
        let mut length = |most: usize| random.below(8 * most) as f32 / 8.0;
        match (length)(3) as usize {
            0 => Shape::Circle {
                radius: length(9) * side,
                cost,
            },
            1 => Shape::Rect {
                size: Vec2::new(length(12), length(12)) * side,
                cost,
            },
            _ => {
                let size = IVec2::new(1 + length(9) as i32, 1 + length(9) as i32);
                let count = size.element_product();
                let costs = (0..count).map(|_| [0, 3, 90, 253][self.random.below(4)]);
                Shape::Block {
                    size,
                    costs: costs.collect(),
                }
            }
        }
    }

    fn add(&mut self) {
        let (shape, at) = (self.shape(), self.place());
        let fading = [0.0, 0.0, 0.5, 1.0, 3.0, 8.0][self.random.below(6)];
        let movement_types = [u64::MAX, u64::MAX, 1, 2, 5, 7][self.random.below(6)];
        let overlay = cost_overlay(&shape, fading, movement_types);
        let added = self.with.world.add_cost_overlay(at, &overlay);
        let covers_any = shape.covers_any(self.with.world.grid(), at);
        assert_eq!(added.is_ok(), covers_any, "{shape:?} at {at}: {added:?}");
        self.overlays.extend(added.ok().map(|id| Overlay {
            id,
            shape,
            at,
            fading,
            since: self.now,
            movement_types,
        }));
    }

    fn shift(&mut self) {
        let at = self.place();
        let grid = *self.with.world.grid();
        let index = self.random.below(self.overlays.len());
        let overlay = &mut self.overlays[index];
        let moved = self.with.world.move_cost_overlay(overlay.id, at);
        assert_eq!(moved.is_ok(), overlay.shape.covers_any(&grid, at));
        if moved.is_ok() {
            overlay.at = at;
        }
    }

    fn remove(&mut self) {
        let index = self.random.below(self.overlays.len());
        let overlay = self.overlays.swap_remove(index);
        let world = &mut self.with.world;
        world.remove_cost_overlay(overlay.id).expect("there");
        assert!(world.remove_cost_overlay(overlay.id).is_err());
        assert!(world.move_cost_overlay(overlay.id, overlay.at).is_err());
    }

    fn fade(&mut self) {
        let seconds = [0.0, 0.125, 0.25, 1.0, 5.0][self.random.below(5)];
        let world = &mut self.with.world;
        world.fade_cost_overlays(seconds).expect("in range");
        self.now += seconds;
        let now = self.now;
        self.overlays.retain(|overlay| overlay.quarters(now) > 0);
    }

    fn edit(&mut self) {
        let (cell, id) = (self.cell(), [1, 7, 240, 255][self.random.below(4)]);
        let stamp = Stamp::new(IVec2::new(2, 3), &[255, 1, 9, 9, 255, 255], None).expect("valid");
        match self.random.below(3) {
            0 => self.both(|ground| ground.world.set_terrain(cell, id).expect("inside")),
            1 => self.both(|ground| {
                let placed = ground.world.place_stamp(cell, &stamp);
                ground.stamps.extend(placed.ok());
            }),
            _ => self.both(|ground| {
                if let Some(stamp) = ground.stamps.pop() {
                    ground.world.remove_stamp(stamp).expect("there");
                }
            }),
        }
    }

    /// Some agents come and stand, or all go, and the crowd is reported.
    fn crowd(&mut self) {
        let corner = self.cell();
        let comes = self.random.percent(70);
        self.both(|ground| {
            let Ground { world, swarm, .. } = ground;
            let side = world.grid().cell_size();
            let places: Vec<Vec2> = (0..30)
                .map(|index| corner + IVec2::new(index % 6, index / 6))
                .map(|cell| cell.min(world.grid().layer_size() - 1))
                .map(|cell| world.grid().center_of(cell) + 0.1 * side)
                .collect();
            if comes {
                let ids = swarm.spawn(world, &places, 0, 0).expect("inside");
                swarm.set_state(&ids, AgentState::Idle).expect("alive");
            } else {
                swarm.clear();
            }
            for _ in 0..20 {
                swarm.step(world, 0.1).expect("valid");
            }
            swarm.report_crowding(world);
        });
    }

    /// Another grid, on which some overlays have no cell.
    fn change_grid(&mut self) {
        let old = *self.with.world.grid();
        let size = old.layer_size() + [IVec2::new(-3, 2), IVec2::new(2, -3)][self.random.below(2)];
        let layers = 1 + self.random.below(2) as u32;
        let grid = Grid::layered(size, old.cell_size(), old.origin(), layers).expect("valid");
        let lost = self.with.world.set_grid(grid);
        self.without.world.set_grid(grid);
        let mut expected = Vec::<OverlayId>::new();
        self.overlays.retain_mut(|overlay| {
            let layer = old.layers().at(overlay.at);
            overlay.at = grid.layers().place(old.layers().flat(overlay.at), layer);
            let stays = layer < layers && overlay.shape.covers_any(&grid, overlay.at);
            if !stays {
                expected.push(overlay.id);
            }
            stays
        });
        expected.sort_unstable();
        assert_eq!(lost.overlays, expected);
        for ground in [&mut self.with, &mut self.without] {
            ground.stamps.retain(|stamp| !lost.stamps.contains(stamp));
            ground.swarm.clear();
        }
        self.targets.truncate(1);
        let targets = self.targets.clone();
        for goal in self.goals {
            self.with.world.move_goal(goal, &targets).expect("inside");
        }
    }

    pub fn play(&mut self) {
        // Time begins anew with the first overlay that fades.
        if self.overlays.iter().all(|overlay| overlay.fading == 0.0) {
            self.now = 0.0;
        }
        match self.random.below(30) {
            0..10 => self.add(),
            10..14 if !self.overlays.is_empty() => self.shift(),
            14..17 if !self.overlays.is_empty() => self.remove(),
            17..21 => self.fade(),
            21..26 => self.edit(),
            26 | 27 => self.crowd(),
            28 if self.random.percent(30) => {
                self.with.world.clear_cost_overlays();
                self.overlays.clear();
            }
            29 if self.random.percent(30) => self.change_grid(),
            _ => {
                // A movement type whose costs are computed anew, and one that is not.
                let [one, two, three] = kinds();
                let other = MovementType::with_wall_penalty(two.wall_penalty());
                self.both(|ground| {
                    let changed = [one.clone(), other.clone(), three.clone()];
                    ground.world.set_movement_types(&changed).expect("few");
                    let before = [one.clone(), two.clone(), three.clone()];
                    ground.world.set_movement_types(&before).expect("few");
                });
            }
        }
    }

    /// Updates, or only asks, and compares the costs with those that the descriptions of overlays give.
    pub fn check_costs(&mut self) {
        self.without.world.update();
        if self.random.percent(50) {
            self.with.world.update();
        } else {
            // A query applies edits before the simulation does.
            let at = self.with.world.grid().center_of(IVec2::ZERO);
            drop(self.with.world.is_reachable(at, at, 0));
        }
        let (world, plain) = (&self.with.world, &self.without.world);
        let mut ids: Vec<OverlayId> = self.overlays.iter().map(|overlay| overlay.id).collect();
        ids.sort_unstable();
        assert!(world.cost_overlay_ids().eq(ids.iter().copied()));
        assert!(ids.iter().all(|&id| world.has_cost_overlay(id)));
        let grid = world.grid();
        for index in 0..grid.cell_count() {
            let cell = grid.cell(index);
            if !grid.is_on_layer(cell) {
                assert_eq!(world.costs(0).cost_at(cell), 255);
                continue;
            }
            let level = plain.crowding_at(grid.center_of(cell)).expect("inside");
            let crowd = (CROWD_PENALTY as f32 * level).ceil() as u32;
            for movement in 0..3 {
                let ground = plain.costs(movement).plain_cost_at(cell);
                let crowd = if movement == 0 { crowd } else { 0 };
                let place = (cell, movement);
                let expected =
                    model::cost((ground, crowd), (&self.overlays, self.now), grid, place);
                let found = world.costs(movement).cost_at(cell);
                assert_eq!(found, expected, "{place:?} of {:?}", self.overlays);
                assert_eq!(world.costs(movement).plain_cost_at(cell), ground);
            }
        }
    }

    /// Compares fields, whole and tiled, with those of a world in which costs are terrain, and islands with those of
    /// the world without overlays.
    pub fn check_fields(&mut self) {
        let places: Vec<Vec2> = (0..6).map(|_| self.place()).collect();
        self.with.world.update();
        self.without.world.update();
        let world = &mut self.with.world;
        for movement in 0..3 {
            let mut anew = FlowWorld::new(*world.grid(), Workers::serial());
            let costs = world.costs(movement).to_bytes();
            anew.set_terrain_bytes(&costs).expect("right length");
            let [whole, tiled] = [GoalMode::Full, GoalMode::Tiled].map(|mode| {
                let costs = vec![0.0; self.targets.len()];
                let goal = anew.create_goal_with_mode(&self.targets, &costs, mode);
                goal.expect("inside")
            });
            let found = world.whole_field(self.goals[0], movement).expect("known");
            let expected = anew.whole_field(whole, 0).expect("known");
            let (found, expected) = (found.expect("built"), expected.expect("built"));
            let stored = [&found, &expected].map(|field| field.integration.stored().to_vec());
            assert!(stored[0] == stored[1], "field of type {movement}");
            assert!(found.flow.to_vectors() == expected.flow.to_vectors());
            for &place in &places {
                let found = world.cost_to_goal(self.goals[1], place, movement);
                let expected = anew.cost_to_goal(tiled, place, 0);
                assert_eq!(found, expected, "tiled, from {place}");
            }
            let islands = partition(world.island_map(movement).expect("known"));
            let expected = self.without.world.island_map(movement).expect("known");
            assert!(islands == partition(expected), "islands of type {movement}");
        }
    }

    /// Removes all overlays; costs must then be those of the world without.
    pub fn remove_all(&mut self) {
        for overlay in std::mem::take(&mut self.overlays) {
            let removed = self.with.world.remove_cost_overlay(overlay.id);
            removed.expect("there");
        }
        self.with.world.update();
        self.without.world.update();
        for movement in 0..3 {
            let [with, without] =
                [&self.with, &self.without].map(|it| it.world.costs(movement).to_bytes());
            assert!(with == without, "costs of type {movement}");
        }
    }
}

/// Islands by the first cell of each: their numbers depend on how edits were grouped.
fn partition(islands: Vec<Option<u32>>) -> Vec<Option<usize>> {
    let mut first = BTreeMap::new();
    let cells = islands.into_iter().enumerate();
    cells
        .map(|(cell, island)| Some(*first.entry(island?).or_insert(cell)))
        .collect()
}
