//! Who waits for whom, followed to what nobody will undo.

use collectives::Start;

use crate::completion::Standstill;
use crate::plan::{AgentId, FlowId, Plan};

/// Agents each of which waits for the next, and what the last one waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The waits, at least one.
    pub waits: Vec<Standstill>,
    /// What the last one waits for.
    pub root: Root,
}

/// What a chain of waits ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The last agent waits for one of the chain.
    Circle {
        /// Its place.
        from: usize,
    },
    /// A message that was sent and does not come, or does not leave: the network holds it.
    Message(FlowId),
}

/// What an agent waits for.
enum Cause {
    Agent(AgentId),
    Message(FlowId),
}

impl Chain {
    /// The chain that begins with the first of the agents that wait, in their order; `None` if none waits.
    ///
    /// Takes as many steps as there are agents at most.
    pub fn new(plan: &Plan, standstill: &[Standstill]) -> Option<Self> {
        let mut wait = *standstill.first()?;
        let mut waits = Vec::new();
        let mut place = vec![None; standstill.len()];
        loop {
            let index = index_of(standstill, wait.agent()).expect("it is one of them");
            if let Some(from) = place[index] {
                return Some(Self { waits, root: Root::Circle { from } });
            }
            place[index] = Some(waits.len());
            waits.push(wait);
            match cause(plan, standstill, wait) {
                Cause::Message(flow) => return Some(Self { waits, root: Root::Message(flow) }),
                Cause::Agent(agent) => {
                    let index = index_of(standstill, agent);
                    wait = standstill[index.expect("nobody waits for who has finished")];
                }
            }
        }
    }
}

fn index_of(standstill: &[Standstill], agent: AgentId) -> Option<usize> {
    standstill.binary_search_by_key(&agent, |wait| wait.agent()).ok()
}

/// What a wait is for: a message once both who must have entered its step have, else who has not.
fn cause(plan: &Plan, standstill: &[Standstill], wait: Standstill) -> Cause {
    let has_entered = |agent: AgentId, step: u64| {
        index_of(standstill, agent).is_none_or(|index| match standstill[index] {
            Standstill::Behind { step: next, .. } => next > step,
            inside => inside.step() >= step,
        })
    };
    match wait {
        Standstill::Behind { on, .. } => Cause::Agent(on),
        Standstill::Receiving { step, flow, .. } => match plan.flows()[flow.index()].src {
            src if has_entered(src, step) => Cause::Message(flow),
            src => Cause::Agent(src),
        },
        Standstill::Sending { step, flow, .. } => {
            let it = &plan.flows()[flow.index()];
            if it.start == Start::Rendezvous && !has_entered(it.dst, step) {
                Cause::Agent(it.dst)
            } else {
                Cause::Message(flow)
            }
        }
    }
}
