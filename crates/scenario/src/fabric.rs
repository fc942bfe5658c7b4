//! From the checked fields of a fabric to what topology builds.

mod inside;
mod outside;

use topology::{
    BuildError, ClosTier, ClusterSpec, DirectSpec, Efficiency, ExplicitLink, ExplicitSpec,
    FabricSpec, Mishap, NicCount, NicSpec, StarSpec, SupernodeSpec, Timeline, TimelineError,
};
use units::{Duration, Probability, Ratio};

use self::outside::Outside;
use crate::document::Place;
use crate::drops::DropCase;
use crate::faults::{self, BuiltFabric, FabricRefusal};
use crate::losses::LossCase;
use crate::packets::{Links, Packets};
use crate::problem::Problems;
use crate::value::{Data, Fields, Value};
use crate::{Keys, Problem, Purpose};

/// A fabric of the scenario with its values, before it is built.
#[derive(Clone, Debug)]
pub(crate) struct FabricCase {
    pub(crate) name: String,
    pub(crate) spec: FabricSpec,
    pub(crate) routing: Paths,
    /// How its packets behave.
    pub(crate) packets: Packets,
    /// The oversubscription asked for over all tiers, where there are tiers.
    pub(crate) ratio: Option<String>,
    /// What is broken or breaks during the run.
    pub(crate) mishaps: Vec<Mishap>,
    /// How long routes take to follow, if it is given.
    pub(crate) reroute_after: Option<Duration>,
    /// What loses packets, and how that is recovered.
    pub(crate) losses: LossCase,
    /// Single packets that are lost.
    pub(crate) drops: Vec<DropCase>,
    /// Where the values come from, line by line.
    pub(crate) hardware: Vec<String>,
}

/// How flows choose among shortest paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paths {
    Spray,
    Ecmp { flows: u32 },
}

impl Paths {
    /// The same with the key of a scenario.
    pub(crate) fn routing(self, keys: Keys) -> topology::Routing {
        match self {
            Self::Spray => topology::Routing::Spray,
            Self::Ecmp { flows } => {
                topology::Routing::Ecmp { flows, key: keys.key(Purpose::Ecmp, 0) }
            }
        }
    }
}

impl FabricCase {
    /// The fabric that `value` describes; what cannot be is collected.
    pub(crate) fn new(value: &Value, path: &str, problems: &mut Problems) -> Option<Self> {
        let (form, fields) = value.form();
        let fields = fields.expect("every fabric has fields");
        let mut ratio = None;
        let mut routing = Paths::Spray;
        let spec = match form {
            "star" => FabricSpec::Star(StarSpec {
                cards: fields.count32("cards"),
                bandwidth: fields.bandwidth("bandwidth"),
                latency: fields.duration("latency"),
                efficiency: efficiency(fields),
            }),
            "explicit" => {
                routing = paths(fields);
                FabricSpec::Explicit(explicit(fields, path, problems)?)
            }
            _ => {
                routing = paths(fields);
                let spec = cluster(value, path, problems)?;
                if let FabricSpec::Cluster(spec) = &spec {
                    ratio = Some(overall(&spec.outside.tiers));
                }
                spec
            }
        };
        let hardware = fields.list("hardware").iter().map(|item| {
            let source = item.fields();
            let label = source.form("label").0.replace('_', " ");
            format!("{}: {label} ({})", source.text("field"), source.text("source"))
        });
        let (mishaps, reroute_after) = faults::mishaps(fields, path, problems);
        let losses = LossCase::new(fields, path, problems)?;
        let case = Self {
            name: fields.text("name"),
            spec,
            routing,
            packets: Packets::new(fields.get("packets")),
            ratio,
            mishaps,
            reroute_after,
            losses,
            drops: DropCase::list(fields),
            hardware: hardware.collect(),
        };
        if let Err(error) = case.packets.check(case.packet_paths()) {
            let place = &fields.get("packets").place;
            problems.add(Problem::new(place, &format!("{path}.packets"), error.to_string()));
        }
        Some(case)
    }

    /// Refuses lossless classes of packets that would lose some on a built fabric, in any of its states.
    pub(crate) fn check_headroom(&self, built: &BuiltFabric) -> Result<(), packet::Error> {
        let links = Links::of(&built.start);
        let settings = self.packets.settings(links, self.packet_paths(), Keys::new(0));
        settings.check_headroom(&built.start)?;
        let changes = built.timeline.as_ref().map_or(&[][..], Timeline::changes);
        changes.iter().try_for_each(|change| settings.check_headroom(&change.fabric))
    }

    /// Refuses packets that cannot be recovered as the fabric says where links lose some or die.
    pub(crate) fn check_recovery(&self, keys: Keys) -> Result<(), packet::Error> {
        let cuts = |mishap: &Mishap| mishap.fault.speed_ppm == 0 && !mishap.is_lasting();
        let loses = self.losses.rules.iter().any(|rule| rule.loss > Probability::ZERO);
        if !loses && self.drops.is_empty() && !self.mishaps.iter().any(cuts) {
            return Ok(());
        }
        self.packets.check_recovery(self.packet_paths(), self.losses.recovery(keys))
    }

