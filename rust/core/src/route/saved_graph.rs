//! A portal graph as bytes, to be kept beside the tiles that are saved.

use super::build::{Builder, SharedEdges};
use super::graph::{PortalGraph, PortalSettings, SectorPortals};
use super::sector_links::SectorLinks;
use super::sectors::{Sectors, Side};
use super::windows::Portal;
use crate::bytes::{Reader, Writer};
use crate::error::Result;
use crate::movement::CostField;
use crate::workers::Workers;
use std::sync::Arc;

impl PortalGraph {
    /// Writes all sectors: how many portals each side has, the portals, and the costs between them unless
    /// they are those of all clear ground.
    pub(crate) fn write(&self, out: &mut Writer) {
        let shared = self.shared.edges();
        for sector in &self.portals {
            let counts = sector
                .sides
                .windows(2)
                .map(|ends| (ends[1] - ends[0]) as u8);
            out.bytes.extend(counts);
            for portal in &sector.portals {
                out.bytes.extend(portal.to_bytes());
            }
            let is_shared = sector.count() > 0 && sector.edges == *shared;
            out.u8(u8::from(is_shared));
            if !is_shared {
                for &cost in &*sector.edges {
                    out.u32(cost);
                }
            }
        }
    }

    /// Reads what [`Self::write`] has written of a graph of `costs` with such sectors and settings. Which portals
    /// links have follows from the costs.
    pub(crate) fn read(
        input: &mut Reader<'_>,
        sectors: Sectors,
        settings: PortalSettings,
        costs: &CostField,
        workers: &Workers,
    ) -> Result<Self> {
        let shared = SharedEdges::new(settings);
        let links = SectorLinks::new(&sectors, costs);
        let builder = Builder::new((costs, &links), &sectors, settings, &shared);
        let mut portals = Vec::with_capacity(sectors.count());
        for sector in 0..sectors.count() as u32 {
            portals.push(read_sector(input, &sectors, sector, &builder)?);
        }
        let graph = Self::of(sectors, settings, portals, shared, (links, workers));
        // Each window has a portal on either side.
        let is_paired = |sector: u32, side: Side| {
            let own = graph.portals_on(sector, side).count();
            let beyond = sectors.beyond(sector, side);
            let others = beyond.map(|other| graph.portals_on(other, side.opposite()).count());
            own == others.unwrap_or(0)
        };
        let count = sectors.count() as u32;
        if (0..count).any(|sector| Side::ALL.iter().any(|&side| !is_paired(sector, side))) {
            return Err(input.bad("it has a portal that leads nowhere"));
        }
        Ok(graph)
    }
}

fn read_sector(
    input: &mut Reader<'_>,
    sectors: &Sectors,
    sector: u32,
    builder: &Builder<'_>,
) -> Result<SectorPortals> {
    let links = builder.links_of(sector);
    let shared = builder.shared();
    let rect = sectors.rect(sector);
    let extent = rect.high - rect.low;
    let mut sides = [0; 5];
    let counts = input.take(4)?;
    for (side, &count) in counts.iter().enumerate() {
        sides[side + 1] = sides[side] + u16::from(count);
    }
    let mut portals = Vec::with_capacity(usize::from(sides[4]));
    for (side, &count) in Side::ALL.iter().zip(counts) {
        let length = match side {
            Side::East | Side::West => extent.y,
            Side::South | Side::North => extent.x,
        };
        for _ in 0..count {
            let portal = Portal::from_bytes(input.take(5)?);
            let portal = portal.filter(|portal| portal.is_within(length as usize));
            portals.push(portal.ok_or_else(|| input.bad("it has a portal outside its sector"))?);
        }
    }
    let count = portals.len() + links.as_ref().map_or(0, |links| links.cells.len());
    let edges = match input.u8()? {
        0 => input.array(count * count, Reader::u32)?.into(),
        1 if shared.edges().len() == count * count => Arc::clone(shared.edges()),
        _ => return Err(input.bad("it has a sector with an unknown mark")),
    };
    Ok(SectorPortals {
        portals: portals.into(),
        sides,
        links,
        edges,
    })
}
