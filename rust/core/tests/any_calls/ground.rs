//! Calls that change the ground: terrain, stamps, links, movement types and the grid.

use flow_swarm::grid::links::{Link, LinkId};
use flow_swarm::grid::travel::Travel;
use flow_swarm::grid::{CellRect, Grid};
use flow_swarm::movement::{
    Clearance, CrowdPenalty, MovementType, OverlayId, SlopeSpeed, TerrainSpeed, WallPenalty,
};
use flow_swarm::terrain::{Stamp, StampId, Terrain};
use flow_swarm::workers::Workers;
use flow_swarm::{IVec2, Vec2};
use flow_swarm_bench::maps::every_kind;

use crate::caller::Caller;

impl Caller {
    pub fn paint(&mut self) {
        let (cell, id) = (self.cell(), [1, 3, 255][self.random.below(3)]);
        let result = self.world.set_terrain(cell, id);
        self.note(&result);
        if result.is_ok() && self.world.stamp_ids().next().is_none() {
            assert_eq!(self.world.terrain().get(cell), Ok(id));
        }
        let small = self.small_rect();
        let id = [1, 255][self.random.below(2)];
        let result = self.world.set_terrain_rect(small, id);
        self.note(result);
    }

    fn small_rect(&mut self) -> CellRect {
        let (low, high) = (self.cell(), self.cell());
        CellRect {
            low,
            high: high.min(low.saturating_add(IVec2::splat(3))),
        }
    }

    /// Paints a random map of any kind, or invalid bytes.
    pub fn paint_everything(&mut self) {
        if self.random.percent(60) {
            return;
        }
        let size = self.world.grid().size();
        let maps = every_kind(size.x as usize, size.y as usize, self.random.next_u64());
        let map = &maps[self.random.below(maps.len())].1;
        let short = self.random.below(2);
        let result = self.world.set_terrain_bytes(&map.cost[short..]);
        assert_eq!(result.is_ok(), short == 0);
        self.note(result);
        self.paint_apart();
    }

    /// Edits terrain that belongs to no world.
    fn paint_apart(&mut self) {
        let grid = *self.world.grid();
        let mut terrain = Terrain::new(&grid);
        let (cell, rect) = (self.cell(), self.small_rect());
        let painted = (terrain.set(cell, 7), terrain.fill_rect(rect, 9));
        assert!(terrain.own_block_count() <= grid.cell_count());
        let bytes = terrain.to_bytes();
        assert_eq!(terrain.set_bytes(&bytes), Ok(()));
        assert_eq!(terrain.to_bytes(), bytes);
        self.note((painted, bytes));
    }

    pub fn paint_blocks(&mut self) {
        let rect = self.small_rect();
        let bytes = self.bytes(13);
        let result = self.world.set_terrain_block(rect, &bytes);
        self.note(&result);
        let read = self.world.base_terrain_block(rect);
        if result.is_ok() && !bytes.is_empty() {
            assert_eq!(read.as_ref(), Ok(&bytes), "what was painted is there");
        }
        self.note(read);
        let layer = self.integer();
        let size = self.world.grid().layer_size();
        let mut bytes = vec![1; (size.x * size.y) as usize];
        bytes.truncate(bytes.len() - self.random.below(2));
        if self.random.percent(10) {
            let result = self.world.set_layer_bytes(layer, &bytes);
            self.note(result);
        }
        let all = self.world.base_terrain_bytes();
        let part = self.world.layer_part(&all, layer);
        if let Ok(part) = &part {
            assert_eq!(part.len(), (size.x * size.y) as usize);
        }
        self.note(part);
    }

    pub fn place_stamps(&mut self) {
        let size = IVec2::new(self.random.below(6) as i32, self.random.below(6) as i32);
        let ids: Vec<u8> = (0..size.x * size.y)
            .map(|_| [0, 1, 3, 255][self.random.below(4)])
            .collect();
        let _ = Stamp::new(IVec2::new(self.integer() as i32, size.y), &ids, None);
        let Ok(stamp) = Stamp::new(size, &ids, Some(0)) else {
            return;
        };
        let turned = stamp.turned(self.integer());
        assert_eq!(turned.size().x * turned.size().y, size.x * size.y);
        let before = self.world.stamp_ids().count();
        let result = if self.random.percent(50) {
            let (cell, movement) = (self.cell(), self.movement());
            let pair = (self.place(), self.place());
            let cut = self.world.cut_pairs(cell, &turned, &[pair], movement);
            let result = self.world.place_stamp(cell, &turned).map(|id| vec![id]);
            if let Ok(cut) = &cut {
                assert!(result.is_ok(), "what fits is placed");
                // Islands are those of the costs in use.
                if !self.world.has_next_costs() {
                    let joined = self.world.is_reachable(pair.0, pair.1, movement);
                    assert_eq!(joined, Ok(cut.is_empty()), "{pair:?} by {turned:?}");
                }
            }
            self.note(cut);
            result
        } else {
            let stamps = [(self.cell(), turned), (IVec2::ZERO, stamp)];
            self.world.place_stamps(&stamps)
        };
        let placed = result.as_ref().map_or(0, Vec::len);
        assert_eq!(self.world.stamp_ids().count(), before + placed);
        self.note(result);
    }

    pub fn remove_stamps(&mut self) {
        let id = StampId(self.integer());
        let cells = self.world.stamp_cells(id);
        self.note(cells);
        let oldest = self.world.stamp_ids().next().unwrap_or(id);
        let removed = if self.random.percent(50) {
            self.world.remove_stamps(&[oldest, oldest])
        } else {
            self.world.remove_stamp(oldest)
        };
        assert!(self.world.stamp_cells(oldest).is_err());
        assert!(self.world.remove_stamps(&[oldest]).is_err(), "gone twice");
        self.note(removed);
    }

