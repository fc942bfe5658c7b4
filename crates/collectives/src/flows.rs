//! An explicit list of flows: one lane of two seats for each.

use units::{Bytes, Duration, Time};

use crate::draft::{Draft, Task, stage};
use crate::{Action, Pattern, Payload, RankId, Refusal, Schedule};

/// One transfer between two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The sending rank.
    pub src: RankId,
    /// The receiving rank, another one.
    pub dst: RankId,
    /// What is sent; a flow of 0 bytes is a message without content.
    pub bytes: Bytes,
    /// The flow does not begin before this instant.
    pub start: Time,
    /// What the sender computes, from `start` on, before the transfer starts.
    pub compute: Duration,
}

/// The schedule of `flows` among `ranks` ranks; lane i is flow i.
///
/// # Errors
/// A [`Refusal`] for a rank that does not exist and for a flow from a rank to itself.
pub fn flows(ranks: u32, flows: &[Flow]) -> Result<Schedule, Refusal> {
    let mut schedule = Schedule { ranks, lanes: Vec::with_capacity(flows.len()) };
    for (index, flow) in flows.iter().enumerate() {
        if let Some(rank) = [flow.src, flow.dst].into_iter().find(|rank| rank.0 >= ranks) {
            return Err(Refusal::UnknownRank { rank, ranks });
        }
        if flow.src == flow.dst {
            return Err(Refusal::FlowToItself { flow: index, rank: flow.src });
        }
        let mut draft = Draft::new(flow.start);
        let task = Task {
            seats: [flow.src, flow.dst].into(),
            range: 0..flow.bytes.as_u64(),
            channel: index as u32,
            after: Vec::new(),
        };
        let payload = Payload::Whole(task.range.clone());
        let mut transfer = stage(Pattern::List(vec![(0, 1)]), payload, Action::Store, 1);
        transfer.compute = flow.compute;
        draft.lane("flow", &task, vec![transfer]);
        schedule.lanes.append(&mut draft.finish(ranks).lanes);
    }
    Ok(schedule)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(src: u32, dst: u32, bytes: u64) -> Flow {
        Flow {
            src: RankId(src),
            dst: RankId(dst),
            bytes: Bytes::new(bytes),
            start: Time::from_picos(7),
            compute: Duration::from_nanos(3),
        }
    }

    #[test]
    fn every_flow_has_its_lane() {
        // CASES O02: a message of 0 bytes is a transfer like any other.
        let schedule = flows(4, &[flow(0, 1, 0), flow(2, 3, 1)]).expect("valid flows");
        assert_eq!(schedule.lanes.len(), 2);
        let lane = &schedule.lanes[1];
        assert_eq!(lane.seats[..], [RankId(2), RankId(3)]);
        assert_eq!((lane.start, lane.steps()), (Time::from_picos(7), 1));
        assert_eq!(lane.stages[0].compute, Duration::from_nanos(3));
        let mut told = 0;
        lane.stages[0].pattern.for_each(2, 1, &mut |transfer| {
            told += 1;
            assert_eq!((transfer.src, transfer.dst), (0, 1));
            let ranges = lane.stages[0].payload.ranges(2, transfer, 0);
            assert_eq!(ranges, std::slice::from_ref(&(0..1)));
        });
        assert_eq!(told, 1);
    }

    #[test]
    fn impossible_flows_are_refused() {
        assert_eq!(
            flows(4, &[flow(0, 1, 1), flow(2, 2, 1)]).map(|_| ()),
            Err(Refusal::FlowToItself { flow: 1, rank: RankId(2) })
        );
        assert_eq!(
            flows(4, &[flow(0, 4, 1)]).map(|_| ()),
            Err(Refusal::UnknownRank { rank: RankId(4), ranks: 4 })
        );
    }
}
