//! Packets that a scenario lists are lost, and cost what the same list costs in the packet level itself.

use collectives::{Flow, RankId, flows};
use engine::{Conducts, Costs};
use packet::{Drop, Frame, Loss, Recovery, Settings, Transport, Window, World};
use report::{Record, Status};
use scenario::{RunOptions, Source, read};
use topology::{CardId, ExplicitLink, ExplicitSpec, Fabric, FabricSpec, LinkId};
use units::{Bandwidth, Bytes, Duration, Time};

/// 8,000 packets of 1,000 B over one cable of 100 Gb/s and 1 µs, with a list of drops.
fn run(drops: &str) -> Record {
    let text = format!(
        "(schema: 1, title: \"drops\", engine: packet, fabrics: [explicit(name: \"cable\", \
         cards: [\"a\", \"b\"], switches: [], links: [(from: \"a\", to: \"b\", bandwidth: \"100 Gb/s\", \
         latency: \"1 us\")], drops: [{drops}], packets: custom(payload: \"1 kB\", header: \"0 B\", \
         control: \"0 B\", acknowledge_every: 1, window: bandwidth_delay(times: 1), \
         transport: selective_repeat(timeout: \"1 ms\", back_off: 1)))], \
         workloads: [flows(list: [(from: 0, to: 1, size: \"8 MB\")])])"
    );
    let scenario = read(Source { name: "drops.ron", text: &text }, &[]);
    let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
    scenario.points()[0].run(&RunOptions::default())
}

/// The same by the packet level itself: the time in ps and the packets lost.
fn simulated(listed: Vec<Drop>) -> (u64, u64) {
    let link = ExplicitLink {
        from: "a".to_owned(),
        to: "b".to_owned(),
        bandwidth: Bandwidth::from_gigabits_per_second(100),
        latency: Duration::from_micros(1),
        count: 1,
    };
    let cards = vec!["a".to_owned(), "b".to_owned()];
    let spec = ExplicitSpec { cards, switches: Vec::new(), links: vec![link] };
    let fabric = Fabric::build(&FabricSpec::Explicit(spec)).expect("a cable");
    let timeout = Duration::from_micros(1_000);
    let recovery = Recovery { timeout, back_off: 1, retries: 7 };
    let window = Window::BandwidthDelay { times: 1 };
    let settings = Settings {
        frame: Frame { payload: 1_000, header: 0, control: 0 },
        transport: Transport::Selective { window, recovery, reordering: 256 },
        acknowledge_every: 1,
        loss: Loss { rates: Vec::new(), listed },
        ..Settings::IDEAL
    };
    let flow = Flow {
        src: RankId(0),
        dst: RankId(1),
        bytes: Bytes::new(8_000_000),
        start: Time::ZERO,
        compute: Duration::ZERO,
    };
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &[CardId(0), CardId(1)],
        schedule: &flows(2, &[flow]).expect("a valid flow"),
        class_of_lane: &[],
        conducts: &Conducts::alike(Costs::default()),
        settings: &settings,
    };
    let outcome = packet::simulate(&world, None).expect("a run");
    (outcome.makespan.as_picos(), outcome.ledger.lost)
}

fn told(record: &Record) -> (u64, u64) {
    assert_eq!(record.status, Status::Complete);
    (record.time_ps, record.packets.as_ref().expect("packets are told").lost)
}

const LAST: &str = "(from: \"a\", to: \"b\", sender: \"a\", receiver: \"b\", packets: [7999])";

fn last(attempt: u8) -> Drop {
    Drop { link: LinkId(0), flow: 0, sequence: 7_999, attempt }
}

#[test]
fn a_listed_last_packet_costs_the_timeout() {
    // 80 ns a packet. That before the last leaves at 639.92 µs and is acknowledged 2 µs later; 1 ms after that the
    // last goes again and is there in 1.08 µs: 1,643 µs, and less than 1 ns for what acknowledgements of no byte
    // take.
    let lost = told(&run(LAST));
    assert_eq!((lost.0 / 1_000, lost.1), (1_643_000, 1));
    assert_eq!(lost, simulated(vec![last(0)]));
    // Its repetition lost too: another 1 ms.
    let again = told(&run(&format!("{LAST}, {}", LAST.replace("])", "], sending: 1)"))));
    assert_eq!((again.0 / 1_000, again.1), (2_643_000, 2));
    assert_eq!(again, simulated(vec![last(0), last(1)]));
}

#[test]
fn what_is_listed_for_nobody_is_not_lost() {
    // Nothing goes from b to a, and what does from a to b does not take the way back; 8,000 packets take 640 µs and
    // 1 µs.
    let other = LAST.replace("sender: \"a\", receiver: \"b\"", "sender: \"b\", receiver: \"a\"");
    let back = LAST.replace("from: \"a\", to: \"b\"", "from: \"b\", to: \"a\"");
    for drops in ["", &other, &back] {
        assert_eq!(told(&run(drops)), (641_000_000, 0), "{drops}");
    }
}
