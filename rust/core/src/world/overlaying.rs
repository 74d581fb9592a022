//! Adds, moves, fades and removes cost overlays.

use crate::error::{Result, in_range};
use crate::movement::{CostOverlay, MAX_FADING, OverlayId};
use crate::world::FlowWorld;
use glam::Vec2;

impl FlowWorld {
    /// Lays an overlay over the costs at a position, on the position's layer. Its cells cost more from the next update
    /// or query on, at most [`MAX_COST`](crate::movement::MAX_COST) with everything else; the sum of several counts.
    /// Parts outside the layer do nothing.
    ///
    /// No cell is opened or closed, so islands stay as they are, and agents are not slowed down. Linear in the cells of
    /// a rectangle around it, for however many overlays there are. Fields are repaired as after an edit of terrain.
    ///
    /// # Errors
    /// A position that is not finite, movement types that the world does not have, or
    /// [`Error::OverlayOutside`](crate::Error::OverlayOutside) if it covers no cell.
    pub fn add_cost_overlay(&mut self, position: Vec2, overlay: &CostOverlay) -> Result<OverlayId> {
        let overlays = &mut self.surcharges.overlays;
        overlays.add((&self.grid, self.layers.len()), position, overlay)
    }

    /// Moves an overlay to a position, possibly on another layer. It goes on fading as if it had not been moved.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId), also for an overlay that has faded away; a position that is not
    /// finite, or [`Error::OverlayOutside`](crate::Error::OverlayOutside).
    pub fn move_cost_overlay(&mut self, id: OverlayId, position: Vec2) -> Result<()> {
        self.surcharges.overlays.shift(&self.grid, id, position)
    }

    /// Removes an overlay. Costs are then as if it had never been there.
    ///
    /// # Errors
    /// [`Error::UnknownId`](crate::Error::UnknownId), also for an overlay that has faded away.
    pub fn remove_cost_overlay(&mut self, id: OverlayId) -> Result<()> {
        self.surcharges.overlays.remove(id)
    }

    /// Removes all overlays.
    pub fn clear_cost_overlays(&mut self) {
        self.surcharges.overlays.clear();
    }

    /// Lets overlays fade by a time. Call it once a tick with the tick's length. Costs change at most four times a
    /// second, by all steps that are due, and only under the overlays that reach their next step.
    ///
    /// # Errors
    /// A time outside 0..=[`MAX_FADING`] seconds.
    pub fn fade_cost_overlays(&mut self, seconds: f64) -> Result<()> {
        let seconds = in_range("seconds", seconds, 0.0, MAX_FADING)?;
        self.surcharges.overlays.fade(seconds);
        Ok(())
    }

    /// Whether an overlay has been neither removed nor faded away.
    #[must_use]
    pub fn has_cost_overlay(&self, id: OverlayId) -> bool {
        self.surcharges.overlays.contains(id)
    }

    /// All overlays, in the order in which they were added.
    pub fn cost_overlay_ids(&self) -> impl Iterator<Item = OverlayId> {
        self.surcharges.overlays.ids()
    }
}
