//! Maps of islands and closed cells agree with queries of single cells.

use crate::common::{center_of, every_map, world_of};
use flow_swarm::movement::{Clearance, MovementType};
use flow_swarm::workers::Workers;

#[test]
fn maps_agree_with_their_cells() {
    let roomy = Clearance::new(1.2).expect("in range");
    let kinds = [
        MovementType::default(),
        MovementType::default().with_clearance(roomy),
    ];
    let mut closed_somewhere = 0;
    for (name, map) in every_map(37, 29, 5) {
        let mut world = world_of(&map, Workers::serial());
        world.set_movement_types(&kinds).expect("few");
        // An edit that is pending when the maps are queried.
        let last = world.grid().size() - 1;
        world.set_terrain(last / 2, 255).expect("inside");
        world.set_terrain(last / 3, 1).expect("inside");
        for movement in 0..2 {
            let islands = world.island_map(movement).expect("known");
            let closed = world.closed_map(movement).expect("known");
            for index in 0..map.len() {
                let place = center_of(&map, index);
                let alone = world.island_at(place, movement).expect("inside");
                assert_eq!(islands[index], alone, "{name}: {index}");
                let cell = world.grid().cell_at(place);
                let is_wall = world.cost(cell, 0).expect("inside") == 255;
                let is_shut = world.cost(cell, movement).expect("inside") == 255;
                assert_eq!(closed[index], is_shut && !is_wall, "{name}: {cell}");
                closed_somewhere += usize::from(closed[index]);
            }
        }
        assert!(world.island_map(2).is_err());
        assert!(world.closed_map(2).is_err());
    }
    assert!(closed_somewhere > 100);
}
