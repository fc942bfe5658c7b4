//! How much of a plan has been delivered when its run is stopped.

use std::collections::BTreeMap;

use crate::flow::Flow;
use crate::plan::Plan;

/// What has been delivered, of how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Transfers that have been delivered; of those that hashing cuts, as many whole ones as the delivered
    /// parts make.
    pub transfers: u128,
    /// All transfers, over all steps and rounds.
    pub all_transfers: u128,
    /// The payload bytes of what has been delivered.
    pub bytes: u128,
    /// The payload bytes of all transfers.
    pub all_bytes: u128,
}

impl Progress {
    /// Adds up a plan of whose flow i `delivered(i)` transfers have been delivered, each for `members(i)`
    /// transfers of the schedule.
    pub(crate) fn of(
        plan: &Plan,
        delivered: impl Fn(usize) -> u64,
        members: impl Fn(usize) -> u128,
    ) -> Self {
        let mut progress = Self::default();
        // By the number of parts of a transfer: the parts delivered, and all.
        let mut parts: BTreeMap<u32, (u128, u128)> = BTreeMap::new();
        for (index, flow) in plan.flows.iter().enumerate() {
            let (members, delivered) = (members(index), delivered(index));
            let all = flow.steps() * plan.program(flow.src).rounds.count;
            let of_parts = parts.entry(flow.parts).or_default();
            of_parts.0 += members * u128::from(delivered);
            of_parts.1 += members * u128::from(all);
            progress.bytes += members * payload(flow, delivered);
            progress.all_bytes += members * payload(flow, all);
        }
        for (parts, (delivered, all)) in parts {
            progress.transfers += delivered / u128::from(parts);
            progress.all_transfers += all / u128::from(parts);
        }
        progress
    }
}

/// The bytes of the first so many transfers of a flow.
fn payload(flow: &Flow, transfers: u64) -> u128 {
    let (rounds, rest) = (transfers / flow.steps(), transfers % flow.steps());
    let round = if rounds == 0 { 0 } else { flow.total(flow.first..flow.end) };
    u128::from(rounds) * round + flow.total(flow.first..flow.first + rest)
}

#[cfg(test)]
mod tests {
    use collectives::{Action, Rounds, Sizes, Start};
    use units::{Bytes, Duration, Ratio, Time};

    use super::*;
    use crate::{Costs, PlanBuilder, Program, ProgramStage, Terms};

    /// A flow of 3 steps of 10 bytes in each of 2 rounds, then one of a step that hashing cuts in two.
    fn plan() -> Plan {
        let mut builder = PlanBuilder::default();
        let program = builder.program(Program {
            start: Time::ZERO,
            rounds: Rounds { count: 2, ..Rounds::ONCE },
            costs: Costs::default(),
            slowness: Ratio::ONE,
            stages: vec![ProgramStage { steps: 3, compute: Duration::ZERO }],
        });
        let (src, dst) = (builder.agent(program), builder.agent(program));
        let terms = |end, part, parts| Terms {
            stage: 0,
            first: 0,
            end,
            sizes: Sizes::Constant(Bytes::new(10)),
            part,
            parts,
            ordinal: 0,
            fan_in: 1,
            action: Action::Store,
            start: Start::Eager,
        };
        builder.flow(src, dst, terms(3, 0, 1));
        builder.flow(src, dst, terms(1, 0, 2));
        builder.flow(src, dst, terms(1, 1, 2));
        builder.build()
    }

    #[test]
    fn rounds_members_and_parts_are_counted() {
        // The first flow stands for 5 transfers, 4 of its 6 steps are over: 20 of 30 and 200 of 300 bytes.
        // Each part carries 5 bytes, in 2 rounds for 1 transfer: 2 and 1 of 2 are over, which makes
        // ⌊3 / 2⌋ = 1 of 2 transfers and 15 of 20 bytes.
        let progress =
            Progress::of(&plan(), |flow| [4, 2, 1][flow], |flow| if flow == 0 { 5 } else { 1 });
        let expected = Progress { transfers: 21, all_transfers: 32, bytes: 215, all_bytes: 320 };
        assert_eq!(progress, expected);
    }
}
