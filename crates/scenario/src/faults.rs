//! From the checked fields of what is broken to what topology takes.

use packet::CardDrop;
use topology::{
    BuildError, Fabric, Fault, FaultError, Mishap, Part, Reach, SupernodeId, Timeline,
    TimelineError,
};
use units::{Duration, Time};

use crate::Problem;
use crate::fabric::FabricCase;
use crate::problem::Problems;
use crate::value::{Fields, Value};

/// Why the fabric of a case cannot be had.
pub(crate) enum FabricRefusal {
    /// It cannot be built, or falls apart.
    Build(BuildError),
    /// What is to break cannot break.
    Mishaps(TimelineError),
    /// A part that should lose packets is not there.
    Loss {
        /// Its place in the list.
        index: usize,
        /// Why.
        error: FaultError,
    },
    /// A packet should be lost where there is no link, or between what are no cards.
    Drop {
        /// Its place in the list.
        index: usize,
        /// Why.
        error: FaultError,
    },
}

/// A fabric as it is at the start of a run, and what happens to it then.
#[derive(Debug)]
pub(crate) struct BuiltFabric {
    pub(crate) start: Fabric,
    /// The same with all that is repaired later, if something is broken at the start that will be.
    repaired: Option<Fabric>,
    /// `None` when nothing happens.
    pub(crate) timeline: Option<Timeline>,
    /// Single packets that are lost.
    pub(crate) drops: Vec<CardDrop>,
}

impl BuiltFabric {
    /// The fabric by which work is planned: what is repaired in time has its part in it.
    pub(crate) fn planned(&self) -> &Fabric {
        self.repaired.as_ref().unwrap_or(&self.start)
    }
}

impl FabricCase {
    /// Builds the fabric, makes sure that every card is reached, and breaks what is broken. Who cannot
    /// be reached after that is found by the transfers that want to go there.
    pub(crate) fn build(&self) -> Result<BuiltFabric, FabricRefusal> {
        let whole = Fabric::build(&self.spec).map_err(FabricRefusal::Build)?;
        whole.check_connected().map_err(FabricRefusal::Build)?;
        let refused = |(index, error)| FabricRefusal::Loss { index, error };
        let whole = match &self.losses.rules[..] {
            [] => whole,
            rules => whole.with_losses(rules).map_err(refused)?,
        };
        let mut drops = Vec::new();
        for (index, entry) in self.drops.iter().enumerate() {
            let refused = |error| FabricRefusal::Drop { index, error };
            drops.extend(entry.on(&whole).map_err(refused)?);
        }
        if self.mishaps.is_empty() {
            return Ok(BuiltFabric { start: whole, repaired: None, timeline: None, drops });
        }
        let delay = self.reroute_after.unwrap_or_default();
        let (start, timeline) =
            whole.in_time(&self.mishaps, delay).map_err(FabricRefusal::Mishaps)?;
        let timeline = Some(timeline).filter(|timeline| !timeline.changes().is_empty());
        Ok(BuiltFabric { start, repaired: self.repaired(&whole), timeline, drops })
    }

    /// The whole fabric with what is broken for good, if something is broken at the start that is not.
    fn repaired(&self, whole: &Fabric) -> Option<Fabric> {
        let is_passing = |mishap: &Mishap| mishap.at.is_none() && mishap.until.is_some();
        if !self.mishaps.iter().any(is_passing) {
            return None;
        }
        let lasting: Vec<Mishap> =
            self.mishaps.iter().filter(|mishap| mishap.is_lasting()).cloned().collect();
        let (repaired, _) =
            whole.in_time(&lasting, Duration::ZERO).expect("all mishaps could be put on it");
        Some(repaired)
    }
}

