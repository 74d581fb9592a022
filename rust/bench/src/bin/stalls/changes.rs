//! Changes while other work waits, or of other kinds than whole maps and many orders.

use crate::game::{Begun, Game};
use crate::{Outcome, clock, ms_since};
use flow_swarm::grid::CellRect;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::integrate::Solver;
use flow_swarm::movement::{Clearance, CostOverlay, MovementType, WallPenalty};
use flow_swarm::snapshots::Snapshots;
use flow_swarm::terrain::Stamp;
use flow_swarm::world::GoalMode;
use flow_swarm::{IVec2, Vec2};

/// The updates before a change, while other work waits.
const UPDATES: usize = 30;

impl Game {
    /// A wall of a few cells.
    fn wall(&mut self, low: IVec2) -> Outcome<f64> {
        let high = low + IVec2::new(30, 2);
        let begin = clock();
        self.world.set_terrain_rect(CellRect { low, high }, 255)?;
        Ok(ms_since(begin))
    }

    fn updates(&mut self) {
        for _ in 0..UPDATES {
            self.update();
        }
    }

    pub fn wall_beside_many_goals(&mut self) -> Outcome<Begun> {
        let took = self.wall(IVec2::splat(50))?;
        self.updates();
        self.wall(IVec2::splat(150))?;
        Ok(("walls beside a thousand goals", took, None))
    }

    pub fn cost_table_beside_many_goals(&mut self) -> Outcome<Begun> {
        let mut costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
        costs[4] = 6;
        let kind = MovementType::new(&costs, WallPenalty::default())?;
        let begin = clock();
        self.world.set_movement_types(&[kind])?;
        let took = ms_since(begin);
        Ok(("cost table beside a thousand goals", took, None))
    }

    pub fn release_of_many_goals(&mut self) -> Outcome<Begun> {
        let begin = clock();
        for goal in self.many.drain(..) {
            self.world.release_goal(goal)?;
        }
        Ok(("release of a thousand goals", ms_since(begin), None))
    }

    pub fn wall_while_a_field_is_built(&mut self) -> Outcome<Begun> {
        let goal = self.world.create_goal(&[Vec2::splat(30.5)])?;
        self.world.require(goal, 0)?;
        self.updates();
        let took = self.wall(IVec2::splat(100))?;
        self.updates();
        self.wall(IVec2::splat(200))?;
        Ok(("walls while a field is built", took, None))
    }

    pub fn wall_while_costs_are_written(&mut self) -> Outcome<Begun> {
        let costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
        let kind = MovementType::new(&costs, WallPenalty::default())?;
        self.world.set_movement_types(&[kind])?;
        self.updates();
        let took = self.wall(IVec2::splat(300))?;
        self.updates();
        self.wall(IVec2::splat(400))?;
        Ok(("walls while costs are written", took, None))
    }

    pub fn large_stamp(&mut self) -> Outcome<Begun> {
        let size = IVec2::splat(600);
        let stamp = Stamp::new(size, &vec![3; (size.x * size.y) as usize], None)?;
        let begin = clock();
        self.world.place_stamp(IVec2::splat(600), &stamp)?;
        Ok(("stamp of 600x600 cells", ms_since(begin), None))
    }

    pub fn many_edits(&mut self) -> Outcome<Begun> {
        let begin = clock();
        for number in 0..100 {
            let low = IVec2::new(number % 10, number / 10) * 150 + 20;
            let high = low + 40;
            self.world.set_terrain_rect(CellRect { low, high }, 2)?;
        }
        Ok(("100 edits of 40x40 cells", ms_since(begin), None))
    }

    pub fn added_type(&mut self) -> Outcome<Begun> {
        let costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
        let kind = MovementType::new(&costs, WallPenalty::default())?;
        let large = kind.clone().with_clearance(Clearance::new(1.4)?);
        let begin = clock();
        self.world.set_movement_types(&[kind, large])?;
        Ok(("added type with clearance", ms_since(begin), None))
    }

