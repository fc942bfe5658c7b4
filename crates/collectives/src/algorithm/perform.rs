//! Which algorithm performs which collective, and where.

use units::Bytes;

use super::{
    Algorithm, Channels, all_to_all, binomial, bruck, chain, direct, dissemination,
    halving_doubling, hierarchical, in_network, nhr, pairwise, recursive, ring, rooted, tree,
    two_level,
};
use crate::draft::{Draft, Task};
use crate::{Collective, Group, Refusal};

/// Adds the lanes that perform `collective` of `size` bytes among `group` (of at least 2 ranks).
pub(crate) fn schedule(
    draft: &mut Draft,
    group: &Group,
    collective: Collective,
    algorithm: Algorithm,
    size: Bytes,
) -> Result<(), Refusal> {
    let whole = Task {
        seats: group.ranks.clone().into(),
        range: 0..size.as_u64(),
        channel: 0,
        after: Vec::new(),
    };
    if let Algorithm::InNetwork { .. } = algorithm {
        in_network::check(draft, group)?;
    }
    match collective {
        Collective::AllReduce => return all_reduce(draft, group, algorithm, &whole),
        Collective::AllGather => match algorithm {
            Algorithm::Ring { channels } => {
                for task in channel_tasks(group, channels, size) {
                    ring::all_gather(draft, &task);
                }
            }
            Algorithm::Direct => direct::all_gather(draft, &whole),
            Algorithm::Pairwise => pairwise::all_gather(draft, &whole),
            Algorithm::Recursive => recursive::all_gather(draft, &whole),
            Algorithm::Nhr => nhr::all_gather(draft, &whole),
            Algorithm::Bruck => bruck::all_gather(draft, &whole),
            Algorithm::InNetwork { chunk } => {
                return in_network::all_gather(draft, (group, &whole), chunk);
            }
            _ => return Err(not_offered(collective, algorithm)),
        },
        Collective::ReduceScatter => match algorithm {
            Algorithm::Ring { channels } => {
                for task in channel_tasks(group, channels, size) {
                    ring::reduce_scatter(draft, &task);
                }
            }
            Algorithm::Direct => direct::reduce_scatter(draft, &whole),
            Algorithm::Pairwise => pairwise::reduce_scatter(draft, &whole),
            Algorithm::Recursive => recursive::reduce_scatter(draft, &whole),
            Algorithm::Nhr => nhr::reduce_scatter(draft, &whole),
            Algorithm::InNetwork { chunk } => {
                return in_network::reduce_scatter(draft, (group, &whole), chunk);
            }
            _ => return Err(not_offered(collective, algorithm)),
        },
        Collective::AllToAll => match algorithm {
            Algorithm::Direct => all_to_all::all_to_all(draft, &whole),
            Algorithm::Pairwise => pairwise::all_to_all(draft, &whole),
            Algorithm::Bruck => bruck::all_to_all(draft, &whole),
            Algorithm::TwoLevel => return two_level::all_to_all(draft, group, &whole),
            _ => return Err(not_offered(collective, algorithm)),
        },
        Collective::AllToAllV { imbalance_ppm } => match algorithm {
            Algorithm::Direct => all_to_all::all_to_all_v(draft, &whole, imbalance_ppm),
            Algorithm::Pairwise => pairwise::all_to_all_v(draft, &whole, imbalance_ppm),
            _ => return Err(not_offered(collective, algorithm)),
        },
        Collective::Barrier => dissemination::barrier(draft, &whole),
        Collective::Broadcast { root }
        | Collective::Reduce { root }
        | Collective::Gather { root }
        | Collective::Scatter { root } => {
            return rooted_collective(draft, group, (collective, root), algorithm, size);
        }
        Collective::SendReceive { from, to } => {
            let seats = [from, to].map(|place| group.ranks[place as usize]).into();
            rooted::send(draft, &Task { seats, ..whole });
        }
    }
    Ok(())
}

fn rooted_collective(
    draft: &mut Draft,
    group: &Group,
    (collective, root): (Collective, u32),
    algorithm: Algorithm,
    size: Bytes,
) -> Result<(), Refusal> {
    let root = group.ranks[root as usize];
    if let Algorithm::Chain { channels, chunk } = algorithm {
        for task in channel_tasks(group, channels, size) {
            match collective {
                Collective::Broadcast { .. } => chain::broadcast(draft, &task.from(root), chunk)?,
                Collective::Reduce { .. } => chain::reduce(draft, &task.to(root), chunk)?,
                _ => return Err(not_offered(collective, algorithm)),
            }
        }
        return Ok(());
    }
    let seats = group.ranks.clone().into();
    let whole = Task { seats, range: 0..size.as_u64(), channel: 0, after: Vec::new() }.from(root);
    match (collective, algorithm) {
        (Collective::Broadcast { .. }, Algorithm::InNetwork { chunk }) => {
            return in_network::broadcast(draft, (group, &whole), chunk);
        }
        (Collective::Reduce { .. }, Algorithm::InNetwork { chunk }) => {
            return in_network::reduce(draft, (group, &whole), chunk);
        }
        _ => {}
    }
    let perform = match (collective, algorithm) {
        (Collective::Broadcast { .. }, Algorithm::Binomial) => binomial::broadcast,
        (Collective::Broadcast { .. }, Algorithm::Direct) => rooted::broadcast,
        (Collective::Reduce { .. }, Algorithm::Binomial) => binomial::reduce,
        (Collective::Reduce { .. }, Algorithm::Direct) => rooted::reduce,
        (Collective::Gather { .. }, Algorithm::Binomial) => binomial::gather,
        (Collective::Gather { .. }, Algorithm::Direct) => rooted::gather,
        (Collective::Scatter { .. }, Algorithm::Binomial) => binomial::scatter,
        (Collective::Scatter { .. }, Algorithm::Direct) => rooted::scatter,
        _ => return Err(not_offered(collective, algorithm)),
    };
    perform(draft, &whole);
    Ok(())
}

