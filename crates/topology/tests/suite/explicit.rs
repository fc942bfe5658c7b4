//! Listed fabrics: parallel links, mistakes and missing connections (CASES O07, O09, O16a, O20).

use proptest::prelude::*;
use topology::{
    BuildError, CardId, ExplicitLink, Fabric, FabricSpec, Hop, LinkId, NodeId, RouteError, Router,
};
use units::{Bandwidth, Duration};

use crate::oracle;
use crate::random::graphs;
use crate::specs::{build, explicit, link};

/// What refuses `spec`.
fn refusal(spec: &FabricSpec) -> BuildError {
    Fabric::build(spec).expect_err("it cannot be built")
}

#[test]
fn parallel_links_add_up() {
    // O07: 4 hosts – leaf – 4 × 100 Gb/s – spine – 4 hosts.
    let hosts = "a0 a1 a2 a3 b0 b1 b2 b3";
    let mut links: Vec<ExplicitLink> = hosts
        .split_whitespace()
        .map(|host| link(host, if host.starts_with('a') { "leaf" } else { "spine" }, 100, 1))
        .collect();
    links.push(link("leaf", "spine", 100, 4));
    let fabric = build(&explicit(hosts, "leaf spine", links.clone()));
    let (leaf, spine) = (NodeId(8), NodeId(9));
    assert_eq!(fabric.capacity(leaf, spine), 400_000_000_000_000);
    assert_eq!(fabric.capacity(spine, leaf), 400_000_000_000_000);
    assert_eq!(fabric.capacity(NodeId(0), spine), 0);
    // Spray: a quarter on each of the four.
    let mut router = Router::new(&fabric);
    let path = router.spray(CardId(0), CardId(4)).expect("connected");
    assert_eq!((path.hops.len(), path.denominator), (2 + 4, 4));
    // Hashed: one each, and over many keys all of them.
    let mut used = [0; 4];
    for key in 0..64 {
        let path = router.hashed(CardId(0), CardId(4), key).expect("connected");
        let trunk = path.hops.iter().find(|hop| hop.link.0 >= 16).expect("one trunk");
        used[(trunk.link.index() - 16) / 2] += 1;
    }
    assert!(used.iter().all(|&uses| uses > 0), "{used:?}");
    // A bare duplicate is a mistake, whichever end comes first.
    links.push(link("spine", "leaf", 100, 1));
    let (from, to) = ("spine".to_owned(), "leaf".to_owned());
    let twice = BuildError::LinkTwice { from, to, first: 8, second: 9 };
    assert_eq!(refusal(&explicit(hosts, "leaf spine", links)), twice);
}

#[test]
fn unequal_links_between_two_switches_share_in_proportion() {
    // 100/200/100/50 Gb/s between the same switches cannot be listed as one pair; over two middle
    // switches 100 and 300 they share 1 : 3.
    let links = vec![
        link("a", "s", 400, 1),
        link("b", "t", 400, 1),
        link("s", "m", 100, 1),
        link("s", "n", 300, 1),
        link("m", "t", 400, 1),
        link("n", "t", 10, 1),
    ];
    let fabric = build(&explicit("a b", "s t m n", links));
    let path = Router::new(&fabric).spray(CardId(0), CardId(1)).expect("connected");
    let weights: Vec<u64> = path.hops.iter().map(|hop| hop.weight).collect();
    // Links 0 a–s, 3 t–b, 4 s–m, 6 s–n, 8 m–t, 10 n–t.
    assert_eq!((weights, path.denominator), (vec![4, 4, 1, 3, 1, 3], 4));
}

