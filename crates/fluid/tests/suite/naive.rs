//! Flows on a fabric that changes, against a naive run that computes everything anew at every instant.

use collectives::{Flow, RankId, flows};
use engine::Costs;
use fluid::{Conducts, Options, Recovery, Scheme, Status, World, simulate};
use topology::{CardId, Fabric, Fault, Link, LinkId, LossRule, Mishap, NodeId, Part, Path, Reach};
use topology::{Router, Routing, Timeline, mix};
use units::{Bytes, Duration, Probability, Time};

use crate::common;

/// How a flow ended: delivered at an instant, or given up at one with so many bytes moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Delivered(u64),
    Lost(u64, u64),
}

/// Milli-bit/s × ps in a byte.
const WORK: u128 = 8_000_000_000_000_000;

/// What a path loses: survival, the latency of its slowest lossy link and its own.
type Losing = Option<(Probability, Duration, Duration)>;

/// What losses cost a flow on the path that it is on, and have cost it before.
#[derive(Clone, Copy, Default)]
struct Leg {
    losing: Losing,
    payload: u128,
    sent: u128,
    /// The wait that belongs to what is sent, in ps.
    delay: u128,
    /// That of earlier legs.
    kept: u128,
}

impl Leg {
    /// Sends `payload` in packets of 1,000 bytes; each link repeats what it loses, N · P/S times in all.
    fn begin(losing: Losing, payload: u128, kept: u128) -> Self {
        let (mut sent, mut delay) = (payload, 0);
        if let Some((survival, link, _)) = losing {
            let (lost, arrives) = (survival.complement().parts(), u128::from(survival.parts()));
            let lost = u128::from(lost) * payload.div_ceil(1_000).max(1);
            sent += (lost * payload.min(1_000)).div_ceil(arrives);
            delay = (lost * u128::from(2 * link.as_picos())).div_ceil(arrives);
        }
        Self { losing, payload, sent, delay, kept }
    }

    /// The payload among what is left.
    fn payload_left(&self, left: u128) -> u128 {
        (left.div_ceil(WORK) * self.payload).div_ceil(self.sent)
    }

    /// Goes on with what is left on a path that loses otherwise.
    fn go_on(&self, losing: Losing, left: u128) -> Self {
        let done = self.sent - left.div_ceil(WORK);
        let kept = self.kept + (self.delay * done).div_ceil(self.sent);
        Self::begin(losing, self.payload_left(left), kept)
    }
}

