//! Recursive vector halving and doubling: log₂ n exchanges to reduce, as many to gather.
//!
//! In each exchange of the first half two seats swap the halves of what they are responsible for, so
//! that each keeps half as much, summed over twice as many seats; the second half runs backwards.
//! Counts other than powers of two fold first: with r = n − 2^⌊log₂ n⌋, seat 2i adds its whole
//! vector to that of seat 2i + 1 for i < r, and gets the whole result back in the end.
//!
//! An exchange is a send-receive: it starts when both partners have got to it. (Were it eager, a seat
//! that does not fold would send its halves into the port of a partner that is still taking a whole
//! vector, and both would be late.)
//!
//! Source: Thakur, Rabenseifner, Gropp, *Optimization of collective communication operations in
//! MPICH*, International Journal of High Performance Computing Applications 19 (2005), section 4.5.

use crate::draft::{Draft, Task, stage};
use crate::folding::{Cut, Fold, Halving, HalvingOrder};
use crate::{Action, LaneId, Pattern, Payload, Stage, Start};

/// Sums the vectors of all seats at all seats; the lane after which a seat has the result.
pub(super) fn all_reduce(draft: &mut Draft, task: &Task, order: HalvingOrder) -> LaneId {
    let fold = Fold::new(task.size());
    let exchanges = fold.exchanges();
    let halved = |halvings| Halving { range: task.range.clone(), order, cut: Cut::Core, halvings };
    let meet = |exchange, payload, action| {
        let mask = Halving::mask(order, exchange, exchanges);
        Stage { start: Start::Rendezvous, ..stage(Pattern::Exchange { mask }, payload, action, 1) }
    };
    let whole = || Payload::Whole(task.range.clone());
    let mut stages = Vec::with_capacity(2 * exchanges as usize + 2);
    if fold.folded() > 0 {
        stages.push(stage(Pattern::FoldIn, whole(), Action::Reduce, 1));
    }
    for exchange in 0..exchanges {
        let payload = Payload::HalvedOfDestination(halved(exchange + 1));
        stages.push(meet(exchange, payload, Action::Reduce));
    }
    for exchange in (0..exchanges).rev() {
        let payload = Payload::HalvedOfSource(halved(exchange + 1));
        stages.push(meet(exchange, payload, Action::Store));
    }
    if fold.folded() > 0 {
        stages.push(stage(Pattern::FoldOut, whole(), Action::Store, 1));
    }
    draft.lane("halving-doubling", task, stages)
}
