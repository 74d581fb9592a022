//! Floors above each other: which there are, on how many layers, and how paths lead from one to the other.

mod oracle;
mod rebakes;
mod scenes;

use flow_swarm::import::storeys::{Bake, Geometry, StoreySettings, Storeys, Volume};
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec3};
use scenes::{SETTINGS, Scene, Town, maps, rect};

/// A road along x below a deck along z, with a ramp at both ends of the deck.
fn bridge() -> Scene {
    let mut scene = Scene::ground(30.0, 40.0);
    scene.block([13.0, 2.5, 14.0], [17.0, 3.0, 26.0]);
    scene.wedge([13.0, -0.5, 4.0], [17.0, 3.0, 14.0], [0.0, 0.0, 3.0, 3.0]);
    scene.wedge([13.0, -0.5, 26.0], [17.0, 3.0, 36.0], [3.0, 3.0, 0.0, 0.0]);
    scene
}

#[test]
fn a_bridge_and_the_road_below_it_are_both_used() {
    let storeys = bridge().bake();
    assert_eq!(storeys.layer_count(), 2);
    let mut town = Town::new(&storeys);
    let (under, on) = ([15.0, 0.0, 20.0], [15.0, 3.0, 20.0]);
    assert_eq!(town.layer_at(under), Some(0), "the ground is whole");
    assert_eq!(town.layer_at(on), Some(1));
    assert!(town.leads([2.0, 0.0, 20.0], under), "below");
    assert!(town.leads([2.0, 0.0, 20.0], on), "up");
    assert!(town.leads(on, [15.0, 0.0, 39.0]), "down again");
    // Links are where the ramps are, and few.
    let links = &town.maps.links;
    assert!((8..=16).contains(&links.len()), "{links:?}");
    let is_on_ramp = |z: i32| !(28..52).contains(&z);
    assert!(
        links.iter().all(|link| is_on_ramp(link.from.1)),
        "{links:?}"
    );
    assert!(
        links.iter().all(|link| link.from == link.to),
        "no hops: {links:?}"
    );
}

#[test]
fn stairs_lead_to_a_balcony() {
    let mut scene = Scene::ground(20.0, 12.0);
    // Fifteen steps of 0.2 m, half a metre deep, between two walls, and a balcony at 3 m on pillars.
    for step in 0..15 {
        let x = 2.0 + 0.5 * step as f32;
        scene.block([x, -0.5, 4.0], [x + 0.5, 0.2 * (step + 1) as f32, 7.0]);
    }
    scene.block([9.5, 2.7, 2.0], [16.0, 3.0, 9.0]);
    let storeys = scene.bake();
    assert_eq!(storeys.layer_count(), 2);
    let mut town = Town::new(&storeys);
    assert_eq!(
        town.layer_at([13.0, 0.0, 5.0]),
        Some(0),
        "below the balcony"
    );
    assert!(
        town.leads([1.0, 0.0, 1.0], [13.0, 3.0, 5.0]),
        "up the stairs"
    );
    assert!(town.leads([1.0, 0.0, 1.0], [13.0, 0.0, 5.0]), "below");
    // Halfway up, the stairs are as high as their steps.
    let at = town.layer_at([5.25, 1.4, 5.5]);
    assert!(at.is_some(), "steps are floors");
    // Without the stairs nothing leads up.
    scene.solids.drain(1..16);
    let mut town = Town::new(&scene.bake());
    assert!(!town.leads([1.0, 0.0, 1.0], [13.0, 3.0, 5.0]), "no stairs");
}

#[test]
fn a_tunnel_leads_through_a_hill() {
    let mut scene = Scene::ground(40.0, 30.0);
    // Two halves of a hill along x, with a slope at both ends, and a roof over the tunnel between them.
    for (low, high) in [(0.0, 12.0), (16.0, 28.0)] {
        scene.block([12.0, -0.5, low], [28.0, 4.0, high]);
        scene.wedge([2.0, -0.5, low], [12.0, 4.0, high], [0.0, 4.0, 0.0, 4.0]);
        scene.wedge([28.0, -0.5, low], [38.0, 4.0, high], [4.0, 0.0, 4.0, 0.0]);
    }
    scene.block([12.0, 3.0, 12.0], [28.0, 4.0, 16.0]);
    let storeys = scene.bake();
    assert_eq!(storeys.layer_count(), 2);
    let mut town = Town::new(&storeys);
    let (inside, above) = ([20.0, 0.0, 14.0], [20.0, 4.0, 14.0]);
    assert!(town.leads([1.0, 0.0, 14.0], inside), "in");
    assert!(town.leads(inside, [39.0, 0.0, 14.0]), "through");
    assert!(town.leads([1.0, 0.0, 6.0], above), "over the hill");
    assert!(town.leads(inside, above), "from below to above");
    // The hill is whole, and links are at the mouths of the tunnel.
    assert_eq!(town.layer_at(above), town.layer_at([20.0, 4.0, 6.0]));
    assert!(town.maps.links.len() <= 20, "{}", town.maps.links.len());
}

