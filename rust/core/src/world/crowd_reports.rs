//! The crowd levels that swarms have reported.

use crate::bytes::{Saved, Source, Unpacker, Writer};
use crate::error::Result;
use crate::grid::Grid;
use crate::movement::{BlockLevels, CROWDING_BLOCK, MOST_CROWDING};
use glam::IVec2;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// The identity of a swarm towards a world. It ends with the swarm.
#[derive(Debug, Default)]
pub(crate) struct Reporter(pub(super) Option<Arc<Identity>>);

impl Reporter {
    /// The number that the world knows the swarm by; 0 if it has not reported anything.
    pub(crate) fn number(&self) -> u64 {
        self.0.as_ref().map_or(0, |own| own.number)
    }

    /// The identity that the swarm had when it was saved with this number.
    pub(crate) fn restore(&mut self, number: u64) {
        if self.number() != number {
            self.0 = (number > 0).then(|| Arc::new(Identity::of_swarm(number)));
        }
    }
}

/// What a swarm and its report have in common.
#[derive(Debug)]
pub(super) struct Identity {
    number: u64,
    /// False until the swarm of a report that was loaded is loaded as well.
    has_swarm: AtomicBool,
}

impl Identity {
    pub(super) fn of_swarm(number: u64) -> Self {
        Self {
            number,
            has_swarm: AtomicBool::new(true),
        }
    }
}

/// The reports of all swarms.
#[derive(Debug, Clone, Default)]
pub(super) struct Crowding {
    pub(super) reports: Vec<Report>,
    /// The cells whose level may have changed since costs were last updated.
    pub(super) changed: Vec<IVec2>,
    /// The last number that was given to a swarm.
    pub(super) last: u64,
}

/// The report of one swarm.
#[derive(Debug, Clone)]
pub(super) struct Report {
    pub(super) reporter: Weak<Identity>,
    /// The number of the swarm.
    pub(super) number: u64,
    /// Keeps a report that was loaded until its swarm is loaded as well.
    pub(super) kept: Option<Arc<Identity>>,
    /// Levels by row and column of the block; none of them all zero.
    pub(super) blocks: BTreeMap<(i32, i32), Arc<BlockLevels>>,
}

impl Report {
    /// A report that waits for its swarm.
    fn waiting(number: u64, blocks: BTreeMap<(i32, i32), Arc<BlockLevels>>) -> Self {
        let has_swarm = AtomicBool::new(false);
        let kept = Arc::new(Identity { number, has_swarm });
        Self {
            reporter: Arc::downgrade(&kept),
            number,
            kept: Some(kept),
            blocks,
        }
    }

    /// Whether its swarm is still there, or can come.
    fn is_living(&self) -> bool {
        let kept = self.kept.as_ref();
        let own = kept.is_some_and(|kept| kept.has_swarm.load(Ordering::Relaxed));
        self.reporter.strong_count() > usize::from(own)
    }
}

pub(super) const EMPTY: BlockLevels = [0; CROWDING_BLOCK * CROWDING_BLOCK];

impl Crowding {
    /// The level of a cell that is in the grid.
    pub(super) fn level(&self, cell: IVec2) -> u8 {
        let edge = CROWDING_BLOCK as i32;
        let block = cell / edge;
        let within = cell - block * edge;
        let place = (within.y * edge + within.x) as usize;
        // Reports of swarms that are gone count no more, though costs have them until they are updated.
        let of = |report: &Report| {
            let levels = report.blocks.get(&(block.y, block.x))?;
            Some(levels[place])
        };
        let sum = self
            .reports
            .iter()
            .filter(|report| report.is_living())
            .filter_map(of)
            .fold(0, u8::saturating_add);
        sum.min(MOST_CROWDING)
    }

    /// Replaces the levels of a block, and adds the cells in which they differ from the previous ones.
    pub(super) fn replace(
        report: &mut Report,
        block: (i32, i32),
        levels: &BlockLevels,
        changed: &mut Vec<IVec2>,
    ) {
        match report.blocks.entry(block) {
            Entry::Occupied(mut known) => {
                note_differences(block, known.get(), levels, changed);
                if *levels == EMPTY {
                    known.remove();
                } else {
                    *known.get_mut() = Arc::new(*levels);
                }
            }
            Entry::Vacant(place) => {
                if *levels != EMPTY {
                    note_differences(block, &EMPTY, levels, changed);
                    place.insert(Arc::new(*levels));
                }
            }
        }
    }

    /// Removes the reports of swarms that no longer exist.
    pub(super) fn forget_the_gone(&mut self) {
        let changed = &mut self.changed;
        self.reports.retain(|report| {
            let lives = report.is_living();
            if !lives {
                for (&block, levels) in &report.blocks {
                    note_differences(block, levels, &EMPTY, changed);
                }
            }
            lives
        });
    }

    /// The cells that [`Self::take_changed`] would return, and `more`, in the order of rows, each once.
    pub(super) fn changed_cells(&self, more: &[IVec2]) -> Vec<IVec2> {
        let mut cells = [&self.changed, more].concat();
        let gone = self.reports.iter();
        for report in gone.filter(|report| !report.is_living()) {
            for (&block, levels) in &report.blocks {
                note_differences(block, levels, &EMPTY, &mut cells);
            }
        }
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        cells
    }

    /// A copy for a snapshot, which goes on with the swarms that are there when it is restored.
    pub(super) fn kept(&self) -> Self {
        let living = self.reports.iter().filter(|report| report.is_living());
        let kept = |report: &Report| Report::waiting(report.number, report.blocks.clone());
        Self {
            reports: living.map(kept).collect(),
            changed: self.changed_cells(&[]),
            last: self.last,
        }
    }

