//! The scratch memory of a step, apart from a swarm's state.

use crate::swarm::avoidance::contact::{Contacts, Streams};
use crate::swarm::avoidance::orca::OrcaAgent;
use crate::swarm::constraints::boarding::memory::Boarding;
use crate::swarm::constraints::link_users::LinkUsers;
use crate::swarm::goal::group_center::GroupCenter;
use crate::swarm::goal::settling::Crowds;
use crate::swarm::state::columns::Spares;
use crate::swarm::step::result::StepResult;
use crate::world::Route;

/// The scratch memory of a step. Between steps only its capacity is kept.
#[derive(Debug, Default)]
pub(in crate::swarm) struct Scratch {
    pub(in crate::swarm) moved: Vec<StepResult>,
    pub(in crate::swarm) link_users: LinkUsers,
    pub(in crate::swarm) boarding: Boarding,
    pub(in crate::swarm) old_flags: Vec<u8>,
    /// The data that ORCA reads of each agent, in bucket order; empty if no type uses ORCA.
    pub(in crate::swarm) bodies: Vec<OrcaAgent>,
    pub(in crate::swarm) crowds: Crowds,
    pub(in crate::swarm) contacts: Contacts,
    pub(in crate::swarm) streams: Streams,
    /// The centre of each group; empty if no type uses cohesion.
    pub(in crate::swarm) group_centers: Vec<GroupCenter>,
    pub(in crate::swarm) spares: Spares,
    /// The route to the goal for each (group, type).
    pub(in crate::swarm) routes: Vec<Option<Route>>,
}
