//! Formations: slots around a place, and the assignment of agents to slots.
//!
//! Slots lie on a square lattice that is turned to the formation's heading, as close to its shape as walls allow. Every
//! slot is in sight of the formation's centre, so that an agent that reaches the centre sees its own slot. The front
//! rows are filled with the agents farthest ahead, and each row from side to side in the order in which the agents
//! stand, so that few paths cross.

use crate::error::{Error, Result, finite, in_range};
use crate::swarm::constraints::walls;
use crate::swarm::limits::MAX_SPEED;
use crate::swarm::state::agent_state::flag;
use crate::swarm::state::group::Purpose;
use crate::swarm::state::march::{LEAST_SPACING, MOST_OFFSET, March, Member};
use crate::swarm::state::swarm::Swarm;
use crate::swarm::{AgentId, AgentType};
use crate::world::{FlowWorld, GoalId, GoalMode};
use glam::Vec2;
use std::collections::BTreeMap;

/// The default distance between slots, as a multiple of the largest agent's radius. Agents in neighbouring slots do not
/// push each other.
const APART: f32 = 2.5;
/// The least distance between the slots of a march, as a multiple of the default. The points of its trail are as dense.
const DENSEST: f32 = 0.1;
/// The ratio of a block's width to its depth.
const WIDTH: f32 = 1.5;
/// The number of candidate places for each slot. Agents for which none is left get no slot.
const CANDIDATES: usize = 6;

/// The shape of a formation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Shape {
    /// Rows of equal length, one and a half times as wide as deep. The last row has the remaining slots, centred.
    #[default]
    Block = 0,
    /// A triangle that points ahead: each row has two slots more than the one before it.
    Wedge = 1,
    /// A disc, as round as the lattice allows.
    Disc = 2,
}

impl Shape {
    /// The shape of a number.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn from_number(number: i64) -> Result<Self> {
        match number {
            0 => Ok(Self::Block),
            1 => Ok(Self::Wedge),
            2 => Ok(Self::Disc),
            _ => Err(Error::OutOfRange {
                name: "shape",
                value: number.into(),
                min: 0.into(),
                max: 2.into(),
            }),
        }
    }
}

/// A formation that agents are to take up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Formation {
    /// The shape.
    pub shape: Shape,
    /// The direction that it faces, of any length. Zero stands for the direction from the agents' mean position to the
    /// formation's centre.
    pub heading: Vec2,
    /// The distance between slots in world units; 0 stands for two and a half times the largest agent's radius.
    pub spacing: f32,
}

impl Swarm {
    /// Gives agents slots of a formation around `center` as their own targets ([`Self::set_targets`]), and returns how
    /// many got one. The others have no own target and follow their group's goal.
    ///
    /// A slot is in sight of `center` for every movement type among the agents, and the largest agent of each movement
    /// type fits there. Agents whose group's goal is `center` reach their slots from wherever they can reach `center`.
    /// O(agents · log agents), and a line of sight test for each slot.
    ///
    /// # Errors
    /// [`Error::UnknownId`] for any of them, a center that is not finite and in the grid, a heading
    /// that is not finite, or a spacing outside 0..=1e6; nothing is changed then.
    pub fn form_up(
        &mut self,
        world: &mut FlowWorld,
        ids: &[AgentId],
        center: Vec2,
        formation: &Formation,
    ) -> Result<usize> {
        world.grid().check_position("center", center)?;
        finite("heading", formation.heading)?;
        in_range("spacing", formation.spacing, 0.0, MAX_SPEED)?;
        let mut members = ids
            .iter()
            .map(|&id| self.agents.find(id))
            .collect::<Result<Vec<_>>>()?;
        members.sort_unstable();
        members.dedup();
        if members.is_empty() {
            return Ok(0);
        }
        self.sync_layers(world);
        world.refresh_for_agents();
        let frame = self.frame(&members, center, formation);
        self.take_slots(world, members, &frame, formation.shape)
    }

