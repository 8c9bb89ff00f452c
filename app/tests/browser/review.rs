//! Reviewing a record: load, analyse the whole game, walk the mistakes, branch, comment, save.

use crate::house::House;
use crate::{desktop, desktop_with};

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
    page.wait("document.querySelectorAll('.before-after .mini-board').length === 2");

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

/// A reviewed game in which both players made mistakes: Black lost 2 and 4 points, White 7.
const MISTAKES: &str = "(;GM[1]FF[4]SZ[9]KM[7]PB[Aya]PW[Ben]JGR[50]JGV[50]SBKV[50]SBKS[0]JGB[C7 G5]
;B[ee]JGR[50]JGV[50]SBKV[42]SBKS[-2]JGB[C3];W[ge]JGR[50]JGV[50]SBKV[60]SBKS[5]JGB[C7 C3]
;B[cc]JGR[50]JGV[50]SBKV[52]SBKS[5]JGB[G3];W[aa]JGR[50]JGV[50]SBKV[50]SBKS[5.1]JGB[G7 G4 G3]
;B[ia]JGR[50]JGV[50]SBKV[40]SBKS[1.1]JGB[G3 G4];W[gc]JGR[50]JGV[50]SBKV[40]SBKS[1.2]JGB[C3])";

#[test]
fn mistakes_are_filtered_and_sorted_and_both_lines_are_played_out() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record(MISTAKES);
    let list = "[...document.querySelectorAll('.mistake .which')].map((row) => row.textContent).join()";
    page.wait(&format!("{list} === '1 E5,2 G5,5 J9'"));
    page.fill_select(".filter [name=color]", "black");
    page.wait(&format!("{list} === '1 E5,5 J9'"));
    page.fill_select(".filter [name=order]", "worst");
    page.wait(&format!("{list} === '5 J9,1 E5'"));
    page.fill_select(".filter [name=least]", "3");
    page.wait(&format!("{list} === '5 J9'"));
    page.fill_select(".filter [name=color]", "both");
    page.wait(&format!("{list} === '2 G5,5 J9'"));
    assert_eq!(page.count(".deciding .button"), 3);
    for part in ["accuracy", "bestShare", "lost", "opening"] {
        let cells = page.evaluate(&format!(
            "[...document.querySelectorAll('[data-row={part}] td')].map((td) => /\\d/.test(td.textContent))"
        ));
        assert_eq!(cells, serde_json::json!([true, true]), "{part}");
    }
    page.click(".mistake[data-node=\"5\"]");
    page.wait_for(".better-line");
    page.click(".better-line");
    // It is played to its end; then one stands where it leaves the game, and the arrow keys follow it.
    let is_at = |place: &str| format!("document.querySelector('.where').textContent === '{place}'");
    page.wait(&format!("{} && {} === 'black' && !{}", is_at("5 / 7"), page.stone_at("G7"), page.stone_at("J9")));
    page.press("\u{e010}");
    page.wait(&format!(
        "{} && {} === 'white' && {} === 'black'",
        is_at("7 / 7"),
        page.stone_at("G4"),
        page.stone_at("G3")
    ));
    page.click(".mistake[data-node=\"5\"]");
    page.wait_for(".played-line");
    page.click(".played-line");
    page.wait(&format!(
        "{} && {} === 'black' && {} === 'white'",
        is_at("6 / 7"),
        page.stone_at("J9"),
        page.stone_at("G3")
    ));
    page.press("\u{e014}");
    page.wait(&format!("{} && {} === 'black'", is_at("7 / 7"), page.stone_at("G4")));
    page.assert_quiet();
}

#[test]
fn a_review_says_how_long_it_takes_and_which_net_judges() {
    let Some((_house, page)) = desktop_with(House::with_nets) else { return };
    page.open_record(RECORD);
    page.wait_for(".review-start");
    let depths =
        "[...document.querySelectorAll('.review-start [name=depth] option')].map((option) => option.textContent)";
    page.wait(&format!("{depths}.every((words) => /\\(\\d+ (seconds|minutes)\\)/.test(words))"));
    // Nothing is known of another net until it has been tried; that is done at once, and nobody sees its moves.
    page.evaluate(
        "(() => {
            [window.told, window.sawMoves] = [[], false];
            const { send } = WebSocket.prototype;
            WebSocket.prototype.send = function (text) {
                const { type, on } = JSON.parse(text);
                if (type === 'analyse') window.told.push(on);
                return send.call(this, text);
            };
            new MutationObserver(() => { window.sawMoves ||= Boolean(document.querySelector('.candidate')); }).observe(document.body, { subtree: true, childList: true });
        })()",
    );
    page.fill_select(".review-start [name=net]", "tiny-people");
    page.wait(&format!(
        "window.told.join() === 'true,false' && {depths}.every((words) => /\\(\\d+ (seconds|minutes)\\)/.test(words))"
    ));
    assert_eq!(page.evaluate("window.sawMoves"), false);
    page.fill_select(".review-start [name=depth]", "quick");
    page.click(".review-start [data-command=review]");
    page.wait("document.querySelector('.review progress').hidden && document.querySelector('[data-row=accuracy]')");
    page.wait("/%/.test(document.querySelector('[data-row=accuracy] td').textContent)");
    page.assert_quiet();
}
