//! Random small worlds.

use collectives::{
    Algorithm, Channels, Collective, Group, Grouping, HalvingOrder, Inner, Outer, Rounds, Schedule,
    group_ranks, repeated, together,
};
use proptest::test_runner::TestCaseError;
use topology::{
    Attach, CardId, ClosSpec, ClosTier, ClusterSpec, DirectSpec, DragonflySpec, Efficiency, Fabric,
    FabricSpec, GridEnds, InsideSpec, MeshDimension, NicCount, NicOrder, NicSpec, RouterSpec,
    SupernodeSpec, SwitchKind, SwitchedMeshSpec, TwoLevelSpec, mix,
};
use units::{Bandwidth, Bytes, Duration, Ratio, Time};

use crate::common::{star, try_schedule};

/// The numbers that choose a random world, each used modulo its choices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices(pub(crate) [u64; 12]);

impl Choices {
    pub(crate) fn pick<T: Clone>(&self, place: usize, from: &[T]) -> T {
        from[(self.0[place] % from.len() as u64) as usize].clone()
    }

    /// A small cluster or star; `None` if the numbers do not fit together.
    pub(crate) fn fabric(&self) -> Option<Fabric> {
        let cards = 1 + (self.0[0] % 24) as u32;
        if self.0[1].is_multiple_of(6) {
            return Some(star(cards, self.pick(2, &[1, 50]), self.latency(3)));
        }
        let supernode_cards = self.pick(1, &[1, 2, 3, 4, 5, 8]);
        let supernode = SupernodeSpec {
            cards: supernode_cards,
            inside: self.inside(supernode_cards),
            bandwidth: self.pick(
                4,
                &[
                    Bandwidth::from_gigabytes_per_second(450),
                    Bandwidth::from_gigabits_per_second(25),
                ],
            ),
            latency: self.latency(3),
            efficiency: Efficiency::ONE,
        };
        let count = self.pick(
            5,
            &[
                NicCount::PerCard(1),
                NicCount::PerCard(1),
                NicCount::PerCard(2),
                NicCount::PerSupernode(2),
            ],
        );
        let nics = NicSpec {
            count,
            bandwidth: Bandwidth::from_gigabits_per_second(100),
            latency: self.latency(6),
            efficiency: Efficiency::ONE,
        };
        let ratio = |over, under| Ratio::new(over, under).expect("positive");
        let leaf_ports = self.pick(7, &[2, 4, 4, 6, 8]);
        let ratios = [ratio(1, 1), ratio(2, 1), ratio(1, 2), ratio(4, 3)];
        let tier = |place: usize| ClosTier { ratio: self.pick(place, &ratios), pod: 2 };
        let tiers =
            if self.0[9].is_multiple_of(3) { vec![tier(8), tier(10)] } else { vec![tier(8)] };
        if self.0[9] % 4 == 1 {
            return self.direct(cards, supernode, nics);
        }
        let order = self.pick(10, &[NicOrder::InOrder, NicOrder::InOrder, NicOrder::Rails]);
        let (homes, planes) = match nics.count {
            NicCount::PerCard(2) | NicCount::PerSupernode(2) => {
                self.pick(6, &[(1, 1), (2, 1), (1, 2)])
            }
            _ => (1, 1),
        };
        let attach = Attach { order, homes, planes };
        let outside = ClosSpec {
            leaf_ports,
            tiers,
            top_ports: 64,
            top_switches: None,
            uplink: Bandwidth::from_gigabits_per_second(100),
            latency: self.latency(11),
            efficiency: Efficiency { payload: 4096, wire: 4160 },
            attach,
            switches: SwitchKind::Forward,
        };
        Fabric::build(&FabricSpec::Cluster(ClusterSpec { cards, supernode, nics, outside })).ok()
    }

    /// Cards on routers that are linked to each other.
    fn direct(&self, cards: u32, supernode: SupernodeSpec, nics: NicSpec) -> Option<Fabric> {
        let supernodes = cards.div_ceil(supernode.cards);
        let side = if supernodes.is_multiple_of(2) { 2 } else { 1 };
        let sizes = vec![side, supernodes / side];
        let cables = 1 + (self.0[8] % 2) as u32;
        let dragonfly = DragonflySpec { router_ports: 2, group_routers: 2, global_links: 3 };
        let routers = self.pick(
            7,
            &[
                RouterSpec::Grid { sizes: sizes.clone(), ends: GridEnds::Open, cables },
                RouterSpec::Grid { sizes, ends: GridEnds::Joined, cables },
                RouterSpec::Dragonfly(dragonfly),
            ],
        );
        let spec = DirectSpec {
            cards,
            supernode,
            nics,
            routers,
            uplink: Bandwidth::from_gigabits_per_second(40),
            latency: self.latency(11),
            efficiency: Efficiency { payload: 4096, wire: 4160 },
        };
        Fabric::build(&FabricSpec::Direct(spec)).ok()
    }

