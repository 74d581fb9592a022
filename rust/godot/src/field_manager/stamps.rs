//! Stamp methods of `FlowFieldManager`.

use super::FlowFieldManager;
use super::terrain::whole_cells;
use crate::convert::{ivec2, packed_cells, vec2};
use crate::flow_stamp::FlowStamp;
use crate::object_array::ObjectArray;
use crate::report::{OrRefuse, code, refuse};
use crate::resources;
use flow_swarm::error::{Error as CoreError, Result};
use flow_swarm::terrain::{Stamp, StampId};
use flow_swarm::{IVec2, Vec2};
use godot::global::Error;
use godot::prelude::*;

fn stamp_of(method: &str, resource: Option<Gd<FlowStamp>>) -> Option<Stamp> {
    let Some(resource) = resource else {
        refuse(method, "stamp is not set");
        return None;
    };
    resources::with(&resource, |stamp| stamp.stamp(method))
}

/// Positions, two for each pair, or after a report `None`.
fn pairs_of(method: &str, positions: &PackedVector2Array) -> Option<Vec<(Vec2, Vec2)>> {
    let (pairs, rest) = positions.as_slice().as_chunks();
    if !rest.is_empty() {
        let count = positions.len();
        let reason = format_args!("pairs must have 2 entries for each pair, not {count} in all");
        refuse(method, reason);
        return None;
    }
    let pair = |&[from, to]: &[Vector2; 2]| (vec2(from), vec2(to));
    Some(pairs.iter().map(pair).collect())
}

impl FlowFieldManager {
    /// The pairs that a stamp would cut; `None` after a report.
    fn cut_pairs(
        &mut self,
        method: &str,
        stamp: Option<Gd<FlowStamp>>,
        (cell, quarter_turns): (Vector2i, i64),
        pairs: &PackedVector2Array,
        movement_type: i64,
    ) -> Option<Result<Vec<usize>>> {
        let stamp = stamp_of(method, stamp)?.turned(quarter_turns);
        let pairs = pairs_of(method, pairs)?;
        let world = self.world(method)?;
        let movement = world.check_movement(movement_type).or_refuse(method)?;
        Some(world.cut_pairs(ivec2(cell), &stamp, &pairs, movement))
    }
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Lays a stamp over the terrain with its corner of least x and y in a cell, on top of all others, turned by quarter turns from +x towards +y. Returns an id for remove_stamp(); 0 if a part of it is outside the grid, which is reported.
    #[func]
    fn place_stamp(
        &mut self,
        stamp: Option<Gd<FlowStamp>>,
        cell: Vector2i,
        #[opt(default = 0)] quarter_turns: i64,
    ) -> i64 {
        const METHOD: &str = "FlowFieldManager.place_stamp";
        let Some(stamp) = stamp_of(METHOD, stamp) else {
            return 0;
        };
        let Some(world) = self.world(METHOD) else {
            return 0;
        };
        let placed = world.place_stamp(ivec2(cell), &stamp.turned(quarter_turns));
        placed.or_refuse(METHOD).map_or(0, |id| id.0)
    }

    /// Lays one stamp for each cell, given as whole numbers, over the terrain as one edit, the later ones on top: all of them, or none if one is not inside the grid. quarter_turns has one entry per stamp, or none. Returns their ids in the same order.
    #[func]
    fn place_stamps(
        &mut self,
        stamps: ObjectArray<FlowStamp>,
        cells: PackedVector2Array,
        #[opt(default = &PackedInt32Array::new())] quarter_turns: PackedInt32Array,
    ) -> PackedInt64Array {
        const METHOD: &str = "FlowFieldManager.place_stamps";
        let Some(stamps) = stamps.checked(METHOD, "stamps") else {
            return PackedInt64Array::new();
        };
        let count = stamps.len();
        let turns = quarter_turns.as_slice();
        for (name, actual, may_be_empty) in [
            ("cells", cells.len(), false),
            ("quarter_turns", turns.len(), true),
        ] {
            if actual != count && !(may_be_empty && actual == 0) {
                let reason = format_args!("{name} must have {count} entries, not {actual}");
                refuse(METHOD, reason);
                return PackedInt64Array::new();
            }
        }
        let Some(cells) = whole_cells(METHOD, &cells) else {
            return PackedInt64Array::new();
        };
        let mut placements: Vec<(IVec2, Stamp)> = Vec::with_capacity(count);
        for (index, (stamp, cell)) in stamps.objects().iter_shared().zip(cells).enumerate() {
            let Some(stamp) = stamp_of(METHOD, stamp) else {
                return PackedInt64Array::new();
            };
            let turns = turns.get(index).copied().unwrap_or(0);
            placements.push((cell, stamp.turned(i64::from(turns))));
        }
        let Some(world) = self.world(METHOD) else {
            return PackedInt64Array::new();
        };
        let placed = world.place_stamps(&placements).or_refuse(METHOD);
        placed.map_or_else(PackedInt64Array::new, |ids| {
            ids.into_iter().map(|id| id.0).collect()
        })
    }

