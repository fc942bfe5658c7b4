//! Sprayed paths without a list of links: switches that a spray cannot tell apart are merged.
//!
//! An ideal spray uses links that stand in like places alike. So the switches of a fabric fall into
//! classes (an equitable partition in which every switch with cards is a class of its own), the links
//! between two classes form a *trunk*, and cards with equal neighbours form a *site*. A path is then a
//! few trunks between two sites, whatever the number of spines, and is the same for all pairs of cards
//! of the two sites but for the ports of the cards themselves.

mod distances;
mod fraction;
mod histories;
mod outline;
mod site;
mod site_loss;
mod site_path;
mod tree;
mod trunk;

pub use site::SiteId;
pub use site_path::{SitePath, Spread};
pub use tree::{Stem, TrunkTree};
pub use trunk::{Trunk, TrunkId};
