//! Every schedule proved by sets: who ends with what, under every order of events tried.

mod all_reduce;
mod faults;
mod in_network;
mod parts;
mod promises;
mod random;
mod relayed;
mod rooted;
mod support;
