//! Values that the table of fields has checked, and how they are written down again.

use units::{Bandwidth, Bytes, Duration, Probability, Ratio};

use crate::document::{Node, Place};
use crate::fields::{Form, Shape};

/// A checked value with its place; a default has the place of the struct it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) place: Place,
    pub(crate) data: Data,
}

/// What a value is; which one it is follows from the kind of its field.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// Left out, with a default that depends on other things.
    Absent,
    Text(String),
    Count(u64),
    Bandwidth(Bandwidth),
    Size(Bytes),
    Duration(Duration),
    Ratio(Ratio),
    /// Parts per million.
    Percent(u64),
    Probability(Probability),
    Form(&'static Form, Option<Fields>),
    Fields(Fields),
    List(Vec<Value>),
    Labels(Vec<Label>),
    /// Values of another field, with the text they are written as.
    Values(Vec<(Node, String)>),
}

/// An axis label and the values that are meant.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) axis: String,
    pub(crate) values: Vec<String>,
    pub(crate) place: Place,
}

/// The values of a shape's fields, in its order.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub(crate) shape: &'static Shape,
    pub(crate) values: Vec<Value>,
}

/// A getter whose kind the table has ensured.
macro_rules! getter {
    ($name:ident, $optional:ident, $variant:ident, $type:ty) => {
        /// The value of a field that is always there.
        pub(crate) fn $name(&self, name: &str) -> $type {
            self.$optional(name).expect("the table gives the field a value")
        }

        /// The value of a field that may be left out.
        pub(crate) fn $optional(&self, name: &str) -> Option<$type> {
            match &self.get(name).data {
                Data::$variant(value) => Some(value.clone().into()),
                Data::Absent => None,
                other => unreachable!("the table gives `{name}` another kind than {other:?}"),
            }
        }
    };
}

impl Fields {
    /// The value of the field called `name`.
    ///
    /// # Panics
    /// If the shape has no such field.
    pub(crate) fn get(&self, name: &str) -> &Value {
        let index = self.shape.fields.iter().position(|field| field.name == name);
        &self.values[index.unwrap_or_else(|| panic!("{} has no `{name}`", self.shape.title))]
    }

    getter!(text, text_if_given, Text, String);
    getter!(count, count_if_given, Count, u64);
    getter!(bandwidth, bandwidth_if_given, Bandwidth, Bandwidth);
    getter!(size, size_if_given, Size, Bytes);
    getter!(duration, duration_if_given, Duration, Duration);
    getter!(ratio, ratio_if_given, Ratio, Ratio);
    getter!(percent, percent_if_given, Percent, u64);
    getter!(probability, probability_if_given, Probability, Probability);

    /// A count that fits 32 bits by the range of its field.
    pub(crate) fn count32(&self, name: &str) -> u32 {
        u32::try_from(self.count(name)).expect("the table bounds the count")
    }

    /// The same for a count that may be left out.
    pub(crate) fn count32_if_given(&self, name: &str) -> Option<u32> {
        self.count_if_given(name)
            .map(|count| u32::try_from(count).expect("the table bounds the count"))
    }

    /// The form that the field has, and its fields if it has any.
    pub(crate) fn form(&self, name: &str) -> (&'static str, Option<&Self>) {
        self.get(name).form()
    }

    /// The fields of a struct.
    pub(crate) fn fields(&self, name: &str) -> &Self {
        match &self.get(name).data {
            Data::Fields(fields) => fields,
            other => unreachable!("the table gives `{name}` another kind than {other:?}"),
        }
    }

    /// The items of a list.
    pub(crate) fn list(&self, name: &str) -> &[Value] {
        match &self.get(name).data {
            Data::List(items) => items,
            other => unreachable!("the table gives `{name}` another kind than {other:?}"),
        }
    }
}

impl Value {
    /// The items of a list.
    pub(crate) fn items(&self) -> &[Self] {
        match &self.data {
            Data::List(items) => items,
            other => unreachable!("the table allows only lists here, not {other:?}"),
        }
    }

