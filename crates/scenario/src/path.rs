//! Paths to fields, as sweeps and overrides write them: `fabric[servers].outside.ratio`.

use crate::Problem;
use crate::document::{Content, Entry, Node, Place};
use crate::fields::{FABRICS, Kind, SCENARIO, WORKLOADS, every_path, kind_at};
use crate::problem::Problems;

/// A path, read but not yet followed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FieldPath {
    pub(crate) root: Root,
    /// The name in brackets: only that fabric or workload is meant.
    pub(crate) only: Option<String>,
    /// The names of the fields below the root.
    pub(crate) names: Vec<String>,
}

/// What a path starts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Root {
    /// A field of the scenario itself.
    Scenario,
    /// Fields of fabrics.
    Fabric,
    /// Fields of workloads.
    Workload,
}

/// Why a path leads nowhere.
#[derive(Clone, Debug)]
pub(crate) struct NoPath {
    found: String,
    allowed: String,
    /// The path as it is written.
    text: String,
}

impl NoPath {
    /// Adds the problem that the text at `place` leads nowhere.
    pub(crate) fn tell(self, place: &Place, at: &str, problems: &mut Problems) {
        if problems.are_full() {
            return;
        }
        let paths = all_paths();
        let problem = Problem::new(place, at, self.found).allowed(self.allowed);
        problems.add_misspelt(problem, &self.text, paths.iter().map(String::as_str));
    }
}

static WHOLE: Kind = Kind::Struct(&SCENARIO);

/// Fields of the scenario itself that a path may name.
const OWN: [&str; 4] = ["seed", "title", "question", "engine"];

impl FieldPath {
    /// Reads a path.
    pub(crate) fn read(text: &str) -> Result<Self, NoPath> {
        let refused = |found: String| NoPath {
            found,
            allowed: "`seed`, `fabric.…` or `workload.…`, with the fields below it joined by dots"
                .to_owned(),
            text: text.to_owned(),
        };
        let (head, rest) = match text.split_once(']') {
            Some((head, rest)) => (head, rest.strip_prefix('.')),
            None => match text.split_once('.') {
                Some((head, rest)) => (head, Some(rest)),
                None => (text, None),
            },
        };
        let (root, only) = match head.split_once('[') {
            Some((root, name)) if text.contains(']') => (root, Some(name.to_owned())),
            _ => (head, None),
        };
        let names: Vec<String> =
            rest.map(|rest| rest.split('.').map(str::to_owned).collect()).unwrap_or_default();
        match root {
            "fabric" | "workload" if !names.is_empty() => {
                let root = if root == "fabric" { Root::Fabric } else { Root::Workload };
                Ok(Self { root, only, names })
            }
            own if OWN.contains(&own) && names.is_empty() && only.is_none() => {
                Ok(Self { root: Root::Scenario, only, names: vec![own.to_owned()] })
            }
            _ => Err(refused("no field of the scenario".to_owned())),
        }
    }

    /// The last word, by which an axis is known unless it says otherwise.
    pub(crate) fn last(&self) -> &str {
        self.names.last().expect("a path has names")
    }

    /// The names below the root.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// The kind of the field in `node` (a fabric, a workload or the scenario), if it has the field
    /// and is meant.
    pub(crate) fn kind_in(&self, node: &Node) -> Option<Kind> {
        if let Some(only) = &self.only
            && name_of(node) != Some(only)
        {
            return None;
        }
        kind_at(node, self.root.kind(), &self.names())
    }

    /// Why no fabric or workload has the field.
    pub(crate) fn nowhere(&self, text: &str) -> NoPath {
        let root = self.root.word();
        NoPath {
            found: match &self.only {
                Some(only) => format!("no {root} called \"{only}\" has this field"),
                None => format!("no {root} has this field"),
            },
            allowed: format!("a field that a {root} of this scenario has"),
            text: text.to_owned(),
        }
    }
}

impl Root {
    /// What the nodes at this root are.
    pub(crate) fn kind(self) -> &'static Kind {
        match self {
            Self::Scenario => &WHOLE,
            Self::Fabric => &FABRICS,
            Self::Workload => &WORKLOADS,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Scenario => "scenario",
            Self::Fabric => "fabric",
            Self::Workload => "workload",
        }
    }

    /// The field of the scenario that lists the nodes at this root.
    pub(crate) const fn list(self) -> Option<&'static str> {
        match self {
            Self::Scenario => None,
            Self::Fabric => Some("fabrics"),
            Self::Workload => Some("workloads"),
        }
    }
}

/// All paths that lead to a field, through all forms.
pub(crate) fn all_paths() -> Vec<String> {
    let mut paths: Vec<String> = OWN.iter().map(|&name| name.to_owned()).collect();
    paths.extend(every_path("fabric", &FABRICS));
    paths.extend(every_path("workload", &WORKLOADS));
    paths.sort();
    paths
}

/// The entry `name` of a struct.
pub(crate) fn entry<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    let Content::Struct { entries, .. } = &node.content else { return None };
    entries.iter().find(|entry| entry.name == name).map(|entry| &entry.value)
}

/// The name that a fabric or workload gives itself.
fn name_of(node: &Node) -> Option<&String> {
    match &entry(node, "name")?.content {
        Content::Text(name) => Some(name),
        _ => None,
    }
}

/// The fabrics or workloads of a scenario.
pub(crate) fn items(scenario: &Node, root: Root) -> &[Node] {
    let list = root.list().and_then(|list| entry(scenario, list));
    match list.map(|list| &list.content) {
        Some(Content::List(items)) => items,
        _ if root == Root::Scenario => std::slice::from_ref(scenario),
        _ => &[],
    }
}

/// The same, to be changed.
pub(crate) fn items_mut(scenario: &mut Node, root: Root) -> &mut [Node] {
    let Some(list) = root.list() else { return std::slice::from_mut(scenario) };
    let Content::Struct { entries, .. } = &mut scenario.content else { return &mut [] };
    match entries.iter_mut().find(|entry| entry.name == list).map(|entry| &mut entry.value.content)
    {
        Some(Content::List(items)) => items,
        _ => &mut [],
    }
}

/// Puts `value` at `path` below `node`, which has that field; a bare word becomes a form with fields.
pub(crate) fn put(node: &mut Node, path: &[&str], value: &Node) {
    let Some((first, rest)) = path.split_first() else {
        *node = value.clone();
        return;
    };
    if let Content::Word(name) = &node.content {
        node.content = Content::Struct { name: Some(name.clone()), entries: Vec::new() };
    }
    let Content::Struct { entries, .. } = &mut node.content else {
        unreachable!("only fields in parentheses have a field");
    };
    if let Some(entry) = entries.iter_mut().find(|entry| entry.name == *first) {
        put(&mut entry.value, rest, value);
        return;
    }
    assert!(rest.is_empty(), "the kind of a field within one left out is not known");
    let place = value.place.clone();
    entries.push(Entry { name: (*first).to_owned(), place, value: value.clone() });
}
