//! The enums of `FlowFieldManager`.

use super::FlowFieldManager;
use crate::class_enum::class_enums;

class_enums! {
FlowFieldManager;

/// How costs are computed: see solver.
enum Solver {
    /// Exact costs of paths of steps to the eight neighbours.
    SOLVER_OCTILE = 0 (was OCTILE),
    /// Costs of paths at any angle.
    SOLVER_EIKONAL = 1 (was EIKONAL),
}

/// How tiles are built: see tile_variant.
enum TileVariant {
    /// Costs are carried over from tile to tile.
    TILES_SEAMLESS = 0,
    /// Each tile leads only to the exits of its sector.
    TILES_PLAIN = 1,
}

/// How the direction of a cell follows from the costs: see direction_rule.
enum DirectionRule {
    /// Towards the neighbour on a cheapest path.
    DIRECTION_BEST_NEIGHBOUR = 0 (was BEST_NEIGHBOUR),
    /// Down the slope of the costs.
    DIRECTION_NEGATIVE_GRADIENT = 1 (was NEGATIVE_GRADIENT),
    /// Back along the wave that found the costs, with a penalty on diagonal steps. The rule of Li Tian et al. 2020.
    DIRECTION_PREDECESSOR = 2 (was PREDECESSOR),
    /// Along the shortest path, which may run at any angle.
    DIRECTION_CHARACTERISTIC = 3 (was CHARACTERISTIC),
}

/// How agents get over a link: see add_link().
enum LinkTravel {
    /// An agent in the first cell is at a random point of the last cell in its next step. This suits teleporters.
    LINK_AT_ONCE = 0,
    /// An agent in the first cell walks straight to the nearest point of the last cell, at its own speed. This suits stairs and ramps between layers, whose cells are beside each other.
    LINK_WALK = 1,
    /// An agent in the first cell goes to a random point of the last cell in a given time, and is drawn on an arc. This suits jump pads, ladders and drops.
    LINK_TIMED = 2,
}

/// How the way to a goal is found: see create_goal().
enum GoalMode {
    /// One field over the whole map.
    GOAL_MODE_FULL = 0 (was FULL),
    /// Tiles along the routes that are requested.
    GOAL_MODE_TILED = 1 (was TILED),
}

/// What agents do about the targets of a goal: see get_goal_kind().
enum GoalKind {
    /// Agents go to the targets.
    GOAL_KIND_SEEK = 0 (was SEEK),
    /// Agents flee from the targets.
    GOAL_KIND_FLEE = 1 (was FLEE),
    /// Agents keep between two distances of the targets.
    GOAL_KIND_RANGE = 2 (was RANGE),
}

/// What is drawn over the grid: see debug_view.
enum DebugView {
    /// Nothing.
    DEBUG_OFF = 0,
    /// The cost of each cell.
    DEBUG_COST = 1,
    /// The cost to the goal.
    DEBUG_INTEGRATION = 2,
    /// The directions.
    DEBUG_FLOW = 3,
    /// A colour for each island.
    DEBUG_ISLANDS = 4,
    /// The cells that are too narrow for the movement type.
    DEBUG_CLEARANCE = 5,
    /// The cells in sight of the goal.
    DEBUG_LINE_OF_SIGHT = 6,
    /// The borders of sectors, and the portals in them.
    DEBUG_SECTORS = 7,
    /// The sectors that have a tile of a TILED goal, and the directions there.
    DEBUG_TILES = 8,
    /// The age of the field of a goal that walks, as get_field_age() returns it. Cells are green where the directions lead to the goal's present position, then blue, and violet for older directions.
    DEBUG_FIELD_AGE = 9,
    /// The heights of the ground, as colours with contour lines.
    DEBUG_HEIGHTS = 10,
}

/// The channel of an image that is read: see load_image().
enum Channel {
    /// Red.
    CHANNEL_RED = 0,
    /// Green.
    CHANNEL_GREEN = 1,
    /// Blue.
    CHANNEL_BLUE = 2,
    /// Alpha.
    CHANNEL_ALPHA = 3,
    /// Luminance.
    CHANNEL_LUMINANCE = 4,
}

/// Whether there is a route, and why not: see get_query_status().
enum QueryStatus {
    /// There is a route.
    QUERY_OK = 0 (was OK),
    /// The starting point is in a wall.
    QUERY_START_BLOCKED = 1 (was START_BLOCKED),
    /// Every target is in a wall.
    QUERY_GOAL_BLOCKED = 2 (was GOAL_BLOCKED),
    /// Start and goal are on open ground, and no path joins them.
    QUERY_DISCONNECTED = 3 (was DISCONNECTED),
    /// Open ground or links join start and goal, but it is too narrow for the movement type.
    QUERY_TOO_NARROW = 4 (was TOO_NARROW),
    /// The starting point is outside the grid.
    QUERY_OUT_OF_BOUNDS = 5 (was OUT_OF_BOUNDS),
    /// The first field is still being built, or the one that is to replace a field without a route at the position; or a route to a TILED goal has been requested and the tile at the position is not built yet.
    QUERY_PENDING = 6 (was PENDING),
    /// A route to a TILED goal has been requested and waits to be searched.
    QUERY_QUEUED = 7 (was QUEUED),
}
}
