//! From the bytes of a file to text.
//!
//! Decoding comes before parsing because in Shift-JIS and GB18030 the second byte of a character may look like `]` or
//! `\`. A file is decoded as a whole: a collection whose games declare different charsets follows the first of them.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8};

/// The text of a file and the name of the charset it was read with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    pub text: String,
    pub charset: &'static str,
}

/// Decodes a whole file. In order of trust: a byte order mark, the CA property, UTF-8, statistics.
///
/// A declared charset that does not fit the bytes is dropped for one that does; if none fits, the bytes that make no
/// sense become U+FFFD.
pub fn decode(bytes: &[u8]) -> Decoded {
    if let Some((encoding, mark_length)) = Encoding::for_bom(bytes) {
        return decode_lossily(encoding, &bytes[mark_length..]);
    }
    let declared = declared_encoding(bytes);
    let detected = || detect(bytes);
    declared
        .into_iter()
        .chain([UTF_8])
        .find_map(|encoding| decode_exactly(encoding, bytes))
        .or_else(|| decode_exactly(detected(), bytes))
        .unwrap_or_else(|| decode_lossily(declared.unwrap_or_else(detected), bytes))
}

/// Decodes a whole file in a charset that somebody names; None if there is no such charset.
pub fn decode_as(bytes: &[u8], label: &str) -> Option<Decoded> {
    Some(decode_lossily(encoding_for_label(label.as_bytes())?, bytes))
}

fn decode_exactly(encoding: &'static Encoding, bytes: &[u8]) -> Option<Decoded> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(Decoded { text: text.into_owned(), charset: encoding.name() })
}

fn decode_lossily(encoding: &'static Encoding, bytes: &[u8]) -> Decoded {
    let (text, _had_errors) = encoding.decode_without_bom_handling(bytes);
    Decoded { text: text.into_owned(), charset: encoding.name() }
}

/// The first `CA[label]` of the file with a label we know.
///
/// All charsets considered here keep ASCII, so the bytes can be searched before they are decoded. Words in a comment
/// are hardly ever mistaken for the property: a bracket closed there would be escaped, which spoils the label.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut from = 0;
    while let Some(found) = find(&bytes[from..], b"CA[") {
        let start = from + found;
        from = start + 3;
        let continues_a_name = start > 0 && bytes[start - 1].is_ascii_alphanumeric();
        // No charset has a label anywhere near this long; the bound keeps the scan linear.
        let window = &bytes[from..bytes.len().min(from + 64)];
        let label = window.split(|&byte| byte == b']').next();
        if let (false, Some(label)) = (continues_a_name, label)
            && let Some(encoding) = encoding_for_label(label)
        {
            return Some(encoding);
        }
    }
    None
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// The web's labels, and the code page names that Windows editors write.
fn encoding_for_label(label: &[u8]) -> Option<&'static Encoding> {
    let code_page = match label.trim_ascii().to_ascii_lowercase().as_slice() {
        b"cp932" | b"ms932" => SHIFT_JIS,
        b"cp936" | b"ms936" => GB18030,
        b"cp949" | b"ms949" | b"uhc" => EUC_KR,
        _ => {
            let encoding = Encoding::for_label_no_replacement(label)?;
            // A UTF-16 file could not have shown us an ASCII label.
            return encoding.is_ascii_compatible().then_some(encoding);
        }
    };
    Some(code_page)
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if guess == GBK || (guess == EUC_JP && !has_euc_kana(bytes)) {
        // A Japanese file of more than names has kana. Short Chinese names look like EUC-JP to the statistics, and
        // Chinese files are far more common.
        GB18030
    } else {
        guess
    }
}

/// Whether the bytes hold hiragana or katakana as EUC-JP writes them (rows A4 and A5).
fn has_euc_kana(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| matches!(pair[0], 0xA4 | 0xA5) && pair[1] >= 0xA1)
}
