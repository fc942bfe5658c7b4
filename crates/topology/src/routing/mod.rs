//! Which links a transfer uses: shortest paths, sprayed over or picked by a hash.

mod attachment;
mod cone;
mod dag;
mod hashed;
mod marks;
mod mix;
mod path;
mod reduction;
mod router;
mod spray;

pub use mix::mix;
pub use path::{Hop, Path, RouteError};
pub use router::Router;

/// How transfers choose among equally short paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Routing {
    /// Ideal spray: at every node the transfer splits over all next hops in proportion to their
    /// capacity.
    Spray,
    /// ECMP: a pair's transfer is cut into flows, each of which picks one path by a keyed hash.
    Ecmp {
        /// Flows per pair of cards, at least 1.
        flows: u32,
        /// The key of the hash.
        key: u64,
    },
}
