//! The enums of `EnemySwarm`.

use super::EnemySwarm;
use crate::class_enum::class_enums;

class_enums! {
EnemySwarm;

/// What decides the movement of an agent: see set_agent_state().
enum AgentState {
    /// The agent follows the flow field of its group's goal.
    AGENT_FOLLOWING = 0 (was FOLLOWING),
    /// The agent stands, and can be pushed.
    AGENT_IDLE = 1 (was IDLE),
    /// The agent moves at the velocity of set_scripted_velocities().
    AGENT_SCRIPTED = 2 (was SCRIPTED),
    /// The agent lies where it is until it is removed. Agents walk over it, bodies and forces do not move it, and queries do not find it. Shaders play its clip once: with CUSTOM_SPRITE and CUSTOM_VERTICES the phase is the time since then in seconds, up to 16, and the speed is -1.
    AGENT_CORPSE = 3 (was CORPSE),
    /// The agent is on its way over a link that takes time (FlowFieldManager.LINK_WALK and LINK_TIMED), and is AGENT_FOLLOWING again once it lands. Other agents do not collide with it, walls, bodies and forces do not move it, and queries and areas find it. set_agent_state() does not take this state; any other state ends the travel.
    AGENT_TRAVELLING = 8,
}

/// What get_agent_status() and get_statuses() return, apart from the values of AgentState.
enum AgentStatus {
    /// The agent is AGENT_FOLLOWING and has reached its goal or its own target.
    AGENT_ARRIVED = 4 (was ARRIVED),
    /// The agent is AGENT_FOLLOWING and has no route to its goal.
    AGENT_LOST = 5 (was LOST),
    /// The agent is AGENT_FOLLOWING, has a route and has made no progress for stuck_time.
    AGENT_STUCK = 6 (was STUCK),
    /// The numbers of the agent are no longer finite, and it takes no part in steps.
    AGENT_QUARANTINED = 7 (was QUARANTINED),
}

/// What becomes of agents whose number falls to 0 in add_user_ints(), damage_circle() and damage_segment().
enum FallenAction {
    /// They stay as they are.
    FALLEN_STAY = 0,
    /// They are removed.
    FALLEN_DESPAWN = 1,
    /// They become AGENT_CORPSE.
    FALLEN_CORPSE = 2,
}

/// What agents do that reach their goal: see arrival_action.
enum ArrivalAction {
    /// Stop until the goal moves.
    ARRIVAL_STOP = 0 (was STOP),
    /// Remove the agent at the end of the step.
    ARRIVAL_DESPAWN = 1 (was DESPAWN),
    /// Go on to the exact target, and come to rest there.
    ARRIVAL_KEEP_GOING = 2 (was KEEP_GOING),
}

/// The direction of the force in a force field: see add_force_field().
enum ForceKind {
    /// The force points to the centre.
    FORCE_PULL = 0 (was PULL),
    /// The force points away from the centre.
    FORCE_PUSH = 1 (was PUSH),
    /// The force points around the centre, clockwise in 2D.
    FORCE_VORTEX = 2 (was VORTEX),
}

/// Which of an agent and its node follows the other: see attach_node().
enum AttachMode {
    /// The node has the position of its agent.
    ATTACH_NODE_FOLLOWS_AGENT = 0 (was NODE_FOLLOWS_AGENT),
    /// The agent has the position of its node.
    ATTACH_AGENT_FOLLOWS_NODE = 1 (was AGENT_FOLLOWS_NODE),
}

/// The shape of a formation: see form_up() and send_in_formation().
enum Formation {
    /// Rows of one length, half as wide again as deep.
    FORMATION_BLOCK = 0,
    /// A triangle that points ahead.
    FORMATION_WEDGE = 1,
    /// As round as slots can lie.
    FORMATION_DISC = 2,
}

/// What shaders read from INSTANCE_CUSTOM: see custom_data_preset.
enum CustomData {
    /// None.
    CUSTOM_NONE = 0,
    /// Heading x and y, speed as a fraction of the greatest, state.
    CUSTOM_MOTION = 1,
    /// Phase of the walk, heading in turns, speed as a fraction of the greatest, clip.
    CUSTOM_SPRITE = 2,
    /// Phase of the walk, speed as a fraction of the greatest, clip, user float 0.
    CUSTOM_VERTICES = 3,
    /// User floats 0 and 1, user ints 0 and 1.
    CUSTOM_USER = 4,
    /// Phase of the movement, gait, clip and weight, share of the clip. For the shaders of SwarmCharacterBaker.
    CUSTOM_CHARACTER = 5,
}
}
