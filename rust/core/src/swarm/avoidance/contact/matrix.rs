//! Which agent types move for which others.

use crate::swarm::AgentType;
use crate::swarm::limits::MAX_AGENT_TYPES;

/// For each type, a bit set of the types that it moves out of the way of.
#[derive(Debug, Default)]
pub(super) struct CollisionMatrix {
    moves_for: Vec<u64>,
    is_uniform: bool,
}

const _: () = assert!(MAX_AGENT_TYPES <= u64::BITS as usize);

impl CollisionMatrix {
    /// Fills the matrix from the types' collision masks. Without `keep_apart` no agent moves for another.
    pub(super) fn fill(&mut self, types: &[AgentType], keep_apart: bool) {
        let moves = |kind: &AgentType, other: &AgentType| {
            let solved = kind.uses_contacts() || other.uses_contacts();
            keep_apart && solved && kind.keeps_out_of(other)
        };
        self.moves_for.clear();
        self.moves_for.extend(types.iter().map(|kind| {
            types.iter().enumerate().fold(0, |set, (index, other)| {
                set | u64::from(moves(kind, other)) << index
            })
        }));
        let all = u64::MAX >> (64 - types.len().clamp(1, 64));
        self.is_uniform = self.moves_for.iter().all(|&set| set == all);
    }

    /// Whether all agents move for all others.
    pub(super) fn is_uniform(&self) -> bool {
        self.is_uniform
    }

    /// Whether an agent of type `kind` moves out of the way of one of type `other`.
    #[inline]
    fn moves(&self, kind: u8, other: u8) -> bool {
        self.moves_for[usize::from(kind)] >> other & 1 == 1
    }

    /// For two types, whether each moves out of the way of the other one.
    #[inline]
    pub(super) fn both_move(&self, one: u8, other: u8) -> [bool; 2] {
        [self.moves(one, other), self.moves(other, one)]
    }
}

/// Bit sets of another swarm's types, for one type of this swarm: the types that it keeps out of, and the types that
/// keep out of it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moves {
    pub(super) own: u64,
    pub(super) theirs: u64,
}
