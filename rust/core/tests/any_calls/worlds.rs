//! Calls that save and load the whole state.

use crate::caller::Caller;
use flow_swarm::error::Error;

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
        let (swarm, seed) = (self.swarm.save(), self.swarm.seed());
        let loaded = self.swarm.load_in(&self.world, &swarm);
        loaded.expect("its own state");
        assert!(self.swarm.save() == swarm && self.swarm.seed() == seed);
        self.note(hash);
    }
}
