//! The program as a user runs it: arguments, files, stdout, stderr, exit codes.

mod bounded;
mod common;
mod compare;
#[cfg(unix)]
mod pipes;
mod presets;
mod readme;
mod sim;
