//! Flows that share nothing with any other, which need no filling.

use super::{Allocation, NONE};

impl Allocation<'_> {
    /// Whether a flow shares nothing with any other.
    pub(super) fn is_alone(&self, flow: u32) -> bool {
        let mut crossings = self.crossings(flow as usize).iter();
        crossings.all(|crossing| self.resources[crossing.resource as usize].flows == 1)
    }

    /// A flow that shares nothing gets what its narrowest resource has.
    pub(super) fn give_all(&mut self, flow: u32) {
        let mut narrowest = (u128::MAX, NONE);
        for crossing in self.crossings(flow as usize) {
            // Nobody else uses it.
            let capacity = self.resources[crossing.resource as usize].offered;
            narrowest = narrowest.min((capacity / u128::from(crossing.weight), crossing.resource));
        }
        let (rate, holder) = narrowest;
        let state = &mut self.flows[flow as usize];
        state.rate = u64::try_from(rate).expect("a flow crosses a link, whose rate fits");
        state.holder = holder;
        self.resources[holder as usize].held = 1;
        for crossing in self.crossings(flow as usize) {
            self.resources[crossing.resource as usize].offered -=
                u128::from(crossing.weight) * rate;
        }
    }
}
