//! Loss: every run ends, with the times and counts that follow from what was lost.

use packet::{
    Drop, Frame, Loss, LossRate, Outcome, Recovery, Routing, Settings, Status, Transport, Window,
};
use topology::{Fabric, LinkId};
use units::Duration;

use crate::common::{delivered, flow, run};
use crate::fabrics::{explicit, leaf_spine};

/// CASES O17: one link of 100 Gb/s and 1 µs.
fn link() -> Fabric {
    explicit(&[("ca", "cb", 100, 1_000)])
}

const RECOVERY: Recovery =
    Recovery { timeout: Duration::from_micros(1_000), back_off: 1, retries: 7 };

/// Packets of 1,000 B without headers; a path keeps their order.
fn settings(loss: Loss) -> Settings {
    Settings {
        frame: Frame { payload: 1_000, header: 0, control: 0 },
        routing: Routing::PerFlow { flows: 1, key: 0 },
        transport: selective(),
        acknowledge_every: 1,
        loss,
        ..Settings::IDEAL
    }
}

fn selective() -> Transport {
    Transport::Selective {
        window: Window::BandwidthDelay { times: 1 },
        recovery: RECOVERY,
        reordering: 1,
    }
}

fn go_back() -> Transport {
    Transport::GoBackN { window: Window::BandwidthDelay { times: 1 }, recovery: RECOVERY }
}

/// Link 0 loses so many of a billion packets.
fn rate(per_billion: u32) -> Loss {
    Loss { rates: vec![LossRate { link: LinkId(0), per_billion }], listed: Vec::new() }
}

fn send(loss: Loss) -> Outcome {
    run(&link(), &[flow(0, 1, 8_000_000)], &settings(loss))
}

#[test]
fn no_loss_and_a_loss_of_zero_are_the_same() {
    // O17 a: 8,000 packets of 80 ns and 1 µs.
    let without = send(Loss::NONE);
    assert_eq!(delivered(&without, 0), 641_000_000);
    assert_eq!(without.ledger.data, 8_000);
    assert_eq!(send(rate(0)), without);
}

#[test]
fn a_lost_last_packet_costs_the_timeout() {
    // O17 c: between 640 µs + 1 ms and 10 µs more.
    let last = Drop { link: LinkId(0), flow: 0, sequence: 7_999, attempt: 0 };
    let outcome = send(Loss { rates: Vec::new(), listed: vec![last] });
    let micros = delivered(&outcome, 0) / 1_000_000;
    assert!((1_640..1_650).contains(&micros), "{micros} µs");
    assert_eq!((outcome.ledger.data, outcome.ledger.timeouts), (8_001, 1));
    // A lost packet with others behind it costs no timeout, just its place in line.
    let early = Drop { sequence: 100, ..last };
    let outcome = send(Loss { rates: Vec::new(), listed: vec![early] });
    assert_eq!(outcome.ledger.timeouts, 0);
    assert_eq!(delivered(&outcome, 0), 641_000_000 + 80_000);
}

#[test]
fn a_link_that_loses_everything_ends_the_run_at_the_retry_limit() {
    // O17 d: the timeout and 7 retries of 1 ms each.
    for transport in [selective(), go_back()] {
        let settings = Settings { transport, ..settings(rate(1_000_000_000)) };
        let outcome = run(&link(), &[flow(0, 1, 8_000_000)], &settings);
        let Status::GaveUp(given_up) = &outcome.status else { panic!("{outcome:?}") };
        assert_eq!(given_up.len(), 1);
        assert_eq!((given_up[0].acknowledged, given_up[0].packets), (0, 8_000));
        assert_eq!(given_up[0].at.as_picos() / 1_000_000_000, 8);
        assert_eq!(outcome.ledger.timeouts, 7);
        assert_eq!(outcome.ledger.delivered, 0);
    }
}

#[test]
fn selective_repeat_sends_each_packet_until_it_comes() {
    // O17 b: the sendings of one packet are geometric with mean 1/(1 − p) and variance p/(1 − p)²,
    // so 8,000 packets take 8,008.008 on the average, and over 1,000 seeds the mean has a standard
    // error of √(8,000 × 0.001 / 0.998) / √1,000 = 0.0895; three of them are 0.27.
    let seeds = 1_000;
    let mut sum = 0;
    for seed in 0..seeds {
        let settings = Settings { seed, ..settings(rate(1_000_000)) };
        let outcome = run(&link(), &[flow(0, 1, 8_000_000)], &settings);
        assert_eq!(outcome.status, Status::Finished);
        assert!((8_000..=8_025 + 5).contains(&outcome.ledger.data), "{:?}", outcome.ledger);
        sum += outcome.ledger.data;
    }
    let thousandths = sum * 1_000 / seeds;
    assert!(thousandths.abs_diff(8_008_008) <= 270, "mean {thousandths} / 1,000");
}

#[test]
fn go_back_n_sends_the_flight_behind_a_gap_again() {
    // Packet 100 is lost. The refusal of 101 comes back one round trip after 100 left: 80 ns + 2 µs,
    // in which 26 packets leave, and one more is on its way out. All behind the gap goes again.
    let drop = Drop { link: LinkId(0), flow: 0, sequence: 100, attempt: 0 };
    let loss = Loss { rates: Vec::new(), listed: vec![drop] };
    let settings = Settings { transport: go_back(), ..settings(loss) };
    let outcome = run(&link(), &[flow(0, 1, 8_000_000)], &settings);
    assert_eq!(outcome.ledger.timeouts, 0);
    assert!((26..=28).contains(&outcome.ledger.repeated), "{:?}", outcome.ledger);
    let repeated = outcome.ledger.repeated;
    assert_eq!(delivered(&outcome, 0), 641_000_000 + repeated * 80_000);
}

#[test]
fn loss_on_every_outer_link_ends_with_a_result() {
    // 256 cards on 8 leaves, each card sends 100 kB to one on another leaf; 0.1 % on every link, acknowledgements
    // included. 256 × 25 packets over 4 links: about 26 are lost.
    let fabric = leaf_spine(256, 32, 8);
    let list: Vec<_> = (0..256).map(|src| flow(src, (src + 37) % 256, 100_000)).collect();
    let links = 0..fabric.links().len() as u32;
    let rates: Vec<LossRate> =
        links.map(|link| LossRate { link: LinkId(link), per_billion: 1_000_000 }).collect();
    let spray = Routing::InTurn;
    let window = Window::BandwidthDelay { times: 1 };
    let sprayed = Transport::Selective { window, recovery: RECOVERY, reordering: 64 };
    let hashed = Routing::PerFlow { flows: 1, key: 3 };
    for (transport, routing) in [(go_back(), hashed), (selective(), hashed), (sprayed, spray)] {
        let loss = Loss { rates: rates.clone(), listed: Vec::new() };
        let settings = Settings { transport, routing, ..settings(loss) };
        let settings = Settings { frame: Frame::STANDARD, ..settings };
        let outcome = run(&fabric, &list, &settings);
        assert_eq!(outcome.status, Status::Finished, "{transport:?}");
        assert!((5..100).contains(&outcome.ledger.lost), "{:?}", outcome.ledger);
        let again = Settings { link_retries: 16, ..settings };
        let outcome = run(&fabric, &list, &again);
        assert_eq!((outcome.status, outcome.ledger.lost), (Status::Finished, 0));
    }
}
