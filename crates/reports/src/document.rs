//! Writes JSON: indented, large integers as text, and characters that a terminal would obey escaped.

use std::fmt::Write as _;

use serde::{Serialize, Serializer};
use serde_json::Value;
use stopwise_policy::is_unseen;

/// Many readers of JSON keep numbers in 53 bits and round greater ones, so that those are written as text.
const EXACT: u64 = 1 << 53;

/// A document with its last line break.
pub fn document(mut value: Value) -> serde_json::Result<String> {
    make_exact(&mut value);
    written(&value)
}

/// A value as it stands within a document, so many spaces from the margin and without a line break at its end.
pub fn within(mut value: Value, margin: usize) -> serde_json::Result<String> {
    make_exact(&mut value);
    // Line breaks within texts are escaped.
    Ok(written(&value)?.trim_end().replace('\n', &format!("\n{:margin$}", "")))
}

/// A document of numbers that are [`exact`] already.
pub(super) fn written(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // Outside of texts there are none but line breaks.
        match c {
            c if is_unseen(c) && c != '\n' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('\n');
    Ok(out)
}

/// Writes whole numbers that would be rounded as text, wherever they stand.
pub(super) fn make_exact(value: &mut Value) {
    match value {
        Value::Number(number) if is_large(number) => *value = number.to_string().into(),
        Value::Array(values) => values.iter_mut().for_each(make_exact),
        Value::Object(fields) => fields.values_mut().for_each(make_exact),
        _ => {}
    }
}

fn is_large(number: &serde_json::Number) -> bool {
    number.as_u64().is_some_and(|number| number > EXACT)
        || number.as_i64().is_some_and(|number| number.unsigned_abs() > EXACT)
}

/// A whole number as [`document`] writes it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields so")]
pub(super) fn exact<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *number > EXACT { serializer.collect_str(number) } else { serializer.serialize_u64(*number) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_exact_and_text_is_harmless() {
        let value = json!({
            "small": EXACT, "large": [EXACT + 1, u64::MAX], "negative": i64::MIN, "real": 1e300,
            "text": "\u{1b}[2J \u{9b}\u{202e}é\n",
        });
        let text = document(value.clone()).expect("JSON");
        assert!(!text.chars().any(|c| is_unseen(c) && c != '\n'));
        let read: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(
            (&read["text"], &read["real"], &read["small"]),
            (&value["text"], &value["real"], &value["small"])
        );
        assert_eq!(read["large"], json!(["9007199254740993", "18446744073709551615"]));
        assert_eq!(read["negative"], "-9223372036854775808");
    }
}