    pub(super) fn write(&self, out: &mut Writer) {
        self.last.write(out);
        let living = |report: &&Report| report.is_living();
        out.u32(self.reports.iter().filter(living).count() as u32);
        for report in self.reports.iter().filter(living) {
            report.number.write(out);
            out.u32(report.blocks.len() as u32);
            for (block, levels) in &report.blocks {
                block.write(out);
                out.bytes.extend(&**levels);
            }
        }
    }

    /// Reads what [`Self::write`] has written for this grid.
    pub(super) fn read(input: &mut Unpacker<'_>, grid: &Grid) -> Result<Self> {
        let mut crowding = Self {
            last: u64::read(input)?,
            ..Self::default()
        };
        for _ in 0..input.u32()? {
            let number = u64::read(input)?;
            if crowding
                .reports
                .iter()
                .any(|report| report.number == number)
                || !(1..=crowding.last).contains(&number)
            {
                return Err(input.bad("it has crowds of an impossible swarm"));
            }
            let blocks = read_blocks(input, grid)?;
            crowding.reports.push(Report::waiting(number, blocks));
        }
        Ok(crowding)
    }

    /// Takes over the swarms of `before` that are still there, whose reports need not be kept.
    pub(super) fn recognize(&mut self, before: &Self) {
        for report in &mut self.reports {
            let known = before
                .reports
                .iter()
                .find(|known| known.number == report.number && known.is_living());
            if let Some(known) = known {
                report.reporter = Weak::clone(&known.reporter);
                report.kept.clone_from(&known.kept);
            }
        }
    }

    /// Gives a swarm that was loaded the identity of the report that waits for it, if there is one.
    pub(super) fn connect(&self, reporter: &mut Reporter) {
        let number = reporter.number();
        let mut waiting = self.reports.iter().filter_map(|it| it.kept.as_ref());
        let own = waiting.find(|own| own.number == number);
        if let Some(own) = own.filter(|own| !own.has_swarm.swap(true, Ordering::Relaxed)) {
            reporter.0 = Some(Arc::clone(own));
        }
    }

    /// The cells that a report lists in the blocks of some rows.
    pub(super) fn cells_of(&self, rows: Range<i32>) -> Vec<IVec2> {
        let edge = CROWDING_BLOCK as i32;
        let (first, last) = (rows.start / edge, (rows.end - 1) / edge);
        let mut cells = Vec::new();
        for report in &self.reports {
            let blocks = report.blocks.range((first, i32::MIN)..=(last, i32::MAX));
            for (&block, levels) in blocks {
                note_differences(block, levels, &EMPTY, &mut cells);
            }
        }
        cells
    }

    /// The cells whose level may have changed since the last call.
    pub(super) fn take_changed(&mut self) -> Vec<IVec2> {
        self.forget_the_gone();
        std::mem::take(&mut self.changed)
    }

    /// Takes back memory that [`Self::take_changed`] has handed out.
    pub(super) fn recycle(&mut self, mut memory: Vec<IVec2>) {
        memory.clear();
        self.changed = memory;
    }

    /// The levels of cells in the order of rows, each once.
    pub(super) fn levels_of(&self, cells: &mut Vec<IVec2>) -> Vec<(IVec2, u8)> {
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        cells.iter().map(|&cell| (cell, self.level(cell))).collect()
    }
}

/// Adds the cells in which two states of a block differ.
pub(super) fn note_differences(
    (row, column): (i32, i32),
    old: &BlockLevels,
    fresh: &BlockLevels,
    changed: &mut Vec<IVec2>,
) {
    if old == fresh {
        return;
    }
    let corner = IVec2::new(column, row) * CROWDING_BLOCK as i32;
    let differing = old.iter().zip(fresh).enumerate();
    let differing = differing.filter(|(_, (old, fresh))| old != fresh);
    changed.extend(differing.map(|(place, _)| {
        corner
            + IVec2::new(
                (place % CROWDING_BLOCK) as i32,
                (place / CROWDING_BLOCK) as i32,
            )
    }));
}

/// Removes the blocks of a report between two others, which are no longer crowded.
pub(super) fn forget_between(
    report: &mut Report,
    after: Option<(i32, i32)>,
    before: Option<(i32, i32)>,
    changed: &mut Vec<IVec2>,
) {
    use std::ops::Bound::{Excluded, Unbounded};
    let low = after.map_or(Unbounded, Excluded);
    let high = before.map_or(Unbounded, Excluded);
    while let Some((&block, levels)) = report.blocks.range((low, high)).next() {
        note_differences(block, levels, &EMPTY, changed);
        report.blocks.remove(&block);
    }
}

fn read_blocks(
    input: &mut Unpacker<'_>,
    grid: &Grid,
) -> Result<BTreeMap<(i32, i32), Arc<BlockLevels>>> {
    let mut blocks = BTreeMap::new();
    for _ in 0..input.u32()? {
        let (row, column) = Saved::read(input)?;
        let mut levels = EMPTY;
        levels.copy_from_slice(input.take(EMPTY.len())?);
        let mut cells = Vec::new();
        let block = IVec2::new(column, row).clamp(IVec2::NEG_ONE, grid.size());
        note_differences((block.y, block.x), &levels, &EMPTY, &mut cells);
        let is_sound = levels.iter().all(|&level| level <= MOST_CROWDING)
            && !cells.is_empty()
            && cells.iter().all(|&cell| grid.contains(cell));
        if !is_sound {
            return Err(input.bad("it has crowds that make no sense"));
        }
        blocks.insert((row, column), Arc::new(levels));
    }
    Ok(blocks)
}
