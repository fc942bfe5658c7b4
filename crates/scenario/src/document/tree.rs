//! Nodes of a RON text.

use std::fmt;

use ron::value::RawValue;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::Place;

/// How deeply brackets may be nested; the language needs about ten levels.
const DEPTH: usize = 40;

/// The most commas, which stand for values: 3,000 links have half as many.
const COMMAS: usize = 32_000;

/// A value of the text with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) content: Content,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A bare word, such as `ring`.
    Word(String),
    /// A text in quotes.
    Text(String),
    /// A whole number from 0 to 2⁶⁴−1.
    Count(u64),
    /// Something that no field takes, by what it is called.
    Odd(&'static str),
    /// `[…]`.
    List(Vec<Node>),
    /// `name(field: value, …)`, the name being optional.
    Struct { name: Option<String>, entries: Vec<Entry> },
    /// `{"key": value, …}`.
    Map(Vec<Entry>),
}

/// A named value of a struct or a map.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Where the name stands.
    pub(crate) place: Place,
    pub(crate) value: Node,
}

/// A text that is not RON.
#[derive(Clone, Debug)]
pub(crate) struct SyntaxError {
    /// The byte at which reading stopped.
    pub(crate) offset: usize,
    /// What ron says about it.
    pub(crate) message: String,
}

/// Reads `text` as one value; `source` is its index among the sources.
pub(crate) fn parse(text: &str, source: usize) -> Result<Node, SyntaxError> {
    if let Some((offset, _)) = text.match_indices(',').nth(COMMAS) {
        return Err(SyntaxError { offset, message: format!("more than {COMMAS} commas") });
    }
    // ron wants a line comment to end before the text does.
    let text = format!("{text}\n");
    let raw =
        options().from_str::<&RawValue>(&text).map_err(|error| syntax_error(&text, 0, &error))?;
    Reader { text: &text, source }.node(raw)
}

fn options() -> ron::Options {
    ron::Options::default().with_recursion_limit(DEPTH)
}

/// ron counts lines and characters from 1; we count bytes from 0.
fn syntax_error(text: &str, start: usize, error: &ron::error::SpannedError) -> SyntaxError {
    let position = error.span.start;
    let part = &text[start..];
    let line: usize = part.split_inclusive('\n').take(position.line - 1).map(str::len).sum();
    let column: usize = part[line..].chars().take(position.col - 1).map(char::len_utf8).sum();
    // The newline that we appended belongs to nobody.
    let offset = (start + line + column).min(text.len() - 1);
    let message = match error.code {
        ron::Error::ExceededRecursionLimit => "brackets are nested too deeply".to_owned(),
        ref code => code.to_string(),
    };
    SyntaxError { offset, message }
}

