//! Applies the node's properties to the core's swarm.
//!
//! A property that only goes to the core is one entry of the class in `mod.rs`: see [`crate::properties`]. Setters
//! check and store values. The core's swarm gets them before a step, a drawing, or a call that depends on them.

use super::EnemySwarm;
use super::canvas::Canvas;
use crate::convert::f32_from;
use crate::properties::{HandedOver, Properties};
use crate::report::{OrRefuse, refuse, within};
use crate::resources;
use crate::swarm_agent_type::SwarmAgentType;
use flow_swarm::error::{in_range, positive};
use flow_swarm::grid::layers::MAX_LAYERS;
use flow_swarm::swarm::{
    AgentType, CustomData, InstanceLayout, LayerView, MAX_AGENT_TYPES, MAX_INSTANCE_SIZE, Settings,
    Tracking, View,
};
use godot::classes::Node;
use godot::prelude::*;

/// The core's form of the properties.
#[derive(Default)]
pub(super) struct CoreForm {
    pub(super) steering: Settings,
    pub(super) layers: LayerView,
    pub(super) layout: InstanceLayout,
    pub(super) view: View,
    pub(super) tracking: Tracking,
}

pub(super) fn instance_size_from(size: f64) -> flow_swarm::Result<f32> {
    let size = positive("instance_size", f32_from(size))?;
    in_range("instance_size", size, 0.0, MAX_INSTANCE_SIZE)
}

/// The only layer whose agents are drawn; `None` for -1, which stands for all layers.
pub(super) fn shown_layer(layer: i64) -> Result<Option<u32>, String> {
    let layer: i64 = within(-1..=i64::from(MAX_LAYERS) - 1, layer)?;
    Ok(u32::try_from(layer).ok())
}

/// Whether a node can draw agents; reports it if not.
pub(super) fn can_draw(property: &str, node: &Gd<Node>) -> bool {
    if Canvas::of(node).is_some() {
        return true;
    }
    let class = node.get_class();
    let reason =
        format_args!("must be a MultiMeshInstance2D or MultiMeshInstance3D, not a {class}");
    refuse(property, reason);
    false
}

impl EnemySwarm {
    /// Whether `count` types are allowed, and enough for the living agents; reports it if not.
    pub(super) fn has_enough_types(&self, property: &str, count: usize) -> bool {
        if count > MAX_AGENT_TYPES {
            let reason = format_args!("must have at most {MAX_AGENT_TYPES} entries, not {count}");
            refuse(property, reason);
            return false;
        }
        let last = self.swarm.kinds().iter().max();
        let used = last.map_or(0, |&kind| usize::from(kind) + 1);
        if count.max(1) < used {
            let reason =
                format_args!("living agents need at least {used} entries, there are {count}");
            refuse(property, reason);
            return false;
        }
        true
    }

    /// The core's form of the properties.
    pub(super) fn core_form(&self) -> HandedOver<CoreForm> {
        let mut core = CoreForm::default();
        self.hand_over(&mut core)?;
        core.steering.check()?;
        core.layers.check()?;
        core.view.check()?;
        core.tracking.check()?;
        // Both rectangles have been checked above. A rectangle without an area stands for none.
        if !self.focus_rect.has_area() {
            core.steering.focus = None;
        }
        if !self.view_rect.has_area() {
            core.view.rect = None;
        }
        if !matches!(
            core.layout.custom,
            CustomData::Sprite | CustomData::Vertices | CustomData::Character
        ) {
            core.tracking.walk_cycle = None;
        }
        core.tracking.between_steps = self.interpolate;
        Ok(core)
    }

    /// Applies the properties to the core's swarm. Reports what the core refuses.
    pub(super) fn sync_properties(&mut self, method: &str) {
        if let Some(core) = self.core_form().or_refuse(method) {
            self.swarm.set_settings(core.steering).or_refuse(method);
            self.swarm.set_layer_view(core.layers).or_refuse(method);
            self.swarm.set_tracking(core.tracking).or_refuse(method);
        }
        let types = self.agent_types.objects();
        // Strides depend on the size of instances.
        let scale = [self.instance_size, self.walk_cycle];
        let is_scaled = std::mem::replace(&mut self.seen_scale, scale) != scale;
        if !self.seen_types.update(&types) && !is_scaled {
            return;
        }
        let looks = types.iter_shared().map(|kind| {
            let look = kind.map(|kind| resources::with(&kind, SwarmAgentType::look));
            look.flatten()
        });
        self.type_looks = looks.collect();
        let types: Vec<AgentType> = types
            .iter_shared()
            .map(|kind| {
                kind.map_or_else(AgentType::default, |kind| AgentType {
                    clips: self.movement_clips(&kind),
                    instance_size: size_of(&kind).map_or(0.0, f32_from),
                    ..resources::with(&kind, SwarmAgentType::agent_type)
                })
            })
            .collect();
        self.swarm.set_types(&types).or_refuse(method);
    }
}

/// The width of instances of a type in diameters, if it has one of its own.
pub(super) fn size_of(kind: &Gd<SwarmAgentType>) -> Option<f64> {
    resources::with(kind, SwarmAgentType::instance_size)
}

impl Properties for EnemySwarm {
    fn check(&self) -> HandedOver {
        self.core_form().map(drop)
    }
}
