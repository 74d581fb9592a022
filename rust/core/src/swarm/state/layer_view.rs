//! How layers are shown.

use crate::error::{Result, in_range};

/// How layers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LayerView {
    /// The height of each layer's instances above those of the layer below, in 3D.
    pub height: f32,
    /// The only layer whose agents are shown; all layers if `None`. Instances of other layers have size 0.
    pub only: Option<u32>,
}

impl LayerView {
    /// Whether a swarm takes it.
    ///
    /// # Errors
    /// A height that is not finite or beyond 1e6.
    pub fn check(&self) -> Result<()> {
        in_range("layer_height", self.height, -1.0e6, 1.0e6)?;
        Ok(())
    }
}
