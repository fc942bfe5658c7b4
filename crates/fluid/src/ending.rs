//! How a run ended, in ranks and words.

use engine::{FlowId, Names};

use crate::memo::Solved;
use crate::model::Model;
use crate::outcome::{Status, Unreachable};
use crate::turning::Stranded;
use crate::{World, loss};

/// How the run of a model ended.
pub(crate) fn status(world: &World<'_>, model: &Model, solved: &Solved) -> Status {
    let Solved { completion, losses, stranded, .. } = solved;
    if let Some(lossy) = model.lossy.as_ref().filter(|_| !losses.failures.is_empty()) {
        return Status::RetryLimit(loss::tell_failure(world, model, lossy, &losses.failures));
    }
    if completion.standstill.is_empty() {
        return Status::Finished;
    }
    let plan = &model.plan;
    let seated = (world.fabric, world.schedule);
    let names = Names::new(seated, plan.agents(), &model.agent_of_seat);
    let message = |flow: FlowId| {
        let ends = &plan.flows()[flow.index()];
        let fate = match stranded.iter().find(|transfer| transfer.flow == flow) {
            Some(Stranded { at, .. }) => format!("has had no way since {at}"),
            None => "gets no rate".to_owned(),
        };
        format!("the message from {} to {} {fate}", names.who(ends.src), names.who(ends.dst))
    };
    let waits = names.tell(plan, &completion.standstill, &message);
    if stranded.is_empty() {
        return Status::Stalled(waits);
    }
    let unreachable = |transfer: &Stranded| {
        let flow = &plan.flows()[transfer.flow.index()];
        let (src, dst) = (names.rank(flow.src), names.rank(flow.dst));
        let Stranded { at, asked, delivered, .. } = *transfer;
        Unreachable { src, dst, at, asked, delivered }
    };
    let mut transfers: Vec<Unreachable> = stranded.iter().map(unreachable).collect();
    transfers.sort_unstable();
    Status::Unreachable { transfers, waits }
}
