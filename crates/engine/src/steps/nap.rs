//! How long an agent sleeps: local recurrence.
//!
//! While the steps of an agent are alike, the same transfers of the same sizes, what it does in one follows
//! from when it enters it and when it receives: entered at e, the next one is entered at
//!
//! > e′ = max(e + o, maxⱼ (rⱼ + aⱼ)),
//!
//! with o the time until what it sends has drained, rⱼ the instants at which messages are delivered, and aⱼ
//! the time to add one up (at most one of them is). Let e′ = e + d. If o = d, or some rⱼ comes d later in
//! each step, and no message ever comes later than that, then every step lasts d: message m of flow j, at
//! rⱼ + m·pⱼ, may not come after e + (m + 1)·d − aⱼ. For so many steps the agent sleeps. Its deliveries are
//! told as one stretch, and it wakes at the first message that deviates. Only the fronts of waves are awake:
//! a ring with one slow place costs some steps for each agent, where walking would take as many as the ring
//! has agents. It is the recurrence of each agent, where that of the whole state (`crate::recurrence`) would
//! wait for all of them.

use smallvec::SmallVec;
use units::{Duration, Time};

use crate::plan::FlowId;
use crate::steps::stream::{Stream, Stretch};

/// What is the same in all steps of a stage of an agent that are alike.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    /// The first of these steps, and the one after the last of them that another of the stage follows.
    pub(super) steps: (u64, u64),
    /// From entering a step until everything has drained, and is added up if it was there before.
    pub(super) own: Duration,
    /// What it sends, and when that is delivered after the step is entered.
    pub(super) sends: SmallVec<[(FlowId, Duration); 1]>,
    /// What it receives, and how long it takes to add that up.
    pub(super) hears: SmallVec<[(FlowId, Duration); 1]>,
}

/// Steps that last equally long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nap {
    /// How long each step lasts.
    pub(super) period: Duration,
    /// How many, at least one.
    pub(super) steps: u64,
}

impl Pace {
    /// How many steps from `step` on are alike.
    pub(super) const fn alike(&self, step: u64) -> u64 {
        if step < self.steps.0 { 0 } else { self.steps.1.saturating_sub(step) }
    }

    /// How long the next steps last if the first of them is entered at `at`, `most` at most; `None` while
    /// some message of the first is not known, and beyond the range of time, of which the step itself tells.
    pub(super) fn nap(&self, at: Time, most: u64, streams: &[Stream]) -> Option<Nap> {
        let mut period = self.own;
        for &(flow, added) in &self.hears {
            let heard = streams[flow.index()].front()?.first.checked_add(added)?;
            period =
                period.max(Duration::from_picos(heard.as_picos().saturating_sub(at.as_picos())));
        }
        let mut steps = most;
        let mut is_kept = period == self.own;
        let end = at.checked_add(period)?;
        for &(flow, added) in &self.hears {
            let to_come = streams[flow.index()].front()?;
            steps = steps.min(in_time(to_come, (end, added), period));
            is_kept |= to_come.first + added == end && to_come.period == period;
        }
        // What keeps nobody waiting again lasts for one step.
        Some(Nap { period, steps: if is_kept { steps } else { 1 } })
    }
}

/// How many of the messages `to_come` are added up by the ends of steps of which the first one ends at `end`
/// and each lasts `period`; the first one is.
fn in_time(to_come: &Stretch, (end, added): (Time, Duration), period: Duration) -> u64 {
    let early = end.since(to_come.first + added).as_picos();
    match to_come.period.as_picos().checked_sub(period.as_picos()) {
        None | Some(0) => to_come.count,
        // Each comes later than the one before it by so much more than the steps do.
        Some(gap) => to_come.count.min(1 + early / gap),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: u64 = 10;

    /// The nap of an agent whose own step takes [`STEP`] and who receives `stretch`, entered at 100.
    fn nap((first, period, count): (u64, u64, u64)) -> Option<(u64, u64)> {
        let mut stream = Stream::default();
        let (first, period) = (Time::from_picos(first), Duration::from_picos(period));
        if count > 0 {
            stream.push(Stretch { first, period, count });
        }
        let own = Duration::from_picos(STEP);
        let hears = [(FlowId(0), Duration::ZERO)].into_iter().collect();
        let pace = Pace { steps: (0, u64::MAX), own, sends: SmallVec::new(), hears };
        let nap = pace.nap(Time::from_picos(100), 1_000, &[stream])?;
        Some((nap.period.as_picos(), nap.steps))
    }

    #[test]
    fn who_waits_for_its_messages_sleeps_while_they_keep_their_distance() {
        assert_eq!(nap((115, 15, 7)), Some((15, 7)));
        // Late once: the step lasts 20, those behind it may not.
        assert_eq!(nap((120, 15, 7)), Some((20, 1)));
        assert_eq!(nap((115, 0, 0)), None);
    }

    #[test]
    fn who_need_not_wait_sleeps_until_it_would() {
        // Faster messages are ever earlier.
        assert_eq!(nap((95, 9, 7)), Some((STEP, 7)));
        assert_eq!(nap((110, 10, 7)), Some((STEP, 7)));
        // 85, 97, 109, 121, 133 … against 110, 120, 130, 140 …: 25 ahead, 2 less each time, so that thirteen
        // are early, the last one at 229 against 230, and 241 against 240 is not.
        assert_eq!(nap((85, 12, 20)), Some((STEP, 13)));
        assert_eq!(nap((85, 12, 5)), Some((STEP, 5)));
    }

    #[test]
    fn nobody_sleeps_beyond_the_range_of_time() {
        let own = Duration::from_picos(STEP);
        let pace = Pace { steps: (0, u64::MAX), own, ..Pace::default() };
        let last = u64::MAX - STEP;
        assert!(pace.nap(Time::from_picos(last), 1, &[]).is_some());
        assert_eq!(pace.nap(Time::from_picos(last + 1), 1, &[]), None);
    }

    #[test]
    fn what_is_added_up_is_in_time_when_its_sum_is() {
        let mut stream = Stream::default();
        let (first, period) = (Time::from_picos(112), Duration::from_picos(15));
        stream.push(Stretch { first, period, count: 4 });
        let hears = [(FlowId(0), Duration::from_picos(3))].into_iter().collect();
        let own = Duration::from_picos(STEP);
        let pace = Pace { steps: (0, u64::MAX), own, sends: SmallVec::new(), hears };
        let nap = pace.nap(Time::from_picos(100), 3, &[stream]).expect("a message is known");
        assert_eq!(nap, Nap { period, steps: 3 });
    }
}
