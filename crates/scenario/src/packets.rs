//! From the checked fields of packets to the settings of the packet engine.

use fluid::Scheme;
use packet::{
    Backpressure, ClassOfService, Dcqcn, Error, Forwarding, Frame, Marking, Pacing, Recovery,
    Routing, Service, Settings, Transport, Window,
};
use topology::Fabric;
use units::{Bandwidth, Bytes, Duration};

use crate::Purpose;
use crate::fabric::Paths;
use crate::keys::Keys;
use crate::value::{Fields, Value};

/// The size of a pause frame, and what a link's buffer holds beside what is on its way.
const PAUSE_FRAME: u64 = 64;
const SPARE_PACKETS: u64 = 32;

/// How the packets of a fabric behave.
#[derive(Clone, Debug)]
pub(crate) enum Packets {
    Ideal,
    PfcDcqcn,
    Lossy,
    InfiniBand,
    LinkRetry,
    Custom(Box<Custom>),
}

/// Sizes and queues as given.
#[derive(Clone, Debug)]
pub(crate) struct Custom {
    frame: Frame,
    acknowledge_every: u32,
    window: Option<u32>,
    forwarding: Forwarding,
    spray: Routing,
    credits: Option<Bytes>,
}

impl Packets {
    /// What `value` describes.
    pub(crate) fn new(value: &Value) -> Self {
        match value.form() {
            ("ideal", _) => Self::Ideal,
            ("rocev2_pfc_dcqcn", _) => Self::PfcDcqcn,
            ("rocev2_lossy", _) => Self::Lossy,
            ("infiniband", _) => Self::InfiniBand,
            ("supernode_llr", _) => Self::LinkRetry,
            (_, fields) => Self::Custom(Box::new(custom(fields.expect("custom has fields")))),
        }
    }

    /// Whether sprayed packets take the next hops in turn.
    pub(crate) fn take_turns(&self) -> bool {
        !matches!(self, Self::Custom(custom) if custom.spray != Routing::InTurn)
    }

    /// Refuses what fits no fabric.
    pub(crate) fn check(&self, paths: Paths) -> Result<(), Error> {
        let links = Links { rate: 8_000, latency: 0 };
        self.settings(links, paths, Keys::new(0)).check()
    }

    /// The settings on a fabric.
    pub(crate) fn settings(&self, links: Links, paths: Paths, keys: Keys) -> Settings {
        let frame = Frame { header: 0, ..Frame::STANDARD };
        let routing = match (paths, self) {
            (Paths::Ecmp { flows }, _) => {
                Routing::PerFlow { flows, key: keys.key(Purpose::Ecmp, 0) }
            }
            (Paths::Spray, Self::Custom(custom)) => custom.spray,
            (Paths::Spray, _) => Routing::InTurn,
        };
        let seed = keys.key(Purpose::Packets, 0);
        let settings = Settings { frame, routing, seed, ..Settings::IDEAL };
        match self {
            Self::Ideal => settings,
            Self::PfcDcqcn => links.pfc_dcqcn(settings),
            Self::Lossy => links.lossy(settings),
            Self::InfiniBand => Settings { classes: credits(links.room(frame)), ..settings },
            Self::LinkRetry => {
                let classes = credits(links.room(frame));
                let transport = Transport::Selective {
                    window: Window::BandwidthDelay { times: 2 },
                    recovery: RECOVERY,
                    reordering: reordering(routing),
                };
                Settings { transport, classes, link_retries: LINK_RETRIES, ..settings }
            }
            Self::Custom(custom) => custom.settings(settings),
        }
    }
}

/// The settings where links lose packets: a transport that repeats nothing gives way to the recovery
/// of the fabric, packets of its own size.
pub(crate) fn recovering(settings: Settings, recovery: fluid::Recovery) -> Settings {
    let Transport::Ideal { window: own } = settings.transport else { return settings };
    let payload = u64::from(settings.frame.payload);
    let timeouts = Recovery { timeout: recovery.timeout, back_off: 1, retries: recovery.retries };
    let bounded = |window: Bytes| match u32::try_from(window.as_u64() / payload) {
        Ok(packets) if packets < u32::MAX / 4 => Window::Packets(packets.max(1)),
        _ => own,
    };
    let reordering = reordering(settings.routing);
    match recovery.scheme {
        Scheme::GoBackN { window } => {
            let window = bounded(window);
            let transport = Transport::GoBackN { window, recovery: timeouts };
            Settings { transport, acknowledge_every: 1, ..settings }
        }
        Scheme::SelectiveRepeat { window } => {
            let window = bounded(window);
            let transport = Transport::Selective { window, recovery: timeouts, reordering };
            Settings { transport, acknowledge_every: 1, ..settings }
        }
        Scheme::LinkRetry => {
            let transport = Transport::Selective { window: own, recovery: RECOVERY, reordering };
            Settings { transport, link_retries: recovery.retries, ..settings }
        }
    }
}

/// How often a link repeats a packet before it counts as lost: an assumption, beyond any loss rate at
/// which a link is kept in service.
const LINK_RETRIES: u32 = 16;

/// The fastest and the longest links of a fabric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Links {
    /// What payload may use of the fastest, in milli-bit/s.
    rate: u64,
    /// The longest latency in ps.
    latency: u64,
}

