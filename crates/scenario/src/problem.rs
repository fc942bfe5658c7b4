//! What is wrong with a scenario, and where.

use crate::document::{Place, Sources};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field, such as `fabrics[0].supernode.bandwidth`; empty when it is the text as a whole.
    pub path: String,
    /// What was found, as a sentence part: "no unit".
    pub found: String,
    /// What would be accepted; empty when `found` says it.
    pub allowed: String,
    /// What was probably meant, if that can be guessed.
    pub hint: Option<String>,
    pub(crate) place: Place,
}

impl Problem {
    /// A problem of the field `path` at `place`.
    pub(crate) fn new(place: &Place, path: &str, found: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            found: found.into(),
            allowed: String::new(),
            hint: None,
            place: place.clone(),
        }
    }

    /// The same problem with what would be accepted.
    pub(crate) fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = allowed.into();
        self
    }

    /// The same problem with a guess at what was meant.
    pub(crate) fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// One line, as the title of its picture.
    pub(crate) fn title(&self) -> String {
        if self.path.is_empty() {
            return self.found.clone();
        }
        format!("{}: {}", self.path, self.found)
    }
}

/// Problems as they are collected: each told once, though it may be met at many points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// Adds a problem unless it is known.
    pub(crate) fn add(&mut self, problem: Problem) {
        let known = |other: &Problem| other.place == problem.place && other.found == problem.found;
        if !self.are_full() && !self.0.iter().any(known) {
            self.0.push(problem);
        }
    }

    /// Whether so much is wrong that nothing more is collected.
    pub(crate) fn are_full(&self) -> bool {
        self.0.len() >= MOST
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many problems there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// All problems in the order of the text.
    pub(crate) fn into_sorted(mut self) -> Vec<Problem> {
        self.0.sort_by(|left, right| left.place.cmp(&right.place));
        self.0
    }
}

/// How many problems are collected; a file with more is not worth reading on.
const MOST: usize = 200;

/// The nearest of `names` to `word`, if one is near.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let word = word.to_lowercase();
    let near = |name: &&str| {
        let distance = strsim::damerau_levenshtein(&word, &name.to_lowercase());
        let most = (name.chars().count() / 3).max(1);
        (distance <= most).then_some(distance)
    };
    // A long word is no misspelling, and comparing it would cost its length for every name.
    let names = names.into_iter().filter(|_| word.len() <= 100);
    names
        .filter_map(|name| near(&name).map(|distance| (distance, name)))
        .min()
        .map(|(_, name)| name.to_owned())
}

/// The hint "did you mean …?" for the nearest of `names`.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(word, names).map(|name| format!("did you mean `{name}`?"))
}

/// What stands at `place`, shortened to fit a line.
pub(crate) fn shown(sources: &Sources, place: &Place) -> String {
    shorten(sources.slice(place))
}

/// `text` on one line of at most 40 characters.
pub(crate) fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(40).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}
