//! The same events, whoever looks on and whatever else there is.

use collectives::{
    Algorithm, Channels, Collective, Flow, Grouping, Request, Sizing, flows, group_ranks, plan,
};
use engine::{Conducts, Costs};
use packet::{
    Buffer, Frame, Loss, LossRate, Outcome, Recovery, Routing, Settings, Simulation, Status,
    Transport, Window, World, simulate,
};
use topology::{CardId, Domain, LinkId};
use units::{Bytes, Duration, Time};

use crate::common::{everyone, flow, run};
use crate::fabrics::{leaf_spine, star};

/// CASES O06: 8 senders, 64 packets of 4,096 B each, to the last host of a star; a queue of 100.
fn incast() -> Settings {
    let recovery = Recovery { timeout: Duration::from_micros(500), back_off: 2, retries: 7 };
    Settings {
        frame: Frame { payload: 4_096, header: 0, control: 64 },
        transport: Transport::Selective { window: Window::Packets(64), recovery, reordering: 8 },
        acknowledge_every: 1,
        buffer: Buffer::PerQueue(Bytes::new(100 * 4_096)),
        ..Settings::IDEAL
    }
}

fn senders() -> Vec<Flow> {
    (0..8).map(|src| flow(src, 8, 64 * 4_096)).collect()
}

fn run_incast(hosts: u32, list: &[Flow]) -> Outcome {
    run(&star(hosts, Duration::from_micros(2)), list, &incast())
}

#[test]
fn repeating_a_run_and_adding_idle_hosts_changes_nothing() {
    let first = run_incast(9, &senders());
    assert!(first.ledger.overflowed > 0, "drops occur");
    assert_eq!(first.ledger.injected, first.ledger.delivered + first.ledger.dropped());
    assert!(first.lanes.iter().all(Option::is_some));
    assert_eq!(run_incast(9, &senders()), first);
    let mut more = run_incast(11, &senders());
    assert_eq!(more.ranks.split_off(9), [Some(Time::ZERO); 2], "idle ranks are done at once");
    assert_eq!(more, first);
}

#[test]
fn looking_on_changes_nothing() {
    // 1,000 empty timers, many of them at instants at which something happens.
    let fabric = star(9, Duration::from_micros(2));
    let schedule = flows(9, &senders()).expect("valid flows");
    let (cards, settings) = (everyone(&fabric), incast());
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule,
        class_of_lane: &[],
        conducts: &Conducts::alike(Costs::default()),
        settings: &settings,
    };
    let alone = simulate(&world, None).expect("a run");
    let mut simulation = Simulation::new(&world).expect("a possible world");
    for index in 0..1_000 {
        // A packet takes 4,096 × 80 ps, so every looker comes when packets leave or arrive.
        simulation.network_mut().look_on(Time::from_picos(index * 4_096 * 80));
    }
    simulation.watch();
    assert_eq!(simulation.run(None).expect("a run"), alone);
}

#[test]
fn the_order_of_the_list_changes_no_flow() {
    let list = senders();
    let backwards: Vec<Flow> = list.iter().rev().copied().collect();
    let (first, second) = (run_incast(9, &list), run_incast(9, &backwards));
    assert!(first.ledger.overflowed > 0, "drops occur");
    let turned: Vec<Option<Time>> = second.lanes.into_iter().rev().collect();
    assert_eq!(first.lanes, turned);
    assert_eq!(first.ledger, second.ledger);
}

/// CASES O05, smaller: 32 cards on 4 leaves under 2 spines, groups of 16, hashed paths, loss of 0.01 %.
fn lossy_collective(seed: u64) -> Outcome {
    let fabric = leaf_spine(32, 8, 2);
    let cards: Vec<CardId> = everyone(&fabric);
    let groups = group_ranks(Grouping::Consecutive, 16, &cards, &fabric).expect("two groups");
    let request = Request {
        ranks: 32,
        groups: &groups,
        collective: Collective::AllReduce,
        algorithm: Algorithm::Ring { channels: Channels::Count(1) },
        size: Bytes::new(4 << 20),
        sizing: Sizing::Exact,
        start: Time::ZERO,
        compute: Duration::ZERO,
    };
    let schedule = plan(&request).expect("a possible request").schedule;
    let outer = (0..).map(LinkId).zip(fabric.links());
    let outer = outer.filter(|(_, link)| link.domain == Domain::Outside);
    let rates = outer.map(|(link, _)| LossRate { link, per_billion: 100_000 }).collect();
    let recovery = Recovery { timeout: Duration::from_micros(500), back_off: 2, retries: 7 };
    let settings = Settings {
        routing: Routing::PerFlow { flows: 1, key: seed },
        transport: Transport::GoBackN { window: Window::BandwidthDelay { times: 1 }, recovery },
        loss: Loss { rates, listed: Vec::new() },
        seed,
        ..Settings::IDEAL
    };
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule,
        class_of_lane: &[],
        conducts: &Conducts::alike(Costs::default()),
        settings: &settings,
    };
    simulate(&world, None).expect("a run")
}

#[test]
fn lossy_collectives_repeat_to_the_event_in_any_build_and_thread() {
    let first = lossy_collective(1);
    assert_eq!(first.status, Status::Finished);
    assert!(first.ledger.lost > 0, "something is lost");
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| lossy_collective(1))).collect();
    for thread in threads {
        assert_eq!(thread.join().expect("a run"), first);
    }
    assert_ne!(lossy_collective(2).hash, first.hash, "another seed, other events");
    // What a release build finds as well, as does any other machine.
    assert_eq!(format!("{:016x}", first.hash), "6ec373d802b421ad");
}
