//! The two ends of a connection, which carries the messages of one flow of the plan.

use std::collections::VecDeque;

use engine::{FlowId, News};
use topology::CardId;
use units::{Bytes, Time};

use super::PacketNetwork;
use super::way::Way;
use crate::packet::NONE;
use crate::routes::SetId;
use crate::transport::{Inbox, Pace, Patience, Sender};
use crate::{Error, Pacing, Window};

/// Who is to be connected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// The sender.
    pub(crate) src: CardId,
    /// The receiver.
    pub(crate) dst: CardId,
    /// The key by which hashes and draws know the connection.
    pub(crate) key: u64,
    /// The key of what comes back.
    pub(crate) back_key: u64,
    /// The class of its data.
    pub(crate) class: u8,
}

/// A message in the stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    /// Its first packet.
    pub(super) first: u32,
    /// The packet after its last.
    pub(super) end: u32,
    /// Its payload.
    pub(super) bytes: u64,
}

/// The sending side.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says whether an event of its own is pending"
)]
pub(super) struct Connection {
    pub(super) way: Way,
    /// The card that sends.
    pub(super) src: u32,
    pub(super) sender: Sender,
    pub(super) patience: Option<Patience>,
    /// Whether a timer is pending.
    pub(super) has_timer: bool,
    /// Whether the retry limit was reached.
    pub(super) has_given_up: bool,
    /// Since when there is no way, in ps.
    pub(super) cut_since: Option<u64>,
    /// Messages of which something is not acknowledged.
    pub(super) messages: VecDeque<Message>,
    /// The latest message, and the packet after the oldest one in `messages`.
    latest: Message,
    oldest_end: u32,
    /// The packet after the last message.
    pub(super) end: u32,
    /// Packets sent so far, those sent again included.
    pub(super) number: u32,
    /// Whether it waits for an outlet; then the key of its next packet from there, and who is next.
    pub(super) is_ready: bool,
    pub(super) class: u8,
    /// Its rate, if marks bring it down, and whether it waits for it.
    pub(super) pace: Option<Box<Pace>>,
    pub(super) has_pace_timer: bool,
    pub(super) packet_key: u64,
    pub(super) next_ready: u32,
    pub(super) times: TransferTimes,
}

/// The receiving side.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    pub(super) back: Way,
    /// The card that receives.
    pub(super) card: u32,
    pub(super) inbox: Inbox,
    /// The packets after the last ones of messages not yet delivered, and when these were started, in ps.
    pub(super) ends: VecDeque<(u32, u64)>,
    /// The first of these packets; without any, none that is ever sent.
    awaited: u32,
    /// Packets that came and are not acknowledged.
    pub(super) silent: u32,
    /// One acknowledgement for so many.
    pub(super) acknowledge_every: u32,
    /// Control packets sent.
    pub(super) number: u32,
    /// When the sender was last told of marks.
    pub(super) notified: Option<u64>,
}

/// The instants of a flow's messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferTimes {
    /// When the latest message was started.
    pub started: Time,
    /// When the latest message was delivered.
    pub delivered: Option<Time>,
    /// When the sender last heard of something new.
    pub acknowledged: Option<Time>,
}

/// A connection that reached its retry limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// The flow of the plan.
    pub flow: u32,
    /// When.
    pub at: Time,
    /// Packets known to have come.
    pub acknowledged: u32,
    /// Packets that were to be sent.
    pub packets: u32,
}

