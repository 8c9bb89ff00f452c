//! Records of all kinds: marks, facts about the game, collections, damaged files, charsets nobody named, and texts that are no record.

use crate::desktop;
use crate::page::Page;

fn drop_file(page: &Page, name: &str, bytes: &[u8]) {
    page.evaluate(&format!(
        "(() => {{
            const files = new DataTransfer();
            files.items.add(new File([new Uint8Array({bytes:?})], '{name}'));
            document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: files, bubbles: true, cancelable: true }}));
        }})()"
    ));
}

fn black_is(page: &Page, name: &str) {
    page.wait(&format!("document.querySelector('[data-player=black] .name').textContent === '{name}'"));
}

#[test]
fn what_a_record_marks_and_tells_is_shown() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record(
        "(;GM[1]SZ[9]PB[Ann]PW[Bob]RE[W+R]EV[Winter Cup]DT[2024-01-02]PC[Kyoto]AB[cc]AW[dd]
         TR[cc]SQ[dd]CR[ee]MA[ff]SL[gg]LB[hh:A][ii:12]LN[aa:ai]AR[ia:ii]DD[ba:bc])",
    );
    for sign in ["triangle.on-black", "square.on-white", "circle.on-wood", "cross", "selected", "dim"] {
        page.wait_for(&format!(".sign.{sign}"));
    }
    page.wait("[...document.querySelectorAll('.label text')].map((text) => text.textContent).join() === 'A,12'");
    page.wait("document.querySelectorAll('.stroke').length === 2");
    page.wait("/White wins by resignation/.test(document.querySelector('.record-card').innerText)");
    for fact in ["Winter Cup", "2024-01-02", "Kyoto"] {
        assert!(page.text(".record-card").contains(fact), "{fact}");
    }
    // A record without a result is a record without a result, not a game that waits to be finished.
    page.open_record("(;GM[1]SZ[9]GN[Nothing told];B[ee])");
    page.press("g");
    page.wait_for(".game-open");
    page.wait("/no result/.test(document.querySelector('.games').innerText)");
    assert!(!page.text(".games").contains("unfinished"));
    page.assert_quiet();
}

#[test]
fn a_collection_asks_which_game_and_a_damaged_file_is_read_as_far_as_it_goes() {
    let Some((_house, page)) = desktop() else { return };
    page.press("o");
    page.wait_for("dialog.open-record");
    page.fill("sgf", "(;GM[1]SZ[9]PB[One];B[ee])\n(;GM[1]SZ[9]PB[Two];B[cc];W[gg])");
    page.click("dialog [data-answer=open]");
    page.wait("document.querySelectorAll('dialog.choose-game li').length === 2");
    page.click("dialog.choose-game [data-pick=\"1\"]");
    black_is(&page, "Two");
    drop_file(&page, "cut.sgf", b"(;GM[1]SZ[9]PB[Cut];B[ee];W[cc];B[g");
    page.wait("/damaged/.test(document.querySelector('.toasts').textContent)");
    black_is(&page, "Cut");
    page.wait("document.querySelector('.where').textContent === '0 / 2'");
    page.assert_quiet();
}

#[test]
fn charsets_nobody_names_are_guessed_and_can_be_chosen() {
    let Some((_house, page)) = desktop() else { return };
    let record = |name: &[u8], comment: &[u8]| [&b"(;GM[1]SZ[9]PB["[..], name, b"];B[ee]C[", comment, b"])"].concat();
    // 井上 and a sentence with kana in Shift-JIS; 이세돌 and 좋은 수입니다 in EUC-KR.
    let japanese = record(
        &[0x88, 0xe4, 0x8f, 0xe3],
        &[0x82, 0xb1, 0x82, 0xea, 0x82, 0xcd, 0x97, 0xc7, 0x82, 0xa2, 0x8e, 0xe8, 0x82, 0xc5, 0x82, 0xb7],
    );
    drop_file(&page, "ja.sgf", &japanese);
    black_is(&page, "井上");
    let korean = record(
        &[0xc0, 0xcc, 0xbc, 0xbc, 0xb5, 0xb9],
        &[0xc1, 0xc1, 0xc0, 0xba, 0x20, 0xbc, 0xf6, 0xc0, 0xd4, 0xb4, 0xcf, 0xb4, 0xd9],
    );
    drop_file(&page, "ko.sgf", &korean);
    black_is(&page, "이세돌");
    page.wait_for(".record-card select");
    page.fill_select(".record-card select", "GB18030");
    page.wait("document.querySelector('[data-player=black] .name').textContent !== '이세돌'");
    page.assert_quiet();
}

#[test]
fn a_bad_paste_keeps_the_text_and_a_long_one_is_read() {
    let Some((_house, page)) = desktop() else { return };
    page.press("o");
    page.wait_for("dialog.open-record");
    page.fill("sgf", "this is no game, but I wrote it myself");
    page.click("dialog [data-answer=open]");
    page.wait("/No game was found/.test(document.querySelector('dialog .wrong').innerText)");
    assert_eq!(
        page.evaluate("document.querySelector('dialog textarea').value"),
        "this is no game, but I wrote it myself"
    );
    page.fill("sgf", &format!("(;GM[1]SZ[9]PB[Long];B[ee]C[{}])", "word ".repeat(300_000)));
    page.click("dialog [data-answer=open]");
    black_is(&page, "Long");
    let complaints = page.browser.console();
    assert!(complaints.iter().all(|text| text.contains("/api/records") && text.contains("400")), "{complaints:?}");
}