/// A spiral stair of wedges around a pillar, in steps of `rise` for each of 16 sectors, on a ring of squares.
fn spiral(turns: usize) -> Scene {
    let mut scene = Scene::ground(16.0, 16.0);
    // The sides of a square ring of 10 m, 3 m wide, each cut in steps of 1 m; each step is a plate.
    let mut steps = Vec::new();
    for side in 0..4 {
        for step in 0..7 {
            let along = step as f32;
            steps.push(match side {
                0 => [3.0 + along, 3.0, 4.0 + along, 6.0],
                1 => [10.0, 3.0 + along, 13.0, 4.0 + along],
                2 => [12.0 - along, 10.0, 13.0 - along, 13.0],
                _ => [3.0, 12.0 - along, 6.0, 13.0 - along],
            });
        }
    }
    for turn in 0..turns {
        for (number, [x, z, end_x, end_z]) in steps.iter().enumerate() {
            let height = 0.2 * (turn * steps.len() + number + 1) as f32;
            scene.block([*x, height - 0.3, *z], [*end_x, height, *end_z]);
        }
    }
    scene
}

#[test]
fn a_spiral_stair_of_two_turns_is_climbed() {
    let storeys = spiral(2).bake();
    // Two turns and the ground below them.
    assert!(
        (3..=4).contains(&storeys.layer_count()),
        "{}",
        storeys.layer_count()
    );
    let mut town = Town::new(&storeys);
    let top = [4.5, 11.2, 6.5];
    let middle = [11.5, 8.8, 12.5];
    assert!(
        town.leads([1.0, 0.0, 1.0], [11.5, 3.2, 12.5]),
        "the first turn"
    );
    assert!(town.leads([1.0, 0.0, 1.0], middle), "the second turn");
    assert!(town.leads(top, [1.0, 0.0, 1.0]), "down");
}

#[test]
fn floors_closer_than_an_agent_are_not_used() {
    let mut scene = Scene::ground(10.0, 10.0);
    scene.block([3.0, 1.4, 3.0], [7.0, 1.6, 7.0]);
    let storeys = scene.bake();
    assert_eq!(storeys.layer_count(), 1, "no room below the plate");
    assert_eq!(storeys.floors(IVec2::new(10, 10)), [1.6]);
    let lower = StoreySettings {
        agent_height: 1.3,
        ..SETTINGS
    };
    let storeys = scene.bake_with(&lower, &Workers::serial());
    assert_eq!(storeys.layer_count(), 2, "children fit");
    assert_eq!(storeys.floors(IVec2::new(10, 10)), [0.0, 1.6]);
    // The plate is a floor that nothing leads to, and no agent falls off it.
    let mut town = Town::new(&scene.bake());
    assert!(
        !town.leads([1.0, 0.0, 1.0], [5.0, 1.6, 5.0]),
        "too high a step"
    );
}

/// A house with three storeys of 3 m and a flat roof, stairs along its walls, and a door.
fn add_house(scene: &mut Scene, x: f32, z: f32) {
    let (width, depth) = (14.0, 10.0);
    for (low, high) in [
        ([x, 0.0, z], [x + width, 9.5, z + 0.5]),
        ([x, 0.0, z + depth - 0.5], [x + width, 9.5, z + depth]),
        ([x + width - 0.5, 0.0, z], [x + width, 9.5, z + depth]),
        ([x, 0.0, z], [x + 0.5, 9.5, z + 4.0]),
        ([x, 0.0, z + 6.0], [x + 0.5, 9.5, z + depth]),
        ([x, 2.5, z + 4.0], [x + 0.5, 9.5, z + 6.0]),
    ] {
        scene.block(low, high);
    }
    for storey in 1..4 {
        let top = 3.0 * storey as f32;
        // The opening for the stairs changes sides from storey to storey.
        let hole = if storey % 2 == 1 {
            z + 0.5
        } else {
            z + depth - 2.5
        };
        let (before, after) = ((z + 0.5, hole), (hole + 2.0, z + depth - 0.5));
        if storey == 3 {
            scene.block(
                [x + 0.5, top - 0.3, z + 0.5],
                [x + width - 0.5, top, z + depth - 0.5],
            );
            continue;
        }
        for (low, high) in [before, after] {
            if high > low {
                scene.block([x + 0.5, top - 0.3, low], [x + width - 0.5, top, high]);
            }
        }
        scene.block([x + 0.5, top - 0.3, hole], [x + 3.0, top, hole + 2.0]);
        scene.block(
            [x + 10.5, top - 0.3, hole],
            [x + width - 0.5, top, hole + 2.0],
        );
        for step in 0..15 {
            let at = x + 3.0 + 0.5 * step as f32;
            let height = top - 3.0 + 0.2 * (step + 1) as f32;
            scene.block([at, height - 0.4, hole], [at + 0.5, height, hole + 2.0]);
        }
    }
}

