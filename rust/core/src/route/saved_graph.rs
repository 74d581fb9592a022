//! A portal graph as bytes, which are saved together with tiles.

use super::build::{Builder, SharedEdges};
use super::graph::PortalGraph;
use super::sector_links::SectorLinks;
use super::sector_portals::{NO_EDGE, PortalSettings, SectorPortals};
use super::sectors::{MAX_SECTOR_SIZE, Sectors};
use crate::bytes::{Source, Unpacker, Writer};
use crate::error::Result;
use crate::integrate::FINEST;
use crate::movement::{CostField, MAX_COST};
use crate::workers::Workers;
use std::sync::Arc;

impl PortalGraph {
    /// Writes all sectors: the number of portals on each side, the portals, and the costs between them unless they are
    /// those of clear sectors.
    pub(crate) fn write(&self, out: &mut Writer) {
        let shared = self.shared.edges();
        for sector in self.portals.iter() {
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

    /// Reads what [`Self::write`] has written for a graph of `costs` with the same sectors and settings. Portals follow
    /// from the costs: bytes with other portals are refused, and memory is allocated for no more than a built graph
    /// has.
    pub(crate) fn read(
        input: &mut Unpacker<'_>,
        sectors: Sectors,
        settings: PortalSettings,
        costs: &CostField,
        workers: &Workers,
    ) -> Result<Self> {
        let shared = SharedEdges::new(settings);
        let links = SectorLinks::new(&sectors, costs);
        let mut builder = Builder::new((costs, &links), &sectors, settings, &shared);
        let mut portals = Vec::with_capacity(sectors.count());
        for sector in 0..sectors.count() as u32 {
            portals.push(read_sector(input, sector, &mut builder)?);
        }
        Ok(Self::of(
            sectors,
            settings,
            portals.into(),
            shared,
            (links, workers),
        ))
    }
}

fn read_sector(
    input: &mut Unpacker<'_>,
    sector: u32,
    builder: &mut Builder<'_>,
) -> Result<SectorPortals> {
    let (sides, portals) = builder.find_windows(sector);
    let counts: [u8; 4] = input.word()?;
    let mut found = sides.windows(2).zip(counts);
    let mut is_it = found.all(|(ends, count)| ends[1] - ends[0] == u16::from(count));
    for portal in portals {
        is_it &= input.word()? == portal.to_bytes();
    }
    if !is_it {
        return Err(input.bad("it has portals of other ground"));
    }
    let portals: Box<[_]> = portals.into();
    let links = builder.links_of(sector);
    let shared = builder.shared().edges();
    let count = portals.len() + links.as_ref().map_or(0, |links| links.cells.len());
    let edges = match input.u8()? {
        0 => read_edges(input, count)?.into(),
        1 if shared.len() == count * count => Arc::clone(shared),
        _ => return Err(input.bad("it has a sector with an unknown mark")),
    };
    Ok(SectorPortals {
        portals,
        sides,
        links,
        edges,
    })
}

/// Reads the costs between `count` portals.
fn read_edges(input: &mut Unpacker<'_>, count: usize) -> Result<Vec<u32>> {
    // No path within a sector is longer than the number of its cells.
    let cells = MAX_SECTOR_SIZE * MAX_SECTOR_SIZE;
    let most = cells * FINEST.diagonal * u32::from(MAX_COST);
    let edges = input.array(count * count, 4, Unpacker::u32)?;
    for (place, &cost) in edges.iter().enumerate() {
        let is_here = place / count == place % count;
        // Portals of two sides may share the cell in a corner.
        if is_here && cost != 0 || cost > most && cost != NO_EDGE {
            return Err(input.bad("it has an impossible cost between portals"));
        }
    }
    Ok(edges)
}
