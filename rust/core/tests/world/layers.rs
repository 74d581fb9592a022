//! Crowds on several layers: agents do not perceive those on other layers, they use links, and saves keep layers.

use flow_swarm::grid::layers::{LAYER_GAP, MAX_LAYERS};
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::swarm::{
    AgentQuery, AgentType, ArrivalAction, Avoidance, CustomData, InstanceLayout, LayerView, Plane,
    Pose, Settings, Swarm,
};
use flow_swarm::terrain::WALL;
use flow_swarm::workers::Workers;
use flow_swarm::world::{FlowWorld, GoalMode, QueryStatus};
use flow_swarm::{IVec2, Vec2};

const SIZE: IVec2 = IVec2::new(24, 20);
const DT: f32 = 0.05;

fn grid(layers: u32) -> Grid {
    Grid::layered(SIZE, 2.0, Vec2::new(-7.0, 5.0), layers).expect("small")
}

/// The centre of a layer's cell.
fn place(world: &FlowWorld, x: i32, y: i32, layer: i64) -> Vec2 {
    let cell = world.grid().place_of(IVec2::new(x, y), layer);
    world.grid().center_of(cell.expect("inside"))
}

fn link(world: &FlowWorld, from: (i32, i32, i64), to: (i32, i32, i64), both_ways: bool) -> Link {
    let cell = |(x, y, layer)| world.grid().place_of(IVec2::new(x, y), layer);
    Link {
        from: cell(from).expect("inside"),
        to: cell(to).expect("inside"),
        cost: 3.0,
        both_ways,
        travel: Travel::AtOnce,
    }
}

/// A road that is cut by a wall, and a bridge over it with a ramp at each end.
fn bridge(workers: Workers) -> FlowWorld {
    let mut world = FlowWorld::new(grid(2), workers);
    let wall = CellRect {
        low: IVec2::new(11, 0),
        high: IVec2::new(13, SIZE.y),
    };
    world.set_terrain_rect(wall, WALL).expect("inside");
    let upper = world.grid().layers().cells(1, SIZE.x as u32);
    world.set_terrain_rect(upper, WALL).expect("inside");
    let deck = CellRect {
        low: upper.low + IVec2::new(6, 8),
        high: upper.low + IVec2::new(18, 12),
    };
    world.set_terrain_rect(deck, 1).expect("inside");
    for y in 8..12 {
        for (x, both_ways) in [(6, true), (17, true)] {
            let ramp = link(&world, (x, y, 0), (x, y, 1), both_ways);
            world.add_link(ramp).expect("valid");
        }
    }
    world
}

