//! Whether a value is in the domain of its option.

use stopwise_engine::options::Domain;
use toml::Value;

use stopwise_text::quoted;

/// Why the domain does not have the value, and what to write instead; `None` if it does.
pub(super) fn refusal(domain: &Domain, value: &Value) -> Option<String> {
    let shown = || quoted(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    match (domain, value) {
        (Domain::YesNo, Value::Boolean(_)) | (Domain::Text(_), Value::String(_)) => None,
        (Domain::Words(words), Value::String(word)) if words.contains(&&**word) => None,
        (Domain::Whole(range), Value::Integer(number)) => range.check(*number).err(),
        (Domain::Whole(range), Value::String(word))
            if word.parse::<i64>().is_ok_and(|number| range.check(number).is_ok()) =>
        {
            Some(format!("`\"{word}\"` is in quotes; write {word}"))
        }
        (Domain::Whole(range), _) => Some(format!("{} is no whole number; {}", shown(), range.advice())),
        (Domain::Number(low, high), _) => {
            #[allow(clippy::cast_precision_loss, reason = "limits are small numbers")]
            let number = value.as_float().or_else(|| value.as_integer().map(|number| number as f64));
            match number {
                Some(number) if (*low..=*high).contains(&number) => None,
                Some(number) => Some(format!("{number} is out of range; write {domain}")),
                None => Some(format!("{} is no number; write {domain}", shown())),
            }
        }
        (Domain::List(each), Value::Array(values)) => values.iter().find_map(|value| refusal(each, value)),
        (Domain::Either(domains), _) => {
            let refusals: Option<Vec<_>> =
                domains.iter().map(|domain| Some((domain, refusal(domain, value)?))).collect();
            // The one that takes values of this type has the most to say.
            let is_close = |(domain, _): &(&Domain, String)| is_type(domain, value);
            let refusals = refusals?;
            let close = refusals.into_iter().find(is_close).map(|(_, message)| message);
            Some(close.unwrap_or_else(|| format!("{} is none of its values; write {domain}", shown())))
        }
        (Domain::YesNo | Domain::Words(_) | Domain::Text(_) | Domain::List(_), _) => {
            Some(format!("{} is none of its values; write {domain}", shown()))
        }
    }
}

/// Whether a number or a list is in question.
fn is_type(domain: &Domain, value: &Value) -> bool {
    match domain {
        Domain::Whole(_) => value.is_integer(),
        Domain::Number(..) => value.is_integer() || value.is_float(),
        Domain::List(_) => value.is_array(),
        Domain::YesNo | Domain::Words(_) | Domain::Text(_) | Domain::Either(_) => false,
    }
}
