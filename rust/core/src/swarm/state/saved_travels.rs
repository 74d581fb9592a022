//! Travels over links in saves: those of the agents that are on a link, in their order.

use crate::bytes::{Reader, Source, Writer};
use crate::error::Result;
use crate::grid::travel::{LINK_SECONDS, MAX_LINK_ARC};
use crate::swarm::state::agent_state::AgentState;
use crate::swarm::state::agents::Agents;
use crate::swarm::state::link_travel::LinkTravel;
use crate::swarm::state::saved_values::read_place;

impl Agents {
    pub(super) fn write_travels(&self, out: &mut Writer) {
        for (travel, &state) in self.travel.iter().zip(&self.state) {
            if state != AgentState::Travelling {
                continue;
            }
            // What only drawing reads is not saved.
            let LinkTravel {
                from,
                to,
                end,
                done,
                whole,
                arc,
                before: _,
                tick: _,
            } = *travel;
            for place in [from, to, end] {
                out.vector(place);
            }
            for number in [done, whole, arc] {
                out.u32(number.to_bits());
            }
        }
    }
}

/// Reads the travel of each agent that is on a link.
pub(super) fn read_travels(agents: &mut Agents, input: &mut Reader<'_>) -> Result<()> {
    let mut travels = vec![LinkTravel::default(); agents.len()];
    for (travel, &state) in travels.iter_mut().zip(&agents.state) {
        if state == AgentState::Travelling {
            *travel = read_travel(input)?;
        }
    }
    agents.travel = travels;
    Ok(())
}

fn read_travel(input: &mut Reader<'_>) -> Result<LinkTravel> {
    let travel = LinkTravel {
        from: read_place(input)?,
        to: read_place(input)?,
        end: read_place(input)?,
        done: input.number()?,
        whole: input.number()?,
        arc: input.number()?,
        ..LinkTravel::default()
    };
    let (least, most) = LINK_SECONDS;
    let is_under_way = (0.0..travel.whole).contains(&travel.done);
    if !is_under_way || !(least..=most).contains(&travel.whole) {
        return Err(input.bad("it has agents on links for an impossible time"));
    }
    if !(0.0..=MAX_LINK_ARC).contains(&travel.arc) {
        return Err(input.bad("it has agents on links that are too high"));
    }
    Ok(LinkTravel {
        before: travel.done,
        ..travel
    })
}