/// What breaks in a fabric, and how long routes take to follow; what cannot be is collected.
pub(crate) fn mishaps(
    fields: &Fields,
    path: &str,
    problems: &mut Problems,
) -> (Vec<Mishap>, Option<Duration>) {
    let reroute_after = fields.duration_if_given("reroute_after");
    let mut mishaps = Vec::new();
    for (index, item) in fields.list("faults").iter().enumerate() {
        let path = format!("{path}.faults[{index}]");
        let instant = |name| item.fields().duration_if_given(name).map(instant);
        let mishap = Mishap { fault: fault(item), at: instant("at"), until: instant("until") };
        let from = mishap.at.unwrap_or_default();
        if let Some(until) = mishap.until.filter(|&until| until <= from) {
            let place = &item.fields().get("until").place;
            let found = format!("it is repaired at {until} and strikes at {from}");
            let problem = Problem::new(place, &format!("{path}.until"), found);
            problems.add(problem.allowed(format!("later than {from}")));
        }
        if mishap.fault.speed_ppm == 0 && !mishap.is_lasting() && reroute_after.is_none() {
            let found = "links die or come back during the run, and `reroute_after` is not given";
            let problem = Problem::new(&item.place, &path, found);
            problems.add(problem.allowed("how long routes take to follow; \"0 s\": not at all"));
        }
        mishaps.push(mishap);
    }
    (mishaps, reroute_after)
}

/// The instant so long after the start.
fn instant(span: Duration) -> Time {
    Time::from_picos(span.as_picos())
}

/// The fault that `value` describes.
fn fault(value: &Value) -> Fault {
    let (form, _) = value.form();
    let fields = value.fields();
    let link = || Part::Link {
        from: fields.text("from"),
        to: fields.text("to"),
        count: fields.count32("count"),
    };
    let speed = || u32::try_from(fields.percent("speed")).expect("at most a million");
    let (part, speed_ppm) = match form {
        "dead_link" => (link(), 0),
        "slow_link" => (link(), speed()),
        "dead_node" => (Part::Node(fields.text("name")), 0),
        "slow_node" => (Part::Node(fields.text("name")), speed()),
        _ => (Part::Uplinks(SupernodeId(fields.count32("supernode"))), 0),
    };
    Fault { part, speed_ppm }
}

/// What breaks, when, and how routes follow, for the lines that tell what was built.
pub(crate) fn lines(case: &FabricCase, timeline: Option<&Timeline>) -> Vec<String> {
    let mut lines: Vec<String> = case.mishaps.iter().map(line).collect();
    let is_rerouted =
        |timeline: &Timeline| timeline.changes().iter().any(|change| change.reach == Reach::Other);
    if let Some(timeline) = timeline.filter(|timeline| is_rerouted(timeline)) {
        let delay = match timeline.reroute_after() {
            Duration::ZERO => "at once when links die or come back".to_owned(),
            delay => format!("{delay} after links have died or come back"),
        };
        lines.push(format!("routes follow {delay}"));
    }
    lines
}

/// A part in words.
pub(crate) fn part_words(part: &Part) -> String {
    match part {
        Part::Link { from, to, count: 1 } => format!("link {from} – {to}"),
        Part::Link { from, to, count } => format!("{count} links {from} – {to}"),
        Part::Node(name) => name.clone(),
        Part::Uplinks(supernode) => format!("uplinks of supernode {}", supernode.0),
        Part::Tier(name) => format!("tier {name}"),
    }
}

/// A mishap in words.
fn line(mishap: &Mishap) -> String {
    let Mishap { fault, at, until } = mishap;
    let part = part_words(&fault.part);
    let left = match fault.speed_ppm {
        0 => "carries nothing".to_owned(),
        ppm => {
            let percent = format!("{}.{:04}", ppm / 10_000, ppm % 10_000);
            let percent = percent.trim_end_matches('0').trim_end_matches('.');
            format!("at {percent} % of its bandwidth")
        }
    };
    let from = at.map(|at| format!(" from {at} on")).unwrap_or_default();
    let until = until.map(|until| format!(" until {until}")).unwrap_or_default();
    format!("broken: {part} {left}{from}{until}")
}
