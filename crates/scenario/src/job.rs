//! A job: ranks on cards that do something, perhaps later and in rounds.

use collectives::{Placement, RankId, Room, Rounds, SwitchTree};
use engine::Costs;
use fluid::Conducts;
use topology::{CardId, Domain, Fabric};
use units::{Bytes, Duration, Time};

use crate::placed::{PlacedJob, Run};
use crate::stragglers::Stragglers;
use crate::task::Task;
use crate::unfit::Unfit;
use crate::value::{Fields, Value};
use crate::{Keys, Purpose};

/// A job with its values.
#[derive(Clone, Debug)]
pub(crate) struct JobCase {
    pub(crate) name: String,
    pub(crate) task: Task,
    pub(crate) placement: Placement,
    /// The placement in the words of the file.
    pub(crate) placement_word: &'static str,
    pub(crate) costs: Costs,
    pub(crate) stragglers: Stragglers,
    /// The class of service of its packets.
    pub(crate) class: u8,
    pub(crate) start: Time,
    pub(crate) repetitions: u64,
    /// None if rounds follow each other at once.
    pub(crate) period: Option<Duration>,
}

impl JobCase {
    /// A workload that is one job, once, from the start.
    pub(crate) fn only(form: &str, fields: &Fields) -> Self {
        let task = Task::new(form, fields);
        Self {
            name: fields.text_if_given("name").unwrap_or_else(|| task.words()),
            placement: placement(fields.get("placement"), &task),
            placement_word: fields.form("placement").0,
            costs: Costs {
                per_step: fields.duration("per_step"),
                per_message: fields.duration("per_message"),
                reduce: match task {
                    Task::Collective(_) => fields.bandwidth_if_given("reduce_bandwidth"),
                    Task::Flows(_) | Task::Exchange(_) => None,
                },
            },
            stragglers: Stragglers::new(fields.fields("stragglers")),
            class: u8::try_from(fields.count("class")).expect("the table bounds the class"),
            start: Time::ZERO,
            repetitions: 1,
            period: None,
            task,
        }
    }

    /// One of several jobs.
    pub(crate) fn of_several(value: &Value) -> Self {
        let fields = value.fields();
        Self {
            start: Time::from_picos(fields.duration("start").as_picos()),
            repetitions: fields.count("repetitions"),
            period: fields.duration_if_given("period"),
            ..Self::only(value.form().0, fields)
        }
    }

    /// Whether it needs switches that add up and copy.
    pub(crate) fn needs_reducing_switches(&self) -> bool {
        match &self.task {
            Task::Collective(task) => task.algorithm.needs_reducing_switches(),
            Task::Flows(_) | Task::Exchange(_) => false,
        }
    }

    /// Refuses what no fabric can make right: a collective that the algorithm does not perform, a flow
    /// from a rank to itself, a period of nothing.
    pub(crate) fn check(&self) -> Result<(), Unfit> {
        self.stragglers.check()?;
        if self.period == Some(Duration::ZERO) {
            return Err(Unfit::NoPeriod);
        }
        match &self.task {
            Task::Flows(flows) => {
                collectives::flows(self.task.most_rank() + 1, flows)?;
            }
            Task::Collective(task) => {
                let pair = collectives::Group {
                    ranks: vec![RankId(0), RankId(1)],
                    supernodes: vec![topology::SupernodeId(0); 2],
                    // The fabric will have them, or not.
                    trees: vec![SwitchTree { levels: vec![vec![topology::AggregatorId(0); 2]] }],
                };
                match collectives::plan(&task.request(2, &[pair], Bytes::ZERO)) {
                    // Larger groups may have the place.
                    Ok(_) | Err(collectives::Refusal::UnknownPlace { .. }) => {}
                    Err(refusal) => return Err(refusal.into()),
                }
            }
            Task::Exchange(table) => {
                collectives::exchange(table)?;
            }
        }
        Ok(())
    }

