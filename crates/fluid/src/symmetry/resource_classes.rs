//! Classes of links and trunks, and what classes of flows take of them.

use std::collections::BTreeMap;

use topology::refinement::Classes;
use units::{Duration, gcd};

use super::scene::Scene;
use crate::paths::Share;
use crate::traffic::Loads;
use crate::{Error, World};

/// No class: nothing crosses it, or it is left out.
const NONE: u32 = u32::MAX;

/// The classes of links and trunks.
pub(super) struct ResourceClasses {
    /// The dense number of the class of each resource.
    class_of: Vec<u32>,
    members: Vec<u128>,
    /// The capacity of one member in each state of the course.
    pub(super) by_state: Vec<Vec<u128>>,
}

impl ResourceClasses {
    /// Numbers the classes of what something crosses.
    pub(super) fn new(scene: &Scene<'_>, classes: &Classes) -> Self {
        let mut dense = vec![NONE; classes.count];
        let mut made = Self {
            class_of: vec![NONE; scene.resource_vertex.len()],
            members: Vec::new(),
            by_state: vec![Vec::new(); scene.resources.by_state.len()],
        };
        for (resource, &vertex) in scene.resource_vertex.iter().enumerate() {
            if vertex == NONE {
                continue;
            }
            let class = &mut dense[classes.of[vertex as usize] as usize];
            if *class == NONE {
                *class = made.members.len() as u32;
                made.members.push(0);
                for (made, state) in made.by_state.iter_mut().zip(&scene.resources.by_state) {
                    made.push(state[resource]);
                }
            }
            made.members[*class as usize] += 1;
            made.class_of[resource] = *class;
        }
        made
    }

    /// What `members` flows, all with paths like `path`, take together of one member of each class of
    /// resources.
    pub(super) fn share(&self, path: &Share, members: u128) -> Result<Share, Error> {
        let mut weights: BTreeMap<u32, u128> = BTreeMap::new();
        for &(resource, weight) in &path.crossings {
            if self.class_of[resource as usize] == NONE {
                continue;
            }
            *weights.entry(self.class_of[resource as usize]).or_default() += u128::from(weight);
        }
        let fractions: Vec<(u32, u128, u128)> = weights
            .into_iter()
            .map(|(resource, weight)| {
                let over = weight * members;
                let under = u128::from(path.denominator) * self.members[resource as usize];
                let common = gcd(over, under);
                (resource, over / common, under / common)
            })
            .collect();
        let mut denominator = 1_u128;
        for &(_, _, under) in &fractions {
            let common = gcd(denominator, under);
            denominator = (denominator / common).checked_mul(under).ok_or(Error::TooFine)?;
        }
        let crossings: Option<Vec<(u32, u64)>> = fractions
            .into_iter()
            .map(|(resource, over, under)| {
                let weight = over.checked_mul(denominator / under)?;
                Some((resource, u64::try_from(weight).ok()?))
            })
            .collect();
        Ok(Share {
            crossings: crossings.ok_or(Error::TooFine)?,
            denominator: u64::try_from(denominator).map_err(|_| Error::TooFine)?,
            latency: path.latency,
            hazard: path.hazard.clone(),
        })
    }

    /// The class of each link, for worlds in which all resources are links.
    pub(super) fn of_links(&self, links: usize) -> Vec<u32> {
        self.class_of[..links].to_vec()
    }

    /// The load of every link, from that of its class; trunks share theirs evenly.
    pub(super) fn loads(
        &self,
        world: &World<'_>,
        scene: &Scene<'_>,
        common: u64,
        on_class: &[(u128, Duration)],
    ) -> Loads {
        let trunks = scene.spread.trunks();
        let mut links = 1_u128;
        for (resource, _) in self.used() {
            if let Ok(trunk) = scene.resources.kind(resource) {
                let count = trunks[trunk].links.len() as u128;
                links = links / gcd(links, count) * count;
            }
        }
        for &resource in scene.left_out.keys() {
            if let Ok(trunk) = scene.resources.kind(resource) {
                let count = trunks[trunk].links.len() as u128;
                links = links / gcd(links, count) * count;
            }
        }
        let mut loads = Loads::new(world.fabric, u128::from(common) * links);
        for (&resource, crossed) in &scene.left_out {
            let load = crossed.bytes * u128::from(common) * links;
            set_load(&mut loads, scene, resource, (load, crossed.least_latency));
        }
        for (resource, class) in self.used() {
            let (load, latency) = on_class[class as usize];
            set_load(&mut loads, scene, resource, (load * links, latency));
        }
        loads
    }

    /// The resources that something crosses, each with its class.
    fn used(&self) -> impl Iterator<Item = (u32, u32)> {
        let classes = self.class_of.iter().enumerate();
        classes.filter(|&(_, &class)| class != NONE).map(|(index, &class)| (index as u32, class))
    }
}

/// Sets the load and least latency of a link, or of every link of a trunk, which share it evenly.
fn set_load(
    loads: &mut Loads,
    scene: &Scene<'_>,
    resource: u32,
    (load, latency): (u128, Duration),
) {
    match scene.resources.kind(resource) {
        Err(link) => {
            loads.on_link[link.index()] = load;
            loads.least_latency[link.index()] = latency;
        }
        Ok(trunk) => {
            let links = &scene.spread.trunks()[trunk].links;
            for link in links {
                loads.on_link[link.index()] = load / links.len() as u128;
                loads.least_latency[link.index()] = latency;
            }
        }
    }
}
