//! `superclos presets`: the named parts of fabrics with their numbers and sources.

use std::fmt::Write as _;

use crate::commands;
use crate::ending::{Ending, Trouble};
use crate::options::Presets;
use crate::output;
use crate::panel::Panel;

/// Lists all presets, or those whose names are given.
pub(crate) fn run(options: &Presets, panel: &Panel) -> Result<Ending, Trouble> {
    let own = commands::read_presets(&options.presets)?;
    let own: Vec<scenario::Source<'_>> = own.iter().map(commands::as_source).collect();
    let list = scenario::presets(&own)
        .map_err(|refusal| Trouble::Refused(refusal.render(commands::colour(panel))))?;
    if let Some(name) = options.names.iter().find(|name| list.iter().all(|it| it.name != **name)) {
        return Err(Trouble::Refused(format!("no preset is called \"{name}\"")));
    }
    let mut text = String::new();
    for preset in &list {
        if !options.names.is_empty() && !options.names.contains(&preset.name) {
            continue;
        }
        let mut line = |line: &str| writeln!(text, "{line}").expect("a text takes all");
        line(&format!("{}: {}", preset.name, preset.text));
        for value in &preset.values {
            let source = match &value.source {
                Some((label, source)) => format!("{label}: {source}"),
                None => "no source".to_owned(),
            };
            line(&format!("  {:<31} {:<16} {source}", value.field, value.value));
        }
        line("");
    }
    output::answer(&text)?;
    Ok(Ending::Done)
}
