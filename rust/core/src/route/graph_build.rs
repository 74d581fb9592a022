//! A portal graph that is built in slices, so that no tick has to build the graph of a whole map, or an update of one.
//!
//! Sectors that are built are up to date with all edits that were noted: an edit makes the sectors that depend on it
//! stale again. So the finished graph is that of a build at once, and the state between two slices follows from the
//! costs and the lists of what is stale. An update is built beside the graph in use, its base, which stays as it is.

use super::build::{Builder, SharedEdges};
use super::changed_sectors::changed_sectors;
use super::cluster_build::ClusterBuild;
use super::graph::PortalGraph;
use super::own_portals::OwnPortals;
use super::sector_links::SectorLinks;
use super::sector_portals::{PortalSettings, SectorPortals};
use super::sectors::Sectors;
use super::windows::MAX_WINDOW;
use crate::bytes::{Saved as _, Source as _, Unpacker, Writer};
use crate::error::{Result, in_range};
use crate::movement::{Changes, CostField};
use crate::retired::Retired;
use glam::IVec2;
use std::sync::Arc;

/// The work of a sector, in cells of a field that is solved: its cells are read, and for each portal they are searched.
/// A search settles a cell in a quarter of the time of a field or less, because a sector fits into the cache.
const SEARCHED_FOR_ONE: usize = 4;
/// The cells of clear ground that are read in the time of one cell of a field.
const READ_FOR_ONE: usize = 16;

/// What is known of a sector of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct SectorState {
    is_stale: bool,
    /// Whether the build has portals of the sector, or will have them: otherwise they are those of the base.
    is_own: bool,
    /// Whether cells inside the sector have changed since the base.
    is_inside: bool,
}

impl SectorState {
    fn bits(self) -> u8 {
        u8::from(self.is_stale) | u8::from(self.is_own) << 1 | u8::from(self.is_inside) << 2
    }

    fn from_bits(bits: u8) -> Self {
        Self {
            is_stale: bits & 1 != 0,
            is_own: bits & 2 != 0,
            is_inside: bits & 4 != 0,
        }
    }
}

/// A portal graph, or an update of one, of which some sectors are still to be built.
#[derive(Debug, Clone)]
pub struct GraphBuild {
    sectors: Sectors,
    settings: PortalSettings,
    shared: SharedEdges,
    links: Arc<SectorLinks>,
    portals: OwnPortals,
    states: Vec<SectorState>,
    /// The number of stale sectors.
    left: usize,
    /// The sector from which on the next stale one is looked for.
    next: usize,
    /// The level above, unless there is none.
    level_above: Option<ClusterBuild>,
}

impl GraphBuild {
    /// The graph of `costs`, of which no sector is built yet.
    ///
    /// # Errors
    /// [`crate::Error::OutOfRange`] for a setting out of range.
    pub fn new(costs: &CostField, settings: PortalSettings) -> Result<Self> {
        let size = IVec2::new(costs.width() as i32, costs.height() as i32);
        let sectors = Sectors::new(size, settings.sector_size)?;
        in_range("widest_window", settings.widest_window, 1, MAX_WINDOW)?;
        let count = sectors.count();
        let links = Arc::new(SectorLinks::new(&sectors, costs));
        let stale = SectorState {
            is_stale: true,
            is_own: true,
            is_inside: true,
        };
        Ok(Self {
            sectors,
            settings,
            shared: SharedEdges::new(settings),
            level_above: level_above(&sectors, &links),
            links,
            portals: OwnPortals::of_all(count),
            states: vec![stale; count],
            left: count,
            next: 0,
        })
    }

    /// An update of `base` to costs of which no change is noted yet. All calls must be given the same base.
    #[must_use]
    pub fn on(base: &PortalGraph) -> Self {
        let sectors = *base.sectors();
        let count = sectors.count();
        let known = base.clusters.clone();
        Self {
            sectors,
            settings: base.settings(),
            shared: base.shared.clone(),
            links: Arc::clone(base.links()),
            portals: OwnPortals::of_none(count),
            states: vec![SectorState::default(); count],
            left: 0,
            next: 0,
            level_above: known.map(ClusterBuild::on),
        }
    }

