//! From the checked fields of packets to the settings of the packet engine.

mod custom;
mod links;

use fluid::Scheme;
use packet::{
    Backpressure, ClassOfService, Error, Frame, Recovery, Routing, Settings, Transport, Window,
};
use units::{Bytes, Duration};

use self::custom::Custom;
pub(crate) use self::links::Links;
use crate::Purpose;
use crate::fabric::Paths;
use crate::keys::Keys;
use crate::value::Value;

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

impl Packets {
    /// What `value` describes.
    pub(crate) fn new(value: &Value) -> Self {
        match value.form() {
            ("ideal", _) => Self::Ideal,
            ("rocev2_pfc_dcqcn", _) => Self::PfcDcqcn,
            ("rocev2_lossy", _) => Self::Lossy,
            ("infiniband", _) => Self::InfiniBand,
            ("supernode_llr", _) => Self::LinkRetry,
            (_, fields) => Self::Custom(Box::new(Custom::new(fields.expect("custom has fields")))),
        }
    }

    /// How many classes of service there are.
    pub(crate) fn classes(&self) -> usize {
        match self {
            Self::Custom(custom) => custom.classes().max(1),
            _ => 1,
        }
    }

    /// Whether sprayed packets take the next hops in turn.
    pub(crate) fn take_turns(&self) -> bool {
        !matches!(self, Self::Custom(custom) if custom.spray() != Routing::InTurn)
    }

    /// Refuses what fits no fabric.
    pub(crate) fn check(&self, paths: Paths) -> Result<(), Error> {
        let links = Links::SLOWEST;
        self.settings(links, paths, Keys::new(0)).check()
    }

    /// Refuses what fits no fabric that loses packets.
    pub(crate) fn check_recovery(
        &self,
        paths: Paths,
        recovery: fluid::Recovery,
    ) -> Result<(), Error> {
        recovering(self.settings(Links::SLOWEST, paths, Keys::new(0)), recovery).check()
    }

    /// The settings on a fabric.
    pub(crate) fn settings(&self, links: Links, paths: Paths, keys: Keys) -> Settings {
        let frame = Frame { header: 0, ..Frame::STANDARD };
        let routing = match (paths, self) {
            (Paths::Ecmp { flows }, _) => {
                Routing::PerFlow { flows, key: keys.key(Purpose::Ecmp, 0) }
            }
            (Paths::Spray, Self::Custom(custom)) => custom.spray(),
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
            Self::Custom(custom) => custom.settings(links, settings),
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
    vec![ClassOfService { backpressure, ..ClassOfService::PLAIN }]
}

fn credits(buffer: Bytes) -> Vec<ClassOfService> {
    class(Backpressure::Credits { buffer })
}
