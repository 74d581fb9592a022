//! Bodies of `EnemySwarm`: the player, doors, carts.

use super::EnemySwarm;
use super::attachments::Site;
use crate::convert::{f32_from, packed_ids, pose, vec2};
use crate::report::{OrRefuse, code};
use flow_swarm::swarm::{BodyId, Shape};
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Adds a round body, such as the player, and returns its id, or 0 after an error. `radius` is in world units, above 0. Agents are kept out of a solid body like out of a moving wall, except where walls leave them no room; ORCA agents go around it. A body that is not solid only reports the agents that touch it: see agents_contacted. Bodies do not change fields. For an obstacle that stays, paint terrain or place a stamp.
    #[func]
    fn add_body(
        &mut self,
        position: Vector2,
        radius: f64,
        #[opt(default = true)] solid: bool,
    ) -> i64 {
        let shape = Shape::Disc(f32_from(radius));
        self.add_any_body("EnemySwarm.add_body", shape, position, 0.0, solid)
    }

    /// Adds a body in the shape of a box with its centre at `position`, such as a door, and returns its id, or 0 after an error. `rotation`, in radians, turns the box. Otherwise the same as add_body().
    #[func]
    fn add_box_body(
        &mut self,
        position: Vector2,
        size: Vector2,
        #[opt(default = 0.0)] rotation: f64,
        #[opt(default = true)] solid: bool,
    ) -> i64 {
        let shape = Shape::Box(0.5 * vec2(size));
        self.add_any_body("EnemySwarm.add_box_body", shape, position, rotation, solid)
    }

    fn add_any_body(
        &mut self,
        method: &str,
        shape: Shape,
        position: Vector2,
        rotation: f64,
        solid: bool,
    ) -> i64 {
        let added =
            pose(position, rotation).and_then(|pose| self.swarm.add_body(shape, pose, solid));
        added.or_refuse(method).map_or(0, |body| body.0)
    }

    /// Moves a body, with its centre at `position`. `rotation` is in radians. ORCA agents see the body move there at a constant velocity during the next step.
    #[func]
    fn move_body(
        &mut self,
        body: i64,
        position: Vector2,
        #[opt(default = 0.0)] rotation: f64,
    ) -> Error {
        let moved =
            pose(position, rotation).and_then(|pose| self.swarm.move_body(BodyId(body), pose));
        code("EnemySwarm.move_body", moved)
    }

    /// Makes a body follow a Node2D or a Node3D. In each step the body has the position and the rotation of the node. If it is a Node3D and layer_height is not 0, the body is on the layer whose height is nearest at or below that of the node; it may be 0.1 below the layer that it stands on. The size of the body does not depend on the node's scale. While the node is outside of the scene tree, the body stays where it is. When the node is freed, the body is removed. If `node` is `null`, the body no longer follows a node.
    #[func]
    fn attach_body(&mut self, body: i64, node: Option<Gd<Node>>) -> Error {
        self.attach("EnemySwarm.attach_body", Site::Body(BodyId(body)), node)
    }

    /// Removes a body.
    #[func]
    fn remove_body(&mut self, body: i64) -> Error {
        self.remove_site("EnemySwarm.remove_body", Site::Body(BodyId(body)))
    }

    /// Returns `true` if a body with this id exists.
    #[func]
    fn has_body(&mut self, body: i64) -> bool {
        self.swarm.body_pose(BodyId(body)).is_ok()
    }

    /// Returns the ids of all agents that touched a body after the last step, in ascending order, including those that had already touched it before. This suits damage in every tick. agents_contacted reports only agents that have begun to touch the body.
    #[func]
    fn get_body_contacts(&mut self, body: i64) -> PackedInt64Array {
        let found = self.swarm.body_contacts(BodyId(body));
        let found = found.or_refuse("EnemySwarm.get_body_contacts");
        found.map_or_else(PackedInt64Array::new, |ids| packed_ids(&ids))
    }
}