    /// Sends agents to a target in formation: a leader, which is only a point, walks along the field, the slots follow
    /// on its trail, and at the target the agents form up as by [`Self::form_up`]. Where there is no room beside the
    /// trail, the formation gets narrower, and wide again behind. The leader goes as fast as the slowest member, and
    /// waits for members that lag behind. Agents that get other orders on the way leave the formation. Returns the
    /// temporary goal, as [`Self::send`] does; `None` without agents.
    ///
    /// A step costs O(members) with a line of sight test or two for each.
    ///
    /// # Errors
    /// Those of [`Self::form_up`] and [`Self::send`]; nothing is changed then.
    pub fn send_in_formation(
        &mut self,
        world: &mut FlowWorld,
        ids: &[AgentId],
        center: Vec2,
        mode: GoalMode,
        formation: &Formation,
    ) -> Result<Option<GoalId>> {
        world.grid().check_position("center", center)?;
        finite("heading", formation.heading)?;
        in_range("spacing", formation.spacing, 0.0, MAX_SPEED)?;
        self.find_all(ids)?;
        let (goal, hold) = world.temporary_goal(&[center], mode)?;
        let Some(order) = self.give_orders(ids, goal, Some(hold), Purpose::March)? else {
            return Ok(None);
        };
        self.sync_layers(world);
        let mut members = ids
            .iter()
            .map(|&id| self.agents.find(id))
            .collect::<Result<Vec<_>>>()?;
        members.sort_unstable();
        members.dedup();
        let on_the_way = Formation {
            heading: Vec2::ZERO,
            ..*formation
        };
        let frame = self.frame(&members, center, &on_the_way);
        let offsets = formation.shape.candidates(members.len()).into_iter();
        let slots = offsets.map(|(file, rank)| frame.slot(file, rank));
        let mut slots: Vec<Slot> = slots.take(members.len()).collect();
        slots.sort_unstable_by_key(|slot| (slot.rank, slot.file));
        self.line_up(&mut members, &slots, &frame);
        let front = slots[0].rank;
        let in_front = slots.iter().filter(|slot| slot.rank == front).count();
        let leader = self.agents.position[members[in_front / 2]];
        let mut march = March {
            order,
            leader,
            ahead: frame.ahead,
            spacing: frame
                .spacing
                .max(DENSEST * self.spacing_of(&members))
                .max(LEAST_SPACING),
            center,
            shape: formation.shape as u8,
            heading: formation.heading,
            ..March::default()
        };
        for (&index, slot) in members.iter().zip(&slots) {
            let place = self.agents.position[index];
            self.agents.target[index] = place;
            self.agents.flags[index] |= flag::OWN_TARGET;
            self.agents.restart(index);
            march.members.push(Member {
                id: self.agents.id[index],
                file: slot.file.clamp(-MOST_OFFSET, MOST_OFFSET),
                rank: (slot.rank - front).min(MOST_OFFSET),
                place,
                target: place,
            });
        }
        // A march whose order has ended since the last step may have had the same number.
        self.marches.retain(|known| known.order != order);
        self.marches.push(march);
        Ok(Some(goal))
    }

    /// Gives the members of a march the slots at their destination.
    pub(in crate::swarm) fn form_up_at_destination(&mut self, world: &FlowWorld, march: &March) {
        let members = march.members.iter();
        let members: Vec<usize> = members
            .filter_map(|member| self.agents.find(member.id).ok())
            .collect();
        let frame = Frame {
            center: march.center,
            ahead: march.heading.normalize_or(march.ahead),
            spacing: march.spacing,
        };
        let shape = Shape::from_number(march.shape.into()).unwrap_or_default();
        // Movement types are those of a step, which has checked them.
        let _ = self.take_slots(world, members, &frame, shape);
    }

    /// Gives members the slots of a formation as their own targets, and returns how many got one.
    fn take_slots(
        &mut self,
        world: &FlowWorld,
        mut members: Vec<usize>,
        frame: &Frame,
        shape: Shape,
    ) -> Result<usize> {
        let mut slots = self.slots(world, &members, frame, shape)?;
        slots.sort_unstable_by_key(|slot| (slot.rank, slot.file));
        self.line_up(&mut members, &slots, frame);
        for (place, &index) in members.iter().enumerate() {
            self.release_target(index);
            if let Some(slot) = slots.get(place) {
                self.agents.target[index] = slot.place;
                self.agents.flags[index] |= flag::OWN_TARGET;
            } else {
                self.agents.flags[index] &= !flag::OWN_TARGET;
            }
            self.agents.restart(index);
        }
        Ok(slots.len())
    }

    /// The frame of a formation of some agents.
    fn frame(&self, members: &[usize], center: Vec2, formation: &Formation) -> Frame {
        // A running mean, because sums of large coordinates lose digits.
        let mut middle = Vec2::ZERO;
        for (count, &index) in (1..).zip(members) {
            middle += (self.agents.position[index] - middle) / count as f32;
        }
        let heading = if formation.heading == Vec2::ZERO {
            center - middle
        } else {
            formation.heading
        };
        let spacing = if formation.spacing > 0.0 {
            formation.spacing
        } else {
            self.spacing_of(members)
        };
        Frame {
            center,
            ahead: heading.normalize_or(Vec2::X),
            spacing,
        }
    }

    /// The default distance between the slots of some agents.
    fn spacing_of(&self, members: &[usize]) -> f32 {
        let radii = members.iter().map(|&index| self.kind_of(index).radius);
        APART * radii.fold(0.0, f32::max)
    }

