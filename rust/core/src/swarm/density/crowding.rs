//! Crowd penalties: measures the crowd density of a swarm, and reports it to the world.

use crate::swarm::constraints::speed_factors::SpeedFactors;
use crate::swarm::density::Density;
use crate::swarm::goal::pace::pace;
use crate::swarm::state::swarm::Swarm;
use crate::world::FlowWorld;
use glam::IVec2;

/// The fraction of its wanted speed below which an agent begins to count as standing.
const SLOW: f32 = 0.5;

impl Swarm {
    /// Reports to `world` how crowded the ground is by agents of this swarm that stand or move slowly, for any reason.
    /// Call it before [`Self::request_routes`]: fields of movement types with a
    /// [`CrowdPenalty`](crate::movement::CrowdPenalty) then lead around crowds. It does nothing if no movement type has
    /// one.
    ///
    /// Steps measure the density four times a second, and a save keeps it, so that runs repeat. A report ends when the
    /// swarm is dropped or reports to another world.
    pub fn report_crowding(&mut self, world: &mut FlowWorld) {
        let is_current = world.minds_crowds() && self.density.size == world.grid().size();
        if is_current {
            world.take_report(&mut self.reporter, self.density.levels());
        } else {
            world.take_report(&mut self.reporter, std::iter::empty());
        }
    }

    /// Measures the crowd density, if a movement type needs it and it is due. O(agents).
    pub(in crate::swarm) fn measure_density(&mut self, world: &FlowWorld, dt: f32) {
        if !world.minds_crowds() {
            self.density.clear();
            return;
        }
        let mut density = std::mem::take(&mut self.density);
        density.lay_out(world.grid().size());
        if density.is_due(dt) {
            self.cover(world, &mut density);
            density.blend(self.settings.crowd_fading);
        }
        self.density = density;
    }

    fn cover(&self, world: &FlowWorld, density: &mut Density) {
        let agents = &self.agents;
        let speeds = SpeedFactors::new(world);
        for (index, &position) in agents.position.iter().enumerate() {
            if !agents.is_solid(index) {
                continue;
            }
            let kind = &self.types[usize::from(agents.kind[index])];
            let own = pace(kind, self.seed, agents.key[index]) * agents.factors.speed_of(index);
            let wanted = kind.max_speed * own;
            // A slow agent on ground that slows it does not stand. The time without progress takes this into account
            // already.
            let here = wanted * speeds.factor(kind, position, agents.heading[index]);
            let by_speed = 1.0 - agents.velocity[index].length() / (SLOW * here);
            // An agent that is pushed back and forth has a speed but makes no progress.
            let by_progress = agents.stalled[index] * (SLOW * wanted) / kind.radius - 1.0;
            let share = by_speed.max(by_progress).clamp(0.0, 1.0);
            if share > 0.0 {
                density.cover(world.grid(), position, kind.radius, share);
            }
        }
    }

    /// Whether there is any crowd density to save.
    pub(in crate::swarm) fn has_density(&self) -> bool {
        self.density.size != IVec2::ZERO
    }
}
