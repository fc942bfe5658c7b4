//! The path between two sites, in exact shares.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use units::Duration;

use super::distances::Distances;
use super::fraction::Fraction;
use super::histories::Histories;
use super::site::{SiteId, Sites, ports_in, ports_out};
use super::tree::TrunkTree;
use super::trunk::{Trunk, TrunkGraph, TrunkId};
use crate::fabric::rate;
use crate::{CardId, Domain, Fabric, LinkId, RouteError, Router};

/// How a flow between two cards of two sites crosses the fabric: shares of one denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePath {
    /// Which ports of the sender it leaves by: the index among the sender's ports of the domain.
    pub up: Vec<(u32, u64)>,
    /// Which trunks it crosses.
    pub trunks: Vec<(TrunkId, u64)>,
    /// Which ports of the receiver it arrives by.
    pub down: Vec<(u32, u64)>,
    /// The links straight from card to card, when there are any, or all links at cards where cards
    /// forward; then it uses no ports beside.
    pub direct: Vec<(LinkId, u64)>,
    /// What the weights are shares of.
    pub denominator: u64,
    /// The latency of the slowest of the paths used.
    pub latency: Duration,
}

/// Sprayed paths by site.
#[derive(Debug)]
pub struct Spread<'f> {
    pub(super) fabric: &'f Fabric,
    pub(super) graph: TrunkGraph,
    inside: Sites,
    outside: Sites,
    paths: RefCell<FxHashMap<(Domain, SiteId, SiteId), Rc<SitePath>>>,
    /// The outer switches as a tree, if they are one.
    pub(super) tree: Option<TrunkTree>,
    pub(super) distances: RefCell<FxHashMap<(Domain, SiteId), Distances>>,
    /// Finds the paths where cards forward.
    router: RefCell<Option<Router<'f>>>,
}

/// Shares that do not fit.
struct Beyond;

impl<'f> Spread<'f> {
    /// Finds the trunks and sites of `fabric`, in time linear in its links but for a logarithm.
    pub fn new(fabric: &'f Fabric) -> Self {
        Self::in_time(fabric, &[])
    }

    /// The same, merging only what stays alike in the states that follow, of the same links.
    pub fn in_time(fabric: &'f Fabric, later: &[&Fabric]) -> Self {
        let histories = Histories::new(later);
        let graph = TrunkGraph::new(fabric, &histories);
        Self {
            fabric,
            tree: TrunkTree::new(&graph),
            graph,
            inside: Sites::new(fabric, Domain::Inside, &histories),
            outside: Sites::new(fabric, Domain::Outside, &histories),
            paths: RefCell::default(),
            distances: RefCell::default(),
            router: RefCell::default(),
        }
    }

    /// Over which network two different cards talk.
    pub fn domain(&self, src: CardId, dst: CardId) -> Domain {
        if self.fabric.supernode(src) == self.fabric.supernode(dst) {
            Domain::Inside
        } else {
            Domain::Outside
        }
    }

    /// The site of a card.
    pub fn site(&self, card: CardId, domain: Domain) -> SiteId {
        match domain {
            Domain::Inside => self.inside.of(card),
            Domain::Outside => self.outside.of(card),
        }
    }

    /// All trunks, by id.
    pub fn trunks(&self) -> &[Trunk] {
        &self.graph.trunks
    }

    /// The trunk of a link between switches.
    pub fn trunk_of(&self, link: LinkId) -> Option<TrunkId> {
        self.graph.trunk_of_link.get(&link).copied()
    }

    /// The links that leave a card into a domain; an index of [`SitePath::up`] counts them.
    pub fn ports_out(&self, card: CardId, domain: Domain) -> Vec<LinkId> {
        ports_out(self.fabric, card, domain).collect()
    }

    /// The links that enter a card from a domain; an index of [`SitePath::down`] counts them.
    pub fn ports_in(&self, card: CardId, domain: Domain) -> Vec<LinkId> {
        ports_in(self.fabric, card, domain).collect()
    }

    /// The switches of the outer fabric as a tree, if they are one.
    pub const fn tree(&self) -> Option<&TrunkTree> {
        self.tree.as_ref()
    }

