//! One physics frame of a swarm.

use super::EnemySwarm;
use super::others::OtherSwarms;
use crate::convert::{
    f32_from, id_to_godot, milliseconds_since, packed_ids, packed_ids_by, vector2,
};
use crate::field_manager::FlowFieldManager;
use crate::report::refuse;
use flow_swarm::swarm::Despawned;
use godot::prelude::*;
use std::time::Instant;

/// The times that the parts of the last step took, in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Timings {
    pub(super) step: f64,
    pub(super) pack: f64,
    pub(super) upload: f64,
    pub(super) total: f64,
}

/// The events of a step, ready to be emitted.
pub(super) struct News {
    pub(super) arrived: PackedInt64Array,
    pub(super) despawned: Vec<Despawned>,
    /// The positions of those, in world units of their layers.
    pub(super) despawned_at: PackedVector2Array,
    pub(super) lost: PackedInt64Array,
    pub(super) stuck: PackedInt64Array,
    /// By body.
    pub(super) contacted: Vec<(i64, PackedInt64Array)>,
    /// By area.
    pub(super) entered: Vec<(i64, PackedInt64Array)>,
    pub(super) exited: Vec<(i64, PackedInt64Array)>,
}

impl News {
    /// Emits the events, one signal for each kind and each body or area. Stops when the swarm no longer exists: a
    /// handler may free it.
    ///
    /// No guard on any node may be held.
    pub(super) fn emit(&self, swarm: &Gd<EnemySwarm>) {
        if !self.arrived.is_empty() && swarm.is_instance_valid() {
            swarm.signals().agents_arrived().emit(&self.arrived);
        }
        if !self.despawned.is_empty() && swarm.is_instance_valid() {
            let ids = self.despawned.iter().map(|agent| id_to_godot(agent.id));
            let types = self.despawned.iter().map(|agent| agent.kind);
            let groups = self.despawned.iter().map(|agent| agent.group);
            swarm.signals().agents_despawned().emit(
                &ids.collect(),
                &types.collect(),
                &groups.collect(),
                &self.despawned_at,
            );
        }
        if !self.lost.is_empty() && swarm.is_instance_valid() {
            swarm.signals().agents_lost().emit(&self.lost);
        }
        if !self.stuck.is_empty() && swarm.is_instance_valid() {
            swarm.signals().agents_stuck().emit(&self.stuck);
        }
        for (body, ids) in &self.contacted {
            if swarm.is_instance_valid() {
                swarm.signals().agents_contacted().emit(*body, ids);
            }
        }
        for (area, ids) in &self.entered {
            if swarm.is_instance_valid() {
                swarm.signals().agents_entered_area().emit(*area, ids);
            }
        }
        for (area, ids) in &self.exited {
            if swarm.is_instance_valid() {
                swarm.signals().agents_exited_area().emit(*area, ids);
            }
        }
    }
}

impl EnemySwarm {
    /// Steps the core's swarm among others; `None` after a report.
    pub(super) fn advance(
        &mut self,
        method: &str,
        mut manager: Gd<FlowFieldManager>,
        delta: f64,
        others: &OtherSwarms,
    ) -> Option<News> {
        self.sync_properties(method);
        self.follow_nodes(method);
        let mut guard = manager.bind_mut();
        let world = guard.world(method)?;
        self.follow_attached_nodes(method, world, delta);
        self.swarm.report_crowding(world);
        let trouble = self.swarm.request_routes(world).err();
        let begin = Instant::now();
        let swarm = &mut self.swarm;
        let result = others.with(|others| swarm.step_among(world, f32_from(delta), others));
        self.timings.step = milliseconds_since(begin);
        self.stepped.add(self.timings.step);
        let hindered = result.is_err();
        match result.err().or(trouble) {
            Some(error) => self.hinder(method, error.to_string()),
            None => self.hindrance = None,
        }
        if hindered {
            return None;
        }
        let events = self.swarm.events();
        if let Some(id) = events.quarantined.first() {
            let (count, id) = (events.quarantined.len(), id.bits());
            let reason = format_args!(
                "{count} agents, the first with id {id}, no longer have finite positions and are taken out; please report this"
            );
            refuse(method, reason);
        }
        let layers = self.swarm.layers();
        let positions = events.despawned.iter().map(|agent| agent.position);
        let despawned_at = positions.map(|position| vector2(layers.flat(position)));
        let news = News {
            arrived: packed_ids(&events.arrived),
            despawned: events.despawned.clone(),
            despawned_at: despawned_at.collect(),
            lost: packed_ids(&events.lost),
            stuck: packed_ids(&events.stuck),
            contacted: packed_ids_by(&events.contacted, |body| body.0),
            entered: packed_ids_by(&events.entered, |area| area.0),
            exited: packed_ids_by(&events.exited, |area| area.0),
        };
        Some(news)
    }
}
