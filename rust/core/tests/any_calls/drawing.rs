//! Calls that draw agents and set their appearance.

use flow_swarm::swarm::{
    Band, Channels, CustomData, Extent, Eye, Frustum, InstanceLayout, LayerView,
    MAX_FRUSTUM_PLANES, Palette, Plane, Pose, Tracking, View,
};
use flow_swarm::{Vec2, Vec3};

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
        self.draw_by_channel(&layout, &view);
        let stand = self.swarm.standing_positions(1.0);
        assert_eq!(stand.len(), self.swarm.len());
        for id in self.some_ids() {
            let pose = self.swarm.drawn_pose(id, view.fraction);
            let is_finite = |(place, ahead): (Vec2, Vec2)| place.is_finite() && ahead.is_finite();
            assert!(pose.clone().is_ok_and(is_finite) || pose.is_err());
            let heights = (
                self.swarm.drawn_height(id, view.fraction, 1.0),
                self.swarm.drawn_offset(id, view.fraction, 2.0),
            );
            let is_finite = |height: &flow_swarm::Result<f32>| {
                height.as_ref().map_or(true, |height| height.is_finite())
            };
            assert!(is_finite(&heights.0) && is_finite(&heights.1));
            self.note(heights);
            let scripted = self.swarm.scripted_velocity(id);
            let (place, above) = (self.vector(), self.number());
            let layer = self.swarm.layer_under(place, above);
            let layers = *self.swarm.layers();
            if let Ok(Some(layer)) = layer {
                assert!(layer < layers.count());
            }
            let pose = Pose::at(place).map(|pose| pose.on_layer(&layers, 0));
            self.note((layer, pose.is_ok()));
            let stands = self.swarm.standing_position(id, 1.0);
            let drawn = self.swarm.drawn_height(id, 1.0, 1.0);
            assert_eq!(
                stands.clone().map(|at| at.y),
                drawn,
                "drawn where it stands"
            );
            let height = self.swarm.drawn_height(id, view.fraction, 0.0);
            assert!(height.clone().is_ok_and(f32::is_finite) || height.is_err());
            self.note((pose, scripted, height, stands));
        }
    }

    fn draw_by_channel(&mut self, layout: &InstanceLayout, view: &View) {
        let mut bands = Vec::new();
        for _ in 0..self.random.below(4) {
            let mut own: Vec<Band> = (0..self.random.below(4))
                .map(|number| Band {
                    from: number as f32 * 3.0,
                    channel: self.random.percent(80).then_some(number as u16),
                })
                .collect();
            if self.random.percent(10) {
                let from = self.number();
                own.push(Band {
                    from,
                    channel: None,
                });
            }
            bands.push(own);
        }
        let Ok(channels) = Channels::new(&bands) else {
            return;
        };
        let workers = self.world.workers();
        let parts =
            self.swarm
                .instances_by_channel(layout, view, &channels, &mut self.packer, workers);
        let parts = parts.expect("the view is valid");
        assert_eq!(parts.count(), channels.count());
        let mut counts = Vec::new();
        let mut bits: Vec<u32> = Vec::new();
        for channel in 0..parts.count() {
            let part = parts.of(channel);
            let mut buffer = vec![0.0; part.len() * layout.stride()];
            part.write(&mut buffer, workers).expect("long enough");
            counts.push(part.len());
            bits.extend(buffer.iter().map(|number| number.to_bits()));
        }
        assert!(counts.iter().sum::<usize>() <= self.swarm.len());
        self.note((counts, bits));
    }

    fn eye(&mut self) -> Option<Eye> {
        let (position, height) = (self.place(), self.number());
        let distance = self.number();
        match self.random.below(3) {
            0 => None,
            1 => Some(Eye::At { position, height }),
            _ => Some(Eye::Parallel { distance }),
        }
    }

    fn frustum(&mut self) -> Option<Frustum> {
        let extent = Extent {
            radius: self.number(),
            low: -self.number(),
            high: self.number(),
        };
        let planes: Vec<(Vec3, f32)> = (0..self.random.below(MAX_FRUSTUM_PLANES + 2))
            .map(|_| {
                let (flat, height) = (self.place(), self.number());
                (Vec3::new(flat.x, height, flat.y), self.number())
            })
            .collect();
        let frustum = Frustum::new(&planes, extent).ok();
        assert!(extent.reach().is_nan() || extent.reach() >= 0.0);
        frustum.filter(|_| self.random.percent(50))
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
                CustomData::Character,
            ][self.random.below(6)],
            face_movement: self.random.percent(50),
            size: self.number(),
            height: self.number(),
            height_offset_2d: [0.0, 1.5, self.number()][self.random.below(3)],
        }
    }

    fn view(&mut self) -> View {
        let corner = self.place();
        View {
            rect: self
                .random
                .percent(50)
                .then_some((corner, corner + Vec2::splat(5.0))),
            frustum: self.frustum(),
            margin: self.number(),
            y_sort: self.random.percent(50),
            fraction: self.random.unit() as f32 * 1.01,
            eye: self.eye(),
        }
    }

    pub fn change_looks(&mut self) {
        let color = [self.number(), self.number(), 1.0, 1.0];
        let many = self.random.below(300);
        if let Ok(palette) = Palette::new(&[color], &vec![color; many]) {
            self.swarm.set_palette(palette);
        }
        self.swarm.set_ground(self.world.ground());
        let ranges = (
            self.swarm.drawn_heights(&self.world, 0.5),
            self.swarm.drawn_offsets(2.0),
        );
        let width = self.swarm.greatest_width(1.5);
        assert!(width >= 0.0);
        assert!(ranges.0.0 <= ranges.0.1 && ranges.1.0 <= ranges.1.1);
        self.note(ranges);
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
