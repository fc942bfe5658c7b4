//! Agents that walk alone sleep while their steps are alike.

use units::{Duration, Time};

use crate::completion::Error;
use crate::plan::{AgentId, FlowId};
use crate::steps::alone::{OwnWay, Walk};
use crate::steps::nap::Pace;
use crate::steps::stream::Stretch;
use crate::steps::walker::Walker;

impl<W: OwnWay> Walk<'_, W> {
    /// Lets steps pass that are alike, as far as messages are known.
    pub(super) fn sleep(&mut self, agent: AgentId, state: &mut Walker) -> Result<(), Error> {
        if self.paces.is_empty() {
            return Ok(());
        }
        if self.paces[agent.index()].0 != state.stage {
            self.paces[agent.index()] = (state.stage, self.pace(agent, state)?.unwrap_or_default());
        }
        let pace = &self.paces[agent.index()].1;
        loop {
            let most = pace.alike(state.stage_step);
            let is_full = |&(flow, _): &(FlowId, Duration)| self.is_full(flow);
            if most == 0 || (state.at > self.floor && pace.sends.iter().any(is_full)) {
                return Ok(());
            }
            let Some(nap) = pace.nap(state.at, most, &self.delivered) else { return Ok(()) };
            let span = nap.period.checked_mul(nap.steps).ok_or(Error::TimeRange)?;
            let end = state.at.checked_add(span).ok_or(Error::TimeRange)?;
            for &(flow, after) in &pace.sends {
                end.checked_add(after).ok_or(Error::TimeRange)?;
                let (first, period) = (state.at + after, nap.period);
                self.delivered[flow.index()].push(Stretch { first, period, count: nap.steps });
            }
            for (flow, _) in &pace.hears {
                self.delivered[flow.index()].skip(nap.steps);
            }
            state.at = end;
            state.stage_step += nap.steps;
            self.steps += 1;
            self.events += 2 * pace.sends.len() as u64;
            self.slept += nap.steps - 1;
        }
    }

    /// The pace of an agent in its stage; `None` if no two steps of it are alike.
    fn pace(&self, agent: AgentId, state: &Walker) -> Result<Option<Pace>, Error> {
        let plan = self.plan;
        let (sent, received) =
            (plan.outgoing.of(agent, state.stage), plan.incoming.of(agent, state.stage));
        // The last step of a stage is left in a way of its own.
        let (mut first, mut end) = (0, plan.program(agent).stages[state.stage as usize].steps - 1);
        for flow in sent.iter().chain(received).map(|flow| &plan.flows[flow.index()]) {
            let steady = flow.sizes.steady();
            let same_until = if steady.period == 1 { steady.until } else { 0 };
            first = first.max(flow.first);
            end = end.min(flow.end).min(same_until);
        }
        if first >= end {
            return Ok(None);
        }
        let entered = Walker { stage_step: first, at: Time::ZERO, ..*state };
        let begun = Time::ZERO.checked_add(entered.delay(plan, agent)?).ok_or(Error::TimeRange)?;
        let mut pace = Pace { steps: (first, end), ..Pace::default() };
        let mut own = begun;
        for &flow in sent {
            let draining = self.way.draining(flow, plan.flows[flow.index()].bytes(first));
            let (drained, delivered) = self.course(agent, flow, (begun, draining))?;
            own = own.max(drained);
            pace.sends.push((flow, delivered.since(Time::ZERO)));
        }
        for &flow in received {
            let added = entered.adding(plan, agent, flow)?;
            own = own.max(begun.checked_add(added).ok_or(Error::TimeRange)?);
            pace.hears.push((flow, added));
        }
        pace.own = own.since(Time::ZERO);
        let sums = pace.hears.iter().filter(|(_, added)| *added > Duration::ZERO).count();
        Ok((sums <= 1).then_some(pace))
    }
}