    /// Makes the sectors stale that depend on changes of the costs.
    pub fn note(&mut self, costs: &CostField, changes: &Changes) {
        if !self.links.are_of(costs) {
            let links = Arc::new(SectorLinks::new(&self.sectors, costs));
            let before = std::mem::replace(&mut self.links, links);
            for sector in self.links.sectors_with(&before) {
                self.make_stale(sector, false);
            }
            if before.is_empty() != self.links.is_empty() {
                self.level_above = level_above(&self.sectors, &self.links);
            }
        }
        for (sector, is_inside) in changed_sectors(&self.sectors, &self.links, costs, changes) {
            self.make_stale(sector, is_inside);
        }
        self.portals.reserve(self.left);
    }

    fn make_stale(&mut self, sector: u32, is_inside: bool) {
        let state = &mut self.states[sector as usize];
        self.left += usize::from(!state.is_stale);
        state.is_inside |= is_inside;
        (state.is_stale, state.is_own) = (true, true);
        if let Some(level) = &mut self.level_above {
            level.note(sector);
        }
    }

    /// Whether nothing is stale.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let level = self.level_above.as_ref();
        self.left == 0 && level.is_none_or(ClusterBuild::is_finished)
    }

    /// Builds stale sectors for a `budget` of cells, which it reduces, and then the level above. The last one may
    /// exceed it. `costs` are those of the last [`Self::note`]. Returns whether nothing is stale any more.
    pub fn advance(&mut self, costs: &CostField, budget: &mut usize) -> bool {
        self.advance_on(None, costs, budget)
    }

    /// [`Self::advance`] for an update of a base, if there is one.
    pub fn advance_on(
        &mut self,
        base: Option<&PortalGraph>,
        costs: &CostField,
        budget: &mut usize,
    ) -> bool {
        let (sectors, settings) = (self.sectors, self.settings);
        let mut builder = Builder::new((costs, &self.links), &sectors, settings, &self.shared);
        while self.left > 0 && *budget > 0 {
            let state = &mut self.states[self.next];
            if std::mem::take(&mut state.is_stale) {
                let known = base.filter(|_| !state.is_inside);
                let sector = self.next as u32;
                let portals = builder.build(sector, known.map(|base| base.sector(sector)));
                *budget = budget.saturating_sub(self.work_of(&portals));
                *self.portals.get_mut(self.next) = portals;
                self.left -= 1;
            }
            self.next = (self.next + 1) % self.states.len();
        }
        if self.left > 0 {
            return false;
        }
        let own = &self.portals;
        let portals = |sector: u32| portals_of(own, base, sector);
        let level = self.level_above.as_mut();
        level.is_none_or(|level| level.advance(&portals, budget))
    }

    /// The work of a sector that was built, in cells.
    fn work_of(&self, portals: &SectorPortals) -> usize {
        let cells = (self.settings.sector_size as usize).pow(2);
        let is_clear = portals.count() == 0 || portals.edges == *self.shared.edges();
        let searched = if is_clear { 0 } else { portals.count() * cells };
        cells.div_ceil(READ_FOR_ONE) + searched / SEARCHED_FOR_ONE
    }

    /// The most work of a sector, in cells.
    pub(crate) fn most_work(settings: PortalSettings) -> usize {
        let cells = (settings.sector_size as usize).pow(2);
        let portals = 2 * settings.sector_size as usize;
        cells + portals * cells / SEARCHED_FOR_ONE
    }

    /// The finished graph, if there is no base. Nothing may be stale.
    #[must_use]
    pub fn finish(self) -> PortalGraph {
        let clusters = self.level_above.map(ClusterBuild::finish);
        PortalGraph::of_parts(
            (self.sectors, self.settings),
            (self.portals.into_portals(), clusters),
            (self.shared, self.links),
        )
    }

    /// Updates `base`. Nothing may be stale. Returns the sectors whose cells or part of the graph have changed,
    /// ascending. `retired` takes the portals that are no longer in use.
    pub fn finish_on(mut self, base: &mut PortalGraph, retired: &mut Retired) -> Vec<u32> {
        let mut changed = Vec::new();
        let has_exchanged = self.portals.exchange_all(&mut base.portals);
        for (sector, state) in self.states.iter().enumerate() {
            if !state.is_own {
                continue;
            }
            if state.is_inside || base.portals[sector] != *self.portals.get(sector) {
                changed.push(sector as u32);
                if !has_exchanged {
                    let known = base.portals.get_mut(sector);
                    std::mem::swap(known, self.portals.get_mut(sector));
                }
            }
        }
        let clusters = self.level_above.map(ClusterBuild::finish);
        base.replace_level_above((clusters, self.links), !changed.is_empty(), retired);
        self.portals.into_portals().retire(retired);
        changed
    }

    /// Writes what is stale: the rest follows from the costs and the base.
    pub(crate) fn write(&self, out: &mut Writer) {
        let states = self.states.iter().map(|state| state.bits());
        states.collect::<Vec<u8>>().write(out);
        self.next.write(out);
        let level = self.level_above.as_ref();
        let stale = level.map(|level| level.progress().to_vec());
        stale.write(out);
    }

    /// Reads what [`Self::write`] has written, into a build that has noted nothing on the same costs and base. `noted`
    /// are changes since the base that the one that was written had noted.
    pub(crate) fn read_into(
        mut self,
        input: &mut Unpacker<'_>,
        base: Option<&PortalGraph>,
        (costs, noted): (&CostField, &Changes),
    ) -> Result<Self> {
        let states = Vec::<u8>::read(input)?;
        let next = usize::read(input)?;
        let stale_above = Option::<Vec<u8>>::read(input)?;
        let count = self.sectors.count();
        let states = states.into_iter().map(SectorState::from_bits);
        let states: Vec<SectorState> = states.collect();
        // This notes links that the base lacks as well.
        self.note(costs, noted);
        let is_sound = |(state, needed): (&SectorState, &SectorState)| {
            (state.is_own || !state.is_stale)
                && state.is_own >= needed.is_own
                && state.is_inside >= needed.is_inside
        };
        if states.len() != count || next >= count || !states.iter().zip(&self.states).all(is_sound)
        {
            return Err(input.bad("it has a portal graph of unknown sectors"));
        }
        self.next = next;
        for (sector, state) in (0..).zip(&states) {
            if state.is_own {
                self.make_stale(sector, state.is_inside);
            }
        }
        self.states = states;
        self.left = self.states.iter().filter(|state| state.is_stale).count();
        let (sectors, settings) = (self.sectors, self.settings);
        let mut builder = Builder::new((costs, &self.links), &sectors, settings, &self.shared);
        for (sector, state) in self.states.iter().enumerate() {
            if state.is_own && !state.is_stale {
                *self.portals.get_mut(sector) = builder.build(sector as u32, None);
            }
        }
        let own = &self.portals;
        let portals = |sector: u32| portals_of(own, base, sector);
        let is_sound = match (&mut self.level_above, stale_above) {
            (Some(level), Some(stale)) => {
                let unbuilt = (0..).zip(&self.states).filter(|(_, state)| state.is_stale);
                let unbuilt = unbuilt.map(|(sector, _)| sector);
                level.resume((&stale, unbuilt), &portals)
            }
            (level, stale) => level.is_none() && stale.is_none(),
        };
        if is_sound {
            Ok(self)
        } else {
            Err(input.bad("it has a level above of unknown clusters"))
        }
    }
}

