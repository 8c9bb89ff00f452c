//! What people take for granted: reloads, crashes, second tabs, themes, languages, saved games.

use crate::desktop;

#[test]
fn a_reload_and_a_crash_lose_nothing() {
    let Some((mut house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("level", "1"), ("pace", "instant")]);
    page.play("E5");
    page.wait("document.querySelectorAll('.stone').length === 2");
    page.browser.reload();
    page.wait("document.querySelectorAll('.stone').length === 2");
    page.wait_for_turn();
    page.play("C3");
    page.wait("document.querySelector('.where').textContent === '4 / 4'");
    page.assert_quiet();

    // What the page shows until it has joined again is what it showed before; so the answer to `join` is waited for.
    page.evaluate(
        "(() => { window.WebSocket = class extends WebSocket { constructor(address) {
            super(address);
            this.addEventListener('message', (event) => { window.isBack ||= JSON.parse(event.data).type === 'done'; });
        } }; })()",
    );
    house.crash();
    page.wait_for(".connection");
    house.come_back();
    page.wait("window.isBack && document.querySelector('.connection').hidden");
    page.wait("document.querySelector('.where').textContent === '4 / 4'");
    page.wait_for_turn();
    page.play(if page.evaluate(&page.stone_at("G7")).is_null() { "G7" } else { "G3" });
    page.wait("document.querySelector('.where').textContent === '6 / 6'");
    // Connections refused while the house was down are the only complaints.
    let complaints = page.browser.console();
    assert!(complaints.iter().all(|text| text.contains("WebSocket")), "{complaints:?}");
}

#[test]
fn a_second_tab_keeps_in_step() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("color", "both")]);
    let game = page.evaluate("location.href");
    page.play("E5");
    let (first, second) = page.browser.new_tab();
    page.browser.open(game.as_str().unwrap());
    page.wait(&format!("{} === 'black'", page.stone_at("E5")));
    page.play("C3");
    page.browser.go_to_tab(&first);
    page.wait(&format!("{} === 'white'", page.stone_at("C3")));
    page.play("G7");
    page.browser.go_to_tab(&second);
    page.wait(&format!("{} === 'black'", page.stone_at("G7")));
    page.assert_quiet();
}

#[test]
fn themes_and_languages_change_and_stay() {
    let Some((_house, page)) = desktop() else { return };
    let paper = "getComputedStyle(document.body).backgroundColor";
    let before = page.evaluate(paper);
    page.click("[data-command=theme]");
    page.wait("document.documentElement.dataset.theme === 'dark'");
    let dark = page.evaluate(paper);
    assert_ne!(before, dark);
    page.browser.reload();
    page.wait_for(".welcome");
    assert_eq!(page.evaluate(paper), dark);

    for (language, greeting) in [("ja", "ようこそ"), ("zh", "欢迎"), ("ko", "환영"), ("en", "Welcome")] {
        page.press(";");
        page.wait_for("dialog.settings");
        page.fill("language", language);
        page.wait(&format!(
            "document.querySelector('html:lang({language}) .welcome').innerText.includes('{greeting}')"
        ));
        let untranslated = page.evaluate("document.body.innerText.match(/\\b(command|panel|welcome|status)\\.\\w+/)");
        assert!(untranslated.is_null(), "{untranslated}");
    }
    page.assert_quiet();
}

#[test]
fn saved_games_are_listed_renamed_resumed_and_deleted() {
    let Some((_house, page)) = desktop() else { return };
    page.new_game(&[("size", "9"), ("color", "both")]);
    page.play("E5");
    page.browser.open("about:blank");
    page.browser.open(page.address());
    page.press("g");
    page.wait_for(".game-open");
    page.click(".games li .button:nth-of-type(2)");
    page.wait_for(".games input");
    page.evaluate("document.querySelector('.games input').value = 'My first game'");
    page.press("\u{e007}");
    page.wait("document.querySelector('.game-open strong')?.textContent === 'My first game'");
    page.click(".game-open");
    page.wait(&format!("{} === 'black'", page.stone_at("E5")));
    page.wait("document.title.startsWith('My first game')");
    page.press("g");
    page.wait_for(".game-open");
    page.click(".games li .button:nth-of-type(3)");
    page.click("dialog [data-answer=yes]");
    page.wait("document.querySelector('.games .empty')");
    page.wait("!location.hash && !document.querySelector('.stone')");
    page.assert_quiet();
}

#[test]
fn the_page_asks_for_all_its_modules_at_once() {
    let Some((_house, page)) = desktop() else { return };
    let late = page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname.slice(1))
            .filter((path) => path.endsWith('.js') && !document.querySelector(`[href='${path}'], [src='${path}']`))",
    );
    assert_eq!(late, serde_json::json!([]), "modules that index.html should preload");
}
