//! Small games with everything that a save can contain. Their saves are what is altered.

use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::integrate::Solver;
use flow_swarm::movement::{Clearance, CostOverlay, CrowdPenalty, MovementType, WallPenalty};
use flow_swarm::swarm::{
    AgentState, AgentType, Avoidance, Clip, Force, ForceKind, Formation, Pose, Shape, Swarm,
};
use flow_swarm::terrain::Stamp;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalKind, GoalMode, TileVariant};
use flow_swarm::{Error, IVec2, Vec2};
use flow_swarm_bench::maps::{SplitMix64, every_kind};

/// Columns and rows of a layer.
pub const WIDTH: i32 = 10;
pub const DEPTH: i32 = 8;
/// The number of games.
pub const COUNT: usize = 24;

/// A game, by its number. Some games share their configuration, so that pieces of their saves fit each other.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    number: usize,
}

impl Game {
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COUNT).map(|number| Self { number })
    }

    /// A world with the configuration alone, as saves are loaded into.
    pub fn world(self) -> Result<FlowWorld, Error> {
        let number = self.number;
        let layers = [1, 1, 2, 1][number / 4 % 4];
        let grid = Grid::layered(IVec2::new(WIDTH, DEPTH), 1.0, Vec2::new(-3.0, 2.0), layers)?;
        let mut world = FlowWorld::new(grid, Workers::serial());
        world.set_movement_types(&self.movement_types()?)?;
        world.set_sector_size([4, 6][number / 8 % 2])?;
        world.set_solver([Solver::Eikonal, Solver::Octile][number / 2 % 2]);
        world.set_tile_variant([TileVariant::Seamless, TileVariant::Plain][number % 2]);
        world.set_walking_cells([60, 0, 200][number % 3]);
        world.set_update_cells([0, 90, 700, 30][number % 4]);
        world.set_route_limit([64, 1, 3][number % 3])?;
        world.set_tile_limit([256, 2][number / 3 % 2]);
        world.set_tile_cache_bytes([1 << 18, 6_000][number / 5 % 2])?;
        Ok(world)
    }

    fn movement_types(self) -> Result<[MovementType; 2], Error> {
        let crowds = CrowdPenalty::new([20, 0][self.number / 2 % 2])?;
        let wide = WallPenalty::new(9, 2, true)?;
        Ok([
            MovementType::default().with_crowd_penalty(crowds),
            MovementType::with_wall_penalty(wide).with_clearance(Clearance::new(0.9)?),
        ])
    }

    /// The movement types before the last ticks: in games with a limit, the costs of the others are written in slices.
    fn early_movement_types(self) -> Result<[MovementType; 2], Error> {
        let [plain, wide] = self.movement_types()?;
        let crowds = CrowdPenalty::new(5)?;
        Ok([
            plain.with_crowd_penalty(crowds),
            wide.with_clearance(Clearance::new(0.0)?),
        ])
    }

    /// The terrain of the game.
    pub fn terrain(self) -> Result<Vec<u8>, Error> {
        let height = self.world()?.grid().size().y;
        let kinds = every_kind(WIDTH as usize, height as usize, self.number as u64);
        let kind = [1, 3, 0, 2, 4, 1, 6][self.number % 7];
        Ok(kinds[kind].1.cost.clone())
    }

    /// A world with this terrain, as baked tiles are opened in.
    pub fn without_links(self, terrain: &[u8]) -> Result<FlowWorld, Error> {
        let mut world = self.world()?;
        world.set_terrain_bytes(terrain)?;
        Ok(world)
    }

    /// A world with this terrain and links, as tiles are loaded into.
    pub fn ground(self, terrain: &[u8]) -> Result<FlowWorld, Error> {
        let mut world = self.without_links(terrain)?;
        let size = world.grid().size();
        let upper = IVec2::new(2, size.y - 3);
        for (from, to, both_ways) in [
            (IVec2::new(2, 2), IVec2::new(8, 6), true),
            (IVec2::new(8, 3), upper, false),
        ] {
            let link = Link {
                from,
                to,
                cost: 2.0,
                both_ways,
                travel: [
                    Travel::Walk,
                    Travel::AtOnce,
                    Travel::Timed {
                        seconds: 20.0,
                        arc: 1.0,
                    },
                ][self.number % 3],
            };
            world.add_link(link)?;
        }
        Ok(world)
    }

    /// A swarm with the types of the game.
    pub fn swarm(self) -> Result<Swarm, Error> {
        let mut swarm = Swarm::new(self.number as u64);
        let kind = |avoidance, movement| AgentType {
            radius: 0.3,
            max_speed: 4.0,
            acceleration: 30.0,
            speed_variation: 0.2,
            lateral_bias: 0.3,
            cohesion: 0.2,
            neighbour_radius: 4.0,
            avoidance,
            movement,
            ..AgentType::default()
        };
        swarm.set_types(&[
            kind(Avoidance::Contact, 0),
            kind(Avoidance::Orca, 1),
            kind(Avoidance::Separation, 0),
        ])?;
        Ok(swarm)
    }

    /// Plays some ticks. The game ends in the middle of its work.
    pub fn played(self) -> Result<(FlowWorld, Swarm), Error> {
        let (mut world, mut swarm) = (self.ground(&self.terrain()?)?, self.swarm()?);
        world.set_movement_types(&self.early_movement_types()?)?;
        let mut random = SplitMix64::new(self.number as u64);
        let has_zones = self.number.is_multiple_of(3);
        let goals = create_goals(&mut world, has_zones, &mut random)?;
        self.furnish(&mut world, &mut random)?;
        for (group, &goal) in goals.iter().enumerate() {
            let places: Vec<Vec2> = (0..5).map(|_| place(&world, &mut random)).collect();
            let group = group as i64;
            swarm.spawn(&world, &places, group % 3, group)?;
            swarm.set_group_goal(group, Some(goal))?;
        }
        give_properties(&world, &mut swarm, &mut random)?;
        let last = 2 + 5 * (self.number % 3);
        for ticks in 0..=last {
            if ticks == last {
                world.set_movement_types(&self.movement_types()?)?;
            }
            if ticks == last && self.number % 5 == 2 {
                // In games with a limit, the costs of the terrain before stay in use.
                let mut terrain = self.terrain()?;
                terrain.reverse();
                world.set_terrain_bytes(&terrain)?;
            }
            for &goal in &goals {
                let before = world.goal_targets(goal)?[0];
                let by = Vec2::new(random.unit() as f32 - 0.5, random.unit() as f32 - 0.5);
                // Moves out of the grid are refused.
                drop(world.move_goal(goal, &[before + 2.0 * by]));
            }
            if ticks == 2 {
                give_orders(&mut world, &mut swarm, &mut random)?;
            }
            tick(&mut world, &mut swarm, 0.1)?;
        }
        self.edit(&mut world, &mut random)?;
        Ok((world, swarm))
    }

    /// Heights, entities, stamps and overlays.
    fn furnish(self, world: &mut FlowWorld, random: &mut SplitMix64) -> Result<(), Error> {
        let corners = CellRect {
            low: IVec2::ZERO,
            high: IVec2::splat(4),
        };
        world.set_heights_rect(0, corners, &[1.5; 16])?;
        let grid = *world.grid();
        for entity in 0..3 {
            let at = place(world, random);
            world.entities.register(&grid, 7 * entity, at)?;
        }
        let stamp = Stamp::new(IVec2::splat(2), &[255, 1, 4, 255], Some(4))?;
        world.place_stamp(
            cell(world, random).min(IVec2::new(WIDTH - 2, DEPTH - 2)),
            &stamp,
        )?;
        let overlay = CostOverlay::circle(3.0, 9)?.with_fading(5.0)?;
        let at = place(world, random);
        world.add_cost_overlay(at, &overlay)?;
        Ok(())
    }

    /// Edits that no update has applied yet.
    fn edit(self, world: &mut FlowWorld, random: &mut SplitMix64) -> Result<(), Error> {
        if self.number % 3 == 1 {
            return Ok(());
        }
        let at = cell(world, random);
        world.set_terrain(at, 255)?;
        let overlay = CostOverlay::rect(Vec2::splat(3.0), 30)?.with_movement_types(2);
        let at = place(world, random);
        world.add_cost_overlay(at, &overlay)?;
        let target = place(world, random);
        world.create_goal_with_mode(&[target], &[0.0], GoalMode::Tiled)?;
        let first = world.goal_ids().next();
        first.map_or(Ok(()), |first| world.move_goal(first, &[target]))
    }
}

