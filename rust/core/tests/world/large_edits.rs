//! Edits that are too much for one update: what counts together, and what begins only once.

use crate::next_costs::{settle, told};
use crate::slices::pair;
use flow_swarm::IVec2;
use flow_swarm::grid::CellRect;
use flow_swarm::terrain::Stamp;
use flow_swarm::world::FlowWorld;

/// The work of an update: so many cells may change at once.
const LIMIT: usize = 50;

/// A world that writes costs in slices, and one that does not, with the same terrain.
fn games() -> [FlowWorld; 2] {
    let [mut limited, mut whole] = pair();
    for world in [&mut limited, &mut whole] {
        world.update();
        settle(world);
    }
    limited.set_update_cells(LIMIT);
    [limited, whole]
}

/// A square of nine cells. Those of nine numbers are far apart: edits near each other count with what lies between
/// them.
fn square(number: i32) -> CellRect {
    let low = IVec2::new(number % 3, number / 3 % 3) * 32 + 3 * (number / 9);
    CellRect { low, high: low + 3 }
}

fn is_same(limited: &mut FlowWorld, whole: &mut FlowWorld) -> bool {
    limited.update();
    settle(limited);
    whole.update();
    told(limited.costs(0)) == told(whole.costs(0))
}

#[test]
fn edits_of_one_update_count_together_whatever_is_asked_between_them() {
    for asks in [false, true] {
        let [mut limited, mut whole] = games();
        for number in 0..6 {
            assert!(!limited.has_next_costs(), "{number} squares, asks: {asks}");
            for world in [&mut limited, &mut whole] {
                world.set_terrain_rect(square(number), 3).expect("inside");
            }
            if asks {
                limited.cost(square(number).low, 0).expect("inside");
            }
        }
        assert!(limited.has_next_costs(), "54 cells, asks: {asks}");
        assert!(is_same(&mut limited, &mut whole));
        // After an update the count begins anew.
        for number in 9..19 {
            for world in [&mut limited, &mut whole] {
                world.set_terrain_rect(square(number), 4).expect("inside");
                world.update();
            }
            assert!(!limited.has_next_costs(), "{number}");
        }
        assert!(is_same(&mut limited, &mut whole));
    }
}

#[test]
fn cells_that_are_edited_again_count_once() {
    let [mut limited, mut whole] = games();
    for id in [3, 4, 5, 6, 7] {
        for world in [&mut limited, &mut whole] {
            world.set_terrain_rect(square(0), id).expect("inside");
        }
    }
    for x in 0..30 {
        limited.set_terrain(IVec2::new(x, 90), 9).expect("inside");
        whole.set_terrain(IVec2::new(x, 90), 9).expect("inside");
    }
    assert!(!limited.has_next_costs(), "39 cells");
    for x in 30..60 {
        limited.set_terrain(IVec2::new(x, 90), 9).expect("inside");
        whole.set_terrain(IVec2::new(x, 90), 9).expect("inside");
    }
    assert!(limited.has_next_costs(), "69 cells, one by one");
    assert!(is_same(&mut limited, &mut whole));
}

/// Costs that begin again are written at once the next time; edits of one update are one edit.
#[test]
fn many_large_edits_of_one_update_begin_once() {
    let [mut limited, mut whole] = games();
    for number in 0..81 {
        for world in [&mut limited, &mut whole] {
            world.set_terrain_rect(square(number), 3).expect("inside");
        }
    }
    limited.update();
    assert!(limited.has_next_costs(), "729 cells were written at once");
    assert!(is_same(&mut limited, &mut whole));
}

#[test]
fn stamps_count_like_painted_cells() {
    let [mut limited, mut whole] = games();
    let stamp = |side: i32| {
        let ids = vec![255; (side * side) as usize];
        Stamp::new(IVec2::splat(side), &ids, None).expect("valid")
    };
    let place = |world: &mut FlowWorld, at: i32, side: i32| {
        let placed = world.place_stamp(IVec2::splat(at), &stamp(side));
        placed.expect("inside")
    };
    place(&mut limited, 5, 7);
    place(&mut whole, 5, 7);
    assert!(!limited.has_next_costs(), "49 cells");
    assert!(limited.place_stamp(IVec2::splat(95), &stamp(9)).is_err());
    assert!(!limited.has_next_costs(), "what is refused changes nothing");
    assert!(is_same(&mut limited, &mut whole));
    let ids = [&mut limited, &mut whole].map(|world| place(world, 40, 9));
    assert!(limited.has_next_costs(), "81 cells");
    assert!(is_same(&mut limited, &mut whole));
    limited.remove_stamp(ids[0]).expect("placed");
    whole.remove_stamp(ids[1]).expect("placed");
    assert!(limited.has_next_costs(), "81 cells again");
    assert!(is_same(&mut limited, &mut whole));
    assert!(limited.remove_stamp(ids[0]).is_err());
    assert!(!limited.has_next_costs(), "what is refused changes nothing");
}
