//! Shortest paths and exact shares worked out naively, node by node and in fractions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use topology::{CardId, Domain, Fabric, LinkId, Node, NodeId, Path, Router};
use units::Duration;

/// A fraction in lowest terms.
pub(crate) type Fraction = (u128, u128);

/// The sum of two fractions in lowest terms.
fn add(left: Fraction, right: Fraction) -> Fraction {
    reduce(left.0 * right.1 + right.0 * left.1, left.1 * right.1)
}

/// A fraction in lowest terms.
fn reduce(over: u128, under: u128) -> Fraction {
    let (mut left, mut right) = (over, under);
    while left != 0 {
        (left, right) = (right % left, left);
    }
    (over / right, under / right)
}

/// The network that carries a transfer.
fn domain(fabric: &Fabric, (src, dst): (CardId, CardId)) -> Domain {
    let inside = fabric.supernode(src) == fabric.supernode(dst);
    if inside { Domain::Inside } else { Domain::Outside }
}

/// The links that a transfer may use to leave `node`, and where they lead.
fn next(fabric: &Fabric, node: NodeId, (src, dst): (CardId, CardId)) -> Vec<(LinkId, NodeId)> {
    let domain = domain(fabric, (src, dst));
    let touches = |node: NodeId, card: CardId| {
        fabric.links_from(node).iter().any(|&link| fabric.link(link).dst == card.node())
    };
    let allowed = |node: NodeId| match fabric.node(node) {
        Node::Card { card, supernode } => {
            let forwards = fabric.cards_forward(domain) && supernode == fabric.supernode(src);
            card == dst || forwards
        }
        Node::Switch { tier: 0, .. } => touches(node, src) || touches(node, dst),
        Node::Switch { .. } => true,
    };
    let links = fabric.links_from(node).iter().copied();
    links
        .map(|link| (link, *fabric.link(link)))
        .filter(|(_, link)| link.domain == domain && allowed(link.dst))
        .map(|(id, link)| (id, link.dst))
        .collect()
}

/// The distance of every node that a transfer may pass to its end.
fn distances(fabric: &Fabric, pair: (CardId, CardId)) -> BTreeMap<NodeId, u32> {
    let mut before: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
    for node in (0..fabric.nodes().len() as u32).map(NodeId) {
        let forwards = match fabric.node(node) {
            Node::Card { card, .. } => card == pair.0 || fabric.cards_forward(domain(fabric, pair)),
            Node::Switch { .. } => true,
        };
        for (_, to) in next(fabric, node, pair).into_iter().filter(|_| forwards) {
            before.entry(to).or_default().insert(node);
        }
    }
    let mut distances = BTreeMap::from([(pair.1.node(), 0)]);
    let mut queue = VecDeque::from([pair.1.node()]);
    while let Some(node) = queue.pop_front() {
        let distance = distances[&node];
        for &from in before.get(&node).into_iter().flatten() {
            distances.entry(from).or_insert_with(|| {
                queue.push_back(from);
                distance + 1
            });
        }
    }
    distances
}

/// The share of a sprayed flow on each link, and the distance; `None` without a path.
pub(crate) fn shares(
    fabric: &Fabric,
    pair: (CardId, CardId),
) -> Option<(BTreeMap<LinkId, Fraction>, u32)> {
    let distances = distances(fabric, pair);
    let length = *distances.get(&pair.0.node())?;
    let mut at = BTreeMap::from([(pair.0.node(), (1, 1))]);
    let mut shares = BTreeMap::new();
    for left in (1..=length).rev() {
        let here: Vec<(NodeId, Fraction)> = at
            .iter()
            .filter(|&(node, _)| distances.get(node) == Some(&left))
            .map(|(&node, &share)| (node, share))
            .collect();
        for (node, share) in here {
            let hops: Vec<(LinkId, NodeId)> = next(fabric, node, pair)
                .into_iter()
                .filter(|(_, to)| distances.get(to) == Some(&(left - 1)))
                .collect();
            let rate = |&(link, _): &(LinkId, NodeId)| {
                u128::from(fabric.link(link).goodput.as_milli_bits_per_second())
            };
            let total: u128 = hops.iter().map(rate).sum();
            for hop in &hops {
                let part = reduce(rate(hop), total);
                let part = reduce(share.0 * part.0, share.1 * part.1);
                shares.insert(hop.0, part);
                let sum = at.get(&hop.1).map_or(part, |&before| add(before, part));
                at.insert(hop.1, sum);
            }
        }
    }
    Some((shares, length))
}

/// Checks the spray and some hashed paths of a pair against the naive answer; gives the distance.
pub(crate) fn check(router: &mut Router<'_>, pair: (CardId, CardId)) -> Option<u32> {
    let fabric = router.fabric();
    let expected = shares(fabric, pair);
    let sprayed = router.spray(pair.0, pair.1);
    let Some((shares, length)) = expected else {
        assert!(sprayed.is_err() && router.hashed(pair.0, pair.1, 7).is_err(), "{pair:?}");
        return None;
    };
    let sprayed = sprayed.expect("the naive search found a path");
    let whole = u128::from(sprayed.denominator);
    let found: BTreeMap<LinkId, Fraction> =
        sprayed.hops.iter().map(|hop| (hop.link, reduce(u128::from(hop.weight), whole))).collect();
    assert_eq!(found, shares, "shares of {pair:?}");
    assert_eq!(found.len(), sprayed.hops.len(), "each link once");
    assert_eq!(sprayed.latency, longest(fabric, &sprayed, (pair.1, length)));
    check_cuts(fabric, &sprayed, pair);
    for key in 0..3 {
        let path = router.hashed(pair.0, pair.1, key).expect("there is a path");
        assert_eq!((path.denominator, path.hops.len()), (1, length as usize));
        assert_eq!(path.latency, longest(fabric, &path, (pair.1, length)));
        assert!(path.hops.iter().all(|hop| hop.weight == 1 && shares.contains_key(&hop.link)));
        check_cuts(fabric, &path, pair);
    }
    Some(length)
}

/// The latest arrival over any of the links of a path of `length` links.
fn longest(fabric: &Fabric, path: &Path, (dst, length): (CardId, u32)) -> Duration {
    let mut latest: BTreeMap<NodeId, Duration> = BTreeMap::new();
    for _ in 0..length {
        for hop in &path.hops {
            let link = fabric.link(hop.link);
            let before = latest.get(&link.src).copied().unwrap_or_default();
            let arrival = latest.entry(link.dst).or_default();
            *arrival = (*arrival).max(before + link.latency);
        }
    }
    latest[&dst.node()]
}

/// All of the flow leaves the source and reaches the destination, what enters a switch leaves it,
/// and no other card is passed where cards do not forward.
fn check_cuts(fabric: &Fabric, path: &Path, (src, dst): (CardId, CardId)) {
    assert!(path.hops.is_sorted_by_key(|hop| hop.link), "in order of link");
    let (mut entering, mut leaving) = (BTreeMap::new(), BTreeMap::new());
    for hop in &path.hops {
        let link = fabric.link(hop.link);
        *leaving.entry(link.src).or_insert(0) += hop.weight;
        *entering.entry(link.dst).or_insert(0) += hop.weight;
    }
    assert_eq!(leaving.remove(&src.node()), Some(path.denominator));
    assert_eq!(entering.remove(&dst.node()), Some(path.denominator));
    assert_eq!(entering, leaving);
    let forwards = fabric.cards_forward(domain(fabric, (src, dst)));
    assert!(
        forwards || entering.keys().all(|node| node.0 >= fabric.cards()),
        "cards do not forward"
    );
}
