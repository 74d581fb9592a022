//! The state of goals that walk as bytes.
//!
//! Near and middle fields, and fields that are being built, follow from what they were made from: their costs, the
//! positions of the goal, and for unfinished fields the work so far. That is what a save holds. Reading solves them
//! again.

use crate::bytes::{Saved, Source as _, Unpacker, Writer, saved};
use crate::error::Result;
use crate::flow::DirectionRule;
use crate::grid::CellRect;
use crate::integrate::{Method, Solver, Solvers};
use crate::movement::CostField;
use crate::world::builder::Scratch;
use crate::world::goal_id::Destination;
use crate::world::past_costs::PastCosts;
use crate::world::version::Version;
use crate::world::walking::near::{GoalDepths, Key, Near};
use crate::world::walking::near_field::NearField;
use crate::world::walking::parts::Parts;
use crate::world::walking::unfinished::{Far, MiddleBuild};
use crate::world::walking::walk::{Middle, Walk};
use crate::world::walking::window::{self, Window};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The revision of costs that are not the present ones. Costs never have it.
const OLD: u64 = 0;
/// More cells of work than any field takes.
const MOST_WORK: usize = 32 * crate::grid::MAX_CELLS as usize;
/// The solvers and their methods, by their numbers in saves.
const SOLVERS: [Solver; 2] = [Solver::Octile, Solver::Eikonal];
const METHODS: [Method; 3] = [Method::Octile, Method::Eikonal, Method::Predecessor];

saved!(Destination { cells, targets });
saved!(GoalDepths { next, far });

impl Saved for Solver {
    fn write(&self, out: &mut Writer) {
        out.u8(self.number() as u8);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let number = input.u8()?;
        let mut solvers = SOLVERS.into_iter();
        let solver = solvers.find(|solver| solver.number() == u64::from(number));
        solver.ok_or_else(|| input.bad("it has an unknown solver"))
    }
}

impl Saved for DirectionRule {
    fn write(&self, out: &mut Writer) {
        let place = Self::ALL.iter().position(|rule| rule == self);
        out.u8(place.unwrap_or(0) as u8);
    }

    fn read(input: &mut Unpacker<'_>) -> Result<Self> {
        let rule = Self::ALL.get(usize::from(input.u8()?)).copied();
        rule.ok_or_else(|| input.bad("it has an unknown rule"))
    }
}

/// The present costs of a movement type, which saved costs are compared with.
#[derive(Clone, Copy)]
pub(in crate::world) struct Present<'a> {
    pub(in crate::world) costs: &'a Arc<CostField>,
    /// The edits before.
    pub(in crate::world) past: &'a PastCosts,
    /// The least revision that fields on these costs have.
    pub(in crate::world) revision: u64,
    /// The number of updates.
    pub(in crate::world) tick: u64,
}

impl Present<'_> {
    /// Writes how old the costs of a revision are.
    pub(in crate::world) fn write_costs(&self, revision: u64, out: &mut Writer) {
        self.past.write_age(revision, self.revision, out);
    }

    /// Reads what [`Self::write_costs`] has written, as a revision.
    pub(in crate::world) fn read_costs(&self, input: &mut Unpacker<'_>) -> Result<u64> {
        self.past.read_age(input, (self.revision, OLD))
    }

    pub(in crate::world) fn write_version(&self, version: Version, out: &mut Writer) {
        self.write_costs(version.costs, out);
        version.goal.write(out);
        version.solver.write(out);
        version.rule.write(out);
    }

    pub(in crate::world) fn read_version(&self, input: &mut Unpacker<'_>) -> Result<Version> {
        Ok(Version {
            costs: self.read_costs(input)?,
            goal: u64::read(input)?,
            solver: Saved::read(input)?,
            rule: Saved::read(input)?,
        })
    }

    /// Reads the number of an update that has been.
    pub(in crate::world) fn read_tick(&self, input: &mut Unpacker<'_>) -> Result<u64> {
        let tick = u64::read(input)?;
        if tick > self.tick {
            return Err(input.bad("it has fields from a future update"));
        }
        Ok(tick)
    }

    fn map(&self) -> CellRect {
        CellRect {
            low: glam::IVec2::ZERO,
            high: glam::IVec2::new(self.costs.width() as i32, self.costs.height() as i32),
        }
    }
}

