//! Places in the texts that a scenario is made of.

use std::ops::Range;

/// A range of bytes of one of the texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Index of the text in [`Sources`]: 0 is the file.
    pub(crate) source: usize,
    /// First byte.
    pub(crate) start: usize,
    /// Byte after the last.
    pub(crate) end: usize,
}

impl Place {
    /// The bytes `span` of text `source`.
    pub(crate) fn new(source: usize, span: Range<usize>) -> Self {
        Self { source, start: span.start, end: span.end }
    }
}

/// The texts: the file, then one for each override.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    texts: Vec<(String, String)>,
}

impl Sources {
    /// Adds a text and gives its index.
    pub(crate) fn add(&mut self, name: &str, text: String) -> usize {
        self.texts.push((name.to_owned(), text));
        self.texts.len() - 1
    }

    /// The name of the text that `place` is in.
    pub(crate) fn name(&self, place: &Place) -> &str {
        &self.texts[place.source].0
    }

    /// The whole text that `place` is in.
    pub(crate) fn text(&self, place: &Place) -> &str {
        &self.texts[place.source].1
    }

    /// What stands at `place`.
    pub(crate) fn slice(&self, place: &Place) -> &str {
        &self.text(place)[place.start..place.end]
    }

    /// Line and column (in characters) of the start of `place`, both counted from 1.
    pub(crate) fn line_and_column(&self, place: &Place) -> (usize, usize) {
        let before = &self.text(place)[..place.start];
        let line_start = before.rfind('\n').map_or(0, |index| index + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }
}
