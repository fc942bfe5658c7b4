//! Finish times against `SimGrid` on fat-trees without latency, where its model is max-min fair sharing;
//! by the plain engine, all reductions off. The files are in `tests/data/simgrid`.

#[path = "../../examples/peers/fat_tree.rs"]
mod fat_tree;

use fat_tree::{FatTree, PeerFlow, read};
use units::Time;

/// `SimGrid` computes with a precision of 10⁻⁵.
const PRECISION: u64 = 100_000;

/// Starts stand in the files in whole nanoseconds: flows that arrive at random, and those they meet,
/// may be off by one.
const ROUNDED: u64 = 1_000;

/// Every flow finishes when the file says, within a hundred-thousandth.
fn agrees(tree: FatTree, text: &str, count: usize) {
    let flows = read(text);
    assert_eq!(flows.len(), count);
    let completion = tree.flows(&flows).run();
    for (index, PeerFlow { src, dst, finish, .. }) in flows.iter().enumerate() {
        let ours = completion.finished[2 * index + 1].expect("every flow ends");
        let apart = ours.as_picos().abs_diff(finish.as_picos());
        let most = finish.as_picos() / PRECISION;
        let most = if flows[index].start > Time::ZERO { most.max(ROUNDED) } else { most };
        assert!(apart <= most, "flow {index}, {src} to {dst}: {ours:?}, there {finish:?}");
    }
}

#[test]
fn permutations_finish_when_simgrid_says() {
    agrees(FatTree::SMALL, include_str!("../data/simgrid/perm_1024.csv"), 1_024);
    agrees(FatTree::MIDDLE, include_str!("../data/simgrid/perm_4096.csv"), 4_096);
    agrees(FatTree::LARGE, include_str!("../data/simgrid/perm_10240.csv"), 10_240);
}

#[test]
fn an_incast_finishes_when_simgrid_says() {
    agrees(FatTree::SMALL, include_str!("../data/simgrid/incast_1024.csv"), 1_023);
}

#[test]
fn an_all_to_all_finishes_when_simgrid_says() {
    // 64 × 63 pairs.
    agrees(FatTree::SMALL, include_str!("../data/simgrid/a2a_1024_g64.csv"), 4_032);
}

#[test]
fn flows_that_arrive_at_random_finish_when_simgrid_says() {
    agrees(FatTree::SMALL, include_str!("../data/simgrid/poisson4k_1024.csv"), 4_000);
    agrees(FatTree::LARGE, include_str!("../data/simgrid/poisson4k_10240.csv"), 4_000);
    agrees(FatTree::SMALL, include_str!("../data/simgrid/poisson10k_1024.csv"), 10_000);
}

/// 1 MiB at 50 GB/s are 20,971,520 ps; nobody shares a link with another rank's message. `SimGrid` tells
/// 0.335544 ms for 16 steps of 10,240 ranks and 1.342177 ms for 64 steps of 1,024.
#[test]
fn rings_take_a_message_time_a_step() {
    let ended = |tree: FatTree, steps: u64| tree.ring(steps, 1 << 20).run().ended;
    assert_eq!(ended(FatTree::LARGE, 16), Time::from_picos(16 * 20_971_520));
    assert_eq!(ended(FatTree::SMALL, 64), Time::from_picos(64 * 20_971_520));
}
