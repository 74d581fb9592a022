//! Areas and force fields of `EnemySwarm`.

use super::EnemySwarm;
use super::attachments::Site;
use super::enums::ForceKind;
use crate::class_enum::ClassEnum as _;
use crate::convert::{f32_from, packed_ids, pose, vec2, vector2};
use crate::report::{OrRefuse, code};
use flow_swarm::swarm::{self, AreaId, Force, Pose, Shape};
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Adds a rectangular area and returns its id, or 0 after an error. agents_entered_area and agents_exited_area are emitted for agents whose centres enter and leave it.
    #[func]
    fn add_area(&mut self, rect: Rect2) -> i64 {
        let half = 0.5 * vec2(rect.size);
        let center = vector2(vec2(rect.position) + half);
        self.add_any_area("EnemySwarm.add_area", Shape::Box(half), center)
    }

    /// Adds a round area and returns its id, or 0 after an error. `radius` is in world units, above 0. Otherwise the same as add_area().
    #[func]
    fn add_circle_area(&mut self, center: Vector2, radius: f64) -> i64 {
        let shape = Shape::Disc(f32_from(radius));
        self.add_any_area("EnemySwarm.add_circle_area", shape, center)
    }

    fn add_any_area(&mut self, method: &str, shape: Shape, center: Vector2) -> i64 {
        let added = Pose::at(vec2(center)).and_then(|pose| self.swarm.add_area(shape, pose));
        added.or_refuse(method).map_or(0, |area| area.0)
    }

    /// Adds a force field and returns the id of its round area, or 0 after an error. In each step the force field accelerates the agents inside it: towards its centre (FORCE_PULL), away from it (FORCE_PUSH) or around it (FORCE_VORTEX, clockwise in 2D). `strength` is the acceleration of an agent of mass 1 at the centre, in world units a second squared, from -1000000 to 1000000. It falls linearly to 0 at `radius`. A negative strength reverses the direction. Agents resist with their own acceleration: a weaker force hardly moves them. SCRIPTED agents are not affected.
    #[func]
    fn add_force_field(
        &mut self,
        kind: ForceKind,
        center: Vector2,
        radius: f64,
        strength: f64,
    ) -> i64 {
        const METHOD: &str = "EnemySwarm.add_force_field";
        let kinds = [
            swarm::ForceKind::Pull,
            swarm::ForceKind::Push,
            swarm::ForceKind::Vortex,
        ];
        let Some(kind) = kind.index_for("kind").or_refuse(METHOD) else {
            return 0;
        };
        let force = Force {
            kind: kinds[kind],
            strength: f32_from(strength),
        };
        let added = self
            .swarm
            .add_force_field(vec2(center), f32_from(radius), force);
        added.or_refuse(METHOD).map_or(0, |area| area.0)
    }

    /// Moves an area or a force field, with its centre at `center`. `rotation`, in radians, turns a rectangular area.
    #[func]
    fn move_area(
        &mut self,
        area: i64,
        center: Vector2,
        #[opt(default = 0.0)] rotation: f64,
    ) -> Error {
        let moved =
            pose(center, rotation).and_then(|pose| self.swarm.move_area(AreaId(area), pose));
        code("EnemySwarm.move_area", moved)
    }

    /// Makes an area or a force field follow a Node2D or a Node3D, with its centre at the node's position. See attach_body().
    #[func]
    fn attach_area(&mut self, area: i64, node: Option<Gd<Node>>) -> Error {
        self.attach("EnemySwarm.attach_area", Site::Area(AreaId(area)), node)
    }

    /// Removes an area or a force field. No agent counts as leaving it: agents_exited_area is not emitted.
    #[func]
    fn remove_area(&mut self, area: i64) -> Error {
        self.remove_site("EnemySwarm.remove_area", Site::Area(AreaId(area)))
    }

    /// Returns `true` if an area or a force field with this id exists.
    #[func]
    fn has_area(&mut self, area: i64) -> bool {
        self.swarm.area_pose(AreaId(area)).is_ok()
    }

    /// Returns the ids of the agents whose centres were in an area or a force field after the last step, in ascending order.
    #[func]
    fn get_area_agents(&mut self, area: i64) -> PackedInt64Array {
        let found = self.swarm.area_agents(AreaId(area));
        let found = found.or_refuse("EnemySwarm.get_area_agents");
        found.map_or_else(PackedInt64Array::new, |ids| packed_ids(&ids))
    }
}
