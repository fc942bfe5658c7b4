//! Whole worlds at packet level, against closed forms, other simulators and each other.

mod buffers;
mod cases;
mod circles;
mod common;
mod fabrics;
mod htsim;
mod lone;
mod loss;
mod lossless;
mod mishaps;
mod order;
mod probes;
mod routes;
mod standstill;
mod windows;
