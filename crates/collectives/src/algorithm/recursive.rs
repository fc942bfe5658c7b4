//! Recursive halving and doubling, each alone: log₂ n exchanges.
//!
//! *Reduce-scatter* by recursive halving: partners at distance n/2, n/4, …, 1 swap the halves of what
//! they are responsible for, summed over twice as many seats each time. *All-gather* by recursive
//! doubling is the same backwards: distances 1, 2, 4, …, with twice as much each time.
//!
//! Counts other than powers of two fold: with r = n − 2^⌊log₂ n⌋, seat 2i hands over to seat 2i + 1
//! for i < r (its vector, or its part) and gets what is its own in the end (its part, or the whole).
//! That adds the parts of the r seats that fold to the (n − 1)S bytes that must be sent. An exchange is
//! a send-receive, as in halving–doubling.
//!
//! Source: Thakur, Rabenseifner, Gropp, *Optimization of collective communication operations in
//! MPICH*, International Journal of High Performance Computing Applications 19 (2005), sections 4.1
//! and 4.4; folding as in Rabenseifner, Träff, EuroPVM/MPI 2004, section 2.

use crate::draft::{Draft, Task, stage};
use crate::folding::{Cut, Fold, Halving, HalvingOrder};
use crate::{Action, Pattern, Payload, Stage, Start};

/// Sums each chunk at the seat of its number.
pub(super) fn reduce_scatter(draft: &mut Draft, task: &Task) {
    let fold = Fold::new(task.size());
    let mut stages = Vec::new();
    if fold.folded() > 0 {
        let whole = Payload::Whole(task.range.clone());
        stages.push(stage(Pattern::FoldIn, whole, Action::Reduce, 1));
    }
    for exchange in 0..fold.exchanges() {
        let payload = Payload::HalvedOfDestination(halved(task, exchange + 1));
        stages.push(meet(fold, exchange, payload, Action::Reduce));
    }
    if fold.folded() > 0 {
        let part = Payload::OfDestination(task.range.clone());
        stages.push(stage(Pattern::FoldOut, part, Action::Store, 1));
    }
    draft.lane("recursive halving", task, stages);
}

/// Brings each chunk from the seat of its number to all seats.
pub(super) fn all_gather(draft: &mut Draft, task: &Task) {
    let fold = Fold::new(task.size());
    let mut stages = Vec::new();
    if fold.folded() > 0 {
        let part = Payload::OfSource(task.range.clone());
        stages.push(stage(Pattern::FoldIn, part, Action::Store, 1));
    }
    for exchange in (0..fold.exchanges()).rev() {
        let payload = Payload::HalvedOfSource(halved(task, exchange + 1));
        stages.push(meet(fold, exchange, payload, Action::Store));
    }
    if fold.folded() > 0 {
        let whole = Payload::Whole(task.range.clone());
        stages.push(stage(Pattern::FoldOut, whole, Action::Store, 1));
    }
    draft.lane("recursive doubling", task, stages);
}

/// A block for each seat, in the order of the seats.
const ORDER: HalvingOrder = HalvingOrder::DistanceHalving;

fn halved(task: &Task, halvings: u32) -> Halving {
    Halving { range: task.range.clone(), order: ORDER, cut: Cut::Seats, halvings }
}

fn meet(fold: Fold, exchange: u32, payload: Payload, action: Action) -> Stage {
    let mask = Halving::mask(ORDER, exchange, fold.exchanges());
    Stage { start: Start::Rendezvous, ..stage(Pattern::Exchange { mask }, payload, action, 1) }
}
