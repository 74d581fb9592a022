//! What monitors show of a swarm.

use super::EnemySwarm;
use crate::monitors::mib;

impl EnemySwarm {
    pub(crate) fn step_ms(&mut self) -> f64 {
        self.stepped.get()
    }

    pub(crate) fn agents_now(&mut self) -> f64 {
        self.swarm.len() as f64
    }

    pub(crate) fn memory_mib(&mut self) -> f64 {
        mib(self.swarm.memory_bytes())
    }
}
