//! The cost overlays of a game: where they are, how far they have faded, and the cells that they have changed.

use crate::bytes::{Saved, Source, Unpacker, Writer};
use crate::error::{Error, Result};
use crate::grid::{CellRect, Grid};
use crate::movement::{CostOverlay, FADING_STEPS, Footprint, OverlayId};
use crate::world::dirty::DirtyCells;
use crate::world::overlay_sums::OverlaySums;
use glam::{IVec2, Vec2};
use std::collections::{BTreeMap, BTreeSet};

/// The time in seconds between two moments at which overlays fade, all those that are due together. So fields change
/// because of fading no more often than because of crowds, however many overlays fade.
const INTERVAL: f64 = 0.25;

/// The longest time since any overlay began to fade, in seconds.
const LONGEST: f64 = 1.0e12;

/// All overlays of a world.
#[derive(Debug, Clone, Default)]
pub(super) struct Overlays {
    placed: BTreeMap<OverlayId, PlacedOverlay>,
    sums: OverlaySums,
    /// The cells whose sum may have changed since costs were last updated.
    changed: DirtyCells,
    /// The next step of each overlay that fades: its time, as bits that are ordered as times are, and the overlay.
    steps: BTreeSet<(u64, OverlayId)>,
    /// The time in seconds since any overlay began to fade.
    now: f64,
    /// The last id that was given to an overlay.
    last: i64,
}

#[derive(Debug, Clone)]
struct PlacedOverlay {
    overlay: CostOverlay,
    position: Vec2,
    footprint: Footprint,
    /// The steps of fading that are left; greater than 0.
    left: u8,
    /// The time at which it was added.
    since: f64,
}

impl PlacedOverlay {
    /// The time of its next step; `None` if it does not fade.
    fn next_step(&self) -> Option<u64> {
        let seconds = self.overlay.step_seconds()?;
        let done = f64::from(FADING_STEPS - self.left);
        Some((self.since + seconds * (done + 1.0)).to_bits())
    }
}

impl Overlays {
    /// Adds an overlay. `movement_types` is the number of movement types of the world.
    pub(super) fn add(
        &mut self,
        (grid, movement_types): (&Grid, usize),
        position: Vec2,
        overlay: &CostOverlay,
    ) -> Result<OverlayId> {
        overlay.check_movement_types(movement_types)?;
        let placed = PlacedOverlay {
            overlay: overlay.clone(),
            position,
            footprint: overlay.footprint(grid, position)?,
            left: FADING_STEPS,
            since: self.now,
        };
        self.last += 1;
        let id = OverlayId(self.last);
        self.show(&placed, (0, FADING_STEPS));
        self.steps.extend(placed.next_step().map(|step| (step, id)));
        self.placed.insert(id, placed);
        Ok(id)
    }

    /// Moves an overlay. It goes on fading.
    pub(super) fn shift(&mut self, grid: &Grid, id: OverlayId, position: Vec2) -> Result<()> {
        let mut placed = self.placed.remove(&id).ok_or_else(|| unknown(id))?;
        let moved = placed.overlay.footprint(grid, position);
        if let Ok(footprint) = &moved {
            self.show(&placed, (placed.left, 0));
            placed.footprint = footprint.clone();
            placed.position = position;
            self.show(&placed, (0, placed.left));
        }
        self.placed.insert(id, placed);
        moved.map(|_| ())
    }

    /// Removes an overlay.
    pub(super) fn remove(&mut self, id: OverlayId) -> Result<()> {
        let placed = self.placed.remove(&id).ok_or_else(|| unknown(id))?;
        self.show(&placed, (placed.left, 0));
        if let Some(step) = placed.next_step() {
            self.steps.remove(&(step, id));
        }
        self.rewind();
        Ok(())
    }

    /// Removes all overlays.
    pub(super) fn clear(&mut self) {
        for placed in std::mem::take(&mut self.placed).into_values() {
            self.show(&placed, (placed.left, 0));
        }
        self.steps.clear();
        self.rewind();
    }

    /// Lets overlays fade. Linear in the cells of those that reach their next step.
    pub(super) fn fade(&mut self, seconds: f64) {
        if self.steps.is_empty() {
            return;
        }
        self.now += seconds;
        let reached = (self.now / INTERVAL).floor() * INTERVAL;
        while let Some(&(step, id)) = self.steps.first()
            && f64::from_bits(step) <= reached
        {
            self.steps.pop_first();
            let Some(mut placed) = self.placed.remove(&id) else {
                continue;
            };
            let before = placed.left;
            placed.left -= 1;
            self.show(&placed, (before, placed.left));
            if placed.left > 0 {
                self.steps.extend(placed.next_step().map(|step| (step, id)));
                self.placed.insert(id, placed);
            }
        }
        self.rewind();
    }

