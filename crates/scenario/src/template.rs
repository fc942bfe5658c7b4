//! The scenario that `superclos new` writes.

/// A commented scenario that passes the check and runs in well under a second.
pub const fn template() -> &'static str {
    include_str!("template.ron")
}
