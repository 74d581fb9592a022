//! Methods of `FlowFieldManager` about TILED goals.

use super::FlowFieldManager;
use crate::convert::{rect2i, vec2};
use crate::report::OrRefuse;
use godot::prelude::*;

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Requests a route from a position to a goal, so that the tiles along it are built before they are needed. Swarms request routes themselves. Returns `true` if there is a route, or may be one: beyond routes_per_tick the search waits, and get_query_status() returns QUERY_QUEUED until the route is searched. For a FULL goal it builds the field.
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

    /// Returns statistics of TILED goals, with the following keys.
    ///
    /// `tiles_built`: the number of tiles that were built; a tile that was built twice counts twice. `tiles_loaded`: the number of tiles that were taken from files instead. `tiles_waiting`: the number of tiles that wait to be built.
    ///
    /// `routes`: the number of routes that were searched. `routes_waiting`: the number of goals and movement types with routes that wait to be searched.
    ///
    /// `active_sectors`: the number of sectors that are active or have plain tiles, of all goals and movement types together.
    ///
    /// `hits`, `misses`, `evictions`, `cached_tiles` and `cache_bytes`: the counts and the size of the tile cache.
    #[func]
    fn get_tile_stats(&mut self) -> VarDictionary {
        let stats = self.world_ref().map(|world| world.tile_stats());
        let stats = stats.unwrap_or_default();
        vdict! {
            "tiles_built" => stats.built.cast_signed(),
            "tiles_loaded" => stats.loaded.cast_signed(),
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

    /// Returns the cells of each portal of a movement type. A rectangle includes the cells on both sides of the border between two sectors.
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

    /// Returns the cells of the sectors that have a tile of a TILED goal for a movement type.
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
