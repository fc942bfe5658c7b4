//! Why a scenario is not run: every problem with its place, its picture and a hint.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::Problem;
use crate::document::{Place, Sources};

/// Whether pictures carry colours (ANSI escapes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// For files, pipes and `NO_COLOR`.
    Plain,
    /// For terminals.
    Ansi,
}

/// How many problems have their picture drawn; the others are counted.
const PICTURES: usize = 30;
/// A line longer than this many bytes is not drawn: its place is told instead.
const LINE: usize = 400;
/// How many lines of a long value are drawn.
const LINES: usize = 6;

/// A scenario that is refused, with everything that is wrong with it.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Refusal {
    problems: Vec<Problem>,
    sources: Sources,
}

impl Refusal {
    pub(crate) fn new(problems: Vec<Problem>, sources: Sources) -> Self {
        assert!(!problems.is_empty(), "a refusal says why");
        Self { problems, sources }
    }

    /// How many problems there are, at least 1.
    pub fn count(&self) -> usize {
        self.problems.len()
    }

    /// The problems in the order of the text.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Line and column (in characters) of a problem of this refusal, counted from 1.
    pub fn line_and_column(&self, problem: &Problem) -> (usize, usize) {
        self.sources.line_and_column(&problem.place)
    }

    /// The text that a problem of this refusal underlines; empty at the end of the text.
    pub fn text_at(&self, problem: &Problem) -> &str {
        self.sources.slice(&problem.place)
    }

    /// All problems as pictures of the text, ready to print.
    pub fn render(&self, colour: Colour) -> String {
        let renderer = match colour {
            Colour::Plain => Renderer::plain(),
            Colour::Ansi => Renderer::styled(),
        };
        let mut text = String::new();
        for problem in self.problems.iter().take(PICTURES) {
            text += &renderer.render(&[self.picture(problem)]);
            text += "\n\n";
        }
        if self.problems.len() > PICTURES {
            let more = self.problems.len() - PICTURES;
            text += format!("… and {more} more\n\n").as_str();
        }
        let (count, plural) = (self.count(), if self.count() == 1 { "" } else { "s" });
        text + &format!("{count} problem{plural}: the scenario is not run\n")
    }

    fn picture<'a>(&'a self, problem: &'a Problem) -> Group<'a> {
        let place = &problem.place;
        let group = Level::ERROR.primary_title(problem.title()).element_at(&self.sources, place);
        let group = if problem.allowed.is_empty() {
            group
        } else {
            group.element(Level::NOTE.with_name("allowed").message(problem.allowed.as_str()))
        };
        match &problem.hint {
            None => group,
            Some(hint) => group.element(Level::HELP.with_name("hint").message(hint.as_str())),
        }
    }
}

/// Adds the picture of a place to a title.
trait ElementAt<'a> {
    fn element_at(self, sources: &'a Sources, place: &Place) -> Group<'a>;
}

impl<'a> ElementAt<'a> for annotate_snippets::Title<'a> {
    fn element_at(self, sources: &'a Sources, place: &Place) -> Group<'a> {
        let (line, column) = sources.line_and_column(place);
        let (name, text) = (sources.name(place), sources.text(place));
        let lines = lines_around(text, place);
        if text[lines.clone()].lines().any(|line| line.len() > LINE) {
            return self.element(Origin::path(name).line(line).char_column(column));
        }
        let end = place.end.min(lines.end).max(place.start);
        let span = place.start - lines.start..end - lines.start;
        self.element(
            Snippet::source(&text[lines])
                .path(name)
                .line_start(line)
                .annotation(AnnotationKind::Primary.span(span)),
        )
    }
}

/// The bytes of the first few lines that `place` touches.
fn lines_around(text: &str, place: &Place) -> Range<usize> {
    let start = text[..place.start].rfind('\n').map_or(0, |index| index + 1);
    let mut end = start;
    for line in text[start..].split_inclusive('\n').take(LINES) {
        end += line.len();
        if end >= place.end {
            break;
        }
    }
    start..end
}

impl fmt::Display for Refusal {
    /// The pictures without colours.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Colour::Plain))
    }
}