#[test]
fn two_servers_without_a_link_are_told_apart() {
    // O16a: 2 × 4 cards, each on its own switch.
    let cards = "c0 c1 c2 c3 c4 c5 c6 c7";
    let links = (0..8).map(|card| link(&format!("c{card}"), ["x", "y"][card / 4], 400, 1));
    let fabric = build(&explicit(cards, "x y", links.collect()));
    assert_eq!(
        fabric.check_connected().expect_err("two islands").to_string(),
        "no path from c0 to c4 in the outer fabric, where cards do not forward: 2 component(s) of \
         4 and 4 cards"
    );
    let mut router = Router::new(&fabric);
    let unreachable = RouteError::Unreachable { src: CardId(3), dst: CardId(4) };
    assert_eq!(router.spray(CardId(3), CardId(4)), Err(unreachable.clone()));
    assert_eq!(router.hashed(CardId(3), CardId(4), 1), Err(unreachable));
    assert!(router.spray(CardId(4), CardId(7)).is_ok());
}

#[test]
fn cards_do_not_join_what_they_touch() {
    // b is on both switches, but cards never forward: a cannot reach c.
    let links = vec![
        link("a", "x", 100, 1),
        link("b", "x", 100, 1),
        link("b", "y", 100, 1),
        link("c", "y", 100, 1),
    ];
    let fabric = build(&explicit("a b c", "x y", links));
    let error = fabric.check_connected().expect_err("a cannot reach c").to_string();
    assert!(
        error.starts_with("no path from a to c") && error.ends_with("1 component(s) of 3 cards"),
        "{error}"
    );
    assert!(Router::new(&fabric).spray(CardId(0), CardId(2)).is_err());
}

#[test]
fn a_direct_link_beats_a_switch() {
    let links = vec![link("a", "x", 100, 1), link("b", "x", 100, 1), link("b", "a", 100, 2)];
    let fabric = build(&explicit("a b", "x", links));
    fabric.check_connected().expect("connected twice");
    let path = Router::new(&fabric).spray(CardId(0), CardId(1)).expect("connected");
    // The cables b–a are links 4 … 7; from a to b run 5 and 7.
    let hop = |link| Hop { link: LinkId(link), weight: 1 };
    assert_eq!((path.hops, path.denominator), (vec![hop(5), hop(7)], 2));
    // Without switches at all: three cards in a row do not reach end to end.
    let fabric = build(&explicit("a b c", "", vec![link("a", "b", 1, 1), link("b", "c", 1, 1)]));
    let error = fabric.check_connected().expect_err("b does not forward").to_string();
    assert!(error.starts_with("no path from a to c"), "{error}");
}

#[test]
fn mistakes_in_the_lists_are_named() {
    let twice = BuildError::NodeTwice { name: "a".to_owned() };
    assert_eq!(refusal(&explicit("a b", "a", vec![])), twice);
    let unknown = refusal(&explicit("a b", "x", vec![link("a", "y", 1, 1)])).to_string();
    assert_eq!(unknown, "link \"a\" – \"y\" names \"y\", which is no card and no switch");
    let round = BuildError::Loop { name: "x".to_owned() };
    assert_eq!(refusal(&explicit("a", "x", vec![link("x", "x", 1, 1)])), round);
    let none = BuildError::Zero { what: "the count of a link" };
    assert_eq!(refusal(&explicit("a", "x", vec![link("a", "x", 1, 0)])), none);
    let slow = BuildError::NoBandwidth { what: "an explicit link" };
    assert_eq!(refusal(&explicit("a", "x", vec![link("a", "x", 0, 1)])), slow);
    let none = BuildError::Zero { what: "the number of cards" };
    assert_eq!(refusal(&explicit("", "x", vec![])), none);
    // Names "1" and "11" are two names; a dark switch is reported.
    let fabric = build(&explicit("1 11", "x y", vec![link("1", "x", 1, 1), link("11", "x", 1, 1)]));
    assert_eq!(fabric.echo().notes, ["switch \"y\" has no link"]);
    assert_eq!(fabric.node_name(NodeId(1)), "11");
    assert_eq!(fabric.link_name(LinkId(3)), "x → 11");
}

