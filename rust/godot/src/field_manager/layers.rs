//! Layers and links of `FlowFieldManager`.

use super::FlowFieldManager;
use super::terrain::whole_cells;
use crate::convert::{f32_from, ivec2, vec2, vector2, vector2i};
use crate::report::{OrRefuse, code, one_of, refuse};
use flow_swarm::grid::links::{Link, LinkId};
use flow_swarm::grid::travel::Travel;
use godot::global::Error;
use godot::prelude::*;

impl FlowFieldManager {
    /// The values for the cells of a layer, out of the values for all cells; empty after a report.
    pub(super) fn part<T: Copy>(&mut self, method: &str, all: &[T], layer: i64) -> Vec<T> {
        let Some(world) = self.world(method) else {
            return Vec::new();
        };
        let part = world.layer_part(all, layer).or_refuse(method);
        part.unwrap_or_default()
    }

    /// How agents get over a link; `None` after a report.
    fn travel(&mut self, method: &str, link: i64) -> Option<Travel> {
        let link = self.world(method)?.link(LinkId(link)).or_refuse(method)?;
        Some(link.travel)
    }
}

/// How agents get over a link, by the number of a constant; `None` after a report.
fn travel_of(method: &str, travel: i64, seconds: f64, arc: f64) -> Option<Travel> {
    let timed = Travel::Timed {
        seconds: f32_from(seconds),
        arc: f32_from(arc),
    };
    // By the numbers of LINK_AT_ONCE, LINK_WALK and LINK_TIMED.
    match one_of(&[Travel::AtOnce, Travel::Walk, timed], travel) {
        Ok(travel) => Some(travel),
        Err(reason) => {
            refuse(method, format_args!("travel {reason}"));
            None
        }
    }
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Returns the position by which all calls of managers and swarms refer to a position on a layer. For layer 0 it is the position itself. The result for a position outside the layer is outside the grid. If the layer does not exist, reports an error and returns `position`.
    #[func]
    fn on_layer(&mut self, position: Vector2, layer: i64) -> Vector2 {
        const METHOD: &str = "FlowFieldManager.on_layer";
        let place = self.world(METHOD).and_then(|world| {
            let layers = world.grid().layers();
            let layer = layers.check(layer).or_refuse(METHOD)?;
            Some(vector2(layers.place(vec2(position), layer)))
        });
        place.unwrap_or(position)
    }

    /// Returns the cell by which all calls refer to a cell of a layer. If the cell is outside the layer or the layer does not exist, reports an error and returns (-1, -1).
    #[func]
    fn cell_on_layer(&mut self, cell: Vector2i, layer: i64) -> Vector2i {
        const METHOD: &str = "FlowFieldManager.cell_on_layer";
        let place = self.world(METHOD).and_then(|world| {
            let place = world.grid().place_of(ivec2(cell), layer);
            place.or_refuse(METHOD)
        });
        place.map_or(Vector2i::new(-1, -1), vector2i)
    }

    /// Returns the layer of a position that on_layer() or another call has returned.
    #[func]
    fn get_layer(&mut self, place: Vector2) -> i64 {
        let world = self.world("FlowFieldManager.get_layer");
        world.map_or(0, |world| i64::from(world.grid().layers().at(vec2(place))))
    }

    /// Returns the world position, without the layer, of a position that on_layer() or another call has returned.
    #[func]
    fn off_layer(&mut self, place: Vector2) -> Vector2 {
        match self.world("FlowFieldManager.off_layer") {
            Some(world) => vector2(world.grid().layers().flat(vec2(place))),
            None => place,
        }
    }

    /// Joins two cells, of the same layer or of different layers, by a link, such as a ramp, stairs, a ladder or a teleporter. Returns the id of the link, or 0 after an error. `cost` is the cost of taking the link, in cells of clear ground, from 1 to 1000000. A link applies to all movement types. It may begin or end in a wall, and is usable once the wall is gone.
    ///
    /// `travel` says how agents get over it. LINK_AT_ONCE: an agent that stands in the first cell, and for which the link is cheaper than walking, is in the last cell with the next step. LINK_WALK: it walks there in a straight line at its own speed. LINK_TIMED: it goes there in a straight line in `seconds`, from 0.001 to 3600, and is drawn on an arc that rises at most `arc` above that line, from 0 to 1000000 world units. With LINK_WALK and LINK_TIMED the agent is EnemySwarm.TRAVELLING meanwhile: it collides with nothing, and is drawn between the heights of both ends. EnemySwarm.cancel_travel() calls it back; so does removing the link, and a wall at its end. `seconds` does not change `cost`: for a link that costs as much as it takes, set `cost` to the seconds times the agents' speed, divided by cell_size.
    #[func]
    fn add_link(
        &mut self,
        from: Vector2i,
        to: Vector2i,
        #[opt(default = 1.0)] cost: f64,
        #[opt(default = true)] both_ways: bool,
        #[opt(default = 0)] travel: i64,
        #[opt(default = 1.0)] seconds: f64,
        #[opt(default = 0.0)] arc: f64,
    ) -> i64 {
        const METHOD: &str = "FlowFieldManager.add_link";
        let Some(travel) = travel_of(METHOD, travel, seconds, arc) else {
            return 0;
        };
        let link = Link {
            from: ivec2(from),
            to: ivec2(to),
            cost: f32_from(cost),
            both_ways,
            travel,
        };
        let added = self
            .world(METHOD)
            .and_then(|world| world.add_link(link).or_refuse(METHOD));
        added.map_or(0, |id| id.0)
    }

    /// Adds several links as one edit, such as all cells of a wide ramp. Each cell of `from` is joined with the cell of `to` at the same index. Cells must have whole coordinates. Returns the ids of the links in the same order. After an error no link is added, and the result is empty. See add_link() for the other arguments.
    #[func]
    fn add_links(
        &mut self,
        from: PackedVector2Array,
        to: PackedVector2Array,
        #[opt(default = 1.0)] cost: f64,
        #[opt(default = true)] both_ways: bool,
        #[opt(default = 0)] travel: i64,
        #[opt(default = 1.0)] seconds: f64,
        #[opt(default = 0.0)] arc: f64,
    ) -> PackedInt64Array {
        const METHOD: &str = "FlowFieldManager.add_links";
        if from.len() != to.len() {
            let reason = format_args!("{} cells to begin, {} to end in", from.len(), to.len());
            refuse(METHOD, reason);
            return PackedInt64Array::new();
        }
        let Some(travel) = travel_of(METHOD, travel, seconds, arc) else {
            return PackedInt64Array::new();
        };
        let ends = whole_cells(METHOD, &from).zip(whole_cells(METHOD, &to));
        let (Some((from, to)), Some(world)) = (ends, self.world(METHOD)) else {
            return PackedInt64Array::new();
        };
        let links: Vec<Link> = from
            .into_iter()
            .zip(to)
            .map(|(from, to)| Link {
                from,
                to,
                cost: f32_from(cost),
                both_ways,
                travel,
            })
            .collect();
        let ids = world.add_links(&links).or_refuse(METHOD);
        ids.map_or_else(PackedInt64Array::new, |ids| {
            ids.into_iter().map(|id| id.0).collect()
        })
    }

    /// Removes a link.
    #[func]
    fn remove_link(&mut self, link: i64) -> Error {
        const METHOD: &str = "FlowFieldManager.remove_link";
        match self.world(METHOD) {
            Some(world) => code(METHOD, world.remove_link(LinkId(link))),
            None => Error::ERR_UNCONFIGURED,
        }
    }

    /// Returns the ids of all links, oldest first.
    #[func]
    fn get_links(&mut self) -> PackedInt64Array {
        match self.world("FlowFieldManager.get_links") {
            Some(world) => world.link_ids().map(|id| id.0).collect(),
            None => PackedInt64Array::new(),
        }
    }

    /// Returns the first and the last cell of a link. If the link does not exist, reports an error and returns an empty array.
    #[func]
    fn get_link_cells(&mut self, link: i64) -> PackedVector2Array {
        const METHOD: &str = "FlowFieldManager.get_link_cells";
        let link = self
            .world(METHOD)
            .and_then(|world| world.link(LinkId(link)).or_refuse(METHOD).copied());
        link.map_or_else(PackedVector2Array::new, |link| {
            crate::convert::packed_cells(&[link.from, link.to])
        })
    }

    /// Returns how agents get over a link: LINK_AT_ONCE, LINK_WALK or LINK_TIMED. If the link does not exist, reports an error and returns -1.
    #[func]
    fn get_link_travel(&mut self, link: i64) -> i64 {
        match self.travel("FlowFieldManager.get_link_travel", link) {
            None => -1,
            Some(Travel::AtOnce) => Self::LINK_AT_ONCE,
            Some(Travel::Walk) => Self::LINK_WALK,
            Some(Travel::Timed { .. }) => Self::LINK_TIMED,
        }
    }

    /// Returns how many seconds agents are on a link of LINK_TIMED for, and 0 for any other. If the link does not exist, reports an error and returns 0.
    #[func]
    fn get_link_seconds(&mut self, link: i64) -> f64 {
        match self.travel("FlowFieldManager.get_link_seconds", link) {
            Some(Travel::Timed { seconds, .. }) => f64::from(seconds),
            _ => 0.0,
        }
    }

    /// Returns the height in world units of the arc of a link of LINK_TIMED, and 0 for any other. If the link does not exist, reports an error and returns 0.
    #[func]
    fn get_link_arc(&mut self, link: i64) -> f64 {
        match self.travel("FlowFieldManager.get_link_arc", link) {
            Some(Travel::Timed { arc, .. }) => f64::from(arc),
            _ => 0.0,
        }
    }

    /// Returns the end of the link that the path from a position takes, as the centre of the link's last cell, or Vector2.INF if the path takes no link there. It is meant for objects that move by get_flow_vector().
    #[func]
    fn get_link_ahead(
        &mut self,
        goal: i64,
        position: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> Vector2 {
        const METHOD: &str = "FlowFieldManager.get_link_ahead";
        let end = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.link_ahead(goal, vec2(position), movement)
        });
        let nowhere = Vector2::new(f32::INFINITY, f32::INFINITY);
        end.flatten().map_or(nowhere, vector2)
    }
}
