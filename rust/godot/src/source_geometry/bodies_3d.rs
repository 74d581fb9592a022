//! Static bodies in 3D, seen from above.

use super::Rules;
use super::solids::Form;
use flow_swarm::Error;
use flow_swarm::import::Coverage;
use godot::classes::StaticBody3D;
use godot::prelude::*;

/// Draws all shapes of a body: of CollisionShape3D and CollisionPolygon3D children, and those added by code.
pub fn draw(rules: &Rules, body: &Gd<StaticBody3D>, on: &mut Coverage) -> Result<(), Error> {
    if body.get_collision_layer() & rules.mask == 0 {
        return Ok(());
    }
    let place = body.get_global_transform();
    for &owner in body.get_shape_owners().as_slice() {
        let owner = owner.cast_unsigned();
        if body.is_shape_owner_disabled(owner) {
            continue;
        }
        let place = place * body.shape_owner_get_transform(owner);
        for number in 0..body.shape_owner_get_shape_count(owner) {
            if let Some(shape) = body.shape_owner_get_shape(owner, number) {
                for part in Form::of(shape).parts(0.0) {
                    rules.draw_solid(&part, place, on)?;
                }
            }
        }
    }
    Ok(())
}
