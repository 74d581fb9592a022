//! Calls that create, change, save and query agents and their types.

use flow_swarm::Vec3;
use flow_swarm::swarm::{
    AgentId, AgentQuery, AgentType, ArrivalAction, Avoidance, CharacterClips, Clip, Settings,
    Stride,
};

use crate::caller::Caller;

impl Caller {
    pub fn spawn(&mut self) {
        let places = self.places(self.setting.spawned_at_once);
        let (mut kind, group) = (self.integer(), self.integer());
        if self.random.percent(90) {
            kind = self.random.below(self.swarm.types().len()) as i64;
        }
        let places = if self.random.percent(5) {
            // All agents on one point.
            vec![places.first().copied().unwrap_or_default(); places.len()]
        } else {
            places
        };
        if self.swarm.len() >= self.setting.most_agents {
            return;
        }
        let result = self.swarm.spawn(&self.world, &places, kind, group);
        self.note(&result);
        if let Ok(ids) = result {
            self.ids.extend(ids.iter().take(5));
        }
    }

    pub fn despawn(&mut self) {
        let mut ids = self.some_ids();
        match self.random.below(200) {
            0 => self.swarm.clear(),
            1 => ids = self.swarm.ids().to_vec(),
            _ => {}
        }
        let result = self.swarm.despawn(&ids);
        self.note(result);
        assert!(ids.iter().all(|&id| !self.swarm.contains(id)));
        assert_eq!(self.swarm.is_empty(), self.swarm.ids().is_empty());
    }

    fn agent_type(&mut self) -> AgentType {
        let mut kind = AgentType {
            radius: 0.1 + self.random.unit() as f32,
            max_speed: 1.0 + 20.0 * self.random.unit() as f32,
            movement: self.random.below(self.world.movement_type_count()),
            ..AgentType::default()
        };
        if self.random.percent(self.setting.odd_sizes_percent) {
            kind.radius = self.number();
            kind.max_speed = self.number();
        }
        if self.random.percent(30) {
            kind.acceleration = self.number();
            kind.mass = self.number();
            kind.separation_weight = self.number();
            kind.position_smoothing = self.number() / 20.0;
        }
        if self.random.percent(30) {
            kind.clips = CharacterClips {
                idle_seconds: 2.0,
                walk: Some(Stride {
                    distance: self.number(),
                    seconds: 1.0,
                }),
                run: None,
                death: Some((self.random.below(70) as u8, 1.5)),
            };
        }
        kind.avoidance = [
            Avoidance::None,
            Avoidance::Separation,
            Avoidance::Orca,
            Avoidance::Contact,
        ][self.random.below(4)];
        if self.random.percent(30) {
            kind.collision_layer = self.random.below(4) as u32;
            kind.collision_mask = self.random.below(4) as u32;
        }
        if self.random.percent(self.setting.odd_sizes_percent) {
            kind.neighbour_radius = self.number();
            kind.max_neighbours = self.random.below(40);
            kind.time_horizon = self.number();
            kind.time_horizon_walls = self.number();
            kind.priority = self.number() / 40.0;
            kind.speed_variation = self.number() / 40.0;
            kind.lateral_bias = self.number() / 40.0;
            kind.cohesion = self.number() / 40.0;
        }
        if self.random.percent(10) {
            kind.movement = self.movement();
            kind.color[0] = self.number();
            kind.body_height = self.number();
            kind.instance_size = self.number();
        }
        kind
    }

    pub fn change_types(&mut self) {
        let most = [4, 4, 4, 70][self.random.below(4)];
        let count = self.random.below(most);
        let kinds: Vec<AgentType> = (0..count).map(|_| self.agent_type()).collect();
        let before = self.swarm.types().to_vec();
        let result = self.swarm.set_types(&kinds);
        self.note(&result);
        if result.is_err() {
            let after = format!("{:?}", self.swarm.types());
            assert_eq!(after, format!("{before:?}"), "refused, and changed");
        }
    }

    pub fn change_settings(&mut self) {
        let mut settings = Settings {
            separation: self.random.percent(80),
            wall_correction: self.random.percent(90),
            settle_in_crowds: self.random.percent(50),
            arrival: [
                ArrivalAction::Stop,
                ArrivalAction::Despawn,
                ArrivalAction::KeepGoing,
            ][self.random.below(3)],
            ..Settings::default()
        };
        if self.random.percent(30) {
            settings.arrival_radius = self.number();
            settings.crowd_fading = self.number();
            settings.stuck_seconds = self.number();
        }
        if self.random.percent(30) {
            settings.far_agents_every = self.random.below(64) as u32;
            settings.focus = Some((self.place(), self.place()));
        }
        let before = *self.swarm.settings();
        let result = self.swarm.set_settings(settings);
        self.note(&result);
        if result.is_err() {
            assert_eq!(*self.swarm.settings(), before, "refused, and changed");
        }
        self.swarm.set_seed(self.random.next_u64());
    }

    pub fn factors(&mut self) {
        let ids = self.some_ids();
        let count = [1, ids.len(), 2][self.random.below(3)];
        let factors: Vec<f32> = (0..count).map(|_| self.number()).collect();
        let colors: Vec<[f32; 4]> = (0..count).map(|_| [0.5, self.number(), 1.0, 1.0]).collect();
        let set = (
            self.swarm.set_speed_factors(&ids, &factors),
            self.swarm.set_size_factors(&ids, &factors),
            self.swarm.set_colors(&ids, &colors),
        );
        self.note(set);
        // Valid ones, too.
        let usual: Vec<f32> = ids
            .iter()
            .map(|_| 0.1 + 3.9 * self.random.unit() as f32)
            .collect();
        let _ = self.swarm.set_speed_factors(&ids, &usual);
        let _ = self.swarm.set_size_factors(&ids, &usual);
        let found: Vec<_> = ids
            .iter()
            .map(|&id| {
                (
                    self.swarm.speed_factor(id),
                    self.swarm.size_factor(id),
                    self.swarm.color(id),
                )
            })
            .collect();
        self.note(found);
    }

