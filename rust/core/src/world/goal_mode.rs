//! How a goal is reached: by fields of the whole map, or by tiles.

/// How directions to a goal are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GoalMode {
    /// One field over the whole map.
    #[default]
    Full,
    /// Tiles along the routes that something asked for.
    Tiled,
}

/// From what tiles of tiled goals are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TileVariant {
    /// Costs are carried over from tile to tile: they lead where a whole field would.
    #[default]
    Seamless,
    /// Each tile leads to the exits of its sector alone: longer ways, but tiles are shared by goals to which
    /// ways leave a sector alike. Where there are links it is as [`Self::Seamless`].
    Plain,
}

impl TileVariant {
    /// All of them, by the number that scenes know them by.
    pub const ALL: [Self; 2] = [Self::Seamless, Self::Plain];
}
