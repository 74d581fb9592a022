//! The arguments of calls: mostly valid ones, sometimes nonsense.

use flow_swarm::swarm::AgentId;
use flow_swarm::world::GoalId;
use flow_swarm::{IVec2, Vec2};

use crate::caller::Caller;

impl Caller {
    pub fn number(&mut self) -> f32 {
        const ODD: [f32; 14] = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN,
            f32::MIN_POSITIVE,
            1.0e-45,
            1.0e30,
            -1.0e30,
            1.0e6,
            -1.0,
            0.0,
            -0.0,
            1.0,
        ];
        if self.random.percent(15) {
            ODD[self.random.below(ODD.len())]
        } else {
            (self.random.unit() * 40.0 - 4.0) as f32
        }
    }

    pub fn integer(&mut self) -> i64 {
        const ODD: [i64; 6] = [-1, 256, 65, i64::MAX, i64::MIN, 1 << 32];
        if self.random.percent(15) {
            ODD[self.random.below(ODD.len())]
        } else {
            self.random.below(4) as i64
        }
    }

    pub fn vector(&mut self) -> Vec2 {
        Vec2::new(self.number(), self.number())
    }

    /// A point inside the rectangle of the grid.
    pub fn place_inside(&mut self) -> Vec2 {
        let (low, high) = self.world.grid().bounds();
        let unit = Vec2::new(self.random.unit() as f32, self.random.unit() as f32);
        low + (high - low) * unit
    }

    pub fn place(&mut self) -> Vec2 {
        if self.random.percent(20) {
            self.vector()
        } else {
            self.place_inside()
        }
    }

    pub fn places(&mut self, most: usize) -> Vec<Vec2> {
        let count = self.random.below(most);
        let bad = self.random.percent(20);
        (0..count)
            .map(|_| {
                loop {
                    let place = self.place();
                    let cell = self.world.grid().cell_at(place);
                    if bad || place.is_finite() && self.world.grid().contains(cell) {
                        break place;
                    }
                }
            })
            .collect()
    }

    pub fn cell(&mut self) -> IVec2 {
        if self.random.percent(10) {
            return IVec2::new(
                self.integer() as i32,
                i32::MIN + self.random.below(9) as i32,
            );
        }
        let size = self.world.grid().size();
        IVec2::new(
            self.random.below(size.x as usize + 1) as i32,
            self.random.below(size.y as usize + 1) as i32,
        )
    }

    pub fn some_ids(&mut self) -> Vec<AgentId> {
        let from_all = self.random.percent(30);
        let count = self.random.below(6);
        let mut one = || {
            let from = if from_all {
                &self.ids
            } else {
                self.swarm.ids()
            };
            from.get(self.random.below(from.len())).copied()
        };
        (0..count).filter_map(|_| one()).collect()
    }

    pub fn goal(&mut self) -> GoalId {
        let count = self.goals.len();
        self.goals
            .get(self.random.below(count + 1))
            .copied()
            .unwrap_or(GoalId(77))
    }

    /// The index of a movement type, mostly of an existing one.
    pub fn movement(&mut self) -> usize {
        if self.random.percent(70) {
            return self.random.below(self.world.movement_type_count());
        }
        usize::try_from(self.integer()).unwrap_or(usize::MAX)
    }

    /// A goal, a place and a movement type, the arguments of most queries about paths.
    pub fn question(&mut self) -> (GoalId, Vec2, usize) {
        (self.goal(), self.place(), self.movement())
    }

    pub fn bytes(&mut self, most: usize) -> Vec<u8> {
        let count = self.random.below(most);
        (0..count)
            .map(|_| [0, 1, 3, 255][self.random.below(4)])
            .collect()
    }

    /// A copy of `bytes` with some of them missing or changed.
    pub fn spoiled(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut spoiled = bytes[..self.random.below(bytes.len() + 1)].to_vec();
        if self.random.percent(50) {
            spoiled = bytes.to_vec();
            let at = self.random.below(spoiled.len());
            if let Some(byte) = spoiled.get_mut(at) {
                *byte ^= 1 << self.random.below(8);
            }
        }
        spoiled
    }
}
