//! Writes the solver's positions back to the step's results.

use crate::swarm::avoidance::contact::contacts::Contacts;
use crate::swarm::constraints::velocity::velocity_over;
use crate::swarm::step::context::Context;
use crate::swarm::step::result::StepResult;

/// Agents per piece of parallel work.
const CHUNK: usize = 4096;

impl Contacts {
    /// Writes the solver's positions to the agents' results, with the velocities that follow from them.
    pub(super) fn write_back(&self, context: &Context<'_>, moved: &mut [StepResult]) {
        let workers = context.world.workers();
        workers.for_each_chunk(moved, CHUNK, |offset, part| {
            for (row, moved) in part.iter_mut().enumerate() {
                let place = offset + row;
                let position = self.agents.positions[place];
                if position == moved.position || !position.is_finite() {
                    continue;
                }
                let agent = &context.buckets.sorted()[place];
                let kind = &context.types[usize::from(agent.kind)];
                // Agents near walls were moved out of them in each pass.
                moved.position = if moved.is_near_wall {
                    position
                } else {
                    context.end_of(moved.position, position - moved.position, kind)
                };
                let seconds = context.dt * kind.position_smoothing;
                let most = moved.velocity.length().max(kind.max_speed);
                moved.velocity = velocity_over(moved.position - agent.position, seconds, most);
            }
        });
    }
}
