//! What is too large is refused by estimate; what is large is built in linear memory.

use topology::{
    BuildError, CardId, Fabric, FabricSpec, InsideSpec, MAX_CARDS, MAX_LINKS, NicCount, Router,
};
use units::Ratio;

use crate::specs::{build, build_cluster, cluster, star};

#[test]
fn a_billion_hosts_are_refused_at_once() {
    let hosts = 1_000_000_000;
    let refused = BuildError::TooManyCards { cards: u64::from(hosts), limit: MAX_CARDS };
    assert_eq!(Fabric::build(&star(hosts)).expect_err("too many"), refused);
    let spec = FabricSpec::Cluster(cluster(hosts));
    assert_eq!(Fabric::build(&spec).expect_err("too many"), refused);
    assert_eq!(
        Fabric::build(&star(0)).expect_err("none"),
        BuildError::Zero { what: "the number of cards" }
    );
}

#[test]
fn too_many_links_are_refused_before_they_are_built() {
    let refusal = |spec| match Fabric::build(&FabricSpec::Cluster(spec)).expect_err("too many") {
        BuildError::TooManyLinks { links, limit } => {
            assert_eq!(limit, MAX_LINKS);
            links
        }
        other => panic!("{other}"),
    };
    // 2 × 1,000,000 × 20 plane links and 2 × 1,000,000 NIC links.
    let mut planes = cluster(1_000_000);
    planes.supernode.inside = InsideSpec::Planes { planes: 20 };
    assert_eq!(refusal(planes), 42_000_000);
    // 2 × 128 × 10⁶ NIC links and 2 × 128 plane links.
    let mut nics = cluster(128);
    nics.nics.count = NicCount::PerCard(1_000_000);
    assert_eq!(refusal(nics), 256_000_256);
    // 2 leaves of 2³² − 1 uplinks and more: 64 × 400 Gb/s : 2⁶³ × 400 Gb/s.
    let mut uplinks = cluster(128);
    uplinks.outside.tiers[0].ratio = Ratio::new(1, 1 << 63).expect("positive");
    assert!(refusal(uplinks) > 1 << 64);
    // All that counts can be at its largest without a panic.
    let mut most = cluster(2_000_000);
    most.supernode.inside = InsideSpec::Planes { planes: u32::MAX };
    most.nics.count = NicCount::PerSupernode(u32::MAX);
    most.supernode.cards = u32::MAX;
    assert!(refusal(most) > 1 << 53);
}

#[test]
fn a_hundred_thousand_hosts_on_one_switch() {
    let fabric = build(&star(100_000));
    assert_eq!((fabric.nodes().len(), fabric.links().len()), (100_001, 200_000));
    let mut router = Router::new(&fabric);
    let path = router.hashed(CardId(0), CardId(99_999), 0).expect("connected");
    assert_eq!(path.hops.len(), 2);
    // Half of the cards send 400 Gb/s each: 50,000 × 0.4 Tb/s = 20 Pb/s.
    assert_eq!(fabric.echo().bisection, 50_000 * 400_000_000_000_000);
}

#[test]
fn a_hundred_thousand_cards_in_three_tiers() {
    // 1,563 leaves of 64, the last of 32; pods of 32: 49, the last of 27 leaves.
    let mut spec = cluster(100_000);
    spec.outside.tiers = vec![
        topology::ClosTier { ratio: Ratio::ONE, pod: 32 },
        topology::ClosTier { ratio: Ratio::ONE, pod: 1 },
    ];
    let fabric = build_cluster(&spec);
    let counts: Vec<u32> = fabric.echo().switches.iter().map(|row| row.count).collect();
    // 12,500 planes, 1,563 leaves, 49 × 64 aggregation switches; 49 × 32 uplinks a group need
    // ⌈1,568 / 256⌉ = 7 cores, 8 divides 32: 64 × 8.
    assert_eq!(counts, [12_500, 1_563, 3_136, 512]);
    assert_eq!(fabric.links().len(), 2 * (100_000 + 100_000 + 1_563 * 64 + 3_136 * 32));
    // Half of the cards send, all at full rate.
    assert_eq!(fabric.echo().bisection, 50_000 * 400_000_000_000_000);
}
