//! Fat-trees as `SimGrid` routes them, and the flows of its files over them, for the plain engine; shared by
//! the example and the test `simgrid`.

use collectives::{Action, Rounds, Sizes, Start};
use engine::{
    AgentId, Completion, Costs, Limits, Plan, PlanBuilder, Program, ProgramStage, Switch, Terms,
    Watch, run,
};
use fluid::{Crossing, FluidNetwork, Medium};
use units::{Bytes, Duration, Ratio, Time};

/// Every link, each way: 50 GB/s in milli-bit/s.
const CAPACITY: u128 = 400_000_000_000_000;

/// Three tiers of switches: leaves of `radix` hosts, pods of `radix` leaves, `pods` pods, and as many
/// uplinks as downlinks below the top.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FatTree {
    radix: u32,
    pods: u32,
}

/// A flow of a file: who sends what, when, and until when by the peer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeerFlow {
    pub(crate) src: u32,
    pub(crate) dst: u32,
    pub(crate) bytes: u64,
    pub(crate) start: Time,
    /// When the peer lets it finish.
    pub(crate) finish: Time,
}

/// Flows over a fabric, ready to run.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) plan: Plan,
    pub(crate) medium: Medium,
}

impl FatTree {
    /// 1,024 hosts.
    pub(crate) const SMALL: Self = Self { radix: 8, pods: 16 };
    /// 4,096 hosts.
    pub(crate) const MIDDLE: Self = Self { radix: 16, pods: 16 };
    /// 10,240 hosts.
    pub(crate) const LARGE: Self = Self { radix: 16, pods: 40 };

    pub(crate) const fn hosts(self) -> u32 {
        self.radix * self.radix * self.pods
    }

    /// The links of a flow, in order: to host d by uplink d mod radix of a leaf and uplink
    /// ⌊d / radix⌋ mod radix of the switch above. In each tier link 2c is the way up of cable c, link
    /// 2c + 1 the way down.
    fn route(self, src: u32, dst: u32) -> Vec<u32> {
        let Self { radix, .. } = self;
        let (first, second) = (dst % radix, dst / radix % radix);
        let (leaf, pod) = (|host: u32| host / radix, |host: u32| host / (radix * radix));
        let middle = |host: u32| self.hosts() + leaf(host) * radix + first;
        let top = |host: u32| 2 * self.hosts() + (pod(host) * radix + first) * radix + second;
        let mut route = vec![2 * src];
        if leaf(src) != leaf(dst) {
            route.push(2 * middle(src));
            if pod(src) != pod(dst) {
                route.extend([2 * top(src), 2 * top(dst) + 1]);
            }
            route.push(2 * middle(dst) + 1);
        }
        route.push(2 * dst + 1);
        route
    }

    /// A medium of all links on which flow i goes from `ends[i].0` to `ends[i].1`.
    pub(crate) fn medium(self, ends: impl Iterator<Item = (u32, u32)>) -> Medium {
        let mut medium = Medium::new(vec![CAPACITY; 6 * self.hosts() as usize]);
        for (src, dst) in ends {
            let route = self.route(src, dst).into_iter();
            let crossings: Vec<Crossing> =
                route.map(|resource| Crossing { resource, weight: 1 }).collect();
            let path = medium.add_path(&crossings, Duration::ZERO);
            medium.add_flow(path);
        }
        medium
    }

    /// Flows that start by the clock: flow i from agent 2i to agent 2i + 1.
    pub(crate) fn flows(self, flows: &[PeerFlow]) -> Case {
        let mut plan = PlanBuilder::default();
        let receiving = plan.program(program(Time::ZERO, 1));
        let mut sending = (receiving, Time::ZERO);
        for flow in flows {
            if sending.1 != flow.start {
                sending = (plan.program(program(flow.start, 1)), flow.start);
            }
            let (src, dst) = (plan.agent(sending.0), plan.agent(receiving));
            plan.flow(src, dst, terms(1, flow.bytes));
        }
        let ends = flows.iter().map(|flow| (flow.src, flow.dst));
        Case { plan: plan.build(), medium: self.medium(ends) }
    }

    /// A ring of all hosts: each sends to the next and receives from the one before, step by step.
    pub(crate) fn ring(self, steps: u64, bytes: u64) -> Case {
        let mut plan = PlanBuilder::default();
        let walking = plan.program(program(Time::ZERO, steps));
        let agents: Vec<AgentId> = (0..self.hosts()).map(|_| plan.agent(walking)).collect();
        let next = |host: u32| (host + 1) % self.hosts();
        for host in 0..self.hosts() {
            let (src, dst) = (agents[host as usize], agents[next(host) as usize]);
            plan.flow(src, dst, terms(steps, bytes));
        }
        let ends = (0..self.hosts()).map(|host| (host, next(host)));
        Case { plan: plan.build(), medium: self.medium(ends) }
    }
}

impl Case {
    /// The end of all agents by the plain engine: no symmetry, no recurrence, the whole network in view.
    pub(crate) fn run(&self) -> Completion {
        let limits = Limits { watch: Watch::default(), recurrence: Switch::Off, threads: 1 };
        run(&self.plan, FluidNetwork::new(&self.medium), limits).expect("within the range of time")
    }
}

/// The flows of a file of `tests/data/simgrid`.
pub(crate) fn read(text: &str) -> Vec<PeerFlow> {
    let flow = |line: &str| {
        let mut fields = line.split(',').map(|field| field.parse::<u64>().expect("a number"));
        let mut next = || fields.next().expect("five fields");
        let (src, dst) = (next() as u32, next() as u32);
        let (bytes, start, finish) = (next(), next() * 1_000, next());
        let (start, finish) = (Time::from_picos(start), Time::from_picos(finish));
        PeerFlow { src, dst, bytes, start, finish }
    };
    text.lines().skip(1).map(flow).collect()
}

/// A program of one stage that costs nothing beside its bytes.
fn program(start: Time, steps: u64) -> Program {
    Program {
        start,
        rounds: Rounds::ONCE,
        costs: Costs::default(),
        slowness: Ratio::ONE,
        stages: vec![ProgramStage { steps, compute: Duration::ZERO }],
    }
}

/// A transfer of so many bytes in each of so many steps.
fn terms(steps: u64, bytes: u64) -> Terms {
    Terms {
        stage: 0,
        first: 0,
        end: steps,
        sizes: Sizes::Constant(Bytes::new(bytes)),
        part: 0,
        parts: 1,
        ordinal: 0,
        fan_in: 1,
        action: Action::Store,
        start: Start::Eager,
    }
}
