//! Everybody can use it: axe finds nothing serious on any screen, in any of the four languages; the page is an app.

use crate::house::House;
use crate::page::Page;
use crate::skipped::skipped;
use crate::trust::REVIEWED;
use crate::{desktop, desktop_with, visit};

/// axe-core, a checker of accessibility, from npm: see package.json.
fn axe() -> Option<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/node_modules/axe-core/axe.min.js");
    let found = std::fs::read_to_string(path).ok();
    if found.is_none() {
        skipped("npm ci in app/tests/browser brings axe-core; without it accessibility was not checked");
    }
    found
}

fn check(page: &Page, axe: &str, screen: &str) {
    // Through the debugger: the page's own content policy lets no stranger's script in.
    page.browser.devtools("Runtime.evaluate", serde_json::json!({"expression": axe}));
    page.evaluate("(window.axeFound = null, axe.run(document, { resultTypes: ['violations'] }).then((found) => { window.axeFound = found.violations; }), null)");
    page.wait("window.axeFound");
    let serious = page.evaluate(
        "window.axeFound.filter((fault) => ['serious', 'critical'].includes(fault.impact))
            .map((fault) => `${fault.id}: ${fault.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary).join(' | ')}`)",
    );
    assert_eq!(serious, serde_json::json!([]), "{screen}");
}

#[test]
fn no_screen_keeps_anybody_out() {
    let Some(axe) = axe() else { return };
    let Some((_house, page)) = desktop_with(House::with_nets) else { return };
    for (language, theme) in [("en", "light"), ("ja", "dark"), ("zh", "light"), ("ko", "dark")] {
        page.speak(language, theme);
        let look = |screen: &str| check(&page, &axe, &format!("{screen} in {language}, {theme}"));
        look("welcome");
        page.press("n");
        page.wait_for("dialog.new-game [name=net]");
        page.fill("net", "tiny-people");
        page.wait_for("dialog [name=like]");
        look("new game, with nets to choose from");
        page.close_dialog();
        page.open_record(REVIEWED);
        page.wait("document.querySelectorAll('.mistake').length === 1");
        page.click(".mistake");
        page.wait("document.querySelectorAll('.before-after .mini-board').length === 2");
        look("review");
        page.click("[data-tab=play]");
        look("play");
        page.click("[data-tab=analyse]");
        page.click("[data-command=analyse]");
        page.wait("document.querySelectorAll('.moves tbody tr').length > 2");
        look("analysis");
        page.click(".analysis [data-command=analyse]");
        let dialogs =
            [("g", ".games-dialog"), (";", ".settings"), ("?", ".shortcuts"), ("o", ".open-record"), ("E", ".export")];
        for (key, dialog) in dialogs {
            page.press(key);
            page.wait_for(&format!("dialog{dialog}"));
            look(dialog);
            page.close_dialog();
        }
        page.press("P");
        page.wait_for(".palette");
        look("palette");
        page.click("[data-edit=facts]");
        page.wait_for("dialog.facts");
        look("facts");
        page.close_dialog();
        page.click("[data-edit=done]");
        page.press("\u{e011}");
        page.press("G");
        page.wait_for(".guess-card");
        look("guessing");
        page.press("G");
        page.wait("!document.querySelector('.guess-card')");
        page.press("T");
        page.wait_for(".training-card");
        look("training");
        page.click("[data-answer=stop]");
        page.wait("document.querySelector('.status[data-phase=study]')?.getClientRects().length");
        page.press("y");
        page.wait("document.querySelector('.status[data-phase=trial]')");
        look("trying it");
        page.press("o");
        page.wait_for("dialog.open-record");
        page.fill("sgf", "(;GM[1]SZ[9]PB[One];B[ee])(;GM[1]SZ[9]PB[Two];B[cc])");
        page.click("dialog [data-answer=open]");
        page.wait_for("dialog.choose-game");
        look("a collection");
        page.close_dialog();
    }
    page.assert_quiet();
}