fn all_reduce(
    draft: &mut Draft,
    group: &Group,
    algorithm: Algorithm,
    whole: &Task,
) -> Result<(), Refusal> {
    let size = Bytes::new(whole.range.end);
    match algorithm {
        Algorithm::Ring { channels } => {
            for task in channel_tasks(group, channels, size) {
                ring::all_reduce(draft, &task);
            }
        }
        Algorithm::Tree { chunk, channels } => {
            for task in channel_tasks(group, channels, size) {
                tree::all_reduce(draft, &task, chunk)?;
            }
        }
        Algorithm::HalvingDoubling { order } => {
            halving_doubling::all_reduce(draft, whole, order);
        }
        Algorithm::Direct => {
            direct::all_reduce(draft, whole);
        }
        Algorithm::Hierarchical { inner, outer } => {
            hierarchical::all_reduce(draft, group, inner, outer, size)?;
        }
        Algorithm::Pairwise => pairwise::all_reduce(draft, whole),
        Algorithm::InNetwork { chunk } => in_network::all_reduce(draft, (group, whole), chunk)?,
        Algorithm::Nhr => {
            nhr::all_reduce(draft, whole);
        }
        _ => return Err(not_offered(Collective::AllReduce, algorithm)),
    }
    Ok(())
}

/// Refuses a collective that the algorithm does not perform.
pub(crate) const fn check(collective: Collective, algorithm: Algorithm) -> Result<(), Refusal> {
    use Collective::{
        AllGather, AllReduce, AllToAll, AllToAllV, Barrier, Broadcast, Gather, Reduce,
        ReduceScatter, Scatter,
    };
    let offered = match algorithm {
        Algorithm::Ring { .. } | Algorithm::Nhr => {
            matches!(collective, AllReduce | AllGather | ReduceScatter)
        }
        Algorithm::Auto => true,
        Algorithm::Direct => !matches!(collective, Barrier),
        Algorithm::Pairwise => matches!(
            collective,
            AllReduce | AllGather | ReduceScatter | AllToAll | AllToAllV { .. }
        ),
        Algorithm::Recursive => matches!(collective, AllGather | ReduceScatter),
        Algorithm::Bruck => matches!(collective, AllGather | AllToAll),
        Algorithm::TwoLevel => matches!(collective, AllToAll),
        Algorithm::Binomial => {
            matches!(collective, Broadcast { .. } | Reduce { .. } | Gather { .. } | Scatter { .. })
        }
        Algorithm::Chain { .. } => matches!(collective, Broadcast { .. } | Reduce { .. }),
        Algorithm::Dissemination => matches!(collective, Barrier),
        Algorithm::InNetwork { .. } => matches!(
            collective,
            AllReduce | AllGather | ReduceScatter | Broadcast { .. } | Reduce { .. }
        ),
        Algorithm::Tree { .. }
        | Algorithm::HalvingDoubling { .. }
        | Algorithm::Hierarchical { .. } => matches!(collective, AllReduce),
    };
    if offered { Ok(()) } else { Err(not_offered(collective, algorithm)) }
}

const fn not_offered(collective: Collective, algorithm: Algorithm) -> Refusal {
    let offered = match collective {
        Collective::AllReduce => {
            "ring, tree, halving-doubling, direct, pairwise, NHR, hierarchical and in-network"
        }
        Collective::AllGather => "ring, direct, pairwise, recursive, NHR, Bruck and in-network",
        Collective::ReduceScatter => "ring, direct, pairwise, recursive, NHR and in-network",
        Collective::AllToAll => "direct (all pairs at once), pairwise, Bruck and two-level",
        Collective::AllToAllV { .. } => "direct (all pairs at once) and pairwise",
        Collective::Broadcast { .. } | Collective::Reduce { .. } => {
            "binomial, chain, direct and in-network"
        }
        Collective::Gather { .. } | Collective::Scatter { .. } => "binomial and direct",
        Collective::Barrier => "dissemination",
        Collective::SendReceive { .. } => "direct",
    };
    Refusal::NotOffered { collective, algorithm, offered }
}

/// One task for each channel: its rotated seats and its part of the vector.
fn channel_tasks(
    group: &Group,
    channels: Channels,
    size: Bytes,
) -> impl Iterator<Item = Task> + use<> {
    let channels = channels.count(group);
    group.seats(channels).into_iter().enumerate().map(move |(channel, seats)| Task {
        seats,
        range: crate::payload::chunk_of(&(0..size.as_u64()), u64::from(channels), channel as u64),
        channel: channel as u32,
        after: Vec::new(),
    })
}
