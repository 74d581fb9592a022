//! What has been searched and built in a tick.

/// What has been searched and built since the last update began.
#[derive(Debug, Default)]
pub(in crate::world) struct BudgetUsed {
    /// In portals.
    pub(super) work: u64,
    /// Only if the time is limited.
    pub(super) seconds: f64,
    /// Of the work what routes have taken that are found anew while tiles lead on.
    pub(super) on_renewals: u64,
    /// Whether a search has been made for each of these, however much has been spent.
    pub(super) for_agents: bool,
    pub(super) for_renewals: bool,
    pub(super) for_moved: bool,
    pub(super) from_queue: bool,
}

/// How many routes are searched in a tick at most unless another number is chosen: a few milliseconds' work.
pub const DEFAULT_ROUTE_LIMIT: usize = 64;

/// What a source and the table of its sector count for besides, in portals.
pub(in crate::world) const SOURCE: u64 = 32;
