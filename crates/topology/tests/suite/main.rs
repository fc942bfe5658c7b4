//! What fabrics must be like, whatever their size, and how transfers cross them.

mod aggregation;
mod clos;
mod echo;
mod explicit;
mod inside;
mod limits;
mod loss;
mod oracle;
mod outside;
mod pools;
mod random;
mod routes;
mod specs;
mod spread;
mod structure;
mod timeline;