    pub fn change_links(&mut self) {
        let travel = match self.random.below(3) {
            0 => Travel::AtOnce,
            1 => Travel::Walk,
            _ => Travel::Timed {
                seconds: self.number(),
                arc: self.number(),
            },
        };
        let link = Link {
            from: self.cell(),
            to: self.cell(),
            cost: self.number(),
            both_ways: self.random.percent(50),
            travel,
        };
        let added = (
            link.check().is_ok(),
            self.world.add_link(link),
            self.world.add_links(&[Link { cost: 2.0, ..link }, link]),
        );
        assert!(added.0 || added.1.is_err());
        self.note(&added);
        if let Ok(id) = added.1 {
            assert_eq!(self.world.link(id), Ok(&link));
            let replaced = self.world.replace_links(&[id], &[link]);
            assert!(replaced.is_ok() && self.world.link(id).is_err());
            let result = self.world.replace_links(&[id], &[]);
            assert!(result.is_err(), "gone");
        }
        if self.world.link_ids().count() > 12 || self.random.percent(30) {
            // Sometimes all links are removed.
            let none = LinkId(self.integer());
            let all: Vec<LinkId> = self.world.link_ids().collect();
            for id in all.into_iter().chain([none]) {
                let result = self.world.remove_link(id);
                self.note(result);
            }
        }
    }

    pub fn change_movement_types(&mut self) {
        let most = [3, 3, 3, 40][self.random.below(4)];
        let count = 1 + self.random.below(most);
        let kinds: Vec<MovementType> = (0..count).map(|_| self.movement_type()).collect();
        let result = self.world.set_movement_types(&kinds);
        self.note(result);
        let number = self.integer();
        let known = self.world.check_movement(number);
        if let Ok(own) = known {
            let count = self.world.movement_type_count();
            assert!(own < count);
            assert!(self.world.most_restrictive(own, 0..count) < count);
            let at = self.vector();
            let factor = self.world.speed_factor(own, at);
            assert!((0.1..=4.0).contains(&factor), "{factor}");
            let factor = self.world.speed_factor_ahead(own, at, Vec2::Y);
            assert!((0.1..=4.0).contains(&factor), "{factor}");
        }
    }

    fn movement_type(&mut self) -> MovementType {
        let penalty = WallPenalty::new(self.integer(), self.integer(), true);
        let clearance = match self.random.below(3) {
            0 => Clearance::new(self.number()),
            1 => Clearance::new(1.4),
            _ => Ok(Clearance::default()),
        };
        let crowds = CrowdPenalty::new([0, 3, 40, self.integer()][self.random.below(4)]);
        let speed = match self.random.below(3) {
            0 => TerrainSpeed::even(),
            _ => TerrainSpeed::default(),
        };
        let factor = [0.1, 1.5, 4.0, self.number()][self.random.below(4)];
        let speed = speed.with_factor(self.integer(), factor);
        let slopes = SlopeSpeed::new(self.number(), [1.0, 2.0][self.random.below(2)]);
        let table = self.bytes(258);
        let own = MovementType::new(&table, penalty.clone().unwrap_or_default());
        own.unwrap_or(MovementType::with_wall_penalty(penalty.unwrap_or_default()))
            .with_clearance(clearance.unwrap_or_default())
            .with_crowd_penalty(crowds.unwrap_or_default())
            .with_terrain_speed(&speed.unwrap_or_default())
            .with_slope_speed(slopes.unwrap_or_default())
    }

    pub fn change_grid(&mut self) {
        if self.random.percent(80) {
            return;
        }
        let side = self.setting.side;
        let size = IVec2::new(
            self.random.below(side) as i32,
            self.random.below(side) as i32,
        );
        let cell_size = if self.random.percent(40) {
            self.number()
        } else {
            1.0
        };
        if let Ok(grid) = Grid::new(size, cell_size, self.vector()) {
            self.lay_out(grid);
        }
        let layers = self.integer() as u32;
        let _ = Grid::layered(self.cell(), cell_size, self.vector(), layers);
        // Returns to a size at which most arguments are valid.
        let size = IVec2::new(
            9 + self.random.below(side - 8) as i32,
            1 + self.random.below(side) as i32,
        );
        if self.random.percent(80) {
            let layers = 1 + self.random.below(3) as u32;
            let grid = Grid::layered(size, 1.0, Vec2::ZERO, layers).expect("valid");
            self.lay_out(grid);
        }
    }

    fn lay_out(&mut self, grid: Grid) {
        let left_out = self.world.set_grid(grid);
        for id in &left_out.entities {
            assert!(self.entities.remove(id).is_some(), "an unknown entity left");
        }
        for &id in &left_out.stamps {
            assert!(self.world.stamp_cells(id).is_err());
        }
        for &id in &left_out.links {
            assert!(self.world.link(id).is_err());
        }
        let gone = |&id: &OverlayId| !self.world.has_cost_overlay(id);
        assert!(left_out.overlays.iter().all(gone));
        // The places of entities that stay may have moved with their layers.
        for (&id, place) in &mut self.entities {
            *place = self.world.entities.position(id).expect("it has stayed");
        }
        let workers = 1 + (self.threads + self.random.below(3)) % 4;
        if self.random.percent(50) {
            self.world
                .set_workers(Workers::new(workers).expect("threads"));
        }
        self.note(left_out);
        self.check_queries();
    }
}
