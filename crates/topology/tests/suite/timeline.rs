//! Fabrics in time: what holds when, and what is refused.

use topology::{
    Efficiency, Fabric, FabricSpec, Fault, FaultError, LinkId, Mishap, Part, Reach, StarSpec,
    TimelineError,
};
use units::{Bandwidth, Duration, Time};

fn star() -> Fabric {
    let spec = StarSpec {
        cards: 3,
        bandwidth: Bandwidth::from_gigabits_per_second(100),
        latency: Duration::ZERO,
        efficiency: Efficiency::ONE,
    };
    Fabric::build(&FabricSpec::Star(spec)).expect("a star can be built")
}

fn mishap(card: u32, percent: u32, at: Option<u64>, until: Option<u64>) -> Mishap {
    let fault = Fault { part: Part::Node(format!("card {card}")), speed_ppm: percent * 10_000 };
    Mishap { fault, at: at.map(Time::from_picos), until: until.map(Time::from_picos) }
}

/// The rate of card 0's port in Gb/s.
fn rate(fabric: &Fabric) -> u64 {
    let links = fabric.links().iter();
    let port = links.filter(|link| link.src.0 == 0).map(|link| link.goodput);
    port.map(Bandwidth::as_milli_bits_per_second).sum::<u64>() / 1_000_000_000_000
}

#[test]
fn what_holds_at_an_instant_multiplies() {
    // Lasting 80 %; half until 30 ps; dead from 10 to 20 ps; a quarter from 20 ps on.
    let mishaps = [
        mishap(0, 80, None, None),
        mishap(0, 50, None, Some(30)),
        mishap(0, 0, Some(10), Some(20)),
        mishap(0, 25, Some(20), None),
    ];
    let delay = Duration::from_picos(7);
    let (start, timeline) = star().in_time(&mishaps, delay).expect("card 0 is there");
    assert_eq!((rate(&start), timeline.reroute_after()), (40, delay));
    let told: Vec<(u64, u64, Reach)> = timeline
        .changes()
        .iter()
        .map(|change| (change.at.as_picos(), rate(&change.fabric), change.reach))
        .collect();
    assert_eq!(told, [(10, 0, Reach::Other), (20, 10, Reach::Other), (30, 20, Reach::Same)]);
    assert_eq!(timeline.changes()[0].fabric.alive().count(), 4, "two cards of three");
}

#[test]
fn instants_at_which_nothing_changes_are_none() {
    // One ends as the other begins; a repair of what is slow for other reasons, by as much.
    let mishaps = [mishap(0, 50, Some(10), Some(20)), mishap(0, 50, Some(20), Some(30))];
    let (_, timeline) = star().in_time(&mishaps, Duration::ZERO).expect("card 0 is there");
    let told: Vec<u64> = timeline.changes().iter().map(|change| change.at.as_picos()).collect();
    assert_eq!(told, [10, 30]);
}

#[test]
fn repair_gives_back_all_there_was() {
    let (start, timeline) =
        star().in_time(&[mishap(0, 0, None, Some(5))], Duration::ZERO).expect("card 0 is there");
    assert_eq!(rate(&start), 0);
    assert_eq!(start.alive().count(), 4);
    let whole = &timeline.changes()[0].fabric;
    let of = |fabric: &Fabric| (0..6).map(|id| *fabric.link(LinkId(id))).collect::<Vec<_>>();
    assert_eq!(of(whole), of(&star()));
    assert_eq!(whole.alive().count(), 6);
}

#[test]
fn impossible_timelines_are_refused() {
    let refusal = |mishaps: &[Mishap]| star().in_time(mishaps, Duration::ZERO).map(drop);
    let lasting = mishap(0, 0, None, None);
    for (index, mishaps) in
        [vec![mishap(9, 0, Some(1), None)], vec![lasting, mishap(9, 0, None, None)]]
            .into_iter()
            .enumerate()
    {
        let Err(TimelineError::Fault { index: found, error }) = refusal(&mishaps) else {
            panic!("there is no card 9")
        };
        assert_eq!(found, index);
        assert!(matches!(error, FaultError::NoSuchNode { .. }), "{error}");
    }
    let many = |count: u64| (0..count).map(|at| mishap(0, 50, Some(at), None)).collect::<Vec<_>>();
    assert_eq!(refusal(&many(1_000)), Ok(()));
    let (instants, limit) = (1_001, 1_000);
    assert_eq!(refusal(&many(1_001)), Err(TimelineError::TooManyInstants { instants, limit }));
}
