//! The same events, whoever looks and whatever else there is.

use collectives::Flow;
use packet::{Frame, Outcome, Recovery, Settings, Transport, Window};
use units::{Bytes, Duration};

use crate::common::{flow, run};
use crate::fabrics::star;

/// CASES O06: 8 senders, 64 packets of 4,096 B each, to the last host of a star; a queue of 100.
fn incast() -> Settings {
    let recovery = Recovery { timeout: Duration::from_micros(500), back_off: 2, retries: 7 };
    Settings {
        frame: Frame { payload: 4_096, header: 0, control: 64 },
        transport: Transport::Selective { window: Window::Packets(64), recovery, reordering: 8 },
        acknowledge_every: 1,
        buffer: Some(Bytes::new(100 * 4_096)),
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
    assert_eq!(run_incast(11, &senders()), first);
}