impl Window {
    fn write(&self, out: &mut Writer) {
        // Every field is named, so that none is forgotten.
        let Self {
            cells,
            goals,
            inner: _, // follows from the cells
            apart,
            is_linked,
            entries,
            exits,
        } = self;
        cells.write(out);
        goals.write(out);
        out.u32(apart.to_bits());
        is_linked.write(out);
        entries.write(out);
        exits.write(out);
    }

    fn read(input: &mut Unpacker<'_>, map: CellRect) -> Result<Self> {
        let cells = CellRect::read(input)?;
        if cells.is_empty() || cells.intersection(&map) != cells {
            return Err(input.bad("it has a window out of the map"));
        }
        let window = Self {
            cells,
            goals: Saved::read(input)?,
            inner: window::inner(cells, &map),
            apart: f32::from_bits(input.u32()?),
            is_linked: bool::read(input)?,
            entries: Saved::read(input)?,
            exits: Saved::read(input)?,
        };
        let is_sound = !window.inner.is_empty()
            && window
                .goals
                .iter()
                .all(|goal| window.cells.contains(goal.cell) && is_initial_cost(goal.cost))
            && window.apart >= 0.0
            && window
                .entries
                .iter()
                .all(|&cell| window.cells.contains(cell))
            && window
                .exits
                .iter()
                .all(|exit| window.cells.contains(exit.0) && exit.1 >= 0.0);
        if is_sound {
            Ok(window)
        } else {
            Err(input.bad("it has a window that makes no sense"))
        }
    }
}

/// Reads the work so far of an unfinished field, in cells from update to update.
fn read_budgets(input: &mut Unpacker<'_>) -> Result<Vec<usize>> {
    let budgets = Vec::<usize>::read(input)?;
    if budgets.iter().any(|&budget| budget > MOST_WORK) {
        return Err(input.bad("it has an unfinished field that would be finished"));
    }
    Ok(budgets)
}

fn is_initial_cost(cost: f32) -> bool {
    (0.0..=crate::integrate::MAX_INITIAL_COST).contains(&cost)
}

impl Destination {
    /// Reads the cells and targets of a goal.
    pub(in crate::world) fn read_checked(input: &mut Unpacker<'_>) -> Result<Arc<Self>> {
        let found = Self::read(input)?;
        let is_sound = found.cells.len() == found.targets.len()
            && found.cells.iter().all(|goal| is_initial_cost(goal.cost));
        if is_sound {
            Ok(Arc::new(found))
        } else {
            Err(input.bad("it has a goal that makes no sense"))
        }
    }
}

/// Near and middle fields that are written, each once.
#[derive(Default)]
pub(in crate::world) struct FieldNumbers {
    /// By the field's address, which nothing but equality is read of.
    numbers: BTreeMap<usize, u32>,
    fields: Writer,
}

impl FieldNumbers {
    fn of(&mut self, field: &Arc<NearField>, rule: DirectionRule, present: Present<'_>) -> u32 {
        let next = self.numbers.len() as u32;
        let Self { numbers, fields } = self;
        *numbers
            .entry(Arc::as_ptr(field) as usize)
            .or_insert_with(|| {
                field.write(rule, present, fields);
                next
            })
    }

    fn all(
        &mut self,
        fields: &[Arc<NearField>],
        rule: DirectionRule,
        present: Present<'_>,
    ) -> Vec<u32> {
        let numbers = fields.iter().map(|field| self.of(field, rule, present));
        numbers.collect()
    }

    /// Writes the fields, which are to be read before what refers to them.
    pub(in crate::world) fn write(&self, out: &mut Writer) {
        out.u32(self.numbers.len() as u32);
        out.bytes.extend(&self.fields.bytes);
    }
}

/// Near and middle fields that are read.
#[derive(Default)]
pub(in crate::world) struct FieldList(Vec<Arc<NearField>>);

impl FieldList {
    pub(in crate::world) fn read(
        input: &mut Unpacker<'_>,
        present: Present<'_>,
        solvers: &mut Solvers,
    ) -> Result<Self> {
        let mut fields = Vec::new();
        for _ in 0..input.u32()? {
            fields.push(Arc::new(NearField::read(input, present, solvers)?));
        }
        Ok(Self(fields))
    }

    fn some(&self, input: &mut Unpacker<'_>) -> Result<Vec<Arc<NearField>>> {
        let numbers = Vec::<u32>::read(input)?;
        let fields = numbers
            .iter()
            .map(|&number| self.0.get(number as usize).map(Arc::clone));
        let fields: Option<Vec<_>> = fields.collect();
        fields.ok_or_else(|| input.bad("it has a field that is not there"))
    }
}

