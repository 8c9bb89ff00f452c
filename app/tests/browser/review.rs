//! Reviewing a record: load, analyse the whole game, walk the mistakes, branch, comment, save.

use crate::desktop;

/// A quiet opening in which Black's fifth move goes to the corner point.
const RECORD: &str = "(;GM[1]FF[4]SZ[9]KM[7]PB[<i>Aya</i>]PW[Ben];B[ee];W[ge];B[gd];W[fd];B[aa];W[gc];B[hd];W[fe])";

#[test]
fn a_record_is_loaded_and_reviewed() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record(RECORD);
    // What a record says is text, never markup.
    page.wait("document.querySelector('[data-player=black] .name').textContent === '<i>Aya</i>'");
    page.wait("/ 8$/.test(document.querySelector('.where').textContent)");
    page.click(".review [data-command=review]");
    page.wait("document.querySelectorAll('.mistake').length > 0 && document.querySelector('progress').hidden");
    page.wait("document.querySelector('.game-graph .score-line').getAttribute('d').length > 30");
    page.press("\u{e011}");
    page.wait("document.querySelector('.where').textContent === '0 / 8'");
    page.press(".");
    page.wait("document.querySelector('.mistake[aria-current=true]') && document.querySelector('.last.judged')");
    assert!(page.text(".mistakes").contains("A9"), "a move to the corner point is a mistake");

    // A click on the graph jumps; a move that is not in the record makes a branch.
    page.click("[data-node=\"4\"]");
    page.wait("document.querySelector('.where').textContent === '4 / 8'");
    page.play("C3");
    page.wait("document.querySelector('.where').textContent === '5 / 5'");
    page.press("e");
    page.wait("document.activeElement.matches('.comment textarea')");
    page.browser.write("Better shape.");
    page.press("\u{e00c}");
    page.wait("document.querySelector('.tree-node .has-comment')");
    let sgf = page.evaluate(
        "(() => {
            const request = new XMLHttpRequest();
            request.open('GET', `/api/games/${location.hash.slice(1)}/sgf`, false);
            request.send();
            return request.responseText;
        })()",
    );
    let sgf = sgf.as_str().unwrap();
    assert!(sgf.contains("Better shape.") && sgf.contains("[cg]") && sgf.contains("[aa]"), "{sgf}");
    page.assert_quiet();
}

#[test]
fn a_record_that_is_none_says_so() {
    let Some((_house, page)) = desktop() else { return };
    page.press("o");
    page.wait_for("dialog.open-record");
    page.fill("sgf", "this is no game");
    page.click("dialog [data-answer=open]");
    page.wait("/No game was found/.test(document.querySelector('dialog .wrong').innerText)");
    page.wait_for(".welcome");
}

#[test]
fn records_are_dropped_and_pasted_in_the_charset_they_name() {
    let Some((_house, page)) = desktop() else { return };
    // The name's four bytes are GB18030.
    page.evaluate(
        "(() => {
            const ascii = (text) => [...text].map((letter) => letter.charCodeAt(0));
            const record = [...ascii('(;GM[1]CA[GB18030]SZ[9]PB['), 0xb9, 0xc5, 0xc1, 0xa6, ...ascii('];B[ee])')];
            const files = new DataTransfer();
            files.items.add(new File([new Uint8Array(record)], 'game.sgf'));
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
        })()",
    );
    page.wait("document.querySelector('[data-player=black] .name').textContent === '古力'");
    page.evaluate(
        "(() => {
            const text = new DataTransfer();
            text.setData('text', '(;GM[1]SZ[13]PB[Shusaku];B[dd])');
            document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: text, bubbles: true }));
        })()",
    );
    page.wait("document.querySelector('[data-player=black] .name').textContent === 'Shusaku'");
    page.wait("document.querySelector('.where').textContent === '0 / 1'");
    page.assert_quiet();
}
