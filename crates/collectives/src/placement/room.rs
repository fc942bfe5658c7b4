//! The cards of a fabric that jobs have not taken yet.

use rand::Rng;
use topology::{CardId, Fabric, SupernodeId};

use super::{Placement, allocated, dealt, drawn, fragmented, listed, on_rails, slices};
use crate::Refusal;

/// The cards of a fabric, and which of them belong to jobs already.
#[derive(Clone, Debug)]
pub struct Room<'f> {
    fabric: &'f Fabric,
    is_taken: Vec<bool>,
}

impl<'f> Room<'f> {
    /// All cards are free.
    pub fn new(fabric: &'f Fabric) -> Self {
        Self { fabric, is_taken: vec![false; fabric.cards() as usize] }
    }

    /// The cards are taken from now on.
    ///
    /// # Panics
    /// If the fabric has no such card.
    pub fn take(&mut self, cards: &[CardId]) {
        for card in cards {
            self.is_taken[card.0 as usize] = true;
        }
    }

    /// The card of each of `ranks` ranks, among those that are free.
    ///
    /// Only random, fragmented and allocated placements draw from `rng`.
    ///
    /// # Errors
    /// [`Refusal::TooManyRanks`] when fewer cards are free, [`Refusal::OffRails`] when too few groups fit
    /// rails, [`Refusal::UnevenGroups`] when their number does not divide the ranks; a listed card that does not exist, stands
    /// twice or is taken.
    pub fn place(
        &self,
        placement: &Placement,
        ranks: u32,
        rng: &mut impl Rng,
    ) -> Result<Vec<CardId>, Refusal> {
        let cards = self.fabric.cards();
        if ranks > cards {
            return Err(Refusal::TooManyRanks { ranks, cards });
        }
        if let Placement::Listed { cards: list } | Placement::Shared { cards: list } = placement {
            let chosen = listed(ranks, list, cards)?;
            let taken = chosen.iter().find(|card| self.is_taken[card.0 as usize]);
            return match (placement, taken) {
                (Placement::Listed { .. }, Some(card)) => Err(Refusal::TakenCard { card: card.0 }),
                _ => Ok(chosen),
            };
        }
        let (free, ends) = self.free();
        let supernodes: Vec<&[u32]> = slices(&free, &ends).collect();
        let count = free.len() as u32;
        if ranks > count {
            return Err(Refusal::TooFewFreeCards { ranks, free: count, taken: cards - count });
        }
        let order = match placement {
            Placement::Linear => free[..ranks as usize].to_vec(),
            Placement::BySupernode => dealt(ranks, &supernodes),
            Placement::Rail { groups, grouping } => {
                let start = |id| self.fabric.cards_of(SupernodeId(id)).start;
                let first: Vec<u32> = (0..self.fabric.supernodes()).map(start).collect();
                on_rails((*groups, *grouping), ranks, (&supernodes, &first))?
            }
            Placement::Random => {
                drawn(ranks, count, rng).into_iter().map(|index| free[index as usize]).collect()
            }
            Placement::Strided { stride } => {
                let stride = (*stride).clamp(1, count.max(1)) as usize;
                let lines = (0..stride).flat_map(|first| free[first..].iter().step_by(stride));
                lines.take(ranks as usize).copied().collect()
            }
            Placement::Fragmented { run } => fragmented::cards(ranks, *run, &supernodes, rng),
            Placement::Allocated { busy_ppm } => {
                allocated::cards(ranks, *busy_ppm, (&supernodes, cards), rng)?
            }
            Placement::Listed { .. } | Placement::Shared { .. } => {
                unreachable!("listed cards are placed above")
            }
        };
        Ok(order.into_iter().map(CardId).collect())
    }

    /// The free cards by supernode, and where those of each end.
    fn free(&self) -> (Vec<u32>, Vec<usize>) {
        let mut free = Vec::with_capacity(self.is_taken.len());
        let mut ends = Vec::with_capacity(self.fabric.supernodes() as usize);
        for id in 0..self.fabric.supernodes() {
            let cards = self.fabric.cards_of(SupernodeId(id));
            free.extend(cards.filter(|&card| !self.is_taken[card as usize]));
            ends.push(free.len());
        }
        (free, ends)
    }
}
