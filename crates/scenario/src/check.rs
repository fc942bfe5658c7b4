//! Checks nodes against the table of fields, collecting every problem on the way.

mod quantity;

use std::collections::BTreeSet;

use crate::Problem;
use crate::document::{Content, Entry, Node, Place, Sources, parse};
use crate::fields::{Default, Form, Kind, Shape, form_of};
use crate::problem::{Problems, shorten, shown};
use crate::sweep::POINTS;
use crate::value::{Data, Fields, Label, Value};

/// The longest name and the longest text, in characters.
const NAME: usize = 60;
const TEXT: usize = 1_000;

/// Where the checks put what they find.
pub(crate) struct Checker<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) problems: &'a mut Problems,
}

impl Checker<'_> {
    /// The value of `node` as `kind` wants it; `None` when something is wrong with it, which has
    /// then been collected.
    pub(crate) fn value(&mut self, node: &Node, kind: &Kind, path: &str) -> Option<Value> {
        if self.problems.are_full() {
            return None;
        }
        let data = match (kind, &node.content) {
            (Kind::Text, Content::Text(text)) => self.text(node, text, TEXT, path)?,
            (Kind::Name, Content::Text(text)) => self.name(node, text, path)?,
            (&Kind::Count { least, most }, &Content::Count(count)) => {
                if !(least..=most).contains(&count) {
                    return self.refuse(node, kind, path, &format!("{count} is out of range"));
                }
                Data::Count(count)
            }
            (
                Kind::Bandwidth
                | Kind::Size { .. }
                | Kind::Duration
                | Kind::Ratio
                | Kind::Efficiency
                | Kind::Factor
                | Kind::Percent
                | Kind::Probability,
                Content::Text(text),
            ) => self.quantity(node, text, kind, path)?,
            (Kind::OneOf(forms), Content::Word(_) | Content::Struct { .. }) => {
                self.form(node, forms, path)?
            }
            (Kind::Struct(shape), Content::Struct { name: None, entries }) => {
                Data::Fields(self.fields(node, shape, entries, path)?)
            }
            (Kind::List { of, least }, Content::List(items)) => {
                if items.len() < *least {
                    return self.refuse(node, kind, path, "the list is empty");
                }
                Data::List(self.items(items, of, path)?)
            }
            (Kind::Labels, Content::Map(entries)) => self.labels(entries, path)?,
            (Kind::Values, Content::List(items)) if items.len() > POINTS => {
                let found = format!("{} values", items.len());
                let problem = Problem::new(&node.place, path, found);
                self.problems.add(problem.allowed(format!("at most {POINTS}")));
                return None;
            }
            (Kind::Values, Content::List(items)) if !items.is_empty() => {
                Data::Values(items.iter().map(|item| (item.clone(), self.written(item))).collect())
            }
            _ => return self.mismatch(node, kind, path),
        };
        Some(Value { place: first_line(node, self.sources), data })
    }

    /// The values of all items of a list; no more are looked at once enough is wrong.
    fn items(&mut self, items: &[Node], of: &Kind, path: &str) -> Option<Vec<Value>> {
        let mut values = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            if self.problems.are_full() {
                return None;
            }
            values.push(self.value(item, of, &format!("{path}[{index}]")));
        }
        values.into_iter().collect()
    }

    /// The text that `node` is written as, on one line.
    fn written(&self, node: &Node) -> String {
        let text = self.sources.slice(&node.place);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// How a value of a sweep is told in results: a text without its quotes, else as written.
    pub(crate) fn label_of(&self, node: &Node) -> String {
        match &node.content {
            Content::Text(text) => text.clone(),
            _ => self.written(node),
        }
    }

    fn refuse<T>(&mut self, node: &Node, kind: &Kind, path: &str, found: &str) -> Option<T> {
        self.problems.add(Problem::new(&node.place, path, found).allowed(kind.words()));
        None
    }

    fn text(&mut self, node: &Node, text: &str, most: usize, path: &str) -> Option<Data> {
        let length = text.chars().count();
        if length > most || text.chars().any(char::is_control) {
            let found = if length > most {
                format!("{length} characters")
            } else {
                "a control character".to_owned()
            };
            let allowed = format!("at most {most} characters on one line");
            self.problems.add(Problem::new(&node.place, path, found).allowed(allowed));
            return None;
        }
        Some(Data::Text(text.to_owned()))
    }

    fn name(&mut self, node: &Node, text: &str, path: &str) -> Option<Data> {
        if text.trim() != text || text.is_empty() || text.contains(['[', ']']) {
            let found = format!("\"{}\" is no name", shorten(text));
            let allowed = "a text without brackets and without spaces around it";
            self.problems.add(Problem::new(&node.place, path, found).allowed(allowed));
            return None;
        }
        self.text(node, text, NAME, path)
    }

    fn quantity(&mut self, node: &Node, text: &str, kind: &Kind, path: &str) -> Option<Data> {
        let data = match quantity::quantity(text, kind) {
            Ok(data) => data,
            Err(refused) => {
                let found = format!("\"{}\": {}", shorten(text), refused.found);
                let problem = Problem::new(&node.place, path, found);
                self.problems.add(problem.allowed(refused.allowed).hint(refused.hint));
                return None;
            }
        };
        if !quantity::fits(&data, kind) {
            return self.refuse(node, kind, path, &format!("\"{text}\" is out of range"));
        }
        Some(data)
    }

    fn form(&mut self, node: &Node, forms: &'static [Form], path: &str) -> Option<Data> {
        let Some(form) = form_of(node, forms) else {
            return self.unknown_form(node, forms, path);
        };
        match (form.shape, &node.content) {
            (None, Content::Struct { entries, .. }) => {
                if let Some(entry) = entries.first() {
                    let found = format!("`{}` has no fields", form.name);
                    self.problems.add(Problem::new(&entry.place, path, found));
                    return None;
                }
                Some(Data::Form(form, None))
            }
            (None, _) => Some(Data::Form(form, None)),
            (Some(shape), Content::Struct { entries, .. }) => {
                Some(Data::Form(form, Some(self.fields(node, shape, entries, path)?)))
            }
            (Some(shape), _) => Some(Data::Form(form, Some(self.fields(node, shape, &[], path)?))),
        }
    }

    fn unknown_form(&mut self, node: &Node, forms: &'static [Form], path: &str) -> Option<Data> {
        let kind = Kind::OneOf(forms);
        let (Content::Word(name) | Content::Struct { name: Some(name), .. }) = &node.content else {
            return self.refuse(node, &kind, path, "the name before the parentheses is missing");
        };
        let place = Place { end: node.place.start + name.len(), ..node.place.clone() };
        let found = format!("unknown word `{}`", shorten(name));
        let problem = Problem::new(&place, path, found).allowed(kind.words());
        self.problems.add_misspelt(problem, name, forms.iter().map(|form| form.name));
        None
    }

    /// The values of all fields of `shape`, defaults filled in.
    fn fields(
        &mut self,
        node: &Node,
        shape: &'static Shape,
        entries: &[Entry],
        path: &str,
    ) -> Option<Fields> {
        let known = self.names_are_right(shape, entries, path);
        let join =
            |name: &str| if path.is_empty() { name.into() } else { format!("{path}.{name}") };
        let mut values = Vec::with_capacity(shape.fields.len());
        for field in shape.fields {
            let path = join(field.name);
            let entry = entries.iter().find(|entry| entry.name == field.name);
            values.push(match (entry, field.default) {
                (Some(entry), _) => self.value(&entry.value, &field.kind, &path),
                (None, Default::Is(ron)) => self.default(node, ron, &field.kind),
                (None, Default::Depends(_)) => {
                    Some(Value { place: first_line(node, self.sources), data: Data::Absent })
                }
                (None, Default::Required) => {
                    let found = "this field is missing".to_owned();
                    let hint = format!("for example `{}: {}`", field.name, field.example);
                    let problem = Problem::new(&first_line(node, self.sources), &path, found);
                    self.problems.add(problem.allowed(field.kind.words()).hint(Some(hint)));
                    None
                }
            });
        }
        let values: Option<Vec<Value>> = values.into_iter().collect();
        values.filter(|_| known).map(|values| Fields { shape, values })
    }

    /// Refuses unknown and repeated names.
    fn names_are_right(&mut self, shape: &'static Shape, entries: &[Entry], path: &str) -> bool {
        let mut right = true;
        for (index, entry) in entries.iter().enumerate() {
            if self.problems.are_full() {
                return false;
            }
            if shape.field(&entry.name).is_none() {
                let names: Vec<&str> = shape.fields.iter().map(|field| field.name).collect();
                let found = format!("unknown field `{}`", shorten(&entry.name));
                let problem = Problem::new(&entry.place, path, found)
                    .allowed(format!("the fields {}", names.join(", ")));
                self.problems.add_misspelt(problem, &entry.name, names);
                right = false;
            } else if let Some(first) = entries[..index].iter().find(|it| it.name == entry.name) {
                let (line, column) = self.sources.line_and_column(&first.place);
                let found = format!("field `{}` stands here again", entry.name);
                let allowed = format!("once; it already stands at {line}:{column}");
                self.problems.add(Problem::new(&entry.place, path, found).allowed(allowed));
                right = false;
            }
        }
        right
    }

    /// A default of the table, which always fits.
    fn default(&mut self, node: &Node, ron: &str, kind: &Kind) -> Option<Value> {
        let mut sources = Sources::default();
        let source = sources.add("default", ron.to_owned());
        let default = parse(ron, source).expect("defaults are RON");
        let mut problems = Problems::default();
        let mut checker = Checker { sources: &sources, problems: &mut problems };
        let value = checker.value(&default, kind, "");
        assert!(value.is_some(), "the default `{ron}` fits its field");
        value.map(|value| Value { place: first_line(node, self.sources), ..value })
    }

    fn labels(&mut self, entries: &[Entry], path: &str) -> Option<Data> {
        let mut labels: Vec<Label> = Vec::new();
        let mut known = BTreeSet::new();
        for entry in entries {
            let values = match &entry.value.content {
                Content::List(items) => items.iter().map(|item| self.label_of(item)).collect(),
                _ => vec![self.label_of(&entry.value)],
            };
            if !known.insert(&entry.name) {
                let found = format!("label \"{}\" stands here again", shorten(&entry.name));
                self.problems.add(Problem::new(&entry.place, path, found));
                return None;
            }
            let place = entry.value.place.clone();
            labels.push(Label { axis: entry.name.clone(), values, place });
        }
        Some(Data::Labels(labels))
    }

    /// A value of quite another kind.
    fn mismatch(&mut self, node: &Node, kind: &Kind, path: &str) -> Option<Value> {
        let what = match &node.content {
            Content::Word(_) => "a word",
            Content::Text(_) => "a text in quotes",
            Content::Count(_) => "a bare number",
            Content::Odd(what) => what,
            Content::List(items) if items.is_empty() => "an empty list",
            Content::List(_) => "a list",
            Content::Struct { .. } => "fields in parentheses",
            Content::Map(_) => "a map in braces",
        };
        let written = shown(self.sources, &node.place);
        let hint = match (kind, &node.content) {
            (Kind::Count { .. }, Content::Text(text)) if text.parse::<u64>().is_ok() => {
                Some(format!("without quotes: {text}"))
            }
            (Kind::OneOf(forms), Content::Text(text)) => self
                .problems
                .nearest(text, forms.iter().map(|form| form.name))
                .map(|name| format!("without quotes: {name}")),
            (Kind::Text | Kind::Name, Content::Word(_)) => {
                Some(format!("in quotes: \"{written}\""))
            }
            (Kind::List { .. } | Kind::Values, Content::Struct { .. } | Content::Text(_)) => {
                Some("lists stand in square brackets: […]".to_owned())
            }
            _ => quantity::hint(&written, kind),
        };
        let found = format!("`{written}` is {what}");
        let allowed = quantity::allowed(kind);
        self.problems.add(Problem::new(&node.place, path, found).allowed(allowed).hint(hint));
        None
    }
}

/// The place of a value as far as its first line goes.
fn first_line(node: &Node, sources: &Sources) -> Place {
    let text = sources.slice(&node.place);
    let length = text.find('\n').unwrap_or(text.len());
    Place { end: node.place.start + text[..length].trim_end().len(), ..node.place.clone() }
}
