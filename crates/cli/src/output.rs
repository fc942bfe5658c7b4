//! stdout for the answer and nothing else, stderr for all that is said about it.

use std::io::{self, ErrorKind, Write};

use crate::ending::Trouble;

/// Writes the answer. A reader that has gone away (`superclos … | head`) has seen enough: that is
/// no error.
pub(crate) fn answer(text: &str) -> Result<(), Trouble> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(why) => Err(Trouble::Unwritable { path: "the answer to stdout".into(), why }),
    }
}

/// Writes a message to stderr; there is nowhere to complain when that fails.
pub(crate) fn say(text: &str) {
    let mut line = text.trim_end().to_owned();
    line.push('\n');
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Writes what went wrong to stderr, under the program's name unless it is a picture of lines.
pub(crate) fn complain(text: &str) {
    if text.contains('\n') {
        say(text);
    } else {
        say(&format!("superclos: {text}"));
    }
}
