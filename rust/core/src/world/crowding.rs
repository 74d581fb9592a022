//! Crowd density as swarms report it, and its effect on costs.
//!
//! Each swarm's levels are stored separately and removed with the swarm. The level of a cell is the sum over all
//! swarms. A change of levels is an edit of costs like any other: fields and tiles are repaired.

use crate::error::Result;
use crate::movement::{BlockLevels, MOST_CROWDING};
use crate::world::FlowWorld;
use crate::world::crowd_reports::{Crowding, Identity, Report, Reporter, forget_between};
use glam::Vec2;
use std::collections::BTreeMap;
use std::sync::Arc;

impl FlowWorld {
    /// Whether any movement type has a crowd penalty.
    #[must_use]
    pub fn minds_crowds(&self) -> bool {
        self.layers.iter().any(|layer| {
            let mut kinds = layer.kinds();
            kinds.any(|kind| !kind.crowd_penalty().is_none())
        })
    }

    /// How crowded the cell at a position is, 0..=1, as swarms have reported it
    /// ([`Swarm::report_crowding`](crate::swarm::Swarm::report_crowding)); always 0 if no movement type has a crowd
    /// penalty.
    ///
    /// # Errors
    /// A position that is not finite and in the grid.
    pub fn crowding_at(&self, position: Vec2) -> Result<f32> {
        let cell = self.grid.check_position("position", position)?;
        Ok(f32::from(self.surcharges.crowding.level(cell)) / f32::from(MOST_CROWDING))
    }

    /// Lets a swarm that was loaded go on with the report that was loaded with the world.
    pub(crate) fn connect_swarm(&self, reporter: &mut Reporter) {
        self.surcharges.crowding.connect(reporter);
    }

    /// Replaces the levels of a swarm by all its non-empty blocks, ordered by row and column. Costs follow with the
    /// next update or query. Linear in the blocks.
    pub(crate) fn take_report<'a>(
        &mut self,
        reporter: &mut Reporter,
        blocks: impl Iterator<Item = ((i32, i32), &'a BlockLevels)>,
    ) {
        let mut blocks = blocks.peekable();
        self.connect_swarm(reporter);
        let Crowding {
            reports,
            last,
            changed,
        } = &mut self.surcharges.crowding;
        let own = reporter.0.as_ref();
        let is_its = |report: &Report| {
            own.is_some_and(|own| std::ptr::eq(Arc::as_ptr(own), report.reporter.as_ptr()))
        };
        let at = match reports.iter().position(is_its) {
            Some(at) => at,
            // Another world, if any, drops the old reporter's levels.
            None if blocks.peek().is_none() => {
                reporter.0 = None;
                return;
            }
            None => {
                *last += 1;
                let own = reporter.0.insert(Arc::new(Identity::of_swarm(*last)));
                reports.push(Report {
                    reporter: Arc::downgrade(own),
                    number: *last,
                    kept: None,
                    blocks: BTreeMap::new(),
                });
                reports.len() - 1
            }
        };
        let report = &mut reports[at];
        report.kept = None;
        let mut after: Option<(i32, i32)> = None;
        for (block, levels) in blocks {
            forget_between(report, after, Some(block), changed);
            Crowding::replace(report, block, levels, changed);
            after = Some(block);
        }
        forget_between(report, after, None, changed);
    }
}
