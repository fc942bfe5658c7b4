//! Circles of links that may wait for each other, found before the run in the routes of all its states.

use collectives::{Flow, flows};
use engine::{Conducts, Costs};
use packet::{
    Backpressure, Circle, CircleRoutes, ClassOfService, Recovery, Settings, Simulation, Transport,
    Window, World,
};
use topology::{Fabric, Fault, Mishap, Part};
use units::{Bytes, Duration, Time};

use crate::common::{everyone, flow};
use crate::fabrics::explicit;

/// Credits on every link, and a transport that bears dying links.
fn settings() -> Settings {
    let backpressure = Backpressure::Credits { buffer: Bytes::new(100_000) };
    let recovery = Recovery { timeout: Duration::from_micros(1_000), back_off: 2, retries: 7 };
    let window = Window::Packets(100);
    Settings {
        transport: Transport::Selective { window, recovery, reordering: 64 },
        classes: vec![ClassOfService { backpressure, ..ClassOfService::PLAIN }],
        ..Settings::IDEAL
    }
}

/// A card on each of so many switches in a ring, and more cables between switches.
fn ring(switches: usize, more: &[(&str, &str)]) -> Fabric {
    let names: Vec<String> = (0..switches).map(|switch| format!("s{switch}")).collect();
    let cards: Vec<String> = (0..switches).map(|card| format!("c{card}")).collect();
    let own = cards.iter().zip(&names).map(|(card, switch)| (&card[..], &switch[..]));
    let around = (0..switches).map(|place| (&names[place][..], &names[(place + 1) % switches][..]));
    let all = own.chain(around).chain(more.iter().copied());
    let all: Vec<_> = all.map(|(from, to)| (from, to, 100, 100)).collect();
    explicit(&all)
}

/// The cable between two nodes is dead between two instants in µs.
fn dead((from, to): (&str, &str), at: Option<u64>, until: Option<u64>) -> Mishap {
    let part = Part::Link { from: from.to_owned(), to: to.to_owned(), count: 1 };
    let instant = |micros: u64| Time::from_picos(micros * 1_000_000);
    let fault = Fault { part, speed_ppm: 0 };
    Mishap { fault, at: at.map(instant), until: until.map(instant) }
}

/// The circle of a world whose routes follow 5 µs after a change, and the names of its links in order.
fn circle(fabric: &Fabric, mishaps: &[Mishap], list: &[Flow]) -> Option<(Circle, Vec<String>)> {
    let (start, timeline) =
        fabric.in_time(mishaps, Duration::from_micros(5)).expect("what breaks is there");
    let world = World {
        fabric: &start,
        timeline: Some(&timeline),
        cards: &everyone(fabric),
        schedule: &flows(fabric.cards(), list).expect("valid flows"),
        class_of_lane: &[],
        conducts: &Conducts::alike(Costs::default()),
        settings: &settings(),
    };
    let simulation = Simulation::new(&world).expect("a possible world");
    let circle = simulation.network().dependency_circle()?;
    let mut names: Vec<String> = circle.links.iter().map(|it| fabric.link_name(it.link)).collect();
    names.sort_unstable();
    Some((circle, names))
}

fn from(micros: u64) -> CircleRoutes {
    CircleRoutes::From(Time::from_picos(micros * 1_000_000))
}

#[test]
fn later_routes_are_looked_at_before_the_run() {
    // Seven switches in a ring and one in the middle: three switches on is two links over the middle and three
    // around, so at the start nobody goes around. When the middle has lost its cables all do.
    let spokes: Vec<String> = (0..7).map(|switch| format!("s{switch}")).collect();
    let spokes: Vec<(&str, &str)> = spokes.iter().map(|switch| (&switch[..], "middle")).collect();
    let fabric = ring(7, &spokes);
    let list: Vec<Flow> = (0..7).map(|src| flow(src, (src + 3) % 7, 1)).collect();
    assert_eq!(circle(&fabric, &[], &list), None);
    let mishaps: Vec<Mishap> = spokes.iter().map(|&spoke| dead(spoke, Some(10), None)).collect();
    let (found, names) = circle(&fabric, &mishaps, &list).expect("around the ring");
    assert_eq!(found.routes, from(15));
    assert_eq!(names.len(), 7, "{names:?}");
    assert!(names.iter().all(|name| !name.contains("middle") && !name.contains('c')), "{names:?}");
    // Where the middle has been dead from the start it is a circle of the first routes.
    let mishaps: Vec<Mishap> = spokes.iter().map(|&spoke| dead(spoke, None, None)).collect();
    assert_eq!(circle(&fabric, &mishaps, &list).expect("around the ring").0.routes, from(0));
}

