//! Nothing is cut off, nothing runs over the edge: every main screen at three widths in four languages.

use crate::page::Page;
use crate::trust::REVIEWED;
use crate::visit;

/// The page is as wide as the window, the bar is one line, words fit their buttons, and no two parts of the panel cover each other.
fn check(page: &Page, screen: &str) {
    let faults = page.evaluate(
        "(() => {
            const faults = [];
            const seen = (e) => e.getClientRects().length && !e.closest('[hidden]');
            if (document.documentElement.scrollWidth > innerWidth) faults.push(`wider than the window: ${document.documentElement.scrollWidth}`);
            if (document.querySelector('.bar').offsetHeight > 60) faults.push('the bar breaks into lines');
            const buttons = [...(document.querySelector('dialog') ?? document).querySelectorAll('.button, .tabs button, .segment span')].filter(seen);
            for (const button of buttons) {
                const box = button.getBoundingClientRect();
                if (button.scrollWidth > button.clientWidth + 1) faults.push(`cut off: ${button.textContent}`);
                if (box.right > innerWidth + 1 || box.left < -1) faults.push(`outside: ${button.textContent}`);
            }
            const pen = document.createElement('canvas').getContext('2d');
            for (const list of [...(document.querySelector('dialog') ?? document).querySelectorAll('select')].filter(seen)) {
                pen.font = getComputedStyle(list).font;
                const words = list.selectedOptions[0].textContent;
                if (pen.measureText(words).width + 30 > list.clientWidth) faults.push(`cut off in its list: ${words}`);
            }
            const parts = [...document.querySelectorAll('.panel > *, #panel > .slot > *')].filter((e) => seen(e) && e.id !== 'panel' && e.className !== 'slot' && getComputedStyle(e).position !== 'sticky');
            parts.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
            parts.slice(1).forEach((part, i) => {
                if (part.getBoundingClientRect().top < parts[i].getBoundingClientRect().bottom - 1) faults.push(`${parts[i].className} under ${part.className}`);
            });
            return faults;
        })()",
    );
    assert_eq!(faults, serde_json::json!([]), "{screen}");
}

#[test]
fn nothing_is_cut_off_at_any_width_in_any_language() {
    for (width, height) in [(1440, 900), (1024, 768), (390, 844)] {
        let Some((_house, page)) = visit(width, height) else { return };
        for language in ["en", "ja", "zh", "ko"] {
            page.speak(language, "light");
            let look = |screen: &str| check(&page, &format!("{screen} in {language} at {width}"));
            look("welcome");
            page.begin(r#"{"type": "new", "size": 9, "color": "black", "level": 1, "pace": "instant"}"#);
            page.wait("document.querySelector('.board.playable')");
            look("play");
            page.open_record(&REVIEWED.replace("PB[Aya]PW[Ben]", "PB[Kurosawa Tadanao 5p]PW[Miwa Yoshiro 7p]"));
            page.wait("document.querySelectorAll('.mistake').length === 1");
            page.press(".");
            page.wait("document.querySelectorAll('.before-after .mini-board').length === 2");
            look("review");
            page.press("2");
            page.press("a");
            page.wait("document.querySelectorAll('.moves tbody tr:not([hidden])').length > 1");
            look("analysis");
            page.press("a");
            for (key, dialog) in [("n", ".new-game"), ("g", ".games-dialog"), ("E", ".export"), (";", ".settings")] {
                page.press(key);
                page.wait_for(&format!("dialog{dialog}"));
                look(dialog);
                page.close_dialog();
            }
            page.press("P");
            page.wait_for(".palette");
            look("palette");
            page.click("[data-edit=done]");
            page.press("T");
            page.wait_for(".training-card");
            look("training");
            page.click("[data-answer=stop]");
            page.wait("!document.querySelector('.training-card')");
        }
        page.assert_quiet();
    }
}
