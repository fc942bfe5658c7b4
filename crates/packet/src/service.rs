//! Classes of service: separate queues of one port, who goes first, and who may be stopped.

use units::Bytes;

use crate::arena::{Arena, Fifo};
use crate::packet::{NONE, Packet};
use crate::{Error, Marking};

/// The most classes of service: those of Ethernet's priorities. Source: IEEE 802.1Q, section 6.9.
pub const MOST_CLASSES: usize = 8;

/// A class of service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassOfService {
    /// When it is served.
    pub service: Service,
    /// How a full node stops its neighbours.
    pub backpressure: Backpressure,
    /// When its packets are marked.
    pub marking: ClassMarking,
}

impl ClassOfService {
    /// The only class, which nothing stops.
    pub const PLAIN: Self = Self {
        service: Service::Strict,
        backpressure: Backpressure::None,
        marking: ClassMarking::Common,
    };

    /// Whether the parts of the class fit each other and full packets of so many bytes.
    pub(crate) fn check(&self, full: u64) -> Result<(), Error> {
        match self.backpressure {
            Backpressure::Credits { buffer } if buffer.as_u64() < full => {
                return Err(Error::Unfit("the credits of a link cover a full packet"));
            }
            Backpressure::Pause { stop, go, .. } if go > stop => {
                return Err(Error::Unfit("a class resumes at no more than where it pauses"));
            }
            _ => {}
        }
        match self.marking {
            ClassMarking::Own(Some(marking)) => marking.check(),
            ClassMarking::Common | ClassMarking::Own(None) => Ok(()),
        }
    }
}

/// When the packets of a class are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassMarking {
    /// As [`Settings::marking`](crate::Settings::marking) says.
    Common,
    /// As the class says; `None` never.
    Own(Option<Marking>),
}

/// When a class is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Before all classes after it, and before all weighted ones.
    Strict,
    /// In turn with the other weighted classes, in proportion to its weight, 1 … 1,000 (deficit
    /// weighted round robin).
    ///
    /// Source: Shreedhar, Varghese: *Efficient Fair Queuing Using Deficit Round-Robin*, IEEE/ACM
    /// Transactions on Networking 4 (3), 1996.
    Weighted(u32),
}

/// How a node stops those that send to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backpressure {
    /// It does not.
    None,
    /// Priority flow control: when what came by one link and waits exceeds `stop`, that link's sender is
    /// paused; below `go` it is resumed.
    ///
    /// Source: IEEE 802.1Qbb-2011.
    Pause {
        /// Waiting bytes of one link and class beyond which its sender is paused.
        stop: Bytes,
        /// Waiting bytes below which it is resumed.
        go: Bytes,
        /// What may still come until the pause takes effect.
        headroom: Bytes,
    },
    /// Credits: a link's sender sends only what has room at the far end.
    ///
    /// Source: `InfiniBand` Architecture Specification volume 1, section 7.9.
    Credits {
        /// The room for one link and class at its far end.
        buffer: Bytes,
    },
}

impl Backpressure {
    /// Whether nothing of the class is ever dropped for want of room.
    pub const fn is_lossless(self) -> bool {
        !matches!(self, Self::None)
    }
}

/// The queues of one port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queues {
    waiting: [Fifo; MOST_CLASSES],
    /// Bytes that wait, by class.
    pub(crate) bytes: [u64; MOST_CLASSES],
    /// The classes that are paused, by bit.
    pub(crate) paused: u8,
    /// What may still be sent of classes with credits, in bytes.
    pub(crate) credits: [u64; MOST_CLASSES],
    /// What a weighted class may still send in its turn.
    deficit: [u64; MOST_CLASSES],
    /// The weighted class whose turn it is.
    turn: u8,
    /// Whether the link carries nothing for the time being.
    pub(crate) is_down: bool,
    /// Whether the port will look again when it is free.
    pub(crate) is_watched: bool,
    /// The most bytes that waited in all classes.
    pub(crate) most: u64,
    /// Since when some class is paused, in ps, and for how long one was before.
    pub(crate) paused_since: u64,
    pub(crate) paused_for: u64,
    /// Since when each class is paused that is, in ps.
    pub(crate) class_paused_since: [u64; MOST_CLASSES],
}

impl Queues {
    /// Nothing waits, and all credits are there.
    pub(crate) fn new(classes: &[ClassOfService]) -> Self {
        let mut credits = [0; MOST_CLASSES];
        for (credit, class) in credits.iter_mut().zip(classes) {
            if let Backpressure::Credits { buffer } = class.backpressure {
                *credit = buffer.as_u64();
            }
        }
        Self {
            waiting: [Fifo::EMPTY; MOST_CLASSES],
            bytes: [0; MOST_CLASSES],
            paused: 0,
            credits,
            deficit: [0; MOST_CLASSES],
            turn: 0,
            is_down: false,
            is_watched: false,
            most: 0,
            paused_since: 0,
            paused_for: 0,
            class_paused_since: [0; MOST_CLASSES],
        }
    }

