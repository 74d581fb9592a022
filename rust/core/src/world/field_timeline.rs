//! The arrays of a whole field, and the way back from them to those of snapshots.
//!
//! A repair changes the arrays of a field in place. A copy for the snapshots that share them would take 20 ms for four
//! million cells. So what changes overwrite is kept instead, as long as a snapshot needs it: going back to a snapshot
//! takes back what was done since. Arrays that have been replaced as a whole are kept as they are.
//!
//! A snapshot whose way back would take more than half of the memory of a copy gets a copy. So do snapshots of a later
//! moment than the one to which the world goes back. Two worlds that go back to one snapshot change one timeline in
//! turn: each replaces the arrays of the other.

use crate::flow::{FlowField, OverwrittenDirections};
use crate::integrate::{IntegrationField, OverwrittenCosts};
use crate::retired::Retired;
use crate::world::field::Field;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::mem::take;
use std::sync::{Arc, Weak};

/// The arrays of a whole field.
#[derive(Debug, Clone)]
pub(super) struct Arrays {
    pub(super) integration: Arc<IntegrationField>,
    pub(super) flow: Arc<FlowField>,
}

/// A step from arrays to those before.
#[derive(Debug)]
enum Step {
    TakeBack(Overwritten),
    Replace(Arrays),
}

/// What a change has overwritten in arrays.
#[derive(Debug)]
pub(super) struct Overwritten {
    pub(super) costs: Option<OverwrittenCosts>,
    pub(super) directions: OverwrittenDirections,
}

/// The arrays in use by a slot, and the steps back from them. A clone has none of them.
#[derive(Debug, Default)]
pub(super) struct FieldTimeline(Arc<Mutex<Steps>>);

#[derive(Debug, Default)]
struct Steps {
    /// The arrays from which the steps lead back; none while they are changed, or if no step is needed.
    present: Option<Arrays>,
    /// From the oldest to the newest, with the numbers of the moments to which they lead.
    list: VecDeque<(u64, Step)>,
    /// The number of the present moment.
    now: u64,
    /// The memory of the steps but for replaced arrays.
    bytes: usize,
    /// The arrays that snapshots hold or have held, with the numbers of their moments, ascending.
    past: Vec<(u64, Weak<PastArrays>)>,
}

/// The arrays of a field at the moment of a snapshot.
#[derive(Debug)]
pub(super) struct PastArrays(Mutex<Moment>);

/// A moment of a timeline.
#[derive(Debug, Clone)]
struct Moment {
    steps: Arc<Mutex<Steps>>,
    number: u64,
}

impl Arrays {
    fn of(field: &Field) -> Self {
        Self {
            integration: Arc::clone(&field.integration),
            flow: Arc::clone(&field.flow),
        }
    }

    fn are(&self, field: &Field) -> bool {
        Arc::ptr_eq(&self.integration, &field.integration) && Arc::ptr_eq(&self.flow, &field.flow)
    }

    fn bytes(&self) -> usize {
        self.integration.bytes() + self.flow.bytes()
    }

    /// In place, unless something else holds the arrays.
    fn take_back(&mut self, Overwritten { costs, directions }: &Overwritten) {
        let flow = Arc::make_mut(&mut self.flow);
        match costs {
            // The roots belong to both.
            Some(costs) => {
                let integration = Arc::make_mut(&mut self.integration);
                flow.put_back(directions, Some((integration, costs)));
            }
            None => flow.put_back(directions, None),
        }
    }

    fn retire(self, retired: &mut Retired) {
        let (integration, flow) = (self.integration, self.flow);
        if let Some(flow) = Arc::into_inner(flow) {
            flow.retire(retired);
        }
        if let Some(integration) = Arc::into_inner(integration) {
            integration.retire(retired);
        }
    }
}

impl Overwritten {
    fn bytes(&self) -> usize {
        self.costs.as_ref().map_or(0, OverwrittenCosts::bytes) + self.directions.bytes()
    }
}