    /// A count that fits 32 bits by the range of its field.
    pub(crate) fn count32(&self) -> u32 {
        match self.data {
            Data::Count(count) => u32::try_from(count).expect("the table bounds the count"),
            ref other => unreachable!("the table allows only counts here, not {other:?}"),
        }
    }

    /// A size.
    pub(crate) fn size(&self) -> Bytes {
        match &self.data {
            Data::Size(size) => *size,
            other => unreachable!("the table allows only sizes here, not {other:?}"),
        }
    }

    /// The form that the value has, and its fields if it has any.
    pub(crate) fn form(&self) -> (&'static str, Option<&Fields>) {
        match &self.data {
            Data::Form(form, fields) => (form.name, fields.as_ref()),
            other => unreachable!("the table allows only forms here, not {other:?}"),
        }
    }

    /// The text of a text.
    pub(crate) fn as_text(&self) -> String {
        match &self.data {
            Data::Text(text) => text.clone(),
            other => unreachable!("the table allows only text here, not {other:?}"),
        }
    }

    /// The fields of a struct or of a form that has some.
    pub(crate) fn fields(&self) -> &Fields {
        match &self.data {
            Data::Fields(fields) | Data::Form(_, Some(fields)) => fields,
            other => unreachable!("the table allows only fields here, not {other:?}"),
        }
    }

    /// The value as RON, indented by `level`.
    pub(crate) fn to_ron(&self, level: usize) -> String {
        match &self.data {
            Data::Absent => String::new(),
            Data::Text(text) => quoted(text),
            Data::Count(count) => count.to_string(),
            Data::Bandwidth(rate) => format!("\"{rate}\""),
            Data::Size(size) => format!("\"{size}\""),
            Data::Duration(span) => format!("\"{span}\""),
            Data::Ratio(ratio) => format!("\"{ratio}\""),
            Data::Percent(ppm) => format!("\"{}.{:04} %\"", ppm / 10_000, ppm % 10_000),
            Data::Probability(chance) => format!("\"{} %\"", chance.percent()),
            Data::Form(form, None) => form.name.to_owned(),
            Data::Form(form, Some(fields)) => format!("{}{}", form.name, fields.to_ron(level)),
            Data::Fields(fields) => fields.to_ron(level),
            Data::List(items) => listed(items.iter().map(|item| item.to_ron(level + 1)), level),
            Data::Values(values) => inline(values.iter().map(|(_, text)| text.clone())),
            Data::Labels(labels) => {
                let pairs = labels.iter().map(|label| {
                    let values = inline(label.values.iter().map(|value| quoted(value)));
                    format!("{}: {values}", quoted(&label.axis))
                });
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl Fields {
    /// The fields in parentheses, one a line when there are several.
    fn to_ron(&self, level: usize) -> String {
        let given = self.shape.fields.iter().zip(&self.values);
        let given = given.filter(|(_, value)| !matches!(value.data, Data::Absent));
        let lines: Vec<String> = given
            .map(|(field, value)| format!("{}: {}", field.name, value.to_ron(level + 1)))
            .collect();
        if lines.len() < 2 && lines.iter().all(|line| !line.contains('\n')) {
            return format!("({})", lines.concat());
        }
        let indent = "  ".repeat(level + 1);
        let body = lines.join(&format!(",\n{indent}"));
        format!("(\n{indent}{body},\n{})", "  ".repeat(level))
    }
}

/// Items in brackets, one a line.
fn listed(items: impl Iterator<Item = String>, level: usize) -> String {
    let indent = "  ".repeat(level + 1);
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        return "[]".to_owned();
    }
    let body = items.join(&format!(",\n{indent}"));
    format!("[\n{indent}{body},\n{}]", "  ".repeat(level))
}

/// Items in brackets on one line.
fn inline(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// `text` in quotes as RON reads it; the checks let no control characters through.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
