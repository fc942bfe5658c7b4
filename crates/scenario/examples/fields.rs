//! Prints the text of `docs/scenario.md`: `cargo run -p scenario --example fields`.

use std::io::{Write as _, stdout};

fn main() -> std::io::Result<()> {
    stdout().write_all(scenario::fields_markdown().as_bytes())
}