    /// The inside of a supernode of `cards` cards.
    fn inside(&self, cards: u32) -> InsideSpec {
        let side = if cards.is_multiple_of(2) { 2 } else { 1 };
        let sizes = vec![side, cards / side];
        let lanes = [1, 1 + (self.0[7] % 2) as u32];
        let dimension = |(&size, lanes)| MeshDimension { size, lanes };
        let dimensions = sizes.iter().zip(lanes).map(dimension).collect();
        let levels = TwoLevelSpec {
            node_cards: 2,
            planes: 2,
            upper_switches: 1 + (self.0[8] % 2) as u32,
            ratio: Ratio::ONE,
            latency: self.latency(6),
        };
        let offsets = [1, 3].into_iter().filter(|&offset| offset <= cards / 2).collect();
        self.pick(
            2,
            &[
                InsideSpec::Planes { planes: 1 },
                InsideSpec::Planes { planes: 3 },
                InsideSpec::ReducingPlanes { planes: 2 },
                InsideSpec::FullMesh,
                InsideSpec::TwoLevel(levels),
                InsideSpec::HalfMesh { offsets },
                InsideSpec::Grid { sizes: sizes.clone(), ends: GridEnds::Open },
                InsideSpec::Grid { sizes, ends: GridEnds::Joined },
                InsideSpec::SwitchedMesh(SwitchedMeshSpec {
                    dimensions: vec![MeshDimension { size: cards / side, lanes: 2 }],
                    upper: levels,
                    upper_lanes: 1,
                }),
                InsideSpec::NdFullMesh { dimensions },
            ],
        )
    }

    fn latency(&self, place: usize) -> Duration {
        self.pick(
            place,
            &[Duration::ZERO, Duration::from_nanos(500), Duration::from_picos(1_234_567)],
        )
    }

    /// The ranks' cards: in order, or shuffled.
    pub(crate) fn cards(&self, fabric: &Fabric) -> Vec<CardId> {
        let mut cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
        if self.0[4].is_multiple_of(3) {
            cards.sort_by_key(|card| mix(self.0[4], u64::from(card.0)));
        }
        cards
    }

    /// Groups of ranks that divide them.
    pub(crate) fn groups(&self, fabric: &Fabric, cards: &[CardId]) -> Vec<Group> {
        let ranks = cards.len() as u32;
        let size =
            if ranks.is_multiple_of(2) && self.0[10].is_multiple_of(3) { ranks / 2 } else { ranks };
        let grouping = self.pick(11, &[Grouping::Consecutive, Grouping::Strided]);
        group_ranks(grouping, size, cards, fabric).expect("the size divides the ranks")
    }

