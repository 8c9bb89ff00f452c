//! One file per charset, with and without its name in CA. The bytes are made here, by the encoder.

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8, WINDOWS_1252};
use jigo_sgf::Collection;
use jigo_sgf::charset::decode;

struct Sample {
    encoding: &'static Encoding,
    label: &'static str,
    black: &'static str,
    white: &'static str,
    comment: &'static str,
}

const SAMPLES: [Sample; 4] = [
    Sample {
        encoding: UTF_8,
        label: "UTF-8",
        black: "井山裕太",
        white: "신진서",
        comment: "好手 – très joli! 좋은 수",
    },
    Sample {
        encoding: GB18030,
        label: "GB18030",
        black: "常昊九段",
        white: "李昌镐",
        comment: "白棋中盘胜,黑棋第一手下在星位。",
    },
    // The second bytes of 表, ソ and 予 are backslashes in ASCII; those of ゼ and ゾ are brackets.
    Sample {
        encoding: SHIFT_JIS,
        label: "Shift_JIS",
        black: "趙治勲",
        white: "小林光一",
        comment: "この手は好手です。表ソ予ゼゾ",
    },
    Sample {
        encoding: EUC_KR,
        label: "EUC-KR",
        black: "이창호",
        white: "조훈현",
        comment: "백이 불계승을 거두었습니다.",
    },
];

impl Sample {
    fn file(&self, declaration: &str) -> Vec<u8> {
        let Sample { black, white, comment, .. } = self;
        let text = format!("(;GM[1]FF[4]{declaration}SZ[19]PB[{black}]PW[{white}];B[pd]C[{comment}];W[dp])");
        let (bytes, _, unmappable) = self.encoding.encode(&text);
        assert!(!unmappable);
        bytes.into_owned()
    }

    fn assert_read(&self, file: &[u8]) {
        let collection = Collection::from_bytes(file).expect(self.label);
        let tree = &collection.games[0];
        let root = tree.root();
        assert_eq!(root.simple_text("PB").as_deref(), Some(self.black));
        assert_eq!(root.simple_text("PW").as_deref(), Some(self.white));
        let first_move = tree.main_line().nth(1).expect("there is a move");
        assert_eq!(tree.node(first_move).text("C").as_deref(), Some(self.comment));
        let written = collection.to_text();
        assert!(written.contains("CA[UTF-8]"));
        assert_eq!(Collection::from_bytes(written.as_bytes()), Ok(collection));
    }
}

#[test]
fn a_declared_charset_is_used() {
    for sample in SAMPLES {
        let file = sample.file(&format!("CA[{}]", sample.label));
        assert_eq!(decode(&file).charset, sample.encoding.name());
        sample.assert_read(&file);
    }
}

#[test]
fn an_undeclared_charset_is_found() {
    for sample in SAMPLES {
        let file = sample.file("");
        assert_eq!(decode(&file).charset, sample.encoding.name());
        sample.assert_read(&file);
    }
}

#[test]
fn a_declaration_that_does_not_fit_the_bytes_is_not_believed() {
    for sample in SAMPLES {
        let wrong = if sample.encoding == UTF_8 { "EUC-KR" } else { "UTF-8" };
        sample.assert_read(&sample.file(&format!("CA[{wrong}]")));
        sample.assert_read(&sample.file("CA[no such charset]"));
        sample.assert_read(&sample.file("CA[UTF-16]"));
    }
}

#[test]
fn a_byte_order_mark_decides() {
    let text = "(;CA[Shift_JIS]PB[囲碁])";
    let utf8 = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for file in [utf8, utf16] {
        let collection = Collection::from_bytes(&file).unwrap();
        assert_eq!(collection.games[0].root().simple_text("PB").as_deref(), Some("囲碁"));
    }
}

#[test]
fn other_declared_charsets_and_code_page_names_are_known() {
    for (encoding, label, name) in [
        (BIG5, "big5", "周俊勳"),
        (WINDOWS_1252, "ISO-8859-1", "Jörg Müller"),
        (EUC_KR, "cp949", "이세돌"),
        (GB18030, "cp936", "古力"),
        (SHIFT_JIS, "CP932", "張栩"),
    ] {
        let (bytes, ..) = encoding.encode(name);
        let file = [b"(;CA[", label.as_bytes(), b"]PB[", &bytes, b"])"].concat();
        let collection = Collection::from_bytes(&file).unwrap();
        assert_eq!(collection.games[0].root().simple_text("PB").as_deref(), Some(name), "{label}");
    }
}

#[test]
fn bytes_of_no_charset_still_give_a_game() {
    let file = [b"(;CA[UTF-8]PB[a", &b"\xFF\xFE\x00\x80\xFD"[..], b"b];B[aa])"].concat();
    let collection = Collection::from_bytes(&file).unwrap();
    let name = collection.games[0].root().simple_text("PB").unwrap();
    assert!(name.starts_with('a') && name.ends_with('b'), "{name:?}");
}
