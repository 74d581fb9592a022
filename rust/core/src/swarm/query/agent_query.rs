//! Which agents a search finds, in which order, and how many.

use crate::error::{Error, Result, in_range};
use crate::swarm::limits::{MAX_AGENT_TYPES, MAX_GROUPS};
use crate::swarm::state::agent_id::AgentId;
use crate::swarm::state::group::{Kinds, check_group};
use crate::swarm::state::user_columns::check_column;
use std::ops::RangeInclusive;

/// The order in which a search returns agents. Ties are in ascending order of ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueryOrder {
    /// The order of the search itself: circles, rectangles and spheres by ascending id; segments and rays by the
    /// distance along them; the nearest agents by distance.
    #[default]
    Natural,
    /// By the distance of centres: from the centre of a circle, rectangle or sphere, from the start of a segment
    /// or ray. In 3D the centre of an agent is that of its capsule.
    Distance,
    /// By the cost that remains to the goal that they follow, on the field or route that they follow: the first on the
    /// path is first. While the route of a tiled goal waits to be searched, the straight distance to the target counts.
    /// Agents without a goal or a route come last.
    CostToGoal,
    /// By a column of integers that the game keeps.
    Ints(usize),
    /// By a column of floats that the game keeps.
    Floats(usize),
}

/// A bit for each group.
type Groups = [u64; MAX_GROUPS / 64];

/// Which agents a search finds, in which order, and how many. The default finds all agents in the order of the search.
///
/// An agent is found if it meets all conditions: its group, its type and the collision layer of its type are among
/// those selected, the numbers that the game keeps with it are in their ranges, and it is not excluded.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentQuery {
    pub(in crate::swarm) groups: Groups,
    pub(in crate::swarm) kinds: Kinds,
    pub(in crate::swarm) collision_mask: u32,
    /// Columns of integers and the numbers that are found.
    pub(in crate::swarm) ints: Vec<(usize, RangeInclusive<i32>)>,
    pub(in crate::swarm) floats: Vec<(usize, RangeInclusive<f32>)>,
    /// Agents that are not found, by ascending id.
    pub(in crate::swarm) excluded: Vec<AgentId>,
    pub(in crate::swarm) order: QueryOrder,
    pub(in crate::swarm) is_descending: bool,
    /// The most agents that are returned.
    pub(in crate::swarm) limit: usize,
}

impl Default for AgentQuery {
    fn default() -> Self {
        Self {
            groups: [u64::MAX; MAX_GROUPS / 64],
            kinds: Kinds::MAX,
            collision_mask: u32::MAX,
            ints: Vec::new(),
            floats: Vec::new(),
            excluded: Vec::new(),
            order: QueryOrder::Natural,
            is_descending: false,
            limit: usize::MAX,
        }
    }
}

impl AgentQuery {
    /// Finds only agents of these groups.
    ///
    /// # Errors
    /// No group, or one beyond [`MAX_GROUPS`].
    pub fn in_groups(mut self, groups: &[i64]) -> Result<Self> {
        at_least_one("groups", groups.len())?;
        self.groups = Groups::default();
        for &group in groups {
            let group = usize::from(check_group(group)?);
            self.groups[group / 64] |= 1 << (group % 64);
        }
        Ok(self)
    }

    /// Finds only agents of these types, by their indices.
    ///
    /// # Errors
    /// No type, or one beyond [`MAX_AGENT_TYPES`].
    pub fn of_types(mut self, kinds: &[i64]) -> Result<Self> {
        at_least_one("types", kinds.len())?;
        self.kinds = 0;
        for &kind in kinds {
            self.kinds |= 1 << in_range("type", kind, 0, MAX_AGENT_TYPES as i64 - 1)?;
        }
        Ok(self)
    }

    /// Finds only agents whose type has one of these collision layers.
    ///
    /// # Errors
    /// A mask of 0, which selects no agent.
    pub fn on_collision_layers(mut self, mask: u32) -> Result<Self> {
        let mask = in_range("collision_mask", i64::from(mask), 1, u32::MAX.into())?;
        self.collision_mask = mask as u32;
        Ok(self)
    }

    /// Finds only agents whose number in a column of integers is in a range. Several ranges must all hold.
    ///
    /// # Errors
    /// An unknown column, or a range without numbers.
    pub fn with_ints(mut self, column: i64, range: RangeInclusive<i32>) -> Result<Self> {
        let column = check_column(column)?;
        let (least, most) = (i64::from(*range.start()), i64::from(*range.end()));
        in_range("greatest value of a range", most, least, i32::MAX.into())?;
        self.ints.push((column, range));
        Ok(self)
    }

    /// Finds only agents whose number in a column of floats is in a range. Several ranges must all hold.
    ///
    /// # Errors
    /// An unknown column, an end that is not finite, or a range without numbers.
    pub fn with_floats(mut self, column: i64, range: RangeInclusive<f32>) -> Result<Self> {
        let column = check_column(column)?;
        let (least, most) = (*range.start(), *range.end());
        in_range("least value of a range", least, f32::MIN, f32::MAX)?;
        in_range("greatest value of a range", most, least, f32::MAX)?;
        self.floats.push((column, range));
        Ok(self)
    }

    /// Does not find these agents. Ids that name no agent are allowed.
    #[must_use]
    pub fn without(mut self, ids: &[AgentId]) -> Self {
        self.excluded.extend_from_slice(ids);
        self.excluded.sort_unstable();
        self
    }

    /// Returns agents in an order.
    ///
    /// # Errors
    /// An order by an unknown column.
    pub fn by(mut self, order: QueryOrder) -> Result<Self> {
        if let QueryOrder::Ints(column) | QueryOrder::Floats(column) = order {
            check_column(column as i64)?;
        }
        self.order = order;
        Ok(self)
    }

    /// Reverses the order, except for ties. Agents without a route still come last.
    #[must_use]
    pub fn descending(mut self) -> Self {
        self.is_descending = true;
        self
    }

    /// Returns only the first agents, at most `limit`.
    ///
    /// # Errors
    /// A limit of 0.
    pub fn first(mut self, limit: usize) -> Result<Self> {
        at_least_one("limit", limit)?;
        self.limit = limit;
        Ok(self)
    }

    pub(in crate::swarm) fn selects_group(&self, group: u8) -> bool {
        let group = usize::from(group);
        self.groups[group / 64] >> (group % 64) & 1 == 1
    }
}

fn at_least_one(name: &'static str, count: usize) -> Result<()> {
    if count == 0 {
        return Err(Error::TooShort {
            name,
            least: 1,
            actual: 0,
        });
    }
    Ok(())
}