#[test]
fn a_dumbbell_of_a_hundred_thousand_hosts_is_small() {
    // O20: H hosts – switch 1 – switch 2 – 2 hosts: one cable each, 3 links of 3.33 µs.
    let hosts = 100_000;
    let us = |name: String, switch: &str| ExplicitLink {
        latency: Duration::from_nanos(3_330),
        ..link(&name, switch, 100, 1)
    };
    let mut links: Vec<ExplicitLink> =
        (0..hosts).map(|host| us(format!("h{host}"), "left")).collect();
    links.extend([us("r0".to_owned(), "right"), us("r1".to_owned(), "right")]);
    links.push(us("left".to_owned(), "right"));
    let names: Vec<String> = (0..hosts).map(|host| format!("h{host}")).collect();
    let cards = format!("{} r0 r1", names.join(" "));
    let fabric = build(&explicit(&cards, "left right", links));
    assert_eq!((fabric.cards(), fabric.links().len()), (hosts + 2, 2 * (hosts as usize + 3)));
    fabric.check_connected().expect("one dumbbell");
    let path = Router::new(&fabric).spray(CardId(0), CardId(hosts + 1)).expect("connected");
    assert_eq!((path.hops.len(), path.latency), (3, Duration::from_nanos(3 * 3_330)));
    // 50,001 cards of the first half send; of the others 49,999 are on the left and take 100 Gb/s
    // each, the two on the right get one trunk of 100 Gb/s: 50,000 × 100 Gb/s.
    assert_eq!(fabric.echo().bisection, 50_000 * 100_000_000_000_000);
}

#[test]
fn shares_beyond_sixty_four_bits_are_refused() {
    // A chain of stages, each splitting p : q with other large primes.
    let primes = [999_999_937u64, 999_999_929, 999_999_893, 999_999_883, 999_999_797];
    let mut links = vec![link("a", "s0", 1, 1)];
    let mut switches = vec!["s0".to_owned()];
    for (stage, pair) in primes.windows(2).enumerate() {
        let (from, to) = (format!("s{stage}"), format!("s{}", stage + 1));
        for (side, rate) in ["u", "v"].iter().zip(pair) {
            let middle = format!("{side}{stage}");
            let part = ExplicitLink {
                bandwidth: Bandwidth::from_milli_bits_per_second(*rate),
                ..link(&from, &middle, 1, 1)
            };
            // A way past the next join keeps the shares apart.
            links.extend([part, link(&middle, &to, 1, 1)]);
            switches.push(middle);
        }
        switches.push(to);
    }
    links.push(link("s4", "b", 1, 1));
    let names = switches.join(" ");
    let fabric = build(&explicit("a b", &names, links));
    // Each stage joins again, so the denominators only multiply: about (2 × 10⁹)⁴ > 2⁶⁴.
    let error = Router::new(&fabric).spray(CardId(0), CardId(1)).expect_err("too fine");
    assert_eq!(error, RouteError::TooFine { src: CardId(0), dst: CardId(1) });
    assert!(Router::new(&fabric).hashed(CardId(0), CardId(1), 0).is_ok());
    // Two links of the longest latency that can be told.
    let slow = |from| ExplicitLink { latency: Duration::MAX, ..link(from, "s", 1, 1) };
    let fabric = build(&explicit("a b", "s", vec![slow("a"), slow("b")]));
    assert_eq!(Router::new(&fabric).spray(CardId(0), CardId(1)), Err(error.clone()));
    assert_eq!(Router::new(&fabric).hashed(CardId(0), CardId(1), 0), Err(error));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_listed_graph_is_routed_and_judged_right(spec in graphs()) {
        let fabric = build(&spec);
        let mut router = Router::new(&fabric);
        let mut all = true;
        for src in 0..fabric.cards() {
            for dst in (0..fabric.cards()).filter(|&dst| dst != src) {
                all &= oracle::check(&mut router, (CardId(src), CardId(dst))).is_some();
            }
        }
        prop_assert_eq!(fabric.check_connected().is_ok(), all);
    }
}