/// Goals of both modes, and goals to flee from and to keep at a distance from.
fn create_goals(
    world: &mut FlowWorld,
    has_zones: bool,
    random: &mut SplitMix64,
) -> Result<Vec<GoalId>, Error> {
    let mut goals = Vec::new();
    for mode in [GoalMode::Tiled, GoalMode::Full, GoalMode::Tiled] {
        let targets = [place(world, random), place(world, random)];
        let goal = world.create_goal_with_mode(&targets, &[0.0, 3.0], mode)?;
        goals.push(goal);
    }
    if !has_zones {
        return Ok(goals);
    }
    for kind in [
        GoalKind::Flee { reach: 5.0 },
        GoalKind::Range {
            least: 2.0,
            most: 4.0,
        },
    ] {
        let target = place(world, random);
        goals.push(world.create_goal_of_kind(&[target], kind)?);
    }
    Ok(goals)
}

/// Properties of single agents, bodies and areas.
fn give_properties(
    world: &FlowWorld,
    swarm: &mut Swarm,
    random: &mut SplitMix64,
) -> Result<(), Error> {
    let ids = swarm.ids().to_vec();
    swarm.despawn(&ids[4..5]);
    swarm.set_state(&ids[..1], AgentState::Idle)?;
    swarm.set_state(&ids[1..2], AgentState::Scripted)?;
    swarm.set_scripted_velocities(&ids[1..2], &[Vec2::X])?;
    swarm.set_state(&ids[2..3], AgentState::Corpse)?;
    swarm.set_targets(world, &ids[3..4], &[place(world, random)])?;
    swarm.set_user_ints(1, &ids[3..4], &[-7])?;
    swarm.set_user_floats(3, &ids[3..4], &[0.5])?;
    swarm.set_speed_factors(&ids[6..7], &[0.5])?;
    swarm.set_size_factors(&ids[6..7], &[2.0])?;
    swarm.set_colors(&ids[7..8], &[[1.0, 0.0, 0.5, 1.0]])?;
    let clip = Clip {
        number: 3,
        seconds: 30.0,
        once: true,
        blend: 5.0,
    };
    swarm.play_clips(&ids[6..8], &[clip])?;
    let pose = Pose::at(place(world, random))?;
    swarm.add_body(Shape::Disc(1.0), pose, true)?;
    swarm.add_area(Shape::Box(Vec2::splat(8.0)), pose)?;
    let force = Force {
        kind: ForceKind::Vortex,
        strength: 2.0,
    };
    swarm.add_force_field(place(world, random), 4.0, force)?;
    // At the ends of the links.
    let feet = [IVec2::new(2, 2), IVec2::new(8, 3)].map(|cell| world.grid().center_of(cell));
    swarm.spawn(world, &feet, 0, 0)?;
    Ok(())
}

