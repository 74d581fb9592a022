//! The modes of goals: fields of the whole map, or tiles.

/// How directions to a goal are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GoalMode {
    /// One field over the whole map.
    #[default]
    Full,
    /// Tiles along the routes that something asked for.
    Tiled,
}

/// The variants of tiles of tiled goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TileVariant {
    /// Costs are carried over from tile to tile, so tiles lead where a whole field would.
    #[default]
    Seamless,
    /// Each tile leads only to the exits of its sector. Paths are longer, but goals whose routes leave a sector by the
    /// same exits share tiles. On maps with links it is the same as [`Self::Seamless`].
    Plain,
}

impl TileVariant {
    /// All of them, by the number that scenes know them by.
    pub const ALL: [Self; 2] = [Self::Seamless, Self::Plain];
}