    /// Puts a packet behind those of its class.
    pub(crate) fn push(&mut self, arena: &mut Arena, packet: &Packet) {
        let class = usize::from(packet.class);
        self.bytes[class] += u64::from(packet.bytes);
        let index = arena.insert(packet);
        self.waiting[class].push(arena, index);
        self.most = self.most.max(self.bytes.iter().sum());
    }

    /// The first waiting packet of a class, or [`NONE`].
    pub(crate) const fn first(&self, class: usize) -> u32 {
        self.waiting[class].head()
    }

    /// Whether any packet waits.
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting.iter().any(|waiting| waiting.head() != NONE)
    }

    /// The number of waiting packets; for checks.
    pub(crate) fn count(&self, arena: &Arena) -> u64 {
        self.waiting.iter().map(|waiting| waiting.count(arena)).sum()
    }

    /// Takes off all packets, the most urgent class first, each class in its order.
    pub(crate) fn drain(&mut self, arena: &mut Arena) -> Vec<Packet> {
        let mut all = Vec::new();
        for (waiting, bytes) in self.waiting.iter_mut().zip(&mut self.bytes) {
            while waiting.head() != NONE {
                let index = waiting.pop(arena);
                all.push(arena.remove(index));
            }
            *bytes = 0;
        }
        all
    }

    /// The first packets of all classes.
    pub(crate) fn heads(&self) -> impl Iterator<Item = u32> {
        self.waiting.iter().map(|waiting| waiting.head())
    }

    /// Takes off the packet that goes next, if any may; `quantum` is at least a full packet.
    pub(crate) fn next(
        &mut self,
        arena: &Arena,
        classes: &[ClassOfService],
        quantum: u64,
    ) -> Option<u32> {
        let is_strict = |class: &usize| classes[*class].service == Service::Strict;
        let mut strict = (0..classes.len()).filter(is_strict);
        let class = match strict.find(|&class| self.may_send(arena, class, classes)) {
            Some(class) => class,
            None => self.weighted(arena, classes, quantum)?,
        };
        let index = self.waiting[class].pop(arena);
        let bytes = u64::from(arena[index].bytes);
        self.bytes[class] -= bytes;
        if let Backpressure::Credits { .. } = classes[class].backpressure {
            self.credits[class] -= bytes;
        }
        Some(index)
    }

    /// Whether a class has a packet that nothing stops.
    pub(crate) fn may_send(&self, arena: &Arena, class: usize, classes: &[ClassOfService]) -> bool {
        let first = self.first(class);
        if first == NONE || self.paused & (1 << class) != 0 {
            return false;
        }
        match classes[class].backpressure {
            Backpressure::Credits { .. } => self.credits[class] >= u64::from(arena[first].bytes),
            _ => true,
        }
    }

    /// The weighted class whose turn it is.
    fn weighted(
        &mut self,
        arena: &Arena,
        classes: &[ClassOfService],
        quantum: u64,
    ) -> Option<usize> {
        // The quantum covers any packet, so one round finds a class that may send, and the second
        // comes back to the one at which the first began.
        for _ in 0..=2 * classes.len() {
            let class = usize::from(self.turn) % classes.len();
            if let Service::Weighted(weight) = classes[class].service
                && self.may_send(arena, class, classes)
            {
                let bytes = u64::from(arena[self.first(class)].bytes);
                if self.deficit[class] >= bytes {
                    self.deficit[class] -= bytes;
                    return Some(class);
                }
                self.turn = (class as u8 + 1) % classes.len() as u8;
                self.deficit[class] += quantum * u64::from(weight);
            } else {
                // A class that has nothing to send keeps nothing for later.
                self.deficit[class] = 0;
                self.turn = (class as u8 + 1) % classes.len() as u8;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(services: [Service; 3]) -> Vec<ClassOfService> {
        let class = |service| ClassOfService { service, ..ClassOfService::PLAIN };
        services.map(class).to_vec()
    }

    /// The classes of the first packets to go, with 40 of 1,000 B waiting in each class.
    fn order(classes: &[ClassOfService], count: usize) -> Vec<u8> {
        let mut arena = Arena::new();
        let mut queues = Queues::new(classes);
        for _ in 0..40 {
            for class in 0..3 {
                let packet = Packet { bytes: 1_000, class, ..Packet::default() };
                queues.push(&mut arena, &packet);
            }
        }
        let mut next = || queues.next(&arena, classes, 1_000).expect("all classes wait");
        (0..count).map(|_| next()).map(|index| arena[index].class).collect()
    }

    #[test]
    fn strict_goes_first_and_weights_divide_the_rest() {
        let classes = classes([Service::Weighted(3), Service::Strict, Service::Weighted(1)]);
        let order = order(&classes, 80);
        assert!(order[..40].iter().all(|&class| class == 1), "the strict class is emptied first");
        // Of the next 40 packets, one of four is of the class with a quarter of the weight.
        let light: u32 = order[40..].iter().map(|&class| u32::from(class == 2)).sum();
        assert_eq!(light, 10);
    }
}
