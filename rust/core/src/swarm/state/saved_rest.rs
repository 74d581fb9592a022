//! What a save holds beside agents: seed, settings, groups, bodies, areas and force fields.

use crate::bytes::{Reader, Source, Writer};
use crate::error::Result;
use crate::swarm::AgentId;
use crate::swarm::bodies::{Area, Body, Colliders};
use crate::swarm::limits::MAX_GROUPS;
use crate::swarm::state::group::Group;
use crate::swarm::state::settings::{ArrivalAction, Settings};
use crate::swarm::state::swarm::Swarm;
use crate::world::GoalId;
use glam::Vec2;

/// The part of a swarm that is not agents.
pub(super) struct Rest {
    seed: u64,
    settings: Settings,
    groups: Vec<Group>,
    bodies: Colliders<Body>,
    areas: Colliders<Area>,
    reporter: u64,
}

impl Swarm {
    pub(super) fn write_rest(&self, out: &mut Writer) {
        out.u64(self.seed);
        write_settings(&self.settings, out);
        let groups: Vec<&Group> = self.groups.iter().take(MAX_GROUPS).collect();
        let is_set =
            |group: &&Group| group.goal.is_some() || group.shares_field || group.leader.is_some();
        let last = groups.iter().rposition(is_set);
        let groups = &groups[..last.map_or(0, |last| last + 1)];
        out.u32(groups.len() as u32);
        for group in groups {
            out.u64(group.goal.map_or(0, |goal| goal.0.cast_unsigned()));
            out.u32(u32::from(group.shares_field) | u32::from(group.leader.is_some()) << 1);
            out.u64(group.leader.map_or(0, AgentId::bits));
        }
        self.bodies.write(out);
        self.areas.write(out);
        out.u64(self.reporter.number());
    }

    pub(super) fn put_rest(&mut self, rest: Rest) {
        let Rest {
            seed,
            settings,
            groups,
            bodies,
            areas,
            reporter,
        } = rest;
        self.seed = seed;
        self.settings = settings;
        if !groups.is_empty() {
            self.groups.entry(groups.len() - 1);
        }
        let mut saved = groups.into_iter();
        for group in self.groups.iter_mut().take(MAX_GROUPS) {
            let seen = group.seen;
            *group = saved.next().unwrap_or_default();
            group.seen = seen;
        }
        self.bodies = bodies;
        self.areas = areas;
        self.reporter.restore(reporter);
    }
}

impl Rest {
    pub(super) fn read(input: &mut Reader<'_>) -> Result<Self> {
        let seed = input.u64()?;
        let settings = read_settings(input)?;
        let count = input.u32()? as usize;
        if count > MAX_GROUPS {
            return Err(input.bad("it has too many groups"));
        }
        let groups = input.array(count, 20, |input| {
            let (goal, marks, leader) = (input.u64()?, input.u32()?, input.u64()?);
            if marks > 3 || marks < 2 && leader != 0 {
                return Err(input.bad("it has a group with an unknown mark"));
            }
            Ok(Group {
                goal: (goal != 0).then(|| GoalId(goal.cast_signed())),
                shares_field: marks & 1 == 1,
                leader: (marks & 2 == 2).then(|| AgentId::from_bits(leader)),
                ..Group::default()
            })
        })?;
        Ok(Self {
            seed,
            settings,
            groups,
            bodies: Colliders::read(input)?,
            areas: Colliders::read(input)?,
            reporter: input.u64()?,
        })
    }
}

fn write_settings(settings: &Settings, out: &mut Writer) {
    // Every field is named, so that none is forgotten.
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
    } = settings;
    let marks = [
        separation,
        wall_correction,
        settle_in_crowds,
        focus.is_some(),
    ];
    let place = ArrivalAction::ALL.iter().position(|&one| one == arrival);
    out.u8(place.unwrap_or(0) as u8);
    marks.iter().for_each(|&mark| out.u8(u8::from(mark)));
    for number in [arrival_radius, crowd_fading, stuck_seconds] {
        out.u32(number.to_bits());
    }
    out.u32(far_agents_every);
    let (low, high) = focus.unwrap_or((Vec2::ZERO, Vec2::ZERO));
    out.vector(low);
    out.vector(high);
}

fn read_settings(input: &mut Reader<'_>) -> Result<Settings> {
    let arrival = ArrivalAction::ALL.get(usize::from(input.u8()?)).copied();
    let marks: [u8; 4] = input.word()?;
    let settings = Settings {
        separation: marks[0] == 1,
        wall_correction: marks[1] == 1,
        settle_in_crowds: marks[2] == 1,
        arrival: arrival.unwrap_or_default(),
        arrival_radius: input.number()?,
        crowd_fading: input.number()?,
        stuck_seconds: input.number()?,
        far_agents_every: input.u32()?,
        focus: Some((input.vector()?, input.vector()?)),
    };
    let is_sound = arrival.is_some() && marks.iter().all(|&mark| mark <= 1);
    if !is_sound || settings.check().is_err() {
        return Err(input.bad("it has settings that are out of their ranges"));
    }
    Ok(Settings {
        focus: settings.focus.filter(|_| marks[3] == 1),
        ..settings
    })
}