fn give_orders(
    world: &mut FlowWorld,
    swarm: &mut Swarm,
    random: &mut SplitMix64,
) -> Result<(), Error> {
    let ids = swarm.ids()[5..].to_vec();
    let target = place(world, random);
    swarm.send(world, &ids[..2], &[target], GoalMode::Tiled)?;
    let slots = Formation::default();
    let target = place(world, random);
    swarm.send_in_formation(world, &ids[3..7], target, GoalMode::Full, &slots)?;
    Ok(())
}

/// A tick. In loaded worlds groups and orders may have goals that do not exist.
pub fn tick(world: &mut FlowWorld, swarm: &mut Swarm, dt: f32) -> Result<(), Error> {
    swarm.report_crowding(world);
    match swarm.request_routes(world) {
        Ok(()) | Err(Error::GoalReleased { .. }) => {}
        Err(error) => return Err(error),
    }
    world.update();
    swarm.step(world, dt)
}

fn cell(world: &FlowWorld, random: &mut SplitMix64) -> IVec2 {
    let layer = random.below(world.grid().layers().count() as usize);
    let cells = world
        .grid()
        .layers()
        .cells(layer as u32, world.grid().width());
    let x = random.below(WIDTH as usize) as i32;
    cells.low + IVec2::new(x, random.below(DEPTH as usize) as i32)
}

/// The centre of a cell on any layer.
pub fn place(world: &FlowWorld, random: &mut SplitMix64) -> Vec2 {
    let cell = cell(world, random);
    world.grid().center_of(cell)
}