impl Clone for FieldTimeline {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl FieldTimeline {
    /// Keeps the arrays that the slot uses for a snapshot.
    pub(super) fn keep(&self, field: &Field) -> Arc<PastArrays> {
        let mut steps = self.0.lock();
        steps.note(field);
        let moment = Moment {
            steps: Arc::clone(&self.0),
            number: steps.now,
        };
        let past = Arc::new(PastArrays(Mutex::new(moment)));
        if steps.past.len() == steps.past.capacity() {
            steps.past.retain(is_held);
        }
        let number = steps.now;
        steps.past.push((number, Arc::downgrade(&past)));
        past
    }

    /// Lets go of the arrays that the slot uses, so that they can be changed in place. Returns whether a snapshot needs
    /// what will be overwritten.
    pub(super) fn let_go(&mut self, field: &Field) -> bool {
        let mut steps = self.0.lock();
        steps.note(field);
        steps.present = None;
        steps.needs_more()
    }

    /// Takes the arrays after a change, and what that has overwritten.
    pub(super) fn go_on(
        &mut self,
        field: &Field,
        overwritten: Option<Overwritten>,
        retired: &Mutex<Retired>,
    ) {
        let mut steps = self.0.lock();
        steps.present = Some(Arrays::of(field));
        if let Some(overwritten) = overwritten {
            steps.bytes += overwritten.bytes();
            steps.push(Step::TakeBack(overwritten));
            steps.limit(retired);
        }
    }

    /// Forgets what no snapshot needs.
    pub(super) fn trim(&mut self, retired: &Mutex<Retired>) {
        let mut steps = self.0.lock();
        if !steps.list.is_empty() {
            steps.forget_unneeded(retired);
        }
        if !steps.needs_more() {
            steps.present = None;
        }
    }
}

impl PastArrays {
    /// Goes back to these arrays.
    pub(super) fn go_back(&self, retired: &Mutex<Retired>) -> (FieldTimeline, Option<Arrays>) {
        let Moment { steps, number } = self.moment();
        let timeline = FieldTimeline(Arc::clone(&steps));
        let mut steps = steps.lock();
        if !Arc::ptr_eq(&self.moment().steps, &timeline.0) {
            // Another world, on another thread, has parted with them meanwhile.
            drop(steps);
            return self.go_back(retired);
        }
        steps.go_back(number, retired);
        let arrays = steps.arrays_at(number);
        drop(steps);
        (timeline, arrays)
    }

    /// Calls `count` for each part that going back needs: its address and its bytes.
    pub(super) fn each_part(&self, mut count: impl FnMut(usize, usize)) {
        let Moment { steps, .. } = self.moment();
        let steps_at = Arc::as_ptr(&steps) as usize;
        let steps = steps.lock();
        count(steps_at, steps.bytes);
        let replaced = steps.list.iter().filter_map(|(_, step)| step.arrays());
        for Arrays { integration, flow } in replaced.chain(&steps.present) {
            count(Arc::as_ptr(integration) as usize, integration.bytes());
            count(Arc::as_ptr(flow) as usize, flow.bytes());
        }
    }

    fn moment(&self) -> Moment {
        self.0.lock().clone()
    }
}

impl Step {
    /// The arrays that it puts back whole.
    fn arrays(&self) -> Option<&Arrays> {
        match self {
            Self::Replace(arrays) => Some(arrays),
            Self::TakeBack(_) => None,
        }
    }
}

impl Steps {
    fn push(&mut self, step: Step) {
        self.list.push_back((self.now, step));
        self.now += 1;
    }

    /// Notes the arrays that the slot uses, which may be others.
    fn note(&mut self, field: &Field) {
        let is_needed = self.needs_more();
        if !self.present.as_ref().is_some_and(|known| known.are(field))
            && let Some(before) = self.present.replace(Arrays::of(field))
            && is_needed
        {
            self.push(Step::Replace(before));
        }
    }

    /// The first moment of which a snapshot holds the arrays.
    fn oldest_held(&self) -> Option<u64> {
        self.past
            .iter()
            .find(|past| is_held(past))
            .map(|past| past.0)
    }