    /// Whether a stamp may be placed as by place_stamp(): it lies inside the grid, and every pair of positions would still be joined, a spawn and the base, say. pairs has two entries for each pair. Nothing changes, and a stamp that is partly outside is no error here. A pair counts as joined if is_reachable() from its first to its second position would be true with the stamp in place; one under a wall of the stamp is not, and neither is one that nothing joins now, unless the stamp does. Ask once for each movement type. Cheap enough for a mouse cursor: the time depends on the cells of the stamp and on the smaller parts that it cuts off, hardly on the size of the map.
    #[func]
    fn can_place_stamp(
        &mut self,
        stamp: Option<Gd<FlowStamp>>,
        cell: Vector2i,
        #[opt(default = 0)] quarter_turns: i64,
        #[opt(default = &PackedVector2Array::new())] pairs: PackedVector2Array,
        #[opt(default = 0)] movement_type: i64,
    ) -> bool {
        const METHOD: &str = "FlowFieldManager.can_place_stamp";
        let place = (cell, quarter_turns);
        match self.cut_pairs(METHOD, stamp, place, &pairs, movement_type) {
            None | Some(Err(CoreError::StampOutside { .. })) => false,
            Some(cut) => cut.or_refuse(METHOD).is_some_and(|cut| cut.is_empty()),
        }
    }

    /// Which pairs of positions would not be joined if a stamp were placed as by place_stamp(): their numbers in ascending order, 0 for the first two entries of pairs, 1 for the next two. See can_place_stamp(), which takes the same arguments; but here a stamp that is partly outside the grid is reported, and nothing is returned.
    #[func]
    fn get_cut_pairs(
        &mut self,
        stamp: Option<Gd<FlowStamp>>,
        cell: Vector2i,
        #[opt(default = 0)] quarter_turns: i64,
        #[opt(default = &PackedVector2Array::new())] pairs: PackedVector2Array,
        #[opt(default = 0)] movement_type: i64,
    ) -> PackedInt32Array {
        const METHOD: &str = "FlowFieldManager.get_cut_pairs";
        let place = (cell, quarter_turns);
        let cut = self.cut_pairs(METHOD, stamp, place, &pairs, movement_type);
        let cut = cut.and_then(|cut| cut.or_refuse(METHOD));
        let number = |pair| i32::try_from(pair).unwrap_or(i32::MAX);
        cut.unwrap_or_default().into_iter().map(number).collect()
    }

    /// Takes a stamp off: its cells show again what else lies or is painted there. Stamps may go in any order.
    #[func]
    fn remove_stamp(&mut self, id: i64) -> Error {
        const METHOD: &str = "FlowFieldManager.remove_stamp";
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.remove_stamp(StampId(id))),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Takes stamps off as one edit: all of them, or none if there is no such stamp.
    #[func]
    fn remove_stamps(&mut self, ids: PackedInt64Array) -> Error {
        const METHOD: &str = "FlowFieldManager.remove_stamps";
        let ids: Vec<StampId> = ids.as_slice().iter().copied().map(StampId).collect();
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.remove_stamps(&ids)),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// The ids of all stamps, in the order in which they were placed.
    #[func]
    fn get_stamps(&mut self) -> PackedInt64Array {
        match self.world("FlowFieldManager.get_stamps") {
            Some(world) => world.stamp_ids().map(|id| id.0).collect(),
            None => PackedInt64Array::new(),
        }
    }

    /// The cells that a stamp covers, as whole numbers; without those that leave the terrain under them.
    #[func]
    fn get_stamp_cells(&mut self, id: i64) -> PackedVector2Array {
        const METHOD: &str = "FlowFieldManager.get_stamp_cells";
        let Some(world) = self.world(METHOD) else {
            return PackedVector2Array::new();
        };
        let cells = world.stamp_cells(StampId(id)).or_refuse(METHOD);
        cells.map_or_else(PackedVector2Array::new, |cells| packed_cells(&cells))
    }

    /// The painted terrain without stamps: one id per cell, row by row. Save this where the game places the stamps of a saved map anew; get_terrain_bytes() has the stamps in it.
    #[func]
    fn get_base_terrain_bytes(&mut self) -> PackedByteArray {
        match self.world("FlowFieldManager.get_base_terrain_bytes") {
            Some(world) => PackedByteArray::from(world.base_terrain_bytes()),
            None => PackedByteArray::new(),
        }
    }
}
