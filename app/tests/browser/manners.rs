//! Good manners: nothing happens that was not meant, nothing is lost that was agreed, everybody can read and reach everything.

use crate::{desktop, visit};

#[test]
fn a_click_while_looking_back_is_no_move() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("level", "1"), ("pace", "instant")]);
    page.play("E5");
    page.wait("document.querySelector('.where').textContent === '2 / 2'");
    page.press("\u{e012}");
    page.wait("document.querySelector('.where').textContent === '1 / 2'");
    page.touch(if page.evaluate(&page.stone_at("C3")).is_null() { "C3" } else { "G7" });
    page.wait("/looking back/.test(document.querySelector('.toasts').textContent)");
    page.press("\u{e010}");
    page.wait("document.querySelector('.where').textContent === '2 / 2'");
    assert_eq!(page.count(".tree-node"), 3, "no variation was made");
    page.assert_quiet();
}

#[test]
fn a_clock_that_ran_out_shows_nothing_left() {
    let Some((_house, page)) = desktop() else { return };
    page.begin(r#"{"type": "new", "size": 9, "color": "black", "clock": {"kind": "absolute", "main": 0.5}}"#);
    page.wait("/White wins on time/.test(document.querySelector('.status-line').textContent)");
    page.wait("document.querySelector('[data-player=black] .clock').textContent === '0:00.0'");
    page.browser.reload();
    page.wait("document.querySelector('[data-player=black] .clock').textContent === '0:00.0'");
    page.assert_quiet();
}

#[test]
fn a_finished_game_keeps_its_count() {
    let Some((_house, page)) = desktop() else { return };
    page.begin(r#"{"type": "new", "size": 5, "color": "both", "rules": "chinese"}"#);
    for vertex in ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "B3", "E3"] {
        page.play(vertex);
    }
    for _ in 0..2 {
        page.pass();
    }
    page.click("[data-command=accept]");
    page.wait("/wins/.test(document.querySelector('.status-line').textContent)");
    page.wait("document.querySelectorAll('.territory').length > 5");
    let counted = page.count(".territory");
    page.browser.reload();
    page.wait(&format!("document.querySelectorAll('.territory').length === {counted}"));
    page.assert_quiet();
}

#[test]
fn notes_do_not_cover_the_walking_buttons() {
    for (width, height) in [(1280, 860), (390, 844)] {
        let Some((_house, page)) = visit(width, height) else { return };
        page.begin(r#"{"type": "new", "size": 9, "color": "both"}"#);
        page.play("E5");
        page.touch("E5");
        page.wait_for(".toast.error");
        let apart = page.evaluate(
            "(() => {
                const [toast, walk] = ['.toast', '.walk'].map((name) => document.querySelector(name).getBoundingClientRect());
                return toast.bottom <= walk.top || toast.top >= walk.bottom;
            })()",
        );
        assert_eq!(apart, true, "at {width}");
    }
}

#[test]
fn keys_ask_before_they_end_something() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("level", "1"), ("pace", "instant")]);
    page.press("p");
    page.wait_for("dialog");
    page.press("\u{e00c}");
    page.wait("!document.querySelector('dialog')");
    page.press("q");
    page.wait_for("dialog");
    page.press("\u{e007}");
    page.wait("!document.querySelector('dialog')");
    page.press("a");
    page.wait("document.querySelectorAll('.candidate').length > 1");
    // The button that opened the dialog would take the key.
    page.evaluate("document.activeElement.blur()");
    page.press("\u{e007}");
    page.press("a");
    page.wait("!document.querySelector('.candidate')");
    assert!(page.text(".status-line").contains("Your move"), "nothing was passed, resigned or played");
    assert_eq!(page.count(".stone"), 0);
    page.assert_quiet();
}

#[test]
fn two_tabs_look_where_they_like() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("color", "both")]);
    let game = page.evaluate("location.href");
    page.play("E5");
    page.play("C3");
    let (first, second) = page.browser.new_tab();
    page.browser.open(game.as_str().unwrap());
    page.wait("document.querySelector('.where').textContent === '2 / 2'");
    page.press("\u{e011}");
    page.wait("document.querySelector('.where').textContent === '0 / 2'");
    page.browser.go_to_tab(&first);
    page.play("G7");
    page.wait("document.querySelector('.where').textContent === '3 / 3'");
    page.browser.go_to_tab(&second);
    page.wait("document.querySelector('.where').textContent === '0 / 3'");
    page.press("\u{e010}");
    page.wait("document.querySelector('.where').textContent === '3 / 3'");
    page.assert_quiet();
}

#[test]
fn what_is_shown_can_be_read_reached_and_is_called_what_it_does() {
    let Some((_house, page)) = desktop() else { return };
    assert_eq!(page.text("h1"), "Jigo");
    page.new_game(&[("size", "9"), ("color", "both")]);
    page.play("E5");
    page.evaluate("document.querySelector('.tree-scroll').focus()");
    page.wait("document.activeElement.matches('.tree-scroll')");
    page.press("\u{e012}");
    page.wait("document.querySelector('.where').textContent === '0 / 1'");
    page.click("[data-tab=analyse]");
    page.click("[data-command=analyse]");
    page.wait("document.querySelector('.analysis [data-command=analyse]').getAttribute('aria-label') === 'Stop'");
    page.click(".analysis [data-command=analyse]");
    page.wait("document.querySelector('.analysis [data-command=analyse]').getAttribute('aria-label') === 'Analyse'");
    page.assert_quiet();
}