    /// The class of switches that all outer ports of a card lead to, if it is one.
    pub fn attachment(&self, card: CardId) -> Option<u32> {
        let out = ports_out(self.fabric, card, Domain::Outside).map(|l| self.fabric.link(l).dst);
        let into = ports_in(self.fabric, card, Domain::Outside).map(|l| self.fabric.link(l).src);
        let mut classes = out.chain(into).map(|node| self.graph.class_of(node));
        let first = classes.next()??;
        classes.all(|class| class == Some(first)).then_some(first)
    }

    /// The path between two different cards, shared by all pairs of their sites.
    pub fn path(&self, src: CardId, dst: CardId) -> Result<Rc<SitePath>, RouteError> {
        let domain = self.domain(src, dst);
        let key = (domain, self.site(src, domain), self.site(dst, domain));
        if let Some(path) = self.paths.borrow().get(&key) {
            return Ok(Rc::clone(path));
        }
        let path = if self.fabric.cards_forward(domain) {
            self.forwarded(src, dst)?
        } else {
            let path = match self.direct(src, dst, domain) {
                Some(path) => path,
                None => self.switched(src, dst, domain)?,
            };
            path.map_err(|Beyond| RouteError::TooFine { src, dst })?
        };
        let path = Rc::new(path);
        self.paths.borrow_mut().insert(key, Rc::clone(&path));
        Ok(path)
    }

    /// The path of two cards over others: a site is one card there, so its links are listed.
    fn forwarded(&self, src: CardId, dst: CardId) -> Result<SitePath, RouteError> {
        let fabric = self.fabric;
        let mut router = self.router.borrow_mut();
        let router = router.get_or_insert_with(|| Router::new(fabric));
        let path = router.spray(src, dst)?;
        let mut trunks: BTreeMap<TrunkId, u64> = BTreeMap::new();
        let mut direct = Vec::new();
        for hop in &path.hops {
            match self.trunk_of(hop.link) {
                Some(trunk) => *trunks.entry(trunk).or_default() += hop.weight,
                None => direct.push((hop.link, hop.weight)),
            }
        }
        Ok(SitePath {
            up: Vec::new(),
            trunks: trunks.into_iter().collect(),
            down: Vec::new(),
            direct,
            denominator: path.denominator,
            latency: path.latency,
        })
    }

    fn direct(&self, src: CardId, dst: CardId, domain: Domain) -> Option<Result<SitePath, Beyond>> {
        let links: Vec<LinkId> = ports_out(self.fabric, src, domain)
            .filter(|&link| self.fabric.link(link).dst == dst.node())
            .collect();
        if links.is_empty() {
            return None;
        }
        let mut shares = Shares::default();
        let latency = links.iter().map(|&link| self.fabric.link(link).latency).max();
        shares.latency = latency.unwrap_or_default();
        let whole = links.iter().map(|&link| rate(self.fabric.link(link).goodput)).sum();
        for link in links {
            let part = Fraction::ONE.of(rate(self.fabric.link(link).goodput), whole);
            shares.direct.push((link, part.unwrap_or(Fraction::ZERO)));
        }
        Some(shares.finish())
    }

    fn switched(
        &self,
        src: CardId,
        dst: CardId,
        domain: Domain,
    ) -> Result<Result<SitePath, Beyond>, RouteError> {
        let distance = self.distances((src, dst), domain);
        let first = ports_out(self.fabric, src, domain)
            .filter_map(|link| self.graph.class_of(self.fabric.link(link).dst))
            .filter_map(|class| distance.get(&class).copied())
            .min()
            .ok_or(RouteError::Unreachable { src, dst })?;
        Ok(self.spread(src, dst, domain, (&distance, first)))
    }