/// One level of a value, as ron tells it.
enum Level<'a> {
    Named(Vec<(String, &'a RawValue)>),
    Items(Vec<&'a RawValue>),
    Unit,
    Text(String),
    Count(u64),
    Odd(&'static str),
}

struct Reader<'a> {
    text: &'a str,
    source: usize,
}

impl<'a> Reader<'a> {
    fn node(&self, raw: &'a RawValue) -> Result<Node, SyntaxError> {
        let written = trimmed(raw);
        let start = written.as_ptr() as usize - self.text.as_ptr() as usize;
        let level = options().from_str::<Level<'a>>(written).map_err(|error| {
            let mut error = syntax_error(&self.text[..start + written.len()], start, &error);
            error.offset = error.offset.max(start);
            error
        })?;
        let place = Place::new(self.source, start..start + written.len());
        let (name, body) = name_and_body(written);
        let content = match level {
            Level::Text(_) if body.starts_with('\'') => Content::Odd("a single character"),
            Level::Text(text) => Content::Text(text),
            Level::Count(count) => Content::Count(count),
            Level::Odd(what) => Content::Odd(what),
            Level::Named(entries) if body.starts_with('{') => {
                Content::Map(self.entries(start, entries)?)
            }
            Level::Named(entries) => {
                Content::Struct { name, entries: self.entries(start, entries)? }
            }
            Level::Items(items) if body.starts_with('[') => Content::List(
                items.into_iter().map(|item| self.node(item)).collect::<Result<_, _>>()?,
            ),
            Level::Items(items) if items.is_empty() => Content::Struct { name, entries: vec![] },
            // The one value in parentheses that needs no name of its own.
            Level::Items(items) if items.len() == 1 && name.as_deref() == Some("preset") => {
                let value = self.node(items[0])?;
                let place = value.place.clone();
                let entries = vec![Entry { name: "name".to_owned(), place, value }];
                Content::Struct { name, entries }
            }
            Level::Items(_) => Content::Odd("values in parentheses without names"),
            Level::Unit => match name {
                Some(word) => Content::Word(word),
                None => Content::Struct { name: None, entries: vec![] },
            },
        };
        Ok(Node { place, content })
    }

    /// The entries of a struct or map that begins at `start`; a name stands before its value.
    fn entries(
        &self,
        start: usize,
        entries: Vec<(String, &'a RawValue)>,
    ) -> Result<Vec<Entry>, SyntaxError> {
        let mut searched = start;
        let mut read = Vec::with_capacity(entries.len());
        for (name, raw) in entries {
            let value = self.node(raw)?;
            let before = &self.text[searched..value.place.start];
            let place = match before.rfind(&name) {
                Some(index) if !name.is_empty() => {
                    Place::new(self.source, searched + index..searched + index + name.len())
                }
                _ => value.place.clone(),
            };
            searched = value.place.end;
            read.push(Entry { name, place, value });
        }
        Ok(read)
    }
}

/// A value without the space around it.
fn trimmed(raw: &RawValue) -> &str {
    let text = raw.get_ron();
    if text.contains("//") || text.contains("/*") {
        return raw.trim().get_ron(); // Reads the value once more, to know comments from texts.
    }
    text.trim_matches(is_space)
}

/// What ron takes for space; not all of it is white space to Rust.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{200E}' | '\u{200F}')
}

/// The identifier that a value begins with, if any, and what follows it.
fn name_and_body(written: &str) -> (Option<String>, &str) {
    let bare = written.strip_prefix("r#").filter(|rest| rest.starts_with(char::is_alphabetic));
    let written = bare.unwrap_or(written);
    let is_part = |letter: char| letter == '_' || letter.is_alphanumeric();
    if written.starts_with(|first: char| first.is_ascii_digit()) {
        return (None, written);
    }
    let length = written.find(|letter| !is_part(letter)).unwrap_or(written.len());
    let (name, body) = written.split_at(length);
    ((!name.is_empty()).then(|| name.to_owned()), body.trim_start())
}

impl<'de> Deserialize<'de> for Level<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(LevelVisitor)
    }
}

struct LevelVisitor;

impl<'de> Visitor<'de> for LevelVisitor {
    type Value = Level<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of the scenario")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Level<'de>, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = map.next_key()? {
            entries.push((name, map.next_value()?));
        }
        Ok(Level::Named(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Level<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Level::Items(items))
    }

    fn visit_unit<E>(self) -> Result<Level<'de>, E> {
        Ok(Level::Unit)
    }

    fn visit_str<E>(self, text: &str) -> Result<Level<'de>, E> {
        Ok(Level::Text(text.to_owned()))
    }

    fn visit_u64<E>(self, count: u64) -> Result<Level<'de>, E> {
        Ok(Level::Count(count))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Level<'de>, E> {
        Ok(Level::Odd("a negative number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Level<'de>, E> {
        Ok(Level::Odd("a number that is not whole or out of range"))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Level<'de>, E> {
        Ok(Level::Odd("a truth value"))
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<Level<'de>, E> {
        Ok(Level::Odd("a byte string"))
    }

    fn visit_none<E>(self) -> Result<Level<'de>, E> {
        Ok(Level::Odd("an option"))
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Level<'de>, D::Error> {
        <&RawValue>::deserialize(from)?;
        Ok(Level::Odd("an option"))
    }
}
