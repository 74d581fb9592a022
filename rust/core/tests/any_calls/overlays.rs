//! Calls that add, move, fade and remove cost overlays.

use flow_swarm::movement::{CostOverlay, OverlayId};
use flow_swarm::{IVec2, Vec2};

use crate::caller::Caller;

impl Caller {
    fn overlay(&mut self) -> Option<CostOverlay> {
        let cost = [1, 40, 253, self.integer()][self.random.below(4)];
        let overlay = match self.random.below(3) {
            0 => CostOverlay::circle(self.number(), cost),
            1 => CostOverlay::rect(self.vector(), cost),
            _ => {
                let size = IVec2::new(self.integer() as i32, self.integer() as i32);
                let costs: Vec<u8> = self.bytes(10).into_iter().map(|cost| cost / 2).collect();
                let _ = CostOverlay::block(size, &costs);
                CostOverlay::block(IVec2::new(1, costs.len() as i32), &costs)
            }
        };
        let fading = [0.0, f64::from(self.number())][self.random.below(2)];
        let types = [u64::MAX, 1, self.integer().cast_unsigned()][self.random.below(3)];
        let overlay = overlay.ok()?.with_fading(fading).ok()?;
        Some(overlay.with_movement_types(types))
    }

    pub fn change_overlays(&mut self) {
        if let Some(overlay) = self.overlay() {
            let at = self.place();
            let count = self.world.cost_overlay_ids().count();
            let added = self.world.add_cost_overlay(at, &overlay);
            let after = self.world.cost_overlay_ids().count();
            assert_eq!(after, count + usize::from(added.is_ok()));
            self.note(added);
        }
        let seconds = f64::from(self.number());
        let faded = self.world.fade_cost_overlays(seconds);
        self.note(&faded);
        let ids: Vec<OverlayId> = self.world.cost_overlay_ids().collect();
        let id = OverlayId(self.integer());
        let oldest = ids.first().copied().unwrap_or(id);
        let moved = {
            let at = self.place();
            self.world.move_cost_overlay(oldest, at)
        };
        self.note(&moved);
        if ids.len() > 20 {
            self.world.clear_cost_overlays();
        } else if self.random.percent(30) {
            let removed = self.world.remove_cost_overlay(oldest);
            assert_eq!(removed.is_ok(), !ids.is_empty());
            self.note(removed);
            assert!(!self.world.has_cost_overlay(oldest));
            let nowhere = self.world.move_cost_overlay(oldest, Vec2::ZERO);
            assert!(nowhere.is_err());
        }
        self.check_overlay_costs();
    }

    /// Whatever lies over a cell, it is closed exactly if it is closed without.
    fn check_overlay_costs(&mut self) {
        let movement = self.random.below(self.world.movement_type_count());
        let at = self.place_inside();
        let cell = self.world.grid().clamped_cell_at(at);
        drop(self.world.is_reachable(at, at, movement));
        let costs = self.world.costs(movement);
        let (plain, cost) = (costs.plain_cost_at(cell), costs.cost_at(cell));
        assert_eq!(plain == 255, cost == 255);
        assert!(plain <= cost);
    }
}