    fn any_clip(&mut self) -> Clip {
        Clip {
            number: self.integer() as u8,
            seconds: self.number(),
            once: self.random.percent(50),
            blend: self.number(),
        }
    }

    pub fn clips(&mut self) {
        let ids = self.some_ids();
        let count = [1, ids.len(), 2][self.random.below(3)];
        let clips: Vec<Clip> = (0..count).map(|_| self.any_clip()).collect();
        let checked = clips.iter().all(|clip| clip.check().is_ok());
        let played = self.swarm.play_clips(&ids, &clips);
        assert!(checked || played.is_err());
        self.note(played);
        // Valid ones, too.
        let usual = Clip {
            number: self.random.below(63) as u8,
            seconds: 0.5,
            once: self.random.percent(50),
            blend: 0.1,
        };
        let _ = self.swarm.play_clips(&ids, &[usual]);
        let others = self.some_ids();
        let stopped = self.swarm.stop_clips(&others);
        self.note(stopped);
        let found: Vec<_> = ids.iter().map(|&id| self.swarm.clip(id)).collect();
        self.note(found);
        let (kind, number, seconds) = (self.integer(), self.integer() as u8, self.number());
        let counterpart = |_, clip: u8| (!clip.is_multiple_of(3)).then_some((number, seconds));
        let changed = self.swarm.set_type_and_clips(&others, kind, counterpart);
        self.note(changed);
    }

    pub fn user_columns(&mut self) {
        let (column, ids) = (self.integer(), self.some_ids());
        let ints: Vec<i32> = ids.iter().map(|_| self.integer() as i32).collect();
        let floats: Vec<f32> = ids.iter().map(|_| self.number()).collect();
        let set = (
            self.swarm.set_user_ints(column, &ids, &ints),
            self.swarm.set_user_floats(column, &ids, &floats),
        );
        self.note(set);
        let _ = self
            .swarm
            .set_user_ints(column, &ids, &ints[ints.len() / 2..]);
        let delta = self.integer();
        let added = self.swarm.add_user_ints(column, &ids, delta);
        self.note(added);
        let (at, to, radius, amount) = (self.place(), self.place(), self.number(), self.integer());
        let struck = (
            self.swarm.damage_circle(
                &self.world,
                (at, radius),
                (column, amount),
                &AgentQuery::default(),
            ),
            self.swarm.damage_segment(
                &self.world,
                (at, to, radius),
                (column, amount),
                &AgentQuery::default(),
            ),
        );
        self.note(struck);
        let (from, to) = (Vec3::new(at.x, radius, at.y), Vec3::new(to.x, 0.5, to.y));
        let (damage, all) = ((column, amount), AgentQuery::default());
        let (world, swarm) = (&self.world, &mut self.swarm);
        let struck = (
            swarm.damage_sphere(world, (from, radius), 0.0, damage, &all),
            swarm.damage_ray(world, (from, to), 0.0, damage, &all),
        );
        self.note(struck);
        for length in [
            self.swarm.user_ints(column).map(<[i32]>::len),
            self.swarm.user_floats(column).map(<[f32]>::len),
        ] {
            assert!(length.is_err() || length == Ok(self.swarm.len()) || length == Ok(0));
        }
        if let Some(&id) = ids.first() {
            let one = (
                self.swarm.user_int(column, id),
                self.swarm.user_float(column, id),
            );
            self.note(one);
        }
    }

    pub fn save_and_load(&mut self) {
        if self.random.percent(70) {
            let hash = self.swarm.state_hash();
            let save = self.swarm.save();
            let spoiled = self.spoiled(&save);
            if spoiled != save {
                assert!(self.swarm.load(&spoiled).is_err(), "a save was spoiled");
            }
            assert_eq!(self.swarm.state_hash(), hash, "refused, and changed");
            self.swarm.load(&save).expect("its own save");
            assert_eq!(self.swarm.state_hash(), hash, "loaded what was saved");
            self.saves.truncate(9);
            self.saves.insert(0, (save, self.areas.clone()));
        } else if !self.saves.is_empty() {
            let (save, areas) = &self.saves[self.random.below(self.saves.len())];
            let result = self.swarm.load(save);
            if result.is_ok() {
                self.areas.clone_from(areas);
                self.looked_at.clear();
            }
            self.note(result);
        }
        self.save_and_load_all();
    }

    pub fn look_up(&mut self) {
        let ids = self.some_ids();
        for id in ids {
            let found = (
                self.swarm.index_of(id),
                self.swarm.contains(id),
                self.swarm.target_of(id),
            );
            assert_eq!(found.0.is_ok(), found.1);
            assert_eq!(AgentId::from_bits(id.bits()), id);
            assert_eq!(self.swarm.id_in_slot(id.slot()) == Some(id), found.1);
            self.note(found);
        }
        let group = self.integer();
        let of_group = (
            self.swarm.group_goal(group),
            self.swarm.group_shares_field(group),
            self.swarm.group_leader(group),
        );
        self.note(of_group);
        let all = (
            self.swarm.stats(),
            self.swarm.groups().len(),
            self.swarm.layers().count(),
            self.swarm.layer_view(),
            self.swarm.tracking(),
            self.swarm.has_colors(),
        );
        self.note(all);
    }
}
