//! Saved tiles and portal graphs.

use crate::common::{center_of, world_of};
use crate::fields::{Field, Walk, ends, forged};
use flow_swarm::error::Error;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::integrate::Solver;
use flow_swarm::movement::MovementType;
use flow_swarm::route::PortalGraph;
use flow_swarm::swarm::{AgentType, Swarm};
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalId, GoalMode};
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::{CostMap, WALL, rooms};
use flow_swarm_bench::peak_memory::peak_of;
use flow_swarm_bench::saved_bytes::{PIECE, Unpacked, signed};

/// Magic number, version, and the key of the tiles.
const HEAD: usize = 8 + 4 + 7 * 8;
const SECTOR: u32 = 8;

fn map() -> CostMap {
    let mut map = rooms(28, 20, 9, 3);
    for x in 3..9 {
        let at = map.index(x, 12);
        map.cost[at] = 7;
    }
    let at = map.index(14, 4);
    map.cost[at] = WALL;
    map
}

fn world(solver: Solver) -> FlowWorld {
    let mut world = world_of(&map(), Workers::serial());
    let wide = MovementType::with_wall_penalty(crate::common::system_a_penalty());
    world
        .set_movement_types(&[MovementType::default(), wide])
        .expect("two");
    world.set_sector_size(SECTOR).expect("in range");
    world.set_solver(solver);
    let open: Vec<IVec2> = (0..28 * 20)
        .map(|cell| IVec2::new(cell % 28, cell / 28))
        .filter(|&cell| world.costs(0).is_open(cell))
        .collect();
    for (from, to) in [(3, open.len() - 5), (open.len() / 2, 20)] {
        let (from, to) = (open[from], open[to]);
        let link = Link {
            from,
            to,
            cost: 2.0,
            both_ways: true,
            travel: Travel::AtOnce,
        };
        world.add_link(link).expect("two cells");
    }
    world.set_tile_cache_bytes(1 << 18).expect("in range");
    world
}

fn starts(world: &FlowWorld) -> Vec<Vec2> {
    let map = map();
    let open = (0..map.len()).filter(|&cell| map.is_passable(cell));
    let places = open.step_by(11).map(|cell| center_of(&map, cell));
    places
        .filter(|&at| world.costs(0).is_open(world.grid().cell_at(at)))
        .collect()
}

fn ask(world: &mut FlowWorld) -> GoalId {
    let starts = starts(world);
    let targets = [starts[starts.len() / 2], starts[1]];
    let goal = world
        .create_goal_with_mode(&targets, &[0.0, 5.0], GoalMode::Tiled)
        .expect("inside");
    for &start in &starts {
        for movement in 0..2 {
            world.request_route(goal, movement, start).expect("inside");
        }
    }
    for _ in 0..6 {
        world.update();
    }
    goal
}

/// All fields of the decompressed part; of long arrays only some.
fn fields(body: &[u8], graphs: &[std::sync::Arc<PortalGraph>]) -> Vec<Field> {
    let mut walk = Walk::new(body);
    for graph in graphs {
        assert_eq!(walk.field("graph", 1), 1, "both graphs are there");
        for sector in 0..graph.sectors().count() as u32 {
            let counts = walk.array("portals of a side", 1, 4);
            let windows: u64 = counts.iter().sum();
            for _ in 0..windows {
                for name in ["first", "width", "middle", "cost", "cost across"] {
                    walk.field(name, 1);
                }
            }
            let count = graph.portals_of(sector).count();
            if walk.field("shared", 1) == 0 {
                let own = count + 1;
                let keep = |at: usize| ends(count * count)(at) || at.is_multiple_of(own);
                walk.some("edge", 4, count * count, keep);
            }
        }
    }
    let mut links = 0;
    for _ in 0..walk.field("tiles", 4) {
        walk.field("key", 16);
        let (width, height) = (walk.field("width", 1), walk.field("height", 1));
        let cells = (width as usize + 2) * (height as usize + 2);
        assert_eq!(walk.field("is to exit", 1), 0, "seamless tiles");
        let stride = width as usize + 2;
        let keep = |at: usize| ends(cells)(at) || at == stride + 1 || at.is_multiple_of(17);
        walk.some("direction", 1, cells, keep);
        walk.some("lower", 1, cells, keep);
        let listed = walk.field("listed roots", 1) as usize;
        let own = walk.field("own roots", 1) as usize * cells;
        walk.some("listed root", 4, listed, ends(listed));
        walk.some("own root", 4, own, ends(own));
        let border = 2 * (width + height) as usize;
        walk.some("cost", 4, border, ends(border));
        walk.some("root", 4, border, ends(border));
        for _ in 0..walk.field("links", 4) {
            walk.field("place", 4);
            walk.field("link cost", 4);
            links += 1;
        }
    }
    assert!(links > 0 && walk.is_at_end());
    walk.fields
}

