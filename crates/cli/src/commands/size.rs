//! `superclos size`: how many tiers, switches, links and optics a Clos takes.

use topology::SizingRequest;

use crate::ending::{Ending, Trouble};
use crate::options::Size;
use crate::output;

/// Prints the smallest Clos of equal switches that holds the cards.
pub(crate) fn run(options: &Size) -> Result<Ending, Trouble> {
    let &Size { cards, radix, ratio, core_ratio, planes } = options;
    let request = SizingRequest { cards, radix, leaf_ratio: ratio, core_ratio, planes };
    let Some(sizing) = request.size() else {
        return Err(Trouble::Refused(format!(
            "{cards} cards do not fit three tiers of {radix}-port switches at {ratio} and \
             {core_ratio}, or a ratio needs more ports"
        )));
    };
    let [leaves, above, cores] = sizing.switches;
    let (down, up) = sizing.leaf_ports;
    let mut lines = vec![
        format!("{cards} cards, {planes} plane(s), {radix}-port switches"),
        format!("tiers      {} (hold up to {} cards)", sizing.tiers, sizing.most_cards),
        format!("leaves     {leaves} of {down} ports down, {up} up"),
    ];
    match sizing.tiers {
        2 => lines.push(format!("spines     {above}")),
        3 => {
            lines.push(format!("aggregation {above}, pods of {} leaves", sizing.pod_leaves));
            lines.push(format!("cores      {cores}"));
        }
        _ => {}
    }
    lines.push(format!("switches   {} in all", sizing.all_switches()));
    lines.push(format!(
        "links      {} to cards, {} between switches",
        sizing.card_links, sizing.switch_links
    ));
    lines.push(format!(
        "optics     {} between switches, {} if links to cards are optical too",
        sizing.optics_between_switches(),
        sizing.optics_in_all()
    ));
    output::answer(&(lines.join("\n") + "\n"))?;
    Ok(Ending::Done)
}
