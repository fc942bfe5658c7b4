//! `docs/scenario.md` from the table of fields.

use std::fmt::Write as _;

use super::{Default, Field, Kind, Shape};
use super::{PRESETS, SCENARIO};

const HEAD: &str = "\
# The scenario file

<!-- Made from the table of fields: cargo run -p scenario --example fields > docs/scenario.md -->

A scenario is a text in [RON](https://github.com/ron-rs/ron). `superclos new` writes one with \
comments, `superclos check FILE` tells everything that is wrong with one.

* A **quantity** is a text with its unit. Case matters and nothing is rounded: \
`Gb/s` (or `Gbps`) is bits, `GB/s` is bytes, `GB` is 10⁹ bytes, `GiB` is 2³⁰ bytes; times are \
`ps`, `ns`, `us`, `ms`, `s`, `min`, `h`. A bare number is refused.
* A **ratio** is a text such as `\"4:1\"`, `\"19:16\"` or `\"0.5:1\"`, kept as an exact fraction.
* A **count** is a whole number.
* A **word** such as `ring` stands without quotes; where it has fields they follow in parentheses: \
`tree(chunk: \"4 MiB\")`.
* Bandwidth is per direction.

A scenario has at most 192 KiB and 32,000 commas (room for some 3,000 links of an explicit fabric), 16 axes and 20,000 points; fabrics and workloads, each as often as a sweep changes it, have at most 2 MiB. A field that does not exist, stands twice or does not fit is refused; nothing is ignored. On the \
command line `--set field=value` replaces a value by the same paths as a sweep: \
`--set fabric.outside.ratio=2:1`, `--set fabric[servers].cards=128`, `--set seed=7`.
";

/// All fields as Markdown: what `docs/scenario.md` holds.
pub fn fields_markdown() -> String {
    let mut text = HEAD.to_owned();
    let mut told: Vec<&'static str> = Vec::new();
    section(&SCENARIO, None, &mut told, &mut text);
    section(&PRESETS, None, &mut told, &mut text);
    text
}

/// One shape, then those its fields lead to, each once.
fn section(
    shape: &'static Shape,
    form: Option<&str>,
    told: &mut Vec<&'static str>,
    text: &mut String,
) {
    if told.contains(&shape.title) {
        return;
    }
    told.push(shape.title);
    let form = form.map(|name| format!(": `{name}(…)`")).unwrap_or_default();
    write(text, format_args!("\n## {}{form}\n\n", shape.title));
    if !shape.text.is_empty() {
        write(text, format_args!("{}\n\n", shape.text));
    }
    text.push_str("| field | value | default | example | meaning |\n|---|---|---|---|---|\n");
    for field in shape.fields {
        row(field, text);
    }
    for field in shape.fields {
        forms(field, text);
    }
    for field in shape.fields {
        deeper(&field.kind, told, text);
    }
}

fn row(field: &Field, text: &mut String) {
    let default = match field.default {
        Default::Required => "*required*".to_owned(),
        Default::Is(ron) => format!("`{ron}`"),
        Default::Depends(words) => words.to_owned(),
    };
    write(
        text,
        format_args!(
            "| `{}` | {} | {default} | `{}` | {} |\n",
            field.name,
            field.kind.words(),
            field.example,
            field.text
        ),
    );
}

/// The forms of a field, if it has several.
fn forms(field: &Field, text: &mut String) {
    let kind = if let Kind::List { of, .. } = field.kind { *of } else { field.kind };
    let Kind::OneOf(forms) = kind else { return };
    write(text, format_args!("\n`{}` is one of\n\n", field.name));
    for form in forms {
        let fields = if form.shape.is_some() { "(…)" } else { "" };
        let note = match form.naming {
            super::Naming::Optional => " The name may be left out.",
            super::Naming::Needed => "",
        };
        write(text, format_args!("* `{}{fields}`: {}{note}\n", form.name, form.text));
    }
}

fn deeper(kind: &Kind, told: &mut Vec<&'static str>, text: &mut String) {
    match kind {
        Kind::Struct(shape) => section(shape, None, told, text),
        Kind::List { of, .. } => deeper(of, told, text),
        Kind::OneOf(forms) => {
            for form in *forms {
                if let Some(shape) = form.shape {
                    section(shape, Some(form.name), told, text);
                }
            }
        }
        _ => {}
    }
}

/// Writing to a text cannot fail.
fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a text takes all that is written");
}

impl Kind {
    /// What a value must be, in words.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Text => "text in quotes".to_owned(),
            Self::Name => "name in quotes".to_owned(),
            Self::Count { least, most } if least == most => format!("{least}"),
            Self::Count { least, most: u64::MAX } => format!("count from {least} to 2⁶⁴−1"),
            Self::Count { least, most } => format!("count from {least} to {most}"),
            Self::Bandwidth => "rate above zero".to_owned(),
            Self::Size { least: 0 } => "size".to_owned(),
            Self::Size { least } => format!("size of at least {least} B"),
            Self::Duration => "time".to_owned(),
            Self::Ratio => "ratio".to_owned(),
            Self::Efficiency => "ratio of at most 1:1".to_owned(),
            Self::Factor => "ratio of at least 1:1".to_owned(),
            Self::Percent => "percentage up to 100 %".to_owned(),
            Self::Probability => "percentage from 0 % to 100 %".to_owned(),
            Self::OneOf(forms) => {
                let names: Vec<String> =
                    forms.iter().map(|form| format!("`{}`", form.name)).collect();
                names.join(", ")
            }
            Self::Struct(_) => "fields in parentheses".to_owned(),
            Self::List { of, least: 0 } => format!("list: {}", of.words()),
            Self::List { of, least } => format!("list of at least {least}: {}", of.words()),
            Self::Labels => "labels with values in braces".to_owned(),
            Self::Values => "list of values of the field".to_owned(),
        }
    }
}
