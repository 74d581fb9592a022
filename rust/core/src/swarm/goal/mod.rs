//! The velocity that an agent wants without its neighbours: along its group's field or to its own target; and when it
//! has arrived.
//!
//! Read `routes` (which field an agent follows), then `follow_field`, whose functions call the rest in order:
//! `own_target`, `settling`, `arriving` with `brakes`, `corner_recovery`, and `lateral_bias` with `group_center`.
//! `pace` gives each agent its own speed. `marching` moves the own targets of agents that march in formation.
//!
//! - Steering reads the state before the step and writes only the results of one agent.
//! - Lateral bias and cohesion only choose among directions that the field allows, so agents arrive whatever their
//!   parameters.

pub(in crate::swarm) mod arriving;
pub(in crate::swarm) mod brakes;
mod corner_recovery;
mod follow_field;
pub(in crate::swarm) mod group_center;
pub(in crate::swarm) mod lateral_bias;
mod marching;
pub(in crate::swarm) mod own_target;
pub(in crate::swarm) mod pace;
mod routes;
pub(in crate::swarm) mod settling;
