//! Half mesh and ring: every card of a supernode is linked to the cards at some distances.

use super::SupernodeSpec;
use super::peers::Peers;
use crate::BuildError;

/// The offsets of a half mesh over a number of cards: card i is linked to i ± offset, round the
/// end; a ring has the offset 1.
#[derive(Clone, Debug)]
pub(super) struct HalfMesh<'a> {
    offsets: &'a [u32],
    cards: u32,
}

impl<'a> HalfMesh<'a> {
    /// The half mesh of a full supernode; offsets are 1 … half of its cards, each once.
    pub(super) fn new(spec: &SupernodeSpec, offsets: &'a [u32]) -> Result<Self, BuildError> {
        let cards = spec.cards;
        for (place, &offset) in offsets.iter().enumerate() {
            if offset == 0 || offset > cards / 2 || offsets[..place].contains(&offset) {
                return Err(BuildError::Offset { offset, cards, limit: cards / 2 });
            }
        }
        Ok(Self { offsets, cards })
    }
}

impl Peers for HalfMesh<'_> {
    const WHAT: &'static str = "the half mesh";

    fn lanes(&self) -> u64 {
        // The card opposite is the same both ways round.
        let ways = |&offset: &u32| if 2 * u64::from(offset) == self.cards.into() { 1 } else { 2 };
        self.offsets.iter().map(ways).sum()
    }

    fn ports(&self) -> u64 {
        self.lanes()
    }

    fn after(&self, index: u32) -> Vec<(u32, u32)> {
        let round =
            |offset: u32| ((u64::from(index) + u64::from(offset)) % u64::from(self.cards)) as u32;
        let mut peers: Vec<u32> = self
            .offsets
            .iter()
            .flat_map(|&offset| [round(offset), round(self.cards - offset)])
            .filter(|&peer| peer > index)
            .collect();
        peers.sort_unstable();
        peers.dedup();
        peers.into_iter().map(|peer| (peer, 1)).collect()
    }
}