    fn kind_of(&self, index: usize) -> &AgentType {
        &self.types[usize::from(self.agents.kind[index])]
    }

    /// At most one slot for each member, in the shape's order of preference.
    fn slots(
        &self,
        world: &FlowWorld,
        members: &[usize],
        frame: &Frame,
        shape: Shape,
    ) -> Result<Vec<Slot>> {
        let mut largest: BTreeMap<usize, f32> = BTreeMap::new();
        for &index in members {
            let kind = self.kind_of(index);
            world.check_movement(kind.movement as i64)?;
            let radius = largest.entry(kind.movement).or_default();
            *radius = radius.max(kind.radius);
        }
        let grid = *world.grid();
        let center = grid.to_cell_space(frame.center);
        let is_free = |place: Vec2| {
            let point = grid.to_cell_space(place);
            grid.check_position("slot", place).is_ok()
                && largest.iter().all(|(&movement, radius)| {
                    let costs = world.costs(movement);
                    let radius = radius / grid.cell_size();
                    costs.has_line_of_sight(center, point) && walls::is_clear(costs, point, radius)
                })
        };
        let candidates = shape.candidates(members.len());
        let slots = candidates
            .into_iter()
            .map(|(file, rank)| frame.slot(file, rank));
        Ok(slots
            .filter(|slot| is_free(slot.place))
            .take(members.len())
            .collect())
    }

    /// Sorts members by the slots that they take: the agents farthest ahead take the front rank, and within a rank
    /// agents are in the order in which they stand from side to side.
    fn line_up(&self, members: &mut [usize], slots: &[Slot], frame: &Frame) {
        let order = |index: usize, axis: Vec2| {
            let along = (self.agents.position[index] - frame.center).dot(axis);
            (along, self.agents.id[index])
        };
        let by = |axis: Vec2| {
            move |&one: &usize, &other: &usize| {
                let (one, other) = (order(one, axis), order(other, axis));
                one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
            }
        };
        members.sort_unstable_by(by(-frame.ahead));
        let mut rest = members;
        for rank in slots.chunk_by(|one, other| one.rank == other.rank) {
            let (takers, others) = rest.split_at_mut(rank.len());
            takers.sort_unstable_by(by(frame.ahead.perp()));
            rest = others;
        }
    }
}

/// The position, direction and spacing of a formation.
struct Frame {
    center: Vec2,
    /// The unit vector of its heading.
    ahead: Vec2,
    /// World units between slots.
    spacing: f32,
}

/// A place for one agent.
struct Slot {
    /// The offset behind the centre, in half spacings.
    rank: i32,
    /// The offset to the side that [`Vec2::perp`] points to, in half spacings.
    file: i32,
    place: Vec2,
}

impl Frame {
    fn slot(&self, file: i32, rank: i32) -> Slot {
        let half = 0.5 * self.spacing;
        let side = self.ahead.perp() * (file as f32 * half);
        let back = self.ahead * (rank as f32 * half);
        Slot {
            rank,
            file,
            place: self.center + side - back,
        }
    }
}

impl Shape {
    /// The candidate places for a shape of `count` slots, in order of preference: files and ranks, in half spacings
    /// from the centre.
    fn candidates(self, count: usize) -> Vec<(i32, i32)> {
        let most = CANDIDATES * count;
        match self {
            Self::Block => {
                let files = (WIDTH * count as f32).sqrt().round().max(1.0) as usize;
                let ranks = count.div_ceil(files);
                let rows = (0..).flat_map(|rank: usize| {
                    let is_last = rank + 1 == ranks;
                    let length = if is_last { count - rank * files } else { files };
                    (0..length).map(move |file| (centered(file, length), centered(rank, ranks)))
                });
                rows.take(most).collect()
            }
            Self::Wedge => {
                let ranks = (count as f32).sqrt().ceil() as i32;
                let rows = (0..).flat_map(|rank: i32| {
                    // A third of a triangle's height lies behind its middle.
                    let behind = 2 * rank - 4 * (ranks - 1) / 3;
                    (-rank..=rank).map(move |file| (2 * file, behind))
                });
                rows.take(most).collect()
            }
            Self::Disc => {
                let reach = (most as f32).sqrt() as i32 / 2 + 1;
                let square = |rank: i32| (-reach..=reach).map(move |file| (2 * file, 2 * rank));
                let mut places: Vec<_> = (-reach..=reach).flat_map(square).collect();
                places.sort_by_key(|(file, rank)| file * file + rank * rank);
                places
            }
        }
    }
}

/// The offset of the `number`-th of `count` places in a row from the row's middle, in half spacings.
fn centered(number: usize, count: usize) -> i32 {
    2 * number as i32 - (count as i32 - 1)
}