impl Links {
    /// Those of `fabric`.
    pub(crate) fn of(fabric: &Fabric) -> Self {
        let links = fabric.links().iter();
        let rate = links.clone().map(|link| link.goodput.as_milli_bits_per_second()).max();
        let latency = links.map(|link| link.latency.as_picos()).max();
        Self { rate: rate.unwrap_or(8_000).max(8_000), latency: latency.unwrap_or_default() }
    }

    /// Bytes that arrive in so many ps, rounded up.
    fn bytes(self, picos: u64) -> u64 {
        let work = u128::from(picos) * u128::from(self.rate);
        u64::try_from(work.div_ceil(Bytes::new(1).as_work())).unwrap_or(u64::MAX / 4)
    }

    /// What is on its way until a pause takes effect: twice the delay and a pause frame, and two packets.
    fn headroom(self, frame: Frame) -> u64 {
        let rate = Bandwidth::from_milli_bits_per_second(self.rate);
        let pause = rate.time_for(Bytes::new(PAUSE_FRAME)).unwrap_or_default();
        let picos = (2 * self.latency).saturating_add(pause.as_picos());
        self.bytes(picos) + 2 * full(frame)
    }

    /// The room that keeps a link busy.
    fn room(self, frame: Frame) -> Bytes {
        Bytes::new(self.headroom(frame) + SPARE_PACKETS * full(frame))
    }

    /// Marks from 4 kB for each Gb/s on, all of them from 16 kB on, 20 % just below.
    ///
    /// Source: `simulation/mix/config.txt` of High-Precision-Congestion-Control: 100, 200 and 400 KB
    /// at 25, 50 and 100 Gb/s, four times that for the most, `PMAX` 0.2.
    fn marking(self, frame: Frame) -> Marking {
        let gigabits = self.rate / 1_000_000_000_000;
        let least = (4_000 * gigabits).max(8 * full(frame));
        Marking { least: Bytes::new(least), most: Bytes::new(4 * least), most_ppm: 200_000 }
    }

    fn pfc_dcqcn(self, settings: Settings) -> Settings {
        let marking = self.marking(settings.frame);
        // Pauses are the last resort, where all packets are marked already: an assumption.
        let stop = marking.most;
        let go = Bytes::new(stop.as_u64() - 2 * full(settings.frame));
        let headroom = Bytes::new(self.headroom(settings.frame));
        let window = Window::BandwidthDelay { times: 2 };
        Settings {
            transport: Transport::GoBackN { window, recovery: RECOVERY },
            classes: class(Backpressure::Pause { stop, go, headroom }),
            marking: Some(marking),
            pacing: Pacing::Dcqcn(Dcqcn::PAPER),
            ..settings
        }
    }

    fn lossy(self, settings: Settings) -> Settings {
        let marking = self.marking(settings.frame);
        let reordering = reordering(settings.routing);
        let window = Window::BandwidthDelay { times: 2 };
        Settings {
            transport: Transport::Selective { window, recovery: RECOVERY, reordering },
            // A queue holds twice what marks every packet: an assumption.
            buffer: Some(Bytes::new(2 * marking.most.as_u64())),
            marking: Some(marking),
            pacing: Pacing::Dcqcn(Dcqcn::PAPER),
            ..settings
        }
    }
}

/// A timeout of 1 ms, doubled each time, seven retries: the retry count is the largest that `InfiniBand`
/// can tell (3 bits), the timeout an assumption between the round trip and seconds.
const RECOVERY: Recovery =
    Recovery { timeout: Duration::from_micros(1_000), back_off: 2, retries: 7 };

/// By how many packets sprayed packets may be overtaken before they count as lost: an assumption.
const SPRAYED_REORDERING: u32 = 256;

/// By how many packets others may overtake one before it counts as lost.
const fn reordering(routing: Routing) -> u32 {
    match routing {
        Routing::PerFlow { .. } => 1,
        _ => SPRAYED_REORDERING,
    }
}

fn full(frame: Frame) -> u64 {
    u64::from(frame.payload) + u64::from(frame.header)
}

fn class(backpressure: Backpressure) -> Vec<ClassOfService> {
    vec![ClassOfService { service: Service::Strict, backpressure }]
}

fn credits(buffer: Bytes) -> Vec<ClassOfService> {
    class(Backpressure::Credits { buffer })
}

fn custom(fields: &Fields) -> Custom {
    let bytes = |name| u32::try_from(fields.size(name).as_u64()).unwrap_or(u32::MAX);
    Custom {
        frame: Frame {
            payload: bytes("payload"),
            header: bytes("header"),
            control: bytes("control"),
        },
        acknowledge_every: fields.count32("acknowledge_every"),
        window: fields.count32_if_given("window"),
        forwarding: match fields.form("forwarding").0 {
            "cut_through" => Forwarding::CutThrough,
            _ => Forwarding::StoreAndForward,
        },
        spray: match fields.form("spray").0 {
            "at_random" => Routing::AtRandom,
            "shortest_queue" => Routing::ShortestQueue,
            _ => Routing::InTurn,
        },
        credits: fields.size_if_given("credits"),
    }
}

impl Custom {
    fn settings(&self, settings: Settings) -> Settings {
        let window = match self.window {
            Some(packets) => Window::Packets(packets),
            None => Window::BandwidthDelay { times: 2 },
        };
        Settings {
            frame: self.frame,
            forwarding: self.forwarding,
            transport: Transport::Ideal { window },
            acknowledge_every: self.acknowledge_every,
            classes: self.credits.map(credits).unwrap_or_default(),
            ..settings
        }
    }
}
