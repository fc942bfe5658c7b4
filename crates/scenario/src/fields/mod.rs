//! The one table of fields: what a scenario may say, with unit, range, default, example and text.
//!
//! The checks, the hints, the reach of sweeps and overrides, the resolved text and
//! `docs/scenario.md` all follow it; a new field is one entry here and one use of it.

mod collective;
mod expect;
mod fabric;
mod faults;
mod inside;
mod jobs;
mod losses;
mod markdown;
mod outside;
mod packets;
mod placement;
mod preset;
mod queues;
mod reach;
mod scenario;
mod stragglers;
mod transport;
mod workload;

pub use markdown::fields_markdown;
pub(crate) use preset::PRESETS;
pub(crate) use reach::{every_path, form_of, kind_at};
pub(crate) use scenario::{FABRICS, SCENARIO, WORKLOADS};

/// The fields of a struct.
#[derive(Debug)]
pub(crate) struct Shape {
    /// What it describes, as a heading.
    pub(crate) title: &'static str,
    /// One or two sentences.
    pub(crate) text: &'static str,
    /// The fields in the order in which they are printed.
    pub(crate) fields: &'static [Field],
}

/// One field.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) default: Default,
    /// As it is written in a file.
    pub(crate) example: &'static str,
    /// What it means.
    pub(crate) text: &'static str,
}

/// What a field is when it is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Default {
    /// It must be given.
    Required,
    /// This RON text stands for it.
    Is(&'static str),
    /// It depends on other things, told in words.
    Depends(&'static str),
}

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A text in quotes.
    Text,
    /// A short text in quotes by which something is known.
    Name,
    /// A whole number.
    Count { least: u64, most: u64 },
    /// A rate above zero, with its unit.
    Bandwidth,
    /// A number of bytes with its unit.
    Size { least: u64 },
    /// A time with its unit.
    Duration,
    /// A ratio of two positive numbers.
    Ratio,
    /// Payload : wire, at most 1:1.
    Efficiency,
    /// How many times as long, at least 1:1.
    Factor,
    /// A percentage.
    Percent,
    /// A percentage from 0 %, with ten decimals.
    Probability,
    /// One of several forms.
    OneOf(&'static [Form]),
    /// Fields in parentheses.
    Struct(&'static Shape),
    /// A list of things of one kind.
    List { of: &'static Self, least: usize },
    /// Axis labels with the values that are meant.
    Labels,
    /// The values of a sweep, which are what their field is.
    Values,
}

/// One of the forms that a value may take: a word, or a name with fields.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) name: &'static str,
    /// Its fields, if it has any.
    pub(crate) shape: Option<&'static Shape>,
    /// Whether the fields may stand without the name.
    pub(crate) naming: Naming,
    pub(crate) text: &'static str,
}

/// Whether a form's fields may stand without its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    Needed,
    Optional,
}

impl Form {
    /// A form that is a bare word.
    pub(crate) const fn word(name: &'static str, text: &'static str) -> Self {
        Self { name, shape: None, naming: Naming::Needed, text }
    }

    /// A form with fields.
    pub(crate) const fn with(
        name: &'static str,
        shape: &'static Shape,
        text: &'static str,
    ) -> Self {
        Self { name, shape: Some(shape), naming: Naming::Needed, text }
    }
}

impl Field {
    /// A field that must be given.
    pub(crate) const fn required(
        name: &'static str,
        kind: Kind,
        example: &'static str,
        text: &'static str,
    ) -> Self {
        Self { name, kind, default: Default::Required, example, text }
    }

    /// The same field with a default.
    pub(crate) const fn default(mut self, default: &'static str) -> Self {
        self.default = Default::Is(default);
        self
    }

    /// The same field with a default that follows from other things.
    pub(crate) const fn depends(mut self, words: &'static str) -> Self {
        self.default = Default::Depends(words);
        self
    }
}

/// The paths of all fields that a sweep or an override may name, sorted: `fabric.cards`, …, `seed`,
/// …, `workload.size`.
pub fn field_paths() -> Vec<String> {
    crate::path::all_paths()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Checker;
    use crate::document::{Sources, parse};
    use crate::problem::Problems;

    /// Checks the default and the example of every field below `shape`.
    fn check(shape: &'static Shape, told: &mut Vec<&'static str>) {
        if told.contains(&shape.title) {
            return;
        }
        told.push(shape.title);
        for field in shape.fields {
            let default = if let Default::Is(ron) = field.default { Some(ron) } else { None };
            // An example that leaves something out is for the eye only.
            let example = Some(field.example).filter(|example| !example.contains('…'));
            for ron in default.into_iter().chain(example) {
                let mut sources = Sources::default();
                let source = sources.add("table", ron.to_owned());
                let node = parse(ron, source).expect(ron);
                let mut problems = Problems::default();
                let mut checker = Checker { sources: &sources, problems: &mut problems };
                let value = checker.value(&node, &field.kind, field.name);
                assert!(value.is_some(), "{}: {ron}", field.name);
            }
            below(&field.kind, told);
        }
    }

    fn below(kind: &Kind, told: &mut Vec<&'static str>) {
        match kind {
            Kind::Struct(shape) => check(shape, told),
            Kind::List { of, .. } => below(of, told),
            Kind::OneOf(forms) => {
                forms.iter().filter_map(|form| form.shape).for_each(|shape| check(shape, told));
            }
            _ => {}
        }
    }

    #[test]
    fn defaults_and_examples_fit_their_fields() {
        let mut told = Vec::new();
        check(&SCENARIO, &mut told);
        assert!(told.len() >= 20, "{told:?}");
    }
}
