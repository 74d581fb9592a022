//! What drawing needs: instance buffers, colours, and where agents were a step before.

pub(in crate::swarm) mod pack;
pub(in crate::swarm) mod palette;
pub(in crate::swarm) mod tracking;
pub(in crate::swarm) mod trail;
