//! What was built: each fabric once, and what changes with the ratio.

use crate::Record;
use crate::groups::{grouped, ratio_order};
use crate::wrap::wrap;

/// For each fabric the lines of its echo that all its ratios share, then for each ratio (or set of
/// ratios built alike) the lines that are its own.
pub fn render(records: &[Record]) -> String {
    let mut out = String::new();
    for (fabric, members) in grouped(records, |it| it.fabric.as_str()) {
        let echoes = grouped(members, |it: &Record| (it.ratio.as_str(), &it.fabric_echo));
        let mut built: Vec<(&str, &[String])> =
            echoes.iter().map(|((ratio, echo), _)| (*ratio, echo.as_slice())).collect();
        built.sort_by(|left, right| ratio_order(left.0, right.0));
        let shared = |line: &String| built.iter().all(|(_, echo)| echo.contains(line));
        let common: Vec<&str> =
            built[0].1.iter().filter(|line| shared(line)).map(String::as_str).collect();
        wrap(&mut out, "  ", 4, &format!("{fabric}: {}", common.join("; ")));
        let own = |echo: &[String]| -> Vec<String> {
            echo.iter().filter(|line| !shared(line)).cloned().collect()
        };
        for (lines, ratios) in grouped(&built, |(_, echo)| own(echo)) {
            if !lines.is_empty() {
                let ratios: Vec<&str> = ratios.iter().map(|(ratio, _)| *ratio).collect();
                wrap(&mut out, "    ", 6, &format!("{}: {}", ratios.join(", "), lines.join("; ")));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::record;

    #[test]
    fn what_ratios_share_is_told_once() {
        let records = [record("a", "2:1", 5), record("a", "1:1", 5), record("b", "1:1", 5)];
        let expected = "  a: 16 cards in 2 supernodes of 8\n    1:1: ratio built 1:1\n    2:1: ratio \
                        built 2:1\n  b: 16 cards in 2 supernodes of 8; ratio built 1:1\n";
        assert_eq!(render(&records), expected);
    }
}
