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
    /// Adds a round body, such as the player, and returns its id, or 0 after an error. Agents are kept out of a solid one, as out of a wall that moves, except where walls leave them no room; ORCA agents go round it. From one that is not solid you only learn who touches it. Fields know nothing of bodies: what is to stay is better painted, or placed as a stamp.
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

    /// Adds a body in the shape of a box around a position, such as a door, and returns its id, or 0 after an error; `rotation` in radians turns its x side. Otherwise as add_body().
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

    /// Puts a body elsewhere, with its centre at `position`. ORCA agents see it move there.
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

    /// Has a body follow a Node2D or a Node3D: in each step it is where the node is, turned as the node is, and it is removed when the node is freed. While the node is outside of the tree it stays. Sizes are world units whatever the node's scale. Null lets it go.
    #[func]
    fn attach_body(&mut self, body: i64, node: Option<Gd<Node>>) -> Error {
        self.attach("EnemySwarm.attach_body", Site::Body(BodyId(body)), node)
    }

    /// Removes a body.
    #[func]
    fn remove_body(&mut self, body: i64) -> Error {
        self.remove_site("EnemySwarm.remove_body", Site::Body(BodyId(body)))
    }

    /// Whether an id names a body.
    #[func]
    fn has_body(&mut self, body: i64) -> bool {
        self.swarm.body_pose(BodyId(body)).is_ok()
    }

    /// The ids of the agents that touch a body after the last step, ascending, those that began to do so long ago too: for damage in every tick.
    #[func]
    fn get_body_contacts(&mut self, body: i64) -> PackedInt64Array {
        let found = self.swarm.body_contacts(BodyId(body));
        let found = found.or_refuse("EnemySwarm.get_body_contacts");
        found.map_or_else(PackedInt64Array::new, |ids| packed_ids(&ids))
    }
}
