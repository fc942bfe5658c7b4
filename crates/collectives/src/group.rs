//! Groups of ranks, the blocks they form in supernodes, and the seats of their channels.

use std::ops::Range;
use std::sync::Arc;

use topology::{AggregatorId, CardId, Domain, Fabric, SupernodeId};

use crate::{RankId, Refusal, Seats};

/// The most channels a group may be asked to use.
pub const MAX_CHANNELS: u32 = 64;

/// The channels used unless a number is given.
const DEFAULT_CHANNELS: u32 = 8;

/// Ranks that perform a collective together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The ranks in the order of the group; none stands twice.
    pub ranks: Vec<RankId>,
    /// The supernode in which each of them runs, in the same order.
    pub supernodes: Vec<SupernodeId>,
    /// The trees of switches that add up for them, one for each NIC link of a card where these are of the
    /// outer fabric; none where no tree joins them all.
    pub trees: Vec<SwitchTree>,
}

/// Switches that add up for the ranks of a group, and the switches that add up for these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchTree {
    /// By level, from below: the switches above each rank, in the order of the ranks; those of the last
    /// level are the same for all.
    pub levels: Vec<Vec<AggregatorId>>,
}

impl SwitchTree {
    /// The trees that join some cards: inside their supernode if it holds them all and its switches add up,
    /// else outside.
    pub(crate) fn over(cards: &[CardId], fabric: &Fabric) -> Vec<Self> {
        let first = fabric.supernode(cards[0]);
        let is_inside = cards.iter().all(|&card| fabric.supernode(card) == first);
        let domain = if is_inside && fabric.reduces(Domain::Inside) {
            Domain::Inside
        } else if fabric.reduces(Domain::Outside) {
            Domain::Outside
        } else {
            return Vec::new();
        };
        let above: Vec<Vec<Vec<AggregatorId>>> =
            cards.iter().map(|&card| fabric.aggregators_over(card, domain)).collect();
        let ways = above[0].len();
        if above.iter().any(|of_card| of_card.len() != ways) {
            return Vec::new();
        }
        let tree = |way: usize| {
            let chains: Vec<&[AggregatorId]> =
                above.iter().map(|of_card| &of_card[way][..]).collect();
            Self::lowest(&chains)
        };
        (0..ways).map(tree).collect::<Option<Vec<Self>>>().unwrap_or_default()
    }

    /// The tree up to the lowest switches that are above all of these chains, if there are any.
    fn lowest(chains: &[&[AggregatorId]]) -> Option<Self> {
        let mut levels = Vec::new();
        loop {
            let level = chains.iter().map(|chain| chain.get(levels.len()).copied());
            let level: Vec<AggregatorId> = level.collect::<Option<_>>()?;
            let is_top = level.iter().all(|&set| set == level[0]);
            levels.push(level);
            if is_top {
                return Some(Self { levels });
            }
        }
    }
}

impl Group {
    /// The number of ranks.
    pub fn size(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// The maximal runs of consecutive ranks of the group in one supernode, as ranges of places.
    pub fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        self.supernodes.chunk_by(|left, right| left == right).map(move |run| {
            let block = start..start + run.len();
            start = block.end;
            block
        })
    }

    /// The number of channels used by default: the cards of the largest block, up to 8, so that each
    /// card of a server lends its NIC to one channel.
    pub fn default_channels(&self) -> u32 {
        let largest = self.blocks().map(|block| block.len() as u32).max().unwrap_or(1);
        largest.min(DEFAULT_CHANNELS)
    }

    /// The seats of each of `channels` channels: the order of the group, in which channel c rotates
    /// every block by c × max(1, ⌊block / channels⌋), so that each channel enters and leaves a
    /// server by other NICs. Channels with equal seats share one list.
    pub(crate) fn seats(&self, channels: u32) -> Vec<Seats> {
        let mut lists: Vec<Seats> = Vec::with_capacity(channels as usize);
        for channel in 0..channels as usize {
            let mut seats = self.ranks.clone();
            for block in self.blocks() {
                let turn = channel * usize::max(1, block.len() / channels as usize);
                let turn = turn % block.len();
                seats[block].rotate_left(turn);
            }
            let known = lists.iter().find(|list| list[..] == seats[..]).map(Arc::clone);
            lists.push(known.unwrap_or_else(|| seats.into()));
        }
        lists
    }

