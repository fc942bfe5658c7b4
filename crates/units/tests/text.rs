//! Quantities from text and back: exact, with their units, never guessed.

use proptest::prelude::*;
use units::{Bandwidth, Bytes, Duration, ParseError, Ratio};

fn rate(text: &str) -> u64 {
    text.parse::<Bandwidth>().expect("a rate").as_milli_bits_per_second()
}

fn refusal<T: std::str::FromStr<Err = ParseError> + std::fmt::Debug>(text: &str) -> ParseError {
    text.parse::<T>().expect_err(text)
}

#[test]
fn rates_tell_bits_from_bytes() {
    assert_eq!(rate("400 Gb/s"), 400_000_000_000_000); // 400 × 10⁹ bit/s × 1,000
    assert_eq!(rate("400Gbps"), rate("400 Gb/s"));
    assert_eq!(rate("400 GBps"), 8 * rate("400 Gb/s"));
    assert_eq!(rate("50 GB/s"), rate("400 Gb/s"));
    assert_eq!(rate("1 Gib/s"), (1 << 30) * 1_000);
    assert_eq!(rate("0.001 b/s"), 1);
    assert_eq!(rate("80 Tb/s"), 80_000_000_000_000_000);
    assert_eq!(rate("0 b/s"), 0);
}

#[test]
fn a_gigabyte_takes_the_times_of_its_units() {
    // CASES O19: 8 × 10⁹ bit at 400 × 10⁹ bit/s is 20 ms; at 400 GB/s an eighth of it.
    let time = |bytes: &str, rate: &str| {
        let (bytes, rate): (Bytes, Bandwidth) = (bytes.parse().unwrap(), rate.parse().unwrap());
        rate.time_for(bytes).unwrap().to_string()
    };
    assert_eq!(time("1 GB", "400 Gb/s"), "20 ms");
    assert_eq!(time("1 GB", "400 GB/s"), "2.5 ms");
    assert_eq!(time("1 GiB", "400 Gb/s"), "21.47483648 ms");
    assert_eq!(time("1 GiB", "400 Gib/s"), "20 ms");
}

#[test]
fn sizes_and_times_are_exact() {
    let bytes = |text: &str| text.parse::<Bytes>().unwrap().as_u64();
    assert_eq!(bytes("1 GiB"), 1 << 30);
    assert_eq!(bytes("1 GB"), 1_000_000_000);
    assert_eq!(bytes("1.5 KiB"), 1_536);
    assert_eq!(bytes("18446744073709551615 B"), u64::MAX);
    let picos = |text: &str| text.parse::<Duration>().unwrap().as_picos();
    assert_eq!(picos("0.005 ms"), picos("5 us"));
    assert_eq!(picos("2.8us"), 2_800_000);
    assert_eq!(picos("2.8 µs"), 2_800_000);
    assert_eq!(picos("1 h"), 60 * picos("1 min"));
}

#[test]
fn ratios_are_fractions_in_lowest_terms() {
    let ratio = |text: &str| text.parse::<Ratio>().unwrap();
    assert_eq!(ratio("19:16"), Ratio::new(19, 16).unwrap());
    assert_eq!(ratio("0.5:1"), ratio("1:2"));
    assert_eq!(ratio("1.5:1"), ratio("3:2"));
    assert_eq!(ratio("1.1875 : 1"), ratio("19:16"));
    assert_eq!(ratio("1:2").to_string(), "0.5:1");
    assert_eq!(ratio("2:3").to_string(), "2:3");
    assert_eq!(ratio("8:2").to_string(), "4:1");
}

