//! Everybody can use it: axe finds nothing serious on any screen, in any of the four languages; the page is an app.

use crate::page::Page;
use crate::skipped::skipped;
use crate::trust::REVIEWED;
use crate::{desktop, visit};

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
    let Some((_house, page)) = desktop() else { return };
    for (language, theme) in [("en", "light"), ("ja", "dark"), ("zh", "light"), ("ko", "dark")] {
        let settings = format!(r#"{{"language":"{language}","theme":"{theme}"}}"#);
        page.evaluate(&format!("(localStorage.setItem('jigo.settings', '{settings}'), null)"));
        page.browser.open("about:blank");
        page.browser.open(page.address());
        page.wait(&format!("document.querySelector('html:lang({language}) .welcome')"));
        let look = |screen: &str| check(&page, &axe, &format!("{screen} in {language}, {theme}"));
        look("welcome");
        page.press("n");
        page.wait_for("dialog.new-game");
        look("new game");
        page.press("\u{e00c}");
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
        for (key, dialog) in [("g", ".games-dialog"), (";", ".settings"), ("?", ".shortcuts"), ("o", ".open-record")] {
            page.press(key);
            page.wait_for(&format!("dialog{dialog}"));
            look(dialog);
            page.press("\u{e00c}");
            page.wait("!document.querySelector('dialog')");
        }
    }
    page.assert_quiet();
}

#[test]
fn the_page_is_an_app() {
    let Some((mut house, page)) = visit(390, 844) else { return };
    page.wait("navigator.serviceWorker.controller");
    let manifest = page.browser.devtools("Page.getAppManifest", serde_json::json!({}));
    assert_eq!(manifest["errors"], serde_json::json!([]), "{manifest}");
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
