//! Ways over a link that end early, or cannot begin.

use super::{
    BRINK, RISE, SIZE, join, ladder, on_the_way, place, position, status, step, two_floors,
};
use flow_swarm::grid::Grid;
use flow_swarm::grid::links::Link;
use flow_swarm::grid::travel::Travel;
use flow_swarm::swarm::{AgentQuery, AgentState, AgentStatus};
use flow_swarm::terrain::WALL;
use flow_swarm::{IVec2, Vec2};

#[test]
fn travels_are_called_off() {
    let mut world = ladder(3.0, 1.0);
    let (mut swarm, id) = on_the_way(&mut world);
    let start = position(&swarm, id);
    for _ in 0..20 {
        step(&mut world, &mut swarm);
    }
    let brink = world
        .grid()
        .place_of(IVec2::new(BRINK, 6), 0)
        .expect("inside");
    assert!(world.grid().layers().flat(position(&swarm, id)).x > start.x + 1.0);
    let other = swarm
        .spawn(&world, &[place(&world, 2, 2, 0)], 0, 1)
        .expect("inside")[0];
    assert_eq!(swarm.stats().travelling, 1);
    assert_eq!(swarm.cancel_travel(&[other, id]), Ok(1));
    assert_eq!(swarm.cancel_travel(&[other, id]), Ok(0));
    assert_eq!(status(&swarm, id), AgentStatus::Following);
    assert_eq!(world.grid().cell_at(position(&swarm, id)), brink);
    assert_eq!(swarm.drawn_height(id, 0.5, 0.0), Ok(0.0));
    let at = swarm.drawn_pose(id, 0.5).expect("there").0;
    assert_eq!(at, position(&swarm, id), "nothing is drawn in between");
    let found = swarm.query_circle(&world, at, 0.1, &AgentQuery::default());
    assert_eq!(found, Ok(vec![id]));
    let gone = swarm.spawn(&world, &[start], 0, 1).expect("inside")[0];
    swarm.despawn(&[gone]);
    step(&mut world, &mut swarm);
    assert_eq!(
        status(&swarm, id),
        AgentStatus::Travelling,
        "it is taken again"
    );
    assert!(swarm.cancel_travel(&[id, gone]).is_err());
    assert_eq!(status(&swarm, id), AgentStatus::Travelling);
    // A state of its own ends the travel, too.
    for state in [
        AgentState::Idle,
        AgentState::Scripted,
        AgentState::Following,
    ] {
        swarm.set_state(&[id], state).expect("alive");
        assert_eq!(swarm.states()[swarm.index_of(id).expect("alive")], state);
        assert_eq!(world.grid().cell_at(position(&swarm, id)), brink);
        swarm
            .set_state(&[id], AgentState::Following)
            .expect("alive");
        step(&mut world, &mut swarm);
        assert_eq!(status(&swarm, id), AgentStatus::Travelling);
    }
    assert!(swarm.set_state(&[id], AgentState::Travelling).is_err());
    // And so does another place.
    let spot = place(&world, 5, 3, 0);
    swarm.set_positions(&world, &[id], &[spot]).expect("inside");
    assert_eq!(status(&swarm, id), AgentStatus::Following);
    step(&mut world, &mut swarm);
    assert!(position(&swarm, id).distance(spot) < 0.2);
}

#[test]
fn agents_go_back_where_the_link_or_its_end_is_gone() {
    for is_wall in [false, true] {
        let mut world = two_floors(1);
        let timed = Travel::Timed {
            seconds: 2.0,
            arc: 2.0,
        };
        let links = join(&mut world, 6, timed);
        let (mut swarm, id) = on_the_way(&mut world);
        for _ in 0..45 {
            step(&mut world, &mut swarm);
        }
        assert_eq!(world.grid().layers().at(position(&swarm, id)), 1);
        if is_wall {
            let end = world.link(links[1]).expect("there").to;
            world.set_terrain(end, WALL).expect("inside");
        } else {
            world.remove_link(links[1]).expect("there");
        }
        step(&mut world, &mut swarm);
        let brink = world
            .grid()
            .place_of(IVec2::new(BRINK, 6), 0)
            .expect("inside");
        assert_eq!(
            world.grid().cell_at(position(&swarm, id)),
            brink,
            "wall: {is_wall}"
        );
        assert_eq!(status(&swarm, id), AgentStatus::Following);
        assert_eq!(swarm.drawn_height(id, 0.5, 0.0), Ok(0.0));
        // It goes by one of the other links.
        for _ in 0..900 {
            step(&mut world, &mut swarm);
        }
        assert_eq!(status(&swarm, id), AgentStatus::Arrived, "wall: {is_wall}");
    }
}

#[test]
fn the_dead_fall_where_they_are() {
    let mut world = ladder(2.0, 5.0);
    let (mut swarm, id) = on_the_way(&mut world);
    for _ in 0..40 {
        step(&mut world, &mut swarm);
    }
    assert!(swarm.drawn_height(id, 1.0, 0.0).expect("there") > 3.0);
    let fell = position(&swarm, id);
    let found = swarm.query_circle(&world, fell, 0.1, &AgentQuery::default());
    assert_eq!(found, Ok(vec![id]), "what hits it finds it");
    swarm.set_user_ints(0, &[id], &[3]).expect("alive");
    let fallen = swarm.damage_circle(&world, (fell, 0.5), (0, 5), &AgentQuery::default());
    assert_eq!(fallen, Ok(vec![id]));
    swarm.set_state(&[id], AgentState::Corpse).expect("alive");
    for _ in 0..40 {
        assert_eq!(status(&swarm, id), AgentStatus::Corpse);
        assert_eq!(position(&swarm, id), fell);
        assert_eq!(
            swarm.drawn_height(id, 1.0, 0.0),
            Ok(RISE),
            "of the layer that it is over"
        );
        step(&mut world, &mut swarm);
    }
}

/// It is not put at a place that the map has no more.
#[test]
fn agents_stay_where_they_are_if_the_link_began_off_the_new_map() {
    let mut world = ladder(2.0, 2.0);
    let (mut swarm, id) = on_the_way(&mut world);
    for _ in 0..45 {
        step(&mut world, &mut swarm);
    }
    let before = position(&swarm, id);
    let farther_east = Vec2::new(-3.0 + BRINK as f32 + 1.5, 4.0);
    let grid = Grid::layered(SIZE, 1.0, farther_east, 2).expect("small");
    world.set_grid(grid);
    assert!(grid.contains(grid.cell_at(before)));
    step(&mut world, &mut swarm);
    assert_eq!(status(&swarm, id), AgentStatus::Following);
    assert!(before.distance(position(&swarm, id)) < 0.1);
}

#[test]
fn bad_travels_are_refused() {
    let mut world = two_floors(1);
    let cells = [2, 9].map(|x| world.grid().place_of(IVec2::new(x, 3), 0).expect("inside"));
    let timed = |seconds, arc| Link {
        from: cells[0],
        to: cells[1],
        cost: 1.0,
        both_ways: false,
        travel: Travel::Timed { seconds, arc },
    };
    for (seconds, arc) in [
        (0.0, 0.0),
        (0.0009, 0.0),
        (3601.0, 0.0),
        (f32::NAN, 0.0),
        (1.0, -0.1),
        (1.0, 2.0e6),
        (1.0, f32::NAN),
    ] {
        assert!(
            world.add_link(timed(seconds, arc)).is_err(),
            "{seconds}, {arc}"
        );
    }
    world.add_link(timed(3600.0, 1.0e6)).expect("valid");
    world.add_link(timed(0.001, 0.0)).expect("valid");
}
