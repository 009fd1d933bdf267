//! Bytes as letters (RFC 4648, section 4), where files that are no texts travel among texts.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The letters of bytes.
pub(crate) fn letters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let byte = |at: usize| u32::from(part.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = char::from(LETTERS[(bits >> (18 - 6 * at) & 63) as usize]);
            text.push(if at <= part.len() { letter } else { '=' });
        }
    }
    text
}

/// The bytes of letters, if they are such.
pub(crate) fn bytes(letters: &str) -> Option<Vec<u8>> {
    let mut values = [None; 256];
    for (value, &letter) in (0_u8..).zip(LETTERS) {
        values[usize::from(letter)] = Some(value);
    }
    let letters = letters.as_bytes();
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3);
    for (number, part) in letters.chunks(4).enumerate() {
        let is_last = (number + 1) * 4 == letters.len();
        let count = part.iter().position(|&letter| letter == b'=').unwrap_or(4);
        if part.len() < 4
            || count < 2
            || count < 4 && !is_last
            || part[count..].iter().any(|&end| end != b'=')
        {
            return None;
        }
        let mut bits = 0_u32;
        for &letter in &part[..count] {
            bits = bits << 6 | u32::from(values[usize::from(letter)]?);
        }
        let [_, three @ ..] = (bits << (6 * (4 - count))).to_be_bytes();
        bytes.extend(&three[..count - 1]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of section 10 of the RFC.
    #[test]
    fn as_the_rfc_has_it() {
        let examples = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (count, text) in examples.into_iter().enumerate() {
            assert_eq!(letters(&b"foobar"[..count]), text);
            assert_eq!(bytes(text).as_deref(), Some(&b"foobar"[..count]));
        }
        for wrong in ["Z", "Zg=", "Zg===", "=g==", "Zm9v=", "Zg==Zm9v", "Z*==", "Zg=v"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(bytes(&letters(&all)), Some(all));
    }
}