impl NearField {
    fn write(&self, rule: DirectionRule, present: Present<'_>, out: &mut Writer) {
        self.window.write(out);
        let base = present.costs.cut_out(self.window.cells);
        self.costs.write_from(&base, out);
        let targets: Vec<glam::Vec2> = self.flow.targets().collect();
        targets.write(out);
        out.u8(self.integration.method() as u8);
        rule.write(out);
    }

    fn read(input: &mut Unpacker<'_>, present: Present<'_>, solvers: &mut Solvers) -> Result<Self> {
        let window = Window::read(input, present.map())?;
        let own = present.costs.cut_out(window.cells).read_into(input)?;
        let targets = Vec::<glam::Vec2>::read(input)?;
        let method = METHODS.get(usize::from(input.u8()?)).copied();
        let rule = DirectionRule::read(input)?;
        let needs = (rule == DirectionRule::Predecessor).then_some(Method::Predecessor);
        let Some(method) = method.filter(|&method| needs.is_none_or(|needed| needed == method))
        else {
            return Err(input.bad("it has a field of an unknown kind"));
        };
        Self::solve_on(&window, own, &targets, (method, rule), solvers)
            .map_err(|_| input.bad("it has a field that cannot be solved"))
    }
}

impl Parts {
    pub(in crate::world) fn write(
        &self,
        rule: DirectionRule,
        (present, fields): (Present<'_>, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        fields.all(&self.near, rule, present).write(out);
        fields.all(&self.middle, rule, present).write(out);
    }

    pub(in crate::world) fn read(input: &mut Unpacker<'_>, fields: &FieldList) -> Result<Self> {
        Ok(Self::new(&fields.some(input)?, &fields.some(input)?))
    }
}

impl Near {
    fn write(&self, (present, fields): (Present<'_>, &mut FieldNumbers), out: &mut Writer) {
        let Self {
            fields: own,
            destination,
            key: Key { now, far, middle },
            depths,
        } = self;
        fields.all(own, now.rule, present).write(out);
        destination.write(out);
        present.write_version(*now, out);
        for version in far.iter().chain([middle]) {
            version.is_some().write(out);
            if let Some(version) = version {
                present.write_version(*version, out);
            }
        }
        depths.write(out);
    }

    fn read(input: &mut Unpacker<'_>, present: Present<'_>, fields: &FieldList) -> Result<Self> {
        let own = fields.some(input)?;
        let destination = Destination::read_checked(input)?;
        let now = present.read_version(input)?;
        let mut versions = [None; 3];
        for version in &mut versions {
            if bool::read(input)? {
                *version = Some(present.read_version(input)?);
            }
        }
        // The versions of routes and tiles have no costs.
        let [one, other, middle] = versions;
        let far = [one, other].map(|version| version.map(|it| Version { costs: OLD, ..it }));
        Ok(Self {
            fields: own,
            destination,
            key: Key { now, far, middle },
            depths: GoalDepths::read(input)?,
        })
    }
}

impl Far {
    pub(in crate::world) fn write(&self, present: Present<'_>, out: &mut Writer) {
        // As long as it copies the present costs, it is for these.
        self.costs.is_some().write(out);
        let costs = match &self.costs {
            Some(_) => self.version.costs,
            None => present.revision,
        };
        present.write_version(
            Version {
                costs,
                ..self.version
            },
            out,
        );
        self.begun_at.write(out);
        self.destination.write(out);
        if let Some(costs) = &self.costs {
            costs.write_from(present.costs, out);
        }
        self.budgets.write(out);
    }

    pub(in crate::world) fn read(
        input: &mut Unpacker<'_>,
        present: Present<'_>,
        scratch: &Scratch,
    ) -> Result<Self> {
        let has_costs = bool::read(input)?;
        let version = present.read_version(input)?;
        let begun_at = present.read_tick(input)?;
        let destination = Destination::read_checked(input)?;
        let mut far = Self::begin(&destination, version, begun_at);
        if has_costs {
            let costs = CostField::clone(present.costs).read_into(input)?;
            far.costs = Some(Arc::new(costs));
        }
        far.budgets = read_budgets(input)?;
        let is_unfinished = far.catch_up(present.costs, scratch);
        let is_copying = !has_costs && version.costs == present.revision;
        if !is_unfinished || far.costs.is_none() != is_copying {
            return Err(input.bad("it has an unfinished field that would be finished"));
        }
        Ok(far)
    }
}

impl MiddleBuild {
    fn write(&self, present: Present<'_>, out: &mut Writer) {
        present.write_version(self.version, out);
        self.begun_at.write(out);
        self.destination.write(out);
        Arc::ptr_eq(&self.links, present.costs.shared_links()).write(out);
        out.u32(self.begun.len() as u32);
        for (window, own) in &self.begun {
            window.write(out);
            own.write_from(&present.costs.cut_out(window.cells), out);
        }
        self.budgets.write(out);
    }