    /// Puts job number `index` on cards that are free, and plans it.
    pub(crate) fn place(
        &self,
        (room, fabric): (&Room<'_>, &Fabric),
        index: u32,
        keys: Keys,
    ) -> Result<PlacedJob, Unfit> {
        let ranks = match &self.task {
            Task::Collective(task) => task.ranks.unwrap_or(fabric.cards()),
            Task::Flows(_) | Task::Exchange(_) => self.task.most_rank() + 1,
        };
        let (groups, _) = self.task.groups();
        if !ranks.is_multiple_of(groups) {
            return Err(Unfit::Groups { ranks, groups });
        }
        let mut generator = keys.generator(Purpose::Placement, u64::from(index));
        let cards = room.place(&self.placement, ranks, &mut generator)?;
        let (plan, group_ranks) = self.plan(&cards, fabric)?;
        let collectives::Plan { schedule, size, channels, choice } = plan;
        let period = self.period.unwrap_or(Duration::ZERO);
        let rounds = Rounds { count: self.repetitions, period };
        let mut schedule = collectives::repeated(schedule, rounds);
        for lane in &mut schedule.lanes {
            lane.start = lane.start.max(self.start);
            lane.name.job = index;
        }
        let conducts = self.conducts(ranks, index, keys)?;
        let run = Run { cards, schedule, conducts };
        Ok(PlacedJob { run, size, channels, choice, group_ranks })
    }

    /// The plan of one round, and the ranks of a group.
    fn plan(&self, cards: &[CardId], fabric: &Fabric) -> Result<(collectives::Plan, u32), Unfit> {
        let ranks = cards.len() as u32;
        let task = match &self.task {
            Task::Flows(flows) => {
                return Ok((self.task.listed(collectives::flows(ranks, flows)?), ranks));
            }
            Task::Exchange(table) => {
                return Ok((self.task.listed(collectives::exchange(table)?), ranks));
            }
            Task::Collective(task) => task,
        };
        if self.needs_reducing_switches()
            && ![Domain::Inside, Domain::Outside].iter().any(|&domain| fabric.reduces(domain))
        {
            return Err(Unfit::NoReduction);
        }
        let size = ranks / task.groups.get();
        let groups = collectives::group_ranks(task.grouping, size, cards, fabric)?;
        Ok((collectives::plan(&task.request(ranks, &groups, task.size))?, size))
    }

    /// Who is late and slow.
    fn conducts(&self, ranks: u32, index: u32, keys: Keys) -> Result<Conducts, Unfit> {
        self.stragglers.fit(ranks)?;
        if self.stragglers.are_none() {
            return Ok(Conducts::alike(self.costs));
        }
        Ok(Conducts::new(&self.stragglers.conducts(ranks, self.costs, (index, keys))))
    }
}

fn placement(value: &Value, task: &Task) -> Placement {
    match value.form() {
        ("by_supernode", _) => Placement::BySupernode,
        ("rail", _) => {
            let (groups, grouping) = task.groups();
            Placement::Rail { groups, grouping }
        }
        ("random", _) => Placement::Random,
        ("strided", Some(fields)) => Placement::Strided { stride: fields.count32("stride") },
        ("fragmented", Some(fields)) => Placement::Fragmented { run: fields.count32("run") },
        ("listed", Some(fields)) => Placement::Listed { cards: cards(fields) },
        ("shared", Some(fields)) => Placement::Shared { cards: cards(fields) },
        ("allocated", Some(fields)) => {
            let busy_ppm = fields.percent_if_given("busy").unwrap_or(0);
            Placement::Allocated { busy_ppm: u32::try_from(busy_ppm).unwrap_or(u32::MAX) }
        }
        _ => Placement::Linear,
    }
}

fn cards(fields: &Fields) -> Vec<CardId> {
    fields.list("cards").iter().map(|card| CardId(card.count32())).collect()
}