    /// Lets the flow run down the distances, split in proportion to capacity at every class.
    fn spread(
        &self,
        src: CardId,
        dst: CardId,
        domain: Domain,
        (distance, first): (&FxHashMap<u32, u32>, u32),
    ) -> Result<SitePath, Beyond> {
        let mut shares = Shares::default();
        let mut level: Vec<(u32, Fraction, Duration)> = Vec::new();
        let leaving = ports_out(self.fabric, src, domain).enumerate().filter_map(|(port, link)| {
            let class = self.graph.class_of(self.fabric.link(link).dst)?;
            (distance.get(&class) == Some(&first)).then_some((port, class, self.fabric.link(link)))
        });
        let whole = leaving.clone().map(|(_, _, link)| rate(link.goodput)).sum();
        for (port, class, link) in leaving {
            let share = Fraction::ONE.of(rate(link.goodput), whole).ok_or(Beyond)?;
            shares.up.push((port as u32, share));
            arrive(&mut level, class, share, link.latency)?;
        }
        for hops in (1..first).rev() {
            let mut next = Vec::new();
            for (class, share, latency) in level {
                let onward = self.graph.from[class as usize].iter().filter(|trunk| {
                    distance.get(&self.graph.trunks[trunk.index()].dst) == Some(&hops)
                });
                let whole = onward.clone().map(|t| self.graph.trunks[t.index()].capacity).sum();
                for &trunk_id in onward {
                    let trunk = &self.graph.trunks[trunk_id.index()];
                    let part = share.of(trunk.capacity, whole).ok_or(Beyond)?;
                    shares.trunks.push((trunk_id, part));
                    arrive(&mut next, trunk.dst, part, latency + trunk.latency)?;
                }
            }
            level = next;
        }
        let arriving: Vec<_> = ports_in(self.fabric, dst, domain).collect();
        let mut down = vec![Fraction::ZERO; arriving.len()];
        for (class, share, latency) in level {
            let here = arriving.iter().enumerate().filter(|&(_, &link)| {
                self.graph.class_of(self.fabric.link(link).src) == Some(class)
            });
            let whole = here.clone().map(|(_, &link)| rate(self.fabric.link(link).goodput)).sum();
            for (port, &link) in here {
                let link = self.fabric.link(link);
                let part = share.of(rate(link.goodput), whole).ok_or(Beyond)?;
                down[port] = down[port].plus(part).ok_or(Beyond)?;
                shares.latency = shares.latency.max(latency + link.latency);
            }
        }
        let down = down.into_iter().enumerate().filter(|(_, share)| share.over > 0);
        shares.down = down.map(|(port, share)| (port as u32, share)).collect();
        shares.finish()
    }
}

/// Adds a share that arrives at a class of switches.
fn arrive(
    level: &mut Vec<(u32, Fraction, Duration)>,
    class: u32,
    share: Fraction,
    latency: Duration,
) -> Result<(), Beyond> {
    match level.iter_mut().find(|(other, _, _)| *other == class) {
        Some((_, sum, slowest)) => {
            *sum = sum.plus(share).ok_or(Beyond)?;
            *slowest = latency.max(*slowest);
        }
        None => level.push((class, share, latency)),
    }
    Ok(())
}

/// A path before its shares have one denominator.
#[derive(Default)]
struct Shares {
    up: Vec<(u32, Fraction)>,
    trunks: Vec<(TrunkId, Fraction)>,
    down: Vec<(u32, Fraction)>,
    direct: Vec<(LinkId, Fraction)>,
    latency: Duration,
}

impl Shares {
    fn finish(self) -> Result<SitePath, Beyond> {
        let ports = self.up.iter().chain(&self.down).map(|&(_, share)| share);
        let trunks = self.trunks.iter().map(|&(_, share)| share);
        let direct = self.direct.iter().map(|&(_, share)| share);
        let mut common = 1;
        for share in ports.chain(trunks).chain(direct) {
            common = share.common(common).ok_or(Beyond)?;
        }
        let denominator = u64::try_from(common).map_err(|_| Beyond)?;
        let weight = |share: Fraction| (share.over * (common / share.under)) as u64;
        Ok(SitePath {
            up: self.up.into_iter().map(|(port, share)| (port, weight(share))).collect(),
            trunks: self.trunks.into_iter().map(|(trunk, share)| (trunk, weight(share))).collect(),
            down: self.down.into_iter().map(|(port, share)| (port, weight(share))).collect(),
            direct: self.direct.into_iter().map(|(link, share)| (link, weight(share))).collect(),
            denominator,
            latency: self.latency,
        })
    }
}
