//! The work of a build beyond an earlier state of it, to which the world has gone back.
//!
//! A copy of an unfinished field does its work again when it goes on, up to hundreds of milliseconds on a large map.
//! After a rollback the field that had come farther is still there. As long as the copy is given the same work as that
//! one, both come to the same state, so nothing needs to be done until the copy has been given all of it.

/// A build with its work from update to update, which begins with that of a copy.
#[derive(Debug)]
pub(super) struct LaterWork<B> {
    budgets: Vec<usize>,
    build: B,
}

impl<B> LaterWork<B> {
    /// A build with its work; `None` if the work `so_far` of the copy is other work.
    pub(super) fn beyond(so_far: &[usize], budgets: Vec<usize>, build: B) -> Option<Box<Self>> {
        let later = Self { budgets, build };
        later.budgets.starts_with(so_far).then(|| Box::new(later))
    }

    /// The build as it is after all of its work.
    pub(super) fn build(&self) -> &B {
        &self.build
    }

    /// The build, to follow edits of what it is made from.
    pub(super) fn build_mut(&mut self) -> &mut B {
        &mut self.build
    }

    /// The work and the build.
    pub(super) fn into_parts(self) -> (Vec<usize>, B) {
        (self.budgets, self.build)
    }

    /// Whether its next work after that `so_far` was `budget` too.
    pub(super) fn goes_on_with(&self, so_far: &[usize], budget: usize) -> bool {
        self.budgets.get(so_far.len()) == Some(&budget)
    }

    /// Takes the build from `later` if the work `so_far` is all of its work.
    pub(super) fn take_if_reached(later: &mut Option<Box<Self>>, so_far: &[usize]) -> Option<B> {
        let reached = later.take_if(|later| later.budgets.len() == so_far.len());
        reached.map(|later| later.build)
    }
}
