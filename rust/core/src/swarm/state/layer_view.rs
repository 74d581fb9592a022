//! How layers are shown.

/// How layers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LayerView {
    /// How much higher each layer's instances are than those of the layer below, in 3D.
    pub height: f32,
    /// The only layer whose agents are shown; all if none. Others' instances have no size.
    pub only: Option<u32>,
}
