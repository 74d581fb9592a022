//! Flow tiles, section 5: the dynamic world (Emerson, Game AI Pro, 23.8). After any edits and interruptions a tiled
//! field equals a new one.

use crate::common::tiles::{
    Builder, Oracle, SOLVERS, all_sectors, field_to, random_goals, random_sectors, with_walls,
};
use crate::common::{
    cell_of, cost_field, edit_like_a_game, listed_or_not, penalty_types, unit_grid,
};
use flow_swarm::IVec2;
use flow_swarm::integrate::{GoalCell, Solver, UNREACHED};
use flow_swarm::movement::{CostField, MovementType};
use flow_swarm::route::tiles::TiledField;
use flow_swarm::terrain::Terrain;
use flow_swarm_bench::maps::{CostMap, SplitMix64, every_kind};

/// Terrain under edits, and a tiled field on it.
struct Sequence {
    map: CostMap,
    kind: MovementType,
    terrain: Terrain,
    costs: CostField,
    goals: Vec<GoalCell>,
    solver: Solver,
    field: TiledField,
}

impl Sequence {
    fn new(map: &CostMap, side: u32, solver: Solver, random: &mut SplitMix64) -> Self {
        let kind = penalty_types()[random.below(3)].clone();
        let mut terrain = Terrain::new(&unit_grid(map));
        terrain.set_bytes(&map.cost).expect("same size");
        let costs = cost_field(map, &kind);
        let goals = random_goals(random, map);
        let field = field_to(&costs, side, &goals, solver);
        Self {
            map: map.clone(),
            kind,
            terrain,
            costs,
            goals,
            solver,
            field,
        }
    }

    fn edit(&mut self, random: &mut SplitMix64) {
        let size = IVec2::new(self.map.width as i32, self.map.height as i32);
        let targets: Vec<IVec2> = self.goals.iter().map(|goal| goal.cell).collect();
        let mut regions = Vec::new();
        let (terrain, map) = (&mut self.terrain, &mut self.map);
        edit_like_a_game(random, size, &targets, |rect, id| {
            terrain.fill_rect(rect, id).expect("inside");
            regions.push(rect);
            for y in rect.low.y..rect.high.y {
                for x in rect.low.x..rect.high.x {
                    let index = map.index(x as usize, y as usize);
                    map.cost[index] = id;
                }
            }
        });
        let changes = self.costs.update(&self.terrain, &self.kind, &regions);
        let changes = listed_or_not(random, changes, &self.costs);
        self.field.invalidate(&self.costs, &changes);
    }

    fn switch(&mut self, random: &mut SplitMix64) {
        let sectors = random_sectors(random, &self.field, 20);
        if random.percent(60) {
            self.field.activate(&sectors).expect("they exist");
        } else {
            self.field.deactivate(&sectors).expect("they exist");
        }
    }

    /// Compares with a field that is built from scratch.
    fn assert_as_fresh(&self, builder: &mut Builder, what: &str) {
        let side = self.field.layout().size();
        let mut fresh = field_to(&self.costs, side, &self.goals, self.solver);
        let active = all_sectors(&fresh).into_iter();
        let active: Vec<u32> = active
            .filter(|&sector| self.field.is_active(sector))
            .collect();
        fresh.activate(&active).expect("they exist");
        builder.finish(&mut fresh, &self.costs);
        for &sector in &active {
            let reached = |field: &TiledField| {
                let costs = field.border_costs(sector)?;
                let any = costs.iter().any(|&(_, cost)| cost != UNREACHED);
                any.then_some(costs)
            };
            assert_eq!(
                reached(&self.field),
                reached(&fresh),
                "{what}: sector {sector}"
            );
        }
        for index in 0..self.map.len() {
            let cell = cell_of(&self.map, index);
            let (found, expected) = (self.field.lower_steps(cell), fresh.lower_steps(cell));
            assert_eq!(found, expected, "{what}: {cell}");
            assert_eq!(
                self.field.is_goal(cell),
                fresh.is_goal(cell),
                "{what}: {cell}"
            );
            assert_eq!(
                self.field.sees_target(cell),
                fresh.sees_target(cell),
                "{what}: {cell}"
            );
        }
        if self.kind == MovementType::default() {
            let map = with_walls(&self.map, &self.field);
            Oracle::new(map, &self.kind, &self.goals, self.solver).assert_agrees(&self.field, what);
        }
    }
}

#[test]
fn after_any_edits_tiles_are_what_they_would_be_from_nothing() {
    let mut maps = Vec::new();
    for (width, height) in [(1, 1), (1, 30), (30, 1), (9, 7), (27, 24), (41, 32)] {
        for seed in (0..3).chain(crate::common::fresh_seeds(1, 10)) {
            maps.extend(every_kind(width, height, seed));
        }
    }
    let mut random = SplitMix64::new(1);
    let mut builder = Builder::default();
    for round in 0..1500 {
        let (name, map) = &maps[random.below(maps.len())];
        let side = [4, 5, 8, 11, 16][random.below(5)];
        let solver = SOLVERS[random.below(2)];
        let mut sequence = Sequence::new(map, side, solver, &mut random);
        let sectors = random_sectors(&mut random, &sequence.field, 80);
        sequence.field.activate(&sectors).expect("they exist");
        for tick in 0..6 {
            let what = format!("{name}, sectors of {side}, {solver:?}, round {round}, tick {tick}");
            match random.below(4) {
                0 => sequence.switch(&mut random),
                _ if tick > 0 => sequence.edit(&mut random),
                _ => {}
            }
            // The next edit may interrupt building.
            if random.percent(30) {
                let limit = random.below(6);
                let progress = builder.some(&mut sequence.field, &sequence.costs, limit);
                assert!(progress.built <= limit);
            } else {
                let built = builder.finish(&mut sequence.field, &sequence.costs);
                let few = 20 * sequence.field.active_count() + 20;
                assert!(built <= few, "{what}: {built} tiles for {few}");
                sequence.assert_as_fresh(&mut builder, &what);
            }
        }
    }
}
