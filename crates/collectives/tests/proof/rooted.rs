//! Broadcast, reduce, gather, scatter, barrier and send–receive.

use collectives::{Algorithm, Collective, Refusal, plan};

use crate::support::{Order, RAGGED, SERVERS, group, prove, request, rooted, sizes, total};

#[test]
fn roots_give_and_take_what_they_should() {
    for ranks in (1..=20).chain([31, 32, 33, 64, 90, 100, 129]) {
        let groups = [group(ranks, &RAGGED)];
        for root in [0, ranks / 2, ranks - 1] {
            for (index, size) in sizes(ranks).into_iter().enumerate() {
                let order = match index % 3 {
                    0 => Order::Newest,
                    1 => Order::First,
                    _ => Order::Random(u64::from(ranks)),
                };
                for (collective, algorithm) in rooted(root, u64::max(1, size / 5)) {
                    let sent = prove(&request(&groups, collective, algorithm, size), order);
                    let expected = total(collective, algorithm, &groups[0], size);
                    let what =
                        format!("{collective:?}, {algorithm:?}, {ranks} ranks, {size} bytes");
                    assert_eq!(sent, expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_barrier_tells_everyone_of_everyone() {
    for ranks in (1..=70).chain([127, 128, 129, 384]) {
        let groups = [group(ranks, &SERVERS)];
        let request = request(&groups, Collective::Barrier, Algorithm::Dissemination, 0);
        assert_eq!(prove(&request, Order::Newest), 0);
        let plan = plan(&request).expect("a valid request");
        // ⌈log₂ p⌉ steps.
        let steps: u64 = plan.schedule.lanes.iter().map(collectives::Lane::steps).sum();
        assert_eq!(steps, u64::from(ranks.next_power_of_two().ilog2()));
    }
}

#[test]
fn one_rank_sends_to_another() {
    let groups = [group(5, &SERVERS)];
    let pair = |from, to| Collective::SendReceive { from, to };
    for (from, to) in [(0, 1), (4, 2)] {
        let request = request(&groups, pair(from, to), Algorithm::Direct, 1_001);
        assert_eq!(prove(&request, Order::First), 1_001);
    }
    let refused = |collective, size| {
        let algorithm = match collective {
            Collective::Barrier => Algorithm::Dissemination,
            _ => Algorithm::Direct,
        };
        plan(&request(&groups, collective, algorithm, size)).map(|_| ()).expect_err("a refusal")
    };
    assert_eq!(refused(pair(3, 3), 1), Refusal::SendToItself { place: 3 });
    let unknown = Refusal::UnknownPlace { place: 5, group: 0, ranks: 5 };
    assert_eq!(refused(pair(0, 5), 1), unknown);
    assert_eq!(refused(Collective::Broadcast { root: 5 }, 1), unknown);
    let size = units::Bytes::new(8);
    assert_eq!(refused(Collective::Barrier, 8), Refusal::BarrierOfBytes { size });
}
