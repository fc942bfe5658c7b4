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
#[derive(Clone, Debug)]
pub(crate) struct Problems {
    list: Vec<Problem>,
    /// How many pairs of letters may still be compared in search of hints.
    comparisons: usize,
}

impl Default for Problems {
    fn default() -> Self {
        Self { list: Vec::new(), comparisons: COMPARISONS }
    }
}

impl Problems {
    /// Adds a problem unless it is known.
    pub(crate) fn add(&mut self, problem: Problem) {
        if self.is_news(&problem) {
            self.list.push(problem);
        }
    }

    /// Adds the problem that `word` is none of `names`, with the hint "did you mean …?" if one is
    /// near. Names are compared only for a problem that is kept, and only so many in all.
    pub(crate) fn add_misspelt<'a>(
        &mut self,
        problem: Problem,
        word: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) {
        if self.is_news(&problem) {
            let nearest = self.nearest(word, names);
            let hint = nearest.map(|name| format!("did you mean `{name}`?"));
            self.list.push(problem.hint(hint));
        }
    }

    /// The nearest of `names` to `word`, if one is near.
    pub(crate) fn nearest<'a>(
        &mut self,
        word: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Option<String> {
        let word = word.to_lowercase();
        let mut nearest = None;
        for name in names {
            // A name of quite another length is none that was meant.
            if word.len().abs_diff(name.len()) > name.len() / 2 + 1 {
                continue;
            }
            self.comparisons = self.comparisons.checked_sub(word.len() * name.len())?;
            let near = distance(&word, name).map(|distance| (distance, name));
            nearest = nearest.into_iter().chain(near).min();
        }
        nearest.map(|(_, name)| name.to_owned())
    }

    fn is_news(&self, problem: &Problem) -> bool {
        let known = |other: &Problem| other.place == problem.place && other.found == problem.found;
        !self.are_full() && !self.list.iter().any(known)
    }

    /// Whether so much is wrong that nothing more is collected.
    pub(crate) fn are_full(&self) -> bool {
        self.list.len() >= MOST
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many problems there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// All problems in the order of the text.
    pub(crate) fn into_sorted(mut self) -> Vec<Problem> {
        self.list.sort_by(|left, right| left.place.cmp(&right.place));
        self.list
    }
}

/// How many problems are collected; a file with more is not worth reading on.
const MOST: usize = 200;

/// How many pairs of letters are compared in search of hints for one scenario: some hundred
/// misspelt fields, each with every field there is, at about 10 ns a pair.
const COMPARISONS: usize = 3_000_000;

/// How far `name` is from `word`, a letter more, less, other or swapped being one step; `None` if it
/// is too far.
fn distance(word: &str, name: &str) -> Option<usize> {
    let most = (name.chars().count() / 3).max(1);
    let distance = strsim::damerau_levenshtein(word, &name.to_lowercase());
    (distance <= most).then_some(distance)
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
