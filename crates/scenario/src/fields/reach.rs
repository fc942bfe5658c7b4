//! Which fields a path can reach.

use super::{Field, Form, Kind, Shape};
use crate::document::{Content, Node};

/// The fields of the form that `node` has, if `kind` has fields; a bare word has those of its form.
fn fields_of(node: &Node, kind: &Kind) -> Option<&'static Shape> {
    match kind {
        Kind::Struct(shape) => Some(shape),
        Kind::OneOf(forms) => form_of(node, forms)?.shape,
        _ => None,
    }
}

/// The form that `node` has by its name, or the one that needs none.
pub(crate) fn form_of(node: &Node, forms: &'static [Form]) -> Option<&'static Form> {
    let name = match &node.content {
        Content::Word(name) => Some(name),
        Content::Struct { name, .. } => name.as_ref(),
        _ => return None,
    };
    forms.iter().find(|form| match name {
        Some(name) => form.name == name,
        None => form.naming == super::Naming::Optional,
    })
}

/// The kind of the field at the end of `path` within `node`, following the forms it has; a field
/// left out takes the form of its default.
pub(crate) fn kind_at(node: &Node, kind: &Kind, path: &[&str]) -> Option<Kind> {
    let Some((first, rest)) = path.split_first() else {
        return Some(*kind);
    };
    let field = fields_of(node, kind)?.field(first)?;
    if rest.is_empty() {
        return Some(field.kind);
    }
    let Content::Struct { entries, .. } = &node.content else { return None };
    let entry = entries.iter().find(|entry| entry.name == *first)?;
    kind_at(&entry.value, &field.kind, rest)
}

impl Shape {
    /// The field called `name`.
    pub(crate) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// Every path that begins at `root`, through all forms, for hints.
pub(crate) fn every_path(root: &str, kind: &Kind) -> Vec<String> {
    let mut paths = Vec::new();
    collect(root, kind, &mut paths);
    paths.sort();
    paths.dedup();
    paths
}

fn collect(path: &str, kind: &Kind, paths: &mut Vec<String>) {
    let mut fields = |shape: &'static Shape| {
        for field in shape.fields {
            let path = format!("{path}.{}", field.name);
            collect(&path, &field.kind, paths);
            paths.push(path);
        }
    };
    match kind {
        Kind::Struct(shape) => fields(shape),
        Kind::OneOf(forms) => forms.iter().filter_map(|form| form.shape).for_each(fields),
        _ => {}
    }
}
