//! `superclos new`: a commented scenario to start from.

use crate::ending::{Ending, Trouble};
use crate::options::New;
use crate::{files, output};

/// Writes the template to a file that does not exist yet, or to stdout.
pub(crate) fn run(options: &New) -> Result<Ending, Trouble> {
    let Some(path) = &options.file else {
        output::answer(scenario::template())?;
        return Ok(Ending::Done);
    };
    if path.symlink_metadata().is_ok() {
        let path = path.display();
        return Err(Trouble::Refused(format!(
            "{path} exists, and a new scenario replaces no file"
        )));
    }
    files::write(path, scenario::template())?;
    output::say(&format!("superclos: {0} written; run it by: superclos sim {0}", path.display()));
    Ok(Ending::Done)
}
