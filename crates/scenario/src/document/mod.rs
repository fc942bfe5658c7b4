//! A RON text as a tree of nodes that know their place.
//!
//! ron itself cuts the text: its raw values are slices of the text, so their addresses are offsets.
//! There is no grammar of our own here.

mod place;
mod tree;

pub(crate) use place::{Place, Sources};
pub(crate) use tree::{Content, Entry, Node, SyntaxError, parse};
