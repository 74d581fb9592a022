//! A solved zone with the inputs from which it was made.

use crate::error::Result;
use crate::grid::Grid;
use crate::integrate::Solvers;
use crate::world::movement_layer::MovementLayer;
use crate::world::version::Version;
use crate::world::zones::apart;
use crate::world::zones::area::standing_cell;
use crate::world::zones::ground::GroundMap;
use crate::world::zones::solving::Solving;
use crate::world::zones::zone::{Beyond, Zone};
use glam::{IVec2, Vec2};
use std::sync::Arc;

/// The inputs of a zone, besides the kind of its goal.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ZoneKey {
    pub(super) version: Version,
    pub(super) cell_size: f32,
    /// The cells of the targets, ascending, each once.
    pub(super) starts: Vec<IVec2>,
}

/// A solved zone, or the fact that it could not be solved.
#[derive(Debug, Clone)]
pub(in crate::world) struct SolvedZone {
    pub(super) key: ZoneKey,
    pub(super) zone: Option<Arc<Zone>>,
    /// The zone of the whole map for islands without a target: see [`super::apart`].
    pub(super) apart: Option<Arc<Zone>>,
    /// The revision of costs for which `apart` was solved.
    pub(super) apart_on: Option<u64>,
}

impl SolvedZone {
    pub(super) fn new(key: ZoneKey, zone: Option<Arc<Zone>>) -> Self {
        Self {
            key,
            zone,
            apart: None,
            apart_on: None,
        }
    }

    /// Whether the zone for `key` is the same, because nothing has changed but costs outside of its area. Then it is
    /// now the zone for `key`.
    pub(super) fn keep_up(&mut self, key: &ZoneKey, layer: &MovementLayer) -> bool {
        let own = ZoneKey {
            version: Version {
                costs: self.key.version.costs,
                ..key.version
            },
            ..key.clone()
        };
        let Some(zone) = self.zone.as_mut().filter(|_| own == self.key) else {
            return false;
        };
        let Some(changed) = layer.newest.log.cells_since(own.version.costs) else {
            return false;
        };
        let is_inside = |&index: &u32| zone.holds(layer.costs.cell(index as usize));
        if changed.iter().any(is_inside) {
            return false;
        }
        if let Beyond::Arrived(ground) = &zone.beyond {
            let ground = Arc::new(ground.updated(&layer.costs, &changed));
            // Agents may hold the field.
            Arc::make_mut(zone).beyond = Beyond::Arrived(ground);
        }
        self.key = key.clone();
        true
    }

    /// Whether the zone for islands without a target is up to date.
    pub(super) fn is_apart_known(&self) -> bool {
        self.apart_on == Some(self.key.version.costs)
    }

    /// Solves the zone for islands without a target.
    pub(super) fn solve_apart(
        &mut self,
        layer: &mut MovementLayer,
        solvers: &mut Solvers,
    ) -> Result<()> {
        self.apart_on = Some(self.key.version.costs);
        self.apart = None;
        if let Some(zone) = &self.zone {
            let solving = Solving::new(self.key.version, solvers);
            self.apart = apart::solve(layer, zone, &self.key.starts, solving)?.map(Arc::new);
        }
        Ok(())
    }

    /// Which cells are open, if that is known for the costs of `version`.
    pub(super) fn ground_on(
        &self,
        version: Version,
        layer: &MovementLayer,
    ) -> Option<Arc<GroundMap>> {
        let Beyond::Arrived(ground) = &self.zone.as_ref()?.beyond else {
            return None;
        };
        if self.key.version.costs == version.costs {
            return Some(Arc::clone(ground));
        }
        let changed = layer.newest.log.cells_since(self.key.version.costs)?;
        Some(Arc::new(ground.updated(&layer.costs, &changed)))
    }
}

impl ZoneKey {
    pub(super) fn new(
        version: Version,
        grid: &Grid,
        layer: &MovementLayer,
        targets: &[Vec2],
    ) -> Self {
        let cells = targets.iter();
        let cells = cells.filter_map(|&target| standing_cell(&layer.costs, target));
        let mut starts: Vec<IVec2> = cells.collect();
        starts.sort_unstable_by_key(|cell| (cell.y, cell.x));
        starts.dedup();
        Self {
            version,
            cell_size: grid.cell_size(),
            starts,
        }
    }
}