    /// A collective and an algorithm that performs it.
    ///
    /// Two levels may be refused, where supernodes differ in size, and a barrier has no bytes: see
    /// [`size`](Self::size).
    pub(crate) fn collective(&self, ranks: u32) -> (Collective, Algorithm) {
        let channels = Channels::Count(self.pick(6, &[1, 2, 3]));
        let chunk = Bytes::new(self.pick(7, &[20_000, 77_777]));
        let order = self.pick(8, &[HalvingOrder::DistanceDoubling, HalvingOrder::DistanceHalving]);
        let inner = self.pick(3, &[Inner::Direct, Inner::Ring, Inner::Nhr]);
        let outer = self.pick(
            2,
            &[Outer::Ring, Outer::Direct, Outer::HalvingDoubling { order }, Outer::Tree { chunk }],
        );
        let ring = Algorithm::Ring { channels };
        let root = (self.0[11] % u64::from(ranks)) as u32;
        let imbalance_ppm = self.pick(10, &[0, 150_000, 1_000_000]);
        let chain = Algorithm::Chain { channels, chunk };
        let switches = Algorithm::InNetwork { chunk };
        self.pick(
            9,
            &[
                (Collective::AllReduce, ring),
                (Collective::AllReduce, Algorithm::Tree { channels, chunk }),
                (Collective::AllReduce, Algorithm::HalvingDoubling { order }),
                (Collective::AllReduce, Algorithm::Direct),
                (Collective::AllReduce, Algorithm::Hierarchical { inner, outer }),
                (Collective::AllToAll, Algorithm::Pairwise),
                (Collective::AllToAll, Algorithm::Direct),
                (Collective::AllGather, ring),
                (Collective::ReduceScatter, Algorithm::Direct),
                (Collective::AllReduce, ring),
                (Collective::AllReduce, Algorithm::Hierarchical { inner, outer }),
                (Collective::AllReduce, Algorithm::Nhr),
                (Collective::AllReduce, Algorithm::Pairwise),
                (Collective::AllGather, Algorithm::Recursive),
                (Collective::AllGather, Algorithm::Bruck),
                (Collective::AllGather, Algorithm::Nhr),
                (Collective::ReduceScatter, Algorithm::Recursive),
                (Collective::ReduceScatter, Algorithm::Pairwise),
                (Collective::AllToAll, Algorithm::Bruck),
                (Collective::AllToAll, Algorithm::TwoLevel),
                (Collective::AllToAllV { imbalance_ppm }, Algorithm::Direct),
                (Collective::AllToAllV { imbalance_ppm }, Algorithm::Pairwise),
                (Collective::Broadcast { root }, Algorithm::Binomial),
                (Collective::Broadcast { root }, chain),
                (Collective::Reduce { root }, Algorithm::Binomial),
                (Collective::Reduce { root }, chain),
                (Collective::Gather { root }, Algorithm::Direct),
                (Collective::Gather { root }, Algorithm::Binomial),
                (Collective::Scatter { root }, Algorithm::Direct),
                (Collective::Scatter { root }, Algorithm::Binomial),
                (Collective::Barrier, Algorithm::Dissemination),
                (Collective::AllReduce, switches),
                (Collective::AllReduce, Algorithm::Auto),
                (Collective::Broadcast { root }, Algorithm::Auto),
            ],
        )
    }

    /// All cards as one job, or in every third world cut in two, each with its own start and rounds.
    pub(crate) fn jobs(
        &self,
        fabric: &Fabric,
        cards: &[CardId],
        habits: u64,
    ) -> Result<Schedule, TestCaseError> {
        let cut = if habits.is_multiple_of(3) { cards.len() / 2 } else { 0 };
        let (first, second) = cards.split_at(cut);
        let mut jobs = Vec::new();
        for (index, cards) in [first, second].into_iter().enumerate() {
            if cards.is_empty() {
                continue;
            }
            let mut numbers = self.0;
            numbers.rotate_left(index * 5);
            jobs.push(Self(numbers).job(fabric, cards, mix(habits, index as u64))?);
        }
        Ok(together(&jobs))
    }

    /// A collective of all ranks on `cards`, perhaps later and in rounds.
    fn job(
        &self,
        fabric: &Fabric,
        cards: &[CardId],
        habits: u64,
    ) -> Result<Schedule, TestCaseError> {
        let groups = self.groups(fabric, cards);
        let (collective, algorithm) = self.collective(groups[0].size());
        let size = self.size(collective, cards.len() as u32);
        let Some(mut schedule) = try_schedule(&groups, collective, algorithm, size) else {
            let is_known = matches!(algorithm, Algorithm::TwoLevel | Algorithm::InNetwork { .. });
            assert!(is_known, "only two levels refuse unequal supernodes, and switches several");
            return Err(TestCaseError::reject("not for these supernodes"));
        };
        let micros = |number: u64, from: [u64; 4]| from[(number % 4) as usize] * 1_000_000;
        let start = Time::from_picos(micros(habits >> 8, [0, 0, 3, 700]));
        schedule.lanes.iter_mut().for_each(|lane| lane.start = start);
        let period = Duration::from_picos(micros(habits >> 16, [0, 1, 40, 2_000]));
        let count = [1, 1, 2, 3][(habits >> 24) as usize % 4];
        Ok(repeated(schedule, Rounds { count, period }))
    }

    /// A size in bytes; none for a barrier.
    pub(crate) fn size(&self, collective: Collective, ranks: u32) -> u64 {
        if collective == Collective::Barrier {
            return 0;
        }
        let ranks = u64::from(ranks);
        self.pick(0, &[0, 1, 720_720, 100_003, ranks + 1, 16 * 720_720, 65_536])
    }
}
