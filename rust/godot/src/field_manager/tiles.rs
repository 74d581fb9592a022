//! Methods of `FlowFieldManager` about TILED goals.

use super::FlowFieldManager;
use crate::convert::{rect2i, vec2};
use crate::report::OrRefuse;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Asks for a route from a position, so that the tiles along it are built before anybody stands there. Swarms ask by themselves. Returns whether there is a route, or may be one: beyond routes_per_tick the search waits, and get_query_status is QUEUED until it has been made. For a FULL goal it builds the field.
    #[func]
    fn request_route(
        &mut self,
        goal: i64,
        position: Vector2,
        #[opt(default = 0)] movement_type: i64,
    ) -> bool {
        const METHOD: &str = "FlowFieldManager.request_route";
        let found = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.request_route(goal, movement, vec2(position))
        });
        found.unwrap_or(false)
    }

    /// What TILED goals have taken so far, and what they hold: tiles_built, some of them more than once; tiles_waiting to be built; routes_waiting, the goals and movement types to which routes wait to be searched; active_sectors of all goals and movement types together; routes that were searched; and of the cache hits, misses and evictions, cached_tiles and cache_bytes.
    #[func]
    fn get_tile_stats(&mut self) -> VarDictionary {
        let stats = self.world_ref().map(|world| world.tile_stats());
        let stats = stats.unwrap_or_default();
        vdict! {
            "tiles_built" => stats.built.cast_signed(),
            "tiles_waiting" => stats.waiting as i64,
            "routes_waiting" => stats.queued as i64,
            "active_sectors" => stats.active as i64,
            "routes" => stats.routes.cast_signed(),
            "hits" => stats.cache.hits.cast_signed(),
            "misses" => stats.cache.misses.cast_signed(),
            "evictions" => stats.cache.evictions.cast_signed(),
            "cached_tiles" => stats.cache.tiles as i64,
            "cache_bytes" => stats.cache.bytes as i64,
        }
    }

    /// The cells of each portal window of a movement type, on both sides of the border between two sectors.
    #[func]
    fn get_portals(&mut self, #[opt(default = 0)] movement_type: i64) -> Array<Rect2i> {
        const METHOD: &str = "FlowFieldManager.get_portals";
        let windows = self.world(METHOD).and_then(|world| {
            let movement = world.check_movement(movement_type).or_refuse(METHOD)?;
            world.portal_windows(movement).or_refuse(METHOD)
        });
        windows.map_or_else(Array::new, |windows| {
            windows.into_iter().map(rect2i).collect()
        })
    }

    /// The cells of the sectors that have a tile of a TILED goal for a movement type.
    #[func]
    fn get_built_sectors(
        &mut self,
        goal: i64,
        #[opt(default = 0)] movement_type: i64,
    ) -> Array<Rect2i> {
        const METHOD: &str = "FlowFieldManager.get_built_sectors";
        let built = self.ask(METHOD, goal, movement_type, |world, goal, movement| {
            world.built_sectors(goal, movement)
        });
        built.map_or_else(Array::new, |built| built.into_iter().map(rect2i).collect())
    }
}
