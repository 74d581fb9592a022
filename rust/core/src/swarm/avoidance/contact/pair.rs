//! Two agents that may touch, and the rules by which they part. What a rule reads does not change much while the solver
//! works, so it is looked up once, when the two first touch: then passes read nothing but pairs and positions.

/// Two agents that may touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// Their places, from the first of their band on.
    pub(super) one: u32,
    pub(super) other: u32,
    /// The distance at which they touch.
    pub(super) touching: f32,
    /// Not known until they touch, as many never do.
    pub(super) shares: Shares,
}

/// Which share of what parts two agents each of them takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares {
    /// How much lighter the first one is: the difference of the inverse masses over their sum. -1 if it does not move
    /// for the other one, 1 if the other one does not.
    pub(super) lighter: f32,
    /// How much further in front the first one is, -1..=1: it yields by as much less.
    pub(super) front: f32,
    /// By how much of itself that falls with each bit of [`solve`](super::solve)'s size of the overlap.
    pub(super) fading: f32,
    /// How far corrections are turned to one hand, as a tangent.
    pub(super) turn: f32,
    /// How far a correction moves one of them at most.
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
