//! The keyboard alone: everything that can be pressed can be reached, and the newer parts can be used.

use serde_json::json;

use crate::house::House;
use crate::page::Page;
use crate::trust::REVIEWED;
use crate::{desktop, desktop_with};

const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";

/// Rounds with the tab key before something counts as out of its reach: a page that is still being drawn replaces what was focused.
const ROUNDS: usize = 4;

/// Goes round with the tab key and asks whether everything that a mouse could press was met on the way.
fn everything_is_reached(page: &Page, screen: &str) {
    page.evaluate(
        "(() => {
            window.met = new Set();
            // Of a group of radio buttons the tab key reaches one, and the arrow keys the others.
            const isMet = (e) => met.has(e) || (e.type === 'radio' && [...met].some((other) => other.type === 'radio' && other.name === e.name));
            window.pressable = () => {
                const place = document.querySelector('dialog[open]') ?? document.body;
                return [...place.querySelectorAll('button, select, input, textarea, a[href], [tabindex=\"0\"]')]
                    .filter((e) => e.getClientRects().length && !e.disabled && getComputedStyle(e).visibility !== 'hidden');
            };
            window.missed = () => pressable().filter((e) => !isMet(e)).map((e) => e.outerHTML.slice(0, 120));
            document.activeElement?.blur();
        })()",
    );
    for _ in 0..ROUNDS {
        let most = page.evaluate("pressable().length").as_u64().unwrap() + 5;
        for _ in 0..most {
            page.press(TAB);
            page.evaluate("(met.add(document.activeElement), null)");
        }
        if page.evaluate("missed().length") == 0 {
            return;
        }
    }
    assert_eq!(page.evaluate("missed()"), json!([]), "{screen}");
}

#[test]
fn the_tab_key_reaches_everything() {
    let Some((_house, page)) = desktop_with(House::with_nets) else { return };
    everything_is_reached(&page, "welcome");
    page.open_record(REVIEWED);
    page.wait("document.querySelectorAll('.mistake').length === 1");
    page.press(".");
    page.wait("document.querySelectorAll('.before-after .mini-board').length === 2");
    everything_is_reached(&page, "review");
    for (key, tab) in [("1", "play"), ("2", "analyse")] {
        page.evaluate("document.activeElement.blur()");
        page.press(key);
        page.wait(&format!("document.body.dataset.tab === '{tab}'"));
        everything_is_reached(&page, tab);
    }
    let dialogs = [
        ("n", ".new-game"),
        ("g", ".games-dialog"),
        ("o", ".open-record"),
        ("E", ".export"),
        (";", ".settings"),
        ("?", ".shortcuts"),
    ];
    for (key, dialog) in dialogs {
        page.evaluate("document.activeElement.blur()");
        page.press(key);
        page.wait_for(&format!("dialog{dialog}"));
        everything_is_reached(&page, dialog);
        page.close_dialog();
    }
    page.evaluate("document.activeElement.blur()");
    page.press("P");
    page.wait_for(".palette");
    everything_is_reached(&page, "palette");
    page.evaluate("document.activeElement.blur()");
    page.press("P");
    page.wait("!document.querySelector('.palette')");
    page.press("T");
    page.wait_for(".training-card");
    everything_is_reached(&page, "training");
    page.assert_quiet();
}

#[test]
fn a_game_is_played_warned_about_and_counted_with_the_keyboard() {
    let Some((_house, page)) = desktop() else { return };
    page.press("n");
    page.wait_for("dialog.new-game");
    for (name, value) in [("size", "9"), ("level", "1"), ("pace", "instant"), ("teacher", "2")] {
        page.fill(name, value);
    }
    page.press(ENTER);
    page.wait("location.hash && !document.querySelector('dialog') && document.querySelector('.board.playable')");
    // Into the corner, which the teacher does not like.
    page.press("f");
    page.wait_for(".cursor rect");
    for key in ["\u{e012}", "\u{e015}"].repeat(4) {
        page.press(key);
    }
    page.press(ENTER);
    page.wait_for(".teacher [data-command=keep]:enabled");
    page.press("\u{e00c}");
    everything_is_reached(&page, "a warning");
    page.evaluate("document.activeElement.blur()");
    page.press("u");
    page.wait(&format!("!{}", page.stone_at("A1")));
    page.wait_for(".status [data-command=hint]:enabled");
    page.press("H");
    page.wait("document.querySelector('.hint-area')");

    // A count: a stone is marked with Enter, and the count agreed to with its key.
    page.begin(r#"{"type": "new", "size": 5, "color": "both", "rules": "chinese"}"#);
    page.wait("document.querySelectorAll('.stone').length === 0 && document.querySelector('.board.playable')");
    for vertex in ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5"] {
        page.play(vertex);
    }
    for number in ["11 / 11", "12 / 12"] {
        page.press("p");
        page.wait(&format!("document.querySelector('.where').textContent === '{number}'"));
    }
    page.wait_for("[data-command=accept]:enabled");
    everything_is_reached(&page, "the count");
    page.evaluate("document.activeElement.blur()");
    let dead = page.count(".stone.dead");
    page.press("f");
    page.wait_for(".cursor rect");
    page.press(ENTER);
    page.wait(&format!("document.querySelectorAll('.stone.dead').length !== {dead}"));
    page.press(ENTER);
    page.wait(&format!("document.querySelectorAll('.stone.dead').length === {dead}"));
    page.press("\u{e00c}");
    page.press("k");
    page.wait("/wins/.test(document.querySelector('.status-line').textContent)");
    page.assert_quiet();
}

#[test]
fn a_record_is_edited_guessed_and_trained_with_the_keyboard() {
    let Some((_house, page)) = desktop() else { return };
    page.open_record(REVIEWED);
    page.wait("document.querySelectorAll('.mistake').length === 1");
    // A circle in the middle, from the palette.
    page.press("P");
    page.wait_for(".palette");
    page.press("6");
    page.press("f");
    page.wait_for(".cursor rect");
    page.press(ENTER);
    page.wait_for(".sign.circle");
    page.press("\u{e00c}");
    page.press("P");
    page.wait("!document.querySelector('.palette')");
    // The first move is guessed.
    page.press("G");
    page.wait_for(".guess-card");
    page.press("f");
    page.wait_for(".cursor rect");
    page.press(ENTER);
    page.wait("/E5: right, 10 points/.test(document.querySelector('.guess-line').textContent)");
    page.press("\u{e00c}");
    page.press("G");
    page.wait_for("dialog");
    page.close_dialog();
    // An exercise is answered, and the next one asked for.
    page.press("T");
    page.wait_for(".training-card");
    page.wait("document.querySelector('.board.playable')");
    page.press("f");
    page.wait_for(".cursor rect");
    page.press("\u{e013}");
    page.press(ENTER);
    page.wait("document.activeElement.matches('[data-answer=next]')");
    page.press(ENTER);
    page.wait("!document.querySelector('.training-card')");
    page.assert_quiet();
}
