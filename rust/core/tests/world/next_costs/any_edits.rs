//! Random edits while the costs of changed movement types and terrains are written.

use crate::common::random_rect;
use crate::next_costs::told;
use flow_swarm::grid::Grid;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::movement::{Clearance, CostOverlay, CrowdPenalty, MovementType, WallPenalty};
use flow_swarm::swarm::{AgentType, Swarm, SwarmSnapshot};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, every_kind};

/// A type with everything that costs may depend on.
fn draw_kind(random: &mut SplitMix64) -> MovementType {
    let mut costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
    costs[4] = [4, 9, 255][random.below(3)];
    costs[7] = [7, 255][random.below(2)];
    let penalty = WallPenalty::new(9, random.below(4) as i64, random.percent(50));
    let kind = MovementType::new(&costs, penalty.expect("in range")).expect("no cost is 0");
    let room = [0.0, 0.0, 0.9, 1.7][random.below(4)];
    let crowds = [0, 0, 12][random.below(3)];
    kind.with_clearance(Clearance::new(room).expect("in range"))
        .with_crowd_penalty(CrowdPenalty::new(crowds).expect("in range"))
}

/// A game of edits on two worlds, the first of which is limited.
struct Edited {
    worlds: [FlowWorld; 2],
    swarms: [Swarm; 2],
    random: SplitMix64,
    kinds: Vec<MovementType>,
}

impl Edited {
    fn new(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let size = IVec2::new(30 + random.below(40) as i32, 20 + random.below(30) as i32);
        let layers = 1 + random.below(3) as u32;
        let grid = Grid::layered(size, 1.0, Vec2::ZERO, layers).expect("valid");
        let size = grid.size();
        let maps = every_kind(size.x as usize, size.y as usize, seed);
        let map = &maps[random.below(maps.len())].1;
        let kinds = vec![draw_kind(&mut random), draw_kind(&mut random)];
        let limit = [1, 30, 200, 599][random.below(4)];
        let worlds = [limit, 0].map(|limit| {
            let mut world = FlowWorld::new(grid, Workers::serial());
            world.set_terrain_bytes(&map.cost).expect("the same size");
            world.set_movement_types(&kinds).expect("two");
            world.set_update_cells(limit);
            world.update();
            world
        });
        let swarms = [0, 1].map(|_| {
            let mut swarm = Swarm::new(seed);
            swarm.set_types(&[AgentType::default()]).expect("valid");
            swarm
        });
        Self {
            worlds,
            swarms,
            random,
            kinds,
        }
    }

    fn cell(&mut self) -> IVec2 {
        let grid = *self.worlds[0].grid();
        loop {
            let cell = grid.cell(self.random.below((grid.size().x * grid.size().y) as usize));
            if grid.contains(cell) && grid.is_on_layer(cell) {
                return cell;
            }
        }
    }

    /// Another whole terrain, or large rectangles of one.
    fn paint_much(&mut self) {
        if self.random.percent(50) {
            let size = self.worlds[0].grid().size();
            for _ in 0..1 + self.random.below(3) {
                let rect = random_rect(&mut self.random, size, 25);
                let id = [1, 4, 7, 255][self.random.below(4)];
                for world in &mut self.worlds {
                    world.set_terrain_rect(rect, id).expect("inside");
                }
            }
            return;
        }
        let size = self.worlds[0].grid().size();
        let maps = every_kind(size.x as usize, size.y as usize, self.random.next_u64());
        let map = &maps[self.random.below(maps.len())].1;
        for world in &mut self.worlds {
            world.set_terrain_bytes(&map.cost).expect("the same size");
        }
    }

    fn edit(&mut self) {
        let (cell, other) = (self.cell(), self.cell());
        let at = self.worlds[0].grid().center_of(cell);
        let id = [1, 4, 7, 255][self.random.below(4)];
        let choice = self.random.below(9);
        let rect = random_rect(&mut self.random, self.worlds[0].grid().size(), 9);
        let radius = self.random.below(5) as f32;
        let layers = *self.worlds[0].grid().layers();
        // Links on foot between floors are seams, over which clearance continues.
        let above = layers.cells(1, 9).low.y;
        let is_seam = cell.y + above < self.worlds[0].grid().size().y;
        let link = Link {
            from: cell,
            to: if is_seam {
                cell + IVec2::new(0, above)
            } else {
                other
            },
            cost: 2.0,
            both_ways: true,
            travel: Travel::Walk,
        };
        for (world, swarm) in self.worlds.iter_mut().zip(&mut self.swarms) {
            match choice {
                0 | 1 => world.set_terrain(cell, id).expect("inside"),
                2 => world.set_terrain_rect(rect, id).expect("inside"),
                3 => drop(world.add_link(link)),
                4 => {
                    let first = world.link_ids().next();
                    if let Some(link) = first {
                        world.remove_link(link).expect("known");
                    }
                }
                5 => {
                    let overlay = CostOverlay::circle(radius, 9).expect("in range");
                    world.add_cost_overlay(at, &overlay).expect("inside");
                }
                6 => {
                    let first = world.cost_overlay_ids().next();
                    if let Some(overlay) = first {
                        world.remove_cost_overlay(overlay).expect("known");
                    }
                }
                7 => {
                    let spawned = swarm.spawn(world, &[at, at + 0.3, at - 0.2], 0, 0);
                    spawned.expect("inside");
                }
                _ => {
                    let some: Vec<_> = swarm.ids().iter().copied().take(2).collect();
                    let _ = swarm.despawn(&some);
                }
            }
            swarm.report_crowding(world);
        }
    }
}