    /// Whether packets load the links as the flow level does.
    pub(crate) fn shares_evenly(&self) -> bool {
        self.packet_paths() != Paths::Spray || self.packets.take_turns()
    }

    /// How packets choose their paths: on a star there is one, which nobody chooses.
    pub(crate) fn packet_paths(&self) -> Paths {
        match self.spec {
            FabricSpec::Star(_) => Paths::Ecmp { flows: 1 },
            _ => self.routing,
        }
    }
}

/// About how many links there are at the cards, before the fabric is built.
pub(crate) fn links_of_cards(spec: &FabricSpec) -> u64 {
    let of_supernodes = |cards: u32, supernode: &SupernodeSpec, nics: &NicSpec| {
        let inside = supernode.inside.about_links_of_card(supernode.cards);
        let (NicCount::PerCard(nics) | NicCount::PerSupernode(nics)) = nics.count;
        u64::from(cards) * (inside + u64::from(nics))
    };
    match spec {
        FabricSpec::Star(star) => u64::from(star.cards),
        FabricSpec::Explicit(explicit) => explicit.links.len() as u64,
        FabricSpec::Cluster(spec) => of_supernodes(spec.cards, &spec.supernode, &spec.nics),
        FabricSpec::Direct(spec) => of_supernodes(spec.cards, &spec.supernode, &spec.nics),
    }
}

fn paths(fields: &Fields) -> Paths {
    match fields.form("routing") {
        ("ecmp", Some(ecmp)) => Paths::Ecmp { flows: ecmp.count32("flows") },
        _ => Paths::Spray,
    }
}

fn efficiency(fields: &Fields) -> Efficiency {
    let ratio: Ratio = fields.ratio("efficiency");
    Efficiency { payload: ratio.over(), wire: ratio.under() }
}

/// The product of the ratios of all tiers.
fn overall(tiers: &[ClosTier]) -> String {
    let product = tiers.iter().try_fold(Ratio::ONE, |product, tier| {
        let over = u128::from(product.over()) * u128::from(tier.ratio.over());
        let under = u128::from(product.under()) * u128::from(tier.ratio.under());
        Ratio::new(u64::try_from(over).ok()?, u64::try_from(under).ok()?)
    });
    let each = || tiers.iter().map(|tier| tier.ratio.to_string()).collect::<Vec<_>>().join(" × ");
    product.map_or_else(each, |product| product.to_string())
}

fn cluster(value: &Value, path: &str, problems: &mut Problems) -> Option<FabricSpec> {
    let fields = value.fields();
    let supernode = fields.fields("supernode");
    let nics = fields.fields("nics");
    let per_card = nics.count32_if_given("per_card").map(NicCount::PerCard);
    let per_supernode = nics.count32_if_given("per_supernode").map(NicCount::PerSupernode);
    let count = match (per_card, per_supernode) {
        (Some(count), None) | (None, Some(count)) => count,
        (given, _) => {
            let found = if given.is_some() { "both are given" } else { "neither is given" };
            let path = format!("{path}.nics");
            let problem = Problem::new(&fields.get("nics").place, &path, found);
            problems.add(problem.allowed("one of `per_card` and `per_supernode`"));
            return None;
        }
    };
    let nics = NicSpec {
        count,
        bandwidth: nics.bandwidth("bandwidth"),
        latency: nics.duration("latency"),
        efficiency: efficiency(nics),
    };
    let supernode = SupernodeSpec {
        cards: supernode.count32("cards"),
        inside: inside::inside(supernode, &format!("{path}.supernode"), problems)?,
        bandwidth: supernode.bandwidth("bandwidth"),
        latency: supernode.duration("latency"),
        efficiency: efficiency(supernode),
    };
    let cards = fields.count32("cards");
    let supernodes = cards.div_ceil(supernode.cards);
    Some(match outside::outside((value, path), (&nics, supernodes), problems)? {
        Outside::Clos(outside) => {
            FabricSpec::Cluster(ClusterSpec { cards, supernode, nics, outside })
        }
        Outside::Direct(routers) => {
            let outside = fields.get("outside").fields();
            FabricSpec::Direct(DirectSpec {
                cards,
                supernode,
                nics,
                routers,
                uplink: outside.bandwidth("uplink"),
                latency: outside.duration("latency"),
                efficiency: efficiency(outside),
            })
        }
    })
}

