//! How packets are cut, queued, routed and lost.

use topology::{CardId, LinkId};
use units::{Bytes, Duration, Ratio};

use crate::{ClassMarking, ClassOfService, Dcqcn, Error, Frame, MOST_CLASSES, Transport};

/// The model of the packets; one for all of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The sizes of packets.
    pub frame: Frame,
    /// When a switch sends a packet on.
    pub forwarding: Forwarding,
    /// How packets choose among equally short paths.
    pub routing: Routing,
    /// How senders and receivers behave.
    pub transport: Transport,
    /// One acknowledgement for so many packets that come in order, at least 1, and at the end of each
    /// message; never more than half a window.
    pub acknowledge_every: u32,
    /// What the queues of switches hold.
    pub buffer: Buffer,
    /// The classes of service, the most urgent first, at most [`MOST_CLASSES`]. Without any, all
    /// packets share one queue that nothing stops.
    pub classes: Vec<ClassOfService>,
    /// How data is slowed down when packets are marked.
    pub pacing: Pacing,
    /// How often a link repeats what it loses before that counts as lost: 0 if it repeats nothing.
    pub link_retries: u32,
    /// When packets are marked of classes that do not say so themselves; `None` never.
    pub marking: Option<Marking>,
    /// What the wires lose.
    pub loss: Loss,
    /// Single packets that are lost, by the cards between which they go.
    pub dropped: Vec<CardDrop>,
    /// The key of every draw.
    pub seed: u64,
}

impl Settings {
    /// Nothing is lost, queues have no end, and packets are sprayed in turn.
    pub const IDEAL: Self = Self {
        frame: Frame::STANDARD,
        forwarding: Forwarding::StoreAndForward,
        routing: Routing::InTurn,
        transport: Transport::Ideal { window: crate::Window::BandwidthDelay { times: 2 } },
        acknowledge_every: 16,
        buffer: Buffer::Endless,
        classes: Vec::new(),
        pacing: Pacing::LineRate,
        link_retries: 0,
        marking: None,
        loss: Loss::NONE,
        dropped: Vec::new(),
        seed: 0,
    };

    /// Whether the settings fit each other.
    ///
    /// # Errors
    /// [`Error::Frame`] and [`Error::Unfit`].
    pub fn check(&self) -> Result<(), Error> {
        let Frame { payload, header, control } = self.frame;
        let fits = (1..=65_536).contains(&payload) && header <= 4_096 && control <= 4_096;
        if !fits {
            return Err(Error::Frame { payload, header, control });
        }
        let may_lose =
            self.buffer != Buffer::Endless || !self.loss.is_none() || !self.dropped.is_empty();
        if self.classes.len() > MOST_CLASSES {
            return Err(Error::Unfit("there are at most eight classes of service"));
        }
        if matches!(self.transport, Transport::Ideal { .. }) && may_lose {
            return Err(Error::Unfit(
                "the ideal window repeats nothing: it needs endless queues and no loss",
            ));
        }
        if matches!(self.routing, Routing::Labels { count: 0 }) {
            return Err(Error::Unfit("a flow has at least one label"));
        }
        let keeps_order = matches!(self.routing, Routing::PerFlow { .. });
        if matches!(self.transport, Transport::GoBackN { .. }) && !keeps_order {
            return Err(Error::Unfit(
                "go-back-N takes packets that overtake each other for lost: it needs one path per flow",
            ));
        }
        let full = u64::from(self.frame.full());
        self.classes.iter().try_for_each(|class| class.check(full))?;
        if let Pacing::Dcqcn(Dcqcn { alpha_timer, rate_timer, .. }) = self.pacing
            && (alpha_timer == Duration::ZERO || rate_timer == Duration::ZERO)
        {
            return Err(Error::Unfit("the timers of DCQCN take longer than nothing"));
        }
        if self.transport.recovery().is_some_and(|it| it.timeout == Duration::ZERO) {
            return Err(Error::Unfit("a timeout takes longer than nothing"));
        }
        if self.acknowledge_every == 0 {
            return Err(Error::Unfit("an acknowledgement stands for at least one packet"));
        }
        if let Buffer::PerQueue(size) | Buffer::Shared { size, .. } = self.buffer
            && size.as_u64() < full
        {
            return Err(Error::Unfit("a buffer holds at least one full packet"));
        }
        self.marking.map_or(Ok(()), Marking::check)
    }

    /// When packets of each class are marked; of the one queue where there are no classes.
    pub(crate) fn markings(&self) -> Vec<Option<Marking>> {
        let own = self.classes.iter().map(|class| match class.marking {
            ClassMarking::Common => self.marking,
            ClassMarking::Own(marking) => marking,
        });
        if self.classes.is_empty() { vec![self.marking] } else { own.collect() }
    }
}

