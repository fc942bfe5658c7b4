//! Packets whose transport, queues and classes are given one by one.

use packet::{
    Backpressure, Buffer, ClassMarking, ClassOfService, Dcqcn, Forwarding, Frame, Marking, Pacing,
    Recovery, Routing, Service, Settings, Transport, Window,
};
use units::Bytes;

use super::links::Links;
use super::{full, reordering};
use crate::value::{Fields, Value};

/// Sizes, transport, queues and classes as given.
#[derive(Clone, Debug)]
pub(crate) struct Custom {
    frame: Frame,
    acknowledge_every: u32,
    window: Window,
    repeats: Repeats,
    pacing: Pacing,
    forwarding: Forwarding,
    spray: Routing,
    buffer: Buffer,
    marking: Option<Marking>,
    classes: Vec<Class>,
    link_retries: u32,
}

/// What is sent again, and when.
#[derive(Clone, Copy, Debug)]
enum Repeats {
    Nothing,
    GoBackN(Recovery),
    Selective { recovery: Recovery, reordering: Option<u32> },
}

/// A class of service, what follows from the fabric left open.
#[derive(Clone, Copy, Debug)]
struct Class {
    service: Service,
    stops: Stops,
    marking: ClassMarking,
}

/// How a class stops those that send.
#[derive(Clone, Copy, Debug)]
enum Stops {
    Nobody,
    Pauses { stop: Bytes, go: Option<Bytes>, headroom: Option<Bytes> },
    Credits(Bytes),
}

impl Custom {
    /// What `fields` say.
    pub(super) fn new(fields: &Fields) -> Self {
        let bytes = |name| u32::try_from(fields.size(name).as_u64()).unwrap_or(u32::MAX);
        Self {
            frame: Frame {
                payload: bytes("payload"),
                header: bytes("header"),
                control: bytes("control"),
            },
            acknowledge_every: fields.count32("acknowledge_every"),
            window: match fields.form("window") {
                ("packets", Some(window)) => Window::Packets(window.count32("count")),
                (_, window) => {
                    let times = window.expect("both windows have fields").count32("times");
                    Window::BandwidthDelay { times }
                }
            },
            repeats: repeats(fields.get("transport")),
            pacing: pacing(fields.get("pacing")),
            forwarding: match fields.form("forwarding").0 {
                "cut_through" => Forwarding::CutThrough,
                _ => Forwarding::StoreAndForward,
            },
            spray: match fields.form("spray") {
                ("at_random", _) => Routing::AtRandom,
                ("shortest_queue", _) => Routing::ShortestQueue,
                ("labels", Some(labels)) => Routing::Labels { count: labels.count32("count") },
                _ => Routing::InTurn,
            },
            buffer: match fields.form("buffer") {
                ("per_queue", Some(buffer)) => Buffer::PerQueue(buffer.size("size")),
                ("shared", Some(buffer)) => {
                    Buffer::Shared { size: buffer.size("size"), alpha: buffer.ratio("alpha") }
                }
                _ => Buffer::Endless,
            },
            marking: fields.form("marking").1.map(marking),
            classes: fields.list("classes").iter().map(class).collect(),
            link_retries: fields.count32("link_retries"),
        }
    }

    /// How sprayed packets choose.
    pub(super) const fn spray(&self) -> Routing {
        self.spray
    }

    /// The classes given.
    pub(super) const fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The settings on links, the rest as in `settings`.
    pub(super) fn settings(&self, links: Links, settings: Settings) -> Settings {
        let window = self.window;
        let transport = match self.repeats {
            Repeats::Nothing => Transport::Ideal { window },
            Repeats::GoBackN(recovery) => Transport::GoBackN { window, recovery },
            Repeats::Selective { recovery, reordering: given } => {
                let reordering = given.unwrap_or(reordering(settings.routing));
                Transport::Selective { window, recovery, reordering }
            }
        };
        Settings {
            frame: self.frame,
            forwarding: self.forwarding,
            transport,
            acknowledge_every: self.acknowledge_every,
            buffer: self.buffer,
            classes: self.classes.iter().map(|class| class.on(links, self.frame)).collect(),
            pacing: self.pacing,
            link_retries: self.link_retries,
            marking: self.marking,
            ..settings
        }
    }
}

impl Class {
    /// The class on links: pauses have the headroom that these need, and end two packets below where they
    /// begin, unless that is given.
    fn on(self, links: Links, frame: Frame) -> ClassOfService {
        let backpressure = match self.stops {
            Stops::Nobody => Backpressure::None,
            Stops::Credits(buffer) => Backpressure::Credits { buffer },
            Stops::Pauses { stop, go, headroom } => {
                let below = stop.as_u64().saturating_sub(2 * full(frame));
                let headroom = headroom.unwrap_or(Bytes::new(links.headroom(frame)));
                Backpressure::Pause { stop, go: go.unwrap_or(Bytes::new(below)), headroom }
            }
        };
        ClassOfService { service: self.service, backpressure, marking: self.marking }
    }
}

fn repeats(value: &Value) -> Repeats {
    let (form, fields) = value.form();
    let Some(fields) = fields else { return Repeats::Nothing };
    let recovery = Recovery {
        timeout: fields.duration("timeout"),
        back_off: fields.count32("back_off"),
        retries: fields.count32("retries"),
    };
    match form {
        "go_back_n" => Repeats::GoBackN(recovery),
        _ => Repeats::Selective { recovery, reordering: fields.count32_if_given("reordering") },
    }
}

fn pacing(value: &Value) -> Pacing {
    let (_, Some(fields)) = value.form() else { return Pacing::LineRate };
    Pacing::Dcqcn(Dcqcn {
        gain: fields.count32("gain"),
        alpha_timer: fields.duration("alpha_timer"),
        rate_timer: fields.duration("rate_timer"),
        byte_counter: fields.size("byte_counter"),
        fast_recoveries: fields.count32("fast_recoveries"),
        additive: fields.bandwidth("additive"),
        hyper: fields.bandwidth("hyper"),
        least: fields.bandwidth("least"),
        notification_interval: fields.duration("notification_interval"),
    })
}

/// Marks by the length of a queue.
fn marking(marks: &Fields) -> Marking {
    Marking {
        least: marks.size("least"),
        most: marks.size("most"),
        most_ppm: u32::try_from(marks.percent("probability")).unwrap_or(u32::MAX),
    }
}

fn class(value: &Value) -> Class {
    let fields = value.fields();
    let service = match fields.form("service") {
        ("weighted", Some(service)) => Service::Weighted(service.count32("weight")),
        _ => Service::Strict,
    };
    let stops = match fields.form("backpressure") {
        ("pauses", Some(pauses)) => Stops::Pauses {
            stop: pauses.size("stop"),
            go: pauses.size_if_given("go"),
            headroom: pauses.size_if_given("headroom"),
        },
        ("credits", Some(credits)) => Stops::Credits(credits.size("room")),
        _ => Stops::Nobody,
    };
    let marking = match fields.form("marking") {
        ("common", _) => ClassMarking::Common,
        (_, marks) => ClassMarking::Own(marks.map(marking)),
    };
    Class { service, stops, marking }
}