    /// Lets time begin anew when nothing fades, so that it stays exact in games of any length.
    fn rewind(&mut self) {
        if self.steps.is_empty() {
            self.now = 0.0;
        }
    }

    /// Adds up an overlay with `after` steps of fading left instead of `before`, where 0 is none.
    fn show(&mut self, placed: &PlacedOverlay, (before, after): (u8, u8)) {
        let types = placed.overlay.movement_types();
        self.sums.change(types, &placed.footprint, (before, after));
        self.changed.mark(placed.footprint.rect);
    }

    /// Keeps the positions of all overlays on another grid, and removes those that cover no cell of it.
    pub(super) fn lay_out(&mut self, before: &Grid, grid: &Grid) -> Vec<OverlayId> {
        self.sums = OverlaySums::default();
        self.changed = DirtyCells::default();
        let mut lost = Vec::new();
        for (id, mut placed) in std::mem::take(&mut self.placed) {
            let position = if before.layers() == grid.layers() {
                placed.position
            } else {
                grid.layers().kept(before.layers(), placed.position)
            };
            let Ok(footprint) = placed.overlay.footprint(grid, position) else {
                if let Some(step) = placed.next_step() {
                    self.steps.remove(&(step, id));
                }
                lost.push(id);
                continue;
            };
            placed.footprint = footprint;
            placed.position = position;
            self.show(&placed, (0, placed.left));
            self.placed.insert(id, placed);
        }
        self.rewind();
        lost
    }

    /// The rectangles of cells whose sum may have changed since the last call.
    pub(super) fn take_changed(&mut self) -> Vec<CellRect> {
        std::mem::take(&mut self.changed).regions()
    }

    /// What all overlays together add to the cost of a cell for a movement type, up to 255.
    pub(super) fn cost_at(&self, cell: IVec2, movement: usize) -> u8 {
        self.sums.at(cell, movement)
    }

    /// Rectangles that hold all cells of some rows under overlays, and lie in these rows and the grid.
    pub(super) fn regions_of(&self, rows: CellRect) -> impl Iterator<Item = CellRect> {
        let blocks = self.sums.blocks_of(rows.low.y..rows.high.y);
        blocks.map(move |block| block.intersection(&rows))
    }

    /// The ids of all overlays, oldest first.
    pub(super) fn ids(&self) -> impl Iterator<Item = OverlayId> {
        self.placed.keys().copied()
    }

    pub(super) fn write(&self, out: &mut Writer) {
        self.now.write(out);
        self.last.write(out);
        out.u32(self.placed.len() as u32);
        for (id, placed) in &self.placed {
            id.0.write(out);
            placed.overlay.write(out);
            placed.position.write(out);
            placed.left.write(out);
            placed.since.write(out);
        }
    }

    /// Reads what [`Self::write`] has written for this grid.
    pub(super) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let mut overlays = Self {
            now: f64::read(input)?,
            last: i64::read(input)?,
            ..Self::default()
        };
        for _ in 0..input.u32()? {
            let id = OverlayId(i64::read(input)?);
            let overlay = CostOverlay::read(input)?;
            let position = Vec2::read(input)?;
            let (left, since) = (u8::read(input)?, f64::read(input)?);
            let is_known = (1..=overlays.last).contains(&id.0) && !overlays.contains(id);
            let times = 0.0..=LONGEST;
            let is_timed = times.contains(&since) && times.contains(&overlays.now);
            // It may concern movement types that are gone.
            let footprint = overlay.footprint(grid, position);
            let (Ok(footprint), true, 1..=FADING_STEPS) = (footprint, is_known && is_timed, left)
            else {
                return Err(input.bad("it has a cost overlay that makes no sense"));
            };
            let placed = PlacedOverlay {
                overlay,
                position,
                footprint,
                left,
                since,
            };
            overlays.show(&placed, (0, left));
            let step = placed.next_step();
            overlays.steps.extend(step.map(|step| (step, id)));
            overlays.placed.insert(id, placed);
        }
        overlays.changed = DirtyCells::default();
        Ok(overlays)
    }

    /// The rectangles of cells whose sum may have changed since costs were last updated.
    pub(super) fn changed(&self) -> &DirtyCells {
        &self.changed
    }

    pub(super) fn set_changed(&mut self, changed: DirtyCells) {
        self.changed = changed;
    }

    /// Whether there is an overlay with this id.
    pub(super) fn contains(&self, id: OverlayId) -> bool {
        self.placed.contains_key(&id)
    }
}

fn unknown(id: OverlayId) -> Error {
    Error::UnknownId {
        name: "cost overlay",
        id: id.0,
    }
}