/// What the queues of switches hold beyond what lossless classes have for themselves; what finds no room is
/// dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// Everything.
    Endless,
    /// So much in each class of each port, the packet that is leaving included.
    PerQueue(Bytes),
    /// So much in a whole switch, shared by dynamic thresholds: a queue takes a packet while it is
    /// shorter than `alpha` times what is free. A packet that is leaving takes no room any more.
    ///
    /// Source: Choudhury, Hahne: *Dynamic Queue Length Thresholds for Shared-Memory Packet Switches*,
    /// IEEE/ACM Transactions on Networking 6 (2), 1998, section III.
    Shared {
        /// The buffer of a switch.
        size: Bytes,
        /// The threshold over what is free.
        alpha: Ratio,
    },
}

/// How fast senders send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// As fast as their link and their window allow.
    LineRate,
    /// At a rate that marks on the way bring down.
    Dcqcn(Dcqcn),
}

/// When a switch sends a packet on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarding {
    /// When its last bit has come.
    StoreAndForward,
    /// When its header has come, if the way out is free.
    CutThrough,
}

/// How packets choose among equally short paths; inside a supernode they are always sprayed in turn,
/// unless the choice is one per flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// One path for all packets of a flow, picked by a keyed hash at every node (ECMP), the same as
    /// [`topology::Router::hashed`] picks.
    PerFlow {
        /// The flows into which a transfer is cut outside a supernode, at least 1.
        flows: u32,
        /// The key of the hash.
        key: u64,
    },
    /// At every node the packets of a flow take the next hops in turn, in proportion to their rates.
    InTurn,
    /// At every node each packet draws a next hop, in proportion to their rates.
    AtRandom,
    /// The packets of a flow carry so many labels in turn, at least 1; at every node a label draws a next
    /// hop, always the same.
    ///
    /// Source: spraying over entropy values, as in EQDS and NDP of csg-htsim (`ecmp_host`).
    Labels {
        /// The labels of a flow.
        count: u32,
    },
    /// At every node a packet takes the next hop with the shortest queue, in turn among equals.
    ShortestQueue,
}

/// Marking of packets in long queues (explicit congestion notification).
///
/// Below `least` none is marked, from `most` on all are; between them the probability grows in
/// proportion up to `most_ppm`. Source: Floyd, Jacobson: *Random Early Detection Gateways for
/// Congestion Avoidance*, IEEE/ACM Transactions on Networking 1 (4), 1993, on the present length of
/// the queue; Zhu et al.: *Congestion Control for Large-Scale RDMA Deployments*, SIGCOMM 2015, figure 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marking {
    /// No packet is marked that finds a shorter queue.
    pub least: Bytes,
    /// Every packet is marked that finds a longer queue.
    pub most: Bytes,
    /// The probability just below `most`, in parts per million.
    pub most_ppm: u32,
}

impl Marking {
    /// Whether its bounds are in order.
    pub(crate) fn check(self) -> Result<(), Error> {
        if self.least > self.most {
            return Err(Error::Unfit(
                "marking begins at a queue no longer than where it is certain",
            ));
        }
        Ok(())
    }
}

/// What the wires lose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// How likely each link loses a packet.
    pub rates: Vec<LossRate>,
    /// Single packets that are lost.
    pub listed: Vec<Drop>,
}

impl Loss {
    /// Nothing is lost.
    pub const NONE: Self = Self { rates: Vec::new(), listed: Vec::new() };

    /// Whether nothing can be lost.
    pub fn is_none(&self) -> bool {
        self.rates.iter().all(|rate| rate.per_billion == 0) && self.listed.is_empty()
    }
}

/// How likely a link loses a packet, whatever its size and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossRate {
    /// The link, in this direction only.
    pub link: LinkId,
    /// Packets lost of a billion, at most a billion.
    pub per_billion: u32,
}

/// A data packet that a link loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drop {
    /// The link.
    pub link: LinkId,
    /// The flow, by its place in the plan.
    pub flow: u32,
    /// The packet, counted from 0 over all messages of the flow.
    pub sequence: u32,
    /// Which sending of it, counted from 0.
    pub attempt: u8,
}

/// A data packet that a link loses, of every flow from one card to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CardDrop {
    /// The sender.
    pub src: CardId,
    /// The receiver.
    pub dst: CardId,
    /// The link.
    pub link: LinkId,
    /// The packet, counted from 0 over all messages of a flow.
    pub sequence: u32,
    /// Which sending of it, counted from 0.
    pub attempt: u8,
}

/// How long a sender waits, and how often it tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// How long nothing is acknowledged before everything unacknowledged counts as lost.
    pub timeout: Duration,
    /// By what the timeout is multiplied after each one in a row, at least 1.
    pub back_off: u32,
    /// How many timeouts in a row a connection bears before it gives up.
    pub retries: u32,
}
