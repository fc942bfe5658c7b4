//! From a collective asked for to the schedule that performs it.

use units::{Bytes, Duration, Time};

use crate::draft::Draft;
use crate::{
    Algorithm, Channels, Choice, Collective, Group, MAX_CHANNELS, RankId, Refusal, Schedule, Sizing,
};
use crate::{algorithm, sizing};

/// A collective that groups of ranks perform, all at once.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The ranks of the workload, at least those of the groups.
    pub ranks: u32,
    /// The groups; a rank may belong to several, each with a vector of its own.
    pub groups: &'a [Group],
    /// What each group does.
    pub collective: Collective,
    /// How it does it.
    pub algorithm: Algorithm,
    /// The size S as [`Collective`] counts it.
    pub size: Bytes,
    /// Whether the size may be rounded down.
    pub sizing: Sizing,
    /// No rank starts before this instant.
    pub start: Time,
    /// What each rank computes before its first transfer.
    pub compute: Duration,
}

/// How a request is performed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The lanes of all groups. A group of one rank has none unless it computes. A lane waits only
    /// for lanes before it.
    pub schedule: Schedule,
    /// The size used: that asked for, or less when aligned.
    pub size: Bytes,
    /// The channels used; the most that a group uses where groups differ, 1 for algorithms that know
    /// no channels.
    pub channels: u32,
    /// What the table says, where the algorithm is left to it.
    pub choice: Option<Choice>,
}

/// The schedule of a request.
///
/// # Errors
/// A [`Refusal`] for no groups, groups without ranks or with ranks that do not exist or stand twice,
/// a collective that the algorithm does not perform, channels or chunks out of range, a size too
/// small to align, or more pairs, chunks or pieces than are possible.
///
/// ```
/// use collectives::{Algorithm, Channels, Collective, Group, RankId, Request, Sizing, plan};
/// use topology::SupernodeId;
/// use units::{Bytes, Duration, Time};
///
/// let group = Group {
///     ranks: (0..16).map(RankId).collect(),
///     supernodes: (0..16).map(|rank| SupernodeId(rank / 8)).collect(),
///     trees: Vec::new(),
/// };
/// let plan = plan(&Request {
///     ranks: 16,
///     groups: &[group],
///     collective: Collective::AllReduce,
///     algorithm: Algorithm::Ring { channels: Channels::PerCard },
///     size: Bytes::new(1_000_000),
///     sizing: Sizing::Aligned,
///     start: Time::ZERO,
///     compute: Duration::ZERO,
/// })?;
/// assert_eq!(plan.channels, 8);
/// // 8 rings × 16 chunks × 16 bytes = 2,048 bytes, 488 times.
/// assert_eq!(plan.size, Bytes::new(999_424));
/// assert_eq!(plan.schedule.lanes.len(), 8);
/// # Ok::<(), collectives::Refusal>(())
/// ```
pub fn plan(request: &Request<'_>) -> Result<Plan, Refusal> {
    let choice = (request.algorithm == Algorithm::Auto).then(|| algorithm::choose(request));
    let algorithm = choice.map_or(request.algorithm, |choice| choice.algorithm);
    let request = &Request { algorithm, ..*request };
    check(request)?;
    let sized = sizing::sized(request)?;
    let mut draft = Draft::new(request.start);
    for (index, (group, &algorithm)) in request.groups.iter().zip(&sized.algorithms).enumerate() {
        draft.enter_group(index as u32);
        if group.size() > 1 {
            algorithm::schedule(&mut draft, group, request.collective, algorithm, sized.size)?;
        }
    }
    if request.compute > Duration::ZERO {
        let groups: Vec<&[RankId]> = request.groups.iter().map(|g| &g.ranks[..]).collect();
        draft.compute_first(request.compute, &groups);
    }
    let channels = request.groups.iter().map(|group| request.algorithm.channels(group)).max();
    Ok(Plan {
        schedule: draft.finish(request.ranks),
        size: sized.size,
        channels: channels.expect("a request has groups"),
        choice,
    })
}

/// Refuses what is wrong before any size is looked at.
fn check(request: &Request<'_>) -> Result<(), Refusal> {
    algorithm::check(request.collective, request.algorithm)?;
    if request.groups.is_empty() {
        return Err(Refusal::NoGroups);
    }
    for (index, group) in request.groups.iter().enumerate() {
        group.check(index as u32, request.ranks)?;
    }
    check_numbers(request)?;
    for (index, group) in request.groups.iter().enumerate() {
        if let Some(place) = request.collective.places().find(|&place| place >= group.size()) {
            return Err(Refusal::UnknownPlace { place, group: index as u32, ranks: group.size() });
        }
    }
    Ok(())
}

/// Refuses parameters that no group makes right.
fn check_numbers(request: &Request<'_>) -> Result<(), Refusal> {
    match request.collective {
        Collective::Barrier if request.size > Bytes::ZERO => {
            return Err(Refusal::BarrierOfBytes { size: request.size });
        }
        Collective::SendReceive { from, to } if from == to => {
            return Err(Refusal::SendToItself { place: from });
        }
        Collective::AllToAllV { imbalance_ppm } if imbalance_ppm > 1_000_000 => {
            return Err(Refusal::Imbalance { imbalance_ppm });
        }
        _ => {}
    }
    match request.algorithm {
        Algorithm::Ring { channels: Channels::Count(channels) }
        | Algorithm::Chain { channels: Channels::Count(channels), .. }
        | Algorithm::Tree { channels: Channels::Count(channels), .. }
            if !(1..=MAX_CHANNELS).contains(&channels) =>
        {
            Err(Refusal::Channels { channels, limit: MAX_CHANNELS })
        }
        Algorithm::Pairwise => algorithm::check_pairs(request.groups),
        _ => Ok(()),
    }
}
