//! What monitors show of a manager.

use super::FlowFieldManager;
use crate::monitors::{FrameSum, mib};
use flow_swarm::world::FlowWorld;

/// The work of a physics frame, in which the manager may be updated several times.
#[derive(Default)]
pub(super) struct Work {
    milliseconds: FrameSum,
    /// What the world had built before the frame.
    before: Built,
}

impl Work {
    /// Adds an update of a world that had built `before`.
    pub(super) fn add(&mut self, milliseconds: f64, before: Built) {
        if self.milliseconds.add(milliseconds) {
            self.before = before;
        }
    }
}

/// How many fields and tiles a world has built.
#[derive(Clone, Copy, Default)]
pub(super) struct Built {
    fields: u64,
    tiles: u64,
}

impl Built {
    pub(super) fn of(world: &FlowWorld) -> Self {
        let stats = world.build_stats();
        Self {
            fields: stats.full_solves + stats.near_solves + stats.repairs,
            tiles: world.tiles_built(),
        }
    }
}

impl FlowFieldManager {
    pub(crate) fn update_ms(&mut self) -> f64 {
        self.work.milliseconds.get()
    }

    pub(crate) fn fields_in_frame(&mut self) -> f64 {
        let now = self.built().fields;
        now.saturating_sub(self.work.before.fields) as f64
    }

    pub(crate) fn tiles_in_frame(&mut self) -> f64 {
        let now = self.built().tiles;
        now.saturating_sub(self.work.before.tiles) as f64
    }

    pub(crate) fn memory_mib(&mut self) -> f64 {
        let bytes = self.world_ref().map_or(0, FlowWorld::memory_bytes);
        mib(bytes + self.kept_bytes())
    }

    fn built(&self) -> Built {
        self.world_ref().map_or_else(Built::default, Built::of)
    }
}