#[test]
fn the_teacher_and_the_count_keep_nobody_out() {
    let Some(axe) = axe() else { return };
    let Some((_house, page)) = desktop() else { return };
    for (language, theme) in [("en", "dark"), ("ja", "light"), ("zh", "dark"), ("ko", "light")] {
        page.speak(language, theme);
        let look = |screen: &str| check(&page, &axe, &format!("{screen} in {language}, {theme}"));
        page.begin(r#"{"type": "new", "size": 9, "level": 1, "pace": "instant", "color": "black", "teacher": 1}"#);
        page.play("A1");
        page.wait_for(".teacher [data-command=keep]:enabled");
        look("a warning");
        page.press("u");
        page.wait_for(".status [data-command=hint]:enabled");
        page.press("H");
        page.wait("document.querySelector('.hint-area')");
        look("a hint");
        page.press("q");
        page.wait_for("dialog [data-answer=yes]");
        look("a question");
        page.click("dialog [data-answer=yes]");
        page.wait("document.querySelector('.status[data-phase=over]')");
        look("a game that is over");
        page.begin(r#"{"type": "new", "size": 5, "color": "both", "rules": "chinese"}"#);
        page.wait("document.querySelectorAll('.stone').length === 0 && document.querySelector('.board.playable')");
        for vertex in ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5"] {
            page.play(vertex);
        }
        page.touch("C1");
        page.wait_for(".toast.error");
        look("a refusal");
        for _ in 0..2 {
            page.pass();
        }
        page.wait_for(".count-card table");
        look("the count");
    }
    page.assert_quiet();
}

#[test]
fn the_page_is_an_app() {
    let Some((mut house, page)) = visit(390, 844) else { return };
    page.wait("navigator.serviceWorker.controller");
    let manifest = page.browser.devtools("Page.getAppManifest", serde_json::json!({}));
    assert_eq!(manifest["errors"], serde_json::json!([]), "{manifest}");
    let against = page.browser.devtools("Page.getInstallabilityErrors", serde_json::json!({}));
    assert_eq!(against["installabilityErrors"], serde_json::json!([]), "it can be installed");
    // Once its files are kept, the window opens without the server, and waits for it.
    page.browser.reload();
    page.wait_for(".welcome");
    house.crash();
    page.browser.reload();
    page.wait_for(".connection");
    house.come_back();
    page.wait_for(".welcome");
}

#[test]
fn a_phone_reviews_with_board_and_list_in_one_view() {
    let Some((_house, page)) = visit(390, 844) else { return };
    page.open_record(REVIEWED);
    page.wait("document.querySelectorAll('.mistake').length === 1");
    page.evaluate("document.querySelector('.mistake').scrollIntoView({ block: 'nearest' })");
    let seen = page.evaluate(
        "(() => {
            const [board, list] = ['.board', '.mistake'].map((name) => document.querySelector(name).getBoundingClientRect());
            return board.top >= 0 && board.bottom <= innerHeight && list.top >= 0 && list.bottom <= innerHeight + 1;
        })()",
    );
    assert_eq!(seen, true);
}

/// A phone shows the same screens with other sizes, and its board stays while the list goes by.
#[test]
fn a_phone_keeps_nobody_out() {
    let Some(axe) = axe() else { return };
    let Some((_house, page)) = visit(390, 844) else { return };
    for (language, theme) in [("en", "dark"), ("ja", "light"), ("zh", "dark"), ("ko", "light")] {
        page.speak(language, theme);
        let look = |screen: &str| check(&page, &axe, &format!("{screen} on a phone in {language}, {theme}"));
        look("welcome");
        page.open_record(REVIEWED);
        page.wait("document.querySelectorAll('.mistake').length === 1");
        page.press(".");
        page.wait("document.querySelectorAll('.before-after .mini-board').length === 2");
        look("review");
        page.press("1");
        look("play");
        page.press("g");
        page.wait_for("dialog .game-open");
        look("library");
        page.close_dialog();
    }
    page.assert_quiet();
}