fn swarm_of(avoidance: Avoidance) -> Swarm {
    let mut swarm = Swarm::new(3);
    let kind = AgentType {
        radius: 0.5,
        max_speed: 10.0,
        acceleration: 60.0,
        avoidance,
        neighbour_radius: 6.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    swarm
}

fn everywhere_west(world: &FlowWorld) -> Vec<Vec2> {
    let cells = (0..SIZE.y).flat_map(|y| (0..9).map(move |x| (x, y)));
    cells.map(|(x, y)| place(world, x, y, 0)).collect()
}

#[test]
fn a_crowd_crosses_the_bridge() {
    for threads in [1, 3] {
        for (avoidance, mode) in [
            (Avoidance::Separation, GoalMode::Full),
            (Avoidance::Separation, GoalMode::Tiled),
            (Avoidance::Contact, GoalMode::Full),
            (Avoidance::Contact, GoalMode::Tiled),
            (Avoidance::Orca, GoalMode::Full),
            (Avoidance::Orca, GoalMode::Tiled),
        ] {
            let mut world = bridge(Workers::new(threads).expect("threads"));
            let target = place(&world, 22, 10, 0);
            let goal = world
                .create_goal_with_mode(&[target], &[0.0], mode)
                .expect("inside");
            let mut swarm = swarm_of(avoidance);
            let settings = Settings {
                arrival: ArrivalAction::Despawn,
                ..Settings::default()
            };
            swarm.set_settings(settings).expect("valid");
            let starts = everywhere_west(&world);
            swarm.spawn(&world, &starts, 0, 0).expect("inside");
            swarm.set_group_goal(0, Some(goal)).expect("a group");
            let (mut ticks, mut most_above) = (0, 0);
            while !swarm.is_empty() {
                ticks += 1;
                let where_left = || {
                    let places = swarm.positions().iter();
                    let of = |&at: &Vec2| world.grid().to_cell_space(at);
                    places.map(of).collect::<Vec<_>>()
                };
                assert!(
                    ticks < 3000,
                    "{avoidance:?}, {mode:?}: {:?} at {:?}",
                    swarm.stats(),
                    where_left()
                );
                world.update();
                swarm.request_routes(&mut world).expect("known");
                swarm.step(&world, DT).expect("valid");
                assert!(swarm.events().lost.is_empty(), "tick {ticks}");
                let layers = *world.grid().layers();
                let above = swarm.positions().iter().filter(|&&at| layers.at(at) == 1);
                most_above = most_above.max(above.count());
                for &at in swarm.positions() {
                    assert!(!world.costs(0).is_wall(world.grid().cell_at(at)), "{at}");
                }
            }
            assert!(most_above > 10, "{most_above}");
        }
    }
}

#[test]
fn agents_do_not_perceive_those_of_another_layer() {
    let step = |is_crowded: bool| {
        let mut world = FlowWorld::new(grid(3), Workers::serial());
        let goal = world
            .create_goal(&[place(&world, 20, 10, 0)])
            .expect("inside");
        let mut swarm = swarm_of(Avoidance::Separation);
        swarm.set_group_goal(0, Some(goal)).expect("a group");
        let starts: Vec<Vec2> = (0..40)
            .map(|n| place(&world, 3 + n % 5, 8 + n % 3, 0))
            .collect();
        let ids = swarm.spawn(&world, &starts, 0, 0).expect("inside");
        for layer in (1..3).filter(|_| is_crowded) {
            let above: Vec<Vec2> = (0..60)
                .map(|n| place(&world, n % 24, n % 20, layer))
                .collect();
            swarm.spawn(&world, &above, 0, 1).expect("inside");
        }
        for _ in 0..100 {
            swarm.request_routes(&mut world).expect("known");
            swarm.step(&world, DT).expect("valid");
        }
        let found = swarm.query_circle(
            &world,
            place(&world, 20, 10, 0),
            1.0e5,
            &AgentQuery::default(),
        );
        assert_eq!(found.expect("valid").len(), ids.len());
        let at = |id| swarm.positions()[swarm.index_of(id).expect("living")];
        ids.into_iter().map(at).collect::<Vec<_>>()
    };
    assert_eq!(step(true), step(false));
}

#[test]
fn links_come_and_go() {
    let mut world = FlowWorld::new(grid(3), Workers::serial());
    let (low, top) = (place(&world, 2, 2, 0), place(&world, 20, 17, 2));
    let goal = world.create_goal(&[top]).expect("inside");
    let status = |world: &mut FlowWorld| world.query_status(goal, low, 0).expect("known");
    assert_eq!(status(&mut world), QueryStatus::Disconnected);
    assert_eq!(world.is_reachable(low, top, 0), Ok(false));
    let first = link(&world, (5, 5, 0), (5, 5, 1), true);
    let second = link(&world, (9, 9, 1), (1, 1, 2), false);
    let ids = world.add_links(&[first, second]).expect("valid");
    assert_eq!(status(&mut world), QueryStatus::Ok);
    assert_eq!(world.is_reachable(low, top, 0), Ok(true));
    assert_eq!(world.is_reachable(top, low, 0), Ok(false), "one way only");
    let nearest = world.nearest_reachable_cell(top, low, 0).expect("inside");
    let first_row = 2 * (SIZE.y + LAYER_GAP as i32);
    assert_eq!(nearest, Some(IVec2::new(2, first_row)), "on its own layer");
    let path = world.path_from(goal, low, 0).expect("known");
    let layers = *world.grid().layers();
    let visited: Vec<u32> = path.iter().map(|&at| layers.at(at)).collect();
    assert!(visited.is_sorted() && visited.contains(&1) && visited.last() == Some(&2));
    let foot = place(&world, 5, 5, 0);
    assert_eq!(
        world.link_ahead(goal, foot, 0),
        Ok(Some(place(&world, 5, 5, 1)))
    );
    assert_eq!(world.link_ahead(goal, low, 0), Ok(None));
    let solves = world.build_stats().full_solves;
    // One end is closed and opened again: fields are repaired as after any other edit.
    world.set_terrain(first.to, WALL).expect("inside");
    assert_eq!(status(&mut world), QueryStatus::Disconnected);
    world.set_terrain(first.to, 1).expect("inside");
    assert_eq!(status(&mut world), QueryStatus::Ok);
    world.remove_link(ids[1]).expect("there");
    assert_eq!(status(&mut world), QueryStatus::Disconnected);
    assert!(world.remove_link(ids[1]).is_err());
    assert_eq!(world.link_ids().collect::<Vec<_>>(), [ids[0]]);
    assert!(world.build_stats().full_solves - solves <= 4);
    // On a larger grid links keep their layers; on a grid with fewer layers the links to those above are lost.
    let larger = Grid::layered(SIZE + 4, 2.0, Vec2::new(-7.0, 5.0), 2).expect("small");
    let lost = world.set_grid(larger);
    assert_eq!(lost.goals, [goal]);
    let kept = world.link(ids[0]).expect("there");
    assert_eq!((kept.from, kept.to.x), (first.from, first.to.x));
    assert_eq!(world.grid().layers().of_row(kept.to.y as u32), Some(1));
    let lost = world.set_grid(grid(1));
    assert_eq!(lost.links, [ids[0]]);
}

#[test]
fn agents_keep_their_layers_in_states_and_on_other_grids() {
    let mut world = bridge(Workers::serial());
    let mut swarm = swarm_of(Avoidance::Separation);
    let starts = [place(&world, 3, 3, 0), place(&world, 9, 9, 1)];
    swarm.spawn(&world, &starts, 0, 0).expect("inside");
    swarm.step(&world, DT).expect("valid");
    let mut loaded = swarm_of(Avoidance::Separation);
    loaded.load(&swarm.save()).expect("whole");
    assert_eq!(loaded.state_hash(), swarm.state_hash());
    assert_eq!(loaded.layers(), swarm.layers());
    let stand = |swarm: &Swarm| {
        let layers = swarm.layers();
        let places = swarm.positions().iter();
        places
            .map(|&at| (layers.flat(at), layers.at(at)))
            .collect::<Vec<_>>()
    };
    let before = stand(&loaded);
    assert_eq!([before[0].1, before[1].1], [0, 1]);
    world.set_grid(Grid::layered(SIZE + 10, 2.0, Vec2::new(-7.0, 5.0), 3).expect("small"));
    loaded.step(&world, DT).expect("valid");
    for ((was, layer), (is, now)) in before.into_iter().zip(stand(&loaded)) {
        assert_eq!(layer, now);
        assert!(was.distance(is) < 1.0e-3, "{was} {is}");
    }
    // Without layers the save has its earlier format.
    let plain = FlowWorld::new(grid(1), Workers::serial());
    let mut alone = swarm_of(Avoidance::Separation);
    alone.spawn(&plain, &starts[..1], 0, 0).expect("inside");
    assert!(alone.save().len() + 40 < swarm.save().len());
    loaded.load(&alone.save()).expect("whole");
    loaded.step(&world, DT).expect("valid");
    assert_eq!(stand(&loaded)[0].1, 0);
}

#[test]
fn instances_show_layers_at_their_heights() {
    let world = bridge(Workers::serial());
    let mut swarm = swarm_of(Avoidance::Separation);
    let starts = [place(&world, 3, 3, 0), place(&world, 9, 9, 1)];
    swarm.spawn(&world, &starts, 0, 0).expect("inside");
    let layout = InstanceLayout {
        plane: Plane::Xz,
        color: false,
        custom: CustomData::None,
        face_movement: false,
        size: 1.0,
        height: 1.5,
        height_offset_2d: 0.0,
    };
    let mut pack = |only| {
        let mut buffer = [0.0; 24];
        let view = LayerView { height: 4.0, only };
        swarm.set_layer_view(view).expect("valid");
        let packed = swarm.pack(&layout, &mut buffer, &Workers::serial());
        packed.expect("long enough");
        buffer
    };
    let all = pack(None);
    assert_eq!([all[7], all[19]], [1.5, 5.5]);
    assert_eq!([all[23], all[21]], [5.0 + 19.0, 0.0]);
    assert!(all[5] > 0.0 && all[17] > 0.0);
    let upper = pack(Some(1));
    assert!(upper[5] == 0.0 && upper[17] > 0.0);
}

#[test]
fn bad_layers_and_links_are_refused() {
    let origin = Vec2::ZERO;
    assert!(Grid::layered(SIZE, 1.0, origin, 0).is_err());
    assert!(Grid::layered(SIZE, 1.0, origin, MAX_LAYERS + 1).is_err());
    assert!(Grid::layered(IVec2::splat(8000), 1.0, origin, 3).is_err());
    assert!(grid(2).place_of(IVec2::new(0, 20), 0).is_err());
    assert!(grid(2).place_of(IVec2::ZERO, 2).is_err());
    assert!(grid(2).place_of(IVec2::ZERO, -1).is_err());
    let mut world = FlowWorld::new(grid(2), Workers::serial());
    let good = link(&world, (5, 5, 0), (5, 5, 1), true);
    for bad in [
        Link {
            to: good.from,
            ..good
        },
        Link { cost: 0.5, ..good },
        Link {
            cost: f32::NAN,
            ..good
        },
        Link {
            cost: 1.0e7,
            ..good
        },
        Link {
            to: IVec2::new(0, 21),
            ..good
        },
        Link {
            from: IVec2::new(-1, 0),
            ..good
        },
    ] {
        assert!(world.add_links(&[good, bad]).is_err(), "{bad:?}");
        assert_eq!(world.link_ids().count(), 0);
    }
    // A position beside its layer is not on the next one.
    let beside = world.grid().layers().place(Vec2::new(0.0, 46.0), 0);
    let mut swarm = swarm_of(Avoidance::Separation);
    assert!(swarm.spawn(&world, &[beside], 0, 0).is_err());
    assert!(world.create_goal(&[beside]).is_err());
    // A type that would perceive agents of other layers is refused.
    let far_sighted = AgentType {
        avoidance: Avoidance::Orca,
        neighbour_radius: 100.0,
        ..AgentType::default()
    };
    swarm.set_types(&[far_sighted]).expect("valid");
    assert!(swarm.step(&world, DT).is_err());
    world.set_grid(grid(1));
    assert!(swarm.step(&world, DT).is_ok());
}

#[test]
fn heights_tell_on_which_layer_a_thing_stands() {
    let world = FlowWorld::new(grid(3), Workers::serial());
    let mut swarm = swarm_of(Avoidance::Contact);
    let at = Vec2::new(3.0, 20.0);
    assert_eq!(swarm.layer_under(at, 3.0), Ok(None), "there is one layer");
    swarm
        .spawn(&world, &[place(&world, 1, 1, 0)], 0, 0)
        .expect("inside");
    assert_eq!(swarm.layer_under(at, 3.0), Ok(None), "of one height");
    for (rise, cases) in [
        (
            3.0,
            [
                (-9.0, 0),
                (0.0, 0),
                (2.8, 0),
                (2.95, 1),
                (5.5, 1),
                (6.0, 2),
                (1.0e9, 2),
            ],
        ),
        (
            -3.0,
            [
                (-9.0, 2),
                (-6.0, 2),
                (-5.0, 2),
                (-3.05, 1),
                (-2.0, 1),
                (-0.05, 0),
                (9.0, 0),
            ],
        ),
    ] {
        let view = LayerView {
            height: rise,
            only: None,
        };
        swarm.set_layer_view(view).expect("valid");
        for (height, layer) in cases {
            let found = swarm.layer_under(at, height);
            assert_eq!(found, Ok(Some(layer)), "{height}, layers of {rise}");
        }
    }
    assert!(swarm.layer_under(Vec2::NAN, 0.0).is_err());
    assert!(swarm.layer_under(at, f32::INFINITY).is_err());
    let pose = Pose::at(at).expect("finite").on_layer(swarm.layers(), 2);
    assert_eq!(pose.position(), swarm.layers().place(at, 2));
}
