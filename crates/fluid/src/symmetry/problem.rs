//! The smaller problem as a model: paths over classes of links, loads, and the longest chain.

use std::collections::BTreeMap;

use engine::{AgentId, PlanBuilder, Terms};
use units::Duration;

use super::across;
use super::listeners::leaving;
use super::quotient::{FlowClass, Quotient};
use super::resource_classes::ResourceClasses;
use crate::chain::Chain;
use crate::course::Course;
use crate::explanation::Told;
use crate::loss::LossyBuilder;
use crate::model::Model;
use crate::paths::{Share, add_shares, common_denominator, least_latency, least_time, medium};
use crate::traffic::{flow_total, least_bytes};
use crate::{Error, Medium};

impl FlowClass {
    fn shares(&self) -> impl Iterator<Item = &Share> + Clone {
        self.paths.iter().flatten()
    }
}

impl Quotient<'_, '_> {
    /// The model of the classes found.
    pub(super) fn finish(
        mut self,
        course: &Course<'_>,
        mut builder: PlanBuilder,
        agent_of_seat: Vec<Vec<AgentId>>,
    ) -> Result<Model, Error> {
        let chain = self.chain(&agent_of_seat);
        let resources = ResourceClasses::new(self.scene, self.classes);
        let mut shares = Vec::with_capacity(self.flows.len());
        let mut rows: Vec<Vec<Option<u32>>> = Vec::with_capacity(self.flows.len());
        let mut transfers = 0;
        for class in &self.flows {
            if class.terms.part == 0 {
                let steps = u128::from(class.terms.steps());
                transfers += class.members * steps * self.rounds(class);
            }
        }
        for class in &mut self.flows {
            let receivers = self.members[class.dst.index()];
            class.terms.fan_in = u64::try_from(class.members / receivers)
                .expect("a receiver takes fewer than 2^64 messages a step");
            let mut row = Vec::with_capacity(class.paths.len());
            for path in &class.paths {
                let Some(path) = path else {
                    row.push(None);
                    continue;
                };
                row.push(Some(shares.len() as u32));
                // What receives a bundle does not hold it back.
                let fabric = self.world.fabric;
                let leaving = class.is_bundle.then(|| leaving(fabric, path));
                let path = leaving.as_ref().unwrap_or(path);
                shares.push(resources.share(path, class.members)?);
            }
            rows.push(row);
        }
        let common = common_denominator(shares.iter().map(|share| share.denominator))?;
        let mut medium = medium(course, &resources.by_state, common)?;
        add_shares(&mut medium, &shares, common);
        drop(shares);
        let mut lossy = LossyBuilder::default();
        for (class, row) in self.flows.iter().zip(&rows) {
            medium.add_rerouted_flow(row.iter().copied());
            let share = class.paths.iter().map(Option::as_ref);
            let hazards = share.map(|share| share?.hazard.as_deref());
            lossy.flow(hazards, class.members, class.draw);
            let stage = self.stage_at(class.src, class.terms.stage);
            builder.flow(class.src, class.dst, Terms { stage, ..class.terms });
        }
        let on_class = self.load_classes(&medium, &rows);
        let mut loads = resources.loads(self.world, self.scene, common, &on_class);
        across::add(self.world, self.scene, &mut loads);
        self.add_arrivals(&mut loads)?;
        let plan = builder.build();
        let links = self.world.fabric.links().len();
        let best = self.scene.resources.best[..links].to_vec();
        let class_of_link = course.is_rerouted().then(|| resources.of_links(links));
        let members = self.flows.iter().map(|class| class.members).collect();
        Ok(Model {
            told: self.told(),
            plan,
            medium,
            lossy: lossy.build(self.world.recovery, self.world.fabric.losses()),
            agent_of_seat,
            loads,
            class_of_link,
            best,
            chain,
            members,
            listeners: self.listeners,
            transfers,
        })
    }

    /// How its transfers were told.
    fn told(&self) -> Told {
        let bundles = self.flows.iter().filter(|class| class.is_bundle);
        Told {
            flows: self.flows.iter().map(|class| class.members).sum(),
            bundled: bundles.map(|class| class.members).sum(),
            ..self.scene.told()
        }
    }

    /// How often the lane of a class of flows does all of it.
    fn rounds(&self, flow: &FlowClass) -> u128 {
        let (lane, _) = self.first[flow.src.index()];
        u128::from(self.world.schedule.lanes[lane as usize].rounds.count)
    }

    /// What the first paths put on one member of each class of resources, over the common denominator,
    /// and the least latency of what crosses it.
    fn load_classes(&self, medium: &Medium, rows: &[Vec<Option<u32>>]) -> Vec<(u128, Duration)> {
        let mut on_class = vec![(0_u128, Duration::MAX); medium.capacities().len()];
        for (class, row) in self.flows.iter().zip(rows) {
            let bytes = flow_total(&class.terms) * self.rounds(class);
            let least = least_latency(class.shares());
            let first = *row.iter().flatten().next().expect("who cannot be reached is refused");
            for crossing in medium.crossings(first) {
                let (load, latency) = &mut on_class[crossing.resource as usize];
                *load += bytes * u128::from(crossing.weight);
                *latency = least.min(*latency);
            }
        }
        on_class
    }

    /// The time of the longest chain of steps of any lane.
    fn chain(&self, agent_of_seat: &[Vec<AgentId>]) -> Duration {
        let mut least: Vec<BTreeMap<u32, Duration>> = vec![BTreeMap::new(); self.members.len()];
        for class in &self.flows {
            let bytes = least_bytes(&class.terms);
            let best = &self.scene.resources.best;
            let time = least_time(class.shares().map(|share| share.alone(best)), bytes);
            let known = least[class.src.index()].entry(class.terms.stage).or_insert(time);
            *known = time.min(*known);
        }
        let lanes = self.world.schedule.lanes.iter().zip(agent_of_seat);
        let times = lanes.map(|(lane, agents)| {
            let mut chain = Chain::new(lane);
            for agent in agents {
                for (&stage, &time) in &least[agent.index()] {
                    chain.message(stage as usize, time);
                }
            }
            chain.time(lane)
        });
        times.max().unwrap_or_default()
    }
}
