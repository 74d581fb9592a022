//! Two agents that may touch, and how they share the corrections. The shares are computed once, when the two first
//! touch in a step, because their inputs hardly change between passes. Passes then read only pairs and positions.

/// Two agents that may touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// The places of both agents, counted from the first agent of the band.
    pub(super) one: u32,
    pub(super) other: u32,
    /// The distance of the centres at which the two touch.
    pub(super) touching: f32,
    /// [`Shares::UNKNOWN`] until the two first touch. Many pairs never do.
    pub(super) shares: Shares,
}

/// How two agents share a correction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares {
    /// How much lighter the first agent is: the difference of the inverse masses divided by their sum. -1 if the first
    /// does not move for the other one, 1 if the other one does not move for the first.
    pub(super) lighter: f32,
    /// By how much the first agent is in front, -1..=1. It yields less by that much.
    pub(super) front: f32,
    /// The slope by which `front` fades as the overlap, in the measure of [`solve`](super::solve), grows.
    pub(super) fading: f32,
    /// The tangent of the angle by which corrections are turned to one side.
    pub(super) turn: f32,
    /// The longest displacement of one agent by a correction, in world units.
    pub(super) most: f32,
}

impl Shares {
    pub(super) const UNKNOWN: Self = Self {
        lighter: 0.0,
        front: 0.0,
        fading: 0.0,
        turn: 0.0,
        most: f32::NAN,
    };

    #[inline(always)]
    pub(super) fn is_known(&self) -> bool {
        !self.most.is_nan()
    }
}

impl Pair {
    pub(super) fn new([one, other]: [usize; 2], touching: f32) -> Self {
        Self {
            one: one as u32,
            other: other as u32,
            touching,
            shares: Shares::UNKNOWN,
        }
    }
}