#[test]
fn routes_before_and_after_a_change_may_form_a_circle_together() {
    // Six switches in a ring; at first chords spare three flows the ring, later other chords the other three.
    // Before the change 0 → 2, 1 → 3 and 2 → 4 go around, so 0 → 1 may wait for 1 → 2, that for 2 → 3 and that
    // for 3 → 4; after it 3 → 5, 4 → 0 and 5 → 1 do, so 3 → 4 may wait for 4 → 5, 5 → 0 and 0 → 1.
    let (first, later) =
        ([("s3", "s5"), ("s4", "s0"), ("s5", "s1")], [("s0", "s2"), ("s1", "s3"), ("s2", "s4")]);
    let fabric = ring(6, &[first, later].concat());
    let list: Vec<Flow> = (0..6).map(|src| flow(src, (src + 2) % 6, 1)).collect();
    let (gone, come) = (first.map(|it| dead(it, None, None)), later.map(|it| dead(it, None, None)));
    assert_eq!(circle(&fabric, &gone, &list), None, "the later routes alone");
    assert_eq!(circle(&fabric, &come, &list), None, "the first routes alone");
    let change: Vec<Mishap> = first
        .map(|it| dead(it, Some(10), None))
        .into_iter()
        .chain(later.map(|it| dead(it, None, Some(10))))
        .collect();
    let (found, names) = circle(&fabric, &change, &list).expect("together they go around");
    assert_eq!(found.routes, CircleRoutes::Across(Time::from_picos(15_000_000)));
    assert!(names.len() >= 3, "{names:?}");
}

#[test]
fn routes_of_three_states_may_form_a_circle_together() {
    // Nine switches in a ring, a chord two on from each. At first the chords 0 to 2 are dead, from 10 µs on 3 to 5
    // instead, from 20 µs on 6 to 8: the flows whose chords are dead go around, and each lets its first link of the
    // ring wait for its second. Two states give six of the nine waits, all three close the ring; packets of the first
    // that stand in full queues are still there when those of the third come.
    let chords: Vec<[String; 2]> =
        (0..9).map(|at| [format!("s{at}"), format!("s{}", (at + 2) % 9)]).collect();
    let chords: Vec<(&str, &str)> = chords.iter().map(|[from, to]| (&from[..], &to[..])).collect();
    let fabric = ring(9, &chords);
    let list: Vec<Flow> = (0..9).map(|src| flow(src, (src + 2) % 9, 1)).collect();
    let spans = [(None, Some(10)), (Some(10), Some(20)), (Some(20), None)];
    let mishaps = |spans: &[(Option<u64>, Option<u64>)]| -> Vec<Mishap> {
        let three = chords.chunks(3).zip(spans);
        three
            .flat_map(|(three, &(at, until))| three.iter().map(move |&it| dead(it, at, until)))
            .collect()
    };
    assert_eq!(circle(&fabric, &mishaps(&spans[..2]), &list), None, "two states leave a gap");
    let (found, names) = circle(&fabric, &mishaps(&spans), &list).expect("three close the ring");
    let instant = |micros: u64| Time::from_picos(micros * 1_000_000);
    assert_eq!(found.routes, CircleRoutes::Over { from: Time::ZERO, until: instant(25) });
    assert_eq!(names.len(), 9, "{names:?}");
    assert!(names.iter().all(|name| !name.contains('c')), "{names:?}");
}
