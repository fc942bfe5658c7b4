//! Presets: named supernodes, NICs and outer fabrics, each value with its source.
//!
//! `supernode: preset("…")` in a scenario is replaced by what the preset says before anything is
//! checked; other fields in the parentheses of `preset(name: "…", …)` take the place of its own.

use crate::check::Checker;
use crate::document::{Content, Entry, Node, Place, Sources, parse};
use crate::fields::{Kind, PRESETS};
use crate::overrides::COMMAND_LINE;
use crate::path::{Root, entry, items_mut};
use crate::problem::{Problems, shorten};
use crate::read::Source;
use crate::{Problem, Refusal};

/// The presets that come with the program.
const SHIPPED: [Source<'static>; 3] = [
    Source { name: "presets/servers.ron", text: include_str!("../presets/servers.ron") },
    Source { name: "presets/supernodes.ron", text: include_str!("../presets/supernodes.ron") },
    Source { name: "presets/outside.ron", text: include_str!("../presets/outside.ron") },
];

/// The parts of a fabric that a preset may stand for.
const PARTS: [&str; 3] = ["supernode", "nics", "outside"];

/// A preset as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub text: String,
    /// Its values in the order of its file.
    pub values: Vec<PresetValue>,
}

/// One value of a preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresetValue {
    /// The field within the fabric: "supernode.bandwidth".
    pub field: String,
    /// The value as it is written, without quotes.
    pub value: String,
    /// How well it is known, "vendor claim", and who says so; `None` if the file does not tell.
    pub source: Option<(String, String)>,
}