/// Loads bytes that may be invalid. If they are accepted, uses them. Returns `true` if they were.
fn live_with(bytes: &[u8], what: &str, solver: Solver) -> bool {
    let mut world = world(solver);
    if let Err(error) = world.load_tiles(bytes) {
        assert!(
            matches!(error, Error::BadBytes { name: "tiles", .. }),
            "{what}: {error}"
        );
        assert_eq!(
            world.tile_stats().cache.tiles,
            0,
            "{what}: refused, and changed"
        );
        return false;
    }
    let goal = ask(&mut world);
    let starts = starts(&world);
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.3,
        max_speed: 8.0,
        acceleration: 80.0,
        lateral_bias: 0.5,
        ..AgentType::default()
    };
    swarm
        .set_types(&[
            kind,
            AgentType {
                movement: 1,
                ..kind
            },
        ])
        .expect("valid");
    swarm.set_group_goal(0, Some(goal)).expect("a group");
    for (number, &start) in starts.iter().enumerate() {
        swarm
            .spawn(&world, &[start], number as i64 % 2, 0)
            .expect("inside");
    }
    for _ in 0..4 {
        swarm.request_routes(&mut world).expect("known");
        world.update();
        swarm.step(&world, 0.1).expect("valid");
        let numbers = swarm.positions().iter().chain(swarm.velocities());
        assert!(
            numbers.into_iter().all(|vector| vector.is_finite()),
            "{what}"
        );
        let is_inside = |at: &Vec2| world.grid().contains(world.grid().cell_at(*at));
        assert!(swarm.positions().iter().all(is_inside), "{what}");
    }
    for movement in 0..2 {
        let map = world.direction_map(goal, movement).expect("known");
        assert!(
            map.iter().all(|direction| direction.length() < 1.01),
            "{what}"
        );
        world.built_sectors(goal, movement).expect("known");
        for &start in starts.iter().step_by(5) {
            world.path_from(goal, start, movement).expect("inside");
            world.cost_to_goal(goal, start, movement).expect("inside");
        }
    }
    // An edit reads the borders that were loaded.
    world.set_terrain(IVec2::new(9, 9), WALL).expect("inside");
    world.update();
    assert!(!world.save_tiles().is_empty() && world.tile_memory().cache > 0);
    true
}

fn every_field_may_be_anything(solver: Solver) {
    let mut built = world(solver);
    ask(&mut built);
    let saved = built.save_tiles();
    let save = Unpacked::from_saved(&saved, HEAD);
    let body = &save.body;
    assert!(
        signed(save.packed(body)) == saved,
        "the format is what is described here"
    );
    let graphs = [0, 1].map(|movement| built.portal_graph(movement).expect("known"));
    let fields = fields(body, &graphs);
    let (mut accepted, mut refused) = (0, 0);
    for (number, field) in fields.iter().enumerate() {
        let values = forged(body, field);
        // The first graph and tiles contain all names; of the rest every third value is tested.
        let (every, from) = if number < 300 {
            (4, number % 4)
        } else {
            (13, number % 13)
        };
        for (value, altered) in values.into_iter().enumerate().skip(from).step_by(every) {
            let what = format!("{} at {}, value {value}", field.name, field.at);
            let is_taken = live_with(&signed(save.packed(&altered)), &what, solver);
            *(if is_taken {
                &mut accepted
            } else {
                &mut refused
            }) += 1;
        }
    }
    assert!(
        accepted > 100 && refused > 100,
        "{accepted} taken, {refused} refused"
    );
    let mut walk = Walk::new(&saved[..HEAD]);
    walk.array("head", 4, HEAD / 4);
    for field in walk.fields {
        for altered in forged(&saved[..saved.len() - 8], &field) {
            assert!(
                !live_with(&signed(altered), "the head", solver),
                "byte {}",
                field.at
            );
        }
    }
}

