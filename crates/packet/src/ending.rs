//! Why a run ended before everything was finished, and in words what holds a message.

use engine::{FlowId, Names, Plan};
use units::Bytes;

use crate::network::{Held, HeldBy};
use crate::outcome::{Status, Unreachable};
use crate::{Backpressure, Blocked, GivenUp, PacketNetwork};

/// How many links of a chain are told before those in the middle are counted.
const TOLD_FIRST: usize = 3;

/// Why not everything is finished.
pub(crate) fn why(network: &PacketNetwork<'_>, plan: &Plan, names: &Names<'_>) -> Status {
    let cut = network.cut();
    if !cut.is_empty() {
        let unreachable = cut.iter().map(|cut| {
            let flow = &plan.flows()[cut.flow as usize];
            let (src, dst) = (names.rank(flow.src), names.rank(flow.dst));
            let (asked, delivered) = (Bytes::new(cut.asked), Bytes::new(cut.delivered));
            Unreachable { src, dst, at: cut.at, asked, delivered }
        });
        let mut all: Vec<Unreachable> = unreachable.collect();
        all.sort_unstable();
        return Status::Unreachable(all);
    }
    let given_up = network.given_up();
    if !given_up.is_empty() {
        return Status::GaveUp(given_up.to_vec());
    }
    let cycle = network.blocked_cycle();
    if cycle.is_empty() { Status::Stalled } else { Status::Deadlock(cycle) }
}

/// Says in words what holds a message that was sent.
pub(crate) fn tell_message(
    network: &PacketNetwork<'_>,
    (plan, names): (&Plan, &Names<'_>),
    flow: FlowId,
) -> String {
    let ends = &plan.flows()[flow.index()];
    let (src, dst) = network.cards_of(flow);
    let fabric = network.fabric();
    let end = |agent, card: topology::CardId| {
        format!("{} ({})", names.who(agent), fabric.node_name(card.node()))
    };
    let message = format!("the message from {} to {}", end(ends.src, src), end(ends.dst, dst));
    if let Some(cut) = network.cut().iter().find(|cut| cut.flow == flow.0) {
        return format!("{message} has had no way since {}", cut.at);
    }
    let held = network.held(flow).map(|held| tell_held(network, &held));
    let given_up = network.given_up().iter().find(|it| it.flow == flow.0);
    match (given_up, held) {
        (Some(GivenUp { at, acknowledged, packets, .. }), held) => {
            let held = held.map_or_else(String::new, |held| format!(", and stands: {held}"));
            format!(
                "{message} was given up at {at} with {acknowledged} of {packets} packets acknowledged{held}"
            )
        }
        (None, Some(held)) => format!("{message} stands: {held}"),
        (None, None) => format!("{message} has left"),
    }
}

/// Says in words which link waits for which.
fn tell_held(network: &PacketNetwork<'_>, Held { links, by }: &Held) -> String {
    let fabric = network.fabric();
    let name = |at: usize| fabric.link_name(links[at].link);
    let last = links.len() - 1;
    let wait = |at: usize, next: usize| {
        let Blocked { class, .. } = links[at];
        let lacks = match network.backpressure(class) {
            Some(Backpressure::Credits { .. }) => "has no credits",
            _ => "is paused",
        };
        format!("{} {lacks} in class {class} until {} sends", name(at), name(next))
    };
    let end = match *by {
        HeldBy::Down => format!("{} is down", name(last)),
        HeldBy::Circle { from } => wait(last, from),
    };
    let mut told: Vec<String> = (0..last.min(TOLD_FIRST)).map(|at| wait(at, at + 1)).collect();
    match last.saturating_sub(TOLD_FIRST) {
        0 => {}
        1 => told.push("1 more link waits in between".to_owned()),
        between => told.push(format!("{between} more links wait in between")),
    }
    told.push(end);
    if let HeldBy::Circle { .. } = by {
        told.push("which closes a circle".to_owned());
    }
    told.join(", ")
}
