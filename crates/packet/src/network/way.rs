//! How a packet chooses among links.

use topology::{LinkId, mix};

use crate::Routing;
use crate::routes::{Choice, Next, SetId};

/// The way from one end of a connection to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The links by which the sender may begin.
    pub(super) ports: SetId,
    /// Where the routes begin.
    pub(super) row: u32,
    /// The node at the end.
    pub(super) dst: u32,
    /// The key of the connection in this direction.
    pub(super) key: u64,
}

impl Way {
    /// Whether there is one.
    pub(super) fn is_open(&self) -> bool {
        self.ports != SetId::NONE
    }

    /// The key of its packet `number`.
    ///
    /// With one path per flow it is that of the flow. Else the upper half tells flows apart, and the lower half
    /// counts packets: its digits, one at each node with a choice, go through the next hops in turn.
    pub(super) const fn packet_key(&self, routing: Routing, number: u32) -> u64 {
        match routing {
            Routing::PerFlow { .. } => self.key,
            Routing::AtRandom => mix(self.key, number as u64),
            Routing::Labels { count } => mix(self.key, (number % count) as u64),
            Routing::InTurn | Routing::ShortestQueue => {
                self.key & 0xffff_ffff_0000_0000 | number as u64
            }
        }
    }
}

/// The link that a packet with `key` takes at `node`, where so much waits for each link, and its key from then
/// on.
pub(super) fn choose(
    (routing, backlog): (Routing, impl Fn(LinkId) -> u64),
    next: Next<'_>,
    node: u32,
    key: u64,
) -> (LinkId, u64) {
    let (choices, total) = match next {
        Next::Only(link) => return (link, key),
        Next::Nowhere => unreachable!("who has no way is not asked where to go"),
        Next::Entries(entries, from) => return enter(routing, (entries, from), node, key),
        Next::Choices(choices, total) => (choices, total),
    };
    match routing {
        Routing::PerFlow { .. } => {
            (choices[pick(mix(key, u64::from(node)), choices.len())].link, key)
        }
        Routing::AtRandom | Routing::Labels { .. } => {
            let place = pick(mix(key, u64::from(node)), total as usize) as u32;
            (weighed(choices, place), key)
        }
        Routing::InTurn => {
            let turn = turn(key, node);
            let link = if total as usize == choices.len() {
                choices[(turn % total) as usize].link
            } else {
                // Steps of the golden section go evenly through weights of any sum.
                let place = (u64::from(turn.wrapping_mul(0x9E37_79B9)) * u64::from(total)) >> 32;
                weighed(choices, place as u32)
            };
            (link, without_digit(key, choices.len()))
        }
        Routing::ShortestQueue => {
            let first = turn(key, node) as usize % choices.len();
            let (before, after) = choices.split_at(first);
            let backlog = |choice: &&Choice| backlog(choice.link);
            let shortest = after.iter().chain(before).min_by_key(backlog);
            let link = shortest.expect("a set of next hops is not empty").link;
            (link, without_digit(key, choices.len()))
        }
    }
}

/// One of the links that lead from `from` into a card.
fn enter(
    routing: Routing,
    (entries, from): (&[(u32, LinkId)], u32),
    node: u32,
    key: u64,
) -> (LinkId, u64) {
    let links = || entries.iter().filter(|entry| entry.0 == from).map(|entry| entry.1);
    let count = links().count();
    let place = match routing {
        _ if count == 1 => 0,
        Routing::PerFlow { .. } | Routing::AtRandom | Routing::Labels { .. } => {
            pick(mix(key, u64::from(node)), count)
        }
        Routing::InTurn | Routing::ShortestQueue => turn(key, node) as usize % count,
    };
    (links().nth(place).expect("a node at distance 0 is linked to the card"), key)
}

/// ⌊word × count / 2⁶⁴⌋, as [`topology::Router::hashed`] picks.
const fn pick(word: u64, count: usize) -> usize {
    ((word as u128 * count as u128) >> 64) as usize
}

/// The link whose weights hold `place`.
fn weighed(choices: &[Choice], place: u32) -> LinkId {
    choices[choices.partition_point(|choice| choice.until <= place)].link
}

/// The turn of a packet at a node: flows begin at different next hops.
const fn turn(key: u64, node: u32) -> u32 {
    (key as u32).wrapping_add(mix(key >> 32, node as u64) as u32)
}

/// The key with the digit that was used added to what is left.
///
/// The digit is the same for all packets of a flow that take one link, so these go through the next hops of the
/// node beyond it in turn. Where ways meet again packets of all digits come: without them those of a flow
/// would take one next hop until more have passed than there are ways.
const fn without_digit(key: u64, choices: usize) -> u64 {
    let (number, choices) = (key as u32, choices as u32);
    key & 0xffff_ffff_0000_0000 | (number / choices + number % choices) as u64
}
