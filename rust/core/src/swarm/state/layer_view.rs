//! How layers are shown.

/// How layers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LayerView {
    /// The height of each layer's instances above those of the layer below, in 3D.
    pub height: f32,
    /// The only layer whose agents are shown; all layers if `None`. Instances of other layers have size 0.
    pub only: Option<u32>,
}
