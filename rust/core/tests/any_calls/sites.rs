//! Calls about bodies and areas.

use flow_swarm::swarm::{AreaId, BodyId, Force, ForceKind, Pose, Shape};

use crate::caller::Caller;

impl Caller {
    /// Ids count up from 1, and two bodies are kept.
    pub fn change_bodies(&mut self) {
        let (shape, ahead) = (self.shape(), self.vector());
        let Ok(pose) = Pose::turned(self.place(), ahead) else {
            return;
        };
        let solid = self.random.percent(80);
        let added = self.swarm.add_body(shape, pose, solid);
        self.note(&added);
        let Ok(BodyId(last)) = added else {
            return;
        };
        let _ = self.swarm.remove_body(BodyId(last - 2));
        let some = BodyId(last - self.random.below(8) as i64);
        let found = (
            self.swarm.move_body(some, pose),
            self.swarm.body_pose(some),
            self.swarm.body_contacts(some),
        );
        self.note(found);
    }

    /// At most six areas are kept.
    pub fn change_areas(&mut self) {
        let (shape, center, radius) = (self.shape(), self.place(), self.number());
        let kinds = [ForceKind::Pull, ForceKind::Push, ForceKind::Vortex];
        let force = Force {
            kind: kinds[self.random.below(3)],
            strength: [30.0, 1.0].map(|scale| scale * self.number())[self.random.below(2)],
        };
        let (shape, added) = match Pose::at(self.place()) {
            Ok(pose) if self.random.percent(40) => (shape, self.swarm.add_area(shape, pose)),
            _ => {
                let added = self.swarm.add_force_field(center, radius, force);
                (Shape::Disc(radius), added)
            }
        };
        self.note(&added);
        let Ok(area) = added else {
            return;
        };
        self.areas.insert(area, shape);
        let oldest = AreaId(area.0 - 6);
        let removed = self.swarm.remove_area(oldest);
        assert_eq!(removed.is_ok(), self.areas.remove(&oldest).is_some());
        self.looked_at.retain(|&known| known != oldest);
        let some = AreaId(area.0 - self.random.below(8) as i64);
        if let Ok(pose) = Pose::at(center) {
            let moved = self.swarm.move_area(some, pose);
            assert_eq!(moved.is_ok(), self.areas.contains_key(&some));
            self.looked_at.retain(|&known| known != some);
        }
        let found = (self.swarm.area_pose(some), self.swarm.area_agents(some));
        self.note(found);
    }

    fn shape(&mut self) -> Shape {
        if self.random.percent(50) {
            Shape::Disc(self.number() / 8.0)
        } else {
            Shape::Box(self.vector() / 8.0)
        }
    }
}
