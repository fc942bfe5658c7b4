//! Runs one extreme world, named on stdin, and prints its completion time in ps:
//! `echo 'turns 10000000' | cargo run --release -p fluid --example extremes`.
//!
//! * `turns N`: N messages of 1 B one after the other over a link of 80 Tb/s, every one simulated;
//! * `hosts N`: N hosts on one switch, two on another, one flow of 1 MB from left to right.

use std::io::{Error, Write as _, read_to_string, stdin, stdout};

use collectives::{
    Action, Flow, Lane, LaneName, Pattern, Payload, RankId, Rounds, Schedule, Stage, Start, flows,
};
use engine::Costs;
use fluid::{Conducts, Options, Recovery, Switch, World, simulate};
use topology::{CardId, Efficiency, ExplicitLink, ExplicitSpec, Fabric, FabricSpec, StarSpec};
use units::{Bandwidth, Bytes, Duration, Time};

fn main() -> Result<(), Error> {
    let asked = read_to_string(stdin())?;
    let mut words = asked.split_whitespace();
    let (kind, number) = (words.next(), words.next().and_then(|word| word.parse().ok()));
    let picos = match (kind, number) {
        (Some("turns"), Some(turns)) => in_turn(turns),
        (Some("hosts"), Some(hosts)) => on_one_switch(hosts),
        _ => return Err(Error::other("say `turns N` or `hosts N`")),
    };
    writeln!(stdout(), "{picos}")
}

/// The completion time in ps of `turns` messages of 1 B in turn.
fn in_turn(turns: u32) -> u64 {
    let fabric = Fabric::build(&FabricSpec::Star(StarSpec {
        cards: 2,
        bandwidth: Bandwidth::from_gigabits_per_second(80_000),
        latency: Duration::ZERO,
        efficiency: Efficiency::ONE,
    }));
    let stage = Stage {
        pattern: Pattern::List(vec![(0, 1)]),
        payload: Payload::Whole(0..1),
        action: Action::Store,
        start: Start::Eager,
        steps: u64::from(turns),
        compute: Duration::ZERO,
    };
    let lane = Lane {
        name: LaneName { job: 0, group: 0, channel: 0, part: "turns" },
        seats: [RankId(0), RankId(1)].into(),
        start: Time::ZERO,
        rounds: Rounds::ONCE,
        stages: vec![stage],
        waits: Vec::new(),
    };
    let schedule = Schedule { ranks: 2, lanes: vec![lane] };
    run(&fabric.expect("a star can be built"), &schedule)
}

/// The completion time in ps of one flow from a switch of `hosts` hosts to another.
fn on_one_switch(hosts: u32) -> u64 {
    let link = |from: String, to: &str| ExplicitLink {
        from,
        to: to.to_owned(),
        bandwidth: Bandwidth::from_gigabits_per_second(100),
        latency: Duration::from_nanos(3_330),
        count: 1,
    };
    let side = |host: u32| if host < hosts { "left" } else { "right" };
    let cards = 0..hosts + 2;
    let mut links: Vec<ExplicitLink> =
        cards.clone().map(|host| link(format!("h{host}"), side(host))).collect();
    links.push(link("left".to_owned(), "right"));
    let fabric = Fabric::build(&FabricSpec::Explicit(ExplicitSpec {
        cards: cards.map(|host| format!("h{host}")).collect(),
        switches: vec!["left".to_owned(), "right".to_owned()],
        links,
    }))
    .expect("all hosts are joined");
    let flow = Flow {
        src: RankId(0),
        dst: RankId(hosts),
        bytes: Bytes::new(1_000_000),
        start: Time::ZERO,
        compute: Duration::ZERO,
    };
    run(&fabric, &flows(fabric.cards(), &[flow]).expect("both hosts are there"))
}

fn run(fabric: &Fabric, schedule: &Schedule) -> u64 {
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let (routing, costs) = (topology::Routing::Spray, Costs::default());
    let (conducts, recovery) = (&Conducts::alike(costs), Recovery::default());
    let world =
        World { fabric, timeline: None, cards: &cards, schedule, routing, conducts, recovery };
    let options = Options { recurrence: Switch::Off, ..Options::default() };
    simulate(&world, &options).expect("all are reached").makespan.as_picos()
}