#[test]
fn houses_of_three_storeys_are_climbed() {
    let mut scene = Scene::ground(44.0, 20.0);
    add_house(&mut scene, 4.0, 5.0);
    add_house(&mut scene, 24.0, 5.0);
    let storeys = scene.bake();
    // Three storeys and the roof.
    assert_eq!(storeys.layer_count(), 4);
    let mut town = Town::new(&storeys);
    for x in [4.0, 24.0] {
        for storey in 0..3 {
            let room = [x + 12.5, 3.0 * storey as f32, 10.0];
            assert!(town.leads([1.0, 0.0, 1.0], room), "storey {storey} at {x}");
        }
        assert!(
            !town.leads([1.0, 0.0, 1.0], [x + 7.0, 9.0, 10.0]),
            "the roof"
        );
    }
    assert!(
        town.leads([16.5, 6.0, 10.0], [36.5, 6.0, 10.0]),
        "from house to house"
    );
}

#[test]
fn slopes_are_floors_up_to_the_limit() {
    let mut scene = Scene::ground(20.0, 10.0);
    scene.wedge([4.0, -0.5, 2.0], [8.0, 3.9, 8.0], [0.0, 3.9, 0.0, 3.9]);
    scene.wedge([12.0, -0.5, 2.0], [16.0, 4.1, 8.0], [0.0, 4.1, 0.0, 4.1]);
    let storeys = scene.bake();
    assert_eq!(storeys.layer_count(), 1);
    let town = Town::new(&storeys);
    assert!(town.is_walkable(0, IVec2::new(12, 10)), "below 45 degrees");
    assert!(!town.is_walkable(0, IVec2::new(28, 10)), "above 45 degrees");
    // Heights follow the slope.
    let cell = IVec2::new(12, 10);
    assert!((town.height(0, cell) - 2.25 * 3.9 / 4.0).abs() < 0.01);
}

#[test]
fn a_sheet_is_a_floor_on_its_upper_side_only() {
    let mut scene = Scene::ground(10.0, 10.0);
    let bake = |up: bool, scene: &Scene| {
        let mut geometry = scene.geometry();
        let [a, b, c] = [(2.0, 2.0), (2.0, 8.0), (8.0, 2.0)].map(|(x, z)| Vec3::new(x, 3.0, z));
        let sheet = if up { [a, b, c] } else { [a, c, b] };
        geometry.add_mesh(vec![sheet]).expect("finite");
        let bake = Bake::new(&scene.grid(), geometry, SETTINGS).expect("valid");
        bake.finish(&Workers::serial())
            .expect("few")
            .expect("done")
            .layer_count()
    };
    assert_eq!(bake(true, &scene), 2);
    assert_eq!(bake(false, &scene), 1);
    // Below a height map nothing is free.
    scene.solids.clear();
    let mut geometry = Geometry::default();
    let cellar = Scene::ground(10.0, 10.0);
    for solid in &cellar.solids {
        let triangles = flow_swarm::import::Solid::hull(solid.clone()).triangles();
        geometry.add(triangles, Volume::Closed).expect("finite");
    }
    let [a, b, c] = [(0.0, 0.0), (0.0, 30.0), (30.0, 0.0)].map(|(x, z)| Vec3::new(x, 5.0, z));
    geometry
        .add(vec![[a, b, c]], Volume::Below)
        .expect("finite");
    let bake = Bake::new(
        &scenes::Scene::ground(10.0, 10.0).grid(),
        geometry,
        SETTINGS,
    );
    let storeys = bake
        .expect("valid")
        .finish(&Workers::serial())
        .expect("few")
        .expect("done");
    assert_eq!(storeys.layer_count(), 1, "the cellar is filled");
    assert_eq!(storeys.floors(IVec2::new(3, 3)), [5.0]);
}

#[test]
fn threads_do_not_matter() {
    let mut scene = bridge();
    scene.solids.extend(spiral(2).solids);
    let one = scene.bake_with(&SETTINGS, &Workers::serial());
    let workers = Workers::new(3).expect("threads");
    let three = scene.bake_with(&SETTINGS, &workers);
    assert!(one == three);
    let all = one.grid().cells();
    let text = |workers: &Workers| format!("{:?}", one.maps(all, workers));
    assert!(text(&Workers::serial()) == text(&workers));
}

