//! Values from the command line in place of those in the file.

use std::str::FromStr;

use crate::Problem;
use crate::document::{Content, Node, Place, Sources, SyntaxError, parse};
use crate::fields::Kind;
use crate::path::{FieldPath, items, items_mut, put};
use crate::problem::Problems;

/// A value for a field, in place of the one in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The path of the field, as in a sweep: `fabric.outside.ratio`.
    pub field: String,
    /// The value as it would stand in the file; texts and quantities may go without quotes.
    pub value: String,
}

impl FromStr for Override {
    type Err = String;

    /// Reads "field=value".
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((field, value)) if !field.trim().is_empty() => {
                Ok(Self { field: field.trim().to_owned(), value: value.trim().to_owned() })
            }
            _ => Err(format!("`{text}` is not of the form field=value")),
        }
    }
}

/// What the text of an override is called in messages.
pub(crate) const COMMAND_LINE: &str = "command line";

/// How an override is shown in its picture.
const BEFORE: &str = "--set ";

/// Puts the value of each override into the scenario, at every fabric or workload it means.
pub(crate) fn apply(
    scenario: &mut Node,
    overrides: &[Override],
    sources: &mut Sources,
    problems: &mut Problems,
) {
    for Override { field, value } in overrides {
        let text = format!("{BEFORE}{field}={value}");
        let source = sources.add(COMMAND_LINE, text);
        let start = BEFORE.len() + field.len() + 1;
        let place = Place::new(source, BEFORE.len()..start - 1);
        let path = match FieldPath::read(field) {
            Ok(path) => path,
            Err(no_path) => {
                no_path.tell(&place, field, problems);
                continue;
            }
        };
        let kinds: Vec<Option<Kind>> =
            items(scenario, path.root).iter().map(|item| path.kind_in(item)).collect();
        let Some(kind) = kinds.iter().flatten().next() else {
            path.nowhere(field).tell(&place, field, problems);
            continue;
        };
        let place = Place::new(source, start..start + value.len());
        let node = match node(value, *kind, place) {
            Ok(node) => node,
            Err(error) => {
                let at = start + error.offset.min(value.len());
                problems.add(Problem::new(&Place::new(source, at..at), field, error.message));
                continue;
            }
        };
        for (item, kind) in items_mut(scenario, path.root).iter_mut().zip(kinds) {
            if kind.is_some() {
                put(item, &path.names(), &node);
            }
        }
    }
}

/// The value as a node whose places lie in the picture of the override.
fn node(value: &str, kind: Kind, place: Place) -> Result<Node, SyntaxError> {
    let takes_text = matches!(
        kind,
        Kind::Text
            | Kind::Name
            | Kind::Bandwidth
            | Kind::Size { .. }
            | Kind::Duration
            | Kind::Ratio
            | Kind::Efficiency
            | Kind::Factor
            | Kind::Percent
            | Kind::Probability
    );
    let quoted = ["\"", "r\"", "r#"].iter().any(|quote| value.starts_with(quote));
    if takes_text && !quoted {
        return Ok(Node { place, content: Content::Text(value.to_owned()) });
    }
    let mut node = parse(value, place.source)?;
    shift(&mut node, place.start);
    Ok(node)
}

/// Moves all places of `node` by `offset`.
fn shift(node: &mut Node, offset: usize) {
    node.place.start += offset;
    node.place.end += offset;
    match &mut node.content {
        Content::List(items) => items.iter_mut().for_each(|item| shift(item, offset)),
        Content::Struct { entries, .. } | Content::Map(entries) => {
            for entry in entries {
                entry.place.start += offset;
                entry.place.end += offset;
                shift(&mut entry.value, offset);
            }
        }
        Content::Word(_) | Content::Text(_) | Content::Count(_) | Content::Odd(_) => {}
    }
}