#[test]
fn what_is_no_quantity_is_refused_with_a_hint() {
    let hint = |text: &str| refusal::<Bandwidth>(text).hint().unwrap_or_default();
    assert_eq!(hint("400"), "did you mean \"400 Gb/s\" (bits) or \"400 GB/s\" (bytes)?");
    for text in ["400 gbps", "400 G", "400 GB", "400 gb/s", "400Gb", "400 Gbit/s"] {
        assert!(hint(text).contains("\"400 Gb/s\" (bits)"), "{text}: {}", hint(text));
    }
    assert_eq!(refusal::<Bytes>("1 Gb").to_string(), "unknown unit `Gb`");
    assert!(refusal::<Bytes>("1 Gb").hint().unwrap().contains("1 GiB"));
    assert!(refusal::<Duration>("5").hint().unwrap().contains("5 us"));
    assert!(refusal::<Duration>("5 US").hint().unwrap().contains("5 us"));
    assert_eq!(refusal::<Ratio>("4").hint().unwrap(), "did you mean \"4:1\"?");
    assert_eq!(refusal::<Ratio>("4/3").hint().unwrap(), "did you mean \"4:3\"?");
}

#[test]
fn what_cannot_be_told_is_refused() {
    for text in
        ["", " ", "-1 Gb/s", "inf Gb/s", "NaN", "1e308 Gb/s", "1e-300 b/s", "1. Gb/s", ".5 Gb/s"]
    {
        refusal::<Bandwidth>(text);
    }
    for text in
        ["1 2 Gb/s", "1.2.3 Gb/s", "+1 Gb/s", "1_000 Gb/s", "19 Pb/s", "0.0001 b/s", "１ Gb/s"]
    {
        refusal::<Bandwidth>(text);
    }
    for text in ["-1 B", "1.5 B", "18446744073709551616 B", "16384 PiB", "1 bytes", "NaN B"] {
        refusal::<Bytes>(text);
    }
    for text in ["-1 us", "NaN", "NaN s", "0.1 ps", "214 d", "6000 h", "1 us us"] {
        refusal::<Duration>(text);
    }
    for text in ["", ":", "1:", ":1", "0:1", "1:0", "1:2:3", "-1:1", "1:-1", "a:b", "inf:1"] {
        refusal::<Ratio>(text);
    }
    let long = "9".repeat(100_000);
    refusal::<Bandwidth>(&format!("{long} Gb/s"));
    refusal::<Bytes>(&format!("0.{long} B"));
}

#[test]
fn shown_quantities_are_short() {
    let bytes = |count| Bytes::new(count).to_string();
    assert_eq!(bytes(0), "0 B");
    assert_eq!(bytes(1 << 30), "1 GiB");
    assert_eq!(bytes(1_000_000_000), "1 GB");
    assert_eq!(bytes(1_536 << 20), "1.5 GiB");
    assert_eq!(bytes(13), "13 B");
    assert_eq!(Duration::from_picos(3_500_280_000).to_string(), "3.50028 ms");
    assert_eq!(format!("{:>8}", Duration::from_nanos(600)), "  600 ns");
}

proptest! {
    #[test]
    fn printed_quantities_read_back(value in any::<u64>(), shift in 0_u32..64, under in 1_u64..) {
        let value = value >> shift;
        let rate = Bandwidth::from_milli_bits_per_second(value);
        prop_assert_eq!(rate.to_string().parse::<Bandwidth>().unwrap(), rate);
        prop_assert_eq!(Bytes::new(value).to_string().parse::<Bytes>().unwrap(), Bytes::new(value));
        let span = Duration::from_picos(value);
        prop_assert_eq!(span.to_string().parse::<Duration>().unwrap(), span);
        if let Some(ratio) = Ratio::new(value, under >> shift) {
            prop_assert_eq!(ratio.to_string().parse::<Ratio>().unwrap(), ratio);
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC*", digits in "[0-9.]{0,50}", unit in "[kKMGTPi]{0,2}[bBps/]{0,3}") {
        for text in [text, format!("{digits} {unit}"), format!("{digits}:{unit}{digits}")] {
            if let Err(error) = text.parse::<Bandwidth>() { error.hint(); }
            if let Err(error) = text.parse::<Bytes>() { error.hint(); }
            if let Err(error) = text.parse::<Duration>() { error.hint(); }
            if let Err(error) = text.parse::<Ratio>() { error.hint(); }
        }
    }
}
