//! The seam between the loop and a model of the network.

use units::{Bytes, Time};

use crate::Error;
use crate::digest::Digest;
use crate::plan::FlowId;

/// What a network tells of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The last byte has left the sender.
    Drained(FlowId),
    /// The last byte has reached the receiver.
    Delivered(FlowId),
}

/// A model of the network: takes transfers, says when they have drained and arrived.
///
/// A flow carries one transfer at a time: it is started again only after its news
/// [`Drained`](News::Drained); deliveries of a flow come in the order of its starts.
/// Of a transfer that can no longer arrive there is no news: its agents wait for ever.
/// All calls of one instant carry the same `now`, and `now` never goes back.
pub trait Network {
    /// Takes a transfer of `bytes` on `flow`; a transfer of nothing ends like any other.
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error>;

    /// The instant of the next news, if any transfer is under way.
    fn next_time(&self) -> Option<Time>;

    /// The next piece of news due at `now`, or nothing when all of it is told.
    fn poll(&mut self, now: Time) -> Result<Option<News>, Error>;

    /// The instant is closed: nothing more starts at `now`.
    fn settle(&mut self, now: Time) -> Result<(), Error>;

    /// Tells some transfers, `most` of a kind or fewer, of which there will be news next, as far as that is
    /// known; what news of them will need is fetched from memory in advance. It changes nothing.
    fn look_ahead(&self, _most: usize, _tell: &mut dyn FnMut(FlowId)) {}
}

/// A network whose state can come back: it can be fingerprinted and moved in time.
pub trait Recurrent: Network {
    /// Adds the whole state, relative to `now`, to `digest`; two states with the same digest go on
    /// alike.
    fn digest(&self, now: Time, digest: &mut Digest);

    /// The next instant, after `now`, at which the network itself becomes another, whatever moves on it;
    /// a state that recurs before it need not recur after it.
    fn next_change(&self, now: Time) -> Option<Time>;

    /// Hears that `flow` has carried `bytes` in periods that are skipped.
    fn skip(&mut self, flow: FlowId, bytes: u128);

    /// Moves every pending instant later by the span from `now` to `then`.
    fn shift(&mut self, now: Time, then: Time) -> Result<(), Error>;
}

impl<N: Network> Network for &mut N {
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error> {
        (**self).start(now, flow, bytes)
    }

    fn next_time(&self) -> Option<Time> {
        (**self).next_time()
    }

    fn poll(&mut self, now: Time) -> Result<Option<News>, Error> {
        (**self).poll(now)
    }

    fn settle(&mut self, now: Time) -> Result<(), Error> {
        (**self).settle(now)
    }

    fn look_ahead(&self, most: usize, tell: &mut dyn FnMut(FlowId)) {
        (**self).look_ahead(most, tell);
    }
}

impl<N: Recurrent> Recurrent for &mut N {
    fn digest(&self, now: Time, digest: &mut Digest) {
        (**self).digest(now, digest);
    }

    fn next_change(&self, now: Time) -> Option<Time> {
        (**self).next_change(now)
    }

    fn skip(&mut self, flow: FlowId, bytes: u128) {
        (**self).skip(flow, bytes);
    }

    fn shift(&mut self, now: Time, then: Time) -> Result<(), Error> {
        (**self).shift(now, then)
    }
}