#[test]
fn a_changed_rectangle_is_baked_again() {
    let mut scene = bridge();
    let before = scene.bake();
    let mut storeys = before.clone();
    // A crate beside the bridge, on which nothing leads.
    scene.block([9.2, -0.5, 18.1], [12.0, 2.0, 21.0]);
    let cells = rect((16, 34), (26, 44));
    let changed = storeys
        .rebake(cells, &scene.geometry())
        .expect("same layers");
    assert!(cells.intersection(&changed) == cells);
    let text = |storeys: &Storeys| format!("{:?}", maps(storeys));
    assert!(text(&storeys) == text(&scene.bake()), "as if baked anew");
    assert!(text(&storeys) != text(&before));
    // Outside what was returned nothing has changed.
    for (layer, (old, new)) in maps(&before)
        .layers
        .iter()
        .zip(&maps(&storeys).layers)
        .enumerate()
    {
        for (index, (old, new)) in old.terrain.iter().zip(&new.terrain).enumerate() {
            let cell = before.grid().cell(index);
            assert!(
                old == new || changed.contains(cell),
                "layer {layer}, {cell}"
            );
        }
    }
    // And away with the wall.
    scene.solids.pop();
    storeys
        .rebake(cells, &scene.geometry())
        .expect("same layers");
    assert_eq!(
        format!("{:?}", maps(&storeys)),
        format!("{:?}", maps(&before))
    );
}

#[test]
fn bad_input_is_refused_by_name() {
    let grid = bridge().grid();
    let refused = |settings: StoreySettings| {
        let refused = Bake::new(&grid, Geometry::default(), settings);
        refused.expect_err("bad").to_string()
    };
    let bad = |agent_height, agent_max_climb, agent_max_slope, cell_height| {
        refused(StoreySettings {
            agent_height,
            agent_max_climb,
            agent_max_slope,
            cell_height,
        })
    };
    assert!(bad(f32::NAN, 0.2, 1.0, 0.2).contains("agent_height"));
    assert!(bad(1.0, 1.1, 1.0, 0.2).contains("agent_max_climb must be from 0 to 1, not 1.1"));
    assert!(bad(1.0, 0.2, 0.0, 0.2).contains("agent_max_slope"));
    assert!(bad(1.0, 0.2, 1.0, 2.0).contains("cell_height"));
    let mut geometry = Geometry::default();
    let triangle = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, f32::NAN, 1.0)];
    assert!(geometry.add(vec![triangle], Volume::Surface).is_err());
    assert_eq!(geometry.body_count(), 0);
    // 70 plates above each other need too many layers.
    let mut scene = Scene::ground(4.0, 4.0);
    for plate in 1..70 {
        let height = 2.0 * plate as f32;
        scene.block([1.0, height - 0.2, 1.0], [3.0, height, 3.0]);
    }
    let bake = Bake::new(&scene.grid(), scene.geometry(), SETTINGS).expect("valid");
    let error = bake
        .finish(&Workers::serial())
        .expect_err("too many")
        .to_string();
    assert!(
        error.contains("layers") && error.contains("64") && error.contains("70"),
        "{error}"
    );
    // A rectangle that needs a layer more is refused, and nothing is changed.
    let mut scene = Scene::ground(4.0, 4.0);
    let mut storeys = scene.bake();
    let before = storeys.clone();
    scene.block([1.0, 2.8, 1.0], [3.0, 3.0, 3.0]);
    assert!(
        storeys
            .rebake(rect((0, 0), (8, 8)), &scene.geometry())
            .is_err()
    );
    assert!(storeys == before);
    // A cancelled bake has no result, and an empty scene has one layer of walls.
    let bake = Bake::new(&grid, Geometry::default(), SETTINGS).expect("valid");
    bake.cancel();
    assert!(bake.finish(&Workers::serial()).expect("no error").is_none());
    let bake = Bake::new(&grid, Geometry::default(), SETTINGS).expect("valid");
    let last = (0..bake.band_count())
        .filter(|&band| bake.rasterise(band))
        .collect::<Vec<_>>();
    assert_eq!(last, [bake.band_count() - 1]);
    assert!((bake.progress() - 1.0).abs() < f32::EPSILON);
    let storeys = bake
        .finish(&Workers::serial())
        .expect("no error")
        .expect("done");
    assert_eq!(storeys.layer_count(), 1);
    assert!(maps(&storeys).layers[0].terrain.iter().all(|&id| id == 255));
}