    fn read(input: &mut Unpacker<'_>, present: Present<'_>, scratch: &Scratch) -> Result<Self> {
        let version = present.read_version(input)?;
        let begun_at = present.read_tick(input)?;
        let destination = Destination::read_checked(input)?;
        let links = present.read_links(input)?;
        let mut begun = Vec::new();
        for _ in 0..input.u32()? {
            let window = Window::read(input, present.map())?;
            let own = present.costs.cut_out(window.cells).read_into(input)?;
            begun.push((window, Arc::new(own)));
        }
        let with = (version, begun_at);
        let mut build = Self::begin_on(begun, links, &destination, with);
        build.budgets = read_budgets(input)?;
        if !build.catch_up(scratch) {
            return Err(input.bad("it has an unfinished field that would be finished"));
        }
        Ok(build)
    }
}

impl Present<'_> {
    /// The present links, or others that are like none.
    fn read_links(&self, input: &mut Unpacker<'_>) -> Result<Arc<crate::grid::links::Links>> {
        Ok(if bool::read(input)? {
            Arc::clone(self.costs.shared_links())
        } else {
            Arc::default()
        })
    }
}

impl Walk {
    /// Writes all but near fields. If it does not go on, the next update drops what is unfinished.
    pub(in crate::world) fn write(
        &self,
        goes_on: bool,
        (present, fields): (Present<'_>, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        // Every field is named, so that none is forgotten.
        let Self {
            far,
            middle_build,
            middle,
            near: _,
            depths,
            closed_since,
            seen,
            left_at,
            walked_at,
        } = self;
        let far = far.as_ref().filter(|_| goes_on);
        far.is_some().write(out);
        if let Some(far) = far {
            far.write(present, out);
        }
        let middle_build = middle_build.as_ref().filter(|_| goes_on);
        middle_build.is_some().write(out);
        if let Some(build) = middle_build {
            build.write(present, out);
        }
        let middle = middle.as_ref().filter(|_| goes_on);
        middle.is_some().write(out);
        if let Some(middle) = middle {
            present.write_version(middle.version, out);
            middle.begun_at.write(out);
            middle.destination.write(out);
            Arc::ptr_eq(&middle.links, present.costs.shared_links()).write(out);
            let rule = middle.version.rule;
            fields.all(&middle.fields, rule, present).write(out);
        }
        depths.write(out);
        closed_since.write(out);
        seen.write(out);
        left_at.write(out);
        walked_at.write(out);
    }

    pub(in crate::world) fn read(
        input: &mut Unpacker<'_>,
        (present, fields): (Present<'_>, &FieldList),
        scratch: &Scratch,
    ) -> Result<Self> {
        let mut walk = Self::default();
        if bool::read(input)? {
            walk.far = Some(Far::read(input, present, scratch)?);
        }
        if bool::read(input)? {
            walk.middle_build = Some(MiddleBuild::read(input, present, scratch)?);
        }
        if bool::read(input)? {
            walk.middle = Some(Middle {
                version: present.read_version(input)?,
                begun_at: present.read_tick(input)?,
                destination: Destination::read_checked(input)?,
                links: present.read_links(input)?,
                fields: fields.some(input)?,
            });
        }
        walk.depths = GoalDepths::read(input)?;
        if bool::read(input)? {
            walk.closed_since = Some(present.read_tick(input)?);
        }
        walk.seen = Destination::read_checked(input)?;
        walk.left_at = present.read_tick(input)?;
        walk.walked_at = present.read_tick(input)?;
        Ok(walk)
    }

    /// Writes the near fields.
    pub(in crate::world) fn write_near(
        &self,
        (present, fields): (Present<'_>, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        self.near.is_some().write(out);
        if let Some(near) = &self.near {
            near.write((present, fields), out);
        }
    }

    pub(in crate::world) fn read_near(
        &mut self,
        input: &mut Unpacker<'_>,
        (present, fields): (Present<'_>, &FieldList),
    ) -> Result<()> {
        if bool::read(input)? {
            self.near = Some(Near::read(input, present, fields)?);
        }
        Ok(())
    }
}
