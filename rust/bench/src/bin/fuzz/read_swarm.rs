//! Loading the state of a swarm, and going on with what was accepted.

use flow_swarm::swarm::{AgentQuery, Swarm};
use flow_swarm::world::FlowWorld;
use flow_swarm::{Error, Vec2};
use flow_swarm_bench::peak_memory::peak_of;

use super::game::{Game, tick};
use super::sample::{Input, Sample};
use super::verdict::{Fate, Verdict, ensure, expect};

/// The most memory for what does not depend on the bytes, and for each of them.
const MOST: (usize, usize) = (1 << 19, 8);

pub fn read(sample: &Sample, input: &Input) -> Verdict {
    let mut swarm = expect(sample.game.swarm(), "a new swarm")?;
    let (loaded, peak) = peak_of(|| swarm.load(&input.bytes));
    let most = MOST.0 + MOST.1 * input.bytes.len();
    ensure(peak <= most, &format!("{peak} bytes of memory"))?;
    if let Err(error) = loaded {
        let is_it = matches!(error, Error::BadBytes { name: "state", .. });
        ensure(is_it, &format!("an unusual refusal: {error}"))?;
        let is_same = swarm.save() == sample.empty_swarm;
        ensure(is_same, "a refused save changed the swarm")?;
        return Ok(Fate::Refused);
    }
    loaded_again(sample.game, &swarm)?;
    let mut world = expect(sample.game.world(), "a new world")?;
    expect(world.load_state(&sample.world), "the world of the swarm")?;
    let saved = swarm.save();
    expect(swarm.load_in(&world, &saved), "its own save")?;
    go_on(&mut world, &mut swarm)?;
    loaded_again(sample.game, &swarm)?;
    let ids = swarm.ids().to_vec();
    ensure(swarm.despawn(&ids).0 == ids.len(), "some ids name no agent")?;
    Ok(Fate::Accepted)
}

fn go_on(world: &mut FlowWorld, swarm: &mut Swarm) -> Result<(), String> {
    let middle = Vec2::new(4.0, 8.0);
    let stale = swarm.ids().to_vec();
    let spawned = expect(swarm.spawn(world, &[middle; 3], 0, 0), "new agents")?;
    let is_new = spawned.iter().all(|id| !stale.contains(id));
    ensure(is_new, "an id was issued again")?;
    for dt in [0.1, 1.0, 0.02] {
        expect(tick(world, swarm, dt), "a tick")?;
        let mut numbers = swarm.positions().iter().chain(swarm.velocities());
        ensure(
            numbers.all(|vector| vector.is_finite()),
            "an agent is nowhere",
        )?;
        ensure(swarm.events().quarantined.is_empty(), "a quarantined agent")?;
    }
    let all = AgentQuery::default();
    expect(swarm.query_circle(world, middle, 1.0e6, &all), "a circle")?;
    expect(swarm.nearest(world, middle, f32::INFINITY, &all), "nearest")?;
    expect(
        swarm.query_segment(world, (middle, Vec2::ZERO), 2.0, &all),
        "a segment",
    )?;
    let crowding = expect(world.crowding_at(middle), "crowding")?;
    ensure((0.0..=1.0).contains(&crowding), "crowding out of its range")?;
    ensure(
        swarm.stats().agents == swarm.len(),
        "agents are counted twice",
    )
}

/// Its own save gives the same swarm.
fn loaded_again(game: Game, swarm: &Swarm) -> Result<(), String> {
    let saved = swarm.save();
    let mut other = expect(game.swarm(), "a new swarm")?;
    expect(other.load(&saved), "its own save")?;
    ensure(
        other.state_hash() == swarm.state_hash(),
        "its own save has another hash",
    )?;
    ensure(other.save() == saved, "its own save is saved otherwise")
}
