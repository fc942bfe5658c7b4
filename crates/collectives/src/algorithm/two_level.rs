//! All-to-all in two levels: few large messages across supernodes instead of many small ones.
//!
//! With m supernodes of n cards each, card a first sends to card b of its own supernode, all at once,
//! the m blocks for the cards with index b of all supernodes; then card b of each supernode sends to
//! card b of every other one, all at once, the n blocks that the cards of its supernode have for it.
//! A card has n − 1 + m − 1 peers instead of n·m − 1; m(n − 1)S bytes move inside and n(m − 1)S
//! across, (p − 1)S + (n − 1)(m − 1)S together. Supernodes of different sizes have no common index and
//! are refused.
//!
//! Source: Hwang et al., *Tutel: adaptive mixture-of-experts at scale*, Conference on Machine
//! Learning and Systems 2023, section 3.4 (two-dimensional hierarchical all-to-all).

use crate::draft::{Draft, Task, stage};
use crate::relay::{Relay, Route};
use crate::{Action, Group, LaneId, Pattern, Payload, Refusal};

/// Sends block j of every rank to rank j, ranks numbered by supernode and index.
pub(super) fn all_to_all(draft: &mut Draft, group: &Group, whole: &Task) -> Result<(), Refusal> {
    let members = group.members();
    let cards = members[0].len();
    let sizes = || members.iter().map(Vec::len);
    if let (Some(least), Some(most)) = (sizes().min(), sizes().max())
        && least < most
    {
        return Err(Refusal::UnequalSupernodes { group: draft.group(), least, most });
    }
    let supernodes = members.len() as u32;
    let step = |route| {
        let relay = Relay { size: whole.range.end, supernodes, cards: cards as u32, route };
        vec![stage(Pattern::AllPairs, Payload::Relayed(relay), Action::Store, 1)]
    };
    let task = |places: &mut dyn Iterator<Item = usize>, channel| Task {
        seats: places.map(|place| group.ranks[place]).collect(),
        channel,
        ..whole.clone()
    };
    let mut inside: Vec<LaneId> = Vec::new();
    if cards > 1 {
        for (supernode, places) in (0..).zip(&members) {
            let task = task(&mut places.iter().copied(), supernode);
            inside.push(draft.lane("inside", &task, step(Route::Inside { supernode })));
        }
    }
    if supernodes > 1 {
        for index in 0..cards {
            let mut task = task(&mut members.iter().map(|places| places[index]), index as u32);
            let waits = (0..).zip(&inside).map(|(seat, &lane)| draft.after_all_of(lane, seat));
            task.after = waits.collect();
            draft.lane("across", &task, step(Route::Across { index: index as u32 }));
        }
    }
    Ok(())
}
