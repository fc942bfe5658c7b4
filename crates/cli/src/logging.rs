//! The log: tracing to stderr, by -v or by the filter in `SUPERCLOS_LOG`.

use tracing_subscriber::EnvFilter;

use crate::ending::Trouble;
use crate::panel::Panel;

/// The variable whose filter (e.g. `fluid=debug`) goes before -v and -q.
const VARIABLE: &str = "SUPERCLOS_LOG";

/// Starts the log.
pub(crate) fn start(panel: &Panel) -> Result<(), Trouble> {
    let level = match panel.log {
        None => "error",
        Some(0) => "warn",
        Some(1) => "info",
        Some(2) => "debug",
        Some(_) => "trace",
    };
    let wanted = std::env::var(VARIABLE).ok().filter(|filter| !filter.is_empty());
    let filter = EnvFilter::try_new(wanted.as_deref().unwrap_or(level))
        .map_err(|error| Trouble::Refused(format!("{VARIABLE}: {error}")))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .try_init()
        .map_err(|error| Trouble::Machine(format!("cannot start the log: {error}")))
}
