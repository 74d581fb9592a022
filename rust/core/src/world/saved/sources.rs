//! What games and swarms have given to a world: terrain, stamps, links, heights, overlays, crowds and entities.

use crate::bytes::{Unpacker, Writer};
use crate::entities::EntityBuckets;
use crate::error::Result;
use crate::grid::Grid;
use crate::grid::link_travels::LinkTravels;
use crate::grid::links::{LinkList, Links};
use crate::grid::seams::Seams;
use crate::ground::Ground;
use crate::terrain::{Stamps, Terrain};
use crate::world::FlowWorld;
use crate::world::crowd_reports::Crowding;
use crate::world::former_terrain::FormerTerrains;
use crate::world::next_costs::CostSources;
use crate::world::overlays::Overlays;
use crate::world::surcharges::Surcharges;
use std::sync::Arc;

pub(super) struct Sources {
    pub(super) ground: Ground,
    pub(super) terrain: Terrain,
    pub(super) stamps: Stamps,
    pub(super) links: LinkList,
    pub(super) link_edges: Arc<Links>,
    pub(super) seams: Arc<Seams>,
    pub(super) surcharges: Surcharges,
    pub(super) entities: EntityBuckets,
}

impl Sources {
    /// Reads what [`FlowWorld::write_sources`] has written, for a world with the same configuration.
    pub(super) fn read(input: &mut Unpacker<'_>, world: &FlowWorld) -> Result<Self> {
        let grid = &world.grid;
        let (terrain, stamps) = Stamps::read(input, grid)?;
        let ground = Ground::read(input, grid)?;
        let links = LinkList::read_checked(input, |cell| grid.is_on_layer(cell))?;
        let all = || links.iter().map(|(_, link)| link);
        let link_edges = Arc::new(Links::new(all(), grid.width() as usize + 2));
        let seams = Arc::new(Seams::new(all(), grid.layers(), grid.width()));
        let crowding = Crowding::read(input, grid)?;
        let overlays = Overlays::read(input, grid)?;
        let surcharges = Surcharges { crowding, overlays };
        let entities = EntityBuckets::read(input, grid)?;
        Ok(Self {
            ground,
            terrain,
            stamps,
            links,
            link_edges,
            seams,
            surcharges,
            entities,
        })
    }
}

impl Sources {
    /// What costs in use follow from.
    pub(super) fn of_costs<'a>(
        &'a self,
        grid: &'a Grid,
        former: &'a FormerTerrains,
    ) -> CostSources<'a> {
        let present = CostSources {
            grid,
            terrain: &self.terrain,
            links: &self.link_edges,
            seams: &self.seams,
            surcharges: &self.surcharges,
        };
        present.on(former.in_use.as_deref())
    }
}

impl FlowWorld {
    pub(super) fn write_sources(&self, out: &mut Writer) {
        self.stamps.write(&self.terrain, out);
        self.ground.write(out);
        crate::bytes::Saved::write(&self.links, out);
        self.surcharges.crowding.write(out);
        self.surcharges.overlays.write(out);
        self.entities.write(out);
    }

    pub(super) fn put_sources(&mut self, sources: Sources) {
        let Sources {
            ground,
            terrain,
            stamps,
            links,
            link_edges,
            seams,
            mut surcharges,
            entities,
        } = sources;
        surcharges.crowding.recognize(&self.surcharges.crowding);
        self.ground = ground;
        self.terrain = terrain;
        self.stamps = stamps;
        self.travels = LinkTravels::new(links.iter().map(|(_, link)| link));
        self.links = links;
        self.link_edges = link_edges;
        self.seams = seams;
        self.surcharges = surcharges;
        self.entities = entities;
    }
}