    /// The last such moment.
    fn newest_held(&self) -> Option<u64> {
        let mut newest_first = self.past.iter().rev();
        newest_first.find(|past| is_held(past)).map(|past| past.0)
    }

    /// Whether a snapshot needs a step from the arrays of the present.
    fn needs_more(&self) -> bool {
        let Some(newest) = self.newest_held() else {
            return false;
        };
        let since = self.list.iter().rev().take_while(|step| step.0 >= newest);
        since.filter_map(|step| step.1.arrays()).next().is_none()
    }

    /// The arrays at a moment.
    fn arrays_at(&self, number: u64) -> Option<Arrays> {
        let first = self.list.partition_point(|step| step.0 < number);
        let later = || self.list.range(first..).map(|(_, step)| step);
        let replaced = later().position(|step| step.arrays().is_some());
        let arrays = match replaced {
            Some(at) => self.list[first + at].1.arrays(),
            None => self.present.as_ref(),
        };
        let mut arrays = arrays?.clone();
        let end = replaced.map_or(self.list.len(), |at| first + at);
        for (_, step) in self.list.range(first..end).rev() {
            if let Step::TakeBack(overwritten) = step {
                arrays.take_back(overwritten);
            }
        }
        Some(arrays)
    }

    /// Makes the arrays of a moment those of the present. Snapshots of later moments get copies.
    fn go_back(&mut self, number: u64, retired: &Mutex<Retired>) {
        while let Some(later) = self.newest_held().filter(|&later| later > number) {
            self.part_with(later);
        }
        self.past.retain(is_held);
        while let Some((_, step)) = self.list.pop_back_if(|step| step.0 >= number) {
            match step {
                Step::TakeBack(overwritten) => {
                    self.bytes -= overwritten.bytes();
                    if let Some(present) = &mut self.present {
                        present.take_back(&overwritten);
                    }
                }
                Step::Replace(before) => {
                    if let Some(replaced) = self.present.replace(before) {
                        replaced.retire(&mut retired.lock());
                    }
                }
            }
        }
        self.now = number;
    }

    /// Gives copies to the snapshots whose ways back are too long.
    fn limit(&mut self, retired: &Mutex<Retired>) {
        let most = self.present.as_ref().map_or(0, Arrays::bytes) / 2;
        while self.bytes > most
            && let Some(oldest) = self.oldest_held()
        {
            self.part_with(oldest);
            self.forget_unneeded(retired);
        }
    }

    /// Gives the snapshots of a moment arrays of their own.
    fn part_with(&mut self, number: u64) {
        let own = Arc::new(Mutex::new(Self {
            present: self.arrays_at(number),
            ..Self::default()
        }));
        for (_, past) in self.past.extract_if(.., |past| past.0 == number) {
            let Some(held) = past.upgrade() else {
                continue;
            };
            *held.0.lock() = Moment {
                steps: Arc::clone(&own),
                number: 0,
            };
            own.lock().past.push((0, past));
        }
    }

    /// Forgets the steps that no snapshot needs: each needs those from its moment on to the first one that puts arrays
    /// back whole.
    fn forget_unneeded(&mut self, retired: &Mutex<Retired>) {
        self.past.retain(is_held);
        let past = take(&mut self.past);
        let mut held = past.iter().map(|past| past.0).peekable();
        let mut is_needed = false;
        for (number, step) in take(&mut self.list) {
            while held.next_if(|&held| held <= number).is_some() {
                is_needed = true;
            }
            let is_kept = is_needed;
            is_needed &= step.arrays().is_none();
            match step {
                step if is_kept => self.list.push_back((number, step)),
                Step::TakeBack(overwritten) => self.bytes -= overwritten.bytes(),
                Step::Replace(arrays) => arrays.retire(&mut retired.lock()),
            }
        }
        drop(held);
        self.past = past;
    }
}

fn is_held((_, past): &(u64, Weak<PastArrays>)) -> bool {
    past.strong_count() > 0
}
