//! Bodies, areas, force fields, impulses and beams act on the storey where they are, however far they reach.

use flow_swarm::grid::Grid;
use flow_swarm::swarm::{
    AgentId, AgentQuery, AgentType, Avoidance, Force, ForceKind, Pose, Shape, Swarm,
};
use flow_swarm::workers::Workers;
use flow_swarm::world::FlowWorld;
use flow_swarm::{IVec2, Vec2};

const SIZE: IVec2 = IVec2::new(30, 20);
const DT: f32 = 1.0 / 30.0;
/// Wider than the gap between the layers of a grid.
const WIDE: f32 = 60.0;

/// A bridge over a road, as two layers, with an agent on each near the row where the layers are nearest to each other.
fn bridge(avoidance: Avoidance) -> (FlowWorld, Swarm, [AgentId; 2]) {
    let grid = Grid::layered(SIZE, 1.0, Vec2::ZERO, 2).expect("small");
    let world = FlowWorld::new(grid, Workers::serial());
    let mut swarm = Swarm::new(1);
    let kind = AgentType {
        radius: 0.4,
        avoidance,
        neighbour_radius: 5.0,
        ..AgentType::default()
    };
    swarm.set_types(&[kind]).expect("valid");
    let layers = *world.grid().layers();
    let road = Vec2::new(15.0, 18.0);
    let deck = layers.place(Vec2::new(15.0, 2.0), 1);
    let ids = swarm.spawn(&world, &[road, deck], 0, 0).expect("inside");
    (world, swarm, [ids[0], ids[1]])
}

/// The positions of both agents after some steps.
fn after_steps(world: &FlowWorld, swarm: &mut Swarm) -> Vec<Vec2> {
    for _ in 0..10 {
        swarm.step(world, DT).expect("valid");
    }
    swarm.positions().to_vec()
}

/// A pose on the road, or on the bridge, between both agents.
fn pose(world: &FlowWorld, layer: u32) -> Pose {
    let middle = Pose::at(Vec2::new(15.0, 10.0)).expect("finite");
    middle.on_layer(world.grid().layers(), layer)
}

#[test]
fn areas_and_bodies_report_agents_of_their_storey() {
    let (world, mut swarm, ids) = bridge(Avoidance::None);
    let shape = Shape::Disc(WIDE);
    let sites = [0, 1].map(|layer| {
        let at = pose(&world, layer);
        let area = swarm.add_area(shape, at).expect("valid");
        (area, swarm.add_body(shape, at, false).expect("valid"))
    });
    swarm.step(&world, DT).expect("valid");
    for (layer, (area, body)) in sites.into_iter().enumerate() {
        assert_eq!(swarm.area_agents(area), Ok(vec![ids[layer]]));
        assert_eq!(swarm.body_contacts(body), Ok(vec![ids[layer]]));
    }
    let saved = swarm.save();
    swarm.load(&saved).expect("its own");
    for (layer, (area, _)) in sites.into_iter().enumerate() {
        assert_eq!(swarm.area_agents(area), Ok(vec![ids[layer]]), "loaded");
    }
}

#[test]
fn solid_bodies_push_agents_of_their_storey() {
    for avoidance in [Avoidance::Contact, Avoidance::Orca] {
        for layer in [0, 1] {
            let (world, mut swarm, _) = bridge(avoidance);
            let before = swarm.positions().to_vec();
            let shape = Shape::Disc(WIDE);
            swarm
                .add_body(shape, pose(&world, layer), true)
                .expect("valid");
            let after = after_steps(&world, &mut swarm);
            let other = 1 - layer as usize;
            assert_eq!(
                after[other], before[other],
                "{avoidance:?}, body on {layer}"
            );
            assert_ne!(after[layer as usize], before[layer as usize], "pushed");
        }
    }
}

#[test]
fn forces_and_impulses_push_agents_of_their_storey() {
    for layer in [0, 1_usize] {
        let (world, mut swarm, _) = bridge(Avoidance::None);
        let before = swarm.positions().to_vec();
        let center = pose(&world, layer as u32).position();
        let force = Force {
            kind: ForceKind::Push,
            strength: 400.0,
        };
        swarm.add_force_field(center, WIDE, force).expect("valid");
        let after = after_steps(&world, &mut swarm);
        assert_eq!(after[1 - layer], before[1 - layer], "force on {layer}");
        assert_ne!(after[layer], before[layer], "pushed");

        let (world, mut swarm, _) = bridge(Avoidance::None);
        let pushed = swarm.apply_radial_impulse(&world, center, WIDE, 20.0);
        assert_eq!(pushed, Ok(1));
        let after = after_steps(&world, &mut swarm);
        assert_eq!(after[1 - layer], before[1 - layer], "impulse on {layer}");
        assert_ne!(after[layer], before[layer], "pushed");
    }
}

#[test]
fn a_beam_that_leaves_the_map_stays_on_its_storey() {
    let (world, mut swarm, [road, deck]) = bridge(Avoidance::None);
    let layers = *world.grid().layers();
    let up = layers.place(Vec2::new(15.0, 1.0), 1);
    let all = AgentQuery::default();
    let far = Vec2::new(0.0, 500.0);
    let start = Vec2::new(15.0, 10.0);
    assert_eq!(
        swarm.query_segment(&world, (start, start + far), 0.0, &all),
        Ok(vec![road])
    );
    assert_eq!(
        swarm.query_segment(&world, (up + far, up), 0.0, &all),
        Ok(vec![deck])
    );
    assert_eq!(
        swarm.query_segment(&world, (start, start + far), 2.0 * WIDE, &all),
        Ok(vec![road])
    );
}
