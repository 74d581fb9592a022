//! Near and middle fields as bytes: their windows and costs, from which reading solves them again.

use crate::bytes::{Saved, Source as _, Unpacker, Writer, saved};
use crate::error::Result;
use crate::flow::DirectionRule;
use crate::grid::CellRect;
use crate::integrate::{Method, Solvers};
use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::middle::TIERS;
use crate::world::walking::near::{GoalDepths, Key, Near};
use crate::world::walking::near_field::NearField;
use crate::world::walking::parts::{MiddleField, Parts};
use crate::world::walking::saved::goals::is_initial_cost;
use crate::world::walking::saved::present::{OLD, Present};
use crate::world::walking::window::{self, Window};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The methods of solvers, by their numbers in saves.
const METHODS: [Method; 3] = [Method::Octile, Method::Eikonal, Method::Predecessor];

saved!(GoalDepths { middle, far });

impl Window {
    pub(super) fn write(&self, out: &mut Writer) {
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

    pub(super) fn read(input: &mut Unpacker<'_>, map: CellRect) -> Result<Self> {
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

    pub(super) fn all(
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

    fn one(&self, input: &mut Unpacker<'_>) -> Result<Arc<NearField>> {
        let field = self.0.get(input.u32()? as usize);
        field
            .map(Arc::clone)
            .ok_or_else(|| input.bad("it has a field that is not there"))
    }

    pub(super) fn some(&self, input: &mut Unpacker<'_>) -> Result<Vec<Arc<NearField>>> {
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
        out.u32(self.middle.len() as u32);
        for MiddleField { field, begun_at } in &*self.middle {
            out.u32(fields.of(field, rule, present));
            begun_at.write(out);
        }
    }

    pub(in crate::world) fn read(
        input: &mut Unpacker<'_>,
        (present, fields): (Present<'_>, &FieldList),
    ) -> Result<Self> {
        let near = fields.some(input)?;
        let mut middle = Vec::new();
        for _ in 0..input.u32()? {
            middle.push(MiddleField {
                field: fields.one(input)?,
                begun_at: present.read_tick(input)?,
            });
        }
        let parts = Self::new(&near, middle);
        if parts.lead_one_to_the_next() {
            Ok(parts)
        } else {
            Err(input.bad("it has fields that do not lead one to the next"))
        }
    }
}

impl Near {
    pub(super) fn write(
        &self,
        (present, fields): (Present<'_>, &mut FieldNumbers),
        out: &mut Writer,
    ) {
        let Self {
            fields: own,
            destination,
            key: Key { now, far, middle },
            depths,
            former,
        } = self;
        fields.all(own, now.rule, present).write(out);
        destination.write(out);
        present.write_version(*now, out);
        for version in far.iter().chain(middle) {
            version.is_some().write(out);
            if let Some(version) = version {
                present.write_version(*version, out);
            }
        }
        depths.write(out);
        former.write(out);
    }

    pub(super) fn read(
        input: &mut Unpacker<'_>,
        present: Present<'_>,
        fields: &FieldList,
    ) -> Result<Self> {
        let own = fields.some(input)?;
        let destination = Destination::read_checked(input)?;
        let now = present.read_version(input)?;
        let (mut far, mut middle) = ([None; 2], [None; TIERS]);
        for version in far.iter_mut().chain(&mut middle) {
            if bool::read(input)? {
                *version = Some(present.read_version(input)?);
            }
        }
        // The versions of routes and tiles have no costs.
        let far = far.map(|version| version.map(|it| Version { costs: OLD, ..it }));
        Ok(Self {
            fields: own,
            destination,
            key: Key { now, far, middle },
            depths: GoalDepths::read(input)?,
            former: Saved::read(input)?,
        })
    }
}
