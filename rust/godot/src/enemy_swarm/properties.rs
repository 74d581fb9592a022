//! From the node's properties to the settings of the core's swarm.

use super::EnemySwarm;
use super::canvas::Canvas;
use crate::convert::{corners, f32_from};
use crate::report::{OrRefuse, refuse};
use crate::resources;
use crate::swarm_agent_type::SwarmAgentType;
use flow_swarm::swarm::{AgentType, ArrivalAction, LayerView, MAX_AGENT_TYPES, Settings};
use godot::classes::Node;
use godot::prelude::*;

/// Whether the core takes settings in which one property has a value of its own; reports it if not.
pub(super) fn takes(property: &str, settings: Settings) -> bool {
    settings.check().or_refuse(property).is_some()
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
    /// Whether the living agents can do with so many types; reports it if not.
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

    /// Carries the properties over into the core's swarm.
    pub(super) fn sync_properties(&mut self, method: &str) {
        let settings = Settings {
            separation: self.separation,
            wall_correction: self.wall_correction,
            arrival: match self.arrival_action {
                Self::DESPAWN => ArrivalAction::Despawn,
                Self::KEEP_GOING => ArrivalAction::KeepGoing,
                _ => ArrivalAction::Stop,
            },
            arrival_radius: f32_from(self.arrival_radius),
            settle_in_crowds: self.settle_in_crowds,
            crowd_fading: f32_from(self.crowd_fading),
            stuck_seconds: f32_from(self.stuck_time),
            far_agents_every: u32::try_from(self.far_agents_every).unwrap_or(1),
            focus: self.focus_rect.has_area().then(|| corners(self.focus_rect)),
        };
        self.swarm.set_settings(settings).or_refuse(method);
        let view = LayerView {
            height: f32_from(self.layer_height),
            only: u32::try_from(self.visible_layer).ok(),
        };
        self.swarm.set_layer_view(view).or_refuse(method);
        self.swarm.set_tracking(self.tracking()).or_refuse(method);
        let types = self.agent_types.objects();
        if !self.seen_types.update(&types) {
            return;
        }
        let types: Vec<AgentType> = types
            .iter_shared()
            .map(|kind| {
                kind.map_or_else(AgentType::default, |kind| {
                    resources::with(&kind, SwarmAgentType::agent_type)
                })
            })
            .collect();
        self.swarm.set_types(&types).or_refuse(method);
    }
}
