//! Square rooms joined by doors.

use super::{CostMap, SplitMix64, WALL};

/// The widest door, in cells.
const WIDEST_DOOR: usize = 3;
/// Of 100 shared walls, how many have a door.
const DOORS_PERCENT: u32 = 90;

/// Rooms of `room_size` by `room_size` cells with walls one cell thick. Nine in ten shared walls have one door, one to
/// three cells wide, at a random place. Based on the room maps of Sturtevant, "Benchmarks for Grid-Based Pathfinding"
/// (IEEE TCIAIG 2012). A few rooms may have no door.
///
/// # Panics
/// If `room_size` is 0.
#[must_use]
pub fn rooms(width: usize, height: usize, room_size: usize, seed: u64) -> CostMap {
    assert!(room_size > 0, "a room needs at least one cell");
    let mut random = SplitMix64::new(seed);
    let mut map = CostMap::filled(width, height, 1);
    let pitch = room_size + 1;
    for y in 0..height {
        for x in 0..width {
            if x % pitch == room_size || y % pitch == room_size {
                let cell = map.index(x, y);
                map.cost[cell] = WALL;
            }
        }
    }
    for room_y in (0..height).step_by(pitch) {
        for room_x in (0..width).step_by(pitch) {
            let room_width = room_size.min(width - room_x);
            let room_height = room_size.min(height - room_y);
            if room_x + pitch < width {
                for y in door(&mut random, room_height) {
                    let cell = map.index(room_x + room_size, room_y + y);
                    map.cost[cell] = 1;
                }
            }
            if room_y + pitch < height {
                for x in door(&mut random, room_width) {
                    let cell = map.index(room_x + x, room_y + room_size);
                    map.cost[cell] = 1;
                }
            }
        }
    }
    map
}

/// The cells along a wall of the given length that become a door; empty for a wall without a door.
fn door(random: &mut SplitMix64, wall_length: usize) -> std::ops::Range<usize> {
    if !random.percent(DOORS_PERCENT) {
        return 0..0;
    }
    let size = (1 + random.below(WIDEST_DOOR)).min(wall_length);
    let start = random.below(wall_length - size + 1);
    start..start + size
}

#[cfg(test)]
mod tests {
    use super::super::largest_component;
    use super::*;

    #[test]
    fn most_rooms_are_joined_through_doors_of_one_to_three_cells() {
        let map = rooms(200, 170, 16, 2);
        let passable = map.cost.iter().filter(|&&cost| cost != WALL).count();
        assert!(largest_component(&map).len() * 100 > passable * 95);
        // The wall column to the right of the first rooms.
        let column: Vec<_> = (0..map.height)
            .map(|y| map.cost[map.index(16, y)] != WALL)
            .collect();
        let doors: Vec<_> = column
            .chunk_by(|one, next| one == next)
            .filter(|run| run[0])
            .map(<[bool]>::len)
            .collect();
        assert!(doors.len() >= 5, "{doors:?}");
        assert!(
            doors.iter().all(|&cells| (1..=3).contains(&cells)),
            "{doors:?}"
        );
    }
}
