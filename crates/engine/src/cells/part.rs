//! The run of one cell, whichever way it goes.

use units::Time;

use crate::cells::{CellNetwork, Cells, sweep};
use crate::completion::{Completion, Error, Limits};
use crate::drive::Drive;
use crate::network::Network;
use crate::plan::FlowId;
use crate::run::Until;

/// A run of one cell's plan, which hears of other cells only by their messages.
pub(crate) trait CellRun: Send {
    /// What is left of it beside its completion.
    type Rest;

    /// The instant of the next event as far as messages are known; [`Time::MAX`] if there is none.
    fn next_time(&self) -> Time;

    /// Hears of transfers from other cells, whose list is emptied, and goes on through all instants before
    /// `horizon`, or until it has handled `most` more events.
    fn go_on(
        &mut self,
        letters: &mut Vec<(FlowId, Time)>,
        horizon: Time,
        most: u64,
    ) -> Result<(), Error>;

    /// The transfers to other cells that have drained and were not carried yet, with the instants
    /// of their delivery; flows by their index in the cell.
    fn sent(&mut self) -> &mut Vec<(FlowId, Time)>;

    /// How many events it has handled that who looks on has not been told of yet; they count as told.
    fn tell_events(&mut self) -> u64;

    /// How many transfers of a flow, by its index in the cell, have been delivered to an agent of it.
    fn delivered(&self, flow: FlowId) -> u64;

    /// What it came to.
    fn end(self) -> (Completion, Self::Rest);
}

impl<N: CellNetwork + Send> CellRun for Drive<'_, N> {
    type Rest = N;

    fn next_time(&self) -> Time {
        Self::next_time(self).unwrap_or(Time::MAX)
    }

    fn go_on(
        &mut self,
        letters: &mut Vec<(FlowId, Time)>,
        horizon: Time,
        most: u64,
    ) -> Result<(), Error> {
        letters.drain(..).for_each(|(flow, at)| self.network.receive(flow, at));
        let most = self.counters.events + most;
        self.advance_straight(Until::Before(horizon, most)).map(|_| ())
    }

    fn sent(&mut self) -> &mut Vec<(FlowId, Time)> {
        self.network.sent()
    }

    /// A drive tells who looks on itself.
    fn tell_events(&mut self) -> u64 {
        0
    }

    fn delivered(&self, flow: FlowId) -> u64 {
        self.delivered[flow.index()]
    }

    fn end(self) -> (Completion, N) {
        self.into_completion()
    }
}

impl<N: Network> Drive<'_, N> {
    /// Runs to the end cell by cell, on networks that `divide` makes of the one of the whole.
    ///
    /// It may be called between two instants; the completion is the one that the whole would have
    /// come to, whatever the number of threads. The networks of the cells are returned as well.
    pub fn finish_by_cells<'b, M: CellNetwork + Send>(
        self,
        cells: &'b Cells,
        limits: Limits<'b>,
        divide: impl FnOnce(N) -> Vec<M>,
    ) -> Result<(Completion, Vec<M>), Error> {
        let now = self.now;
        let drives = self.divide(cells, limits, divide);
        sweep::sweep(cells, drives, (now, limits))
    }
}