impl PacketNetwork<'_> {
    /// Adds the connection of the next flow.
    ///
    /// Without a way it waits for one if routes change during the run.
    pub(super) fn connect(&mut self, call: &Call) -> Result<(), Error> {
        let Call { src, dst, key, back_key, class } = *call;
        // Without classes of service all share one queue.
        let class = if self.shared.settings.classes.is_empty() { 0 } else { class };
        let ways = self.shared.routes.ports(src, dst).and_then(|there| {
            let back = self.shared.routes.ports(dst, src)?;
            Ok((there, back))
        });
        let is_cut = ways.is_err() && self.will_reroute();
        let (ports, back_ports) = if is_cut { (SetId::NONE, SetId::NONE) } else { ways? };
        let way = Way { ports, row: self.shared.routes.row(src, dst), dst: dst.0, key };
        let back = Way {
            ports: back_ports,
            row: self.shared.routes.row(dst, src),
            dst: src.0,
            key: back_key,
        };
        self.connections.push(Connection {
            way,
            src: src.0,
            sender: Sender::new(&self.shared.settings.transport, 1),
            patience: self.shared.settings.transport.recovery().map(Patience::new),
            has_timer: false,
            has_given_up: false,
            cut_since: is_cut.then_some(0),
            messages: VecDeque::new(),
            latest: Message { first: 0, end: 0, bytes: 0 },
            oldest_end: u32::MAX,
            end: 0,
            number: 0,
            is_ready: false,
            class,
            pace: None,
            has_pace_timer: false,
            packet_key: 0,
            next_ready: NONE,
            times: TransferTimes::default(),
        });
        self.receivers.push(Receiver {
            back,
            card: dst.0,
            inbox: Inbox::new(&self.shared.settings.transport),
            ends: VecDeque::new(),
            awaited: u32::MAX,
            silent: 0,
            acknowledge_every: 1,
            number: 0,
            notified: None,
        });
        if !is_cut {
            self.open(self.connections.len() as u32 - 1);
        }
        Ok(())
    }

    /// Fits window and pace of a connection that has sent nothing to its way.
    pub(super) fn open(&mut self, flow: u32) {
        let (way, back) = (self.connections[flow as usize].way, self.receivers[flow as usize].back);
        let every = self.shared.settings.acknowledge_every;
        let window = match self.shared.settings.transport.window() {
            Window::Packets(packets) => packets.max(1),
            Window::BandwidthDelay { times } => {
                let packets = self.bandwidth_delay(&way, &back).saturating_mul(times.max(1).into());
                u32::try_from(packets).unwrap_or(u32::MAX / 4).saturating_add(every)
            }
        };
        let pace = match self.shared.settings.pacing {
            Pacing::LineRate => None,
            Pacing::Dcqcn(parameters) => {
                Some(Box::new(Pace::new(parameters, self.fastest(way.ports))))
            }
        };
        let connection = &mut self.connections[flow as usize];
        connection.sender = Sender::new(&self.shared.settings.transport, window);
        connection.pace = pace;
        self.receivers[flow as usize].acknowledge_every = every.min(window / 2).max(1);
    }

    /// A message is to be sent.
    pub(super) fn call(&mut self, now: u64, flow: u32, bytes: Bytes) {
        let packets = self.shared.settings.frame.packets(bytes.as_u64());
        let connection = &mut self.connections[flow as usize];
        let first = connection.end;
        // The listing refuses flows of more packets than can be numbered.
        let end = first + u32::try_from(packets).expect("packets are counted before the run");
        connection.end = end;
        connection.latest = Message { first, end, bytes: bytes.as_u64() };
        if connection.messages.is_empty() {
            connection.oldest_end = end;
        }
        connection.messages.push_back(connection.latest);
        connection.times.started = Time::from_picos(now);
        let receiver = &mut self.receivers[flow as usize];
        receiver.awaited = receiver.awaited.min(end);
        receiver.ends.push_back((end, now));
        self.keep_watch(now);
        self.wake(now, flow);
    }

    /// Tells of messages of which everything has come; says whether there were any.
    pub(super) fn deliver(&mut self, now: u64, flow: u32) -> bool {
        let receiver = &mut self.receivers[flow as usize];
        if receiver.inbox.expected() < receiver.awaited {
            return false;
        }
        let mut is_complete = false;
        while let Some(&(end, started)) = receiver.ends.front()
            && end <= receiver.inbox.expected()
        {
            receiver.ends.pop_front();
            is_complete = true;
            self.took.add(now - started);
            self.news.push_back(News::Delivered(FlowId(flow)));
        }
        let receiver = &mut self.receivers[flow as usize];
        receiver.awaited = receiver.ends.front().map_or(u32::MAX, |&(end, _)| end);
        if is_complete {
            self.connections[flow as usize].times.delivered = Some(Time::from_picos(now));
        }
        is_complete
    }

    /// The retry limit of a connection is reached: it sends nothing more.
    pub(super) fn give_up(&mut self, now: u64, flow: u32) {
        let connection = &mut self.connections[flow as usize];
        connection.has_given_up = true;
        self.given_up.push(GivenUp {
            flow,
            at: Time::from_picos(now),
            acknowledged: connection.sender.acknowledged(),
            packets: connection.end,
        });
    }

    /// The instants of a flow's messages.
    pub fn transfer_times(&self, flow: FlowId) -> TransferTimes {
        self.connections[flow.index()].times
    }

    /// The connections that reached their retry limit, in that order.
    pub fn given_up(&self) -> &[GivenUp] {
        &self.given_up
    }
}

impl Connection {
    /// The payload of a packet.
    pub(super) fn payload(&self, sequence: u32, most: u32) -> u32 {
        let message = self.message_of(sequence);
        if sequence + 1 < message.end {
            return most;
        }
        let before = u64::from(message.end - 1 - message.first) * u64::from(most);
        (message.bytes - before) as u32
    }

    /// Whether a packet is the last of its message.
    pub(super) fn ends_message(&self, sequence: u32) -> bool {
        self.message_of(sequence).end == sequence + 1
    }

    /// The message of a packet.
    fn message_of(&self, sequence: u32) -> Message {
        if self.latest.first <= sequence {
            return self.latest;
        }
        let message = self.messages.iter().rev().find(|message| message.first <= sequence);
        *message.expect("what is sent belongs to a message")
    }

    /// Forgets messages of which everything is acknowledged.
    pub(super) fn forget(&mut self) {
        let acknowledged = self.sender.acknowledged();
        if acknowledged < self.oldest_end {
            return;
        }
        while self.messages.front().is_some_and(|message| message.end <= acknowledged) {
            self.messages.pop_front();
        }
        self.oldest_end = self.messages.front().map_or(u32::MAX, |message| message.end);
    }

    /// Whether something is sent and not acknowledged.
    pub(super) fn is_waiting(&self) -> bool {
        self.sender.acknowledged() < self.sender.sent()
    }
}
