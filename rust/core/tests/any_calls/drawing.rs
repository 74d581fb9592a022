//! Calls that draw agents and set their appearance.

use flow_swarm::Vec2;
use flow_swarm::swarm::{CustomData, InstanceLayout, LayerView, Palette, Plane, Tracking, View};

use crate::caller::Caller;

impl Caller {
    pub fn draw(&mut self) {
        let layout = self.layout();
        let view = self.view();
        let all = self.swarm.len() * layout.stride();
        // Mostly long enough.
        let length = self.random.below(4 * all + 1);
        let mut buffer = vec![-7.0; length];
        let workers = self.world.workers();
        let written = self.swarm.pack(&layout, &mut buffer, workers);
        if written.is_ok() {
            assert!(length >= all, "packed {all} numbers into {length}");
            let rest = &buffer[all..];
            assert!(rest.iter().all(|&number| number == -7.0), "beyond the end");
        }
        let chosen = self
            .swarm
            .instances(&layout, &view, &mut self.packer, workers);
        let Ok(instances) = chosen else {
            return;
        };
        assert!(instances.len() <= self.swarm.len());
        let count = instances.len();
        assert_eq!(instances.is_empty(), count == 0);
        let drawn = (
            instances.len(),
            instances.write(&mut buffer, workers).is_ok(),
        );
        let bits: Vec<u32> = buffer.iter().map(|number| number.to_bits()).collect();
        self.note((written, drawn, bits));
        for id in self.some_ids() {
            let pose = self.swarm.drawn_pose(id, view.fraction);
            let is_finite = |(place, ahead): (Vec2, Vec2)| place.is_finite() && ahead.is_finite();
            assert!(pose.clone().is_ok_and(is_finite) || pose.is_err());
            let scripted = self.swarm.scripted_velocity(id);
            let height = self.swarm.drawn_height(id, view.fraction);
            assert!(height.clone().is_ok_and(f32::is_finite) || height.is_err());
            self.note((pose, scripted, height));
        }
    }

    fn layout(&mut self) -> InstanceLayout {
        InstanceLayout {
            plane: [Plane::Xy, Plane::Xz][self.random.below(2)],
            color: self.random.percent(50),
            custom: [
                CustomData::None,
                CustomData::Motion,
                CustomData::Sprite,
                CustomData::Vertices,
                CustomData::User,
            ][self.random.below(5)],
            face_movement: self.random.percent(50),
            size: self.number(),
            height: self.number(),
        }
    }

    fn view(&mut self) -> View {
        let corner = self.place();
        View {
            rect: self
                .random
                .percent(50)
                .then_some((corner, corner + Vec2::splat(5.0))),
            margin: self.number(),
            y_sort: self.random.percent(50),
            fraction: self.random.unit() as f32 * 1.01,
        }
    }

    pub fn change_looks(&mut self) {
        let color = [self.number(), self.number(), 1.0, 1.0];
        let many = self.random.below(300);
        if let Ok(palette) = Palette::new(&[color], &vec![color; many]) {
            self.swarm.set_palette(palette);
        }
        let cycle = self.number();
        let tracking = Tracking {
            between_steps: self.random.percent(50),
            walk_cycle: self.random.percent(50).then_some(cycle),
        };
        let view = LayerView {
            height: self.number(),
            only: u32::try_from(self.integer()).ok(),
        };
        let set = (
            tracking.check().is_ok(),
            self.swarm.set_tracking(tracking).is_ok(),
            self.swarm.set_layer_view(view),
        );
        assert_eq!(set.0, set.1);
        self.note(set);
    }
}
