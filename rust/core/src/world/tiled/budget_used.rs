//! The part of a tick's budget that is used.

/// The work of searches and builds since the last update began.
#[derive(Debug, Default)]
pub(in crate::world) struct BudgetUsed {
    /// The work of searches, in portals.
    pub(super) work: u64,
    /// The time in seconds; 0 unless it is limited.
    pub(super) seconds: f64,
    /// The part of the work for renewals: routes that are searched again while tiles lead on.
    pub(super) on_renewals: u64,
    /// Whether a search has been made in this tick for each kind of request. The first one is made whatever the budget
    /// is.
    pub(super) for_agents: bool,
    pub(super) for_renewals: bool,
    pub(super) for_moved: bool,
    pub(super) from_queue: bool,
}

/// The default for the most routes searched in a tick: a few milliseconds of work.
pub const DEFAULT_ROUTE_LIMIT: usize = 64;

/// The work of a source and the table of its sector, in portals.
pub(in crate::world) const SOURCE: u64 = 32;
