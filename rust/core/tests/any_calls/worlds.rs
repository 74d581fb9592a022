//! Calls that save and load the whole state.

use crate::caller::Caller;
use flow_swarm::error::Error;
use flow_swarm::swarm::SwarmSnapshot;

impl Caller {
    /// A load of the present state changes nothing that any other call can see.
    pub fn save_and_load_all(&mut self) {
        let saved = match self.world.save_state() {
            Ok(saved) => saved,
            Err(error) => {
                assert!(matches!(error, Error::NotSaved { .. }), "{error}");
                return self.note(error);
            }
        };
        let hash = self.world.world_hash();
        let spoiled = self.spoiled(&saved);
        if spoiled != saved {
            assert!(self.world.load_state(&spoiled).is_err(), "a spoiled world");
        }
        assert_eq!(self.world.world_hash(), hash, "refused, and changed");
        self.world.load_state(&saved).expect("its own state");
        assert_eq!(self.world.world_hash(), hash, "loaded what was saved");
        let again = self.world.save_state();
        assert!(again == Ok(saved), "it is saved as it was loaded");
        self.go_back();
        let (swarm, seed) = (self.swarm.save(), self.swarm.seed());
        let loaded = self.swarm.load_in(&self.world, &swarm);
        loaded.expect("its own state");
        assert!(self.swarm.save() == swarm && self.swarm.seed() == seed);
        self.note(hash);
    }

    /// A snapshot brings the present state back over a few calls.
    fn go_back(&mut self) {
        let (kept, hash) = (self.world.snapshot(), self.world.world_hash());
        let mut crowd = SwarmSnapshot::default();
        self.swarm.take_snapshot(&mut crowd);
        let saved = self.swarm.save();
        assert_eq!(
            (kept.tick(), crowd.tick()),
            (self.world.tick(), self.swarm.tick())
        );
        let before = self.world.snapshot_bytes([&kept].into_iter());
        assert_eq!(before, 0, "all is shared yet");
        let (goal, cell) = (self.world.create_goal(&[]), flow_swarm::IVec2::ZERO);
        self.world.set_terrain(cell, 7).expect("in every grid");
        self.world.update();
        let _ = self.swarm.step(&self.world, 0.05);
        self.world.check_snapshot(&kept).expect("its own");
        self.swarm.check_snapshot(&crowd).expect("its own");
        self.world.restore(&kept).expect("its own");
        self.swarm.restore(&self.world, &crowd).expect("its own");
        assert_eq!(self.world.world_hash(), hash, "back");
        assert!(self.swarm.save() == saved, "back, with all ids");
        drop(goal);
    }
}
