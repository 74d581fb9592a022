//! A hash of a swarm's state, for lockstep games and tests to compare in every tick.

use crate::random::mix;
use crate::swarm::avoidance::contact::ContactState;
use crate::swarm::state::agent_state::{AgentState, flag};
use crate::swarm::state::agents::Agents;
use crate::swarm::state::playing::Playing;
use crate::swarm::state::swarm::Swarm;
use crate::swarm::state::user_columns::UserColumns;
use glam::Vec2;

/// Mixed in so that a sum of hashes does not equal the hash of a sum.
const NEXT: u64 = 0x9E37_79B9_7F4A_7C15;

impl Swarm {
    /// A number that is the same for two swarms exactly if all their agents are (up to chance, 64 bits).
    ///
    /// Agents are the same if they have the same slots with the same numbers of lives, and the same bits in all data
    /// that steps read, in the game's own numbers, and in the clips that were played. Their history does not matter:
    /// neither the order of [`Self::ids`], nor removed agents, nor the generations of ids, which depend on loads
    /// ([`Self::load`]).
    ///
    /// The hash includes the number of steps, the targets that groups know of, crowd density and the layout of layers,
    /// as the next step depends on them. It does not include types, settings, seed, the groups' goals and leaders,
    /// bodies, areas and the world, which the game sets, nor the order of [`Self::ids`], which affects rounding. Two
    /// swarms with the same hash and the same calls since they were made, or since they loaded the same save, continue
    /// alike.
    ///
    /// O(agents); allocates nothing.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let agents = &self.agents;
        let each = (0..agents.len()).map(|index| agents.hash_of(index));
        let all = each.fold(agents.user.hash(&agents.key), u64::wrapping_add);
        let mut hash = mix(all ^ mix(agents.len() as u64 ^ NEXT));
        hash = mix(hash ^ self.tick).wrapping_add(NEXT);
        for (index, group) in self.groups.iter().enumerate() {
            if let Some(seen) = group.seen {
                hash = mix(mix(hash ^ index as u64) ^ seen).wrapping_add(NEXT);
            }
        }
        for march in self.marches() {
            // Its slots follow from its trail, and its members' targets are theirs.
            let points = [march.leader, march.ahead, march.center, march.heading];
            for &point in points.iter().chain(&march.trail) {
                hash = mix(hash ^ word(point)).wrapping_add(NEXT);
            }
        }
        if self.layers.count() > 1 {
            let (low, row_size) = self.layers.scale();
            let rows = u64::from(self.layers.count()) << 32 | u64::from(self.layers.rows());
            hash = mix(mix(hash ^ rows) ^ word(Vec2::new(low, row_size))).wrapping_add(NEXT);
        }
        if self.has_density() {
            hash = mix(hash ^ self.density.hash()).wrapping_add(NEXT);
        }
        hash
    }
}

/// The bits of a vector.
#[inline]
fn word(vector: Vec2) -> u64 {
    u64::from(vector.x.to_bits()) << 32 | u64::from(vector.y.to_bits())
}

impl Agents {
    #[inline]
    fn hash_of(&self, index: usize) -> u64 {
        let flags = self.flags[index];
        let small = [
            self.kind[index],
            self.group[index],
            self.state[index] as u8,
            flags,
        ];
        let small = u64::from(u32::from_le_bytes(small));
        let words = [
            word(self.position[index]),
            word(self.velocity[index]),
            word(self.heading[index]),
            word(self.scripted[index]),
            word(self.anchor[index]),
            u64::from(self.stalled[index].to_bits()) << 32 | small,
        ];
        let add = |hash: u64, word: u64| mix(hash ^ word).wrapping_add(NEXT);
        let hash = words.into_iter().fold(mix(self.key[index]), add);
        let followed = self.goal_group[index];
        let hash = if followed == u16::from(self.group[index]) {
            hash
        } else {
            add(hash, u64::from(followed))
        };
        let speed = self.factors.speed_of(index);
        let hash = if speed == 1.0 {
            hash
        } else {
            add(hash, u64::from(speed.to_bits()))
        };
        let contact = self.contact[index];
        let hash = if contact == ContactState::default() {
            hash
        } else {
            add(hash, contact.bits())
        };
        let hash = match contact.queue_bits() {
            0 => hash,
            queue => add(
                hash,
                u64::from(queue) | u64::from(contact.is_abreast()) << 8,
            ),
        };
        let hash = match self.travel.get(index) {
            Some(travel) if self.state[index] == AgentState::Travelling => {
                let ends = [
                    travel.from,
                    travel.to,
                    travel.end,
                    Vec2::new(travel.done, travel.whole),
                ];
                let hash = ends.into_iter().map(word).fold(hash, add);
                add(hash, u64::from(travel.arc.to_bits()))
            }
            _ => hash,
        };
        let hash = match self.playing.get(index) {
            Some(Some(playing)) => playing.words().into_iter().fold(hash, add),
            _ => hash,
        };
        if flags & flag::OWN_TARGET == 0 {
            hash
        } else {
            add(hash, word(self.target[index]))
        }
    }
}

impl Playing {
    /// The bits of all its numbers.
    fn words(&self) -> [u64; 3] {
        let [number, once, is_stopping] = [
            self.clip.number,
            u8::from(self.clip.once),
            u8::from(self.is_stopping),
        ];
        let marks = u32::from_le_bytes([number, once, is_stopping, 1]);
        [
            u64::from(marks) << 32 | u64::from(self.clip.seconds.to_bits()),
            word(Vec2::new(self.elapsed, self.weight)),
            u64::from(self.clip.blend.to_bits()),
        ]
    }
}

impl UserColumns {
    /// The sum over all numbers except zeros, which count as never set.
    fn hash(&self, keys: &[u64]) -> u64 {
        let ints = self.ints.iter().map(|column| {
            let bits = column.iter().map(|number| number.cast_unsigned());
            sum_of(bits.zip(keys))
        });
        let floats = self.floats.iter().map(|column| {
            let bits = column.iter().map(|number| number.to_bits());
            sum_of(bits.zip(keys))
        });
        let columns = ints.chain(floats).zip(1_u64..);
        columns.fold(0, |all, (sum, number)| match sum {
            0 => all,
            _ => all.wrapping_add(mix(sum ^ mix(number))),
        })
    }
}

fn sum_of<'a>(numbers: impl Iterator<Item = (u32, &'a u64)>) -> u64 {
    let used = numbers.filter(|number| number.0 != 0);
    let hashes = used.map(|(bits, &key)| mix(mix(key.wrapping_add(NEXT)) ^ u64::from(bits)));
    hashes.fold(0, u64::wrapping_add)
}
