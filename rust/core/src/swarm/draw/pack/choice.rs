//! Chooses the agents that are drawn, and their order.

use crate::error::Result;
use crate::swarm::draw::pack::channels::{Channels, Eye};
use crate::swarm::draw::pack::culling::Culling;
use crate::swarm::draw::pack::division::Division;
use crate::swarm::draw::pack::view::View;
use crate::swarm::draw::pack::y_order::YOrder;
use crate::swarm::draw::pack::{InstanceLayout, Instances};
use crate::swarm::state::swarm::Swarm;
use crate::workers::Workers;

/// Scratch memory for choosing and sorting agents. Between calls only its capacity is kept.
#[derive(Debug, Default)]
pub struct Packer {
    order: Vec<u32>,
    culling: Culling,
    y_order: YOrder,
    division: Division,
}

/// The agents that [`Swarm::instances_by_channel`] has chosen for drawing, by channel.
#[derive(Debug, Clone, Copy)]
pub struct ChannelInstances<'a> {
    all: Instances<'a>,
    /// `None` if all are in channel 0.
    division: Option<&'a Division>,
    count: usize,
}

impl<'a> ChannelInstances<'a> {
    /// The number of channels.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The instances of a channel, in the order of [`Swarm::instances`]; none for a channel that there is not.
    #[must_use]
    pub fn of(&self, channel: usize) -> Instances<'a> {
        let order = match self.division {
            _ if channel >= self.count => Some([].as_slice()),
            Some(division) => Some(division.agents_of(channel)),
            None => self.all.order,
        };
        Instances { order, ..self.all }
    }
}

impl Swarm {
    /// Chooses the agents that `view` shows, for writing in `layout`. O(1) if all agents are shown unsorted, otherwise
    /// O(agents). Nothing is allocated once `packer` was used for as many agents.
    ///
    /// # Errors
    /// A layout's size outside 0..=1e6 or height that is not finite, or a view with numbers that are
    /// out of their ranges.
    pub fn instances<'a>(
        &'a self,
        layout: &InstanceLayout,
        view: &View,
        packer: &'a mut Packer,
        workers: &Workers,
    ) -> Result<Instances<'a>> {
        let is_choice = self.choose(layout, view, packer, workers)?;
        let order = is_choice.then_some(packer.order.as_slice());
        Ok(self.instances_of(layout, view, order))
    }

    /// Chooses the agents that `view` shows and divides them among `channels`. O(agents), and as
    /// [`Self::instances`] if all agents are in one channel. Nothing is allocated once `packer` was used for as many
    /// agents and channels.
    ///
    /// # Errors
    /// As [`Self::instances`].
    pub fn instances_by_channel<'a>(
        &'a self,
        layout: &InstanceLayout,
        view: &View,
        channels: &Channels,
        packer: &'a mut Packer,
        workers: &Workers,
    ) -> Result<ChannelInstances<'a>> {
        let is_choice = self.choose(layout, view, packer, workers)?;
        let order = is_choice.then_some(packer.order.as_slice());
        let is_divided = !channels.is_single();
        if is_divided {
            let kinds = &self.agents.kind;
            let channel_of = |index: usize| {
                let distance = self.squared_distance(index, layout, view);
                channels.channel_of(kinds[index], distance)
            };
            let (total, count) = (self.len(), channels.count());
            packer
                .division
                .sort(order, total, count, channel_of, workers);
        }
        Ok(ChannelInstances {
            all: self.instances_of(layout, view, order),
            division: is_divided.then_some(&packer.division),
            count: channels.count(),
        })
    }

    fn instances_of<'a>(
        &'a self,
        layout: &InstanceLayout,
        view: &View,
        order: Option<&'a [u32]>,
    ) -> Instances<'a> {
        Instances {
            swarm: self,
            layout: *layout,
            order,
            fraction: view.fraction,
        }
    }

    /// The square of an agent's distance to the eye; 0 without an eye.
    #[inline]
    fn squared_distance(&self, index: usize, layout: &InstanceLayout, view: &View) -> f32 {
        match view.eye {
            None => 0.0,
            Some(Eye::Parallel { distance }) => distance * distance,
            Some(Eye::At { position, height }) => {
                let layer = self.layers.at(self.agents.position[index]);
                let place = self.position_between(index, view.fraction);
                let rise = layout.height + self.height_on_layer(layer, place) - height;
                place.distance_squared(position) + rise * rise
            }
        }
    }

    /// Fills `packer.order` with the agents that are drawn. Returns false if these are all agents in their order.
    fn choose(
        &self,
        layout: &InstanceLayout,
        view: &View,
        packer: &mut Packer,
        workers: &Workers,
    ) -> Result<bool> {
        layout.check()?;
        view.check()?;
        let culls = view.culls(layout.plane);
        if culls {
            let Packer { culling, order, .. } = &mut *packer;
            self.cull(layout, view, (culling, order), workers);
        } else if view.y_sort {
            packer.order.clear();
            packer.order.extend(0..self.len() as u32);
        }
        if view.y_sort {
            let y_of = |index| self.position_between(index, view.fraction).y;
            packer
                .y_order
                .sort(&mut packer.order, y_of, self.ids(), workers);
        }
        Ok(culls || view.y_sort)
    }
}