    pub fn order_by_the_added_type(&mut self) -> Outcome<Begun> {
        let target = self.far_corner();
        let begin = clock();
        let goal = self
            .world
            .create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)?;
        self.world.request_route(goal, 1, Vec2::splat(20.5))?;
        Ok(("first order by it", ms_since(begin), None))
    }

    pub fn first_overlay(&mut self) -> Outcome<Begun> {
        let overlay = CostOverlay::circle(20.0, 30)?;
        let begin = clock();
        self.world.add_cost_overlay(Vec2::splat(500.0), &overlay)?;
        Ok(("first cost overlay", ms_since(begin), None))
    }

    /// Goes back while costs are written, and the next update catches up.
    pub fn rollback(&mut self) -> Outcome<Begun> {
        let mut costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1)).collect();
        costs[4] = 7;
        let kind = MovementType::new(&costs, WallPenalty::default())?;
        self.world.set_movement_types(&[kind])?;
        let mut snapshots = Snapshots::default();
        snapshots.set_most(8);
        for _ in 0..4 * UPDATES {
            self.update();
            snapshots.keep(&self.world, std::iter::empty());
        }
        let tick = snapshots.ticks().next().unwrap_or_default();
        let begin = clock();
        snapshots.roll_back(tick, &mut self.world, &mut [])?;
        Ok(("rollback while costs are written", ms_since(begin), None))
    }

    /// A wall in each tick, of which the last eight are kept, and rollbacks over them.
    pub fn walls_beside_snapshots(&mut self) -> Outcome<Begun> {
        let mut snapshots = Snapshots::default();
        snapshots.set_most(8);
        let mut longest = 0.0_f64;
        for number in 0..4 * UPDATES as i32 {
            let low = IVec2::new(number % 12, number / 12) * 130 + 60;
            let took = self.wall(low)?;
            self.update();
            let begin = clock();
            snapshots.keep(&self.world, std::iter::empty());
            if number % 16 == 15 {
                let tick = snapshots.ticks().next().unwrap_or_default();
                snapshots.roll_back(tick, &mut self.world, &mut [])?;
            }
            longest = longest.max(took).max(ms_since(begin));
        }
        Ok(("walls while snapshots are kept", longest, None))
    }

    /// A goal with a whole field and one with tiles that walk.
    pub fn walking_goals(&mut self) -> Outcome<Begun> {
        let mut at = Vec2::splat(20.5);
        let whole = self.world.create_goal(&[at])?;
        let tiled = self
            .world
            .create_goal_with_mode(&[at], &[0.0], GoalMode::Tiled)?;
        self.world.require(whole, 0)?;
        self.world.request_route(tiled, 0, self.far_corner())?;
        let mut longest = 0.0_f64;
        for _ in 0..10 * UPDATES {
            at.x += 0.07;
            let begin = clock();
            self.world.move_goal(whole, &[at])?;
            self.world.move_goal(tiled, &[at])?;
            self.world.request_route(tiled, 0, self.far_corner())?;
            longest = longest.max(ms_since(begin));
            self.update();
        }
        Ok(("goals that walk", longest, None))
    }

    pub fn links(&mut self) -> Outcome<Begun> {
        let link = |number: i32| {
            let from = IVec2::new(15 + number % 10, 15 + number / 10);
            Link {
                from,
                to: IVec2::splat(self.size as i32 - 30 + number % 7),
                cost: 10.0,
                both_ways: true,
                travel: Travel::default(),
            }
        };
        let links: Vec<Link> = (0..20).map(link).collect();
        let begin = clock();
        self.world.add_links(&links)?;
        Ok(("20 links", ms_since(begin), None))
    }

    pub fn solver(&mut self) -> Outcome<Begun> {
        let begin = clock();
        self.world.set_solver(Solver::Octile);
        Ok(("another solver", ms_since(begin), None))
    }

    pub fn reachability(&mut self) -> Outcome<Begun> {
        let (from, to) = (Vec2::splat(20.5), self.far_corner());
        let begin = clock();
        self.world.is_reachable(from, to, 0)?;
        Ok(("first question of reachability", ms_since(begin), None))
    }

    /// Large edits and movement types, each while the costs of those before are being written.
    pub fn change_upon_change(&mut self) -> Outcome<Begun> {
        let mut longest = 0.0_f64;
        for number in 0..8 {
            let low = IVec2::splat(200 + 100 * number);
            let high = low + 500;
            let begin = clock();
            self.world
                .set_terrain_rect(CellRect { low, high }, 3 + number as u8)?;
            longest = longest.max(ms_since(begin));
            self.update();
            let costs: Vec<u8> = (0..=255).map(|id: u8| id.max(1 + number as u8)).collect();
            let penalty = WallPenalty::new(5 + i64::from(number), 3, true)?;
            let begin = clock();
            self.world
                .set_movement_types(&[MovementType::new(&costs, penalty)?])?;
            longest = longest.max(ms_since(begin));
            self.update();
        }
        Ok(("change upon change", longest, None))
    }
}
