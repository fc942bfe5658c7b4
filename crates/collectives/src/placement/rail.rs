//! Groups that lie on one rail each, as rail-optimised fabrics want them.

use crate::Refusal;

/// The free cards of a rail, by supernode, for each rail: a rail is the cards with one index in their
/// supernodes. `supernodes` lists the free cards of each, `first` is the number of its first card.
fn rails(supernodes: &[&[u32]], first: &[u32]) -> Vec<Vec<u32>> {
    let mut rails: Vec<Vec<u32>> = Vec::new();
    for (cards, &first) in supernodes.iter().zip(first) {
        for &card in *cards {
            let rail = (card - first) as usize;
            if rails.len() <= rail {
                rails.resize(rail + 1, Vec::new());
            }
            rails[rail].push(card);
        }
    }
    rails
}

/// The cards of `groups` groups of `size` ranks, group after group: rails are filled in their order, and
/// what is left of one after its last whole group stays free.
pub(super) fn cards(
    (groups, size): (u32, u32),
    supernodes: &[&[u32]],
    first: &[u32],
) -> Result<Vec<u32>, Refusal> {
    let rails = rails(supernodes, first);
    let whole = rails.iter().flat_map(|rail| rail.chunks_exact(size.max(1) as usize));
    let cards: Vec<u32> = whole.take(groups as usize).flatten().copied().collect();
    let fitting = cards.len() as u32 / size.max(1);
    if fitting < groups {
        let longest = rails.iter().map(Vec::len).max().unwrap_or(0);
        return Err(Refusal::OffRails { groups, size, fitting, longest });
    }
    Ok(cards)
}