    /// The places of the group's ranks by supernode, supernodes in order of their first rank.
    pub(crate) fn members(&self) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.supernodes.len()).collect();
        order.sort_by_key(|&place| self.supernodes[place]);
        let mut members: Vec<Vec<usize>> = order
            .chunk_by(|&left, &right| self.supernodes[left] == self.supernodes[right])
            .map(<[usize]>::to_vec)
            .collect();
        members.sort_by_key(|places| places[0]);
        members
    }

    /// Refuses ranks that do not exist or stand twice, and a group without ranks.
    ///
    /// # Panics
    /// If the supernodes are not one for each rank.
    pub(crate) fn check(&self, group: u32, ranks: u32) -> Result<(), Refusal> {
        assert_eq!(self.ranks.len(), self.supernodes.len(), "a supernode is given for each rank");
        if self.ranks.is_empty() {
            return Err(Refusal::EmptyGroup { group });
        }
        if let Some(&rank) = self.ranks.iter().find(|rank| rank.0 >= ranks) {
            return Err(Refusal::UnknownRank { rank, ranks });
        }
        let mut sorted = self.ranks.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Refusal::RepeatedRank { group, rank: pair[0] }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(blocks: &[u32]) -> Group {
        let supernodes: Vec<SupernodeId> = blocks
            .iter()
            .enumerate()
            .flat_map(|(supernode, &cards)| {
                std::iter::repeat_n(SupernodeId(supernode as u32), cards as usize)
            })
            .collect();
        Group {
            ranks: (0..supernodes.len() as u32).map(RankId).collect(),
            supernodes,
            trees: Vec::new(),
        }
    }

    fn numbers(seats: &Seats) -> Vec<u32> {
        seats.iter().map(|rank| rank.0).collect()
    }

    #[test]
    fn channels_leave_a_server_by_different_cards() {
        // Two servers of 4 and a rest of 2, 4 channels: channel 1 rotates each block by 1.
        let lists = group(&[4, 4, 2]).seats(4);
        assert_eq!(numbers(&lists[0]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(numbers(&lists[1]), [1, 2, 3, 0, 5, 6, 7, 4, 9, 8]);
        assert_eq!(numbers(&lists[3]), [3, 0, 1, 2, 7, 4, 5, 6, 9, 8]);
        let last_of_first_server: Vec<u32> = lists.iter().map(|list| list[3].0).collect();
        assert_eq!(last_of_first_server, [3, 0, 1, 2]);
    }

    #[test]
    fn large_blocks_rotate_by_their_share() {
        // 16 cards, 4 channels: 16 / 4 = 4 cards further each.
        let firsts: Vec<u32> = group(&[16]).seats(4).iter().map(|list| list[0].0).collect();
        assert_eq!(firsts, [0, 4, 8, 12]);
    }

    #[test]
    fn equal_lists_are_shared() {
        let lists = group(&[1, 1, 1]).seats(3);
        assert!(Arc::ptr_eq(&lists[0], &lists[2]));
    }

    #[test]
    fn the_largest_block_gives_the_channels() {
        assert_eq!(group(&[2, 5, 3]).default_channels(), 5);
        assert_eq!(group(&[384, 384]).default_channels(), 8);
        assert_eq!(group(&[1, 1]).default_channels(), 1);
    }

    #[test]
    fn members_come_by_first_rank() {
        let mut scattered = group(&[1, 1, 1, 1, 1]);
        scattered.supernodes = [7, 2, 7, 9, 2].map(SupernodeId).to_vec();
        assert_eq!(scattered.members(), [vec![0, 2], vec![1, 4], vec![3]]);
    }

    #[test]
    fn doubtful_groups_are_refused() {
        assert_eq!(group(&[]).check(3, 8), Err(Refusal::EmptyGroup { group: 3 }));
        let mut twice = group(&[4]);
        twice.ranks[3] = RankId(1);
        assert_eq!(twice.check(0, 8), Err(Refusal::RepeatedRank { group: 0, rank: RankId(1) }));
        assert_eq!(
            group(&[4]).check(0, 3),
            Err(Refusal::UnknownRank { rank: RankId(3), ranks: 3 })
        );
    }
}