fn explicit(fields: &Fields, path: &str, problems: &mut Problems) -> Option<ExplicitSpec> {
    let text = |value: &Value| match &value.data {
        Data::Text(text) => text.clone(),
        other => unreachable!("names are texts, not {other:?}"),
    };
    let before = problems.len();
    let nodes: Vec<(String, &Place)> = fields
        .list("cards")
        .iter()
        .chain(fields.list("switches"))
        .map(|value| (text(value), &value.place))
        .collect();
    let mut known = std::collections::BTreeSet::new();
    for (name, place) in &nodes {
        if !known.insert(name.as_str()) {
            let found = format!("node \"{name}\" is listed twice");
            problems.add(Problem::new(place, path, found).allowed("each name once"));
        }
    }
    let mut pairs = std::collections::BTreeMap::new();
    let mut links = Vec::new();
    for (index, item) in fields.list("links").iter().enumerate() {
        if problems.are_full() {
            return None;
        }
        let path = format!("{path}.links[{index}]");
        let link = item.fields();
        let (from, to) = (link.text("from"), link.text("to"));
        for (end, name) in [("from", &from), ("to", &to)] {
            if !known.contains(name.as_str()) {
                let found = format!("\"{name}\" is no card and no switch of this fabric");
                let problem = Problem::new(&link.get(end).place, &format!("{path}.{end}"), found);
                problems.add_misspelt(problem, name, known.iter().copied());
            }
        }
        if from == to {
            let found = format!("the link ends where it starts, at \"{from}\"");
            problems.add(Problem::new(&item.place, &path, found));
        }
        let pair = if from < to { (from.clone(), to.clone()) } else { (to.clone(), from.clone()) };
        if let Some(first) = pairs.insert(pair, index) {
            let found = format!("this pair is already linked by links[{first}]");
            let problem = Problem::new(&item.place, &path, found);
            problems.add(problem.allowed("each pair once, with `count` for parallel links"));
        }
        links.push(ExplicitLink {
            from,
            to,
            bandwidth: link.bandwidth("bandwidth"),
            latency: link.duration("latency"),
            count: link.count32("count"),
        });
    }
    if problems.len() > before {
        return None;
    }
    let names = |list: &str| fields.list(list).iter().map(text).collect();
    Some(ExplicitSpec { cards: names("cards"), switches: names("switches"), links })
}

/// The problem of a fabric that topology refuses, at the field that is to blame.
pub(crate) fn refused(value: &Value, path: &str, refusal: &FabricRefusal) -> Problem {
    let error = match refusal {
        FabricRefusal::Build(error) => error,
        FabricRefusal::Mishaps(TimelineError::Fault { index, error }) => {
            let place = &value.fields().list("faults")[*index].place;
            return Problem::new(place, &format!("{path}.faults[{index}]"), error.to_string());
        }
        FabricRefusal::Loss { index, error } => {
            let place = &value.fields().list("losses")[*index].place;
            return Problem::new(place, &format!("{path}.losses[{index}]"), error.to_string());
        }
        FabricRefusal::Drop { index, error } => {
            let place = &value.fields().list("drops")[*index].place;
            return Problem::new(place, &format!("{path}.drops[{index}]"), error.to_string());
        }
        FabricRefusal::Mishaps(error) => {
            let place = &value.fields().get("faults").place;
            return Problem::new(place, &format!("{path}.faults"), error.to_string());
        }
    };
    let names: &[&str] = match error {
        BuildError::TooManyCards { .. } | BuildError::TooManyLinks { .. } => &["cards"],
        BuildError::MeshTooLarge { .. } => &["supernode", "cards"],
        BuildError::Sizes { what: "the grid of supernodes", .. } => &["outside", "sizes"],
        BuildError::Homes { homes: 1, .. } => &["outside", "planes"],
        BuildError::Homes { .. } => &["outside", "homes"],
        BuildError::OddPorts { .. } => &["outside", "ports"],
        BuildError::Groups { .. } => &["outside", "global_links"],
        BuildError::Sizes { .. } => &["supernode", "inside", "sizes"],
        BuildError::Offset { .. } => &["supernode", "inside", "offsets"],
        BuildError::Ratio { tier, .. } if *tier != "leaf" => &["outside", "core_ratio"],
        BuildError::Ratio { .. } => &["outside", "ratio"],
        BuildError::TopPorts { .. }
        | BuildError::NoCommonTop { .. }
        | BuildError::TopGroups { .. } => &["outside"],
        _ => &[],
    };
    let (place, path) = blamed(value, path, names);
    Problem::new(&place, &path, error.to_string())
}

/// The place and path of the field at `names` below `value`, or of what comes nearest.
pub(crate) fn blamed(value: &Value, path: &str, names: &[&str]) -> (Place, String) {
    let (Data::Form(_, Some(fields)) | Data::Fields(fields)) = &value.data else {
        return (value.place.clone(), path.to_owned());
    };
    match names.split_first() {
        Some((first, rest)) if fields.shape.field(first).is_some() => {
            blamed(fields.get(first), &format!("{path}.{first}"), rest)
        }
        _ => (value.place.clone(), path.to_owned()),
    }
}
