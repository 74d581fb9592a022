//! The crowd: what agents do on their way, to each other and at their goals, and how games order, find and draw them.

#[path = "../common/mod.rs"]
mod common;

mod agent_filters;
mod agent_goals;
mod agent_queries;
mod agents_change;
mod agents_on_storeys;
mod agents_stay_out_of_walls;
mod all_agents_arrive;
mod areas;
mod arriving;
mod avoidance;
mod bad_drawing_input;
mod bad_input;
mod bodies;
mod body_scenes;
mod channels;
mod clips;
mod contacts;
mod contacts_bad_input;
mod corpses;
mod crowd_costs;
mod determinism;
mod drawing;
mod extreme_crowds;
mod factors;
mod formation;
mod frustum;
mod giants;
mod giving_way;
mod groups;
mod large_avoiding_crowds;
mod large_crowds;
mod large_watched_crowds;
mod leaning;
mod link_travel;
mod marching;
mod mass;
mod messages;
mod saved_ids;
mod separation_and_inertia;
mod settling;
mod space_queries;
mod swarms_collide;
mod user_columns;
