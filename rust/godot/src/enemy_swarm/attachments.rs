//! Bodies and areas that follow nodes.

use super::EnemySwarm;
use crate::convert::{f32_from, pose_of_2d, pose_of_3d};
use crate::report::{code, refuse};
use flow_swarm::swarm::{AreaId, BodyId, Pose, Swarm};
use godot::classes::{Node, Node2D, Node3D};
use godot::global::Error;
use godot::obj::InstanceId;
use godot::prelude::*;
use std::fmt::{Display, Formatter};

/// A body or an area that may follow a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    Body(BodyId),
    Area(AreaId),
}

impl Display for Site {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Body(body) => write!(formatter, "body {}", body.0),
            Self::Area(area) => write!(formatter, "area {}", area.0),
        }
    }
}

/// A body or an area, and the node that it follows.
#[derive(Debug)]
pub(super) struct Attachment {
    site: Site,
    node: InstanceId,
}

/// The pose of a node in the agents' plane, without a layer, and its height if it is a Node3D.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) pose: Pose,
    height: Option<f32>,
}

impl Spot {
    /// The layer on which a Node3D stands, if heights tell the layers apart; `height` is that of the lowest layer.
    pub(super) fn layer(&self, swarm: &Swarm, height: f64) -> Option<u32> {
        let above = self.height? - f32_from(height);
        // A node may be at no height at all.
        swarm.layer_under(self.pose.position(), above).ok()?
    }
}

/// Where a node is in the agents' plane.
pub(super) enum Whereabouts {
    At(flow_swarm::Result<Spot>),
    /// The node is outside of the scene tree.
    Unknown,
    /// The node is neither a Node2D nor a Node3D.
    Nowhere,
}

impl Whereabouts {
    pub(super) fn of(node: &Gd<Node>) -> Self {
        let flat = node.clone().try_cast::<Node2D>();
        let solid = node.clone().try_cast::<Node3D>();
        if flat.is_err() && solid.is_err() {
            return Self::Nowhere;
        }
        if !node.is_inside_tree() {
            return Self::Unknown;
        }
        match (flat, solid) {
            (Ok(node), _) => {
                let pose = pose_of_2d(node.get_global_transform());
                Self::At(pose.map(|pose| Spot { pose, height: None }))
            }
            (_, Ok(node)) => {
                let transform = node.get_global_transform();
                let height = Some(transform.origin.y);
                Self::At(pose_of_3d(transform).map(|pose| Spot { pose, height }))
            }
            _ => Self::Nowhere,
        }
    }
}

impl EnemySwarm {
    /// Makes a body or an area follow a node, or no node any more.
    pub(super) fn attach(&mut self, method: &str, site: Site, node: Option<Gd<Node>>) -> Error {
        if let Err(error) = self.pose_of(site) {
            return code::<()>(method, Err(error));
        }
        let Some(node) = node else {
            self.detach(site);
            return Error::OK;
        };
        let moved = match Whereabouts::of(&node) {
            Whereabouts::At(spot) => spot.and_then(|spot| self.put(site, spot)),
            Whereabouts::Unknown => Ok(()),
            Whereabouts::Nowhere => {
                let class = node.get_class();
                refuse(
                    method,
                    format_args!("node must be a Node2D or a Node3D, not a {class}"),
                );
                return Error::ERR_INVALID_PARAMETER;
            }
        };
        if moved.is_ok() {
            self.detach(site);
            let node = node.instance_id();
            self.attachments.push(Attachment { site, node });
        }
        code(method, moved)
    }

    /// Removes a body or an area.
    pub(super) fn remove_site(&mut self, method: &str, site: Site) -> Error {
        self.detach(site);
        let removed = match site {
            Site::Body(body) => self.swarm.remove_body(body),
            Site::Area(area) => self.swarm.remove_area(area),
        };
        code(method, removed)
    }

    /// Moves bodies and areas to the nodes that they follow. Removes those whose node has been freed.
    pub(super) fn follow_nodes(&mut self, method: &str) {
        let mut attachments = std::mem::take(&mut self.attachments);
        attachments.retain(|attachment| {
            let Ok(node) = Gd::<Node>::try_from_instance_id(attachment.node) else {
                // A handler may have removed it already; an error does not matter.
                let _ = match attachment.site {
                    Site::Body(body) => self.swarm.remove_body(body),
                    Site::Area(area) => self.swarm.remove_area(area),
                };
                return false;
            };
            let Whereabouts::At(spot) = Whereabouts::of(&node) else {
                return true;
            };
            let moved = spot.and_then(|spot| self.put(attachment.site, spot));
            if let Err(error) = &moved {
                let (site, name) = (attachment.site, node.get_name());
                let reason = format_args!("{site} no longer follows node {name}: {error}");
                refuse(method, reason);
            }
            moved.is_ok()
        });
        self.attachments = attachments;
    }

    /// Ends the attachments of bodies and areas that do not exist any more.
    pub(super) fn detach_removed(&mut self) {
        let mut attachments = std::mem::take(&mut self.attachments);
        attachments.retain(|attachment| self.pose_of(attachment.site).is_ok());
        self.attachments = attachments;
    }

    fn detach(&mut self, site: Site) {
        self.attachments
            .retain(|attachment| attachment.site != site);
    }

    fn pose_of(&self, site: Site) -> flow_swarm::Result<Pose> {
        match site {
            Site::Body(body) => self.swarm.body_pose(body),
            Site::Area(area) => self.swarm.area_pose(area),
        }
    }

    /// Moves a body or an area to where its node is, for a Node3D on the layer on which it stands.
    fn put(&mut self, site: Site, spot: Spot) -> flow_swarm::Result<()> {
        let layer = spot.layer(&self.swarm, self.height);
        let pose = layer.map_or(spot.pose, |layer| {
            spot.pose.on_layer(self.swarm.layers(), layer)
        });
        match site {
            Site::Body(body) => self.swarm.move_body(body, pose),
            Site::Area(area) => self.swarm.move_area(area, pose),
        }
    }
}
