//! Methods of `EnemySwarm` that save and load the whole swarm.

use super::EnemySwarm;
use super::enums::ArrivalAction;
use crate::class_enum::ClassEnum;
use crate::convert::{corners, f32_from, vector2};
use crate::report::code;
use flow_swarm::swarm::{self, Settings};
use flow_swarm::world::GoalId;
use godot::global::Error;
use godot::prelude::*;

#[godot_api(secondary)]
impl EnemySwarm {
    /// Returns the state of the whole swarm as bytes for load_state(): agents, orders, groups with their goals, bodies, areas, force fields, random_seed, and the properties of the group Steering. Agent types are not part of it, nor are nodes that follow agents or that bodies follow.
    #[func]
    fn save_state(&mut self) -> PackedByteArray {
        self.sync_properties("EnemySwarm.save_state");
        PackedByteArray::from(self.with_own_orders(|swarm| swarm.save()))
    }

    /// Replaces the whole swarm by the one that save_state() saved. Set agent_types first. To go on exactly as after the save, call FlowFieldManager.load_state() with the state of the same moment before. A group whose goal does not exist in the manager keeps the goal that it has. Returns OK, or ERR_INVALID_DATA if the bytes are not a valid state; then nothing is changed.
    ///
    /// The ids of the saved agents are valid again. Ids that were issued after the save are no longer valid, and are not issued again. In a run that is repeated from a save, agents have the same slots (the upper 32 bits of their ids) and other generations (the lower 32 bits).
    ///
    /// States of older versions hold agents alone. For these set group goals, bodies and areas before.
    #[func]
    fn load_state(&mut self, bytes: PackedByteArray) -> Error {
        const METHOD: &str = "EnemySwarm.load_state";
        self.sync_properties(METHOD);
        self.attached_nodes.forget_removed(&self.swarm);
        let before = self.group_goals();
        let manager = self.get_manager();
        let manager = manager.as_ref().map(|manager| manager.bind());
        let world = manager.as_ref().and_then(|manager| manager.world_ref());
        let loaded = self.with_own_orders(|swarm| match world {
            Some(world) => swarm.load_in(world, bytes.as_slice()),
            None => swarm.load(bytes.as_slice()),
        });
        drop(manager);
        if loaded.is_ok() {
            self.take_settings();
            self.detach_removed();
            self.settle_goals(&before);
            if let Some(mut manager) = self.get_manager() {
                manager.bind_mut().enrol(self.base().instance_id());
            }
        }
        code(METHOD, loaded)
    }

    /// Returns a 64-bit hash of the state of all agents. Two swarms with the same hash have the same agents: in the same slots (the upper 32 bits of their ids) and with the same values to the bit. The hash also depends on the number of steps, on how crowded the ground is, on the layout of layers, and on the goal positions that groups have seen. It does not depend on the order of get_ids(), on removed agents, or on the generations of ids.
    #[func]
    fn state_hash(&mut self) -> i64 {
        let hash = self.with_own_orders(|swarm| swarm.state_hash());
        hash.cast_signed()
    }
}

impl EnemySwarm {
    /// The goals of all groups.
    fn group_goals(&self) -> Vec<Option<GoalId>> {
        let groups = 0..swarm::MAX_GROUPS as i64;
        let goal = |group| self.swarm.group_goal(group).ok().flatten();
        groups.map(goal).collect()
    }

    /// Goes on with the goals that groups had `before` where the saved ones do not exist.
    fn settle_goals(&mut self, before: &[Option<GoalId>]) {
        let Some(manager) = self.get_manager() else {
            return;
        };
        self.note_manager_of_goals();
        let manager = manager.bind();
        let Some(world) = manager.world_ref() else {
            return;
        };
        for (group, &known) in (0..).zip(before) {
            let goal = self.swarm.group_goal(group).ok().flatten();
            if goal.is_some_and(|goal| !world.has_goal(goal)) {
                // The group exists.
                let _ = self.swarm.set_group_goal(group, known);
            }
        }
    }

    /// Makes the properties what the loaded settings are. A property whose value comes out the same keeps its digits.
    pub(super) fn take_settings(&mut self) {
        let &Settings {
            separation,
            wall_correction,
            arrival,
            arrival_radius,
            settle_in_crowds,
            crowd_fading,
            stuck_seconds,
            far_agents_every,
            focus,
        } = self.swarm.settings();
        self.separation = separation;
        self.wall_correction = wall_correction;
        self.settle_in_crowds = settle_in_crowds;
        self.far_agents_every = far_agents_every.into();
        let arrivals = swarm::ArrivalAction::ALL.iter().zip(ArrivalAction::VALUES);
        if let Some((_, value)) = arrivals.into_iter().find(|(one, _)| **one == arrival) {
            self.arrival_action = ArrivalAction(value.1);
        }
        for (property, number) in [
            (&mut self.arrival_radius, arrival_radius),
            (&mut self.crowd_fading, crowd_fading),
            (&mut self.stuck_time, stuck_seconds),
        ] {
            if f32_from(*property) != number {
                *property = number.into();
            }
        }
        let shown = self.focus_rect.has_area().then(|| corners(self.focus_rect));
        if shown != focus {
            self.focus_rect = focus.map_or_else(Rect2::default, |(low, high)| {
                Rect2::from_position_end(vector2(low), vector2(high))
            });
        }
        self.random_seed = self.swarm.seed().cast_signed();
    }
}