#[test]
fn every_field_of_straight_paths_may_be_anything() {
    every_field_may_be_anything(Solver::Eikonal);
}

#[test]
fn every_field_of_steps_may_be_anything() {
    every_field_may_be_anything(Solver::Octile);
}

/// A file may decompress to hundreds of times its length, in many small pieces or by a single huge length.
#[test]
fn loading_takes_memory_for_what_the_cache_can_keep() {
    let mut built = world(Solver::Eikonal);
    ask(&mut built);
    let saved = built.save_tiles();
    let save = Unpacked::from_saved(&saved, HEAD);
    let body = &save.body;
    let graphs = [0, 1].map(|movement| built.portal_graph(movement).expect("known"));
    let fields = fields(body, &graphs);
    let at = |name: &str, number: usize| {
        let mut found = fields.iter().filter(|field| field.name == name);
        found.nth(number).map_or(body.len(), |field| field.at)
    };
    let (tiles, first, second) = (at("tiles", 0), at("key", 0), at("key", 1));
    let most = |file: &[u8]| {
        let pieces = 4 * PIECE;
        let (cache, cells) = (2 << 18, 64 * 28 * 20);
        file.len() + pieces + cache + cells
    };
    // Thousands of tiles with different keys.
    let count = 40_000_u32;
    let mut many = body[..tiles].to_vec();
    many.extend(count.to_le_bytes());
    for number in 0..count {
        many.extend(number.to_le_bytes());
        many.extend([7; 12]);
        many.extend(&body[first + 16..second]);
    }
    let file = signed(save.packed(&many));
    let unpacked = many.len();
    drop(many);
    assert!(unpacked > 20 * file.len(), "{unpacked} from {}", file.len());
    let mut world = world(Solver::Eikonal);
    let (loaded, peak) = peak_of(|| world.load_tiles(&file));
    assert_eq!(loaded, Ok(count as usize));
    assert!(
        peak <= most(&file),
        "{peak} bytes for a file of {}",
        file.len()
    );
    let kept = world.tile_stats().cache;
    assert!(kept.bytes <= 1 << 18 && kept.tiles > 20, "{kept:?}");
    // Counts and lengths that far exceed the data.
    let promise = |words: &[u32]| {
        let mut bytes = save.head.clone();
        words
            .iter()
            .for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.resize(bytes.len() + 4096, 0);
        signed(bytes)
    };
    let huge = [0x7FFF_FFFF, u32::MAX, 1 << 30, 1 << 20];
    for length in huge {
        for file in [
            promise(&[length, 4096]),
            promise(&[4096, length]),
            promise(&[length, length]),
        ] {
            let (loaded, peak) = peak_of(|| world.load_tiles(&file));
            assert!(loaded.is_err() && peak <= most(&file), "{peak} bytes");
        }
        let mut altered = body.clone();
        for name in ["tiles", "links"] {
            let at = at(name, 0);
            altered[at..at + 4].copy_from_slice(&length.to_le_bytes());
            let file = signed(save.packed(&altered));
            let (loaded, peak) = peak_of(|| world.load_tiles(&file));
            assert!(
                loaded.is_err() && peak <= most(&file),
                "{name}: {peak} bytes"
            );
        }
    }
}
