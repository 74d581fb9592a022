//! The swarms that share a manager, and their outlines for each other.
//!
//! Swarms step one after the other. In a round each swarm steps once. So that their order does not matter, each swarm
//! keeps out of the other swarms' agents at their positions at the beginning of the round: the outlines of all swarms
//! are made before the first one steps. A physics frame begins a new round, and so does a swarm that steps again.

use super::FlowFieldManager;
use flow_swarm::swarm::Outline;
use godot::prelude::*;
use std::sync::Arc;

/// A swarm that uses the manager, or used it when it last stepped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub(crate) swarm: InstanceId,
    has_stepped: bool,
    /// Whether it did not step in the previous round.
    pub(crate) is_resting: bool,
}

/// The outline of a swarm at the beginning of a round.
pub(crate) type SwarmOutline = (InstanceId, Arc<Outline>);

/// The swarms that share a manager.
#[derive(Default)]
pub(super) struct Crowds {
    members: Vec<Member>,
    /// The physics frame in which the round has begun.
    frame: Option<u64>,
    outlines: Vec<SwarmOutline>,
}

impl Crowds {
    /// The swarms, and which of them have stepped in this round.
    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Goes on with an earlier state of [`Self::members`].
    pub(super) fn restore(&mut self, members: &[Member]) {
        self.members = members.to_vec();
        self.outlines.clear();
    }
}

impl FlowFieldManager {
    /// Adds a swarm that uses the manager, if it is new.
    ///
    /// A swarm is new until it steps. A loaded one is added before that, because the round that comes next must have
    /// the outlines of all swarms that were there when the state was saved.
    pub(crate) fn enrol(&mut self, swarm: InstanceId) {
        let members = &mut self.crowds.members;
        if members.iter().all(|member| member.swarm != swarm) {
            members.push(Member {
                swarm,
                has_stepped: false,
                is_resting: false,
            });
        }
    }

    /// Records that a swarm steps in a physics frame. If `again` is true, a swarm that has already stepped in this
    /// round begins a new one. Returns all swarms if a round begins with several of them; the caller then passes their
    /// outlines to [`Self::begin_round`].
    pub(crate) fn enter_round(
        &mut self,
        swarm: InstanceId,
        frame: u64,
        again: bool,
    ) -> Option<Vec<Member>> {
        self.enrol(swarm);
        let crowds = &mut self.crowds;
        let is_swarm = |member: &&mut Member| member.swarm == swarm;
        let has_stepped = crowds
            .members
            .iter_mut()
            .find(is_swarm)
            .is_some_and(|member| std::mem::replace(&mut member.has_stepped, true));
        if crowds.frame == Some(frame) && !(has_stepped && again) {
            return None;
        }
        let is_first = crowds.frame.replace(frame).is_none();
        for member in &mut crowds.members {
            let stepped = member.has_stepped && (member.swarm != swarm || has_stepped);
            member.is_resting = !is_first && !stepped;
            member.has_stepped = member.swarm == swarm;
        }
        // Releases the outlines, so that swarms can fill them anew.
        crowds.outlines.clear();
        (crowds.members.len() > 1).then(|| crowds.members.clone())
    }

    /// Begins a round with the outlines of all swarms, in an order that does not depend on which one steps first.
    pub(crate) fn begin_round(&mut self, outlines: Vec<SwarmOutline>) {
        let is_there = |member: &Member| outlines.iter().any(|(swarm, _)| *swarm == member.swarm);
        self.crowds.members.retain(is_there);
        self.crowds.outlines = outlines;
    }

    /// The outlines of this round.
    pub(crate) fn outlines(&mut self) -> Vec<SwarmOutline> {
        self.crowds.outlines.clone()
    }
}