/// The portals of a sector, of a build or of its base.
fn portals_of<'a>(
    own: &'a OwnPortals,
    base: Option<&'a PortalGraph>,
    sector: u32,
) -> &'a SectorPortals {
    match base {
        Some(base) if !own.has(sector as usize) => base.sector(sector),
        _ => own.get(sector as usize),
    }
}

/// The level above of a graph with these links, which it does not model.
fn level_above(sectors: &Sectors, links: &SectorLinks) -> Option<ClusterBuild> {
    match links.is_empty() {
        true => ClusterBuild::new(sectors),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{Reader, pack};
    use crate::grid::{CellRect, Grid};
    use crate::movement::MovementType;
    use crate::terrain::Terrain;
    use crate::workers::Workers;
    use glam::Vec2;

    /// An update of a graph to costs that differ in some cells.
    struct Update {
        base: PortalGraph,
        costs: CostField,
        changes: Changes,
        build: GraphBuild,
    }

    impl Update {
        fn new(size: i32) -> Self {
            let grid = Grid::new(IVec2::splat(size), 1.0, Vec2::ZERO).expect("valid");
            let (mut terrain, kind) = (Terrain::new(&grid), MovementType::default());
            let mut costs = CostField::new(&grid, &terrain, &kind);
            let settings = PortalSettings {
                sector_size: 4,
                widest_window: 4,
            };
            let base = PortalGraph::new(&costs, settings, &Workers::serial()).expect("valid");
            let wall = CellRect {
                low: IVec2::new(2, 5),
                high: IVec2::new(9, 7),
            };
            terrain.fill_rect(wall, 255).expect("inside");
            let changes = costs.update(&terrain, &kind, &[wall]);
            let mut build = GraphBuild::on(&base);
            build.note(&costs, &changes);
            Self {
                base,
                costs,
                changes,
                build,
            }
        }

        /// Whether the build can be read with these states of sectors and stale stages of clusters.
        fn accepts(&self, states: &[SectorState], stale: Option<&[u8]>) -> bool {
            let (mut out, mut packed) = (Writer::default(), Writer::default());
            let bits: Vec<u8> = states.iter().map(|state| state.bits()).collect();
            bits.write(&mut out);
            self.build.next.write(&mut out);
            stale.map(<[u8]>::to_vec).write(&mut out);
            pack(&out.bytes, &mut packed);
            let mut input = Unpacker::new(Reader::new("a graph", &packed.bytes));
            let with = (&self.costs, &self.changes);
            let build = GraphBuild::on(&self.base);
            build.read_into(&mut input, Some(&self.base), with).is_ok()
        }
    }

    /// Otherwise the finished graph would have portals of other ground.
    #[test]
    fn no_sector_is_forgotten_that_noted_changes_concern() {
        let mut update = Update::new(16);
        let (base, budget) = (Some(&update.base), &mut 1);
        assert!(!update.build.advance_on(base, &update.costs, budget));
        let states = update.build.states.clone();
        assert!(update.accepts(&states, None));
        let mut seen = [0; 3];
        for sector in 0..states.len() {
            let known = states[sector];
            let altered = |state: SectorState| {
                let mut states = states.clone();
                states[sector] = state;
                update.accepts(&states, None)
            };
            if !known.is_own {
                let is_stale = true;
                assert!(!altered(SectorState { is_stale, ..known }), "{sector}");
                seen[0] += 1;
                continue;
            }
            assert!(!altered(SectorState::default()), "{sector}: forgotten");
            seen[1] += 1;
            if known.is_inside {
                let is_inside = false;
                assert!(!altered(SectorState { is_inside, ..known }), "{sector}");
                seen[2] += 1;
            }
        }
        assert!(seen.iter().all(|&seen| seen > 2), "{seen:?}");
    }

    /// The level above would not be built again when such a sector is.
    #[test]
    fn the_cluster_of_a_stale_sector_is_stale() {
        let update = Update::new(512);
        let states = &update.build.states;
        let level = update.build.level_above.as_ref().expect("large enough");
        let stale = level.progress().to_vec();
        assert!(update.accepts(states, Some(&stale)));
        let mut count = 0;
        for cluster in 0..stale.len() {
            if stale[cluster] & 1 != 0 {
                let mut altered = stale.clone();
                altered[cluster] &= !1;
                assert!(!update.accepts(states, Some(&altered)), "{cluster}");
                count += 1;
            }
        }
        assert!(count > 0, "a sector is stale");
    }
}
