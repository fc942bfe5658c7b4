//! From the checked fields of lost packets to what topology and the network model take.

use fluid::{Draw, Recovery, Scheme};
use topology::{LossRule, Part, SupernodeId};
use units::{Bytes, Duration, Probability, Time};

use crate::faults;
use crate::problem::Problems;
use crate::value::{Fields, Value};
use crate::{Keys, Problem, Purpose};

/// The most entries of `losses`: each instant at which one begins or ends costs memory on every link.
const MOST: usize = 100;

/// What links of a fabric lose, and how that is recovered.
#[derive(Clone, Debug)]
pub(crate) struct LossCase {
    pub(crate) rules: Vec<LossRule>,
    recovery: Recovery,
}

impl LossCase {
    /// What `fields` of a fabric say; what cannot be is collected.
    pub(crate) fn new(fields: &Fields, path: &str, problems: &mut Problems) -> Option<Self> {
        let items = fields.list("losses");
        let before = problems.len();
        if items.len() > MOST {
            let place = &fields.get("losses").place;
            let found = format!("{} entries", items.len());
            let problem = Problem::new(place, &format!("{path}.losses"), found);
            problems.add(problem.allowed(format!("at most {MOST}")));
            return None;
        }
        let rules = items
            .iter()
            .enumerate()
            .map(|(index, item)| rule(item, &format!("{path}.losses[{index}]"), problems));
        let rules: Vec<LossRule> = rules.collect();
        let recovery = recovery(fields, path, problems);
        (problems.len() == before).then_some(Self { rules, recovery })
    }

    /// The recovery with the key of a scenario.
    pub(crate) fn recovery(&self, keys: Keys) -> Recovery {
        match self.recovery.draw {
            Draw::Expected => self.recovery,
            Draw::Sampled { .. } => {
                let key = keys.key(Purpose::Loss, 0);
                Recovery { draw: Draw::Sampled { key }, ..self.recovery }
            }
        }
    }

    /// What loses packets and how that is recovered, in words; nothing where nothing is ever lost.
    pub(crate) fn lines(&self) -> Vec<String> {
        let loses = self.rules.iter().filter(|rule| rule.loss > Probability::ZERO);
        let mut lines: Vec<String> = loses.map(line).collect();
        if lines.is_empty() {
            return lines;
        }
        let Recovery { scheme, mtu, timeout, retries, draw } = self.recovery;
        let within = |window: Bytes| {
            if window == UNBOUNDED { String::new() } else { format!(", window {window}") }
        };
        let scheme = match scheme {
            Scheme::GoBackN { window } => {
                format!("go-back-N{}, timeout {timeout}", within(window))
            }
            Scheme::SelectiveRepeat { window } => {
                format!("selective repeat{}, timeout {timeout}", within(window))
            }
            Scheme::LinkRetry => "link-level retry".to_owned(),
        };
        lines.push(format!("recovery: {scheme}, packets of {mtu}, at most {retries} repeats"));
        lines.push(match draw {
            Draw::Expected => {
                "losses are averaged: optimistic where many are waited for".to_owned()
            }
            Draw::Sampled { .. } => {
                "losses are drawn: what draws them is not merged, no state recurs".to_owned()
            }
        });
        lines
    }
}

/// No window.
const UNBOUNDED: Bytes = Bytes::new(u64::MAX);

/// The rule that `value` describes.
fn rule(value: &Value, path: &str, problems: &mut Problems) -> LossRule {
    let (form, _) = value.form();
    let fields = value.fields();
    let part = match form {
        "link" => Part::Link {
            from: fields.text("from"),
            to: fields.text("to"),
            count: fields.count32("count"),
        },
        "node" => Part::Node(fields.text("name")),
        "tier" => Part::Tier(fields.text("name")),
        _ => Part::Uplinks(SupernodeId(fields.count32("supernode"))),
    };
    let instant = |span: Duration| Time::from_picos(span.as_picos());
    let from = instant(fields.duration("at"));
    let until = fields.duration_if_given("until").map(instant);
    if let Some(end) = until.filter(|&end| end <= from) {
        let found = format!("repaired at {}, before it begins", end.since(Time::ZERO));
        let place = &fields.get("until").place;
        let problem = Problem::new(place, &format!("{path}.until"), found);
        problems.add(problem.allowed(format!("after {}", from.since(Time::ZERO))));
    }
    LossRule { part, loss: fields.probability("loss"), from, until }
}

/// The recovery that `fields` of a fabric describe, its draws without a key.
fn recovery(fields: &Fields, path: &str, problems: &mut Problems) -> Recovery {
    let draw = match fields.form("loss_as").0 {
        "expected" => Draw::Expected,
        _ => Draw::Sampled { key: 0 },
    };
    let (form, fields) = fields.form("recovery");
    let fields = fields.expect("every recovery has fields");
    let window = || fields.size_if_given("window").unwrap_or(UNBOUNDED);
    let (scheme, timeout) = match form {
        "link_retry" => (Scheme::LinkRetry, Duration::ZERO),
        "go_back_n" => (Scheme::GoBackN { window: window() }, fields.duration("timeout")),
        _ => (Scheme::SelectiveRepeat { window: window() }, fields.duration("timeout")),
    };
    if scheme != Scheme::LinkRetry && timeout == Duration::ZERO {
        let place = &fields.get("timeout").place;
        let problem = Problem::new(place, &format!("{path}.recovery.timeout"), "0 s");
        problems.add(problem.allowed("a time above 0 s"));
    }
    let (mtu, retries) = (fields.size("mtu"), fields.count32("retries"));
    Recovery { scheme, mtu, timeout, retries, draw }
}

/// A rule in words.
fn line(rule: &LossRule) -> String {
    let part = faults::part_words(&rule.part);
    let percent = rule.loss.percent();
    let span = match (rule.from, rule.until) {
        (Time::ZERO, None) => String::new(),
        (from, None) => format!(" from {} on", from.since(Time::ZERO)),
        (from, Some(until)) => {
            format!(" from {} until {}", from.since(Time::ZERO), until.since(Time::ZERO))
        }
    };
    format!("lossy: {part} loses {percent} % of its packets{span}")
}
