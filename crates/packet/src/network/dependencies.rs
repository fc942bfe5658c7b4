//! Which links may wait for each other, by the routes, before anything is sent.
//!
//! In a lossless class a link may wait for every link that some packet takes after it. Where that graph
//! has no circle no deadlock can come; where it has one, one may. Source: Dally, Seitz: *Deadlock-Free Message
//! Routing in Multiprocessor Interconnection Networks*, IEEE Transactions on Computers C-36 (5), 1987.

use topology::NodeId;

use super::PacketNetwork;
use super::standstill::{Blocked, blocked, circle};
use super::way::{Way, choose};
use crate::Routing;
use crate::routes::Next;

impl PacketNetwork<'_> {
    /// A circle of links of a lossless class whose packets may wait for each other on the present routes;
    /// empty if there is none, and then no deadlock is possible.
    pub fn dependency_circle(&self) -> Vec<Blocked> {
        (0..self.shared.classes.len() as u8)
            .filter(|&class| self.shared.is_lossless(class))
            .map(|class| {
                let followers = self.followers(class);
                let next = |link: u32| followers[link as usize].clone();
                blocked(&circle(followers.len(), &next), class)
            })
            .find(|circle| !circle.is_empty())
            .unwrap_or_default()
    }

    /// For each link those that packets of a class take after it.
    fn followers(&self, class: u8) -> Vec<Vec<u32>> {
        let data = self.connections.iter().filter(|it| it.class == class);
        let data = data.map(|it| (it.way, it.src));
        // Control packets are of class 0.
        let control = self.receivers.iter().filter(|_| class == 0).map(|it| (it.back, it.card));
        let mut ways: Vec<(Way, u32)> =
            data.chain(control).filter(|(way, _)| way.is_open()).collect();
        if !matches!(self.shared.settings.routing, Routing::PerFlow { .. }) {
            // Sprayed packets take all next hops: connections from one set of links to one group are alike,
            // but for the last link, after which nothing comes.
            ways.sort_unstable_by_key(|(way, _)| (way.row, way.ports, way.dst));
            ways.dedup_by_key(|(way, _)| (way.row, way.ports));
        }
        let mut followers = vec![Vec::new(); self.shared.ends.len()];
        // The last way by which each link was reached: of one row the rest is known.
        let mut seen = vec![None; self.shared.ends.len()];
        for (way, src) in ways {
            let mut ahead = Vec::new();
            self.links(&way, self.shared.routes.choices(way.ports), src, &mut ahead);
            while let Some(link) = ahead.pop() {
                let port = self.port(link);
                let name = (way.row, way.key);
                if port.dst == way.dst || seen[link as usize] == Some(name) {
                    continue;
                }
                seen[link as usize] = Some(name);
                let from = ahead.len();
                let column = self.shared.routes.column(NodeId(port.dst));
                let next = self.shared.routes.next((way.row, column), port.dst, way.dst);
                self.links(&way, next, port.dst, &mut ahead);
                for &follower in &ahead[from..] {
                    if !followers[link as usize].contains(&follower) {
                        followers[link as usize].push(follower);
                    }
                }
            }
        }
        followers
    }

    /// Adds the links of a choice that packets of a way may take at a node.
    fn links(&self, way: &Way, next: Next<'_>, node: u32, all: &mut Vec<u32>) {
        match next {
            Next::Nowhere => {}
            Next::Only(link) => all.push(link.0),
            Next::Choices(..) | Next::Entries(..)
                if matches!(self.shared.settings.routing, Routing::PerFlow { .. }) =>
            {
                let nothing = |_| 0;
                let choice = choose((self.shared.settings.routing, nothing), next, node, way.key);
                all.push(choice.0.0);
            }
            Next::Choices(choices, _) => all.extend(choices.iter().map(|choice| choice.link.0)),
            Next::Entries(entries, from) => {
                let into = entries.iter().filter(|entry| entry.0 == from);
                all.extend(into.map(|entry| entry.1.0));
            }
        }
    }
}
