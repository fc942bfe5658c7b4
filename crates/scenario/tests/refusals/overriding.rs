//! Overrides from the command line: as good as fields of the file, and as strictly checked.

use scenario::{Override, Source, read};

use super::BASE;

fn set(text: &str) -> Override {
    text.parse().expect("field=value")
}

#[test]
fn overrides_replace_values_with_or_without_quotes() {
    let overrides = [
        set("fabric[servers].supernode.bandwidth=900 GB/s"),
        set("fabric[pods].outside.ratio=\"2:1\""),
        set("workload[big].algorithm=tree(channels: 4)"),
        set("seed=7"),
        set("title=other"),
    ];
    let scenario = read(Source { name: "base.ron", text: BASE }, &overrides)
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    let resolved = scenario.resolved();
    for text in ["\"7.2 Tb/s\"", "ratio: \"2:1\"", "channels: 4", "seed: 7", "\"other\""] {
        assert!(resolved.contains(text), "{text} is not in\n{resolved}");
    }
    assert_eq!((scenario.seed(), scenario.title()), (7, "other"));
}

#[test]
fn bad_overrides_have_pictures_of_their_own() {
    for (bad, says, underlined) in [
        (
            "fabric.supernode.bandwith=1 GB/s",
            "no fabric has this field",
            "fabric.supernode.bandwith",
        ),
        ("fabric[x].cards=8", "no fabric called \"x\"", "fabric[x].cards"),
        ("bandwidth=1 GB/s", "no field of the scenario", "bandwidth"),
        ("seed=-1", "negative", "-1"),
        ("seed=", "Unexpected end", ""),
        ("fabric[servers].cards=0", "out of range", "0"),
        ("fabric[servers].cards=8 8", "trailing", ""),
        ("fabric[star].bandwidth=1", "no unit", "1"),
        ("fabric[servers].routing=ecmp(flows: 0)", "out of range", "0"),
        ("fabric[servers].routing=ecmp(flow: 1)", "unknown field", "flow"),
        ("workload[big].algorithm=two_level", "does not perform", "two_level"),
        ("workload[big].ranks=3", "do not fit", "3"),
    ] {
        let refusal = super::refusal(BASE, &[set(bad)]);
        let told = refusal.to_string();
        assert!(told.contains("command line:1:"), "{told}");
        let met = refusal
            .problems()
            .iter()
            .any(|problem| problem.found.contains(says) && refusal.text_at(problem) == underlined);
        assert!(met, "{bad}: {says} is not told at {underlined} in\n{told}");
    }
}

#[test]
fn an_override_needs_a_field_and_a_value() {
    assert!("ratio".parse::<Override>().is_err());
    assert!("=4".parse::<Override>().is_err());
}
