//! What the engine asks of the node.

use super::EnemySwarm;
use godot::classes::{Engine, INode};
use godot::prelude::*;

#[godot_api]
impl INode for EnemySwarm {
    fn ready(&mut self) {
        let in_editor = Engine::singleton().is_editor_hint();
        self.base_mut().set_physics_process(!in_editor);
        let draws = self.interpolate && !in_editor;
        self.base_mut().set_process(draws);
        if !in_editor && self.get_output().is_none() {
            self.make_default_output();
        }
    }

    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        let wanted = {
            let swarm = this.bind();
            swarm.auto_step && (!swarm.swarm.is_empty() || swarm.drawn.is_showing())
        };
        if wanted {
            Self::step(this, delta);
        }
    }

    fn process(&mut self, _delta: f64) {
        let has_work = !self.swarm.is_empty() || self.drawn.is_showing();
        if self.auto_step && has_work {
            let fraction = Engine::singleton().get_physics_interpolation_fraction();
            self.draw_between("EnemySwarm.interpolate", fraction.clamp(0.0, 1.0));
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.get_setup_warnings()
    }
}
