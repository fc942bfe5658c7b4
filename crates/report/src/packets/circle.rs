//! A circle of links that may wait for each other.

use serde::{Deserialize, Serialize};

use crate::show;

/// A circle of links whose packets may wait for each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CircleRecord {
    /// The class of service in which they wait.
    pub class: u8,
    /// The links by their names, each before the one that it may wait for.
    pub links: Vec<String>,
    /// From when on routes are that let them, in ps; 0 is the start.
    pub at_ps: u64,
    /// Whether it takes packets of the routes before as well.
    pub is_across_change: bool,
    /// Where it takes packets of three states or more: from when on the routes of the first are, in ps.
    #[serde(default)]
    pub since_ps: Option<u64>,
}

impl CircleRecord {
    /// The circle in words.
    pub(super) fn told(&self) -> String {
        let Self { class, links, at_ps, is_across_change, since_ps } = self;
        let at = show::time(*at_ps);
        let routes = match (since_ps, at_ps, is_across_change) {
            (Some(since), ..) => {
                let since = show::time(*since);
                format!(
                    "the routes of all states from {since} on to that from {at} on together have"
                )
            }
            (None, 0, _) => "the routes have".to_owned(),
            (None, _, false) => format!("the routes from {at} on have"),
            (None, _, true) => format!("the routes before and after {at} together have"),
        };
        let links = links.join("; ");
        format!("{routes} a circle of links that may wait for each other in class {class}: {links}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_which_routes_a_circle_takes() {
        let told = |at_ps, is_across_change, since_ps| {
            let links = vec!["a → b".into(), "b → a".into()];
            CircleRecord { class: 1, links, at_ps, is_across_change, since_ps }.told()
        };
        let circle = " a circle of links that may wait for each other in class 1: a → b; b → a";
        assert_eq!(told(0, false, None), format!("the routes have{circle}"));
        let from = "the routes from 5.0000 us on have";
        assert_eq!(told(5_000_000, false, None), format!("{from}{circle}"));
        let across = "the routes before and after 5.0000 us together have";
        assert_eq!(told(5_000_000, true, None), format!("{across}{circle}"));
        let over =
            "the routes of all states from 1.0000 us on to that from 5.0000 us on together have";
        assert_eq!(told(5_000_000, true, Some(1_000_000)), format!("{over}{circle}"));
    }
}
