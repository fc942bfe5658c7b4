//! Ctrl-C: the first asks the points in work to stop, the second ends the program at once.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::ending::Trouble;
use crate::output;

const STOPPING: &str = "superclos: stopping, finished points are kept (once more: end at once)";

/// Set once the run should stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Watches for Ctrl-C (and a request to terminate) from now on and gives the flag that it sets.
pub(crate) fn watch() -> Result<&'static AtomicBool, Trouble> {
    let watching = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) {
            at_once();
        }
        // A bar leaves the cursor behind it.
        let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
        output::say(&format!("{line}{STOPPING}"));
    });
    watching.map_err(|error| Trouble::Machine(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(&STOP)
}

#[expect(clippy::exit, reason = "the second Ctrl-C means at once, whatever the points are doing")]
fn at_once() -> ! {
    std::process::exit(130)
}