struct Naive<'a> {
    flows: &'a [Flow],
    /// Instants of states and of routes, each with its fabric.
    states: Vec<(u64, &'a Fabric)>,
    routes: Vec<(u64, &'a Fabric)>,
    left: Vec<u128>,
    legs: Vec<Option<Leg>>,
    ends: Vec<Option<End>>,
}

impl<'a> Naive<'a> {
    fn new(start: &'a Fabric, timeline: &'a Timeline, flows: &'a [Flow]) -> Self {
        let delay = timeline.reroute_after().as_picos();
        let (mut states, mut routes) = (vec![(0, start)], vec![(0, start)]);
        for change in timeline.changes() {
            states.push((change.at.as_picos(), &change.fabric));
            if change.reach == Reach::Other {
                routes.push((change.at.as_picos() + delay, &change.fabric));
            }
        }
        let left = flows.iter().map(|flow| u128::from(flow.bytes.as_u64()) * WORK).collect();
        let legs = vec![None; flows.len()];
        Self { flows, states, routes, left, legs, ends: vec![None; flows.len()] }
    }

    fn path(&self, flow: usize, fabric: &Fabric) -> Option<Path> {
        let Flow { src, dst, .. } = self.flows[flow];
        Router::new(fabric).spray(CardId(src.0), CardId(dst.0)).ok()
    }

    /// Decides the losses of a flow that starts now, or whose path loses otherwise than before.
    fn lose(&mut self, now: u64, flow: usize) {
        let routes =
            self.routes.iter().rev().find(|(at, _)| *at <= now).expect("the first holds").1;
        let Flow { src, dst, bytes, .. } = self.flows[flow];
        let losing = self.path(flow, routes).map(|path| {
            let loss = routes.path_loss(CardId(src.0), CardId(dst.0), &path.hops);
            loss.survivals.first().map(|&survival| (survival, loss.link_latency, path.latency))
        });
        let leg = match (self.legs[flow], losing) {
            (None, losing) => Leg::begin(losing.flatten(), u128::from(bytes.as_u64()), 0),
            (Some(leg), Some(losing)) if losing != leg.losing => leg.go_on(losing, self.left[flow]),
            _ => return,
        };
        self.legs[flow] = Some(leg);
        self.left[flow] = leg.sent * WORK;
    }

    /// The rates of the flows that have a path now: the lowest share of all links, fix, repeat.
    fn rates(&self, now: u64, active: &[usize]) -> Vec<(usize, u128, u64)> {
        let holds = |list: &[(u64, &'a Fabric)]| {
            list.iter().rev().find(|(at, _)| *at <= now).expect("the first holds from the start").1
        };
        let (state, routes) = (holds(&self.states), holds(&self.routes));
        let paths: Vec<(usize, Path)> =
            active.iter().filter_map(|&flow| Some((flow, self.path(flow, routes)?))).collect();
        let common: u128 = paths.iter().map(|(_, path)| u128::from(path.denominator)).product();
        let weight = |path: &Path, link: LinkId| {
            let hop = path.hops.iter().find(|hop| hop.link == link);
            hop.map_or(0, |hop| u128::from(hop.weight) * (common / u128::from(path.denominator)))
        };
        let mut rates: Vec<Option<u128>> = vec![None; paths.len()];
        while rates.iter().any(Option::is_none) {
            let share = |link: usize| {
                let id = LinkId(link as u32);
                let mut free =
                    u128::from(state.link(id).goodput.as_milli_bits_per_second()) * common;
                let mut asked = 0;
                for ((_, path), rate) in paths.iter().zip(&rates) {
                    match rate {
                        Some(rate) => free -= rate * weight(path, id),
                        None => asked += weight(path, id),
                    }
                }
                free.checked_div(asked)
            };
            let shares: Vec<Option<u128>> = (0..state.links().len()).map(share).collect();
            let lowest = shares.iter().flatten().min().copied().expect("a flow crosses a link");
            for ((_, path), rate) in paths.iter().zip(&mut rates) {
                let is_held = path.hops.iter().any(|hop| shares[hop.link.index()] == Some(lowest));
                if rate.is_none() && is_held {
                    *rate = Some(lowest);
                }
            }
        }
        let told = paths.iter().zip(rates);
        told.map(|((flow, path), rate)| (*flow, rate.unwrap_or(0), path.latency.as_picos()))
            .collect()
    }

    fn run(mut self) -> Vec<End> {
        let mut now = 0;
        loop {
            let open = (0..self.flows.len()).filter(|&flow| self.ends[flow].is_none());
            let (active, later): (Vec<usize>, Vec<usize>) =
                open.partition(|&flow| self.flows[flow].start.as_picos() <= now);
            for &flow in &active {
                self.lose(now, flow);
                let leg = self.legs[flow].expect("its losses are decided");
                let ahead = self.routes.iter().rev();
                let holding = self.routes.iter().filter(|(at, _)| *at <= now).count();
                let mut ahead = ahead.take(self.routes.len() - holding + 1);
                if ahead.all(|(_, fabric)| self.path(flow, fabric).is_none()) {
                    let moved = u128::from(self.flows[flow].bytes.as_u64())
                        - leg.payload_left(self.left[flow]);
                    self.ends[flow] = Some(End::Lost(now, moved as u64));
                }
            }
            let active: Vec<usize> =
                active.into_iter().filter(|&flow| self.ends[flow].is_none()).collect();
            let rates = self.rates(now, &active);
            let changes = self.states.iter().chain(&self.routes).map(|(at, _)| *at);
            let starts = later.iter().map(|&flow| self.flows[flow].start.as_picos());
            let drains = rates
                .iter()
                .filter(|(_, rate, _)| *rate > 0)
                .map(|&(flow, rate, _)| now + self.left[flow].div_ceil(rate) as u64);
            let next = changes.chain(starts).chain(drains).filter(|&at| at > now).min();
            let Some(next) = next else { break };
            for (flow, rate, latency) in rates {
                let moved = rate * u128::from(next - now);
                if moved >= self.left[flow] && rate > 0 {
                    let Leg { delay, kept, .. } = self.legs[flow].expect("it has moved");
                    self.ends[flow] = Some(End::Delivered(next + latency + (delay + kept) as u64));
                }
                self.left[flow] -= moved.min(self.left[flow]);
            }
            now = next;
        }
        self.ends.into_iter().map(|end| end.expect("every flow ends")).collect()
    }
}

/// Up to five flows of up to 2 MB that start within 0.75 ms.
fn drawn_flows(fabric: &Fabric, draw: &dyn Fn(u64, u64) -> u64) -> Vec<Flow> {
    let cards = u64::from(fabric.cards());
    let flow = |index| {
        let src = draw(10 + index, cards);
        let dst = (src + 1 + draw(20 + index, cards - 1)) % cards;
        let bytes = Bytes::new(1 + draw(30 + index, 2_000_000));
        let start = Time::from_picos(draw(40 + index, 4) * 250_000_000);
        let (src, dst) = (RankId(src as u32), RankId(dst as u32));
        Flow { src, dst, bytes, start, compute: Duration::ZERO }
    };
    (0..=draw(1, 5)).map(flow).collect()
}

/// Up to four mishaps at few instants, so that much happens at once.
fn drawn_mishaps(fabric: &Fabric, draw: &dyn Fn(u64, u64) -> u64) -> Vec<Mishap> {
    let mishap = |index| {
        let link = draw(50 + index, fabric.links().len() as u64);
        let Link { src, dst, .. } = *fabric.link(LinkId(link as u32));
        let (from, to) = (fabric.node_name(src), fabric.node_name(dst));
        let node = draw(60 + index, fabric.nodes().len() as u64);
        let part = match draw(70 + index, 3) {
            0 => Part::Node(fabric.node_name(NodeId(node as u32))),
            _ => Part::Link { from, to, count: 1 },
        };
        let speed_ppm = [0, 0, 500_000, 250_000][draw(80 + index, 4) as usize];
        let at = draw(90 + index, 6) * 200_000_000;
        let until = at + draw(100 + index, 4) * 200_000_000;
        let until = (until > at).then(|| Time::from_picos(until));
        Mishap { fault: Fault { part, speed_ppm }, at: Some(Time::from_picos(at)), until }
    };
    (0..=draw(2, 4)).map(mishap).collect()
}

/// What becomes of a random fabric, by draws of a purpose below a number.
type Change = dyn Fn(Fabric, &dyn Fn(u64, u64) -> u64) -> Fabric;

/// Runs 400 random worlds, their fabrics changed by `change`; how many flows are lost and delivered.
fn compare(change: &Change) -> (usize, usize) {
    let (mut lost, mut finished) = (0, 0);
    for seed in 0..400_u64 {
        let draw = |purpose: u64, below: u64| mix(seed, purpose) % below;
        let fabric = match draw(0, 4) {
            0 => common::star(4, 1, Duration::from_nanos(300)),
            1 => common::two_leaves(2),
            2 => common::two_leaves(4),
            _ => common::cluster(2, 3),
        };
        let fabric = change(fabric, &draw);
        let (list, mishaps) = (drawn_flows(&fabric, &draw), drawn_mishaps(&fabric, &draw));
        let delay = Duration::from_picos(draw(3, 3) * 200_000_000);
        let (start, timeline) = fabric.in_time(&mishaps, delay).expect("all of it is there");
        let schedule = flows(fabric.cards(), &list).expect("the flows are possible");
        let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
        let world = World {
            fabric: &start,
            timeline: Some(&timeline),
            cards: &cards,
            schedule: &schedule,
            routing: Routing::Spray,
            conducts: &Conducts::alike(Costs::default()),
            recovery: Recovery {
                mtu: Bytes::new(1_000),
                retries: 255,
                scheme: Scheme::LinkRetry,
                ..Recovery::default()
            },
        };
        let outcome = simulate(&world, &Options::default()).expect("all are reached at first");
        let naive = Naive::new(&start, &timeline, &list).run();
        let mut expected = Vec::new();
        for (flow, end) in list.iter().zip(&naive) {
            let index = expected.len();
            expected.push(match end {
                End::Delivered(at) => Some(Time::from_picos(*at)),
                End::Lost(at, delivered) => {
                    let Status::Unreachable { transfers, .. } = &outcome.status else {
                        panic!("seed {seed}: {:?}", outcome.status)
                    };
                    let told = transfers.iter().any(|it| {
                        (it.src, it.dst) == (flow.src, flow.dst)
                            && (it.at.as_picos(), it.delivered.as_u64()) == (*at, *delivered)
                    });
                    assert!(told, "seed {seed}, flow {index}: {end:?} in {transfers:?}");
                    None
                }
            });
        }
        assert_eq!(outcome.lanes, expected, "seed {seed}");
        lost += naive.iter().filter(|end| matches!(end, End::Lost(..))).count();
        finished += naive.iter().filter(|end| matches!(end, End::Delivered(_))).count();
    }
    (lost, finished)
}

#[test]
fn flows_end_as_in_a_naive_run() {
    let (lost, finished) = compare(&|fabric, _| fabric);
    assert!(lost >= 50 && finished >= 500, "{lost} lost, {finished} finished");
}

#[test]
fn flows_that_lose_packets_end_as_in_a_naive_run() {
    let (lost, finished) = compare(&|fabric, draw| {
        // Two links lose from 1 in 1,000 packets to 1 in 5 of them.
        let rule = |index: u64| {
            let link = draw(110 + index, fabric.links().len() as u64);
            let Link { src, dst, .. } = *fabric.link(LinkId(link as u32));
            let (from, to) = (fabric.node_name(src), fabric.node_name(dst));
            let ppm = [1_000, 20_000, 200_000][draw(120 + index, 3) as usize];
            let loss = Probability::from_ppm(ppm).expect("at most 1");
            LossRule {
                part: Part::Link { from, to, count: 1 },
                loss,
                from: Time::ZERO,
                until: None,
            }
        };
        fabric.with_losses(&[rule(0), rule(1)]).expect("the links are there")
    });
    assert!(lost >= 50 && finished >= 500, "{lost} lost, {finished} finished");
}
