//! Setting colours.

use crate::swarm::draw::palette::{Palette, WHITE};
use crate::swarm::state::swarm::Swarm;

impl Swarm {
    /// Replaces the colours of states and groups.
    pub fn set_palette(&mut self, palette: Palette) {
        self.palette = palette;
    }

    /// Whether any type, state, group or agent has another colour than white, so that instances need one.
    #[must_use]
    pub fn has_colors(&self) -> bool {
        !self.palette.is_plain
            || !self.agents.factors.color.is_empty()
            || self.types.iter().any(|kind| kind.color != WHITE)
    }
}