/// Goes back to before some edits and updates.
fn go_back(game: &mut Edited) {
    let before: Vec<_> = (game.worlds.iter().zip(&game.swarms))
        .map(|(world, swarm)| {
            let mut of_swarm = SwarmSnapshot::default();
            swarm.take_snapshot(&mut of_swarm);
            (world.snapshot(), of_swarm)
        })
        .collect();
    for _ in 0..1 + game.random.below(3) {
        for _ in 0..game.random.below(3) {
            game.edit();
        }
        let updates = game.random.below(2);
        for world in &mut game.worlds {
            (0..updates).for_each(|_| drop(world.update()));
        }
    }
    let games = game.worlds.iter_mut().zip(&mut game.swarms);
    for ((world, swarm), (of_world, of_swarm)) in games.zip(&before) {
        world.restore(of_world).expect("the same types");
        swarm.restore(world, of_swarm).expect("of this world");
    }
}

#[test]
fn costs_in_slices_are_those_at_once_whatever_is_edited_meanwhile() {
    let (mut most_updates, mut terrains, mut additions) = (0, 0, 0);
    for seed in 0..160 {
        let mut game = Edited::new(seed);
        for change in 0..3 {
            let number = game.random.below(2);
            let is_terrain = game.random.percent(50);
            if is_terrain {
                game.paint_much();
            }
            let count = game.kinds.len();
            let of_all = |world: &FlowWorld| -> Vec<_> {
                let all = 0..world.movement_type_count();
                all.map(|it| told(world.costs(it))).collect()
            };
            let before = of_all(&game.worlds[0]);
            if !is_terrain || game.random.percent(40) {
                game.kinds[number] = draw_kind(&mut game.random);
            }
            if game.random.percent(30) {
                game.kinds[1 - number] = draw_kind(&mut game.random);
            }
            if game.random.percent(40) {
                game.kinds.truncate(2);
                let added = game.random.below(3);
                for _ in 0..added {
                    let kind = draw_kind(&mut game.random);
                    game.kinds.push(kind);
                }
            }
            for world in &mut game.worlds {
                world.set_movement_types(&game.kinds).expect("a few");
            }
            let after = of_all(&game.worlds[0]);
            if game.kinds.len() <= count {
                let kept = &before[..game.kinds.len()];
                assert!(kept == after, "seed {seed}: nothing changes at once");
            } else if game.worlds[0].has_next_costs() {
                let added = &after[count..];
                let are_like_it = added.iter().all(|costs| *costs == after[0]);
                assert!(are_like_it, "seed {seed}: added types are like the first");
                additions += 1;
            }
            terrains += usize::from(is_terrain && game.worlds[0].has_next_costs());
            let mut updates = 0;
            while game.worlds[0].has_slices_left() {
                // Large edits may follow each other forever.
                let edits = if updates < 300 { 3 } else { 1 };
                for _ in 0..game.random.below(edits) {
                    game.edit();
                    if game.random.percent(30) {
                        let at = game.cell();
                        game.worlds[0].cost(at, number).expect("inside");
                    }
                }
                if game.random.percent(20) {
                    go_back(&mut game);
                }
                game.worlds
                    .iter_mut()
                    .for_each(|world| drop(world.update()));
                updates += 1;
                assert!(updates < 9_000, "seed {seed}: it is never finished");
            }
            most_updates = most_updates.max(updates);
            for movement in 0..game.kinds.len() {
                let [limited, whole] = &game.worlds;
                let is_same = told(limited.costs(movement)) == told(whole.costs(movement));
                assert!(is_same, "seed {seed}, change {change}, type {movement}");
            }
        }
    }
    assert!(
        most_updates > 60 && terrains > 99 && additions > 50,
        "{most_updates}, {terrains}, {additions}"
    );
}