/// The presets shipped, then those of `own` files.
///
/// # Errors
/// Everything that is wrong with `own`.
pub fn presets(own: &[Source<'_>]) -> Result<Vec<Preset>, Refusal> {
    let (mut sources, mut problems) = (Sources::default(), Problems::default());
    let library = Library::read(own, &mut sources, &mut problems);
    if !problems.is_empty() {
        return Err(Refusal::new(problems.into_sorted(), sources));
    }
    let text = |node: &Node| sources.slice(&node.place).trim_matches('"').to_owned();
    let list = library.presets.iter().map(|preset| {
        let known = sources_of(preset);
        let mut values = Vec::new();
        for part in PARTS {
            if let Some(node) = entry(preset, part) {
                leaves(node, part, &mut values);
            }
        }
        let values = values.into_iter().map(|(field, node)| {
            let about = |told: &&Node| {
                let told = entry(told, "field").map(text).unwrap_or_default();
                field == told || field.starts_with(&format!("{told}."))
            };
            let source = known.iter().find(about).map(|told| {
                let part = |name| entry(told, name).map(text).unwrap_or_default();
                (part("label").replace('_', " "), part("source"))
            });
            PresetValue { value: text(node), field, source }
        });
        let values = values.collect();
        let word = |name| entry(preset, name).map(text).unwrap_or_default();
        Preset { name: word("name"), text: word("text"), values }
    });
    Ok(list.collect())
}

/// The values below `node` that have no fields of their own.
fn leaves<'a>(node: &'a Node, path: &str, found: &mut Vec<(String, &'a Node)>) {
    match &node.content {
        Content::Struct { entries, .. } => {
            for entry in entries {
                leaves(&entry.value, &format!("{path}.{}", entry.name), found);
            }
        }
        _ => found.push((path.to_owned(), node)),
    }
}

/// What a preset tells of where its values come from.
fn sources_of(preset: &Node) -> &[Node] {
    match entry(preset, "hardware").map(|node| &node.content) {
        Some(Content::List(items)) => items,
        _ => &[],
    }
}

/// Puts presets in their places: everything below `root` that says `preset(…)`.
pub(crate) fn expand(
    root: &mut Node,
    own: &[Source<'_>],
    sources: &mut Sources,
    problems: &mut Problems,
) {
    prune(root, sources);
    if !names_one(root) {
        return;
    }
    let mut library = Library::read(own, sources, problems);
    library.swept = swept(root);
    library.walk(root, None, problems);
}

/// Drops the sources of values that stand there no longer, since an override took their place.
fn prune(root: &mut Node, sources: &Sources) {
    for fabric in items_mut(root, Root::Fabric) {
        let whole = fabric.clone();
        let Content::Struct { entries, .. } = &mut fabric.content else { continue };
        let hardware = entries.iter_mut().find(|entry| entry.name == "hardware");
        let Some(Content::List(items)) = hardware.map(|entry| &mut entry.value.content) else {
            continue;
        };
        items.retain(|told| {
            let place = &told.place;
            if place.source == 0 || sources.name(place) == COMMAND_LINE {
                return true;
            }
            let Some(Content::Text(path)) = entry(told, "field").map(|node| &node.content) else {
                return true;
            };
            let value = path.split('.').try_fold(&whole, |node, name| entry(node, name));
            value.is_some_and(|value| value.place.source == place.source)
        });
    }
}

/// The fields within a fabric that are swept.
fn swept(root: &Node) -> Vec<String> {
    let axes = match entry(root, "sweep").map(|node| &node.content) {
        Some(Content::List(axes)) => &axes[..],
        _ => &[],
    };
    let paths = axes.iter().filter_map(|axis| match &entry(axis, "field")?.content {
        Content::Text(path) => path.split_once('.').map(|(_, field)| field.to_owned()),
        _ => None,
    });
    paths.collect()
}

/// Whether `preset(…)` stands anywhere below.
fn names_one(node: &Node) -> bool {
    match &node.content {
        Content::Struct { name: Some(name), .. } if name == "preset" => true,
        Content::Struct { entries, .. } => entries.iter().any(|entry| names_one(&entry.value)),
        Content::List(items) => items.iter().any(names_one),
        _ => false,
    }
}

/// All presets, shipped ones first.
struct Library {
    presets: Vec<Node>,
    /// The fields that are swept: their values are not those of a preset.
    swept: Vec<String>,
}

impl Library {
    fn read(own: &[Source<'_>], sources: &mut Sources, problems: &mut Problems) -> Self {
        let mut presets: Vec<Node> = Vec::new();
        for &Source { name, text } in SHIPPED.iter().chain(own) {
            let source = sources.add(name, text.to_owned());
            let root = match parse(text, source) {
                Ok(root) => root,
                Err(error) => {
                    let at = error.offset.min(text.len());
                    let place = Place::new(source, at..at);
                    problems.add(Problem::new(&place, "", error.message));
                    continue;
                }
            };
            let mut checker = Checker { sources, problems };
            if checker.value(&root, &Kind::Struct(&PRESETS), "").is_none() {
                continue;
            }
            let list = entry(&root, "presets").map(|node| &node.content);
            let Some(Content::List(list)) = list else { continue };
            for preset in list {
                let name = name_of(preset);
                if presets.iter().any(|known| name_of(known) == name) {
                    let found = format!("the preset \"{name}\" is already there");
                    let problem = Problem::new(&preset.place, "presets", found);
                    problems.add(problem.allowed("a name of its own for each"));
                }
                presets.push(preset.clone());
            }
        }
        Self { presets, swept: Vec::new() }
    }

    /// Replaces presets below `node`, which stands in the field `key`.
    fn walk(&self, node: &mut Node, key: Option<&str>, problems: &mut Problems) {
        let mut told = Vec::new();
        match &mut node.content {
            Content::List(items) => {
                for item in items {
                    self.replace(item, key, problems);
                    self.walk(item, key, problems);
                }
            }
            Content::Struct { entries, .. } => {
                let axis = entries.iter().find(|entry| entry.name == "field");
                let axis = axis.and_then(|entry| match &entry.value.content {
                    Content::Text(path) => path.rsplit('.').next().map(str::to_owned),
                    _ => None,
                });
                for Entry { name, value, .. } in entries.iter_mut() {
                    told.extend(self.replace(value, Some(name), problems));
                    let swept = axis.as_deref().filter(|_| name == "values");
                    self.walk(value, swept, problems);
                }
                add_sources(entries, told);
            }
            _ => {}
        }
    }

    /// Replaces `node` if it is a preset in the field `key`; gives the sources of its values.
    fn replace(&self, node: &mut Node, key: Option<&str>, problems: &mut Problems) -> Vec<Node> {
        let Some(key) = key.filter(|key| PARTS.contains(key)) else { return Vec::new() };
        let Content::Struct { name: Some(form), entries: own } = &node.content else {
            return Vec::new();
        };
        if form != "preset" {
            return Vec::new();
        }
        let wanted = match entry(node, "name").map(|node| &node.content) {
            Some(Content::Text(name)) => name.clone(),
            _ => String::new(),
        };
        let with_part = || self.presets.iter().filter(|preset| entry(preset, key).is_some());
        let found = with_part().find(|preset| name_of(preset) == wanted);
        let preset = found.or_else(|| {
            let names: Vec<&str> = with_part().map(name_of).collect();
            let found = format!("no preset for `{key}` is called \"{}\"", shorten(&wanted));
            let problem = Problem::new(&node.place, key, found)
                .allowed(format!("one of {}", names.join(", ")));
            problems.add_misspelt(problem, &wanted, names);
            // The rest is checked with another one.
            with_part().next()
        });
        let Some(preset) = preset else { return Vec::new() };
        let mut part = entry(preset, key).expect("it has the part").clone();
        let is_own = |name: &str| own.iter().any(|entry| entry.name == name);
        let told = sources_of(preset).iter().filter(|told| {
            let Some(Content::Text(path)) = entry(told, "field").map(|node| &node.content) else {
                return false;
            };
            let mut names = path.split('.');
            let is_swept = self
                .swept
                .iter()
                .any(|swept| path == swept || path.starts_with(&format!("{swept}.")));
            names.next() == Some(key) && !names.next().is_some_and(is_own) && !is_swept
        });
        let told = told.cloned().collect();
        if let Content::Struct { entries, .. } = &mut part.content {
            for entry in own.iter().filter(|entry| entry.name != "name") {
                match entries.iter_mut().find(|known| known.name == entry.name) {
                    Some(known) => *known = entry.clone(),
                    None => entries.push(entry.clone()),
                }
            }
        }
        node.content = part.content;
        told
    }
}

/// The name of a preset that has been checked.
fn name_of(preset: &Node) -> &str {
    match entry(preset, "name").map(|node| &node.content) {
        Some(Content::Text(name)) => name,
        _ => "",
    }
}

/// Adds the sources of values to the hardware of a fabric.
fn add_sources(entries: &mut Vec<Entry>, told: Vec<Node>) {
    let Some(first) = told.first() else { return };
    let place = first.place.clone();
    match entries.iter_mut().find(|entry| entry.name == "hardware") {
        Some(Entry { value: Node { content: Content::List(items), .. }, .. }) => {
            items.extend(told);
        }
        Some(_) => {}
        None => entries.push(Entry {
            name: "hardware".to_owned(),
            place: place.clone(),
            value: Node { place, content: Content::List(told) },
        }),
    }
}
